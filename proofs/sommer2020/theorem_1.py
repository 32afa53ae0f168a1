"""Theorem 1: the loss distribution of independent products is a convolution."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
A2, B2 = pair("A'", "B'")
A_c, B_c = product_pair((A, B), (A2, B2), names=("A_c", "B_c"))
Z, Z2, Zc = PLD(A, B), PLD(A2, B2), PLD(A_c, B_c)
y, t, q = reals("y_c t q")
n = naturals("n", start=1)
COPIES = composition("A^n", "B^n", each=(A, B))


def loss(p, q):
    """Definition 1."""
    return sp.Piecewise(
        (sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))),
        (-sp.oo, True),
        evaluate=False,
    )


L_1, L_2, L_C = loss(A, B), loss(A2, B2), loss(A_c, B_c)
POSITIVE = sp.And(Ne(A, 0), Ne(B, 0), Ne(A2, 0), Ne(B2, 0))
CONVOLVED = Impulse(conv(f(Z)(t), f(Z2)(t), t), t, y)

SETS = r"\mathcal{Y}_c=\{y_c\mid y_c=y+y'\quad\forall y\in\mathcal{Y},\forall y'\in\mathcal{Y}'\}"
ALL = (
    "Both sets run over all pairs of outcomes (o, o'): the loss of (o, o') is the sum of the two.  "
)
SUM = r"(\omega*\omega')(y_c)=\sum_{\{y,y'\mid y+y'=y_c\}}\omega(y)\cdot"

with theorem("sommer2020/theorem-1", "Composition", fidelity="printed"):
    claim(
        "theorem-1.claim-1.1",
        Eq(
            sp.Piecewise((L_C, POSITIVE), (0, True), evaluate=False),
            sp.Piecewise(
                (LossAt(A, B) + LossAt(A2, B2), POSITIVE), (0, True), evaluate=False
            ),
        ),
        printed=SETS,
        note=ALL + "Two finite losses: no probability is 0.",
    )
    claim(
        "theorem-1.claim-1.2",
        Eq(
            Indicator(Eq(L_C, sp.oo)),
            Indicator(
                sp.And(Gt(L_1, -sp.oo), Gt(L_2, -sp.oo), sp.Or(Eq(L_1, sp.oo), Eq(L_2, sp.oo)))
            ),
        ),
        printed=SETS,
        note=ALL + "The sum is oo: y + oo = oo, and oo + oo = oo, a rule that Definition 2 "
        "leaves out.",
    )
    claim(
        "theorem-1.claim-1.3",
        Eq(Indicator(Eq(L_C, -sp.oo)), Indicator(sp.Or(Eq(L_1, -sp.oo), Eq(L_2, -sp.oo)))),
        printed=SETS,
        note=ALL + "The sum is -oo: -oo + y = -oo and -oo + oo = -oo.",
    )
    claim(
        "theorem-1.claim-2",
        Eq(Pr(Zc, "==", y), CONVOLVED),
        printed=r"\text{So, }\forall y_c\in\mathcal{Y}_c\setminus\{-\infty,\infty\}\text{ we have "
        r"}\omega_c(y_c)=(\omega*\omega')(y_c)",
        note="Every real y_c.  The impulse at y_c of the convolution of the two loss "
        "distributions on the finite reals.",
    )
    claim(
        "theorem-1.claim-2.densities",
        Eq(f(Zc)(t), conv(f(Z)(t), f(Z2)(t), t)),
        printed=r"\omega_c(y_c)=(\omega*\omega')(y_c)",
        note="The same for every pair, countable universe or not.",
    )
    claim(
        "theorem-1.claim-3",
        Eq(CONVOLVED, Impulse(conv(f(Z)(t), f(Z)(t), t), t, y)),
        printed=SUM + r"\omega(y')",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-1.claim-3.repaired",
        note="The second factor is printed without its prime.",
    )
    repair(
        "theorem-1.claim-3.repaired",
        "theorem-1.claim-3",
        Eq(CONVOLVED, A_c(Where(sp.And(POSITIVE, Eq(LossAt(A, B) + LossAt(A2, B2), y))))),
        corrected=SUM + r"\omega'(y')",
        note="The right side adds up the products Pr[o] Pr[o'] with y + y' = y_c.",
    )
    claim(
        "theorem-1.claim-4",
        Eq(Pr(Zc, "==", sp.oo), 1 - (1 - Pr(Z, "==", sp.oo)) * (1 - Pr(Z2, "==", sp.oo))),
        printed=r"\omega_c(\infty)=1-[1-\omega(\infty)]\cdot[1-\omega'(\infty)]",
    )
    claim(
        "theorem-1.claim-5",
        Eq(A_c(Where(Eq(L_C, -sp.oo))), 0),
        printed=r"\omega_c(-\infty)=0",
    )

with theorem("sommer2020/section-4.1.composition", "What is said of Theorem 1 elsewhere",
             fidelity="printed"):
    CONVOLUTION = Eq(f(Zc)(t), conv(f(Z)(t), f(Z2)(t), t))
    NOTE = "The finite losses; the mass at infinity obeys Theorem 1's own formula."
    MANY = AllOf((CONVOLUTION, Eq(E(q, *COPIES(n)), E(q, A, B) ** n)))
    BETWEEN = [Gt(q, 0), Lt(q, 1)]
    SEQUENCE = (
        NOTE + "  Of two mechanisms, and of n copies of one: for 0 < q < 1 the moment E_q is a "
        "transform of omega on the finite losses that determines it there."
    )
    claim(
        "abstract.claim-1",
        MANY,
        where=BETWEEN,
        printed=r"\text{for non-adaptive mechanisms, the privacy loss under sequential "
        r"composition undergoes a convolution}",
        note=SEQUENCE,
    )
    claim(
        "section-1.claim-10",
        MANY,
        where=BETWEEN,
        printed=r"\text{the PLD of any mechanism evolves under independent non-adaptive "
        r"sequential composition as a convolution}",
        note=SEQUENCE,
    )
    claim(
        "figure-1.claim-1",
        CONVOLUTION,
        kind="figure",
        printed=r"\text{a composition of two independent mechanisms corresponds to a "
        r"convolution of the privacy loss distribution}",
        note=NOTE,
    )
    claim(
        "section-2.2.claim-1",
        MANY,
        where=BETWEEN,
        printed=r"\text{This privacy loss distribution naturally evolves under sequential "
        r"composition as a convolution of privacy loss distributions (Theorem 1)}",
        note=SEQUENCE,
    )
    claim(
        "section-4.1.claim-7",
        CONVOLUTION,
        printed=r"\text{the privacy loss distribution of a pair of independent product "
        r"distributions }A\times C\text{ vs. }B\times D\text{ is the same as the convolution of "
        r"the privacy loss distributions of the pair of single distributions }A\text{ vs. }B"
        r"\text{ and }C\text{ vs. }D",
        note=NOTE,
    )
