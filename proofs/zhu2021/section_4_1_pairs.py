"""Section 4.1 after Theorem 11: tightness, compositions, Figure 4 and Lemma 31."""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import *

A, B = pair("M(D)", "M(D')")
P, Q = pair("P", "Q")
e, eps, gamma = reals("e eps gamma")

x = outcome("x")
i, k = naturals("i", start=1), naturals("k")
P1, Q1 = pair("P_1", "Q_1")
P2, Q2 = pair("P_2", "Q_2")
REMOVED_FROM = composition("M o S(D)", "M o S(D')")
ADDED_TO = composition("M o S(D')", "M o S(D)")
REMOVE = composition("P_1", "Q_1", each=(P1, Q1))
ADD = composition("P_2", "Q_2", each=(P2, Q2))
REMOVE_ONLY = ForAll((i, x, e), Le(delta(*REMOVED_FROM.release(i, x))(e), delta(P1, Q1)(e)))
ADD_ONLY = ForAll((i, x, e), Le(delta(*ADDED_TO.release(i, x))(e), delta(P2, Q2)(e)))
MAXIMUM = r"\max\{H_{e^{\varepsilon}}(P_1^k\|Q_1^k),\,H_{e^{\varepsilon}}(P_2^k\|Q_2^k))\}"
ORDERS = "Every k, every adaptive choice of the releases, every real eps.  "

RATE = [Ge(gamma, 0), Le(gamma, 1)]
HALF = sp.Rational(1, 2)
LOW = {"witness": {"gamma": HALF, "eps": 0}}
REMOVED, ADDED = r"H_\alpha((1-\gamma)Q+\gamma P,Q)", r"H_\alpha(P,(1-\gamma)P+\gamma Q)"
FIGURE = (
    r"\text{We consider Poisson subsample Gaussian mechanism with }\sigma=1.0\text{ and }"
    r"\gamma=0.5\text{. [...] Figure shows that }"
)
TIGHT = r"\text{retaining a tight dominating pair with a closed-form expression}"


def BOTH_ORDERS(at):
    """The profile of a mechanism under symmetric neighbours D, D'."""
    return sp.Max(delta(A, B)(at), delta(B, A)(at))


def curves(sigma, rate, at):
    """The profiles of a subsampled Gaussian mechanism: remove, add."""
    X, Y = mechanism_pair(gaussian(sigma), "P", "Q")
    return (delta((1 - rate) * Y + rate * X, Y)(at), delta(X, (1 - rate) * X + rate * Y)(at))


with theorem("zhu2021/section-4.1.pairs", "Treating add and remove separately", fidelity="printed"):
    claim(
        "section-4.1.claim-14",
        Ge(delta(A, (1 - gamma) * A + gamma * B)(eps),
           delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=[*RATE, ForAll((e,), Ge(delta(A, B)(e), delta(P, Q)(e)))],
        printed=TIGHT,
        note="Tight as the text uses it, attained: by some D with M(b) = M(D) and M(b + x) = "
        "M(D') for all samples b of D, as for the sum of records with b = 0.  Theorem 11 gives "
        "the other inequality; the removal half is the reversal (section-4.1.claim-15).",
        readings=["section-4.1.claim-14", "section-4.1.claim-14.reading-2"],
    )
    claim(
        "section-4.1.claim-14.reading-2",
        Ge(delta(P, (1 - gamma**2) * P + gamma**2 * Q)(eps),
           delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=RATE,
        printed=TIGHT,
        expected="refuted",
        hints=LOW,
        note="Second reading: whatever data set attains (P, Q).  M on subsets of two records has "
        "the law Q on both together and P else: (P, Q) is tight, and M o S is P on one record, "
        "(1 - gamma^2) P + gamma^2 Q on two.",
        readings=["section-4.1.claim-14", "section-4.1.claim-14.reading-2"],
    )
    claim(
        "section-4.1.claim-16.1",
        Le(delta(*REMOVED_FROM(k))(eps), delta(*REMOVE(k))(eps)),
        where=[REMOVE_ONLY],
        printed=MAXIMUM,
        note=ORDERS + "D with the record first: each release is dominated by (P_1, Q_1); the "
        "other order is section-4.1.claim-16.2, so both together are no more than the maximum.",
    )
    claim(
        "section-4.1.claim-16.2",
        Le(delta(*ADDED_TO(k))(eps), delta(*ADD(k))(eps)),
        where=[ADD_ONLY],
        printed=MAXIMUM,
        note=ORDERS + "D' without the record first: each release is dominated by (P_2, Q_2); the "
        "other order is section-4.1.claim-16.1, so both together are no more than the maximum.",
    )
    claim(
        "section-4.1.claim-23",
        Iff(Le(delta(A, B)(eps), delta(P, Q)(eps)), Le(delta(B, A)(-eps), delta(Q, P)(-eps))),
        where=[Ge(eps, 0)],
        printed=r"\text{the relationship between pairs that dominate only one half of the range "
        r"for }\alpha\text{ and those that dominate the other half}",
        note="(P, Q) dominates the order (D, D') for alpha >= 1 exactly where (Q, P) dominates "
        "(D', D) for alpha <= 1: for symmetric neighbours one half tells the other.  Lemma 31, to "
        "which the sentence refers, is missing in the source: this is what it can mean; see "
        "lemma-31.halves.",
    )
    claim(
        "figure-4.claim-1",
        Ge(*curves(1, HALF, eps)),
        where=[Ge(eps, 0)],
        printed=FIGURE + REMOVED + r"\text{ dominates the region }\alpha\ge 1",
        note="The symbols of the two numbers are lost in the source; read in their order there.",
    )
    claim(
        "figure-4.claim-1.every",
        Ge(delta((1 - gamma) * Q + gamma * P, Q)(eps), delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=[*RATE, Ge(eps, 0)],
        kind="law",
        note="Every pair and rate.",
    )
    claim(
        "figure-4.claim-2",
        Le(*curves(1, HALF, eps)),
        where=[Lt(eps, 0)],
        printed=FIGURE + r"\text{[...] }" + ADDED + r"\text{ dominates the region }\alpha<1",
        note="The symbols of the two numbers are lost in the source; read in their order there.",
    )
    claim(
        "figure-4.claim-2.every",
        Le(delta((1 - gamma) * Q + gamma * P, Q)(eps), delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=[*RATE, Lt(eps, 0)],
        kind="law",
        note="Every pair and rate.",
    )
    claim(
        "lemma-31.halves",
        Eq(BOTH_ORDERS(-eps), 1 - sp.exp(-eps) + sp.exp(-eps) * BOTH_ORDERS(eps)),
        fidelity="own",
        note="For symmetric neighbours the supremum over both orders is its own reversal: its half "
        "alpha < 1 tells the half alpha > 1.",
    )
