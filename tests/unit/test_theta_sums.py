"""Discrete Gaussians: moments of complex order and powers, against sums in mpmath."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, poisson, randomized_response
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from tests.effort import calls_at_most


def weights(sigma, reach):
    found = {x: mp.exp(-mp.mpf(x * x) / (2 * mp.mpf(sigma) ** 2)) for x in range(-reach, reach + 1)}
    total = mp.fsum(found.values())
    return {x: w / total for x, w in found.items()}


def power(law, count):
    found = {0: mp.mpf(1)}
    for _ in range(count):
        more = {}
        for x, w in found.items():
            for y, v in law.items():
                more[x + y] = more.get(x + y, 0) + w * v
        found = more
    return found


def number(enclosure):
    return mp.mpf(enclosure.middle.numerator) / enclosure.middle.denominator


def agrees(found, expected):
    return abs(number(found.enclosure) - expected) <= (
        mp.mpf(float(found.enclosure.radius)) + abs(expected) * mp.mpf(10) ** -25)


@pytest.mark.parametrize(("sigma", "d", "gamma"), [
    ("1", 1, "3.25"), ("1/3", 2, "0.5"), ("1/10", 1, "7"), ("20", 3, "40.5"), ("7/2", 1, "-2.5"),
    ("2/5", 1, "1.5"), ("0.45", 4, "2.75")])
@pytest.mark.parametrize("u", ["0", "0.3", "11", "400"])
def test_moments_by_their_sum(sigma, d, gamma, u):
    """E_q = sum of p^q r^(1-q), term by term."""
    spectrum = ThetaSpectrum(Number(sp.Rational(sigma) ** 2), d)
    with flint.ctx.workprec(200), mp.workdps(60):
        s, g, v = (mp.mpf(Fraction(x).numerator) / Fraction(x).denominator
                   for x in (sigma, gamma, u))
        line = spectrum.line(flint.arb(gamma), 0.0, 60)
        found = line.at(flint.arb(u))
        reach = int(12 * s * 3 + d * (abs(g) + 2)) + 9
        law = weights(s, reach)
        q = mp.mpc(g, v)
        expected = mp.fsum(law[x] * mp.exp((q - 1) * (mp.mpf(d) ** 2 - 2 * d * x) / (2 * s**2))
                           for x in law)
        real = mp.fsum(law[x] * mp.exp((g - 1) * (mp.mpf(d) ** 2 - 2 * d * x) / (2 * s**2))
                       for x in law)
        gap = flint.acb(mp.nstr(expected.real, 50), mp.nstr(expected.imag, 50)) - found
        assert abs(gap).lower() <= flint.arb(mp.nstr(real, 10)) * flint.arb(10) ** -40
        assert found.rel_accuracy_bits() > 60 or abs(found) < line.decay(0) * flint.arb(2) ** -60
        assert abs(spectrum.log_moment(float(g)) - float(mp.log(real))) < 1e-9


@pytest.mark.parametrize(("sigma", "d"), [("1", 1), ("1/3", 2), ("1/10", 1), ("5", 3)])
@pytest.mark.parametrize("gamma", ["0.5", "2.375", "30"])
def test_moduli_fall_up_to_half_a_turn(sigma, d, gamma):
    spectrum, turn = ThetaSpectrum(Number(sp.Rational(sigma) ** 2), d), 24
    with flint.ctx.workprec(150):
        step = spectrum.lattice[1] * Form.of(Fraction(1, 5))
        ring = spectrum.ring(flint.arb(gamma), step)
        sizes = [abs(ring.at(j, turn)) for j in range(turn + 1)]
        line = spectrum.line(flint.arb(gamma), 0.0, 60)
        for first in range(turn):
            for last in range(first, turn):
                fall = ring.fall(first, last, turn)
                assert all(not size > (-fall).exp() for size in sizes[first:last + 1])
        # the moment itself is phi, turned by the offset and the places
        offset = flint.arb(flint.fmpq(d * d, 2)) / spectrum.variance.ball()
        own = flint.arb(d) / spectrum.variance.ball() / 5
        for j in (1, 5, 11):
            angle = 2 * flint.arb.pi() * j / turn
            phase = flint.acb(0, angle * (offset / own + ring.lowest)).exp()
            gap = line.at(angle / own) - ring.size * phase * ring.at(j, turn)
            assert gap.contains(0) and abs(gap) < ring.size * flint.arb(2) ** -80


@pytest.mark.parametrize(("parts", "eps"), [
    ([("1", 1, 9)], "3"), ([("1", 1, 12)], "14"), ([("1/2", 2, 9)], "60"),
    ([("1/4", 1, 10)], "100"), ([("2", 3, 10)], "25"), ([("1", 1, 4), ("2", 1, 6)], "5"),
    ([("3/2", 2, 5), ("2", 3, 5)], "29"),
    ([("1", 1, 9)], "-2"), ([("1", 1, 9)], "9/2")])
def test_powers_by_convolution(parts, eps):
    """The law of the loss by convolving truncated laws of the noise."""
    whole = None
    with mp.workdps(70):
        law = {mp.mpf(0): mp.mpf(1)}
        for sigma, d, count in parts:
            pair = discrete_gaussian(sigma, d) ** count
            whole = pair if whole is None else whole * pair
            s = mp.mpf(Fraction(sigma).numerator) / Fraction(sigma).denominator
            reach = int(s * 17) + 4
            sums, more = power(weights(s, reach), count), {}
            for z, w in law.items():
                for x, v in sums.items():
                    loss = (count * d * d - 2 * d * x) / (2 * s**2)
                    key = mp.nint((z + loss) * 10**12) / 10**12
                    more[key] = more.get(key, 0) + w * v
            law = more
        e = mp.mpf(Fraction(eps).numerator) / Fraction(eps).denominator
        found = whole.delta(eps)
        assert found.method == "lattice sum"
        exact = len(parts) == 1 or all(Fraction(s) in (1, 2) for s, _, _ in parts)
        expected = mp.fsum(w * -mp.expm1(e - z) for z, w in law.items() if z > e)
        assert (agrees(found, expected) if exact
                else abs(number(found.enclosure) / expected - 1) < 1e-10)


@pytest.mark.parametrize(("sigma", "d", "count", "eps"), [
    ("7/2", 3, 20, "10"), ("10", 1, 50, "5"), ("1/10", 1, 30, "1400"), ("4", 1, 40, "20")])
def test_powers_by_polynomials_of_balls(sigma, d, count, eps):
    pair = discrete_gaussian(sigma, d) ** count
    assert pair.delta(eps, 25).enclosure.compare(pair.profile.at(eps, 25)) is None


def test_beside_a_gaussian_and_on_another_lattice():
    """Conditioned on the noise, what is left is the profile of the other pair, moved."""
    for other in (gaussian(2), randomized_response("1/4", "1/100")):
        found = (discrete_gaussian(1) ** 9 * other).delta(4, 18)
        assert found.method != "closed form"
        with mp.workdps(40):
            sums = power(weights(1, 15), 9)
            expected = mp.mpf(0)
            for x, w in sums.items():
                if abs(x) < 45:
                    left = sp.Rational(4) - sp.Rational(9 - 2 * x, 2)
                    expected += w * mp.mpf(sp.N(other.profile(left), 40))
            assert abs(number(found.enclosure) / expected - 1) < mp.mpf(10) ** -17


def test_a_billion_copies_are_no_effort():
    """Small lattice steps: the product is nearly Gaussian, by Berry-Esseen and more."""
    for sigma, count, eps in ((1000, 10**6, 4), (50, 10**9, 200300), (3, 10**9, 55556000)):
        with calls_at_most(10**7):
            found = float((discrete_gaussian(sigma) ** count).delta(eps).enclosure)
        normal = float((gaussian(sigma) ** count).delta(eps).enclosure)
        assert abs(found - normal) < 1e-2 * normal


def test_tiny_numbers_keep_their_digits():
    found = (discrete_gaussian(10) ** 100).delta(20)
    assert found.enclosure.radius < found.enclosure.middle / 10**15
    # the sum of 100 noises below its level, in balls
    assert (discrete_gaussian(10) ** 9).delta(13).enclosure.compare(
        (discrete_gaussian(10) ** 9).profile.at(13, 15)) is None
    assert 1e-87 < float(found.enclosure) < 1e-84


def test_subsampled_discrete_gaussians():
    """One copy is a sum; the losses of more lie on no lattice: doubles reach few digits."""
    pair = poisson(discrete_gaussian(1), "1/10", direction="remove")
    assert float(pair.delta(1).enclosure) == pytest.approx(2.106617361262819e-4, rel=1e-14)
    with pytest.raises(Unsupported, match="is not reached to 15 digits"):
        (pair ** 20).delta(1, digits=15)
    usual = (pair ** 20).delta(1).enclosure
    assert float(usual) < 0.0762  # Chernoff's bound
    assert 5 <= usual.digits < 15
