"""A sentence says no less than the statement: ends of suprema, limits, events, what is beside."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from lapdp import verify
from lapdp.calculus.nodes import B, D, Lim
from lapdp.kernel.printing import text
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import family, mechanism_pair, outcome
from lapdp.privacy.mechanisms import finite
from lapdp.privacy.pointwise import LossAt, Where
from lapdp.privacy.tradeoff_nodes import Inf, Sup, T, decisions, mean
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid
from lapdp.theory.statement import Statement
from tests.unit.test_sentences_hostile import KL, LEAK, PLAIN, P, Q, Z, a, holds, r, said, x

t, s = lang.reals("t s")
H = lang.functions("H")
phi = decisions("phi")
S = pn.Event("S")
BEYOND = pn.Event("%S")
APART = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
HALF_APART = tuple((Fraction(k, 2), Fraction(1, 2), Fraction(1 - k, 2)) for k in (1, 0))
SECOND_ERROR = Inf(1 - mean(Q, phi), phi, sp.Le(mean(P, phi), a, evaluate=False))
WITHIN = pn.Omega(P**2 / Q, over=Where(sp.Gt(Q, 0)))


@pytest.mark.parametrize("supposed", [
    lang.Ge(Sup(x * t, t, 0, sp.oo), 1), lang.Ge(Sup(H(t), t, 0, 1), 1),
    lang.Ne(Sup(H(t), t, 0, 1), 1),
    lang.Le(Inf(H(t), t, sp.Le(0, 1, evaluate=False), 0, 1), -1),
    lang.Ge(Lim(x * t, t, sp.oo), 1), lang.Le(Lim(x * t, t, sp.oo), 1),
    lang.Defined(sp.Min(1, Sup(H(t), t, 0, 1))), lang.Defined(1 / Lim(H(t), t, sp.oo)),
    lang.Ge(SECOND_ERROR, 0), lang.Defined(pn.Omega(P**2 / Q, over=S)),
    lang.Converges(B(D(H(t), t), t, s)),
], ids=str)
def test_values_that_may_be_infinite_are_not_supposed_to_be_finite(supposed):
    with pytest.raises(NotSaid):
        said(lang.Ge(r, 7), supposed)


@pytest.mark.parametrize("supposed", [
    # where it is infinite these do not hold
    lang.Le(Sup(H(t), t, 0, 1), 1), lang.Eq(Lim(H(t), t, sp.oo), x),
    lang.Defined(Lim(H(t), t, sp.oo)),
    lang.Ge(SECOND_ERROR.subs(a, sp.Rational(1, 2)), 0),
], ids=str)
def test_what_only_finite_values_meet_is_supposed(supposed):
    said(lang.Ge(r, 7), supposed)


def test_an_event_of_any_name_is_not_the_bound_one():
    bank, found = said(lang.SameMeasure(P * Q(BEYOND), Q * P(BEYOND)))
    assert [sort for _, sort in bank.letters[found.claim]].count("S") == 1
    bank, found = said(lang.Le(T(P, Q)(P(BEYOND)), 1))
    assert [sort for _, sort in bank.letters[found.claim]].count("S") == 1


def test_one_finite_member_of_a_family_does_not_make_all_of_them_finite():
    o, p = outcome("o"), outcome("p")
    first, other = (pn.PLD(*family("P2", "Q2", at)) for at in (o, p))
    every = lang.ForAll((o,), lang.Ge(pn.Ex(first, first), 1))
    claim = lang.Defined(pn.Ex(other, other))
    (bank, with_it), (plain, without) = (
        said(claim, *more, every) for more in ((lang.Defined(pn.Ex(first, first)),), ()))
    assert text(bank, with_it.hypotheses[-1]) == text(plain, without.hypotheses[-1])


@pytest.mark.parametrize("claim,where,masses,letters", [
    # what an event excludes does not count
    (lang.AbsolutelyContinuous(P, Q), (lang.Defined(WITHIN),), LEAK, {}),
    (lang.Ge(WITHIN, 100), (lang.Gt(pn.Pr(Z, "==", sp.oo), 0),), LEAK, {}),
    # one notion's condition is not another's
    (lang.AllOf((lang.Ge(KL, 0), lang.Ge(pn.Ex(-Z, Z), 5))), (), HALF_APART, {}),
    # beside an infinite loss the rest has a value
    (lang.Ne(LossAt(P, Q), sp.log(x)), (), APART, {"x": -1}),
    (lang.Eq(pn.Ex(Z + sp.log(x), Z), sp.oo), (), APART, {"x": -1}),
    (lang.Eq(pn.Ex(sp.Max(Z, sp.log(x)), Z), sp.oo), (), APART, {"x": -1}),
    (lang.Eq(pn.Ex(Z * sp.exp(1 / x), Z), sp.oo), (), APART, {"x": 0}),
    (lang.Ge(P(Where(sp.Ge(LossAt(P, Q), sp.log(x), evaluate=False))), 1), (), APART, {"x": -1}),
], ids=lambda value: str(value)[:50])
def test_a_false_statement_has_a_false_sentence(claim, where, masses, letters):
    assert not holds(claim, where, masses, **{k: Fraction(v) for k, v in letters.items()})


W = pn.PLD(*mechanism_pair(finite([1, 0], [0, 1])))
"""A loss that is infinite."""


@pytest.mark.parametrize("claim", [
    lang.Eq(pn.Ex(W + sp.log(x), W), sp.oo), lang.Ge(pn.Ex(W + sp.log(x), W), 5),
    lang.Eq(pn.Ex(sp.Max(W, sp.log(x)), W), sp.oo), lang.Eq(pn.Ex(W * sp.exp(1 / x), W), sp.oo),
], ids=str)
def test_where_a_part_of_a_mean_has_no_value_the_claim_fails(claim):
    assert verify(Statement("paper/eq-1", claim), seconds=60).kind == "refuted"


@pytest.mark.parametrize("claim,masses,letters", [
    (lang.Le(WITHIN, 1), LEAK, {}), (lang.Ge(KL, 0), HALF_APART, {}),
    (lang.Ne(LossAt(P, Q), sp.log(x)), APART, {"x": 2}), (lang.Le(WITHIN, 2), PLAIN, {}),
    (lang.Eq(pn.Ex(Z + sp.log(x), Z), sp.oo), APART, {"x": 2}),
    (lang.Ge(P(Where(sp.Ge(LossAt(P, Q), sp.log(x), evaluate=False))), 1), APART, {"x": 2}),
], ids=lambda value: str(value)[:50])
def test_such_statements_are_true_elsewhere(claim, masses, letters):
    assert holds(claim, (), masses, **{k: Fraction(v) for k, v in letters.items()})
