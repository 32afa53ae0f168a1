"""One circle around the poles for many points, and the lattices beside which it serves."""

from __future__ import annotations

import math
import time
from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    staircase,
)
from lapdp.accounting.inversion import (
    beside,
    lattice_masses,
    lattice_parts,
    lattice_places,
    one_circle,
    residues,
    shared,
    terms,
)
from lapdp.accounting.inversion.saddle import exponent
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.oracle import powers_of_the_gap as oracle

TINY = poisson(randomized_response("1/100"), "1/1000", direction="remove")
CASES = [
    (laplace(2) ** 3 * randomized_response("1/3") ** 4, [
        oracle.Part(Fraction(2), Fraction(1), "remove", 3),
        oracle.Part(Fraction(1, 3), Fraction(0), "remove", 4)]),
    (laplace(5) ** 4, [oracle.Part(Fraction(5), Fraction(1), "remove", 4)]),
]


@pytest.mark.parametrize(("pair", "parts"), CASES)
@pytest.mark.parametrize("gamma", [1.25, 3.0, 7.5])
def test_each_point_against_power_series(pair, parts, gamma):
    factors, bits = releases(pair), 40
    with workprec(oracle.BITS):
        top = oracle.largest(parts)
        gaps = [top * flint.arb(share) for share in ("0.02", "0.3", "0.77", "1.1", "1.7")]
        ends = float(top - gaps[-1]), float(top - gaps[0])
    with workprec(bits):
        found = one_circle.OneCircle(factors, gamma, ends, bits)
    for gap in gaps:
        with workprec(oracle.BITS):
            expected = oracle.below_the_top(parts, gap, 220)
            t = top - gap
            ball = found(t)
            assert abs(ball - expected).lower() <= flint.arb(10) ** -40
            size = min(1.0, math.exp(exponent(factors, float(t))(gamma)))
            assert float(ball.rad()) <= 2.0 ** (4 - bits) * size


@pytest.mark.parametrize(("pair", "step"), [
    (laplace("1/2") ** 10 * staircase(1) ** 20, "0.11"),
    (laplace(10) ** 30, "-0.003"),
    (laplace(3) ** 2 * laplace(7), "0.0041"),
])
def test_a_row_of_points_is_that_of_each(pair, step):
    factors = releases(pair)
    first, count = "1/7" if step[0] == "-" else "-1/7", 150
    with workprec(200):
        start, gap = flint.arb(flint.fmpq(*map(int, first.split("/")))), flint.arb(step)
        places = [start + gap * m for m in range(count)]
        ends = sorted(float(places[m]) for m in (0, -1))
        found = one_circle.OneCircle(factors, 1.75, tuple(ends), 60)
        row = found.row(start, gap, count)
        assert len(row) == count
        for place, value in zip(places, row, strict=True):
            assert value.overlaps(found(place))
            assert value.overlaps(residues.delta(factors, place, 90))
            assert value.rad() < 2 * found(place).rad() + flint.arb(2) ** -60


def test_probabilities_of_places_are_those_of_each():
    pair = laplace(10) ** 3 * randomized_response("1/10") ** 400
    [found] = lattice_parts.parts(pair)
    window = lattice_places.window(found, releases(pair), 2.0, 30.0)
    with workprec(120):
        row = lattice_masses.masses(found, window, 60)
        line = window.gamma, window.nodes, window.left, window.right
        for k, value in enumerate(row, window.first):
            assert value.overlaps(lattice_masses.mass_on(
                (found.on, found.offset, found.step), line, k, 64, 120))
        # binomial, from the definition: the loss is (2 n - 400)/10
        e = flint.arb("0.1").exp()
        for k, value in list(enumerate(row, window.first))[::7]:
            loss = lattice_places.place_of(found, k)
            n = round(float(5 * loss + 200))
            expected = flint.arb(math.comb(400, n)) * (e / (1 + e)) ** n / (1 + e) ** (400 - n)
            assert value.overlaps(expected) and value.rel_accuracy_bits() > 30


def test_sums_are_not_rounded_to_the_bits_of_bounds():
    with workprec(60):
        ball = one_circle.OneCircle(releases(laplace(5) ** 4), 3.0, (0.0, 0.5), 60)(
            flint.arb("1/4"))
    assert ball.rel_accuracy_bits() > 56


def test_points_at_corners_are_as_sharp_as_those_between():
    # a corner at eps that is not told from one above it adds what any circle bounds, not the widest
    factors = releases(staircase(1) ** 100 * laplace("1/2") ** 10)
    with workprec(200):
        found = one_circle.OneCircle(factors, 0.53125, (-30.0, 80.0), 48)
        for place in (-7, 0, 20, 60):
            t = flint.arb(place)
            ball = found(t + flint.arb(0, flint.arb(2) ** -110))
            assert ball.rel_accuracy_bits() > 40
            # the profile moves by less than its point
            near = flint.arb(2) ** -80
            for away in (-near, near):
                beside_it = residues.delta(factors, t + away, 60)
                assert beside_it.overlaps(ball + flint.arb(0, near))
                assert beside_it.rel_accuracy_bits() > 40


def test_a_point_beyond_the_largest_loss():
    factors = releases(laplace(2) ** 3 * randomized_response("1/3"))
    with workprec(40):
        found = one_circle.OneCircle(factors, 2.5, (-1.0, 9.0), 40)
        assert found(flint.arb("9")).contains(0)
        assert found(flint.arb("-1")) > 0.5


def test_a_lattice_without_ends_is_tried_alone():
    pair = TINY**1000 * laplace(5) * discrete_gaussian(1) ** 10
    found = lattice_parts.parts(pair)
    assert [str(way.on.count) for way in found] == ["1000", "10"]
    assert found[1].range == (None, None)


