"""A bound of all Renyi divergences is pure privacy; claims of several parts, each by itself."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import AllOf, Eq, ForAll, Ge, Gt, Le, Lt, R, delta, pair, reals
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

P, Q = pair("P", "Q")
eps, d, q, lam = reals("eps d q lam")
ALL = ForAll((q,), Le(R(q, P, Q), eps), Gt(q, 1))
RATE = [Gt(lam, 0), Le(lam, 1)]
BOTH = [Le(delta(P, Q)(eps), d), Le(delta(Q, P)(eps), d), *RATE, Ge(eps, 0)]
MIX = lam * P + (1 - lam) * Q
LESS = sp.log(1 + lam * (sp.exp(eps) - 1))

DERIVED = {
    "pure": (Eq(delta(P, Q)(eps), 0), [ALL]),
    "at most 0": (Le(delta(P, Q)(eps), 0), [ALL]),
    "both directions of a sample": (AllOf((
        Le(delta(MIX, Q)(LESS), lam * d), Le(delta(Q, MIX)(LESS), lam * d))), BOTH),
}


@pytest.mark.parametrize("name", DERIVED)
def test_derived(name):
    assert_derived(of_form(*DERIVED[name], 16000))


NOT_DERIVED = {
    "at half of it": (Eq(delta(P, Q)(eps / 2), 0), [ALL]),
    "the other direction": (Eq(delta(Q, P)(eps), 0), [ALL]),
    "a bound that grows": (
        Eq(delta(P, Q)(eps), 0), [ForAll((q,), Le(R(q, P, Q), eps * q), Gt(q, 1))]),
    "orders below 10": (
        Eq(delta(P, Q)(eps), 0), [ForAll((q,), Le(R(q, P, Q), eps), [Gt(q, 1), Lt(q, 10)])]),
    "one order": (Eq(delta(P, Q)(eps), 0), [Le(R(2, P, Q), eps)]),
    "orders below 1": (
        Eq(delta(P, Q)(eps), 0), [ForAll((q,), Le(R(q, P, Q), eps), [Gt(q, 0), Lt(q, 1)])]),
    "a little less": (Eq(delta(P, Q)(eps - d), 0), [ALL, Gt(d, 0)]),
    "below 0": (Lt(delta(P, Q)(eps), 0), [ALL]),
    "a sample, one hypothesis": (AllOf((
        Le(delta(MIX, Q)(LESS), lam * d), Le(delta(Q, MIX)(LESS), lam * d))),
        [BOTH[0], *RATE, Ge(eps, 0)]),
    "a sample, eps below 0": (AllOf((
        Le(delta(MIX, Q)(LESS), lam * d), Le(delta(Q, MIX)(LESS), lam * d))), BOTH[:-1]),
    "a sample, lam squared": (AllOf((
        Le(delta(MIX, Q)(LESS), lam**2 * d), Le(delta(Q, MIX)(LESS), lam * d))), BOTH),
    "a sample, lam eps": (AllOf((
        Le(delta(MIX, Q)(lam * eps), lam * d), Le(delta(Q, MIX)(LESS), lam * d))), BOTH),
}


@pytest.mark.parametrize("name", NOT_DERIVED)
def test_not_derived(name):
    assert_not_derived(of_form(*NOT_DERIVED[name], 300))
