"""The meaning of expressions: values and functions against numbers, grades, and what is refused."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy.mechanisms import laplace
from lapdp.privacy.model import PLUS_KERNEL, Infinite, Model, finite_kernel
from lapdp.theory import *
from lapdp.theory.interpret import Interpreter
from tests.oracle import finite as oracle
from tests.second_route import close, function_value, scalar_value, transform

P, Q = pair()
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P, Q), (P2, Q2))
Z, Zp = PLD(P, Q), PLD(Q, P)
S = Event("S")
t, u, x, a = reals("t u x a")
s = complexes("s")
g, h = functions("g h")
e, log2 = sp.exp, sp.log(2)
FIRST = ((Fr(1, 2), Fr(1, 4), Fr(1, 4), Fr(0)), (Fr(1, 4), Fr(1, 4), Fr(0), Fr(1, 2)))
SECOND = ((Fr(2, 3), Fr(1, 3)), (Fr(1, 3), Fr(2, 3)))


def model(masses):
    return Model.of_masses(
        tuple((Scalar.of(p), Scalar.of(q)) for p, q in zip(*masses, strict=True))
    )


def concrete(**functions):
    """Two finite pairs, no kernels: values are numbers."""
    return Interpreter(
        Cell(), {P.pair: model(FIRST), P2.pair: model(SECOND)}, frozenset(), functions
    )


def kernels(first, constraints=()):
    return Interpreter(
        Cell(constraints),
        {P.pair: first, P2.pair: finite_kernel(Form.of(u))},
        frozenset({P.pair, P2.pair}),
        {"g": Exact.impulse(u), "h": Exact.step(u)},
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (delta(P, Q)(log2), oracle.hockey_stick(*FIRST, Fr(2))),
        (delta(Q, P)(-log2), oracle.hockey_stick(*FIRST[::-1], Fr(1, 2))),
        (F(Z)(0), oracle.probability(*FIRST, "<=", Fr(1))),
        (F(Z)(0, strict=True), oracle.probability(*FIRST, "<", Fr(1))),
        (Pr(Z, "==", log2), Fr(1, 2)),
        (Pr(Z, "==", sp.oo), Fr(1, 4)),
        (Pr(Z, "<", sp.oo), Fr(3, 4)),
        (Pr(Zp, "==", sp.oo), Fr(1, 2)),
        (Pr(Z, ">=", -sp.oo), Fr(1)),
        (Pr(Z, ">", sp.oo), Fr(0)),
        (E(2, P2, Q2), oracle.moment(*SECOND, Fr(2))),
        (E(-1, P2, Q2), oracle.moment(*SECOND, Fr(-1))),
        (Ex(e(-Z), Z), Fr(1, 2)),
        (Ex(Indicator(Ge(Z, 0)), Z), Fr(1)),
        (Ex(Indicator(Eq(Z, log2)), Z), Fr(1, 2)),
        (Sup(P(S) - 2 * Q(S), S), oracle.hockey_stick_by_events(*FIRST, Fr(2))),
        (Sup(P(S) - Q(Complement(S)), S), Fr(1)),
        (Omega(sp.Max(0, P - 2 * Q)), oracle.hockey_stick(*FIRST, Fr(2))),
        (Omega(sp.Min(P, Q)), 1 - oracle.hockey_stick(*FIRST, Fr(1))),
        (delta(PP, QQ)(log2), oracle.hockey_stick(*oracle.product_pair(FIRST, SECOND), Fr(2))),
        (conv(f(Z)(t), f(PLD(P2, Q2))(t), t).subs(t, 5), Fr(0)),
        (Int(f(Z)(t), t, 0, sp.oo), Fr(1, 2)),
        (Int(f(Z)(t), t, -1, log2), Fr(1, 4)),
        (Impulse(f(Z)(t), t, 0), Fr(1, 4)),
        (Impulse(f(Z)(t), t, 1), Fr(0)),
        (Lim(delta(P, Q)(t), t, sp.oo), Fr(1, 4)),
        (Lim(F(Z)(t), t, 0, "-"), Fr(0)),
        (Lim(F(Z)(t), t, 0, "+"), Fr(1, 4)),
        (D(delta(P, Q)(t), t).subs(t, 5), Fr(0)),
        (Primitive(f(Z)(t), t, -sp.oo).subs(t, 5), Fr(3, 4)),
        (Primitive(sp.Integer(1), t, 2).subs(t, 5), Fr(3)),
        (Primitive(sp.Integer(1), t, 2).subs(t, -1), Fr(-3)),
        (Linv(1 / s, s, 0, 1), Fr(1, 2)),
        (Linv(1 / s, s, 1, 1), Fr(1)),
        (Linv(1 / s, s, 1, -1), Fr(0)),
        (Linv(1 / s, s, -1, -1), Fr(-1)),
        (Linv(1 / s**2, s, 3, 2), Fr(3)),
        (Linv((1 - e(-s)) / s, s, Fr(1, 2), 0), Fr(1)),
    ],
)
def test_values_at_finite_pairs(expression, expected):
    found = concrete().value(expression).x
    assert found == Scalar.of(expected), found


@pytest.mark.parametrize("order", [Fr(2), Fr(-1), Fr(3, 2)])
def test_infinite_moments(order):
    assert isinstance(concrete().value(E(order, P, Q)).x, Infinite)


NODES = tuple(
    type(x) for x in (conv(t, t, t), Primitive(t, t, 0), D(t, t), delta(P, Q)(t), F(Z)(t))
)
FUNCTIONS = [
    sp.sin(2 * t) * e(-t),
    sp.cos(t) ** 2,
    sp.cosh(t) + t**2,
    sp.Abs(t - 1),
    sp.Abs(3 - 2 * t),
    e(-sp.Abs(t + 1)),
    sp.Max(0, 2 - e(t)),
    sp.Min(0, e(2 * t) - e(t)),
    sp.Max(0, 1 - e(-2 * t)),
    sp.Heaviside(t - 1) * t,
    Indicator(Ge(1, t)) * e(t),
    sp.Piecewise((1, t < 0), (t, t < 2), (e(-t), True)),
    sp.Piecewise((t, t >= 1), (2 * t, t >= 0), (3, True)),
    sp.Piecewise((1, sp.Or(t < -1, t > 1)), (t, sp.And(t >= 0, t <= 1)), (-5, True)),
    (1 + t) ** 3 * e(-t / 2),
    sp.Piecewise((5, sp.Eq(t, 0)), (t, True)),
    conv(Indicator(Gt(t, 0)) * e(-t), Indicator(Gt(t, 1)), t),
    Primitive(t * e(t), t, -1),
    D(sp.Abs(t) * t, t),
    delta(P, Q)(1 - 2 * t),
    F(Z)(t / 2),
]


@pytest.mark.parametrize("body", FUNCTIONS, ids=str)
def test_functions_have_the_values_of_their_expressions(body):
    i = concrete()
    found = i.function(body, t).x
    for point in (Fr(-17, 8), Fr(-3, 7), Fr(2, 9), Fr(11, 8), Fr(29, 9)):
        with mp.workdps(20):
            number = sp.Rational(point.numerator, point.denominator)
            if body.has(*NODES):
                expected = scalar_value(i.value(body.subs(t, number)).x)
            else:
                there = body.replace(Indicator, lambda r: sp.Piecewise((1, r), (0, True)))
                expected = mp.mpmathify(sp.N(there.subs(t, number), 25))
            assert close(
                function_value(found, mp.mpf(point.numerator) / point.denominator), expected
            )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (sp.DiracDelta(t - 1), e(-s)),
        (sp.DiracDelta(2 * t), sp.Rational(1, 2)),
        (sp.DiracDelta(-3 * t + 3), e(-s) / 3),
        (sp.DiracDelta(t, 1), s),
        (sp.DiracDelta(t - 1, 2), s**2 * e(-s)),
        (sp.DiracDelta(t) * Indicator(Ge(t, 0)), 1),
        (sp.DiracDelta(t) * Indicator(Gt(t, 0)), 0),
        (sp.DiracDelta(t) * Indicator(Eq(t, 0)), 1),
        (sp.DiracDelta(t) * Indicator(Ne(t, 0)), 0),
        (sp.DiracDelta(t) * (Indicator(Lt(t, 0)) + Indicator(Gt(t, 0))), 0),
        (sp.DiracDelta(t) * sp.Piecewise((3, sp.Eq(t, 0)), (5, True)), 3),
        (sp.Piecewise((sp.DiracDelta(t), t >= 0), (7 * sp.DiracDelta(t), True)), 1),
        ((1 + t) * sp.DiracDelta(t - 1), 2 * e(-s)),
    ],
)
def test_impulses(body, expected):
    found = concrete().value(B(body, t, s)).x
    assert found == concrete().value(sp.sympify(expected)).x


@pytest.mark.parametrize(
    "body",
    [
        e(-sp.Abs(t)) * sp.Max(0, t + 1).rewrite(sp.Piecewise),
        e(-(t**2) / 1).subs(t**2, sp.Abs(2 * t)),
        Indicator(Gt(t, 0)) * t * e(-2 * t) * sp.sin(3 * t),
        D(e(-sp.Abs(t)), t),
    ],
)
def test_transforms_by_quadrature(body):
    i = concrete()
    with mp.workdps(14):
        for point in (Fr(1, 3), Fr(-1, 4)):
            value = scalar_value(i.value(B(body, t, sp.Rational(point))).x)
            g_of = i.function(body, t).x
            assert close(value, transform(g_of, mp.mpf(point.numerator) / point.denominator, 50), 7)


@pytest.mark.parametrize(
    "expression",
    [
        Lim(F(Z)(t), t, 0),
        Primitive(f(Z)(t), t, -sp.oo).subs(t, 0),
        Linv(s, s, 1, 1),
        Linv(1 / s, s, 1, 0),
        L(e(t), t, 1),
        B(sp.Integer(1), t, 0),
        E(2, P, Q) - E(3, P, Q),
        0 * x + sp.zoo,
        R(1, P2, Q2),
        1 / (e(log2) - 2),
        Lim(t, t, -sp.oo),
        B(sp.Piecewise((1, t < 0)), t, 1),
        conv(sp.Integer(1), sp.Integer(1), t).subs(t, 1),
    ],
)
def test_undefined_values(expression):
    with pytest.raises(Undefined):
        concrete().value(expression)


@pytest.mark.parametrize(
    "expression",
    [
        sp.gamma(x),
        L(sp.gamma(t), t, 1),
        L(1 / t, t, 1),
        L(e(t**2), t, 1),
        B(g(t), t, 1),
        sp.log(sp.I + x),
        L(sp.Max(0, sp.cos(t)), t, 1),
        L(sp.Max(t, 0), t, 1),
        Int(sp.sqrt(e(sp.I * t)), t, 0, 10),
        Linv(sp.im(s) / s**2, s, 1, 1),
        Linv(1 / sp.Abs(s) ** 2, s, 1, 1),
        L(conv(e(-a * u), 1, u, 0), a, s),
        B(sp.DiracDelta(t) * sp.Heaviside(t), t, 1),
        Sup(P(S) + 1, S),
        Sup(P(S) * Q(S), S),
        delta(P, Q)(sp.oo),
    ],
)
def test_unsupported_values(expression):
    with pytest.raises(Unsupported):
        concrete().value(expression)


@pytest.mark.parametrize("expression", [Omega(P**2), Omega(sp.Integer(1))])
def test_ill_formed_integrals(expression):
    with pytest.raises(IllFormed):
        concrete().value(expression)


def test_constants_become_masses():
    """1 - F_Z on k(+oo) and on the other kernels: the 1 is the P-mass."""
    i = kernels(PLUS_KERNEL)
    assert i.value(1 - F(Z)(x)).x == Scalar.of(1)
    i = kernels(PLUS_KERNEL.reverse())
    assert i.value(1 - F(Z)(x)).x.is_zero()
    assert i.value(3 * e(x) + delta(P, Q)(x)).x.is_zero()
    assert i.value(3 * e(x)).grade == frozenset()


@pytest.mark.parametrize(
    "expression",
    [
        delta(P, Q)(x) * delta(P, Q)(0),
        delta(P, Q)(x) ** 2,
        sp.exp(delta(P, Q)(x)),
        sp.Max(0, delta(P, Q)(x)),
        1 / delta(P, Q)(x),
        sp.Abs(F(Z)(x)),
        F(Z)(0) * Pr(Zp, ">", x),
        L(delta(P, Q)(t) ** 2, t, 1),
        conv(f(Z)(t), f(Z)(t), t).subs(t, 1),
        delta(*product_pair((P, Q), (P, Q)))(x),
        B(g(t) ** 2, t, 1),
    ],
)
def test_degree_two_and_functions_of_notions_are_refused(expression):
    with pytest.raises(Unsupported):
        kernels(finite_kernel(Form.of(a)), [(Form.of(a - x), ">"), (Form.of(x), ">")]).value(
            expression
        )


def test_products_of_two_pairs_are_bilinear():
    found = kernels(finite_kernel(Form.of(a))).value(E(2, P, Q) * E(2, P2, Q2))
    assert found.grade == {P.pair, P2.pair}
    assert found.x == Scalar.exp(Form.of(a + u))


@pytest.mark.parametrize(
    "expression",
    [
        D(F(Z)(x), x),
        conv(f(Z)(x), f(PLD(P2, Q2))(x), x),
        Lim(f(Z)(t), t, x, "+"),
        Lim(e(t) * delta(P, Q)(t), t, sp.oo),
        Lim(f(Z)(t), t, sp.oo),
        D(delta(P, Q)(x), x, 2),
    ],
)
def test_densities_and_unbounded_limits_of_mixtures_are_refused(expression):
    apart = [(Form.of(a - x), ">"), (Form.of(x), ">"), (Form.of(u - x), ">")]
    with pytest.raises(Unsupported):
        kernels(finite_kernel(Form.of(a)), apart).value(expression)


@pytest.mark.parametrize(
    "expression",
    [
        1 / x,
        delta(P2, Q2)(1 / x),
        e(1 / x),
        1 / (e(x) - 1),
        L(e(-t) / x, t, 1),
        (x**2 - 1) / (x**2 + x),
    ],
)
def test_denominators_must_not_vanish(expression):
    with pytest.raises(NeedSplit):
        concrete().value(expression)
    at_zero = Interpreter(Cell([(Form.of(x), "=")]), {P2.pair: model(SECOND)})
    with pytest.raises(Undefined):
        at_zero.value(expression)


def test_expectations_see_the_atoms_of_continuous_pairs():
    A, C = mechanism_pair(laplace(1))
    loss = PLD(A, C)
    i = Interpreter(Cell(), {A.pair: laplace(1).model()})
    half = Scalar.of(Fr(1, 2))
    assert i.value(Ex(Indicator(Eq(loss, 1)), loss)).x == half
    assert i.value(Ex(Indicator(Lt(loss, 1)) + Indicator(Gt(loss, 1)), loss)).x == half
    assert i.value(Ex(sp.Integer(1), loss)).x == Scalar.of(1)
    assert i.value(Ex(e(-loss), loss)).x == Scalar.of(1)
