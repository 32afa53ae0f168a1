"""Section 4.6: what concentrated privacy gives for the Gauss mechanism, with and without sampling.

The worst-case pair of DP-SGD, as Section 6.1.1 prints it: a Gauss distribution and its mixture with
the one moved by 1, here with the weight gamma for the moved one.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import *

alpha, eps, gamma, rho, u = reals("alpha epsilon gamma rho u")
sigma, a = positives("sigma a")
P, Q = pair("P", "Q")
N1, N0 = mechanism_pair(gaussian(sigma), "N_1", "N_0")
SAMPLED = (1 - gamma) * N0 + gamma * N1
MIXED = (1 - gamma) * Q + gamma * P
RATE = [Ge(gamma, 0), Le(gamma, 1)]

TIGHTER = (
    r"\text{CDP requires that the Rényi divergence be bounded by an affine linear function, which "
    r"can lead to tighter bounds for some mechanisms (e.g., the Gauss mechanism)}"
)
UNAPPLICABLE = r"\text{but renders CDP unapplicable for other mechanisms (e.g. [2], see Section 6)}"
READINGS = ["section-4.6.claim-13", "section-4.6.claim-13.reading-2"]

with theorem("sommer2020/section-4.6.cdp", "Concentrated privacy and sampling", fidelity="printed"):
    claim(
        "section-4.6.claim-12.1",
        Eq(R(alpha, N1, N0), alpha / (2 * sigma**2)),
        where=Gt(alpha, 1),
        printed=TIGHTER,
        expected="proved",
        note="The divergence of the Gauss mechanism, at distance 1 (any other by sigma), is linear "
        "in the order: nothing is lost in the bound.",
    )
    claim(
        "section-4.6.claim-12.2",
        Le(sp.exp(-((eps - rho) ** 2) / (4 * rho)), sp.exp((alpha - 1) * (alpha * rho - eps))),
        where=Gt(rho, 0),
        printed=TIGHTER,
        expected="proved",
        note="The bound on delta from the line rho alpha (Bun and Steinke 2016, Lemma 3.5, for "
        "eps >= rho) is at most that from any one order.",
    )
    claim(
        "section-4.6.claim-13",
        Ge(LossAt((1 - sp.exp(-u)) * Q + sp.exp(-u) * P, Q), LossAt(P, Q) - u),
        where=Ge(u, 0),
        printed=UNAPPLICABLE,
        note="Read of bounds that gain from sampling: at every outcome a sample of rate gamma = "
        "e^-u lowers the loss by u at most, so it leaves gamma^alpha of the moment of order alpha, "
        "and no line of a smaller slope than that of the mechanism itself bounds its divergences "
        "at large orders.",
        readings=READINGS,
    )
    claim(
        "section-4.6.claim-13.reading-2",
        NotAlways(AllOf((Le(E(1 + a, SAMPLED, N0), E(1 + a, N1, N0)),
                         Le(E(1 + a, N0, SAMPLED), E(1 + a, N0, N1))))),
        where=RATE,
        printed=UNAPPLICABLE,
        expected="refuted",
        repaired_by="sommer2020/section-4.6.claim-13.repaired",
        note="Read to the letter, that no affine function bounds the divergences (Section 3 has "
        "'no bounds at all' of [2]): the line of the Gauss mechanism without sampling does not "
        "bound them at some order, rate and sigma, in one of the two directions.  But it bounds "
        "them all.",
        readings=READINGS,
    )
    repair(
        "section-4.6.claim-13.repaired",
        "section-4.6.claim-13.reading-2",
        Le(E(1 + a, MIXED, Q), E(1 + a, P, Q)),
        where=RATE,
        corrected=r"\mathcal{D}_\alpha((1-\gamma)Q+\gamma P\,|\,Q)\leq\mathcal{D}_\alpha(P\,|\,Q)",
        note="Every pair, every rate: a sample has profiles below those of the mechanism, and "
        "every pair with such profiles has moments below.  So CDP applies to DP-SGD, with "
        "the rho of its Gauss mechanism (section-4.6.claim-12.1); it gives no "
        "amplification.  a stands for alpha - 1.",
    )
