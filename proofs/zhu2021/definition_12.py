"""Definition 12, what is said of it, and the advantages over moment generating functions."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
alpha, t, x, s = reals("alpha t x s")
rate = positives("r")
I = sp.I
LEAK, KEAL = mechanism_pair(finite(["1/2", "1/2"], [1, 0]), "P", "Q")

PHI = Ex(sp.exp(I * alpha * Z), Z)
DUAL = Ex(sp.exp(I * alpha * Zp), Zp)
FINITE = B(f(Z)(t), t)(-I * alpha)
LOST = Pr(Z, "==", sp.oo)
TEX_PHI = r"\phi_{\mathcal M}(\alpha):=\mathbb{E}_P[e^{i\alpha\log(p/q)}]"
TEX_DUAL = r"\phi'_{\mathcal M}(\alpha):=\mathbb{E}_Q[e^{i\alpha\log(q/p)}]"
EXISTS = r"\phi\text{ function always exists on the whole real line}"
MEASURE = r"\text{PLDs are probability measures on the real line}"

with theorem("zhu2021/definition-12", "Characteristic functions of the privacy loss",
             fidelity="printed"):
    definition(
        "definition-12.phi",
        Eq(PHI, Omega(P ** (1 + I * alpha) * Q ** (-I * alpha))),
        where=[ac(P, Q), ac(Q, P)],
        printed=TEX_PHI,
        note="The expectation of the loss variable is the integral of p (p/q)^(i alpha) over the "
        "outputs; P << Q << P, so that log(p/q) has a value.",
    )
    definition(
        "definition-12.dual",
        Eq(DUAL, Omega(Q ** (1 + I * alpha) * P ** (-I * alpha))),
        where=[ac(P, Q), ac(Q, P)],
        printed=TEX_DUAL,
        note="As definition-12.phi with P and Q exchanged: the integral of q (q/p)^(i alpha) over "
        "the outputs.",
    )
    claim(
        "section-4.2.claim-2",
        Eq(Int(f(Z)(t), t, -sp.oo, sp.oo), 1),
        where=[ac(P, Q)],
        printed=MEASURE,
        note="The finite losses carry mass 1 where log(p/q) has a value, so for P << Q.  Mass at "
        "infinity, as in Examples 14 and 16, the paper treats apart (Section "
        "D.2).",
    )
    claim(
        "section-4.2.claim-3",
        Eq(PHI, FINITE),
        where=[ac(P, Q)],
        printed=r"\text{these }\phi\text{-functions are Fourier transforms of these measures}",
        note="The two-sided Laplace transform of f_Z at -i alpha; P << Q, so that no loss is "
        "infinite.",
    )
    claim(
        "section-4.2.claim-5",
        Eq(PHI, E(1 + I * alpha, P, Q)),
        where=[ac(P, Q)],
        printed=r"\text{Comparing to the moment generating function [...], the characteristic "
        r"function differs only in that we are "
        r"taking the expectation of the complex exponential}",
        note="The moment generating function at s is E_{1+s}; phi is that at s = i alpha; "
        "P << Q as before.",
    )
    claim(
        "section-4.2.claim-6",
        Converges(B(f(Z)(t), t, -I * alpha)),
        printed=EXISTS,
        note="Every pair, every real alpha, over the finite losses: mass at infinity, as in "
        "Examples 14 and 16, the paper treats apart (Section D.2).",
    )
    claim(
        "section-4.2.claim-6.bound",
        Le(sp.Abs(FINITE), 1 - LOST),
        fidelity="own",
        note="Every pair: what it lacks of 1 at alpha = 0 is the mass at infinity.",
    )
    claim(
        "section-4.2.claim-7",
        Eq(E(1 + rate, LEAK, KEAL), sp.oo),
        printed=r"\text{the domain of MGF can be as small as (trivially) a single point}",
        note="Among s >= 0, as in the moments accountant: a pair whose E_{1+s} is +oo for every s "
        "> 0.  Finite losses do it too: p = 1/x^2 against q = e^(1-x) on x > 1.  Among all real s "
        "it fails, the domain holds -1 to 0: section-4.2.claim-7.below.",
    )
    claim(
        "section-4.2.claim-7.below",
        Defined(E(1 - s, P, Q)),
        where=[Gt(s, 0), Lt(s, 1)],
        kind="law",
        note="Among all real s the sentence fails: the loss is the logarithm of a likelihood "
        "ratio, and for every pair the domain holds the interval from -1 to 0.",
    )
    claim(
        "section-4.2.claim-8.1",
        Le(sp.cos(alpha * x) ** 2 + sp.sin(alpha * x) ** 2, 1),
        printed=r"\text{The integrand in }\phi\text{ is always bounded (in complex absolute value) "
        r"by }1",
        note="At every finite loss x: |e^(i alpha x)|^2 by the real and the imaginary part.",
    )
    claim(
        "section-4.2.claim-8.2",
        Le(sp.Abs(PHI), 1),
        where=[ac(P, Q)],
        fidelity="own",
        note="What follows for the expectation, P << Q.",
    )
    claim(
        "section-4.2.claim-9",
        Eq(Lim(sp.exp(rate * t), t, sp.oo), sp.oo),
        printed=r"\text{the integrand in the MGF can grow to infinity exponentially fast}",
        note="e^(r t) at a loss t, for every r > 0.",
    )
    claim(
        "section-4.2.claim-10",
        Eq(delta(P, Q)(x), 1 + Linv(E(1 - t, P, Q) / (t * (t - 1)), t, x, sp.Rational(1, 2))),
        printed=r"\text{Fourier transform can be inverted by applying another Fourier transform "
        r"(up to constant factors)}",
        fidelity="instance",
        note="On one line, of orders 1/2 + i alpha, where the transform exists for every pair: the "
        "inversion integral, a Fourier integral with the factor 1/(2 pi), gives the profile.",
    )
