"""The contour integral in doubles: its sums, its bounds, and answers by other routes."""

import random
from fractions import Fraction
from types import SimpleNamespace

import flint
import numpy as np
import pytest
import sympy as sp

from lapdp import gaussian, poisson
from lapdp.accounting.delta_rules import in_doubles
from lapdp.accounting.inversion import contour, machine, machine_lines
from lapdp.accounting.moments.doubled import (
    DOUBLE,
    GROUP,
    _in_doubles,
    _times,
    joined,
    powered,
    summed,
    turns,
    wider,
)
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.seeds import Seeds
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def sampled(sigma, rate, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction)


def ball(x):
    """An exact number of 64 bits as a ball."""
    high = complex(x)
    return flint.acb(high) + flint.acb(complex(x - high))


FORMATS = [form for form in (DOUBLE, wider()) if form is not None]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("count", [1, 2, 3, 700, 4096])
def test_sums_on_a_grid_lie_within_their_bounds(form, count):
    rng = random.Random(0)
    with workprec(200):
        pairs = [(flint.acb(rng.uniform(0, 1), rng.uniform(-1, 1)).mid(),
                  flint.acb(rng.uniform(-3, 9), rng.uniform(0, 1) ** 4)) for _ in range(37)]
        # a loss that turns hardly at all, and one that falls at once
        pairs += [(flint.acb("0.25"), flint.acb("1e-12")), (flint.acb("0.5"), flint.acb(1, 500))]
        step = flint.arb("0.01")
        numbers = [(flint.acb(0, 1) * step * log).exp() for _, log in pairs]
        weights = np.array([complex(w) for w, _ in pairs])
        found = summed(weights, abs(weights) * (1 + 1e-15), Seeds(numbers), count, form)
        for j in sorted({0, 1, 3, 63, 64, 65, 400, count // 2, count - 1}):
            if j >= count:
                continue
            exact = sum((w * (z**j - 1) for (w, _), z in zip(pairs, numbers, strict=True)),
                        flint.acb(0))
            off = abs(exact - ball(found.less[j])).upper()
            assert off <= found.error[j]
        assert (found.error < 1e-12 * abs(weights).sum() * form.unit / DOUBLE.unit).all()


@pytest.mark.parametrize("size", [1.0, 1e-200, 3e30])
def test_products_of_longer_numbers_by_doubles_lie_within_their_bound(size):
    rng = random.Random(1)

    def matrix(rows, columns, size):
        # whole numbers of 64 bits, some as large as there are, some far smaller
        entries = [[(rng.choice((2**64 - 1, -2**64 + 1, rng.randrange(-2**64, 2**64))) >> (
            rng.choice((0, 0, 1, 30, 63)))) for _ in range(columns)] for _ in range(rows)]
        numbers = [[np.longdouble(size) * (np.longdouble(x >> 32) * 2**32 + np.longdouble(
            x & 0xffffffff)) / np.longdouble(2)**64 for x in row] for row in entries]
        return np.array(numbers), [[exact(x) for x in row] for row in numbers]

    def exact(x):
        mantissa, power = np.frexp(x)
        high = float(mantissa)
        return (Fraction(high) + Fraction(float(mantissa - high))) * Fraction(2) ** int(power)

    one, a = matrix(7, GROUP, size)
    two, b = matrix(GROUP, 5, 1.0)
    found = _times(_in_doubles(one), _in_doubles(two))
    largest = max(abs(x) for row in a for x in row) * max(abs(x) for row in b for x in row)
    for i in range(7):
        for j in range(5):
            there = sum(a[i][k] * b[k][j] for k in range(GROUP))
            off = abs(exact(found[i, j]) - there)
            assert off <= largest / 2**66 + 2 * abs(there) / 2**64


@pytest.mark.parametrize("form", FORMATS)
def test_what_the_nodes_leave_out_is_counted_at_both_heights(form):
    # E_q = S_q + d_q where |d_q| <= left: at the line's foot and above it, the worst of either sign
    with workprec(160):
        pairs = [(flint.acb(flint.arb(w) / 7), flint.acb(log)) for w, log in (
            (3, "0.5"), (2, "-1.25"), (1, "2.75"), (1, "0.125"))]
        step, count, left = flint.arb("0.25"), 40, flint.arb(2) ** -45
        sums = [sum((w * (flint.acb(0, step * j) * log).exp() for w, log in pairs), flint.acb(0))
                for j in range(count)]
        line = SimpleNamespace(
            nodes=SimpleNamespace(pairs=pairs, total=lambda: sums[0]), left_out=left,
            mean=sums[0].real, ripple=flint.arb(0), shift=flint.arb(1))
        seeded = machine_lines.Seeded.of(line, 1, float(step.mid()))
        less, errors = seeded.moments(float(step.mid()), count, form)
        share = 0.0
        for foot in (left, -left):
            for j in range(1, count):
                # turned against the sum: then both errors add up
                at = -foot * sums[j] / abs(sums[j])
                off = abs((sums[j] + at) / (sums[0] + foot) - 1 - ball(less[j])).upper()
                assert off <= errors[j]
                share = max(share, float(off / errors[j]))
        assert share > 0.8      # so the bound is not a loose one


def test_squares_of_pairs_lie_within_their_bounds():
    rng = random.Random(1)
    with workprec(400):
        numbers = [flint.acb(0, rng.uniform(-3, 3)).exp() for _ in range(50)]
        numbers += [flint.acb(-(2.0**-k), 2.0 ** -rng.randint(1, 90)).exp() for k in range(40)]
        seeds = Seeds([z + flint.acb(flint.arb(0, 2.0**-120), 0) for z in numbers])
        for p in range(31):
            (a, b), (c, d) = seeds.level(p)
            for k, z in enumerate(numbers):
                exact = z ** (1 << p) - 1
                found = flint.acb(flint.arb(a[k]) + b[k], flint.arb(c[k]) + d[k])
                assert abs(exact - found).upper() <= 2.0 ** (p - 95)
            for form in FORMATS:
                found, beside = seeds.rounded(p, form.complex)
                for k, z in enumerate(numbers):
                    exact = z ** (1 << p) - 1
                    assert abs(exact - ball(found[k])).upper() <= form.unit * abs(
                        complex(found[k])) + 2 * beside
    with pytest.raises(Unsupported, match="twice the double precision"):
        Seeds([flint.acb(flint.arb(0.5, 1e-20), 0)])


def test_powers_and_turns_lie_within_their_bounds():
    x = np.array([1e-9 - 3e-8j, -0.5 + 0.3j, -1 + 1e-3j])
    with workprec(200):
        for count in (1, 2, 7, 100):
            found, off = powered(x, np.full(3, 1e-17), count)
            for one, value, slip in zip(x, found, off, strict=True):
                exact = (1 + flint.acb(complex(one))) ** count - 1
                assert abs(exact - flint.acb(complex(value))).upper() < slip
                # the error that the number itself has is counted
                assert slip > count * 1e-17 * abs(1 + one) ** (count - 1) / 2
        both, off = joined(x[0], 0.0, x[1], 0.0)
        exact = (1 + flint.acb(complex(x[0]))) * (1 + flint.acb(complex(x[1]))) - 1
        assert abs(exact - flint.acb(complex(both))).upper() < off
        z = flint.acb(0, flint.arb("-0.7")).exp()
        found = turns(z, 1000)
        assert max(abs(z**j - flint.acb(complex(found[j]))).upper() for j in (1, 31, 32, 999)
                   ) < 6 * 2.0**-53


@pytest.mark.parametrize(("sigma", "rate", "direction", "eps"), [
    (1, "0.2", "remove", "1.5"), (1, "0.2", "add", "0.05"), (2, "0.3", "remove", "0.2"),
    ("1.5", "0.4", "remove", "0.3"),
    ("2.259", "0.6726", "add", "0.8388"), ("3.932", "0.3039", "remove", "0.6538")])
def test_one_release_has_its_closed_form(sigma, rate, direction, eps):
    pair = sampled(sigma, rate, direction)
    exact = pair.delta(eps, digits=25, method="closed form").enclosure.ball()
    with workprec(machine.BITS):
        point = flint.arb(flint.fmpq(*Fraction(eps).as_integer_ratio()))
        found = machine.delta(releases(pair), point, 12)
        assert found.overlaps(exact) and found.rel_accuracy_bits() > 20


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(1, "0.1") ** 10, "5"), (sampled(1, "0.1", "add") ** 10, "0.6"),
    (sampled(1, "0.05") ** 7 * sampled("1.5", "0.02") ** 20, "0.7"),
    (sampled(1, "0.01") ** 50, "0.5"), (sampled(1, "0.1") ** 10, "-0.05")])
