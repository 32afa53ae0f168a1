"""Rare huge losses at many points by one table, against formulas and queries of their own."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import discrete_gaussian, gaussian, poisson, randomized_response
from lapdp.accounting.inversion import beside, hits, terms, two_samples
from lapdp.accounting.inversion.hit_places import FEWEST, HitPlaces, hit_places
from lapdp.accounting.inversion.lattice_parts import parts
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from tests.campaigns import references


def holds(ball, truth):
    """Does a ball contain a number of some forty digits?"""
    with workprec(300):
        return bool(ball.contains(flint.arb(mp.nstr(truth, 40)) * (1 + flint.arb(0, 1e-38))))


@pytest.mark.parametrize("rate", [Fraction(1, 1000), Fraction(1, 10**6)])
def test_one_release_at_many_points(rate):
    places = HitPlaces(releases(poisson(gaussian("1/2"), str(rate), direction="remove")))
    truth = references.removed(rate, references.normal(Fraction(2)))
    points = [Fraction(j, 7) for j in range(9, 70, 9)]
    for t in points:
        with workprec(400):
            found = places.at(flint.arb(flint.fmpq(t.numerator, t.denominator)), 20)
        assert found is not None and found.rel_accuracy_bits() >= 20
        with mp.workdps(60):
            assert holds(found, truth(references.number(t)))
    # one line serves several of them
    assert len(places.rules) < len(points) / 2


def test_a_line_is_right_far_from_where_it_is_sharp():
    factors = releases(poisson(gaussian("1/2"), "1/1000", direction="remove"))
    truth = references.removed(Fraction(1, 1000), references.normal(Fraction(2)))
    with workprec(400):
        rule = hits.rule(factors, flint.arb(5), 40, hits.ENOUGH)
        for t in ("1/10", "1", "3", "9", "30"):
            found = rule(flint.arb(flint.fmpq(*map(int, (t + "/1").split("/")[:2]))))
            with mp.workdps(60):
                assert holds(found, truth(mp.mpf(Fraction(t).numerator) / Fraction(t).denominator))


def test_two_releases_next_to_usual_losses_share_integrals_on_several_scales():
    factors = releases(poisson(gaussian("1/2"), "1/1000000", direction="remove") ** 2)
    places = HitPlaces(factors)
    with workprec(400):
        for t in ("0.0029", "0.0024", "0.0035"):
            found = places.at(flint.arb(t), 41)
            assert found.rel_accuracy_bits() >= 41
            assert found.overlaps(two_samples.delta(factors, flint.arb(t), 60))
    assert len(places.rules) == 1


def test_where_no_line_serves_it_is_not_asked_again():
    places = HitPlaces(releases(poisson(gaussian("1/2"), "1/1000", direction="remove") ** 30))
    with workprec(400):
        assert places.at(flint.arb("0.001"), 100) is None
        assert places.vain and not places.rules
        assert places.at(flint.arb("0.0005"), 100) is None and len(places.vain) == 1
        # farther out, to fewer bits, one does
        assert places.at(flint.arb("3"), 20).rel_accuracy_bits() >= 20


@pytest.mark.parametrize("eps", [Fraction(1, 50), Fraction(1, 5)])
def test_tables_beside_responses_as_the_sum_of_integrals_of_a_formula(eps, monkeypatch):
    """Probabilities of counts in fractions of e, and two samples by an integral at every place."""
    copies = 20
    pair = poisson(gaussian("1/2"), "1e-6", direction="remove") ** 2
    asked = []
    monkeypatch.setattr(HitPlaces, "at", lambda *args, at=HitPlaces.at: asked.append(args) or at(
        *args))

    def one(t):
        # no loss in the other direction is larger
        assert t > 0 or t < -2.1e-6
        return two_samples.delta(releases(pair), t, 45) if t > 0 else 1 - t.exp()

    def profile(other, t, bits):
        with workprec(bits + 60):
            return other.delta(t, digits=12).enclosure.ball()

    with workprec(120):
        found = beside.delta(poisson(randomized_response(1), "1/1000", direction="remove") ** copies
                             * pair, sp.Rational(eps.numerator, eps.denominator), 36, profile)
    with workprec(140):
        w, e = flint.arb(flint.fmpq(1, 1000)), flint.arb(1).exp()
        # under P, and the ratio, where the response is the likely one, and where it is not
        low, high = (1 - w + w * x for x in (1 / e, e))
        p = e / (1 + e) * w + (1 - w) / (1 + e)
        point = flint.arb(flint.fmpq(eps.numerator, eps.denominator))
        truth = sum((flint.arb.bin_uiui(copies, j) * p**j * (1 - p) ** (copies - j) * one(
            point - j * high.log() - (copies - j) * low.log()) for j in range(copies + 1)),
            flint.arb(0))
    assert len(asked) > 10
    assert found.overlaps(truth) and found.rel_accuracy_bits() > 32


@pytest.mark.nightly
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_places_of_a_lattice_share_them(direction, monkeypatch):
    """The same sum as with a query for each place; hits of "add" are those of the reversed pair."""
    pair = poisson(gaussian("1/2"), "1/1000", direction=direction) ** 2 * discrete_gaussian(
        1) ** 30
    rare = parts(pair)[0].sides[direction == "add"]

    def profile(other, t, bits):
        with workprec(bits + 60):
            return other.delta(t, digits=9).enclosure.ball()

    balls = []
    for fewest in (FEWEST, 10**9):
        monkeypatch.setattr(terms, "FEWEST_SHARED", fewest)
        with workprec(120):
            balls.append(beside.delta(pair, sp.Rational(157, 4), 20, profile))
    assert hit_places(rare).rules
    assert balls[0].overlaps(balls[1])
    assert all(ball.rel_accuracy_bits() > 18 for ball in balls)
