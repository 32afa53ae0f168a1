"""The pair in the other order: what (Q, P) has in terms of (P, Q).

Profile, loss, moments and trade-off function: chourasia2024/eq-7.3, eq-19, eq-9.3 and
remark-2.3.claim-2.1; mass at infinity: theorem-5.1.step-2.repaired.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
q, t, z, x, y = reals("q t z x y")
Z, Z_reversed = PLD(P, Q), PLD(Q, P)

with theorem("laws/reversal", "The pair in the other order"):
    claim(
        "reversal.renyi",
        Eq(R(1 - q, Q, P), (1 - q) / q * R(q, P, Q)),
        where=[Gt(q, 0), Lt(q, 1), Defined(R(q, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_{1-q}(Q\|P)=\frac{1-q}{q}\,\mathrm{R}_q(P\|Q),\quad 0<q<1",
        note="Van Erven and Harremoes 2014, Proposition 2 (skew symmetry).",
    )
    claim(
        "reversal.total-variation",
        Eq(delta(P, Q)(0), delta(Q, P)(0)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(0)=\delta_{Q|P}(0)",
        note="The total variation distance has no direction: (7) of Chourasia et al. 2024 at 0.",
    )
    claim(
        "reversal.atoms",
        Eq(Pr(Z, "==", z), sp.exp(z) * Pr(Z_reversed, "==", -z)),
        kind="law",
        expected="proved",
        printed=r"\Pr[Z=z]=e^{z}\Pr[Z'=-z]",
        note="The dual privacy loss distribution: Sommer, Meiser, Mohammadi 2019, Definition 3.",
    )
    claim(
        "reversal.tails",
        Ge(Pr(Z, ">", t), sp.exp(t) * Pr(Z_reversed, "<", -t)),
        kind="law",
        expected="proved",
        printed=r"\Pr[Z>t]\geq e^{t}\Pr[Z'<-t]",
        note="A likelihood ratio above e^t; by (20) of Chourasia et al. 2024 the difference is the "
        "profile at t.",
    )
    claim(
        "reversal.levels",
        Iff(Le(T(P, Q)(x), y), Le(T(Q, P)(y), x)),
        where=[Ge(x, 0), Le(x, 1), Ge(y, 0), Le(y, 1)],
        kind="law",
        expected="proved",
        printed=r"f_{P|Q}(x)\leq y\iff f_{Q|P}(y)\leq x",
        note="The inverse of a trade-off function: Dong, Roth, Su 2022, Lemma A.2.",
    )
