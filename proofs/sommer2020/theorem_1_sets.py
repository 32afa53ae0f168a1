"""The proof of Theorem 1, the sets: (o, o') by which of its four probabilities are 0.

The letters a, b are Pr[o <- M(x_0)], Pr[o <- M(x_1)] of one outcome, c, d those of o' under M':
any four numbers in [0, 1].  In the definitions of the sets "for all (o, o')" is read as "for
(o, o')": taken as a quantifier inside it would make each set everything or nothing.
"""

import sympy as sp

from lapdp.theory import *

a, b, c, d = reals("a b c d")
RANGE = [bound for x in (a, b, c, d) for bound in (Ge(x, 0), Le(x, 1))]

PLUS = sp.And(Ne(a, 0), Ne(b, 0), Ne(c, 0), Ne(d, 0))
ZERO = sp.And(Eq(a, 0), Eq(b, 0), Eq(c, 0), Eq(d, 0))
REST = sp.Not(sp.Or(PLUS, ZERO))
ZEROS = sum(Indicator(Eq(x, 0)) for x in (a, b, c, d))

# products of the four sets U_oo, U_+ and their primed ones
FIRST = sp.And(Ne(b, 0), Eq(d, 0))
SECOND = sp.And(Eq(b, 0), Ne(d, 0))
THIRD = sp.And(Eq(b, 0), Eq(d, 0))
UNION = sp.Or(FIRST, SECOND, THIRD)
AS_PRINTED = sp.Or(sp.And(REST, sp.Not(FIRST)), SECOND, THIRD)
BRACKETS = sp.And(REST, sp.Not(UNION))

ELSE = sp.Not(
    sp.Or(sp.And(Ne(a * c, 0), Eq(b * d, 0)), sp.And(Ne(a * c, 0), Ne(b * d, 0)))
)
"""The last case of Definition 1 for the product of the two pairs."""
FOUR = "a, b are the probabilities of o under M(x_0), M(x_1), c, d those of o' under M'."
NO_LOSS = FOUR + "  Pr[(o, o') <- (M(x_0), M'(x'_0))] = a c, and b d for x_1."

U_PLUS = (
    r"\mathcal{U}_+^2=\{(o,o')\mid\forall(o,o')\in\mathcal{U}^2,\forall i\in\{0,1\}:"
    r"\Pr[o=M(x_i)]\neq 0\wedge\Pr[o'=M'(x'_i)]\neq 0\}"
)
U_ZERO = (
    r"\mathcal{U}_0^2=\{(o,o')\mid\forall(o,o')\in\mathcal{U}^2,\forall i\in\{0,1\}:"
    r"\Pr[o=M(x_i)]=0\wedge\Pr[o'=M'(x'_i)]=0\}"
)
U_PERP = (
    r"\mathcal{U}_\perp^2=\mathcal{U}_\infty^2\setminus(\mathcal{U}_+\times\mathcal{U}'_\infty)"
    r"\cup(\mathcal{U}_\infty\times\mathcal{U}'_+)\cup(\mathcal{U}_\infty\times\mathcal{U}'_\infty)"
)
MEANT = (
    r"\mathcal{U}_\perp^2=\mathcal{U}_\infty^2\setminus((\mathcal{U}_+\times\mathcal{U}'_\infty)"
    r"\cup(\mathcal{U}_\infty\times\mathcal{U}'_+)\cup(\mathcal{U}_\infty\times"
    r"\mathcal{U}'_\infty))"
)
LEFT_OVER = (
    r"\text{all the leftover events in }\mathcal{U}_\perp^2\text{ have either }"
    r"\Pr[o\leftarrow M(x_0)]=0\text{ or }\Pr[o'\leftarrow M'(x'_0)]=0\text{ or both}"
)


def within(part, whole):
    """Every (o, o') of the one set is in the other."""
    return Le(Indicator(part), Indicator(whole))


