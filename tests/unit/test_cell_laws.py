"""The law of many copies of a loss with a density between two atoms, cell by cell."""

import math
from fractions import Fraction
from itertools import product

import flint
import pytest
import sympy as sp

from lapdp import discrete_gaussian, geometric, laplace, poisson, randomized_response, staircase
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import cell_profiles, split
from lapdp.accounting.moments import legendre_series
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.queries import Query
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import fraction_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec


def _legendre(k: int) -> flint.fmpq_poly:
    """P_k(2 x - 1), by the formula of Rodrigues."""
    found = flint.fmpq_poly([0, -1, 1]) ** k
    for _ in range(k):
        found = found.derivative()
    return found / math.factorial(k)


@pytest.mark.parametrize("mirrored", [False, True])
def test_convolution_of_polynomials(mirrored: bool) -> None:
    """Column n is the integral of f(x - y) P_n(y) from 0 to x, exactly; mirrored, that of
    f(1 + x - y) P_n(y) from x to 1."""
    numbers, size = [Fraction(1, 2), Fraction(-1, 3), Fraction(2, 5), Fraction(1, 7)], 9
    f = sum((_legendre(k) * flint.fmpq(c.numerator, c.denominator)
             for k, c in enumerate(numbers)), flint.fmpq_poly([]))
    given = [-c if mirrored and k % 2 else c for k, c in enumerate(numbers)]
    rows, beyond = legendre_series.convolution([fraction_ball(c) for c in given], size)
    rows = legendre_series.reflected(rows) if mirrored else rows
    for n, x in product(range(size), (flint.fmpq(2, 7), flint.fmpq(9, 10))):
        whole = (f(flint.fmpq_poly([1 + x if mirrored else x, -1])) * _legendre(n)).integral()
        exact = whole(1) - whole(x) if mirrored else whole(x)
        found = sum((rows[k][n] * flint.arb(_legendre(k)(x)) for k in range(size)), flint.arb(0))
        assert abs(found - flint.arb(exact)) <= beyond[n] + flint.arb(1e-13)
        # the degree is no more than 3 + n + 1
        assert bool(beyond[n] < 1e-13) == (n < size - 4)


SAMPLED = poisson(laplace(2), "1/10", direction="remove")


@pytest.mark.parametrize(("pair", "gamma"), [
    (laplace(1) ** 3, 1.5), (laplace("1/2"), 1.0), (SAMPLED**3, 3.0), (SAMPLED, 1.0),
    (poisson(laplace(1), "1/100", direction="add") ** 2, 8.0),
    (SAMPLED**2 * randomized_response("1/10") ** 2, 2.0)])
def test_profile_at_many_points(pair, gamma) -> None:
    """At, beside and beyond the ends of cells, and below 0, where the law of reversal holds; on
    any line.  Next to closed forms and to integrals of their own."""
    found = cell_profiles.CellProfile(releases(pair), gamma, 45)
    top = float(exact_ball(releases(pair).largest().to_sympy()).real)
    for t in ("0", *(f"{top * x:.9f}" for x in (0.02, 0.6, 0.9, 1.1)), "-0.01"):
        point = sp.Rational(t)
        exact = delta(pair, point, 13).enclosure
        assert exact is not None
        with workprec(200):
            value = found(exact_ball(point).real)
        assert value.overlaps(exact.ball())
        assert value.rad() < 1e-11


def test_ends_of_cells() -> None:
    """At an end itself the polynomials of both sides hold: laplace(1)**2 has them at -2, 0 and 2.
    """
    found = cell_profiles.CellProfile(releases(laplace(1) ** 2), 1.0, 45)
    for t in (-2, 0, 2):
        with workprec(100):
            value = found(flint.arb(t))
        exact = delta(laplace(1) ** 2, t, 13).enclosure
        assert exact is not None
        assert value.overlaps(exact.ball())
        assert value.rad() < 1e-10


def test_hundreds_of_copies() -> None:
    """Beside few draws apart, on a line of their own."""
    pair = poisson(laplace(100), "1/1000", direction="add") ** 300
    factors, t = releases(pair), sp.Rational(1, 40000)
    with workprec(20_000):
        point = exact_ball(t).real
    few = split.delta(factors, point, 40)
    for gamma in (1.0, 5000.0):
        value = cell_profiles.CellProfile(factors, gamma, 40)(point)
        assert value.overlaps(few)
        assert value.rad() < 1e-13


def test_what_they_are_not_for() -> None:
    """Two densities, an atom elsewhere, no density, two lattices, many draws, long losses."""
    for pair in (laplace(1) * laplace(2), randomized_response(1) ** 2,
                 laplace(1) * discrete_gaussian(2) * poisson(
                     randomized_response(1), "1/3", direction="add")):
        assert cell_profiles.parted(releases(pair)) is None
        with pytest.raises(Unsupported, match="no copies"):
            cell_profiles.CellProfile(releases(pair), 1.5, 40)
    with pytest.raises(Unsupported, match="draws"):
        cell_profiles.CellProfile(releases(laplace(1) ** 1000), 1.5, 40)
    with pytest.raises(Unsupported, match="panels"):
        cell_profiles.CellProfile(releases(laplace("1/100000")), 1.5, 40)


def test_no_mass_told_from_zero_on_one_side() -> None:
    """Of four places of a lattice those below eps lie between those of its wide releases: their
    masses are 0 as far as balls tell, and no line is chosen for them."""
    found = Query.of("epsilon(geometric(1)**1000000*staircase(1/10)**2*poisson(laplace(2), 1/10000,"
                     " direction='remove')**30, 1e-5, digits=9)").answer()
    # what is sampled moves it by no more than its largest loss, 30 log(1 + (e^(1/2) - 1)/10^4)
    alone = (geometric(1) ** 10**6 * staircase("1/10") ** 2).epsilon("1e-5", 12).enclosure
    assert found.enclosure is not None
    assert alone is not None
    assert found.enclosure.lower < alone.upper + Fraction(1, 500)
    assert found.enclosure.upper > alone.lower - Fraction(1, 500)


def test_beyond_all_losses_nothing_is_as_far_as_the_largest() -> None:
    found = cell_profiles.profile(releases(laplace(1) ** 3), 1.5, 45).around(flint.arb("3.25"))
    with workprec(60):
        assert 0.249 < found.gap <= 0.25 and found.series(flint.arb("3.1"), 2) == [0, 0]
        assert delta(laplace(1) ** 3, "3.1", 9).enclosure.ball() <= found.off
