"""Moments of all kinds of factors in doubles, against balls of many bits."""

from __future__ import annotations

import math
from typing import Any

import flint
import numpy as np
import pytest

import lapdp
from lapdp.accounting.inversion import contour, machine, machine_factors, machine_lines
from lapdp.accounting.inversion.machine_factors import moments_of
from lapdp.accounting.moments.doubled import BITS, DOUBLE, wider
from lapdp.accounting.moments.lines import NormalSpectrum, Number
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

KINDS = {
    "atoms": lapdp.poisson(lapdp.randomized_response("1/2"), "1/10", direction="add"),
    "infinite": lapdp.randomized_response(1, "1/8"),
    "atoms and pieces": lapdp.laplace(2),
    "pieces": lapdp.exponential_mechanism(1),
    "many pieces": lapdp.poisson(lapdp.laplace(1), "1/10", direction="remove"),
    "lattice": lapdp.discrete_gaussian(3, 2),
    "narrow lattice": lapdp.discrete_gaussian("1/2"),
    "subsampled Gaussian": lapdp.poisson(lapdp.gaussian(2), "1/10", direction="remove"),
    "other direction": lapdp.poisson(lapdp.gaussian(2), "1/10", direction="add"),
    "Gaussian": lapdp.gaussian(7),
}
STEP, COUNT = 0.171875, 700


def _exactly(spectrum: Any, gamma: float, heights: list[int]) -> list[Any]:
    """E/E_gamma - 1 in balls."""
    with workprec(400):
        line = spectrum.line(flint.arb(gamma), STEP * COUNT, 200)
        whole = line.at(flint.arb(0))
        return [line.at(flint.arb(STEP) * j) / whole - 1 for j in heights]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gamma", [3.28125, 0.4375, 40.5])
@pytest.mark.parametrize("longer", [False, True])
def test_each_kind_of_line_holds_the_moments_within_its_errors(
        kind: str, gamma: float, longer: bool) -> None:
    form = wider() if longer else DOUBLE
    if form is None:
        pytest.skip("no longer numbers")
    [(spectrum, copies)] = releases(KINDS[kind]).parts
    with workprec(BITS):
        found = moments_of(spectrum, copies, gamma, STEP * COUNT, STEP, COUNT)
        less, errors = found.moments(STEP, COUNT, form)
    assert found.copies == 1 and len(less) == len(errors) == COUNT
    heights = [0, 1, 2, 3, 10, 57, 128, 333, COUNT - 1]
    for j, exact in zip(heights, _exactly(spectrum, gamma, heights), strict=True):
        with workprec(400):
            x, y = less[j].real, less[j].imag
            here = flint.acb(*(flint.arb(float(part)) + flint.arb(float(part - float(part)))
                               for part in (x, y)))
            assert float(abs(here - exact).upper()) <= errors[j], j
    # nearly as sharp as doubles are
    assert np.all(errors < 1e-12)
    with workprec(200):
        line = spectrum.line(flint.arb(gamma), 1.0, 100)
        assert line.at(flint.arb(0)).real.overlaps(found.mean)


def test_errors_are_no_larger_than_what_moments_can_be_off() -> None:
    [(spectrum, _)] = releases(KINDS["many pieces"]).parts
    with workprec(BITS):
        line = spectrum.line(flint.arb(3), 5.0, 100)
        error = line.nodes.total().real * 7 / 8
        nodes = machine_lines.Listed.of(line, 1, STEP, line.nodes, error)
        assert nodes.off > 7
        less, errors = nodes.moments(STEP, COUNT, DOUBLE)
    assert np.all(errors <= 1e-6 + 1 + np.abs(1 + less))


def test_what_the_tail_of_a_lattice_holds_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few places the tail is seen."""
    monkeypatch.setattr(machine_factors, "INNER_BITS", -2)
    [(spectrum, _)] = releases(KINDS["lattice"]).parts
    with workprec(BITS):
        found = moments_of(spectrum, 1, 3.25, STEP * COUNT, STEP, COUNT)
        less, errors = found.moments(STEP, COUNT, DOUBLE)
    assert 1e-4 < errors[1] < 1
    heights = [1, 5, 20, 300]
    gaps = []
    for j, exact in zip(heights, _exactly(spectrum, 3.25, heights), strict=True):
        gaps.append(float(abs(flint.acb(less[j].real, less[j].imag) - exact).upper()) / errors[j])
    assert 1e-3 < max(gaps) <= 1


def test_a_kind_that_has_balls_only_takes_few_heights() -> None:
    spectrum = NormalSpectrum(Number(1))
    with workprec(BITS):
        found = moments_of(spectrum, 3, 1.5, 10.0, 1e-4, 10**5)
        with pytest.raises(Unsupported, match="heights"):
            found.moments(1e-4, 10**5, DOUBLE)


@pytest.mark.parametrize("product", [
    lapdp.poisson(lapdp.gaussian(2), "1/2", direction="add") * lapdp.laplace(1)**8,
    lapdp.poisson(lapdp.gaussian("1/2"), "1/2", direction="remove")**4 * lapdp.laplace("1/2")**3,
    lapdp.discrete_gaussian(1)**3 * lapdp.exponential_mechanism(2)**8,
    lapdp.poisson(lapdp.laplace(1), "1/2", direction="add")**200 * lapdp.randomized_response(1),
    lapdp.gaussian(20) * lapdp.laplace(3) * lapdp.geometric("1/10"),
    lapdp.randomized_response("1/4", "1/100") * lapdp.gaussian(5)**2,
])
@pytest.mark.parametrize("eps", ["1/8", "5/4"])
def test_products_in_doubles_agree_with_balls(product: Any, eps: str) -> None:
    factors = releases(product)
    with workprec(300):
        point = flint.arb(flint.fmpq(*map(int, eps.split("/"))))
        found = machine.delta(factors, point, 10)
        assert found.rel_accuracy_bits() > 10 / math.log10(2)
        there = contour.delta(factors, point, 48)
    assert found.overlaps(there)
    assert there.rel_accuracy_bits() > 40
