"""False statements that once were proved: what cancels, what is infinite, names, ranges, events.

Most fail at a finite pair, or by plain arithmetic.  Of moments that grow too fast, and of means
that cancel, no finite pair tells: there the step is what no theorem covers.
"""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.premises import cancels
from lapdp.theory.statement import Statement
from tests.oracle import finite

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
Z, Z1 = PLD(P, Q), PLD(P1, Q1)
a, b, t, x, y = reals("a b t x y")
k, n = naturals("k"), naturals("n")
d = sp.Symbol("d", positive=True)
off_zero = sp.Symbol("v", real=True, nonzero=True)
g = functions("g")
HALF = sp.Rational(1, 2)
X = outcome("x")
AX, BX = family("A", "B", X)
A, B_ = averaged((AX, BX), ("A", "B"))
INFINITE = E(2, P, Q)
LOST = Pr(Z, "==", sp.oo)
MEAN = Ex(sp.exp(Z), Z)
SHORT, PRIMED = sp.Symbol("p", real=True), sp.Symbol("p'", real=True)
UNIT = [Ge(SHORT, 0), Le(SHORT, 1), Ge(PRIMED, 0), Le(PRIMED, 1)]
ZERO = ForAll((t,), Eq(g(t), 0))
MOMENTS = Implies(Eq(E(n + 2, P, Q), E(n + 2, P1, Q1)), Eq(delta(P, Q)(a), delta(P1, Q1)(a)),
                  over=(n,))

FALSE = {
    # E_2 = +oo on both sides says nothing of what is added
    "a hypothesis between infinities": (Le(x, y), [Le(INFINITE + x, INFINITE + y)]),
    "an equation between infinities": (Eq(x, y), [Eq(INFINITE + x, INFINITE + y)]),
    "a strict claim between infinities": (Lt(INFINITE + x, INFINITE + y), [Lt(x, y)]),
    "nothing beside an infinity": (Le(delta(P, Q)(0), 0), [
        Le(INFINITE + delta(P, Q)(0), INFINITE)]),
    "an implication from infinities": (Implies(Le(INFINITE + x, INFINITE + y), Le(x, y)), []),
    "a mean below an infinity": (Lt(MEAN / (1 + LOST), (MEAN + 1) / (1 + LOST)), [
        Le(MEAN, INFINITE)]),
    # an event that moves with what is averaged
    "an event of the mean": (Le(A(Where(Le(A, 2 * B_))), HALF), [
        ForAll((X,), Le(AX(Where(Le(AX, 2 * BX))), HALF))]),
    # powers of what is no probability
    "a power of a mean": (Le(inner_mean(Z) ** n, 1), [Defined(inner_mean(Z))]),
    "a power of 0": (Gt(LOST**n, 0), [Defined(inner_mean(Z))]),
    "a power above 1": (Le((2 - LOST) ** n, 1), [Defined(inner_mean(Z))]),
    # a letter called as a coordinate is
    "a name with a prime": (Gt(SHORT + PRIMED, 0), UNIT),
    "a sum of quotients": (Eq(Pr(Z, ">", a) / (Pr(Z, ">", a) + Pr(Z, ">", b))
                              + Pr(Z, ">", b) / (Pr(Z, ">", a) + Pr(Z, ">", b)), 1), []),
    # what is put in cancels what has no value
    "a factor 1/b": (Eq(g(a) / b, a), [ForAll((t,), Eq(g(t), b * t))]),
    "a factor log b": (Eq(g(a) * sp.log(b), 0), [ZERO]),
    "a factor +oo": (Eq(g(a) * INFINITE, 0), [ZERO]),
    "a changed variable": (Eq((sp.Abs(sp.log(d)) + sp.log(d)) * sp.log(b), 0), [Le(d, 1)]),
    "a changed variable beside +oo": (Eq((sp.Abs(sp.log(d)) + sp.log(d)) * INFINITE, 0), [
        Le(d, 1)]),
    "means that cancel": (Eq(0 * x + (inner_mean(PLD(*product_pair((P1, Q1), (P, Q))))
                                      - inner_mean(Z1) - inner_mean(Z)) * inner_mean(PLD(Q, P)), 0),
                          [Defined(inner_mean(Z)), Defined(inner_mean(Z1))]),
    # ranges of letters
    "a letter that is not 0": (Le(g(a), HALF), [ForAll((off_zero,), Le(g(off_zero), HALF))]),
    "moments that grow too fast": (MOMENTS, [
        ForAll((k,), Lt(E(k + 1, P, Q), (k**2 + 1) ** k * sp.factorial(k)))]),
    "no place for a profile": (Implies(Eq(delta(P, Q)(t), delta(P1, Q1)(t)), Eq(
        delta(P, Q)(1 / a), delta(P1, Q1)(1 / a)), over=(t,)), []),
}


