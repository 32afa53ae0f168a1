"""Faint factors beside losses with a density: bounds and Taylor's formula, against integrals of a
formula for one subsampled Gaussian, and sums over draws of few responses."""

from __future__ import annotations

import math
from itertools import product

import flint
import pytest
import sympy as sp

from lapdp import exponential_mechanism, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.delta import delta as asked
from lapdp.accounting.inversion import (
    faint_corners,
    faint_densities,
    one_sample,
    residues,
)
from lapdp.accounting.inversion.faint import _bound
from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def profile(other, t, bits):
    found = asked(other, t, math.ceil(bits * 0.302))
    return found.enclosure.ball()


def whole(pair, eps, bits=60):
    with workprec(300):
        return one_sample.delta(releases(pair), exact_ball(eps).real, bits)


def tiny(rate, direction, sigma=1):
    return poisson(gaussian(sigma), rate, direction=direction)


@pytest.mark.parametrize(("others", "eps"), [
    (laplace(1) ** 2, "1/3"), (laplace(2) ** 3, "7/5"), (exponential_mechanism(1) ** 2, "3/2"),
    (exponential_mechanism(2), "1/10"), (poisson(laplace(1), "1/2", direction="add") ** 3, "1/5"),
])
@pytest.mark.parametrize("rate", ["1/100", "1/1000"])
def test_bounds_hold_what_is_added(others, eps, rate):
    """By one sample that is not faint at all, so that what it adds is seen; no bound is absurd,
    where all others have a density."""
    point, direction = sp.Rational(eps), "add" if rate == "1/100" else "remove"
    little = tiny(rate, direction)
    with workprec(300):
        truth = whole(little * others, point) - profile(others, point, 90)
        added = faint_densities.added(little, others, _bound(releases(little)), point, 2, profile)
        assert truth > 0
        assert added.lower() <= truth.lower() <= truth.upper() <= added.upper()
        if others in (exponential_mechanism(1) ** 2, exponential_mechanism(2)):
            assert added.rad() < 30 * truth


@pytest.mark.parametrize(("others", "eps"), [
    (laplace(1) ** 2, "1/3"), (exponential_mechanism(1) ** 2, "3/2"),
    (poisson(laplace(2), "1/2", direction="remove") ** 3, "1/10"),
    (laplace(1) * randomized_response(1), "-1/2"),
])
@pytest.mark.parametrize(("rate", "direction"), [
    ("1/1000", "add"), ("1/10000", "remove"), ("1/1000000", "add")])
def test_taylors_formula(others, eps, rate, direction):
    """As sharp as moments of the fourth and the sixth order say."""
    point, little = sp.Rational(eps), tiny(rate, direction)
    with workprec(300):
        truth = whole(little * others, point)
        found = faint_corners.delta(little, releases(others), exact_ball(point).real,
                                    60, -5.0, profile)
        assert found.overlaps(truth)
        assert found.rel_accuracy_bits() >= {"1/1000": 12, "1/10000": 20, "1/1000000": 38}[rate]


def test_a_delta_that_few_losses_do_not_reach_is_refused_at_once():
    """Far below every precision, and beyond those that C has a number for."""
    point = exact_ball(sp.Rational(1, 3)).real
    for size in (-1e5, -1e12):
        with pytest.raises(Unsupported, match="laws of sums of losses are asked for"):
            faint_corners.delta(tiny("1/10000", "add"), releases(laplace(1) ** 2), point,
                                60, size, profile)


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_taylors_formula_on_cells(monkeypatch, direction):
    """Twelve copies: by their cells, and by the integral with their polynomials."""
    others, little = laplace(10) ** 12, tiny("1/1000000", direction)
    truth = whole(little * others, sp.Rational(1, 3), 60)
    monkeypatch.setattr(faint_corners.corner_profiles, "few", lambda _: None)
    with workprec(200):
        found = faint_corners.delta(little, releases(others), flint.arb(1) / 3, 60, 0.0,
                                    profile, 4.0)
        assert found.overlaps(truth)
        assert found.rel_accuracy_bits() > 38


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize("gap", [0, "1/100000", "-1/100000000", "1/100"])
@pytest.mark.parametrize("others", [laplace(10) ** 12, laplace(10) ** 4])
def test_taylors_formula_next_to_a_corner(monkeypatch, direction, gap, others):
    """By cells, and by few corners: against the integral of a formula for the one sample."""
    little, point = tiny("1/1000000", direction), sp.Rational(2, 5) + sp.Rational(gap)
    if others == laplace(10) ** 4:
        point -= sp.Rational(1, 5)
    truth, alone = whole(little * others, point, 60), profile(others, point, 80)
    if others != laplace(10) ** 4:
        monkeypatch.setattr(faint_corners.corner_profiles, "few", lambda _: None)
    with workprec(200):
        found = faint_corners.delta(little, releases(others), exact_ball(point).real, 40, 0.0,
                                    profile, 4.0)
        assert found.overlaps(truth)
        assert found.rel_accuracy_bits() > 33
        # what the corner adds is seen
        assert str(gap)[:2] == "1/" or found.rad() < (truth - alone) / 1000


