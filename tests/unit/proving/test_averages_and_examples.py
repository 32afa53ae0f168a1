"""Means over random samples, claims that fail at a finite pair: what is true, and slips away."""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.theory import *
from lapdp.theory.sentences import NotSaid, elaborate
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
b = outcome("b")
Mb, Nb = family("M", "N", b)
M, N = averaged((Mb, Nb), ("M", "N"))
e, eps, g = reals("e eps g")
w = positives("w")
INSIDE = (Ge(g, 0), Le(g, 1))
EACH = ForAll((b, e), Le(delta(Mb, Nb)(e), delta(P, Q)(e)))
BACK = ForAll((b, e), Le(delta(Nb, Mb)(e), delta(P, Q)(e)))


def sampled(first, second):
    return (1 - g) * first + g * second


def orders(first, second):
    return Le(R(w + 1, *first), R(w + 1, *second))


ADD = Le(delta(M, sampled(M, N))(eps), delta(P, sampled(P, Q))(eps))
ALL = AbsolutelyContinuous(P1, Q1), AbsolutelyContinuous(P2, Q2)
LESS = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
TRUE = {
    "means": (Le(delta(M, N)(eps), delta(P, Q)(eps)), (EACH,)),
    "sampled": (ADD, (*INSIDE, EACH)),
    "sampled, removed": (Le(delta(sampled(M, N), M)(eps), delta(sampled(Q, P), Q)(eps)),
                         (*INSIDE, BACK)),
    "orders do not order profiles": (NotAlways(Implies(orders((P1, Q1), (P2, Q2)), LESS, (w,))),
                                     ALL),
    "one order is not all": (NotAlways(Implies(
        Eq(R(2, P1, Q1), R(2, P2, Q2)), Eq(R(3, P1, Q1), R(3, P2, Q2)))), ()),
    "one side is not the other": (NotAlways(Eq(delta(P, Q)(eps), delta(Q, P)(eps))), ()),
}
FALSE = {
    "means, the other way": (Ge(delta(M, N)(eps), delta(P, Q)(eps)), (EACH,)),
    "means, exchanged": (Le(delta(N, M)(eps), delta(P, Q)(eps)), (EACH,)),
    "sampled, any weight": (ADD, (EACH, Ge(g, 0))),
    "profiles order profiles": (NotAlways(Implies(LESS, LESS)), ()),
    "profiles do not order orders": (NotAlways(Implies(
        Le(delta(P1, Q1)(e), delta(P2, Q2)(e)), Le(E(2, P1, Q1), E(2, P2, Q2)), (e,))), ALL),
    "beyond 1": (NotAlways(Le(delta(P, Q)(eps), 1)), ()),
    "of one pair": (NotAlways(Eq(E(2, P, Q), E(2, P, Q))), ()),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 40_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], 1_000)[0] is None


def test_a_failure_is_one_of_a_relation_between_arbitrary_pairs() -> None:
    for form in (NotAlways(AllOf((LESS, LESS))), NotAlways(Le(delta(Mb, Nb)(eps), 0))):
        with pytest.raises(NotSaid, match="the failure of"):
            elaborate(claim("t/x", form), Bank())
