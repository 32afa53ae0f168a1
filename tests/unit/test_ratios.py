"""Quotients of probabilities: what may be proved by letters and known values, and what not."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.finite import finite
from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import (
    PLD,
    Eq,
    Ex,
    Ge,
    Gt,
    Iff,
    Indicator,
    Le,
    Lt,
    Pr,
    Where,
    ac,
    functions,
    mechanism_pair,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.methods.ratios import by_quotients
from lapdp.theory.planner import Planner
from lapdp.theory.statement import Statement
from tests.mutation.campaign import contradiction

P, Q = pair("P", "Q")
Z, BACK = PLD(P, Q), PLD(Q, P)
y, gamma, bound, u, v = reals("y gamma B u v")
g = functions("g")
LOST, OMEGA = Pr(Z, "==", sp.oo), Pr(Z, "==", y)
SUM = Ex(g(Z) * Indicator(sp.And(Ge(Z, gamma), Lt(Z, sp.oo))), Z)
FINITE = [Lt(LOST, 1)]
BELOW = [Le(SUM / (1 - LOST), bound)]

# a pair inside, with distinguishing events around it
A1, B1 = pair("A", "B")
MARKS = outcomes({"in": (sp.exp(-u), sp.exp(-v)), "top": (1 - sp.exp(-u), sp.Integer(0)),
                  "bottom": (sp.Integer(0), 1 - sp.exp(-v))}, where=[Ge(u, 0), Ge(v, 0)])
A, B = product_pair(mechanism_pair(MARKS, "S", "S'"), (A1, B1), names=("A_c", "B_c"))
WHOLE = PLD(A, B)
GIVEN = [Ge(u, 0), Ge(v, 0), ac(A1, B1), ac(B1, A1)]

PROVED = {
    "conditional": (Eq(OMEGA / Pr(Z, "<", sp.oo), OMEGA / (1 - LOST)), FINITE),
    "normalised": (Eq(Pr(Z, "<", sp.oo) / (1 - LOST), 1), FINITE),
    "at least": (Ge(OMEGA / (1 - LOST), OMEGA), FINITE),
    "at most 1": (Le(OMEGA / (1 - LOST), 1), FINITE),
    "negative denominator": (Le(OMEGA / (LOST - 1), OMEGA), FINITE),
    "bound of a mean": (Le(SUM + LOST, LOST + (1 - LOST) * bound), BELOW),
    "equivalent bounds": (Iff(Le(SUM / (1 - LOST), bound), Le(SUM, (1 - LOST) * bound)), FINITE),
    "known constant": (Eq(Pr(PLD(A1, B1), "==", y),
                          Pr(WHOLE, "==", y + v - u) / (1 - Pr(WHOLE, "==", sp.oo))), GIVEN),
    "known event": (Eq(A(Where(Gt(A, 2 * B))) / A(Where(sp.And(sp.Ne(A, 0), sp.Ne(B, 0)))),
                       sp.exp(u) * A(Where(Gt(A, 2 * B)))), GIVEN),
}

FALSE = {
    "no hypothesis": (Eq(Pr(Z, "<", sp.oo) / (1 - LOST), 1), []),
    "itself, undefined": (Eq(LOST / (1 - LOST), LOST / (1 - LOST)), []),
    "parameter 0": (Eq(LOST / u, LOST / u), []),
    "mass of the other side": (Eq(Pr(Z, "<", sp.oo) / (1 - Pr(BACK, "==", sp.oo)), 1),
                               [Lt(Pr(BACK, "==", sp.oo), 1)]),
    "the wrong way": (Le(OMEGA / (1 - LOST), OMEGA), FINITE),
    "strictly below 1": (Lt(OMEGA / (1 - LOST), 1), FINITE),
    "sign forgotten": (Ge(OMEGA / (LOST - 1), OMEGA), FINITE),
    "bound the other way": (Ge(SUM + LOST, LOST + (1 - LOST) * bound), BELOW),
    "strict bound": (Lt(SUM + LOST, LOST + (1 - LOST) * bound), BELOW),
    "mass at infinity forgotten": (Le(SUM + LOST, (1 - LOST) * bound), BELOW),
    "factor forgotten": (Le(SUM + LOST, bound), BELOW),
    "shift forgotten": (Eq(Pr(PLD(A1, B1), "==", y),
                           Pr(WHOLE, "==", y) / (1 - Pr(WHOLE, "==", sp.oo))), GIVEN),
    "shift the other way": (Eq(Pr(PLD(A1, B1), "==", y), Pr(WHOLE, "==", y + u - v)
                               / (1 - Pr(WHOLE, "==", sp.oo))), GIVEN),
    "not absolutely continuous": (Eq(Pr(PLD(A1, B1), "==", y), Pr(WHOLE, "==", y + v - u)
                                     / (1 - Pr(WHOLE, "==", sp.oo))), GIVEN[:2]),
}


def stated(entry):
    return Statement("test/s", entry[0], tuple(entry[1]))


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    statement = stated(PROVED[name])
    found = judge(statement, numeric=False)
    assert found.kind in HOLDS, found.reason
    assert contradiction(statement, 0.1) is None


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_are_refuted(name):
    assert judge(stated(FALSE[name]), numeric=False).kind is Kind.REFUTED


def test_a_mean_that_may_be_infinite_is_not_divided():
    """True with values in [0, oo], but no quotient of numbers."""
    mean = Ex(sp.exp(Z), Z) / (1 - LOST)
    assert judge(stated((Eq(mean, mean), FINITE)), numeric=False).kind is not Kind.REFUTED
    with pytest.raises(Unsupported):
        by_quotients(stated((Eq(mean, mean), FINITE)), lambda lemma: Planner(
            lemma, 5, 0, 0.0)._prove(lemma))


def test_what_the_method_leaves_alone():
    def prove(lemma):
        raise Unsupported("nothing is proved")

    for form in (Eq(LOST + Pr(Z, "<", sp.oo), 1), Gt(y, 0)):
        assert by_quotients(Statement("test/s", form), prove) is None
    with pytest.raises(Unsupported):
        by_quotients(Statement("test/s", Eq(LOST / (1 - LOST), 1)), prove)


@pytest.mark.parametrize("seed", range(2))
def test_conditioning_moves_losses_by_fractions(seed):
    # the two mechanisms of Sommer et al. 2020, Lemma 3, outcome by outcome, with no logarithm
    rng = Random(seed)
    rows = [(Fraction(rng.randint(0, 4)), Fraction(rng.randint(0, 4))) for _ in range(5)]
    rows += [(Fraction(1), Fraction(2))]
    p, q = ([r[k] / sum(s[k] for s in rows) for r in rows] for k in (0, 1))
    common = [(a, b) for a, b in zip(p, q, strict=True) if a and b]
    first, second = (sum(c[k] for c in common) for k in (0, 1))
    inner = finite([a / first for a, _ in common], [b / second for _, b in common])
    whole = finite(p, q)
    for a, b in common[:2]:
        ratio, moved = (a / first) / (b / second), a / b
        expected = sum(x for x, w in common if x / w == moved) / first
        X, W = (PLD(*mechanism_pair(m)) for m in (inner, whole))
        at, there = (sp.log(sp.Rational(r.numerator, r.denominator)) for r in (ratio, moved))
        value = sp.Rational(expected.numerator, expected.denominator)
        assert judge(Statement("test/s", Eq(Pr(X, "==", at), value))).kind in HOLDS
        assert judge(Statement("test/s", Eq(
            Pr(W, "==", there) / (1 - Pr(W, "==", sp.oo)), value))).kind in HOLDS