def test_balls_agree(pair, eps):
    quick = in_doubles(pair, releases(pair), sp.Rational(eps), "machine")(12)
    sure = pair.delta(eps, digits=16)
    assert not sure.assumes
    assert abs(quick.value - sure.value) <= quick.radius + sure.radius
    assert quick.radius <= quick.value / 10**12


def test_rare_releases_take_their_first_nodes_in_longer_numbers(monkeypatch):
    pair = sampled(1, "0.01") ** 20
    factors = releases(pair)
    with workprec(machine.BITS):
        eps = flint.arb("0.4")
        rough, sharp = (machine.delta(factors, eps, digits) for digits in (3, 12))
        monkeypatch.setattr(machine, "wider", lambda: None)
        balls = machine.delta(factors, eps, 12)
    sure = pair.delta("0.4", digits=16).enclosure.ball()
    assert sharp.rel_accuracy_bits() > 40 > rough.rel_accuracy_bits()
    assert balls.rel_accuracy_bits() > 36
    assert all(found.overlaps(sure) for found in (rough, sharp, balls))


def test_five_unlike_rare_releases_are_reached_in_doubles():
    pair = sampled(1, "0.01")
    for sigma in ("1.2", "1.4", "1.6", "1.8"):
        pair = pair * sampled(sigma, "0.01")
    quick, sure = pair.delta("0.5", digits=12), pair.delta("0.5", digits=16)
    assert (quick.method, sure.method) == ("contour integral in doubles", "contour integral")
    assert abs(quick.value - sure.value) <= quick.radius + sure.radius


