"""Appendix A.4: classes and means of the Gauss and the Laplace mechanism; remarks at its end.

lambda is the scale of both noises (the Gauss noise has half the variance), z the distance of the
inputs over lambda.
"""

import sympy as sp

from lapdp import gaussian, laplace
from lapdp.theory import *

z, lam, d = positives("z lambda d")
t = reals("t")
L, M = mechanism_pair(laplace(lam, lam * z), "L", "L'")
G, H = mechanism_pair(gaussian(lam, lam * z), "G", "G'")
ZL, ZG = PLD(L, M), PLD(G, H)
HALF = [Le(z, sp.Rational(1, 2))]


def mean(loss):
    """mu of a privacy loss class."""
    return Ex(loss, loss)


def variance(loss):
    """sigma^2 of a privacy loss class."""
    return Ex(loss**2, loss) - Ex(loss, loss) ** 2


def tail(i):
    """T(i, z), the exponential series from z^i/i! on."""
    return sp.exp(z) - sum((z**k / sp.factorial(k) for k in range(i)), sp.Integer(0))


# the same as Taylor's remainder: the integral of e^t (z - t)^(i - 1)/(i - 1)!
TAIL_0 = 1 + Int(sp.exp(t), t, 0, z)
TAIL_3 = Int(sp.exp(t) * (z - t) ** 2 / 2, t, 0, z)
REMAINDER = (
    "T(i, z) here as Taylor's remainder, the integral of e^t (z - t)^(i-1)/(i-1)! from 0 to z."
)

CLASS = (
    r"\text{The Gauss mechanism has the privacy loss class }"
    r"(\frac{z^{2}}{2},z^{2},0)"
)
WLOG = (
    r"\text{Let }z=\frac{x_{0}-x_{1}}{\lambda}.\text{ The two mechanisms (Gauss and Laplace) are "
    r"symmetric, therefore, w.l.o.g., }z>0"
)
MU = r"\mu_{\text{L,pld}}"

