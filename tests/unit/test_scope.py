"""`holds under` says what a mathematician would write, or nothing."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import pytest
import sympy as sp

from lapdp.calculus.form import Form
from lapdp.core.verdict import Kind
from lapdp.theory import PLD, Eq, Ex, Pr, ac, claim, pair
from lapdp.theory.engine import judge
from lapdp.theory.scope import _atom


@dataclass(frozen=True)
class Who:
    """A pair, as far as its names go."""

    names: tuple[str, str]


FIRST, SECOND = Who(("P1", "Q1")), Who(("P2", "Q2"))
EPS, X = sp.symbols("eps x")
Z = {FIRST: sp.Symbol("z_P1"), SECOND: sp.Symbol("z_P2")}


def failing_at(point: Form) -> str | None:
    """The condition worded from a failure where the loss of the first pair is at a point."""
    form = Form({((Z[FIRST], 1),): Fraction(1)}) - point
    return _atom(((FIRST, "finite"),), ((SimpleNamespace(form=form), "="),), Z)


def test_an_atom_at_a_point_of_the_statement_is_a_condition():
    assert failing_at(Form({((EPS, 1),): Fraction(1)})) == "PLD(P1, Q1) has no atom at eps"


def test_an_atom_where_another_loss_lies_is_none():
    assert failing_at(Form({((X, 1),): Fraction(1), ((Z[SECOND], 1),): Fraction(-1)})) is None


P, Q = pair("P", "Q")
LOSS = PLD(P, Q)


@pytest.mark.parametrize(("form", "under"), [
    (Eq(Ex(sp.exp(-LOSS)), 1), "Q << P"),
    (Eq(Pr(LOSS, "<", sp.oo), 1), "P << Q"),
    (Eq(Ex(sp.exp(-LOSS)), 2), ""),
])
def test_absolute_continuity_that_is_missing_is_found(form, under):
    found = judge(claim("x", form), numeric=False)
    assert (found.kind, found.holds_under) == (Kind.REFUTED, under)
    if under:
        where = ac(P, Q) if under == "P << Q" else ac(Q, P)
        assert judge(claim("y", form, where=where), numeric=False).kind is Kind.DERIVED
