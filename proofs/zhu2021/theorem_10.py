"""Theorem 10 with footnote 3: composition of dominating pairs; the slide on constructing a pair."""

import sympy as sp

from lapdp.theory import *

P1, Q1 = pair("M(D)", "M(D')")
P2, Q2 = pair("M'(D)", "M'(D')")
A, A_ = pair("P", "Q")
C, C_ = pair("P'", "Q'")
o = outcome("o")
P2o, Q2o = family("M'(D)", "M'(D')", o)
JOINT, OTHER = adaptive_pair((P1, Q1), (P2o, Q2o), names=("MM'(D)", "MM'(D')"))
PLAIN, PLAIN_ = product_pair((P1, Q1), (P2, Q2), names=("M x M'(D)", "M x M'(D')"))
STEP, STEP_ = product_pair((P1, Q1), (C, C_), names=("M(D) x P'", "M(D') x Q'"))
BOTH, BOTH_ = product_pair((A, A_), (C, C_), names=("P x P'", "Q x Q'"))
P, Q = pair("P", "Q")
n = outcome("n")
Mn, Nn = family("M(D)", "M(D')", n)
H = functions("H")
eps, e, a, t, x, y = reals("eps e a t x y")
alpha = positives("alpha")
order = sp.Symbol("alpha", nonnegative=True)

FIRST = ForAll(e, Le(delta(P1, Q1)(e), delta(A, A_)(e)))
SECOND = ForAll((e, o), Le(delta(P2o, Q2o)(e), delta(C, C_)(e)))
i, k = naturals("i", start=1), naturals("k")
ALL = composition("M(D)", "M(D')")
EACH = composition("P", "Q", independent=True)
DOMINATED = ForAll((i, o, e), Le(delta(*ALL.release(i, o))(e), delta(*EACH.release(i))(e)))
COMPOSED = Le(delta(JOINT, OTHER)(eps), delta(BOTH, BOTH_)(eps))
BETWEEN = {"between": delta(STEP, STEP_)(eps)}
TEN = (
    r"(P\times P',Q\times Q')\text{ dominates the composed mechanism }(\mathcal M,\mathcal M')"
)
REQUIRES = (
    r"\sup_{o\in\mathrm{Range}(\mathcal M)}H_\alpha(\mathcal M'(D,o)\|\mathcal M'(D',o))"
    r"\le H_\alpha(P'\|Q')\text{ for any value of }o"
)
INDUCTION = (
    r"\text{the composed PLD can be used to obtain a valid worst-case DP of the composed mechanism}"
)
WEAK = [ConvexOn(H(t), t, 0, sp.oo), NonincreasingOn(H(t), t, 0, sp.oo), Eq(H(0), 1),
        ForAll(t, Ge(H(t), sp.Max(0, 1 - t)), (Ge(t, 0),))]
P_CDF, Q_UNIFORM = unit_interval_pair(1 + Sup(y * (x - 1) - H(y), y, 0, sp.oo), x)
BUILT = Eq(Omega(sp.Max(0, P_CDF - alpha * Q_UNIFORM)), H(alpha))
f = T(P, Q)

with theorem("zhu2021/theorem-10", "Adaptive composition of dominating pairs", fidelity="printed"):
    claim(
        "theorem-10.independent",
        Le(delta(PLAIN, PLAIN_)(eps), delta(BOTH, BOTH_)(eps)),
        where=[FIRST, ForAll(e, Le(delta(P2, Q2)(e), delta(C, C_)(e)))],
        hints=BETWEEN,
        printed=TEN,
        note="For each pair of neighbours, at all eps, negative ones included; M' without regard "
        "to the output of M.",
    )
    claim(
        "theorem-10.adaptive",
        COMPOSED,
        where=[FIRST, SECOND],
        hints=BETWEEN,
        printed=TEN,
        note="M' depends on the output of M, footnote 3.",
    )
    claim(
        "footnote-3",
        COMPOSED,
        where=[FIRST, SECOND],
        hints=BETWEEN,
        printed=r"\mathcal M'\text{ can be adaptively chosen in that it could depend on the "
        r"output of }\mathcal M",
        note="The condition for every o and every order.",
    )
    claim(
        "footnote-3.claim-1",
        COMPOSED,
        where=[FIRST, ForAll(e, Le(Sup(delta(P2o, Q2o)(e), o), delta(C, C_)(e)))],
        hints=BETWEEN,
        printed=REQUIRES,
        note="For all alpha, as Definition 7 has it.",
    )
    claim(
        "footnote-3.claim-2",
        COMPOSED,
        where=[FIRST, SECOND],
        hints=BETWEEN,
        printed=r"\text{(*M can depend on the output of M.)}",
        note="Primes are lost in the source; read with them, M' on the output of M.",
    )
    claim(
        "section-4.1.claim-9",
        Le(delta(*ALL(k))(eps), delta(*EACH(k))(eps)),
        where=[DOMINATED],
        printed=INDUCTION,
        note="Every number k of mechanisms, each chosen by the outcomes before it and each with a "
        "dominating pair of its own; every real eps.  By induction, as the paper says.",
    )

