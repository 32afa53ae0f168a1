"""Channels on named outcomes against finite pairs; partitions of losses against quadrature."""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from lapdp import (
    adaptive,
    coarsen,
    densities,
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    outcomes,
    randomized_response,
    reverse,
    truncated_laplace,
)
from lapdp.core.errors import InputError, Unsupported
from lapdp.testing.strategies import alphas, channels, finite_pairs
from tests.unit.test_overlapping import integral, same

x = sp.Symbol("x", real=True)
HALF = sp.Rational(1, 2)


@settings(max_examples=50, deadline=None)
@given(st.data(), alphas())
def test_named_outcomes_follow_the_masses(data, alpha):
    pair = data.draw(finite_pairs(max_size=3))
    channel = data.draw(channels(len(pair.masses)))
    named = outcomes({f"o{i}": (sp.Rational(*p.as_integer_ratio()), sp.Rational(
        *q.as_integer_ratio())) for i, (p, q) in enumerate(pair.masses)})
    exact, found = pair.post_process(channel), named.post_process(channel)
    t = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
    assert found.profile(t) == sp.Rational(*exact.hockey_stick(alpha).as_integer_ratio())
    assert pair.profile_dominates(exact)
    assert reverse(named).post_process(channel).profile(t) == sp.Rational(
        *exact.reverse().hockey_stick(alpha).as_integer_ratio())


def test_symbolic_weights_and_masses():
    eps, flip = sp.symbols("eps flip", positive=True)
    high, low = sp.exp(eps) / (1 + sp.exp(eps)), 1 / (1 + sp.exp(eps))
    coin = outcomes({"yes": (high, low), "no": (low, high)}, where=[sp.Le(flip, 1)])
    with pytest.raises(InputError, match="negative for some parameters"):
        coin.post_process({"yes": {"yes": 1}, "no": {"yes": 2 * flip, "no": 1 - 2 * flip}})
    noisy = coin.post_process({"yes": {"yes": 1}, "no": {"yes": flip, "no": 1 - flip}})
    for odds, f in ((2, HALF), (5, sp.Rational(1, 3)), (2, sp.Integer(1))):
        masses = finite([sp.Rational(odds, odds + 1), sp.Rational(1, odds + 1)],
                        [sp.Rational(1, odds + 1), sp.Rational(odds, odds + 1)])
        exact = masses.post_process([[1, 0], [f, 1 - f]])
        for alpha in (HALF, sp.Integer(1), sp.Rational(3, 2)):
            value = noisy.profile(sp.log(alpha)).subs({eps: sp.log(odds), flip: f})
            assert same(value, sp.Rational(*exact.hockey_stick(alpha).as_integer_ratio()))


LOSSES = {
    "laplace": (laplace(1), [-1, "-1/2", 0, "1/3", 1]),
    "two atoms": (randomized_response(sp.log(3)), [0]),
    "exponential": (exponential(1, 2), [-1, 0, "1/2"]),
    "reversed": (reverse(exponential(1, 2)), [-2, "-1/5", 0, 3]),
    "infinite losses": (truncated_laplace(1, 2), ["-1/2", 0, 1, 2]),
    "geometric": (geometric(1), [-1, 0, "1/2", 1]),
    "product": (laplace(2) * randomized_response(1), [-1, 0, "5/4"]),
}
GRID = [sp.Rational(n, 6) for n in range(-14, 15, 2)]


@pytest.mark.parametrize("name", LOSSES)
def test_the_profile_is_kept_at_the_cuts_and_no_larger_elsewhere(name):
    pair, cuts = LOSSES[name]
    found = coarsen(pair, cuts)
    for cut in cuts:
        assert same(found.profile(cut), pair.profile(cut))
    for t in GRID:
        assert sp.N(pair.profile(t) - found.profile(t), 30) > -sp.Float("1e-25")
    for side in (found, found.reverse()):
        assert side.moment(0) == side.moment(1) == 1


