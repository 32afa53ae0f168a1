"""False statements that once came out derived, by idea: binding, definedness, attributes.

None holds; the numeric column finds each at an instance chosen against it.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian, laplace, randomized_response
from lapdp.core import border
from lapdp.core.errors import IllFormed
from lapdp.core.verdict import HOLDS, Kind
from lapdp.numeric.hostile import doubts
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.registry import Method
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
Z = PLD(P, Q)
a, c, t, u, v, x, y, p = reals("a c t u v x y p")
n, k, j = naturals("n k j")
s = positives("s")
tp = positives("tp")
S = Event("S")
g = functions("g")
C = composition("C", "D")
CE = composition("CE", "DE", each=(P, Q))
CM = composition("CM", "DM", mechanism=lambda _: randomized_response(s))
L1, L2 = mechanism_pair(laplace(1), "L1", "L2")
RR = mechanism_pair(randomized_response(1), "A", "B")
HALF = sp.Rational(1, 2)
DOMINATED = Le(delta(P, Q)(t), delta(P1, Q1)(t))
HERE = (1 / (a - sp.Rational(7, 3)) + 1) * sp.exp(-t**2) - sp.exp(-t**2) / (a - sp.Rational(7, 3))

FALSE = {
    # binding
    "all events from one": (ForAll((S,), Le(P(S), HALF)), [Le(P(S), HALF)]),
    "all events from one that is spoken of": (
        AllOf((Le(P(S), 1), ForAll((S,), Le(P(S), HALF)))), [Le(P(S), HALF)]),
    "the number of copies": (ForAll((k,), Eq(inner_mean(PLD(*CE(k))), inner_mean(Z))),
                             [Eq(k, 1), Defined(inner_mean(Z))]),
    "a hidden parameter": (Eq(D(delta(*CM(1))(0), s), 0), []),
    # definedness
    "0 times nothing": (Exists(c, Eq((c - 2) / y, 0)), []),
    "R_1 is 5": (Eq(R(1, *C(k)), 5), []),
    "a place without a value": (
        Implies(Le(x, v), Le(x + delta(P, Q)(1 / y), v + delta(P, Q)(1 / y))), []),
    "a maximum": (Le(delta(P, Q)(0), sp.Max(delta(P, Q)(0), delta(P, Q)(1 / y), evaluate=False)),
                  []),
    "minus one trial": (Le(BinomialMean(j, j, n - 1, p), n - 1), [Ge(p, 0), Le(p, 1)]),
    "a pole in an integrand": (Eq(Int(HERE, t), sp.sqrt(sp.pi)), []),
    # attributes
    "strict": (Implies(DOMINATED, Lt(R(2, P, Q), R(2, P1, Q1)), over=(t,)),
               [Defined(R(2, P1, Q1))]),
    "continuous on a half-line": (Continuous(g(t) + 1, t), [Continuous(g(tp), tp)]),
    "the other end": (BigO(delta(L1, L2)(t), 1 / t, t, -sp.oo), []),
}


def statement(form, where=()):
    return Statement("hostile/statement", form, where=tuple(where))


BY_CONVENTION = {"R_1 is 5"}
"""What has no value for the engine and one by convention in the field: numbers say nothing."""


@pytest.mark.parametrize("name", FALSE)
def test_does_not_hold(name):
    found = judge(statement(*FALSE[name]), numeric=False, patience=0.2)
    assert found.kind in (Kind.REFUTED, Kind.UNDECIDED, Kind.ILL_FORMED), found
    assert "columns disagree" not in found.reason or name == "a pole in an integrand", found


@pytest.mark.parametrize("name", [n for n in FALSE if n not in BY_CONVENTION])
def test_the_numbers_see_it(name):
    assert doubts(statement(*FALSE[name])) is not None


TRUE = {
    "weak": (Implies(DOMINATED, Le(R(2, P, Q), R(2, P1, Q1)), over=(t,)), [Defined(R(2, P1, Q1))]),
    "all events": (AllOf((Le(P(S), HALF), ForAll((S,), Le(P(S), 1)))), [Le(P(S), HALF)]),
    "a tail": (BigO(delta(L1, L2)(t), 1 / t, t), []),
    "a mean": (Le(BinomialMean(j, j, n + 1, p), n + 1), [Ge(p, 0), Le(p, 1)]),
    "a sum of continuous functions": (Continuous(g(t) + 1, t), [Continuous(g(t), t)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_neighbours_hold_still(name):
    claim = statement(*TRUE[name])
    assert doubts(claim) is None
    assert judge(claim, numeric=False, patience=0.2).kind in HOLDS


ODD = {
    "exp of an infinite mean": (Gt(sp.exp(-Ex(Z, Z)), 0), []),
    "1 by a mass": (Gt(1 / Q(S), 0), []),
    "a Python number for a bound": (BigO(sp.exp(1 / t), 1, t, sp.oo), []),
    "a Python number for a place": (NoAtom(Z, 1), []),
    "no pair satisfies it": (Eq(delta(P, Q)(0), 7), [NoAtom(PLD(*RR), 1)]),
    "a calibration": (Le(delta(*mechanism_pair(gaussian(
        sp.sqrt(2 * sp.log(sp.Rational(5, 4) / tp)) / s)))(s), tp), []),
}


@pytest.mark.parametrize("name", ODD)
def test_a_verdict_and_no_foreign_exception(name):
    found = judge(statement(*ODD[name]), patience=0.2)
    wanted = Kind.DERIVED if name == "a Python number for a bound" else None
    assert found.kind is wanted or found.kind not in (*HOLDS, Kind.CERTIFIED, Kind.TESTED), found


@pytest.mark.parametrize("form", [Ne(x, sp.Rational(7, 3)), Lt(0, E(2, P, Q) - 1)])
def test_no_refutation_beside_columns_that_agree(form):
    found = judge(statement(form), patience=0.3)
    assert found.kind is not Kind.REFUTED or found.numeric.agrees is not True, found


@pytest.mark.parametrize("made", [lambda: BigO(t, 0.5, t), lambda: NoAtom(Z, "1"),
                                  lambda: Defined(True)])
def test_what_is_no_expression_is_refused(made):
    with pytest.raises(IllFormed):
        made()


@pytest.mark.faults
def test_a_method_that_breaks_is_undecided_and_logged(monkeypatch):
    def broken(*_):
        raise TypeError("a fault of its own")

    monkeypatch.setattr(Method, "run", broken)
    found = judge(statement(Implies(DOMINATED, Le(R(2, P, Q), 3), over=(t,))), numeric=False,
                  patience=0.1)
    assert found.kind is Kind.UNDECIDED or found.kind is Kind.REFUTED
    assert any("TypeError: a fault of its own" in line for line in found.tried)
    assert border.FAULTS
