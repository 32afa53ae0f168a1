"""Suprema over events of sums of several distributions: bounds, and equal members."""

from __future__ import annotations

import pytest

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS, FEWER = 12_000, 600
a, b, c = reals("a b c")
S = Event("S")
P, Q, A, B = distributions("P Q A B")
SIGNS = [Ge(a, 0), Ge(b, 0), Ge(c, 0)]
THREE = Sup(a * A(S) + b * B(S) - c * Q(S), S)
MIXED = SameMeasure(P, a * A + b * B)
TRUE = {
    "two that count": (Le(THREE, a + b), SIGNS),
    "one that counts": (Le(Sup(a * A(S) - b * B(S) - c * Q(S), S), a), SIGNS),
    "signs by the sides of a case": (Le(Sup((a - b) * A(S) + c * B(S) - c * Q(S), S), c + a - b), [
        Ge(c, 0), Ge(a, b)]),
    "none that counts": (Le(Sup(-a * A(S) - b * B(S) - c * Q(S), S), 0), SIGNS),
    "equal members": (Eq(Sup(P(S) - c * Q(S), S), THREE), [*SIGNS, MIXED]),
}
FALSE = {
    "one of two": (Le(THREE, a), SIGNS),
    "half": (Le(THREE, (a + b) / 2), SIGNS),
    "a sign left out": (Le(THREE, a + b), [Ge(a, 0), Ge(b, 0)]),
    "less what is taken away": (Le(THREE, a + b - c), SIGNS),
    "strictly": (Lt(THREE, a + b), SIGNS),
    "members of another sum": (Eq(Sup(P(S) - b * Q(S), S), THREE), [*SIGNS, MIXED]),
    "another mixture": (Eq(Sup(P(S) - c * Q(S), S), THREE), [
        *SIGNS, SameMeasure(P, b * A + a * B)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], FEWER)[0] is None
