"""Rare subsampled Gaussians at usual losses: delta of usual losses alone on a line of its own."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import flint
import pytest

from lapdp import gaussian, poisson, randomized_response
from lapdp.accounting.inversion import bent, hits, hits_machine, machine, two_samples
from lapdp.accounting.inversion.hits import Prepared
from lapdp.accounting.inversion.level import one_hit_level
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def rare(sigma: str, rate: str) -> Any:
    """One release."""
    return poisson(gaussian(sigma), rate, direction="remove")


def on_scales(pair: Any, eps: str) -> tuple[Prepared, Any]:
    """What was prepared, and delta, to about ten digits."""
    with workprec(200):
        point = flint.arb(eps)
        ready = Prepared.scales(releases(pair), point, 42, 10**9)
        return ready, hits_machine._sum(ready, point, 36)


@pytest.mark.parametrize(("sigma", "rate", "eps"), [
    ("1/2", "1/100", "0.01"), ("1", "1/1000", "0.0003"), ("10", "1/1000", "0.0001"),
    ("2", "1/10", "0.5")])
def test_one_release_has_a_closed_form(sigma: str, rate: str, eps: str) -> None:
    pair = rare(sigma, rate)
    with workprec(200):
        ready, found = on_scales(pair, eps)
        exact = pair.delta(eps, digits=25)
        assert exact.method == "closed form"
        assert found.rel_accuracy_bits() > 33
        assert found.overlaps(exact.enclosure.ball())
    assert ready.alone is None or ready.terms > ready.alone.terms


@pytest.mark.parametrize(("pair", "eps"), [
    (rare("1", "1/1000") ** 10, "0.003"), (rare("1", "1/10") ** 10, "0.5"),
    (rare("2", "1/1000") ** 3, "0.001"), (rare("1", "1/100") ** 2 * rare("2", "1/1000"), "0.02")])
def test_it_is_the_number_of_one_line_for_all_losses(pair: Any, eps: str) -> None:
    with workprec(200):
        ready, found = on_scales(pair, eps)
        there = machine.delta(releases(pair), flint.arb(eps), 10)
        assert found.overlaps(there)
        assert min(found.rel_accuracy_bits(), there.rel_accuracy_bits()) > 33
        # neither of both scales is delta
        alone = hits_machine._on_all_scales(ready.alone, flint.arb(eps))
        assert not (found - alone).overlaps(there)


def test_usual_losses_alone_are_seen_where_they_are_much_of_delta() -> None:
    pair = rare("1/2", "1/1000") ** 2
    with workprec(200):
        ready, found = on_scales(pair, "0.001")
        alone = hits_machine._on_all_scales(ready.alone, flint.arb("0.001"))
        assert alone > found / 100 and alone < found


def test_every_scale_has_a_line_of_its_own() -> None:
    """One line for all would take more than ten million nodes."""
    pair = rare("1/2", "1/1000") ** 2
    ready, _ = on_scales(pair, "0.001")
    assert ready.terms < 1e8
    periods, here = [], ready
    while here is not None:
        periods.append(here.chosen.period)
        here = here.alone
    assert len(periods) > 2 and all(a > 2 * b for a, b in pairwise(periods))
    with pytest.raises(Unsupported, match="nodes in doubles"):
        machine.delta(releases(pair), flint.arb("0.001"), 10)
    # by contours that bend
    with workprec(200):
        there = bent.delta(releases(pair), flint.arb("0.025"), 40)
        assert there.rel_accuracy_bits() > 30 and there.overlaps(on_scales(pair, "0.025")[1])


def test_products_with_other_losses_are_refused() -> None:
    point = flint.arb("0.01")
    with pytest.raises(Unsupported, match="not all releases"):
        Prepared.scales(releases(rare("1", "1/100") * randomized_response(1)), point, 40, 10**9)
    with pytest.raises(Unsupported, match="not all releases"):
        Prepared.scales(releases(rare("1", "1/100")), flint.arb(0), 40, 10**9)
    with pytest.raises(Unsupported, match="too many terms"):
        Prepared.scales(releases(rare("1", "1/100") ** 2), point, 40, 1000)


def test_what_lies_beyond_both_windows_is_counted() -> None:
    ready, _ = on_scales(rare("1", "1/1000") ** 10, "0.003")
    point, nothing = flint.arb("0.003"), flint.arb(0)
    with workprec(200):
        both = ready.delta(point, nothing)
        apart = replace(ready, alone=None).delta(point, nothing)
    # with the usual losses apart their bound is no part of it
    assert apart.rad() > 1000 * both.rad() > 0


def test_levels_at_which_usual_losses_decide_have_no_level_of_one_hit() -> None:
    found = releases(rare("1/2", "1/1000") ** 2)
    assert one_hit_level(found, math.log(1e-3)) is None
    guess = one_hit_level(found, math.log(1e-5))
    assert guess is not None and 0.4 < guess[0] < 0.6


def test_hits_beside_other_losses_in_doubles() -> None:
    pair = rare("1/2", "1/1000") ** 2 * randomized_response(2)
    with workprec(200):
        found = hits_machine.delta(releases(pair), flint.arb("2.5"), 9)
        one, other = (hits_machine.delta(releases(rare("1/2", "1/1000") ** 2), flint.arb(t), 9)
                      for t in ("0.5", "4.5"))
        high = flint.arb(2).exp() / (1 + flint.arb(2).exp())
        assert found.rel_accuracy_bits() > 30
        assert found.overlaps(high * one + (1 - high) * other)


def test_tables_of_one_place_serve_others(monkeypatch: Any) -> None:
    """Of one search: no other windows are chosen for them."""
    pair = rare("1/2", "2/10000") ** 2
    two = releases(pair)
    with workprec(200), one_search():
        hits_machine.delta(two, flint.arb("0.02"), 10)
        for way in ("ways", "scales"):
            monkeypatch.setattr(Prepared, way, None)
        for eps in ("0.03", "0.2", "1", "0.02"):
            found = hits_machine.delta(two, flint.arb(eps), 10)
            there = two_samples.delta(two, flint.arb(eps), 45)
            assert found.overlaps(there)
            assert min(found.rel_accuracy_bits(), there.rel_accuracy_bits()) > 33


@pytest.mark.parametrize(("sigma", "rate", "copies", "eps"), [
    ("2", "1/1000", 10**4, "1.0"), ("2", "1/1000", 1000, "1.0")])
def test_scales_in_balls_as_one_line(
        monkeypatch: Any, sigma: str, rate: str, copies: int, eps: str) -> None:
    factors = releases(rare(sigma, rate) ** copies)
    with workprec(128):
        point = flint.arb(eps)
        alone = hits.delta(factors, point, 60)
        monkeypatch.setattr(hits, "MODEST", 0)
        monkeypatch.setattr(hits.Prepared, "of", refuse)
        found = hits.delta(factors, point, 60)
    assert found.overlaps(alone)
    assert min(x.rel_accuracy_bits() for x in (found, alone)) > 40


def refuse(*_: Any) -> Prepared:
    raise Unsupported("several scales are asked for")


def test_a_million_where_many_usual_losses_or_one_hit_decide() -> None:
    """As it was found on one line for all losses in 3.6 s."""
    pair = rare("2", "1/10000") ** 10**6
    with workprec(128):
        found = hits.delta(releases(pair), flint.arb(1), 40, hits.ENOUGH)
        assert found.rel_accuracy_bits() > 20
        assert abs(found / flint.arb("9.04858878859809806e-80") - 1) < 1e-6
