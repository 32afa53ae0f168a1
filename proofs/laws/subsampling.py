"""Mixtures of the members of a pair: Poisson subsampling in both directions, joint convexity.

The whole profiles: chourasia2024/eq-187.repaired-2 (remove) and section-5.claim-8 (add); a sample
never has a larger profile: section-5.claim-5.1 and section-5.claim-5.2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
M1, M2, N1, N2 = distributions("P1 P2 Q1 Q2")
S = Event("S")
eps, t, x, lam = reals("eps t x lambda")
MIXED = lam * P + (1 - lam) * Q
SWAPPED = (1 - lam) * P + lam * Q
RATE = [Ge(lam, 0), Le(lam, 1)]
INSIDE = [Gt(lam, 0), Lt(lam, 1)]
SHARE = 1 - lam * (1 - sp.exp(-eps))
AMPLIFICATION = "Advanced joint convexity: Balle, Barthe, Gaboardi 2018."
LINEAR = "Amplification by sampling: Li, Qardaji, Su 2012, with the level eps kept."

with theorem("laws/subsampling", "Mixtures of the members of a pair"):
    claim(
        "subsampling.remove",
        Eq(delta(MIXED, Q)(sp.log(1 + lam * (sp.exp(eps) - 1))), lam * delta(P, Q)(eps)),
        where=[Gt(lam, 0), Le(lam, 1)],
        kind="law",
        expected="proved",
        printed=r"\delta_{\lambda P+(1-\lambda)Q|Q}(\log(1+\lambda(e^{\varepsilon}-1)))"
        r"=\lambda\,\delta_{P|Q}(\varepsilon)",
        note=AMPLIFICATION,
    )
    claim(
        "subsampling.add",
        Eq(SHARE * delta(Q, MIXED)(-sp.log(SHARE)), lam * sp.exp(-eps) * delta(Q, P)(eps)),
        where=[Gt(lam, 0), Le(lam, 1)],
        kind="law",
        expected="proved",
        printed=r"s\,\delta_{Q|\lambda P+(1-\lambda)Q}(-\log s)"
        r"=\lambda e^{-\varepsilon}\delta_{Q|P}(\varepsilon),\quad s=1-\lambda(1-e^{-\varepsilon})",
        note="Zhu, Dong, Wang 2022, Theorem 11, as a profile.",
    )
    claim(
        "subsampling.linear-remove",
        Le(delta(MIXED, Q)(eps), lam * delta(P, Q)(eps)),
        where=[*RATE, Ge(eps, 0)],
        kind="law",
        expected="proved",
        printed=r"\delta_{\lambda P+(1-\lambda)Q|Q}(\varepsilon)"
        r"\leq\lambda\,\delta_{P|Q}(\varepsilon),\quad\varepsilon\geq 0",
        note=LINEAR,
    )
    claim(
        "subsampling.linear-add",
        Le(delta(Q, MIXED)(eps), lam * delta(Q, P)(eps)),
        where=[*RATE, Ge(eps, 0)],
        kind="law",
        expected="proved",
        printed=r"\delta_{Q|\lambda P+(1-\lambda)Q}(\varepsilon)"
        r"\leq\lambda\,\delta_{Q|P}(\varepsilon),\quad\varepsilon\geq 0",
        note=LINEAR,
    )
    claim(
        "subsampling.total-variation",
        Eq(delta(MIXED, Q)(0), lam * delta(P, Q)(0)),
        where=RATE,
        kind="law",
        expected="proved",
        printed=r"\delta_{\lambda P+(1-\lambda)Q|Q}(0)=\lambda\,\delta_{P|Q}(0)",
        note=AMPLIFICATION + "  At eps = 0.",
    )
    claim(
        "subsampling.infinity-remove",
        Eq(Pr(PLD(MIXED, Q), "==", sp.oo), lam * Pr(PLD(P, Q), "==", sp.oo)),
        where=RATE,
        kind="law",
        expected="proved",
        printed=r"\Pr[Z_{\lambda P+(1-\lambda)Q|Q}=\infty]=\lambda\Pr[Z_{P|Q}=\infty]",
        note="Zhu, Dong, Wang 2022, Theorem 11: the pair for removal.",
    )
    claim(
        "subsampling.infinity-add",
        Eq(Pr(PLD(Q, MIXED), "==", sp.oo), 0),
        where=INSIDE,
        kind="law",
        expected="proved",
        printed=r"\Pr[Z_{Q|\lambda P+(1-\lambda)Q}=\infty]=0,\quad 0<\lambda<1",
        note="Zhu, Dong, Wang 2022, Theorem 11: the pair for addition has no such mass.",
    )
    claim(
        "subsampling.second-moment",
        Eq(E(2, MIXED, Q), 1 + lam**2 * (E(2, P, Q) - 1)),
        where=[Gt(lam, 0), Le(lam, 1), Defined(E(2, P, Q))],
        kind="law",
        expected="proved",
        printed=r"\mathrm{E}_2(\lambda P+(1-\lambda)Q\|Q)=1+\lambda^{2}(\mathrm{E}_2(P\|Q)-1)",
        note="The chi-square divergence is quadratic in the rate: Mironov, Talwar, Zhang 2019.",
    )
    claim(
        "subsampling.one-direction",
        Implies(Eq(delta(P, Q)(t), delta(Q, P)(t)),
                Eq(delta(MIXED, Q)(eps), delta(Q, MIXED)(eps)), over=(t,)),
        where=RATE,
        kind="law",
        expected="refuted",
        printed=r"\delta_{P|Q}=\delta_{Q|P}\implies"
        r"\delta_{\lambda P+(1-\lambda)Q|Q}=\delta_{Q|\lambda P+(1-\lambda)Q}",
        note="Not a law: a sample of a symmetric pair is not symmetric; Zhu, Dong, Wang 2022, "
        "after Theorem 11.",
    )
    claim(
        "subsampling.convexity",
        Le(delta(MIXED, SWAPPED)(eps),
           lam * delta(P, Q)(eps) + (1 - lam) * delta(Q, P)(eps)),
        where=RATE,
        kind="law",
        expected="proved",
        printed=r"\delta_{\lambda P+(1-\lambda)Q|\lambda Q+(1-\lambda)P}(\varepsilon)"
        r"\leq\lambda\,\delta_{P|Q}(\varepsilon)+(1-\lambda)\,\delta_{Q|P}(\varepsilon)",
        note="Joint convexity, of (P, Q) and (Q, P): Balle, Barthe, Gaboardi 2018.",
    )
    claim(
        "subsampling.joint-convexity",
        Le(Sup(lam * M1(S) + (1 - lam) * M2(S)
               - sp.exp(eps) * (lam * N1(S) + (1 - lam) * N2(S)), S),
           lam * Sup(M1(S) - sp.exp(eps) * N1(S), S)
           + (1 - lam) * Sup(M2(S) - sp.exp(eps) * N2(S), S)),
        where=RATE,
        kind="law",
        expected="proved",
        printed=r"\delta_{\lambda P_1+(1-\lambda)P_2|\lambda Q_1+(1-\lambda)Q_2}"
        r"\leq\lambda\,\delta_{P_1|Q_1}+(1-\lambda)\,\delta_{P_2|Q_2}",
        note="Joint convexity, profiles written as suprema over events: Balle, Barthe, Gaboardi "
        "2018.",
    )
    claim(
        "subsampling.reversed",
        Eq(delta(Q, MIXED)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(MIXED, Q)(-eps)),
        where=RATE,
        kind="law",
        expected="proved",
        printed=r"\delta_{Q|\lambda P+(1-\lambda)Q}(\varepsilon)=1-e^{\varepsilon}"
        r"+e^{\varepsilon}\delta_{\lambda P+(1-\lambda)Q|Q}(-\varepsilon)",
        note="The pair for addition is that for removal, reversed: Zhu, Dong, Wang 2022, Theorem "
        "11.",
    )
    claim(
        "subsampling.linear-below",
        Le(delta(MIXED, Q)(eps), lam * delta(P, Q)(eps)),
        where=RATE,
        kind="law",
        expected="refuted",
        printed=r"\delta_{\lambda P+(1-\lambda)Q|Q}(\varepsilon)"
        r"\leq\lambda\,\delta_{P|Q}(\varepsilon)",
        note="Not a law: at eps < 0 a profile is at least 1 - e^eps; Balle et al. 2018.",
    )
    claim(
        "subsampling.trade-off-remove",
        Ge(T(MIXED, Q)(x), lam * T(P, Q)(x) + (1 - lam) * (1 - x)),
        where=[*RATE, Ge(x, 0), Le(x, 1)],
        kind="law",
        expected="refuted",
        printed=r"f_{\lambda P+(1-\lambda)Q|Q}(x)\geq\lambda f_{P|Q}(x)+(1-\lambda)(1-x)",
        note="Not a law: laws/trade-offs.subsampled, Dong, Roth, Su 2022, has the mixture second.",
    )
