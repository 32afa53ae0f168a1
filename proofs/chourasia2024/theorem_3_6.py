"""Definition 3.2 and the first half of Theorem 3.6: dominance, (41)-(44) and (46)."""

import sympy as sp

from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = pair("P", "Q")
n = outcome("n")
MD, ME = family("M(D)", "M(D')", n)
eps, e, t, q = reals("eps e t q")

DOMINATED = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
BOTH_WAYS = [ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)]
WEIGHT = sp.exp(-(1 - q) * t)
LEFT, RIGHT = B(delta(P1, Q1)(t), t)(1 - q), B(delta(P2, Q2)(t), t)(1 - q)
LEFT_INTEGRAL = Int(WEIGHT * delta(P1, Q1)(t), t, -sp.oo, sp.oo)
RIGHT_INTEGRAL = Int(WEIGHT * delta(P2, Q2)(t), t, -sp.oo, sp.oo)

ZHU = (
    r"\forall\varepsilon\in\mathbb{R}\ :\ \sup_{D\simeq D^{\prime}}"
    r"\delta_{\mathcal{M}(D)|\mathcal{M}(D^{\prime})}(\varepsilon)\leq\delta_{P|Q}(\varepsilon)"
)
FIRST_HALF = (
    r"(P_{1},Q_{1})\preceq_{\delta}(P_{2},Q_{2})\implies(P_{1},Q_{1})\preceq_{R}(P_{2},Q_{2})"
)

FIRST_LINE = (
    r"\mathcal{B}\left\{\delta_{P_{1}|Q_{1}}\right\}(1-q)"
    r"=\int_{-\infty}^{\infty}e^{-(1-q)t}\cdot\delta_{P_{1}|Q_{1}}(t)\mathrm{d}t"
)
MIDDLE = (
    r"\int_{-\infty}^{\infty}e^{-(1-q)t}\cdot\delta_{P_{1}|Q_{1}}(t)\mathrm{d}t"
    r"\leq\int_{-\infty}^{\infty}e^{-(1-q)t}\cdot\delta_{P_{2}|Q_{2}}(t)\mathrm{d}t"
)
LAST_LINE = (
    r"\int_{-\infty}^{\infty}e^{-(1-q)t}\cdot\delta_{P_{2}|Q_{2}}(t)\mathrm{d}t"
    r"=\mathcal{B}\left\{\delta_{P_{2}|Q_{2}}\right\}(1-q)"
)
INFINITE = (
    "A transform is a number: for absolutely continuous pairs the integral can diverge at some "
    "q > 1.  "
)
BOTH_INFINITE = INFINITE + "With values in [0, +oo] both sides are +oo there and the line holds."
ORDERED = INFINITE + "With values in [0, +oo] the order is eq-44."

with theorem("chourasia2024/definition-3.2", "Dominance for Distribution Pairs",
             fidelity="printed"):
    definition(
        "eq-41",
        Le(Sup(delta(MD, ME)(eps), n), delta(P, Q)(eps)),
        where=[ForAll((n, e), Le(delta(MD, ME)(e), delta(P, Q)(e)))],
        printed=ZHU,
        fidelity="instance",
        note="Of the definition only what it supposes: the supremum over the neighbours is "
        "dominated "
        "where each is.",
    )
    definition(
        "eq-41.each",
        Le(delta(MD, ME)(eps), delta(P, Q)(eps)),
        where=[Le(Sup(delta(MD, ME)(eps), n), delta(P, Q)(eps))],
        printed=ZHU,
        fidelity="instance",
        note="Of the definition only what it supposes: what dominates the supremum dominates each.",
    )
    claim(
        "definition-3.2.law-1",
        Implies(DOMINATED, Le(delta(Q1, P1)(eps), delta(Q2, P2)(eps)), over=(e,)),
        kind="law",
        corrected=r"(P_{1},Q_{1})\preceq_{\delta}(P_{2},Q_{2})\implies"
        r"(Q_{1},P_{1})\preceq_{\delta}(Q_{2},P_{2})",
        note="The order is compatible with reversal.",
    )

with theorem("chourasia2024/theorem-3.6", "Dominance: profiles imply Renyi divergences",
             fidelity="printed"):
    claim(
        "eq-44",
        Implies(DOMINATED, Le(R(q, P1, Q1), R(q, P2, Q2)), over=(e,)),
        where=[Gt(q, 1), *BOTH_WAYS],
        printed=FIRST_HALF,
        note="Values in [0, +oo]: for absolutely continuous pairs E_q can be +oo at some q > 1.",
    )
    claim(
        "eq-44.moments",
        Implies(DOMINATED, Le(E(q, P1, Q1), E(q, P2, Q2)), over=(e,)),
        where=[Gt(q, 1), *BOTH_WAYS],
        fidelity="own",
        note="The same for the moments: R_q <= R_q' says E_q <= E_q', since q - 1 > 0.",
    )
    step(
        "eq-46.1",
        Eq(LEFT, LEFT_INTEGRAL),
        where=[Gt(q, 1), Converges(LEFT)],
        printed=FIRST_LINE,
        note="Every two pairs, absolutely continuous or not, wherever the transform converges.",
        readings=["eq-46.1", "eq-46.1.letter"],
    )
    step(
        "eq-46.1.letter",
        Eq(LEFT, LEFT_INTEGRAL),
        where=[Gt(q, 1), *BOTH_WAYS],
        printed=FIRST_LINE,
        fault="convention",
        expected="refuted",
        note=BOTH_INFINITE,
        readings=["eq-46.1", "eq-46.1.letter"],
    )
    step(
        "eq-46.2",
        Implies(DOMINATED, Le(LEFT_INTEGRAL, RIGHT_INTEGRAL), over=(e,)),
        where=[Gt(q, 1), Converges(RIGHT)],
        printed=MIDDLE,
        note="Every two pairs, wherever the transform of the second converges.  That the smaller "
        "integral converges follows.",
        readings=["eq-46.2", "eq-46.2.letter"],
    )
    step(
        "eq-46.2.letter",
        Implies(DOMINATED, Le(LEFT_INTEGRAL, RIGHT_INTEGRAL), over=(e,)),
        where=[Gt(q, 1), *BOTH_WAYS],
        printed=MIDDLE,
        fault="convention",
        expected="refuted",
        note=ORDERED,
        readings=["eq-46.2", "eq-46.2.letter"],
    )
    step(
        "eq-46.3",
        Eq(RIGHT_INTEGRAL, RIGHT),
        where=[Gt(q, 1), Converges(RIGHT)],
        printed=LAST_LINE,
        note="Every two pairs, absolutely continuous or not, wherever the transform converges.",
        readings=["eq-46.3", "eq-46.3.letter"],
    )
    step(
        "eq-46.3.letter",
        Eq(RIGHT_INTEGRAL, RIGHT),
        where=[Gt(q, 1), *BOTH_WAYS],
        printed=LAST_LINE,
        fault="convention",
        expected="refuted",
        note=BOTH_INFINITE,
        readings=["eq-46.3", "eq-46.3.letter"],
    )
    step(
        "theorem-3.6.step-1",
        Gt(q * (q - 1), 0),
        where=[Gt(q, 1)],
        equations=(46,),
        printed=r"\text{for }q>1,\ q(q-1)>0",
    )
