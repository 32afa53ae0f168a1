"""Divergences in order: total variation, the mean of the loss, the affinity; and losses bounded on
both sides.

Total variation is the profile at 0; the mean of the loss is the divergence of Kullback and Leibler
1951; E_{1/2} is the affinity, 1 - E_{1/2} half the squared Hellinger distance.  Total
variation as a supremum over events: sommer2020/section-6.1.claim-2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
S = Event("S")
eps, q, a, b = reals("eps q a b")
KL = Ex(Z, Z)
TV = delta(P, Q)(0)
HALF = sp.Rational(1, 2)
HELLINGER = 1 - E(HALF, P, Q)
PURE = [Eq(delta(P, Q)(eps), 0), Eq(delta(Q, P)(eps), 0)]

with theorem("laws/divergences", "Divergences in order"):
    claim(
        "divergences.pinsker",
        Le(TV, sp.sqrt(KL / 2)),
        where=Defined(KL),
        kind="law",
        expected="proved",
        printed=r"\mathrm{TV}(P,Q)\leq\sqrt{\mathrm{KL}(P\|Q)/2}",
        note="Pinsker 1964, with the constant of Csiszar 1967 and Kullback 1967.",
    )
    claim(
        "divergences.pinsker-event",
        Le(sp.Abs(P(S) - Q(S)), sp.sqrt(KL / 2)),
        where=Defined(KL),
        kind="law",
        expected="proved",
        printed=r"|P(S)-Q(S)|\leq\sqrt{\mathrm{KL}(P\|Q)/2}",
        note="Pinsker 1964, said of one event.",
    )
    claim(
        "divergences.bretagnolle-huber",
        Le(TV, sp.sqrt(1 - sp.exp(-KL))),
        where=Defined(KL),
        kind="law",
        expected="proved",
        printed=r"\mathrm{TV}(P,Q)\leq\sqrt{1-e^{-\mathrm{KL}(P\|Q)}}",
        note="Bretagnolle and Huber 1979; below 1 also where Pinsker's bound is not.",
    )
    claim(
        "divergences.le-cam-below",
        Le(HELLINGER, TV),
        kind="law",
        expected="proved",
        printed=r"1-\mathrm{E}_{1/2}(P\|Q)\leq\mathrm{TV}(P,Q)",
        note="Le Cam 1986; Kraft 1955.",
    )
    claim(
        "divergences.le-cam-above",
        Le(TV, sp.sqrt(HELLINGER * (2 - HELLINGER))),
        kind="law",
        expected="proved",
        printed=r"\mathrm{TV}(P,Q)\leq\sqrt{H(2-H)},\quad H=1-\mathrm{E}_{1/2}(P\|Q)",
        note="Le Cam 1986; Kraft 1955.",
    )
    claim(
        "divergences.pure-mean",
        Le(KL, eps * sp.tanh(eps / 2)),
        where=PURE,
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=\delta_{Q|P}(\varepsilon)=0\implies"
        r"\mathrm{KL}(P\|Q)\leq\varepsilon\tanh(\varepsilon/2)",
        note="Randomized response has equality: Kairouz, Oh, Viswanath 2015; Dwork, Rothblum, "
        "Vadhan 2010, Lemma III.2, have eps (e^eps - 1).",
    )
    claim(
        "divergences.pure-mean-square",
        Le(KL, eps**2 / 2),
        where=PURE,
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=\delta_{Q|P}(\varepsilon)=0\implies"
        r"\mathrm{KL}(P\|Q)\leq\varepsilon^{2}/2",
        note="Bun and Steinke 2016, Proposition 3.3, at order 1.",
    )
    claim(
        "divergences.pure-renyi",
        Le(R(q, P, Q), q * eps**2 / 2),
        where=[*PURE, Gt(q, 1)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=\delta_{Q|P}(\varepsilon)=0\implies"
        r"\mathrm{R}_{q}(P\|Q)\leq q\varepsilon^{2}/2",
        note="Pure privacy is concentrated: Bun and Steinke 2016, Proposition 3.3.",
    )
    claim(
        "divergences.renyi-order",
        Le(R(a, P, Q), R(b, P, Q)),
        where=[Gt(a, 1), Le(a, b)],
        kind="law",
        expected="proved",
        printed=r"1<a\leq b\implies\mathrm{R}_{a}(P\|Q)\leq\mathrm{R}_{b}(P\|Q)",
        note="Renyi 1961; van Erven and Harremoes 2014, Theorem 3. Infinite values count.",
    )
    claim(
        "divergences.mean-renyi",
        Le(KL, R(q, P, Q)),
        where=Gt(q, 1),
        kind="law",
        expected="proved",
        printed=r"q>1\implies\mathrm{KL}(P\|Q)\leq\mathrm{R}_{q}(P\|Q)",
        note="van Erven and Harremoes 2014, Theorems 3 and 5.",
    )
