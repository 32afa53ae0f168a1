"""A verdict is compared by its kind: it is no truth value, and a kind is its word."""

from __future__ import annotations

import json

import pytest

from lapdp import verify
from lapdp.core.errors import LapdpError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import E, Eq, R, claim, delta, pair, reals

P, Q = pair("P", "Q")
eps, q = reals("eps q")


def test_a_verdict_is_no_truth_value():
    found = verify(claim("mine", Eq(delta(P, Q)(eps), 1)), numeric=False)
    assert found.kind == "refuted"
    with pytest.raises(TypeError, match="compare"):
        bool(found)


def test_a_kind_is_its_word():
    assert [str(k) for k in Kind] == [k.value for k in Kind] == list(Kind)
    assert "proved" in HOLDS
    assert "refuted" not in HOLDS
    assert json.dumps(Kind.ILL_FORMED) == '"ill-formed"'


def test_orders_come_first_or_last():
    assert E(P, Q)(q) == E(q, P, Q)
    assert R(P, Q)(q) == R(q, P, Q)
    with pytest.raises(LapdpError):
        E(2, P)
    with pytest.raises(LapdpError):
        R(P, 2)
