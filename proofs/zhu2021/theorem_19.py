"""Theorem 19 and Lemma 20: distribution functions from characteristic functions.

A distribution function is one of a finite loss; a mass at infinity has no characteristic function.
"""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
a, b, x, u = reals("a b x u")
Z, Y = PLD(P, Q), PLD(Q, P)
PHI = Ex(sp.exp(sp.I * u * Z), Z)
PHI_PRIME = Ex(sp.exp(sp.I * u * Y), Y)
HALF = sp.Rational(1, 2)

LEVY = LimInt(
    (sp.exp(-sp.I * u * a) - sp.exp(-sp.I * u * b)) / (sp.I * u) * PHI, u
) / (2 * sp.pi)
PRINTED = (
    r"F(b)-F(a)=\lim_{T\to\infty}\frac{1}{2\pi}\int_{-T}^{T}\frac{e^{-ita}-e^{-itb}}{it}"
    r"\cdot\phi(t)\,dt"
)
SIDE = PV(sp.exp(-sp.I * u * a) / (sp.I * u) * PHI, u)
LIMIT = (
    r"\lim_{T\to\infty,\alpha\to\infty}\int_{-\infty}^{\infty}"
    r"\frac{e^{-i\alpha a}}{i\alpha}\phi(\alpha)\,d\alpha=\pi"
)
LEMMA = r"(x)=\frac12+\lim_{T\to\infty}\frac{1}{2\pi}\int_{-T}^{T}\frac{ie^{-itx}}{t}"
LIMITS = [f"appendix-B.claim-3.reading-{k}" for k in (1, 2, 3, 4)]
REVERSED = [f"lemma-20.item-2.reading-{k}" for k in (1, 2, 4)]
LOSSES = ["lemma-20.item-1.reading-1", "lemma-20.item-1.reading-2", "lemma-20.item-1.reading-4"]
SLOW = {"numeric_work": 60_000}
ATOMS = "At an atom the integral gives the mean of the limits from both sides."
POLE = (
    "The strict reading: as an integral over [-T, T] it diverges at t = 0, for every pair.  The "
    "convention of the field is the principal value."
)


def lemma(phi, integral=PV):
    """The right side of Lemma 20."""
    return HALF + integral(sp.I * sp.exp(-sp.I * u * x) / u * phi, u) / (2 * sp.pi)


def whole(loss):
    """The same with half of phi(0) for 1/2, over the finite losses."""
    def phi(at):
        return B(f(loss)(b), b)(-sp.I * at)

    return phi(0) / 2 + PV(sp.I * sp.exp(-sp.I * u * x) / u * phi(u), u) / (2 * sp.pi)


def mean(loss, at):
    """(F(x) + F(x-))/2."""
    return (F(loss)(at) + F(loss)(at, strict=True)) / 2


