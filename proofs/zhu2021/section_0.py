"""Section 0 (slides): advanced composition, and the range of the moments accountant."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

e, q, r = reals("e q r")
SMALL = sp.Rational(1, 10**6)

P, Q = mechanism_pair(randomized_response(4) ** 100, "P^{100}", "Q^{100}")
G, H = pair("P", "Q")

COMPOSED = (
    r"\text{composing }(\varepsilon,\delta)\ n\text{ times, you get }"
    r"(\tilde O(\sqrt{n}\,\varepsilon),O(n\delta))"
)
PURE = (
    "Pure DP, delta = 0: then O(n delta) is 0, and n-fold randomized response has delta > 0 "
    "everywhere below n eps, which outgrows sqrt(n) times any power of log n.  Here n = 100, "
    "eps = 4, with the constant 2 and one factor log n."
)
RANGE = (
    r"\text{the moments accountant keeps track of the }(\varepsilon,\delta)\text{ DP parameters "
    r"across the entire range }\{(\varepsilon(\delta),\delta)\mid\forall\delta\in[0,1]\}"
)

with theorem("zhu2021/section-0", "Motivation"):
    claim(
        "section-0.claim-1.reading-1",
        Le(delta(P, Q)(2 * sp.sqrt(100) * 4 * sp.log(100)), 0),
        printed=COMPOSED,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/section-0.claim-1.reading-1.repaired",
        note="The root garbled in the source, first reading: sqrt(n) eps.  " + PURE,
    )
    repair(
        "section-0.claim-1.reading-1.repaired",
        "section-0.claim-1.reading-1",
        Le(
            delta(P, Q)(
                100 * 4 * (sp.exp(4) - 1) / (sp.exp(4) + 1)
                + 4 * sp.sqrt(2 * 100 * sp.log(1 / SMALL))
            ),
            SMALL,
        ),
        corrected=r"\left(n\varepsilon\tfrac{e^{\varepsilon}-1}{e^{\varepsilon}+1}"
        r"+\varepsilon\sqrt{2n\log(1/\delta')},\ n\delta+\delta'\right)",
        note="With the mean of the composed loss and a slack delta' = 10^-6, at n = 100 and "
        "eps = 4: the form of Dwork, Rothblum, Vadhan 2010.  The mean is of the order n eps^2.",
    )
    claim(
        "section-0.claim-1.reading-2",
        Le(delta(P, Q)(2 * sp.sqrt(100 * 4) * sp.log(100)), 0),
        printed=COMPOSED.replace(r"\sqrt{n}\,\varepsilon", r"\sqrt{n\varepsilon}"),
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/section-0.claim-1.reading-1.repaired",
        note="Second reading: sqrt(n eps).  " + PURE,
    )
    claim(
        "section-0.claim-6",
        Le(delta(G, H)(e), sp.exp((q - 1) * (r - e))),
        where=[Gt(q, 1), Le(R(q, G, H), r)],
        printed=RANGE,
        note="Every mechanism with a Renyi divergence of some order q: at e = r + log(1/delta)/"
        "(q - 1) the right side is delta: an eps(delta) for every delta in (0, 1].  eps(0) = oo.",
    )
