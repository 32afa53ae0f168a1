"""Pairs given by densities: push-forward of the loss, exact checks, refusals."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath import mp

from lapdp import densities, exponential, finite, laplace
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.numeric import pairs as numeric
from tests.oracle.densities import DensityPair

x = sp.Symbol("x", real=True)
t = sp.Symbol("t", real=True)
q = sp.Symbol("q")
HALF = sp.Rational(1, 2)


def two_sided(centre=0, scale=1):
    return sp.exp(-sp.Abs(x - centre) / scale) / (2 * scale)


def same_models(first, second):
    """Equality of exact objects: loss, and the masses that it does not see."""
    one, two = first.model(), second.model()
    return ((one.loss - two.loss).merged(Cell()).is_zero()
            and one.p_infinite == two.p_infinite and one.q_infinite == two.q_infinite)


@pytest.mark.parametrize(("made", "known"), [
    (densities(two_sided(), two_sided(1), x), laplace(1)),
    (densities(two_sided(5, 3), two_sided(7, 3), x), laplace(3, 2)),
    (densities(sp.exp(-x), 2 * sp.exp(-2 * x), x, (0, sp.oo)), exponential(1, 2)),
    (densities(2 * sp.exp(-2 * x), sp.exp(-x), x, (0, sp.oo)), exponential(1, 2).reverse()),
    (densities(sp.exp(x), 3 * sp.exp(3 * x), x, (-sp.oo, 0)), exponential(1, 3)),
    (densities(2 ** (-x) * sp.log(2), 4 ** (-x) * sp.log(4), x, (0, sp.oo)), exponential(1, 2)),
    (densities(sp.Heaviside(x) * sp.exp(-x), sp.Heaviside(x) * 2 * sp.exp(-2 * x), x),
     exponential(1, 2)),
    (densities(sp.exp(-sp.Max(x, -x)) / 2, sp.exp(-sp.Max(x - 1, 1 - x)) / 2, x), laplace(1)),
    (densities(sp.Piecewise((sp.exp(x) / 2, x < 0), (sp.exp(-x) / 2, True)), two_sided(1), x),
     laplace(1)),
])
def test_known_mechanisms_come_out_exactly(made, known):
    assert same_models(made, known)
    assert made.profile(t) == known.profile(t)
    assert made.reverse().profile(t) == known.reverse().profile(t)
    assert made.moment(2) == known.moment(2)


def test_symbolic_scale():
    b = sp.Symbol("b", positive=True)
    made = densities(two_sided(0, b), two_sided(1, b), x)
    assert same_models(made, laplace(b)) and made.profile(t) == laplace(b).profile(t)
    assert made.free_symbols == {b}
    assert same_models(made.substitute({b: 2}), laplace(2))
    assert made.substitute({b: -1}) is None


def test_steps_are_finite_pairs():
    """Staircases: constant losses are atoms, and where one density vanishes there is no loss."""
    q_step = sp.Piecewise((sp.Rational(3, 2), x < HALF), (HALF, True))
    made, known = densities(1, q_step, x, (0, 1)), finite([HALF, HALF], ["3/4", "1/4"])
    assert made.profile(t) == known.profile(t) and made.loss.atoms == known.loss.atoms
    assert made.model().atoms is not None
    box = sp.Piecewise((1, (x > 0) & (x < 1)), (0, True))
    apart = densities(box, box.subs(x, x - sp.Rational(1, 4)), x)
    assert apart.profile(t) == finite(["1/4", "3/4", 0], [0, "3/4", "1/4"]).profile(t)
    assert apart.mass_at_infinity == apart.reverse().mass_at_infinity == sp.Rational(1, 4)
    assert not apart.is_absolutely_continuous and str(apart.moment_region()) == "0 < Re s < 1"


def test_one_sided_noise_shifted():
    """Exp(1) against Exp(1) + 1: a leak, an atom, nothing else."""
    made = densities(sp.exp(-x), sp.Heaviside(x - 1) * sp.exp(1 - x), x, (0, sp.oo))
    assert sp.expand(made.mass_at_infinity) == 1 - sp.exp(-1)
    assert [tuple(a) for a in made.loss.atoms] == [(-1, sp.exp(-1))]
    assert sp.expand(made.profile(0)) == 1 - sp.exp(-1) and made.loss.pieces == ()


SKEW = (
    sp.Piecewise((sp.exp(2 * x) * 2 / 3, x < 0), (sp.exp(-x) * 2 / 3, True)),
    sp.Piecewise((sp.exp(2 * (x - 1)) * 2 / 3, x < 1), (sp.exp(1 - x) * 2 / 3, True)),
)
"""An asymmetric Laplace density and its translate by 1: losses 2 and -1 outside, affine between."""


def skew_log(centre):
    def log_density(y):
        return mp.log(mp.mpf(2) / 3) + (2 * (y - centre) if y < centre else centre - y)

    return log_density


@pytest.mark.parametrize("eps", ["-3/2", "-1", "-1/2", "0", "1/2", "1", "2", "5/2"])
def test_skew_laplace_by_quadrature(eps):
    made, e = densities(*SKEW, x), sp.Rational(eps)
    with mp.workdps(30):
        pair = DensityPair(skew_log(0), skew_log(1), (0, 1))
        value = mp.mpf(e.p) / e.q
        expected = pair.profile(value, [(2 - value) / 3])
        assert abs(mp.mpf(str(sp.N(made.profile(e), 30))) - expected) < mp.mpf(10) ** -25


def test_skew_laplace_moments_and_loss():
    made = densities(*SKEW, x)
    assert [a.loss for a in made.loss.atoms] == [-1, 2] and [p[:2] for p in made.loss.pieces] == [
        (-1, 2)]
    with mp.workdps(30):
        pair = DensityPair(skew_log(0), skew_log(1), (0, 1))
        for order in (sp.Rational(3, 2), sp.Rational(-1, 3), sp.Integer(4)):
            expected = pair.moment(mp.mpf(order.p) / order.q)
            assert abs(mp.mpf(str(sp.N(made.moment(order), 30))) - expected) < 1e-20
    assert made.moment(1) == made.moment(0) == 1


def test_numeric_pair_of_densities():
    made = densities(*SKEW, x)
    shape, p, other, support, kinks = made.numeric_pair({})
    assert shape == "density" and kinks == [0, 1] and support == (-mp.inf, mp.inf)
    with mp.workdps(25):
        pair = numeric.density(p, other, support, kinks)
        value = pair.profile(mp.mpf("0.25"))
        assert abs(mp.mpf(str(sp.N(made.profile("1/4"), 25))) - value) < 1e-18


def test_polynomial_factors():
    """A common factor x: Gamma(2, 1) against Gamma(2, 2) has the affine loss x - log 4."""
    made = densities(x * sp.exp(-x), 4 * x * sp.exp(-2 * x), x, (0, sp.oo))
    assert made.moment(2) == sp.oo and str(made.moment_region()) == "Re s < 2"
    assert [p[:2] for p in made.loss.pieces] == [(-2 * sp.log(2), sp.oo)]
    with mp.workdps(30):
        pair = DensityPair(lambda y: mp.log(y) - y, lambda y: mp.log(4 * y) - 2 * y, (),
                           (mp.mpf(0), mp.inf))
        expected = pair.profile(mp.mpf(0), [mp.log(4)])
        assert abs(mp.mpf(str(sp.N(made.profile(0), 30))) - expected) < 1e-18


def test_densities_are_values():
    y = sp.Symbol("y", positive=True)
    made = densities(two_sided(), two_sided(1), x)
    assert made == densities(sp.exp(-sp.Abs(x)) / 2, two_sided(1), x)
    assert densities(sp.exp(-y), 2 * sp.exp(-2 * y), y, (0, sp.oo)) == densities(
        sp.exp(-x), 2 * sp.exp(-2 * x), x, (0, sp.oo))
    assert made != made.reverse() and made.reverse().reverse() == made


def test_repr_is_paste_ready():
    made = densities(two_sided(), two_sided(1), x)
    again = eval(repr(made), {"densities": densities, "x": x, "exp": sp.exp, "Abs": sp.Abs,
                              "oo": sp.oo})
    assert same_models(again, made)


@pytest.mark.parametrize(("p", "other", "support", "message"), [
    (x, 1, (0, 1), "p integrates to 1/2, not to 1"),
    (1, sp.exp(-x), (0, 1), "q integrates to (-1 + E)*exp(-1), not to 1"),
    (2 - 4 * x, 1, (0, 1), "p is negative somewhere on (0, 1)"),
    (1 / x**2, 1, (1, sp.oo), "q has no integral on (1, oo)"),
    (-1, 1, (0, 1), "p is negative somewhere on (0, 1)"),
    (1, sp.Piecewise((3, x < HALF), (-1, True)), (0, 1), "q is negative somewhere on (1/2, 1)"),
    (sp.exp(x), sp.exp(-x), (0, sp.oo), "p has no integral on (0, oo)"),
    (1, 1, (-sp.oo, sp.oo), "p has no integral on (-oo, oo)"),
    (0.5 * two_sided(), 1, (0, 1),
     'p = 0.25*exp(-Abs(x)) contains a float: write exact numbers, "0.1" or Rational(1, 10)'),
    (0.5, 1, (0, 2), 'p = 0.5 is a float: write "0.5" or Rational(1, 2)'),
    (sp.nan, 1, (0, 1), "p = nan is not a finite number"),
    (1, float("nan"), (0, 1), "q = nan is not a finite number"),
    (1, 1, (0, 0.5), 'support = 0.5 is a float: write "0.5" or Rational(1, 2)'),
    (1, 1, (1, 0), "the support runs from its lower end to its upper end"),
    (1, 1, (sp.oo, 0), "the support runs from its lower end to its upper end"),
    (1, 1, 3, "support must be a pair such as (0, oo)"),
    (1, 1, (0, x), "the support must not depend on x"),
    (sp.Piecewise((1, x < HALF)), 1, (0, 1),
     "Piecewise((1, x < 1/2)) has no value on (1/2, 1)"),
])
def test_bad_densities_get_one_line(p, other, support, message):
    with pytest.raises(InputError) as caught:
        densities(p, other, x, support)
    assert str(caught.value) == message


@pytest.mark.parametrize(("p", "other", "support", "message"), [
    (sp.Symbol("a", positive=True) * sp.exp(-sp.Symbol("a", positive=True) * x), x * sp.exp(-x),
     (0, sp.oo), "affine neither in x nor"),
    (sp.exp(-x**2) / sp.sqrt(sp.pi), 1, (-sp.oo, sp.oo), r"p = .* is no sum of c x\^n e\^\(a x\)"),
    (sp.Symbol("a", positive=True) * x ** (sp.Symbol("a", positive=True) - 1), 1, (0, 1),
     r"the loss log\(a\) is no rational combination"),
    (sp.cos(x) ** 2 / sp.pi, sp.exp(-x**2) / sp.sqrt(sp.pi), (-sp.oo, sp.oo), "by balls"),
])
def test_pairs_out_of_reach(p, other, support, message):
    with pytest.raises(Unsupported, match=message):
        densities(p, other, x, support)


def test_open_order_of_kinks():
    c = sp.Symbol("c", real=True)
    with pytest.raises(Unsupported, match=r"the sign of .*c.* is open"):
        densities(two_sided(), two_sided(c), x)


def test_variable_must_be_a_symbol():
    with pytest.raises(InputError, match="is not a symbol"):
        densities(1, 1, "x", (0, 1))
