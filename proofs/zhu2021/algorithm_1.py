"""Section 4.3: Algorithm 1, the Analytical Fourier Accountant, line by line.

Two mechanisms with dominating pairs (P1, Q1), (P2, Q2): the loop adds one more at a time.
"""

import sympy as sp

from lapdp import finite
from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
QR1, PR1 = pair("Q1", "P1")
QR2, PR2 = pair("Q2", "P2")
QR, PR = product_pair((QR1, PR1), (QR2, PR2), names=("Q", "P"))
A, C = pair("P", "Q")
eps, x, u, t = reals("eps x u t")
d = positives("delta")
Z1, Z2, Y1, Y2 = PLD(P1, Q1), PLD(P2, Q2), PLD(Q1, P1), PLD(Q2, P2)
Z, Y, ZA, YA = PLD(P, Q), PLD(Q, P), PLD(A, C), PLD(C, A)
FORWARD = [ac(P1, Q1), ac(P2, Q2)]
BACKWARD = [ac(Q1, P1), ac(Q2, P2)]
HALF = sp.Rational(1, 2)


def phi(loss):
    """The characteristic function of a loss."""
    return Ex(sp.exp(sp.I * u * loss), loss)


def levy(transform, at):
    """The right side of Lemma 20, a principal value."""
    return HALF + PV(sp.I * sp.exp(-sp.I * u * at) / u * transform, u) / (2 * sp.pi)


def mean(loss, at):
    """(F(x) + F(x-))/2."""
    return (F(loss)(at) + F(loss)(at, strict=True)) / 2


SUM = phi(Z1) * phi(Z2)
SUM_PRIME = phi(Y1) * phi(Y2)
COMPUTED = 1 - levy(SUM, eps) - sp.exp(eps) * levy(SUM_PRIME, -eps)
LEAKY, LEAKY_Q = mechanism_pair(
    finite(["1/2", "1/2", 0], ["1/2", 0, "1/2"]), "P", "Q"
)
ONE_TURN = outcomes(
    {
        "a": (HALF, sp.exp(-1) / 2),
        "b": (HALF, sp.exp(-2) / 2),
        "c": (0, 1 - sp.exp(-1) / 2 - sp.exp(-2) / 2),
    }
)

LINE_3 = (
    r"\log\phi_{(\mathcal M)}(\alpha)\leftarrow\log\phi_{(\mathcal M)}(\alpha)"
    r"+\log\phi_{(\mathcal M_i)}(\alpha)"
)
LINE_4 = LINE_3.replace(r"\phi", r"\phi'")
LINE_6 = (
    r"\text{Obtain the CDF }F_{L_{P,Q}}(\cdot)\text{ from }\log\phi_{(\mathcal M)}(\alpha)"
    r"\text{ through Theorem 20.}"
)
LINE_7 = LINE_6.replace("P,Q", "Q,P").replace(r"\phi", r"\phi'")
LINE_8 = r"\text{Return }\delta\text{ by Lemma 5.}"
BISECTION = (
    r"\text{For computing }\varepsilon\text{ given }\delta\text{, we use bisection to solve }"
    r"\delta_{\mathcal M}(\varepsilon)=\delta"
)
OUTPUT = r"\text{[the accountant returns }\delta_{\mathcal M}(\varepsilon)\text{]}"
ADDED = (
    "The exponential of the sum of the logarithms, on any branch, is the product; the loop starts "
    "at log 1 = 0."
)
LOST = "A mass at +oo has no characteristic function; Section D.2 is not in the source."
SLOW = {"numeric_seconds": 5}

