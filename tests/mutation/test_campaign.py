"""A sample of the campaign: no false proof, no false refutation, at least 90 percent killed."""

from __future__ import annotations

import pytest

from lapdp.core.verdict import Witness
from tests.mutation.campaign import Entry, Summary, campaign
from tests.mutation.replay import replay
from tests.shelf import library

EVERY = 300


@pytest.fixture(scope="module")
def sample():
    found = campaign(EVERY)
    print(found.text())
    return found


@pytest.mark.nightly
def test_no_false_verdict(sample):
    assert not sample.false_proofs, sample.text()
    assert not sample.false_refutations, sample.text()


@pytest.mark.nightly
def test_mutants_are_refuted(sample):
    """Of the mutants that the oracle finds to fail, at least 90 percent have a witness."""
    assert len(sample.different) >= len(sample.entries) // 2
    assert sample.share >= 0.9, sample.text()


def test_summary_sorts_entries():
    entries = [
        Entry("a~1", "", engine="proved", oracle="fails"),
        Entry("a~2", "", engine="refuted", oracle="fails", witness="w", replayed="confirmed"),
        Entry("a~3", "", engine="refuted", oracle="holds", witness="w", replayed="denied"),
        Entry("a~4", "", engine="undecided", oracle="fails"),
        Entry("a~5", "", engine="proved", oracle="unknown"),
    ]
    found = Summary(entries)
    assert [e.id for e in found.false_proofs] == ["a~1"]
    assert [e.id for e in found.false_refutations] == ["a~3"]
    assert [e.id for e in found.unconfirmed] == ["a~5"]
    assert [e.id for e in found.survivors] == ["a~1", "a~4"]
    assert found.share == pytest.approx(1 / 3)
    assert "5 mutants, 2 killed" in found.text()


@pytest.mark.parametrize(("label", "text", "answer"), [
    ("eq-23", "P, Q = finite([1/2, 1/2], [1, 0]); eps = 0", "confirmed"),
    ("eq-23", "P, Q = finite([1/2, 1/2], [1/4, 3/4]); eps = log(2)", "denied"),
    ("eq-22", "P, Q = finite([1/2, 1/2], [1, 0]); eps = 0", "denied"),
    ("eq-23", "P, Q = exponential(1, 2); eps = 0",
     "beyond: the oracle does not have exponential(1, 2)"),
    ("eq-70.1", "g(t) = exp(-t)*Heaviside(t); a = 1; s = -5", "outside"),
])
def test_replay(label, text, answer):
    statement = next(s for s in library() if s.label == label)
    assert replay(statement, Witness(text, {}, "", "")) == answer
