"""Batches in doubles: each interval holds the number that balls give at 25 digits."""

from __future__ import annotations

import subprocess
import sys
import warnings
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy as sp

from lapdp import (
    exponential,
    exponential_mechanism,
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting.delta import delta
from lapdp.accounting.doubles.bounded import Bounded, sum_of_products
from lapdp.accounting.doubles.deltas import by_doubles
from lapdp.accounting.epsilon import epsilon
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.overlapping import OverlappingMixtures


def holds(pair, copies, eps, value, radius):
    """Does the interval hold delta, and is it no wider than 1e-10 of it?"""
    exact = sp.Rational(*float(eps).as_integer_ratio())
    truth = delta(pair ** int(copies), exact, digits=25).enclosure
    gap = abs(Fraction(float(value)) - truth.middle)
    assert gap <= Fraction(float(radius)) + truth.radius, (pair, copies, eps, value, radius)
    return radius <= 1e-10 * abs(value)


@pytest.mark.parametrize("sigma", ["1", "10", "1/3", "1e4", "sqrt(2)"])
def test_gaussians(sigma):
    pair = gaussian(sp.sqrt(2) if sigma == "sqrt(2)" else sigma)
    rng = np.random.default_rng(1)
    copies = rng.integers(1, 10, 12) ** rng.integers(1, 9, 12)
    kappa = float(pair.kappa) * copies
    eps = kappa + np.sqrt(2 * kappa) * rng.uniform(-8, 36, 12)
    found = pair.deltas(eps, copies)
    for query in zip(copies, eps, found.values, found.radii, strict=True):
        assert holds(pair, *query), query


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "rate"), [("1", "0.01"), ("2", "1/2"), ("3", "1e-2")])
def test_sampled_gaussians(sigma, rate, direction):
    pair = poisson(gaussian(sigma), rate, direction=direction)
    rng = np.random.default_rng(2)
    copies = 10 ** rng.integers(3, 7, 5)
    spread = float(Fraction(rate)) * np.sqrt(copies * np.expm1(1 / float(sigma)**2))
    eps = spread * spread / 2 + spread * rng.uniform(-3, 8, 5)
    found = pair.deltas(eps, copies)
    for query in zip(copies, eps, found.values, found.radii, strict=True):
        assert holds(pair, *query), query


EXACT = [
    (randomized_response("0.1", "1e-8"), [1, 10, 1000, 10**5], 0.1),
    (randomized_response("0.1", "1e-8").reverse(), [3, 10**6], 0.1),
    (randomized_response(sp.log(3), "1/7"), [1, 5, 30], 1.1),
    (randomized_response("1e-3"), [10**6], 1e-3),
    (geometric("1/2", 3), [1, 40, 500], 0.5),
    (finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]), [3, 200], 1.0),
    (finite(["1/2", "1/4", "1/4"], ["1/4", "3/16", "9/16"]) * gaussian(1), [1, 50], 1.0),
    (geometric("1/2", 3) ** 4 * randomized_response("1/3", "1/50") ** 6, [1, 9], 2.0),
    (laplace(1), [300, 4000], 0.9),
    (laplace(10) * gaussian(3), [1, 2, 90], 0.3),
    (exponential(1, 2), [20, 300], 1.0),
    (exponential(1, 2).reverse() * gaussian(2), [3, 30], 1.0),
    (poisson(gaussian(2), "1/10", direction="add") * randomized_response("1/10"), [100], 0.2),
]


@pytest.mark.parametrize(("pair", "counts", "scale"), EXACT, ids=lambda x: str(x)[:50])
def test_losses_of_the_exact_class(pair, counts, scale):
    rng = np.random.default_rng(3)
    copies = np.repeat(counts, 4)
    eps = scale * (scale * copies / 2 + np.sqrt(copies) * rng.uniform(-4, 6, len(copies)))
    found = pair.deltas(eps, copies)
    for query in zip(copies, eps, found.values, found.radii, strict=True):
        assert holds(pair, *query), query


@pytest.mark.parametrize(("pair", "step"), [
    (randomized_response("1/2"), 0.5), (geometric("1/4", 2), 0.25),
    (geometric("1/4", 2) * randomized_response("1/8", "1e-9"), 0.125)], ids=str)
