"""Lemma 4: bounds of the inner distribution as bounds of the whole one.

The sums run over the losses y >= gamma; that of g omega over all of them is the one over finite
losses and g(oo) omega(oo), with g(oo) = 1.  Neither the sign of g nor where gamma lies matters.
"""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
Z = PLD(A, B)
gamma, bound = reals("gamma B")
g = functions("g")

LOST = Pr(Z, "==", sp.oo)
FINITE = Ex(g(Z) * Indicator(sp.And(Ge(Z, gamma), Lt(Z, sp.oo))), Z)
WHOLE = FINITE + 1 * LOST
INNER = FINITE / (1 - LOST)
EXISTS = [Lt(LOST, 1)]

SUM_BAR = r"\sum_{y\geq\gamma}g(y)\bar\omega(y)"
SUM_FINITE = r"\sum_{y\geq\gamma,y\neq\infty}g(y)\omega(y)"
SUM = r"\sum_{y\geq\gamma}g(y)\omega(y)"
QUOTIENT = r"\frac{1}{1-\omega(\infty)}" + SUM_FINITE
TWO = SUM_FINITE + r"\leq[1-\omega(\infty)]\mathcal{B}(\gamma)"
THREE = SUM + r"\leq\omega(\infty)+[1-\omega(\infty)]\mathcal{B}(\gamma)"
NEEDS = "Where the inner distribution exists: omega(oo) < 1."

with theorem("sommer2020/lemma-4", "Bound Conversion", fidelity="printed"):
    claim(
        "lemma-4.claim-1",
        Le(WHOLE, LOST + (1 - LOST) * bound),
        where=[Le(INNER, bound)],
        printed=SUM_BAR + r"\leq\mathcal{B}(\gamma)\text{ then the bound can be expressed for the "
        r"full distribution: }" + THREE,
        note="Every pair, every g with g(oo) = 1, every real gamma.",
    )
    claim(
        "section-1.claim-20",
        Le(WHOLE, LOST + (1 - LOST) * bound),
        where=[Le(INNER, bound)],
        printed=r"\text{ADP bounds [...] derived over the PLD can be translated to bound a "
        r"variation of this mechanism that includes distinguishing events}",
        note="With g(y) = 1 - e^(eps - y) and gamma = eps it is a bound on delta(eps).",
    )

with theorem("sommer2020/lemma-4.proof", "Proof of Lemma 4", fidelity="printed"):
    step(
        "lemma-4.step-1",
        Eq(FINITE / Pr(Z, "<", sp.oo), INNER),
        where=[*EXISTS, Le(INNER, bound)],
        printed=rf"{SUM_BAR}={QUOTIENT}\leq\mathcal{{B}}(\gamma)",
        note=NEEDS + "  The equality; the bound is the hypothesis.",
    )
    step(
        "lemma-4.step-2",
        Iff(Le(INNER, bound), Le(FINITE, (1 - LOST) * bound)),
        where=EXISTS,
        printed=rf"{QUOTIENT}\leq\mathcal{{B}}(\gamma)\iff{TWO}",
        note=NEEDS,
    )
    step(
        "lemma-4.step-3",
        Iff(Le(FINITE, (1 - LOST) * bound), Le(WHOLE, LOST + (1 - LOST) * bound)),
        printed=rf"{TWO}\iff{THREE}",
        note="Every pair.",
    )
