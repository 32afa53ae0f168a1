"""Sums around a circle for losses on a lattice, against exact and other sums."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import finite, geometric, kary_response, outcomes, poisson, randomized_response
from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.saddle import saddle, shorter
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.rings import AtomRing, least_angle
from lapdp.core.errors import Unsupported
from tests.effort import calls_at_most


def law(pair):
    """(loss, P-mass, Q-mass) of each outcome of finite loss, and what is lost, in mpmath."""
    kind, rows = pair.numeric_pair({})
    assert kind == "finite"
    return [(mp.log(p / q), p, q) for p, q in rows if p and q], sum(p for p, q in rows if not q)


def by_convolution(parts, eps):
    """delta of a product by convolving the laws of losses, merged to 30 decimals, in mpmath."""
    total, kept = {mp.mpf(0): (mp.mpf(1), mp.mpf(0))}, mp.mpf(1)
    total = {0: (mp.mpf(0), mp.mpf(1), mp.mpf(1))}
    for pair, count in parts:
        rows, lost = law(pair)
        kept *= (1 - lost) ** count
        for _ in range(count):
            found = {}
            for z, p, q in total.values():
                for y, a, b in rows:
                    key = int(mp.nint((z + y) * mp.mpf(10) ** 30))
                    _, s, t = found.get(key, (0, mp.mpf(0), mp.mpf(0)))
                    found[key] = (z + y, s + p * a, t + q * b)
            total = found
    e = mp.mpf(Fraction(eps).numerator) / Fraction(eps).denominator
    return 1 - kept + sum(max(mp.mpf(0), p - mp.exp(e) * q) for _, p, q in total.values())


@pytest.mark.parametrize("parts", [
    [(randomized_response("1/3", "1/100"), 20), (randomized_response("1/7"), 25)],
    [(geometric("3/2", 3), 12), (randomized_response("2/9"), 9)],
    [(kary_response(5, "1/2"), 30)],
    [(outcomes({"a": ("1/2", "1/4"), "b": ("1/4", "1/4"), "c": ("1/4", "1/2")}), 14)],
    [(geometric(2, 7), 11)],
    [(geometric("1/10", 2), 10), (kary_response(4, 3), 3)]])
@pytest.mark.parametrize("share", ["0", "1/10", "1/2", "9/10"])
def test_products_by_convolution(parts, share):
    whole = math.prod((pair**count for pair, count in parts[1:]), start=parts[0][0] ** parts[0][1])
    with mp.workdps(60):
        top = sum(count * max(z for z, _, _ in law(pair)[0]) for pair, count in parts)
        eps = Fraction(int(top * 1000 * Fraction(share)), 1000)
        expected = by_convolution(parts, eps)
        found = whole.delta(sp.Rational(eps.numerator, eps.denominator))
        assert found.method == "lattice sum"
        assert abs(mp.mpf(found.enclosure.middle.numerator) / found.enclosure.middle.denominator
                   - expected) <= mp.mpf(float(found.enclosure.radius)) * (1 + mp.mpf(10) ** -12)
        assert found.enclosure.radius <= abs(found.enclosure.middle) / 10**15


@pytest.mark.parametrize(("eps", "count", "level"), [
    ("1/10", 10**6, "5100"), ("1/10", 10**6, "20000"), ("1/1000", 10**9, "1000"),
    ("1/10000", 10**9, "40"), ("3", 1000, "2990")])
def test_many_copies_by_binomial_tails(eps, count, level):
    """The binomial sum adds its terms one by one: another algorithm."""
    pair = randomized_response(eps) ** count
    found = by_the_circle(pair, level)
    assert found.overlaps(pair.profile.at(level, 18).ball())
    assert found.rel_accuracy_bits() > 50


def by_the_circle(pair, eps):
    """The sum, whatever else the planner would take first."""
    with flint.ctx.workprec(120):
        point = sp.Rational(eps)
        return lattice.delta(releases(pair), flint.arb(flint.fmpq(int(point.p), int(point.q))), 60)


def test_a_trillion_copies_are_nearly_normal():
    """z = k kappa' + sqrt(k) sigma n up to the Berry-Esseen error 0.5/sqrt(k)."""
    count, eps = 10**12, mp.mpf("1e-6")
    with calls_at_most(10**7):
        found = float(by_the_circle(randomized_response("1e-6") ** count, 1))
    mean, spread = count * eps * mp.tanh(eps / 2), mp.sqrt(count) * eps / mp.cosh(eps / 2)
    assert abs(mean - spread**2 / 2) < 1e-9
    normal = mp.ncdf((mean - 1) / spread) - mp.e * mp.ncdf((mean - 1) / spread - spread)
    assert abs(found - normal) < 2e-6