@pytest.mark.parametrize("name", FALSE)
def test_it_is_not_proved(name):
    form, where = FALSE[name]
    found = judge(Statement("x", form, where=tuple(where)), numeric=False, patience=0.02)
    assert found.kind not in (*HOLDS, Kind.CERTIFIED)


def test_neighbours_that_are_true_are_still_proved():
    finite_one = Defined(INFINITE)
    for form, where in (
            (Le(x, y), [Le(delta(P, Q)(0) + x, delta(P, Q)(0) + y)]),
            (Le(x, y), [Le(INFINITE + x, INFINITE + y), finite_one]),
            (Gt(SHORT + PRIMED, -1), UNIT),
            (Ge((1 - LOST) ** n, 0), [Defined(inner_mean(Z))]),
            (Le(delta(A, B_)(a), HALF), [ForAll((X,), Le(delta(AX, BX)(a), HALF))]),
            (Eq(g(a) * b, a * b), [ForAll((t,), Eq(g(t), t))]),
            (Le(delta(P, Q)(a), HALF), [ForAll((t,), Le(delta(P, Q)(t), HALF))])):
        found = judge(Statement("x", form, where=tuple(where)), numeric=False, patience=0.02)
        assert found.kind in HOLDS, form


@pytest.mark.parametrize("where", [
    [Ge(delta(P, Q)(a), 2)],
    [ForAll((t,), Le(g(t), 1)), ForAll((t,), Ge(g(t), 2), (Ge(t, 0), Le(t, 1))),
     Ge(a, 0), Le(a, 1)],
], ids=["a profile above 1", "two bounds on a part of the line"])
def test_what_follows_from_a_contradiction_is_ill_formed(where):
    value = g(a) if len(where) > 1 else delta(P, Q)(a)
    found = judge(Statement("x", Ge(value, 1), where=tuple(where)), numeric=False, patience=2)
    assert found.kind is Kind.ILL_FORMED and "contradict" in found.reason


def test_infinities_on_both_sides_are_seen():
    both = Le(INFINITE + x, INFINITE + y)
    assert cancels(both) and cancels(ForAll((x,), both)) and cancels(AllOf((Le(x, y), both)))
    assert not cancels(both, [Defined(INFINITE)])
    assert not cancels(Le(INFINITE + x, E(2, P1, Q1) + y))
    assert not cancels(Le(delta(P, Q)(0) + x, delta(P, Q)(0)))


# -- the pairs at which they fail, by the definitions ---------------------------------------------

APART = ((Fr(1), Fr(0)), (Fr(0), Fr(1)))


def test_second_moments_of_pairs_apart_are_infinite_and_their_profile_is_not_0():
    assert "oo" in finite.loss_masses(*APART)  # so E_2, the mean of P/Q under P, is +oo
    assert finite.hockey_stick(*APART, Fr(1)) == 1


def test_an_event_of_the_members_is_none_of_their_mean():
    members = (APART, APART[::-1])
    for P_, Q_ in members:
        assert sum(p for p, q in zip(P_, Q_, strict=True) if p <= 2 * q) == 0
    mean = [[sum(m[side][j] for m in members) / 2 for j in (0, 1)] for side in (0, 1)]
    assert sum(p for p, q in zip(*mean, strict=True) if p <= 2 * q) == 1


def test_inner_means_exceed_1_and_conditions_may_have_no_mass():
    P_, Q_ = (Fr(7, 8), Fr(1, 8)), (Fr(1, 64), Fr(63, 64))
    losses = finite.loss_masses(P_, Q_)
    # means of log 2 powers: 7/8 log 56 + 1/8 log(8/63) > 7/8 log 32 - 3/8 log 2 > 4 log 2
    assert losses == {Fr(56): Fr(7, 8), Fr(8, 63): Fr(1, 8)}
    assert Fr(7, 8) * 5 - Fr(1, 8) * 3 == 4 and Fr(8, 63) > Fr(1, 8)
    assert finite.probability((Fr(1),), (Fr(1),), ">", Fr(1)) == 0