def test_many_wide_releases_beside_faint_ones_that_were_late():
    pair = laplace(100) ** 1000 * tiny("1/1000000", "remove") ** 10
    answer = pair.delta("11957/10000", digits=9)
    assert answer.method == "profile of all but faint factors"
    # what they add is told, and less than rates say
    alone = (laplace(100) ** 1000).delta("11957/10000", digits=9).enclosure.ball()
    assert alone < answer.enclosure.ball() < alone * (1 + flint.arb("1e-5"))


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("others", "eps", "bits"), [
    (poisson(laplace(100), "1/100", direction="add") ** 10, "1/2000", 33),
    (laplace(200) ** 3, "1/123", 40)])
def test_ratios_that_are_no_small_part_of_the_corners(direction, others, eps, bits):
    """A part of a hundredth of what lies between two corners."""
    little, point = tiny("1/200000", direction, 5), sp.Rational(eps)
    with workprec(200):
        found = faint_corners.delta(little, releases(others), exact_ball(point).real, 60, -12.0,
                                    profile, 2.0)
        assert found.overlaps(whole(little * others, point, 80))
        assert found.rel_accuracy_bits() > bits


def test_taylors_formula_for_two_samples():
    """Against a rule of Gauss and Legendre over one of them, with the formula for the other."""
    others, little = laplace(1) ** 2, tiny("1/10000", "remove")
    with workprec(200):
        point, w, total = flint.arb("1/3"), flint.arb("0.0001"), flint.arb(0)
        for x, weight in legendre.rule(28):
            n = flint.arb("1/2") + 7 * x
            ratio = 1 - w + w * (n - flint.arb("1/2")).exp()
            total += 7 * weight * ratio * (-n * n / 2).exp() * one_sample.delta(
                releases(little * others), point - ratio.log(), 50)
        total = total / (2 * flint.arb.pi()).sqrt()
        found = faint_corners.delta(little**2, releases(others), point, 60, -2.0, profile)
        assert found.rel_accuracy_bits() > 24
        assert abs(found - total) < found.rad() + flint.arb("1e-10")


@pytest.mark.parametrize(("copies", "eps"), [(2, "1/3"), (3, "1"), (3, "1/2")])
@pytest.mark.parametrize("others", [laplace(1) ** 2, laplace(9) ** 14])
def test_responses_by_all_draws(copies, eps, others):
    """Faint responses: the sum over all their losses of the profile of the others, which are few,
    or many copies of one."""
    point = sp.Rational(eps)
    little = poisson(randomized_response(1), "1/1000000", direction="remove")
    with workprec(300):
        w, odds = flint.arb("1e-6"), flint.arb(1).exp()
        q = (1 / (1 + odds), odds / (1 + odds))
        ratios = (1 - w + w * odds, 1 - w + w / odds)
        truth, eps_ball = flint.arb(0), exact_ball(point).real
        for draws in product((0, 1), repeat=copies):
            mass, loss = flint.arb(1), flint.arb(0)
            for j in draws:
                mass, loss = mass * q[j] * ratios[j], loss + ratios[j].log()
            truth += mass * residues.delta(releases(others), eps_ball - loss, 80)
        found = faint_corners.delta(little**copies, releases(others), eps_ball, 60, 0.0,
                                    profile, 4.0)
        bound = faint_densities.added(little**copies, others, _bound(releases(little**copies)),
                                      point, 20, profile)
        assert found.overlaps(truth)
        assert found.rel_accuracy_bits() > 40
        added = truth - residues.delta(releases(others), eps_ball, 80)
        assert bound is None or bound.contains(added)


def test_an_atom_at_eps():
    """delta bends there: by queries of the faint factors, on both sides."""
    others, little = laplace(1) ** 2, tiny("1/1000", "add")
    with workprec(300):
        for eps in (sp.Rational(1, 10**4), sp.Rational(-1, 10**4)):
            truth = whole(little * others, eps) - profile(others, eps, 90)
            added = faint_densities.added(little, others, _bound(releases(little)), eps, 16,
                                          profile)
            assert added.overlaps(truth)
            assert added.rad() < 0.05 * truth


def test_refusals():
    """Next to a corner, and where there are none."""
    little = releases(tiny("1/1000000", "add"))
    with workprec(100):
        with pytest.raises(Unsupported, match="next to a corner"):
            faint_corners.delta(little, releases(laplace(1)), flint.arb(1), 30, 0.0, profile)
        with pytest.raises(Unsupported, match="no few losses"):
            faint_corners.delta(little, releases(randomized_response(1)), flint.arb(1), 30, 0.0,
                                profile)
        assert faint_densities.added(tiny("1/1000000", "add"), randomized_response(1),
                                     flint.arb("1e-6"), sp.Rational(1, 3), 30, profile) is None