with theorem("zhu2021/algorithm-1", "Analytical Fourier Accountant"):
    claim(
        "section-4.3.claim-2",
        Ne(phi(ZA), 0),
        where=[ac(A, C)],
        printed=r"\text{the data structure tracks the log characteristic function of each "
        r"mechanism in a symbolic form}",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-3.repaired",
        hints={"pairs": {"P": ONE_TURN}, "witness": {"u": sp.pi}},
        note="What it supposes: the characteristic function has no zero, so that it has a "
        "logarithm.  Two losses of mass 1/2 that lie 1 apart give 0 at u = pi.  Products of the "
        "functions need no logarithm.",
    )
    claim(
        "algorithm-1.reading-1",
        Eq(delta(P, Q)(eps), COMPUTED),
        printed=OUTPUT,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.repaired",
        note="Two arbitrary pairs, the integrals of Lemma 20 as principal values.  " + LOST,
    )
    repair(
        "algorithm-1.repaired",
        "algorithm-1.reading-1",
        Eq(delta(A, C)(eps), 1 - levy(phi(ZA), eps) - sp.exp(eps) * levy(phi(YA), -eps)),
        where=[ac(A, C), ac(C, A)],
        printed=OUTPUT + r",\quad P_i\ll Q_i\ll P_i",
        note="Every pair without infinite losses, so a composition whose phi and phi' lines 3 and "
        "4 give; every real eps, atoms at eps included: the halves that the two integrals leave "
        "out there cancel.",
    )
    step(
        "algorithm-1.line-3.reading-1",
        Eq(phi(Z), SUM),
        printed=LINE_3,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-3.repaired",
        note=ADDED + "  " + LOST,
    )
    repair(
        "algorithm-1.line-3.repaired",
        "algorithm-1.line-3.reading-1",
        Eq(phi(Z), SUM),
        where=FORWARD,
        kind="step",
        printed=LINE_3 + r",\quad P_i\ll Q_i",
        note=ADDED,
    )
    step(
        "algorithm-1.line-4.reading-1",
        Eq(phi(Y), SUM_PRIME),
        printed=LINE_4,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-4.repaired",
        note=ADDED + "  " + LOST,
    )
    repair(
        "algorithm-1.line-4.repaired",
        "algorithm-1.line-4.reading-1",
        Eq(phi(Y), SUM_PRIME),
        where=BACKWARD,
        kind="step",
        printed=LINE_4 + r",\quad Q_i\ll P_i",
        note=ADDED,
    )
    step(
        "algorithm-1.line-6",
        Eq(F(Z)(x), levy(SUM, x)),
        where=FORWARD,
        printed=LINE_6,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-6.repaired",
        note="At an atom, as randomized response has them, the integral is the mean of the limits "
        "from both sides.",
    )
    repair(
        "algorithm-1.line-6.repaired",
        "algorithm-1.line-6",
        Eq(mean(Z, x), levy(SUM, x)),
        where=FORWARD,
        kind="step",
        hints=SLOW,
        printed=r"\tfrac12(F_{L_{P,Q}}(x)+F_{L_{P,Q}}(x^-))",
    )
    step(
        "algorithm-1.line-7",
        Eq(F(PLD(QR, PR))(x), levy(phi(PLD(QR1, PR1)) * phi(PLD(QR2, PR2)), x)),
        where=[ac(QR1, PR1), ac(QR2, PR2)],
        printed=LINE_7,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-7.repaired",
        note="As line 6.",
    )
    repair(
        "algorithm-1.line-7.repaired",
        "algorithm-1.line-7",
        Eq(mean(PLD(QR, PR), x), levy(phi(PLD(QR1, PR1)) * phi(PLD(QR2, PR2)), x)),
        where=[ac(QR1, PR1), ac(QR2, PR2)],
        kind="step",
        hints=SLOW,
        printed=r"\tfrac12(F_{L_{Q,P}}(x)+F_{L_{Q,P}}(x^-))",
    )
    step(
        "algorithm-1.line-8.claim-1",
        Eq(delta(A, C)(eps), 1 - F(ZA)(eps) - sp.exp(eps) * F(YA)(-eps)),
        printed=LINE_8,
        fault="misprint",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-8.claim-1.repaired",
        note="Lemma 5 has Pr[L_{Q,P} < -eps]; the distribution function counts an atom at -eps.",
    )
    repair(
        "algorithm-1.line-8.claim-1.repaired",
        "algorithm-1.line-8.claim-1",
        Eq(delta(A, C)(eps), 1 - F(ZA)(eps) - sp.exp(eps) * F(YA)(-eps, strict=True)),
        kind="step",
        printed=r"\delta=1-F_{L_{P,Q}}(\varepsilon)-e^{\varepsilon}F_{L_{Q,P}}"
        r"((-\varepsilon)^-)",
        note="Every pair, masses at infinity included.",
    )
    repair(
        "algorithm-1.line-8.claim-1.repaired-2",
        "algorithm-1.line-8.claim-1",
        Eq(delta(A, C)(eps), 1 - mean(ZA, eps) - sp.exp(eps) * mean(YA, -eps)),
        kind="step",
        printed=r"\text{with the mean of the limits from both sides in both}",
        note="Every pair: what Levy's integrals give is right.",
    )
    step(
        "algorithm-1.line-8.claim-2",
        Exists(eps, Le(delta(LEAKY, LEAKY_Q)(eps), sp.Rational(1, 4))),
        printed=BISECTION,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-8.claim-2.repaired",
        note="No solution below the mass at infinite loss: here it is 1/2, and delta is 1/4.",
    )
    repair(
        "algorithm-1.line-8.claim-2.repaired",
        "algorithm-1.line-8.claim-2",
        Continuous(delta(A, C)(eps), eps),
        kind="step",
        printed=BISECTION + r",\quad \Pr[L_{P,Q}=\infty]<\delta<1",
        note="A profile is continuous, tends to 1 at -oo and to the mass at infinite loss at +oo: "
        "between these bounds the mean value theorem gives a solution.",
    )
    repair(
        "algorithm-1.line-8.claim-2.repaired-2",
        "algorithm-1.line-8.claim-2",
        Eq(Lim(delta(A, C)(eps), eps, sp.oo), Pr(ZA, "==", sp.oo)),
        kind="step",
        printed=r"\lim_{\varepsilon\to\infty}\delta(\varepsilon)=\Pr[L_{P,Q}=\infty]",
    )
    repair(
        "algorithm-1.line-8.claim-2.repaired-3",
        "algorithm-1.line-8.claim-2",
        Ge(delta(A, C)(eps), 1 - sp.exp(eps)),
        kind="step",
        printed=r"\delta(\varepsilon)\geq 1-e^{\varepsilon}\to 1\quad(\varepsilon\to-\infty)",
    )
    claim(
        "section-4.3.slide.claim-3",
        Eq(phi(Z), SUM),
        where=FORWARD,
        printed=r"\text{Compose in the Fourier domain (pointwise multiplication)}",
        note="Convolution of the loss distributions is multiplication of their transforms.",
    )
    claim(
        "section-4.3.slide.claim-4",
        Eq(mean(Z, x), levy(phi(Z), x)),
        where=FORWARD,
        hints=SLOW,
        printed=r"\text{Inverse FFT back to the original space after composition}",
        note="The exact counterpart: the transform of the composition gives its distribution "
        "function back.",
    )
