"""Means of a loss that diverge: +oo where only the positive part does, without a value otherwise.

Exp(1) against Exp(2) has Z = x - log 2 under the density e^(-x): exp(lambda Z) has a mean below
lambda = 1 only, and the sign of what grows fastest decides what a sum of such terms has.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined
from lapdp.core.verdict import HOLDS
from lapdp.privacy.mechanisms import exponential
from lapdp.privacy.model import Infinite
from lapdp.theory import PLD, E, Eq, Ex, Statement, mechanism_pair
from lapdp.theory.engine import judge
from lapdp.theory.free import Free
from tests.library.test_statements import complaints
from tests.shelf import by_id

P, Q = mechanism_pair(exponential(1, 2), "P", "Q")
Z = PLD(P, Q)
UP = [sp.exp(Z), sp.exp(2 * Z), sp.exp(2 * Z) - sp.exp(Z), Z * sp.exp(Z), sp.exp(Z) - 7 * Z]
NONE = [-sp.exp(Z), sp.exp(Z) - sp.exp(2 * Z), Z * (1 - sp.exp(Z)), sp.cos(Z) * sp.exp(Z)]


def mean(body):
    models = {P.pair: exponential(1, 2).model()}
    return Free(Cell(), models, frozenset()).value(Ex(body, Z)).x


@pytest.mark.parametrize("body", UP, ids=str)
def test_a_mean_whose_positive_part_alone_diverges_is_infinite(body):
    assert isinstance(mean(body), Infinite)


@pytest.mark.parametrize("body", NONE, ids=str)
def test_a_mean_whose_negative_part_diverges_has_no_value(body):
    with pytest.raises(Undefined):
        mean(body)


def test_a_mean_that_converges_has_its_value():
    """2^(-1/2) times the integral of e^(-x/2)."""
    assert sp.simplify(mean(sp.exp(Z / 2)).to_sympy() - sp.sqrt(2)) == 0


def test_a_mean_and_a_moment_that_are_both_infinite_are_equal():
    found = judge(Statement("test/claim", Eq(Ex(sp.exp(Z), Z), E(2, P, Q))))
    assert found.kind in HOLDS
    assert complaints(by_id()["sommer2020/eq-4"]) == []
