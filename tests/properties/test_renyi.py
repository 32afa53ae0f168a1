"""Moments of exact pairs, and what dominance of profiles implies for them."""

from __future__ import annotations

import sympy as sp
from hypothesis import event, given
from hypothesis import strategies as st
from mpmath import mp

from lapdp.testing.strategies import channels, finite_pairs
from tests.oracle import finite as oracle
from tests.oracle.transforms import profile_signal, two_sided

pairs = finite_pairs()
orders = st.integers(2, 6)


@given(pairs, st.integers(-4, 6))
def test_moment_is_that_of_the_oracle(pair, q):
    expected = oracle.moment(pair.P, pair.Q, q)
    assert pair.moment(q) == (sp.oo if expected == mp.inf else expected)


@given(pairs, st.integers(-5, 6))
def test_reversed_moment(pair, q):
    """Equation (9): E_q(P||Q) = E_{1-q}(Q||P)."""
    assert pair.moment(q) == pair.reverse().moment(1 - q)


@given(pairs, st.integers(-5, 6))
def test_moment_by_the_loss(pair, q):
    """Equation (21): E[e^((q-1) Z)], where the loss tells the moment."""
    if pair.absolutely_continuous and (q > 0 or pair.reverse_absolutely_continuous):
        assert pair.moment(q) == sum(r ** (q - 1) * m for r, m in pair.loss_masses())


@given(pairs, orders, st.data())
def test_post_processing_never_raises_a_moment(pair, q, data):
    image = pair.post_process(data.draw(channels(len(pair.masses))))
    assert image.moment(q) <= pair.moment(q)


@given(pairs, pairs, orders)
def test_profile_dominance_implies_renyi_dominance(first, second, q):
    """Theorem 3.6, (44), for every pair; the converse fails, (45)."""
    dominated = first.profile_dominates(second)
    assert dominated == oracle.dominates((first.P, first.Q), (second.P, second.Q))
    event("dominates" if dominated else "does not dominate")
    if dominated:
        assert first.moment(q) >= second.moment(q)
        assert first.moment(1 - q) >= second.moment(1 - q)


@given(finite_pairs(absolutely_continuous="forward"), orders)
def test_moment_from_the_profile(pair, q):
    """Theorem 3.3, (27), by elementary integrals between the breakpoints."""
    assert q * (q - 1) * two_sided(profile_signal(pair.P, pair.Q), 1 - q) == pair.moment(q)


@given(finite_pairs(absolutely_continuous="neither"), orders)
def test_moment_and_transform_diverge_together(pair, q):
    assert pair.moment(q) == sp.oo
    assert two_sided(profile_signal(pair.P, pair.Q), 1 - q) == mp.inf
