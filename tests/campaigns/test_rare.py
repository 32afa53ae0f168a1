"""A sample of the campaign of hits, its references, and that a lie would be seen."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath as mp
import pytest

from lapdp.balls.decimals import Enclosure
from tests.campaigns import rare
from tests.campaigns.rare import APART, BAD, HELD, MISS, WIDE, Case, Recursion, asked, judged
from tests.campaigns.references import normal, removed, two_sampled

pytest.importorskip("numpy")


@pytest.mark.parametrize(("sigma", "rate"), [("1", "1/10"), ("5", "1/10000"), ("1/2", "1/100")])
def test_one_step_is_the_closed_form(sigma, rate):
    s, q = Fraction(sigma), Fraction(rate)
    top = float(Case(s, q, 1).top)
    found = Recursion(float(s), float(q), 0, top, 1.0)
    for t in (top / 20, top / 3, top):
        with mp.workdps(60):
            there = removed(q, normal(1 / (2 * s**2)))(mp.mpf(t))
        assert abs(found.step(0, t) / there - 1) < 1e-12


def test_two_steps_are_the_integral():
    found = Recursion(1.0, 0.1, 1, 3.0, 0.7)
    with mp.workdps(36):
        there = two_sampled(Fraction(1), Fraction(1, 10))(mp.mpf("0.25"))
    assert abs(found.step(1, 0.25) / there - 1) < 1e-12


def test_routes_by_hits_hold_the_number():
    one = Case(Fraction(5), Fraction(1, 100), 2, 2)
    found = list(asked(one, Fraction(1, 4), (8, 14), True, False, 30))
    assert {e.route for e in found} >= {"hits in doubles", "hits", "hits, many digits", "add"}
    assert not [e for e in found if e.outcome in BAD], rare.summary(found)
    assert sum(e.outcome == HELD for e in found) >= 6


def test_wrong_enclosures_are_seen(monkeypatch):
    one, t = Case(Fraction(1), Fraction(1, 10), 1), Fraction(1, 2)
    there, slack = one.reference(t, 12)
    middle = Fraction(str(there))
    with mp.workdps(80):
        for share, radius, outcome in (("0", "1e-13", HELD), ("1e-9", "1e-13", MISS),
                                       ("-1e-9", "1e-13", MISS), ("0", "1e-8", WIDE)):
            found = Enclosure(middle * (1 + Fraction(share)), middle * Fraction(radius))
            assert judged(found, 12, there, slack) == outcome

    def lying(pair, forward, eps, rule):
        return lambda digits: Enclosure(middle * (1 + (digits > 5) * Fraction(1, 10**8)),
                                        middle * Fraction(1, 10**9))

    # a poor reference tells no miss, but the routes differ
    monkeypatch.setattr(rare.delta_rules, "integral", lying)
    monkeypatch.setattr(rare.delta_rules, "in_doubles", lying)
    monkeypatch.setattr(Case, "reference", lambda *_: (there, there * mp.mpf("5e-8")))
    found = list(asked(one, t, (4, 7), False, False, 5))
    assert [e.outcome for e in found][-1] == APART


def test_beyond_its_rules_a_recursion_is_no_reference():
    one = Case(Fraction(5), Fraction(1, 1000), 2, 2)
    assert one.reference(one.top, 12)[1] < 1e-100 and one.reference(one.top * 2, 12)[1] == mp.inf


def test_cases_are_drawn_alike():
    assert rare.drawn(random.Random(3)) == rare.drawn(random.Random(3))
