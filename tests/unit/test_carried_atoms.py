"""Atoms of wide releases apart: against power series, all draws in balls, and sums of many bits."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    exponential_mechanism,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    staircase,
)
from lapdp.accounting.delta import Tried, delta
from lapdp.accounting.delta_rules import Apart
from lapdp.accounting.inversion import beside, carried, carried_machine, split
from lapdp.accounting.inversion.carried_parts import Rule
from lapdp.accounting.inversion.few import MOST_BITS, pieced
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.method_names import CARRIED
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.oracle import powers_of_the_gap as series

Part = series.Part


def pair_of(parts):
    whole = None
    for part in parts:
        one = (randomized_response(sp.Rational(part.scale)) if not part.rate else
               laplace(sp.Rational(part.scale)) if part.rate == 1 else
               poisson(laplace(sp.Rational(part.scale)), sp.Rational(part.rate),
                       direction=part.way))
        whole = one**part.copies if whole is None else whole * one**part.copies
    return whole


def by_atoms(pair, eps, digits=10):
    """By this method alone."""
    return Apart(pair, sp.Rational(eps), Tried(), carried.in_doubles)(digits).ball()


def part(scale, rate, way, copies):
    return Part(Fraction(scale), Fraction(rate), way, copies)


WIDE = part("1/2", 1, "remove", 1)
CASES = {
    "below the corner": ([WIDE, part("1/2", "1/1000", "remove", 1)], "1/2"),
    "above it": ([WIDE, part("1/2", "1/1000", "remove", 5)], "1/2"),
    "responses": ([WIDE, part(5, "1/1000", "remove", 5), part("1/1000", 0, "remove", 2)], "1/3"),
}


@pytest.mark.parametrize("name", CASES)
def test_against_power_series(name):
    parts, share = CASES[name]
    with workprec(series.BITS):
        top, reach = float(series.largest(parts)), float(series.reach(parts))
        at = Fraction(top - float(Fraction(share)) * reach).limit_denominator(10**12)
        gap = series.largest(parts) - series.ball(at)
        rough, there = (series.below_the_top(parts, gap, n) for n in (80, 110))
        there += flint.arb(0, float((4 * abs(there - rough)).upper()))
        assert there.rel_accuracy_bits() > 40
    found = by_atoms(pair_of(parts), at)
    assert found.overlaps(there)
    assert found.rel_accuracy_bits() > 32


@pytest.mark.parametrize(("pair", "at"), [
    (laplace(1) ** 3 * poisson(laplace(10), "1/10", direction="remove") ** 3, "2999/1000"),
    (laplace(1) * exponential_mechanism("1/10") * poisson(laplace(3), "1/40", direction="add") ** 5,
     "-1/3")])
def test_against_all_draws_in_balls(pair, at):
    if sp.Rational(at) < 0:
        # the reversed pair is asked for
        assert delta(pair, at, 10).enclosure.ball().overlaps(by_atoms(pair, at))
        return
    with workprec(MOST_BITS):
        eps = flint.arb(flint.fmpq(Fraction(at).numerator, Fraction(at).denominator))
    with workprec(140):
        there = split.delta(releases(pair), eps, 56)
    found = by_atoms(pair, at)
    assert found.overlaps(there)
    assert found.rel_accuracy_bits() > 33


def test_one_kind_apart_and_two(monkeypatch):
    """Different atoms, other rules."""
    sampled = [poisson(laplace(scale), rate, direction=way) for scale, rate, way in (
        ("1/2", "1/1000000", "remove"), (2, "1/100", "add"), ("1/2", "1/10000", "remove"))]
    pair = sampled[0] ** 30 * sampled[1] * sampled[2] ** 10
    one, two = carried.ways(pair)
    assert (one.wide.count, two.wide.count) == (1, 11)
    found = []
    for way in (one, two):
        monkeypatch.setattr(carried, "ways", lambda _, way=way: (way,))
        found.append(by_atoms(pair, "103/50000"))
    assert found[0].overlaps(found[1])
    assert min(x.rel_accuracy_bits() for x in found) > 33


def test_each_term_and_its_bound():
    """Against sums of balls of 200 bits, at some heights; a millionth of a bound is too little."""
    pair, eps, count = laplace(1) * laplace(5) ** 3 * poisson(
        laplace("1/2"), "1/100", direction="add") ** 8, 1.5, 900
    here = carried.ways(pair)[1]
    assert (here.wide.count, here.narrow.count) == (4, 8)
    line = saddle(releases(pair), eps, 40 * LOG2)
    table = carried_machine._table(here, line.gamma, Rule(count, line.period))
    with workprec(200):
        gamma, step = flint.arb(line.gamma), flint.arb(table.step)
        wide = [(s.line(gamma, float(step) * count, 150).parts(step, count), k)
                for s, k in pieced(here.wide)]
        beside = [(s.line(gamma, float(step) * count, 150).grid(step, count), k)
                  for s, k in here.narrow.parts]
        far = 0
        for j in (0, 1, 2, 17, 300, count - 1):
            q, whole, atoms = flint.acb(gamma, step * j), 1, 1
            for (a, d), k in wide:
                whole, atoms = whole * (a[j] + d[j]) ** k, atoms * a[j] ** k
            term = whole - atoms
            for grid, k in beside:
                term *= grid[j] ** k
            value = complex(table.rows.values[j])
            off = abs(flint.acb(value.real, value.imag) - term / (q * (q - 1) * table.size))
            assert off < table.rows.errors[j]
            assert abs(term) <= here.bound(line.gamma, float(step * j) * (1 - 1e-12))
            far += off > table.rows.errors[j] * 1e-6
    assert far


LATTICES = [
    (laplace(1) ** 6 * geometric("1/50") ** 400, "5"),
    (laplace(1) ** 3 * staircase("1/100") ** 900 * randomized_response("1/3") ** 2, "29/10"),
    (poisson(laplace(1), "1/2", direction="remove") ** 4 * poisson(
        randomized_response("1/10"), "1/10", direction="add") ** 2000, "2")]


BESIDE_A_FORMULA = (poisson(laplace(5), "1/2", direction="remove") ** 2 * discrete_gaussian(5) ** 3
                    * poisson(gaussian("1/2"), "1/10000", direction="add"), "1")


@pytest.mark.parametrize(("pair", "at"), [*LATTICES, BESIDE_A_FORMULA])
def test_beside_a_lattice_against_the_sum_over_its_places(pair, at):
    there = Apart(pair, sp.Rational(at), Tried(), beside.delta)(10).ball()
    found = by_atoms(pair, at)
    assert found.overlaps(there)
    assert min(found.rel_accuracy_bits(), there.rel_accuracy_bits()) > 32


@pytest.mark.parametrize(("pair", "at"), LATTICES)
def test_what_is_left_out_beside_a_lattice(pair, at):
    """The sizes of some turns of nodes more add up to less than the bound, and to a share of it;
    the sizes around one turn to less than theirs."""
    here, eps = carried.ways(pair)[0], float(sp.Rational(at))
    line = saddle(releases(pair), eps, 30 * LOG2)
    rule = next(here._on_windows(line, 25 * LOG2))
    assert rule.turn % 2 == 0
    assert rule.nodes == rule.windows * rule.turn + rule.turn // 2
    rings = here._rings(line.gamma)
    with workprec(100):
        around = flint.arb(0)
        for j in range(rule.turn):
            phi = flint.arb(1)
            for ring, k in rings:
                phi *= abs(ring.at(j, rule.turn)) ** k
            around += phi
    assert around < here.around(line.gamma, rule.turn) < 30 * around
    more = Rule(rule.nodes + 3 * rule.turn, rule.period, rule.turn, rule.windows + 3)
    table = carried_machine._table(here, line.gamma, more)
    sizes = abs(table.rows.values[rule.nodes:]) + table.rows.errors[rule.nodes:]
    beyond = float(sizes.sum()) * table.step / math.pi
    rest = float((here.rest(line.gamma, table.step, rule) / table.size).upper())
    assert rest / 1e4 < beyond < rest


def test_the_whole_query():
    """It was refused; what the answer rests on is said."""
    pair = laplace(5) ** 100 * poisson(laplace(1), "1/1000000", direction="remove") ** 100
    found = delta(pair, 2, 10)
    assert found.method in (CARRIED, "profile of all but faint factors")
    assert found.enclosure.ball().overlaps(by_atoms(pair, 2))
    assert "IEEE 754" in found.assumes
    with pytest.raises(Unsupported):
        by_atoms(pair, 2, 30)


def test_hundreds_of_places_on_one_line():
    """It was refused: the places were too many to be queries of their own."""
    pair = laplace(100) ** 1000 * discrete_gaussian(10) ** 10
    there = Apart(pair, sp.Integer(1), Tried(), beside.delta)(10).ball()
    found = by_atoms(pair, 1)
    assert found.overlaps(there)
    assert min(found.rel_accuracy_bits(), there.rel_accuracy_bits()) > 32


def test_a_lattice_beside_a_formula_comes_first():
    """Each of a hundred places was a query of its own."""
    assert delta(*BESIDE_A_FORMULA, 10).method == CARRIED
    assert carried.has_lattice(BESIDE_A_FORMULA[0])
    assert not carried.has_lattice(BESIDE_A_FORMULA[0] * poisson(
        gaussian(2), "1/10", direction="add"))


def test_sums_of_atoms_that_are_not_known_are_seen_before_the_rule(monkeypatch):
    """At an order of 10^7 the masses of places next to eps are huge, and as balls told too late."""
    pair = poisson(laplace(100), "1/1000000", direction="add") ** 1000 * poisson(
        randomized_response(2), "1/2", direction="add") ** 100
    monkeypatch.setattr(carried_machine, "beyond", None)
    with pytest.raises(Unsupported, match="off by more than the answer"):
        by_atoms(pair, Fraction(56.621919619566675), 6)
    low, high = (delta(pair, sp.Rational(x), 6).enclosure for x in ("56.6219196", "56.6219197"))
    assert low.lower > Fraction(1, 10**30) > high.upper


def test_no_wide_releases():
    with pytest.raises(Unsupported, match="no releases with atoms"):
        by_atoms(randomized_response(1) ** 3, 1)
    assert not carried.ways(laplace(1))


def test_bounds_of_falls_at_huge_orders_are_compared_as_balls():
    """As doubles both were infinite, and the first path was kept, however bad."""
    pair = poisson(laplace(5), "1/2", direction="remove")
    [(spectrum, _)] = releases(pair).parts
    decay = spectrum.decay(376832.0)
    assert decay.pieces(1e6) < 1e-4 * decay.whole
    assert math.isinf(float(decay.whole)) and isinstance(decay.falls[0][0].steep, flint.arb)
