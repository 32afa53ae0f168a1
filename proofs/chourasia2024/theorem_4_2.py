"""Theorem 4.2: exactly tight composition of privacy profiles, (47)."""

import sympy as sp

from lapdp.privacy.mechanisms import finite, randomized_response
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
eps, tau = reals("eps tau")

CONVOLVED = conv(
    delta(P1, Q1)(eps),
    D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps),
    eps,
)
INTEGRAL = Int(
    delta(P1, Q1)(eps - tau) * (D(delta(P2, Q2)(tau), tau, 2) - D(delta(P2, Q2)(tau), tau)),
    tau,
    -sp.oo,
    sp.oo,
)
LOST = Pr(PLD(P2, Q2), "==", sp.oo)

FIRST = (
    r"\delta_{P|Q}(\varepsilon)=\left(\delta_{P_{1}|Q_{1}}\circledast"
    r"\left(\ddot{\delta}_{P_{2}|Q_{2}}-\dot{\delta}_{P_{2}|Q_{2}}\right)\right)(\varepsilon)"
)
LEFT = r"\delta_{P|Q}(\varepsilon)"
SECOND = (
    r"=\int_{-\infty}^{\infty}\delta_{P_{1}|Q_{1}}(\varepsilon-\tau)\cdot\left("
    r"\ddot{\delta}_{P_{2}|Q_{2}}(\tau)-\dot{\delta}_{P_{2}|Q_{2}}(\tau)\right)"
    r"\mathrm{d}\tau"
)
WHY = (
    "The second factor is the density of the finite losses of (P2, Q2); its mass at infinity is "
    "lost unless P2 << Q2.  Absolute continuity of (P1, Q1) is not needed."
)
ONE_WAY_ONLY = finite(["1/2", "1/2"], [1, 0])
"""Q2 << P2, and not P2 << Q2."""
ONE_WAY = [OneWayContinuous(P1, Q1), OneWayContinuous(P2, Q2)]

with theorem("chourasia2024/theorem-4.2", "Exactly Tight Composition of Privacy Profiles",
             fidelity="printed"):
    claim(
        "eq-47.1",
        Eq(delta(P, Q)(eps), CONVOLVED),
        where=ONE_WAY,
        printed=FIRST,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-47.1.repaired",
        note=WHY + "  Derivatives are generalised.",
        hints={"pairs": {"P1": randomized_response(sp.log(3)), "P2": ONE_WAY_ONLY},
               "witness": {"eps": 0}},
    )
    repair(
        "eq-47.1.repaired",
        "eq-47.1",
        Eq(delta(P, Q)(eps), CONVOLVED + LOST),
        corrected=FIRST + r"+\Pr[Z_{2}=\infty]",
        note="Every two pairs: adds the mass of the second loss at infinity.",
    )
    repair(
        "eq-47.1.repaired-2",
        "eq-47.1",
        Eq(delta(P, Q)(eps), CONVOLVED),
        where=[ac(P2, Q2)],
        corrected=FIRST + r",\quad P_{2}\ll Q_{2}",
        note="As printed, for P2 << Q2 and any (P1, Q1).",
    )
    claim(
        "eq-47.2",
        Eq(delta(P, Q)(eps), INTEGRAL),
        where=ONE_WAY,
        printed=LEFT + "[...]" + SECOND,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-47.2.repaired",
        note=WHY + "  Derivatives are generalised.",
        root="eq-47.1",
    )
    repair(
        "eq-47.2.repaired",
        "eq-47.2",
        Eq(delta(P, Q)(eps), INTEGRAL + LOST),
        corrected=LEFT + SECOND + r"+\Pr[Z_{2}=\infty]",
        note="Every two pairs: adds the mass of the second loss at infinity.",
    )
    repair(
        "eq-47.2.repaired-2",
        "eq-47.2",
        Eq(delta(P, Q)(eps), INTEGRAL),
        where=[ac(P2, Q2)],
        corrected=LEFT + SECOND + r",\quad P_{2}\ll Q_{2}",
        note="As printed, for P2 << Q2 and any (P1, Q1).",
    )
