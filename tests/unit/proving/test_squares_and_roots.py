"""Squares over denominators and between powers of e; roots of sums with a common factor."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS = 3_000
a, x, m, s = reals("a x m s")
n, eps = positives("n eps")
BEST = (a - 1) * (a * n - x) + (x - n) ** 2 / (4 * n)
ROOT = sp.sqrt(2 * m**2 * n / eps + 2 * a**2 * m**2 * n / eps**2)
PARTS = sp.sqrt(2) * m * sp.sqrt(n) * sp.sqrt(eps + a**2) / eps
TRUE = {
    "a square over a denominator": (Le(0, BEST), []),
    "between powers of e": (Le(sp.exp(-(x - n) ** 2 / (4 * n)), sp.exp((a - 1) * (a * n - x))),
                            []),
    "a root of a sum": (Eq(ROOT, PARTS), [Gt(m, 0)]),
    "a positive root": (Gt(sp.sqrt(n) * (eps + sp.sqrt(a**2 + n)), 0), []),
}
FALSE = {
    "a square over a denominator": (Lt(0, BEST), []),
    "the other way": (Ge(sp.exp(-(x - n) ** 2 / (4 * n)), sp.exp((a - 1) * (a * n - x))), []),
    "of any sign": (Le(0, (a - 1) * (a * x - n) + (n - x) ** 2 / (4 * x)), [Ne(x, 0)]),
    "a root of a sum, sign": (Eq(ROOT, PARTS), [Ne(m, 0)]),
    "a root of a sum": (Eq(ROOT, 2 * PARTS), [Gt(m, 0)]),
    "a root that may be 0": (Gt(sp.sqrt(a) * sp.sqrt(n), 0), [Ge(a, 0)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], STEPS)[0] is None