@pytest.mark.parametrize("name", ["laplace", "exponential", "infinite losses"])
def test_masses_of_cells_by_quadrature(name):
    """P- and Q-mass of {c < log(p/q) <= d}, from the densities."""
    pair, cuts = LOSSES[name]
    cuts = [c for c in cuts if abs(sp.Rational(c)) != 1]
    found = coarsen(pair, cuts)
    _, p, q, (lower, upper), kinks = pair.numeric_pair({})
    with mp.workdps(16):
        edges = [-mp.inf, *(mpf(sp.Rational(c).p) / sp.Rational(c).q for c in cuts), mp.inf]

        def loss(y):
            a, b = p(y), q(y)
            return mp.log(a / b) if a and b else mp.inf if a else -mp.inf

        # where the loss crosses a cut it is affine: exact places for the three mechanisms
        crossings = [(1 - c) / 2 for c in edges[1:-1]] if name != "exponential" else [
            c + mp.log(2) for c in edges[1:-1]]
        for (_, mass, other), (low, high) in zip(found.table, pairwise(edges), strict=True):
            for density, value in ((p, mass), (q, other)):
                whole = integral(lambda y, d=density, a=low, b=high: d(y) if (
                    a < loss(y) <= b or (b == mp.inf and loss(y) == b) or (
                        a == -mp.inf and loss(y) == a)) else mpf(0),
                    lower, upper, [*kinks, *crossings])
                assert abs(whole - mp.mpmathify(sp.N(value, 20))) < 1e-12


def test_partitions_of_a_sample_space():
    pair = densities(sp.exp(-sp.Abs(x)) / 2, sp.exp(-sp.Abs(x - 1)) / 2, x)
    found = coarsen(pair, [0, 1], of="outcome")
    assert [row[1:] for row in found.table] == [
        (HALF, sp.exp(-1) / 2), ((sp.E - 1) * sp.exp(-1) / 2,) * 2, (sp.exp(-1) / 2, HALF)]
    # the likelihood ratio decreases in x: threshold events are kept
    middle = coarsen(pair, [HALF], of="outcome")
    assert same(middle.profile(0), pair.profile(0))
    half_line = densities(sp.exp(-x), 2 * sp.exp(-2 * x), x, (0, sp.oo))
    assert coarsen(half_line, [-1, 1], of="outcome").table[0][1:] == (0, 0)
    flat = densities(1, sp.Piecewise((2, x < HALF), (0, True)), x, (0, 1))
    assert coarsen(flat, ["1/4"], of="outcome") == finite(["1/4", "3/4"], [HALF, HALF])


def test_parameters_and_further_steps():
    e = sp.Symbol("e", positive=True)
    sign = coarsen(laplace(1 / e), [0])
    assert same(sign.profile(0).subs(e, 2), laplace(HALF).profile(0))
    noisy = coarsen(laplace(1), [0]).post_process([["3/4", "1/4"], ["1/4", "3/4"]])
    assert same(noisy.profile(0), laplace(1).profile(0) / 2)
    after = adaptive(coarsen(laplace(1), [0]), [laplace(1), finite([1], [1])])
    assert same(after.profile(5) * 0 + after.moment(1), 1)


@pytest.mark.parametrize("call", [
    lambda: coarsen(laplace(1), [1, 0]),
    lambda: coarsen(laplace(1), [0, 0]),
    lambda: coarsen(laplace(1), []),
    lambda: coarsen(laplace(1), [0.5]),
    lambda: coarsen(laplace(1), "0"),
    lambda: coarsen(laplace(1), [0], of="outcome"),
    lambda: coarsen(laplace(1), [0], of="x"),
    lambda: coarsen(1, [0]),
    lambda: laplace(1).post_process([[1]]),
    lambda: outcomes({"a": (1, 1)}).post_process([["1/2", "1/3"]]),
    lambda: outcomes({"a": (1, 1)}).post_process([["3/2", "-1/2"]]),
    lambda: outcomes({"a": (1, 1)}).post_process([[1], [1]]),
    lambda: outcomes({"a": (1, 1)}).post_process({"b": [1]}),
    lambda: outcomes({"a": (1, 1)}).post_process({"a": 1}),
    lambda: outcomes({"a": (1, 1)}).post_process("a"),
])
def test_bad_input(call):
    with pytest.raises(InputError) as problem:
        call()
    assert "\n" not in str(problem.value)


def test_what_is_refused():
    with pytest.raises(Unsupported):
        coarsen(gaussian(1), [0])
    with pytest.raises(Unsupported, match="order of the cuts"):
        coarsen(laplace(1 / sp.Symbol("e", positive=True)), [-1, 1])


def test_outcomes_of_reversed_densities() -> None:
    x = sp.Symbol("x", real=True)
    pair = densities(2 * x, 1, x, (0, 1))
    assert coarsen(reverse(pair), ["1/2"], of="outcome") == finite(["1/2", "1/2"], ["1/4", "3/4"])