with theorem("zhu2021/section-4.1.construction", "Constructing a dominating pair",
             fidelity="printed"):
    claim(
        "section-4.1.claim-6.1",
        Eq(delta(P, Q)(eps), Sup(1 - a - sp.exp(eps) * f(a), a, 0, 1)),
        printed=r"\text{the Fenchel duality of the privacy profile with respect to a tradeoff }"
        r"\text{function}",
        note="From the trade-off function to the profile.  Written a for its argument.",
    )
    claim(
        "section-4.1.claim-6.2",
        Eq(f(a), Sup(sp.exp(-eps) * (1 - a - delta(P, Q)(eps)), eps, -sp.oo, sp.oo)),
        where=[Ge(a, 0), Le(a, 1)],
        printed=r"\text{the Fenchel duality of the privacy profile with respect to a tradeoff }"
        r"\text{function}",
        note="And back.",
    )
    for label, form in (
        ("convex", ConvexOn(f(a), a, 0, 1)),
        ("continuous", ContinuousOn(f(a), a, 0, 1)),
        ("falling", NonincreasingOn(f(a), a, 0, 1)),
    ):
        claim(
            f"section-4.1.claim-7.{label}",
            form,
            printed=r"\text{a characterization of the tradeoff function due to Dong et al. [2021, "
            r"Proposition 2.2]}",
            note=f"Of the characterization the necessary half: a trade-off function is {label}.  "
            "The sufficient half is not stated: by the duality (section-4.1.claim-6) it is that "
            "of profiles, lemma-9.reading-3.if.",
            fidelity="instance",
        )
    claim(
        "section-4.1.claim-7.bound",
        Le(f(a), 1 - a),
        where=[Ge(a, 0), Le(a, 1)],
        printed=r"\text{a characterization of the tradeoff function due to Dong et al. [2021, "
        r"Proposition 2.2]}",
        note="Of the necessary half: it is at most 1 - a; convex, continuous and falling are the "
        "statements before.",
        fidelity="instance",
    )
    for label, printed in (
        ("section-4.1.claim-8", r"\text{the resulting dominating pair of distributions are of "
         r"univariate random variables defined on }[0,1]"),
        ("slides.claim-4", r"\text{2. Take the Fenchel conjugate of }H."),
        ("slides.claim-6", r"\text{No matter the output space of }\mathcal M,\ P,Q\text{ are "
         r"univariate on }[0,1]."),
    ):
        claim(
            label,
            BUILT,
            where=WEAK,
            printed=printed,
            note="The pair on [0, 1], P with the distribution function 1 + H*(x - 1), Q uniform.",
        )
    claim(
        "slides.claim-3",
        ExistsPair(P, Q, Eq(Sup(Omega(sp.Max(0, Mn - order * Nn)), n),
                            Omega(sp.Max(0, P - order * Q))), (order,)),
        printed=r"\text{1. Project }H\text{ to the feasible space of privacy profiles.}",
        note="There is such a projection: the supremum of any profiles, so of all that lie below "
        "H, is a profile; it lies below H and is the largest that does.",
    )
    claim(
        "slides.claim-5",
        Le(delta(P, Q)(sp.log(2)), sp.Rational(3, 10)),
        where=[Le(delta(P, Q)(0), sp.Rational(1, 2)),
               Le(delta(P, Q)(sp.log(2)), sp.Rational(2, 5)),
               Le(delta(P, Q)(sp.log(3)), sp.Rational(1, 10))],
        printed=r"\text{The projection may improve the upper bound actually!}",
        note="An upper bound of 1/2, 2/5, 1/10 at e^eps = 1, 2, 3 is none of a profile: the "
        "middle value improves to 3/10, by convexity.",
    )
