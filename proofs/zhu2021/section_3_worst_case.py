"""Section 3, trouble with worst cases: several pairs of neighbours, and their compositions."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
A, A_ = pair("A", "A'")
C, C_ = pair("C", "C'")
y, n = outcome("y"), outcome("n")
P2y, Q2y = family("P2", "Q2", y)
Mn, Nn = family("M(D)", "M(D')", n)
JOINT, OTHER = adaptive_pair((P1, Q1), (P2y, Q2y))
STEP, STEP_ = product_pair((P1, Q1), (C, C_), names=("P1 x C", "Q1 x C'"))
BOTH, BOTH_ = product_pair((A, A_), (C, C_), names=("A x C", "A' x C'"))
eps, d, e, t, x = reals("eps delta e t x")

FIRST = mechanism_pair(finite(["3/4", "1/4"], ["1/4", "3/4"]), "M(D1)", "M(D1')")
SECOND = mechanism_pair(finite(["3/4", "1/4", 0], ["3/4", 0, "1/4"]), "M(D2)", "M(D2')")
HIGH = sp.log(3)


def coin(name):
    """A release that tells much of these two datasets."""
    return mechanism_pair(finite(["3/4", "1/4"], ["1/4", "3/4"]), name, name + "'")


def silent(name):
    """A release that tells nothing of these two datasets."""
    return mechanism_pair(finite([1], [1]), name, name + "'")


# The first mechanism tells D1 from D1', the second D2 from D2'; neither tells the others apart.
AT_1 = product_pair(coin("M1(D1)"), silent("M2(D1)"), names=("M(D1)", "M(D1')"))
AT_2 = product_pair(silent("M1(D2)"), coin("M2(D2)"), names=("M(D2)", "M(D2')"))
WORST = product_pair(coin("P1"), coin("P2"), names=("P1 x P2", "P1' x P2'"))
LOG2 = sp.log(2)

ARGMAX = (
    r"\text{the pairs of datasets that attain the argmax might be different in different regions "
    r"of the privacy profile}"
)
COMPOSED = (
    r"\text{the composition of the individual PLDs may not correspond to the worst-case PLD of "
    r"the composed mechanism}"
)
NO_PROBLEM = r"\text{no problem converting between PLD and }(\varepsilon,\delta)"
NONE = (
    r"\text{problem lies in taking supremum/worst-case over }D\text{ and }D'"
    r"\text{. There might not be a worst-case pair of datasets!}"
)

with theorem("zhu2021/section-3.worst-case", "Trouble with worst cases", fidelity="printed"):
    for item, printed in (("section-3.claim-16", ARGMAX), ("slides.claim-2", NONE)):
        claim(
            f"{item}.1",
            Gt(delta(*FIRST)(0), delta(*SECOND)(0)),
            printed=printed,
            note="Two pairs of neighbours, each its own reversal: the first is the worse one at "
            f"e^eps = 1, the second at e^eps = 3 ({item}.2).",
        )
        claim(
            f"{item}.2",
            Lt(delta(*FIRST)(HIGH), delta(*SECOND)(HIGH)),
            printed=printed,
            note="Two pairs of neighbours, each its own reversal: the second is the worse one at "
            f"e^eps = 3, the first at e^eps = 1 ({item}.1): neither is worst everywhere.",
        )
    claim(
        "section-3.claim-17",
        Lt(sp.Max(delta(*AT_1)(LOG2), delta(*AT_2)(LOG2)), delta(*WORST)(LOG2)),
        printed=COMPOSED,
        note="Two mechanisms, each with a worst-case pair, but not the same one: composed, no pair "
        "of datasets reaches the profile of the composed losses, here at eps = log 2.",
    )
    claim(
        "footnote-1",
        Le(delta(JOINT, OTHER)(eps), delta(BOTH, BOTH_)(eps)),
        where=[ForAll(e, Le(delta(P1, Q1)(e), delta(A, A_)(e))),
               ForAll((e, y), Le(delta(P2y, Q2y)(e), delta(C, C_)(e)))],
        hints={"between": delta(STEP, STEP_)(eps)},
        printed=r"\text{This is an issue we will address later, which shows that it is OK even if "
        r"it does not}",
        note="It is an upper bound all the same: Theorem 10.",
    )
    claim(
        "slides.claim-1.1",
        Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - sp.exp(eps - PLD(P, Q))), PLD(P, Q))),
        printed=NO_PROBLEM,
        note="From the loss to the profile, for every pair.",
    )
    claim(
        "slides.claim-1.2",
        Implies(
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            Eq(F(PLD(P1, Q1))(x), F(PLD(P2, Q2))(x)),
            over=(t,),
        ),
        printed=NO_PROBLEM,
        note="And back: the profile on all of R determines the loss distribution.",
    )
    claim(
        "slides.claim-2.3",
        Le(Sup(delta(Mn, Nn)(eps), n), d),
        where=[ForAll(n, Le(delta(Mn, Nn)(eps), d))],
        note="The supremum over all pairs of neighbours is what a guarantee for each bounds.",
        fidelity="own",
    )
