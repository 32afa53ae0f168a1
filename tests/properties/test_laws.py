"""Laws on random exact pairs: by the definitions, in Fractions, and by the laws that lapdp ships.

The definitions are those of tests/oracle, which imports nothing of the engine; a law is compared
with ==, at every alpha where one of its piecewise linear sides bends, or at all of a few orders.
"""

from __future__ import annotations

from fractions import Fraction as Fr
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp import adaptive, mixture, poisson
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair, finite
from lapdp.testing.laws import LAWS
from lapdp.testing.strategies import channels, finite_pairs
from tests.oracle import finite as oracle

pairs = finite_pairs(max_size=3)
rates = st.sampled_from([Fr(0), Fr(1), Fr(1, 2)]) | st.fractions(0, 1, max_denominator=9)
EXACT = [law for law in LAWS.values() if law.routes[0][0] == "exact"]


def delta(pair, alpha):
    """The supremum over all events."""
    return oracle.hockey_stick_by_events(pair.P, pair.Q, alpha)


def bends(*pairs):
    """All likelihood ratios, points between, before and beyond: two piecewise linear functions that
    agree there are equal."""
    cuts = sorted({p / q for pair in pairs for p, q in pair.masses if p and q} | {Fr(1)})
    middles = [(a + b) / 2 for a, b in pairwise(cuts)]
    return [cuts[0] / 4, cuts[0] / 2, *cuts, *middles, cuts[-1] + 1, 2 * cuts[-1] + 1]


@pytest.mark.parametrize("law", EXACT, ids=lambda law: law.name)
def test_laws_hold_on_random_pairs(law):
    @settings(max_examples=15, deadline=None)
    @given(law.cases())
    def run(case):
        outcome = law(*case)
        assert outcome.method == "exact" and outcome.holds, f"{outcome} for {case}"

    run()


def test_every_law_is_checked_on_finite_pairs():
    assert list(LAWS.values()) == EXACT


@given(pairs)
def test_reversal(pair):
    back = pair.reverse()
    for a in bends(pair, back):
        assert back.hockey_stick(a) == delta(back, a) == 1 - a + a * delta(pair, 1 / a)
    assert all(oracle.moment(pair.P, pair.Q, q) == oracle.moment(pair.Q, pair.P, 1 - q)
               for q in range(-3, 5))
    masses = oracle.loss_masses(pair.P, pair.Q)
    assert {1 / r: m / r for r, m in masses.items() if r != oracle.INFINITE} == {
        r: m for r, m in oracle.loss_masses(pair.Q, pair.P).items() if r != oracle.INFINITE}


@given(pairs, st.fractions(0, 1, max_denominator=9))
def test_the_trade_off_function_of_the_reversed_pair_is_the_inverse(pair, y):
    """The least level x with f(x) <= y: at it f is at most y, just below it is above."""
    x = oracle.trade_off(pair.Q, pair.P, y)
    assert oracle.trade_off(pair.P, pair.Q, x) <= y
    if x:
        assert oracle.trade_off(pair.P, pair.Q, x * Fr(999, 1000)) > y
    assert Fr(str(pair.reverse().tradeoff(y))) == x


@given(pairs, st.data())
def test_data_processing(pair, data):
    view = pair.post_process(data.draw(channels(len(pair.masses), max_out=3)))
    for a in bends(pair, view):
        assert delta(view, a) <= delta(pair, a)
    for q in (-2, -1, 2, 3):
        large = oracle.moment(pair.P, pair.Q, q)
        assert large == mp.inf or oracle.moment(view.P, view.Q, q) <= large
    for x in (Fr(0), Fr(1, 5), Fr(1, 2), Fr(1)):
        assert oracle.trade_off(view.P, view.Q, x) >= oracle.trade_off(pair.P, pair.Q, x)


