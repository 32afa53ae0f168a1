"""A step of pure privacy before or after another one; false neighbours are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp

from lapdp.theory import *
from tests.oracle import finite
from tests.oracle import reals as balls
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
eps, q = reals("eps q")
SECOND, FIRST = Eq(delta(B, C)(eps), 0), Eq(delta(A, B)(eps), 0)
TRUE = {
    "the mean after it": (Le(KL(A, C), KL(A, B) + eps), [SECOND]),
    "a moment before it": (Le(R(q, A, C), R(q, B, C) + q / (q - 1) * eps), [FIRST, Gt(q, 1)]),
}
FALSE = {
    "the mean before it": (Le(KL(A, C), KL(B, C) + eps), [FIRST]),
    "the other direction": (Le(KL(A, C), KL(A, B) + eps), [Eq(delta(C, B)(eps), 0)]),
    "no factor": (Le(R(q, A, C), R(q, B, C) + eps), [FIRST, Gt(q, 1)]),
    "half": (Le(KL(A, C), KL(A, B) + eps / 2), [SECOND, Gt(eps, 0)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name):
    form, where = TRUE[name]
    assert_derived(of_form(form, where, 20_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name):
    form, where = FALSE[name]
    assert_not_derived(of_form(form, where, 300))


def test_the_bounds_at_instances():
    """Ratios of outcomes bound moments of the third pair by those of the other two, at order 3."""
    rows = [(1, 2, 3), (2, 2, 2), (3, 1, 2)], [(5, 1, 0), (4, 1, 1), (2, 2, 2)]
    with mp.workdps(30):
        for masses in rows:
            p, b, c = ([Fraction(k, 6) for k in row] for row in masses)

            def moment(one, two):
                return mp.mpf(balls.num(finite.moment(one, two, Fraction(3))))

            before = max(x / y for x, y in zip(p, b, strict=True))
            after = max(x / y for x, y in zip(b, c, strict=True))
            assert moment(p, c) <= mp.mpf(float(before))**3 * moment(b, c) * (1 + mp.mpf(10)**-12)
            assert moment(p, c) <= mp.mpf(float(after))**2 * moment(p, b) * (1 + mp.mpf(10)**-12)
