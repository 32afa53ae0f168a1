"""Trade-off functions of random exact pairs: duality both ways, vertices, inverses; all with ==."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import exponential, gaussian, laplace, poisson, randomized_response
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.atoms import pair_with_profile, pair_with_tradeoff, rational_sign
from lapdp.privacy.duality.supremum import supremum, worst_case
from lapdp.privacy.duality.vertices import masses_of_tradeoff, to_profile, to_tradeoff
from lapdp.privacy.notions.tradeoff import TradeOff
from lapdp.privacy.tradeoff import trade_off
from lapdp.testing.strategies import alphas, finite_pairs
from tests.oracle import finite as oracle

pairs = finite_pairs()
levels = st.integers(0, 12).map(lambda k: Fr(k, 12))


@given(pairs, levels)
def test_the_curve_is_that_of_the_oracle(pair, level):
    curve = pair.tradeoff.curve
    assert curve(level) == oracle.trade_off(pair.P, pair.Q, level)
    assert curve == trade_off(pair.masses)
    assert pair.tradeoff.inverse().curve(level) == oracle.trade_off(pair.Q, pair.P, level)
    assert pair.tradeoff.at_zero == curve(Fr(0))
    assert pair.tradeoff.zero_from == curve.first_at_most(Fr(0))


@given(pairs, alphas())
def test_duality_both_ways_returns_the_vertices(pair, alpha):
    points = pair.tradeoff.curve.points
    dual = to_profile(points, rational_sign)
    assert to_tradeoff(dual, rational_sign) == points
    for x, h in dual[1:]:
        assert pair.hockey_stick(x) == h
    assert [x for x, _ in dual[1:]] == list(pair.breakpoints())
    assert pair.tradeoff.conjugate() == tuple(
        (sp.Rational(Fr(x).numerator, Fr(x).denominator), sp.nsimplify(h)) for x, h in dual)
    # the definition: sup over levels of 1 - a - alpha f(a), attained at a vertex
    assert pair.hockey_stick(alpha) == max(1 - a - alpha * y for a, y in points)


@given(pairs)
def test_vertices_give_the_pair_back(pair):
    points = pair.tradeoff.curve.points
    again = TradeOff.from_vertices(points).pair
    assert again.merge() == pair.merge()
    assert pair_with_profile(to_profile(points, rational_sign)).merge() == pair.merge()


@given(pairs, pairs, levels)
def test_products(first, second, level):
    P, Q = oracle.product_pair((first.P, first.Q), (second.P, second.Q))
    assert first.tradeoff.product(second.tradeoff)(level) == oracle.trade_off(P, Q, level)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=5))
def test_what_is_accepted_is_a_trade_off_function(rows):
    """Whatever passes the check has a pair, and that pair has this curve."""
    points = [(Fr(a, 6), Fr(y, 6)) for a, y in rows]
    try:
        pair = pair_with_tradeoff(points)
    except InputError:
        return
    assert all(p >= 0 and q >= 0 for p, q in pair.masses)
    assert sum(pair.P) == sum(pair.Q) == 1
    assert all(oracle.trade_off(pair.P, pair.Q, a) == y for a, y in points)


@pytest.mark.parametrize(("points", "fault"), [
    ([(0, 1), ("1/2", "3/4"), (1, 0)], "at most 1 - a"),
    ([(0, "1/2"), ("1/4", "1/2"), ("1/2", 0), (1, 0)], "convex"),
    ([(0, "1/4"), ("1/2", "1/2"), (1, 0)], "does not increase"),
    ([(0, "1/2"), ("3/4", "-1/8"), (1, 0)], "values in"),
    ([(0, 1), (0, "1/2"), (1, 0)], "levels must increase"),
    ([(0, 1), ("1/2", 0)], "level 0 to level 1"),
    ([(0, 0.5), (1, 0)], "is a float"),
    ([0, 1], "pair of numbers"),
    ([(0, "1/2"), (1, "1/4")], "at most 1 - a"),
])
def test_what_is_violated_is_named(points, fault):
    with pytest.raises(InputError, match=fault):
        TradeOff.from_vertices(points)


def test_vertices_with_exponentials():
    low = 1 / (1 + sp.E)
    f = TradeOff.from_vertices([(0, 1), (low, low), (1, 0)])
    assert sp.simplify(f("1/10") - (1 - sp.E / 10)) == 0
    with pytest.raises(InputError, match="convex"):
        TradeOff.from_vertices([(0, 1), ("1/10", "1/2"), (1 / sp.E, sp.Rational(1, 2)), (1, 0)])


def test_masses_of_a_pair_without_common_outcomes():
    assert masses_of_tradeoff([(0, 0), (1, 0)], rational_sign) == ((0, 1), (1, 0))


@given(pairs, pairs, alphas())
def test_suprema(first, second, alpha):
    top = supremum(first, second)
    assert top.hockey_stick(alpha) == max(first.hockey_stick(alpha), second.hockey_stick(alpha))
    both = worst_case(first)
    assert both.hockey_stick(alpha) == max(first.hockey_stick(alpha),
                                           first.reverse().hockey_stick(alpha))
    assert both.tradeoff.is_symmetric


@settings(max_examples=30)
@given(pairs, levels)
def test_symmetrisations(pair, level):
    f = pair.tradeoff
    low, high = f.symmetrised("min"), f.symmetrised("max")
    assert low.is_symmetric and high.is_symmetric
    assert low.curve == f.curve.minimum(f.inverse().curve).envelope()
    assert high(level) == max(f(level), f.inverse()(level))
    assert low.at_most(f) and low.at_most(f.inverse()) and f.at_most(high)
    assert (low == high) <= f.is_symmetric
    assert f.is_symmetric == (f.curve == f.curve.inverted())


@given(pairs, pairs)
def test_orders(first, second):
    found = first.tradeoff.at_most(second.tradeoff)
    assert found == first.tradeoff.curve.at_most(second.tradeoff.curve)
    assert found == first.profile_dominates(second)


def test_orders_with_densities():
    coin, noise = randomized_response(1).tradeoff, laplace(1).tradeoff
    assert coin.at_most(noise) and not noise.at_most(coin)
    assert not gaussian(1).tradeoff.at_most(coin) and not coin.at_most(gaussian(1).tradeoff)
    assert randomized_response(1, "1/10").tradeoff.at_most(coin)
    assert exponential(1, 2).tradeoff.at_most(randomized_response(0).tradeoff)
    assert (laplace(1) ** 3).tradeoff.at_most(coin)
    assert not (laplace(10) ** 3).tradeoff.at_most(coin)
    with pytest.raises(Unsupported, match="pair of atoms"):
        noise.at_most(gaussian(1).tradeoff)


def test_symmetry_with_densities_and_symbols():
    b = sp.Symbol("b", positive=True)
    for m in (laplace(b), gaussian(b), laplace(b) * laplace(2), randomized_response(b, "1/10")):
        assert m.tradeoff.is_symmetric
    for m in (exponential(1, 2), poisson(laplace(1), "1/2", direction="add"),
              poisson(gaussian(1), "1/2", direction="remove")):
        assert not m.tradeoff.is_symmetric
    assert not poisson(randomized_response(b), "1/2", direction="add").tradeoff.is_symmetric


def test_worst_cases_with_densities():
    assert worst_case(laplace(1)) == laplace(1)
    m = exponential(1, 2)
    both = worst_case(m)
    assert both.reverse() == both and both.tradeoff.is_symmetric
    sampled = poisson(laplace(1), "1/10", direction="remove")
    for pair, top in ((m, both), (sampled, worst_case(sampled))):
        for t in (-1, 0, "1/2", 2):
            values = [sp.N(x.profile(t), 30) for x in (pair, pair.reverse())]
            assert abs(sp.N(top.profile(t), 30) - max(values)) < 1e-28
    assert both.mass_at_infinity == 0
    assert supremum(laplace(1), gaussian(1)).tradeoff.is_symmetric
