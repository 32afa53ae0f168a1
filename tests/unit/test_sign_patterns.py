"""Zeros of exponential polynomials are counted and enclosed; signs agree with mpmath everywhere."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp.balls.smooth import Compiled
from lapdp.calculus.exact import Exact
from lapdp.calculus.exponentials import Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Named
from lapdp.calculus.isolation import signs_between, simplest
from lapdp.calculus.sign_patterns import SignPattern, sign_pattern
from lapdp.core.errors import Unsupported


def exponentials(*terms):
    """sum of c t^n e^(a t) from (c, a, n)."""
    total = Exact()
    for c, a, n in terms:
        total = total + Exact.term(c, Form.of(a), n)
    return Exponentials(total.germ)


def by_mpmath(terms, t):
    return mp.fsum(mp.mpf(sp.Rational(c).p) / sp.Rational(c).q * t**n
                   * mp.exp(mp.mpf(sp.N(a, 60)) * t) for c, a, n in terms)


def sign_in(zeros, signs, t):
    """The sign that a pattern says at a point that is no zero."""
    k = sum(1 for zero in zeros if zero.enclosure(40) < t)
    return signs[k]


def test_products_of_known_factors_have_known_zeros_and_multiplicities():
    rng = random.Random(7)
    for _ in range(12):
        roots = sorted(rng.sample(range(1, 9), rng.randint(1, 3)))
        powers = [rng.randint(1, 3) for _ in roots]
        x = sp.Symbol("x")
        poly = sp.Poly(sp.prod([(x - r) ** k for r, k in zip(roots, powers, strict=True)]), x)
        f = exponentials(*((Fraction(int(c)), n, 0) for (n,), c in poly.terms()))
        zeros, signs = signs_between(f, None, None)
        assert len(zeros) == len(roots)
        for zero, root in zip(zeros, roots, strict=True):
            assert zero.enclosure(30).overlaps(mpf_ball(sp.log(root)))
        expected = [(-1) ** sum(powers)]
        for k in powers:
            expected.append(expected[-1] * (-1) ** k)
        assert signs == expected


def mpf_ball(number):
    from lapdp.balls.compiler import exact_ball

    return exact_ball(number).real


def test_random_sums_agree_with_mpmath_between_their_zeros():
    rng = random.Random(3)
    with mp.workdps(60):
        for _ in range(40):
            exponents = rng.sample([0, 1, -1, 2, sp.Rational(1, 2), sp.log(2), -sp.log(3)], 3)
            terms = [(Fraction(rng.randint(-9, 9) or 1, rng.randint(1, 5)), a, rng.randint(0, 2))
                     for a in exponents]
            zeros, signs = signs_between(exponentials(*terms), None, None)
            assert len(signs) == len(zeros) + 1
            for _ in range(60):
                t = mp.mpf(rng.uniform(-30, 30))
                value = by_mpmath(terms, t)
                assert abs(value) < mp.mpf(10) ** -45 or (value > 0) == (
                    sign_in(zeros, signs, float(t)) > 0)
            for zero in zeros:
                middle = mp.mpf(zero.enclosure(40).mid().str(40, radius=False))
                # the sum is small there, on the scale of its terms
                scale = max(abs(by_mpmath([x], middle)) for x in terms)
                assert abs(by_mpmath(terms, middle)) < scale * mp.mpf(10) ** -35 or middle == 0


@pytest.mark.parametrize("gap, count", [(1, 0), (-1, 2), (0, 1)])
@pytest.mark.parametrize("digits", [10, 30, 100])
def test_a_near_touch_is_told_from_a_touch(gap, count, digits):
    level = 1 + Fraction(gap, 10**digits)
    f = exponentials((1, 2, 0), (-2, 1, 0), (level, 0, 0))     # (e^t - 1)^2 + gap
    zeros, signs = signs_between(f, None, None)
    assert len(zeros) == count and signs[0] == signs[-1] == 1
    assert signs[1:-1] == ([-1] if count == 2 else [])


def test_a_double_zero_of_an_irreducible_sum_is_found_at_a_plain_number():
    f = exponentials((1, 1, 0), (-1, 0, 1), (-1, 0, 0))         # e^t - 1 - t
    zeros, signs = signs_between(f, None, None)
    assert [z.exact for z in zeros] == [Form({})] and signs == [1, 1]


def test_an_irrational_touch_that_no_algebra_shows_stays_open():
    # e^t - t - c touches 0 for c = 1 only; cosh-like sums with a transcendental double zero
    f = exponentials((1, 1, 0), (Fraction(-2), 0, 1), (Fraction(2), 0, 0))
    # minimum 2 - 2 log 2 + 2 - 2 at t = log 2: 2 - 2 log 2 > 0
    assert signs_between(f, None, None) == ([], [1])
    touching = Exact.term(1, 1) - Exact.term(2, 0, 1) + Exact.term(
        Scalar.of(Form.of(2 * sp.log(2) - 2)))
    with pytest.raises(Unsupported, match=r"neither shown nor excluded near t = 0\.693147"):
        signs_between(Exponentials(touching.germ), None, None)


def test_zeros_at_the_ends_do_not_count_and_decide_the_sign_beside_them():
    f = exponentials((1, 2, 0), (-2, 1, 0), (1, 0, 0))
    assert signs_between(f, Form.of(0), None) == ([], [1])
    g = exponentials((1, 1, 0), (-1, 0, 0))
    assert signs_between(g, None, Form.of(0)) == ([], [-1])
    assert signs_between(g, Form.of(sp.log(2)), None) == ([], [1])


def test_digits_of_a_zero():
    (zero,), _ = signs_between(exponentials((1, 1, 0), (1, 0, 1)), None, None)
    with mp.workdps(220):
        known = -mp.lambertw(1).real                            # e^t = -t
        ball = zero.enclosure(200)
        assert abs(mp.mpf(ball.mid().str(210, radius=False)) - known) < mp.mpf(10) ** -198
        assert ball.rad() < 1e-198


def test_pieces_are_joined_at_breakpoints():
    one = exponentials((1, 1, 0), (-1, 0, 0))
    pattern = sign_pattern([(Form.of(0), one), (Form.of(1), None), (None, exponentials(
        (1, 1, 0), (Scalar.exp(Form.of(1)) * -1, 0, 0)))])
    assert pattern.signs == (-1, 0, 1) and not pattern.nonnegative
    ((first, last),) = pattern.crossings()
    assert (first.exact, last.exact) == (Form.of(0), Form.of(1))
    with pytest.raises(Unsupported, match="a jump"):
        sign_pattern([(Form.of(1), one), (None, exponentials((-1, 0, 0)))])


def test_crossings_skip_touches():
    f = exponentials((1, 2, 0), (-2, 1, 0), (1, 0, 0))
    pattern = sign_pattern([(None, f)])
    assert repr(pattern) == "+ | 0 | +" and pattern.crossings() == [] and pattern.nonnegative
    assert SignPattern((), (-1,)).crossings() == []


def test_numbers_outside_the_field_are_letters_with_balls():
    root = Named(sp.sqrt(2), lambda: mpf_ball(sp.sqrt(2)))
    f = Exact.term(1, Form.of(root)) - Exact.term(3)
    (zero,), signs = signs_between(Exponentials(f.germ), None, None)
    assert signs == [-1, 1]
    assert zero.enclosure(30).overlaps(mpf_ball(sp.log(3) / sp.sqrt(2)))


def test_parameters_are_refused():
    a = sp.Symbol("a", positive=True)
    with pytest.raises(Unsupported, match="parameters"):
        exponentials((1, a, 0))
    with pytest.raises(Unsupported, match="0 has no sign"):
        Exponentials({})


def test_the_simplest_number_of_an_interval():
    rng = random.Random(5)
    for _ in range(200):
        a = Fraction(rng.randint(-50, 50), rng.randint(1, 50))
        b = a + Fraction(rng.randint(0, 20), rng.randint(1, 50))
        found = simplest(a, b)
        assert a <= found <= b
        least = next(q for q in range(1, 60) if -((-a * q) // 1) <= b * q)
        assert found.denominator == least


def test_a_formula_that_is_zero_unseen_is_refused_at_once():
    t = sp.Symbol("t", real=True)
    with pytest.raises(Unsupported, match="order beyond 8 at 0"):
        signs_between(Compiled(sp.erfc(t) + sp.erfc(-t) - 2, t), Fraction(0), None)
