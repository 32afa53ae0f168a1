"""Moments E_q and the profile: one formula for all orders, and which orders determine a pair.

What exceeds the profile of two equal distributions, delta(t) - (1 - e^t)_+, falls on both sides, so
that its transform exists at orders on both sides of 0 and 1, and between them for every pair.  The
derivative of the formula at q = 1 is the Kullback-Leibler divergence as an integral of the profile
(Sason and Verdu 2016, in another form).
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
t, q, eps, a, b = reals("t q eps a b")
u = positives("u")

EXCESS = delta(P, Q)(t) - sp.Max(0, 1 - sp.exp(t))
FORMULA = Eq(E(q, P, Q),
             1 + q * (q - 1) * Int(sp.exp((q - 1) * t) * EXCESS, t, -sp.oo, sp.oo))
BETWEEN = (a + b * u) / (1 + u)
SAME = Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps))

with theorem("own/moments", "Moments and the profile", fidelity="own"):
    claim(
        "moments.between",
        FORMULA,
        where=[Gt(q, 0), Lt(q, 1)],
        note="Every pair, with masses at infinity in either direction.",
    )
    claim(
        "moments.above",
        FORMULA,
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        note="Where E_q is finite.",
    )
    claim(
        "moments.below",
        FORMULA,
        where=[Lt(q, 0), Defined(E(q, P, Q))],
        note="Likewise: E_q(P||Q) = E_{1-q}(Q||P), so the same integral gives the moments of the "
        "reversed pair.",
    )
    claim(
        "moments.interval",
        Implies(Eq(E(BETWEEN, P1, Q1), E(BETWEEN, P2, Q2)), SAME, over=(u,)),
        where=[Ge(a, 0), Lt(a, b), Le(b, 1)],
        note="Every two pairs: equal moments at the orders of any interval (a, b) between 0 and 1, "
        "however short, give one profile, at every real eps.",
    )
