"""One line for many points: by closed forms in mpmath, and sums over places by other routes."""

from __future__ import annotations

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson, randomized_response, staircase
from lapdp.accounting.inversion import beside, shared
from lapdp.accounting.inversion.saddle import exponent
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns import references

POINTS = ("-3/4", "-1/100", "0", "1/50", "1/3", "7/8")
RATE = Fraction(1, 10)
CASES = {
    "sampled gaussian": (poisson(gaussian(1), "1/10", direction="remove"),
                         references.removed(RATE, references.normal(Fraction(1, 2)))),
    "sampled laplace": (poisson(laplace(1), "1/10", direction="remove"),
                        references.removed(RATE, references.laplace(Fraction(1)))),
    "added laplace": (poisson(laplace(1), "1/10", direction="add"),
                      references.added(RATE, references.laplace(Fraction(1)))),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("gamma", [0.5, 1.75, 4.0])
def test_each_point_within_the_size_of_the_integrand(name, gamma):
    pair, there = CASES[name]
    factors, bits = releases(pair), 40
    with workprec(200):
        found = shared.profile(factors, gamma, (-0.75, 0.875), bits)
    for point in POINTS:
        t = Fraction(point)
        with workprec(1 << 15):
            ball = found(flint.arb(flint.fmpq(t.numerator, t.denominator)))
        size = mp.exp(exponent(factors, float(t))(gamma)) * gamma * abs(gamma - 1)
        with mp.workdps(40):
            gap = abs(there(references.number(t)) - mp.mpf(str(ball.mid().str(30, radius=False))))
            radius = mp.mpf(float(ball.rad()))
            assert gap <= radius + mp.mpf(10) ** -28 and radius <= 2.0**(6 - bits) * size


def test_lines_outside_the_strip_are_refused():
    for gamma in (1.0, -0.5):
        with pytest.raises(Unsupported, match="strip"):
            shared.profile(releases(CASES["added laplace"][0]), gamma, (0.0, 1.0), 30)


def place_by_place(pair, eps, digits, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(beside, "MANY", 10**9)
        return pair.delta(eps, digits=digits)


@pytest.mark.parametrize(("pair", "eps"), [
    (randomized_response("1/2") ** 30 * poisson(laplace(1), "1/10", direction="add") ** 3, "3/2"),
    (staircase("1/4") ** 9 * poisson(laplace(5), "1/10", direction="remove") ** 8, "1/2"),
    (randomized_response("1/4") ** 40 * poisson(gaussian(2), "1/10", direction="add") ** 9, "1/4"),
])
def test_sums_over_places_are_those_place_by_place(pair, eps, monkeypatch):
    taken = []
    whole = beside._by_one_line

    def told(found, window, point, bits):
        taken.append(whole(found, window, point, bits))
        return taken[-1]

    def profile(other, t, wanted):
        raise AssertionError("no place has a query of its own")

    monkeypatch.setattr(beside, "_by_one_line", told)
    with workprec(200):
        found = beside.delta(pair, sp.Rational(eps), 34, profile)
    assert taken and found.rel_accuracy_bits() >= 34
    other = place_by_place(pair, eps, 14, monkeypatch)
    with workprec(200):
        assert other.enclosure.ball().overlaps(found)
