"""Statements that are true are derived; false ones, each a slip away, are not."""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.proving import search
from lapdp.proving.derivation import AGAIN, Derivation, Exhausted, NotFound
from lapdp.proving.variations import Ways
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
    ("m/n < m/(n - 1)", "m > 0", "n > 0", "m < n", "n > 1"),
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
    ("m/n < m/(n - 1)", "m > 0", "n > 0", "m < n", "n != 1"),
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


def test_a_search_that_took_all_steps_asks_for_more_and_goes_on_where_it_was():
    d = Derivation(most=1)
    asked = []

    def beyond(taken):
        asked.append(taken)
        if taken > 1:
            raise Exhausted("too many steps")
        return 2

    d.beyond = beyond
    name, letter = d.fresh("R")
    first = d.refl(letter)
    assert d.head(d.claim(d.gen(name, "R", first))) == "allR"
    with pytest.raises(Exhausted):
        d.refl(d.num(0))
    assert (asked, len(d.record)) == ([1, 2], 2)


def test_another_way_has_its_turn_while_a_search_rests(monkeypatch):
    """What the other way finds is the answer, and the search is not gone on with."""
    taken = []

    def endless(prover, goal):
        d, n = prover.d, 0
        while True:
            n += 1
            taken.append(d.refl(d.num(n)))

    def other(d, prove):
        return d.refl(d.num(0))

    monkeypatch.setattr(search, "_found", endless)
    monkeypatch.setattr(search, "ways", lambda bank, goal: Ways([], [(1, other)]))
    bank = Bank()
    zero = bank.number(0)
    lines, why = search.derive(bank, bank.make("eq", zero, zero), 3 * search.FIRST)
    assert (lines, why) == (['["t","n",0,1]', '["t","eq",0,0]', '["p","refl",1,[],[]]'], "")
    assert len(taken) == search.FIRST


def test_a_search_that_rested_goes_on_where_other_ways_fail(monkeypatch):
    def long(prover, goal):
        d = prover.d
        for n in range(search.FIRST):
            d.refl(d.num(n + 1))
        return d.refl(d.num(0))

    def failing(d, prove):
        raise NotFound("nothing")

    monkeypatch.setattr(search, "_found", long)
    monkeypatch.setattr(search, "ways", lambda bank, goal: Ways([], [(1, failing), (4, failing)]))
    bank = Bank()
    zero = bank.number(0)
    goal = bank.make("eq", zero, zero)
    assert search.derive(bank, goal, 3 * search.FIRST)[0] is not None
    assert search.derive(bank, goal, search.FIRST) == (None, "too many steps")
