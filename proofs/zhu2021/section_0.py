"""Section 0 (slides): advanced composition, and the range of the moments accountant."""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

d = reals("delta")
e = reals("e")
d0 = positives("delta")
SMALL = sp.Rational(1, 10**6)

P, Q = mechanism_pair(randomized_response(4) ** 100, "P^{100}", "Q^{100}")
G, H = mechanism_pair(gaussian(1), "P", "Q")

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
UNIT = [Ge(d, 0), Le(d, 1)]

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
        printed=r"\left(n\varepsilon\tfrac{e^{\varepsilon}-1}{e^{\varepsilon}+1}"
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
        Exists(e, Le(delta(G, H)(e), d)),
        where=UNIT,
        printed=RANGE,
        fault="false claim",
        expected="refuted",
        repaired_by="zhu2021/section-0.claim-6.repaired",
        note="The Gaussian mechanism with sigma = 1: at delta = 0 there is no finite eps.  (With "
        "eps(0) = oo nothing is said there.)",
    )
    repair(
        "section-0.claim-6.repaired",
        "section-0.claim-6",
        Le(delta(G, H)(2 * sp.sqrt(sp.log(1 / d0))), d0),
        where=[Le(d0, 1)],
        printed=r"\forall\delta\in(0,1]",
        note="An eps(delta) for every delta in (0, 1]: 2 sqrt(log(1/delta)) is one.",
    )
