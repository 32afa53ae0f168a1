"""From one notion to another: profile, loss, moments, trade-off function.

Profile from the loss: chourasia2024/eq-1.1, and back: `conversions.loss` here; moments from the
profile and back: section-3.claim-3.repaired and eq-37.repaired; profile from the trade-off function
and back: section-4.1.claim-2.1 and section-4.1.claim-2.2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, x, bound = reals("eps t x delta")
q, s, gamma, y = reals("q s gamma y")
Z = PLD(P, Q)
profile, f_profile = delta(P, Q), T(P, Q)
LEVEL = [Ge(x, 0), Le(x, 1)]
REGION = "The privacy region of Kairouz, Oh, Viswanath 2015; Zhu, Dong, Wang 2022, Lemma 5."

with theorem("laws/conversions", "From one notion to another"):
    claim(
        "conversions.loss",
        Eq(f(Z)(t), D(profile(t), t, 2) - D(profile(t), t)),
        kind="law",
        expected="proved",
        printed=r"f_Z=\ddot\delta_{P|Q}-\dot\delta_{P|Q}",
        note="The loss from the profile, as measures: the proof of (47) in Chourasia et al. 2024; "
        "Sommer, Meiser, Mohammadi 2019, Lemma 6.",
    )
    claim(
        "conversions.through-loss",
        Eq(profile(eps), Lim(profile(t), t, sp.oo)
           + Int(sp.Max(0, 1 - sp.exp(eps - t)) * (D(profile(t), t, 2) - D(profile(t), t)),
                 t, -sp.oo, sp.oo)),
        kind="law",
        expected="proved",
        printed=r"\delta(\varepsilon)=\delta(\infty)"
        r"+\int(1-e^{\varepsilon-t})_+(\ddot\delta-\dot\delta)(t)\,dt",
        note="From the profile to the loss and back: Sommer, Meiser, Mohammadi 2019, Lemma 6; (1) "
        "of Chourasia et al. 2024.",
    )
    claim(
        "conversions.through-moment",
        Eq(profile(eps), Linv(B(profile(t), t, s), s, eps, gamma)),
        where=[Lt(gamma, 0), Defined(E(1 - gamma, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\delta=\mathcal{B}^{-1}\{\mathcal{B}\{\delta\}\}\text{ on }"
        r"\Re s=\gamma<0,\quad\mathrm{E}_{1-\gamma}(P\|Q)<\infty",
        note="From the profile to the moments E_{1-s} = s (s - 1) B{delta}(s) and back: (3) and "
        "(37) of Chourasia et al. 2024.",
    )
    claim(
        "conversions.through-profile",
        Eq(f_profile(x), Sup(sp.exp(-t) * (1 - x - Sup(1 - y - sp.exp(t) * f_profile(y), y, 0, 1)),
                             t, -sp.oo, sp.oo)),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f(x)=\sup_t e^{-t}(1-x-\sup_y(1-y-e^{t}f(y)))",
        note="From the trade-off function to the profile and back, Fenchel duality: Zhu, Dong, "
        "Wang 2022, Lemmas 22 and 23 for two directions at once; here for one.",
    )
    claim(
        "conversions.second-moment",
        Eq(E(2, P, Q), 1 + 2 * Int(sp.exp(t) * (profile(t) - sp.Max(0, 1 - sp.exp(t))),
                                   t, -sp.oo, sp.oo)),
        where=Defined(E(2, P, Q)),
        kind="law",
        expected="proved",
        printed=r"\mathrm{E}_2(P\|Q)=1+2\int_0^\infty(\delta_{P|Q}(\log\alpha)"
        r"-(1-\alpha)_+)\,d\alpha",
        note="The chi-square divergence from the profile: (3) of Chourasia et al. 2024 at order 2, "
        "with the divergent part of its integral taken off.",
    )
    claim(
        "conversions.chernoff",
        Le(Pr(Z, ">", eps), sp.exp(-(q - 1) * eps) * E(q, P, Q)),
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\Pr[Z>\varepsilon]\leq e^{-(q-1)\varepsilon}\,\mathrm{E}_q(P\|Q),\quad q>1",
        note="Abadi et al. 2016, Theorem 2 (tail bound); Mironov 2017, Proposition 3.",
    )
    claim(
        "conversions.chernoff-sharp",
        Le(profile(eps), sp.exp(-eps) * E(2, P, Q) / 4),
        where=[Defined(E(2, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\leq\tfrac14 e^{-\varepsilon}\,\mathrm{E}_2(P\|Q)",
        note="The conversion of Canonne, Kamath, Steinke 2020 at the order 2.",
    )
    claim(
        "conversions.pure-renyi",
        Le(R(q, P, Q), eps),
        where=[Gt(q, 1), Eq(profile(eps), 0)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=0\implies\mathrm{R}_q(P\|Q)\leq\varepsilon,\quad q>1",
        note="Mironov 2017: pure differential privacy is the order infinity.",
    )
    claim(
        "conversions.region",
        Ge(f_profile(x), sp.Max(0, 1 - delta(Q, P)(eps) - sp.exp(eps) * x,
                                sp.exp(-eps) * (1 - profile(eps) - x))),
        where=LEVEL,
        kind="law",
        expected="proved",
        printed=r"f_{P|Q}(x)\geq\max\{0,1-\delta_{Q|P}(\varepsilon)-e^{\varepsilon}x,"
        r"e^{-\varepsilon}(1-\delta_{P|Q}(\varepsilon)-x)\}",
        note=REGION + "  Each bound needs the profile of its own direction.",
    )
    claim(
        "conversions.wrong-direction",
        Ge(f_profile(x), 1 - bound - sp.exp(eps) * x),
        where=[*LEVEL, Ge(bound, 0), Le(bound, 1), Ge(eps, 0), Le(profile(eps), bound)],
        kind="law",
        expected="refuted",
        printed=r"\delta_{P|Q}(\varepsilon)\leq\delta\implies "
        r"f_{P|Q}(x)\geq 1-\delta-e^{\varepsilon}x",
        note="Not a law: this bound needs the reversed profile (" + REGION + ").",
    )
    claim(
        "conversions.perfect",
        Eq(f_profile(x), 1 - x),
        where=[*LEVEL, Eq(profile(0), 0)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(0)=0\implies f_{P|Q}(x)=1-x",
        note="Perfect privacy: Dong, Roth, Su 2022, Section 2.",
    )
