"""Lemma 11: the loss distribution of the Gauss mechanism, with every line of its proof; Lemma 10.

gaussian(sigma, d) is N(x0, sigma^2) against N(x1, sigma^2) with d = |x0 - x1|: reflections and
shifts of the space do not change a loss.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import *

sigma, d = positives("sigma d")
x0, x1, u, v, y = reals("x0 x1 u v y")
P, Q = mechanism_pair(gaussian(sigma, d))
Z = PLD(P, Q)

APART = [Ne(x0, x1)]
GAP = x0 - x1
MU, VAR = GAP**2 / (2 * sigma**2), GAP**2 / sigma**2
KAPPA, SPREAD = d**2 / (2 * sigma**2), d**2 / sigma**2


def normal(t, mean, variance):
    """The density of N(mean, variance) at t."""
    return sp.exp(-((t - mean) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)


def loss(t):
    """The privacy loss at an outcome t."""
    return (2 * t * GAP - (x0**2 - x1**2)) / (2 * sigma**2)


PRINTED_INVERSE = (y * sigma**2 + (x0**2 - x1**2)) / (2 * GAP)
INVERSE = (2 * y * sigma**2 + (x0**2 - x1**2)) / (2 * GAP)
M = r"\frac{(x_0-x_1)^2}{2\sigma^2}"
V = r"\frac{(x_0-x_1)^2}{\sigma^2}"
LOSS = r"\mathcal{L}_{\mathcal{N}(x_0,\sigma^2)/\mathcal{N}(x_1,\sigma^2)}(u)"
FRACTION = (
    r"\ln\frac{\frac{1}{\sqrt{2\pi\sigma^2}}e^{-\frac{(u-x_0)^2}{2\sigma^2}}}"
    r"{\frac{1}{\sqrt{2\pi\sigma^2}}e^{-\frac{(u-x_1)^2}{2\sigma^2}}}"
)
TRANSFORMED = (
    r"d\omega(y)=A(\mathcal{L}^{-1}(y))%s\left(\frac{\partial\mathcal{L}^{-1}}{\partial y}\right)"
    r"(y)%s\,dy"
)
BELL = (
    r"\frac{1}{\sqrt{2\pi\left[" + V + r"\right]}}\exp\left(-\frac{\left(y-\left[" + M
    + r"\right]\right)^2}{2\left[" + V + r"\right]}\right)dy"
)
LETTERS = "d = |x0 - x1| > 0."

with theorem("sommer2020/lemma-10", "Density Transformation", fidelity="printed"):
    claim(
        "lemma-10.gauss",
        Eq(normal(y, MU, VAR), normal(INVERSE, x0, sigma**2) * sp.diff(INVERSE, y)),
        where=APART,
        printed=TRANSFORMED % ("", ""),
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-10.gauss.repaired",
        hints={"witness": {"x0": 0, "x1": 1, "sigma": 1, "y": 0}},
        note="For the Gauss mechanism, whose loss is bijective; the left side is its density "
        "(lemma-11.item-1).  Where the loss falls (x0 < x1) the derivative of its inverse is "
        "negative, and a density is not: the loss must increase, or the absolute value be "
        "taken.",
        fidelity="instance",
    )
    repair(
        "lemma-10.gauss.repaired",
        "lemma-10.gauss",
        Eq(normal(y, MU, VAR), normal(INVERSE, x0, sigma**2) * sp.Abs(sigma**2 / GAP)),
        where=APART,
        corrected=TRANSFORMED % (r"\left|", r"\right|"),
        note="sigma^2/(x0 - x1) is the derivative of the inverse (lemma-11.step-7.derivative).  "
        "For the Gauss mechanism only: densities and bijective losses in general have no word.",
    )

with theorem("sommer2020/lemma-11", "PLD of Gauss Mechanism", fidelity="printed"):
    claim(
        "lemma-11.item-1",
        Eq(f(Z)(y), normal(y, KAPPA, SPREAD)),
        printed=r"\omega\sim\mathcal{N}\left(" + M + "," + V + r"\right)",
        note=LETTERS + "  The density of the loss; for x0 = x1 the loss is 0.",
    )
    claim(
        "lemma-11.item-2",
        Eq(Pr(Z, "==", sp.oo), 0),
        printed=r"\omega(\infty)=0",
        note=LETTERS + "  For x0 = x1 the loss is 0.",
    )
    claim(
        "lemma-11.item-3.1",
        Eq(Ex(Z, Z), KAPPA),
        printed=r"\text{privacy loss class }\left(" + M + "," + V + r",0\right)",
        note=LETTERS + "  The mean; no loss is infinite.",
    )
    claim(
        "lemma-11.item-3.2",
        Eq(Ex((Z - KAPPA) ** 2, Z), SPREAD),
        printed=r"\text{privacy loss class }\left(" + M + "," + V + r",0\right)",
        note=LETTERS + "  The variance.",
    )
    step(
        "lemma-11.step-1",
        Eq(loss(u), sp.log(normal(u, x0, sigma**2) / normal(u, x1, sigma**2))),
        printed=LOSS + "=" + FRACTION,
        note="Its value (the next line) is the log ratio of the densities, for all x0 and x1.",
    )
    step(
        "lemma-11.step-2",
        Eq(sp.log(normal(u, x0, sigma**2) / normal(u, x1, sigma**2)), loss(u)),
        printed=FRACTION + r"=\frac{2u(x_0-x_1)-(x_0^2-x_1^2)}{2\sigma^2}",
    )
    step(
        "lemma-11.step-3",
        Eq(Pr(Z, "==", sp.oo), 0),
        printed=r"\forall u\in\tilde{\mathcal{U}}:" + LOSS + r"\neq\infty\Rightarrow"
        r"\omega(\infty)=0",
        note="The premise is what lemma-11.step-2 shows, a number at every u; this is the "
        "conclusion.  " + LETTERS + "  For x0 = x1 the loss is 0.",
    )
    step(
        "lemma-11.step-4",
        Eq(loss(PRINTED_INVERSE), y),
        where=APART,
        printed=r"\mathcal{L}^{-1}(y)=\frac{y\sigma^2+(x_0^2-x_1^2)}{2(x_0-x_1)}",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-11.step-4.repaired",
        note="A factor 2 is missing before y sigma^2.",
    )
    repair(
        "lemma-11.step-4.repaired",
        "lemma-11.step-4",
        Eq(loss(INVERSE), y),
        where=APART,
        kind="step",
        corrected=r"\mathcal{L}^{-1}(y)=\frac{2y\sigma^2+(x_0^2-x_1^2)}{2(x_0-x_1)}",
    )
    step(
        "lemma-11.step-5",
        Eq(D(loss(u), u), GAP / sigma**2),
        printed=r"\text{This function is invertible [...] and it is derivable}",
        note="Its slope (x0 - x1)/sigma^2 is constant: it is invertible where x0 differs from x1 "
        "(lemma-11.step-5.invertible).",
    )
    claim(
        "lemma-11.step-5.invertible",
        Iff(Eq(loss(u), y), Eq(u, INVERSE)),
        where=APART,
        kind="step",
        printed=r"\text{This function is invertible}",
        note="For x_0 != x_1, with the inverse of the mended line.",
        readings=["lemma-11.step-5.invertible", "lemma-11.step-5.invertible.letter"],
    )
    claim(
        "lemma-11.step-5.invertible.letter",
        Implies(Eq(loss(u), loss(v)), Eq(u, v)),
        kind="step",
        printed=r"\text{This function is invertible}",
        fault="convention",
        expected="refuted",
        note="For x0 = x1, which the lemma allows, the loss is constant.",
        readings=["lemma-11.step-5.invertible", "lemma-11.step-5.invertible.letter"],
    )
    step(
        "lemma-11.step-6",
        Eq(normal(y, MU, VAR), normal(INVERSE, x0, sigma**2) * sp.diff(INVERSE, y)),
        where=APART,
        printed=TRANSFORMED % ("", ""),
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-10.gauss.repaired",
        hints={"witness": {"x0": 0, "x1": 1, "sigma": 1, "y": 0}},
        note="Lemma 10 as printed: negative for x0 < x1.",
        root="lemma-10.gauss",
    )
    step(
        "lemma-11.step-7",
        Eq(D(PRINTED_INVERSE, y), sigma**2 / (2 * GAP)),
        where=APART,
        printed=r"=\frac{1}{\sqrt{2\pi\sigma^2}}e^{-\frac{(\mathcal{L}^{-1}(y)-x_0)^2}{2\sigma^2}}"
        r"\left(\frac{\sigma^2}{2(x_0-x_1)}\right)dy",
        note="The derivative of the printed inverse; the first factor is A written out.",
        readings=["lemma-11.step-7", "lemma-11.step-7.derivative"],
    )
    step(
        "lemma-11.step-7.derivative",
        Eq(sp.diff(INVERSE, y), sigma**2 / (2 * GAP)),
        where=APART,
        printed=r"A(\mathcal{L}^{-1}(y))\left(\frac{\partial\mathcal{L}^{-1}}{\partial y}"
        r"\right)(y)dy"
        r"=\frac{1}{\sqrt{2\pi\sigma^2}}e^{-\frac{(\mathcal{L}^{-1}(y)-x_0)^2}{2\sigma^2}}"
        r"\left(\frac{\sigma^2}{2(x_0-x_1)}\right)dy",
        expected="refuted",
        repaired_by="sommer2020/lemma-11.step-7.derivative.repaired",
        note="The last factor stands for the derivative.  Of the true inverse it is half.",
        readings=["lemma-11.step-7", "lemma-11.step-7.derivative"],
    )
    repair(
        "lemma-11.step-7.derivative.repaired",
        "lemma-11.step-7.derivative",
        Eq(sp.diff(INVERSE, y), sigma**2 / GAP),
        where=APART,
        kind="step",
        corrected=r"\frac{\partial\mathcal{L}^{-1}}{\partial y}=\frac{\sigma^2}{x_0-x_1}",
    )
    step(
        "lemma-11.step-8",
        Eq(normal(PRINTED_INVERSE, x0, sigma**2) * sigma**2 / (2 * GAP), normal(y, MU, VAR)),
        where=APART,
        printed="=" + BELL,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-11.step-8.repaired",
        hints={"witness": {"x0": 1, "x1": 0, "sigma": 1, "y": 0}},
        note="With the printed inverse and its derivative the line before is another function.",
        root="lemma-11.step-4",
    )
    repair(
        "lemma-11.step-8.repaired",
        "lemma-11.step-8",
        Eq(normal(INVERSE, x0, sigma**2) * sp.Abs(sigma**2 / GAP), normal(y, MU, VAR)),
        where=APART,
        kind="step",
        corrected=r"\frac{1}{\sqrt{2\pi\sigma^2}}e^{-\frac{(\mathcal{L}^{-1}(y)-x_0)^2}{2\sigma^2}}"
        r"\left|\frac{\sigma^2}{x_0-x_1}\right|dy=" + BELL,
    )
    step(
        "lemma-11.step-9",
        AllOf((
            Eq(Int(normal(u, MU, VAR), u, -sp.oo, sp.oo), 1),
            Eq(Int(u * normal(u, MU, VAR), u, -sp.oo, sp.oo), MU),
            Eq(Int((u - MU) ** 2 * normal(u, MU, VAR), u, -sp.oo, sp.oo), VAR),
        )),
        where=APART,
        printed=r"\sim\mathcal{N}\left(" + M + "," + V + r"\right)",
        note="The line before is a density, of that mean and that variance.",
    )
    step(
        "lemma-11.step-10",
        Eq(Ex(Z, Z), KAPPA),
        printed=r"\mu=\mathbb{E}_{y\sim\omega}y=" + M,
        note=LETTERS,
    )
    step(
        "lemma-11.step-11",
        Eq(SPREAD, Ex(Z**2, Z)),
        printed=r"\sigma^2=\mathbb{E}_{y\sim\omega}y^2",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-11.step-11.repaired",
        note=LETTERS + "  The variance is meant; the second moment has mu^2 more.",
    )
    repair(
        "lemma-11.step-11.repaired",
        "lemma-11.step-11",
        Eq(SPREAD, Ex(Z**2, Z) - Ex(Z, Z) ** 2),
        kind="step",
        corrected=r"\sigma^2=\mathbb{E}_{y\sim\omega}y^2-\mu^2",
        note="d = |x0 - x1| > 0.",
    )
    step(
        "lemma-11.step-12",
        Eq(Ex(Z**2, Z), SPREAD),
        printed=r"\mathbb{E}_{y\sim\omega}y^2=" + V,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-11.step-12.repaired",
        note=LETTERS + "  The variance is meant.",
        root="lemma-11.step-11",
    )
    repair(
        "lemma-11.step-12.repaired",
        "lemma-11.step-12",
        Eq(Ex((Z - KAPPA) ** 2, Z), SPREAD),
        kind="step",
        corrected=r"\mathbb{E}_{y\sim\omega}(y-\mu)^2=" + V,
        note="d = |x0 - x1| > 0.",
    )
    step(
        "lemma-11.step-13",
        AllOf((Eq(Ex(Z, Z), KAPPA), Eq(Ex((Z - KAPPA) ** 2, Z), SPREAD),
               Eq(Pr(Z, "==", sp.oo), 0))),
        printed=r"\text{the privacy loss class of this distribution is }\left(" + M + "," + V
        + r",0\right)",
        note=LETTERS,
    )
