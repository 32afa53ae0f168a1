"""Remark 2.2, Definition 2.2 and footnote 4: orders q <= 1, and the limit q -> 1.

The Kullback-Leibler divergence is the mean E[Z] of the loss of PLD(P||Q).
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
q, c = reals("q c")
n = reals("n")

MEAN = Ex(Z, Z)
REPLICA = sp.log(Ex(sp.exp(n * Z), Z)) / n
KL = r"\lim_{q\rightarrow 1}\mathrm{R}_{q}\left(P\middle\|Q\right)=\mathrm{KL}(P\|Q)"
TRICK = (
    r"\mathbb{E}\left[\log X\right]=\lim_{n\rightarrow 0}"
    r"\frac{1}{n}\log\mathbb{E}\left[X^{n}\right]"
)
LONG = (
    "From above the limit needs one finite moment: a loss with Pr[Z = k] proportional to 1/k^3, "
    "and "
    "one more, negative, loss, has a finite mean, and E_q is infinite for all q > 1, so that the "
    "limit from above is +oo."
)
WHY = (
    "From above the limit needs one finite moment: a loss with Pr[Z = k] proportional to 1/k^3 has "
    "a finite mean, and E_q is infinite for all q > 1, so that the limit from above is +oo."
)

with theorem("chourasia2024/remark-2.2", "Orders below one", fidelity="printed"):
    definition(
        "definition-2.2.claim-1",
        Defined(R(q, P, Q)),
        where=[Gt(q, 1), Defined(E(q, P, Q))],
        printed=r"\text{Let }q>1\text{ [...] }"
        r"\mathrm{R}_{q}\left(\mathcal{M}(D)\middle\|\mathcal{M}(D^{\prime})\right)\leq\rho",
        fidelity="instance",
        note="Of the definition only what it supposes: for real q > 1 the divergence has a value "
        "wherever E_q is finite, so that it can be compared with rho.",
    )
    claim(
        "remark-2.2.claim-1.letter",
        Eq(Lim(R(q, P, Q), q, 1), MEAN),
        printed=r"\text{R\'enyi divergence converges to Kullback-Leibler divergence as order }q"
        r"\text{ tends to one}",
        expected="refuted",
        note="From both sides, for every pair.  " + WHY,
        readings=["remark-2.2.claim-1.letter", "remark-2.2.claim-1.reading-2",
                  "remark-2.2.claim-1"],
    )
    claim(
        "remark-2.2.claim-1.reading-2",
        Eq(Lim(R(q, P, Q), q, 1), MEAN),
        where=[ac(P, Q), ac(Q, P), Defined(MEAN)],
        printed=r"\text{R\'enyi divergence converges to Kullback-Leibler divergence as order }q"
        r"\text{ tends to one}",
        expected="refuted",
        note="Second reading: pairs that are absolutely continuous both ways, with a finite "
        "Kullback-Leibler divergence.  " + LONG,
        readings=["remark-2.2.claim-1.letter", "remark-2.2.claim-1.reading-2",
                  "remark-2.2.claim-1"],
    )
    claim(
        "remark-2.2.claim-1",
        Eq(Lim(R(q, P, Q), q, 1, "-"), MEAN),
        where=[ac(P, Q)],
        printed=r"\text{R\'enyi divergence converges to Kullback-Leibler divergence as order }q"
        r"\text{ tends to one}",
        readings=["remark-2.2.claim-1.letter", "remark-2.2.claim-1.reading-2",
                  "remark-2.2.claim-1"],
        note="Third reading: from below, with values in [0, oo]; without P << Q both sides are "
        "infinite.",
    )
    repair(
        "remark-2.2.claim-1.repaired",
        "remark-2.2.claim-1.letter",
        Eq(Lim(R(q, P, Q), q, 1), MEAN),
        where=[Gt(c, 1), Defined(E(c, P, Q))],
        corrected=KL + r"\text{ if }\mathrm{E}_{c}\left(P\middle\|Q\right)<\infty"
        r"\text{ for some }c>1",
        note="From both sides.",
    )
    claim(
        "footnote-4.letter",
        Eq(MEAN, Lim(REPLICA, n, 0)),
        printed=TRICK,
        expected="refuted",
        note="X = e^Z.  From both sides, for every pair.  " + WHY,
        readings=["footnote-4.letter", "footnote-4.reading-2", "footnote-4"],
    )
    claim(
        "footnote-4.reading-2",
        Eq(MEAN, Lim(REPLICA, n, 0)),
        where=[ac(P, Q), ac(Q, P), Defined(MEAN)],
        printed=TRICK,
        expected="refuted",
        note="Second reading: pairs that are absolutely continuous both ways, with a finite mean "
        "loss.  " + LONG,
        readings=["footnote-4.letter", "footnote-4.reading-2", "footnote-4"],
    )
    claim(
        "footnote-4",
        Eq(MEAN, Lim(REPLICA, n, 0, "-")),
        where=[ac(P, Q)],
        printed=TRICK,
        readings=["footnote-4.letter", "footnote-4.reading-2", "footnote-4"],
        note="Third reading: from below, with values in [0, oo]; without P << Q both sides are "
        "infinite.",
    )
    repair(
        "footnote-4.repaired",
        "footnote-4.letter",
        Eq(MEAN, Lim(REPLICA, n, 0)),
        where=[Gt(c, 1), Defined(E(c, P, Q))],
        corrected=TRICK + r"\text{ if }\mathbb{E}\left[X^{c-1}\right]<\infty\text{ for some }c>1",
        note="From both sides.",
    )
    claim(
        "remark-2.2.claim-2",
        Eq(R(q, P, Q), q / (1 - q) * R(1 - q, Q, P)),
        where=[Lt(q, 1), Ne(q, 0), Defined(R(q, P, Q))],
        printed=r"\text{R\'enyi divergence for orders }q<1\text{ yield the R\'enyi divergence }"
        r"\text{with }P\text{ and }Q\text{ reversed}",
        note="Wherever the divergence on the left has a value.",
        readings=["remark-2.2.claim-2", "remark-2.2.claim-2.letter"],
    )
    claim(
        "remark-2.2.claim-2.letter",
        Eq(R(q, P, Q), q / (1 - q) * R(1 - q, Q, P)),
        where=[Lt(q, 1)],
        printed=r"\text{R\'enyi divergence for orders }q<1\text{ yield the R\'enyi divergence }"
        r"\text{with }P\text{ and }Q\text{ reversed}",
        fault="convention",
        expected="refuted",
        note="At q = 0 the reversed order is 1, at which (8) divides by 0.",
        readings=["remark-2.2.claim-2", "remark-2.2.claim-2.letter"],
    )
