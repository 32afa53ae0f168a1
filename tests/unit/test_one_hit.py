"""One huge loss beside usual ones: by integrals of closed forms in mpmath, and by other routes."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import flint
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson
from lapdp.accounting.inversion import contour, hits, one_hit, several_hits, two_samples
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns.rare import Recursion
from tests.campaigns.references import normal, number, removed

BITS = 40


def rare(sigma, rate, copies):
    return poisson(gaussian(sigma), rate, direction="remove") ** copies


def here(pair, eps, bits=BITS):
    """By this method alone."""
    x = sp.Rational(eps)
    with workprec(4096):
        point = flint.arb(flint.fmpq(int(x.p), int(x.q)))
    with workprec(bits + 64):
        return one_hit.delta(releases(pair), point, bits)


def two(sigma, rate, eps):
    """Of two releases twice the mean of one's profile over the loss of the other, up to eps/2;
    and a bound of what both beyond it add."""
    s, q, t = 1 / number(sigma), number(rate), number(eps)
    one = removed(rate, normal(1 / (2 * sigma**2)))

    def part(x):
        z = 1 - q + q * mp.exp(s * x - s * s / 2)
        return mp.npdf(x) * z * one(t - mp.log(z))

    half = (mp.log((mp.exp(t / 2) - 1 + q) / q) + s * s / 2) / s
    ends = [*(mp.mpf(j) for j in range(-14, min(60, int(half) + 1))), half]
    tail = mp.erfc((half - s) / mp.sqrt(2)) / 2
    # a rule stops where errors are small as compared with 1
    size = part(mp.mpf(0))
    return 2 * size * mp.quad(lambda x: part(x) / size, ends, maxdegree=6), tail**2


@pytest.mark.parametrize("sigma, rate, eps", [
    ("10", "1/10000", "8"), ("8", "1/1000", "5"), ("20", "1/50", "3/10")])
def test_two_releases_by_an_integral_of_the_closed_form(sigma, rate, eps):
    ball = here(rare(sigma, rate, 2), eps)
    assert ball.rel_accuracy_bits() > 30
    with mp.workdps(40):
        found, more = two(Fraction(sigma), Fraction(rate), Fraction(eps))
        low, high = (mp.mpf(str(x.str(30, radius=False))) for x in (ball.lower(), ball.upper()))
        assert more < found * 1e-15
        assert low * (1 - mp.mpf(10)**-25) <= found <= high * (1 + mp.mpf(10)**-25)


@pytest.mark.parametrize("sigma, rate, eps", [
    ("5", "1/1000000", "1"), ("10", "1/10000", "1/10"), ("100", "1/100", "1")])
def test_two_wide_releases_as_by_the_integral_of_a_formula(sigma, rate, eps):
    """The sizes of their moments say far too much: that of one release counts."""
    pair, x = rare(sigma, rate, 2), sp.Rational(eps)
    with workprec(4096):
        point = flint.arb(flint.fmpq(int(x.p), int(x.q)))
    with workprec(BITS + 64):
        ball = two_samples.delta(releases(pair), point, BITS)
    assert ball.rel_accuracy_bits() > 34 and ball.overlaps(here(pair, eps))


def test_two_hits_that_are_seen_are_refused_before_any_is_bounded(monkeypatch):
    monkeypatch.setattr(one_hit, "_one", None)
    with pytest.raises(Unsupported, match="two hits are seen"):
        here(rare(100, "1/100", 2), 8)


def test_hits_come_before_a_line_on_which_more_cancels():
    known = releases(rare(5, "1/1000", 100))
    assert hits.is_cheaper(known, 8.0) and not contour.is_long(known, 8.0)
    assert not hits.is_cheaper(releases(rare(1, "1/10", 100)), 8.0)


@pytest.mark.parametrize("sigma, rate, copies, eps", [(6, "1/1000", 5, 5), (5, "1/1000", 20, 5)])
def test_as_by_a_contour_integral(sigma, rate, copies, eps):
    pair = rare(sigma, rate, copies)
    with workprec(BITS + 64):
        other = hits.delta(releases(pair), flint.arb(eps), BITS)
    ball = here(pair, eps)
    assert other.rel_accuracy_bits() > 30 and ball.rel_accuracy_bits() > 30
    assert other.overlaps(ball)


def test_unlike_releases_in_any_order_and_no_single_one():
    """One more release that hardly ever matters moves delta by little; a release of rate 0+ beside
    is next to nothing."""
    one, other = rare(10, "1/10000", 2), rare(12, "1/10000", 1)
    found, alone = here(one * other, 8), here(one, 8)
    assert found.overlaps(here(other * one, 8))
    # a release is post-processing of both
    assert found.upper() >= alone.lower()
    single = here(rare(20, "1/50", 1), "3/10")
    assert single.overlaps(rare(20, "1/50", 1).delta("3/10", digits=20).enclosure.ball())


@pytest.mark.parametrize("pair, eps, why", [
    (rare(10, "1/10000", 2) * laplace(1), 8, "not all releases"),
    (rare(1, "1/100", 3), 1, "not told from usual losses"),
    (rare(4, "1/1000", 5), 8, "more hits than one"),
    # a hit may begin where a loss is as small as losses are: its odds have no logarithm
    (rare("7/5000", "13/100", 2), 110, "two hits are seen"),
    (rare(10, "1/1000000", 10**6), "1/10", "may add up")])
def test_what_is_refused(pair, eps, why):
    with pytest.raises(Unsupported, match=why):
        here(pair, eps)


def test_what_more_hits_add_is_no_less_than_two_hits_may():
    """The bound of two hits and more is above a lower bound: two losses just above eps/2."""
    pair, eps = rare(10, "1/10000", 2), 8
    chosen = one_hit._chosen(releases(pair), float(eps), BITS)
    with workprec(64):
        bound = several_hits.several(chosen, flint.arb(eps), 170.0, -14000.0)
        n = chosen[0].place(flint.arb(eps) / 2)
        p, _ = chosen[0].likely(n)
        # both beyond: at least p (1 - e^(eps - Z)) in the square; Z > eps + 1/2 for n + 5
        far, _ = chosen[0].likely(chosen[0].place(flint.arb(eps) / 2 + flint.arb("0.25")))
        assert bound > far * far * (1 - flint.arb("-0.5").exp())
        assert p > far
        with pytest.raises(Unsupported, match="more hits than one"):
            several_hits.several(chosen, flint.arb(eps), 170.0, -20000.0)


def both(sigma, rate, eps, cut):
    """log of the integral of max(0, z1 z2 - e^t) over two losses beyond a place, on a grid."""
    root = 1 / sigma
    last = sigma * math.log1p(math.expm1(eps) / rate) + root / 2 + 9
    n, step = np.linspace(cut, last, 1500, retstep=True)
    n = n + step / 2
    logs = np.log1p(rate * np.expm1(root * n - root * root / 2))
    whole = logs[:, None] + logs[None, :]
    with np.errstate(divide="ignore"):
        terms = np.where(whole > eps, whole + np.log(-np.expm1(np.minimum(eps - whole, 0.0))),
                         -np.inf) - (n * n / 2)[:, None] - (n * n / 2)[None, :]
    top = terms.max()
    return top + math.log(np.exp(terms - top).sum() * step * step / (2 * math.pi))


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_two_hits_against_their_integral(seed):
    """Above it wherever hits are said to begin, and not too far above it."""
    draw = random.Random(seed)
    sigma, rate = draw.choice((1, 2, 4, 10)), 10.0 ** -draw.randint(1, 6)
    eps, cut = draw.choice((0.1, 0.5, 1.0, 3.0, 8.0)), float(draw.randint(4, 12))
    pair = rare(sigma, sp.Rational(rate).limit_denominator(10**6), 2)
    spectrum = releases(pair).parts[0][0]
    if not math.log1p(rate * math.expm1(cut / sigma - 0.5 / sigma**2)) < eps / 2:
        return
    exact = both(sigma, rate, eps, cut)
    u = one_hit._slope(*spectrum.doubles, eps)
    chosen = [one_hit.Release(spectrum, 2, cut, 40.0, min(1.0, math.sqrt(
        8 / ((1 + u) * spectrum.doubles[2]))))]
    with workprec(64):
        bound = float(several_hits.several(chosen, flint.arb(eps), u, 0.6 * exact).log())
    assert exact < bound < 0.6 * exact + 30


@pytest.mark.parametrize("seed", range(30))
def test_against_the_recursion_from_release_to_release(seed):
    draw = random.Random(500 + seed)
    sigma, copies = draw.choice((3, 4, 6, 8, 10, 12)), draw.randint(2, 5)
    rate = Fraction(1, draw.choice((300, 1000, 10**4, 10**5)))
    n = draw.uniform(16, 30)
    eps = Fraction(math.log1p(float(rate) * math.expm1(n / sigma))).limit_denominator(10**4)
    try:
        ball = here(rare(sigma, sp.Rational(rate), copies), sp.Rational(eps))
    except Unsupported:
        # usual losses are near, or more hits than one decide
        return
    one, two_ = (Recursion(sigma, float(rate), copies, float(eps) * 1.01, fine).step(
        copies - 1, float(eps)) for fine in (0.7, 1.0))
    assert abs(one / two_ - 1) < 1e-8
    assert abs(float(ball) / two_ - 1) < 1e-8 + 1e-11 * float(n / sigma + n) ** 2


def of_many(sigma, rate, copies, eps, cut):
    """log delta: the profile of the one with the hit at the sum of the usual losses of all others,
    whose weighed law is the Fourier transform of a power of its characteristic function."""
    w, root = number(rate), 1 / number(sigma)
    whole = removed(rate, normal(1 / (2 * Fraction(sigma) ** 2)))
    with mp.workdps(40):
        t = number(eps)
        slope = float(-mp.diff(lambda x: mp.log(whole(x)), t))
        base = mp.log(whole(t))
    n, weight = np.polynomial.legendre.leggauss(400)
    n = (n + 1) / 2 * (cut + 30) - 30
    weight = weight * (cut + 30) / 2 * np.exp(-n * n / 2) / math.sqrt(2 * math.pi)
    loss = np.log1p(float(w) * np.expm1(float(root) * n - float(root) ** 2 / 2))
    weight = weight * np.exp((1 + slope) * loss)
    size = weight.sum()
    mean = (weight * loss).sum() / size
    deviation = math.sqrt((weight * (loss - mean) ** 2).sum() / size * (copies - 1))
    # log of the profile without its slope, on the range of these sums
    nodes = np.cos(np.pi * (2 * np.arange(24) + 1) / 48)
    center = (copies - 1) * mean
    # of two losses all sums; the law of more is nearly normal
    reach = 14 * deviation if copies > 3 else 1.01 * 2 * abs(loss - mean).max()
    with mp.workdps(40):
        logs = [float(mp.log(whole(t - center - reach * float(x))) - base
                      - slope * (center + reach * float(x))) for x in nodes]
    fit = np.polynomial.chebyshev.chebfit(nodes, logs, 23)
    if copies == 3:
        both_ = (loss[:, None] + loss[None, :] - 2 * mean) / reach
        share = (weight[:, None] * weight[None, :] / size**2
                 * np.exp(np.polynomial.chebyshev.chebval(both_, fit))).sum()
    else:
        count, width = 4096, 40 * deviation
        s = (np.arange(count) - count // 2) * width / count
        u = 2 * math.pi * np.fft.fftfreq(count, width / count)
        phi = (np.exp(1j * u[:, None] * (loss - mean)[None, :]) @ (weight / size)) ** (copies - 1)
        density = np.fft.fftshift(np.fft.fft(phi)).real / width
        inside = abs(s) < reach
        values = np.exp(np.polynomial.chebyshev.chebval(s[inside] / reach, fit))
        share = (density[inside] * values).sum() * width / count
    return float(base) + math.log(copies * size ** (copies - 1) * float(share))


@pytest.mark.parametrize("seed", range(24))
def test_many_releases_against_a_fourier_transform(seed):
    draw = random.Random(900 + seed)
    sigma, copies = draw.choice((20, 50, 100, 100, 200)), draw.choice((3, 30, 100, 300, 1000))
    rate = Fraction(1, 10 ** draw.randint(3, 6))
    eps = Fraction(draw.choice((1, 2, 5, 10, 20, 40)), 10)
    pair = rare(sigma, sp.Rational(rate), copies)
    try:
        ball = here(pair, sp.Rational(eps))
    except Unsupported:
        return
    cut = one_hit._chosen(releases(pair), float(eps), BITS)[0].cut
    with workprec(80):
        found = float(ball.log())
    assert abs(found - of_many(sigma, rate, copies, eps, cut)) < 1e-7 + 1e-13 * abs(found)


def test_the_answer_names_it():
    found = rare(100, "1/1000", 10).delta("1/10", digits=10)
    assert found.method == "sum over one huge loss"
    assert str(found).startswith("6.875790458")
    assert isinstance(releases(rare(1, "1/2", 2)), Factors)


def test_a_loss_more_than_a_thousand_deviations_out():
    """Usual losses of others hardly add: about ten times delta of one release, whose formula is
    known, and no less than it; rates so small leave them e^(u s) within a percent of 1."""
    found = here(rare(100, "1/1000000", 10), "1/10")
    with mp.workdps(60):
        one = removed(Fraction(1, 10**6), normal(Fraction(1, 20000)))(number(Fraction(1, 10)))
        low, high = (mp.mpf(str(x.str(30, radius=False))) for x in (found.lower(), found.upper()))
        assert 10 * one * (1 - mp.mpf(10)**-4) < low <= high < 10 * one * mp.mpf("1.01")
