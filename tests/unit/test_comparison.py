"""The sign of a difference of profiles, against mpmath and a second route over losses."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import exponential, finite, geometric, laplace, randomized_response, staircase
from lapdp.privacy.comparison import exact_signs

half = sp.Rational(1, 2)
PAIRS = [
    randomized_response(1), randomized_response(half, "1/100"), laplace(1), laplace(2) ** 2,
    laplace(1) * randomized_response(half), geometric(half, 3), staircase(1), exponential(1, 2),
    exponential(1, 2).reverse(), finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]),
    finite(["1/2", "1/2"], [1, 0]), finite([1], [1]),
]


def by_definition(pair, t):
    """sup over events of P - e^t Q: the positive part of p - e^t q, summed or integrated."""
    if pair == laplace(2) ** 2:
        return with_laplace(mp.mpf(1) / 2, lambda u: one_laplace(mp.mpf(1) / 2, u), t)
    if pair == laplace(1) * randomized_response(half):
        return with_laplace(mp.mpf(1), lambda u: by_definition(randomized_response(half), u), t)
    kind, *data = pair.numeric_pair({})
    if kind == "finite":
        return mp.fsum(max(mp.mpf(0), number(p) - mp.exp(t) * number(q)) for p, q in data[0])
    p, q, (low, high), kinks = data
    low, high = max(low, -60), min(high, 60)
    ends = sorted({low, *kinks, *cut_points(p, q, t, low, high), high})
    return mp.quad(lambda x: max(mp.mpf(0), p(x) - mp.exp(t) * q(x)), ends)


def number(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def one_laplace(a, t):
    """P(x < c) - e^t Q(x < c) at c = (a - t)/2 between the centres 0 and a."""
    if abs(t) >= a:
        return max(mp.mpf(0), 1 - mp.exp(t)) if t < 0 else mp.mpf(0)
    c = (a - t) / 2
    return 1 - mp.exp(-c) / 2 - mp.exp(t) * mp.exp(c - a) / 2


def with_laplace(a, other, t):
    """The other profile averaged over the loss of a Laplace mechanism of shift a."""
    between = mp.quad(lambda z: mp.exp((z - a) / 2) / 4 * other(t - z),
                      mp.linspace(-a, a, 5), maxdegree=4)
    return other(t - a) / 2 + mp.exp(-a) / 2 * other(t + a) + between


def cut_points(p, q, t, low, high):
    """Where p - e^t q changes its sign, on a grid, by bisection."""
    def gap(x):
        return p(x) - mp.exp(t) * q(x)

    grid = [low + (high - low) * mp.mpf(k) / 100 for k in range(101)]
    for a, b in itertools.pairwise(grid):
        if gap(a) * gap(b) < 0:
            yield mp.findroot(gap, (a, b), solver="anderson", tol=1e-20, verify=False)


PROFILES = {}


def reference(pair, t):
    """Each value is computed once."""
    if (pair, t) not in PROFILES:
        PROFILES[pair, t] = by_definition(pair, mp.mpf(t))
    return PROFILES[pair, t]


@pytest.mark.parametrize("first, second", list(itertools.combinations(PAIRS, 2)), ids=str)
def test_signs_agree_with_the_definition(first, second):
    pattern = exact_signs(first.model(), second.model())
    opposite = exact_signs(second.model(), first.model())
    assert opposite.signs == tuple(-s for s in pattern.signs)
    points = [-3.1, -1.4, -0.55, -0.2, 0.05, 0.3, 0.7, 1.3, 2.2]
    with mp.workdps(15):
        for t in points:
            at = sum(1 for zero in pattern.zeros if zero.enclosure(15) < t)
            gap = reference(first, t) - reference(second, t)
            if abs(gap) > 1e-6:
                assert (gap > 0) == (pattern.signs[at] > 0), (t, gap, pattern)


def test_pairs_written_differently_have_one_profile():
    one = geometric(half).model()
    assert exact_signs(one, randomized_response(half).model()).signs == (0,)
    assert exact_signs(laplace(2, 2).model(), laplace(1).model()).signs == (0,)
    coin = finite(["2/3", "1/3"], ["1/3", "2/3"]).model()
    assert exact_signs(coin, randomized_response(sp.log(2)).model()).signs == (0,)


def test_touching_profiles_are_decided():
    # on the multiples of 1/3 the geometric mechanism touches the Laplace mechanism from above
    pattern = exact_signs(geometric("1/3", 3).model(), laplace(1).model())
    assert pattern.signs == (0, 1, 1, 1, 0) and pattern.nonnegative
    assert [str(z.exact) for z in pattern.zeros] == ["-1", "-1/3", "1/3", "1"]


def test_the_mass_at_infinity_decides_far_away():
    leak, plain = randomized_response("1/10", "1/1000").model(), laplace("1/9").model()
    pattern = exact_signs(plain, leak)
    assert pattern.signs[0] == pattern.signs[-1] == -1 and 1 in pattern.signs
    # the crossing is symmetric: both pairs have the profile of their reversal
    assert len(pattern.crossings()) == 2
