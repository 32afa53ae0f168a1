"""Proposition 30, Figure 4 and Lemma 31: pairs for symmetric neighbours.

M, N, and M_0, M_x, M_y are the means of a mechanism over the sample of the other records, as in
``theorem_11``: D and D with x are M and (1 - gamma) M + gamma N; D with x and D with y instead are
(1 - gamma) M_0 + gamma M_x and (1 - gamma) M_0 + gamma M_y, where M_0^b, M_x^b and M_y^b are
replace neighbours of each other.  The divergences of both orders are to be bounded.
"""

import sympy as sp

from lapdp.theory import *

b = outcome("b")
Mb, Nb = family("M", "N", b)
M, N = averaged((Mb, Nb), ("M", "N"))
Ob, Xb, Yb = family("M_0", "M_x", "M_y", b)
O, X, Y = averaged((Ob, Xb, Yb), ("M_0", "M_x", "M_y"))
P, Q = pair("P", "Q")
MD, ME = pair("M(D)", "M(D')")
e, eps, gamma = reals("e eps gamma")
first, second = reals("n m")
S, U = Event("S"), Event("U")

RATE = [Ge(gamma, 0), Le(gamma, 1)]
INSIDE = [Gt(gamma, 0), Le(gamma, 1)]
ABOVE, BELOW = Ge(eps, 0), Lt(eps, 0)
WITH = (1 - gamma) * M + gamma * N
BOTH = [ForAll((b, e), Le(delta(Mb, Nb)(e), delta(P, Q)(e))),
        ForAll((b, e), Le(delta(Nb, Mb)(e), delta(P, Q)(e)))]
REPLACED = [ForAll((b, e), Le(Sup(A(U) - sp.exp(e) * B(U), U), delta(P, Q)(e)))
            for A in (Ob, Xb, Yb) for B in (Ob, Xb, Yb) if A != B]
SAMPLED = Sup((1 - gamma) * O(S) + gamma * X(S)
              - sp.exp(eps) * ((1 - gamma) * O(S) + gamma * Y(S)), S)
REMOVE = delta((1 - gamma) * Q + gamma * P, Q)(eps)
ADD = delta(P, (1 - gamma) * P + gamma * Q)(eps)


ALPHA = sp.exp(eps)
# advanced joint convexity, Balle et al. 2018: the supremum in two, for alpha >= 1 and alpha < 1
OVER = gamma + ALPHA - 1
SPLIT_1 = (ALPHA * gamma / OVER * Sup(gamma * X(S) - OVER * Y(S), S)
           + (ALPHA - 1) * (1 - gamma) / OVER * Sup(gamma * X(S) - OVER * O(S), S))
UNDER = ALPHA * gamma / (1 - ALPHA + ALPHA * gamma)
SPLIT_2 = (gamma * Sup(X(S) - UNDER * Y(S), S)
           + (1 - gamma) * (1 - ALPHA) * Sup(O(S) - UNDER * Y(S), S))

POISSON = r"\delta_{\mathcal M\circ S_{\mathrm{Poisson}}}(\alpha)"
SUBSET = r"\delta_{\mathcal M\circ S_{\mathrm{Subset}}}(\alpha)"
CASE_1 = (
    r"\le\begin{cases}H_\alpha((1-\gamma)Q+\gamma P,Q)&\text{for }\alpha\ge 1;\\ {[...]}\end{cases}"
)
CASE_2 = (
    r"\le\begin{cases}{[...]}\\ H_\alpha(P,(1-\gamma)P+\gamma Q)&\text{for }0<\alpha<1.\end{cases}"
)
POISSON_1 = [("proposition-30.poisson.case-1.with", "proposition-30.poisson.case-1.without"),
             "proposition-30.poisson.case-1.equal"]
POISSON_2 = [("proposition-30.poisson.case-2.with", "proposition-30.poisson.case-2.without"),
             "proposition-30.poisson.case-2.equal"]
