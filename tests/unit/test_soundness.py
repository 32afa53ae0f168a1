"""False, vacuous and ill-formed claims that must never be proved: names, edges, hypotheses,
cells."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge

P, Q = pair()
Pa, Qa = pair("P", "Q")
Z, Zp = PLD(P, Q), PLD(Q, P)
t, u, x, y, a, b, q, eps, gamma = reals("t u x y a b q eps gamma")
r, s = complexes("r s")
positive = sp.Symbol("x", positive=True)
underscore, z_g = sp.Symbol("_w0", real=True), sp.Symbol("z_g", real=True)
plain = sp.Symbol("t")
g, h = functions("g h")
e, oo = sp.exp, sp.oo
RIGHT = [Gt(sp.re(s), 0)]
NO_IMPULSE = Continuous(Primitive(g(t), t, 0), t)
LAPLACE_OF_G = [Converges(L(g(t), t, s)), Converges(L(D(g(t), t), t, s)), *RIGHT, NO_IMPULSE]


def kind(form, where=(), patience=0.05):
    claim = Statement(id="test/claim", claim=form, where=tuple(where))
    return judge(claim, numeric=False, patience=patience).kind


NAMES = {
    "a parameter called like a helper": (Gt(e(2 * x) + underscore * e(x) - 1, 0), [Gt(x, 0)]),
    "two pairs of one name": (Eq(delta(P, Q)(eps), delta(Pa, Qa)(eps)),
                              [ac(P, Q), ac(Q, P), ac(Pa, Qa), ac(Qa, Pa)]),
    "a parameter called like a kernel": (Eq(B(g(t), t, s), e(-s * z_g) * B(g(t), t, 0)),
                                         [Converges(B(g(t), t, s)), Converges(B(g(t), t, 0))]),
    "two symbols of one name": (Eq(sp.erfc(x), sp.erfc(positive)), []),
    "difference of two symbols of one name": (Eq(x - positive, 0), []),
    "a second argument": (Eq(B(g(t, a), t, s), B(g(t, b), t, s)),
                          [Converges(B(g(t, a), t, s)), Converges(B(g(t, b), t, s))]),
    "the bound variable outside": (Eq(Int(t * e(-t), t, 0, t), t * (1 - e(-t))), [Gt(t, 0)]),
    "re of the bound variable": (Eq(L(e(-sp.re(plain)) * e(-plain), plain, s),
                                    e(-sp.re(plain)) / (s + 1)), RIGHT),
    "a convolution in another variable": (Eq(L(conv(e(-a * u), 1, u, 0), a, s), 1 / (s * (s + a))),
                                          [*RIGHT, Gt(a, 0)]),
    "nested integrals": (Eq(Int(Int(e(-t), t, 0, t), t, 0, 1), 1 - e(-1)), []),
}
EDGES = {
    "an impulse at 0": (Eq(L(sp.DiracDelta(t - a), t, s), e(-a * s)), [Ge(a, 0)]),
    "an impulse at the ends": (Eq(Int(sp.DiracDelta(t - a), t, 0, 1), 1), [Ge(a, 0), Le(a, 1)]),
    "derivative of an impulse": (Eq(B(sp.DiracDelta(t, 1), t, s), 1), []),
    "impulse on a step": (Eq(B(sp.DiracDelta(t) * sp.Heaviside(t), t, s), 1), []),
    "two impulses": (Eq(B(sp.DiracDelta(t) * sp.DiracDelta(t - 1), t, s), 0), []),
    "atoms at a point": (Eq(B(f(Z)(t) * Indicator(Eq(t, 0)), t, 0), 0), []),
    "atoms off a point": (Eq(B(f(Z)(t) * Indicator(Ne(t, 0)), t, 0), B(f(Z)(t), t, 0)), []),
    "two half lines": (Eq(B(f(Z)(t) * (Indicator(Lt(t, 0)) + Indicator(Gt(t, 0))), t, 0),
                          B(f(Z)(t), t, 0)), []),
    "a case at a point": (Eq(B(f(Z)(t) * sp.Piecewise((1, sp.Eq(t, 0)), (0, True)), t, 0), 0), []),
    "overlapping cases": (Eq(sp.Piecewise((1, x >= 0), (2, x <= 0)),
                             sp.Piecewise((2, x <= 0), (1, True))), []),
    "a closed edge": (Converges(B(e(-sp.Abs(t)), t, s)), [Gt(sp.re(s), -1), Le(sp.re(s), 1)]),
    "the other side": (Diverges(B(e(-sp.Abs(t)), t, s)), [Gt(sp.re(s), 0)]),
    "max of a cosine": (Eq(L(sp.Max(0, sp.cos(t)), t, s), L(sp.cos(t), t, s)), RIGHT),
    "min": (Eq(L(sp.Min(0, 1 - e(t)), t, s), 0), [Gt(sp.re(s), 1)]),
    "max of either sign": (Eq(L(sp.Max(0, e(a * t) - 1), t, s), L(e(a * t) - 1, t, s)),
                           [*RIGHT, Gt(sp.re(s), a)]),
    "abs": (Eq(L(sp.Abs(t - a), t, 1), 2 * e(-a) + a - 1), []),
    "branch of a root": (Eq(Int(sp.sqrt(e(sp.I * t)), t, 0, 10), Int(e(sp.I * t / 2), t, 0, 10)),
                         []),
    "root of a square": (Eq(sp.sqrt(x**2), x), []),
    "complex log": (Eq(sp.log(e(r)), r), []),
    "complex erfc": (Ge(sp.erfc(r) ** 2, 0), []),
    "dilation by 0": (Eq(B(g(a * t), t, s), B(g(t), t, s / a) / sp.Abs(a)),
                      [Converges(B(g(t), t, s))]),
    "negative dilation": (Eq(B(g(a * t), t, s), B(g(t), t, s / a) / a),
                          [Ne(a, 0), Converges(B(g(t), t, s / a))]),
    "division by 0 inside": (Eq(L(e(-t) / (a - 1), t, 0) * (a - 1), 1), []),
    "half a line of inversion": (Eq(Linv(sp.Piecewise((1 / s**2, sp.Gt(sp.im(s), 0)), (0, True)), s,
                                         x, 1), sp.Max(0, x)), []),
    "a pole on the wrong side": (Eq(Linv(1 / (s - a), s, x, 0), e(a * x) * Indicator(Gt(x, 0))),
                                 [Ne(x, 0)]),
    "no decay": (Eq(Linv(s / (s + 1), s, x, 0), -e(-x)), [Gt(x, 0)]),
}
HYPOTHESES = {
    "contradiction": (Eq(1, 2), [Gt(x, 0), Lt(x, 0)]),
    "two equations": (Eq(1, 2), [Eq(x, 1), Eq(x, 2)]),
    "negative square": (Eq(x, 1), [Eq(x**2, -1)]),
    "no region": (Eq(delta(P, Q)(eps), 2), [Converges(B(delta(P, Q)(t), t, 0))]),
    "never different": (Eq(delta(P, Q)(eps), 2), [Ne(x, x)]),
    "a constant has no transform": (Eq(delta(P, Q)(eps), 2), [Converges(B(1, t, s))]),
    "no atoms at all": (Eq(delta(P, Q)(eps), 0), [NoAtom(Z, 0), NoAtom(Z, x), Gt(eps, 0)]),
    "a log on one kernel": (Eq(Pr(Z, "==", oo), 0), [Defined(e((q - 1) * R(q, P, Q))),
                                                     Gt(q, 0), Lt(q, 1)]),
    "R defined": (Eq(Pr(Z, "==", oo), 0), [Defined(R(q, P, Q)), Gt(q, 0), Lt(q, 1)]),
    "cancelling kernels": (Eq(Pr(Z, "==", oo), 0),
                           [Defined(B((delta(P, Q)(t) - delta(Q, P)(t)) * Indicator(Gt(t, 0)), t,
                                      0))]),
    "cancelling kernels, converging": (
        Eq(Pr(Z, "==", oo), 0),
        [Converges(B((delta(P, Q)(t) - delta(Q, P)(t)) * Indicator(Gt(t, 0)), t, 0))]),
    "cancelling kernels beside a function": (
        Eq(Pr(Z, "==", oo) * B(g(t), t, s), 2 * Pr(Z, "==", oo) * B(g(t), t, s)),
        [Converges(B((delta(P, Q)(t) - delta(Q, P)(t)) * Indicator(Gt(t, 0)), t, 0)),
         Converges(B(g(t), t, s))]),
    "in one case only": (Defined(E(q, P, Q)),
                         [Defined(sp.Piecewise((E(q, P, Q), Gt(eps, 0)), (0, True))), ac(P, Q),
                          Gt(q, 1)]),
    "equal exponents": (Diverges(B(e(x * t) - e(y * t), t, s)), [Eq(x, y)]),
    "exponents equal somewhere": (Diverges(B(e(x * t) - e(t / positive), t, s)), []),
    "a constant condition": (Eq(B(e(t) * Indicator(Gt(a * t, 0)), t, 0), 1), [Eq(a, 0)]),
    "a weighted derivative": (Eq(B(g(t), t, 4), 0), [Converges(B(D(e(-5 * t) * g(t), t), t, -1))]),
    "a limit at -oo": (Eq(Lim(g(t), t, -oo), 0), [Converges(B(D(g(t), t), t, s)), *RIGHT]),
    "times before 0": (Eq(L(g(t - 1), t, s), e(-s) * L(g(t), t, s)), LAPLACE_OF_G),
    "all of the past": (Eq(L(Primitive(g(t), t, -oo), t, s), L(g(t), t, s) / s), LAPLACE_OF_G),
    "continuous": (Eq(g(x), 2 * g(x)), [Continuous(g(t), t)]),
    "continuous and transformed": (Eq(g(x), 2 * g(x)), [Continuous(g(t), t),
                                                        Converges(B(g(t), t, s))]),
    "a jump at 0": (Eq(Lim(g(t), t, 0, "+"), Lim(g(t), t, 0, "-")),
                    [Converges(B(g(t), t, 0)), Converges(B(D(g(t), t), t, 0))]),
    "one way is not both": (Eq(Pr(Z, "==", oo), 0), [OneWayContinuous(P, Q)]),
    "existence in a domain": (Exists(positive, Lt(positive, 0)), []),
    "existence of an integer": (Exists(sp.Symbol("n", integer=True),
                                       Eq(2 * sp.Symbol("n", integer=True), 1)), []),
}
GROUPS = {f"{group}: {name}": case for group, cases in (
    ("names", NAMES), ("edges", EDGES), ("hypotheses", HYPOTHESES)) for name, case in cases.items()}


@pytest.mark.parametrize("name", GROUPS)
def test_never_proved(name):
    form, where = GROUPS[name]
    assert kind(form, where) not in (*HOLDS, Kind.CERTIFIED)


@pytest.mark.parametrize("name", ["contradiction", "two equations", "negative square", "no region",
                                  "never different", "a constant has no transform"])
def test_vacuous_claims_are_ill_formed(name):
    assert kind(*HYPOTHESES[name]) is Kind.ILL_FORMED


@pytest.mark.parametrize("case", [NAMES["the bound variable outside"], EDGES["an impulse at 0"],
                                  EDGES["an impulse at the ends"], EDGES["overlapping cases"],
                                  EDGES["a closed edge"], EDGES["the other side"],
                                  EDGES["negative dilation"], EDGES["min"], EDGES["abs"],
                                  EDGES["root of a square"], EDGES["two half lines"],
                                  HYPOTHESES["a limit at -oo"], HYPOTHESES["one way is not both"],
                                  HYPOTHESES["R defined"]], ids=lambda case: str(case[0]))
def test_simple_witnesses_are_found(case):
    assert kind(*case, patience=4.0) is Kind.REFUTED


TRUE = {
    "a bound variable of the same name": (Eq(L(e(-t), t, t), 1 / (t + 1)), [Gt(t, 0)]),
    "an inner integral": (Eq(Int(Int(t, t, 0, 1) * e(-t), t, 0, oo), sp.Rational(1, 2)), []),
    "equal exponents": (Eq(B((e(x * t) - e(y * t)) * Indicator(Gt(t, 0)), t, s), 0), [Eq(x, y)]),
    "a removable pole": (Eq(Linv((1 - e(-s)) / s, s, x, 0), Indicator(Gt(x, 0)) * Indicator(
        Lt(x, 1))), [Ne(x, 0), Ne(x, 1)]),
    "a pole on the left": (Eq(Linv(1 / (s - a), s, x, 0), e(a * x) * Indicator(Gt(x, 0))),
                           [Ne(x, 0), Lt(a, 0)]),
    "min": (Eq(L(sp.Min(0, 1 - e(t)), t, s), L(1 - e(t), t, s)), [Gt(sp.re(s), 1)]),
    "abs": (Eq(L(sp.Abs(t - a), t, 1), 2 * e(-a) + a - 1), [Ge(a, 0)]),
    "no common strip": (Eq(conv(sp.Integer(1), e(-sp.Abs(t)), t), 2), []),
    "an impulse inside": (Eq(Int(sp.DiracDelta(t - a), t, 0, 1), 1), [Gt(a, 0), Lt(a, 1)]),
    "dilation": (Eq(B(g(a * t), t, s), B(g(t), t, s / a) / sp.Abs(a)),
                 [Ne(a, 0), Converges(B(g(t), t, s / a))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_neighbours_are_proved(name):
    form, where = TRUE[name]
    assert kind(form, where) in HOLDS
