"""Section 3, prose: known expressions (20), (21) of the notions in the privacy loss."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
eps = reals("eps")
q = complexes("q")

DISPLAY = "Compared with the first expression of the display."

with theorem("chourasia2024/section-3", "Laplace Transform Expressions of Differential Privacy",
             fidelity="printed"):
    claim(
        "eq-20.1",
        Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - sp.exp(eps - Z)), Z)),
        printed=r"\delta_{P|Q}(\varepsilon)=\underset{\mathrm{PLD}(P\|Q)}{\mathbb{E}}"
        r"\left[1-e^{\varepsilon-Z}\right]_{+}",
    )
    claim(
        "eq-20.2",
        Eq(delta(P, Q)(eps), Ex(sp.Max(0, sp.exp(-Zp) - sp.exp(eps)), Zp)),
        printed=r"\delta_{P|Q}(\varepsilon)[...]=\underset{\mathrm{PLD}(Q\|P)}{\mathbb{E}}"
        r"\left[e^{-Z^{\prime}}-e^{\varepsilon}\right]_{+}",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="chourasia2024/eq-20.2.repaired",
        note=DISPLAY + "  Under Q the outcomes with Q = 0 < P are lost.",
        root="eq-23",
    )
    repair(
        "eq-20.2.repaired",
        "eq-20.2",
        Eq(
            delta(P, Q)(eps),
            Ex(sp.Max(0, sp.exp(-Zp) - sp.exp(eps)), Zp) + Pr(Z, "==", sp.oo),
        ),
        corrected=r"\delta_{P|Q}(\varepsilon)=\underset{\mathrm{PLD}(Q\|P)}{\mathbb{E}}"
        r"\left[e^{-Z^{\prime}}-e^{\varepsilon}\right]_{+}+\Pr[Z=\infty]",
        note="Every pair: adds the mass at infinity.",
    )
    repair(
        "eq-20.2.repaired-2",
        "eq-20.2",
        Eq(delta(P, Q)(eps), Ex(sp.Max(0, sp.exp(-Zp) - sp.exp(eps)), Zp)),
        where=[ac(P, Q)],
        corrected=r"\delta_{P|Q}(\varepsilon)=\underset{\mathrm{PLD}(Q\|P)}{\mathbb{E}}"
        r"\left[e^{-Z^{\prime}}-e^{\varepsilon}\right]_{+},\quad P\ll Q",
        note="As printed, for P << Q.",
    )
    claim(
        "eq-20.3",
        Eq(delta(P, Q)(eps), Pr(Z, ">", eps) - sp.exp(eps) * Pr(Zp, "<", -eps)),
        printed=r"\delta_{P|Q}(\varepsilon)[...]=\Pr_{\mathrm{PLD}(P\|Q)}"
        r"[Z>\varepsilon]-e^{\varepsilon}\cdot\Pr_{\mathrm{PLD}(Q\|P)}[Z^{\prime}"
        r"<-\varepsilon]",
        note=DISPLAY,
    )

    claim(
        "eq-21.1",
        Eq(R(q, P, Q), sp.log(Ex(sp.exp((q - 1) * Z), Z)) / (q - 1)),
        where=[Defined(E(q, P, Q)), Ne(q, 0), Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=r"\mathrm{R}_{q}\left(P\middle\|Q\right)=\frac{1}{q-1}"
        r"\log\underset{\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{(q-1)\cdot Z}\right]",
        note="Excludes q = 0, q = 1 and the zeros of E_q.",
        readings=["eq-21.1", "eq-21.1.letter"],
    )
    claim(
        "eq-21.1.letter",
        Eq(R(q, P, Q), sp.log(Ex(sp.exp((q - 1) * Z), Z)) / (q - 1)),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{R}_{q}\left(P\middle\|Q\right)=\frac{1}{q-1}"
        r"\log\underset{\mathrm{PLD}(P\|Q)}{\mathbb{E}}\left[e^{(q-1)\cdot Z}\right]",
        fault="convention",
        expected="refuted",
        note="Orders are those of (8).  Undefined at q = 1 and where E_q = 0; at q = 0 the two "
        "sides treat outcomes with P = 0 < Q differently.",
        readings=["eq-21.1", "eq-21.1.letter"],
    )
    claim(
        "eq-21.2",
        Eq(R(q, P, Q), sp.log(Ex(sp.exp(-q * Zp), Zp)) / (q - 1)),
        where=[Defined(E(q, P, Q)), Ne(q, 0), Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=r"\mathrm{R}_{q}\left(P\middle\|Q\right)[...]=\frac{1}{q-1}"
        r"\log\underset{\mathrm{PLD}(Q\|P)}{\mathbb{E}}\left[e^{-q\cdot Z^{\prime}}\right]",
        note="Excludes q = 0, q = 1 and the zeros of E_q.",
        readings=["eq-21.2", "eq-21.2.letter"],
    )
    claim(
        "eq-21.2.letter",
        Eq(R(q, P, Q), sp.log(Ex(sp.exp(-q * Zp), Zp)) / (q - 1)),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{R}_{q}\left(P\middle\|Q\right)[...]=\frac{1}{q-1}"
        r"\log\underset{\mathrm{PLD}(Q\|P)}{\mathbb{E}}\left[e^{-q\cdot Z^{\prime}}\right]",
        fault="convention",
        expected="refuted",
        note=DISPLAY + "  Orders are those of (8); as for the first expression.",
        readings=["eq-21.2", "eq-21.2.letter"],
    )