@settings(max_examples=30, deadline=None)
@given(pairs, pairs, pairs, st.data())
def test_products_keep_the_order_of_profiles(pair, other, third, data):
    view = pair.post_process(data.draw(channels(len(pair.masses), max_out=2)))
    large, small = ((pair * other).merge(), (view * other).merge())
    for a in bends(large, small):
        assert delta(small, a) <= delta(large, a)
    left, right = (pair * other) * third, third * (other * pair)
    assert all(left.hockey_stick(a) == right.hockey_stick(a) for a in bends(left, right))


@settings(max_examples=30, deadline=None)
@given(pairs, pairs, rates)
def test_products_depend_on_the_profiles_alone(pair, other, rate):
    """An outcome that is split in proportion changes no profile, so no product and no tensor."""
    (p, q), *rest = pair.masses
    split = FinitePair(((rate * p, rate * q), *rest, ((1 - rate) * p, (1 - rate) * q)))
    assert split.merge() == pair.merge()
    one, two = (pair * other).merge(), (other * split).merge()
    assert all(delta(one, a) == delta(two, a) for a in bends(one, two))
    for x in (Fr(0), Fr(1, 7), Fr(1, 2), Fr(1)):
        level = oracle.trade_off(one.P, one.Q, x)
        assert level == oracle.trade_off(two.P, two.Q, x) <= oracle.trade_off(pair.P, pair.Q, x)


@settings(max_examples=30, deadline=None)
@given(pairs, pairs, st.data())
def test_adaptive_releases(pair, other, data):
    """Fibre by fibre, against the joint masses; dominated where every second release is."""
    then = [other.post_process(data.draw(channels(len(other.masses), max_out=2)))
            for _ in pair.masses]
    joint = adaptive(pair, then)
    rows = [(p * c, q * d) for (p, q), second in zip(pair.masses, then, strict=True)
            for c, d in second.masses]
    by_hand = FinitePair(tuple(rows)).merge()
    both = (pair * other).merge()
    for a in bends(by_hand, both):
        assert joint.hockey_stick(a) == delta(by_hand, a) <= delta(both, a)
        assert delta(by_hand, a) >= delta(pair, a)


@given(pairs, rates)
def test_subsampling_in_both_directions(pair, rate):
    mixed = finite([rate * p + (1 - rate) * q for p, q in pair.masses], pair.Q)
    for direction, drawn in (("remove", mixed), ("add", mixed.reverse())):
        sample = poisson(pair, rate, direction=direction)
        assert all(sample.hockey_stick(a) == delta(drawn, a) for a in bends(drawn))
    for a in bends(pair):
        assert delta(mixed, 1 + rate * (a - 1)) == rate * delta(pair, a) if rate else True
        if a >= 1:
            assert delta(mixed, a) <= rate * delta(pair, a)
            assert delta(mixed.reverse(), a) <= rate * delta(pair.reverse(), a)


@given(pairs, pairs, rates)
def test_joint_convexity(pair, other, rate):
    size = max(len(pair.masses), len(other.masses))
    first, second = (FinitePair(p.masses + ((Fr(0), Fr(0)),) * (size - len(p.masses)))
                     for p in (pair, other))
    rows = [tuple(rate * a + (1 - rate) * b for a, b in zip(x, y, strict=True))
            for x, y in zip(first.masses, second.masses, strict=True)]
    mixed = finite(*zip(*rows, strict=True))
    hidden = mixture([(rate, first), (1 - rate, second)], index="hidden")
    for a in bends(mixed, first, second):
        mean = rate * delta(pair, a) + (1 - rate) * delta(other, a)
        assert hidden.hockey_stick(a) == delta(mixed, a) <= mean


