"""Theorem 3.4: privacy profile of randomized response, (39), and the prose after it."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

eps = positives("eps")
mass, t, q = reals("delta t q")

P, Q = mechanism_pair(randomized_response(eps, mass))
P0, Q0 = mechanism_pair(randomized_response(eps))

PROFILE = sp.Piecewise(
    (mass, Lt(eps, t)),
    (
        1 - (sp.exp(t) + 1) / (sp.exp(eps) + 1) * (1 - mass),
        sp.And(Lt(-eps, t), Le(t, eps)),
    ),
    (1 - sp.exp(t) * (1 - mass), Le(t, -eps)),
    evaluate=False,
)
CASES = (
    r"\begin{cases}\delta&\text{if}\ \varepsilon<t,\\ "
    r"1-\frac{e^{t}+1}{e^{\varepsilon}+1}(1-\delta)&\text{if}\ -\varepsilon<t\leq\varepsilon,\\ "
    r"1-e^{t}(1-\delta)&\text{if}\ t\leq-\varepsilon.\end{cases}"
)

with theorem("chourasia2024/theorem-3.4", "Privacy profile of randomized response",
             fidelity="printed"):
    claim(
        "eq-39.1",
        Eq(delta(P, Q)(t), PROFILE),
        where=[Ge(mass, 0), Le(mass, 1)],
        printed=r"\delta_{P|Q}(t)[...]=" + CASES,
        note="The parameter delta is called so in the paper; here it is a real in [0, 1].",
    )
    claim(
        "eq-39.2",
        Eq(delta(Q, P)(t), PROFILE),
        where=[Ge(mass, 0), Le(mass, 1)],
        printed=r"\delta_{Q|P}(t)=" + CASES,
        note="The parameter delta is called so in the paper; here it is a real in [0, 1].",
    )

    claim(
        "section-3.claim-10",
        Diverges(B(delta(P, Q)(t), t, 1 - q)),
        where=[Gt(mass, 0), Le(mass, 1)],
        printed=r"\text{the Laplace transform }\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)"
        r"\text{ must not converge for any }q\in\mathbb{R}",
        note="For delta > 0, as the sentence before says.  Convergence is absolute.",
    )
    claim(
        "section-3.claim-11",
        Converges(B(delta(P0, Q0)(t), t, 1 - q)),
        where=[Ne(q, 0), Ne(q, 1)],
        printed=r"\text{When }\delta=0\text{, [...] the Laplace transform }"
        r"\delta_{P|Q}(\varepsilon)"
        r"\text{ must exist for all }q\in\mathbb{R}\setminus\{0,1\}",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/section-3.claim-11.repaired",
        note="The profile tends to 1 at -oo: the transform diverges for q < 1.",
        root="section-3.claim-5",
    )
    repair(
        "section-3.claim-11.repaired",
        "section-3.claim-11",
        Converges(B(delta(P0, Q0)(t), t, 1 - q)),
        where=[Gt(q, 1)],
        corrected=r"\mathcal{B}\left\{\delta_{P|Q}\right\}(1-q)\text{ exists for all real }q>1",
        note="The half-line on which it does converge.",
    )
