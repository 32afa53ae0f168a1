"""Laws of the privacy profile in alpha = e^eps, at exact pairs, compared with ==."""

from __future__ import annotations

from fractions import Fraction as Fr

from hypothesis import given
from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.testing.strategies import alphas, channels, finite_pairs
from tests.oracle import finite as oracle

pairs = finite_pairs()


@st.composite
def pairs_and_alphas(draw):
    """A pair and a place: any alpha, or one of its own likelihood ratios."""
    pair = draw(pairs)
    cuts = pair.breakpoints()
    return pair, draw(st.one_of(alphas(), st.sampled_from(cuts)) if cuts else alphas())


@given(pairs_and_alphas())
def test_profile_is_that_of_the_oracle(case):
    pair, alpha = case
    assert pair.hockey_stick(alpha) == oracle.hockey_stick_by_events(pair.P, pair.Q, alpha)


@given(pairs_and_alphas())
def test_reversal(case):
    """Equation (7): delta_{Q|P}(eps) = 1 - e^eps + e^eps delta_{P|Q}(-eps)."""
    pair, alpha = case
    assert pair.reverse().hockey_stick(alpha) == 1 - alpha + alpha * pair.hockey_stick(1 / alpha)
    assert pair.reverse().reverse() == pair
    assert oracle.hockey_stick(*oracle.reverse(pair.P, pair.Q), alpha) == (
        pair.reverse().hockey_stick(alpha))


@given(pairs, alphas(), alphas(), st.integers(0, 4))
def test_convex_and_decreasing_in_alpha(pair, a, b, quarters):
    weight = Fr(quarters, 4)
    between = pair.hockey_stick(weight * a + (1 - weight) * b)
    assert between <= weight * pair.hockey_stick(a) + (1 - weight) * pair.hockey_stick(b)
    if a <= b:
        assert pair.hockey_stick(a) >= pair.hockey_stick(b)


@given(pairs, alphas())
def test_bounds_and_limits(pair, alpha):
    """max(P - alpha, mass at +oo) <= delta <= 1; the ends are 1 at alpha -> 0, that mass at oo."""
    value = pair.hockey_stick(alpha)
    assert max(0, 1 - alpha, pair.mass_at_infinity) <= value <= 1
    cuts = pair.breakpoints()
    if cuts:
        assert pair.hockey_stick(cuts[-1]) == pair.mass_at_infinity
        low = min(alpha, cuts[0])
        q_null = pair.reverse().mass_at_infinity
        assert pair.hockey_stick(low) == 1 - low * (1 - q_null)
    else:
        assert value == 1


@given(pairs, alphas(), st.data())
def test_post_processing_never_hurts(pair, alpha, data):
    channel = data.draw(channels(len(pair.masses)))
    image = pair.post_process(channel)
    assert oracle.post_process(pair.P, pair.Q, channel) == (image.P, image.Q)
    assert image.hockey_stick(alpha) <= pair.hockey_stick(alpha)
    assert pair.profile_dominates(image)
    assert oracle.dominates((pair.P, pair.Q), (image.P, image.Q))


@given(pairs, alphas())
def test_merging_keeps_the_profile(pair, alpha):
    merged = pair.merge()
    assert merged.hockey_stick(alpha) == pair.hockey_stick(alpha)
    assert merged.merge() == merged
    assert merged.loss_masses() == pair.loss_masses()
    assert merged.breakpoints() == pair.breakpoints()


@given(pairs, pairs)
def test_equal_profiles_exactly_when_merged_forms_are_equal(first, second):
    both_ways = first.profile_dominates(second) and second.profile_dominates(first)
    assert both_ways == (first.merge() == second.merge())


@given(pairs, st.data())
def test_a_permutation_of_outcomes_changes_nothing(pair, data):
    shuffled = FinitePair(tuple(data.draw(st.permutations(pair.masses))))
    assert shuffled.merge() == pair.merge()


@given(pairs)
def test_loss_masses_are_those_of_the_oracle(pair):
    expected = oracle.loss_masses(pair.P, pair.Q)
    assert {("oo" if r is None else r): m for r, m in pair.loss_masses()} == expected
    assert sum(m for _, m in pair.loss_masses()) == 1


@given(pairs)
def test_loss_distributions_of_both_directions(pair):
    """Equation (19): an atom of Z at z has mass e^z times that of Z' at -z."""
    other = dict(pair.reverse().loss_masses())
    for ratio, mass in pair.loss_masses():
        if ratio is not None:
            assert mass == ratio * other[1 / ratio]


@given(pairs_and_alphas())
def test_profile_from_the_loss(case):
    """Equation (20): E[1 - e^(eps - Z)]_+, with an infinite loss counted whole."""
    pair, alpha = case
    expected = sum(
        (m if r is None else m * max(Fr(0), 1 - alpha / r) for r, m in pair.loss_masses()), Fr(0)
    )
    assert pair.hockey_stick(alpha) == expected
    above = oracle.probability(pair.P, pair.Q, ">", alpha)
    below = oracle.probability(pair.Q, pair.P, "<", 1 / alpha)
    assert pair.hockey_stick(alpha) == above - alpha * below


@given(pairs_and_alphas())
def test_profile_from_both_distribution_functions(case):
    """Equation (30) with Pr[Z' < -eps], which an atom at eps needs."""
    pair, alpha = case
    tail = 1 - oracle.probability(pair.P, pair.Q, "<=", alpha)
    assert pair.hockey_stick(alpha) == tail - alpha * oracle.probability(
        pair.Q, pair.P, "<", 1 / alpha)
