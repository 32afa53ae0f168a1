"""Events made of events, events that exist, hypotheses that leave kernels no weight."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import IllFormed
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    AllOf,
    Complement,
    Difference,
    Eq,
    Event,
    ExistsEvents,
    ForAll,
    Ge,
    Gt,
    Iff,
    Implies,
    Int,
    Intersection,
    Le,
    LossAt,
    Lt,
    Omega,
    Pr,
    Sup,
    Union,
    Where,
    delta,
    f,
    pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.render import latex_of_form, text_of_form
from lapdp.theory.statement import Statement
from tests.mutation.campaign import contradiction
from tests.mutation.oracle_check import oracle_verdict
from tests.patience import with_nightly

P, Q = pair("P", "Q")
A, B = pair("A", "B")
Z, Zr, W = PLD(P, Q), PLD(Q, P), PLD(A, B)
S, T, R = Event("S"), Event("T"), Event("R")
eps, x, y, d, m = reals("eps x y d delta")
e = sp.exp
LARGE = Where(Gt(LossAt(P, Q), eps))
OFF_T = [ForAll((S,), Le(P(Difference(S, T)), e(eps) * Q(Difference(S, T))))]
OFF_BOTH = (Le(P(T), m), Le(Q(R), m), *OFF_T,
            ForAll((S,), Le(Q(Difference(S, R)), e(eps) * P(Difference(S, R)))))
ABOVE = Pr(Z, "==", sp.oo) + Int((1 - e(eps - y)) * f(Z)(y), y, x, sp.oo)
TOP = Eq(Pr(Z, ">", eps), Pr(Z, "==", x) + Pr(Z, "==", sp.oo))

PROVED = {
    "inclusion and exclusion": (Eq(P(Union(S, T)), P(S) + P(T) - P(Intersection(S, T))), []),
    "difference": (Eq(P(Difference(S, T)), P(S) - P(Intersection(S, T))), []),
    "de morgan": (Eq(Q(Complement(Union(S, T))), Q(Difference(Complement(S), T))), []),
    "three events": (Le(P(Difference(S, R)), P(Difference(S, T)) + P(Difference(T, R))), []),
    "supremum off an event": (Eq(Sup(P(Difference(S, T)) - e(eps) * Q(Difference(S, T)), S),
                                 Omega(sp.Max(0, P - e(eps) * Q), Complement(T))), []),
    "another event under a supremum": (Eq(Sup(P(S) - e(eps) * Q(S) + P(T), S),
                                          delta(P, Q)(eps) + P(T)), []),
    "off T no loss is large": (Le(Pr(Z, ">", eps), P(T)), OFF_T),
    "large losses are in T": (Eq(P(Intersection(T, LARGE)), Pr(Z, ">", eps)), OFF_T),
    "pure": (Eq(Pr(Z, ">", eps), 0), [Eq(delta(P, Q)(eps), 0)]),
    "the last level": (Eq(delta(P, Q)(eps), (1 - e(eps - x)) * Pr(Z, "==", x)
                          + Pr(Z, "==", sp.oo)), [Lt(eps, x), TOP]),
    "levels above": (Eq(delta(P, Q)(eps), (1 - e(eps - x)) * Pr(Z, "==", x) + ABOVE),
                     [Lt(eps, x), Eq(Pr(Z, ">", eps), Pr(Z, ">=", x))]),
    "two pairs": (Eq(delta(P, Q)(eps) - delta(A, B)(eps), (1 - e(eps - x)) * Pr(Z, "==", x)),
                  [Lt(eps, x), TOP, Eq(Pr(W, ">", eps), Pr(W, "==", sp.oo)),
                   Eq(Pr(Z, "==", sp.oo), Pr(W, "==", sp.oo))]),
    "a hypothesis added": (Le(P(LARGE), m), [Le(Pr(Z, ">", eps), m)]),
    "a factor": (Eq(x, y), [Lt(d, 0), Eq((1 - e(d)) * x, (1 - e(d)) * y)]),
    "chosen events": (ExistsEvents((T,), (Eq(P(T), Pr(Z, ">", eps)), *OFF_T)), []),
    "two chosen events": (Iff(ExistsEvents((T, R), OFF_BOTH), AllOf((
        Le(Pr(Z, ">", eps), m), Le(Pr(Zr, ">", eps), m)))), []),
    "any such event": (Implies(ExistsEvents((T,), (Le(P(T), m), *OFF_T)),
                               Le(delta(P, Q)(eps), m)), []),
}

REFUTED = {
    "union of disjoint events only": (Eq(P(Union(S, T)), P(S) + P(T)), []),
    "difference of a larger event": (Eq(P(Difference(S, T)), P(S) - P(T)), []),
    "difference turned": (Eq(P(Difference(S, T)), P(Difference(T, S))), []),
    "supremum of all": (Eq(Sup(P(Difference(S, T)) - e(eps) * Q(Difference(S, T)), S),
                           delta(P, Q)(eps)), []),
    "atom at eps": (Le(Pr(Z, ">=", eps), P(T)), OFF_T),
    "all of T": (Eq(P(T), Pr(Z, ">", eps)), OFF_T),
    "without the hypothesis": (Le(Pr(Z, ">", eps), P(T)), []),
    "the other direction": (Le(Pr(Zr, ">", eps), P(T)), OFF_T),
    "the other measure": (Le(Pr(Z, ">", eps), Q(T)), OFF_T),
    "another level": (Eq(Pr(Z, ">", eps), 0), [Eq(delta(P, Q)(eps + 1), 0)]),
    "pure at an atom": (Eq(Pr(Z, ">=", eps), 0), [Eq(delta(P, Q)(eps), 0)]),
    "pure, turned": (Eq(Pr(Zr, ">", eps), 0), [Eq(delta(P, Q)(eps), 0)]),
    "not nothing": (Eq(Pr(Z, ">", eps), 0), [Le(delta(P, Q)(eps), m)]),
    "an amount of either sign": (Eq(Pr(Z, ">", eps), 0), [Eq(Pr(Z, ">", eps), Pr(Z, "<", eps))]),
    "mass at infinity lost": (Eq(delta(P, Q)(eps), (1 - e(eps - x)) * Pr(Z, "==", x)),
                              [Lt(eps, x), TOP]),
    "a level between": (Eq(delta(P, Q)(eps), (1 - e(eps - x)) * Pr(Z, "==", x) + ABOVE),
                        [Lt(eps, x)]),
    "the wrong pair": (Eq(delta(P, Q)(eps) - delta(A, B)(eps),
                          (1 - e(eps - x)) * Pr(W, "==", x)),
                       [Lt(eps, x), TOP, Eq(Pr(W, ">", eps), Pr(W, "==", sp.oo)),
                        Eq(Pr(Z, "==", sp.oo), Pr(W, "==", sp.oo))]),
    "a factor that may vanish": (Eq(x, y), [Le(d, 0), Eq((1 - e(d)) * x, (1 - e(d)) * y)]),
    "no value": (Eq(1 / d + x, 1 / d + y), [Eq(x, y)]),
    "a factor of either sign": (Le(d * x, d * y), [Le(x, y)]),
    "one direction only": (Iff(ExistsEvents((T, R), OFF_BOTH), Le(Pr(Z, ">", eps), m)), []),
    "strict": (Implies(ExistsEvents((T,), (Le(P(T), m), *OFF_T)), Lt(Pr(Z, ">", eps), m)), []),
    "tails with the level": (Iff(ExistsEvents((T,), (Le(P(T), m), *OFF_T)),
                                 Le(Pr(Z, ">=", eps), m)), []),
    "no such event": (ExistsEvents((T,), (Lt(P(T), Pr(Z, ">", eps)), *OFF_T)), []),
    "one of two": (AllOf((Ge(P(T), 0), Ge(P(T), Q(T)))), []),
}


def judged(form, where):
    statement = Statement("test/s", form, tuple(where))
    return statement, judge(statement, numeric=False)


@pytest.mark.parametrize("name", with_nightly(PROVED, "two pairs", "two chosen events"))
def test_proved(name):
    statement, found = judged(*PROVED[name])
    assert found.kind in HOLDS, found.reason
    assert oracle_verdict(statement, 20) != "fails"
    assert contradiction(statement, 0.2) is None


@pytest.mark.parametrize("name", REFUTED)
def test_refuted(name):
    _, found = judged(*REFUTED[name])
    assert found.kind is Kind.REFUTED, found.reason


def test_a_hypothesis_about_integrals_says_nothing_of_single_outcomes():
    # L <= eps off a null set only: a space may have outcomes of probability 0
    claim = Le(LossAt(P, Q), eps)
    found = judge(Statement("test/s", claim, (Eq(delta(P, Q)(eps), 0),)), numeric=False)
    assert found.kind not in HOLDS


def test_hypotheses_that_no_pair_satisfies():
    claim = Le(Pr(Z, ">", eps), 0)
    found = judge(Statement("test/s", claim, (Le(Pr(Z, "<=", sp.oo), 0),)), numeric=False)
    assert found.kind not in HOLDS


@pytest.mark.parametrize("make", [
    lambda: Union(S, x), lambda: Difference(P, S), lambda: ExistsEvents((x,), (Ge(x, 0),)),
    lambda: ExistsEvents((), (Ge(P(S), 0),)), lambda: AllOf(())])
def test_refused_at_once(make):
    with pytest.raises(IllFormed):
        make()


def test_an_event_of_two_spaces():
    found = judge(Statement("test/s", Le(P(Union(S, T)), A(T))), numeric=False)
    assert found.kind is Kind.ILL_FORMED


def test_shown():
    form = ExistsEvents((T,), (Le(P(Difference(S, T)), m),))
    assert text_of_form(form) == "there are events T: P(Difference(S, T)) <= delta"
    assert r"\exists\, T \subset \Omega" in latex_of_form(form)
    both = AllOf((Le(P(S), m), Le(Q(S), m)))
    assert text_of_form(both) == "P(S) <= delta and Q(S) <= delta"
