"""Poisson subsampling of pairs, against exact masses and against Theorem 5.1 read by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import finite, laplace, poisson, randomized_response
from lapdp.core.errors import InputError
from lapdp.testing.strategies import alphas, finite_pairs
from tests.oracle import finite as oracle

RATES = [Fraction(n, 4) for n in range(5)]


@settings(max_examples=60, deadline=None)
@given(finite_pairs(max_size=4), alphas(), st.sampled_from(RATES))
def test_finite_pairs_against_the_oracle(pair, alpha, rate):
    P = tuple(rate * p + (1 - rate) * q for p, q in pair.masses)
    for direction, members in (("remove", (P, pair.Q)), ("add", (pair.Q, P))):
        found = poisson(pair, rate, direction=direction)
        assert members == (found.P, found.Q)
        assert found.hockey_stick(alpha) == oracle.hockey_stick(*members, alpha)


@settings(max_examples=40, deadline=None)
@given(finite_pairs(max_size=3), alphas(), st.sampled_from(RATES[1:]))
def test_theorem_5_1_by_masses(pair, alpha, rate):
    """Both branches, from the base pair's own masses."""
    found = poisson(pair, rate, direction="remove").hockey_stick(alpha)
    shifted = 1 + (alpha - 1) / rate
    assert found == (rate * pair.hockey_stick(shifted) if alpha > 1 - rate else 1 - alpha)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("rate", ["1/3", "1"])
def test_randomized_response_in_closed_form(direction, rate):
    """The symbolic profile, loss and moments are those of the masses."""
    base = randomized_response(sp.log(3), "1/10")
    found = poisson(base, rate, direction=direction)
    masses = finite(["1/10", "27/40", "9/40", 0], [0, "9/40", "27/40", "1/10"])
    exact = poisson(masses, rate, direction=direction)
    for alpha in (Fraction(1, 5), Fraction(2, 3), Fraction(1), Fraction(3, 2), Fraction(4)):
        at = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
        assert sp.simplify(found.profile(at) - sp.Rational(*exact.hockey_stick(
            alpha).as_integer_ratio())) == 0
    assert found.mass_at_infinity == sp.Rational(*exact.mass_at_infinity.as_integer_ratio())
    assert found.moment(2) == exact.moment(2) or sp.simplify(
        found.moment(2) - sp.Rational(*exact.moment(2).as_integer_ratio())) == 0


def test_symbolic_rates():
    r = sp.Symbol("r", positive=True)
    found = poisson(randomized_response(sp.log(3)), r, direction="remove").profile(sp.log(2))
    for rate in (sp.Rational(1, 4), sp.Rational(3, 4), sp.Integer(1)):
        exact = poisson(finite(["3/4", "1/4"], ["1/4", "3/4"]), rate, direction="remove")
        assert found.subs(r, rate) == sp.Rational(*exact.hockey_stick(2).as_integer_ratio())
    share = sp.Symbol("r", nonnegative=True)
    for direction in ("remove", "add"):
        smooth = poisson(laplace(1), share, direction=direction).profile("1/100")
        for rate in (0, "1/4", 1):
            at = poisson(laplace(1), rate, direction=direction).profile("1/100")
            assert sp.N(smooth.subs(share, sp.Rational(rate)) - at, 30, chop=True) == 0


def test_products_and_reversal():
    found = poisson(randomized_response(sp.log(3)), "1/2", direction="add") ** 2
    exact = poisson(finite(["3/4", "1/4"], ["1/4", "3/4"]), "1/2", direction="add") ** 2
    assert found.profile(0) == sp.Rational(*exact.hockey_stick(1).as_integer_ratio())
    added = poisson(laplace(1), "0.1", direction="add")
    assert repr(added) == "poisson(laplace(1, 1), 1/10, direction='add')"
    assert added.reverse() == poisson(laplace(1), "0.1", direction="remove")


@pytest.mark.parametrize("rate, direction", [
    (0.5, "remove"), ("1.5", "remove"), ("-1/2", "add"), ("1/2", "both"), ("1/2", ""),
])
def test_bad_input(rate, direction):
    with pytest.raises(InputError):
        poisson(laplace(1), rate, direction=direction)


def test_a_direction_must_be_given():
    with pytest.raises(InputError, match="direction= is missing"):
        poisson(laplace(1), "1/2")
    with pytest.raises(InputError):
        poisson("laplace", "1/2", direction="add")
