"""Lemma 9: loss distributions on continuous spaces; the printed proof of Lemma 10.

Lemma 9 holds for pairs on any space.  Its measures are compared on half-lines and points, which
determine them.  Lemma 10's proof is judged on the Gauss mechanism, with e^(ty) as test functions:
one mechanism refutes it, and its repair is proved for that one only; for an arbitrary bijective
loss on R there is no word.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian
from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
a, y, eps, t, u, x0, x1, w = reals("a y epsilon t u x0 x1 w")
sigma, s = positives("sigma s")
LOST = Pr(Z, "==", sp.oo)
SOME = [Lt(LOST, 1)]


X = outcome("x")
A1, B1 = pair("A1", "B1")
A2, B2 = family("A2", "B2", X)
G2, H2 = pair("G2", "H2")
JOINT = adaptive_pair((A1, B1), (A2, B2))
PRODUCT = product_pair((A1, B1), (G2, H2), names=("G", "H"))
GAUSS = PLD(*mechanism_pair(gaussian(sigma, s), "A", "B"))


def total(body):
    """A sum or integral over all finite losses."""
    return Int(body, y, -sp.oo, sp.oo)


def normal(point, mean, variance):
    """The density of N(mean, variance)."""
    return sp.exp(-((point - mean) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)


GAP = x0 - x1
LOSS = (2 * u * GAP - (x0**2 - x1**2)) / (2 * sigma**2)
INVERSE = (2 * y * sigma**2 + (x0**2 - x1**2)) / (2 * GAP)
SLOPE = sp.diff(INVERSE, y)
PULLED = Int(sp.exp(t * LOSS) * normal(u, x0, sigma**2), u, -sp.oo, sp.oo)
PUSHED = total(sp.exp(t * y) * normal(INVERSE, x0, sigma**2) * SLOPE)
TRUE = total(sp.exp(t * y) * normal(INVERSE, x0, sigma**2) * sp.Abs(SLOPE))
DENSITY = total(sp.exp(t * y) * normal(y, GAP**2 / (2 * sigma**2), GAP**2 / sigma**2))
APART = [Ne(x0, x1)]
FALLING = {"witness": {"x0": 0, "x1": 1, "sigma": 1, "t": 0}}
MEAN = Eq(inner_mean(Z), total(y * f(Z)(y)) / (1 - LOST))
INNER = (
    r"\tilde{\omega}(y)=\frac{\omega(y)}{1-\omega(\infty)}\quad\forall y\in "
    r"B(\tilde{\mathcal{Y}})"
)
LEFT = r"\int_{O}f(\mathcal{L}(o))A(o)\,do"
RIGHT = (
    r"\int_{\mathcal{L}(O)}f(y)A(\mathcal{L}^{-1}(y))%s\left(\frac{\partial\mathcal{L}^{-1}}"
    r"{\partial y}\right)(y)%s\,dy"
)
PRINTED_RIGHT = (
    r"\int_{\mathcal{L}(O)}f(y)\underbrace{A(\mathcal{L}^{-1}(y))\left(\frac{\partial"
    r"\mathcal{L}^{-1}}{\partial y}\right)(y)\,dy}_{d\omega(y)}"
)
SIGN = "Where the loss falls (x0 < x1) the derivative is negative and its sign is lost."

with theorem("sommer2020/lemma-9", "Lebesgue-Generalization", fidelity="printed"):
    claim(
        "lemma-9.item-2",
        Eq(F(Z)(a), P(Where(Le(LossAt(P, Q), a)))),
        printed=r"\forall A\in B(\tilde{\mathcal{Y}}):\int_{A}g\,d\omega(y):="
        r"\int_{\mathcal{L}^{-1}(A)\subseteq\tilde{\mathcal{U}}}g\circ\mathcal{L}(u)\,d\lambda(u)",
        note="For g = 1 on half-lines; the rest by linearity and limits.",
        fidelity="instance",
    )
    claim(
        "lemma-9.item-3",
        Eq(Pr(Z, "==", a), P(Where(Eq(LossAt(P, Q), a)))),
        printed=r"\forall y\in B(\tilde{\mathcal{Y}}):\omega(y)=\int_{\mathcal{L}^{-1}(y)}"
        r"d\lambda(u)",
        note="For points; half-lines in lemma-9.item-2.",
        fidelity="instance",
    )
    definition(
        "lemma-9.item-4",
        Eq(LOST, P(Where(Eq(Q, 0)))),
        printed=r"\omega(\infty)=\int_{\mathcal{L}^{-1}(\infty)}d\lambda(u)",
    )
    claim(
        "lemma-9.item-5",
        Eq(Pr(Z, "==", -sp.oo), 0),
        printed=r"\omega(-\infty)=0",
    )
    claim(
        "lemma-9.item-6",
        Eq(total(f(Z)(y)), 1 - LOST),
        printed=r"\text{This gives us a measure space }(\tilde{\mathcal{Y}},B(\tilde{\mathcal{Y}}),"
        r"\omega)\text{ with the finite measure }\omega",
        note="Its total mass is at most 1.",
    )
    definition(
        "eq-6",
        Eq(total(f(Z)(y)) / (1 - LOST), 1),
        where=SOME,
        equations=(6,),
        printed=INNER + r"\quad(6)",
        fidelity="instance",
        note="Of the definition only what it supposes: a distribution, as its name "
        "says.  Conditioning supposes omega(oo) < 1, see "
        "definition-4.line-2.reading-2.",
    )
    claim(
        "lemma-9.item-7",
        MEAN,
        where=[Defined(inner_mean(Z))],
        printed=r"\mu=\int_{\tilde{\mathcal{Y}}}y\,d\tilde{\omega}(y)",
        note="Where the mean is finite.",
    )
    claim(
        "lemma-9.item-8",
        Eq(inner_variance(Z), total((y - inner_mean(Z)) ** 2 * f(Z)(y)) / (1 - LOST)),
        where=[Defined(inner_variance(Z))],
        printed=r"\sigma^{2}=\int_{\tilde{\mathcal{Y}}}(y-\mu)^{2}\,d\tilde{\omega}(y)",
        note="Where the variance is finite.",
    )
    claim(
        "lemma-9.item-9",
        Eq(delta(P, Q)(eps), LOST + Int((1 - sp.exp(eps - y)) * f(Z)(y), y, eps, sp.oo)),
        printed=r"\delta_{M(x_{0})}(\varepsilon)=\omega(\infty)+\int_{[\varepsilon,\infty)\cap"
        r"\tilde{\mathcal{Y}}}(1-e^{\varepsilon-y})\,d\omega(y)",
        note="At y = eps the integrand is 0: open and closed intervals agree.",
    )
    step(
        "lemma-9.step-1",
        Eq(P(Where(Eq(Q, 0))) + P(Where(Gt(Q, 0))), 1),
        printed=r"\lambda(u)\text{ is a }\sigma\text{-finite measure}",
        note="It is a probability.",
    )
    step(
        "lemma-9.step-2",
        Le(F(Z)(a), P(Where(Le(LossAt(P, Q), a)))),
        printed=r"\lambda(u)=0\Rightarrow\omega(y)=0",
        note="For half-lines: omega of a set is lambda of its preimage, so 0 where that is.",
        fidelity="instance",
    )
    step(
        "lemma-9.step-4",
        AllOf((
            Gt(1 / (1 - LOST), 0),
            Eq(total(f(Z)(y)) / (1 - LOST), total(f(Z)(y) / (1 - LOST))),
        )),
        where=SOME,
        printed=r"\text{The inner distribution (Equation (6)) is just a multiplication with a "
        r"positive constant (the normalization)}",
        note="Where there is an inner distribution: omega(oo) < 1.",
    )
    step(
        "lemma-9.step-5",
        AllOf((
            MEAN, Eq(inner_variance(Z), total((y - inner_mean(Z)) ** 2 * f(Z)(y)) / (1 - LOST)))),
        where=[Defined(inner_variance(Z))],
        printed=r"\text{The mean and variance are defined as }\forall y\in\mathbb{R}:"
        r"\bar{\omega}(y)\in\mathbb{R}",
        note="Where their integrals converge, as the lemma supposes.",
        readings=["lemma-9.step-5", "lemma-9.step-5.letter"],
    )
    step(
        "lemma-9.step-5.letter",
        Defined(inner_mean(Z)),
        printed=r"\text{The mean and variance are defined as }\forall y\in\mathbb{R}:"
        r"\bar{\omega}(y)\in\mathbb{R}",
        fault="convention",
        expected="refuted",
        note="That masses are finite makes no mean; that L is integrable, which the lemma "
        "supposes, does.  Where omega(oo) = 1 there is not even a mass.",
        readings=["lemma-9.step-5", "lemma-9.step-5.letter"],
    )

with theorem("sommer2020/section-5.3.adaptive", "Section 5.3: adaptive queries",
             fidelity="printed"):
    claim(
        "section-5.3.claim-1",
        Le(delta(*JOINT)(eps), delta(*PRODUCT)(eps)),
        where=[ForAll((t, X), Le(delta(A2, B2)(t), delta(G2, H2)(t)))],
        printed=r"\text{queries of subsequent runs can be chosen adaptively (as long as the "
        r"sensitivity is not exceeded) and we will still analyze the same mechanism on inputs }"
        r"x_{0},x_{1}\text{ with }|x_{0}-x_{1}|\leq s",
        note="A later release may be any that the outcomes before select, if each of them is "
        "dominated by (G2, H2), as Gauss mechanisms of distance <= s are by that of distance s "
        "(theorem-5.item-2.2): then the joint pair is dominated by the product.  (A1, B1) stands "
        "for the releases before; step by step, the first factor replaced likewise, n releases are "
        "dominated by the n-fold Gauss mechanism at distance s.",
    )

with theorem("sommer2020/lemma-10.proof", "Density Transformation: the proof", fidelity="printed"):
    step(
        "lemma-10.step-1",
        Eq(PULLED.subs(x0, x1 + s), Ex(sp.exp(t * GAUSS), GAUSS)),
        printed=r"\text{we can evaluate a continuous function }f(y)\text{ in the privacy loss "
        r"space as }\int_{\tilde{\mathcal{U}}}f(\mathcal{L}(o))A(o)\,do",
        note="For the Gauss mechanism with x0 = x1 + s and f(y) = e^(ty).",
        fidelity="instance",
    )
    step(
        "lemma-10.step-2",
        Eq(PULLED, PUSHED),
        where=APART,
        printed=LEFT + "=" + PRINTED_RIGHT,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-10.step-2.repaired",
        hints=FALLING,
        note=SIGN + "  f(y) = e^(ty).",
        fidelity="instance",
        root="lemma-10.gauss",
    )
    repair(
        "lemma-10.step-2.repaired",
        "lemma-10.step-2",
        Eq(PULLED, TRUE),
        where=APART,
        kind="step",
        corrected=LEFT + "=" + RIGHT % (r"\left|", r"\right|"),
        note="For f(y) = e^(ty).",
    )
    step(
        "lemma-10.step-3",
        Eq(PUSHED, DENSITY),
        where=APART,
        printed=PRINTED_RIGHT + r"=\int_{\mathcal{L}(O)}f(y)\,d\omega(y)",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-10.step-3.repaired",
        hints=FALLING,
        note=SIGN + "  f(y) = e^(ty).",
        fidelity="instance",
        root="lemma-10.gauss",
    )
    repair(
        "lemma-10.step-3.repaired",
        "lemma-10.step-3",
        Eq(TRUE, DENSITY),
        where=APART,
        kind="step",
        corrected=RIGHT % (r"\left|", r"\right|") + r"=\int_{\mathcal{L}(O)}f(y)\,d\omega(y)",
        note="For the Gauss mechanism and f(y) = e^(ty).",
    )
