"""Statements that are true are derived; false ones, each a slip away, are not."""

from __future__ import annotations

import pytest

from lapdp.proving.derivation import AGAIN, Derivation, Exhausted
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_texts as searched

STEPS, MANY = 6_000, 40_000
"""Of the kernel, for what is not found and for what is."""

TRUE = [
    ("delta(P, Q)(eps) == 1 - exp(eps) + exp(eps)*delta(Q, P)(-eps)",),
    ("P(S) - exp(eps)*Q(S) <= delta(P, Q)(eps)",),
    ("P(S) <= exp(eps)*Q(S) + d", "delta(P, Q)(eps) <= d"),
    ("log(x*y) == log(x) + log(y)", "x > 0", "y > 0"),
    ("log(x) < log(y)", "0 < x", "x < y"),
    ("sqrt(x*y) == sqrt(x)*sqrt(y)", "x >= 0", "y >= 0"),
    ("z**5*(1 - z) >= 0", "z >= 0", "z <= 1"),
    ("exp(a) <= exp(b)", "a <= b"),
    ("1/(a + b) > 0", "a > 0", "b > 0"),
    ("P(S)*Q(S) <= 1",),
    ("piecewise((1, b == 0), (piecewise((1, d == 0), (0, True)), True))"
     " == piecewise((1, b*d == 0), (0, True))",),
    ("delta(P, Q)(t) <= d", "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d", "a <= t"),
    ("delta(P, Q)(t) <= 1 - exp(t) + exp(t)*d", "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d",
     "t <= -a", "a >= 0"),
    ("delta(P, Q)(t) <= d + (1 - d)*(exp(a) - exp(t))/(1 + exp(a))",
     "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d", "-a < t", "t < a", "a > 0"),
    ("exp(log(q)) == q", "q != 0"),
    ("exp(q*log(q)/q) == q", "q != 0"),
]
FALSE = [
    ("delta(P, Q)(eps) == 1 - exp(eps) + exp(eps)*delta(P, Q)(-eps)",),
    ("delta(P, Q)(eps) == 1 - exp(-eps) + exp(eps)*delta(Q, P)(-eps)",),
    ("P(S) - exp(eps)*Q(S) < delta(P, Q)(eps)",),
    ("delta(P, Q)(eps) <= P(S) - exp(eps)*Q(S)",),
    ("log(x*y) == log(x) + log(y)", "x*y > 0"),
    ("log(x) <= log(y)", "0 < y", "x < y"),
    ("sqrt(x*y) == sqrt(x)*sqrt(y)", "x*y >= 0"),
    ("z**5*(1 - z) > 0", "z >= 0", "z <= 1"),
    ("exp(a) < exp(b)", "a <= b"),
    ("1/(a + b) > 0", "a > 0"),
    ("P(S)*Q(S) < 1",),
    ("log(exp(q)) == q",),
    ("exp(log(q)) == q",),
    ("P(S) <= Q(S)",),
    ("delta(P, Q)(eps) == 0", "delta(Q, P)(eps) == 0"),
    ("piecewise((1, b == 0), (piecewise((1, d == 0), (0, True)), True))"
     " == piecewise((1, b + d == 0), (0, True))",),
    ("delta(P, Q)(t) <= d", "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d", "t <= a"),
    ("delta(P, Q)(t) <= 1 - exp(t) + exp(t)*d", "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d",
     "t <= a", "a >= 0"),
    ("delta(P, Q)(t) <= d + (1 - d)*(exp(a) - exp(t))/(2 + exp(a))",
     "delta(P, Q)(a) <= d", "delta(Q, P)(a) <= d", "-a < t", "t < a", "a > 0"),
]


@pytest.mark.parametrize("texts", TRUE, ids=lambda t: t[0])
def test_true_statements_are_derived(texts):
    assert_derived(searched(texts, MANY))


@pytest.mark.parametrize("texts", FALSE, ids=lambda t: t[0])
def test_false_statements_are_not(texts):
    assert_not_derived(searched(texts, STEPS))


def test_a_search_that_asks_the_same_for_ever_ends():
    d = Derivation(most=20)
    zero = d.num(0)
    asked = 0
    with pytest.raises(Exhausted, match="too many steps"):
        while True:
            d.do("refl", d.mk("eq", zero, zero))
            asked += 1
    assert 20 < asked <= 20 * AGAIN
    assert len(d.record) == 1


def test_a_search_that_goes_on_takes_no_step_twice():
    d = Derivation(most=1)
    name, letter = d.fresh("R")
    first = d.refl(letter)
    with pytest.raises(Exhausted):
        d.gen(name, "R", first)
    d.go_on(2)
    assert d.fresh("R") == (name, letter)
    assert d.refl(letter) == first
    assert d.head(d.claim(d.gen(name, "R", first))) == "allR"
    assert len(d.record) == 2
