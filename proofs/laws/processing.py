"""Every event and every test lies under the profile, and so do the outputs of a channel: data
processing.

The profile is the least such bound: chourasia2024/eq-6.1 and definition-2.1.claim-1.2; tests lie on
or above the trade-off function: definition-2.3.claim-2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
phi = decisions("phi")
eps, q, x = reals("eps q x")
K = channel("K")
DWORK = "Dwork and Roth 2014, Proposition 2.1"

with theorem("laws/processing", "Events and tests"):
    claim(
        "processing.event",
        Le(P(S), sp.exp(eps) * Q(S) + delta(P, Q)(eps)),
        kind="law",
        expected="proved",
        printed=r"P(S)\leq e^{\varepsilon}Q(S)+\delta_{P|Q}(\varepsilon)",
        note="Dwork and Roth 2014, Definition 2.4; the events of a coarser view are events, "
        "Proposition 2.1.  At every eps, negative ones too.",
    )
    claim(
        "processing.event-below",
        Ge(P(S), sp.exp(-eps) * (Q(S) - delta(Q, P)(eps))),
        kind="law",
        expected="proved",
        printed=r"P(S)\geq e^{-\varepsilon}(Q(S)-\delta_{Q|P}(\varepsilon))",
        note="The same for the reversed pair: Dwork and Roth 2014, Definition 2.4.",
    )
    claim(
        "processing.test",
        Le(mean(P, phi), sp.exp(eps) * mean(Q, phi) + delta(P, Q)(eps)),
        kind="law",
        expected="proved",
        printed=r"\mathbb{E}_P[\phi]\leq e^{\varepsilon}\,\mathbb{E}_Q[\phi]"
        r"+\delta_{P|Q}(\varepsilon)",
        note="Randomised views: Dwork and Roth 2014, Proposition 2.1; tests: Kairouz, Oh, "
        "Viswanath 2015, on the privacy region.",
    )
    claim(
        "processing.pure",
        Le(P(S), sp.exp(eps) * Q(S)),
        where=[Eq(delta(P, Q)(eps), 0)],
        kind="law",
        expected="proved",
        printed=r"\delta_{P|Q}(\varepsilon)=0\implies P(S)\leq e^{\varepsilon}Q(S)",
        note="Pure differential privacy: Dwork, McSherry, Nissim, Smith 2006.",
    )
    claim(
        "processing.channel",
        Le(delta(K(P), K(Q))(eps), delta(P, Q)(eps)),
        kind="law",
        expected="proved",
        printed=r"\delta_{PK|QK}(\varepsilon)\leq\delta_{P|Q}(\varepsilon)",
        note="Post-processing: " + DWORK + ".  Of every channel whose laws have densities.",
    )
    claim(
        "processing.channel-variation",
        Le(TV(K(P), K(Q)), TV(P, Q)),
        kind="law",
        expected="proved",
        printed=r"\mathrm{TV}(PK,QK)\leq\mathrm{TV}(P,Q)",
        note="Post-processing at eps = 0: " + DWORK + ".",
    )
    claim(
        "processing.channel-renyi",
        Le(R(q, K(P), K(Q)), R(q, P, Q)),
        where=Gt(q, 1),
        kind="law",
        expected="proved",
        printed=r"\mathrm{R}_q(PK\|QK)\leq\mathrm{R}_q(P\|Q),\quad q>1",
        note="van Erven and Harremoes 2014, Theorem 9. Infinite values count.",
    )
    claim(
        "processing.channel-trade-off",
        Ge(T(K(P), K(Q))(x), T(P, Q)(x)),
        where=[Ge(x, 0), Le(x, 1)],
        kind="law",
        expected="proved",
        printed=r"f_{PK|QK}(x)\geq f_{P|Q}(x)",
        note="Dong, Roth, Su 2022, Lemma 2.9.",
    )
    claim(
        "processing.channel-kept",
        Eq(delta(K(P), K(Q))(eps), delta(P, Q)(eps)),
        kind="law",
        expected="refuted",
        printed=r"\delta_{PK|QK}(\varepsilon)=\delta_{P|Q}(\varepsilon)",
        note="Not a law: a channel may forget its input, " + DWORK + ".",
    )
