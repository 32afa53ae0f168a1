"""Trade-off functions and other extrema as sentences, against the definitions of the oracle."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from lapdp.kernel.domain import domain
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
a, v, w, x, y = lang.reals("a v w x y")
phi = tn.decisions("phi")


def elaborated(form, where=()):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", form, where=where), bank).claim


def coins(p, q, level):
    """Weights of a coin between two outcomes or none, one of them best, and the means under Q."""
    weights = {Fraction(0), Fraction(1)}
    weights |= {(level - s) / m for m in p if m for s in (0, *p) if 0 <= (level - s) / m <= 1}
    masses = [sum((q[i] for i in s), Fraction(0)) for s in finite.subsets(len(q))]
    return weights, {c * s + (1 - c) * u for c in weights for s, u in product(masses, repeat=2)}


def holds(notion, value, p, q, level, samples):
    bank, claim = elaborated(lang.Eq(notion, v))
    i = Interpreter(bank, len(p), {"P": p, "Q": q, "v": value, "a": level}, samples=samples)
    return i.of(claim)


@pytest.mark.parametrize("notion", [
    tn.T(P, Q)(a), tn.Inf(1 - tn.mean(Q, phi), phi, lang.Le(tn.mean(P, phi), a))])
def test_trade_off_functions(notion):
    rng = random.Random(1)
    for _ in range(3):
        p, q = finite.random_pair(rng, size=2)
        for level in (Fraction(0), Fraction(1, 3)):
            value = finite.trade_off(p, q, level)
            weights, means = coins(p, q, level)
            samples = sorted(weights | means)
            assert holds(notion, value, p, q, level, samples)
            assert not holds(notion, value + Fraction(1, 9), p, q, level, samples)
            assert not holds(notion, value, p, q, level + 2, samples)


def test_the_level_lies_in_the_unit_interval():
    bank, claim = elaborated(lang.Ge(tn.T(P, Q)(a), 0))
    assert text(bank, claim).startswith("((0 <= a) and ((a <= 1) and (0 <= (1 + (-1 * supR(")


def test_suprema_and_infima_of_reals():
    samples = [Fraction(n, 4) for n in range(-8, 9)]
    cases = [(tn.Sup(x - x**2 + a, x, 0, 1), Fraction(1, 4) + 1),
             (tn.Sup(x * a, x, -1, sp.Rational(1, 2)), Fraction(1, 2)),
             (tn.Inf(x, x, lang.Le(a, x), -2, 2), Fraction(1)),
             (tn.Inf(x**2 - 1, x, lang.Le(x, 0), -sp.oo, sp.Rational(-1, 2)), Fraction(-3, 4)),
             (tn.left_inverse(1 - x, x)(a / 2), Fraction(1, 2))]
    for notion, value in cases:
        assert holds(notion, value, (Fraction(1),), (Fraction(1),), Fraction(1), samples)
        assert not holds(notion, value + 1, (Fraction(1),), (Fraction(1),), Fraction(1), samples)


def test_conditions_of_a_body_are_asked_inside_the_range():
    bank, claim = elaborated(lang.Eq(tn.Sup(tn.T(P, Q)(x), x, 0, 1), 1))
    told = text(bank, claim)
    assert told.startswith("(all t. (((0 <= t) and (t <= 1)) -> (0 <= t)) and (all t. ((")
    asked = domain(bank, elaborate(Statement("paper/eq-1", lang.Eq(
        tn.Sup(1 / x, x, 1, 2), 1)), bank).claim)
    assert "all u. ((1 <= u) -> ((u <= 2) -> not((u = 0))))" in text(bank, asked)


def test_refusals():
    X, Y = pn.product_pair((P, Q), pn.pair("A", "B"), names=("X", "Y"))
    with pytest.raises(NotSaid, match="of a product"):
        elaborated(lang.Le(tn.T(X, Y)(a), 1))
    with pytest.raises(NotSaid, match="other than the second error"):
        elaborated(lang.Le(tn.Inf(tn.mean(P, phi), phi, lang.Le(tn.mean(P, phi), a)), 1))