def test_little_work_for_every_number_of_copies():
    for count in (10, 10**3, 10**6, 10**9):
        pair = randomized_response("0.1", "1e-8") ** count
        by_the_circle(pair, count // 200)
        with calls_at_most(10**7):
            by_the_circle(pair, sp.Rational(count, 190))


def test_a_sum_that_decays_nowhere_is_refused_at_once():
    """A fine lattice and a coarse one: the coarse one alone decides, at a quadrillion places."""
    pair = (randomized_response("1e-12") * randomized_response(1)) ** 1000
    with (calls_at_most(10**7), pytest.raises(Unsupported, match="terms of the sum count"),
          flint.ctx.workprec(100)):
        lattice.delta(releases(pair), flint.arb(20), 60)


@pytest.mark.parametrize("turn", [7, 12, 100])
def test_least_angles(turn):
    for first in range(-turn, 2 * turn):
        for last in range(first, first + turn // 2 + 2):
            points = [abs(x - turn * n) for x in range(first, last + 1) for n in range(-3, 5)]
            assert least_angle(first, last, turn) == min(points)


@pytest.mark.parametrize("masses", [{0: 1, 1: 3}, {-4: 2, 0: 1, 3: 5}, {n: n + 1 for n in range(9)},
                                    {0: 1, 5: 1}, {3: 2}])
def test_bounds_of_arcs_hold_at_every_node(masses):
    ring, turn = AtomRing({n: flint.arb(p) for n, p in masses.items()}), 60
    total = sum(masses.values())
    values = []
    for j in range(turn):
        exact = sum(p * mp.expjpi(mp.mpf(2 * j * (n - ring.lowest)) / turn)
                    for n, p in masses.items()) / total
        found = ring.at(j, turn)
        assert abs(float(found.real.mid()) - exact.real) < 1e-12
        assert abs(float(found.imag.mid()) - exact.imag) < 1e-12
        values.append(abs(exact))
    for first in range(0, 31):
        for last in range(first, 31):
            fall = ring.fall(first, last, turn)
            largest = max(values[first:last + 1])
            assert fall.lower() <= (-mp.log(largest) if largest > 0 else 100) + 1e-12


@pytest.mark.parametrize("goal", [5.0, 40.0])
def test_nodes_left_out_are_below_their_bound(goal):
    """The circle of a product of two lattices, node by node."""
    rings = [(AtomRing({0: flint.arb(1), 3: flint.arb(2)}), 40),
             (AtomRing({0: flint.arb(3), 5: flint.arb(1)}), 60)]
    nodes = 2000
    kept, rest = live(rings, nodes, goal)
    assert kept == sorted(set(kept)) and kept[0] == 0 and len(kept) < nodes // 2 - 200
    left = flint.arb(0)
    for j in set(range(nodes // 2 + 1)) - set(kept):
        left += 2 * math.prod(abs(ring.at(j, nodes)) ** k for ring, k in rings)
    assert left < rest < flint.arb(-goal).exp() * nodes


def test_what_nobody_can_write_is_bounded_at_once():
    """2^-72183343403595 beside a leak, and beyond the reversal law."""
    with calls_at_most(10**7):
        many = randomized_response("1e-4") ** 10**16
        assert float(many.delta(-(10**11)).enclosure) == 1
        leaking = randomized_response("1e-4", "1e-20") ** 10**16
        assert leaking.delta(10**11).enclosure.compare(leaking.profile.at(10**12)) is None
        with pytest.raises(Unsupported, match="too small to be written"):
            many.delta(10**11)


@pytest.mark.parametrize("pair", [
    randomized_response(sp.log(2)), randomized_response(sp.log(2), "1/9") ** 20,
    kary_response(60, "51/20"), geometric("189/100000", 29)])
def test_next_to_the_largest_loss_and_far_below_zero(pair):
    """The double next to the end, and points where nearly all losses exceed eps."""
    factors = releases(pair)
    top = sp.Rational(float(factors.largest().to_sympy().evalf(30)))
    for eps in (top, top - sp.Rational(1, 10**17), top - sp.Rational(1, 10**9), -60, -3000):
        with flint.ctx.workprec(100):
            ball = flint.arb(flint.fmpq(int(sp.Rational(eps).p), int(sp.Rational(eps).q)))
            found = lattice.delta(factors, ball, 60) + 1 - factors.finite_mass()
            assert not found.is_finite() or found.overlaps(pair.profile.at(eps, 20).ball())
        if eps < 0:
            assert found.rel_accuracy_bits() > 50


@pytest.mark.parametrize("eps", ["0", "1/3", "2", "5", "12", "34"])
@pytest.mark.parametrize("leak", ["0", "1/50"])
def test_numbers_that_are_not_small_need_few_nodes(eps, leak):
    """On every line the period is some standard deviations of the loss."""
    pair = randomized_response("1/10", leak) ** 350 * geometric("1/5", 2) ** 9
    factors = releases(pair)
    point = sp.Rational(eps)
    chosen = shorter(factors, float(point), saddle(factors, float(point), 60 * math.log(2)),
                     60 * math.log(2))
    assert chosen.period * chosen.width < 16
    assert chosen.inner < 0 or chosen.gamma > chosen.inner >= 1
    with flint.ctx.workprec(120):
        found = lattice.delta(factors, flint.arb(flint.fmpq(int(point.p), int(point.q))), 60)
        found += 1 - factors.finite_mass()
        assert found.rel_accuracy_bits() > 55
        assert found.overlaps(pair.profile.at(point, 25).ball())


def test_one_sided_masses_on_both_sides():
    """P-mass and Q-mass of the finite losses differ, as what is taken off the aliases does."""
    p, q = ["1/8", "1/4", "1/8", "1/2", "0"], ["1/2", "1/4", "1/32", "0", "7/32"]
    pair = finite(p, q) ** 9
    for power in range(-9, 10):
        alpha = Fraction(2) ** power * Fraction(7, 6)
        exact = Fraction(0)
        for i in range(10):
            for j in range(10 - i):
                n = (i, j, 9 - i - j)
                ways = math.factorial(9) // math.prod(math.factorial(x) for x in n)
                a, b = (math.prod(Fraction(m) ** x for m, x in zip(side[:3], n, strict=True))
                        for side in (p, q))
                exact += ways * max(Fraction(0), a - alpha * b)
        exact += 1 - Fraction(1, 2) ** 9
        found = pair.delta(sp.log(sp.Rational(alpha.numerator, alpha.denominator)), 25)
        assert abs(found.value - exact) <= found.radius <= exact / 10**25


def test_a_leak_and_losses_beyond_a_million():
    """What leaks does not hide what else there is, nor send the planner elsewhere."""
    found = (randomized_response("0.1", "1e-8") ** 10**9).delta(5 * 10**6)
    assert found.method == "closed form" and found.radius < Fraction(1, 10**15)
    assert abs(found.value - Fraction("0.9999588543993817")) <= Fraction(1, 10**15)


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_responses_sampled_at_one_half_share_the_lattice_of_others(direction):
    """log((1 + e^a)/2) and log((1 + e^-a)/2) are a apart."""
    first, second = randomized_response("1/5"), poisson(randomized_response("1/10"), "1/2",
                                                        direction=direction)
    found = lattice.lattice(releases(first**10**6 * second**10**9))
    assert found is not None and str(found[1]) == "1/10"
    pair = first**4 * second**5
    with mp.workdps(40):
        # from the definition, outcome by outcome
        odds, more = ([mp.e ** x / (1 + mp.e ** x), 1 / (1 + mp.e ** x)]
                      for x in (mp.mpf(1) / 5, mp.mpf(1) / 10))
        half = [(x + y) / 2 for x, y in zip(more, reversed(more), strict=True)]
        mixed, other = (half, list(reversed(more))) if direction == "remove" else (more, half)
        total = mp.mpf(0)
        for i, j in product(range(5), range(6)):
            ways = math.comb(4, i) * math.comb(5, j)
            p = odds[0]**i * odds[1]**(4 - i) * mixed[0]**j * mixed[1]**(5 - j)
            q = odds[1]**i * odds[0]**(4 - i) * other[0]**j * other[1]**(5 - j)
            total += ways * max(mp.mpf(0), p - mp.e ** mp.mpf("0.25") * q)
        ball = lattice.delta(releases(pair), flint.arb("0.25"), 80)
        assert abs(mp.mpf(ball.mid().str(30, radius=False)) - total) < mp.mpf(10) ** -20
