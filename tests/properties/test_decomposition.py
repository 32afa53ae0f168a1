"""Lemma A.1, constructed: exact distributions that simulate an (eps, delta)-DP pair, with ==."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.privacy.decomposition import decompose
from lapdp.privacy.finite import finite
from lapdp.testing.strategies import finite_pairs
from tests.oracle import finite as oracle

odds = st.fractions(min_value=1, max_value=9, max_denominator=7)


@st.composite
def private_pairs(draw):
    """A pair, e^eps and a delta at which it is private; often the smallest one, or the edges."""
    pair, a = draw(finite_pairs()), draw(st.one_of(st.just(Fr(1)), odds))
    needed = max(oracle.hockey_stick(pair.P, pair.Q, a), oracle.hockey_stick(pair.Q, pair.P, a))
    slack = draw(st.sampled_from([Fr(0), Fr(1, 3), Fr(1)]))
    return pair, a, needed + slack * (1 - needed)


def is_distribution(masses):
    return all(x >= 0 for x in masses) and sum(masses) == 1


@given(private_pairs())
def test_the_four_distributions_give_the_pair_back(case):
    pair, a, d = case
    found = decompose(pair, a, d)
    assert all(map(is_distribution, found.channel))
    for member, near, far, rest in ((pair.P, found.A, found.B, found.P_rest),
                                    (pair.Q, found.B, found.A, found.Q_rest)):
        assert member == tuple((1 - d) * (a * x + y) / (a + 1) + d * z
                               for x, y, z in zip(near, far, rest, strict=True))
    assert found.pair() == pair


@given(private_pairs(), odds)
def test_the_bound_of_theorem_4_5(case, t):
    """delta_{P|Q}(t) <= delta_RR(t): the profile cannot grow under post-processing."""
    pair, a, d = case
    response = decompose(pair, a, d).response
    for alpha in (t, 1 / t):
        assert oracle.hockey_stick(pair.P, pair.Q, alpha) <= (
            oracle.hockey_stick(response.P, response.Q, alpha))


@pytest.mark.parametrize(("a", "d", "told"), [
    ("1/2", 0, "at least 1"), (2, 2, "between 0 and 1"), (2, "-1/9", "between 0 and 1"),
    (2, 0, "is not"), (0.5, 0, "float")])
def test_refusals(a, d, told):
    with pytest.raises(InputError, match=told):
        decompose(finite([1, 0], ["1/2", "1/2"]), a, d)


@given(private_pairs())
def test_below_the_smallest_delta_nothing_is_found(case):
    pair, a, _ = case
    needed = max(pair.hockey_stick(a), pair.reverse().hockey_stick(a))
    if needed:
        with pytest.raises(InputError, match="is not"):
            decompose(pair, a, needed * Fr(99, 100))
