"""Moments and Renyi divergences of two releases, the second one chosen by the outcome of the first.

With a smaller sum, in the other direction, at orders below 1, or with a bound that one outcome
need not obey, they are not derived."""

from __future__ import annotations

import pytest

from lapdp.core.checked import accept
from lapdp.theory import (
    Defined,
    E,
    ForAll,
    Ge,
    Gt,
    Le,
    Lt,
    R,
    adaptive_pair,
    family,
    outcome,
    pair,
    reals,
)
from tests.unit.proving.searching import of_form

P1, Q1 = pair("P1", "Q1")
x = outcome("x")
P2, Q2 = family("P2", "Q2", x)
P, Q = adaptive_pair((P1, Q1), (P2, Q2))
q, a, b, c = reals("q a b c")
ORDER, FIRST = Gt(q, 1), Le(R(q, P1, Q1), a)
SECOND = ForAll((x,), Le(R(q, P2, Q2), b))
SMALL = ForAll((x,), Le(E(q, P2, Q2), c))

TRUE = {
    "divergences add up": (Le(R(q, P, Q), a + b), ORDER, FIRST, SECOND),
    "to the divergence itself": (Le(R(q, P, Q), R(q, P1, Q1) + b), ORDER, Defined(R(q, P1, Q1)),
                                 SECOND),
    "moments are multiplied": (Le(E(q, P, Q), c*E(q, P1, Q1)), ORDER, Defined(E(q, P1, Q1)), SMALL),
    "by a bound": (Le(E(q, P, Q), a*c), ORDER, Le(E(q, P1, Q1), a), SMALL),
    "concentrated": (Le(R(q, P, Q), (a + b)*q), ORDER,
                     ForAll((q,), Le(R(q, P1, Q1), a*q), Gt(q, 1)),
                     ForAll((q, x), Le(R(q, P2, Q2), b*q), Gt(q, 1))),
    "no less than the first": (Ge(E(q, P, Q), E(q, P1, Q1)), ORDER, Defined(E(q, P1, Q1)), SMALL),
}
FALSE = {
    "the larger one": (Le(R(q, P, Q), a), ORDER, FIRST, SECOND),
    "a smaller sum": (Le(R(q, P, Q), a + b/2), ORDER, FIRST, SECOND),
    "the other direction": (Le(R(q, Q, P), a + b), ORDER, FIRST, SECOND),
    "below order 1": (Le(R(q, P, Q), a + b/2), Gt(q, 0), Lt(q, 1), FIRST, SECOND),
    "the first alone": (Le(R(q, P, Q), a + b), ORDER, FIRST),
    "another order": (Le(R(q, P, Q), a + b), ORDER, FIRST, ForAll((x,), Le(R(2, P2, Q2), b))),
    "moments do not add up": (Le(E(q, P, Q), a + c), ORDER, Le(E(q, P1, Q1), a), SMALL),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    form, *where = TRUE[name]
    lines, why, digest = of_form(form, where, 20_000)
    assert lines is not None, why
    assert accept(lines, digest)


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    form, *where = FALSE[name]
    lines, why, _ = of_form(form, where, 800)
    assert lines is None
    assert why
