"""Differences of profiles against differences of their places, and what is not derived."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived, of_texts

DERIVED = {
    "Lipschitz": ("delta(P, Q)(x) - delta(P, Q)(y) <= y - x", "x <= y"),
    "a multiple": ("delta(P, Q)(2*eps) - delta(P, Q)(3*eps) <= eps", "eps >= 0"),
    "turned": ("delta(Q, P)(x) <= delta(Q, P)(y) + y - x", "x <= y"),
}


@pytest.mark.parametrize("name", DERIVED)
def test_derived(name):
    assert_derived(of_texts(DERIVED[name], 3000))


NOT_DERIVED = {
    "half of it": ("delta(P, Q)(x) - delta(P, Q)(y) <= (y - x)/2", "x <= y"),
    "without the order": ("delta(P, Q)(x) - delta(P, Q)(y) <= y - x",),
    "the other order": ("delta(P, Q)(x) - delta(P, Q)(y) <= y - x", "y <= x"),
    "from below": ("delta(P, Q)(x) - delta(P, Q)(y) >= y - x", "x <= y"),
    "of two directions": ("delta(P, Q)(x) - delta(Q, P)(y) <= y - x", "x <= y"),
    "of two pairs": ("delta(P, Q)(x) - delta(A, B)(y) <= y - x", "x <= y"),
    "less than it": ("delta(P, Q)(2*eps) - delta(P, Q)(3*eps) <= eps/2", "eps >= 0"),
    "strictly": ("delta(P, Q)(x) - delta(P, Q)(y) < y - x", "x <= y"),
    "a square": ("delta(P, Q)(x) - delta(P, Q)(y) <= (y - x)**2", "x <= y"),
    "a sum": ("delta(P, Q)(x) + delta(P, Q)(y) <= 1 + y - x", "x <= y"),
}


@pytest.mark.parametrize("name", NOT_DERIVED)
def test_not_derived(name):
    assert_not_derived(of_texts(NOT_DERIVED[name], 600))
