"""Lemma 3: conditioning both distributions on their common support.

The two mechanisms of the lemma: M'_{M,O}, an arbitrary pair (A', B') of mutually absolutely
continuous distributions, and M, which lands in the common support O with the probabilities
e^-u and e^-v and is M'_{M,O} there; else it shows a distinguishing event.  The loss distribution of
every pair with a common support is one of these: what lies outside of O has an infinite loss.
"""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import *

u, v, y = reals("u v y")
A1, B1 = pair("A'", "B'")
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

COMMON = sp.And(Ne(A, 0), Ne(B, 0))
LOST = Pr(Z, "==", sp.oo)
INNER = Pr(Z, "==", y) / (1 - LOST)
# for the lines that speak of M alone: every pair
P, Q = pair("P", "Q")
W = PLD(P, Q)
BOTH = sp.And(Ne(P, 0), Ne(Q, 0))
AT_Y = P(Where(Eq(LossAt(P, Q), y)))

RATIO = r"\ln\frac{\Pr[M(x_0)\in O]}{\Pr[M(x_1)\in O]}"
CLAIM = (
    r"\text{the privacy loss distribution created by }M'_{M,O}(x_0)\text{ over }M'_{M,O}(x_1)"
    r"\text{ is equal to the inner distribution }\bar\omega\text{ of }\omega"
)
SAME = (
    r"\forall o\in O,\ \mathcal{L}_{M'_{M,O}(x_0)/M'_{M,O}(x_1)}(o)=\mathcal{L}_{M(x_0)/M(x_1)}(o)"
)
PREIMAGE = (
    r"\sum_{o\in\mathcal{L}_{M'_{M,O}(x_0)/M'_{M,O}(x_1)}^{-1}(y)}"
    r"\Pr[o\leftarrow M'_{M,O}(x_0)]"
)
QUOTIENT = (
    r"\sum_{o\in\mathcal{L}_{M(x_0)/M(x_1)}^{-1}(y)}"
    r"\frac{\Pr[o\leftarrow M(x_0)]}{\Pr[M(x_0)\in O]}"
)
OUTSIDE = (
    r"\frac{1}{1-\Pr[M(x_0)\notin O]}\sum_{o\in\mathcal{L}_{M(x_0)/M(x_1)}^{-1}(y)}"
    r"\Pr[o\leftarrow M(x_0)]"
)
BAR = r"\frac{\omega(y)}{1-\omega(\infty)}"
WHY = (
    "Conditioning divides the two distributions by different numbers, so that every loss moves by "
    "log(Pr[M(x_0) in O]/Pr[M(x_1) in O]) = v - u; the two are e^-u and e^-v."
)
WHERE = "O has the probabilities e^-u, e^-v under M(x_0), M(x_1)."
WITNESS = {"witness": {"u": 0, "v": sp.log(2), "y": 0}}


def on_common(e):
    """A function on O, as 0 elsewhere."""
    return sp.Piecewise((e, COMMON), (0, True), evaluate=False)


def shifted(label, line, mended, printed, moved, claimed, kind="step"):
    """A line that forgets the shift; what holds always, and as printed for equal masses."""
    claimed(label, line, where=GIVEN, printed=printed, fault="false claim" if kind == "claim" else
            "false step", expected="refuted", repaired_by=f"sommer2020/{label}.repaired",
            note=WHY, hints=WITNESS, root=None if kind == "claim" else "lemma-3.claim-1")
    repair(f"{label}.repaired", label, mended, where=GIVEN, kind=kind, corrected=moved,
           note="Every pair with a common support.  " + WHERE)
    repair(f"{label}.repaired-2", label, line, where=[*GIVEN, Eq(u, v)], kind=kind,
           corrected=printed + r",\quad\Pr[M(x_0)\in O]=\Pr[M(x_1)\in O]",
           note="As printed, where O has the same probability under both.  " + WHERE)


