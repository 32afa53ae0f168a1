"""A free test is tried as an event: 1 on it, 0 elsewhere."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import Kind
from lapdp.theory import engine, witness
from lapdp.theory.events import with_events_for_tests
from lapdp.theory.language import ForAll, Ge, Gt, Le, reals
from lapdp.theory.statement import Statement
from lapdp.theory.words import Event, Inf, T, decisions, delta, mean, pair

P, Q = pair("P", "Q")
phi, psi = decisions("phi psi")
x, eps = reals("x eps")
HALF = sp.Rational(1, 2)


@pytest.mark.parametrize(("claim", "where"), [
    (Le(mean(P, phi) - mean(Q, phi), delta(P, Q)(0) / 2), ()),
    (Le(mean(P, phi), sp.exp(eps) * mean(Q, phi) + delta(Q, P)(eps)), ()),
    (Le(mean(P, phi) - mean(Q, psi), delta(P, Q)(0)), ()),
    (Gt(1 - mean(Q, phi), T(P, Q)(x)), (Ge(x, 0), Le(x, 1), Le(mean(P, phi), x))),
    (Ge(1 - mean(Q, phi), T(Q, P)(mean(P, phi))), ()),
])
def test_a_false_claim_about_all_tests_is_refuted_by_an_event(claim, where):
    statement = Statement("p/false", claim, where=where)
    found, _ = witness.search(statement, [])
    assert found is not None and "phi = {" in found.text
    assert witness.search(statement, [], text=found.text)[0] == found


def test_what_holds_for_all_tests_has_no_such_witness():
    for claim in (Le(mean(P, phi), sp.exp(eps) * mean(Q, phi) + delta(P, Q)(eps)),
                  Ge(1 - mean(Q, phi), T(P, Q)(mean(P, phi)))):
        assert witness.search(Statement("p/true", claim), [], limit=60)[0] is None


def test_tests_that_a_form_or_an_infimum_binds_stay_tests():
    # of indicators alone more holds: such a hypothesis must not become less
    supposed = ForAll((phi,), Le(mean(P, phi), x))
    infimum = Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), HALF))
    for claim, where in ((Le(x, 1), (supposed,)), (Le(mean(P, phi), x), (supposed,)),
                         (Le(infimum, 1), ()), (Le(infimum, mean(P, phi)), ())):
        statement = Statement("p/bound", claim, where=where)
        assert with_events_for_tests(statement) is statement
    free = with_events_for_tests(Statement("p/free", Le(mean(P, psi), infimum)))
    assert free.claim == Le(P(Event("psi")), infimum)


def test_the_verdict_tells_the_event():
    found = engine.judge(Statement("p/false", Le(mean(P, phi), mean(Q, phi) + delta(P, Q)(1))),
                         numeric=False, seconds=30)
    assert found.kind is Kind.REFUTED and "phi = {0}" in found.witness.text
