"""Section 5: Poisson subsampling as (64)-(66) print it.

A record is a real number, the empty record among them; u is the bit of the mask.  The masks of the
other records are independent of U_i: averaged over them, each conditional distribution of M(D_U) is
one arbitrary distribution; two values v, w of the other bits show the averaging.
"""

import sympy as sp

from lapdp.theory import *

P, P_IN, P_OUT, Q, Q_IN, Q_OUT, V0, V1, W0, W1 = distributions(
    "P P_IN P_OUT Q Q_IN Q_OUT M_v0 M_v1 M_w0 M_w1"
)
lam, rest = reals("lam pi_v")
d, dp, bot, u = reals("D_i D'_i bot u")
RANGE = [Ge(lam, 0), Le(lam, 1)]
RATES = [*RANGE, Ge(rest, 0), Le(rest, 1)]


def kept(record):
    """The record where its bit is 1, else the empty record."""
    return sp.Piecewise((record, sp.Eq(u, 1, evaluate=False)), (bot, True), evaluate=False)


TOTAL = SameMeasure(
    P,
    (1 - lam) * rest * V0 + (1 - lam) * (1 - rest) * W0 + lam * rest * V1
    + lam * (1 - rest) * W1,
)
OUT = SameMeasure(P_OUT, rest * V0 + (1 - rest) * W0)
IN = SameMeasure(P_IN, rest * V1 + (1 - rest) * W1)

with theorem("chourasia2024/section-5", "Effect of Poisson Subsampling", fidelity="printed"):
    step(
        "section-5.step-1",
        SameMeasure(P, (1 - lam) * P_OUT + lam * P_IN),
        where=[*RATES, TOTAL, OUT, IN],
        printed=r"P(S)=\Pr[i\not\in U]\cdot P_{\mathrm{OUT}}(S)"
        r"+\Pr[i\in U]\cdot P_{\mathrm{IN}}(S)",
        note="Total probability for every event: the bit U_i is independent of the others, whose "
        "values v and w have the probabilities pi_v and 1 - pi_v (v one value, w all others "
        "together: their mixture is one distribution).",
    )
    step(
        "eq-65",
        SameMeasure(P, (1 - lam) * Q_OUT + lam * P_IN),
        where=[*RATES, TOTAL, SameMeasure(Q_OUT, rest * V0 + (1 - rest) * W0), IN],
        printed=r"P(S)=\text{[...]}=(1-\lambda)\cdot Q_{\mathrm{OUT}}(S)"
        r"+\lambda\cdot P_{\mathrm{IN}}(S)",
        note="For every event.  Where i is not drawn D_U and D'_U are one data set, whose outputs "
        "are M_v0 and M_w0: Q_OUT is the mixture of the same distributions as P_OUT.",
    )
    step(
        "eq-66",
        SameMeasure(P, (1 - lam) * Q_IN + lam * P_IN),
        where=[*RATES, TOTAL, SameMeasure(Q_IN, rest * V0 + (1 - rest) * W0), IN],
        printed=r"P(S)=\text{[...]}=(1-\lambda)\cdot Q_{\mathrm{IN}}(S)"
        r"+\lambda\cdot P_{\mathrm{IN}}(S)",
        note="For every event.  The record of D' is empty, drawn or not: Q_IN, too, is the mixture "
        "of M_v0 and M_w0.",
    )
    claim(
        "section-5.claim-6.1",
        Eq(kept(d), kept(dp)),
        where=[Eq(u, 0)],
        printed=r"\text{if }i\not\in U\text{, then }D_{U}=D^{\prime}_{U}",
        note="The record at i: both are empty.  u stands for the bit U_i.",
    )
    claim(
        "section-5.claim-6.2",
        Eq(kept(d), kept(dp)),
        where=[Eq(d, dp)],
        printed=r"\text{if }i\not\in U\text{, then }D_{U}=D^{\prime}_{U}",
        note="Record by record: D_i, D'_i stand here for any record but the one in which D and "
        "D' differ, and it is kept or dropped alike, whatever its bit.  u stands for that "
        "bit.",
    )
    claim(
        "section-5.claim-7.1",
        Eq(kept(dp), bot),
        where=[Eq(dp, bot)],
        printed=r"\text{the $i$th record in }D^{\prime}\text{ is empty, so conditioning on }i\in U"
        r"\text{ or }i\not\in U\text{ does not affect the output distribution}",
        note="The subsampled record is empty whatever the bit.  u stands for the bit U_i.",
    )
    claim(
        "section-5.claim-7.2",
        AllOf((SameMeasure(Q_IN, Q_OUT), SameMeasure((1 - lam) * Q_OUT + lam * Q_IN, Q_OUT))),
        where=[*RATES, SameMeasure(Q_IN, rest * V0 + (1 - rest) * W0),
               SameMeasure(Q_OUT, rest * V0 + (1 - rest) * W0)],
        printed=r"Q_{\mathrm{IN}}=Q_{\mathrm{OUT}}=Q",
        note="D'_U is the same, i drawn or not (section-5.claim-7.1): both are the mixture of M_v0 "
        "and M_w0.  Q is the mixture of its conditional distributions.",
    )
