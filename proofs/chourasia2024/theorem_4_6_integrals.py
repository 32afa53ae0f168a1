"""Proof of Theorem 4.6: the convolution with the loss of randomized response, (162), (169)-(171).

g stands for the profile delta^{x l-1}, a continuous function.  These steps are right; what the
chain (160)-(170) loses is the mass delta_l at infinite loss, which (160) does not see.
"""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

eps, mass, t, tau, u = reals("varepsilon_l delta_l t tau u")
g = functions("g")
WHERE = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1), Continuous(g(u), u)]

P, Q = mechanism_pair(randomized_response(eps, mass))
SHARE = (1 - mass) / (sp.exp(eps) + 1)
HIT2, HIT3 = sp.DiracDelta(tau - eps), sp.DiracDelta(tau + eps)
J2 = HIT2 * ((sp.exp(tau) - sp.exp(eps)) * SHARE)
J3 = HIT3 * ((sp.exp(tau + eps) - 1) * SHARE)


def loss(x):
    """The second derivative of the profile less the first."""
    return D(delta(P, Q)(x), x, 2) - D(delta(P, Q)(x), x)


LINE_162 = Int(g(t - tau) * loss(tau), tau)
LINE_169 = Int(
    g(t - tau) * (HIT2 * (SHARE * sp.exp(eps)) + HIT3 * SHARE + D(J2, tau) + D(J3, tau)),
    tau,
)
LINE_170 = g(t - eps) * (SHARE * sp.exp(eps)) + g(t + eps) * SHARE
LINE_171 = Int(g(t - tau) * D(J2, tau), tau) + Int(g(t - tau) * D(J3, tau), tau)

G = r"\delta^{\otimes l-1}"
WEIGHT = (
    r"\left(\ddot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}(\tau)"
    r"-\dot{\delta}^{\varepsilon_{l},\delta_{l}}_{\mathrm{RR}}(\tau)\right)"
)
INTEGRAL = rf"\int_{{-\infty}}^{{\infty}}{G}(t-\tau)\times"

with theorem("chourasia2024/theorem-4.6.integrals", "Proof of Theorem 4.6, the convolution",
             fidelity="printed"):
    step(
        "eq-162",
        Eq(conv(g(t), loss(t), t), LINE_162),
        where=WHERE,
        printed="=" + INTEGRAL + WEIGHT + r"\mathrm{d}\tau.",
        note="For every continuous g in the place of delta^{l-1}.",
    )
    step(
        "eq-169",
        Eq(LINE_162, LINE_169),
        where=WHERE,
        printed="=" + INTEGRAL + r"\left(\triangle(\tau-\varepsilon_{l})\cdot"
        r"\frac{(1-\delta_{l})e^{\varepsilon_{l}}}{e^{\varepsilon_{l}}+1}"
        r"+\triangle(\tau+\varepsilon_{l})\cdot\frac{(1-\delta_{l})}{e^{\varepsilon_{l}}+1}"
        r"+\dot{J}_{2}(\tau)+\dot{J}_{3}(\tau)\right)\mathrm{d}\tau",
        note="For every continuous g in the place of delta^{l-1}.",
    )
    step(
        "eq-170",
        Eq(LINE_169, LINE_170 + LINE_171),
        where=WHERE,
        equations=(170, 171),
        printed=rf"={G}(t-\varepsilon_{{l}})\cdot"
        r"\frac{(1-\delta_{l})e^{\varepsilon_{l}}}{e^{\varepsilon_{l}}+1}"
        rf"+{G}(t+\varepsilon_{{l}})\cdot\frac{{1-\delta_{{l}}}}{{e^{{\varepsilon_{{l}}}}+1}}"
        r"+\underbrace{" + INTEGRAL + r"\dot{J}_{2}(\tau)\mathrm{d}\tau}_{K_{2}(t)}"
        r"+\underbrace{" + INTEGRAL + r"\dot{J}_{3}(\tau)\mathrm{d}\tau}_{K_{3}(t)}",
        note="(170) and (171) are one line.  For every continuous g in the place of delta^{l-1}.",
    )
    step(
        "eq-171",
        Eq(LINE_162, LINE_170),
        where=WHERE,
        equations=(170, 171),
        fidelity="own",
        note="The chain (162)-(177) in one: the loss of randomized response on the finite reals "
        "moves g by eps_l both ways.",
    )
