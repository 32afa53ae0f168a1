"""The proof of Lemma 8, third part: the law of the exponentiated loss is a probability measure.

An event E_i of losses is an interval (a_i, b_i]; E'_i is its image under exp, (e^a_i, e^b_i].  Two
events stand for the family: countable additivity of the law of a loss is that of M(x_0).
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
Z = PLD(P, Q)
LOSS = LossAt(P, Q)
EXPONENTIATED = sp.exp(LOSS)
x, lam, a1, b1, a2, b2 = reals("x lambda a_1 b_1 a_2 b_2")
r, s1, t1, s2, t2 = positives("r s_1 t_1 s_2 t_2")
DISJOINT = Le(b1, a2)


def losses(a, b):
    """E_i: the outcomes of losses in (a, b]."""
    return Where(sp.And(Gt(LOSS, a), Le(LOSS, b)))


def between(lower, upper):
    """The outcomes with exponentiated losses in (lower, upper]."""
    return Where(sp.And(Gt(EXPONENTIATED, lower), Le(EXPONENTIATED, upper)))


def exponentiated(a, b):
    """E'_i: the outcomes with exponentiated losses in (e^a, e^b]."""
    return between(sp.exp(a), sp.exp(b))


def ratios(a, b):
    """E'_i by the densities: e^a B(o) < A(o) <= e^b B(o)."""
    return Where(sp.And(Gt(P, sp.exp(a) * Q), Le(P, sp.exp(b) * Q)))


E1, E2 = losses(a1, b1), losses(a2, b2)
IMAGES = Union(exponentiated(a1, b1), exponentiated(a2, b2))
IN_LOG = Union(losses(sp.log(s1), sp.log(t1)), losses(sp.log(s2), sp.log(t2)))
ONE_BY_ONE = Where(sp.Or(
    sp.And(Gt(LOSS, sp.log(s1)), Le(LOSS, sp.log(t1))),
    sp.And(Gt(LOSS, sp.log(s2)), Le(LOSS, sp.log(t2))),
))
ALL_LOSSES = Where(sp.Or(sp.And(Gt(LOSS, a1), Le(LOSS, b1)), sp.And(Gt(LOSS, a2), Le(LOSS, b2))))
UNION = Union(E1, E2)
TWO = (
    "For two events of losses, intervals (a_i, b_i] of losses or (s_i, t_i] of their exponentials, "
    "of every pair; the language cannot say a countable family."
)

with theorem("sommer2020/lemma-8-measure", "Proof of Lemma 8: the exponentiated loss",
             fidelity="printed"):
    step(
        "lemma-8.step-19",
        AllOf((
            Eq(F(Z)(sp.log(r)), P(Where(Le(P, r * Q)))),
            Eq(F(Z)(x), P(Where(Le(P, sp.exp(x) * Q)))),
        )),
        printed=r"\text{the following function }R\text{ is bijective, [...] }R(\mathcal{Y},\omega)"
        r":=\underbrace{(\{\exp(y)\mid y\in\mathcal{Y}\})}_{=:\mathcal{Y}'}\underbrace{,"
        r"\omega\circ\ln}_{=:\omega'}",
        expected="proved",
        note="The law of e^L from that of L, at every r > 0, and back, at every x: the two maps "
        "undo each other as e^(log r) = r and log(e^x) = x.",
    )
    step(
        "lemma-8.step-20",
        Eq(P(Union(between(s1, t1), between(s2, t2))), P(IN_LOG)),
        printed=r"\omega'\left(\bigcup_{i\in I}E'_i\right)=\omega\left(\ln\left("
        r"\bigcup_{i\in I}E'_i\right)\right)",
        expected="proved",
        note=TWO,
        fidelity="instance",
    )
    step(
        "lemma-8.step-21",
        Eq(P(IN_LOG), P(ONE_BY_ONE)),
        printed=r"=\omega\left(\left\{\ln(v')\mid v'\in\bigcup_{i\in I}E'_i\right\}\right)",
        expected="proved",
        note=TWO + "  ln of a union, element by element.",
        fidelity="instance",
    )
    step(
        "lemma-8.step-22",
        Eq(P(IMAGES), P(ALL_LOSSES)),
        printed=r"=\omega\left(\left\{\underbrace{\ln(\exp(v))}_{=v}\mid v\in\bigcup_{i\in I}"
        r"E_i\right\}\right)",
        expected="proved",
        note=TWO + "  With s_i = e^a_i and t_i = e^b_i.",
        fidelity="instance",
    )
    step(
        "lemma-8.step-23",
        Eq(P(ALL_LOSSES), P(UNION)),
        printed=r"=\omega\left(\bigcup_{i\in I}\{v\mid v\in E_i\}\right)",
        expected="proved",
        note=TWO,
        fidelity="instance",
    )
    definition(
        "lemma-8.step-24",
        Eq(P(UNION), Omega(P, over=UNION)),
        printed=r"\omega\left(\bigcup_{i\in I}\{v\mid v\in E_i\}\right)\stackrel{(*)}{=}"
        r"\sum_{v\in\bigcup_{i\in I}E_i}\omega(v)",
        expected="proved",
        note=TWO + "  The sum over the outcomes.",
        fidelity="instance",
    )
    step(
        "lemma-8.step-25",
        Eq(Omega(P, over=UNION), P(E1) + P(E2)),
        where=DISJOINT,
        printed=r"\sum_{v\in\bigcup_{i\in I}E_i}\omega(v)\stackrel{(**)}{=}\sum_{i\in I}"
        r"\omega(E_i)",
        expected="proved",
        note=TWO + "  Disjoint ones.",
        fidelity="instance",
    )
    step(
        "lemma-8.step-26",
        Eq(P(E1) + P(E2), P(exponentiated(a1, b1)) + P(exponentiated(a2, b2))),
        where=DISJOINT,
        printed=r"\sum_{i\in I}\omega(E_i)=\sum_{i\in I}\omega\circ\ln(E'_i)",
        expected="proved",
        note=TWO,
        fidelity="instance",
    )
    step(
        "lemma-8.step-27",
        Eq(P(exponentiated(a1, b1)) + P(exponentiated(a2, b2)),
           P(ratios(a1, b1)) + P(ratios(a2, b2))),
        where=DISJOINT,
        printed=r"\sum_{i\in I}\omega\circ\ln(E'_i)=\sum_{i\in I}\omega'(E'_i)",
        expected="proved",
        note=TWO,
        fidelity="instance",
    )
    step(
        "lemma-8.step-28",
        AllOf((
            Eq(F(Z)(x), P(Where(Le(P, sp.exp(x) * Q)))),
            Eq(sp.log(Ex(sp.exp(lam * Z), Z)) / lam, R(lam + 1, P, Q)),
        )),
        where=[Gt(lam, 0), Defined(R(lam + 1, P, Q))],
        printed=r"R_{\text{RDP}}(\mathcal{Y},\omega)=R'(R(\mathcal{Y},\omega))="
        r"R'(\mathcal{Y}',\omega\circ\ln)=(\alpha,D_\alpha)_\alpha",
        expected="proved",
        note="R, then R': the divergence of order lambda + 1 from the moment of the exponentiated "
        "loss, where it is finite.  That R' is one to one is lemma-8.step-16.",
    )