@given(pairs)
def test_conversions_lead_back(pair):
    """Profile to loss to profile, to trade-off function and back, and the second moment."""
    cuts = sorted(r for r in oracle.loss_masses(pair.P, pair.Q) if r != oracle.INFINITE)
    for a in bends(pair):
        mean = sum((m if r == oracle.INFINITE else max(Fr(0), 1 - a / r) * m
                    for r, m in oracle.loss_masses(pair.P, pair.Q).items()), Fr(0))
        vertices = [(Fr(int(x.p), int(x.q)), Fr(int(y.p), int(y.q)))
                    for x, y in pair.tradeoff.vertices]
        assert all(oracle.trade_off(pair.P, pair.Q, x) == y for x, y in vertices)
        assert delta(pair, a) == mean == max(1 - x - a * y for x, y in vertices)
    if pair.absolutely_continuous:
        # 1 + 2 int_0^oo delta - (1 - alpha)+ over alpha: trapezoids between all bends
        ends = sorted({Fr(0), Fr(1), *cuts})
        above = {a: (delta(pair, a) - max(Fr(0), 1 - a) if a else Fr(0)) for a in ends}
        area = sum(((b - a) * (above[a] + above[b]) / 2 for a, b in pairwise(ends)), Fr(0))
        assert oracle.moment(pair.P, pair.Q, 2) == 1 + 2 * area


HALF = finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]), finite(["1/2", "1/2"], ["1/4", "3/4"])


def test_would_be_laws_fail_at_the_pairs_on_record():
    one, two = HALF
    assert all(one.hockey_stick(a) <= two.hockey_stick(a) for a in bends(*HALF) if a >= 1)
    assert one.hockey_stick("1/2") > two.hockey_stick("1/2")
    coin = finite(["3/4", "1/4"], ["1/4", "3/4"])
    assert (one * coin).hockey_stick(2) > (two * coin).hockey_stick(2)
    assert one.moment(2) > two.moment(2)


# -- laws catch what is wrong ---------------------------------------------------------------------


class Symmetrised(FinitePair):
    """A finite pair whose reversal forgets to exchange its members."""

    def reverse(self):
        return self


class Forgetful(FinitePair):
    """A finite pair whose products leave out the losses of the first factor."""

    def _times(self, other):
        return FinitePair(tuple((a * c, a * d) for a, _ in self.masses for c, d in other.masses))


class Small(FinitePair):
    """A finite pair whose profile is one tenth too small."""

    def hockey_stick(self, alpha):
        return super().hockey_stick(alpha) * Fr(9, 10)


class Leaking(FinitePair):
    """A finite pair that counts the mass at infinite loss twice in its loss."""

    def loss_masses(self):
        return tuple((r, m if r else 2 * m) for r, m in super().loss_masses())


ODD = finite(["1/2", "3/10", "1/5", 0], ["1/5", "1/2", 0, "3/10"])


@pytest.mark.parametrize(("wrong", "laws"), [
    (Symmetrised, ["reversal", "dual loss", "trade-off inverse"]),
    (Forgetful, ["composition", "commutativity", "dominance under composition", "tensor product"]),
    (Small, ["through the loss", "through the trade-off function", "loss", "subsampling remove"]),
    (Leaking, ["through the loss"]),
])
def test_wrong_pairs_are_caught(wrong, laws):
    pair = wrong(ODD.masses)
    for name in laws:
        assert LAWS[name](ODD).holds is True
        found = LAWS[name](pair)
        assert found.holds is False and found.method == "exact" and found.detail, name


def test_a_wrong_profile_has_wrong_moments():
    full = finite(["1/2", "1/2"], ["1/3", "2/3"])
    assert LAWS["moments from the profile"](full).holds is True
    assert LAWS["moments from the profile"](Small(full.masses)).holds is False
    # with mass at infinite loss E_2 is oo, whatever the profile
    assert LAWS["moments from the profile"](Small(ODD.masses)).holds is True


def test_what_a_law_takes():
    coin = finite(["2/3", "1/3"], ["1/3", "2/3"])
    assert LAWS["associativity"](coin, ODD, coin).holds
    with pytest.raises(InputError, match="takes a pair and rate: 2 more were given"):
        LAWS["subsampling add"](coin, coin, "1/2")
    with pytest.raises(InputError, match="rate = 3/2 must lie between 0 and 1"):
        LAWS["subsampling add"](coin, "3/2")
    with pytest.raises(InputError, match="is no pair"):
        LAWS["composition"](coin, "1/2")
    with pytest.raises(InputError, match="is a float"):
        LAWS["subsampling add"](coin, 0.5)
