"""Few subsampled Gaussians: moments along rays and contours with bent wings, by other routes."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    gaussian,
    laplace,
    overlapping_mixtures,
    poisson,
    randomized_response,
)
from lapdp.accounting.inversion import bent, contour, direct, wings
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments import sides
from lapdp.accounting.moments.ray_polynomials import values
from lapdp.accounting.moments.ray_sizes import Box, Sizes
from lapdp.accounting.moments.rays import Rays
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from tests.campaigns import references


def ball(x):
    return flint.arb(flint.fmpq(*Fraction(x).as_integer_ratio()))


def at(order):
    """One order, as a rectangle."""
    return Box(order.real, order.real, order.imag, order.imag)


def by_bent(pair, eps, bits=60):
    with flint.ctx.workprec(bits + 60):
        return bent.delta(releases(pair), ball(eps), bits)


def sampled(sigma, rate, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction)


def holds(found, number, digits=18):
    """Does the ball hold an mpmath number of about ``digits`` digits?"""
    with flint.ctx.workprec(200):
        x = flint.arb(mp.nstr(number, 30))
        return abs(found.mid() - x) <= flint.arb(found.rad()) + abs(x) * flint.arb(10) ** -digits


# -- moments along rays --------------------------------------------------------------------------

ORDERS = [3, -2.5, 4 + 2j, 2 + 60j]


@pytest.mark.parametrize(("weight", "kappa"), [("0.01", "0.5"), ("0.9", "2"), ("0.0001", "0.125")])
def test_moments_by_the_definition(weight, kappa):
    """H_q is the mean of (1 + r e^l)^q, l normal: quadrature along the real line."""
    with flint.ctx.workprec(150):
        rays = Rays(float(weight), float(kappa), (flint.arb(weight), flint.arb(kappa)))
        for order in map(complex, ORDERS):
            q = flint.acb(order.real, order.imag)
            ray, error = Sizes(rays).rule(at(order), 40.0)
            found = rays.moment(q, ray)
            with mp.workdps(50):
                w, k, power = mp.mpf(weight), mp.mpf(kappa), mp.mpc(order)
                reach = int(64 * (16 + float(mp.sqrt(2 * k)) * max(0, order.real)))
                # the trapezoidal rule, which is fine enough for all digits
                expected = mp.fsum(
                    mp.npdf(n) * mp.exp(power * mp.log1p(w / (1 - w) * mp.exp(
                        mp.sqrt(2 * k) * n - k)))
                    for n in (mp.mpf(j) / 64 for j in range(-64 * 16, reach))) / 64
            gap = abs(found - flint.acb(*(flint.arb(mp.nstr(x, 42))
                                          for x in (expected.real, expected.imag))))
            assert gap <= error + 1e-24, order
            assert error < abs(found) * 1e-14, order
            assert abs(found) <= rays.size(q, ray.angle) + error


@pytest.mark.parametrize("order", [4 + 60j, 20 + 40j, -3 + 0j])
def test_bounds_hold_for_smaller_real_and_larger_imaginary_parts(order):
    with flint.ctx.workprec(100):
        rays = Rays(0.01, 0.5, (flint.arb("0.01"), flint.arb("0.5")))
        sizes = Sizes(rays)
        bound = flint.arb(sizes.best(at(order))).exp()
        for step in (-5 + 0j, 3j, -2 + 50j):
            near = order + step
            found = rays.moment(flint.acb(near.real, near.imag), sizes.rule(at(near), 40.0)[0])
            assert abs(found) < bound


def test_errors_hold_in_a_whole_rectangle():
    """Beside rays of negative angle sizes grow with the imaginary part."""
    with flint.ctx.workprec(200):
        rays = Rays(0.3, 0.5, (flint.arb("0.3"), flint.arb("0.5")))
        box = flint.acb(flint.arb(3, 0.5), flint.arb(2, 2))
        sizes = Sizes(rays)
        ray, error = sizes.rule(Box.of(box), 30.0)
        assert error < 1e-8
        for order in (2.5, 3.5, 2.5 + 4j, 3.5 + 4j, 3 + 1j):
            q = flint.acb(complex(order).real, complex(order).imag)
            fine, other = sizes.rule(at(complex(order)), 60.0)
            gap = abs(rays.moment(q, ray) - rays.moment(q, fine))
            assert gap < error + other


@pytest.mark.parametrize("s", [-7.0, 0.5, 9.0, 17.0])
def test_sharp_sizes_are_the_moments_themselves(s):
    """On the real ray the integrand is its own size; beside it the moment lies below."""
    with flint.ctx.workprec(100):
        rays = Rays(0.001, 0.5, (flint.arb("0.001"), flint.arb("0.5")))
        ray, error = Sizes(rays).rule(at(complex(s)), 45.0)
        moment = rays.moment(flint.acb(s), ray).real
        sharp = rays.fine_size(s, 0.0)
        assert sharp - moment + error > 0 and sharp < moment * (1 + 1e-8)
        for angle in (0.1, 0.35):
            q = flint.acb(0, -angle).exp() * s
            box = at(complex(float(q.real), float(q.imag)))
            other, error = Sizes(rays).rule(Box(*(x + y for x, y in zip(
                (box.left, box.right, box.low, box.high), (-1e-9, 1e-9) * 2, strict=True))), 45.0)
            assert abs(rays.moment(q, other)) <= rays.fine_size(s, angle) + error
            assert rays.fine_size(s, angle) <= rays.size(q, angle)


@pytest.mark.parametrize("far", [0.7, 40.0])
def test_neighbouring_moments_by_polynomials(far):
    """One for all orders, or for parts of them."""
    with flint.ctx.workprec(100):
        rays = Rays(0.01, 0.5, (flint.arb("0.01"), flint.arb("0.5")))
        ray, _ = Sizes(rays).rule(Box(13, 15, 19, 21 + far), 45.0)
        orders = [flint.acb(14 + x, 20 + far * y) for x, y in (
            (0, 0), (0.5, 0.4), (-0.4, 0.5), (0, 0.6), (0.1, 1))]
        found, _ = values(rays, orders, ray, 1e-18)
        for order, (value, rest) in zip(orders, found, strict=True):
            assert rest < 1e-17
            assert abs(value - rays.moment(order, ray)).lower() <= rest
            assert not abs(value - rays.moment(order + 0.01, ray)).lower() <= rest


# -- delta ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "rate", "eps"), [
    ("1", "0.01", "0.005"), ("1/2", "0.9", "2"), ("3", "0.3", "1/7"), ("1", "0.2", "0")])
def test_one_release_by_its_closed_form(sigma, rate, direction, eps):
    pair = sampled(sigma, rate, direction)
    found = by_bent(pair, eps)
    assert found.overlaps(pair.profile.at(eps, 25).ball())
    assert found.rel_accuracy_bits() > 40


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_two_releases_by_a_mean(direction):
    """delta of the product is the mean of the second profile, shifted by the first loss."""
    pair, eps = sampled(1, "1/4", direction), Fraction(1, 5)
    single = sp.lambdify(sp.Symbol("t", real=True), pair.profile(), "mpmath")
    with mp.workdps(25):
        e = mp.mpf(eps.numerator) / eps.denominator

        def outcome(x):
            p, q = mp.npdf(x, 0, 1), mp.npdf(x, 1, 1)
            one, two = ((p + 3 * q) / 4, q) if direction == "remove" else (q, (p + 3 * q) / 4)
            return one * single(e - mp.log(one / two))

        # where the inner profile bends: the loss of the outer release is eps - its largest
        expected = mp.quad(outcome, [-9, -7, -5, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5,
                                     3, 4, 5, 7, 10])
    found = by_bent(pair ** 2, eps)
    assert holds(found, expected, 10)
    assert found.rel_accuracy_bits() > 40


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(5, "0.2") ** 3, "1/2"), (sampled(2, "0.2", "add") ** 5, "1/10"),
    (overlapping_mixtures(gaussian(1), "1/3", 0) ** 9, 1), (sampled(1, "0.05") ** 50, "3/2")])
def test_bent_and_straight_contours_agree(pair, eps):
    found = by_bent(pair, eps, 48)
    factors = releases(pair)
    with flint.ctx.workprec(120):
        bits = 48
        chosen = saddle(factors, float(Fraction(eps)), bits * 0.6931)
        nodes, _ = contour._nodes(factors, chosen, bits)
        table = contour._table(factors, chosen.gamma, chosen.period, nodes, bits)
        straight = contour.unfold(factors, ball(eps), chosen, table.total(ball(eps)))
    assert found.overlaps(straight)
    assert min(found.rel_accuracy_bits(), straight.rel_accuracy_bits()) > 40


def test_other_wings_give_the_same_number(monkeypatch):
    pair = sampled(1, "0.05") ** 2 * sampled(2, "0.3") * laplace(1)
    first = by_bent(pair, "1/3", 40)
    monkeypatch.setattr(bent, "WIDEST", 13 / 64)
    monkeypatch.setattr(wings, "BLOCK", 0.1)
    second = by_bent(pair, "1/3", 44)
    assert first.overlaps(second)
    assert min(first.rel_accuracy_bits(), second.rel_accuracy_bits()) > 30


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("eps", ["0", "0.3", "1"])
def test_atoms_shift_eps(direction, eps):
    """With randomized response delta is a sum of two values of the closed form, one of them at
    eps - 1, which may lie below all losses."""
    single = sampled(1, "1/10", direction)
    found = by_bent(single * randomized_response(1), eps)
    with flint.ctx.workprec(150):
        share = 1 / (1 + flint.arb(-1).exp())
        shift = Fraction(eps)
        above = single.profile.at(sp.Rational(str(shift - 1)), 25).ball()
        below = single.profile.at(sp.Rational(str(shift + 1)), 25).ball()
        assert found.overlaps(share * above + (1 - share) * below)
    assert found.rel_accuracy_bits() > 40


def test_of_many_sums_of_atoms_few_count():
    """Beside responses delta is a sum of values of the closed form, one for each number of ones."""
    single, copies, rate = sampled("1/2", "1/1000", "add"), 60, sp.Rational(1, 100)
    with flint.ctx.workprec(200):
        responses = poisson(randomized_response(2), rate, direction="add") ** copies
        factors = releases(single * responses)
        known = sides.terms(factors, flint.arb("0.5"))
        few, rest = bent._counting(factors, known, -40.0)
        assert copies - len(few) > 20 and len(known) == copies + 1
        assert 0 < rest < flint.arb(-40).exp()
        found, total = bent.delta(factors, flint.arb("0.5"), 40), flint.arb(0)
        odds = flint.arb(2).exp()
        for ones in range(copies + 1):
            high, low = odds / (1 + odds), 1 / (1 + odds)
            weight = flint.arb(1) / 100
            pairs = [(p, (1 - weight) * p + weight * q) for p, q in ((high, low), (low, high))]
            mass = flint.arb.bin_uiui(copies, ones) * pairs[0][0] ** ones * (
                pairs[1][0] ** (copies - ones))
            loss = sum((k * (p / q).log() for k, (p, q) in zip(
                (ones, copies - ones), pairs, strict=True)), flint.arb(0))
            total += mass * direct.profile(releases(single))(
                lambda loss=loss: flint.arb("0.5") - loss, 60)
        assert found.overlaps(total) and found.rel_accuracy_bits() > 36


def test_pieces_and_atoms():
    """Laplace beside a subsampled Gaussian: the mean of the closed form over the Laplace loss."""
    single = sampled(1, "1/5")
    curve = sp.lambdify(sp.Symbol("t", real=True), single.profile(), "mpmath")
    with mp.workdps(25):
        e = mp.mpf(3) / 10
        # losses 1 and -1 for outcomes below 0 and above 1, 1 - 2x between
        expected = (curve(e - 1) / 2 + mp.exp(-1) / 2 * curve(e + 1)
                    + mp.quad(lambda x: mp.exp(-x) / 2 * curve(e - 1 + 2 * x),
                              [0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1]))
    found = by_bent(single * laplace(1), "3/10")
    assert holds(found, expected, 10)
    assert found.rel_accuracy_bits() > 40


def test_both_directions_at_the_place_where_their_ends_meet():
    """remove x add: at eps = 0 the integrand falls to neither side."""
    pair = sampled(1, "1/10") * sampled(1, "1/10", "add")
    single = sp.lambdify(sp.Symbol("t", real=True), sampled(1, "1/10").profile(), "mpmath")
    with mp.workdps(20):
        def outcome(x):
            p, q = mp.npdf(x, 0, 1), mp.npdf(x, 1, 1)
            mixed = (p + 9 * q) / 10
            return q * single(-mp.log(q / mixed))

        expected = mp.quad(outcome, [-9, -6, -4, -3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 6, 10])
    found = pair.delta(0)
    assert found.method == "integral of a formula"
    assert holds(found.enclosure.ball(), expected, 10)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_the_planner_finds_the_contour(count, direction):
    found = (sampled(1, "0.01", direction) ** count).delta("0.01", digits=8)
    expected = "integral of a formula" if count == 2 else "contour integral"
    assert found.method.startswith(expected) and found.enclosure.digits >= 8


def test_many_digits():
    found = sampled(1, "1/5").profile.at("1/3", 40)
    with flint.ctx.workprec(220):
        bent_too = bent.delta(releases(sampled(1, "1/5")), ball(Fraction(1, 3)), 120)
        assert bent_too.overlaps(found.ball()) and bent_too.rel_accuracy_bits() > 105


def test_epsilon_of_few_rare_releases():
    """Ten releases of rate 0.01, which no line reaches: the two sides of the answer, from nodes
    that are kept."""
    pair = sampled(1, "0.01") ** 10
    found = pair.epsilon("1e-5", digits=12)
    gap = Fraction(1, 10**10)
    assert pair.delta(found.value - gap, 14) > "1e-5" > pair.delta(found.value + gap, 14)
    assert wings.contour.cache_info().hits > 0


def test_batches_count_nodes_before_they_are_made():
    """At a rate of 1e-5 a rule in doubles would take terabytes: balls answer."""
    pair, point = sampled(5, "1e-5"), 1e-6
    found = pair.deltas([point])
    assert found.methods[0] == "closed form"
    assert found[0].enclosure.ball().overlaps(
        pair.delta(Fraction(point), digits=12).enclosure.ball())


def test_other_products_are_refused():
    with pytest.raises(Unsupported, match="subsampled Gaussians"):
        by_bent(laplace(1) ** 2, 1)
    with pytest.raises(Unsupported, match="one of the members"):
        by_bent(overlapping_mixtures(gaussian(1), "3/4", "1/4") ** 2, 1)


@pytest.mark.parametrize("eps", ["-1", "0", "1/3"])
@pytest.mark.parametrize("nothing", [
    poisson(gaussian(2), 0, direction="add") ** 473,
    poisson(laplace(1), 0, direction="remove") ** 9,
    overlapping_mixtures(gaussian(1), "1/2", "1/2") ** 5,
    poisson(discrete_gaussian(2), 0, direction="add") ** 20], ids=str)
def test_releases_that_say_nothing(nothing, eps):
    """Beside them another release has the profile it has alone, and alone they have the least."""
    alone = gaussian(1).delta(eps, 20).enclosure
    assert (nothing * gaussian(1)).delta(eps, 20).enclosure.ball().overlaps(alone.ball())
    x = mp.exp(mp.mpf(Fraction(eps).numerator) / Fraction(eps).denominator)
    assert abs(float(nothing.delta(eps)) - max(0, 1 - x)) < 1e-15


# -- the choice between the contours -------------------------------------------------------------


def test_many_copies_are_left_to_the_line(monkeypatch):
    """The line takes 0.05 s here, wings 3 s: their far edge is e^860 times the answer."""
    monkeypatch.setattr(bent, "delta", lambda *_: pytest.fail("a bent contour is chosen"))
    pair = sampled(1, "0.01") ** 1000
    assert str(pair.delta(20)).startswith("2.99676448906075")
    assert str(pair.epsilon("1e-300")).startswith("85.544271124")


def test_work_on_bent_contours_is_bounded():
    pair = sampled(2, "0.01") ** 10
    with flint.ctx.workprec(100), pytest.raises(Unsupported, match="too much work"):
        bent.delta(releases(pair), ball(1), 60, 50_000)
    # the same question is refused again, though much is known by now
    with flint.ctx.workprec(100), pytest.raises(Unsupported, match="too much work"):
        bent.delta(releases(pair), ball(1), 60, 50_000)


@pytest.mark.parametrize("eps", ["-1", "-1/10", "-1/100000000000"])
def test_below_zero_by_the_other_direction(eps):
    """The reversal law (7), whether the other delta matters or not."""
    pair = sampled(2, "1/10", "add") ** 300
    with flint.ctx.workprec(300):
        x = ball(eps).exp()
        other = pair.reverse().delta(-Fraction(eps), 30).enclosure.ball()
        assert pair.delta(eps, 20).enclosure.ball().overlaps(1 - x + x * other)


def test_next_to_the_largest_loss_the_contour_bends():
    """Orders there are too large for the rules on a line: by the mean over one of the releases."""
    pair, t = poisson(gaussian("1/2"), "1/100", direction="add") ** 2, "0.0200996"
    found = pair.delta(t, digits=10)
    with mp.workdps(40):
        one = references.added(Fraction(1, 100), references.normal(Fraction(2)))

        def odds(x):
            return mp.mpf(99) / 100 + mp.exp(2 * x - 2) / 100

        # beyond this place the other release's largest loss is too small
        end = mp.log(100 * (mp.exp(-mp.mpf(t)) * 100 / 99 - mp.mpf(99) / 100)) / 2 + 1
        value = mp.quad(lambda x: mp.npdf(x) * one(mp.mpf(t) + mp.log(odds(x))),
                        [-15, -10, -8, -7, -6, -5, end])
        assert abs(mp.mpf(found.value.numerator) / found.value.denominator - value) < 2e-10 * value
