"""Moments of mixtures are at most the means of those of their parts; smaller bounds, bounds of one
part alone, other orders and other arguments do not give as much."""

from __future__ import annotations

import pytest
from sympy import Max, Min, Rational

from lapdp.theory import Defined, E, Ge, Gt, Le, Lt, R, distributions, reals
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
q, r, w = reals("q r w")
HALF, ORDER = (A + B)/2, Gt(q, 1)
WEIGHTED = w*A + (1 - w)*B
BOUNDS = [Le(R(q, A, C), r), Le(R(q, B, C), r)]
FINITE = [Defined(E(q, A, C)), Defined(E(q, B, C))]
MEAN = (E(q, A, C) + E(q, B, C))/2

TRUE = {
    "one bound for both": (Le(R(q, HALF, C), r), ORDER, *BOUNDS),
    "any weights": (Le(R(q, WEIGHTED, C), r), ORDER, Ge(w, 0), Le(w, 1), *BOUNDS),
    "the larger one": (Le(R(q, HALF, C), Max(R(q, A, C), R(q, B, C))), ORDER,
                       Defined(R(q, A, C)), Defined(R(q, B, C))),
    "means of moments": (Le(E(q, HALF, C), MEAN), ORDER, *FINITE),
}
FALSE = {
    "the smaller one": (Le(R(q, HALF, C), Min(R(q, A, C), R(q, B, C))), ORDER,
                        Defined(R(q, A, C)), Defined(R(q, B, C))),
    "of one part alone": (Le(R(q, HALF, C), r), ORDER, BOUNDS[0]),
    "less than the mean": (Le(E(q, HALF, C), Rational(9, 10)*MEAN), ORDER, *FINITE),
    "orders below 1": (Le(E(q, HALF, C), MEAN), Gt(q, 0), Lt(q, 1), *FINITE),
    "another order": (Le(R(q, HALF, C), r), Gt(q, 2), Le(R(2, A, C), r), Le(R(2, B, C), r)),
    "means of divergences": (Le(R(q, HALF, C), (R(q, A, C) + R(q, B, C))/2), ORDER,
                             Defined(R(q, A, C)), Defined(R(q, B, C))),
    "the other argument": (Le(R(q, C, HALF), r/2), ORDER, Le(R(q, C, A), r), Le(R(q, C, B), r)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    form, *where = TRUE[name]
    assert_derived(of_form(form, where, 12_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    form, *where = FALSE[name]
    assert_not_derived(of_form(form, where, 400))
