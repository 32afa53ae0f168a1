"""Proposition 8 and Lemma 9: what profiles look like, and a pair with a given profile."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
n = outcome("n")
Mn, Nn = family("M(D)", "M(D')", n)
H = functions("H")
a, b, t, x, y = reals("a b t x y")
alpha = positives("alpha")
order = sp.Symbol("alpha", nonnegative=True)
Z = PLD(P, Q)


def hockey(first, second, at):
    """H_at(first || second), the supremum over events, as an integral."""
    return Omega(sp.Max(0, first - at * second))


WORST = Sup(hockey(Mn, Nn, x), n)
SHAPE = [ConvexOn(H(t), t, 0, sp.oo), NonincreasingOn(H(t), t, 0, sp.oo), Eq(H(0), 1)]
WEAK = [*SHAPE, ForAll(t, Ge(H(t), sp.Max(0, 1 - t)), (Ge(t, 0),))]
STRICT = [*SHAPE, ForAll(t, Gt(H(t), sp.Max(0, 1 - t)), (Gt(t, 0),))]
CDF = 1 + Sup(y * (x - 1) - H(y), y, 0, sp.oo)
P_CDF, Q_UNIFORM = unit_interval_pair(CDF, x)

ONLY_IF = (
    r"\text{there exists }P,Q\text{ such that }H(\alpha)=H_\alpha(P\|Q)\text{ if and only if }"
    r"H\in\mathcal H\text{ [...] }"
)
IF = (
    r"\text{there exists }P,Q\text{ such that }H(\alpha)=H_\alpha(P\|Q)\text{ if and only if }"
    r"H\in\mathcal H"
)
BUILT = (
    r"P\text{ has CDF }1+H^*(x-1)\text{ in }[0,1)\text{ and }Q=\mathrm{Uniform}([0,1])"
)
SIGNS = [("lemma-9.reading-1", "lemma-9.reading-1.strict", "lemma-9.reading-1.if"),
         "lemma-9.reading-2",
         "lemma-9.reading-2.decreasing",
         ("lemma-9.reading-3.convex", "lemma-9.reading-3.decreasing", "lemma-9.reading-3.zero",
          "lemma-9.reading-3.low", "lemma-9.reading-3.if")]
GARBLED = "The sign is garbled in the source.  "

with theorem("zhu2021/proposition-8", "Every mechanism has a tight dominating pair",
             fidelity="printed"):
    claim(
        "proposition-8",
        ExistsPair(P, Q, Eq(Sup(hockey(Mn, Nn, order), n), hockey(P, Q, order)), (order,)),
        printed=r"\text{Any mechanism has a tightly dominating pair of distributions.}",
        note="Any family of pairs of neighbours, at every order >= 0.",
    )
    for number, (what, form) in enumerate(
        (
            ("convex", ConvexOn(WORST, x, 0, sp.oo)),
            ("decreasing", NonincreasingOn(WORST, x, 0, sp.oo)),
            ("1 at 0", Eq(Sup(hockey(Mn, Nn, 0), n), 1)),
            ("at least (1 - x)_+", Ge(Sup(hockey(Mn, Nn, order), n), sp.Max(0, 1 - order))),
        ),
        1,
    ):
        claim(
            f"section-4.1.claim-4.{number}",
            form,
            printed=r"\text{Proposition 8 is the direct consequence of the following result}",
            note=f"The profile of a mechanism lies in the class: it is {what}; that every member "
            "of the class has a pair is lemma-9.reading-3.if.",
        )

with theorem("zhu2021/lemma-9", "What hockey-stick divergences look like", fidelity="printed"):
    claim(
        "lemma-9.reading-1",
        Eq(hockey(P, Q, 0), 1),
        printed=ONLY_IF + r"H:\mathbb{R}_{>0}\to\mathbb{R}\text{ [...] }H(0)=1",
        note=GARBLED + "Domain x > 0 as printed, which leaves out the 0 of H(0) = 1: there H is "
        "continued by its formula.",
        readings=SIGNS,
    )
    claim(
        "lemma-9.reading-1.strict",
        Gt(hockey(P, Q, alpha), sp.Max(0, 1 - alpha)),
        printed=ONLY_IF + r"H(x)>(1-x)_+",
        expected="refuted",
        note=GARBLED + "With > on x > 0: equal distributions have H = (1 - x)_+.",
        readings=SIGNS,
    )
    claim(
        "lemma-9.reading-2",
        Gt(hockey(P, Q, order), sp.Max(0, 1 - order)),
        where=Le(order, 0),
        printed=ONLY_IF + r"H:\mathbb{R}_{>0}\to\mathbb{R}\text{ [...] }H(x)>(1-x)_+",
        expected="refuted",
        note=GARBLED + "With the domain x >= 0 and >: at x = 0 this says H(0) > 1, against "
        "H(0) = 1, so that the class is empty.",
        readings=SIGNS,
    )
    claim(
        "lemma-9.reading-2.decreasing",
        Gt(hockey(P, Q, a), hockey(P, Q, b)),
        where=[Ge(a, 0), Lt(a, b)],
        printed=ONLY_IF + r"H\text{ is convex, decreasing}",
        expected="refuted",
        note="Read strictly: a profile whose finite losses are bounded does not decrease beyond "
        "the "
        "bound.",
        readings=SIGNS,
    )
    claim(
        "lemma-9.reading-1.if",
        ExistsPair(P, Q, Eq(hockey(P, Q, order), H(order)), (order,)),
        where=STRICT,
        printed=IF,
        note=GARBLED + "With > for x > 0, H(0) = 1: this direction holds.",
        readings=SIGNS,
    )
    for label, form, where, what in (
        ("convex", ConvexOn(hockey(P, Q, x), x, 0, sp.oo), [], r"H\text{ is convex}"),
        ("decreasing", NonincreasingOn(hockey(P, Q, x), x, 0, sp.oo), [],
         r"H\text{ is convex, decreasing}"),
        ("zero", Eq(hockey(P, Q, 0), 1), [], "H(0)=1"),
        ("low", Ge(hockey(P, Q, order), sp.Max(0, 1 - order)), [], r"H(x)>(1-x)_+"),
    ):
        claim(
            f"lemma-9.reading-3.{label}",
            form,
            where=where,
            printed=ONLY_IF + what,
            note=GARBLED + "With >= in all three places.",
            readings=SIGNS,
        )
    claim(
        "lemma-9.reading-3.if",
        ExistsPair(P, Q, Eq(hockey(P, Q, order), H(order)), (order,)),
        where=WEAK,
        printed=IF,
        note=GARBLED + "With >= in all three places, at every order >= 0.",
        readings=SIGNS,
    )
    claim(
        "lemma-9.claim-1.profile",
        Eq(hockey(P_CDF, Q_UNIFORM, alpha), H(alpha)),
        where=WEAK,
        printed=BUILT,
        note="P has the distribution function 1 + H*(x - 1) on [0, 1) and the mass that it lacks "
        "at 1, Q is uniform.  Every H of the class, every order > 0.  H* is the conjugate of H on "
        "[0, oo).",
    )
    for label, form, where, what in (
        ("start", Eq(CDF.xreplace({x: sp.Integer(0)}), 0), [], "it is 0 at 0"),
        ("rises", NonincreasingOn(-CDF, x, 0, 1), [], "it does not decrease"),
        ("end", Le(CDF, 1), [Ge(x, 0), Le(x, 1)], "it is at most 1; at 1 the formula gives "
         "1 - lim H, which is 1 only without mass at infinity: hence [0, 1) and not [0, 1]"),
        ("convex", ConvexOn(CDF, x, 0, 1), [], "it is convex: the likelihood ratio rises"),
    ):
        claim(
            f"lemma-9.claim-1.{label}",
            form,
            where=[*WEAK, *where],
            printed=BUILT,
            note=f"The formula is one of a distribution function: {what}.",
        )
    claim(
        "section-1.claim-6",
        ExistsPair(P, Q, Eq(hockey(P, Q, order), H(order)), (order,)),
        where=WEAK,
        printed=r"\text{finding such pairs from any privacy-profiles}",
        note="Lemma 9 with >= (lemma-9.reading-3.if), at every order >= 0; the pair itself is "
        "lemma-9.claim-1.profile.",
    )
    claim(
        "section-4.1.claim-5.sufficient",
        ExistsPair(P, Q, Eq(hockey(P, Q, order), H(order)), (order,)),
        where=WEAK,
        printed=r"\text{the following result which fully characterizes what hockey-stick "
        r"divergences and privacy profiles look like}",
        note="The properties suffice; that they are necessary is section-4.1.claim-5.necessary.",
    )
    claim(
        "section-4.1.claim-5.necessary",
        AllOf((ConvexOn(hockey(P, Q, x), x, 0, sp.oo),
               NonincreasingOn(hockey(P, Q, x), x, 0, sp.oo),
               Eq(hockey(P, Q, 0), 1), Ge(hockey(P, Q, order), sp.Max(0, 1 - order)))),
        printed=r"\text{the following result which fully characterizes what hockey-stick "
        r"divergences and privacy profiles look like}",
        note="Every divergence has the properties; profiles, which are suprema of divergences, "
        "are section-4.1.claim-4.1 to 4.4.",
    )
