"""The shape of a privacy profile and of the mass of the loss.

Continuous and non-increasing: chourasia2024/section-3.claim-1 and footnote-8.2; moments of
order 0 and 1: section-3.claim-7.1 and section-3.claim-7.2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, lam = reals("eps t lambda")
q = reals("q")
Z = PLD(P, Q)
profile = delta(P, Q)
SHAPE = "Zhu, Dong, Wang 2022, Lemma 9, which says of which functions there is a pair."

with theorem("laws/shape", "The shape of a profile"):
    claim(
        "shape.lower",
        Ge(profile(eps), sp.Max(0, 1 - sp.exp(eps))),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\geq\max\{0,1-e^{\varepsilon}\}",
        note=SHAPE + "  The events of no and of all outcomes; so the limit at -oo is 1.",
    )
    claim(
        "shape.upper",
        Le(profile(eps), 1),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\leq 1",
        note=SHAPE,
    )
    claim(
        "shape.convex",
        Le(profile(sp.log(lam * sp.exp(eps) + (1 - lam) * sp.exp(t))),
           lam * profile(eps) + (1 - lam) * profile(t)),
        where=[Gt(lam, 0), Lt(lam, 1)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\log(\lambda e^{\varepsilon}+(1-\lambda)e^{t}))"
        r"\leq\lambda\delta_{P|Q}(\varepsilon)+(1-\lambda)\delta_{P|Q}(t)",
        note=SHAPE + "  Convex as a function of e^eps.",
    )
    claim(
        "shape.convex-in-epsilon",
        Le(profile(eps / 2 + t / 2), profile(eps) / 2 + profile(t) / 2),
        kind="law",
        expected="refuted",
        printed=r"\delta_{P|Q}(\tfrac{\varepsilon+t}{2})"
        r"\leq\tfrac12\delta_{P|Q}(\varepsilon)+\tfrac12\delta_{P|Q}(t)",
        note="Not a law: " + SHAPE + "  Convex in e^eps, not in eps.",
    )
    claim(
        "shape.left",
        Eq(Lim(profile(-eps), eps, sp.oo), 1),
        kind="law",
        expected="proved",
        printed=r"\lim_{\varepsilon\to\infty}\delta_{P|Q}(-\varepsilon)=1",
        note=SHAPE,
    )
    claim(
        "shape.right",
        Eq(Lim(profile(eps), eps, sp.oo), Pr(Z, "==", sp.oo)),
        kind="law",
        expected="proved",
        printed=r"\lim_{\varepsilon\to\infty}\delta_{P|Q}(\varepsilon)=\Pr[Z=\infty]",
        note="Sommer, Meiser, Mohammadi 2019, Lemma 5: distinguishing events stay in every delta.",
    )
    claim(
        "shape.infinity",
        Ge(profile(eps), Pr(Z, "==", sp.oo)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\geq\Pr[Z=\infty]",
        note="Sommer, Meiser, Mohammadi 2019, Lemma 5.",
    )
    claim(
        "shape.lipschitz",
        Le(profile(eps) - profile(t), sp.exp(t) - sp.exp(eps)),
        where=[Ge(t, eps)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)-\delta_{P|Q}(t)\leq e^{t}-e^{\varepsilon},"
        r"\quad t\geq\varepsilon",
        note="A supremum of the functions P(S) - e^t Q(S), (6) of Chourasia et al. 2024, whose "
        "slopes in e^t lie between -1 and 0.",
    )
    claim(
        "shape.scaled",
        Le(sp.exp(-t) * (1 - profile(t)), sp.exp(-eps) * (1 - profile(eps))),
        where=[Ge(t, eps)],
        kind="law",
        expected="proved",
        printed=r"e^{-t}(1-\delta_{P|Q}(t))\leq e^{-\varepsilon}(1-\delta_{P|Q}(\varepsilon)),"
        r"\quad t\geq\varepsilon",
        note="The reversed profile decreases: (7) of Chourasia et al. 2024 with its footnote 8.",
    )
    claim(
        "shape.tail",
        Le(profile(eps), Pr(Z, ">", eps)),
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\leq\Pr[Z>\varepsilon]",
        note="Probabilistic differential privacy is the stronger notion: Sommer, Meiser, "
        "Mohammadi 2019, Section 4.5.",
    )
    claim(
        "shape.tail-below",
        Ge(profile(eps), (1 - sp.exp(eps - t)) * Pr(Z, ">", t)),
        where=[Ge(t, eps)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)\geq(1-e^{\varepsilon-t})\Pr[Z>t],"
        r"\quad t\geq\varepsilon",
        note="The event Z > t in (1) of Chourasia et al. 2024; Kasiviswanathan and Smith 2014 "
        "compare the two notions so.",
    )
    claim(
        "shape.negative-losses",
        Le(Pr(Z, "<", -t), sp.exp(-t)),
        where=[Ge(t, 0)],
        kind="law",
        expected="proved",
        printed=r"\Pr[Z<-t]\leq e^{-t},\quad t\geq 0",
        note="Markov's inequality for e^-Z, whose mean is at most 1: Sommer, Meiser, Mohammadi "
        "2019, Definition 3.",
    )
    claim(
        "shape.moments-between",
        Defined(E(q, P, Q)),
        where=[Gt(q, 0), Lt(q, 1)],
        kind="law",
        expected="proved",
        printed=r"\mathrm{E}_q(P\|Q)<\infty,\quad 0<q<1",
        note="Hoelder's inequality: between 0 and 1 every pair has the moments of (8) in Chourasia "
        "et al. 2024.",
    )
