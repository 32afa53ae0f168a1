"""Appendix A.1: approximate randomized response, n releases."""

import sympy as sp

from lapdp import randomized_response
from lapdp.theory import *

eps, d, xi, y, q, s, t = reals("varepsilon delta xi y q s t")
n, m, k, Y = naturals("n m k Y")
LEAKS = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
SPREAD = [Gt(eps, 0), Ge(d, 0), Le(d, 1)]
HIGH = sp.exp(eps) / (sp.exp(eps) + 1)
LOW = 1 / (sp.exp(eps) + 1)
P, Q = mechanism_pair(randomized_response(eps, d), "P", "Q")
C = composition("R", "S", mechanism=lambda j: randomized_response(eps, d))
R, S = C(n)
ZN = PLD(R, S)


def recursive(name, start):
    """A function of t that each release changes as one randomized response does."""
    return recursion(name, start, lambda l, t, before: (1 - d) / (sp.exp(eps) + 1) * (
        sp.exp(eps) * before(t - eps) + before(t + eps)))


MASS = recursive("w", lambda t: Indicator(Eq(t, 0)))
CURVE = recursion("D", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: d + (1 - d) / (
    sp.exp(eps) + 1) * (sp.exp(eps) * before(t - eps) + before(t + eps)))
LOST = recursion("o", lambda t: 0 * t, lambda l, t, before: d + (1 - d) * before(t))
FACTOR = 1 - q + q * sp.exp(s)
MORE = recursion("M", lambda t: sp.exp(s * t) * FACTOR,
                 lambda l, t, before: (1 - q) * before(t) + q * before(t + 1))


def inner_mass(p):
    """binom(n, k) p^k (1 - p)^(n - k) at k = (y + n eps)/(2 eps), one of 0, ..., n."""
    return BinomialMean(Indicator(Eq(Y, (y + n * eps) / (2 * eps))), Y, n, p)


def composed(p):
    """delta_A(xi): the sum over k >= k_(n, xi) as a mean over Y = k."""
    above = Indicator(Ge(Y, (xi + n * eps) / (2 * eps)))
    body = above * (1 - sp.exp(xi - eps * (2 * Y - n)))
    return 1 - (1 - d) ** n + (1 - d) ** n * BinomialMean(body, Y, n, p)


def clamped(at, p):
    """The same for one release where k_(1, xi) is cut at 1: the term k = 1 alone, for xi > eps."""
    return d + (1 - d) * (1 - sp.exp(at - eps)) * p


ONE = {"n": 1, "varepsilon": sp.log(2), "delta": 0, "xi": 0, "y": sp.log(2)}
SWAPPED = (
    "k counts the losses +eps, whose probability is e^eps/(e^eps + 1) = 1 - p: success and failure "
    "are exchanged."
)
BINOMIALS = (
    r"\text{the convolution of two Binomial distributions is again a Binomial: }"
    r"B(n,p)\otimes B(m,p)=B(n+m,p)"
)
FROM = r"\sum_{k=\lceil k_{n,\xi}\rceil}^{n}"
INSIDE = r"\sum_{0\leq k\leq n,\ k\geq k_{n,\xi}}"
"""What the text means by k_(n,xi) that stays between 0 and n: the sum may be empty."""
SUM_4 = (
    r"\delta_{A}(\xi)=\omega_{n}(\infty)+[1-\omega_{n}(\infty)]\cdot" + FROM
    + r"[1-e^{\xi-y(k)}]\binom{n}{k}p^{k}(1-p)^{n-k}"
)
SUM_5 = (
    r"=1-(1-\delta)^{n}+\frac{(1-\delta)^{n}}{(1+e^\varepsilon)^{n}}\cdot" + FROM
    + r"\binom{n}{k}[1-e^{\xi-\varepsilon(2k-n)}"
    r"]e^{\varepsilon(n-k)}"
)
EVERY = "Every n, every real xi."

