"""One huge loss beside usual ones: by integrals of closed forms in mpmath, and by other routes."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson
from lapdp.accounting.inversion import hits, one_hit, several_hits
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
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
    (rare(10, "1/1000000", 10**6), "1/10", "may add up")])
def test_what_is_refused(pair, eps, why):
    with pytest.raises(Unsupported, match=why):
        here(pair, eps)


def test_what_more_hits_add_is_no_less_than_two_hits_may():
    """The bound of two hits and more is above a lower bound: two losses just above eps/2."""
    pair, eps = rare(10, "1/10000", 2), 8
    chosen = one_hit._chosen(releases(pair), float(eps), BITS)
    with workprec(64):
        bound = several_hits.several(chosen, flint.arb(eps), 170.0, -20000.0)
        n = chosen[0].place(flint.arb(eps) / 2)
        p, _ = chosen[0].likely(n)
        # both beyond: at least p (1 - e^(eps - Z)) in the square; Z > eps + 1/2 for n + 5
        far, _ = chosen[0].likely(chosen[0].place(flint.arb(eps) / 2 + flint.arb("0.25")))
        assert bound > far * far * (1 - flint.arb("-0.5").exp())
        assert p > far


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
