"""Bounds and choices of sums over places of lattices and of faint factors, each held to account."""

from __future__ import annotations

import math

import flint
import sympy as sp

from lapdp import geometric, laplace, poisson, randomized_response
from lapdp.accounting.inversion import faint, lattice
from lapdp.accounting.inversion.cells import on_line
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec


def test_one_sum_around_the_circle_holds_delta_however_few_bits_are_asked_for() -> None:
    """To few bits the aliases are seen: their bound is that of the period in use."""
    on = releases(geometric("1/10") ** 200)
    with workprec(200):
        for bits in (2, 4, 8, 60):
            rule = on_line(on, 2.0, (0.5, 4.5), bits)
            for t in range(6, 44, 3):
                point = flint.arb(t) / 10
                there = lattice.delta(on, point, 90)
                found = rule(point)
                assert found.overlaps(there), (bits, t)
                size = math.exp(on.log_moment(2.0) - float(point))
                assert float(found.rad()) <= 4 * size * 2.0**-bits


def test_all_that_lies_beyond_the_chords_is_counted() -> None:
    tiny = poisson(randomized_response(1), "1e-3", direction="add") ** 50
    found = faint.Faint(tiny, laplace(1), flint.arb(2) ** -10, flint.arb(1))
    little = releases(tiny)
    with workprec(200):
        h, half = flint.arb(1) / 1024, sp.Rational(1, 2)
        none, one, many = (faint._beyond(found, half, h, 1.0, flint.arb(x)) for x in (0, 1, 1000))
        gap = 2.0 ** round(math.log2(2.0**-10 / (2 * math.pi * 2.0**-20)))
        fall = (-gap * h).exp()
        parts = [fall * moment_bound(little, x) for x in (1 + gap, 1 - gap, -gap)]
        assert none.overlaps(parts[0] + parts[1])
        assert (one - none).overlaps(parts[2])
        assert (many - none).overlaps(1000 * parts[2]) and parts[1] > 0 and parts[2] > 0
        # at another order by the moment of the others
        other = faint._beyond(found, half, h, 2.0, flint.arb(0))
        size = (flint.arb(-1) / 2).exp() * moment_bound(releases(laplace(1)), 2.0)
        assert other.overlaps(size * fall * (
            moment_bound(little, 2 + gap) + moment_bound(little, 2 - gap)))
