"""Example 1: approximate randomized response, its loss and the formula for n compositions."""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes, randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
eps, t, y, xi, leak = reals("varepsilon t y xi Delta")
n, Y = naturals("n Y")
ODDS = sp.exp(xi)
HIGH, LOW = (1 - leak) * ODDS / (ODDS + 1), (1 - leak) / (ODDS + 1)
UNIT = [Ge(leak, 0), Le(leak, 1)]
RANGES = [Ge(xi, 0), *UNIT]
POSITIVE = [Gt(xi, 0), *UNIT]
ALL = Outcomes("1", "2", "3", "4")

ARR = outcomes(
    {"1": (leak, 0), "2": (HIGH, LOW), "3": (LOW, HIGH), "4": (0, leak)}, where=RANGES
)
P0, P1 = mechanism_pair(ARR, "p_0", "p_1")
R, S = mechanism_pair(randomized_response(xi, leak), "R", "S")
Z = PLD(R, S)
LIKELY = ODDS / (1 + ODDS)


def tail(success):
    """The sum over the k with xi (2k - n) >= eps, k successes of n having the given chance."""
    body = Indicator(Ge(xi * (2 * Y - n), eps)) * (1 - sp.exp(eps - xi * (2 * Y - n)))
    return (1 - leak) ** n * BinomialMean(body, Y, n, success) + 1 - (1 - leak) ** n


RN, SN = composition("R^n", "S^n", mechanism=lambda j: randomized_response(xi, leak))(n)
# what one more release does to the law of the loss, and to the profile
MASS = recursion("w", lambda t: Indicator(Eq(t, 0)), lambda l, t, before: (1 - leak) / (
    ODDS + 1) * (ODDS * before(t - xi) + before(t + xi)))
CURVE = recursion("D", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: leak + (
    1 - leak) / (ODDS + 1) * (ODDS * before(t - xi) + before(t + xi)))
POSITION = (eps + n * xi) / (2 * xi)
LAST = 1 - sp.exp(eps - xi * (2 * n - n))
ONE = (1 - leak) / (1 + ODDS) * (1 - sp.exp(eps - xi))
INNER = [Gt(eps, -xi), Le(eps, xi)]

TEX_N = (
    r"\delta(\varepsilon)=\frac{(1-\delta)^n}{(1+e^\xi)^n}\cdot\sum_{k=\lceil k_{n,\varepsilon}"
    r"\rceil}^n\binom{n}{k}[1-e^{\varepsilon-\xi(2k-n)}]e^{\xi(n-k)}+[1-(1-\delta)^n]"
)
TEX_MENDED = (
    r"\delta(\varepsilon)=\frac{(1-\Delta)^n}{(1+e^\xi)^n}\cdot"
    r"\sum_{k=\lceil k_{n,\varepsilon}\rceil}^n"
    r"\binom{n}{k}[1-e^{\varepsilon-\xi(2k-n)}]e^{\xi k}+[1-(1-\Delta)^n]"
)
TEX_K = r"\lceil k_{n,\varepsilon}\rceil=\max[0,\min[n,\text{ceil}(\frac{\varepsilon+n\xi}{2\xi})]]"
LETTERS = (
    "delta on the right side is the Delta of the definition, not the function on the left.  "
)
WEIGHTS = (
    "k counts the outcomes of loss +xi, which have the larger probability: the weight is e^(xi k), "
    "not e^(xi (n - k)), which belongs to p = 1/(1 + e^xi)."
)

