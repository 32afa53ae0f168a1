"""Theorem 3.3: Renyi divergence from the privacy profile, (27), and its proof, (28)-(36)."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
eps, t = reals("eps t")
q = reals("q")
c = complexes("q")

REGION = [Gt(q, 1), Converges(B(delta(P, Q)(t), t, 1 - q))]
"""The hypotheses of the theorem: q > 1 and 1 - q in ROC_B{delta}."""

CENTRE = "Each member of the display is compared with E_q(P||Q), its second expression.  "
LINE = "The printed relation between consecutive lines, under the hypotheses of the theorem."

with theorem("chourasia2024/theorem-3.3", "Renyi DP from privacy profile", fidelity="printed"):
    claim(
        "eq-27.1",
        Eq(E(q, P, Q), sp.exp((q - 1) * R(q, P, Q))),
        where=REGION,
        printed=r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)",
        note=CENTRE + "The theorem opens with: let q > 1; orders are real here.",
        readings=["eq-27.1", "eq-27.1.reading-2"],
    )
    claim(
        "eq-27.1.reading-2",
        Eq(E(c, P, Q), sp.exp((c - 1) * R(c, P, Q))),
        where=[Converges(B(delta(P, Q)(t), t, 1 - c))],
        printed=r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)\text{ [...] for all orders }q\text{ such that }"
        r"1-q\in\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}",
        fault="convention",
        expected="refuted",
        note=CENTRE + "Second reading: every complex order with 1 - q in the region; E_q may "
        "have zeros there, where R_q has no value.",
        readings=["eq-27.1", "eq-27.1.reading-2"],
    )
    claim(
        "eq-27.2",
        Eq(E(q, P, Q), q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)),
        where=REGION,
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)"
        r"=q(q-1)\cdot\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)",
        note=CENTRE + "The theorem opens with: let q > 1; orders are real here.",
        readings=["eq-27.2", "eq-27.2.reading-2"],
    )
    claim(
        "eq-27.2.reading-2",
        Eq(E(c, P, Q), c * (c - 1) * B(delta(P, Q)(t), t)(1 - c)),
        where=[Converges(B(delta(P, Q)(t), t, 1 - c))],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)"
        r"=q(q-1)\cdot\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)"
        r"\text{ [...] for all orders }q\text{ such that }"
        r"1-q\in\mathrm{ROC}_{\mathcal{B}}\{\delta_{P|Q}\}",
        note=CENTRE + "Second reading: every complex order with 1 - q in the region.",
        readings=["eq-27.2", "eq-27.2.reading-2"],
    )

    step(
        "eq-28",
        Eq(
            delta(P, Q)(eps),
            L(f(Z)(t + eps), t)(0) - sp.exp(eps) * L(f(Zp)(-t - eps), t)(0),
        ),
        printed=r"\delta_{P|Q}(\varepsilon)=\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(0)"
        r"-e^{\varepsilon}\cdot\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(0)",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-25.repaired",
        note="Equation (25) again.",
        root="eq-23",
    )
    step(
        "eq-29",
        Eq(
            L(f(Z)(t + eps), t)(0) - sp.exp(eps) * L(f(Zp)(-t - eps), t)(0),
            Int(sp.exp(0) * f(Z)(t + eps), t, 0, sp.oo)
            - sp.exp(eps) * Int(sp.exp(0) * f(Zp)(-t - eps), t, 0, sp.oo),
        ),
        printed=r"\mathcal{L}\left\{f_{Z}(t+\varepsilon)\right\}(0)"
        r"-e^{\varepsilon}\cdot\mathcal{L}\left\{f_{Z^{\prime}}(-t-\varepsilon)\right\}(0)"
        r"=\int_{0^{+}}^{\infty}e^{0}\cdot f_{Z}"
        r"(t+\varepsilon)\mathrm{d}t-e^{\varepsilon}\cdot\int_{0^{+}}^{\infty}e^{0}\cdot "
        r"f_{Z^{\prime}}(-t-\varepsilon)\mathrm{d}t",
        note="The line before, written out: it inherits the missing mass at infinity.",
    )
    step(
        "eq-30",
        Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - sp.exp(eps) * F(Zp)(-eps)),
        printed=r"\delta_{P|Q}(\varepsilon)[...]=1-F_{Z}(\varepsilon)-e^{\varepsilon}\cdot "
        r"F_{Z^{\prime}}(-\varepsilon)",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-30.repaired",
        note="Meant is the left limit F_{Z'}((-eps)^-): at an atom eps of Z the printed line "
        "subtracts its mass.  Almost everywhere, which is all that (31) needs, it is right.",
    )
    repair(
        "eq-30.repaired",
        "eq-30",
        Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - sp.exp(eps) * F(Zp)(-eps, strict=True)),
        kind="step",
        corrected=r"\delta_{P|Q}(\varepsilon)"
        r"=1-F_{Z}(\varepsilon)-e^{\varepsilon}\cdot F_{Z^{\prime}}((-\varepsilon)^{-})",
        note="Every pair: the left limit of the second distribution function.",
    )
    repair(
        "eq-30.repaired-2",
        "eq-30",
        Eq(delta(P, Q)(eps), 1 - F(Z)(eps) - sp.exp(eps) * F(Zp)(-eps)),
        where=[NoAtom(Z, eps)],
        kind="step",
        corrected=r"\delta_{P|Q}(\varepsilon)=1-F_{Z}(\varepsilon)"
        r"-e^{\varepsilon}\cdot F_{Z^{\prime}}(-\varepsilon),\quad\Pr[Z=\varepsilon]=0",
        note="As printed, at every eps that is no atom of Z.",
    )

    step(
        "eq-31",
        Eq(
            B(delta(P, Q)(t), t)(1 - q),
            B(1 - F(Z)(t) - sp.exp(t) * F(Zp)(-t), t)(1 - q),
        ),
        where=REGION,
        printed=r"\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)"
        r"=\mathcal{B}\left\{1-F_{Z}(t)-e^{t}\cdot F_{Z^{\prime}}(-t)\right\}(1-q)",
        note=LINE + "  Atoms do not matter here: (30) fails at countably many points only.",
    )
    step(
        "eq-32",
        Eq(
            B(1 - F(Z)(t) - sp.exp(t) * F(Zp)(-t), t)(1 - q),
            B(1 - F(Z)(t), t)(1 - q) - B(sp.exp(t) * F(Zp)(-t), t)(1 - q),
        ),
        where=REGION,
        printed=r"\overset{(68)}{=}\mathcal{B}\left\{1-F_{Z}(t)\right\}(1-q)"
        r"-\mathcal{B}\left\{e^{t}\cdot F_{Z^{\prime}}(-t)\right\}(1-q)",
        note=LINE,
    )
    step(
        "eq-33",
        Eq(
            B(1 - F(Z)(t), t)(1 - q) - B(sp.exp(t) * F(Zp)(-t), t)(1 - q),
            B(1 - F(Z)(t), t)(1 - q) - B(F(Zp)(-t), t)(-q),
        ),
        where=REGION,
        printed=r"\overset{(70)}{=}\mathcal{B}\left\{1-F_{Z}(t)\right\}(1-q)"
        r"-\mathcal{B}\left\{F_{Z^{\prime}}(-t)\right\}(-q)",
        note=LINE,
    )
    step(
        "eq-34",
        Eq(
            B(1 - F(Z)(t), t)(1 - q) - B(F(Zp)(-t), t)(-q),
            B(1 - F(Z)(t), t)(1 - q) - B(F(Zp)(t), t)(q),
        ),
        where=REGION,
        printed=r"\overset{(72)}{=}\mathcal{B}\left\{1-F_{Z}(t)\right\}(1-q)"
        r"-\mathcal{B}\left\{F_{Z^{\prime}}(t)\right\}(q)",
        note=LINE,
    )
    step(
        "eq-35.1",
        Eq(B(1 - F(Z)(t), t)(1 - q), B(f(Z)(t), t)(1 - q) / (q - 1)),
        where=REGION,
        printed=r"\mathcal{B}\left\{1-F_{Z}(t)\right\}(1-q)\overset{(73)}{=}"
        r"\frac{\mathcal{B}\left\{f_{Z}(t)\right\}(1-q)}{q-1}",
        note=LINE,
    )
    step(
        "eq-35.2",
        Eq(B(F(Zp)(t), t)(q), B(f(Zp)(t), t)(q) / q),
        where=REGION,
        printed=r"\mathcal{B}\left\{F_{Z^{\prime}}(t)\right\}(q)\overset{(73)}{=}"
        r"\frac{\mathcal{B}\left\{f_{Z^{\prime}}\right\}(q)}{q}",
        note=LINE,
    )
    step(
        "theorem-3.3.step-1",
        Eq(B(f(Z)(t), t)(1 - q), B(f(Zp)(t), t)(q)),
        where=REGION,
        printed=r"\mathcal{B}\left\{f_{Z}\right\}(1-q)"
        r"=\mathcal{B}\left\{f_{Z^{\prime}}\right\}(q)",
        note=LINE,
    )
    step(
        "theorem-3.3.step-2",
        Eq(B(f(Zp)(t), t)(q), E(q, P, Q)),
        where=REGION,
        printed=r"\mathcal{B}\left\{f_{Z^{\prime}}\right\}(q)"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)",
        note=LINE,
    )
    step(
        "eq-36.1",
        Eq(B(delta(P, Q)(t), t)(1 - q), E(q, P, Q) * (1 / (q - 1) - 1 / q)),
        where=REGION,
        printed=r"\mathcal{B}\left\{\delta_{P|Q}(t)\right\}(1-q)"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)\left[\frac{1}{q-1}-\frac{1}{q}\right]",
        note=LINE,
    )
    step(
        "eq-36.2",
        Eq(
            E(q, P, Q) * (1 / (q - 1) - 1 / q),
            sp.exp((q - 1) * R(q, P, Q)) / (q * (q - 1)),
        ),
        where=REGION,
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)\left[\frac{1}{q-1}-\frac{1}{q}\right]"
        r"=\frac{e^{(q-1)\mathrm{R}_{q}\left(P\middle\|Q\right)}}{q(q-1)}",
        note=LINE,
    )
