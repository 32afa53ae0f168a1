"""Textbook transforms, right and wrong: balls confirm the first and refute the second."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.balls import sample_identity
from lapdp.calculus.nodes import B, Int, L
from lapdp.core.errors import InputError

t, s, a = sp.symbols("t s a")
n = sp.Symbol("n", integer=True, nonnegative=True)
R = sp.Rational
GAUSS = sp.sqrt(sp.pi) * sp.exp(s**2 / 4) * sp.erfc(s / 2) / 2
STRIP = (s > -1, s < 1)

# (left side, right side, hypotheses, factor or replacement that makes it wrong)
TABLE = [
    (L(t**n, t, s), sp.factorial(n) / s ** (n + 1), (s > 0,), sp.factorial(n) / s**n),
    (L(t**a, t, s), sp.gamma(a + 1) / s ** (a + 1), (a > -1, s > 0), sp.gamma(a) / s ** (a + 1)),
    (L(sp.sin(a * t), t, s), a / (s**2 + a**2), (s > 0,), a / (s**2 - a**2)),
    (L(sp.cos(a * t), t, s), s / (s**2 + a**2), (s > 0,), a / (s**2 + a**2)),
    (L(sp.exp(a * t), t, s), 1 / (s - a), (s > a,), 1 / (s + a)),
    (L(t * sp.exp(-a * t), t, s), 1 / (s + a) ** 2, (s > -a,), 1 / (s + a)),
    (L(sp.sinh(t), t, s), 1 / (s**2 - 1), (s > 1,), 1 / (s**2 + 1)),
    (L(sp.cosh(t), t, s), s / (s**2 - 1), (s > 1,), s / (s**2 + 1)),
    (L(sp.erf(t), t, s), sp.exp(s**2 / 4) * sp.erfc(s / 2) / s, (s > 0,),
     sp.exp(s**2 / 4) * sp.erf(s / 2) / s),
    (L(sp.erfc(t), t, s), (1 - sp.exp(s**2 / 4) * sp.erfc(s / 2)) / s, (s > 0,),
     (1 - sp.exp(s**2) * sp.erfc(s)) / s),
    (L(sp.erf(sp.sqrt(t)), t, s), 1 / (s * sp.sqrt(s + 1)), (s > 0,), 1 / sp.sqrt(s + 1)),
    (L(1 / sp.sqrt(t), t, s), sp.sqrt(sp.pi / s), (s > 0,), sp.sqrt(sp.pi) / s),
    (L(sp.log(t), t, s), -(sp.log(s) + sp.EulerGamma) / s, (s > 0,), -sp.log(s) / s),
    (L(sp.besselj(0, a * t), t, s), 1 / sp.sqrt(s**2 + a**2), (s > 0,), 1 / (s**2 + a**2)),
    (L(sp.besseli(0, t), t, s), 1 / sp.sqrt(s**2 - 1), (s > 1,), 1 / sp.sqrt(s**2 + 1)),
    (L(sp.exp(-t**2), t, s), GAUSS, (), GAUSS * 2 / sp.sqrt(sp.pi)),
    (L(sp.Heaviside(t - 2), t, s), sp.exp(-2 * s) / s, (s > 0,), sp.exp(2 * s) / s),
    (L(sp.Heaviside(t - 1) * (t - 1), t, s), sp.exp(-s) / s**2, (s > 0,), sp.exp(-s) / s),
    (L(sp.sin(t) / t, t, s), sp.atan(1 / s), (s > 0,), sp.atan(s)),
    (L((1 - sp.exp(-t)) / t, t, s), sp.log(1 + 1 / s), (s > 0,), sp.log(1 + s)),
    (L(sp.Abs(t - 1), t, s), 2 * sp.exp(-s) / s**2 + 1 / s - 1 / s**2, (s > 0,),
     2 * sp.exp(-s) / s**2 + 1 / s + 1 / s**2),
    (L(sp.DiracDelta(t - 3), t, s), sp.exp(-3 * s), (), sp.exp(3 * s)),
    (L(sp.exp(-1 / t) / t ** R(3, 2), t, s), sp.sqrt(sp.pi) * sp.exp(-2 * sp.sqrt(s)), (s > 0,),
     sp.sqrt(sp.pi) * sp.exp(-sp.sqrt(s))),
    (L(sp.expint(1, t), t, s), sp.log(1 + s) / s, (s > 0,), sp.log(s) / s),
    (B(sp.exp(-sp.Abs(t)), t, s), 2 / (1 - s**2), STRIP, 2 / (1 + s**2)),
    (B(sp.exp(-t**2), t, s), sp.sqrt(sp.pi) * sp.exp(s**2 / 4), (),
     sp.sqrt(sp.pi) * sp.exp(s**2 / 2)),
    (B(sp.exp(t) * sp.Heaviside(-t), t, s), 1 / (1 - s), (s < 1,), 1 / (s - 1)),
    (Int(sp.exp(-t**2), t, 0, s), sp.sqrt(sp.pi) * sp.erf(s) / 2, (), sp.sqrt(sp.pi) * sp.erf(s)),
]


@pytest.mark.parametrize("left, right, where, _wrong", TABLE, ids=lambda v: str(v)[:30])
def test_right_transforms_are_confirmed(
    left: sp.Expr, right: sp.Expr, where: tuple, _wrong: sp.Expr
) -> None:
    found = sample_identity(left, right, where=where, instances=3, digits=15)
    assert found.verdict == "tested", found
    assert found.agreements == 3 and found.digits >= 12 and not found.undefined


@pytest.mark.parametrize("left, right, where, wrong", TABLE, ids=lambda v: str(v)[:30])
def test_wrong_transforms_are_refuted_at_an_exact_point(
    left: sp.Expr, right: sp.Expr, where: tuple, wrong: sp.Expr
) -> None:
    for false in (wrong, right * R(10**6 + 1, 10**6)):
        found = sample_identity(left, false, where=where, digits=15)
        assert found.verdict == "refuted", found
        assert all(v.is_Rational for v in found.refutation.point.values())


def test_complex_frequencies() -> None:
    right = sp.sqrt(sp.pi) * sp.exp(s**2 / 4)
    found = sample_identity(B(sp.exp(-t**2), t, s), right, {s: "complex"}, instances=4)
    assert found.verdict == "tested" and found.digits >= 20
    found = sample_identity(L(sp.exp(-t), t, s), 1 / (1 + sp.conjugate(s)), {s: "complex"},
                            where=(sp.re(s) > -1,))
    assert found.refutation.point[s].has(sp.I)


def test_divergence_is_skipped_and_reported() -> None:
    found = sample_identity(L(1 / t, t, s), s)
    assert found.verdict == "undecided"
    assert found.skipped["no exponential decay can be proved"] > 0
    found = sample_identity(L(sp.exp(5 * t), t, s), 1 / (s - 5), instances=2)
    assert found.verdict == "tested" and found.skipped


def test_undefined_sides_are_reported() -> None:
    found = sample_identity(L(sp.exp(-t), t, s), (s - 1) / (s**2 - 1), instances=3)
    assert found.verdict == "tested" and found.undefined[0][0] == {s: 1}


def test_points_are_deterministic() -> None:
    wrong = sp.exp(-s) + sp.Heaviside(s - 9)
    runs = [sample_identity(sp.exp(-s), wrong, instances=200, seed=k) for k in (1, 1, 2)]
    points = [r.refutation.point for r in runs]
    assert points[0] == points[1] != points[2]


def test_points_respect_what_sympy_was_told() -> None:
    p = sp.Symbol("p", positive=True)
    found = sample_identity(sp.sqrt(p**2) + L(sp.exp(-t), t, p), p + 1 / (1 + p), {p: "real"})
    assert found.verdict == "tested"


def test_a_side_may_combine_transforms() -> None:
    left = L(sp.exp(-t), t, s) * L(sp.exp(-2 * t), t, s)
    found = sample_identity(left, L(sp.exp(-t) - sp.exp(-2 * t), t, s), where=(s > 0,), instances=3)
    assert found.verdict == "tested"


def test_bad_input() -> None:
    with pytest.raises(InputError, match="float"):
        sample_identity(sp.Float("0.1") * s, s)
    with pytest.raises(InputError, match="domain"):
        sample_identity(s, s, {s: "quaternion"})
    with pytest.raises(InputError, match="hypothesis"):
        sample_identity(s, s, where=(a > 0,))
    with pytest.raises(InputError):
        sample_identity("__import__('os')", s)
