"""Witnesses under hypotheses of finiteness and of absolute continuity, for mixtures and for
distributions on one space: the oracle confirms each by the definitions."""

from __future__ import annotations

import pytest

from lapdp.theory import Ge, Gt, Iff, Lt, ac, claim, pair, reals
from lapdp.theory.checking import check_statement
from lapdp.theory.witness import search
from tests.mutation.replay import replay

HALF = "A/2 + B/2"
P, Q = pair()
lam = reals("lam")
MIXED = lam*P + (1 - lam)*Q


@pytest.mark.parametrize(("claim", "where"), [
    ("TV(A, C) <= sqrt((KL(A, B) + KL(B, C))/2)", ("Defined(KL(A, B))", "Defined(KL(B, C))")),
    (f"KL({HALF}, C) >= (KL(A, C) + KL(B, C))/2 - log(2)*TV(A, B)/2",
     ("Defined(KL(A, C))", "Defined(KL(B, C))")),
    ("KL(A, C) <= KL(A, B)", ("ac(A, A/2 + C/2)", "Defined(KL(A, B))")),
])
def test_a_small_witness_is_found(claim, where):
    refuted_and_confirmed(check_statement(claim, where))


def refuted_and_confirmed(statement):
    found, looked = search(statement, [], limit=400)
    assert found is not None and looked < 400
    assert replay(statement, found) == "confirmed"


@pytest.mark.parametrize(("claim", "where"), [
    (f"KL({HALF}, C) <= (KL(A, C) + KL(B, C))/2", ("Defined(KL(A, C))", "Defined(KL(B, C))")),
])
def test_true_siblings_have_none(claim, where):
    assert search(check_statement(claim, where), [], limit=40)[0] is None


@pytest.mark.parametrize("form", [Iff(ac(MIXED, Q), ac(P, Q)), ac(P, MIXED)])
def test_continuity_of_a_mixture_is_asked_at_its_ends(form):
    refuted_and_confirmed(claim("x", form, where=[Ge(lam, 0), Lt(lam, 1)]))
    inside = claim("x", form, where=[Gt(lam, 0), Lt(lam, 1)])
    assert search(inside, [], limit=150)[0] is None
