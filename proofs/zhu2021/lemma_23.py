"""Lemmas 23 and 24: the trade-off function from the profile, and from F and G.

f = T[P,Q], whose argument is the error under P.  The definitions of F and G are missing in the
source; the readings are those of the reversal list.
"""

import sympy as sp

from lapdp import finite, randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
x, a, eps, y = reals("x alpha eps y")
LEVEL = [Ge(x, 0), Le(x, 1)]
TILTED = finite([1, 0], ["1/2", "1/2"])
Z, Y = PLD(P, Q), PLD(Q, P)

FORMULA = (
    r"f(x)=\sup_{\varepsilon>0}\max\{0,\,1-H_{e^{\varepsilon}}(P\|Q)-e^{\varepsilon}x,\,"
    r"e^{-\varepsilon}(1-H_{e^{\varepsilon}}(P\|Q)-x)\}"
)
MENDED = (
    r"f(x)=\sup_{\varepsilon>0}\max\{0,\,1-H_{e^{\varepsilon}}(Q\|P)-e^{\varepsilon}x,\,"
    r"e^{-\varepsilon}(1-H_{e^{\varepsilon}}(P\|Q)-x)\}"
)
CURVE = r"f(\alpha)=G(F^{-1}(1-\alpha))"
OPEN = "A profile is continuous (lemma-23.step-1): with eps > 0 or >= 0 the supremum is the same."


def region(first, second):
    """The supremum, with the profile of its second and that of its third term."""
    return Sup(
        sp.Max(
            0,
            1 - first(eps) - sp.exp(eps) * x,
            sp.exp(-eps) * (1 - second(eps) - x),
        ),
        eps,
        0,
        sp.oo,
    )


def under(member, first, second, relation=Le):
    """Where log(first/second) is at most, or below, a point: infinite losses included."""
    return lambda at: member(Where(relation(LossAt(first, second), at)))


READINGS = {
    1: ((P, P, Q), (Q, P, Q)),
    2: ((P, P, Q), (Q, Q, P)),
    3: ((P, Q, P), (Q, Q, P)),
}


def quantile(reading):
    """x = F^{-1}(1 - alpha), the least x with F(x) >= 1 - alpha."""
    big_f = READINGS[reading][0]
    return [Lt(under(*big_f, Lt)(x), 1 - a), Le(1 - a, under(*big_f)(x))]


with theorem("zhu2021/lemma-23", "Trade-off function from the profile", fidelity="printed"):
    claim(
        "lemma-23",
        Eq(T(P, Q)(x), region(delta(P, Q), delta(P, Q))),
        where=LEVEL,
        printed=FORMULA,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/lemma-23.repaired",
        hints={
            "pairs": {"P": TILTED},
            "witness": {"x": sp.Rational(1, 4)},
            "choose": sp.log(2),
        },
        note="The term 1 - H - e^eps x needs the profile of the reversed pair: as printed the "
        "lemma is for "
        "pairs with H(P||Q) = H(Q||P).  What f is is missing in the source: with f = T[Q,P] that "
        "term is right, and e^-eps (1 - H - x) needs the other profile.  " + OPEN,
    )
    repair(
        "lemma-23.repaired",
        "lemma-23",
        Eq(T(P, Q)(x), region(delta(Q, P), delta(P, Q))),
        where=LEVEL,
        corrected=MENDED,
        note="Every pair.",
    )
    step(
        "lemma-23.step-1",
        Continuous(1 - delta(P, Q)(eps) - sp.exp(eps) * x, eps),
        fidelity="own",
        note="So the supremum over eps > 0 is that over eps >= 0.",
    )
STEEP = {"pairs": {"P": randomized_response(sp.log(3))},
         "witness": {"alpha": sp.Rational(1, 2), "x": -sp.log(3)}}

WHY = {
    1: "log(p/q) under P and under Q: the best tests of error alpha reject P where log(p/q) is "
    "small, and err under Q where it is large; G is the mass where it is small.",
    2: "log(p/q) under P and log(q/p) under Q: F would have to be that of log(q/p) as well.",
    3: "log(q/p) under P and under Q: an atom of the loss serves a range of levels with one value "
    "of G, while f goes on: the best tests there are randomised.",
}

with theorem("zhu2021/lemma-24", "Trade-off function from distribution functions",
             fidelity="printed"):
    for reading in (1, 2, 3):
        claim(
            f"lemma-24.reading-{reading}",
            Eq(T(P, Q)(a), under(*READINGS[reading][1])(x)),
            where=[Ge(a, 0), Le(a, 1), *quantile(reading)],
            printed=CURVE,
            fault="missing hypothesis" if reading == 3 else "misprint",
            expected="refuted",
            repaired_by="zhu2021/lemma-24.repaired",
            readings=[f"lemma-24.reading-{k}" for k in (1, 2, 3)],
            root=None if reading == 3 else "lemma-20.item-1.reading-4",
            hints=STEEP if reading == 3 else {},
            note=f"Reading {reading}, {WHY[reading]}  x is the quantile F^-1(1 - alpha).",
        )
    repair(
        "lemma-24.repaired",
        "lemma-24.reading-3",
        Eq(T(P, Q)(1 - under(P, Q, P)(x)), under(Q, Q, P)(x)),
        corrected=r"f(1-F(x))=G(x)",
        note="Reading 3, every pair: at all levels 1 - F(x), which for a continuous F are all.",
    )
