"""One subsampled Gaussian beside few losses with corners, against integrals by the definition over
the outcomes of Laplace noise, and other routes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import flint
import mpmath as mp
import pytest

from lapdp import exponential_mechanism, gaussian, laplace, poisson, randomized_response
from lapdp.accounting.inversion import contour, corner_profiles, one_sample, residues
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.parameters import exact_parameter


def ball_of(eps):
    return exact_ball(exact_parameter("eps", eps)).real


def by_formula(pair, eps, bits=45):
    with workprec(300):
        return one_sample.delta(releases(pair), ball_of(eps), bits)


def number(text):
    x = Fraction(text)
    return mp.mpf(x.numerator) / x.denominator


def sampled_gaussian(sigma, rate, direction):
    """Its profile: that of (w P + (1 - w) Q, Q), or by the reversal law that of (Q, w P + ...)."""
    kappa = 1 / (2 * number(sigma) ** 2)
    w, root = number(rate), mp.sqrt(kappa)

    def removed(y):
        z = (y - (1 - w)) / w
        if z <= 0:
            return 1 - y
        x = mp.log(z) / (2 * root)
        return w * (mp.erfc(x - root / 2) - z * mp.erfc(x + root / 2)) / 2

    return removed if direction == "remove" else lambda y: 1 - y + y * removed(1 / y)


def laplace_law(scale, rate, direction):
    """(P-mass, ratio) of the outcomes on both sides, and of those between 0 and 1 the density and
    the ratio."""
    b, w = number(scale), number(rate)

    def ratio(x):
        r = 1 - w + w * mp.exp((2 * x - 1) / b)
        return r if direction == "remove" else 1 / r

    def weight(x):
        return 1 - w + w * mp.exp((2 * x - 1) / b) if direction == "remove" else 1

    ends = [(weight(0) / 2, ratio(0)), (weight(1) * mp.exp(-1 / b) / 2, ratio(1))]
    return ends, lambda x: weight(x) * mp.exp(-x / b) / (2 * b), ratio


CASES = [
    (("10", "1/2", "add"), ("1/2", "1/1000", "add"), "1/40"),
    (("1/2", "1/10", "add"), ("10", "1/10000", "remove"), "17/200"),
    (("2", "1/2", "remove"), ("1", "1/10", "remove"), "1/3"),
    (("1", "1", "remove"), ("2", "1/100", "add"), "1/2"),
    (("5", "1/100", "remove"), ("1", "1/1000000", "remove"), "1/100"),
]


@pytest.mark.parametrize(("noise", "normal", "eps"), CASES)
def test_by_the_definition(noise, normal, eps):
    """The mean of the profile of the Gaussian over the outcomes of the Laplace noise."""
    scale, rate, way = noise
    other = laplace(scale) if rate == "1" else poisson(laplace(scale), rate, direction=way)
    pair = other * poisson(gaussian(normal[0]), normal[1], direction=normal[2])
    with mp.workdps(30):
        profile, y = sampled_gaussian(*normal), mp.exp(number(eps))
        ends, density, ratio = laplace_law(*noise)
        total = sum(mass * profile(y / r) for mass, r in ends)
        # the profile bends where y/ratio is 1 or the least ratio of the sample
        w = number(normal[1])
        bends = [y, y / (1 - w), y * (1 - w)]
        places = sorted({mp.mpf(0), mp.mpf(1)} | {x for z in bends if (
            x := inverse(z, noise)) is not None} | {mp.mpf(j) / 3 for j in range(4)})
        fine = [a + (b - a) * f for a, b in pairwise(places) for f in (0, .01, .1, .9, .99)]
        total += mp.quad(lambda x: density(x) * profile(y / ratio(x)), [*fine, 1], maxdegree=4,
                         method="gauss-legendre")
        found = by_formula(pair, eps)
        middle = mp.mpf(found.mid().str(40, radius=False))
        assert found.rel_accuracy_bits() >= 40
        assert abs(middle - total) < 1e-12 * total


def inverse(z, noise):
    """x where the ratio is z, if inside (0, 1)."""
    scale, rate, way = noise
    w, r = number(rate), z if way == "remove" else 1 / z
    inner = (r - 1 + w) / w
    if inner <= 0:
        return None
    x = (1 + number(scale) * mp.log(inner)) / 2
    return x if 0 < x < 1 else None


@pytest.mark.parametrize(("pair", "eps"), [
    (exponential_mechanism(1) * poisson(gaussian(2), "1/2", direction="remove"), "1/10"),
    (laplace(2)**2 * randomized_response(1) * poisson(gaussian("1/2"), "1/2", direction="add"),
     "1/3"),
])
def test_by_a_line(pair, eps):
    """The contour integral, which is no integral of a formula."""
    found = by_formula(pair, eps)
    with workprec(120):
        known = contour.delta(releases(pair), ball_of(eps), 45)
    assert found.overlaps(known)
    assert found.rel_accuracy_bits() >= 40
    assert known.rel_accuracy_bits() >= 30


@pytest.mark.parametrize("t", ["-2", "-3/4", "-1/5", "1/5", "1", "2"])
def test_profiles_of_corners(t):
    """The sum over the residues of the corners; between 0 and 1 - e^t elsewhere."""
    factors = releases(laplace(1) ** 2 * exponential_mechanism("1/2"))
    with workprec(200):
        place = ball_of(t)
        profile = corner_profiles.profile(in_pieces(factors), 60)
        profile.prepare(flint.arb(-3), flint.arb(3), 10.0)
        j = next(j for j, (a, b) in enumerate(pairwise(profile.corners)) if a < place < b)
        found = profile.piece(j)(place)
        if place > 0:
            known = residues.delta(factors, place, 60)
        else:
            # of pairs that are their own mirror images, by the reversal law
            known = 1 - place.exp() + place.exp() * residues.delta(factors, -place, 60)
        assert abs(found - known) <= (profile.share + flint.arb(2) ** -50) * known


def test_beyond_all_losses():
    """delta that is far below what moments say, and none at all."""
    pair = poisson(laplace(10), "1/100", direction="add") * poisson(
        gaussian(5), "1/10000", direction="remove")
    found = by_formula(pair, "1/2")
    assert found.rel_accuracy_bits() >= 40
    assert found < flint.arb(10) ** -300
    assert pair.delta("1/2").method == "integral of a formula"
    assert (exponential_mechanism(1) * poisson(gaussian(1), "1/100", direction="add")).delta(
        2).enclosure.upper == 0


def test_refusals():
    """Where there are two samples, none, or nothing with corners; many copies take long."""
    sample = poisson(gaussian(1), "1/10", direction="remove")
    for pair in (sample**2 * laplace(1), laplace(1), sample, sample * randomized_response(1)):
        assert one_sample.parted(releases(pair)) is None
        with pytest.raises(Unsupported, match="no subsampled Gaussian"):
            by_formula(pair, 1)
    with pytest.raises(Unsupported, match="take long"), workprec(200):
        one_sample.quickly(releases(sample * poisson(
            laplace("1/2"), "1/10", direction="add") ** 10), flint.arb(1), 40)