with theorem("sommer2020/lemma-3", "Mechanism for Inner Distribution", fidelity="printed"):
    MECHANISM = (
        r"O=\{o\mid\forall i\in\{0,1\},\Pr[o\leftarrow M(x_i)]\neq 0,o\in\mathcal{U}\}"
        r"\text{ [...] }\Pr[o\leftarrow M'_{M,O}(x)]=\Pr[o\leftarrow M(x)\mid o\in O]"
    )
    definition(
        "lemma-3.definition-1",
        Eq(P(Where(BOTH)) / (1 - Pr(W, "==", sp.oo)), 1),
        where=[Lt(Pr(W, "==", sp.oo), 1)],
        printed=MECHANISM,
        fidelity="instance",
        note="Of the definition only what it supposes: what is conditioned on has the probability "
        "1 - omega(oo), which must not be 0.",
    )
    shifted(
        "lemma-3.claim-1",
        Eq(Pr(Z1, "==", y), INNER),
        Eq(Pr(Z1, "==", y), Pr(Z, "==", y + SHIFT) / (1 - LOST)),
        CLAIM,
        rf"\omega'(y)=\bar\omega\left(y+{RATIO}\right)",
        claim,
        "claim",
    )
    repair(
        "lemma-3.claim-1.repaired-3",
        "lemma-3.claim-1",
        Eq(f(Z1)(y), sp.exp(u) * f(Z)(y + SHIFT)),
        where=GIVEN,
        corrected=rf"\omega'(y)=\bar\omega\left(y+{RATIO}\right)",
        note="As measures, countable universe or not.  " + WHERE,
    )

with theorem("sommer2020/lemma-3.proof", "Proof of Lemma 3", fidelity="printed"):
    shifted(
        "lemma-3.step-1",
        Eq(on_common(LossAt(A1, B1)), on_common(LossAt(A, B))),
        Eq(on_common(LossAt(A1, B1)), on_common(LossAt(A, B) - SHIFT)),
        SAME,
        SAME + "-" + RATIO,
        step,
    )
    step(
        "lemma-3.step-2",
        Eq(Indicator(BOTH), Indicator(sp.And(Gt(LossAt(P, Q), -sp.oo), Lt(LossAt(P, Q), sp.oo)))),
        printed=r"\forall o\in O,[...]\text{ and }\mathcal{L}_{M(x_0)/M(x_1)}(o)\in\mathcal{Y}"
        r"\setminus\{-\infty,\infty\}",
    )
    step(
        "lemma-3.step-3",
        Eq(Pr(Z1, "==", y), A1(Where(Eq(LossAt(A1, B1), y)))),
        where=GIVEN,
        printed=r"\omega'(y)=" + PREIMAGE,
        note="O has the probabilities e^-u, e^-v under M(x_0), M(x_1); the claim is about A' and "
        "B', of M'_{M,O}, alone.",
    )
    shifted(
        "lemma-3.step-4",
        Eq(
            A1(Where(Eq(LossAt(A1, B1), y))),
            A(Where(Eq(LossAt(A, B), y))) / A(Where(COMMON)),
        ),
        Eq(
            A1(Where(Eq(LossAt(A1, B1), y))),
            A(Where(Eq(LossAt(A, B), y + SHIFT))) / A(Where(COMMON)),
        ),
        f"{PREIMAGE}={QUOTIENT}",
        f"{PREIMAGE}={QUOTIENT}".replace(
            "M(x_1)}^{-1}(y)}\\frac", rf"M(x_1)}}^{{-1}}\left(y+{RATIO}\right)}}\frac"),
        step,
    )
    step(
        "lemma-3.step-5",
        Eq(AT_Y / P(Where(BOTH)), AT_Y / (1 - P(Where(sp.Not(BOTH))))),
        where=[Gt(P(Where(BOTH)), 0)],
        printed=f"{QUOTIENT}={OUTSIDE}",
        note="Every pair for which O can be conditioned on.",
    )
    step(
        "lemma-3.step-6",
        Eq(AT_Y / (1 - P(Where(sp.Not(BOTH)))), Pr(W, "==", y) / (1 - Pr(W, "==", sp.oo))),
        where=[Lt(Pr(W, "==", sp.oo), 1)],
        printed=f"{OUTSIDE}={BAR}",
        note="Every pair for which O can be conditioned on.",
    )
    step(
        "lemma-3.step-7",
        Eq(Pr(W, "==", y) / (1 - Pr(W, "==", sp.oo)), Pr(W, "==", y) / Pr(W, "<", sp.oo)),
        where=[Lt(Pr(W, "==", sp.oo), 1)],
        printed=BAR + r"=\bar\omega(y)",
        note="The inner distribution as a conditional one.",
    )
