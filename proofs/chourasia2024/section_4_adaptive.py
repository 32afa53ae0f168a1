"""Section 4, adaptive composition, and footnote 3: sums of dependent losses."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
x = outcome("x")
P2x, Q2x = family("P2", "Q2", x)
P, Q = adaptive_pair((P1, Q1), (P2x, Q2x))
BOTH, OTHER = product_pair((P1, Q1), (P2, Q2), names=("P1 x P2", "Q1 x Q2"))
eps, e = reals("eps e")
DOMINATED = ForAll((e, x), Le(delta(P2x, Q2x)(e), delta(P2, Q2)(e)))
CONVOLVED = conv(
    delta(P1, Q1)(eps),
    D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps),
    eps,
)

# The second release says nothing after the first outcome, and is a biased coin after the other.
FIRST = mechanism_pair(finite(["1/2", "1/2"], ["1/4", "3/4"]), "A", "B")
SECOND = mechanism_pair(finite(["1/2", "1/6", "1/3"], ["1/2", "1/3", "1/6"]), "C", "D")
JOINT = mechanism_pair(finite(["1/2", "1/6", "1/3"], ["1/4", "1/2", "1/4"]), "J", "K")
APART = product_pair(FIRST, SECOND, names=("A x C", "B x D"))
EXAMPLE = (
    "An exact example: the first release has losses log 2 and log(2/3); after the first of its "
    "outcomes the second loss is 0, after the other it is log 2 or -log 2.  "
)

with theorem("chourasia2024/section-4.adaptive", "Adaptive composition", fidelity="printed"):
    claim(
        "section-4.claim-15",
        Ne(E(2, *JOINT), E(2, *FIRST) * E(2, *SECOND)),
        printed=r"\text{the output distribution of }\mathcal{M}_{1}\text{ and }\mathcal{M}_{2}"
        r"\text{ are no longer independent}",
        note=EXAMPLE + "Of independent losses the moments would multiply.",
        fidelity="instance",
    )
    claim(
        "section-4.claim-16.letter",
        Le(delta(P, Q)(eps), CONVOLVED),
        where=[DOMINATED],
        printed=r"\text{Theorem 4.2 can still be applied as long as their exists a distribution }"
        r"\text{pair }P_{2},Q_{2}\text{ that dominates the privacy profile of output distribution }"
        r"\text{pairs }\mathcal{M}_{2}(D,\theta)\text{ and }\mathcal{M}_{2}(D^{\prime},\theta)",
        expected="refuted",
        readings=["section-4.claim-16.letter", "section-4.claim-16"],
        note="The bound by the convolution in (47), whatever the dominating pair is: it loses the "
        "mass Pr[Z_2 = oo], which the hypothesis of Theorem 4.2 on the pair does not exclude.",
    )
    claim(
        "section-4.claim-16",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[DOMINATED],
        printed=r"\text{Theorem 4.2 can still be applied as long as their exists a distribution }"
        r"\text{pair }P_{2},Q_{2}\text{ that dominates the privacy profile of output distribution }"
        r"\text{pairs }\mathcal{M}_{2}(D,\theta)\text{ and }\mathcal{M}_{2}(D^{\prime},\theta)",
        readings=["section-4.claim-16.letter", "section-4.claim-16"],
        note="Second reading: the profile of the product, which Theorem 4.2 is about, bounds it; "
        "eq-47.1.repaired is its convolution.",
    )
    claim(
        "footnote-3.claim-1",
        Ne(Pr(PLD(*JOINT), "==", sp.log(2)), Pr(PLD(*APART), "==", sp.log(2))),
        printed=r"\text{composing two privacy loss random variables }Z_{1}\text{ and }Z_{2}"
        r"\text{ does not amount to convolving their privacy loss distributions}",
        note=EXAMPLE + "The sum is log 2 with probability 1/2; the convolution of the two laws "
        "gives it 1/4.",
        fidelity="instance",
    )