def test_eps_at_atoms(pair, step):
    copies = 16
    found = pair.deltas(step * np.arange(-16, 17, 2), copies)
    for j, eps in enumerate(step * np.arange(-16, 17, 2)):
        assert holds(pair, copies, eps, found.values[j], found.radii[j])


@pytest.mark.parametrize(("pair", "scale"), [
    (randomized_response("0.1"), 0.1), (geometric("1/4", 2), 0.4),
    (finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]), 1.0),
    (gaussian(300), 1 / 300), (gaussian(300) * randomized_response("1/500"), 0.004)], ids=str)
def test_a_billion_copies(pair, scale):
    copies = 10**9
    centre = float(delta_mean(pair)) * copies
    eps = centre + scale * np.sqrt(copies) * np.array([-3.0, 0.5, 5.0, 30.0])
    found = pair.deltas(eps, copies)
    for query in zip(eps, found.values, found.radii, strict=True):
        assert holds(pair, copies, *query), query


def delta_mean(pair):
    """The mean of the loss, by a difference of its moments."""
    return sum(k * (s.log_moment(1 + 1e-6) - s.log_moment(1 - 1e-6)) / 2e-6
               for s, k in releases(pair).parts)


@pytest.mark.parametrize(("pair", "end"), [
    (randomized_response(sp.log(2)), sp.log(2)), (geometric("0.1", 3), sp.Rational(3, 10)),
    (exponential("1/2", 3).reverse(), sp.log(6)), (laplace(3) ** 7, sp.Rational(7, 3)),
    (poisson(gaussian(1), "0.1", direction="add") ** 30, -30 * sp.log(sp.Rational(9, 10)))],
    ids=str)
def test_doubles_next_to_the_largest_loss(pair, end):
    """Near the end delta is the mass there times how far eps is from it, or far less."""
    middle = float(end)
    points = np.array([np.nextafter(middle, 0), middle, np.nextafter(middle, 9)])
    values, radii, _ = by_doubles(pair, points, np.ones(3))
    # the others are left to balls
    for j in np.flatnonzero(~np.isnan(radii)):
        beyond = sp.Rational(*float(points[j]).as_integer_ratio()) >= end
        assert (values[j] == 0 == radii[j]) if beyond else values[j] + radii[j] > 0
        holds(pair, 1, points[j], values[j], radii[j])


def test_beyond_all_losses_only_infinite_ones_are_left():
    pair = randomized_response("1/2", "1e-9")
    found = pair.deltas([5.0, np.nextafter(5, 6), np.nextafter(5, 4), 1e300], 10)
    for j, eps in enumerate([5.0, np.nextafter(5, 6), np.nextafter(5, 4), 1e300]):
        assert holds(pair, 10, eps, found.values[j], found.radii[j])
    nothing = randomized_response("1/2").deltas([0.5, 7.0])
    assert not nothing.values.any() and not nothing.radii.any() and not nothing.wide.any()


def test_what_is_too_small_for_doubles_is_said_to_be_wide():
    for pair in (gaussian(1), gaussian(1) * randomized_response(1)):
        found = pair.deltas([40.0, 60.0])
        assert found.wide.all() and (found.values - found.radii <= 0).all()
        assert (found.radii > 0).all()


def test_points_by_balls_assume_nothing():
    found = laplace(1).deltas([0.25, 0.5, -3.0], copies=2)
    assert found.certified.all() and not found.wide.any()
    for j, eps in enumerate([0.25, 0.5, -3.0]):
        assert holds(laplace(1), 2, eps, found.values[j], found.radii[j])
    assert not found[0].assumes


def holds_epsilon(pair, copies, target, value, radius):
    """The same for epsilon."""
    exact = sp.Rational(*float(target).as_integer_ratio())
    truth = epsilon(pair ** int(copies), exact, digits=17)
    if truth.is_infinite:
        return value == np.inf
    gap = abs(Fraction(float(value)) - truth.enclosure.middle)
    assert gap <= Fraction(float(radius)) + truth.enclosure.radius, (pair, copies, target, value)
    return radius <= 1e-10 * abs(value)


