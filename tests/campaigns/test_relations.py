"""A sample of the campaign of relations, and that it would see numbers that contradict them."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

import flint
import pytest
import sympy as sp

import lapdp
from lapdp.accounting.epsilon import _affinity
from lapdp.balls.decimals import Enclosure
from lapdp.privacy.operations import factors
from tests.campaigns import relations
from tests.campaigns.references import HELD
from tests.campaigns.relations import BAD, CONFLICT, Claim, apart, claims, judged, mechanism
from tests.campaigns.rewriting import arranged, drawn, rewritten

SEEDS = (327, 300, 301, 303, 304, 308, 309, 310, 311, 407, 420, 450, 485, 520)


def test_a_sample_has_no_conflict():
    found = [e for seed in SEEDS for e in mechanism(random.Random(seed), 20)]
    assert {"written otherwise", "another mechanism", "reversed", "falls", "convex", "left out",
            "two steps", "less", "delta above epsilon", "delta below epsilon"} <= {
                e.claim for e in found}
    assert not [e for e in found if e.outcome in BAD], relations.summary(found)
    assert sum(e.outcome == HELD for e in found) >= 60


def test_a_process_of_its_own_says_the_same_and_ends():
    assert apart(304, 20, 60) == list(mechanism(random.Random(304), 20))
    assert apart(306, 20, 0.2)[-1].outcome == "late"


@pytest.mark.parametrize("seed", range(20))
def test_products_are_the_same_however_they_are_written(seed):
    draw = random.Random(seed)
    parts = drawn(draw)
    pair, other = arranged(draw, parts), arranged(draw, rewritten(draw, parts))
    one, two, alone = _affinity(pair), _affinity(other), [_affinity(base) for base, _ in parts]
    if None not in (one, *alone):
        assert one.overlaps(prod((x**k for x, (_, k) in zip(alone, parts, strict=True)),
                                 start=flint.arb(1)))
    assert one is None or two is None or one.overlaps(two)


def test_a_number_that_is_wrong_contradicts_the_others(monkeypatch):
    """One in a thousand too large wherever a factor comes first twice."""
    asked = relations.delta

    def wrong(pair, *more):
        found = asked(pair, *more)
        (first, _), *_ = factors(pair)
        if first != lapdp.laplace(1):
            return found
        middle = found.enclosure.middle
        return replace(found, enclosure=Enclosure(middle * 1001 / 1000, found.enclosure.radius))

    monkeypatch.setattr(relations, "delta", wrong)
    draw, seen = random.Random(1), set()
    parts = [(lapdp.laplace(1), 2), (lapdp.laplace(2), 1), (lapdp.randomized_response(1), 3)]
    for _ in range(40):
        for claim in claims(draw, parts):
            seen |= {e.claim for e in judged(claim, 20, False) if e.outcome == CONFLICT}
    assert {"written otherwise", "reversed"} <= seen


def test_orders_are_denied():
    ask = lapdp.laplace(1), sp.Integer(0), 5
    below = Claim("below", (ask, ask), lambda x, y: x - y, True)
    small, large = (Enclosure(sp.Rational(x), sp.Rational(1, 100)).ball() for x in (1, 2))
    assert below.denied([large, small]) and not below.denied([small, large])
    assert not below.denied([large, large])
    assert replace(below, ordered=False).denied([small, large])
