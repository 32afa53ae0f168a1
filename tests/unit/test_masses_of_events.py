"""What has no mass in an event by hypothesis: the other distribution may have all of its own there.

The engine's argument is asked without the numeric column, which would withdraw a false one.
"""

from __future__ import annotations

from typing import Any

import pytest

from lapdp.core.verdict import Kind
from lapdp.theory import *
from lapdp.theory.engine import _Planner
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
    return _Planner(statement, 30, 0, 2.0).judge().kind