with theorem("zhu2021/theorem-19", "Levy", fidelity="printed"):
    claim(
        "theorem-19",
        Eq(F(Z)(b) - F(Z)(a), LEVY),
        where=[Lt(a, b), ac(P, Q)],
        printed=PRINTED,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/theorem-19.repaired",
        hints={"pairs": {"P": randomized_response(sp.log(3))},
               "witness": {"a": 0, "b": sp.log(3)}},
        note=ATOMS + "  P << Q says that the loss is finite.  F is the distribution function of a "
        "loss, as the paper uses it; the theorem is stated for every F.",
    )
    repair(
        "theorem-19.repaired",
        "theorem-19",
        Eq(mean(Z, b) - mean(Z, a), LEVY),
        where=[Lt(a, b), ac(P, Q)],
        hints=SLOW,
        corrected=r"\tfrac12(F(b)+F(b^-))-\tfrac12(F(a)+F(a^-))"
        + PRINTED[PRINTED.index("="):],
        note="Every pair with P << Q.",
    )
    repair(
        "theorem-19.repaired-2",
        "theorem-19",
        Eq(F(Z)(b) - F(Z)(a), LEVY),
        where=[Lt(a, b), ac(P, Q), NoAtom(Z, a), NoAtom(Z, b)],
        hints=SLOW,
        corrected=PRINTED + r",\quad a,b\text{ no atoms}",
        note="As printed where neither end is an atom.",
    )
    step(
        "appendix-B.claim-3.reading-1",
        Eq(Lim(SIDE, a, -sp.oo), sp.pi),
        where=[ac(P, Q)],
        printed=LIMIT,
        note="Garbled in the source.  This reading: a tends to -oo (a is what the next sentence "
        "sends to -oo), the integral is a principal value.",
        readings=LIMITS,
    )
    step(
        "appendix-B.claim-3.reading-2",
        Eq(Lim(SIDE, a, sp.oo), sp.pi),
        where=[ac(P, Q)],
        printed=LIMIT,
        expected="refuted",
        note="This reading: the letter that tends to oo is a.",
        readings=LIMITS,
    )
    repair(
        "appendix-B.claim-3.reading-2.repaired",
        "appendix-B.claim-3.reading-2",
        Eq(Lim(SIDE, a, sp.oo), -sp.pi),
        where=[ac(P, Q)],
        kind="step",
        corrected=r"\lim_{a\to\infty}\mathrm{p.v.}\int_{-\infty}^{\infty}\frac{e^{-i\alpha a}}"
        r"{i\alpha}\phi(\alpha)\,d\alpha=-\pi",
    )
    step(
        "appendix-B.claim-3.reading-3",
        Eq(LimInt(sp.exp(-sp.I * u * a) / (sp.I * u) * PHI, u), sp.pi),
        where=[ac(P, Q)],
        printed=LIMIT,
        expected="refuted",
        note="This reading: a stands still and the letter that tends to oo is the variable of "
        "integration.  " + POLE,
        readings=LIMITS,
    )
    step(
        "appendix-B.claim-3.reading-4",
        Eq(SIDE, sp.pi),
        where=[ac(P, Q)],
        printed=LIMIT,
        expected="refuted",
        note="This reading: a stands still, and the integral is a principal value.  It is then pi "
        "times the "
        "mean sign of Z - a, which is pi only below all losses.",
        readings=LIMITS,
    )
    step(
        "appendix-B.claim-4",
        Eq(Lim(F(Z)(a), a, -sp.oo), 0),
        printed=r"\text{we can substitude }a\text{ with }-\infty",
        note="What the step supposes: F vanishes at -oo.  The limit of the integral is the claim "
        "before it.",
    )

