"""The inversion integral and its lattice form, against other routes to the same numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting.inversion import contour, lattice
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import SLIGHT, exponent, right_of_one, saddle
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec

BITS = 60


def by_rule(rule, pair, eps, bits=BITS):
    with flint.ctx.workprec(bits + 60):
        return rule(releases(pair), flint.arb(flint.fmpq(*Fraction(eps).as_integer_ratio())), bits)


def contains(ball, number):
    """Does the ball, of about 18 digits, contain an mpmath number of 30 digits?"""
    with flint.ctx.workprec(200):
        x = flint.arb(mp.nstr(number, 30))
        return abs(ball.mid() - x) <= flint.arb(ball.rad()) + abs(x) * flint.arb(10) ** -25


@pytest.mark.parametrize("eps", ["0", "1/10", "1", "7/2", "20", "60"])
@pytest.mark.parametrize(("sigma", "count"), [("1", 1), ("10", 100), ("1/3", 2), ("50", 7)])
def test_gaussian_by_its_formula(sigma, count, eps):
    """The profile of N(0, s^2) against N(1, s^2): two normal tails."""
    pair = gaussian(sigma)
    found = by_rule(contour.delta, gaussian(sigma) ** count, eps)
    with mp.workdps(400):
        s, e = mp.mpf(sp.Rational(sigma).p) / sp.Rational(sigma).q, mp.mpf(Fraction(eps).numerator)
        e = e / Fraction(eps).denominator
        d = mp.sqrt(count)
        upper = d / (2 * s) - e * s / d
        expected = mp.ncdf(upper) - mp.exp(e) * mp.ncdf(upper - d / s)
    assert pair.kappa > 0
    assert contains(found, expected)
    assert found.rel_accuracy_bits() > 50
    closed = (pair ** count).profile.at(eps, 18)
    assert contains(closed.ball(), expected)


@pytest.mark.parametrize("eps", ["1/10", "1/4"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_two_subsampled_gaussians_by_a_mean(direction, eps):
    """delta of the product is the mean of the second profile, shifted by the first loss."""
    pair = poisson(gaussian(2), "1/2", direction=direction)
    found = by_rule(contour.delta, pair ** 2, eps, 30)
    single = sp.lambdify(sp.Symbol("t", real=True), pair.profile(), "mpmath")
    with mp.workdps(20):
        e = mp.mpf(Fraction(eps).numerator) / Fraction(eps).denominator

        def outcome(x):
            p, q = mp.npdf(x, 0, 2), mp.npdf(x, 1, 2)
            one, two = ((p + q) / 2, q) if direction == "remove" else (q, (p + q) / 2)
            return one * single(e - mp.log(one / two))

        expected = mp.quad(outcome, mp.linspace(-20, 21, 30))
    assert abs(found.mid() - flint.arb(mp.nstr(expected, 15))) < 1e-8


@pytest.mark.parametrize(("odds", "leak", "count", "alpha"), [
    (2, "0", 9, "3/2"), (2, "1/100", 9, "16"), (3, "1/7", 5, "1"), (2, "1/100", 40, "1024"),
    ("3/2", "1/1000", 25, "7")])
def test_lattices_exactly(odds, leak, count, alpha):
    """k-fold randomized response by the binomial sum, in Fractions."""
    pair = randomized_response(sp.log(sp.Rational(odds)), leak)
    alpha, x, w = Fraction(alpha), Fraction(odds), Fraction(leak)
    p, q = (1 - w) * x / (1 + x), (1 - w) / (1 + x)
    expected = sum((max(Fraction(0), comb(count, j) * (p**j * q**(count - j)
                                                       - alpha * q**j * p**(count - j)))
                    for j in range(count + 1)), Fraction(0))
    with flint.ctx.workprec(BITS + 60):
        eps = flint.arb(flint.fmpq(alpha.numerator, alpha.denominator)).log()
        found = lattice.delta(releases(pair ** count), eps, BITS)
        number = flint.arb(flint.fmpq(expected.numerator, expected.denominator))
        assert found.overlaps(number) and number.rel_accuracy_bits() > 100
    assert found.rel_accuracy_bits() > 50


def comb(n, k):
    return int(sp.binomial(n, k))


@pytest.mark.parametrize("eps", ["1/4", "2", "7"])
def test_several_lattices_with_a_common_step(eps):
    pair = geometric("1/2", 3) ** 4 * randomized_response("1/3", "1/50") ** 6
    found = by_rule(lattice.delta, pair, eps)
    whole = pair.profile(sp.Rational(eps)) - pair.mass_at_infinity
    with mp.workdps(40):
        assert contains(found, mp.mpf(sp.N(whole, 40)))


@pytest.mark.parametrize("eps", [30, 120, 300])
def test_laplace_by_the_integral_and_by_its_closed_form(eps):
    """Atoms hardly count after 400 releases: the integral reaches what the closed form gives."""
    pair = laplace(1) ** 400
    found = by_rule(contour.delta, pair, eps, 50)
    closed = pair.profile.at(eps, 25)
    assert found.overlaps(closed.ball())
    assert found.rel_accuracy_bits() > 40


def test_parameters_are_refused():
    with pytest.raises(InputError, match="substitute numbers"):
        releases(laplace(sp.Symbol("b", positive=True)))


def test_losses_off_a_lattice():
    assert lattice.lattice(releases(finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]))
                           ) is not None
    assert lattice.lattice(releases(finite(["1/2", "1/4", "1/4"], ["1/4", "3/16", "9/16"]))) is None
    assert lattice.lattice(releases(laplace(1))) is None


@pytest.mark.parametrize("steps", [-2, -1, 0, 1, 4, sp.log(7), sp.sqrt(3)])
def test_lattice_points_farther_from_the_offset_than_doubles_count(steps):
    """Place 5 10^17 of the lattice: which point is next to eps is no matter for doubles."""
    fine = sp.Rational(1, 10**17)
    pair = (randomized_response(1) * randomized_response(fine)).reverse() ** 5
    found = pair.delta(5 + steps * fine)
    assert found.method == "lattice sum"
    assert found.enclosure.ball().overlaps(pair.profile.at(5 + steps * fine, 15).ball())


@pytest.mark.parametrize("power", [0, 1, 3])
def test_points_of_a_lattice_of_irrational_step(power):
    """eps is a lattice point, but no ball says so."""
    eps = power * sp.log(3) / 2
    pair = randomized_response(sp.log(3) / 4) ** 20
    with flint.ctx.workprec(BITS + 60):
        found = lattice.delta(releases(pair), exact_ball(eps).real, BITS)
    assert found.overlaps(pair.profile.at(eps, 15).ball())


@pytest.mark.parametrize(("pair", "eps"), [
    (gaussian(10) ** 100, 200), (gaussian(10) ** 100, 2000), (gaussian(1) ** 5, 20),
    (laplace(1) ** 400, 300)])
def test_small_numbers_need_no_longer_periods(pair, eps):
    """In standard deviations of the loss, however small delta is: aliases fall on both sides."""
    chosen = saddle(releases(pair), eps, 60 * math.log(2))
    assert chosen.period * chosen.width < 15
    assert 1 <= chosen.inner < chosen.gamma < chosen.other
    found = by_rule(contour.delta, pair, eps)
    assert found.overlaps(pair.profile.at(eps, 25).ball())
    assert found.rel_accuracy_bits() > 50


def test_terms_at_one_place_are_taken_together():
    (spectrum, _), = releases(laplace(10)).parts
    with workprec(80):
        line = spectrum.line(flint.arb("1.5"), 0.0, 60)
        atoms = sum((abs(c) for _, c in line.atoms), flint.arb(0))
        for height in (5, 20, 300):
            bound = line.falls(flint.arb(height))
            assert all(abs(line.at(height + flint.arb(j) / 7)) <= bound for j in range(200))
            # a pole beside an atom adds to its square
            assert (bound - atoms) * height**2 < 1


def test_lines_next_to_rare_huge_losses_lie_on_a_coarse_grid():
    """Where these set in a parabola at the saddle fits only nearby: by the width of that, a line of
    its own would be taken for each of these eps."""
    factors = releases(poisson(gaussian(2), "1/1000000", direction="remove")**1000)
    lines = set()
    for j in range(8):
        eps = 0.5 * (1 + j / 500)
        size, chosen = exponent(factors, eps), saddle(factors, eps, 40 * math.log(2))
        gap, _ = right_of_one(size, factors.upper - 1)
        assert size(chosen.gamma) < size(1 + gap) + 2 * SLIGHT
        lines.add((chosen.gamma, chosen.period))
    assert len(lines) < 5


def test_no_fewer_bits_than_asked_where_a_line_is_poor(monkeypatch):
    """What is likely is no larger than the integrand, however large that is on a poor line."""
    factors = releases(poisson(gaussian(1), "1/1000", direction="remove")**10)
    good = saddle(factors, 1.0, 40.0)
    for most in (good.size, 0.0, 15.0, 40.0):
        assert likely_size(factors, 1.0, most) <= most
    monkeypatch.setattr(contour, "saddle", lambda *_: replace(good, size=40.0))
    assert contour._line(factors, 1.0, 48, True)[1] >= 48


@pytest.mark.parametrize("eps", ["1/10000", "1/1000", "1/40", "1/20"])
def test_what_usual_losses_do_not_reach_is_not_taken_for_the_integrand(eps):
    """Without hits the size falls without end as the order grows."""
    pair = poisson(gaussian(2), "1/1000000", direction="remove")**10
    factors, place = releases(pair), float(Fraction(eps))
    true = math.log(float(pair.delta(eps, digits=5).enclosure))
    found = likely_size(factors, place, saddle(factors, place, 40.0).size)
    assert abs(found - true) < 0.08 * abs(true)


@pytest.mark.parametrize(("pair", "eps"), [
    (truncated_laplace("0.039", "2.1") ** 10**6, "100000"),
    (truncated_laplace("0.039", "2.1") ** 10**6, "100010"),
    (geometric(20) ** 10**6 * randomized_response(25) ** 10**5, "1000000"),
    (randomized_response("25.1") ** 10**6 * randomized_response("20.3") ** 10**6
     * laplace("0.05") ** 10**6, "1000000")])
def test_where_nearly_all_losses_are_far_beyond_eps(pair, eps):
    """Left of 1 the integrand is what delta is less than 1; it was taken for delta."""
    # eps is thousands of deviations below the mean of the losses
    assert pair.delta(eps, digits=6).value == 1


@pytest.mark.parametrize("pair", [laplace(1) ** 4, truncated_laplace(1, 3) ** 2,
                                  randomized_response(1, "0.1") ** 3])
@pytest.mark.parametrize("eps", ["-1", "1/2", "2"])
def test_chernoffs_bounds_on_both_sides_of_1_hold_delta(pair, eps):
    exact = pair.delta(eps, digits=20).enclosure
    parts = releases(pair)
    with workprec(100):
        lost = 1 - parts.finite_mass()
        for order in (0.25, 0.5, 0.9, 1.1, 1.5, 4.0):
            near = lost + contour.below(parts, flint.arb(Fraction(eps).numerator)
                                        / Fraction(eps).denominator, order)
            assert near.overlaps(exact.ball())
    with pytest.raises(Unsupported):
        contour.below(parts, flint.arb(1), 1.0)