@pytest.mark.parametrize(("pair", "copies"), [
    (gaussian(1), 1), (gaussian(10), 5000), (gaussian("1e5"), 1),
    (poisson(gaussian(1), "0.01", direction="remove"), 1000),
    (poisson(gaussian(2), "1/2", direction="add"), 30),
    (randomized_response("0.1", "1e-8"), 1000), (randomized_response(1, "0.01"), 1),
    (geometric("1/2", 3), 20), (laplace(1), 500), (laplace(1), 2),
    (randomized_response(1) * gaussian(2), 10)], ids=str)
def test_epsilons(pair, copies):
    extremes = [] if isinstance(pair, OverlappingMixtures) else [1e-300, 0.9]
    targets = [0.0, 1e-5, 0.1, *extremes, 1.0]
    found = pair.epsilons(targets, copies)
    assert found.certified.all()
    for query in zip(targets, found.values, found.radii, strict=True):
        assert holds_epsilon(pair, copies, *query), query


def test_plateaus():
    """delta at the mass at infinite loss: the largest finite loss; below it: infinity."""
    pair = randomized_response(1, "1/4")
    found = pair.epsilons([0.25, np.nextafter(0.25, 0), np.nextafter(0.25, 1)])
    assert found.values[0] == 1 and found.values[1] == np.inf and found.values[2] < 1
    assert found[1].is_infinite and not found.wide.any()
    assert (gaussian(1) * pair).epsilons([0.25]).values[0] == np.inf


@pytest.mark.parametrize("targets", [[-0.1], [1.5], [float("nan")], ["1e-5"]])
def test_levels_that_are_refused(targets):
    with pytest.raises(InputError):
        gaussian(1).epsilons(targets)


def test_bounds_of_single_operations():
    """Each bound holds the value that balls give for any number that the arguments may be."""
    rng = np.random.default_rng(5)
    value = rng.normal(size=400) * 10.0 ** rng.integers(-12, 3, 400)
    x = Bounded(value, np.abs(value) * 10.0 ** rng.uniform(-17, -1, 400))
    y = Bounded(rng.normal(size=400), 10.0 ** rng.uniform(-17, -3, 400))
    size = Bounded(np.abs(value), x.error)
    found = {"sum": x + y, "difference": x - y, "product": x * y, "quotient": x / y, "exp": x.exp(),
             "expm1": x.expm1(), "log": size.log(), "log1p": size.log1p()}
    with flint.ctx.workprec(300):
        for j in range(400):
            for side in (-1, 0, 1):
                a = flint.arb(x.value[j]) + side * flint.arb(x.error[j])
                b = flint.arb(y.value[j]) - side * flint.arb(y.error[j])
                c = abs(flint.arb(value[j])) + side * flint.arb(x.error[j])
                truth = {"sum": a + b, "difference": a - b, "product": a * b, "quotient": a / b,
                         "exp": a.exp(), "expm1": a.expm1(), "log": c.log(), "log1p": c.log1p()}
                for name, ball in truth.items():
                    error = flint.arb(found[name].error[j])
                    assert not abs(ball - flint.arb(found[name].value[j])) > error, (name, j, side)


def test_bounds_among_the_smallest_doubles():
    """What underflows, and what that means once it is divided by a small number."""
    rng = np.random.default_rng(3)
    value, other = (rng.normal(size=800) * 10.0 ** rng.uniform(low, high, 800)
                    for low, high in ((-323.5, -150), (-170, 0)))
    x = Bounded(value, np.abs(value) * 10.0 ** rng.uniform(-17, -1, 800))
    y = Bounded(other, np.abs(other) * 10.0 ** rng.uniform(-17, -1, 800))
    low = Bounded(-rng.uniform(600, 760, 800), 10.0 ** rng.uniform(-17, -1, 800))
    with np.errstate(all="ignore"):
        found = [x * y, x / y, x.expm1(), x.log1p(), low.exp(),
                 Bounded(*sum_of_products([(value, other), (other, value[::-1])]))]
    with flint.ctx.workprec(2600):
        for j in range(800):
            for side in (-1, 1):
                a, b, c = (flint.arb(z.value[j]) + s * flint.arb(z.error[j])
                           for z, s in ((x, side), (y, -side), (low, side)))
                products = flint.arb(other[j]) * (flint.arb(value[j]) + flint.arb(value[799 - j]))
                truth = [a * b, a / b, a.expm1(), a.log1p(), c.exp(), products]
                for n, (ball, bounded) in enumerate(zip(truth, found, strict=True)):
                    gap = abs(ball - flint.arb(float(bounded.value[j])))
                    assert not gap > flint.arb(float(bounded.error[j])), (n, j, side)