with theorem("sommer2020/example-1", "Approximate randomized response", fidelity="printed"):
    claim(
        "section-4.4.claim-4",
        Eq(delta(R, S)(xi), leak),
        where=RANGES,
        printed=r"\text{the exact tight-ADP formula for the approximate randomized response "
        r"mechanism }M_{\varepsilon,\delta}",
        note="At its own point, eps = xi, a single release is tightly (xi, Delta)-ADP; the formula "
        "is example-1.claim-3.",
        fidelity="instance",
    )
    claim(
        "section-4.4.claim-5",
        Le(delta(P, Q)(t), delta(R, S)(t)),
        where=[*RANGES, Le(delta(P, Q)(xi), leak), Le(delta(Q, P)(xi), leak)],
        printed=r"\text{shown to be a worst case mechanism [16] for }(\varepsilon,\delta)"
        r"\text{-ADP}",
        note="Every pair that is (xi, Delta)-ADP in both directions, every real t.",
    )
    definition(
        "example-1",
        AllOf((
            Eq(P0(ALL), 1),
            Eq(P1(ALL), 1),
            Eq(delta(P0, P1)(t), delta(R, S)(t)),
        )),
        where=RANGES,
        printed=r"p_0(o)=\begin{cases}\Delta&o=1\\\frac{(1-\Delta)e^\xi}{e^\xi+1}&o=2\\"
        r"\frac{(1-\Delta)}{e^\xi+1}&o=3\\0&o=4\end{cases}\quad p_1(o)=\begin{cases}0&o=1\\"
        r"\frac{(1-\Delta)}{e^\xi+1}&o=2\\\frac{(1-\Delta)e^\xi}{e^\xi+1}&o=3\\\Delta&o=4"
        r"\end{cases}",
        fidelity="instance",
        note="Of the definition only what it supposes, p_0 and p_1 are distributions, and that "
        "their profile is that of randomized_response(xi, Delta), of which the statements below "
        "are.",
    )
    claim(
        "example-1.claim-1",
        AllOf((
            Eq(Pr(Z, "==", sp.oo), leak),
            Eq(Pr(Z, "==", xi), HIGH),
            Eq(Pr(Z, "==", -xi), LOW),
        )),
        where=POSITIVE,
        printed=r"\text{Its privacy loss distribution }\omega\text{ can be seen as a shifted "
        r"binomial distribution}",
        note="For xi > 0: where the loss is finite it is xi (2Y - 1) with "
        "Y ~ Binomial(1, e^xi/(1 + e^xi)).  At xi = 0 every finite loss is 0.",
    )
    claim(
        "example-1.claim-2",
        Eq(
            Pr(PLD(RN, SN), "==", y),
            (1 - leak) ** n * BinomialMean(Indicator(Eq(Y, (y + n * xi) / (2 * xi))), Y, n, LIKELY),
        ),
        where=POSITIVE,
        hints={"between": MASS(n, y)},
        printed=r"\text{which has a very simple form under convolution}",
        note="Every n, for xi > 0: where the loss is finite it is xi (2 Y - n), Y binomial again.  "
        "At xi = 0 every finite loss is 0.",
    )
    claim(
        "example-1.claim-3",
        Eq(delta(RN, SN)(eps), tail(1 / (1 + ODDS))),
        where=POSITIVE,
        hints={"witness": {"n": 1, "xi": sp.log(2), "Delta": 0, "varepsilon": 0}},
        printed=TEX_N,
        fault="false claim",
        expected="refuted",
        repaired_by="sommer2020/example-1.claim-3.repaired",
        note=LETTERS + WEIGHTS + "  The sum is written as a mean: the weights binom(n, k) "
        "e^(xi (n - k)) / (1 + e^xi)^n are those of Binomial(n, 1/(1 + e^xi)), and k >= k_(n, eps) "
        "is xi (2k - n) >= eps.",
    )
    claim(
        "example-1.claim-3.single",
        Eq(delta(R, S)(eps), ONE + leak),
        where=[*POSITIVE, *INNER],
        printed=TEX_N,
        fault="false claim",
        expected="refuted",
        repaired_by="sommer2020/example-1.claim-3.single.repaired",
        note=LETTERS + WEIGHTS + "  Here n = 1, where the sum has the term k = 1 alone.",
        root="example-1.claim-3",
        fidelity="instance",
    )
    repair(
        "example-1.claim-3.single.repaired",
        "example-1.claim-3.single",
        Eq(delta(R, S)(eps), ONE * ODDS + leak),
        where=[*POSITIVE, *INNER],
        corrected=TEX_MENDED + r",\quad n=1,\ -\xi<\varepsilon\leq\xi",
    )
    repair(
        "example-1.claim-3.repaired",
        "example-1.claim-3",
        Eq(delta(RN, SN)(eps), tail(LIKELY)),
        where=POSITIVE,
        hints={"between": CURVE(n, eps)},
        corrected=TEX_MENDED.replace(
            r"k=\lceil k_{n,\varepsilon}\rceil}^n", r"0\leq k\leq n,\ \xi(2k-n)\geq\varepsilon}"),
        note="Every n and every real eps, xi > 0; the sum is empty for eps > n xi.",
    )
    definition(
        "example-1.claim-4.1",
        Defined(POSITION),
        where=[*POSITIVE, Ge(eps, 0)],
        printed=TEX_K,
        note="What the definition supposes: that the number in ceil has a value, max and min "
        "apart.  For xi > 0, where the example is no coin.",
        readings=["example-1.claim-4.1", "example-1.claim-4.1.letter"],
    )
    definition(
        "example-1.claim-4.1.letter",
        Defined(POSITION),
        where=[*RANGES, Ge(eps, 0)],
        printed=TEX_K,
        fault="convention",
        expected="refuted",
        note="What the definition supposes: that the number in ceil has a value, max and min "
        "apart.  xi = 0 is allowed by the example; there it divides by 0.",
        readings=["example-1.claim-4.1", "example-1.claim-4.1.letter"],
    )
    claim(
        "example-1.claim-4.2",
        Eq(delta(RN, SN)(eps), (1 - leak) ** n * LIKELY**n * LAST + 1 - (1 - leak) ** n),
        where=[*POSITIVE, Ge(n, 1), Gt(eps, n * xi)],
        printed=TEX_K,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/example-1.claim-4.2.repaired",
        hints={"witness": {"n": 1, "xi": sp.log(2), "varepsilon": sp.log(4), "Delta": 0}},
        note="The formula, its weights mended, for eps > n xi: the minimum keeps the term k = n in "
        "the sum, where 1 - e^(eps - n xi) is negative; no loss exceeds eps, and the sum should be "
        "empty.",
        fidelity="instance",
    )
    repair(
        "example-1.claim-4.2.repaired",
        "example-1.claim-4.2",
        Eq(delta(RN, SN)(eps), tail(LIKELY)),
        where=POSITIVE,
        hints={"between": CURVE(n, eps)},
        corrected=r"\lceil k_{n,\varepsilon}\rceil=\max[0,\text{ceil}(\frac{\varepsilon+n\xi}"
        r"{2\xi})]\text{, and for }\lceil k_{n,\varepsilon}\rceil>n\text{ the sum is empty}",
        note="Every n and every real eps, xi > 0; the sum over the k with xi (2k - n) >= eps, none "
        "for eps > n xi.",
    )
