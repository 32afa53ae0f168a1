"""Two letters of one name are refused, wherever they stand: a reader could not tell them apart, and
false claims about both would read like true ones about one."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import Kind
from lapdp.numeric import column
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
from tests.shelf import by_id

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


def test_a_bound_letter_takes_the_value_of_a_free_one_of_its_name():
    """Of "R_q <= rho q for all q > 1" the conclusion takes the one at the order that it is about: a
    hypothesis that is asked at other orders only would seem to be met."""
    law = by_id()["laws/products.adaptive-concentrated"]
    q, order = law.where[0].gts, law.where[1].over[0]
    bound = [ForAll(tuple(q if s == order else s for s in h.over), h.claim.xreplace({order: q}),
                    tuple(w.xreplace({order: q}) for w in h.where)) for h in law.where[1:]]
    alike = replace(law, where=(law.where[0], *bound))
    for seed in range(3):
        assert column(alike, instances=3, seed=seed).agrees
