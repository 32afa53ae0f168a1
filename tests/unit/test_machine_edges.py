"""Moments of pieces at great heights by their ends, against quadrature in balls of many bits."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest

from lapdp import gaussian, laplace, poisson, staircase
from lapdp.accounting.inversion import (
    few,
    machine_factors,
    machine_parts,
    shared,
    split_machine,
)
from lapdp.accounting.inversion.machine_edges import Edges, _kept, edges_of
from lapdp.accounting.moments.doubled import DOUBLE
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec

CASES = [(laplace(100), 64.0), (laplace("1/2"), 3.0), (laplace(2), 0.5),
         (poisson(laplace(10), "1/1000", direction="remove"), 64.0),
         (poisson(laplace("1/2"), "1/10", direction="add"), 40.0),
         (poisson(laplace(1), "1/100", direction="remove"), 2.625),
         (poisson(laplace(100), "1/1000000", direction="add"), 1e4)]
HEIGHTS = (0, 7, 60)


@pytest.mark.parametrize(("pair", "gamma"), CASES)
def test_each_moment_and_its_bound(pair, gamma):
    [(spectrum, _)] = in_pieces(releases(pair)).parts
    edges = edges_of(spectrum, gamma)
    step = edges.start / 50
    less, slips = edges.moments(step, 50, 200)
    atoms = len(spectrum.atoms)
    with workprec(200):
        def moment(u):
            line = spectrum.line(flint.arb(gamma), float(u) * 1.001, 120)
            return Nodes(line.nodes.pairs[atoms:]).at(u), line.error(u)

        mean = moment(flint.arb(0))[0].real
        for j in HEIGHTS:
            value, error = moment(flint.arb(step) * (50 + j))
            off = abs(value / mean - 1 - flint.acb(less[j].real, less[j].imag))
            assert float(off) <= slips[j] + float(error / mean)
            assert slips[j] < 2e-15


def test_terms_that_are_left_out_are_bounded():
    row = np.array([3.0, 2.0, 1.0, 1e-9, 1e-30])
    for size in (1.0, 0.1, 1e-6):
        kept, rest = _kept(row, size)
        others = sum(c * size ** (i + 1) for i, c in enumerate(row) if i >= kept)
        assert others <= rest < 2.0**-57 or (kept == len(row) and not rest)
    assert _kept(row, 1e-30) == (1, pytest.approx(2e-60))


def test_what_has_no_such_ends():
    for pair in (poisson(gaussian(1), "1/2", direction="add"), staircase(1)):
        taken = in_pieces(releases(pair))
        assert taken is None or edges_of(taken.parts[0][0], 2.0) is None


def test_heights_below_the_first_are_not_asked_for():
    edges = Edges(2.0, 64.0, (flint.arb(0),), (np.array([1.0]),), 0.0)
    with pytest.raises(AssertionError):
        edges.moments(1.0, 63, 70)


def test_fewer_draws_are_taken_apart_than_quadrature_would_need():
    factors = in_pieces(releases(
        poisson(laplace(1), "1/100", direction="remove") ** 10 * laplace(2) ** 3))
    line = shared.line(factors, 2.625, (0.5, 4.0), 48)
    draws, _ = split_machine.choice(factors, line, 48 * LOG2, 24)
    assert draws < split_machine.MOST_DRAWS


def test_a_factor_of_a_rule_by_nodes_and_ends():
    [(spectrum, _)] = releases(poisson(laplace("1/2"), "1/100", direction="remove")).parts
    gamma, step, count = 11.0, 4.0, 20_000
    with workprec(120):
        found = machine_factors.moments_of(spectrum, 3, gamma, step * count, step, count)
        assert isinstance(found, machine_parts.Ended)
        less, slips = found.moments(step, count, DOUBLE)
        start, _ = found.moments(step, 100, DOUBLE)
        mean = spectrum.line(flint.arb(gamma), 0.0, 100).at(flint.arb(0)).real
        assert found.mean.overlaps(mean)
        for j in (0, 99, found.low, 3000):
            line = spectrum.line(flint.arb(gamma), step * j + 1.0, 100)
            off = abs(line.at(flint.arb(step) * j) / mean - 1
                      - flint.acb(less[j].real, less[j].imag))
            assert off.upper() <= slips[j] + 1e-25
            assert slips[j] < 1e-13
    assert np.all(abs(start - less[:100]) <= 2 * slips[:100])


@pytest.mark.nightly
def test_delta_where_moments_fall_late_is_that_by_all_draws():
    pair = poisson(laplace("1/2"), "1/100", direction="remove") ** 2 * (
        poisson(laplace(2), "1/10000", direction="remove") ** 4)
    factors, eps = releases(pair), Fraction(1, 30)
    with workprec(few.MOST_BITS):
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
    taken = in_pieces(factors)
    found = split_machine.delta(taken, point, 9)
    with workprec(160):
        assert few.few(taken, 6, point, 60).overlaps(found)
    assert found.rel_accuracy_bits() > 30
