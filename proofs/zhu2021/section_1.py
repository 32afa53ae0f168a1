"""Section 1: one pair of datasets says nothing of the others; what the contributions announce."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
A, A_ = pair("A", "A'")
C, C_ = pair("C", "C'")
y = outcome("y")
P2y, Q2y = family("P2", "Q2", y)
My, Ny = family("M", "N", y)
M, N = averaged((My, Ny), ("M", "N"))
JOINT, OTHER = adaptive_pair((P1, Q1), (P2y, Q2y))
STEP, STEP_ = product_pair((P1, Q1), (C, C_), names=("P1 x C", "Q1 x C'"))
BOTH, BOTH_ = product_pair((A, A_), (C, C_), names=("A x C", "A' x C'"))
eps, d, e, t, rate, w, a, b = reals("eps delta e t gamma w a b")
SAMPLE = (1 - rate) * M + rate * N
RATE = [Ge(rate, 0), Le(rate, 1)]
RANGE = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
Z = PLD(P, Q)

FIRST = mechanism_pair(finite(["3/4", "1/4"], ["1/4", "3/4"]), "M(D1)", "M(D1')")
SECOND = mechanism_pair(finite(["3/4", "1/4", 0], ["3/4", 0, "1/4"]), "M(D2)", "M(D2')")
SAME, COIN = finite([1], [1]), finite(["3/4", "1/4"], ["1/4", "3/4"])

NOT_DP = (
    r"\text{the PLD formalism [...] does not imply DP unless we can certify that the pair of "
    r"neighboring datasets is the worst-case}"
)
NO_PAIR = r"\text{such a pair of datasets might not exist}"
CROSSING = "A mechanism with two pairs of neighbours, each its own reversal, whose profiles cross: "
g, h = functions("g h")
LOSSLESS = (
    r"\text{A lossless representation of the privacy loss RV by its characteristic function }"
    r"(\phi\text{-function})"
)
LAPLACE = (
    r"\text{Many of these conversion rules correspond naturally to the classical Fourier / "
    r"Laplace transforms}"
)

with theorem("zhu2021/section-1", "Worst-case pairs, and the contributions", fidelity="printed"):
    claim(
        "section-1.claim-3.1",
        NotAlways(Implies(Le(delta(P1, Q1)(eps), d), Le(delta(P2, Q2)(eps), d))),
        where=RANGE,
        hints={"pairs": {"P1": SAME, "P2": COIN}, "witness": {"eps": 0, "delta": 0}},
        printed=NOT_DP,
        note="A guarantee for one pair of neighbours is none for another.",
    )
    claim(
        "section-1.claim-3.2",
        Le(delta(P2, Q2)(eps), d),
        where=[*RANGE, Le(delta(P1, Q1)(eps), d),
               ForAll(e, Le(delta(P2, Q2)(e), delta(P1, Q1)(e)))],
        printed=NOT_DP,
        note="It is, if the pair is the worst one.",
    )
    claim(
        "section-1.claim-4.1",
        Gt(delta(*FIRST)(0), delta(*SECOND)(0)),
        printed=NO_PAIR,
        note=CROSSING + "at e^eps = 1 the first is larger, at e^eps = 3 the second "
        "(section-1.claim-4.2).",
    )
    claim(
        "section-1.claim-4.2",
        Lt(delta(*FIRST)(sp.log(3)), delta(*SECOND)(sp.log(3))),
        printed=NO_PAIR,
        note=CROSSING + "at e^eps = 3 the second is larger, at e^eps = 1 the first "
        "(section-1.claim-4.1).",
    )
    claim(
        "section-1.claim-7",
        Le(delta(JOINT, OTHER)(eps), delta(BOTH, BOTH_)(eps)),
        where=[ForAll(e, Le(delta(P1, Q1)(e), delta(A, A_)(e))),
               ForAll((e, y), Le(delta(P2y, Q2y)(e), delta(C, C_)(e)))],
        hints={"between": delta(STEP, STEP_)(eps)},
        printed=r"\text{prove basic properties including [...] adaptive composition}",
        note="Theorem 10, for every two mechanisms and every dominating pairs (A, A'), (C, C').",
    )
    claim(
        "section-1.claim-8.add",
        Le(delta(M, SAMPLE)(eps), delta(P, (1 - rate) * P + rate * Q)(eps)),
        where=[*RATE, ForAll((y, e), Le(delta(My, Ny)(e), delta(P, Q)(e)))],
        printed=r"\text{prove basic properties including [...] amplification by sampling}",
        note="Theorem 11 for add neighbours: every mechanism on every random sample.  M, N are "
        "the outputs on samples without and with the record.",
    )
    claim(
        "section-1.claim-8.removal",
        Le(delta(SAMPLE, M)(eps), delta((1 - rate) * Q + rate * P, Q)(eps)),
        where=[*RATE, ForAll((y, e), Le(delta(Ny, My)(e), delta(P, Q)(e)))],
        printed=r"\text{prove basic properties including [...] amplification by sampling}",
        note="For removal neighbours, which (P, Q) dominates: as "
        "theorem-11.item-1.removal.repaired-2; as Theorem 11 prints that half it is a misprint.  "
        "M, N are the outputs on samples without and with the record.",
    )
    claim(
        "section-1.claim-9.1",
        Implies(
            Eq(B(g(t), t)(sp.I * w), B(h(t), t)(sp.I * w)),
            Eq(Int(g(t), t, a, b), Int(h(t), t, a, b)),
            over=(w,),
        ),
        where=[Converges(B(g(t), t, 0)), Converges(B(h(t), t, 0)), Lt(a, b)],
        printed=LOSSLESS,
        note="Two densities of finite losses, impulses allowed, with one characteristic function "
        "give every interval the same mass; the mass at infinity is section-1.claim-9.2.",
    )
    claim(
        "section-1.claim-9.2",
        Eq(B(f(Z)(t), t)(0), 1 - Pr(Z, "==", sp.oo)),
        printed=LOSSLESS,
        note="The mass at infinity is what phi lacks of 1 at 0, for every pair.  (phi is "
        "read as the mean over finite losses: at an infinite one e^(itz) has no value.)",
    )
    claim(
        "section-1.claim-11.1",
        Eq(E(1 - t, P, Q), B(f(Z)(e), e)(t)),
        where=[ac(P, Q), Lt(t, 1), Defined(E(1 - t, P, Q))],
        printed=LAPLACE,
        note="Of the conversions two are stated, and the inverse of section-4.2.claim-10.  The "
        "moment of order 1 - t is the two-sided Laplace transform of the density of the loss at "
        "t: where no loss is infinite, at the orders above 0 with a finite moment.",
    )
    claim(
        "section-1.claim-11.2",
        Eq(Ex(sp.exp(sp.I * t * Z), Z), B(f(Z)(e), e)(-sp.I * t)),
        where=[ac(P, Q)],
        printed=LAPLACE,
        note="Of the conversions two are stated, and the inverse of section-4.2.claim-10.  The "
        "characteristic function is the Fourier transform of the density of the loss; P << Q, "
        "without which it has no value.",
    )
    claim(
        "section-1.claim-13.1",
        Eq(Ex(sp.exp(sp.I * t * Z), Z), E(1 + sp.I * t, P, Q)),
        where=[ac(P, Q)],
        printed=r"\text{AFA can be viewed as an extension of the (analytical) "
        r"moments-accountant to complex }\alpha",
        note="phi(t) is the moment of order 1 + it; P << Q.",
    )
    claim(
        "section-1.claim-13.2",
        Eq(E(1 + sp.I * t, *product_pair((P1, Q1), (P2, Q2))),
           E(1 + sp.I * t, P1, Q1) * E(1 + sp.I * t, P2, Q2)),
        where=[ac(P1, Q1), ac(P2, Q2)],
        printed=r"\text{thus allowing straightforward composition}",
        note="Characteristic functions multiply, of pairs without infinite losses.",
    )