with theorem("zhu2021/lemma-20", "Distribution functions", fidelity="printed"):
    claim(
        "lemma-20.item-1.reading-1",
        Eq(F(Z)(x), lemma(PHI, LimInt)),
        where=[ac(P, Q), NoAtom(Z, x)],
        printed="F" + LEMMA + r"\phi(t)\,dt",
        fault="convention",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-1.repaired-2",
        note="Even where x is no atom; P << Q, so that phi exists.  " + POLE,
        readings=LOSSES,
    )
    claim(
        "lemma-20.item-1.reading-2",
        Eq(F(Z)(x), lemma(PHI)),
        where=[ac(P, Q)],
        printed="F" + LEMMA + r"\phi(t)\,dt",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-1.repaired",
        note="The integral as a principal value at 0; P << Q, so that phi exists.  " + ATOMS,
        root="theorem-19",
        readings=LOSSES,
    )
    repair(
        "lemma-20.item-1.repaired",
        "lemma-20.item-1.reading-2",
        Eq(mean(Z, x), lemma(PHI)),
        where=[ac(P, Q)],
        hints=SLOW,
        corrected=r"\tfrac12(F(x)+F(x^-))=\frac12+\frac{1}{2\pi}\,\mathrm{p.v.}\int_{-\infty}^{\infty}"
        r"\frac{ie^{-itx}}{t}\phi(t)\,dt",
        note="Every pair with P << Q, a principal value at 0 and oo.",
    )
    repair(
        "lemma-20.item-1.repaired-2",
        "lemma-20.item-1.reading-2",
        Eq(F(Z)(x), lemma(PHI)),
        where=[ac(P, Q), NoAtom(Z, x)],
        hints=SLOW,
        corrected="F" + LEMMA + r"\phi(t)\,dt,\quad x\text{ no atom}",
    )
    repair(
        "lemma-20.item-1.repaired-3",
        "lemma-20.item-1.reading-2",
        Eq(mean(Z, x), whole(Z)),
        corrected=r"\tfrac12(F(x)+F(x^-))=\tfrac12\phi(0)+\frac{1}{2\pi}\,\mathrm{p.v.}"
        r"\int_{-\infty}^{\infty}\frac{ie^{-itx}}{t}\phi(t)\,dt",
        note="Every pair, phi over the finite losses, mass at infinity included: what phi lacks "
        "of 1 at 0.",
    )
    claim(
        "lemma-20.item-2.reading-1",
        Eq(F(Y)(x), lemma(PHI_PRIME, LimInt)),
        where=[ac(Q, P), NoAtom(Y, x)],
        printed="G" + LEMMA + r"\phi'(t)\,dt",
        fault="convention",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-2.repaired",
        note="G is the distribution function of which phi' is the transform, that of L_{Q,P} under "
        "Q: readings 2 and 3 of the reversal list; Q << P, so that phi' exists.  Even where x is "
        "no atom.  " + POLE,
        root="lemma-20.item-1.reading-1",
        readings=REVERSED,
    )
    claim(
        "lemma-20.item-2.reading-2",
        Eq(F(Y)(x), lemma(PHI_PRIME)),
        where=[ac(Q, P)],
        printed="G" + LEMMA + r"\phi'(t)\,dt",
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-2.repaired",
        note="The integral as a principal value at 0; Q << P, so that phi' exists.  " + ATOMS,
        root="theorem-19",
        readings=REVERSED,
    )
    repair(
        "lemma-20.item-2.repaired",
        "lemma-20.item-2.reading-2",
        Eq(mean(Y, x), lemma(PHI_PRIME)),
        where=[ac(Q, P)],
        hints=SLOW,
        corrected=r"\tfrac12(G(x)+G(x^-))=\frac12+\frac{1}{2\pi}\,\mathrm{p.v.}\int_{-\infty}^{\infty}"
        r"\frac{ie^{-itx}}{t}\phi'(t)\,dt",
        note="Every pair with Q << P.",
    )
    repair(
        "lemma-20.item-2.repaired-2",
        "lemma-20.item-2.reading-2",
        Eq(mean(Y, x), whole(Y)),
        corrected=r"\tfrac12(G(x)+G(x^-))=\tfrac12\phi'(0)+\frac{1}{2\pi}\,\mathrm{p.v.}"
        r"\int_{-\infty}^{\infty}\frac{ie^{-itx}}{t}\phi'(t)\,dt",
        note="Every pair, phi' over the finite losses.",
    )
    claim(
        "lemma-20.item-1.reading-4",
        Eq(1 - F(Z)(-x), lemma(PHI)),
        where=[ac(P, Q), NoAtom(Z, -x)],
        printed="F" + LEMMA + r"\phi(t)\,dt",
        fault="misprint",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-1.reading-4.repaired",
        note="F the distribution function of log(q/p) under P, reading 3 of the reversal list, "
        "which makes the third item there and Lemma 21 true: phi as defined is not its transform.  "
        "The sentence before the lemma says F of L_{P,Q}; whichever is meant, F has one sign here "
        "and the other one there.  Even where -x is no atom; P << Q, so that phi exists.",
        readings=LOSSES,
    )
    repair(
        "lemma-20.item-1.reading-4.repaired",
        "lemma-20.item-1.reading-4",
        Eq(1 - F(Z)(-x), lemma(Ex(sp.exp(-sp.I * u * Z), Z))),
        where=[ac(P, Q), NoAtom(Z, -x)],
        hints=SLOW,
        corrected="F" + LEMMA + r"\overline{\phi(t)}\,dt",
        note="With the conjugate of phi.",
    )
    repair(
        "lemma-20.item-2.repaired-3",
        "lemma-20.item-2.reading-2",
        Eq(F(Y)(x), lemma(PHI_PRIME)),
        where=[ac(Q, P), NoAtom(Y, x)],
        hints=SLOW,
        corrected="G" + LEMMA + r"\phi'(t)\,dt,\quad x\text{ no atom}",
    )
    claim(
        "lemma-20.item-2.reading-4",
        Eq(1 - F(Y)(-x), lemma(PHI_PRIME)),
        where=[ac(Q, P), NoAtom(Y, -x)],
        printed="G" + LEMMA + r"\phi'(t)\,dt",
        fault="misprint",
        expected="refuted",
        repaired_by="zhu2021/lemma-20.item-2.reading-4.repaired",
        note="G the distribution function of log(p/q) under Q, reading 1 of the reversal list: "
        "phi' "
        "as defined is not its transform.  Even where -x is no atom; Q << P, so that phi' exists.",
        root="lemma-20.item-1.reading-4",
        readings=REVERSED,
    )
    repair(
        "lemma-20.item-2.reading-4.repaired",
        "lemma-20.item-2.reading-4",
        Eq(1 - F(Y)(-x), lemma(Ex(sp.exp(-sp.I * u * Y), Y))),
        where=[ac(Q, P), NoAtom(Y, -x)],
        hints=SLOW,
        corrected="G" + LEMMA + r"\overline{\phi'(t)}\,dt",
        note="With the conjugate of phi'.",
    )
