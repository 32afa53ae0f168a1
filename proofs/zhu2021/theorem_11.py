"""Theorem 11: dominating pairs of subsampled mechanisms, for every mechanism and dataset.

Let D' be D with one more record x.  A Poisson sample of D is a random b, whose law (binomial in
size) is the same for D'; a sample of D' is b or b with x.  So with M^b = M(b) and N^b = M(b + x),
add neighbours for every b, M o S is M on D and (1 - gamma) M + gamma N on D', M and N the means
over the law of b.  Of a subset sample of D' one record is x with probability m/n = gamma, and b is
the rest with another record y of D that stands in the place of x where x is not drawn: M^b = M(b
with y) and N^b = M(b with x) are replace neighbours.  All laws of b are allowed.
"""

import sympy as sp

from lapdp.theory import *

b = outcome("b")
Mb, Nb = family("M", "N", b)
M, N = averaged((Mb, Nb), ("M", "N"))
P, Q = pair("P", "Q")
e, eps, gamma = reals("e eps gamma")

RATE = [Ge(gamma, 0), Le(gamma, 1)]
WITH = (1 - gamma) * M + gamma * N
ADD = ForAll((b, e), Le(delta(Mb, Nb)(e), delta(P, Q)(e)))
REMOVAL = ForAll((b, e), Le(delta(Nb, Mb)(e), delta(P, Q)(e)))
HALF = {"witness": {"gamma": sp.Rational(1, 2), "eps": sp.log(sp.Rational(5, 4))}}

ITEM = r"\text{If }(P,Q)\text{ dominates }\mathcal M\text{ for %s neighbors%s}(%s)" \
    r"\text{ dominates }\mathcal M\circ S_{\mathrm{%s}}\text{ for %s neighbors}"
ADDED = r"P,(1-\gamma)P+\gamma Q"
REMOVED_1, REMOVED_2 = r"(1-\gamma)Q+\gamma P,Q", r"(1-\gamma)P+\gamma Q,P"
EVERY = "Every mechanism, dataset and pair of neighbours, all real eps = log(alpha); at " \
    "alpha = 0 both divergences are 1."
OUTPUTS = "M, N are the outputs on samples without and with the record."

with theorem("zhu2021/theorem-11", "Subsampling of dominating pairs", fidelity="printed"):
    claim(
        "theorem-11.item-1.add",
        Le(delta(M, WITH)(eps), delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=[*RATE, ADD],
        printed=ITEM % ("add", " then ", ADDED, "Poisson", "add"),
        note=EVERY + "  " + OUTPUTS,
    )
    claim(
        "theorem-11.item-1.removal",
        Le(delta(WITH, M)(eps), delta((1 - gamma) * Q + gamma * P, Q)(eps)),
        where=[*RATE, ADD],
        printed=ITEM % ("add", " then [...] ", REMOVED_1, "Poisson", "removal"),
        fault="misprint",
        expected="refuted",
        repaired_by="zhu2021/theorem-11.item-1.removal.repaired",
        hints=HALF,
        note="A pair for add neighbours need not dominate removal neighbours: (P, Q) and (Q, P) "
        "are confused.  It contradicts the first half, reversed, and item (2), which has the pair "
        "right.  " + OUTPUTS,
    )
    repair(
        "theorem-11.item-1.removal.repaired",
        "theorem-11.item-1.removal",
        Le(delta(WITH, M)(eps), delta((1 - gamma) * P + gamma * Q, P)(eps)),
        where=[*RATE, ADD],
        corrected=ITEM % ("add", " then ", REMOVED_2, "Poisson", "removal"),
        note="P and Q exchanged: the first half, reversed.  " + OUTPUTS,
    )
    repair(
        "theorem-11.item-1.removal.repaired-2",
        "theorem-11.item-1.removal",
        Le(delta(WITH, M)(eps), delta((1 - gamma) * Q + gamma * P, Q)(eps)),
        where=[*RATE, REMOVAL],
        corrected=ITEM % ("removal", " then ", REMOVED_1, "Poisson", "removal"),
        note="As printed, if (P, Q) dominates removal neighbours.  " + OUTPUTS,
    )
    claim(
        "theorem-11.item-2.add",
        Le(delta(M, WITH)(eps), delta(P, (1 - gamma) * P + gamma * Q)(eps)),
        where=[*RATE, ADD, REMOVAL],
        printed=ITEM % ("replacing", ", then ", ADDED, "Subset", "add"),
        note=EVERY + "  Replacing is symmetric: (P, Q) dominates in both orders.  N is the "
        "output on samples with the record, M that with another in its place.",
    )
    claim(
        "theorem-11.item-2.removal",
        Le(delta(WITH, M)(eps), delta((1 - gamma) * P + gamma * Q, P)(eps)),
        where=[*RATE, ADD, REMOVAL],
        printed=ITEM % ("replacing", ", then [...] ", REMOVED_2, "Subset", "removal"),
        note=EVERY + "  Replacing is symmetric.  N is the output on samples with the "
        "record, M that with another in its place.",
    )
    claim(
        "theorem-11.item-2.removal-other",
        Le(delta(WITH, M)(eps), delta((1 - gamma) * Q + gamma * P, Q)(eps)),
        where=[*RATE, ADD, REMOVAL],
        kind="law",
        note="For symmetric neighbours the pair of item (1) dominates as well.  N is the output "
        "on samples with the record, M that with another in its place.",
    )
