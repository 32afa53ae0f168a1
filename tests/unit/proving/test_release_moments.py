"""Moments and Renyi divergences of n independent releases, n a letter.

With fewer releases than there are, in the other direction, at orders below 1 or of another pair,
they are not derived."""

from __future__ import annotations

import pytest

from lapdp.theory import (
    Defined,
    E,
    Eq,
    ForAll,
    Gt,
    Le,
    Lt,
    Ne,
    R,
    composition,
    delta,
    naturals,
    pair,
    reals,
)
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
n = naturals("n")
P, Q = composition("A", "B", each=(P1, Q1))(n)
q, r, u, u0 = reals("q r u u0")
ORDER, BOUND, FINITE = Gt(q, 1), Le(R(q, P1, Q1), r), Defined(E(q, P1, Q1))

TRUE = {
    "bounds add up": (Le(R(q, P, Q), n*r), ORDER, BOUND),
    "the divergence itself": (Eq(R(q, P, Q), n*R(q, P1, Q1)), ORDER, Defined(R(q, P1, Q1))),
    "moments are multiplied": (Eq(E(q, P, Q), E(q, P1, Q1)**n), ORDER, FINITE),
}
PURE = [Eq(delta(P1, Q1)(r), 0), Eq(delta(Q1, P1)(r), 0)]


def orders(bound, least=1):
    """A bound of the divergence of one release at all orders beyond one."""
    return ForAll((u,), Le(R(u, P1, Q1), bound), Gt(u, least))


GUARANTEED = {
    "the largest loss": (Le(R(q, P, Q), n*r), ORDER, PURE[0]),
    "pure releases": (Le(R(q, P, Q), n*q*r**2/2), ORDER, *PURE),
    "concentrated ones": (Le(R(q, P, Q), n*q*r), ORDER, orders(r*u)),
    "bounds for all orders": (Le(R(q, P, Q), n*(q*r + u0)), ORDER, orders(r*u + u0)),
}
WRONG = {
    "half the largest loss": (Le(R(q, P, Q), n*r/2), ORDER, PURE[0]),
    "the other direction of a guarantee": (Le(R(q, P, Q), n*r), ORDER, PURE[1]),
    "pure in one direction": (Le(R(q, P, Q), n*q*r**2/2), ORDER, PURE[0]),
    "a quarter of the square": (Le(R(q, P, Q), n*q*r**2/4), ORDER, *PURE),
    "below order 1, concentrated": (Le(R(q, P, Q), n*q*r), Gt(q, 0), Ne(q, 1), orders(r*u)),
    "the slope alone": (Le(R(q, P, Q), n*r), ORDER, orders(r*u)),
    "without low orders": (Le(R(q, P, Q), n*q*r), ORDER, orders(r*u, 2)),
    "one release for all": (Le(R(q, P, Q), q*r), ORDER, orders(r*u)),
    "one square for all": (Le(R(q, P, Q), q*r**2/2), ORDER, *PURE),
}
FALSE = {
    "one bound": (Le(R(q, P, Q), r), ORDER, BOUND),
    "one release fewer": (Le(R(q, P, Q), (n - 1)*r), ORDER, BOUND),
    "from below": (Le(n*r, R(q, P, Q)), ORDER, BOUND),
    "the other direction": (Le(R(q, Q, P), n*r), ORDER, BOUND),
    "another pair": (Le(R(q, P, Q), n*r), ORDER, Le(R(q, P2, Q2), r)),
    "below order 1": (Le(R(q, P, Q), n*r/2), Gt(q, 0), Lt(q, 1), BOUND),
    "another order": (Le(R(q, P, Q), n*r), ORDER, Le(R(2, P1, Q1), r)),
    "a higher power": (Eq(E(q, P, Q), E(q, P1, Q1)**(n + 1)), ORDER, FINITE),
    "moments do not add up": (Eq(E(q, P, Q), n*E(q, P1, Q1)), ORDER, FINITE),
}


@pytest.mark.parametrize("name", GUARANTEED)
def test_guarantees_of_each_release_are_used(name: str) -> None:
    form, *where = GUARANTEED[name]
    assert_derived(of_form(form, where, 12_000))


@pytest.mark.parametrize("name", WRONG)
def test_no_more_is_made_of_them(name: str) -> None:
    form, *where = WRONG[name]
    assert_not_derived(of_form(form, where, 2_000))


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    form, *where = TRUE[name]
    assert_derived(of_form(form, where, 10_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    form, *where = FALSE[name]
    assert_not_derived(of_form(form, where, 5_000))
