"""Moments E_q and the profile: one formula for all orders, and which orders determine a pair.

What exceeds the profile of two equal distributions, delta(t) - (1 - e^t)_+, falls on both sides, so
that its transform exists at orders on both sides of 0 and 1, and between them for every pair.  At
q = 1 its derivative is the Kullback-Leibler divergence (Sason and Verdu 2016, in another form).
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
t, q, eps, a, b = reals("t q eps a b")
u = positives("u")
Z, Z_BACK = PLD(P, Q), PLD(Q, P)

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
    claim(
        "moments.interval-above",
        Implies(Eq(E(BETWEEN, P1, Q1), E(BETWEEN, P2, Q2)), SAME, over=(u,)),
        where=[Ge(a, 1), Lt(a, b), Defined(E(b, P1, Q1))],
        note="Of orders above 1 any interval (a, b) does, too, where one of the two pairs has a "
        "finite moment at its upper end: then both have finite moments there and no mass at "
        "infinity.  Where E_q is infinite at all of them they tell nothing.",
    )
    claim(
        "moments.total-variation",
        Eq(Omega(sp.Abs(P - Q)) / 2, delta(P, Q)(0)),
        note="The total variation distance is the profile at 0.",
    )
    claim(
        "moments.hellinger",
        Eq(1 - E(sp.Rational(1, 2), P, Q),
           Int(sp.exp(-t / 2) * EXCESS, t, -sp.oo, sp.oo) / 4),
        note="The squared Hellinger distance, for every pair: the excess of the profile with the "
        "weight e^(-t/2)/4, which by reversal weighs both orders alike.",
    )
    claim(
        "moments.mean",
        Eq(Ex(Z, Z), Int(EXCESS, t, -sp.oo, sp.oo)),
        where=Defined(Ex(Z, Z)),
        note="The Kullback-Leibler divergence of P from Q, the mean loss, where it is finite: the "
        "area by which the profile exceeds that of two equal distributions.",
    )
    claim(
        "moments.both-means",
        Eq(Ex(Z, Z) + Ex(Z_BACK, Z_BACK),
           Int((1 + sp.exp(-t)) * (delta(P, Q)(t) + delta(Q, P)(t)), t, 0, sp.oo)),
        where=[Defined(Ex(Z, Z)), Defined(Ex(Z_BACK, Z_BACK))],
        note="Both directions together, from the two profiles at eps >= 0.",
    )
    claim(
        "moments.chi-squared",
        Eq(E(2, P, Q), 1 + 2 * Int(sp.exp(t) * delta(P, Q)(t), t, 0, sp.oo)
           + 2 * Int(sp.exp(-2 * t) * delta(Q, P)(t), t, 0, sp.oo)),
        where=Defined(E(2, P, Q)),
        note="The chi-squared divergence, E_2 - 1, from the two profiles at eps >= 0.",
    )
