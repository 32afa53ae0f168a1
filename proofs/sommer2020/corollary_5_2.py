"""Corollary 5.2: the least noise of the Gauss mechanism for probabilistic differential privacy.

``a`` stands for erfc^-1(2 delta), so that delta is erfc(a)/2; a > 0 says delta < 1/2, which is more
than delta <= 1/4 (corollary-5.2.step-11).  n may be any positive number.
"""

import sympy as sp

from lapdp.theory import *

a, n, mu, sigma, eps = positives("a n mu sigma epsilon")
shift, b, s, linear, constant = reals("mu b s p q")

ROOT = sp.sqrt(a**2 + eps)
SPAN = sp.sqrt(2 * n * mu**2)
PLACE = (sigma * eps - n * mu**2 / (2 * sigma)) / SPAN
LINEAR = sigma * eps - n * mu**2 / (2 * sigma)
HEAD = SPAN * a / eps
p, q = -SPAN * a / eps, -n * mu**2 / (2 * eps)
PRINTED = mu * sp.sqrt(n) / sp.sqrt(2 * eps) * (a + ROOT)
PRINTED_BOTH = mu * sp.sqrt(n) / sp.sqrt(2 * eps) * (a + s * ROOT)
LEAST = mu * sp.sqrt(n) / (sp.sqrt(2) * eps) * (a + ROOT)
LEAST_BOTH = mu * sp.sqrt(n) / (sp.sqrt(2) * eps) * (a + s * ROOT)
PLUS_MINUS = (-linear + s * sp.sqrt(linear**2 - 4 * constant)) / 2
NAMED = {linear: p, constant: q}
STEP_7 = (HEAD + s * sp.sqrt(2 * n * mu**2 * a**2 / eps**2 + 4 * n * mu**2 / (2 * eps))) / 2
STEP_8 = (HEAD + s * sp.Pow(2 * n * mu**2 * (a**2 + eps) / eps**2, sp.Rational(1, 2),
                            evaluate=False)) / 2
STEP_9 = (HEAD + s * SPAN * ROOT / eps) / 2
QUADRATIC = sigma**2 + p * sigma + q


def loss_tail(spread):
    """The mass of losses above eps by Corollary 5.1, spread = |x0 - x1|/sigma."""
    return sp.erfc((eps - n * spread**2 / 2) / (sp.sqrt(2 * n) * spread)) / 2


A = r"\operatorname{erfc}^{-1}(2\delta)"
R = r"\sqrt{(" + A + r")^2+\varepsilon}"
SIGMA = r"\sigma(\varepsilon,\delta,n)="
BOTH = A + r"\pm" + R
TEX_HEAD = r"\frac{\sqrt{2n\mu^2}" + A + r"}{\varepsilon}"
TEX_PLACE = r"\frac{\sigma\varepsilon-\frac{n\mu^2}{2\sigma}}{\sqrt{2n\mu^2}}"
TEX_LINEAR = r"\sigma\varepsilon-\frac{n\mu^2}{2\sigma}"
WITH_MU = r"\mu=x_0-x_1,\ x_0,x_1\in\mathcal{X}"
A_MU = "a stands for erfc^-1(2 delta) > 0 (so delta < 1/2), mu > 0 for |x0 - x1|."
SIGNS = "s stands for the two signs.  " + A_MU
SIGN = [Eq(s**2, 1)]
MISPRINT = "The root reaches over epsilon: right for epsilon = 1 only."

