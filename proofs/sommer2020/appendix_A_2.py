"""Appendix A.2: the Gauss mechanism, (18) to (26)."""

import sympy as sp

from lapdp import gaussian
from lapdp.theory import *

sigma = positives("sigma")
x0, x1, o, x, y, eps, u = reals("x_0 x_1 o x y varepsilon u")
ORDERED = [Lt(x0, x1)]
A, B = mechanism_pair(gaussian(sigma, x1 - x0), "A", "B")
Z = PLD(A, B)
SPREAD = (x0 - x1) ** 2 / sigma**2
MEAN = (x0 - x1) ** 2 / (2 * sigma**2)


def density(at, centre):
    """(18) and (19)."""
    return sp.exp(-((at - centre) ** 2) / (2 * sigma**2)) / (sp.sqrt(2 * sp.pi) * sigma)


def law(at):
    """The right side of (24)."""
    return sp.exp(-((at - MEAN) ** 2) / (2 * SPREAD)) / sp.sqrt(2 * sp.pi * SPREAD)


DENSITY = (
    r"\Pr[o\leftarrow M(x_{%d})]=\frac{e^{-\frac{(x-x_{%d})^{2}}{2\sigma^{2}}}}"
    r"{\sqrt{2\pi}\sigma}"
)
SIGMA = r"\sigma^{2}=\frac{(x_{0}-x_{1})^{2}}{\sigma^{2}}"

with theorem("sommer2020/appendix-A.2", "Gauss Mechanism", fidelity="printed"):
    for number, (at, tex) in enumerate(((x0, 0), (x1, 1)), 18):
        definition(
            f"eq-{number}",
            Eq(Int(density(o, at), o, -sp.oo, sp.oo), 1),
            printed=DENSITY % (tex, tex),
            fidelity="instance",
            note="Of the definition only what it supposes: a density of total mass 1; "
            "x on the right is the outcome o of the left.",
        )
    claim(
        "eq-20",
        Eq(sp.log(density(o, x0) / density(o, x1)), (x1 - x0) * (x0 + x1 - 2 * o) / (2 * sigma**2)),
        where=ORDERED,
        printed=r"\mathcal{L}_{M(x_{0})/M(x_{1})}(o)=\frac{(x_{1}-x_{0})(x_{0}+x_{1}-2o)}"
        r"{2\sigma^{2}}",
    )
    claim("eq-21", Eq(Pr(Z, "==", sp.oo), 0), where=ORDERED, printed=r"\omega(\infty)=0")
    claim("eq-22", Eq(Pr(Z, "==", -sp.oo), 0), where=ORDERED, printed=r"\omega(-\infty)=0")
    claim(
        "eq-23",
        Eq(F(Z)(y), F(Z)(y) / (1 - Pr(Z, "==", sp.oo))),
        where=ORDERED,
        printed=r"\omega(y)=\bar{\omega}(y)",
        note="As distribution functions.",
    )
    claim(
        "eq-24",
        Eq(f(Z)(y), law(y)),
        where=ORDERED,
        printed=r"\omega(y)[...]=\frac{1}{\sqrt{2\pi\left[\frac{(x_{0}-x_{1})^{2}}{\sigma^{2}}"
        r"\right]}}\exp\left(-\frac{\left(y-\left[\frac{(x_{0}-x_{1})^{2}}{2\sigma^{2}}"
        r"\right]\right)^{2}}{2\left[\frac{(x_{0}-x_{1})^{2}}{\sigma^{2}}\right]}\right)",
        note="The density of the loss.",
    )
    claim(
        "eq-24.distribution",
        Eq(F(Z)(y), Int(law(u), u, -sp.oo, y)),
        where=ORDERED,
        note="The same for the distribution function.",
        fidelity="own",
    )
    claim(
        "eq-25",
        Eq(Ex(Z, Z), MEAN),
        where=ORDERED,
        printed=r"\mu=\frac{(x_{0}-x_{1})^{2}}{2\sigma^{2}}",
    )
    claim(
        "eq-26.reading-1",
        Eq(Ex(Z**2, Z) - Ex(Z, Z) ** 2, SPREAD),
        where=ORDERED,
        printed=SIGMA,
        note="sigma on the left is the standard deviation of the loss, that on the right the one "
        "of the noise.",
        readings=["eq-26.reading-1", "eq-26.reading-2"],
    )
    claim(
        "eq-26.reading-2",
        Eq(sigma**2, SPREAD),
        where=ORDERED,
        printed=SIGMA,
        expected="refuted",
        repaired_by="sommer2020/eq-26.repaired",
        note="One letter, one number: the line has sigma for two things.",
        readings=["eq-26.reading-1", "eq-26.reading-2"],
    )
    repair(
        "eq-26.repaired",
        "eq-26.reading-2",
        Eq(Ex((Z - MEAN) ** 2, Z), SPREAD),
        where=ORDERED,
        corrected=r"\sigma_{\text{pld}}^{2}=\frac{(x_{0}-x_{1})^{2}}{\sigma^{2}}",
        note="The variance of the loss.",
    )
    claim(
        "appendix-A.2.claim-1",
        Eq(delta(A, B)(eps), delta(B, A)(eps)),
        where=ORDERED,
        printed=r"\text{Due to symmetry: }\delta_{M(x_{0})}(\varepsilon)=\delta_{M(x_{1})}"
        r"(\varepsilon)",
    )
