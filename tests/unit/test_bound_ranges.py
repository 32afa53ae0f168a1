"""check_bound asks over decades: what is wrong for large, small or many ones alone is found."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp

from lapdp.testing import check_bound
from lapdp.testing.conformance.questions import true_epsilon


def bun_steinke(rho, delta):
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def advanced(factor):
    def bound(guarantees, delta):
        squares = sum(e**2 for e, _ in guarantees)
        return (sum(e * math.tanh(e / 2) for e, _ in guarantees)
                + math.sqrt(factor * math.log(1 / delta) * squares),
                delta + sum(d for _, d in guarantees))
    return bound


@pytest.mark.parametrize("wrong", [
    lambda rho, delta: 2 * math.sqrt(rho * math.log(1.25 / delta)),     # of Gaussian noise, rho < 1
    lambda rho, delta: bun_steinke(rho, delta) / (2 if rho > 2 else 1),
    lambda rho, delta: bun_steinke(rho, delta) / (2 if rho > 50 else 1),
    lambda rho, delta: bun_steinke(rho, delta) / (3 if rho < 0.005 else 1),
    lambda rho, delta: bun_steinke(rho, delta) / (2 if delta < 1e-9 else 1)])
def test_a_conversion_that_is_wrong_in_some_decades_is_found(wrong):
    assert not check_bound(wrong, of="zcdp", accuracy=1e-12, on_fail="report")


def test_a_right_conversion_passes_and_the_range_is_told():
    report = check_bound(bun_steinke, of="zcdp", accuracy=1e-12)
    low, high = str(report).split("asked: rho from ")[1].split(";")[0].split(" to ")
    assert float(low) < 0.01 and float(high) > 100


def test_advanced_composition_needs_its_factor():
    assert not check_bound(advanced(1), of="composition", accuracy=1e-9, on_fail="report")
    assert check_bound(advanced(2), of="composition", accuracy=1e-9, examples=40)


def test_advanced_composition_wrong_for_hundreds_alone():
    def wrong(guarantees, delta):
        return advanced(2 if len(guarantees) < 100 else 0.5)(guarantees, delta)

    assert not check_bound(wrong, of="composition", accuracy=1e-9, on_fail="report")


def exact(pair, eps):
    return pair.hockey_stick(sp.exp(eps))


@pytest.mark.parametrize("least", [Fraction(1, 10**5), Fraction(1, 10**11)])
def test_a_bound_of_delta_that_is_wrong_for_small_ones_alone_is_found(least):
    def halved(pair, eps):
        found = exact(pair, eps)
        return found / 2 if found < least else found

    report = check_bound(halved, of="delta", doubles=False, laws="small deltas", on_fail="report")
    assert not report and report.failures[0].violation is not None


def test_a_right_bound_of_delta_passes_at_small_ones_and_the_range_is_told():
    report = check_bound(exact, of="delta", doubles=False, laws="small deltas", examples=40)
    assert report and "asked: delta from 1.0e-30" in str(report)


def test_a_bound_of_epsilon_is_asked_for_small_deltas():
    def clipped(pair, delta):
        return true_epsilon(pair, max(delta, Fraction(1, 10**8))).exact

    report = check_bound(clipped, of="epsilon", doubles=False, laws="small deltas",
                         on_fail="report")
    assert not report and report.failures[0].violation is not None
