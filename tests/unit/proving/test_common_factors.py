"""Positive parts and cases of products with a common factor that may be 0.

Each false statement is a slip away from a true one: a sign that is not known, a factor that is not
common, a case that the other value belongs to.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_form as searched

t, d, e, x, y, c = reals("t d e x y c")
SIGNS = [Ge(d, 0), Ge(x, 0), Ge(e, 0)]
GAP = d * x * sp.exp(e) - d * x


def part(u):
    return sp.Max(0, u)


def at(value, condition):
    return sp.Piecewise((value, condition), (0, True))


MANY = sum(part(x**i * d - x**i * d * sp.exp(e)) for i in range(1, 7))
TRUE = {
    "rises": (Eq(part(GAP), GAP), SIGNS),
    "falls": (Eq(part(-GAP), 0), SIGNS),
    "one product": (Eq(part(d * x), d * x), SIGNS),
    "one product, negative": (Eq(part(-3 * d * x), 0), SIGNS),
    "six at once": (Eq(MANY, 0), SIGNS),
    "a case that does not occur": (Eq(at(d, sp.Eq(x * d, 0)), 0), [Ge(d, 0), Gt(x, 0)]),
    "a case without its common factor": (Eq(at(1, sp.Eq(x * y * sp.exp(e), x * y)), 0),
                                         [Gt(x, 0), Gt(y, 0), Gt(e, 0)]),
    "one value in both cases": (Eq(at(x * y - y * x, c < d), 0), []),
}
FALSE = {
    "rises, e of any sign": (Eq(part(GAP), GAP), SIGNS[:2]),
    "falls, d of any sign": (Eq(part(-GAP), 0), SIGNS[1:]),
    "rises, turned": (Eq(part(-GAP), -GAP), SIGNS),
    "one product, x of any sign": (Eq(part(d * x), d * x), SIGNS[:1]),
    "one product, turned": (Eq(part(-3 * d * x), -3 * d * x), SIGNS),
    "six, one turned": (Eq(MANY + part(GAP), 0), SIGNS),
    "a case that occurs": (Eq(at(d, sp.Eq(x * d, 0)), 0), [Ge(d, 0), Ge(x, 0)]),
    "a case that occurs for d = 0": (Eq(at(1, sp.Eq(x * d, 0)), 0), [Ge(d, 0), Gt(x, 0)]),
    "a case for e = 0": (Eq(at(1, sp.Eq(x * y * sp.exp(e), x * y)), 0),
                         [Gt(x, 0), Gt(y, 0), Ge(e, 0)]),
    "no common factor": (Eq(at(1, sp.Eq(x * y * sp.exp(e), x * d)), 0),
                         [Gt(x, 0), Gt(y, 0), Gt(e, 0), Gt(d, 0)]),
    "two values": (Eq(at(x * y + y * x, c < d), 0), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 10_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(searched(*FALSE[name], 3_000))
