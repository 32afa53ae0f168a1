"""Bounds for all orders of two pairs of three distributions bound the third pair; false neighbours
are refused.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp

from lapdp.theory import AllOf, ForAll, Gt, Le, R, distributions, positives, reals
from tests.oracle import finite
from tests.oracle import reals as balls
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
q, rho = reals("q rho")
m, x, y = positives("m x y")


def both(first, second, least=1, pairs=((A, B), (B, C))):
    """R_q of two pairs is at most a multiple of q each, for all orders above one."""
    bounds = tuple(Le(R(q, *two), k * q) for two, k in zip(pairs, (first, second), strict=True))
    return ForAll((q,), AllOf(bounds), Gt(q, least))


def test_one_pair_more_in_a_chain():
    found = of_form(Le(R(q, A, C), (m + 1)**2 * rho * q), [both(m**2 * rho, rho), Gt(q, 1)], 7000)
    assert_derived(found)


def test_a_bound_of_two_moments_at_one_order_each():
    where = [Le(R(2 * q - 1, A, B), x), Le(R(2 * q, B, C), y), Gt(q, 1)]
    bound = 2 * q / (2 * q - 1) * x + y
    assert_derived(of_form(Le(R(q, A, C), bound), where, 7000))


FALSE = {
    "twice": (Le(R(q, A, C), 2 * rho * q), [both(rho, rho)]),
    "turned": (Le(R(q, C, A), 4 * rho * q), [both(rho, rho)]),
    "no chain": (Le(R(q, A, C), 4 * rho * q), [both(rho, rho, pairs=((A, B), (C, B)))]),
    "high orders": (Le(R(q, A, C), 4 * rho * q), [both(rho, rho, least=3)]),
    "one order": (Le(R(q, A, C), 2 * q / (2 * q - 1) * x + y),
                  [Le(R(2 * q - 1, A, B), x), Le(R(2 * q - 1, B, C), y)]),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    form, where = FALSE[name]
    assert_not_derived(of_form(form, [*where, Gt(q, 1)], 250))


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(2), Fraction(5)])
def test_the_inequality_at_instances(order):
    """(2 q - 1)-th and 2 q-th moments, summed over outcomes, bound the q-th one of the third pair.
    """
    rows = ([(1, 2, 3), (2, 2, 2), (3, 1, 2)], [(5, 1, 0), (1, 4, 1), (1, 1, 4)])
    with mp.workdps(30):
        for masses in rows:
            p, b, c = ([Fraction(k, 6) for k in row] for row in masses)
            z, u, v = (mp.mpf(balls.num(finite.moment(*two, t))) for two, t in (
                ((p, c), order), ((p, b), 2 * order - 1), ((b, c), 2 * order)))
            r = [mp.log(k) / (mp.mpf(str(float(t))) - 1) for k, t in zip(
                (z, u, v), (order, 2 * order - 1, 2 * order), strict=True)]
            assert r[0] <= 2 * mp.mpf(float(order)) / (2 * mp.mpf(float(order)) - 1) * r[1] + r[2]