with theorem("sommer2020/theorem-1.proof-sets", "Proof of Theorem 1: the sets", fidelity="printed"):
    step(
        "theorem-1.step-1",
        within(PLUS, sp.And(Ne(a * c, 0), Ne(b * d, 0))),
        where=RANGE,
        printed=U_PLUS,
        fidelity="instance",
        note="Of the definition only what it is for: no probability of (o, o') is 0 in it.  "
        + FOUR,
    )
    step(
        "theorem-1.step-2",
        within(ZERO, sp.And(Eq(a * c, 0), Eq(b * d, 0))),
        where=RANGE,
        printed=U_ZERO,
        fidelity="instance",
        note="Of the definition only a consequence: all four are 0, as is printed; then so are "
        "the two of (o, o').  " + FOUR,
    )
    step(
        "theorem-1.step-3",
        Eq(Indicator(REST), Indicator(sp.And(Ge(ZEROS, 1), Le(ZEROS, 3)))),
        where=RANGE,
        printed=r"\mathcal{U}_\infty^2=\mathcal{U}^2\setminus(\mathcal{U}_+^2\cup\mathcal{U}_0^2)"
        r"\quad\text{(one to three probabilities are 0)}",
        note=FOUR,
    )
    step(
        "theorem-1.step-4",
        Eq(Indicator(PLUS) + Indicator(REST) + Indicator(ZERO), 1),
        where=RANGE,
        printed=r"\text{they are pairwise distinct and contain together all elements in }"
        r"\mathcal{U}^2=\mathcal{U}_+^2\cup\mathcal{U}_\infty^2\cup\mathcal{U}_0^2",
        note="Distinct means disjoint: each (o, o') lies in exactly one.  " + FOUR,
    )
    step(
        "theorem-1.step-5",
        within(PLUS, sp.And(Gt(a * c, 0), Gt(b * d, 0))),
        where=RANGE,
        printed=r"\text{no event }(o,o')\text{ in }\mathcal{U}_+^2\text{ has a probability of "
        r"zero, we do not need to consider }\omega_c(\infty)\text{ or }\omega_c(-\infty)",
        note=FOUR,
    )
    step(
        "theorem-1.step-19",
        within(AS_PRINTED, REST),
        where=[*RANGE, Ne(a + b, 0), Ne(c + d, 0)],
        printed=U_PERP,
        note="With or without brackets it is a part of U_oo^2 (for outcomes that can occur)." +
        "  " + FOUR,
        fidelity="instance",
    )
    step(
        "theorem-1.step-23",
        within(AS_PRINTED, sp.Or(Eq(a, 0), Eq(c, 0))),
        where=RANGE,
        printed=U_PERP + "[...]" + LEFT_OVER,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-1.step-23.repaired",
        hints={"witness": {"a": 1, "b": 0, "c": 1, "d": 1}},
        note="Without brackets the last two products are united to the difference, not taken "
        "away from U_oo^2.  " + FOUR,
    )
    repair(
        "theorem-1.step-23.repaired",
        "theorem-1.step-23",
        within(BRACKETS, sp.Or(Eq(a, 0), Eq(c, 0))),
        where=RANGE,
        kind="step",
        corrected=LEFT_OVER + r",\quad " + MEANT,
        note="With the brackets that are meant.  a, b are the probabilities of o under M(x_0), "
        "M(x_1), c, d those of o' under M'.",
    )
    step(
        "theorem-1.step-24.1",
        Eq(Indicator(UNION), Indicator(Eq(b * d, 0))),
        where=RANGE,
        printed=r"\text{if and only if }(o,o')\in(\mathcal{U}_+\times\mathcal{U}'_\infty)\cup"
        r"(\mathcal{U}_\infty\times\mathcal{U}'_+)\cup(\mathcal{U}_\infty\times"
        r"\mathcal{U}'_\infty)\text{, then }\Pr[(o,o')\leftarrow(M(x_1),M'(x'_1))]=0",
        note=FOUR,
    )
    IN_INFINITY = (
        r"\Pr[(o,o')\leftarrow(M(x_1),M'(x'_1))]=0\text{ and thus the event is within }"
        r"\omega_c(\infty)"
    )
    step(
        "theorem-1.step-24.2",
        within(sp.And(UNION, Ne(a, 0), Ne(c, 0)), sp.And(Ne(a * c, 0), Eq(b * d, 0))),
        where=RANGE,
        printed=IN_INFINITY,
        note="What is left out has probability 0 and changes no sum.  " + FOUR,
        readings=["theorem-1.step-24.2", "theorem-1.step-24.2.letter"],
    )
    step(
        "theorem-1.step-24.2.letter",
        within(UNION, sp.And(Ne(a * c, 0), Eq(b * d, 0))),
        where=RANGE,
        printed=IN_INFINITY,
        fault="convention",
        expected="refuted",
        hints={"witness": {"a": 1, "b": 0, "c": 0, "d": 1}},
        note="Where Pr[(o, o') <- (M(x_0), M'(x'_0))] is 0 as well, as for a distinguishing event "
        "of one mechanism beside one of the other kind, Definition 1 gives -oo.  " + FOUR,
        readings=["theorem-1.step-24.2", "theorem-1.step-24.2.letter"],
    )
    step(
        "theorem-1.step-30",
        within(ZERO, ELSE),
        where=RANGE,
        printed=r"\text{for any }(o,o')\in\mathcal{U}_0^2\text{ the loss function evaluates to }"
        r"-\infty",
        note=NO_LOSS + "  The case of Definition 1 is the last one.",
    )
    step(
        "theorem-1.step-31",
        within(ZERO, Eq(a * c, 0)),
        where=RANGE,
        printed=r"\text{any occurrence-probabilities are zero [...] its contribution to any event "
        r"in }\omega_c\text{ is 0}",
        note=NO_LOSS,
    )
    EVERY = (
        r"\text{for all events in }\mathcal{U}_\infty^2\setminus\mathcal{U}_\perp^2"
        r"\text{ we can set }y=\infty"
    )
    step(
        "theorem-1.step-32",
        within(
            sp.And(REST, sp.Not(BRACKETS), Ne(a * c, 0)), sp.And(Ne(a * c, 0), Eq(b * d, 0))
        ),
        where=RANGE,
        printed=EVERY,
        note="Of the events that x_0 can give, Pr[(o, o') <- (M(x_0), M'(x'_0))] != 0." + "  "
        + FOUR,
        readings=["theorem-1.step-32", "theorem-1.step-32.letter"],
    )
    step(
        "theorem-1.step-32.letter",
        within(sp.And(REST, sp.Not(BRACKETS)), sp.And(Ne(a * c, 0), Eq(b * d, 0))),
        where=RANGE,
        printed=EVERY,
        fault="convention",
        expected="refuted",
        hints={"witness": {"a": 1, "b": 0, "c": 0, "d": 1}},
        note="With the brackets that are meant.  " + NO_LOSS + "  Where a c = 0, too, the loss "
        "is -oo.",
        root="theorem-1.step-24.2.letter",
        readings=["theorem-1.step-32", "theorem-1.step-32.letter"],
    )
    step(
        "theorem-1.step-33",
        within(sp.Not(sp.Or(PLUS, REST)), ELSE),
        where=RANGE,
        printed=r"\text{for all events in }\mathcal{U}^2\setminus(\mathcal{U}_+^2\cup"
        r"\mathcal{U}_\infty^2)\text{ we can set }y=-\infty",
        note=FOUR,
    )