with theorem("sommer2020/appendix-A.4.mean", "Gauss vs. Laplace: classes and means",
             fidelity="printed"):
    A, B = mechanism_pair(laplace(lam, d), "A", "B")
    ZA = PLD(A, B)
    claim("appendix-A.4.claim-1.mean", Eq(mean(ZA), mean(PLD(B, A))), printed=WLOG,
          note="Exchanging the inputs leaves the mean of the loss of the Laplace mechanism.")
    claim("appendix-A.4.claim-1.variance", Eq(variance(ZA), variance(PLD(B, A))), printed=WLOG,
          note="Exchanging the inputs leaves the variance of the loss of the Laplace mechanism.")
    claim("appendix-A.4.claim-1.infinity",
          Eq(Pr(ZA, "==", sp.oo), Pr(PLD(B, A), "==", sp.oo)), printed=WLOG,
          note="Exchanging the inputs leaves the mass at infinity of the loss of the Laplace "
          "mechanism.")
    claim("appendix-A.4.claim-1.gauss.mean", Eq(mean(PLD(H, G)), z**2 / 2), printed=WLOG,
          note="The Gauss mechanism with the inputs exchanged has the same mean as with them in "
          "order: appendix-A.4.claim-2.mean.")
    claim("appendix-A.4.claim-1.gauss.variance", Eq(variance(PLD(H, G)), z**2),
          printed=WLOG, note="The Gauss mechanism with the inputs exchanged has the same variance "
          "as with them in order: appendix-A.4.claim-2.variance.")
    claim("appendix-A.4.claim-1.gauss.infinity", Eq(Pr(PLD(H, G), "==", sp.oo), 0),
          printed=WLOG, note="The Gauss mechanism with the inputs exchanged has no mass at "
          "infinity either: appendix-A.4.claim-2.infinity.")
    claim("appendix-A.4.claim-2.mean", Eq(mean(ZG), z**2 / 2),
          printed=CLASS)
    claim("appendix-A.4.claim-2.variance", Eq(variance(ZG), z**2),
          printed=CLASS)
    claim("appendix-A.4.claim-2.infinity", Eq(Pr(ZG, "==", sp.oo), 0), printed=CLASS)
    claim(
        "appendix-A.4.claim-3",
        Eq(mean(ZL), sp.exp(z) - 1 - z),
        printed=r"z>0\text{. [...] }" + MU + r"=e^{z}-1-z",
        fault="false step",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.4.claim-3.repaired",
        note="Appendix A.3 has it for z = (x0 - x1)/lambda < 0.",
        root="section-6.2.1.claim-3",
    )
    repair(
        "appendix-A.4.claim-3.repaired",
        "appendix-A.4.claim-3",
        Eq(mean(ZL), sp.exp(-z) - 1 + z),
        corrected=MU + r"=e^{-z}-1+z,\quad z=\frac{|x_{0}-x_{1}|}{\lambda}",
        note="Every scale, every distance of the inputs.",
    )
    claim("appendix-A.4.claim-4", Eq(1 + z + z**2 / 2 + TAIL_3, sp.exp(z)),
          printed=r"e^{x}\text{ can be represented as a Taylor expansion, }\sum_{k=i}^{\infty}"
          r"\frac{x^{k}}{k!}=:T(i,x)", note="i = 3: the first terms and T(3, z) make up e^z.  "
          + REMAINDER,
          kind="definition", fidelity="instance")
    step(
        "appendix-A.4.step-1",
        Eq(sp.exp(z) - 1 - z, tail(1) - 1 - z),
        printed=MU + r"=T(1,z)-1-z",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.4.step-1.repaired",
        note="The mean is the printed e^z - 1 - z here.  e^z is T(0, z).",
    )
    repair("appendix-A.4.step-1.repaired", "appendix-A.4.step-1",
           Eq(sp.exp(z) - 1 - z, TAIL_0 - 1 - z), kind="step", corrected=r"e^{z}-1-z=T(0,z)-1-z",
           note="Of the printed mean e^z - 1 - z.  T(0, z) here as 1 and the integral of e^t "
           "from 0 to "
           "z.")
    step(
        "appendix-A.4.step-2",
        Eq(tail(1) - 1 - z, z**2 / 2 + tail(3)),
        printed=r"T(1,z)-1-z=\underbrace{\frac{z^{2}}{2}}_{\mu_{\text{G,pld}}}+\underbrace{T(3,z)}"
        "_{>0}",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.4.step-2.repaired",
        note="T(1, z) is e^z - 1, so that the left side is 1 too small.  With T(0, z) it holds.",
        root="appendix-A.4.step-1",
    )
    repair("appendix-A.4.step-2.repaired", "appendix-A.4.step-2",
           Eq(TAIL_0 - 1 - z, z**2 / 2 + TAIL_3), kind="step",
           corrected=r"T(0,z)-1-z=\frac{z^{2}}{2}+T(3,z)", note=REMAINDER)
    step("appendix-A.4.step-3", Gt(tail(3), 0), printed=r"\underbrace{T(3,z)}_{>0}")
    step("appendix-A.4.step-4", Ge(z**2 / 2 + tail(3), mean(ZG)),
         printed=r"\underbrace{\frac{z^{2}}{2}}_{\mu_{\text{G,pld}}}+\underbrace{T(3,z)}_{>0}"
         r"\geq\mu_{\text{G,pld}}",
         note="True; but z^2/2 + T(3, z) = e^z - 1 - z is not the mean of the Laplace loss: see "
         "appendix-A.4.claim-3.")
    claim(
        "appendix-A.4.step-4.means",
        Ge(mean(ZL), mean(ZG)),
        printed=MU + r"[...]\geq\mu_{\text{G,pld}}",
        fault="false claim",
        expected="refuted",
        repaired_by="sommer2020/section-6.2.1.claim-3.repaired",
        note="What the line is to show.  The mean of the Laplace loss is e^-z - 1 + z, which is "
        "below z^2/2 for every z > 0; e^z - 1 - z has the sign of z wrong (appendix-A.4.claim-3).",
        root="section-6.2.1.claim-3",
    )
    claim(
        "appendix-A.4.claim-5",
        Ge(z / 2, tail(2)),
        where=HALF,
        printed=r"\text{Inequality (a) holds since for }z\leq\frac{1}{2}\text{, }\frac{1}{2}z\geq "
        r"T(z,2)",
        note="T(z, 2) is read as T(2, z): the definition has the index first.",
    )
    claim(
        "appendix-A.4.claim-6",
        Gt(tail(3) * (z - tail(2)), 0),
        where=HALF,
        printed=r"\text{(and the term we removed is overall positive)}",
        note="What (a) drops, with i! in the sums: T(3, z) (z - T(2, z)).",
    )
    claim(
        "appendix-A.4.claim-7",
        Eq(z**2, sp.sqrt(variance(ZG))),
        printed=r"\text{Note }z^{2}=\sigma_{G,\text{pld}}",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/appendix-A.4.claim-7.repaired",
        note="It is the variance.",
    )
    repair("appendix-A.4.claim-7.repaired", "appendix-A.4.claim-7", Eq(z**2, variance(ZG)),
           corrected=r"z^{2}=\sigma_{G,\text{pld}}^{2}")
