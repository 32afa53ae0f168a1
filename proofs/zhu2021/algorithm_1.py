"""Section 4.3: Algorithm 1, the Analytical Fourier Accountant, line by line.

Two mechanisms with dominating pairs (P1, Q1), (P2, Q2): the loop adds one more at a time.
"""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
QR1, PR1 = pair("Q1", "P1")
QR2, PR2 = pair("Q2", "P2")
QR, PR = product_pair((QR1, PR1), (QR2, PR2), names=("Q", "P"))
A, C = pair("P", "Q")
k = naturals("k")
COPIES = composition("P^k", "Q^k", each=(A, C))
eps, x, u, t = reals("eps x u t")
h = positives("h")
Z1, Z2, Y1, Y2 = PLD(P1, Q1), PLD(P2, Q2), PLD(Q1, P1), PLD(Q2, P2)
Z, Y, ZA, YA = PLD(P, Q), PLD(Q, P), PLD(A, C), PLD(C, A)
FORWARD = [ac(P1, Q1), ac(P2, Q2)]
BACKWARD = [ac(Q1, P1), ac(Q2, P2)]
HALF = sp.Rational(1, 2)


def phi(loss):
    """The characteristic function of a loss."""
    return Ex(sp.exp(sp.I * u * loss), loss)


def finite_part(loss, at):
    """The same over the finite losses, for every pair."""
    return B(f(loss)(t), t)(-sp.I * at)


def whole(loss, at):
    """Lemma 20 with half of phi(0) for 1/2, over the finite losses."""
    return finite_part(loss, 0) / 2 + PV(
        sp.I * sp.exp(-sp.I * u * at) / u * finite_part(loss, u), u) / (2 * sp.pi)


def levy(transform, at):
    """The right side of Lemma 20, a principal value."""
    return HALF + PV(sp.I * sp.exp(-sp.I * u * at) / u * transform, u) / (2 * sp.pi)


def mean(loss, at):
    """(F(x) + F(x-))/2."""
    return (F(loss)(at) + F(loss)(at, strict=True)) / 2


SUM = phi(Z1) * phi(Z2)
SUM_PRIME = phi(Y1) * phi(Y2)
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
OUTPUT = (
    r"\text{[...] constructs two analytical CDFs [...] using Theorem 20. Then the conversion to }"
    r"(\varepsilon,\delta)\text{-DP is obtained using Lemma 5}"
)
LINES_3, LINES_4 = ([f"algorithm-1.line-{line}.reading-{k}" for k in (1, 2)] for line in (3, 4))
ADDED = (
    "The exponential of the sum of the logarithms, on any branch, is the product; the loop starts "
    "at log 1 = 0."
)
SLOW = {"numeric_work": 80_000}

