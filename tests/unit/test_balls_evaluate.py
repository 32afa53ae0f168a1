"""Every enclosure contains the value that mpmath finds at higher precision; else it is refused."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from flint import acb, arb, ctx

from lapdp.balls import enclosure, separated, sign
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import InputError, Undefined, Unsupported

x, y = sp.symbols("x y")
R = sp.Rational

ONE_ARGUMENT = [
    sp.exp, sp.log, sp.sqrt, sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.sinh, sp.cosh,
    sp.tanh, sp.coth, sp.sech, sp.csch, sp.atan, sp.asinh, sp.erf, sp.erfc, sp.erfi, sp.gamma,
    sp.loggamma, sp.Ei, sp.E1, sp.Si, sp.Ci, sp.Shi, sp.Chi, sp.fresnels, sp.fresnelc, sp.factorial,
    sp.digamma, sp.zeta, sp.conjugate, sp.re, sp.im, sp.Abs,
]
TWO_ARGUMENTS = [
    sp.besselj, sp.bessely, sp.besseli, sp.besselk, sp.uppergamma, sp.lowergamma, sp.expint,
    sp.beta, lambda a, b: b**a,
]
POINTS = [R(1, 3), R(7, 2), R(-5, 4), sp.Integer(40), R(1, 10**6), 2 + sp.I / 3, -R(1, 2) + sp.I,
          -3 - 2 * sp.I]
ORDERS = [sp.Integer(0), sp.Integer(2), R(1, 2), R(7, 3)]


def contains(z: acb, reference: mpmath.mpc) -> bool:
    """Does the ball, widened by the error of a reference to 60 digits, contain it?"""
    with ctx.workdps(70):
        real = arb(mpmath.nstr(mpmath.re(reference), 65))
        imag = arb(mpmath.nstr(mpmath.im(reference), 65))
        error = arb(10) ** -50 * (abs(real) + abs(imag))
        return acb(arb(real, error), arb(imag, error)).overlaps(z)


def reference(expr: sp.Expr) -> mpmath.mpc:
    with mpmath.workdps(80):
        return mpmath.mpmathify(sp.N(expr, 70))


@pytest.mark.parametrize("point", POINTS, ids=str)
def test_functions_of_one_argument_contain_the_truth(point: sp.Expr) -> None:
    done = 0
    for f in ONE_ARGUMENT:
        expr = f(x)
        try:
            z = enclosure(expr, {x: point}, digits=30)
        except Unsupported:
            continue
        assert z.rel_accuracy_bits() > 95, (f, point)
        assert contains(z, reference(f(point))), (f, point)
        done += 1
    assert done >= len(ONE_ARGUMENT) - 3


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_functions_of_two_arguments_contain_the_truth(order: sp.Expr) -> None:
    for f in TWO_ARGUMENTS:
        for point in POINTS:
            expr = f(y, x)
            try:
                z = enclosure(expr, {x: point, y: order}, digits=30)
                value = reference(f(order, point))
            except (Undefined, TypeError):  # a pole, where SymPy says zoo
                assert not f(order, point).is_finite
                continue
            assert z.rel_accuracy_bits() > 95, (f, order, point)
            assert contains(z, value), (f, order, point, z, value)


def test_rationals_never_pass_through_a_double() -> None:
    z = enclosure(R(1, 3) * x - R(1, 10), {x: sp.Integer(1)}, digits=100)
    with ctx.workdps(110):
        assert z.overlaps(acb(arb(7) / 30))
        assert z.real.rad() < arb(10) ** -100


def test_cancellation_is_answered_by_more_precision() -> None:
    z = enclosure(sp.exp(x) - 1 - x, {x: R(1, 10**30)}, digits=20)
    assert z.rel_accuracy_bits() > 66
    assert z.overlaps(acb(arb("5e-61", "1e-90")))


def test_the_precision_of_the_caller_is_kept() -> None:
    before = ctx.prec
    enclosure(sp.gamma(x), {x: R(1, 7)}, digits=200)
    with pytest.raises(Undefined):
        enclosure(1 / x, {x: 0}, digits=200)
    assert ctx.prec == before


@pytest.mark.parametrize("expr", [
    1 / x, sp.log(x), x**-2, sp.gamma(x), sp.loggamma(x - 1), sp.Ei(x), sp.besselk(0, x),
    sp.expint(1, x), sp.Pow(x, y), sp.csch(x), sp.Max(1, x + sp.I), sp.Heaviside(x + sp.I),
    sp.oo * y, sp.Piecewise((1, x > 0)),
], ids=str)
def test_what_has_no_value_is_undefined(expr: sp.Expr) -> None:
    with pytest.raises(Undefined):
        enclosure(expr, {x: 0, y: -1})


def test_what_is_outside_the_class_is_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="hyper"):
        enclosure(sp.hyper([1], [2], x), {x: 1})
    with pytest.raises(Unsupported, match="no finite ball"):
        enclosure(sp.exp(sp.exp(sp.exp(x))), {x: 100})
    with pytest.raises(Unsupported, match="no finite ball"):
        enclosure(1 / (sp.sqrt(x) + sp.sqrt(y) - sp.sqrt(x + y + 2 * sp.sqrt(x * y))),
                  {x: 2, y: 3})


@pytest.mark.parametrize("bad", [0.5, "1/2", "__import__('os')", None])
def test_inexact_values_and_text_are_bad_input(bad: object) -> None:
    with pytest.raises(InputError):
        enclosure(x, {x: bad})


def test_free_symbols_and_floats_in_expressions_are_bad_input() -> None:
    with pytest.raises(InputError, match="y has no value"):
        enclosure(x + y, {x: 1})
    with pytest.raises(InputError, match="float"):
        enclosure(sp.Float("0.1") * x, {x: 1})


def test_conditions_are_decided_or_hulled() -> None:
    step = sp.Piecewise((1, x < 2), (5, sp.And(x >= 2, x < 3)), (7, True))
    assert [enclosure(step, {x: v}) for v in (1, 2, 3)] == [1, 5, 7]
    wide = enclosure(step, {x: arb(2, 0.5)})
    assert wide.contains(acb(1)) and wide.contains(acb(5)) and not wide.contains(acb(8))
    assert enclosure(Indicator(sp.Eq(x, 1)), {x: 1}) == 1
    assert enclosure(Indicator(x > 1), {x: 1}) == 0
    assert enclosure(sp.Heaviside(x), {x: 0}) == acb("0.5")
    assert enclosure(sp.Max(x, y) - sp.Min(x, y) + sp.Abs(-x) + sp.sign(-y), {x: 2, y: 5}) == 4


def test_an_undefined_branch_that_does_not_apply_is_harmless() -> None:
    assert enclosure(sp.Piecewise((sp.log(x), x > 0), (3, True)), {x: 0}) == 3


def test_balls_as_values_limit_the_answer() -> None:
    z = enclosure(x**2, {x: arb(0, 1)})
    assert z.contains(acb(0)) and z.contains(acb(1)) and not z.contains(acb(-1))
    assert enclosure(sp.sqrt(x), {x: arb(1, 1)}).is_finite()


def test_signs_and_separation() -> None:
    assert sign(sp.exp(sp.pi) - sp.pi - 20) == -1
    assert sign(sp.Integer(0)) == 0
    assert sign(x, {x: arb(0, 1)}) is None
    assert sign(sp.I) is None
    assert separated(sp.sqrt(2) + sp.sqrt(3), sp.sqrt(5 + 2 * sp.sqrt(6))) is None
    # the famous near-integer: 12 nines after the point
    assert separated(sp.exp(sp.pi * sp.sqrt(163)), sp.Integer(262537412640768744)) is True
