"""A sample of the containment campaign, and that it would see an interval that lies."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
import sympy as sp

from lapdp import (
    exponential_mechanism,
    finite,
    geometric,
    laplace,
    outcomes,
    randomized_response,
    reverse,
)
from lapdp.accounting.doubles import deltas as doubles
from lapdp.accounting.doubles.batch import Batch
from tests.campaigns import containment
from tests.campaigns.containment import BAD, HELD, MISS, SILENT, Block, Entry, block, entries


def test_a_sample_has_no_miss():
    found = block(0, 0, limit=3, size=6)
    assert len(found.entries) >= 36
    assert not [e for e in found.entries if e.outcome in BAD], containment.summary([found])
    assert sum(e.outcome == HELD for e in found.entries) >= 10


@pytest.mark.parametrize("number", [1, 2, 5])  # none of their queries comes near the limit
def test_a_block_can_be_repeated(number):
    first, second = (block(7, number, limit=30, size=2) for _ in range(2))
    assert [(e.mechanism, e.asked, e.at) for e in first.entries] == [
        (e.mechanism, e.asked, e.at) for e in second.entries]
    assert len({e.mechanism for e in first.entries}) == 2


def test_doubles_next_to_the_end_of_the_losses():
    """Once every one of these was answered by 0 exactly, or by an exception."""
    nothing_finite = outcomes({"lost": (0, 1), "seen": (1, 0)}) ** 512
    for pair, end in ((randomized_response(sp.log(2)), 0.6931471805599453),
                      (geometric("189/100000", 29), 0.05481),
                      (exponential_mechanism(sp.log(3)) ** 13, 14.281959752685426),
                      (finite(["1/3", "2/3"], ["2/3", "1/3"]), 0.6931471805599453),
                      (laplace(1) ** 4, 4.0), (nothing_finite, 0.0)):
        points = [float(np.nextafter(end, 0)), end, float(np.nextafter(end, 100))]
        found = list(entries(pair, [], points, 5))
        assert not [e for e in found if e.outcome in BAD], found


def test_wrong_intervals_are_seen(monkeypatch):
    def answers(value, radius):
        def lying(pair, eps, copies=1):
            return Batch(np.array([value]), np.array([radius]), np.array(["made up"], object), 0.0)

        return lying

    pair = laplace(1)
    right = doubles.deltas(pair, [0.5]).values[0]
    for value, radius, outcome in ((right * (1 + 1e-12), right * 1e-13, MISS),
                                   (right, right * 1e-13, HELD), (0.0, 0.0, MISS),
                                   (np.inf, 0.0, MISS)):
        monkeypatch.setattr(containment, "deltas", answers(value, radius))
        assert next(entries(pair, [], [0.5], 5)).outcome == outcome, (value, radius)
    # of 53 losses all but 2^-53 are infinite: a double, which a ball lies about only
    losing = reverse(finite(["1", "0"], ["1/2", "1/2"])) ** 53
    monkeypatch.setattr(containment, "deltas", answers(1 - 2.0 ** -53, 0.0))
    assert next(entries(losing, [], [2.0], 5)).outcome not in BAD


def test_a_wide_interval_must_say_so(monkeypatch):
    class Silent(Batch):
        wide = np.array([False])

    right = doubles.deltas(laplace(1), [0.5]).values[0]
    monkeypatch.setattr(containment, "deltas", lambda *_: Silent(
        np.array([right]), np.array([right * 1e-9]), np.array(["made up"], object), 0.0))
    assert next(entries(laplace(1), [], [0.5], 5)).outcome == SILENT


def test_the_summary_and_the_record(tmp_path):
    one = Block(0, 4, [Entry("poisson(laplace(1, 1), 1/2, direction='add')**3", "delta", "1.0",
                             HELD, "by hand", 1e-12),
                       Entry("law({0: 1})*gaussian(1, 1)", "delta", "0.0", MISS, detail="off")])
    kept = tmp_path / "kept"
    kept.write_text(json.dumps(asdict(one)) + "\n", encoding="utf-8")
    assert containment.read(kept) == [one] and containment.read(tmp_path / "none") == []
    told = containment.summary([one])
    for line in ("1 contained, 1 miss", "  gaussian law: 1 miss", "  laplace poisson: 1 contained",
                 "  by hand: 1 contained", "1.0e-12 delta 1.0 of poisson(",
                 "miss: delta 0.0 of law({0: 1})*gaussian(1, 1): off"):
        assert line in told, told
