"""Privacy loss classes: of three mechanisms for all parameters, and of products.

The class is mean and variance of the loss, given that it is finite, and its mass at +oo: Sommer,
Meiser, Mohammadi 2020, sommer2020/definition-10.item-1 to definition-10.item-3.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, laplace, randomized_response
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
sigma, b, d = positives("sigma b d")
eps, leak = reals("varepsilon delta")
ZG = PLD(*mechanism_pair(gaussian(sigma, d), "G", "G'"))
ZL = PLD(*mechanism_pair(laplace(b, d), "L", "L'"))
ZB = PLD(*mechanism_pair(laplace(b, d * b), "L", "L'"))
ZR = PLD(*mechanism_pair(randomized_response(eps, leak), "R", "R'"))
RANGES = [Ge(eps, 0), Ge(leak, 0), Lt(leak, 1)]
KEPT = 1 - Pr(ZR, "==", sp.oo)
GAP = (sp.exp(eps) - 1) / (sp.exp(eps) + 1)
SOURCE = "Sommer, Meiser, Mohammadi 2020, "


def variance(loss):
    """The variance of a loss that is finite with certainty."""
    return Ex(loss**2, loss) - Ex(loss, loss) ** 2


CLASSES = (
    ("gaussian-mean", Ex(ZG, ZG), d**2 / (2 * sigma**2), [], r"\frac{d^2}{2\sigma^2}",
     "Lemma 11"),
    ("gaussian-variance", variance(ZG), d**2 / sigma**2, [], r"\frac{d^2}{\sigma^2}", "Lemma 11"),
    ("laplace-mean", Ex(ZL, ZL), sp.exp(-d / b) - 1 + d / b, [], r"e^{-d/b}-1+d/b",
     "Appendix A.3"),
    ("laplace-variance", variance(ZL), 3 - 2 * sp.exp(-d / b) * (1 + 2 * d / b)
     - sp.exp(-2 * d / b), [], r"3-2e^{-d/b}(1+2d/b)-e^{-2d/b}", "Appendix A.3"),
    ("response-mean", inner_mean(ZR), eps * GAP, RANGES,
     r"\varepsilon\tanh(\varepsilon/2)", "Appendix A.1, (13)"),
    ("response-variance", inner_variance(ZR), eps**2 * (1 - GAP**2), RANGES,
     r"\varepsilon^2/\cosh^2(\varepsilon/2)", "Appendix A.1, (13)"),
    ("response-infinity", Pr(ZR, "==", sp.oo), leak, RANGES, r"\delta", "Appendix A.1, (12)"),
)

with theorem("laws/loss-classes", "Privacy loss classes"):
    for name, left, right, where, tex, source in CLASSES:
        claim(
            f"loss-classes.{name}",
            Eq(left, right),
            where=where,
            kind="law",
            expected="proved",
            printed=tex,
            note="All parameters: " + SOURCE + source + ".",
        )
    claim(
        "loss-classes.means-add",
        Eq(inner_mean(Z), inner_mean(Z1) + inner_mean(Z2)),
        where=[Defined(inner_mean(Z1)), Defined(inner_mean(Z2))],
        kind="law",
        expected="proved",
        printed=r"\mu(Z_1+Z_2)=\mu(Z_1)+\mu(Z_2)",
        note="Independent releases: " + SOURCE + "Theorem 4.",
    )
    claim(
        "loss-classes.variances-add",
        Eq(inner_variance(Z), inner_variance(Z1) + inner_variance(Z2)),
        where=[Defined(inner_variance(Z1)), Defined(inner_variance(Z2))],
        kind="law",
        expected="proved",
        printed=r"\sigma^2(Z_1+Z_2)=\sigma^2(Z_1)+\sigma^2(Z_2)",
        note="Independent releases: " + SOURCE + "Theorem 4.",
    )
    claim(
        "loss-classes.infinity",
        Eq(1 - Pr(Z, "==", sp.oo), (1 - Pr(Z1, "==", sp.oo)) * (1 - Pr(Z2, "==", sp.oo))),
        kind="law",
        expected="proved",
        printed=r"1-\omega(\infty)=(1-\omega_1(\infty))(1-\omega_2(\infty))",
        note="Independent releases: " + SOURCE + "Theorem 1.",
    )
    claim(
        "loss-classes.laplace-below-gaussian",
        Lt(Ex(ZB, ZB), d**2 / 2),
        kind="law",
        expected="proved",
        printed=r"\mu(Z_{\text{Laplace}})<\mu(Z_{\text{Gauss}}),\ \sigma=b",
        note="At the distance d b, where the Gauss mechanism of the same scale has the mean "
        "d^2/2.  " + SOURCE + "Section 6.2.1, has it the other way round.",
    )
