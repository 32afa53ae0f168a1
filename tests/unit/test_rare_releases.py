"""Rare releases beside others: bounds in doubles, short sums over places, against other routes."""

from __future__ import annotations

import random
from dataclasses import replace

import flint
import mpmath as mp
import pytest

from lapdp import (
    discrete_gaussian,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting.delta_methods import methods
from lapdp.accounting.inversion import beside, lattice_places, one_sample, rare
from lapdp.accounting.moments import ray_cells, rough
from lapdp.accounting.moments.ray_places import Places, covering
from lapdp.accounting.moments.ray_polynomials import values
from lapdp.accounting.moments.ray_sizes import Box, Sizes
from lapdp.accounting.moments.rays import Rays
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.parameters import exact_parameter


def cells(draw):
    """Cells with sizes as they come."""
    return [(draw.uniform(0, 3), draw.uniform(0, 3), draw.uniform(-60, 0), *(
        draw.uniform(-0.1, 0.1) for _ in range(3)), *(draw.uniform(0, 0.01) for _ in range(3)))
        for _ in range(40)]


def exactly(cells, real, imag):
    """The sum in many digits."""
    with mp.workdps(40):
        total = mp.mpf(0)
        for cell in cells:
            x, y, size, dx, dy, ds, ex, ey, es = map(mp.mpf, cell)
            total += mp.exp(real * x - imag * y + size + abs(real * dx - imag * dy + ds)
                            + abs(real) * ex + abs(imag) * ey + es)
        return total


@pytest.mark.parametrize("numpy", [True, False])
@pytest.mark.parametrize("order", [(3.0, 200.0), (-40.0, 7.0), (0.0, 0.0), (800.0, 900.0)])
def test_sums_in_doubles_lie_above_and_near(monkeypatch, numpy, order):
    if not numpy:
        monkeypatch.setattr(ray_cells, "np", None)
    known = cells(random.Random(3))
    found = ray_cells.summed(ray_cells.columns(known), *order)
    true = flint.arb(mp.nstr(exactly(known, *order), 25))
    assert true < found < true * (1 + flint.arb("1e-8"))
    some = ray_cells.part(ray_cells.columns(known), 5, 9)
    here = flint.arb(mp.nstr(exactly(known[5:9], *order), 25))
    assert here < ray_cells.summed(some, *order) < here * (1 + flint.arb("1e-8"))


@pytest.mark.parametrize("doubles", [True, False])
def test_sums_of_exponentials_below_all_doubles(doubles, monkeypatch):
    if not doubles:
        monkeypatch.setattr(ray_cells, "np", None)
    rows = [(2.0, -900.0), (1.0, -901.0), (0.0, -2000.0)]
    found = ray_cells.exponentials(ray_cells.columns(rows), 3.0)
    expected = sum((flint.arb(3 * x + y).exp() for x, y in rows), flint.arb(0))
    assert abs(found / expected - 1) < 1e-12


def test_places_reach_as_far_as_is_asked():
    """Cells between places, near ones or with a stride, cover what they say."""
    known = Places(0.5, 4.0)
    low, high = known.between(3 + 4j, 0.2, 40.0)
    for stride in (1, 4):
        found = known.beyond(0.2, low - 5, high + 1, stride)
        assert found == sorted(found) and found[0] <= low - 5 and found[-1] >= high + 1
        first, last = covering(found, low, high)
        assert found[first] <= low < found[first + 1] and found[last - 1] < high <= found[last]


def test_single_moments_leave_out_what_they_say():
    with flint.ctx.workprec(100):
        rays = Rays(0.01, 0.5, (flint.arb("0.01"), flint.arb("0.5")))
        ray, _ = Sizes(rays).rule(Box(13, 15, 19, 21), 45.0)
        q = flint.acb(14, 20)
        for most in (1e-6, 1e-18):
            [(found, rest)], _ = values(rays, [q], ray, most)
            gap = abs(found - rays.moment(q, ray))
            assert gap.lower() <= rest <= 2 * most
        assert not gap > 1e-17


@pytest.mark.parametrize(("rate", "eps"), [("0.0001", "0.00001"), ("0.001", "0.0003"),
                                           ("0.0001", "0")])
def test_two_rare_releases_by_a_mean_over_one(rate, eps):
    """delta of two is the mean of delta of one at what the other leaves: P = N(0, 4) against Q."""
    with mp.workdps(20):
        q, t, sigma = mp.mpf(rate), mp.mpf(eps), 2

        def loss(x):
            return -mp.log(1 - q + q * mp.exp((2 * x - 1) / mp.mpf(2 * sigma**2)))

        def one(t):
            rest = mp.exp(-t) - 1 + q
            if rest <= 0:
                return mp.mpf(0)
            x = sigma**2 * mp.log(rest / q) + mp.mpf(1) / 2
            low = mp.ncdf(x / sigma)
            return low - mp.exp(t) * ((1 - q) * low + q * mp.ncdf((x - 1) / sigma))

        step = mp.mpf(1) / 12
        true = step * mp.fsum(mp.npdf(x, 0, sigma) * one(t - loss(x)) for x in (
            step * j for j in range(-228, 229)))
        found = (poisson(gaussian(2), rate, direction="add") ** 2).delta(eps, digits=10)
        gap = abs(mp.mpf(found.value.numerator) / found.value.denominator - true)
        assert gap < mp.mpf(found.radius.numerator) / found.radius.denominator + mp.mpf("1e-16")






def by(pair, eps, name, digits):
    """delta by one of the methods."""
    point = exact_parameter("eps", eps)
    closed = ("closed form", lambda digits: pair.profile.at(point, digits))
    return dict(methods(pair, point, closed, False))[name](digits)


def test_where_no_loss_of_the_others_reaches_they_count_nothing():
    """All losses of two rare releases are below 10^-4: between places the mean of e^-loss is 1."""
    lattice, rare = geometric(1) ** 40, poisson(laplace("1/2"), "1e-6", direction="remove") ** 2
    assert beside.is_short(lattice * rare, exact_parameter("eps", "20.5"))
    for eps in ("20.5", "13.3"):
        alone, first = lattice.delta(eps, digits=14), (lattice * rare).delta(eps, digits=14)
        both = by(lattice * rare, eps, "sum over places of a lattice", 14)
        assert both.lower <= alone.upper and alone.lower <= both.upper
        assert both.lower <= first.upper and first.lower <= both.upper
    # next to a place they count
    here, alone = (lattice * rare).delta(20, digits=14), lattice.delta(20, digits=14)
    assert here.lower > alone.upper


@pytest.mark.parametrize("pair", [
    geometric(1) ** 20 * poisson(laplace(2), "0.1", direction="remove") ** 2,
    geometric(1) ** 20 * poisson(laplace(2), "0.1", direction="add")])
@pytest.mark.parametrize("eps", ["14", "10.3"])
def test_short_sums_by_the_integral(pair, eps):
    places = by(pair, eps, "sum over places of a lattice", 12)
    line = by(pair, eps, "contour integral", 12)
    assert abs(places.middle - line.middle) <= places.radius + line.radius


@pytest.mark.parametrize("eps", ["0", "0.7", "1.3", "2.0009", "-0.4"])
def test_few_places_of_rare_atoms_by_the_poles(eps):
    """All places of two rare releases, beside Laplace noise: the integral around the poles knows
    nothing of places."""
    pair = poisson(randomized_response(1), "1/1000", direction="add") ** 2 * laplace(1) ** 2
    assert beside.parts(pair)[0].range[0] is not None
    places = by(pair, eps, "sum over places of a lattice", 12)
    poles = by(pair, eps, "integral around the poles", 12)
    assert abs(places.middle - poles.middle) <= places.radius + poles.radius


def test_the_factor_with_the_fewest_places_comes_first():
    """A long lattice, rare atoms and Laplace noise; the mean over the atoms is taken by hand."""
    rare = poisson(randomized_response(1), "1/1000000", direction="add")
    rest = discrete_gaussian(2) ** 3 * laplace(1)
    (first, second) = beside.parts(rest * rare)
    assert (first.on.count, second.on.count) == (3, 1)
    found = (rest * rare).delta("1/2", digits=10)
    with flint.ctx.workprec(120):
        e, q = flint.arb(1).exp(), flint.arb(1) / 10**6
        masses = (e / (1 + e), 1 / (1 + e))
        total = flint.arb(0)
        for mine, other in (masses, masses[::-1]):
            # P is the plain law, Q mixes the other one in
            loss = -((1 - q) + q * other / mine).log()
            middle = loss.mid().str(60, radius=False)
            here = rest.delta(exact_parameter("eps", "1/2") - exact_parameter("eps", middle),
                              digits=14)
            total += mine * (flint.arb(here.value.numerator) / here.value.denominator)
        gap = abs(total - flint.arb(found.value.numerator) / found.value.denominator)
        assert gap < flint.arb("1e-11") * total


def test_windows_with_ends_that_are_not_proved_are_refused():
    """A window that claims an end too near."""
    pair = geometric(1) ** 20 * poisson(laplace("1/2"), "1/2", direction="remove") ** 5
    (found, *_) = beside.parts(pair)
    point = flint.arb(10)
    window = replace(lattice_places.window(found, releases(pair), 10.0, 40.0), ends=(True, True))
    window.rest(found, point)
    with pytest.raises(Unsupported, match="ends of the losses"):
        replace(window, first=window.first + 3).rest(found, point)


def test_windows_that_leave_out_places_are_refused():
    pair = poisson(randomized_response(1), "1/1000", direction="add") ** 2 * laplace(1) ** 2
    (found, *_), point = beside.parts(pair), flint.arb(1) / 2
    window = lattice_places.window(found, releases(pair), 0.5, 40.0)
    assert window.last - window.first == 2 and window.ends == (True, True)
    window.rest(found, point)
    for wrong in (replace(window, first=window.first + 1), replace(window, last=window.last - 1)):
        with pytest.raises(Unsupported, match="ends of the losses"):
            wrong.rest(found, point)


def test_many_gaussians_far_out():
    """Two formulas for delta of a billion releases, one of them the integral."""
    pair = gaussian(10) ** 10**9
    closed = pair.delta(5003000, digits=25)
    line = pair.delta(5003000, digits=25, method="contour")
    assert closed.method == "closed form"
    assert closed.lower <= line.upper and line.lower <= closed.upper


def test_two_lattices():
    pair = poisson(randomized_response("1/100"), "1/10000", direction="add") ** 1000 * poisson(
        randomized_response(2), "1/1000000", direction="remove")
    places, counts = (by(pair, "0.00009", name, 12) for name in (
        "sum over places of a lattice", "sum over counts"))
    assert abs(places.middle - counts.middle) <= places.radius + counts.radius


def test_losses_beyond_all_doubles_are_no_foreign_exception():
    """delta is 1 but for e^-10^6 here, and the bound of rare losses would reach beyond e^700."""
    pair = poisson(gaussian(1), "1/100", direction="remove") ** 10 * geometric(2) ** 10**6
    found = pair.delta(1, digits=10)
    assert found.enclosure.upper == 1 or found.enclosure.contains(1)


def test_a_huge_loss_at_places_that_no_double_holds():
    """The probability of one huge loss, as a logarithm, where e^t is beyond doubles: mpmath."""
    factors = releases(poisson(gaussian(2), "1/1000", direction="remove") ** 10)
    for t in (3.0, 349.0, 351.0, 5000.0, 1e6):
        with mp.workdps(30):
            loss = t + mp.log(1000) if t > 300 else mp.log(1 + 1000 * mp.expm1(t))
            far = (loss - mp.mpf(1) / 8) / mp.sqrt(mp.mpf(1) / 4)
            expected = mp.log(mp.mpf(10) / 1000) - far**2 / 2
        assert abs(rare.log_hit(factors, t) - expected) < 1e-9 * abs(expected)
    # eps is searched among places as far as that
    pair = (poisson(randomized_response("1/100"), "1/2", direction="add") ** 10**9
            * poisson(gaussian(100), "1/1000", direction="remove") ** 100)
    assert 13250 < float(pair.epsilon("1e-6", digits=8)) < 13251


def removed(sigma, rate):
    return poisson(gaussian(sigma), rate, direction="remove")


@pytest.mark.parametrize(("noise", "eps"), [
    (laplace(10), 1), (poisson(laplace(2), "1/10", direction="add") ** 3, 0.5),
    (laplace(10) * randomized_response("1/10"), 0.5)])
def test_a_bound_beside_bounded_losses(noise, eps):
    """It is no less than delta, which an integral over the deviation tells, and of an order that is
    not far from it."""
    found = releases(noise * removed(1, "1/1000"))
    assert rare.is_bounded(found) and not rare.is_rare(found)
    with workprec(128):
        point = flint.arb(eps)
        true = one_sample.delta(found, point, 40)
        level = float(true.log())
        most = rare.bound(found, point, level)
        assert true < most and float(most.log()) < level / 4
        assert rare.reach(found, level) >= float(point)
        assert one_sample.delta(found, flint.arb("0.0001"), 30) < rare.rates(found)


def test_bounded_losses_beside_hits_on_a_lattice(monkeypatch):
    """As few places are worked out as without them; more places tell the same."""
    pair = (poisson(laplace(2), "1/10000", direction="add") * geometric("1/10") ** 100
            * poisson(gaussian(1), "1/10000", direction="add"))
    found = pair.delta(5, digits=8)
    assert found.method == "sum over places of a lattice"
    # the losses beside the lattice hardly move what it tells alone
    alone = (geometric("1/10") ** 100).delta(5, digits=12).enclosure.ball()
    here = found.enclosure.ball()
    assert alone < here < alone * (1 + flint.arb("1e-3"))
    monkeypatch.setattr(rare, "is_bounded", rare.is_rare)
    assert (pair.delta(5, digits=6).enclosure.ball() / here - 1).contains(0)


@pytest.mark.parametrize("order", [1.5, 40.0, -300.0])
def test_sums_of_masses_as_columns(order):
    known = releases(poisson(laplace(1), "1/10", direction="add")).parts[0][0]._graded
    assert rough.summed(known)(order) == pytest.approx(rough.log_sum(known, order), rel=1e-12)
