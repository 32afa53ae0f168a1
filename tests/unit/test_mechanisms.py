"""Every mechanism: the laws of pairs, and its definition once more by sums and quadrature."""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mp

import lapdp
from lapdp.core.errors import InputError
from lapdp.privacy import catalogue

LN2, LN3 = sp.log(2), sp.log(3)
EXAMPLES = {
    "exponential": [(1, 2), ("1/2", 3)],
    "finite": [([1, 2], [2, 1])],
    "geometric": [(LN2,), (LN3, 2), (LN2, 5), ("1/3", 3)],
    "laplace": [(1,), ("1/2", 3)],
    "randomized_response": [(LN2,), (LN3, "1/10"), (0, 1)],
    "staircase": [(2 * LN2,), (LN3, "1/4"), (LN3, "1/2"), (LN2, "3/4"), (LN2, 0), (LN2, 1)],
    "truncated_laplace": [(1, 1), (1, 2), (2, 3, "1/2")],
}
BEYOND = {"gaussian", "reverse"}
"""Not in the exact class (tested elsewhere), and no mechanism of its own."""
EVERY = [(name, arguments) for name, several in EXAMPLES.items() for arguments in several]
POINTS = [-3, -1, -LN2, sp.Rational(-1, 3), 0, sp.Rational(1, 5), LN2, 1, 2, 4]


def pair_of(name, arguments):
    if name == "finite":
        arguments = [[sp.Rational(x, sum(side)) for x in side] for side in arguments]
    return catalogue()[name](*arguments)


def test_every_mechanism_has_examples():
    assert set(EXAMPLES) == set(catalogue()) - BEYOND


@pytest.mark.parametrize(("name", "arguments"), EVERY, ids=str)
def test_laws(name, arguments):
    """Total mass, limits, reversal (7) and convexity in alpha."""
    pair = pair_of(name, arguments)
    assert pair.moment(0) == pair.moment(1) == 1
    backward = pair.reverse()
    values = []
    with mp.workdps(50):
        for eps in POINTS:
            here, there = pair.profile(eps), backward.profile(-eps)
            gap = sp.N(there - (1 - sp.exp(-eps) + sp.exp(-eps) * here), 45)
            assert abs(gap) < 1e-40
            values.append((sp.N(sp.exp(eps), 45), sp.N(here, 45)))
    for (a, f), (b, g), (c, h) in zip(values, values[1:], values[2:], strict=False):
        assert g <= f + 1e-40 and h <= g + 1e-40
        assert (b - a) * h + (c - b) * f - (c - a) * g > -1e-40
    assert all(max(0, 1 - a) - f < 1e-40 for a, f in values)


@pytest.mark.parametrize("arguments", EXAMPLES["geometric"], ids=str)
def test_geometric_by_summation(arguments):
    pair = lapdp.geometric(*arguments)
    n = pair.sensitivity
    with mp.workdps(40):
        r = mp.exp(-mp.mpf(sp.N(pair.eps, 40)))
        def mass(x):
            return (1 - r) / (1 + r) * r ** abs(x)

        for eps in POINTS:
            alpha = mp.exp(mp.mpf(sp.N(eps, 40)))
            direct = mp.fsum(max(0, mass(x) - alpha * mass(x - n)) for x in range(-400, 400))
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 40))) < mp.mpf(10) ** -30


@pytest.mark.parametrize("arguments", EXAMPLES["staircase"], ids=str)
def test_staircase_by_its_density(arguments):
    pair = lapdp.staircase(*arguments)
    with mp.workdps(30):
        e, g = (mp.mpf(sp.N(x, 30)) for x in (pair.eps, pair.gamma))
        height = (1 - mp.exp(-e)) / (2 * (g + mp.exp(-e) * (1 - g)))
        def density(x):
            whole = mp.floor(abs(x))
            return height * mp.exp(-e * (whole if abs(x) - whole < g else whole + 1))

        cuts = sorted({k + s * g for k in range(-60, 62) for s in (-1, 0, 1)})
        for eps in POINTS:
            alpha = mp.exp(mp.mpf(sp.N(eps, 30)))
            direct = mp.fsum((b - a) * max(0, density((a + b) / 2) - alpha * density(
                (a + b) / 2 - 1)) for a, b in pairwise(cuts))
            tail = mp.mpf(10) ** -15  # what lies beyond 60 units weighs less
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 30))) < tail


@pytest.mark.parametrize("arguments", EXAMPLES["truncated_laplace"], ids=str)
def test_truncated_laplace_by_quadrature(arguments):
    pair = lapdp.truncated_laplace(*arguments)
    with mp.workdps(30):
        s, b, d = (mp.mpf(sp.N(x, 30)) for x in (pair.scale, pair.bound, pair.sensitivity))
        norm = 2 * s * (1 - mp.exp(-b / s))
        def density(x):
            return mp.exp(-abs(x) / s) / norm if abs(x) <= b else mp.mpf(0)

        for eps in POINTS:
            e = mp.mpf(sp.N(eps, 30))
            cuts = sorted({-b, d - b, mp.mpf(0), d, b, *(
                x for x in [(d - e * s) / 2] if -b < x < b)})
            # open ends: at a cut the two densities may jump
            direct = mp.fsum(mp.quad(lambda x, e=e: max(
                mp.mpf(0), density(x) - mp.exp(e) * density(x - d)), [low, high])
                for low, high in pairwise(cuts))
            assert abs(direct - mp.mpf(sp.N(pair.profile(eps), 30))) < mp.mpf(10) ** -20


def test_the_optimal_staircase_in_symbols():
    eps = sp.Symbol("eps", positive=True)
    value = lapdp.staircase(eps).profile(0)
    for e in (sp.Rational(1, 2), 1, 3):
        assert abs(sp.N(value.subs(eps, e) - lapdp.staircase(e).profile(0), 40)) < 1e-30


def test_geometric_at_unit_distance_is_randomized_response():
    eps, t = sp.Symbol("eps", positive=True), sp.Symbol("t", real=True)
    one, two = lapdp.geometric(eps), lapdp.randomized_response(eps)
    assert sp.simplify(one.profile(0) - two.profile(0)) == 0
    for e in (LN2, 1):
        for x in POINTS:
            gap = one.profile(t).subs(eps, e).subs(t, x) - two.profile(t).subs(eps, e).subs(t, x)
            assert abs(sp.N(gap, 40)) < 1e-35


@pytest.mark.parametrize(("make", "arguments", "words"), [
    (lapdp.geometric, (0,), "positive"), (lapdp.geometric, (1, 0), "whole number"),
    (lapdp.geometric, (1, "1/2"), "whole number"), (lapdp.geometric, (1, 20000), "whole number"),
    (lapdp.geometric, (0.5,), "0.5"), (lapdp.staircase, (-1,), "positive"),
    (lapdp.staircase, (1, 2), "between 0 and 1"), (lapdp.staircase, (1, sp.Symbol("g")), "gamma"),
    (lapdp.truncated_laplace, (1, "1/2"), "at least the sensitivity"),
    (lapdp.truncated_laplace, (0, 1), "positive"),
    (lapdp.truncated_laplace, (1, 1, -1), "positive"),
])
def test_bad_parameters(make, arguments, words):
    with pytest.raises(InputError, match=words):
        make(*arguments)
