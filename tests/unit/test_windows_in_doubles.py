"""The rule on the windows of a lattice in doubles: its sums, and answers by other routes."""

import random

import flint
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, laplace, poisson, randomized_response, staircase
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import contour, machine_lines, two_samples, windows_machine
from lapdp.accounting.inversion.machine_lines import Seeded
from lapdp.accounting.method_names import IN_DOUBLES
from lapdp.accounting.moments.doubled import Heights
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def sampled(sigma, rate, direction):
    return poisson(gaussian(sigma), rate, direction=direction)


def in_doubles(pair, eps, digits=10):
    with workprec(300):
        return windows_machine.delta(releases(pair), flint.arb(eps), digits)


@pytest.mark.parametrize("at_once", [machine_lines.AT_ONCE, 1000, 144])
def test_sums_at_windows_lie_within_their_bounds(at_once, monkeypatch):
    monkeypatch.setattr(machine_lines, "AT_ONCE", at_once)
    rng = random.Random(0)
    with workprec(200):
        pairs = [(flint.acb(rng.uniform(0, 1), rng.uniform(-1, 1)).mid(),
                  flint.acb(rng.uniform(-3, 9), rng.uniform(0, 1) ** 4)) for _ in range(70)]
        # a loss that turns hardly at all, and one that falls at once
        pairs += [(flint.acb("0.25"), flint.acb("1e-12")), (flint.acb("0.5"), flint.acb(1, 500))]
        nodes, step = Nodes(pairs), flint.arb("0.01") * flint.arb(3).sqrt()
        total = flint.arb(nodes.total().real.mid())
        for heights in (Heights.run(0, 50, 1, 9), Heights.run(37, 50, 6, 27),
                        Heights.run(999, 1001, 20, 5), Heights.run(5, 10**6, 3, 1),
                        Heights(0, 64, np.array([0, 3, 4, 77, 1_000_001, 1 << 22]), 64)):
            found = Seeded.of(None, 1, step, nodes).sums(step, heights)
            assert len(found.less) == len(heights.numbers) == len(heights.rows) * heights.width
            for i in sorted({0, 1, heights.width, len(found.less) // 2, len(found.less) - 1}):
                if i >= len(found.less):
                    continue
                row = int(heights.rows[i // heights.width])
                n = heights.first + heights.turn * row + i % heights.width
                assert heights.numbers[i] == n
                exact = sum((w * (flint.acb(0, 1) * step * n * log).exp() for w, log in pairs),
                            flint.acb(0)) / total - 1
                assert abs(exact - flint.acb(complex(found.less[i]))) < found.error[i]
                assert found.error[i] < 1e-12


def one_sample(nu, rate, direction, t):
    """The profile of a subsampled Gaussian of sensitivity 1, at any t, in mpmath."""
    y, w = mp.exp(t), mp.mpf(rate)
    if direction == "add":
        c = 1 - (1 - w) * y
        if c <= 0:
            return mp.mpf(0)
        z = w * y / c
    else:
        c, z = w, (y - (1 - w)) / w
        if z <= 0:
            return 1 - y
    x = mp.log(z)
    return c * (mp.erfc((x / nu - nu / 2) / mp.sqrt(2)) - z * mp.erfc(
        (x / nu + nu / 2) / mp.sqrt(2))) / 2


@pytest.mark.parametrize(("sigma", "rate", "direction", "eps"), [
    ("1", "0.1", "add", "0.7"), ("1", "0.1", "remove", "4"), ("2", "0.01", "add", "2"),
    # a huge loss makes as much of delta as the lattice
    ("2", "0.001", "remove", "6")])
def test_one_sample_beside_a_lattice_is_the_sum_over_its_places(sigma, rate, direction, eps):
    copies, step = 300, 1 / sp.Integer(20)
    pair = randomized_response(step)**copies * sampled(sigma, rate, direction)
    found = in_doubles(pair, eps)
    with mp.workdps(50):
        z = mp.mpf(1) / 20
        high, total, nu = 1 / (1 + mp.exp(-z)), mp.mpf(0), 1 / mp.mpf(float(sp.Rational(sigma)))
        mass = (1 - high) ** copies
        for k in range(copies + 1):
            total += mass * one_sample(nu, rate, direction, mp.mpf(eps) - (2 * k - copies) * z)
            mass *= high / (1 - high) * (copies - k) / (k + 1)
        total = mp.nstr(total, 45)
    with workprec(200):
        total = flint.arb(total) * (1 + flint.arb(0, "1e-40"))
        assert found.overlaps(total) and found.rad() < total * 2.0**-35


@pytest.mark.parametrize(("gamma", "copies", "eps"), [("0.458", 300, "0.25"), ("0.45", 200, "3")])
def test_an_angle_of_half_a_turn_lies_in_one_window(gamma, copies, eps):
    """Most losses are one step or two apart, so that half a turn counts; by the sum over places."""
    pair = staircase("1/3", gamma)**copies * sampled("1.8", "0.19", "add")
    with mp.workdps(50):
        z, g = mp.mpf(1) / 3, mp.mpf(sp.Rational(gamma).p) / sp.Rational(gamma).q
        top = (1 - mp.exp(-z)) / (2 * (g + mp.exp(-z) * (1 - g)))
        high = mp.mpf(1) / 2 + g * top
        one = [high * mp.exp(-z), (1 - 2 * g) * top * mp.exp(-z), high]
        assert abs(sum(one) - 1) < 1e-45
        masses = [mp.mpf(1)]
        for _ in range(copies):
            masses = [sum(one[j] * masses[n - j] for j in range(3) if 0 <= n - j < len(masses))
                      for n in range(len(masses) + 2)]
        total = sum(mass * one_sample(1 / mp.mpf("1.8"), "0.19", "add", mp.mpf(eps) - (
            n - copies) * z) for n, mass in enumerate(masses))
        total = mp.nstr(total, 45)
    with workprec(200):
        total = flint.arb(total) * (1 + flint.arb(0, "1e-40"))
        found = in_doubles(pair, eps)
        assert found.overlaps(total) and found.rad() < total * 2.0**-35


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(1, "0.1", "add")**3 * discrete_gaussian(10)**2, "0.5"),
    # few nodes, though those between windows are as large
    (sampled(2, "1/2", "add")**3 * randomized_response(1), "0.5"),
    (sampled(2, "0.1", "remove")**10 * sampled(2, "0.1", "add") * discrete_gaussian(10), "0.4")])
def test_few_samples_beside_a_lattice_are_those_on_the_whole_line(pair, eps):
    found = in_doubles(pair, eps)
    with workprec(300):
        other = contour.delta(releases(pair), flint.arb(eps), 50)
        assert found.overlaps(other) and found.rel_accuracy_bits() > 35
        assert other.rel_accuracy_bits() > 40


def test_what_has_no_windows_is_refused():
    for pair, why in ((sampled(1, "0.1", "add")**3, "no part of the losses"),
                      (discrete_gaussian(10)**3, "no part of the losses"),
                      (laplace(1) * sampled(1, "0.1", "add") * discrete_gaussian(10),
                       "no part of the losses")):
        with pytest.raises(Unsupported, match=why):
            in_doubles(pair, "0.5")
    with pytest.raises(Unsupported, match="terms"), workprec(300):
        windows_machine.delta(releases(sampled(1, "1e-4", "add")**3 * discrete_gaussian(10)),
                              flint.arb("0.5"), 10, 1000)


def test_rare_samples_beside_a_lattice_are_integrals_of_a_formula_at_its_places():
    """Moments of rare samples hardly fall: no line in balls serves.  Of one place of the lattice
    next to eps they have losses of either sign."""
    two, copies, eps = sampled(1, "1e-2", "add")**2, 400, flint.arb("28.1")
    pair = randomized_response("1/5")**copies * two
    found = in_doubles(pair, "28.1")
    assert delta(pair, "28.1", 10).method == IN_DOUBLES
    with workprec(160):
        z, total = flint.arb(1) / 5, flint.arb(0)
        high = 1 / (1 + (-z).exp())
        least = two_samples.delta(releases(two.reverse()), flint.arb("3.5"), 20).upper()
        for k in range(copies + 1):
            t = eps - (2 * k - copies) * z
            # no loss is larger than 0.0202
            if t < flint.arb("0.0202"):
                other = flint.arb(0).union(least) if t < -3.5 else two_samples.delta(
                    releases(two.reverse()), -t, 36)
                total += flint.arb.bin_uiui(copies, k) * high**k * (1 - high)**(copies - k) * (
                    1 - t.exp() * (1 - other))
        assert found.overlaps(total) and total.rel_accuracy_bits() > 35
        assert found.rel_accuracy_bits() > 35