def test_releases_that_share_a_lattice_stand_together():
    # either alone would leave the other, which has as many places, to queries
    pair = poisson(laplace(1), "1/2", direction="remove") ** 3 * (
        discrete_gaussian(2) ** 4 * discrete_gaussian(1))
    assert [str(way.on.count) for way in lattice_parts.parts(pair)] == ["5"]
    both = pair * TINY**9 * randomized_response("1/2")
    assert [str(way.on.count) for way in lattice_parts.parts(both)] == ["9", "6", "1"]


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(100) * poisson(randomized_response("1/10"), "1/10", direction="remove") ** 9
     * discrete_gaussian(2), "1/2"),
    (laplace(5) ** 5 * discrete_gaussian(1) ** 2 * TINY**8, "3"),
])
def test_two_lattices_beside_laplace_noise_have_one_circle(pair, eps, monkeypatch):
    asked, whole = [], one_circle.OneCircle

    def told(*given):
        asked.append(given)
        return whole(*given)

    def profile(other, t, wanted):
        raise AssertionError("no place has a query of its own")

    monkeypatch.setattr(one_circle, "OneCircle", told)
    with workprec(200):
        found = beside.delta(pair, sp.Rational(eps), 34, profile)
    assert asked and found.rel_accuracy_bits() >= 34

    def never(*given):
        raise Unsupported("not here")

    monkeypatch.setattr(beside, "_by_one_line", never)
    with workprec(200):
        # the places of the other lattice, or each place by itself
        ways = beside.parts(pair)
        monkeypatch.setattr(beside, "parts", lambda other: ways[:1] if other == pair else (
            lattice_parts.parts(other)))
        other = beside.delta(pair, sp.Rational(eps), 34, lambda part, t, bits: part.delta(
            t, digits=14).enclosure.ball())
        assert other.overlaps(found)


def test_laplace_noise_alone_is_taken_apart_beside_a_lattice():
    # atoms are left on the line, and there are too many corners for a circle
    factors, bits = releases(laplace(10) * laplace(100) ** 700), 40
    assert not residues.is_short(factors)
    with workprec(100):
        found = shared.profile(factors, 20.0, (0.5, 0.6), bits)
        for t in ("1/2", "11/20"):
            assert found(flint.arb(t)).overlaps(residues.delta(factors, flint.arb(t), bits))


def test_where_a_lattice_begins_is_worked_out_once(monkeypatch):
    # the step of a sampled response is a difference of logarithms
    pair = TINY**50 * laplace(5)
    (found,) = lattice_parts.parts(pair)
    with workprec(90):
        first, asked = lattice_places.place_of(found, 3), []
        monkeypatch.setattr(lattice_places, "enclose", lambda *given: asked.append(given))
        other = lattice_places.place_of(found, 4)
    assert not asked
    monkeypatch.undo()
    with workprec(90):
        assert (other - first).overlaps(enclose(found.step, {}).real)
        assert first.overlaps((enclose(found.offset, {}) + 3 * enclose(found.step, {})).real)


@pytest.mark.parametrize(("on", "corners", "eps"), [
    (poisson(randomized_response(2), "1/1000", direction="remove") ** 3000,
     laplace("1/2") ** 3 * geometric(1) ** 40, "27"),
    (poisson(randomized_response("1/10"), "1/2", direction="add") ** 4000,
     laplace("1/2") ** 4, "8")])
def test_many_places_beside_corners_have_one_circle(on, corners, eps, monkeypatch):
    """Against a formula for each, which serves only some hundred places."""
    pair, place = on * corners, sp.Rational(eps)
    monkeypatch.setattr(terms, "by_formulas", None)
    with workprec(80):
        found = beside.delta(pair, place, 36, None)
    monkeypatch.undo()
    monkeypatch.setattr(beside, "MANY_CORNERS", 10**9)
    monkeypatch.setattr(beside, "MOST_CORNERS", 10**9)
    with workprec(80):
        each = beside.delta(pair, place, 36, None)
        assert found.overlaps(each)
        assert found.rel_accuracy_bits() > 32 and each.rel_accuracy_bits() > 32


def test_few_queries_are_dearer_than_many_formulas():
    """Five seconds once: at eleven places of the other lattice the rest was a query of its own."""
    pair = (laplace("1/2") ** 3 * geometric(1) ** 100
            * poisson(randomized_response(2), "1/1000", direction="remove") ** 10_000)
    way, window = beside._first_window(pair, sp.Rational(8784, 100))
    assert way.on.count == 10_000 and window.last - window.first > 300
    def profile(other, t, wanted):
        raise AssertionError("no place has a query of its own")

    start = time.process_time()
    with workprec(200):
        found = beside.delta(pair, sp.Rational(8784, 100), 34, profile)
    assert found.rel_accuracy_bits() >= 34 and time.process_time() - start < 1.5
    # another route comes first
    assert found.overlaps(pair.delta("87.84", digits=9).enclosure.ball())
    # thousands of places, and nothing but a circle
    pair = poisson(randomized_response("1/100"), "1/1000", direction="add") ** 10**6 * laplace(5)**2
    with workprec(200):
        found = beside.delta(pair, sp.Integer(2), 34, profile)
    assert found.overlaps(pair.delta(2, digits=10).enclosure.ball())
    assert found.rel_accuracy_bits() >= 34


def test_queries_that_are_long_sums_themselves_are_refused_at_once():
    pair = laplace(10) ** 30 * discrete_gaussian(10) ** 3 * poisson(
        randomized_response(2), "1/1000000", direction="remove") ** 10**6

    def profile(other, t, wanted):
        raise AssertionError("nothing is asked")

    with workprec(120), pytest.raises(Unsupported, match="more than"):
        beside.delta(pair, sp.Rational(11, 5), 40, profile)
