"""Section 0 (slides): advanced composition, and the range of the moments accountant."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

e, q, r = reals("e q r")
SMALL = sp.Rational(1, 10**6)

P, Q = mechanism_pair(randomized_response(sp.Rational(1, 10), SMALL) ** 100, "P^{100}", "Q^{100}")
G, H = pair("P", "Q")

COMPOSED = (
    r"\text{composing }(\varepsilon,\delta)\ n\text{ times, you get }"
    r"(\tilde O(\sqrt{n}\,\varepsilon),O(n\delta))"
)
RANGE = (
    r"\text{the moments accountant keeps track of the }(\varepsilon,\delta)\text{ DP parameters "
    r"across the entire range }\{(\varepsilon(\delta),\delta)\mid\forall\delta\in[0,1]\}"
)

with theorem("zhu2021/section-0", "Motivation", fidelity="printed"):
    claim(
        "section-0.claim-1",
        Le(delta(P, Q)(sp.sqrt(100) / 10 * sp.sqrt(2 * sp.log(1 / SMALL))), 2 * 100 * SMALL),
        printed=COMPOSED,
        note="n = 100, eps = 1/10, delta = 10^-6, attained by randomized response; the constants "
        "are 1 and 2, and the factor that the tilde hides is sqrt(2 log(1/delta)).  Below sqrt(n) "
        "eps = 1 the order is as printed; above it the mean n eps^2 of the loss is the larger.",
        fidelity="instance",
    )
    claim(
        "section-0.claim-6",
        Le(delta(G, H)(e), sp.exp((q - 1) * (r - e))),
        where=[Gt(q, 1), Le(R(q, G, H), r)],
        printed=RANGE,
        note="Every mechanism with a Renyi divergence of some order q: at e = r + log(1/delta)/"
        "(q - 1) the right side is delta: an eps(delta) for every delta in (0, 1].  eps(0) = oo.",
    )
