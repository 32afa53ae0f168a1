"""Lemma A.1 without comparison of experiments: the measures that `lapdp.decompose` uses.

With a = e^eps, m = min(P, a Q), n = min(Q, a P) and 0 <= c <= 1: n' = c n has mass 1 - delta for
c = (1 - delta)/(1 - delta_{Q|P}(eps)), and m', between c n/a and min(m, a c n), has that mass for
some s in [0, 1] when delta_{P|Q}(eps) <= delta_{Q|P}(eps) <= delta (laws 1-5).  A and B are
a m' - n' and a n' - m', scaled; P' and Q' are P - m' and Q - n', scaled (laws 6-11).
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
eps, c, s, x, y = reals("eps c s x y")

A = sp.exp(eps)
M = sp.Min(P, A * Q)
N = sp.Min(Q, A * P)
LOW = c * N / A
HIGH = sp.Min(M, A * c * N)
BETWEEN = LOW + s * (HIGH - LOW)
RANGE = [Ge(eps, 0), Ge(c, 0), Le(c, 1)]
WEIGHT = [*RANGE, Ge(s, 0), Le(s, 1)]


def nowhere_above(first, second):
    """The first measure lies below the second, outcome by outcome."""
    return Eq(Omega(sp.Max(0, first - second)), 0)


with theorem("chourasia2024/lemma-A.1-construction", "The construction behind Lemma A.1",
             fidelity="printed"):
    claim(
        "lemma-A.1.law-1",
        Eq(Omega(M), 1 - delta(P, Q)(eps)),
        kind="law",
        corrected=r"\int_{\Omega}\min\{P,e^{\varepsilon}Q\}=1-\delta_{P|Q}(\varepsilon)",
    )
    claim(
        "lemma-A.1.law-2",
        Eq(Omega(N), 1 - delta(Q, P)(eps)),
        kind="law",
        corrected=r"\int_{\Omega}\min\{Q,e^{\varepsilon}P\}=1-\delta_{Q|P}(\varepsilon)",
    )
    claim(
        "lemma-A.1.law-3",
        nowhere_above(LOW, HIGH),
        where=RANGE,
        kind="law",
        corrected=r"c\,e^{-\varepsilon}n\leq\min\{m,c\,e^{\varepsilon}n\}",
    )
    claim(
        "lemma-A.1.law-4",
        Eq(Omega(LOW), c * (1 - delta(Q, P)(eps)) / A),
        where=RANGE,
        kind="law",
        corrected=r"c\,e^{-\varepsilon}n(\Omega)=c\,e^{-\varepsilon}(1-\delta_{Q|P}(\varepsilon))",
    )
    claim(
        "lemma-A.1.law-5",
        Ge(Omega(HIGH), c * (1 - delta(P, Q)(eps))),
        where=RANGE,
        kind="law",
        corrected=r"\int_{\Omega}\min\{m,c\,e^{\varepsilon}n\}"
        r"\geq c\,(1-\delta_{P|Q}(\varepsilon))",
    )
    claim(
        "lemma-A.1.law-6",
        nowhere_above(HIGH, P),
        where=RANGE,
        kind="law",
        corrected=r"m^{\prime}\leq P",
        note="m' is a mixture of the two ends; the upper one lies below P.",
    )
    claim(
        "lemma-A.1.law-7",
        nowhere_above(c * N, Q),
        where=RANGE,
        kind="law",
        corrected=r"n^{\prime}\leq Q",
    )
    claim(
        "lemma-A.1.law-8",
        nowhere_above(HIGH, A * c * N),
        where=RANGE,
        kind="law",
        corrected=r"B\geq 0:\quad m^{\prime}\leq e^{\varepsilon}n^{\prime}",
        note="The upper end lies below e^eps n'.",
    )
    claim(
        "lemma-A.1.law-9",
        nowhere_above(c * N, A * BETWEEN),
        where=WEIGHT,
        kind="law",
        corrected=r"A\geq 0:\quad n^{\prime}\leq e^{\varepsilon}m^{\prime}",
    )
    claim(
        "lemma-A.1.law-10",
        Eq((A * (A * x - y) + (A * y - x)) / ((A - 1) * (A + 1)), x),
        where=[Gt(eps, 0)],
        kind="law",
        corrected=r"(1-\delta)\frac{e^{\varepsilon}A+B}{e^{\varepsilon}+1}=m^{\prime}",
        note="x and y are m' and n' at one outcome.",
    )
    claim(
        "lemma-A.1.law-11",
        Eq((A * (A * y - x) + (A * x - y)) / ((A - 1) * (A + 1)), y),
        where=[Gt(eps, 0)],
        kind="law",
        corrected=r"(1-\delta)\frac{e^{\varepsilon}B+A}{e^{\varepsilon}+1}=n^{\prime}",
        note="x and y are m' and n' at one outcome.",
    )