with theorem("zhu2021/algorithm-1", "Analytical Fourier Accountant", fidelity="printed"):
    claim(
        "section-4.3.claim-2",
        Eq(E(1 + sp.I * u, *COPIES(k)), E(1 + sp.I * u, A, C) ** k),
        where=[ac(A, C)],
        printed=r"\text{the data structure tracks the log characteristic function of each "
        r"mechanism in a symbolic form}",
        note="A sequence of k releases of one mechanism, any mechanism and k: phi(u) is E_{1+iu}, "
        "so its logarithm is k times that of one.  Two different ones are line 3.",
        fidelity="instance",
    )
    claim(
        "section-4.3.claim-2.zeros",
        NotAlways(Ne(phi(ZA), 0)),
        where=[ac(A, C)],
        kind="law",
        hints={"pairs": {"P": ONE_TURN}, "witness": {"u": sp.pi}},
        note="Not in the paper: two losses of mass 1/2 that lie 1 apart give 0 at u = pi, where "
        "the logarithm is -oo.  Products of the functions need none.",
    )
    claim(
        "algorithm-1.output",
        Eq(delta(A, C)(eps), 1 - levy(phi(ZA), eps) - sp.exp(eps) * levy(phi(YA), -eps)),
        where=[ac(A, C), ac(C, A)],
        printed=OUTPUT,
        note="Every pair without infinite losses, which the paper treats apart (Section D.2), so a "
        "composition whose phi and phi' lines 3 and 4 give; every real eps, atoms at eps included: "
        "the halves that the two integrals of Lemma 20 leave out there cancel.",
    )
    claim(
        "algorithm-1.infinite-losses",
        Eq(delta(A, C)(eps), 1 - whole(ZA, eps) - sp.exp(eps) * whole(YA, -eps)),
        fidelity="own",
        note="Every pair and every real eps, no hypothesis: half of phi(0) for the 1/2 of Lemma "
        "20, and means over finite losses.  What phi lacks of 1 at 0 is the mass at infinity.",
    )
    step(
        "algorithm-1.line-3.reading-1",
        Eq(phi(Z), SUM),
        where=FORWARD,
        printed=LINE_3,
        note=ADDED + "  P_i << Q_i, so that the functions exist.",
        readings=LINES_3,
    )
    step(
        "algorithm-1.line-3.reading-2",
        Eq(finite_part(Z, u), finite_part(Z1, u) * finite_part(Z2, u)),
        printed=LINE_3,
        note=ADDED + "  Every two pairs, means over finite losses.",
        readings=LINES_3,
    )
    step(
        "algorithm-1.line-4.reading-1",
        Eq(phi(Y), SUM_PRIME),
        where=BACKWARD,
        printed=LINE_4,
        note=ADDED + "  Q_i << P_i, so that the functions exist.",
        readings=LINES_4,
    )
    step(
        "algorithm-1.line-4.reading-2",
        Eq(finite_part(Y, u), finite_part(Y1, u) * finite_part(Y2, u)),
        printed=LINE_4,
        note=ADDED + "  Every two pairs, means over finite losses.",
        readings=LINES_4,
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
        root="theorem-19",
    )
    repair(
        "algorithm-1.line-6.repaired",
        "algorithm-1.line-6",
        Eq(mean(Z, x), levy(SUM, x)),
        where=FORWARD,
        kind="step",
        hints=SLOW,
        corrected=r"\text{Obtain }\tfrac12(F_{L_{P,Q}}(x)+F_{L_{P,Q}}(x^-))"
        r"\text{ from }\log\phi_{(\mathcal M)}(\alpha)\text{ through Theorem 20.}",
    )
    step(
        "algorithm-1.line-7",
        Eq(F(PLD(QR, PR))(x), levy(phi(PLD(QR1, PR1)) * phi(PLD(QR2, PR2)), x)),
        where=[ac(QR1, PR1), ac(QR2, PR2)],
        printed=LINE_7,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/algorithm-1.line-7.repaired",
        note="As line 6 for Q and P: at an atom, as randomized response has them, the integral is "
        "the mean of the limits from both sides.",
        root="theorem-19",
    )
    repair(
        "algorithm-1.line-7.repaired",
        "algorithm-1.line-7",
        Eq(mean(PLD(QR, PR), x), levy(phi(PLD(QR1, PR1)) * phi(PLD(QR2, PR2)), x)),
        where=[ac(QR1, PR1), ac(QR2, PR2)],
        kind="step",
        hints=SLOW,
        corrected=r"\text{Obtain }\tfrac12(F_{L_{Q,P}}(x)+F_{L_{Q,P}}(x^-))"
        r"\text{ from }\log\phi'_{(\mathcal M)}(\alpha)\text{ through Theorem 20.}",
    )
    step(
        "algorithm-1.line-8.claim-1",
        Eq(delta(A, C)(eps), 1 - F(ZA)(eps) - sp.exp(eps) * F(YA)(-eps, strict=True)),
        printed=LINE_8,
        note="Item 3 in distribution functions, the second from the left: Lemma 5 has Pr[L_{Q,P} < "
        "-eps].  Every pair, masses at infinity included.",
    )
    step(
        "algorithm-1.line-8.claim-1.means",
        Eq(delta(A, C)(eps), 1 - mean(ZA, eps) - sp.exp(eps) * mean(YA, -eps)),
        note="Every pair, with the means of the limits from both sides in both places: what Levy's "
        "integrals give is right.",
        fidelity="own",
    )
    step(
        "algorithm-1.line-8.claim-2.falling",
        Ge(delta(A, C)(eps), delta(A, C)(eps + h)),
        printed=BISECTION,
        note="It does not rise: where delta_M(x) is above delta every solution lies to the right "
        "of x, where it is below, to the left, so that bisection keeps them between its ends.  "
        "That there is one, between the mass at infinite loss and 1, are the three statements "
        "after this one.",
    )
    step(
        "algorithm-1.line-8.claim-2.continuous",
        Continuous(delta(A, C)(eps), eps),
        fidelity="own",
        note="A profile is continuous, tends to 1 at -oo and to the mass at infinite loss at +oo: "
        "between these bounds the intermediate value theorem gives a solution.  For a smaller "
        "delta the "
        "answer is eps = oo.",
    )
    step(
        "algorithm-1.line-8.claim-2.above",
        Eq(Lim(delta(A, C)(eps), eps, sp.oo), Pr(ZA, "==", sp.oo)),
        fidelity="own",
        note="Its limit at +oo.",
    )
    step(
        "algorithm-1.line-8.claim-2.below",
        Ge(delta(A, C)(eps), 1 - sp.exp(eps)),
        fidelity="own",
        note="It is at least 1 - e^eps, which tends to 1 at -oo.",
    )
    claim(
        "section-4.3.slide.claim-3",
        Eq(phi(Z), SUM),
        where=FORWARD,
        printed=r"\text{Compose in the Fourier domain (pointwise multiplication)}",
        note="Convolution of the loss distributions is multiplication of their transforms, under "
        "P << Q, where phi is defined.  u stands for the argument of phi.",
    )
    claim(
        "section-4.3.slide.claim-4",
        Eq(mean(Z, x), levy(phi(Z), x)),
        where=FORWARD,
        hints=SLOW,
        printed=r"\text{Inverse FFT back to the original space after composition}",
        note="Without a grid, as which a discrete transform is computed: the transform of the "
        "composition of any two mechanisms gives its distribution function back.",
        fidelity="instance",
    )
