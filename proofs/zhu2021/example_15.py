"""Example 15 and the prose after it: Gaussian noise with data-dependent variance."""

import sympy as sp

from lapdp.privacy.mechanisms import densities, outcomes
from lapdp.theory import *

P, Q = pair("P", "Q")
x, t, q, u, c = reals("x t alpha u c")
one, two, d = positives("sigma_1 sigma_2 delta")
Z = PLD(P, Q)
UNIT = [Lt(d, 1)]

M, N = mechanism_pair(
    outcomes({"bot": (1 - d / 2, 1 - d / 2), "q(D)": (d / 2, 0), "q(D')": (0, d / 2)}, where=UNIT),
    "M2(D)",
    "M2(D')",
)
ZM = PLD(M, N)
WIDE = sp.exp(-(x**2) / 4) / sp.sqrt(4 * sp.pi)
NARROW = sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
PG, QG = mechanism_pair(densities(WIDE, NARROW, x), "N(0,2)", "N(0,1)")

FORM = q * two**2 + (1 - q) * one**2
POWERS = sp.exp(-q * x**2 / (2 * one**2)) * sp.exp(-(1 - q) * x**2 / (2 * two**2))
"""p^alpha q^(1 - alpha), but for a positive constant."""

CONDITION = r"\alpha\sigma_2^2+(1-\alpha)\sigma_1^2<0"
LOSSES = ["appendix-A.claim-4.reading-1", "appendix-A.claim-4.reading-2"]
UNDEFINED = r"D_\alpha(P\|Q)\text{ is undefined for all }\alpha\text{ such that }"
EXISTS = (
    r"\text{The characteristic function exists no matter how heavy-tailed the distribution of the "
    r"privacy loss random variable is}"
)

with theorem("zhu2021/example-15", "Gaussian noise with data-dependent variance",
             fidelity="printed"):
    claim(
        "example-15.claim-1.integral",
        Eq(Int(POWERS, x, -sp.oo, sp.oo), sp.oo),
        where=[Lt(FORM, 0)],
        printed=UNDEFINED + CONDITION,
        note="Undefined: the integral of p^alpha q^(1-alpha) is +oo.  The constants of the two "
        "densities are positive and left out.",
    )
    claim(
        "example-15.claim-1.boundary",
        Eq(Int(sp.exp(-c * x**2), x, -sp.oo, sp.oo), sp.oo),
        where=[Le(c, 0)],
        kind="law",
        note="At equality too, as the next sentence of the paper has it for the variances 2 and 1; "
        "c has the sign of the printed expression: see the step.",
    )
    step(
        "example-15.claim-1.step-1",
        Eq(POWERS, sp.exp(-FORM / (2 * one**2 * two**2) * x**2)),
        note="But for a constant, p^alpha q^(1-alpha) = e^(-c x^2), c of the printed sign.",
        fidelity="own",
    )
    claim(
        "example-15.claim-2",
        Eq(
            Int(POWERS.subs({one: sp.sqrt(2), two: 1}), x, -sp.oo, sp.oo),
            sp.oo,
        ),
        where=[Ge(q, 2)],
        printed=r"\text{if }\sigma_1^2=2,\sigma_2^2=1\text{, then }D_\alpha(P\|Q)=+\infty"
        r"\text{ for all }\alpha\ge 2",
        note="The integral of p^alpha q^(1-alpha) but for a positive constant; D is its logarithm "
        "over alpha - 1.",
    )

with theorem("zhu2021/appendix-A", "After the examples", fidelity="printed"):
    claim(
        "appendix-A.claim-1",
        Eq(Ex(sp.exp(t * ZM), ZM), sp.oo),
        where=[*UNIT, Gt(t, 0)],
        fidelity="instance",
        printed=r"\text{proposed-test-release [...] typically introduces a heavier-tailed "
        r"privacy-loss distributions for which the moment generating function is not defined}",
        note="One mechanism of the kind, the pair of Example 14 with different answers: "
        "'typically' "
        "is left aside.  The moment E[e^(tZ)], every t > 0; delta < 1.  The pair of Example 15 is "
        "example-15.claim-2.",
    )
    claim(
        "appendix-A.claim-2",
        Le(delta(P, Q)(t), 1),
        printed=r"\text{the privacy-profile is well-defined in both examples}",
        note="It has a value, at most 1, for every pair at every real eps.",
    )
    claim(
        "appendix-A.claim-3.example-14",
        Lt(delta(M, N)(t), 1),
        where=[*UNIT, Ge(t, 0)],
        printed=r"\text{and imply nontrivial }(\varepsilon,\delta)\text{-DP}",
        note="The pair with different answers; with equal answers the profile is at most that of "
        "the Laplace mechanism, 0 from eps on (example-14.claim-3.mode-1).  t stands for eps~ >= "
        "0; delta < 1.",
    )
    claim(
        "appendix-A.claim-3.example-15",
        Lt(delta(PG, QG)(1), sp.Rational(1, 10)),
        printed=r"\text{and imply nontrivial }(\varepsilon,\delta)\text{-DP}",
        note="The variances 2 and 1: delta(1) < 1/10.",
        fidelity="instance",
    )
    claim(
        "appendix-A.claim-4.reading-1",
        Converges(B(f(Z)(t), t, -sp.I * u)),
        printed=EXISTS,
        note="The Fourier transform of the finite losses, however heavy their tails.",
        readings=LOSSES,
    )
    claim(
        "appendix-A.claim-4.reading-2",
        Eq(Ex(sp.exp(sp.I * u * Z), Z), B(f(Z)(t), t, -sp.I * u)),
        where=[ac(P, Q)],
        printed=EXISTS,
        note="The expectation of Definition 12; a mass at +oo, of which the next sentence of the "
        "paper speaks, is apart.  u stands for the argument of phi.",
        readings=LOSSES,
    )
    claim(
        "appendix-A.claim-5",
        Eq(Ex(sp.exp(sp.I * u * Z), Z), B(f(Z)(t), t, -sp.I * u)),
        where=[ac(P, Q), ac(Q, P)],
        printed=r"\text{so it naturally handles the second example}",
        note="Two normal distributions are absolutely continuous both ways; every such pair.  u "
        "stands for the argument of phi.",
    )
