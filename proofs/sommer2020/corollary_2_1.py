"""Corollary 2.1: the inner distribution, conditioned mechanism and divergences.

The mechanisms are those of Lemma 3: M lands in the common support O with the probabilities e^-u
and e^-v and is M'_{M,O}, an arbitrary pair (A', B') of mutually absolutely continuous
distributions, there; else it shows a distinguishing event.
"""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import *

u, v, y, t, alpha = reals("u v y t alpha")
n = naturals("n", start=1)
A1, B1 = pair("A'", "B'")
C1, D1 = pair("C'", "D'")
IN_O, IN_O2 = mechanism_pair(
    outcomes(
        {
            "in O": (sp.exp(-u), sp.exp(-v)),
            "first only": (1 - sp.exp(-u), sp.Integer(0)),
            "second only": (sp.Integer(0), 1 - sp.exp(-v)),
        },
        where=[Ge(u, 0), Ge(v, 0)],
    ),
    "S",
    "S'",
)
A, B = product_pair((IN_O, IN_O2), (A1, B1), names=("A", "B"))
Z, Z1 = PLD(A, B), PLD(A1, B1)
GIVEN = [Ge(u, 0), Ge(v, 0), ac(A1, B1), ac(B1, A1)]
SHIFT = v - u
"""log of Pr[M(x_0) in O]/Pr[M(x_1) in O]."""

LOST = Pr(Z, "==", sp.oo)
THEOREM_2 = Implies(
    Eq(delta(A1, B1)(t), delta(C1, D1)(t)), Eq(F(Z1)(y), F(PLD(C1, D1))(y)), over=(t,)
)
MOVED = Eq(F(Z1)(y), F(Z)(y + SHIFT) / (1 - LOST))
FORGOTTEN = Eq(F(Z1)(y), F(Z)(y) / (1 - LOST))
TEX = (
    r"\text{we can apply Theorem 2, resulting in a bijection for the inner distribution }"
    r"\bar{\omega}\text{ of }M(x_0)\text{ over }M(x_1)"
)
RATIO = r"\ln\frac{\Pr[M(x_0)\in O]}{\Pr[M(x_1)\in O]}"
DIRECTLY = r"\text{This follows directly from Lemma 3 and Theorem 2}"


def inner(body):
    """Mean of an expression in y under the inner distribution."""
    return Int(body * f(Z)(y), y, -sp.oo, sp.oo) / (1 - LOST)


with theorem("sommer2020/corollary-2.1", "Equivalence with distinguishing events",
             fidelity="printed"):
    claim(
        "corollary-2.1.reading-1",
        AllOf((THEOREM_2, MOVED)),
        where=GIVEN,
        printed=TEX,
        note="Read for some bijection, with O's two probabilities given: the profile of M'_{M,O} "
        "determines its loss distribution (Theorem 2), which is the inner distribution moved by "
        "v - u.",
        readings=["corollary-2.1.reading-1", "corollary-2.1.reading-2"],
    )
    claim(
        "corollary-2.1.reading-2",
        Eq(E(n + 1, A1, B1), inner(sp.exp(n * y))),
        where=[*GIVEN, Defined(E(n + 1, A1, B1))],
        printed=TEX,
        expected="refuted",
        repaired_by="sommer2020/corollary-2.1.repaired",
        note="Read for the bijection of Theorem 2 itself: the moments of M'_{M,O} are not those "
        "of the inner distribution, as Lemma 3 forgets that conditioning moves every loss.  "
        "Moments of order n, every n; O has the probabilities e^-u, e^-v under M(x_0), "
        "M(x_1).",
        readings=["corollary-2.1.reading-1", "corollary-2.1.reading-2"],
    )
    repair(
        "corollary-2.1.repaired",
        "corollary-2.1.reading-2",
        Eq(E(alpha, A1, B1), inner(sp.exp((alpha - 1) * (y - SHIFT)))),
        where=[*GIVEN, Gt(alpha, 1), Defined(E(alpha, A1, B1))],
        corrected=r"e^{(\alpha-1)\mathcal{D}_\alpha(M'_{M,O}(x_0)|M'_{M,O}(x_1))}=\sum_y"
        rf"e^{{(\alpha-1)\left(y-{RATIO}\right)}}\bar\omega(y)",
        note="Every pair with a common support, every order above 1.  O has the probabilities "
        "e^-u, e^-v under M(x_0), M(x_1).",
    )
    step(
        "corollary-2.1.step-1",
        FORGOTTEN,
        where=GIVEN,
        printed=DIRECTLY,
        fault="false step",
        expected="refuted",
        repaired_by="sommer2020/corollary-2.1.step-1.repaired",
        note="What is used of Lemma 3: the loss distribution of M'_{M,O} is the inner one.  It "
        "is so only where O has the same probability under both.  O has the probabilities "
        "e^-u, e^-v under M(x_0), M(x_1).",
        root="lemma-3.claim-1",
    )
    repair(
        "corollary-2.1.step-1.repaired",
        "corollary-2.1.step-1",
        MOVED,
        where=GIVEN,
        kind="step",
        corrected=rf"\omega'(y)=\bar\omega\left(y+{RATIO}\right)",
        note="O has the probabilities e^-u, e^-v under M(x_0), M(x_1).",
    )
