"""Independent releases, and adaptive ones.

The profile of a product as a mean over the second loss: chourasia2024/section-5.claim-14.1; its
loss as a convolution: section-1.claim-1; adaptive composition: lemma-4.4.
"""

import sympy as sp

from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
P, Q = product_pair((P1, Q1), (P2, Q2))
P_swapped, Q_swapped = product_pair((P2, Q2), (P1, Q1))
P_left, Q_left = product_pair((P, Q), (P3, Q3))
P_last, Q_last = product_pair((P2, Q2), (P3, Q3))
P_right, Q_right = product_pair((P1, Q1), (P_last, Q_last))
x = outcome("x")
P2x, Q2x = family("P2", "Q2", x)
P_joint, Q_joint = adaptive_pair((P1, Q1), (P2x, Q2x))
eps, t, bound = reals("eps t delta")
q = complexes("q")
r = reals("q")
BASIC = "Dwork and Roth 2014, Theorem 3.16 (basic composition)"

with theorem("laws/products", "Independent and adaptive releases"):
    claim(
        "products.commute",
        Eq(delta(P, Q)(eps), delta(P_swapped, Q_swapped)(eps)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P_1\times P_2|Q_1\times Q_2}=\delta_{P_2\times P_1|Q_2\times Q_1}",
        note="The order of the outcomes does not matter: Dong, Roth, Su 2022, Section 3.",
    )
    claim(
        "products.associate",
        Eq(delta(P_left, Q_left)(eps), delta(P_right, Q_right)(eps)),
        kind="law",
        expected="proved",
        printed=r"\delta_{(P_1\times P_2)\times P_3|(Q_1\times Q_2)\times Q_3}"
        r"=\delta_{P_1\times(P_2\times P_3)|Q_1\times(Q_2\times Q_3)}",
        note="Dong, Roth, Su 2022, Section 3.",
    )
    claim(
        "products.moments",
        Eq(E(q, P, Q), E(q, P1, Q1) * E(q, P2, Q2)),
        where=[Defined(E(q, P1, Q1)), Defined(E(q, P2, Q2))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{E}_q(P_1\times P_2\|Q_1\times Q_2)"
        r"=\mathrm{E}_q(P_1\|Q_1)\,\mathrm{E}_q(P_2\|Q_2)",
        note="At complex orders; real ones are Abadi et al. 2016, Theorem 2.",
    )
    claim(
        "products.renyi",
        Eq(R(r, P, Q), R(r, P1, Q1) + R(r, P2, Q2)),
        where=[Gt(r, 1), Defined(R(r, P1, Q1)), Defined(R(r, P2, Q2))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_q(P_1\times P_2\|Q_1\times Q_2)"
        r"=\mathrm{R}_q(P_1\|Q_1)+\mathrm{R}_q(P_2\|Q_2),\quad q>1",
        note="Van Erven and Harremoes 2014, Theorem 28; Mironov 2017, Proposition 1.",
    )
    claim(
        "products.infinity",
        Eq(Pr(PLD(P, Q), "==", sp.oo),
           1 - (1 - Pr(PLD(P1, Q1), "==", sp.oo)) * (1 - Pr(PLD(P2, Q2), "==", sp.oo))),
        kind="law",
        expected="proved",
        printed=r"\Pr[Z=\infty]=1-(1-\Pr[Z_1=\infty])(1-\Pr[Z_2=\infty])",
        note="Sommer, Meiser, Mohammadi 2019, Theorem 1.",
    )
    claim(
        "products.dominate",
        Ge(delta(P_joint, Q_joint)(eps), delta(P1, Q1)(eps)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P_{1:2}|Q_{1:2}}(\varepsilon)\geq\delta_{P_1|Q_1}(\varepsilon)",
        note="More outcomes tell more, whatever the second release does with the first, so for "
        "independent ones too: data processing, Dwork and Roth 2014, Proposition 2.1.",
    )
    claim(
        "products.simple",
        Le(delta(P, Q)(eps + t), 1 - (1 - delta(P1, Q1)(eps)) * (1 - delta(P2, Q2)(t))),
        kind="law",
        expected="proved",
        printed=r"\delta_{P_1\times P_2|Q_1\times Q_2}(\varepsilon+t)"
        r"\leq 1-(1-\delta_{P_1|Q_1}(\varepsilon))(1-\delta_{P_2|Q_2}(t))",
        note=BASIC + ", with 1 - (1 - delta)(1 - delta') in place of the sum.",
    )
    claim(
        "products.sum",
        Le(delta(P, Q)(eps + t), delta(P1, Q1)(eps) + delta(P2, Q2)(t)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P_1\times P_2|Q_1\times Q_2}(\varepsilon+t)"
        r"\leq\delta_{P_1|Q_1}(\varepsilon)+\delta_{P_2|Q_2}(t)",
        note=BASIC + ".",
    )
    claim(
        "products.adaptive-simple",
        Le(delta(P_joint, Q_joint)(eps + t), 1 - (1 - delta(P1, Q1)(eps)) * (1 - bound)),
        where=[ForAll((x,), Le(delta(P2x, Q2x)(t), bound)), Ge(bound, 0), Le(bound, 1)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P_2^x|Q_2^x}(t)\leq\delta\text{ for all }x\implies"
        r"\delta_{P_{1:2}|Q_{1:2}}(\varepsilon+t)"
        r"\leq 1-(1-\delta_{P_1|Q_1}(\varepsilon))(1-\delta)",
        note="The second release may depend on the outcome of the first: Dwork and Roth 2014, "
        "Theorem B.1.",
    )
    claim(
        "products.nothing-added",
        Le(delta(P_joint, Q_joint)(eps), delta(P1, Q1)(eps)),
        where=[ForAll((x,), Le(delta(P2x, Q2x)(0), 0))],
        kind="law",
        expected="proved",
        printed=r"\delta_{P_2^x|Q_2^x}(0)=0\text{ for all }x\implies"
        r"\delta_{P_{1:2}|Q_{1:2}}\leq\delta_{P_1|Q_1}",
        note="Post-processing, as a second release with one distribution for both datasets: Dwork "
        "and Roth 2014, Proposition 2.1.",
    )
    claim(
        "products.adding-profiles",
        Le(delta(P, Q)(eps), delta(P1, Q1)(eps) + delta(P2, Q2)(eps)),
        kind="law",
        expected="refuted",
        printed=r"\delta_{P_1\times P_2|Q_1\times Q_2}(\varepsilon)"
        r"\leq\delta_{P_1|Q_1}(\varepsilon)+\delta_{P_2|Q_2}(\varepsilon)",
        note="Not a law: the losses add, not only the profiles (" + BASIC + ").",
    )
    claim(
        "products.worst-factor",
        Eq(delta(P, Q)(eps), sp.Max(delta(P1, Q1)(eps), delta(P2, Q2)(eps))),
        kind="law",
        expected="refuted",
        printed=r"\delta_{P_1\times P_2|Q_1\times Q_2}"
        r"=\max\{\delta_{P_1|Q_1},\delta_{P_2|Q_2}\}",
        note="Not a law: that is parallel composition, of one factor each on disjoint data "
        "(McSherry 2009, Theorem 4).",
    )
