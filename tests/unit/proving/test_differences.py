"""Letters that differ, by their difference: what is true of it, and slips of order and sign."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_texts as searched

LESS, APART = "x < y", "x != y"
TRUE = [
    ("1/(x - y)**2 > 0", APART),
    ("sqrt((x - y)**2) == y - x", LESS),
    ("sqrt((x - y)**2) == abs(x - y)", APART),
    ("abs(1/(x - y)) == 1/(y - x)", LESS),
    ("(x**2 - y**2)/(x - y) == x + y", APART),
    ("exp(-a**2/(x - y)**2) <= 1", APART),
]
FALSE = [
    ("1/(x - y)**2 > 0",),
    ("1/(x - y) > 0", APART),
    ("sqrt((x - y)**2) == x - y", LESS),
    ("sqrt((x - y)**2) == y - x", APART),
    ("abs(1/(x - y)) == 1/(x - y)", LESS),
    ("abs(1/(x - y)) == 1/(y - x)", "x <= y"),
    ("(x**2 - y**2)/(x - y) == x - y", APART),
    ("exp(-a**2/(x - y)**2) < 1", APART),
    ("1/(x - z)**2 > 0", APART),
]


@pytest.mark.parametrize("texts", TRUE, ids=lambda t: f"{t[0]}, {t[-1]}")
def test_true_statements_are_derived(texts):
    assert_derived(searched(texts, 4_000))


@pytest.mark.parametrize("texts", FALSE, ids=lambda t: f"{t[0]}, {t[-1]}")
def test_false_statements_are_not(texts):
    assert_not_derived(searched(texts, 2_000))
