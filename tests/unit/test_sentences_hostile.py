"""A sentence says no less than the statement: where something is infinite, undefined, or bound."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp import laplace
from lapdp.calculus.nodes import Int
from lapdp.kernel.domain import domain
from lapdp.kernel.printing import text
from lapdp.kernel.spaces import nonnegative
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import mechanism_pair
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.privacy.tradeoff_nodes import Sup
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle.reals import Undefined
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
P1, Q1 = pn.pair("P1", "Q1")
P2, Q2 = pn.pair("P2", "Q2")
Z = pn.PLD(P, Q)
KL = pn.Ex(Z, Z)
a, c, q, r, x = lang.reals("a c q r x")
LEAK = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0))
"""Of the second outcome the loss is infinite."""
PLAIN = (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(3, 4))
BESIDE = P * (LossAt(P, a * P + (1 - a) * Q) + sp.exp(-LossAt(P, Q)))
"""A function whose integral is finite: the loss under the mixture is at most log(1/a)."""
OVER = pn.PLD(x * P + (1 - x) * Q, Q)


def said(claim, *where):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", claim, where=where), bank)


def holds(claim, where=(), masses=LEAK, **letters):
    """Is the sentence true of the pair, when letters have these values?"""
    bank, found = said(claim, *where)
    p, q_ = masses
    with mp.workdps(40):
        i = Interpreter(bank, len(p), {"P": p, "Q": q_, **letters},
                        samples=(Fraction(1, 2), Fraction(2), Fraction(3)))
        try:
            asked = domain(bank, found.goal)
            return (asked is None or i.of(asked)) and i.of(found.goal)
        except Undefined:
            return False


FALSE = [
    (lang.Le(sp.log(x), KL), (lang.Eq(KL, sp.oo), lang.Le(x, 0)), {"x": Fraction(-1)}),
    (lang.Lt(1 / x, KL), (lang.Eq(KL, sp.oo),), {"x": Fraction(0)}),
    (lang.Ne(1 / x, KL), (lang.Eq(KL, sp.oo),), {"x": Fraction(0)}),
    (lang.Le(pn.R(q, P, Q), pn.R(2, P, Q)), (), {"q": Fraction(1)}),
    (lang.Le(a, 1), (lang.Eq(sp.Piecewise((pn.delta(P, Q)(a), a <= 1), (sp.Integer(5), True)), 5),),
     {"a": Fraction(2)}),
    (lang.Le(x, 1), (lang.Gt(x, 0), lang.Eq(sp.Piecewise((pn.delta(x * P + (1 - x) * Q, Q)(0),
                                                          x <= 1), (sp.Integer(5), True)), 5)),
     {"x": Fraction(2)}),
    (lang.Lt(pn.E(r, P, Q), sp.oo), (lang.Gt(r, 1), lang.Defined(pn.E(q, P, Q)), lang.ForAll(
        (q,), lang.Ge(pn.E(q, P, Q), 0), (lang.Gt(q, 1),))),
     {"q": Fraction(1, 2), "r": Fraction(2)}),
    (lang.Eq(pn.Omega(BESIDE), sp.oo), (), {"a": Fraction(1, 2)}),
]


@pytest.mark.parametrize("claim,where,letters", FALSE, ids=lambda x: str(x)[:60])
def test_a_false_statement_has_a_false_sentence(claim, where, letters):
    assert not holds(claim, where, **letters)


def test_a_mean_loss_may_be_bounded_by_a_hypothesis():
    bound = (lang.Le(KL, x),)
    mean = (sp.log(2) + sp.log(sp.Rational(2, 3))) / 2
    below = Fraction(int(sp.floor(mean * 100)), 100)
    assert not holds(lang.Ge(r, 7), bound, masses=PLAIN, x=below + Fraction(1, 100), r=Fraction(0))
    assert holds(lang.Ge(r, 7), bound, masses=PLAIN, x=below, r=Fraction(0))
    assert holds(lang.Ge(r, 7), bound, x=Fraction(9), r=Fraction(0))  # it is infinite there


def test_weights_that_are_none_make_no_value_infinite():
    claim = lang.Eq(pn.Ex(sp.exp(OVER), OVER), sp.oo)
    assert not holds(claim, masses=PLAIN, x=Fraction(2))
    assert not holds(claim, masses=PLAIN, x=Fraction(1))
    assert holds(claim, x=Fraction(1))


CHI2 = pn.E(2, P, Q) - 1


@pytest.mark.parametrize("finite", [CHI2, x + pn.E(2, P, Q) + KL, KL + sp.Min(1, KL)], ids=str)
def test_a_sum_is_finite_where_its_summands_are(finite):
    supposed = (lang.Defined(finite),)
    assert holds(lang.Ge(r, 7), supposed, r=Fraction(0), x=Fraction(1))  # infinite, so all follows
    assert not holds(lang.Ge(r, 7), supposed, masses=PLAIN, r=Fraction(0), x=Fraction(1))
    assert not holds(lang.Lt(pn.E(3, P, Q), 1), supposed, masses=PLAIN, x=Fraction(1))


def test_hyperbolic_functions_are_said():
    assert holds(lang.AllOf((lang.Eq(sp.cosh(x), 1), lang.Eq(sp.sinh(x), 0))), x=Fraction(0))
    assert holds(lang.AllOf((lang.Gt(sp.cosh(x), 1), lang.Lt(sp.sinh(x), x))), x=Fraction(-1))
    assert not holds(lang.Le(sp.cosh(x), sp.sinh(x)), x=Fraction(2))


def test_the_same_sentences_are_true_where_the_statements_are():
    infinite = (lang.Eq(KL, sp.oo),)
    assert holds(lang.Le(sp.log(x), KL), infinite, x=Fraction(3))
    assert holds(lang.Lt(1 / x, KL), infinite, x=Fraction(3))
    assert holds(lang.Le(pn.R(q, P, Q), pn.R(2, P, Q)), q=Fraction(3, 2))
    assert holds(lang.Lt(pn.E(r, P, Q), sp.oo), r=Fraction(1, 2))
    branch = sp.Piecewise((pn.delta(P, Q)(a), a <= 1), (sp.Integer(5), True))
    assert holds(lang.Ge(a, 1), (lang.Eq(branch, 5),), a=Fraction(2))


@pytest.mark.parametrize("supposed", [
    # finite and less than oo are two things where -oo is a value, or oo stands inside
    lang.Lt(-KL, sp.oo), lang.Lt(pn.R(q, P, Q), sp.oo), lang.Ne(pn.R(q, P, Q), sp.oo),
    lang.Defined(sp.Min(1, KL)), lang.Defined(sp.exp(-pn.E(q, P, Q))),
    lang.Defined(pn.E(2, P, Q) + sp.Min(1, KL)),
    lang.Le(pn.E(q, P, Q), pn.E(q, P, Q)**2), lang.Eq(pn.E(q, P, Q), pn.E(q, P, Q)**2),
    # what is infinite in one place need not make the whole infinite
    lang.Defined(pn.Ex(sp.exp(-sp.exp(c * Z)), Z)),
    lang.Defined(pn.Ex(sp.Piecewise((sp.exp(c * Z), x < 2), (0, True)), Z)),
    lang.Defined(pn.Omega(sp.Min(P, P**a * Q**(1 - a)))),
    lang.Defined(pn.Omega(BESIDE)),
    lang.Defined(pn.Omega(P1 * P2 * (LossAt(P2, Q2) + sp.exp(-LossAt(P1, Q1))))),
    # a supremum, the range of a mechanism
    lang.Eq(Sup(x, x, 0, sp.oo), sp.oo),
    lang.ForAll((a,), lang.Le(pn.delta(*mechanism_pair(laplace(a)))(0), r)),
    lang.Le(Int(pn.delta(*mechanism_pair(laplace(a)))(0), a, -1, 1), r),
], ids=str)
def test_what_would_be_supposed_more_strictly_is_not_said(supposed):
    with pytest.raises(NotSaid):
        said(lang.Ge(r, 7), supposed)


def test_a_bound_event_captures_none():
    first, second = pn.Event("S"), pn.Event("%S")
    bank = Bank()
    goals = [elaborate(Statement("paper/eq-1", lang.SameMeasure(Q(s) * P, P(s) * Q)), bank).goal
             for s in (first, pn.Event("U"))]
    assert bank.put(goals[1], {("U", "S"): bank.letter("S", "S")}) == goals[0]
    assert second.name not in text(bank, goals[0])


def test_integrals_over_products_converge_absolutely():
    signed = lang.Eq(pn.Omega(P1 * Ratio(Q1, P1)**2 * (P2 - Q2)), 0)
    bank, found = said(signed)
    assert "abs(" in text(bank, found.claim)
    bank, found = said(lang.Le(pn.Omega(P1 * Ratio(Q1, P1)**2 * P2), 0))
    assert "abs(" not in text(bank, found.claim)
    real, z = bank.letter("x", "R"), bank.letter("z", "C")
    assert nonnegative(bank, bank.make("exp", real), set())
    assert not nonnegative(bank, bank.make("exp", z), set())


def test_an_index_of_a_sum_may_be_a_parameter_of_a_mechanism():
    n = lang.naturals("n")
    assert said(lang.Le(pn.delta(*mechanism_pair(laplace(n + 1)))(0), 1))
