"""Moments at large heights by ways up the plane: against rules on the line of losses, closed forms,
and delta on windows against sums over places."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import laplace, poisson, randomized_response
from lapdp.accounting.inversion import beside, windows
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.upward import UpwardLine
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def spectrum(pair):
    return in_pieces(releases(pair)).parts[0][0]


def sampled(scale, rate, direction):
    return poisson(laplace(scale), rate, direction=direction)


@pytest.mark.parametrize("gamma", ["1", "0.5", "3", "40"])
@pytest.mark.parametrize(("pair", "turns"), [
    (sampled("1/2", "1/10", "remove"), 900), (sampled(100, "1/2", "add"), 150),
    (sampled(1, "1/1000000", "remove"), 120), (sampled(2, "1/1000", "add"), 400)])
def test_is_the_rule_on_the_line_of_losses(pair, turns, gamma):
    law = spectrum(pair)
    with workprec(160):
        low = turns / law.span
        order, size = flint.arb(gamma), flint.arb(law.log_size(float(gamma))).exp()
        line, known = UpwardLine(law, order, low, 2 * low, 60), law.line(order, 2 * low, 60)
        for share in (1.0, 1.37, 2.0):
            u = flint.arb(low * share)
            found = line.at(u)
            assert found.overlaps(known.at(u))
            assert abs(found.real.rad()) < size * flint.arb(2) ** -56
            # the atoms alone are not the moment
            assert not found.overlaps(sum((w * (flint.acb(0, u) * z).exp()
                                           for w, z in line.atoms), flint.acb(0)))
        # beyond its heights the bound of the error holds
        assert line.at(flint.arb(3 * low)).overlaps(law.line(order, 3 * low, 60).at(
            flint.arb(3 * low)))


@pytest.mark.parametrize(("gamma", "turns"), [("2", 100), ("0.25", 10**6), ("9", 10**12)])
def test_is_the_transform_of_laplace_noise(gamma, turns):
    """e^(s a)/2 + e^(-s a) e^-a/2 + the integral of e^(-(a - z)/2) e^(s z)/4 over (-a, a)."""
    law, a = spectrum(laplace(3)), flint.arb(1) / 3
    with workprec(200):
        line = UpwardLine(law, flint.arb(gamma), float(turns), 2.0 * turns, 80)
        u = flint.arb(turns) * 5 / 4
        s = flint.acb(flint.arb(gamma) - 1, u)
        rate = s + flint.arb("0.5")
        a = flint.arb(1) / 3
        inside = (-a / 2).exp() * ((rate * a).exp() - (-rate * a).exp()) / (4 * rate)
        there = (s * a).exp() / 2 + (-s * a - a).exp() / 2 + inside
        found = line.at(u)
        assert found.overlaps(there) and found.real.rad() < flint.arb(2) ** -70


def test_refuses_what_is_not_seen_to_be_analytic():
    law = spectrum(sampled("1/2", "1/10", "remove"))
    with workprec(100), pytest.raises(Unsupported, match="analytic"):
        UpwardLine(law, flint.arb(2), 100.0, 200.0, 60)


def on_windows(pair, place, bits):
    with workprec(500):
        point = flint.arb(flint.fmpq(place.numerator, place.denominator))
    with workprec(80):
        return windows.delta(releases(pair), point, bits)


@pytest.fixture
def far_up(monkeypatch):
    """The lines that are made, already next to the first window."""
    made = []

    class Counted(UpwardLine):
        def __init__(self, *known):
            super().__init__(*known)
            made.append(known)

    monkeypatch.setattr(windows, "UpwardLine", Counted)
    monkeypatch.setattr(windows, "FEW_TERMS", 20)
    return made


@pytest.mark.parametrize(("noise", "others", "eps"), [
    (sampled("1/2", "1/10", "remove"), randomized_response("1/100") ** 4000, "6/7"),
    (sampled(1, "1/2", "add"), poisson(randomized_response("1/10"), "1/10",
                                       direction="remove") ** 9000, "2/3"),
    (sampled(3, "1/10", "add"), randomized_response("1/50") ** 3000, "1")])
def test_delta_on_windows_is_the_sum_over_places(far_up, noise, others, eps):
    """A formula at each of more than a thousand places."""
    pair, place = noise * others, Fraction(eps)
    found = on_windows(pair, place, 32)
    with workprec(200):
        there = beside.delta(pair, sp.Rational(place.numerator, place.denominator), 40, None)
    assert far_up and found.overlaps(there)
    assert found.rel_accuracy_bits() > 26 and there.rel_accuracy_bits() > 34


@pytest.mark.nightly
@pytest.mark.parametrize(("noise", "others", "eps"), [
    (sampled(20, "1/2", "add") ** 5 * sampled(10, "1/3", "remove") ** 2,
     randomized_response("1/50") ** 12_000, "4"),
    (laplace(4) * sampled(5, "1/10", "add"), poisson(
        randomized_response("1/10"), "1/2", direction="remove") ** 4000, "3/2")])
def test_delta_on_windows_is_the_same_by_rules_on_the_line(far_up, monkeypatch, noise, others, eps):
    pair, place = noise * others, Fraction(eps)
    found, many = on_windows(pair, place, 32), len(far_up)
    monkeypatch.setattr(windows, "FEW_TERMS", 10**9)
    monkeypatch.setattr(windows, "MOST_TERMS", 10**9)
    windows._table.cache_clear()
    there = on_windows(pair, place, 32)
    assert many and len(far_up) == many and found.overlaps(there)
    assert found.rel_accuracy_bits() > 26 and there.rel_accuracy_bits() > 26


def test_many_samples_beside_a_thousand_million_responses():
    """Once refused: moments far up took too many terms, and atoms do not decay."""
    responses = poisson(randomized_response("1/100"), "1/1000", direction="add") ** 10**9
    for noise, level in ((sampled(100, "1/2", "remove") ** 1000, "1/1000"),
                         (sampled(10, "1/2", "add") ** 10, "1/1000000")):
        answer = (noise * responses).epsilon(level, digits=10)
        assert "windows" in answer.method
        # responses alone, and the noise of all its atoms
        assert answer.value > responses.epsilon(level, digits=10).value
