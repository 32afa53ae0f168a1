"""Section 4.1: the privacy loss of an outcome, Definition 1, and what is said of it.

The loss is written out as Definition 1 prints it.  Where both probabilities are 0, as happens at
outcomes of products, its "else" gives -oo; no such outcome can be observed.
"""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
A_c, B_c = product_pair((A, B), pair("A'", "B'"), names=("A_c", "B_c"))
Z = PLD(A, B)
y = reals("y")


def loss(p, q):
    """Definition 1."""
    return sp.Piecewise(
        (sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))),
        (-sp.oo, True),
        evaluate=False,
    )


L_AB, L_C = loss(A, B), loss(A_c, B_c)
BOTH = sp.And(Ne(A, 0), Ne(B, 0))
LOG = (
    r"\mathcal{L}_{M(x_0)/M(x_1)}(o)=\ln\left(\frac{\Pr[M(x_0)=o]}{\Pr[M(x_1)=o]}\right)"
)
SHORT = (
    r"\mathcal{L}_{A/B}(o)=\ln\left(\frac{\Pr[o\leftarrow A]}{\Pr[o\leftarrow B]}\right)"
)

with theorem("sommer2020/definition-1", "Privacy Loss Random Variable", fidelity="printed"):
    definition(
        "section-2.claim-1",
        Eq(L_AB, LossAt(A, B)),
        printed=LOG,
        note="With log(x/0) = oo and log 0 = -oo, at every outcome that one of the two can have.",
    )
    claim(
        "section-2.claim-2",
        Eq(Pr(Z, "<", sp.oo), 1),
        where=[ac(A, B)],
        printed=r"\text{This privacy loss spans a real-valued random variable obtained by "
        r"sampling }o\sim M(x_0)",
        note="Without distinguishing events, for which Section 4.1 has the symbol oo.",
        readings=[("section-2.claim-2", "section-2.claim-2.minus-infinity"),
                  ("section-2.claim-2.letter", "section-2.claim-2.minus-infinity")],
    )
    claim(
        "section-2.claim-2.letter",
        Eq(Pr(Z, "<", sp.oo), 1),
        printed=r"\text{This privacy loss spans a real-valued random variable obtained by "
        r"sampling }o\sim M(x_0)",
        fault="convention",
        expected="refuted",
        note="It is +oo where only M(x_1) vanishes, as Section 4.1 says.",
        readings=[("section-2.claim-2", "section-2.claim-2.minus-infinity"),
                  ("section-2.claim-2.letter", "section-2.claim-2.minus-infinity")],
    )
    claim(
        "section-2.claim-2.minus-infinity",
        Eq(A(Where(Gt(L_AB, -sp.oo))), 1),
        printed=r"\text{This privacy loss spans a real-valued random variable obtained by "
        r"sampling }o\sim M(x_0)",
        note="It is never -oo: those outcomes are not sampled.",
        readings=[("section-2.claim-2", "section-2.claim-2.minus-infinity"),
                  ("section-2.claim-2.letter", "section-2.claim-2.minus-infinity")],
    )
    claim(
        "section-4.1.claim-1",
        Eq(Indicator(sp.And(Gt(LossAt(A, B), -sp.oo), Lt(LossAt(A, B), sp.oo))), Indicator(BOTH)),
        printed=r"\text{This ratio is of course not defined if this probability is 0 for either "
        r"the nominator or the denominator}",
        note="The logarithm of the ratio is a real number exactly where neither is 0.",
    )
    definition(
        "section-4.1.claim-2",
        Eq(Indicator(Eq(L_AB, -sp.oo)), Indicator(Eq(A, 0))),
        printed=r"\text{If the nominator is 0, we define the privacy loss }\mathcal{L}"
        r"\text{ to be }-\infty",
        note="At every outcome, those included where both are 0.  By section-4.1.claim-5 this "
        "printed function is the loss of all other statements.",
    )
    definition(
        "section-4.1.claim-3",
        Eq(Indicator(Eq(L_AB, sp.oo)), Indicator(sp.And(Eq(B, 0), Ne(A, 0)))),
        printed=r"\text{analogously if only the denominator is 0 we define it to be }\infty",
        note="At every outcome.  By section-4.1.claim-5 this printed function is the loss of all "
        "other statements.",
    )
    claim(
        "section-4.1.claim-4.1",
        Eq(B_c(Where(Eq(L_C, sp.oo))), 0),
        printed=r"\text{distinguishing events, which, if observed, reveal which of the two inputs "
        r"was used}",
        note="With x_1 they have probability 0.",
    )
    claim(
        "section-4.1.claim-4.2",
        Eq(A_c(Where(Eq(L_C, -sp.oo))), 0),
        printed=r"\text{distinguishing events, which, if observed, reveal which of the two inputs "
        r"was used}",
        note="With x_0 they have probability 0.",
    )
    definition(
        "definition-1.case-1",
        Le(Indicator(sp.And(Ne(A, 0), Eq(B, 0))), Indicator(Eq(LossAt(A, B), sp.oo))),
        printed=r"\infty\quad\text{if }\Pr[o\leftarrow M(x_0)]\neq 0\text{ and }"
        r"\Pr[o\leftarrow M(x_1)]=0",
        note="The value of log(a/b) as b tends to 0.",
    )
    definition(
        "definition-1.case-2",
        Eq(Indicator(Eq(L_AB, sp.log(A / B))) * Indicator(BOTH), Indicator(BOTH)),
        printed=r"\ln\left(\frac{\Pr[o\leftarrow M(x_0)]}{\Pr[o\leftarrow M(x_1)]}\right)\quad"
        r"\text{if }\Pr[o\leftarrow M(x_i)]\neq 0\ \forall i\in\{0,1\}",
        note="Of the printed function itself, which by section-4.1.claim-5 is the loss of all "
        "other statements.",
    )
    definition(
        "definition-1.case-3",
        Eq(
            Indicator(
                sp.Not(sp.Or(sp.And(Ne(A_c, 0), Eq(B_c, 0)), sp.And(Ne(A_c, 0), Ne(B_c, 0))))
            ),
            Indicator(Eq(A_c, 0)),
        ),
        printed=r"-\infty\quad\text{else}",
        note="The case left over is Pr[o <- M(x_0)] = 0, whatever Pr[o <- M(x_1)] is: it covers "
        "outcomes where both are 0.  Its value -oo is section-4.1.claim-2.",
    )
    definition(
        "section-4.1.claim-5",
        Eq(L_AB, LossAt(A, B)),
        printed=SHORT,
        note="With log(x/0) = oo and log 0 = -oo, at every outcome that one of the two can have.",
    )
    definition(
        "section-4.1.claim-6",
        Eq(A(Where(Eq(L_AB, y))), Pr(Z, "==", y)),
        printed=r"\omega(y):=\sum_{\{o\mid\mathcal{L}_{A/B}(o)=y,o\in\mathcal{U}\}}"
        r"\Pr[o\leftarrow A]",
        note="For real y.",
    )
    definition(
        "section-4.1.claim-6.infinite",
        Eq(A(Where(Eq(L_AB, sp.oo))), Pr(Z, "==", sp.oo)),
        printed=r"\omega(y):=\sum_{\{o\mid\mathcal{L}_{A/B}(o)=y,o\in\mathcal{U}\}}"
        r"\Pr[o\leftarrow A]",
        note="At y = oo.",
    )
    definition(
        "section-4.1.claim-6.minus-infinite",
        Eq(A(Where(Eq(L_AB, -sp.oo))), Pr(Z, "==", -sp.oo)),
        printed=r"\omega(y):=\sum_{\{o\mid\mathcal{L}_{A/B}(o)=y,o\in\mathcal{U}\}}"
        r"\Pr[o\leftarrow A]",
        note="At y = -oo.",
    )
