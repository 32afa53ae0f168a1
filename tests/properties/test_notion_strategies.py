"""Random losses, profiles, trade-off functions and Renyi curves obey the laws of such things."""

from __future__ import annotations

from fractions import Fraction as Fr
from itertools import pairwise

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.core.errors import InputError
from lapdp.privacy.finite import finite
from lapdp.privacy.notions.loss import LossDistribution
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.notions.tradeoff import TradeOff
from lapdp.testing.strategies import (
    RenyiCurve,
    alphas,
    loss_distributions,
    profiles,
    renyi_curves,
    tradeoff_functions,
)

CONTINUITY = st.sampled_from([None, "forward", "backward", "both", "neither"])
few = settings(max_examples=30, deadline=None)


@few
@given(st.data(), CONTINUITY)
def test_losses_are_those_of_some_pair(data, continuity):
    Z = data.draw(loss_distributions(absolutely_continuous=continuity))
    assert type(Z) is LossDistribution
    masses = [Fr(str(atom.mass)) for atom in Z.atoms]
    ratios = [Fr(str(sp.exp(atom.loss))) for atom in Z.atoms]
    assert len(set(ratios)) == len(ratios) and all(mass > 0 for mass in masses)
    infinite = Fr(str(Z.mass_at_infinity))
    assert infinite >= 0 and sum(masses) + infinite == 1
    lacking = 1 - sum(m / r for m, r in zip(masses, ratios, strict=True))
    assert lacking >= 0
    if continuity is not None:
        assert (infinite > 0) == {"forward": False, "both": False, "neither": True}.get(
            continuity, infinite > 0)
        assert (lacking > 0) == {"backward": False, "both": False, "neither": True}.get(
            continuity, lacking > 0)


@given(profiles(), alphas(), alphas(), alphas(), st.fractions(0, 1))
def test_profiles_have_the_shape_of_profiles(delta, x, y, z, part):
    assert type(delta) is PrivacyProfile
    H = delta.pair.hockey_stick
    assert max(0, 1 - x) <= H(x) <= 1
    assert H(min(x, y)) >= H(max(x, y))
    assert H(part * x + (1 - part) * y) <= part * H(x) + (1 - part) * H(y)
    # a line between neighbouring kinks
    inside = sorted({min(x, y), max(x, y)})
    if len(inside) == 2 and not any(inside[0] < k < inside[1] for k in delta.pair.breakpoints()):
        assert H(sum(inside) / 2) == (H(inside[0]) + H(inside[1])) / 2


@few
@given(profiles(symmetric=True), alphas())
def test_symmetric_profiles_are_their_own_reversal(delta, x):
    assert delta.reverse() == delta or delta.reverse().equals(delta)
    assert delta.pair.hockey_stick(x) == 1 - x + x * delta.pair.hockey_stick(1 / x)


@few
@given(st.data(), st.sampled_from([None, True, False]), CONTINUITY)
def test_tradeoff_functions_are_convex_with_rational_knots(data, symmetric, continuity):
    f = data.draw(tradeoff_functions(symmetric=symmetric, absolutely_continuous=continuity))
    assert type(f) is TradeOff
    knots = [(Fr(str(a)), Fr(str(y))) for a, y in f.vertices]
    assert knots[0][0] == 0 and knots[-1] == (1, 0)
    assert all(0 <= y <= 1 - a for a, y in knots)
    slopes = [(v - y) / (b - a) for (a, y), (b, v) in pairwise(knots)]
    assert slopes == sorted(slopes) and all(slope <= 0 for slope in slopes)
    if continuity in ("both", "forward"):
        assert slopes[-1] < 0
    if continuity == "neither":
        assert knots[0][1] < 1 and slopes[-1] == 0
    if symmetric is not None:
        # the graph of a convex decreasing function and its mirror image
        mirror = {(y, a) for a, y in knots}
        kept = {(a, y) for a, y in knots if (a, y) not in ((0, 1), (1, 0))}
        assert symmetric == (kept == {(a, y) for a, y in mirror
                                      if (a, y) not in ((0, 1), (1, 0))})


ORDERS = (Fr(11, 10), Fr(3, 2), 2, Fr(5, 2), 3, 4, 7, 20, 100)


def moment(pair, q):
    """E_q by its definition, at 40 digits."""
    return mp.fsum(mp.mpf(p.numerator) / p.denominator
                   * ((mp.mpf(p.numerator) * r.denominator) / (p.denominator * r.numerator))
                   ** (q - 1) for p, r in pair.masses if p)


@few
@given(renyi_curves(), st.integers(2, 6))
def test_renyi_curves_are_the_largest_of_their_pairs(curve, q):
    if any(not pair.absolutely_continuous for pair in curve.pairs):
        assert curve(q) == curve(1) == curve(sp.oo) == sp.oo
        return
    with mp.workdps(40):
        truth = max(mp.log(moment(pair, q)) / (q - 1) for pair in curve.pairs)
        assert abs(mp.mpf(str(sp.N(curve(q), 40))) - truth) < mp.mpf(10) ** -30


@few
@given(renyi_curves(realizable=False))
def test_renyi_curves_obey_the_laws_of_renyi_divergences(curve):
    with mp.workdps(60):
        values = [(mp.mpf(1), 0)]
        last = mp.mpf(str(sp.N(curve(1), 60)))
        assert last >= 0
        for order in ORDERS:
            q = mp.mpf(order.numerator) / order.denominator
            value = mp.mpf(str(sp.N(curve(order), 60)))
            assert value >= last - mp.mpf(10) ** -50
            values.append((q, (q - 1) * value))
            last = value
        slopes = [(h - g) / (s - r) for (r, g), (s, h) in pairwise(values)]
        assert all(a <= b + mp.mpf(10) ** -45 for a, b in pairwise(slopes))
        assert last <= mp.mpf(str(sp.N(curve(sp.oo), 60)))


@given(renyi_curves(realizable=False))
def test_curves_of_no_pair_cross(curve):
    near, far = curve.pairs
    assert near.moment_value(2) > far.moment_value(2) > 1
    assert max(near.breakpoints()) < max(far.breakpoints())
    # some order shows it exactly
    q = 3
    while not far.moment_value(q) > near.moment_value(q):
        q += 1 + q // 4
    assert curve(2) == sp.log(near.moment_value(2))
    assert curve(q) == sp.log(far.moment_value(q)) / (q - 1)


@given(renyi_curves(realizable=True))
def test_realizable_curves_have_their_pair(curve):
    assert len(curve.pairs) == 1


@pytest.mark.parametrize(("order", "message"), [
    ("1/2", "q = 1/2 must be at least 1"), (2.5, "float"), (sp.Symbol("q"), "number")])
def test_orders_without_meaning_are_refused(order, message):
    with pytest.raises(InputError) as caught:
        RenyiCurve((finite([1], [1]),))(order)
    assert message in str(caught.value)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: loss_distributions(max_size=0), "max_size=0 must be an integer >= 1"),
    (lambda: profiles(absolutely_continuous="no"), "absolutely_continuous='no' must be one of"),
    (lambda: tradeoff_functions(symmetric="yes"), "symmetric='yes' must be one of"),
    (lambda: renyi_curves(realizable=1), "realizable=1 must be one of"),
    (lambda: renyi_curves(max_size=2), "max_size=2: two curves that cross need max_size >= 3"),
    (lambda: renyi_curves(max_weight=0), "max_weight=0 must be an integer >= 1"),
])
def test_bad_arguments_are_invalid(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)
