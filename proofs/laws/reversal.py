"""The pair in the other order: what (Q, P) has in terms of (P, Q).

Profile, loss, moments and trade-off function: chourasia2024/eq-7.3, eq-19, eq-9.3 and
remark-2.3.claim-2.1; mass at infinity: theorem-5.1.step-2.repaired.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
q, t, u, z, x, y = reals("q t u z x y")
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
    claim(
        "reversal.characteristic",
        Eq(Ex(sp.exp(sp.I * u * Z_reversed), Z_reversed), E(-sp.I * u, P, Q)),
        where=ac(Q, P),
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}[e^{iuZ'}]=\mathrm{E}_{-iu}(P\|Q),\quad Q\ll P",
        note="The characteristic function of Z is E_{1+iu}(P||Q): that of the reversed loss is on "
        "another line.  Zhu, Dong, Wang 2022, Appendix B, reach it through the distribution "
        "functions.",
    )
    claim(
        "reversal.characteristic-same",
        Eq(Ex(sp.exp(sp.I * u * Z_reversed), Z_reversed), Ex(sp.exp(sp.I * u * Z), Z)),
        where=[ac(P, Q), ac(Q, P)],
        kind="law",
        expected="refuted",
        printed=r"\mathbb{E}[e^{iuZ'}]=\mathbb{E}[e^{iuZ}]",
        note="Not a law: true of the pairs in Table 2 of Zhu, Dong, Wang 2022, which are "
        "symmetric; their Definition 12 has two functions.",
    )
    claim(
        "reversal.profile-same",
        Eq(delta(Q, P)(t), delta(P, Q)(t)),
        kind="law",
        expected="refuted",
        printed=r"\delta_{Q|P}=\delta_{P|Q}",
        note="Not a law: (7) of Chourasia et al. 2024 has the other sign of eps.",
    )
    claim(
        "reversal.loss-mirrored",
        Eq(f(Z_reversed)(t), f(Z)(-t)),
        kind="law",
        expected="refuted",
        printed=r"f_{Z'}(t)=f_Z(-t)",
        note="Not a law: the law of Z under Q is mirrored, and Z has its law under P; (19) of "
        "Chourasia et al. 2024 has the factor e^t.",
    )
    claim(
        "reversal.renyi-same",
        Eq(R(2, Q, P), R(2, P, Q)),
        where=[Defined(R(2, P, Q)), Defined(R(2, Q, P))],
        kind="law",
        expected="refuted",
        printed=r"\mathrm{R}_2(Q\|P)=\mathrm{R}_2(P\|Q)",
        note="Not a law: skew symmetry relates q and 1 - q, van Erven and Harremoes 2014.",
    )
