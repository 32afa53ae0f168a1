"""Moments of subsampled discrete Gaussians, against sums in mpmath."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, overlapping_mixtures, poisson
from lapdp.accounting.moments import coarse_atoms
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec


def moment(spectrum: Any, sigma: Any, order: Any) -> Any:
    """The sum over whole numbers."""
    w, u = (mp.mpf(int(x.exact.p)) / int(x.exact.q) for x in (spectrum.first, spectrum.second))
    v, d = sigma**2, spectrum.shift
    far = int(40 * sigma + abs(order.real) * d) + 60
    total, whole = mp.mpf(0), mp.mpf(0)
    for x in range(-far, far + 1):
        weight = mp.exp(-mp.mpf(x)**2 / (2 * v))
        ratio = mp.exp((2 * d * x - d * d) / (2 * v))
        whole += weight
        total += weight * (1 - w + w * ratio)**order * (1 - u + u * ratio)**(1 - order)
    return total / whole


@pytest.mark.parametrize("order", ["-2.5", "0.4", "1.7", "9", "40"])
@pytest.mark.parametrize(("sigma", "shift", "rate", "direction"), [
    ("2", 1, "1/100", "remove"), ("2", 1, "1/100", "add"), ("5", 3, "1/3", "remove"),
    ("1/2", 1, "1/10", "add"), ("1", 2, "1/2", "remove")])
def test_line(sigma: str, shift: int, rate: str, direction: str, order: str) -> None:
    pair = poisson(discrete_gaussian(sigma, shift), rate, direction=direction)
    spectrum = releases(pair).parts[0][0]
    assert isinstance(spectrum, MixedThetaSpectrum)
    with mp.workdps(40):
        exact = Fraction(sigma)
        value = moment(spectrum, mp.mpf(exact.numerator) / exact.denominator,
                       mp.mpc(mp.mpf(order), mp.mpf("3.5")))
        with workprec(120):
            line = spectrum.line(flint.arb(order), 10.0, 60)
            found = line.at(flint.arb("3.5"))
            assert found.real.contains(flint.arb(mp.nstr(value.real, 35)))
            assert found.imag.contains(flint.arb(mp.nstr(value.imag, 35)))
            size = line.decay(flint.arb(0))
            assert found.real.rad() < size * 2.0**-55
            assert abs(spectrum.log_moment(float(order)) - float(size.log())) < 1e-6


def test_both_mixed() -> None:
    pair = overlapping_mixtures(discrete_gaussian(2, 2), "1/2", "1/5")
    spectrum = releases(pair).parts[0][0]
    with mp.workdps(40), workprec(120):
        found = spectrum.line(flint.arb("2.5"), 10.0, 60).at(flint.arb("0.7"))
        value = moment(spectrum, mp.mpf(2), mp.mpc(mp.mpf("2.5"), mp.mpf("0.7")))
        assert found.real.contains(flint.arb(mp.nstr(value.real, 35)))
    assert spectrum.largest is not None


def test_beside_a_gaussian() -> None:
    """A product with a density, at the limit of small steps: the lattice of sigma = 3 is not seen
    by a wide Gaussian but in the last digits."""
    one = poisson(discrete_gaussian(3), "1/100", direction="remove")**5 * gaussian(2)
    two = poisson(gaussian(3), "1/100", direction="remove")**5 * gaussian(2)
    here, there = (pair.delta("1/2", digits=12) for pair in (one, two))
    assert abs(here.value - there.value) < Fraction(1, 10**12)


@pytest.mark.parametrize("order", [1e7, 546995383619490.3])
@pytest.mark.parametrize(("sigma", "shift", "rate"), [
    ("1/4", 1, "1/10000"), ("1/4", 1, "1/1000000"), ("1/4", 2, "999999/1000000")])
def test_orders_beyond_doubles_of_their_powers(sigma: str, shift: int, rate: str, order: float
                                               ) -> None:
    """A line for eps next to the largest loss, or beyond it, tries such orders."""
    pair = poisson(discrete_gaussian(sigma, shift), rate, direction="add")
    spectrum = releases(pair).parts[0][0]
    assert isinstance(spectrum, MixedThetaSpectrum)
    with mp.workdps(60):
        w, s, q = (mp.mpf(x.numerator) / x.denominator for x in (
            Fraction(rate), Fraction(sigma), Fraction(order)))
        terms = [(x, mp.exp(-mp.mpf(x)**2 / (2 * s * s))) for x in range(-90, 91)]
        other = [1 - w + w * mp.exp(mp.mpf(2 * shift * x - shift * shift) / (2 * s * s))
                 for x, _ in terms]
        sums = mp.fsum(mass * z**(1 - q) for (_, mass), z in zip(terms, other, strict=True))
        expected = mp.log(sums / mp.fsum(mass for _, mass in terms))
        assert abs(spectrum.log_moment(order) / expected - 1) < 1e-6
    # beyond the largest loss
    assert (pair**3).delta(60, digits=6).value == 0


def test_atoms_that_a_line_has_had_serve_others() -> None:
    """More to the left, to the right, with more bits and with fewer: as if they were new."""
    shared = _sampled("5", "1/1000")
    for order, bits in [("1.5", 60), ("30.5", 60), ("-7", 60), ("4", 150), ("12", 60)]:
        with workprec(bits + 40):
            old, new = (s.line(flint.arb(order), 10.0, bits).at(flint.arb("0.9"))
                        for s in (shared, _sampled("5", "1/1000")))
            for one, other in ((old.real, new.real), (old.imag, new.imag)):
                assert one.overlaps(other)
                assert one.rad() < 1.01 * other.rad() + flint.arb(2) ** -bits * abs(new)


def test_atoms_far_from_those_kept_are_no_bridge() -> None:
    with workprec(80):
        atoms = _sampled("5", "1/1000").atoms
        atoms.between(-20, 20)
        assert len(atoms.between(10**12, 10**12 + 5)) == 6
        assert len(atoms.known) == 6
        assert len(atoms.between(-2, 2)) == 5


def test_choices_of_huge_orders_do_not_lay_out_what_lies_between() -> None:
    """E_q = e^(q (q - 1)/(2 v)) of one discrete Gaussian to the next: its atoms are about q."""
    spectrum = MixedThetaSpectrum(*(Number(sp.Integer(n)) for n in (1, 0, 4)), 1)
    for order in (3.0, 1e9, 1e3, 1e12):
        found = spectrum.log_moment(order)
        assert abs(found - order * (order - 1) / 8) <= 1e-12 * found
    assert len(spectrum._coarse.rows[0]) < 1000


def _sampled(sigma: str, rate: str) -> MixedThetaSpectrum:
    # a spectrum of its own, with nothing kept
    found = releases(poisson(discrete_gaussian(sigma), rate, direction="remove")).parts[0][0]
    assert isinstance(found, MixedThetaSpectrum)
    return replace(found)


@pytest.mark.parametrize("numbers", ["NumPy", "lists"])
def test_coarse_sums_are_those_of_all_multiples(numbers: str, monkeypatch: pytest.MonkeyPatch
                                                ) -> None:
    if numbers == "lists":
        monkeypatch.setattr(coarse_atoms, "np", None)
    for w, u, v, stride in [(1e-6, 0.0, 25.0, 1), (0.3, 0.7, 1.0, 1), (1.0, 1e-3, 400.0, 5)]:
        atoms = coarse_atoms.CoarseAtoms(w, u, v, 2, stride)
        for order, first, last in [(2.5, -30, 40), (60.0, 10, 200), (-4.0, -90, 50)]:
            found = atoms.log_sum(order, first, last)
            with mp.workdps(40):
                places = [mp.mpf(stride * j) for j in range(first, last + 1)]
                total = mp.fsum((1 - w + w * mp.exp((2 * x - 2) / v)) ** order
                                * (1 - u + u * mp.exp((2 * x - 2) / v)) ** (1 - order)
                                * mp.exp(-x * x / (2 * v)) for x in places)
                whole = mp.fsum(mp.exp(-mp.mpf(stride * j) ** 2 / (2 * v))
                                for j in range(-300, 301))
                assert abs(found - mp.log(total / whole)) < 1e-9 * (1 + abs(found))
