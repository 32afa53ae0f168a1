"""A hypothesis supposes no more than it says: infinite parts, and points that weigh nothing."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import verify
from lapdp.calculus.nodes import Int, Lim, Linv
from lapdp.calculus.sequences import FiniteSum
from lapdp.kernel.printing import text
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import mechanism_pair
from lapdp.privacy.inner_loss import inner_variance
from lapdp.privacy.mechanisms import finite
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.privacy.tradeoff_nodes import Inf, Sup
from lapdp.theory import Indicator, distributions
from lapdp.theory import language as lang
from lapdp.theory.bound_letters import require_ranges
from lapdp.theory.sentences import NotSaid
from lapdp.theory.statement import Statement
from tests.unit.test_sentences_hostile import KL, LEAK, PLAIN, P, Q, Z, a, holds, q, said, x

t = lang.reals("t")
s = lang.complexes("s")
A, B, C = distributions("A B C")
M, N = mechanism_pair(finite([Fraction(1, 2)] * 2, [1, 0]), "M", "N")
APART = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
CASE = sp.Piecewise((Z + 1 / x, sp.Eq(Q, 0)), (0, True), evaluate=False)
MIXED = P * sp.exp(-LossAt(P, a * P + (1 - a) * Q))


@pytest.mark.parametrize("supposed", [
    # the whole is finite where a part is infinite
    lang.Eq(Lim(sp.Min(1 / t, KL), t, sp.oo), 0),
    lang.Eq(Sup(sp.Min(-sp.Abs(t), KL), t, -sp.oo, sp.oo), 0),
    lang.Eq(Inf(sp.Min(sp.Abs(t), KL), t, sp.Le(0, 1, evaluate=False), -sp.oo, sp.oo), 0),
    lang.Eq(pn.Ex(sp.Min(1, pn.E(2, M, N)), Z), 1),
    # where P vanishes nothing counts, whatever stands beside it
    lang.Eq(pn.Omega(P * (sp.log(P) - sp.log(Q))), x),
    lang.Eq(pn.Omega(P * (sp.log(2 * P) - sp.log(P + Q))), x),
    lang.Eq(pn.Omega(A**2 / (A + B)), x), lang.Eq(pn.Omega(P / (P + Q) * Q), x),
    lang.Eq(P(Where(sp.Gt(1 / (P + Q), 1))), 0),
    # a point of the line weighs nothing
    lang.Eq(Int(1 / sp.sqrt(sp.Abs(t)), t, -1, 1), 4), lang.Eq(Int(sp.exp(-t**2) / t, t), x),
    lang.Eq(Int(sp.Piecewise((1, t < 0), (2, t > 0)), t, -1, 1), 3),
    lang.Eq(Int(sp.Piecewise((1 / x, sp.Eq(t, 0)), (1, True)), t, -1, 1), 2),
    lang.Eq(Int(Int(sp.exp(-sp.Abs(x) * t**2), t), x, -1, 1), 4 * sp.sqrt(sp.pi)),
    lang.Eq(Linv((1 - sp.exp(-s)) / s, s, x, 0), 1),
    # an infinite loss that does not occur needs nothing beside it
    lang.Eq(pn.Ex(CASE, Z), 0),
], ids=lambda value: str(value)[:60])
def test_points_and_parts_that_do_not_count_are_not_denied(supposed):
    with pytest.raises(NotSaid):
        said(lang.Ge(q, 7), supposed)


@pytest.mark.parametrize("supposed", [
    lang.Eq(pn.Omega(P * Ratio(P, Q)), x), lang.Eq(pn.Omega(P * LossAt(P, Q)), x),
    lang.Eq(Int(sp.exp(-t**2) / x, t), 1), lang.Eq(Int(t * Indicator(t > x), t, 0, 1), x),
    lang.Eq(Int(pn.delta(P, Q)(t), t, 0, 1), x), lang.Eq(inner_variance(Z), 1),
], ids=lambda value: str(value)[:60])
def test_integrands_that_have_values_are_supposed(supposed):
    said(lang.Ge(q, 7), supposed)


def test_what_is_claimed_may_ask_for_more():
    said(lang.Eq(pn.Omega(P * (sp.log(P) - sp.log(Q))), x))
    said(lang.Eq(Int(1 / sp.sqrt(sp.Abs(t)), t, -1, 1), 4))


@pytest.mark.parametrize("claim,masses,letters", [
    # R_1 has no value, nor has twice that
    (lang.Le(2 * pn.R(q, P, Q), KL), LEAK, {"q": 1}),
    (lang.Ge(pn.E(2, P, Q), 3 * pn.R(q, P, Q)), LEAK, {"q": 1}),
    # weights of a mixture are weights
    (lang.Ge(pn.Omega(MIXED), 0), PLAIN, {"a": 2}),
    (lang.Ge(LossAt(P, a * P + (1 - a) * Q), -5), PLAIN, {"a": -1}),
    (lang.Ge(P(Where(sp.Ge(LossAt(P, a * P + (1 - a) * Q), -9))), 0), PLAIN, {"a": 2}),
    # a mixture that is P itself has no loss where P vanishes
    (lang.Lt(LossAt(P, a * P + (1 - a) * Q), sp.oo), APART, {"a": 1}),
    (lang.Le(pn.Omega(Q * sp.exp(-sp.Abs(LossAt(P, a * P + (1 - a) * Q)))), 1), APART, {"a": 1}),
    # what is at most 1 is not infinite
    (lang.Ge(pn.Ex(sp.Min(1, pn.E(2, M, N)), Z), 5), PLAIN, {}),
    (lang.Eq(pn.Omega(P * sp.Min(1, 1 / pn.E(2, M, N))), sp.oo), PLAIN, {}),
], ids=lambda value: str(value)[:50])
def test_a_false_statement_has_no_true_sentence(claim, masses, letters):
    with contextlib.suppress(NotSaid):
        assert not holds(claim, (), masses, **{k: Fraction(v) for k, v in letters.items()})


@pytest.mark.parametrize("claim,masses,letters", [
    (lang.Le(2 * pn.R(q, P, Q), KL), LEAK, {"q": Fraction(1, 2)}),
    (lang.Ge(pn.Omega(MIXED), 0), PLAIN, {"a": Fraction(1, 2)}),
    (lang.Ge(LossAt(P, a * P + (1 - a) * Q), -5), PLAIN, {"a": Fraction(0)}),
    (lang.Lt(LossAt(P, a * P + (1 - a) * Q), sp.oo), APART, {"a": Fraction(1, 2)}),
], ids=lambda value: str(value)[:50])
def test_the_same_is_true_where_it_has_values(claim, masses, letters):
    assert holds(claim, (), masses, **letters)


def test_weights_are_asked_of_a_loss_at_an_outcome():
    bank, found = said(lang.Ge(LossAt(P, a * P + (1 - a) * Q), -5))
    assert text(bank, found.claim).startswith("((0 <= a) and ((0 <= (1 + ")


def test_a_density_is_of_one_loss():
    varied = pn.f(pn.PLD(t * P + (1 - t) * Q, Q))(t)
    where = (lang.Eq(t, 0),)
    claim = lang.Eq(Int(varied, t, -1, 1), 1)
    with pytest.raises(NotSaid, match="generalised density"):
        said(claim, *where)
    assert verify(Statement("paper/eq-1", claim, where=where)).kind == "ill-formed"
    mixed = pn.f(pn.PLD(a * P + (1 - a) * Q, Q))(t)
    require_ranges([lang.Le(Int(Int(mixed, t, -1, 1), a, 0, 1), 1)])


def test_the_engine_asks_for_weights_of_a_loss_at_an_outcome():
    claim = lang.Ge(pn.Omega(MIXED), 0)
    kinds = [verify(Statement("paper/eq-1", claim, where=(lang.Ge(a, low), lang.Lt(a, low + 1)))
                    ).kind for low in (0, 2)]
    assert kinds == ["proved", "refuted"]


def test_one_finite_moment_does_not_make_those_of_a_bound_index_finite():
    k = lang.naturals("k")
    finite_one = lang.Defined(pn.E(k + 1, P, Q))  # of k = 0 it always is
    bounded = lang.Le(FiniteSum(sp.Min(1, pn.E(k + 1, P, Q)), k, 0, 1), 2)
    claim = lang.Defined(pn.E(2, P, Q))
    with pytest.raises(NotSaid, match="in a hypothesis"):
        said(claim, finite_one, bounded)
