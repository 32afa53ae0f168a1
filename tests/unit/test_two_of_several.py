"""Notions of two of several distributions on one space: values, verdicts, and what is not proved.

Values are compared with sums over the outcomes, by tests/oracle/finite.py.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined
from lapdp.core.verdict import HOLDS, Kind
from lapdp.numeric import column
from lapdp.privacy.model import Infinite
from lapdp.theory import (
    BC,
    KL,
    PLD,
    TV,
    E,
    Ge,
    Gt,
    Le,
    Pr,
    R,
    Statement,
    T,
    distributions,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.instances import Instance
from lapdp.theory.several import Rows
from lapdp.theory.witness import Trial
from tests.oracle import finite
from tests.oracle import reals as balls
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
q, a, lam = reals("q a lam")
HALF = sp.Rational(1, 2)
F = Fraction
ROWS = [((F(1), F(0)), (F(1, 2), F(1, 2)), (F(0), F(1))),
        ((F(1, 4), F(3, 4)), (F(1, 2), F(1, 2)), (F(2, 3), F(1, 3))),
        ((F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 4), F(1, 2)), (F(0), F(1, 2), F(1, 2)))]
TWO = {"two": (lambda m: (m[0], m[2]), (A, C)), "turned": (lambda m: (m[1], m[0]), (B, A)),
       "a mixture": (lambda m: (m[0], tuple((x + 2 * y) / 3 for x, y in zip(
           m[1], m[2], strict=True))), (A, B / 3 + 2 * C / 3))}


def value(e, masses):
    """The value of a notion at masses; None where it has none."""
    trial = Trial(Instance({A.pair: ("", Rows.of(list(masses)))}, {}, {}))
    try:
        found = trial.value(e)
    except Undefined:
        return None
    return mp.inf if isinstance(found, Infinite) else mp.mpf(str(sp.N(found.to_sympy(), 30)))


@pytest.mark.parametrize("masses", ROWS, ids=range(len(ROWS)))
@pytest.mark.parametrize("name", TWO)
def test_values_at_an_instance(name, masses):
    chosen, two = TWO[name]
    x, y = chosen(masses)
    with mp.workdps(30):
        for order in (F(2), F(1, 2)):
            known = finite.moment(x, y, order)
            wanted = mp.inf if balls.is_infinite(known) else mp.mpf(balls.num(known))
            found = value(E(sp.Rational(order), *two), masses)
            assert found == wanted or abs(found - wanted) < 1e-20
        assert value(Pr(PLD(*two), ">", 0), masses) == mp.mpf(balls.num(
            finite.probability(x, y, ">", F(1))))
        level = F(1, 3)
        assert abs(value(T(*two)(sp.Rational(level)), masses) - mp.mpf(balls.num(
            finite.trade_off(x, y, level)))) < 1e-20


def test_weights_that_are_none():
    assert value(E(2, A, 2 * B - C), ROWS[1]) is None
    assert value(E(2, A, B + C), ROWS[1]) is None


def test_the_weak_triangle_inequality_of_renyi():
    """Mironov 2017, Proposition 11, where both parts may be infinite."""
    assert_derived(of_form(Le(R(2, A, C), HALF * 3 * R(4, A, B) + R(3, B, C)), (), 8000))


NOT_DERIVED = {
    "another order": Le(R(2, A, C), HALF * 3 * R(4, A, B) + R(2, B, C)),
    "a smaller factor": Le(R(2, A, C), R(4, A, B) + R(3, B, C)),
    "another distribution": Le(R(2, A, C), HALF * 3 * R(4, A, B) + R(3, A, C)),
    "turned": Le(R(2, A, C), HALF * 3 * R(4, A, B) + R(3, C, B)),
    "the other direction": Ge(R(2, A, C), HALF * 3 * R(4, A, B) + R(3, B, C)),
    "one part": Le(R(2, A, C), HALF * 3 * R(4, A, B)),
}


@pytest.mark.parametrize("name", NOT_DERIVED)
def test_neighbours_are_not_derived(name):
    assert_not_derived(of_form(NOT_DERIVED[name], (), 2500))


REFUTED = [
    (Le(R(q, A, C), R(q, A, B) + R(q, B, C)), [Gt(q, 1)]),
    (Le(KL(A, C), KL(A, B) + KL(B, C)), ()),
    (Ge(T(A, C)(a), T(A, B)(1 - T(B, C)(a))), [Ge(a, 0), Le(a, 1)]),
    (Le(BC(A, C), BC(A, B)), ()),
    (Le(R(q, A, lam * B + (1 - lam) * C), R(q, A, B)), [Gt(q, 1), Ge(lam, 0), Le(lam, 1)]),
]


@pytest.mark.parametrize("number", range(len(REFUTED)))
def test_refuted(number):
    form, where = REFUTED[number]
    judged = judge(Statement("test/claim", form, where=tuple(where)), numeric=False, patience=3.0)
    assert judged.kind is Kind.REFUTED, judged.reason


def test_no_method_takes_two_of_several_for_a_pair():
    """R_q(A, C) and R_q(A, B) are of one space, and no orders of one pair."""
    for form in (Le(R(2, A, B), R(3, A, C)), Le(KL(A, B), R(2, C, B)), Le(TV(A, C), TV(A, B))):
        judged = judge(Statement("test/claim", form), numeric=False, patience=1.0)
        assert judged.kind not in HOLDS


def test_the_numeric_column():
    true, false = (column(Statement("test/claim", Le(R(2, A, C), bound))) for bound in (
        HALF * 3 * R(4, A, B) + R(3, B, C), R(2, A, B)))
    assert true.agrees is not False
    assert false.agrees is False or "several" in false.reason
