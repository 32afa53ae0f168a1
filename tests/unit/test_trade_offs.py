"""Trade-off functions: what is proved, and false neighbours of it that must not be."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.tradeoff import least_over_tests, trade_off
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.real_lemmas import polynomial_lemma
from lapdp.theory.statement import Statement
from tests.oracle import finite as by_definition
from tests.oracle import levels
from tests.patience import with_nightly

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
A, B, C = distributions("A B C")
a, b, w, y, eps, t = reals("a b w y eps t")
phi = decisions("phi")
f, r = T(P, Q), T(Q, P)
f1, f2 = T(P1, Q1), T(P2, Q2)
d1, d2 = delta(P1, Q1), delta(P2, Q2)
MIX = w * Q + (1 - w) * P


def unit(*symbols):
    return [h for s in symbols for h in (Ge(s, 0), Le(s, 1))]


def verdict(form, *where):
    return judge(Statement("x", form, tuple(where)), numeric=False, patience=0.5).kind


TRUE = [
    (Le(f(a), 1 - a), unit(a)),
    (Eq(f(1), 0), []),
    (Le(f(w * a + (1 - w) * b), w * f(a) + (1 - w) * f(b)), unit(w, a, b)),
    (Eq(left_inverse(f(t), t)(a), r(a)), unit(a)),
    (Eq(f(a), Sup(1 - sp.exp(t) * a - delta(Q, P)(t), t, -sp.oo, sp.oo)), unit(a)),
    (Eq(delta(P, Q)(eps), Sup(1 - t - sp.exp(eps) * f(t), t, 0, 1)), []),
    (Eq(T(P, MIX)(a), w * f(a) + (1 - w) * (1 - a)), unit(w, a)),
    (Le(r(y), a), [*unit(a, y), Le(f(a), y)]),
    (Ge(1 - mean(Q, phi), f(mean(P, phi))), []),
    (Ge(1 - mean(Q, phi), f(a)), [*unit(a), Le(mean(P, phi), a)]),
    (ImpliesOn(Ge(f1(t), f2(t)), Le(d1(eps), d2(eps)), t), []),
    (ImpliesOn(Eq(f(t), r(t)), Eq(delta(P, Q)(eps), delta(Q, P)(eps)), t), []),
    (Implies(Le(d1(eps), d2(eps)), Ge(T(Q1, P1)(a), T(Q2, P2)(a)), (eps,)), unit(a)),
    (Ge(f1(a), f2(a)), [*unit(a), ForAll((t,), Le(d1(t), d2(t)))]),
    (Le(T(*product_pair((P1, Q1), (P2, Q2)))(a), T(*product_pair((P2, Q2), (P1, Q1)))(a)), unit(a)),
    (ContinuousOn(w * f(t) + (1 - w) * (1 - t), t, 0, 1), []),
]

NOT_PROVED = {
    "the reverse inequality": (Ge(f(a), 1 - a), unit(a)),
    "no range for the level": (Le(f(a), 1 - a), []),
    "a level above 1": (Le(f(1 + a), 1), unit(a)),
    "a half range": (Ge(f(a), 0), [Ge(a, 0)]),
    "symmetry": (Eq(f(a), r(a)), unit(a)),
    "concavity": (Ge(f(w * a + (1 - w) * b), w * f(a) + (1 - w) * f(b)), unit(w, a, b)),
    "convexity beyond weights": (
        Le(f(w * a + (1 - w) * b), w * f(a) + (1 - w) * f(b)), unit(a, b)),
    "increasing": (Le(f(a), f(b)), [*unit(a, b), Le(a, b)]),
    "strict": (Lt(f(a), 1 - a), unit(a)),
    "value 1 at level 0": (Eq(f(0), 1), []),
    "f + r <= 1": (Ge(f(a) + r(a), 1), unit(a)),
    "the inverse is f": (Eq(left_inverse(f(t), t)(a), f(a)), unit(a)),
    "duality with the wrong profile": (
        Eq(f(a), Sup(1 - sp.exp(t) * a - delta(P, Q)(t), t, -sp.oo, sp.oo)), unit(a)),
    "duality over eps >= 0 only": (
        Eq(f(a), Sup(1 - sp.exp(t) * a - delta(Q, P)(t), t, 0, sp.oo)), unit(a)),
    "duality over half the levels": (
        Eq(delta(P, Q)(eps), Sup(1 - t - sp.exp(eps) * f(t), t, 0, sp.Rational(1, 2))), []),
    "conjugate with a wrong sign": (
        Eq(delta(P, Q)(eps), Sup(1 - t + sp.exp(eps) * f(t), t, 0, 1)), []),
    "an unbounded supremum": (
        Le(f(a), Sup(sp.exp(t) * f(a), t, -sp.oo, sp.oo)), unit(a)),
    "a mixture with x": (Eq(T(P, MIX)(a), w * f(a) + (1 - w) * a), unit(w, a)),
    "a mixture in the other slot": (
        Eq(T(MIX, P)(a), w * r(a) + (1 - w) * (1 - a)), unit(w, a)),
    "weights that make no distribution": (
        Eq(T(P, MIX)(a), w * f(a) + (1 - w) * (1 - a)), unit(a)),
    "weights with another sum": (Ge(T(P, w * P + w * Q)(a), 0), unit(w, a)),
    "three distributions": (Ge(1 - mean(C, phi), mean(A, phi) - 1), []),
    "a test on two spaces": (Ge(mean(P1, phi), mean(P2, phi)), []),
    "no admissible test": (
        Ge(Inf(mean(Q, phi), phi, Le(mean(P, phi), -1)), 0), []),
    "an infimum over an empty set": (
        Le(Inf(t, t, Le(1 + f(t), 0)), 1), []),
    "the infimum of an empty interval": (Le(Inf(t, t, Le(f(t), 1), 1, 0), 1), []),
    "contradicting hypotheses": (Ge(f(a), 1), [*unit(a), Ge(f(a), 2)]),
    "the hypothesis the wrong way": (Le(r(y), a), [*unit(a, y), Ge(f(a), y)]),
    "biconjugate from above": (
        Ge(biconjugate(sp.Min(f(t), r(t)), t)(a), f(a)), unit(a)),
    "biconjugate outside the levels": (
        Le(biconjugate(sp.Min(f(t), r(t)), t)(a), f(a)), [Ge(a, 0)]),
    "a captured variable": (
        Eq(left_inverse(f(a), a)(a), f(a)), unit(a)),
    "a test free and bound": (
        Le(Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), a)), 1 - mean(Q, phi)), unit(a)),
    "the order of profiles": (ImpliesOn(Ge(f1(t), f2(t)), Le(d2(eps), d1(eps)), t), []),
    "other pairs": (
        ImpliesOn(Ge(f1(t), f2(t)), Le(delta(P1, Q1)(eps), delta(Q2, P2)(eps)), t), []),
    "an order at some levels": (
        ImpliesOn(Ge(f1(t), f2(t)), Le(d1(eps), d2(eps)), t, 0, sp.Rational(1, 2)), []),
    "an order at one level": (
        ImpliesOn(Ge(f1(a), f2(a)), Le(d1(eps), d2(eps)), t), unit(a)),
    "an order of profiles at eps > 0": (
        Implies(Le(delta(P1, Q1)(positives("u")), delta(P2, Q2)(positives("u"))),
                Ge(f1(a), f2(a)), (positives("u"),)), unit(a)),
    "profiles the wrong way": (Le(f1(a), f2(a)), [*unit(a), ForAll((t,), Le(d1(t), d2(t)))]),
    "profiles at one point": (Ge(f1(a), f2(a)), [*unit(a), Le(d1(0), d2(0))]),
    "profiles at eps >= 0": (Ge(f1(a), f2(a)), [
        *unit(a), ForAll((t,), Le(d1(t), d2(t)), (Ge(t, 0),))]),
    "profiles, at no level": (Ge(f1(a), f2(a)), [ForAll((t,), Le(d1(t), d2(t)))]),
    "profiles, strictly": (Gt(f1(a), f2(a)), [*unit(a), ForAll((t,), Le(d1(t), d2(t)))]),
    "two levels": (Ge(f1(a), f2(b)), [*unit(a, b), ForAll((t,), Le(d1(t), d2(t)))]),
    "one side reversed": (Ge(f1(a), T(Q2, P2)(a)), [*unit(a), ForAll((t,), Le(d1(t), d2(t)))]),
    "a product and its factor": (Eq(T(*product_pair((P1, Q1), (P2, Q2)))(a), f1(a)), unit(a)),
    "a conclusion at no level": (Implies(Le(d1(eps), d2(eps)), Ge(f1(a), f2(a)), (eps,)), []),
    "continuity beyond 1": (ContinuousOn(f(t), t, 0, 2), []),
    "continuity of a quotient": (ContinuousOn(1 / f(t), t, 0, 1), []),
}


@pytest.mark.parametrize("case", TRUE, ids=lambda c: str(c[0])[:60])
def test_proved(case):
    assert verdict(case[0], *case[1]) in HOLDS


@pytest.mark.parametrize("name", with_nightly(
    NOT_PROVED, "one side reversed", "profiles at eps >= 0", "two levels", "other pairs",
    "an order at one level", "profiles the wrong way"))
def test_false_neighbours_are_not_proved(name):
    form, where = NOT_PROVED[name]
    assert verdict(form, *where) not in HOLDS


def test_a_set_is_no_number():
    assert verdict(Eq(set_of(t, Le(f(t), a)), r(a)), *unit(a)) is Kind.ILL_FORMED


def test_refutations_have_exact_witnesses():
    found = judge(Statement("x", Ge(f(a), 1 - a), tuple(unit(a))), numeric=False)
    assert found.kind is Kind.REFUTED
    assert (found.witness.lhs, found.witness.rhs) == ("1/2", "1")


@pytest.mark.parametrize(("relation", "where", "holds"), [
    (Ge(a * b, 0), [Ge(a, 0), Ge(b, 0)], True),
    (Ge(a * b, 0), [Ge(a, 0)], False),
    (Gt(a * b, 0), [Ge(a, 0), Ge(b, 0)], False),
    (Le(a * (1 - b), 1), unit(a, b), True),
    (Ge(a - b, 0), [Eq(a, b + t), Ge(t, 0)], True),
    (Ge(a - b, 0), [Eq(a, b + t)], False),
    (Ge(sp.exp(t) * (1 - a), 0), unit(a), True),
    (Ge(sp.exp(t) - 1, 0), [Ge(t, 0)], False),
    (Ge(a, 0), [Ge(a, 1), Le(a, 0)], False),
])
def test_lemmas_on_reals(relation, where, holds):
    assert (polynomial_lemma(relation, tuple(where)) is not None) is holds


def test_curves_against_all_extreme_tests():
    rng = random.Random(3)
    for _ in range(60):
        p, q = by_definition.random_pair(rng, size=rng.choice((1, 2, 3, 4)))
        curve = trade_off(zip(p, q, strict=True))
        for level in (Fraction(k, 6) for k in range(7)):
            assert curve(level) == by_definition.trade_off(p, q, level) == (
                levels.best_test(
                    len(p), lambda u, q=q: 1 - sum(x * m for x, m in zip(u, q, strict=True)),
                    lambda u, p=p, c=level: sum(x * m for x, m in zip(u, p, strict=True)) - c))
            assert curve.inverse(level) == by_definition.trade_off(q, p, level)


def test_one_constraint_against_all_extreme_tests():
    rng = random.Random(5)
    for _ in range(200):
        rows = [(Fraction(rng.randint(-3, 3)), Fraction(rng.randint(-3, 3)))
                for _ in range(rng.randint(1, 4))]
        budget = Fraction(rng.randint(0, 4))
        assert least_over_tests(rows, Fraction(1), budget) == levels.best_test(
            len(rows), lambda u, rows=rows: 1 + sum(x * v for x, (v, _) in zip(
                u, rows, strict=True)),
            lambda u, rows=rows, c=budget: sum(x * m for x, (_, m) in zip(
                u, rows, strict=True)) - c)
