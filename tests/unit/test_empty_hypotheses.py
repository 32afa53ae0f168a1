"""Hypotheses that no values meet: the statement is ill-formed, whatever it claims."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.consistency import NOT_MET, contradictory, require_instance
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

P, Q = pair()
Z = PLD(P, Q)
x, y, z, t, eps, lam = reals("x y z t eps lam")
n, l = naturals("n"), naturals("l")
e = sequences("e")
ANY = Gt(sp.exp(x + y + z + eps + lam), 0)
"""A claim that always holds: it is proved from whatever is supposed."""
EMPTY = {
    "a reciprocal is 0": [Eq(1 / x, 0)],
    "of something positive": [Eq(1 / (1 + x**2), 0)],
    "a quotient is 0": [Eq(sp.exp(-x) / x, 0)],
    "an exponential beyond 0": [Gt(x, 0), Lt(sp.exp(x), 1)],
    "a square of a weight": [Ge(lam, 0), Le(lam, 1), Gt(lam**2, 1)],
    "a size": [Lt(sp.Abs(x), 0)],
    "erfc": [Le(sp.erfc(x), 0)],
    "a maximum": [Lt(sp.Max(x, y), x)],
    "mass at infinity": [ac(P, Q), Gt(Pr(Z, "==", sp.oo), 0)],
    "a profile above 1": [Gt(delta(P, Q)(eps), 1)],
    "there is no such value": [Exists(t, Eq(sp.exp(t), 0))],
    "a cosine": [Ge(sp.cos(x), 2)],
    "a power of a whole number": [Lt(2**n, 1)],
    "between whole numbers": [Gt(n, 0), Lt(n, 1)],
    "elements that rise": [ForAll((l,), Gt(e[l], e[l] + 1))],
    "below every number": [ForAll((y,), Lt(y, z))],
    "above every exponential": [ForAll((y,), Lt(sp.exp(y), z))],
    "no value at one place": [ForAll((y,), Lt(1 / y, z))],
    "no value, and its multiple": [ForAll((t,), Ge(x / t, 0))],
}
MET = {
    "a reciprocal is small": [Lt(1 / x, sp.Rational(1, 2)), Gt(x, 0)],
    "an exponential beyond 0": [Gt(x, 0), Gt(sp.exp(x), 1)],
    "a thin interval": [Gt(x, 1000), Lt(x, 1000 + sp.Rational(1, 10**9))],
    "mass at infinity": [ac(Q, P), Gt(Pr(Z, "==", sp.oo), 0)],
    "a cosine": [Ge(sp.cos(x), 1)],
    "below a square": [ForAll((y,), Le(z, y**2))],
    "no value where it is not asked": [ForAll((t,), Ge(x / t, 0), (Gt(t, 0),))],
}


@pytest.mark.parametrize("name", EMPTY)
def test_what_no_values_meet_is_seen(name: str) -> None:
    with pytest.raises(IllFormed, match="no values meet"):
        require_instance(Statement("x/none", ANY, where=tuple(EMPTY[name])), None)


@pytest.mark.parametrize("name", MET)
def test_what_is_met_is_met(name: str) -> None:
    assert require_instance(Statement("x/some", ANY, where=tuple(MET[name])), None) == ""


def test_what_no_values_meet_proves_nothing() -> None:
    found = [judge(Statement("x", ANY, where=tuple(where)), search=True, numeric=False)
             for where in (EMPTY["a reciprocal is 0"], MET["a cosine"])]
    assert [str(f.kind) for f in found] == ["ill-formed", "proved"] and not found[1].reason


def test_what_a_claim_supposes_counts() -> None:
    inside = ForAll((x,), Eq(x, 5), (Lt(sp.exp(x), 0),))
    for claimed in (inside, Implies(Lt(sp.exp(x), 0), Eq(x, 5))):
        assert judge(Statement("x/in", claimed), search=True).kind is Kind.ILL_FORMED


def test_an_open_claim_of_nothing_is_ill_formed() -> None:
    """x = 0 is no witness: 0/t has no value at t = 0, though SymPy makes 0 of it."""
    open_claim = Statement("x/open", Eq(x, 5), where=(ForAll((t,), Ge(x / t, 0)),))
    assert judge(open_claim, search=True).kind is Kind.ILL_FORMED


@pytest.mark.parametrize(("side", "fails"), [(Lt(y, 0), True), (Gt(y, 0), False)])
def test_an_equation_fails_by_an_order_that_the_others_give(side: object, fails: bool) -> None:
    """delta(y) >= 1 - e^y > 0 where y < 0; that it differs from 0 is not proved by itself."""
    def prove(lemma: Statement) -> None:
        if judge(lemma, numeric=False).kind not in HOLDS:
            raise Unsupported("not seen")

    empty = Eq(delta(P, Q)(y), 0)
    said = Statement("x/none", ANY, where=(side, empty))
    assert contradictory(said, prove) == (empty if fails else None)


def test_it_is_told_where_no_instance_is_found() -> None:
    """Nobody can tell whether there is such a number, and the search does not."""
    odd = Eq(sp.exp(sp.exp(x)) + sp.sin(x), sp.Rational(7919, 977) + x**3)
    assert require_instance(Statement("x/open", ANY, where=(odd,)), None) == NOT_MET
    judged = judge(Statement("x/open", ANY, where=(odd,)), search=True, numeric=False)
    assert judged.kind is Kind.PROVED and judged.reason == NOT_MET


def test_the_divergence_of_order_1_has_no_value_in_either_column() -> None:
    """It is an open convention: nothing is said by numbers, and a witness tells what is missing."""
    at_one = judge(Statement("x/one", Eq(R(1, P, Q), Ex(Z, Z))))
    assert at_one.kind is Kind.REFUTED and at_one.witness is not None
    assert at_one.witness.lhs == "undefined: R_q is not defined at q = 1"
    assert at_one.numeric is not None and at_one.numeric.agrees is None
    assert at_one.numeric.reason == "a value by convention: R_1"


def test_a_quotient_of_two_events_is_asked_where_the_lower_one_is_empty() -> None:
    S, W = Event("S"), Event("W")
    part = P(Intersection(S, W)) / P(W)
    found = [judge(Statement("x", Ge(part, 0), where=where), search=True, numeric=False)
             for where in ((), (Gt(P(W), 0),))]
    assert [str(f.kind) for f in found] == ["refuted", "proved"]
    assert found[0].witness is not None and "division by zero" in found[0].witness.lhs
