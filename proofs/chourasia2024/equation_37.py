"""Equation (37): the privacy profile as an inverse Laplace transform, on each line allowed.

The paper allows every real gamma in the region of convergence of the profile, and places that
region (prose after Theorem 3.3) at gamma = 1 - q < 0 when P << Q and at gamma > 0, gamma != 1,
when Q << P.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, gamma = reals("eps t gamma")
s = complexes("s")

INVERSE = Linv(sp.exp(-s * R(1 - s, P, Q)) / (s * (s - 1)), s, eps, gamma)
MOMENT = Linv(E(1 - s, P, Q) / (s * (s - 1)), s, eps, gamma)
PRINTED = (
    r"\delta_{P|Q}(\varepsilon)[...]=\frac{1}{2\pi i}\lim_{\omega\rightarrow\infty}"
    r"\int_{\gamma-i\omega}^{\gamma+i\omega}e^{s\varepsilon}\cdot"
    r"\frac{e^{-s\mathrm{R}_{1-s}\left(P\middle\|Q\right)}}{s(s-1)}ds"
)
REPAIRED = (
    r"\frac{1}{2\pi i}\int_{\gamma-i\infty}^{\gamma+i\infty}e^{s\varepsilon}"
    r"\frac{\mathrm{E}_{1-s}\left(P\middle\|Q\right)}{s(s-1)}ds"
)
ZEROS = (
    "The integrand is e^(s eps) E_{1-s}/(s(s-1)) but for isolated points of the line where E_{1-s} "
    "is 0 and R_{1-s} has no value; they do not change the integral."
)

with theorem("chourasia2024/equation-37", "Privacy profile from Renyi divergence",
             fidelity="printed"):
    claim(
        "eq-37.1",
        Eq(delta(P, Q)(eps), INVERSE),
        where=[Converges(B(delta(P, Q)(t), t, gamma))],
        printed=PRINTED + r",\text{ where }\gamma\in\mathbb{R}\text{ can be any real point in }"
        r"\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}",
        note="Gamma in the region of the profile itself.  " + ZEROS,
    )
    claim(
        "eq-37.2",
        Eq(delta(P, Q)(eps), INVERSE),
        where=[ac(Q, P), Gt(gamma, 0), Lt(gamma, 1)],
        equations=(37,),
        fidelity="own",
        expected="refuted",
        note="Not in the paper, which allows the region of the profile alone: gamma in the region "
        "that the prose gives for Q << P, 0 < Re q < 1: the integral is "
        "delta - 1.  " + ZEROS,
    )
    repair(
        "eq-37.2.repaired",
        "section-3.claim-5",
        Eq(delta(P, Q)(eps), 1 + MOMENT),
        where=[Gt(gamma, 0), Lt(gamma, 1)],
        corrected=r"\delta_{P|Q}(\varepsilon)=1+" + REPAIRED + r",\quad 0<\gamma<1",
        note="Every pair.",
    )
    claim(
        "eq-37.3",
        Eq(delta(P, Q)(eps), INVERSE),
        where=[ac(Q, P), Gt(gamma, 1)],
        equations=(37,),
        fidelity="own",
        expected="refuted",
        note="Not in the paper, which allows the region of the profile alone: gamma in the region "
        "that the prose gives for Q << P, Re q < 0: the integral is "
        "delta - 1 + e^eps, where it converges.  " + ZEROS,
    )
    repair(
        "eq-37.3.repaired",
        "section-3.claim-5",
        Eq(delta(P, Q)(eps), 1 - sp.exp(eps) + MOMENT),
        where=[Gt(gamma, 1), Defined(E(1 - gamma, P, Q))],
        corrected=r"\delta_{P|Q}(\varepsilon)=1-e^{\varepsilon}+"
        + REPAIRED
        + r",\quad\gamma>1,\ 1-\gamma\in\mathrm{ROC}_{P,Q}",
        note="Every pair with E_{1-gamma} finite.",
    )
    claim(
        "eq-37.4",
        Eq(delta(P, Q)(eps), INVERSE),
        where=[ac(P, Q), Lt(gamma, 0)],
        equations=(37,),
        fidelity="own",
        expected="refuted",
        hints={"witness": {"gamma": -1}},
        note="Not in the paper, which allows the region of the profile alone: gamma in the region "
        "that the prose gives for P << Q: E_{1-gamma} may be infinite.  "
        + ZEROS,
    )
    repair(
        "eq-37.4.repaired",
        "section-3.claim-4",
        Eq(delta(P, Q)(eps), MOMENT),
        where=[Lt(gamma, 0), Defined(E(1 - gamma, P, Q))],
        corrected=r"\delta_{P|Q}(\varepsilon)="
        + REPAIRED
        + r",\quad\gamma<0,\ 1-\gamma\in\mathrm{ROC}_{P,Q}",
        note="Every pair with E_{1-gamma} finite.",
    )
    repair(
        "eq-37.repaired",
        "section-3.claim-5",
        Eq(
            delta(P, Q)(eps),
            sp.Max(0, 1 - sp.exp(eps)) + Linv((E(1 - s, P, Q) - 1) / (s * (s - 1)), s, eps, gamma),
        ),
        where=[Defined(E(1 - gamma, P, Q)), Ne(gamma, 0), Ne(gamma, 1)],
        corrected=r"\delta_{P|Q}(\varepsilon)=[1-e^{\varepsilon}]_{+}+\frac{1}{2\pi i}"
        r"\int_{\gamma-i\infty}^{\gamma+i\infty}e^{s\varepsilon}"
        r"\frac{\mathrm{E}_{1-s}\left(P\middle\|Q\right)-1}{s(s-1)}ds"
        r",\quad 1-\gamma\in\mathrm{ROC}_{P,Q},\ \gamma\notin\{0,1\}",
        note="One formula on every line; for 0 < gamma < 1 it holds for every pair.",
    )
