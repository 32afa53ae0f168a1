"""Several lattices beside losses with atoms, on windows: against sums of a formula."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import discrete_gaussian, laplace, randomized_response
from lapdp.accounting.inversion import window_parts, windows
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from tests.unit.test_lattices import sampled


@pytest.mark.parametrize("eps", [Fraction(-2), Fraction(5), Fraction(10)])
def test_two_lattices_beside_atoms_are_sums_of_a_formula(eps):
    """The atoms with both lattices are sums of three; the rest on windows where both come back."""
    pair = (randomized_response("1/1000") ** 3000 * randomized_response(sp.log(3)) ** 10
            * laplace(2))
    here = window_parts.parts(releases(pair))
    assert here.apart and len(here.lattices) == 1

    def shares(copies, share):
        found = [(1 - share) ** copies]
        for j in range(copies):
            found.append(found[-1] * (copies - j) * share / ((j + 1) * (1 - share)))
        return found

    def alone(t):
        """Of the Laplace noise, whose losses are at most 1/2."""
        return (flint.arb(0) if t >= 0.5 else -t.expm1() if t <= -0.5 else
                -((t - flint.arb("0.5")) / 2).expm1())

    with workprec(200):
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
        found = windows.delta(releases(pair), point, 36)
        odds, third = flint.arb("0.001").exp(), flint.arb(3).log()
        many, few = shares(3000, odds / (1 + odds)), shares(10, flint.arb(3) / 4)
        truth = sum((p * q * alone(point - flint.arb(2 * i - 3000) / 1000 - (2 * j - 10) * third)
                     for i, p in enumerate(many) for j, q in enumerate(few)), flint.arb(0))
    assert found.overlaps(truth) and found.rel_accuracy_bits() > 28


def test_two_lattices_beside_laplace_noise_are_reached():
    """Once these were refused, or a query at each of hundreds of places."""
    answer = (sampled("1/10", "1/100") ** 10000 * laplace(1) ** 10
              * discrete_gaussian(10) ** 1000).delta(8, digits=10)
    assert answer.method == "contour integral on windows"
