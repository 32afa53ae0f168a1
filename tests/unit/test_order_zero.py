"""R_0 by 0^0 = 1, the other convention in words, infinite divergences, sides of a witness."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import finite, laplace, verify
from lapdp.accounting.conversions import concentrated_to_epsilon
from lapdp.core.errors import IllFormed, InputError, Undefined
from lapdp.core.verdict import Kind
from lapdp.testing.strategies import neighbours
from lapdp.theory import R, Where, claim, delta, mechanism_pair, pair

APART = finite([1, 0], [0, 1])


def test_the_value_at_order_zero_and_the_sides_of_a_witness():
    A, B = mechanism_pair(APART, "A", "B")
    assert verify(claim("limit", sp.Eq(R(0, A, B), sp.oo))).kind is Kind.REFUTED
    wrong = verify(claim("one", sp.Eq(R(0, A, B), 1)))
    assert wrong.kind is Kind.REFUTED
    assert "the sides are those of exp(-R(0, A, B)) == exp(-1)" in wrong.witness.why
    assert verify(claim("zero", sp.Eq(R(0, A, B), 0))).kind is Kind.PROVED
    C, D = mechanism_pair(finite(["1/2", "1/2"], ["1/4", "3/4"]), "C", "D")
    plain = verify(claim("plain", sp.Eq(delta(C, D)(0), 1)))
    assert "sides are those" not in plain.witness.why


def test_the_other_convention_can_be_said():
    C, D = mechanism_pair(finite(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"]), "C", "D")
    half = sp.Le(D(Where(sp.Gt(C, 0))), sp.Rational(1, 2))
    assert verify(claim("half", half)).kind in (Kind.PROVED, Kind.DERIVED)
    less = sp.Lt(D(Where(sp.Gt(C, 0))), sp.Rational(1, 2))
    assert verify(claim("less", less)).kind is Kind.REFUTED


@pytest.mark.parametrize("made, q, value", [
    (APART, "1/2", sp.oo), (APART, 2, sp.oo), (APART, 0, 0), (APART, -1, -sp.oo),
    (finite(["1/2", "1/2"], [1, 0]), 2, sp.oo),
    (finite(["1/2", "1/2"], [1, 0]), -1, -sp.log(2) / 2),
    (laplace(1), 2, sp.log((2 * sp.E + sp.exp(-2)) / 3))])
def test_divergences_have_values_in_the_extended_line(made, q, value):
    found = sp.sympify(made.renyi(q))
    assert found == value or abs((found - value).evalf(30)) < 1e-25


def test_what_has_no_value_says_so():
    with pytest.raises(Undefined):
        APART.renyi(1)
    with pytest.raises(Undefined):
        APART.renyi(2 + sp.I)
    P, Q = pair()
    with pytest.raises(IllFormed, match=r"write delta\(P, Q\)\(eps\)"):
        delta(0, P, Q)


def test_both_spellings_of_a_relation():
    assert repr(neighbours(relation="add-remove")) == repr(neighbours(relation="add/remove"))
    assert repr(neighbours(relation="replace-one")) == repr(neighbours())


def test_a_way_to_convert_is_no_number():
    with pytest.raises(InputError, match='method="mironov"'):
        concentrated_to_epsilon(1, "1e-5", "mironov")
