"""Independent releases, and adaptive ones.

The profile of a product as a mean over the second loss: chourasia2024/section-5.claim-14.1; its
loss as a convolution: section-1.claim-1; adaptive composition: lemma-4.4.
"""

import sympy as sp

from lapdp.privacy.mechanisms import finite
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
P, Q = product_pair((P1, Q1), (P2, Q2))
P_swapped, Q_swapped = product_pair((P2, Q2), (P1, Q1), names=("P2 x P1", "Q2 x Q1"))
P_left, Q_left = product_pair((P, Q), (P3, Q3), names=("P x P3", "Q x Q3"))
P_last, Q_last = product_pair((P2, Q2), (P3, Q3), names=("P2 x P3", "Q2 x Q3"))
P_right, Q_right = product_pair(
    (P1, Q1), (P_last, Q_last), names=("P1 x (P2 x P3)", "Q1 x (Q2 x Q3)"))
x = outcome("x")
P2x, Q2x = family("P2", "Q2", x)
P_joint, Q_joint = adaptive_pair((P1, Q1), (P2x, Q2x))
e, eps, t, u, level, bound = reals("e eps t u x delta")
q = complexes("q")
r = reals("q")
c, first, second, order = reals("c r_1 r_2 alpha")
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
P_nothing, Q_nothing = mechanism_pair(finite([1], [1]), "P0", "Q0")
P_alone, Q_alone = product_pair((P1, Q1), (P_nothing, Q_nothing))
P_one, Q_one = product_pair((P1, Q1), (P3, Q3), names=("P1 x P3", "Q1 x Q3"))
LEVEL = [Ge(level, 0), Le(level, 1)]
SAME = ForAll((e,), Eq(delta(P1, Q1)(e), delta(P2, Q2)(e)))
TENSOR = "The tensor product of trade-off functions: Dong, Roth, Su 2022, Section 3"
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
        note="At complex orders; real ones are Abadi et al. 2016, Theorem 2 (composability).",
    )
    claim(
        "products.renyi",
        Eq(R(r, P, Q), R(r, P1, Q1) + R(r, P2, Q2)),
        where=[Gt(r, 1), Defined(R(r, P1, Q1)), Defined(R(r, P2, Q2))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_q(P_1\times P_2\|Q_1\times Q_2)"
        r"=\mathrm{R}_q(P_1\|Q_1)+\mathrm{R}_q(P_2\|Q_2),\quad q>1",
        note="Additivity: van Erven and Harremoes 2014; Mironov 2017, Proposition 1.",
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
        "Appendix B.",
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
        "products.adaptive-moments",
        Le(E(r, P_joint, Q_joint), E(r, P1, Q1) * c),
        where=[Gt(r, 1), Defined(E(r, P1, Q1)), ForAll((x,), Le(E(r, P2x, Q2x), c))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{E}_q(P_2^x\|Q_2^x)\leq c\text{ for all }x\implies"
        r"\mathrm{E}_q(P_{1:2}\|Q_{1:2})\leq c\,\mathrm{E}_q(P_1\|Q_1),\quad q>1",
        note="Adaptive releases: Abadi et al. 2016, Theorem 2 (composability).",
    )
    claim(
        "products.adaptive-renyi",
        Le(R(r, P_joint, Q_joint), first + second),
        where=[Gt(r, 1), Le(R(r, P1, Q1), first), ForAll((x,), Le(R(r, P2x, Q2x), second))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_q(P_1\|Q_1)\leq r_1,\ \mathrm{R}_q(P_2^x\|Q_2^x)\leq r_2"
        r"\text{ for all }x\implies\mathrm{R}_q(P_{1:2}\|Q_{1:2})\leq r_1+r_2,\quad q>1",
        note="Adaptive composition of Renyi differential privacy: Mironov 2017, Proposition 1.  "
        "With P1, Q1 for all releases so far and P2, Q2 for the next one it is the step of an "
        "induction over any number of releases.",
    )
    claim(
        "products.adaptive-concentrated",
        Le(R(r, P_joint, Q_joint), (first + second) * r),
        where=[Gt(r, 1), ForAll((order,), Le(R(order, P1, Q1), first * order), Gt(order, 1)),
               ForAll((order, x), Le(R(order, P2x, Q2x), second * order), Gt(order, 1))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_q(P_1\|Q_1)\leq\rho_1 q,\ \mathrm{R}_q(P_2^x\|Q_2^x)\leq\rho_2 q"
        r"\text{ for all }q>1,x\implies\mathrm{R}_q(P_{1:2}\|Q_{1:2})\leq(\rho_1+\rho_2)q",
        note="Adaptive composition of zero-concentrated differential privacy: Bun and Steinke "
        "2016, Lemma 7.",
    )
    claim(
        "products.adaptive-renyi-larger",
        Le(R(2, P_joint, Q_joint), sp.Max(first, second)),
        where=[Le(R(2, P1, Q1), first), ForAll((x,), Le(R(2, P2x, Q2x), second))],
        kind="law",
        expected="refuted",
        printed=r"\mathrm{R}_2(P_1\|Q_1)\leq r_1,\ \mathrm{R}_2(P_2^x\|Q_2^x)\leq r_2"
        r"\text{ for all }x\implies\mathrm{R}_2(P_{1:2}\|Q_{1:2})\leq\max\{r_1,r_2\}",
        note="Not a law: the bounds add up, Mironov 2017, Proposition 1.",
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
        "(McSherry 2009).",
    )
    claim(
        "products.characteristic",
        Eq(Ex(sp.exp(sp.I * u * Z), Z),
           Ex(sp.exp(sp.I * u * Z1), Z1) * Ex(sp.exp(sp.I * u * Z2), Z2)),
        where=[ac(P1, Q1), ac(P2, Q2)],
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}[e^{iuZ}]=\mathbb{E}[e^{iuZ_1}]\,\mathbb{E}[e^{iuZ_2}],"
        r"\quad P_i\ll Q_i",
        note="Zhu, Dong, Wang 2022, Proposition 16.",
    )
    claim(
        "products.determined",
        Eq(delta(P_one, Q_one)(eps), delta(P_last, Q_last)(eps)),
        where=SAME,
        kind="law",
        expected="proved",
        printed=r"\delta_{P_1|Q_1}=\delta_{P_2|Q_2}\implies"
        r"\delta_{P_1\times P_3|Q_1\times Q_3}=\delta_{P_2\times P_3|Q_2\times Q_3}",
        note="The profile of a product is a function of the profiles of its factors: Chourasia et "
        "al. 2024, Theorem 4.2.",
    )
    claim(
        "products.tensor-determined",
        Eq(T(P_one, Q_one)(level), T(P_last, Q_last)(level)),
        where=[SAME, *LEVEL],
        kind="law",
        expected="proved",
        printed=r"\delta_{P_1|Q_1}=\delta_{P_2|Q_2}\implies "
        r"f_{P_1\times P_3|Q_1\times Q_3}=f_{P_2\times P_3|Q_2\times Q_3}",
        note=TENSOR + " is well-defined: equal profiles are equal trade-off functions.",
    )
    claim(
        "products.tensor",
        Eq(T(P, Q)(level), Sup(sp.exp(-t) * (1 - level - delta(P, Q)(t)), t, -sp.oo, sp.oo)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"(f_1\otimes f_2)(x)=\sup_t e^{-t}"
        r"(1-x-\delta_{P_1\times P_2|Q_1\times Q_2}(t))",
        note=TENSOR + ", by duality from the profile of the product.",
    )
    claim(
        "products.tensor-commutes",
        Eq(T(P, Q)(level), T(P_swapped, Q_swapped)(level)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f_1\otimes f_2=f_2\otimes f_1",
        note=TENSOR + ", is commutative.",
    )
    claim(
        "products.tensor-associates",
        Eq(T(P_left, Q_left)(level), T(P_right, Q_right)(level)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"(f_1\otimes f_2)\otimes f_3=f_1\otimes(f_2\otimes f_3)",
        note=TENSOR + ", is associative.",
    )
    claim(
        "products.tensor-unit",
        Eq(T(P_alone, Q_alone)(level), T(P1, Q1)(level)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f\otimes\mathrm{Id}=f",
        note=TENSOR + ": a release that says nothing, with trade-off function 1 - x.",
    )
    claim(
        "products.tensor-below",
        Le(T(P_joint, Q_joint)(level), T(P1, Q1)(level)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f_{P_{1:2}|Q_{1:2}}\leq f_{P_1|Q_1}",
        note="More outcomes tell more: Dong, Roth, Su 2022, Section 3.",
    )
    claim(
        "products.tensor-pointwise",
        Eq(T(P, Q)(level), sp.Min(T(P1, Q1)(level), T(P2, Q2)(level))),
        where=LEVEL,
        kind="law",
        expected="refuted",
        printed=r"(f_1\otimes f_2)(x)=\min\{f_1(x),f_2(x)\}",
        note="Not a law: two releases tell more than the better one, Dong, Roth, Su 2022.",
    )
    claim(
        "products.moments-add",
        Eq(E(2, P, Q), E(2, P1, Q1) + E(2, P2, Q2)),
        where=[Defined(E(2, P1, Q1)), Defined(E(2, P2, Q2))],
        kind="law",
        expected="refuted",
        printed=r"\mathrm{E}_2(P_1\times P_2\|Q_1\times Q_2)"
        r"=\mathrm{E}_2(P_1\|Q_1)+\mathrm{E}_2(P_2\|Q_2)",
        note="Not a law: moments are multiplied, their logarithms added, Mironov 2017.",
    )
