"""Integrals against exact values and mpmath.quad; what diverges is refused, never a number."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from flint import acb, arb, ctx

from lapdp.balls import bilateral, enclosure, integrate, one_sided
from lapdp.balls.bounds import Bounds
from lapdp.balls.envelope import TooEarly
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import InputError, Undefined, Unsupported

t, s, a = sp.symbols("t s a")
R, oo = sp.Rational, sp.oo

EXACT = [
    (sp.exp(-t**2), -oo, oo, sp.sqrt(sp.pi)),
    (1 / (1 + t**2), -oo, oo, sp.pi),
    (1 / t**2, 1, oo, 1),
    (1 / sp.sqrt(t), 0, 1, 2),
    (t ** R(1, 3), 0, 1, R(3, 4)),
    ((1 - t) ** -R(1, 3), 0, 1, R(3, 2)),
    (sp.sqrt(1 - t**2), -1, 1, sp.pi / 2),
    (sp.log(t), 0, 1, -1),
    (sp.log(1 + t) / t, 0, 1, sp.pi**2 / 12),
    ((sp.exp(-t) - sp.exp(-3 * t)) / t, 0, oo, sp.log(3)),
    (sp.sin(t) * sp.exp(-t) / t, 0, oo, sp.pi / 4),
    ((1 - sp.exp(-t)) / t ** R(3, 2) * sp.exp(-t), 0, oo,
     2 * (sp.sqrt(2) - 1) * sp.sqrt(sp.pi)),
    (sp.exp(-sp.sqrt(t)), 0, oo, 2),
    (sp.exp(-t**3), 0, oo, sp.gamma(R(4, 3))),
    # mpmath.quad has 12 digits of this one
    (sp.exp(-t**2 / 2 - 30 * t), 2, oo,
     sp.sqrt(sp.pi / 2) * sp.exp(450) * sp.erfc(16 * sp.sqrt(2))),
    (1 / sp.cosh(t), -oo, oo, sp.pi),
    (sp.Abs(sp.sin(t)) * sp.exp(-t), 0, oo, sp.coth(sp.pi / 2) / 2),
    (sp.Max(0, 1 - sp.exp(1 - t)) * sp.exp(-2 * t), 0, oo, sp.exp(-2) / 6),
    (sp.Max(t, 1 - t), 0, 2, R(9, 4)),
    (sp.Piecewise((1, t < 1), (2, t < 2), (0, True)) * sp.exp(-t), 0, oo,
     1 + sp.exp(-1) - 2 * sp.exp(-2)),
    (Indicator(t > 2) * sp.exp(-t), -oo, oo, sp.exp(-2)),
    (sp.exp(-t / 1000), 0, oo, 1000),
    (sp.exp(-(1 + sp.I) * t) * t**3, 0, oo, 6 / (1 + sp.I) ** 4),
    (sp.DiracDelta(2 * t - 1) * sp.exp(t) + 1, 0, 1, sp.exp(R(1, 2)) / 2 + 1),
    (sp.DiracDelta(t), 0, 1, 0),
    (sp.Ei(-t) * sp.exp(-t), 0, oo, -sp.log(2)),
    (sp.sqrt(t), -1, 1, R(2, 3) + 2 * sp.I / 3), (sp.log(t), -1, 1, -2 + sp.I * sp.pi),
    (t ** R(1, 3), -1, 0, R(3, 4) * (-1) ** R(1, 3)),
    (sp.log(1 - t) * sp.exp(-t), 0, oo, -sp.exp(-1) * (sp.Ei(1) - sp.I * sp.pi)),
    (sp.exp(-t), 1, 0, sp.exp(-1) - 1),
    (t, 3, 3, 0),
]


@pytest.mark.parametrize("f, lo, hi, value", EXACT, ids=lambda v: str(v)[:30])
def test_known_integrals_to_25_digits(f: sp.Expr, lo: sp.Expr, hi: sp.Expr, value: sp.Expr) -> None:
    z = integrate(f, t, lo, hi, digits=25)
    assert z.overlaps(enclosure(sp.sympify(value), {}, 40))
    assert z.contains(acb(0)) or z.rel_accuracy_bits() > 80


QUAD = [
    (sp.besselj(0, t) * sp.exp(-t / 2), 0, oo), (sp.erf(t) * sp.exp(-t), 0, oo),
    (sp.log(1 + t**2) * sp.exp(-t), 0, oo), (sp.exp(-1 / t - t), 0, oo),
    (sp.sqrt(t + sp.sin(t)**2 + 1) * sp.exp(-t), 0, oo), (sp.gamma(t), 1, 4),
    (sp.tanh(t) * sp.exp(-2 * t), 0, oo), (sp.bessely(0, t) * sp.exp(-2 * t), 0, oo),
    (sp.uppergamma(R(1, 3), t) * sp.exp(-t), 0, oo),
    (sp.besseli(1, t) * sp.exp(-3 * t), 0, oo), (1 / (sp.exp(t) + 1), 0, oo),
]


@pytest.mark.parametrize("f, lo, hi", QUAD, ids=lambda v: str(v)[:30])
def test_integrals_contain_what_quadrature_finds(f: sp.Expr, lo: sp.Expr, hi: sp.Expr) -> None:
    z = integrate(f, t, lo, hi, digits=20)
    g = sp.lambdify(t, f, "mpmath")
    with mpmath.workdps(30):
        path = [lo, lo + 1, lo + 4, lo + 20, mpmath.inf] if hi == oo else [lo, hi]
        value = mpmath.quad(g, path)
        text = mpmath.nstr(value, 25)
    with ctx.workdps(30):
        assert abs(z.real - arb(text)) < abs(arb(text)) * arb(10) ** -14
    assert z.rel_accuracy_bits() > 60


@pytest.mark.parametrize("f, lo, hi", [
    (1 / t, 0, 1), (1 / t, 1, oo), (1 / (t - 1), 0, 2), (sp.exp(t / 2), 0, oo),
    (sp.Integer(1), 0, oo),
    (1 / t**2, -1, 1), (sp.exp(-t), -oo, oo), (sp.log(t) / t, 0, 1), (sp.tan(t), 0, 2),
    (sp.exp(t**2 - t), 0, oo), (sp.sin(t) / t, 0, oo), (1 / (t * sp.log(t)), 2, oo),
    (sp.exp(-t) / t, 0, oo), (sp.cosh(t) * sp.exp(-t), 0, oo), (sp.gamma(t) * sp.exp(-t), 0, oo),
    (sp.DiracDelta(t - 1) * sp.Heaviside(t - 1), 0, 2),
    (sp.DiracDelta(t**2 - 1), 0, 2), (sp.floor(t) * sp.exp(-t), 0, oo),
], ids=lambda v: str(v)[:30])
def test_divergent_and_unbounded_integrals_are_refused(f: sp.Expr, lo: object, hi: object) -> None:
    with pytest.raises(Unsupported):
        integrate(f, t, lo, hi)


def test_an_integrand_without_values_is_undefined() -> None:
    with pytest.raises(Undefined):
        integrate(sp.Piecewise((sp.exp(-t), t < 3)), t, 0, oo)


def test_branch_cuts_are_seen() -> None:
    # without the analytic flag acb.integral gives 4.6694... for this
    assert integrate(sp.sqrt(t), t, 1, 4).overlaps(enclosure(R(14, 3)))
    z = integrate(sp.sqrt(t**2 + sp.I * t / 10), t, -3, 3, digits=15)
    with mpmath.workdps(20):
        value = mpmath.quad(lambda v: mpmath.sqrt(v * v + 0.1j * v), [-3, -0.1, 0, 0.1, 3])
    assert abs(z - acb(float(value.real), float(value.imag))) < 1e-12


def test_tiny_integrals_keep_their_relative_precision() -> None:
    z = integrate(sp.exp(-t**2 / 2), t, 20, oo, digits=20)
    exact = enclosure(sp.sqrt(sp.pi / 2) * sp.erfc(20 / sp.sqrt(2)), {}, 30)
    assert z.rel_accuracy_bits() > 65 and z.overlaps(exact)


def test_transforms_at_a_point() -> None:
    assert one_sided(sp.sin(t), t, 2).overlaps(enclosure(R(1, 5)))
    assert bilateral(sp.exp(-sp.Abs(t)), t, R(1, 2)).overlaps(enclosure(R(8, 3)))
    z = bilateral(sp.exp(-t**2), t, 1 + 2 * sp.I)
    assert z.overlaps(enclosure(sp.sqrt(sp.pi) * sp.exp((1 + 2 * sp.I) ** 2 / 4)))
    assert one_sided(sp.exp(-a * t), t, 1, values={a: R(1, 2)}).overlaps(enclosure(R(2, 3)))
    assert one_sided(sp.DiracDelta(t), t, 1) == 0
    with pytest.raises(Unsupported):
        bilateral(sp.exp(-sp.Abs(t)), t, 1)


def test_inexact_parameters_are_bad_input() -> None:
    with pytest.raises(InputError):
        one_sided(sp.exp(-a * t), t, 1, values={a: 0.5})
    with pytest.raises(InputError):
        integrate("exp(-t)", t, 0, 1)
    with pytest.raises(InputError, match="a has no value"):
        integrate(sp.exp(-a * t), t, 0, 1)
    u = sp.Symbol("u", positive=True)
    with pytest.raises(InputError, match="assumptions"):
        integrate(sp.Abs(u), u, -1, 1)  # SymPy has made u of it


BOUNDED = [
    sp.exp(-t) * sp.cos(3 * t), t**3 * sp.exp(-2 * t) + sp.sin(t) / t, sp.erfc(t - 1),
    sp.besselj(2, t), sp.bessely(0, t), sp.besselk(1, t), sp.besseli(0, t) * sp.exp(-2 * t),
    1 / (1 + sp.exp(t)), sp.log(1 + sp.exp(-t)), sp.log(t + 1), sp.Ei(-t), sp.Ei(t),
    sp.uppergamma(R(5, 2), t), sp.lowergamma(R(1, 2), t), sp.expint(2, t), sp.Si(t), sp.Ci(t),
    sp.exp(sp.sqrt(t) - t), sp.exp(-t**3 + t), sp.sinh(sp.exp(-t)), sp.erfi(t) * sp.exp(-2 * t**2),
    sp.besselj(1, sp.exp(-t)), sp.besselk(0, sp.exp(-t)), sp.bessely(0, sp.exp(-t)),
    sp.expint(1, sp.exp(-t)), sp.Ei(sp.exp(-t)), sp.Ci(sp.exp(-t)), sp.besselk(R(1, 3), sp.exp(-t)),
    (t**2 + 1) ** R(-3, 2), sp.sqrt(t + 1), sp.exp(sp.exp(-t)), (1 + sp.I * t) ** -2,
    sp.besseli(R(1, 2), sp.exp(-t)), sp.lowergamma(2, sp.exp(-t)), sp.erf(sp.exp(-t)),
    sp.tanh(t), sp.cosh(t), sp.coth(t), sp.Max(t, sp.exp(-t)), sp.fresnels(t), t**sp.I,
]


@pytest.mark.parametrize("f", BOUNDED, ids=lambda v: str(v)[:30])
def test_a_bound_lies_above_the_function(f: sp.Expr) -> None:
    u = sp.Symbol("u", positive=True)
    for T in (1, 2, 8):
        with ctx.workprec(120):
            try:
                terms = Bounds(u, T).terms(f.xreplace({t: u}))
            except TooEarly:
                assert T < 8
                continue
            for at in (T, T + R(1, 3), 2 * T + 1, 5 * T):
                ball = arb(int(at.p)) / int(at.q) if isinstance(at, R) else arb(at)
                bound = sum((x.at(ball) for x in terms), arb(0))
                assert not abs(enclosure(f, {t: at})) > bound.upper(), (T, at)
