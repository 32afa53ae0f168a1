"""The inversion integral closed around its poles, against closed forms and sums of Fractions."""

from __future__ import annotations

from itertools import product
from math import comb

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import finite, gaussian, laplace, randomized_response
from lapdp.accounting.inversion import residues
from lapdp.accounting.moments.corners import corners_of
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import certified
from lapdp.core.errors import Unsupported

R = sp.Rational


def by_circle(pair, eps, digits=20):
    """The finite losses only."""
    factors = releases(pair)
    return certified(lambda bits: residues.delta(factors, exact_ball(eps).real, bits), digits)


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(10) ** 100, 3), (laplace(10) ** 100, 0), (laplace(10) ** 10, R(1, 2)),
    (laplace(1) ** 60, 25), (laplace(1) ** 60, R(599, 10)), (laplace("1/5") ** 20, R(7, 2)),
    (laplace(1), R(1, 2)), (laplace(2, 3) ** 7, R(1, 3)), (laplace(10) ** 9 * laplace(7) ** 3, 1),
    (laplace(10) ** 9 * randomized_response("0.1") ** 9, R(1, 2)),
    (laplace(1) ** 2 * randomized_response(3) ** 2, 1), (laplace(3) ** 12, -2),
])
def test_agrees_with_the_closed_form(pair, eps):
    found = by_circle(pair, eps)
    there = pair.profile.at(eps, digits=24)
    assert found.digits >= 20
    assert abs(found.middle - there.middle) <= found.radius + there.radius


@pytest.mark.parametrize("shift", [R(0), R(1, 10**12), -R(1, 10**12), R(1, 10**60), -R(1, 10**60)])
def test_at_an_atom_and_next_to_it(shift):
    pair, eps = laplace(10) ** 20, 1 + shift
    found, there = by_circle(pair, eps), pair.profile.at(eps, digits=24)
    assert abs(found.middle - there.middle) <= found.radius + there.radius


def test_randomized_response_is_the_binomial_sum():
    """The masses e^(a j)/(1 + e^a)^k at a (2 j - k), summed in many digits."""
    k = 12
    with mp.workdps(50):
        a, eps = mp.log(3), mp.mpf(1) / 3
        there = mp.fsum(comb(k, j) * (mp.mpf(3) ** j - mp.exp(eps) * mp.mpf(3) ** (k - j))
                        for j in range(k + 1) if a * (2 * j - k) > eps) / mp.mpf(4) ** k
        found = by_circle(randomized_response(sp.log(3)) ** k, R(1, 3), 30)
        assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator / there - 1) < 1e-30


@pytest.mark.parametrize(("nodes", "radius"), list(product((4, 8, 16, 30), (1.2, 4.0))))
def test_the_bound_of_the_aliases_holds_for_few_nodes(nodes, radius):
    """Of a rule that is far too short the bound must still contain the truth."""
    pair = laplace(10) ** 40
    corners, eps = corners_of(releases(pair)), flint.arb(2)
    with flint.ctx.workprec(200):
        rule, bounds = residues.Rule(corners, radius, nodes, 200), residues.Bounds(corners)
        total = rule.total(rule.above(eps))
        error = min(bounds.error(bounds.above(eps), radius, nodes, outer, inner)
                    for outer in (2 * radius, 4 * radius) for inner in (0.6, 0.9))
        truth = pair.profile.at(2, digits=40).ball()
        assert abs(total - truth) <= error
        assert nodes > 4 or abs(total - truth) > truth / 100


def test_what_has_no_corners_is_refused():
    for pair in (gaussian(1), gaussian(1) * laplace(1)):
        assert not residues.is_short(releases(pair))
        with pytest.raises(Unsupported, match="not bounded"):
            corners_of(releases(pair))
    with pytest.raises(Unsupported, match="on no lattice"):
        corners_of(releases(finite(["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"])))
    with pytest.raises(Unsupported, match="corners, more than"):
        corners_of(releases(laplace(1) ** 100_000))


def test_many_copies_take_the_circle_while_atoms_matter():
    assert (laplace(10) ** 300).delta(6, digits=30).method == "integral around the poles"
    few, many = (laplace(10) ** 1000).delta(15), (laplace(10) ** 10**5).delta(600)
    assert few.method == many.method == "contour integral"
    exact = by_circle(laplace(10) ** 1000, 15)
    assert abs(exact.middle - few.enclosure.middle) <= exact.radius + few.enclosure.radius
