"""One line for many points: by closed forms in mpmath, and sums over places by other routes."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    staircase,
)
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import beside, shared, split
from lapdp.accounting.inversion.saddle import exponent
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references

POINTS = ("-3/4", "-1/100", "0", "1/50", "1/3", "7/8")
RATE = Fraction(1, 10)
CASES = {
    "sampled gaussian": (poisson(gaussian(1), "1/10", direction="remove"),
                         references.removed(RATE, references.normal(Fraction(1, 2)))),
    "sampled laplace": (poisson(laplace(1), "1/10", direction="remove"),
                        references.removed(RATE, references.laplace(Fraction(1)))),
    "added laplace": (poisson(laplace(1), "1/10", direction="add"),
                      references.added(RATE, references.laplace(Fraction(1)))),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("gamma", [0.5, 1.75, 4.0])
def test_each_point_within_the_size_of_the_integrand(name, gamma):
    pair, there = CASES[name]
    factors, bits = releases(pair), 40
    with workprec(200):
        found = shared.profile(factors, gamma, (-0.75, 0.875), bits)
    for point in POINTS:
        t = Fraction(point)
        with workprec(1 << 15):
            ball = found(flint.arb(flint.fmpq(t.numerator, t.denominator)))
        size = mp.exp(exponent(factors, float(t))(gamma)) * gamma * abs(gamma - 1)
        with mp.workdps(40):
            gap = abs(there(references.number(t)) - mp.mpf(str(ball.mid().str(30, radius=False))))
            radius = mp.mpf(float(ball.rad()))
            assert gap <= radius + mp.mpf(10) ** -28 and radius <= 2.0**(6 - bits) * size


def test_millions_of_bits_are_refused_before_any_work():
    """They are asked for where the integrand is e^(5 10^6) times the answer."""
    with pytest.raises(Unsupported, match="7000000 bits, more than 32768"):
        shared.profile(releases(laplace(10)), 2.0, (0.0, 1.0), 7_000_000)


def test_lines_outside_the_strip_are_refused():
    for gamma in (1.0, -0.5):
        with pytest.raises(Unsupported, match="strip"):
            shared.profile(releases(CASES["added laplace"][0]), gamma, (0.0, 1.0), 30)


def place_by_place(pair, eps, digits, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(beside, "MANY", 10**9)
        return pair.delta(eps, digits=digits)


@pytest.mark.parametrize(("pair", "eps"), [
    (randomized_response("1/2") ** 30 * poisson(laplace(1), "1/10", direction="add") ** 3, "3/2"),
    (staircase("1/4") ** 9 * poisson(laplace(5), "1/10", direction="remove") ** 8, "1/2"),
    (randomized_response("1/4") ** 40 * poisson(gaussian(2), "1/10", direction="add") ** 9, "1/4"),
])
def test_sums_over_places_are_those_place_by_place(pair, eps, monkeypatch):
    taken = []
    whole = beside._by_one_line

    def told(found, window, point, bits):
        taken.append(whole(found, window, point, bits))
        return taken[-1]

    def profile(other, t, wanted):
        raise AssertionError("no place has a query of its own")

    monkeypatch.setattr(beside, "_by_one_line", told)
    with workprec(200):
        found = beside.delta(pair, sp.Rational(eps), 34, profile)
    assert taken and found.rel_accuracy_bits() >= 34
    other = place_by_place(pair, eps, 14, monkeypatch)
    with workprec(200):
        assert other.enclosure.ball().overlaps(found)


def test_the_line_is_farther_from_1_than_that_of_many_releases_on_the_lattice(monkeypatch):
    """Few places of many count beside bounded losses: long periods are none's gain."""
    pair = staircase(1) ** 10**4 * poisson(laplace("1/2"), "1/10", direction="remove") ** 6
    eps = sp.Rational("46003/10")
    lines, whole = [], shared.line

    def told(factors, gamma, ends, bits):
        lines.append(gamma)
        return whole(factors, gamma, ends, bits)

    monkeypatch.setattr(shared, "line", told)
    with workprec(200):
        cells = beside.delta(pair, eps, 34, lambda *given: 1 / 0)
        assert not lines
        # without the law on cells
        monkeypatch.setattr(shared.cell_profiles, "parted", lambda factors: None)
        found = beside.delta(pair, eps, 34, lambda *given: 1 / 0)
        assert found.overlaps(cells)
    assert min(lines) > 1.1 and found.rel_accuracy_bits() >= 34
    monkeypatch.setattr(beside, "FARTHER", ())
    with workprec(200):
        # each place by itself
        assert beside.delta(pair, eps, 34, lambda other, t, bits: other.delta(
            t, digits=14).enclosure.ball()).overlaps(found)
    assert min(lines) < 1.1


@pytest.mark.parametrize(("pair", "gamma"), [
    (poisson(laplace(1), "1/10", direction="remove") ** 6, 2.25),
    (poisson(laplace(1), "1/2", direction="add") ** 6, 3.0),
])
def test_draws_apart_in_doubles_for_many_points(pair, gamma):
    """Against balls, a point at a time on its own line."""
    taken = in_pieces(releases(pair))
    points = [Fraction(n, 7) for n in range(1, 13, 3)]
    with workprec(200):
        chosen = shared.line(taken, gamma, (float(points[0]), float(points[-1])), 40)
        found = shared._in_pieces_and_doubles(taken, chosen, 40)
    for t in points:
        with workprec(1 << 15):
            place = flint.arb(flint.fmpq(t.numerator, t.denominator))
            ball = found(place)
        with workprec(120):
            assert split.delta(taken, place, 48).overlaps(ball)
        assert ball.rad() < 2.0**-30 * math.exp(exponent(taken, float(t))(gamma))


def test_what_is_rounded_inside_of_a_sum_is_noted(monkeypatch):
    """A sum of balls whose terms come from one rule in doubles rests on how these are rounded."""
    pair = poisson(laplace(100), "1/2", direction="add") ** 1000 * discrete_gaussian(10) ** 10
    balls = delta(pair, sp.Integer(2), 10)
    assert not balls.assumes
    monkeypatch.setattr(shared.cell_profiles, "parted", lambda factors: None)
    answer = delta(pair, sp.Integer(2), 10)
    assert answer.method == "sum over places of a lattice" and "IEEE 754" in answer.assumes
    assert answer.enclosure.ball().overlaps(balls.enclosure.ball())
    used = []
    with shared.noting(used):
        (gaussian(1) * gaussian(2)).delta(1, digits=10)
    assert not used
