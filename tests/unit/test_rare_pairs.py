"""Conversions of moments with too small a logarithm fail at rare outcomes, at small deltas."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest

from lapdp.theory import instances, witness
from lapdp.theory.checking import check_statement
from lapdp.theory.rare import RARE, levels

BOUND = ("R(P, Q)(2) <= rho", "0 < d < 1")


@pytest.mark.parametrize(("claim", "where"), [
    ("delta(P, Q)(rho + log(1/d)/(2*(q - 1))) <= d", ("q > 1", "R(P, Q)(q) <= rho", "0 < d < 1")),
    ("delta(P, Q)(rho + log(1/d)*2/3) <= d", BOUND),
    ("delta(P, Q)(R(P, Q)(3) + log(1/d)/3) <= d", ("0 < d < 1", "Defined(R(P, Q)(3))")),
])
def test_a_conversion_whose_logarithm_is_too_small_is_refuted(claim, where):
    found, looked = witness.search(check_statement(claim, where), [], limit=200)
    assert found is not None and looked < 200
    assert found.lhs != "undefined" and "finite" in found.text


def test_the_conversion_holds_at_the_rare_pairs():
    # R_2 <= r gives delta(r + log(1/d)) <= d: by the definitions, in fractions
    for (p, rest), (q, other) in RARE:
        moment = p**2 / q + rest**2 / other
        for d in (Fraction(1, 100), Fraction(1, 10**4), Fraction(1, 10)):
            alpha = moment / d
            assert max(0, p - alpha * q) + max(0, rest - alpha * other) <= d


@pytest.mark.parametrize(("claim", "where"), [
    ("delta(P, Q)(x) <= d", ("0 < d < 1",)), ("delta(P, Q)(x) <= R(P, Q)(2) + d", ("0 < d",))])
def test_other_claims_are_searched_as_before(claim, where):
    """No moment, or no letter between 0 and 1: the search is not made longer."""
    statement = check_statement(claim, where)
    tried = [i.text() for i in islice(instances.candidates(statement, []), 150)]
    rare = [instances.finite_instance(p, q)[0] for p, q in RARE]
    assert not levels(statement) and not any(name in text for text in tried for name in rare)
