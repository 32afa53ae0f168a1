"""Mixtures of the members of a pair: Poisson subsampling in both directions, joint convexity.

The whole profiles: chourasia2024/eq-187.repaired-2 (remove) and section-5.claim-8 (add); a sample
never has a larger profile: section-5.claim-5.1 and section-5.claim-5.2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, lam = reals("eps t lambda")
MIXED = lam * P + (1 - lam) * Q
SWAPPED = (1 - lam) * P + lam * Q
RATE = [Ge(lam, 0), Le(lam, 1)]
INSIDE = [Gt(lam, 0), Lt(lam, 1)]
SHARE = 1 - lam * (1 - sp.exp(-eps))
AMPLIFICATION = "Balle, Barthe, Gaboardi 2018, Theorem 2 (advanced joint convexity)."
LINEAR = "Li, Qardaji, Su 2012, Theorem 1, with the level eps kept."

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
