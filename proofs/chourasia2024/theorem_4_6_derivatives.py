"""Proof of Theorem 4.6: the derivatives of the profile of randomized response, (163)-(167).

Impulses are written DiracDelta; equalities that hold them are equalities of generalised functions
of t on the whole line.  H(t) = 1 for t > 0, else 0.
"""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

eps, mass, t = reals("varepsilon delta t")
UNIT = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]

P, Q = mechanism_pair(randomized_response(eps, mass))
PROFILE = delta(P, Q)(t)
SHARE = (1 - mass) / (sp.exp(eps) + 1)

I1 = 1 - sp.exp(t) * (1 - mass)
I2 = (sp.exp(t) - sp.exp(eps)) * SHARE
I3 = (sp.exp(t + eps) - 1) * SHARE
H2, H3 = Indicator(Gt(t - eps, 0)), Indicator(Gt(t + eps, 0))
HIT2, HIT3 = sp.DiracDelta(t - eps), sp.DiracDelta(t + eps)
J2, J3 = HIT2 * I2, HIT3 * I3

LINE_164 = D(I1, t) + (H2 * D(I2, t) + J2) + (H3 * D(I3, t) + J3)
LINE_165 = (
    D(I1, t, 2)
    + (H2 * D(I2, t, 2) + HIT2 * D(I2, t) + D(J2, t))
    + (H3 * D(I3, t, 2) + HIT3 * D(I3, t) + D(J3, t))
)
LINE_166 = HIT2 * (D(I2, t) - I2) + D(J2, t) + HIT3 * (D(I3, t) - I3) + D(J3, t)
LINE_167 = HIT2 * (SHARE * sp.exp(eps)) + D(J2, t) + HIT3 * SHARE + D(J3, t)

TEX_I1 = r"1-e^{t}(1-\delta)"
TEX_I2 = r"\frac{(e^{t}-e^{\varepsilon})(1-\delta)}{e^{\varepsilon}+1}"
TEX_I3 = r"\frac{(e^{t+\varepsilon}-1)(1-\delta)}{e^{\varepsilon}+1}"
DOT = r"\dot{\delta}^{\varepsilon,\delta}_{\mathrm{RR}}(t)"
DDOT = r"\ddot{\delta}^{\varepsilon,\delta}_{\mathrm{RR}}(t)"

with theorem("chourasia2024/theorem-4.6.derivatives", "Proof of Theorem 4.6, derivatives",
             fidelity="printed"):
    step(
        "eq-163",
        Eq(PROFILE, I1 + H2 * I2 + H3 * I3),
        where=UNIT,
        printed=r"\delta_{\mathrm{RR}}^{\varepsilon,\delta}(t)=\underbrace{" + TEX_I1
        + r"}_{I_{1}(t)}+H(t-\varepsilon)\cdot\underbrace{" + TEX_I2
        + r"}_{I_{2}(t)}+H(t+\varepsilon)\cdot\underbrace{" + TEX_I3 + r"}_{I_{3}(t)}.",
    )
    step(
        "eq-164",
        Eq(D(PROFILE, t), LINE_164),
        where=UNIT,
        printed=DOT + r"=\dot{I}_{1}(t)+\left(H(t-\varepsilon)\cdot\dot{I}_{2}(t)"
        r"+\underbrace{\triangle(t-\varepsilon)\cdot I_{2}(t)}_{J_{2}(t)}\right)"
        r"+\left(H(t+\varepsilon)\cdot\dot{I}_{3}(t)"
        r"+\underbrace{\triangle(t+\varepsilon)\cdot I_{3}(t)}_{J_{3}(t)}\right)",
    )
    step(
        "eq-165",
        Eq(D(PROFILE, t, 2), LINE_165),
        where=UNIT,
        printed=DDOT + r"=\ddot{I}_{1}(t)+\left(H(t-\varepsilon)\cdot\ddot{I}_{2}(t)"
        r"+\triangle(t-\varepsilon)\cdot\dot{I}_{2}(t)+\dot{J}_{2}(t)\right)"
        r"+\left(H(t+\varepsilon)\cdot\ddot{I}_{3}(t)"
        r"+\triangle(t+\varepsilon)\cdot\dot{I}_{3}(t)+\dot{J}_{3}(t)\right)",
    )
    for number, (name, body, slope, tex) in enumerate((
        ("1", I1, -sp.exp(t) * (1 - mass), r"-e^{t}(1-\delta)"),
        ("2", I2, sp.exp(t) * SHARE, r"e^{t}\cdot\frac{(1-\delta)}{e^{\varepsilon}+1}"),
        (
            "3",
            I3,
            sp.exp(t) * (sp.exp(eps) * SHARE),
            r"e^{t}\cdot\frac{e^{\varepsilon}(1-\delta)}{e^{\varepsilon}+1}",
        ),
    ), 3):
        step(
            f"theorem-4.6.step-{number}.1",
            Eq(D(body, t), D(body, t, 2)),
            where=UNIT,
            printed=rf"\dot{{I}}_{{{name}}}(t)=\ddot{{I}}_{{{name}}}(t)",
        )
        step(
            f"theorem-4.6.step-{number}.2",
            Eq(D(body, t, 2), slope),
            where=UNIT,
            printed=rf"\ddot{{I}}_{{{name}}}(t)=" + tex,
        )
    step(
        "eq-166",
        Eq(D(PROFILE, t, 2) - D(PROFILE, t), LINE_166),
        where=UNIT,
        printed=DDOT + "-" + DOT + r"=\triangle(t-\varepsilon)\cdot(\dot{I}_{2}(t)-I_{2}(t))"
        r"+\dot{J}_{2}(t)+\triangle(t+\varepsilon)\cdot(\dot{I}_{3}(t)-I_{3}(t))+\dot{J}_{3}(t)",
    )
    step(
        "eq-167",
        Eq(LINE_166, LINE_167),
        where=UNIT,
        printed=r"=\triangle(t-\varepsilon)\cdot\frac{(1-\delta)e^{\varepsilon}}{e^{\varepsilon}+1}"
        r"+\dot{J}_{2}(t)+\triangle(t+\varepsilon)\cdot\frac{(1-\delta)}{e^{\varepsilon}+1}"
        r"+\dot{J}_{3}(t).",
    )
    for k, (name, J, place, at, tex) in enumerate((
        ("2", J2, eps, "at ", r"\varepsilon"), ("3", J3, -eps, "", r"-\varepsilon")
    ), 1):
        step(
            f"theorem-4.6.step-6.{k}",
            Eq(J, 0),
            where=[*UNIT, Ne(t, place)],
            printed=rf"J_{{{name}}}(t)=0\text{{ everywhere except {at}}}t=" + tex,
        )
        step(
            f"theorem-4.6.step-6.{k + 2}",
            Eq(J, 0),
            where=UNIT,
            fidelity="own",
            note="As a generalised function it is 0 on the whole line, which the proof reaches "
            "only after an integration by parts.",
        )
