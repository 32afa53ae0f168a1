"""The worst profile of point guarantees: it satisfies them, and no pair that does exceeds it."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from lapdp import finite, randomized_response
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.atoms import rational_sign
from lapdp.privacy.duality.guarantees import worst_profile
from lapdp.privacy.duality.lines import largest, value_at
from lapdp.privacy.duality.vertices import to_profile
from lapdp.testing.strategies import alphas, finite_pairs


def log(x):
    return sp.log(sp.Rational(x.numerator, x.denominator))


@given(finite_pairs(), st.lists(alphas(), min_size=1, max_size=4, unique=True), st.data())
def test_pairs_with_the_guarantees_stay_below(pair, places, data):
    """Guarantees that a random pair satisfies, some with room: its profile is below everywhere."""
    room = [data.draw(st.sampled_from([Fr(0), Fr(1, 10), Fr(1, 2)])) for _ in places]
    deltas = [min(Fr(1), pair.hockey_stick(x) + r) for x, r in zip(places, room, strict=True)]
    worst = worst_profile([(log(x), d) for x, d in zip(places, deltas, strict=True)])
    assert all(worst.pair.hockey_stick(x) <= d for x, d in zip(places, deltas, strict=True))
    assert worst.pair.profile_dominates(pair)
    for x, d in zip(places, deltas, strict=True):
        assert ((log(x), sp.Rational(d.numerator, d.denominator)) in worst.redundant) == (
            worst.pair.hockey_stick(x) < d)


@given(finite_pairs(), st.lists(alphas(), min_size=1, max_size=3, unique=True))
def test_both_directions(pair, places):
    deltas = [max(pair.hockey_stick(x), pair.reverse().hockey_stick(x)) for x in places]
    worst = worst_profile([(log(x), d) for x, d in zip(places, deltas, strict=True)],
                          both_directions=True).pair
    assert worst.profile_dominates(pair) and worst.profile_dominates(pair.reverse())
    assert worst.merge() == worst.reverse().merge()
    assert all(worst.hockey_stick(x) <= d for x, d in zip(places, deltas, strict=True))
    # one direction allows more
    alone = worst_profile([(log(x), d) for x, d in zip(places, deltas, strict=True)]).pair
    assert alone.profile_dominates(worst)


@given(st.fractions(1, 9, max_denominator=6), st.fractions(0, 1, max_denominator=8))
def test_one_guarantee_in_both_directions_is_randomized_response(odds, delta):
    worst = worst_profile([(log(odds), delta)], both_directions=True).pair
    leak = sp.Rational(delta.numerator, delta.denominator)
    expected = randomized_response(log(odds), leak)
    for x in (Fr(1, 20), 1 / odds, Fr(1), odds, Fr(20)):
        assert worst.hockey_stick(x) == expected.profile(log(x))


def test_guarantees_at_eps_that_are_no_logs():
    worst = worst_profile([(1, "1/10"), (2, "1/100")])
    assert sp.simplify(worst(1) - sp.Rational(1, 10)) == 0
    assert sp.simplify(worst(2) - sp.Rational(1, 100)) == 0
    assert sp.simplify(worst(3) - sp.Rational(1, 100)) == 0
    chord = sp.Rational(1, 10) + sp.Rational(-9, 100) * (sp.exp("3/2") - sp.E) / (sp.E**2 - sp.E)
    assert abs(sp.N(worst("3/2") - chord, 20)) < 1e-18
    both = worst_profile([(1, "1/10")], both_directions=True)
    assert sp.simplify(both(0) - randomized_response(1, "1/10").profile(0)) == 0


def test_a_symbolic_guarantee_is_randomized_response():
    eps = sp.Symbol("eps", positive=True)
    both = worst_profile([(eps, "1/10")], both_directions=True)
    for t in (-2, "1/3", 0, 5):
        found = both(t).subs(eps, 1)
        assert abs(sp.N(found - randomized_response(1, "1/10").profile(t), 20)) < 1e-18
    with pytest.raises(Unsupported, match="sign"):
        worst_profile([(sp.Symbol("e1", real=True), "1/10"), (sp.Symbol("e2", real=True), "1/5")])


@pytest.mark.parametrize(("guarantees", "fault"), [
    ([], "at least one"), ([(0, 2)], "between 0 and 1"), ([(0, "-1/2")], "between 0 and 1"),
    ([(sp.log("1/4"), "1/2")], "no pair has"), ([(-1, "1/2")], "no pair has"),
    ([(0.5, "1/2")], "is a float"), ([1], "must be a pair"), ("0.1", "must be a list"),
])
def test_bad_guarantees(guarantees, fault):
    with pytest.raises(InputError, match=fault):
        worst_profile(guarantees)


def test_extreme_guarantees():
    assert worst_profile([(0, 1)]).pair == finite([0, 1], [1, 0])
    assert worst_profile([(0, 0)]).pair.merge() == finite([1], [1])
    # equal at every eps <= log 2: then P <= 2 Q is all that is known
    half = worst_profile([(sp.log(2), 0)]).pair
    assert half.merge() == finite([0, 1], ["1/2", "1/2"])


@given(finite_pairs(), finite_pairs(), alphas())
def test_the_largest_of_two_profiles(first, second, alpha):
    tops = [to_profile(m.tradeoff.curve.points, rational_sign) for m in (first, second)]
    top = largest(*tops, rational_sign)
    assert value_at(top, alpha, rational_sign) == max(
        first.hockey_stick(alpha), second.hockey_stick(alpha))
    assume(len(top) > 2)
    assert top == largest(*tops[::-1], rational_sign)
