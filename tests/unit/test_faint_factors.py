"""Factors that leak next to nothing: the bound of what they add holds, by sums without it."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce
from itertools import pairwise

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.delta import Tried
from lapdp.accounting.delta_rules import Apart
from lapdp.accounting.inversion import faint, lattices
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.queries import Query
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references


def tiny(loss, rate, copies, direction="add"):
    return poisson(randomized_response(loss), rate, direction=direction) ** copies


def losses(loss, rate, copies, direction):
    """(loss, mass) of so many copies of a subsampled response, by their two losses."""
    x, w = mp.exp(mp.mpf(sp.Rational(loss).p) / sp.Rational(loss).q), mp.mpf(1) / int(1 / rate)
    high, low = x / (1 + x), 1 / (1 + x)
    p, q = [w * high + (1 - w) * low, w * low + (1 - w) * high], [low, high]
    if direction == "add":
        p, q = q, p
    return [(j * mp.log(p[0] / q[0]) + (copies - j) * mp.log(p[1] / q[1]),
             mp.binomial(copies, j) * p[0] ** j * p[1] ** (copies - j)) for j in range(copies + 1)]


def profile(other, t, bits):
    """By the methods of the library for the others alone."""
    with workprec(bits + 60):
        return other.delta(t, digits=25).enclosure.ball()


def inside(ball, truth):
    """Does a ball contain a number of some thirty digits?"""
    with workprec(300):
        x = flint.arb(mp.nstr(truth, 35)) * (1 + flint.arb(0, 1e-30))
        return bool(ball.contains(x))


def normal_delta(sigma, eps):
    """Balle and Wang 2018, Theorem 8."""
    a, b = 1 / (2 * sigma) - eps * sigma, -1 / (2 * sigma) - eps * sigma
    return mp.ncdf(a) - mp.exp(eps) * mp.ncdf(b)


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("loss", "rate", "copies", "eps"), [
    ("1/10", sp.Rational(1, 10**6), 3, sp.Rational(2)),
    ("1/100", sp.Rational(1, 10**6), 40, sp.Rational(1, 2)),
    ("1/100", sp.Rational(1, 10**6), 400, sp.Integer(0)),
    ("1/10", sp.Rational(1, 10**5), 1, sp.Rational(-1, 3))])
def test_beside_a_gaussian_by_all_losses(direction, loss, rate, copies, eps):
    pair = gaussian(2) * tiny(loss, rate, copies, direction)
    with workprec(200):
        found = faint.delta(pair, eps, 34, profile)
    with mp.workdps(40):
        t = mp.mpf(eps.p) / eps.q
        # delta is the mean of delta of the Gaussian at eps less the loss of the others
        truth = mp.fsum(m * normal_delta(2, t - z) for z, m in losses(loss, rate, copies,
                                                                       direction))
        assert inside(found, truth)
    assert found.rel_accuracy_bits() > 28


def test_the_bound_is_no_larger_than_the_curvature_says():
    pair, point = gaussian(2) * tiny("1/10", "1e-6", 3), sp.Rational(2)
    found = faint.ways(pair)[0]

    with workprec(200):
        ball = faint.delta(pair, point, 40, profile)
        alone = profile(found.others, point, 100)
    # what is added lies between 0 and the width, which is of the second order
    assert (ball - alone).upper() > 0
    assert 0 < float(ball.rad()) < 10 * float(found.variation) * float(found.reach)


def sampled_delta(rate, sigma, t, direction):
    """One subsampled Gaussian: w D at log(1 + (e^t - 1)/w), D that of the noise."""
    if direction == "add":
        return 1 - mp.exp(t) + mp.exp(t) * sampled_delta(rate, sigma, -t, "remove")
    odds = 1 + mp.expm1(t) / rate
    return rate * normal_delta(sigma, mp.log(odds)) if odds > 0 else -mp.expm1(t)


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("loss", "copies", "eps"), [("2", 30, Fraction(1, 10)),
                                                     ("1/2", 300, Fraction(3))])
def test_huge_losses_beside_a_number_near_one(loss, copies, eps, direction):
    """They move it by no more than what it lacks of 1 times their total variation."""
    little = poisson(gaussian("1/2"), "1/1000000", direction=direction)
    with workprec(200):
        found = faint.delta(randomized_response(loss) ** copies * little, sp.Rational(eps), 39,
                            profile)
    with mp.workdps(40):
        z, t = mp.mpf(Fraction(loss).numerator) / Fraction(loss).denominator, mp.mpf(
            eps.numerator) / eps.denominator
        share = 1 / (1 + mp.exp(-z))
        truth = mp.fsum(mp.binomial(copies, j) * share**j * (1 - share) ** (copies - j)
                        * sampled_delta(mp.mpf(10) ** -6, mp.mpf(1) / 2, t - (2 * j - copies) * z,
                                        direction) for j in range(copies + 1))
        assert inside(found, truth)
    assert found.rel_accuracy_bits() > 33


@pytest.mark.parametrize(("w", "sigma"), [(0.01, 0.5), (0.01, 10.0), (1e-4, 1.0)])
def test_the_variation_of_rare_huge_losses_is_the_sum_of_theirs(w, sigma):
    one = poisson(gaussian(sp.Rational(sigma)), sp.Rational(str(w)), direction="remove")
    parts = releases(one)
    alone = float(one.delta(0, digits=12))
    assert alone * (1 - 1e-9) < float(faint._bound(parts)) < alone * (1 + 1e-9)
    many = (one**3).delta(0, digits=8)
    assert many.upper < float(faint._bound(releases(one**3))) * (1 + 1e-9) <= 3 * alone * (1 + 2e-9)


def test_two_kinds_of_faint_factors_beside_a_lattice_by_places_of_all_three():
    pair = (discrete_gaussian(2) ** 100 * tiny("1/10", "1e-6", 10)
            * tiny("1/7", "1e-7", 2, "remove"))
    assert [str(way.others) for way in faint.ways(pair)[:1]] == ["discrete_gaussian(2, 1)**100"]
    point = sp.Rational(201, 10)
    with workprec(200):
        found = faint.delta(pair, point, 34, profile)
        expected = lattices.delta(releases(pair), flint.arb(201) / 10, 60)
    assert found.overlaps(expected) and found.rel_accuracy_bits() > 28
    # at a place of the lattice, where the slope jumps
    with workprec(200):
        found = faint.delta(pair, sp.Integer(20), 34, profile)
        expected = lattices.delta(releases(pair), flint.arb(20), 60)
    assert found.overlaps(expected) and found.rel_accuracy_bits() > 28


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "rate", "eps"), [
    (10, Fraction(1, 10**6), Fraction(1, 5)), (5, Fraction(1, 10**7), Fraction(2, 5)),
    (100, Fraction(1, 10**5), Fraction(-1, 5))])
def test_where_the_profile_of_the_others_bends(sigma, rate, eps, direction):
    """At a sum of losses of the others, by a rule between the places where it is analytic."""
    others = laplace(2) * randomized_response("1/10") ** 3
    base = references.laplace(Fraction(2))
    little = poisson(gaussian(sigma), sp.Rational(rate), direction=direction)
    with workprec(100):
        found = faint.delta(others * little, sp.Rational(eps), 34, profile)
    with mp.workdps(40):
        x = mp.exp(mp.mpf(1) / 10)
        rows = [(mp.binomial(3, j) * x**j / (1 + x)**3, mp.mpf(2 * j - 3) / 10)
                for j in range(4)]

        def whole(t):
            return mp.fsum(p * base(t - z) for p, z in rows)

        truth = once(1 / mp.mpf(sigma), references.number(rate), direction, whole, bend=True)(
            references.number(eps))
        # it is more than what bends of the first order are not seen in
        assert abs(truth / whole(references.number(eps)) - 1) > mp.mpf(10)**-9
    assert inside(found, truth) and found.rel_accuracy_bits() > 30


@pytest.mark.parametrize("query", [
    "delta(laplace(2)**3*poisson(gaussian(5), 1/1000000, direction='add')**2"
    "*geometric(1/100)**10000, 2, digits=10)",
    "delta(poisson(gaussian(10), 1/1000000, direction='add')**10*laplace(2)"
    "*randomized_response(1/10)**10, 1/10, digits=10)",
    "delta(poisson(gaussian(100), 1/100000, direction='remove')**3*laplace(1)**2*geometric(2), 2,"
    " digits=10)"])
def test_queries_at_a_loss_of_the_others(query):
    """They were late or refused."""
    assert Query.of(query).answer().method == "profile of all but faint factors"


def test_reach_of_many_copies_is_that_of_a_normal_law():
    # 10^4 copies: of all their losses only those of some deviations are on the chords
    pair = laplace("1/2") ** 30 * tiny("1/100", "1e-6", 10**4)
    found = faint.ways(pair)[0]
    h, order, _ = faint._chosen(found, 0.5, 44)
    assert order is not None and h < float(found.reach) / 4
    with workprec(128):
        reach = flint.arb(flint.fmpq(h.numerator, h.denominator))
        assert faint._beyond(found, sp.Rational(1, 2), reach, order, flint.arb(1)) < 2.0**-44
    # all 10001 sums of the two losses, by the binomial law in doubles of 53 bits
    answer = Apart(pair, sp.Rational(1, 2), Tried(), faint.delta)(10)
    # no loss of theirs carries a corner so far
    assert pair.delta("1/2", digits=10).method == "integral around the poles"
    assert abs(pair.delta("1/2", digits=14).value - answer.value) <= 1.01 * answer.radius
    alone = (laplace("1/2") ** 30).delta("1/2", digits=12)
    assert 0 <= float(answer.value - alone.value) + float(answer.radius + alone.radius) < 2e-11


def test_factors_that_leak_more_are_refused():
    assert not faint.ways(gaussian(1) * randomized_response("1/10"))
    pair = gaussian(1) * tiny(1, "1e-4", 5)
    with pytest.raises(Unsupported, match="leak next to nothing"):
        faint.delta(pair, sp.Integer(1), 44, lambda *_: reduce(max, []))


def test_infinite_losses_are_left_to_other_methods():
    pair = gaussian(1) * randomized_response(1, "1/100") * tiny("1/10", "1e-6", 3)
    with pytest.raises(Unsupported, match="infinite"):
        faint.delta(pair, sp.Integer(1), 34, profile)
    alone, found = ((gaussian(1) * randomized_response(1, "1/100")).delta(1, digits=10),
                    pair.delta(1, digits=10))
    assert abs(found.value - alone.value) < Fraction(1, 10**6)


def over_losses(sigma, rate, direction, copies, whole, t):
    """The mean of r delta(t - log r) over the ratios r of one or two subsampled Gaussians, by
    Gauss-Legendre rules of their normal places."""
    s = 1 / references.number(sigma)
    found = whole
    for _ in range(copies):
        found = once(s, references.number(rate), direction, found)
    return found(t)


def once(s, q, direction, whole, bend=False):
    """One of them, ``whole`` being analytic at all t - log r, but for one r = 1."""
    cuts = sorted([*map(mp.mpf, range(-14, 15, 4)), *([s / 2] if bend else [])])
    rows = [((a + b) / 2 + (b - a) / 2 * x, (b - a) / 2 * w)
            for a, b in pairwise(cuts) for x, w in RULE]

    def at(t):
        total = mp.mpf(0)
        for n, weight in rows:
            odds = 1 - q + q * mp.exp(s * n - s * s / 2)
            # n is normal under Q, or of "add" under P
            r = odds if direction == "remove" else 1 / odds
            total += weight * mp.npdf(n) * (r if direction == "remove" else 1) * whole(
                t - mp.log(r))
        return total
    return at


with mp.workdps(40):
    RULE = [(x, w) for x, w in mp.calculus.quadrature.GaussLegendre(mp.mp).calc_nodes(4, 140)]


@pytest.mark.parametrize("seed", range(40))
def test_subsampled_gaussians_that_leak_next_to_nothing(seed):
    """Beside continuous noise, between the places where its profile is no analytic function."""
    draw = random.Random(seed)
    sigma, rate = Fraction(draw.choice((2, 5, 10, 100))), Fraction(
        1, draw.choice((10**4, 10**5, 10**6, 10**7)))
    direction = draw.choice(("add", "remove"))
    copies = 2 if seed in (3, 5) else 1
    if draw.random() < 0.5:
        scale = Fraction(draw.choice((1, 2, 5)), 2)
        other, whole, ends = laplace(sp.Rational(scale)), references.laplace(scale), 1 / scale
    else:
        width = Fraction(draw.choice((1, 3, 10)), 2)
        other, whole, ends = (gaussian(sp.Rational(width)), references.normal(
            1 / (2 * width**2)), Fraction(2))
    eps = ends * Fraction(draw.randint(-9, 9), 10) + Fraction(1, 97)
    little = poisson(gaussian(sp.Rational(sigma)), sp.Rational(rate), direction=direction)
    bits = draw.choice((16, 24, 32))
    try:
        with workprec(bits + 40):
            found = faint.delta(other * little ** copies, sp.Rational(eps), bits, profile)
    except Unsupported:
        # it leaks too much for so many bits
        assert rate > Fraction(1, 10**6) or bits > 24 or sigma < 5
        return
    with mp.workdps(40):
        truth = over_losses(sigma, rate, direction, copies, whole, references.number(eps))
    assert inside(found, truth)
    # what may be added is not far above what is
    with workprec(200):
        assert found.rel_accuracy_bits() >= bits - 8


def test_beyond_a_place_the_masses_are_those_of_normal_laws():
    for direction in ("add", "remove"):
        pair = laplace(1) * poisson(gaussian(2), "1/100000", direction=direction)
        here = faint.ways(pair)[0]
        with workprec(100):
            reach, p, q = faint._beside_hits(here, 5.0)
        with mp.workdps(30):
            q0, far = mp.mpf(10) ** -5, mp.mpf("5.5")
            base, mixed = mp.ncdf(-far), (1 - q0) * mp.ncdf(-far) + q0 * mp.ncdf(-5)
            top = mp.log1p(q0 * mp.expm1(far / 2 - mp.mpf(1) / 8))
            expected = (mixed, base) if direction == "remove" else (base, mixed)
            for found, value in zip((p, q, reach), (*expected, top), strict=True):
                assert abs(mp.mpf(found.str(20, radius=False)) / value - 1) < mp.mpf(10) ** -12