def test_hardly_any_leak_is_no_foreign_error():
    one = sampled(100, "1/1000000")
    with pytest.raises(Unsupported), workprec(300):
        machine.delta(releases(one ** 100), flint.arb(1), 10)
    # another method says it: more than one release does, and not more than the bound by moments
    found = (one ** 100).delta(1, digits=10)
    assert one.delta(1, digits=10).upper < found.lower
    with workprec(300):
        assert found.enclosure.ball() < contour.below(
            releases(one ** 100), flint.arb(1), 100.0 * 1436).upper()


def test_few_rare_releases_take_a_line_with_a_short_period(monkeypatch):
    pair, counts = poisson(gaussian(1), "1/100", direction="remove") ** 10, []
    made = machine._table

    def told(factors, gamma, period, count):
        counts.append((gamma, count))
        return made(factors, gamma, period, count)

    monkeypatch.setattr(machine, "_table", told)
    eps = sp.Rational(38, 100)
    found = pair.delta(eps, digits=12)
    monkeypatch.setattr(machine, "MANY", 10**9)
    other = (poisson(gaussian(1), "1/100", direction="remove") ** 10).delta(eps, digits=12)
    (gamma, few), (saddle, many) = counts
    assert found.method == other.method == "contour integral in doubles"
    assert 1 < gamma < saddle and 2 * few < many
    # thirteen digits and more are for balls
    there = pair.delta(eps, digits=20)
    for one in (found, other):
        assert one.lower <= there.lower and there.upper <= one.upper
