"""Sums over counts of losses on no lattice, against exact sums of integers."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import pytest
import sympy as sp
from mpmath import mp

from lapdp import discrete_gaussian, finite, laplace, randomized_response
from lapdp.accounting.inversion import counts
from lapdp.accounting.inversion.counts import _largest
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from tests.effort import calls_at_most

THREE = (["1/2", "1/4", "1/4"], ["1/4", "3/16", "9/16"])
FOUR = (["1/2", "1/4", "1/8", "1/8"], ["1/4", "3/16", "5/16", "1/4"])
LEAKING = (["1/10", "1/5", "3/10", "2/5", "0"], ["0", "2/5", "1/5", "3/10", "1/10"])


def multinomial(p, q, count, alpha):
    """delta at log(alpha), in whole numbers over a common denominator."""
    a, b = [[Fraction(x) for x in side] for side in (p, q)]
    unit = math.lcm(*(x.denominator for x in (*a, *b)))
    rows = [(int(x * unit), int(y * unit)) for x, y in zip(a, b, strict=True)]
    total = [0]

    def walk(level, left, mass, other):
        x, y = rows[level]
        if level == len(rows) - 1:
            gain = mass * x**left * alpha.denominator - other * y**left * alpha.numerator
            total[0] += max(0, gain)
            return
        for n in range(left + 1):
            ways = math.comb(left, n)
            walk(level + 1, left - n, mass * ways * x**n, other * ways * y**n)

    walk(0, count, 1, 1)
    return Fraction(total[0], alpha.denominator * unit**count)


@pytest.mark.parametrize(("sides", "count"), [(THREE, 25), (THREE, 180), (FOUR, 20), (LEAKING, 12)])
@pytest.mark.parametrize("alpha", ["1", "3/2", "1000", "123456789", "1/3"])
def test_powers_exactly(sides, count, alpha):
    alpha = Fraction(alpha)
    found = (finite(*sides) ** count).delta(sp.log(sp.Rational(alpha.numerator, alpha.denominator)))
    expected = multinomial(*sides, count, alpha)
    assert abs(found.value - expected) <= found.radius
    assert found.radius <= expected / 10**15
    # beyond the largest loss every rule knows the answer
    assert found.method == "sum over counts" or sides == LEAKING or alpha > 2**count


def by_rule(pair, eps, bits=60):
    with flint.ctx.workprec(bits + 40):
        return counts.delta(releases(pair), flint.arb(eps), bits)


@pytest.mark.parametrize("eps", [0, 3, 40, 75])
def test_products_against_all_sums_met_in_the_middle(eps):
    pair = (randomized_response(sp.log(2), "1/1000") ** 90 * randomized_response("1/3") ** 60
            * finite(*THREE) ** 2)
    found = by_rule(pair, eps)
    assert found.rel_accuracy_bits() > 50
    lost = 1 - sp.Rational(999, 1000) ** 90
    other = pair.profile.at(eps, 25).ball() - flint.arb(flint.fmpq(int(lost.p), int(lost.q)))
    assert found.overlaps(other)


def test_one_lattice_by_the_other_rule():
    """Where losses lie on a lattice the sum around the circle knows the answer."""
    pair = finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]) ** 200
    for eps in (0, 20, 170, 219):
        assert by_rule(pair, eps).overlaps(pair.delta(eps, 17).enclosure.ball())


def test_a_thousand_copies_are_no_effort():
    for eps in (220, 400, 600):
        with calls_at_most(10**7):
            found = (finite(*THREE) ** 1000).delta(eps)
        assert found.method == "sum over counts"
        assert found.radius <= found.value / 10**15


def test_large_sums_are_refused_at_once():
    with calls_at_most(10**7), pytest.raises(Unsupported, match="sum over counts of losses"):
        (finite(*THREE) ** 10**6).delta(210000, digits=15)
    with pytest.raises(Unsupported, match="no finite number of atoms"):
        by_rule(laplace(1) ** 10, 1)


@pytest.mark.parametrize("share", ["1/1000", "1/3", "1/2", "99/100"])
@pytest.mark.parametrize("count", [0, 1, 7, 60])
@pytest.mark.parametrize("goal", [0.1, 3.0, 40.0])
def test_what_is_beyond_a_window(share, count, goal):
    """The tail exactly, and no window that is far too large."""
    p = Fraction(share)
    found = _largest(count, flint.arb(flint.fmpq(p.numerator, p.denominator)), goal)

    def beyond(n):
        return sum((math.comb(count, j) * p**j * (1 - p) ** (count - j)
                    for j in range(n + 1, count + 1)), Fraction(0))

    assert beyond(found) <= Fraction(math.exp(-goal)) or found == count
    assert found <= count
    if 0 < found - 3 > count * p:
        assert beyond(found - 3) > Fraction(math.exp(-goal)) / count**2 / 10


@pytest.mark.parametrize("eps", [-4, 0, 3, 9])
def test_discrete_gaussians_beside_other_atoms(eps):
    """Given the other losses, what is left is the profile of the discrete Gaussians, moved."""
    noise = discrete_gaussian(2) ** 5
    pair = noise * randomized_response(sp.log(2), "1/10") ** 2 * finite(*THREE)
    found = pair.delta(eps, digits=15)
    assert found.method in ("sum over places of a lattice", "contour integral on windows",
                            "sum over counts", "profile given that losses are finite")
    rows = [(sp.log(sp.Rational(p) / sp.Rational(q)), sp.Rational(p))
            for p, q in zip(*THREE, strict=True)]
    with flint.ctx.workprec(120):
        expected = flint.arb(flint.fmpq(19, 100))
        for z, p in rows:
            for times, share in ((2, "36/100"), (0, "36/100"), (-2, "9/100")):
                left = sp.expand_log(eps - z - times * sp.log(2))
                mass = p * sp.Rational(share)
                expected += (flint.arb(flint.fmpq(int(mass.p), int(mass.q)))
                             * noise.profile.at(left, 25).ball())
        assert found.enclosure.ball().overlaps(expected)
        assert found.radius < found.value / 10**15


def test_discrete_gaussians_on_no_common_lattice():
    """All outcomes, one by one: the sum of nine on one lattice, one on the other."""
    found = (discrete_gaussian(2) ** 9 * discrete_gaussian(2 ** sp.Rational(1, 4))).delta(3)

    def masses(square, reach):
        weights = {x: mp.exp(-mp.mpf(x * x) / (2 * square)) for x in range(-reach, reach + 1)}
        return {x: w / mp.fsum(weights.values()) for x, w in weights.items()}

    with mp.workdps(40):
        total = {0: mp.mpf(1)}
        for _ in range(9):
            after = {}
            for s, w in total.items():
                for x, v in masses(4, 30).items():
                    after[s + x] = after.get(s + x, 0) + w * v
            total = after
        root = mp.sqrt(2)
        expected = mp.fsum(
            w * v * (1 - mp.exp(3 - loss)) for s, w in total.items() for x, v in masses(
                root, 25).items() if (loss := mp.mpf(9 - 2 * s) / 8 + (1 - 2 * x) / (2 * root)) > 3)
        assert abs(mp.mpf(str(found.value)) - expected) <= mp.mpf(str(found.radius))