with theorem("sommer2020/corollary-5.2", "Optimal sigma for Gauss-Mechanism PDP",
             fidelity="printed"):
    claim(
        "corollary-5.2.formula",
        Eq(sp.erfc(PLACE.subs(sigma, PRINTED)) / 2, sp.erfc(a) / 2),
        printed=SIGMA + r"\frac{\mu\sqrt{n}}{\sqrt{2\varepsilon}}\left(" + A + "+" + R
        + r"\right)",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/corollary-5.2.formula.repaired",
        note="At this sigma the tail of corollary-5.2.step-1 should be delta.  " + MISPRINT
        + "  " + A_MU,
    )
    repair(
        "corollary-5.2.formula.repaired",
        "corollary-5.2.formula",
        Eq(sp.erfc(PLACE.subs(sigma, LEAST)) / 2, sp.erfc(a) / 2),
        corrected=SIGMA + r"\frac{\mu\sqrt{n}}{\sqrt{2}\,\varepsilon}\left(" + A + "+" + R
        + r"\right)",
        note="For every delta < 1/2.  " + A_MU,
    )
    claim(
        "corollary-5.2.sign",
        Gt(sp.Abs(shift) * sp.sqrt(n) / sp.sqrt(2 * eps) * (a + ROOT), 0),
        where=[Ne(shift, 0)],
        printed=WITH_MU,
        note="What mu is to be, for the formula as it stands to give a positive sigma: the "
        "distance "
        "|x_0 - x_1| > 0.  a stands for erfc^-1(2 delta) > 0.",
        readings=["corollary-5.2.sign", "corollary-5.2.sign.letter"],
    )
    claim(
        "corollary-5.2.sign.letter",
        Gt(shift * sp.sqrt(n) / sp.sqrt(2 * eps) * (a + ROOT), 0),
        printed=WITH_MU,
        fault="convention",
        expected="refuted",
        note="With mu the difference: for x_0 <= x_1 the formula gives no positive sigma; the "
        "proof "
        "takes mu >= 0.  a stands for erfc^-1(2 delta) > 0.",
        readings=["corollary-5.2.sign", "corollary-5.2.sign.letter"],
    )
    claim(
        "section-5.3.claim-9.1",
        Lt(sp.diff(sp.erfc(PLACE), sigma), 0),
        printed=r"\text{we can find the smallest degree of noise }\sigma\text{ such that the "
        r"privacy constraints are still satisfied after }n\text{ compositions}",
        note="The derivative in sigma of twice the tail of corollary-5.2.step-1, taken "
        "beforehand, is "
        "negative: the sigma at which the tail is delta is the least.  That some sigma has it is "
        "section-5.3.claim-9.2.  mu > 0 stands for |x0 - x1|.",
    )
    claim(
        "section-5.3.claim-9.2",
        Eq(sp.erfc(PLACE.subs(sigma, LEAST)) / 2, sp.erfc(a) / 2),
        printed=r"\text{For the Gauss mechanism, such a formula directly follows from "
        r"Corollary 5.1}",
        note="The formula with its misprint mended.  " + A_MU,
    )
    step(
        "corollary-5.2.step-1",
        Eq(loss_tail(mu / sigma), sp.erfc(PLACE) / 2),
        printed=r"\delta=\frac{1}{2}\left[\operatorname{erfc}\left(" + TEX_PLACE
        + r"\right)\right]",
        note="The tail of Corollary 5.1 with sigma_pld = mu/sigma, mu > 0.",
    )
    step(
        "corollary-5.2.step-2",
        Iff(Eq(sp.erfc(a) / 2, sp.erfc(PLACE) / 2), Eq(a, PLACE)),
        printed=r"\Leftrightarrow " + A + "=" + TEX_PLACE,
        note=A_MU,
    )
    step(
        "corollary-5.2.step-3",
        Iff(Eq(a, PLACE), Eq(SPAN * a, LINEAR)),
        printed=r"\Leftrightarrow\sqrt{2n\mu^2}" + A + "=" + TEX_LINEAR,
        note=A_MU,
    )
    step(
        "corollary-5.2.step-4",
        Iff(Eq(SPAN * a, LINEAR), Eq(HEAD * sigma, sigma**2 - n * mu**2 / (2 * eps))),
        printed=r"\Leftrightarrow" + TEX_HEAD + r"\sigma=\sigma^2-\frac{n\mu^2}{2\varepsilon}",
        note=A_MU,
    )
    step(
        "corollary-5.2.step-5",
        Iff(Eq(HEAD * sigma, sigma**2 - n * mu**2 / (2 * eps)), Eq(0, QUADRATIC)),
        printed=r"p:=-\sqrt{2n\mu^2}" + A + r"/\varepsilon,\ q=-n\mu^2/2\varepsilon,"
        r"\text{ then }\Leftrightarrow 0=\sigma^2+p\sigma+q",
        note=A_MU,
    )
    step(
        "corollary-5.2.step-6",
        Eq(QUADRATIC, (sigma - PLUS_MINUS.subs({s: 1, **NAMED}))
           * (sigma - PLUS_MINUS.subs({s: -1, **NAMED}))),
        printed=r"\Leftrightarrow\sigma_{1,2}=\frac{-p\pm\sqrt{p^2-4q}}{2}",
        note="The two roots, as the factors of the quadratic.  " + A_MU,
    )
    step(
        "corollary-5.2.step-7",
        Eq(PLUS_MINUS, STEP_7),
        where=[*SIGN, Eq(linear, p), Eq(constant, q)],
        printed=r"=\frac{" + TEX_HEAD + r"\pm\sqrt{\frac{2n\mu^2(" + A + r")^2}{\varepsilon^2}"
        r"+4\frac{n\mu^2}{2\varepsilon}}}{2}",
        note=SIGNS + "  p, q are those of corollary-5.2.step-5.",
    )
    step(
        "corollary-5.2.step-8",
        Eq(STEP_7, STEP_8),
        where=SIGN,
        printed=r"=\frac{" + TEX_HEAD + r"\pm\sqrt{\frac{2n\mu^2((" + A + r")^2+\varepsilon)}"
        r"{\varepsilon^2}}}{2}",
        note="The right side is shown with the factors outside its root, as step-9 has them.  "
        + SIGNS,
    )
    step(
        "corollary-5.2.step-9",
        Eq(STEP_8, STEP_9),
        where=SIGN,
        printed=r"=\frac{" + TEX_HEAD + r"\pm\frac{\sqrt{2n\mu^2}" + R + r"}{\varepsilon}}{2}",
        note="The left side is shown with the factors outside its root already.  " + SIGNS,
    )
    step(
        "corollary-5.2.step-10",
        Eq(STEP_9, PRINTED_BOTH),
        where=SIGN,
        printed=r"=\frac{\sqrt{n\mu^2}}{\sqrt{2\varepsilon}}\left(" + BOTH + r"\right)",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/corollary-5.2.step-10.repaired",
        note=SIGNS + "  " + MISPRINT,
        root="corollary-5.2.formula",
    )
    repair(
        "corollary-5.2.step-10.repaired",
        "corollary-5.2.step-10",
        Eq(STEP_9, LEAST_BOTH),
        where=SIGN,
        kind="step",
        corrected=r"=\frac{\sqrt{n\mu^2}}{\sqrt{2}\,\varepsilon}\left(" + BOTH + r"\right)",
        note=SIGNS,
    )
    step(
        "corollary-5.2.step-11",
        AllOf((Gt(sp.erfc(-b) / 2, sp.Rational(1, 4)), Gt(ROOT, a))),
        where=[Ge(b, 0)],
        printed=r"\sigma\geq 0,\ \sqrt{\cdot}\text{ is monotonically increasing, and }" + A
        + r"\text{ is positive for }\delta\leq 1/4",
        note="At every -b <= 0 the value erfc(-b)/2 exceeds 1/4, so that a = erfc^-1(2 delta) is "
        "positive; delta < 1/2 would do.  And the root exceeds a: the lower sign would give "
        "sigma < 0.",
    )
    step(
        "corollary-5.2.step-12",
        Eq(0, QUADRATIC.subs(sigma, PRINTED)),
        printed=SIGMA + r"\frac{\sqrt{n\mu^2}}{\sqrt{2\varepsilon}}\left(" + A + "+" + R
        + r"\right)",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/corollary-5.2.step-12.repaired",
        note="It should solve the quadratic.  " + MISPRINT + "  " + A_MU,
        root="corollary-5.2.formula",
    )
    repair(
        "corollary-5.2.step-12.repaired",
        "corollary-5.2.step-12",
        Eq(0, QUADRATIC.subs(sigma, LEAST)),
        kind="step",
        corrected=SIGMA + r"\frac{\sqrt{n\mu^2}}{\sqrt{2}\,\varepsilon}\left(" + A + "+" + R
        + r"\right)",
        note=A_MU,
    )
