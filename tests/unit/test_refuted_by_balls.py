"""A relation between numbers is refuted where its logarithms leave the exact class."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import finite, laplace, verify
from lapdp.core.verdict import Kind
from lapdp.theory import E, R, claim, delta, mechanism_pair
from lapdp.theory.witness import search

P, Q = mechanism_pair(laplace(1))
HALF = sp.Rational(1, 2)


@pytest.mark.parametrize("false", [
    sp.Le(R(2, P, Q), HALF), sp.Ge(R(HALF, P, Q), HALF),
    sp.Le(R(2, P, Q), R(sp.Rational(3, 2), P, Q)), sp.Lt(R(2, P, Q) + delta(P, Q)(HALF), HALF),
    sp.Le(E(2, P, Q) + R(2, P, Q), 2)])
def test_a_false_number_is_refuted(false):
    assert verify(claim("number", false)).kind is Kind.REFUTED
    opposite = {sp.Le: sp.Gt, sp.Ge: sp.Lt, sp.Lt: sp.Ge}[false.func](*false.args)
    found, _ = search(claim("opposite", opposite), [], limit=5)
    assert found is None


def test_a_bound_is_refuted_where_it_fails_at_a_point():
    q, b = sp.Symbol("q", real=True), sp.Symbol("b", positive=True)
    L1, L2 = mechanism_pair(laplace(b))
    wrong = claim("wrong", sp.Le(R(q, L1, L2), q / (4 * b**2)), where=[q > 1])
    found, _ = search(wrong, [])
    assert found is not None and found.why.startswith("the relation fails")
    right = claim("right", sp.Le(R(q, L1, L2), 1 / b), where=[q > 1])
    assert search(right, [], limit=40)[0] is None


def test_infinite_sides_are_not_balls():
    A, B = mechanism_pair(finite([1, 0], ["1/2", "1/2"]), "A", "B")
    assert search(claim("finite", sp.Le(R(2, A, B), 1)), [], limit=5)[0] is None
    found, _ = search(claim("infinite", sp.Le(R(2, B, A), 1)), [], limit=5)
    assert found is not None
