"""Which outcomes an event of a witness is: its places, with the probabilities that it must have."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lapdp.report.events_in_words import events_in_words
from lapdp.theory import Event, Le, claim, decisions, delta, mean, pair
from lapdp.theory.engine import judge

(P, Q), S, phi = pair(), Event("S"), decisions("phi")


def test_the_report_says_what_the_test_is():
    found = judge(claim("x", Le(mean(P, phi), mean(Q, phi) + delta(P, Q)(1))), numeric=False,
                  seconds=60)
    text = str(found)
    assert "phi = {0}\n" in text
    assert "phi = 1 at the outcome with mass 1 of P, 1/2 of Q, else 0" in text
    assert f"left side  = {found.witness.lhs}" in text and found.witness.lhs == "1"


@pytest.mark.parametrize(("form", "side"), [
    (Le(P(S), Q(S)/2), 0), (Le(Q(S), P(S)/2), 1), (Le(P(S), 3*Q(S)), 0)])
def test_the_masses_said_are_those_of_the_event(form, side):
    """The left side of each claim is the probability of the event, which the words repeat."""
    statement = claim("x", form)
    witness = judge(statement, numeric=False, seconds=60).witness
    (line,) = events_in_words(witness.text, str(form))
    said = line.partition(" with mass ")[2].split(", ")[side].split()[0]
    assert sum(map(Fraction, said.split("+"))) == Fraction(witness.lhs)


def test_places_follow_ratios():
    text = 'P, Q = mechanism_pair(finite(["1/4", "3/4", 0], ["1/8", "3/8", "1/2"])); S = {0, 1}'
    assert events_in_words(text, "P(S) <= 1") == [
        "S = the outcomes with mass 1+0 of P, 1/2+1/2 of Q"]
    assert events_in_words(text.replace("{0, 1}", "{}"), "P(S) <= 1") == ["S = no outcome"]


@pytest.mark.parametrize("text", [
    "P, Q = mechanism_pair(laplace(1)); S = {0}", "S = {0}", "eps = 1",
    "P, Q = mechanism_pair(finite([1], [1])); A, B = mechanism_pair(finite([1], [1])); S = {0}"])
def test_of_other_spaces_nothing_is_said(text):
    assert events_in_words(text, "P(S) <= 1") == []


def test_numbers_name_an_event_by_its_outcomes():
    """The numeric column holds an event as bits: 13 are the outcomes 0, 2 and 3."""
    from lapdp.numeric.instances import Instance

    assert Instance(values={S: 13}).record()["parameters"] == {"S": "{0, 2, 3}"}
    assert Instance(values={S: 0}).record()["parameters"] == {"S": "{}"}