SUBSET_1 = ["proposition-30.subset.case-1", "proposition-30.subset.case-1.equal"]
SUBSET_2 = ["proposition-30.subset.case-2", "proposition-30.subset.case-2.equal"]
READING = "The relation sign is lost in the source; read as <=.  "
SAMPLES = (
    "gamma = m/n > 0; M_x, M_y are the outputs on samples with the old and the new record, M_0 "
    "those "
    "on the samples without."
)
EQUAL = (
    "The lost relation read as =, for the mechanism with this one pair of neighbours: a "
    "dominating pair need not be tight, and what ignores its data (M = N) attains nothing."
)
HALF = sp.Rational(1, 2)
TIGHT = {"witness": {"gamma": HALF, "eps": 0}}
LOW = {"witness": {"gamma": HALF, "eps": -sp.log(2)}}

with theorem("zhu2021/proposition-30", "Subsampling with symmetric neighbours", fidelity="printed"):
    claim(
        "proposition-30.poisson.case-1.with",
        Le(delta(WITH, M)(eps), REMOVE),
        where=[*RATE, *BOTH, ABOVE],
        printed=POISSON + CASE_1,
        note=READING + "D with the record first." + "  M, N are the outputs on samples without "
        "and with the record.",
        readings=POISSON_1,
    )
    claim(
        "proposition-30.poisson.case-1.without",
        Le(delta(M, WITH)(eps), REMOVE),
        where=[*RATE, *BOTH, ABOVE],
        printed=POISSON + CASE_1,
        note=READING + "D without the record first." + "  M, N are the outputs on samples "
        "without and with the record.",
        readings=POISSON_1,
    )
    claim(
        "proposition-30.poisson.case-1.equal",
        Eq(sp.Max(delta(WITH, M)(eps), delta(M, WITH)(eps)), REMOVE),
        where=[*RATE, *BOTH, ABOVE],
        printed=POISSON + CASE_1,
        expected="refuted",
        hints=TIGHT,
        note=EQUAL + "  The larger of the two orders." +
        "  M, N are the outputs on samples without and with the record.",
        readings=POISSON_1,
    )
    claim(
        "proposition-30.poisson.case-2.without",
        Le(delta(M, WITH)(eps), ADD),
        where=[*RATE, *BOTH, BELOW],
        printed=POISSON + CASE_2,
        note=READING + "D without the record first." + "  M, N are the outputs on samples "
        "without and with the record.",
        readings=POISSON_2,
    )
    claim(
        "proposition-30.poisson.case-2.with",
        Le(delta(WITH, M)(eps), ADD),
        where=[*RATE, *BOTH, BELOW],
        printed=POISSON + CASE_2,
        note=READING + "D with the record first." + "  M, N are the outputs on samples without "
        "and with the record.",
        readings=POISSON_2,
    )
    claim(
        "proposition-30.poisson.case-2.equal",
        Eq(sp.Max(delta(WITH, M)(eps), delta(M, WITH)(eps)), ADD),
        where=[*RATE, *BOTH, BELOW],
        printed=POISSON + CASE_2,
        expected="refuted",
        hints=LOW,
        note=EQUAL + "  The larger of the two orders." +
        "  M, N are the outputs on samples without and with the record.",
        readings=POISSON_2,
    )
    claim(
        "proposition-30.subset.case-1",
        Le(SAMPLED, REMOVE),
        where=[*INSIDE, *REPLACED, ABOVE],
        printed=SUBSET + CASE_1,
        hints={"between": SPLIT_1},
        note=READING + SAMPLES,
        readings=SUBSET_1,
    )
    claim(
        "proposition-30.subset.case-2",
        Le(SAMPLED, ADD),
        where=[*INSIDE, *REPLACED, BELOW],
        printed=SUBSET + CASE_2,
        hints={"between": SPLIT_2},
        note=READING + SAMPLES,
        readings=SUBSET_2,
    )
    claim(
        "proposition-30.subset.case-1.equal",
        Eq(SAMPLED, REMOVE),
        where=[*INSIDE, *REPLACED, ABOVE],
        printed=SUBSET + CASE_1,
        expected="refuted",
        hints=TIGHT,
        note=EQUAL + "  " + SAMPLES,
        readings=SUBSET_1,
    )
    claim(
        "proposition-30.subset.case-2.equal",
        Eq(SAMPLED, ADD),
        where=[*INSIDE, *REPLACED, BELOW],
        printed=SUBSET + CASE_2,
        expected="refuted",
        hints=LOW,
        note=EQUAL + "  " + SAMPLES,
        readings=SUBSET_2,
    )
