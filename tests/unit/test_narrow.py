"""Losses with corners beside narrow ones, against integrals by the definition and other routes."""

from __future__ import annotations

import math

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, geometric, laplace, poisson, randomized_response
from lapdp.accounting.inversion import narrow, split
from lapdp.accounting.moments.entire import EntireMoments
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

R = sp.Rational


def around_poles(pair, eps, bits=70):
    with workprec(bits + 60):
        return narrow.delta(releases(pair), exact_ball(sp.sympify(eps)).real, bits)


@pytest.mark.parametrize("scale", [2, 5])
@pytest.mark.parametrize("rate", [R(1, 10), R(1, 1000)])
@pytest.mark.parametrize("eps", [R(1, 5), R(9, 10)])
def test_one_sampled_release_by_its_definition(scale, rate, eps):
    """The mean of the profile of the others at eps - y, y = log(1 - w + w e^l): under Q the loss l
    of Laplace noise is c with e^-c/2, -c with 1/2, and has the density e^(-(l + c)/2)/4 between."""
    others = laplace(1) ** 3
    found = around_poles(others * poisson(laplace(scale), rate, direction="remove"), eps)
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, others.profile(t), "mpmath")
    with mp.workdps(40):
        c, w, x = mp.mpf(1) / scale, mp.mpf(rate.p) / rate.q, mp.mpf(eps.p) / eps.q

        def share(loss):
            z = 1 - w + w * mp.exp(loss)
            return z * profile(x - mp.log(z))

        whole = share(c) * mp.exp(-c) / 2 + share(-c) / 2 + mp.quad(
            lambda loss: share(loss) * mp.exp(-(loss + c) / 2) / 4, [-c, 0, c])
        middle, radius = mp.mpf(found.mid().str(45, radius=False)), mp.mpf(float(found.rad()))
        assert abs(whole - middle) < radius + mp.mpf(10) ** -35
        assert radius < mp.mpf(10) ** -20 * whole


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(1) ** 2 * poisson(laplace(2), "1/2", direction="add") ** 2, R(1, 2)),
    (randomized_response(2) ** 3 * poisson(laplace(1), "0.3", direction="remove") ** 3, R(7, 2)),
    (laplace(1) * randomized_response(1) * poisson(
        laplace(5), "0.9", direction="remove") ** 3, R(13, 10)),
    (laplace("1/2") ** 2 * poisson(laplace(2), "0.2", direction="add") * poisson(
        randomized_response(1), "0.1", direction="remove") ** 2, R(5, 2)),
])
def test_agrees_with_other_routes(pair, eps):
    found = around_poles(pair, eps)
    with workprec(110):
        there = split.delta(releases(pair), exact_ball(eps).real, 46)
        assert found.overlaps(there)
        assert there.rad() < there / 10**10
        assert found.rad() < found / 10**20


def test_reached_by_a_query():
    pair = laplace(5) ** 10 * poisson(laplace(1), "1/10000", direction="add") ** 10
    found = pair.delta(1, digits=12)
    assert found.method == "integral around the poles"
    # next to nothing leaks: the profile moves by far less than the total variation
    assert abs(found.value - (laplace(5) ** 10).delta(1, digits=12).value) < 1e-7
    # below 0 by reversal
    assert float(pair.delta(-1, digits=12).value) == pytest.approx(
        float(1 - sp.exp(-1) + sp.exp(-1) * pair.reverse().delta(1, digits=14).value.__float__()))


def test_a_corner_within_reach_is_refused():
    # atoms of two releases of scale 1 lie at 0 and 2
    pair = laplace(1) ** 2 * poisson(laplace(1), "1/100", direction="remove")
    around_poles(pair, R(197, 100))
    for eps in (2, R(1999, 1000), R(2001, 1000)):
        with pytest.raises(Unsupported, match=r"carry a corner|next to a corner|lies above"):
            around_poles(pair, eps)


@pytest.mark.parametrize("pair", [
    laplace(1) * poisson(gaussian(1), "1/100", direction="remove"),     # not bounded
    laplace(1) ** 3,                                                    # nothing beside
    poisson(laplace(1), "1/2", direction="add") ** 3,                   # no corners
])
def test_what_has_no_corners_or_no_bounds_is_refused(pair):
    with pytest.raises(Unsupported):
        around_poles(pair, R(1, 2))


def test_corners_that_would_be_too_many_count_as_narrow():
    factors = releases(laplace(1) ** 3 * geometric("1/1000") ** 10**4 * laplace("1/7"))
    found = narrow.parted(factors)
    assert found is not None
    assert 3 <= found[0].count < factors.count