def test_sums_of_products_that_cancel():
    rng = np.random.default_rng(6)
    x, y, z = (rng.normal(size=300) * 10.0 ** rng.integers(0, 9, 300) for _ in range(3))
    value, error = sum_of_products([(x, y), (-y, x + z), (1e-3, z), (y, z)])
    for j in range(300):
        a, b, c = (Fraction(float(t[j])) for t in (x, y, z))
        truth = a * b - b * Fraction(float(x[j] + z[j])) + Fraction(1e-3) * c + b * c
        assert abs(truth - Fraction(value[j])) <= Fraction(error[j])
        assert error[j] <= 1e-15 * abs(value[j]) + 1e-28 * abs(x[j] * y[j])


def test_a_missing_numpy_is_one_line():
    code = ("import importlib.util as u; u.find_spec = lambda name: None\n"
            "from lapdp import gaussian\nprint(gaussian(1).delta(1, digits=3))\n"
            "gaussian(1).deltas([1.0])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("0.1269")
    assert done.stderr.splitlines()[-1] == (
        'lapdp.core.errors.Unsupported: batches of doubles need NumPy: pip install "lapdp[fast]"')


def test_a_batch_is_indexed_and_iterated():
    pair = exponential(1, 2) ** 50
    found = pair.deltas([[0.5, 1.0], [2.0, 3.0]])
    assert found.values.shape == found.wide.shape == (2, 2)
    assert found[0][1].compare(pair.delta(1, digits=30)) is None
    assert [[float(x) for x in row] for row in found] == found.values.tolist()
    assert "NumPy" in found.assumes and found.certified.all()


def test_copies_are_broadcast():
    found = gaussian(10).deltas([[0.5], [20.0]], copies=[1, 10, 100])
    assert found.values.shape == (2, 3)
    assert holds(gaussian(10), 100, 20.0, found.values[1, 2], found.radii[1, 2])


@pytest.mark.parametrize(("eps", "copies", "says"), [
    ([0.5, float("nan")], 1, "nan"), ([float("inf")], 1, "inf"), (["0.5"], 1, "doubles"),
    ([sp.Rational(1, 2)], 1, "doubles"), ([[0.5], [1.0, 2.0]], 1, "rows"), ([True], 1, "doubles"),
    ([0.5, 1.0], [1, 2, 3], "fit"), ([0.5], [0], "copies"), ([0.5], [1.5], "copies"),
    ([2**53 + 1], 1, "no doubles"), ([1j], 1, "doubles")])
def test_what_is_refused(eps, copies, says):
    with pytest.raises(InputError, match=says):
        gaussian(1).deltas(eps, copies)
    with pytest.raises(InputError, match="substitute numbers"):
        laplace(sp.Symbol("b", positive=True)).deltas([1.0])


def test_numbers_beyond_all_doubles_are_one_line():
    with pytest.raises(InputError, match="no doubles"), warnings.catch_warnings():
        warnings.simplefilter("error")
        gaussian(1).deltas(np.array([2**64 - 1], dtype=np.uint64))
    with pytest.raises(Unsupported, match="beyond all doubles"):
        randomized_response(10**400).epsilons([0.0])
    with pytest.raises(Unsupported):
        randomized_response(10**400).epsilons([0.1])


@pytest.mark.parametrize("pair", [
    exponential_mechanism(sp.log(2)) ** 31954,
    truncated_laplace("71/5", 1) ** 60 * randomized_response(sp.log(2), "491/5000000000") ** 95,
], ids=str)
def test_where_no_height_is_found_balls_answer(pair):
    found = pair.deltas([0.0, 1.0])
    for eps, value, radius in zip((0, 1), found.values, found.radii, strict=True):
        certain = pair.delta(eps, 25)
        room = Fraction(float(radius)) + certain.radius
        assert abs(certain.value - Fraction(float(value))) <= room
