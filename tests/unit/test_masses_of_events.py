"""What has no mass in an event by hypothesis: the other distribution may have all of its own there.

The engine's argument is asked without the numeric column, which would withdraw a false one.
"""

from __future__ import annotations

from typing import Any

import pytest
from sympy import And

from lapdp.core.verdict import Kind
from lapdp.theory import *
from lapdp.theory.engine import judge, verify
from lapdp.theory.planner import Planner
from lapdp.theory.statement import Statement

P, Q = pair()
S = Event("S")
NO_P, NO_Q = Eq(P(S), 0), Eq(Q(S), 0)
CASES = {
    "of Q": (NO_Q, [NO_P], Kind.REFUTED), "of P": (NO_P, [NO_Q], Kind.REFUTED),
    "at most": (NO_Q, [Le(P(S), 0)], Kind.REFUTED), "all": (NO_Q, [Eq(P(S), 1)], Kind.REFUTED),
    "of Q within P": (NO_Q, [NO_P, ac(Q, P)], Kind.DERIVED),
    "of P within Q": (NO_P, [NO_Q, ac(P, Q)], Kind.DERIVED),
    "of both": (Eq(P(S) + Q(S), 0), [NO_P, NO_Q], Kind.DERIVED),
}


@pytest.mark.parametrize("name", CASES)
def test_an_event_without_mass(name: str) -> None:
    claimed, where, kind = CASES[name]
    assert asked(claimed, where) is kind


def asked(claimed: Any, where: list[Any]) -> Kind:
    statement = Statement("x/event", claimed, where=tuple(where))
    return Planner(statement, 30, 0, 2.0).judge().kind


RATIOS = {
    "a threshold": (Ge(P(Where(Ratio(P, Q) > 2)), 2 * Q(Where(Ratio(P, Q) > 2))), "proved"),
    "total variation": (Eq(P(Where(Ratio(P, Q) >= 1)) - Q(Where(Ratio(P, Q) >= 1)),
                           delta(P, Q)(0)), "proved"),
    "the smaller mass": (Ge(Q(Where(Ratio(P, Q) > 2)), P(Where(Ratio(P, Q) > 2))), "refuted"),
    "no infinite ratio": (Eq(P(Where(Ratio(P, Q) > 2)), P(Where(And(Ratio(P, Q) > 2, Ratio(
        P, Q) < 10**6)))), "refuted"),
}


@pytest.mark.parametrize("name", RATIOS)
def test_a_ratio_is_infinite_where_q_has_no_mass(name: str) -> None:
    """The columns agree: the numeric one divided by 0, and a proof became undecided."""
    form, kind = RATIOS[name]
    found = verify(claim("it", form))
    assert str(found.kind) == kind and (found.numeric.agrees is not False or kind == "refuted")


def test_the_law_of_a_loss_under_a_mean_over_it() -> None:
    Z = PLD(P, Q)
    found = judge(claim("it", Le(Ex(Indicator(Gt(Z, Pr(Z, ">", 0))), Z), 1)), numeric=False)
    assert found.kind is Kind.UNDECIDED and "the law of a loss inside a mean" in found.reason
    assert "failed" not in found.reason
