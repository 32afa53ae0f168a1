"""Theorem 4.5: the profile of randomized response dominates every (eps, delta)-DP pair, (59), (61)
and (143)."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, q = reals("eps t q")
mass = reals("delta")
free = reals("s")
R0, R1 = mechanism_pair(randomized_response(eps, mass), "M_RR(0)", "M_RR(1)")
S0, S1 = mechanism_pair(randomized_response(free, mass), "M_RR(0)", "M_RR(1)")
T0, T1 = mechanism_pair(randomized_response(eps), "M_RR(0)", "M_RR(1)")

RANGE = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]
PRIVATE = [Le(delta(P, Q)(eps), mass), Le(delta(Q, P)(eps), mass)]
PURE = [Eq(delta(P, Q)(eps), 0), Eq(delta(Q, P)(eps), 0)]
MOMENT = sp.exp(eps) / (sp.exp(eps) + 1) * sp.exp(-q * eps) + 1 / (sp.exp(eps) + 1) * sp.exp(
    q * eps
)
FORWARD = (
    r"\forall\varepsilon\in\mathbb{R}\ :\ \delta_{P|Q}(\varepsilon)"
    r"\leq\delta_{\mathrm{RR}}(\varepsilon)"
)
BACKWARD = r"\delta_{Q|P}(\varepsilon)\leq\delta_{\mathrm{RR}}(\varepsilon)"
FORWARD_T = r"\forall t\in\mathbb{R}\ :\ \delta_{P|Q}(t)\leq\delta_{\mathrm{RR}}(t)"
BACKWARD_T = r"\delta_{Q|P}(t)\leq\delta_{\mathrm{RR}}(t)"
BOUND_TWICE = (
    "The printed line binds eps a second time; here the variable of the profile is t, as in the "
    "appendix, and delta_RR keeps the fixed eps."
)

with theorem("chourasia2024/theorem-4.5", "Dominating profile under (eps, delta)-DP",
             fidelity="printed"):
    claim(
        "eq-59.1",
        Le(delta(P, Q)(t), delta(R0, R1)(t)),
        where=[*RANGE, *PRIVATE],
        printed=FORWARD,
        note=BOUND_TWICE,
        readings=["eq-59.1", "eq-59.1.reading-2"],
    )
    claim(
        "eq-59.2",
        Le(delta(Q, P)(t), delta(R0, R1)(t)),
        where=[*RANGE, *PRIVATE],
        printed=BACKWARD,
        note=BOUND_TWICE,
    )
    claim(
        "eq-59.1.reading-2",
        Le(delta(P, Q)(free), delta(S0, S1)(free)),
        where=[*RANGE, *PRIVATE],
        equations=(59,),
        printed=FORWARD,
        expected="refuted",
        note="Of both halves.  Read to the letter, the second quantifier (here s) also takes hold "
        "of the eps inside "
        "delta_RR, the profile of M_RR^{eps, delta}; s is restricted to s >= 0, where that exists.",
        hints={"witness": {"s": 0, "eps": sp.log(2), "delta": 0}},
        readings=["eq-59.1", "eq-59.1.reading-2"],
    )
    claim(
        "eq-143.1",
        Le(delta(P, Q)(t), delta(R0, R1)(t)),
        where=[*RANGE, *PRIVATE],
        printed=FORWARD_T,
    )
    claim(
        "eq-143.2",
        Le(delta(Q, P)(t), delta(R0, R1)(t)),
        where=[*RANGE, *PRIVATE],
        printed=BACKWARD_T,
    )
    claim(
        "theorem-4.5.law-1",
        Le(delta(R0, R1)(eps), mass),
        where=RANGE,
        kind="law",
        note="Randomized response is (eps, delta)-DP itself, so the bound is attained: no "
        "smaller function of t bounds all (eps, delta)-DP pairs.",
    )
    claim(
        "theorem-4.5.law-2",
        Le(delta(R1, R0)(eps), mass),
        where=RANGE,
        kind="law",
        note="In the other order, too.",
    )

with theorem("chourasia2024/section-4.1", "Renyi divergence under pure DP", fidelity="printed"):
    claim(
        "eq-61",
        Le(R(q, P, Q), sp.log(MOMENT) / (q - 1)),
        where=[*PURE, Gt(q, 1)],
        printed=r"\delta_{P|Q}(\varepsilon)=\delta_{Q|P}(\varepsilon)=0\implies\forall q>1\ :\ "
        r"\mathrm{R}_{q}\left(P\middle\|Q\right)\leq\frac{1}{q-1}\log\left("
        r"\frac{e^{\varepsilon}}{e^{\varepsilon}+1}e^{-q\varepsilon}"
        r"+\frac{1}{e^{\varepsilon}+1}e^{q\varepsilon}\right)",
        note="Every pair and every real eps; no pair satisfies the hypothesis for eps < 0.  That "
        "R_q is finite is part of the claim.",
    )
    claim(
        "eq-61.law-1",
        Eq(E(q, T0, T1), MOMENT),
        where=[Ge(eps, 0), Gt(q, 1)],
        kind="law",
        equations=(61,),
        note="Tight: randomized response attains the bound (61) at every q > 1.",
    )
