"""Two letters of one name are refused, wherever they stand: a reader could not tell them apart, and
false claims about both would read like true ones about one."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import Kind
from lapdp.theory import (
    E,
    Event,
    ForAll,
    Ge,
    Int,
    L,
    Le,
    claim,
    delta,
    pair,
    positives,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

P, Q = pair()
real, positive = reals("s"), positives("s")
t, other_t = reals("t"), positives("t")

CLAIMS = {
    "free": (Le(sp.exp(positive), sp.exp(real)), (Le(real, 1),)),
    "in notions": (Le(delta(P, Q)(-positive), delta(P, Q)(-real)), ()),
    "in a hypothesis": (Le(delta(P, Q)(positive), E(2, P, Q) * sp.exp(-positive)), (Ge(real, 1),)),
    "bound by a quantifier": (ForAll((real,), Le(delta(P, Q)(real), sp.exp(-positive))), ()),
    "bound by an integral": (Le(Int(sp.exp(-t), t, 0, 1), other_t), ()),
    "bound by a transform": (Le(L(delta(P, Q)(t), t)(1), other_t), ()),
    "an event": (Le(P(Event("s")), real), ()),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_two_letters_of_one_name_are_refused(name):
    form, where = CLAIMS[name]
    with pytest.raises(InputError, match=r"two letters are called [st], .*: rename one"):
        claim("a-claim", form, where=where)
    found = judge(Statement("x/direct", form, where=where), numeric=False, patience=0.1)
    assert found.kind is Kind.ILL_FORMED and "two letters are called" in found.reason


def test_one_letter_is_itself_everywhere():
    again = sp.Symbol("s", real=True)
    assert judge(claim("one", Ge(delta(P, Q)(real - 1), delta(P, Q)(again)), where=[
        ForAll((t,), Le(delta(P, Q)(t), 1))]), numeric=False, patience=0.1).kind is Kind.DERIVED
