"""Squares over denominators and between powers of e; roots of sums with a common factor."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.space import Prover
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


def _positive(d, *letters):
    return [d.assume(d.mk("lt", d.num(0), x)) for x in letters]


@pytest.mark.parametrize("half", [2, 3])
def test_an_equation_is_solved_for_a_letter_beside_roots(half: int) -> None:
    """a = (b - c n/s)/(2 m sqrt n) from 2 a m sqrt n = b - c n/s; with 3 for 2 it does not follow.
    """
    d = Derivation()
    a, b, c, m, n, s = (d.b.letter(x, "R") for x in "abcmns")
    root = d.mk("sqrt", n)
    right = d.sub(b, d.mul(c, n, d.mk("inv", s)))
    given = d.assume(d.mk("eq", d.mul(d.num(2), a, m, root), right))
    goal = d.mk("eq", a, d.mul(right, d.mk("inv", d.num(half)), d.mk("inv", m), d.mk("inv", root)))
    facts = [*_positive(d, m, n, s), given]
    if half == 2:
        assert d.claim(Prover(d).identity(goal, facts)) == goal
    else:
        with pytest.raises(NotFound):
            Prover(d).identity(goal, facts)


@pytest.mark.parametrize("factor", [1, 2])
def test_two_roots_of_one_number_are_equal_whatever_can_be_drawn_out_of_one(factor: int) -> None:
    """sqrt(p^2 + q) = sqrt(a^2 n/b^2 + n/b) for p = a sqrt(n)/b and q = n/b, and not for 2 n/b."""
    d = Derivation()
    a, b, n, p, q = (d.b.letter(x, "R") for x in "abnpq")
    over = d.mk("inv", b)
    facts = [*_positive(d, a, b, n),
             d.assume(d.mk("eq", p, d.mul(a, d.mk("sqrt", n), over))),
             d.assume(d.mk("eq", q, d.mul(d.num(factor), n, over)))]
    left = d.mk("sqrt", d.add(d.mul(p, p), q))
    right = d.mk("sqrt", d.add(d.mul(a, a, n, over, over), d.mul(n, over)))
    goal = d.mk("eq", left, right)
    if factor == 1:
        assert d.claim(Prover(d).prove(goal, facts)) == goal
    else:
        with pytest.raises(NotFound):
            Prover(d).prove(goal, facts)