with theorem("sommer2020/appendix-A.1.composed", "Approximate Randomized Response: n releases",
             fidelity="printed"):
    claim(
        "appendix-A.1.claim-1.first",
        Eq(BinomialMean(sp.exp(s * Y), Y, n, q) * BinomialMean(sp.exp(s * Y), Y, m, q),
           BinomialMean(sp.exp(s * Y), Y, n + m, q)),
        where=[Gt(q, 0), Lt(q, 1)],
        printed=BINOMIALS,
        note="By the transforms E[e^(s Y)] at every real s, which determine a distribution on 0, "
        "..., n + m and multiply under convolution.  q stands for p, 0 < q < 1.",
    )
    claim(
        "appendix-A.1.claim-1.second",
        Eq(BinomialMean(sp.exp(s * (t + Y)) * FACTOR, Y, n, q),
           sp.exp(s * t) * FACTOR ** (n + 1)),
        where=[Gt(q, 0), Lt(q, 1)],
        hints={"between": MORE(n, t)},
        printed=BINOMIALS,
        note="m = 1: one trial more, with transform 1 - q + q e^s, leads from n to n + 1.  "
        "Shifted by t, every real s.",
        fidelity="instance",
    )
    step(
        "appendix-A.1.step-1",
        Eq(Pr(ZN, "==", y), (1 - d) ** n * inner_mass(LOW)),
        where=SPREAD,
        hints={"witness": ONE},
        printed=r"\bar{\omega}_{n}(y)=\binom{n}{k_{n,y}}p^{k_{n,y}}(1-p)^{n-k_{n,y}}",
        fault="false step",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.1.step-1.repaired",
        note="Of n releases of randomized_response(eps, delta), times (1 - delta)^n.  " + SWAPPED,
        root="example-1.claim-3",
    )
    repair(
        "appendix-A.1.step-1.repaired",
        "appendix-A.1.step-1",
        Eq(Pr(ZN, "==", y), (1 - d) ** n * inner_mass(HIGH)),
        where=SPREAD,
        hints={"between": MASS(n, y)},
        kind="step",
        corrected=r"\bar{\omega}_{n}(y)=\binom{n}{k_{n,y}}p^{k_{n,y}}(1-p)^{n-k_{n,y}},\ "
        r"p=\frac{e^\varepsilon}{e^\varepsilon+1}",
        note="Every n >= 0, every real y; 0 where k_(n,y) is none of 0, ..., n.",
    )
    step("appendix-A.1.step-2.minus", Eq(Pr(ZN, "==", -sp.oo), 0), where=LEAKS,
         hints={"between": recursion("u", lambda t: 0 * t,
                                     lambda l, t, before: (1 - d) * before(t))(n, y)},
         printed=r"\omega_{n}(y)=\begin{cases}0 & y=-\infty\\ {[...]}\end{cases}",
         note="Every n.")
    step("appendix-A.1.step-2.plus", Eq(Pr(ZN, "==", sp.oo), 1 - (1 - d) ** n), where=LEAKS,
         hints={"between": LOST(n, t)}, printed=r"\omega_{n}(y)=\begin{cases}{[...]}\\ "
         r"1-(1-\delta)^{n} & y=\infty\\ {[...]}\end{cases}",
         note="Every n.")
    step(
        "appendix-A.1.step-2.else",
        Eq(Pr(ZN, "==", y), (1 - d) ** n * inner_mass(HIGH)),
        where=SPREAD,
        hints={"between": MASS(n, y)},
        printed=r"\omega_{n}(y)=\begin{cases}{[...]}\\ "
        r"(1-\delta)^{n}\cdot\bar{\omega}_{n}(y) & \text{else}\end{cases}",
        fidelity="instance",
        note="The case 'else' with omega-bar_n as step-1 mends it, not for any other: its "
        "p = e^eps/(e^eps + 1) the paper does not print.",
    )
    step("appendix-A.1.step-3", Eq((eps * (2 * k - n) + n * eps) / (2 * eps), k),
         where=[Gt(eps, 0)],
         printed=r"k_{n,y}=\frac{y+n\varepsilon}{2\varepsilon}",
         note="At y(k) = eps (2k - n) it is k.  For p, see eq-16.2.")
    claim("appendix-A.1.claim-2", Eq(k * eps - (n - k) * eps, eps * (2 * k - n)),
          printed=r"\text{with }y(k)=\varepsilon(2k-n)",
          note="k losses eps and n - k losses -eps.")
    for number, left, tex in ((4, "", SUM_4), (5, r"\delta_{A}(\xi)", SUM_5)):
        step(
            f"appendix-A.1.step-{number}",
            Eq(delta(R, S)(xi), composed(LOW)),
            where=SPREAD,
            hints={"witness": ONE},
            printed=left + "[...]" + tex if left else tex,
            fault="false step",
            root="example-1.claim-3",
            expected="refuted",
            repaired_by=f"sommer2020/appendix-A.1.step-{number}.repaired",
            note="With p = 1/(e^eps + 1) as printed p^k (1 - p)^(n-k) is e^(eps (n-k))/(1 + "
            "e^eps)^n.  "
            + SWAPPED,
        )
        repair(
            f"appendix-A.1.step-{number}.repaired",
            f"appendix-A.1.step-{number}",
            Eq(delta(R, S)(xi), composed(HIGH)),
            where=SPREAD,
            hints={"between": CURVE(n, xi)},
            kind="step",
            corrected=(left + tex).replace(r"e^{\varepsilon(n-k)}", r"e^{\varepsilon k}").replace(
                FROM, INSIDE) + (r",\ p=\frac{e^\varepsilon}{e^\varepsilon+1}" if number == 4
                                 else ""),
            note=EVERY + "  The sum is empty where no k <= n is that large.",
        )
    claim(
        "appendix-A.1.claim-3",
        Eq(delta(P, Q)(xi), clamped(xi, HIGH)),
        where=[*SPREAD, Gt(xi, eps)],
        printed=r"\text{Obviously, }k_{n,\xi}\text{ has to stay between 0 and n}",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.1.claim-3.repaired",
        note="n = 1, xi > eps, with the right p: k cut at n leaves a negative term where the sum "
        "is empty.",
        root="example-1.claim-4.2",
        fidelity="instance",
    )
    repair(
        "appendix-A.1.claim-3.repaired",
        "appendix-A.1.claim-3",
        Eq(delta(P, Q)(xi), d),
        where=[*SPREAD, Gt(xi, eps)],
        corrected=r"\delta_{A}(\xi)=\omega_{1}(\infty),\ \xi>\varepsilon",
        note="The sum is empty; below 0 no cut is needed, the binomials vanish.",
    )
    claim("appendix-A.1.claim-4", Eq(delta(P, Q)(xi), delta(Q, P)(xi)), where=LEAKS,
          fidelity="instance",
          printed=r"\text{Due to symmetry reasons, }\delta(\varepsilon)\text{ of the dual PLD is "
          r"identical}", note="n = 1; every real eps.  xi stands for the eps of the profile.")
    claim("appendix-A.1.claim-4.composed", Eq(delta(R, S)(xi), delta(S, R)(xi)), where=LEAKS,
          hints={"between": CURVE(n, xi)},
          printed=r"\text{Due to symmetry reasons, }\delta(\varepsilon)\text{ of the dual PLD is "
          r"identical}", note="Every n.  xi stands for the eps of the profile.")
