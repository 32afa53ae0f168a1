"""Every event and every test lies under the profile: data processing.

The profile is the least such bound: chourasia2024/eq-6.1 and definition-2.1.claim-1.2; tests lie on
or above the trade-off function: definition-2.3.claim-2.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
phi = decisions("phi")
eps = reals("eps")

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
