"""Integrals on windows beside other lattices, where moments come back together."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import accumulate

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.inversion import returns, windows
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.rings import AtomRing
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS, SURE = 18, 8
"""Here lattices are short: few bits are seen beside the next windows."""


def ball(x):
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def number(x):
    return mp.mpf(x.numerator) / x.denominator


def responses(odds, copies):
    """Places and P-masses of many responses with such odds, one after another."""
    with mp.workdps(60):
        high, log = number(odds / (1 + odds)), mp.log(number(odds))
        mass, found = (1 - high) ** copies, []
        for y in range(copies + 1):
            found.append(((2 * y - copies) * log, mass))
            mass *= high / (1 - high) * (copies - y) / (y + 1)
        return found


def normals(deviation, copies):
    """The same for discrete Gaussian noise: whole numbers with the weights of each release, added
    up one release after another."""
    with mp.workdps(60):
        one = {-x: mp.exp(-mp.mpf(x * x) / (2 * deviation**2))
               for x in range(-12 * deviation, 12 * deviation + 1)}
        whole = mp.fsum(one.values())
        law = {0: mp.mpf(1)}
        for _ in range(copies):
            new = {}
            for x, p in law.items():
                for y, q in one.items():
                    new[x + y] = new.get(x + y, 0) + p * q / whole
            law = new
        return [((x + mp.mpf(copies) / 2) / deviation**2, p) for x, p in sorted(law.items())]


def delta_of_two(one, other, eps):
    """The sum over the places of one law of the tail of the other, from sums of its masses."""
    with mp.workdps(60):
        places = [z for z, _ in other]
        above = list(accumulate(reversed([p for _, p in other]), initial=mp.mpf(0)))[::-1]
        below = list(accumulate(reversed([p * mp.exp(-z) for z, p in other]),
                                initial=mp.mpf(0)))[::-1]
        total, i = mp.mpf(0), len(places)
        for z, p in one:
            while i and places[i - 1] > number(eps) - z:
                i -= 1
            total += p * (above[i] - mp.exp(number(eps) - z) * below[i])
        return total


def by_every_way(pair, eps):
    """What each lattice says that reaches so far."""
    factors, found = releases(pair), []
    with workprec(400):
        point = ball(eps)
    for way in windows.ways(factors):
        try:
            with workprec(BITS + 30):
                found.append((way, windows._by(way, point, BITS, (200, 20_000))))
        except Unsupported:
            continue
    return found


def holds(found, value):
    with mp.workdps(60), workprec(300):
        low, high = (mp.mpf(x.str(60, radius=False)) for x in (found.lower(), found.upper()))
        assert low <= value <= high, (found, value)
        assert high - low < value * mp.mpf(2) ** -SURE


@pytest.mark.parametrize("seed", range(16))
def test_two_lattices_of_many_places(seed):
    draw = random.Random(seed)
    odds = [1 + Fraction(draw.randint(1, 99), draw.choice((100, 500, 2000, 10**4)))
            for _ in range(2)]
    copies = [draw.randint(300, 3000) for _ in range(2)]
    pair = randomized_response(sp.log(sp.Rational(odds[0]))) ** copies[0] * randomized_response(
        sp.log(sp.Rational(odds[1]))) ** copies[1]
    laws = [responses(x, k) for x, k in zip(odds, copies, strict=True)]
    spread = sum(float(k * mp.log(number(x)) ** 2) for x, k in zip(odds, copies, strict=True))
    mean = sum(float(k * mp.log(number(x)) ** 2 / 2) for x, k in zip(odds, copies, strict=True))
    eps = Fraction(max(0.01, mean + draw.choice((-2, 0, 1, 4, 9)) * spread**0.5)
                   ).limit_denominator(100)
    value = delta_of_two(*laws, eps)
    together = 0
    for way, found in by_every_way(pair, eps):
        holds(found, value)
        together += bool(way.lattices)
    assert together or value > 0.99


@pytest.mark.parametrize(("deviation", "eps"), [(3, Fraction(3)), (2, Fraction(1, 2)),
                                                (5, Fraction(5)), (4, Fraction(33, 7))])
def test_a_discrete_gaussian_beside_many_responses(deviation, eps):
    """Their step is far shorter than that of the noise: the first time all comes back is late."""
    odds, copies = Fraction(1001, 1000), 2500
    pair = discrete_gaussian(deviation) ** 8 * randomized_response(
        sp.log(sp.Rational(odds))) ** copies
    value = delta_of_two(normals(deviation, 8), responses(odds, copies), eps)
    reached = by_every_way(pair, eps)
    for _, found in reached:
        holds(found, value)
    assert any(way.lattices for way, _ in reached)


@pytest.mark.parametrize("eps", [501000, 504000, 507000])
def test_three_laws(eps):
    """Many discrete Gaussians are as good as Gaussians where others blur their places."""
    others = (poisson(laplace(1), "1/10", direction="add")
              * poisson(randomized_response("1/100"), "1/100", direction="add") ** 10**9)
    found = [x for way, x in by_every_way(discrete_gaussian(1) ** 10**6 * others, Fraction(eps))
             if way.lattices]
    plain = (gaussian(1) ** 10**6 * others).delta(eps, digits=8)
    assert found
    assert all(abs(float(x) / float(plain) - 1) < 1e-4 for x in found)


@pytest.mark.parametrize("seed", range(40))
def test_first_returns(seed):
    """Not later than the first number that brings an angle back, and nearly there."""
    draw = random.Random(seed)
    a = Fraction(draw.randint(1, 10**6), draw.randint(1, 3000))
    w = Fraction(draw.randint(1, 10**4), draw.choice((2 * 10**4, 10**5, 10**6, 10**7)))

    def far(m):
        return abs(m * a - round(m * a))

    first = next(m for m in range(1, a.denominator + 1) if far(m) <= 2 * w)
    with workprec(300):
        found = returns.first_return(ball(a), ball(w))
    assert found <= first
    assert found == first or far(found) <= 2 * w * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("seed", range(12))
def test_live_windows_and_what_is_beyond(seed):
    """All windows on which the angle is near to a whole turn are live, and their sum is bounded."""
    draw = random.Random(100 + seed)
    a = Fraction(draw.randint(1, 10**5), draw.randint(1, 2000))
    ring = AtomRing({0: flint.arb("0.4"), 1: flint.arb("0.6")})
    copies, goal = 10 ** draw.randint(3, 6), 20.0
    with workprec(200):
        found = returns.returns([([(ring, copies)], ball(a))], ball(Fraction(1, 10**4)), goal, 50)
        near = 0.0
        for m in range(1, 8_000):
            angle = float(m * a - round(m * a)) * 2 * 3.141592653589793
            loud = 0.5 * copies * mp.log(abs(0.4 + 0.6 * mp.exp(1j * angle)) ** 2) > -goal
            if m <= found.known:
                assert not loud or m in found.live
            if loud and m > (found.live[2] if len(found.live) > 2 else found.known):
                near += 1 / (m - 0.5) ** 2
        assert near <= float(found.beyond(3 if len(found.live) > 2 else len(found.live)))