@pytest.mark.parametrize("direction", ["add", "remove"])
@pytest.mark.parametrize(("sigma", "rate", "eps"), [
    (20, R(1, 100), R(1, 2)), (3, R(1, 10**6), R(2, 5))])
def test_one_sampled_gaussian_by_its_definition(direction, sigma, rate, eps):
    """Under Q the loss of the noise is n/sigma - 1/(2 sigma^2) for a standard normal n."""
    others = laplace(1) ** 2 * randomized_response("1/10")
    found = around_poles(others * poisson(gaussian(sigma), rate, direction=direction), eps, 50)
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, others.profile(t), "mpmath")
    with mp.workdps(40):
        s, w, x = mp.mpf(sigma), mp.mpf(rate.p) / rate.q, mp.mpf(eps.p) / eps.q

        def share(n):
            z = 1 - w + w * mp.exp(n / s - 1 / (2 * s * s))
            return (z * profile(x - mp.log(z)) if direction == "remove" else profile(x + mp.log(z))
                    ) * mp.npdf(n)

        whole = mp.quad(share, [*range(-14, 15, 2)])
        assert abs(whole - mp.mpf(found.mid().str(45, radius=False))) < mp.mpf(
            float(found.rad())) + mp.mpf(10) ** -24
        assert found.rad() < found.mid() * 2.0 ** -45


@pytest.mark.parametrize("copies", [40, 400])
def test_many_copies_reach_less_far_than_their_sum(copies, monkeypatch):
    """Each of them may lose 1/50, but all together hardly more than some deviations: against sums
    of binomial numbers."""
    rate, size = R(1, 1000), R(1, 50)
    pair = laplace("1/3") * poisson(randomized_response(size), rate, direction="remove") ** copies
    # their corners are left aside
    monkeypatch.setattr(narrow, "parted", lambda factors: (
        Factors(factors.parts[:1]), Factors(factors.parts[1:])))
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, laplace("1/3").profile(t), "mpmath")
    found = around_poles(pair, R(29, 10), 60)
    with mp.workdps(40):
        w, e = mp.mpf(1) / 1000, mp.exp(mp.mpf(1) / 50)
        high, low = 1 - w + w * e, 1 - w + w / e
        a = high / (1 + e)
        whole = mp.fsum(mp.binomial(copies, j) * a**j * (1 - a) ** (copies - j) * profile(
            mp.mpf(29) / 10 - j * mp.log(high) - (copies - j) * mp.log(low))
            for j in range(copies + 1))
        assert abs(whole - mp.mpf(found.mid().str(45, radius=False))) < mp.mpf(
            float(found.rad())) + mp.mpf(10) ** -35
        assert found.rad() < found.mid() * 2.0 ** -50


def test_huge_losses_that_reach_a_corner_are_seen_at_once():
    """No moment is worked out for what is refused; where they are too rare nothing is refused."""
    rest = releases(poisson(gaussian("1/2"), "1/10000", direction="remove"))
    # of one release the P-mass beyond 1/100 is about 10^-4 times that of l > 4.6
    assert narrow._reaches(rest, 0.01, math.log(1e-6))
    assert not narrow._reaches(rest, 0.01, math.log(1e-3))
    assert not narrow._reaches(rest, 40.0, math.log(1e-30))
    assert not narrow._reaches(releases(laplace(1)), 0.01, -100.0)
    pair = poisson(gaussian("1/2"), "1/10000", direction="remove") ** 10 * geometric("1/100")
    with workprec(400), pytest.raises(Unsupported, match="losses carry a corner"):
        narrow.delta(releases(pair), flint.arb("0.0067"), 44)


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(2) ** 3 * poisson(gaussian("1/2"), "1/10", direction="add") ** 1000, R(11, 10)),
    (laplace("1/2") * poisson(gaussian(100), "1/100", direction="remove") ** 1000, R(1999, 1000)),
])
def test_others_that_spread_far_are_refused_before_their_moments_are_made(pair, eps, monkeypatch):
    monkeypatch.setattr(narrow, "_beside", None)
    with pytest.raises(Unsupported, match="carry a corner"):
        around_poles(pair, eps, 40)


def test_the_order_of_least_bound_is_that_of_all():
    moments = EntireMoments(releases(poisson(laplace(1), "1/100", direction="remove") ** 30), 20)
    for side, start, gap in ((1, 2.0, 0.1), (-1, 0.5, 0.01), (1, 1.5, 1.0)):
        found = narrow._order(moments, side, start, gap)
        sizes = [moments.log_moment(0.5 + start + side * s) - s * gap
                 for s in (found, *(math.sqrt(2.0**j) / gap for j in range(narrow.GRADES)))]
        assert sizes[0] == min(sizes)
