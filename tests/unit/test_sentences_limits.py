"""Limits, improper integrals and generalised densities as sentences."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.nodes import PV, B, D, Impulse, Int, Lim, LimInt, Linv, conv
from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
A, C = pn.pair("A", "C")
Z, BACK = pn.PLD(P, Q), pn.PLD(Q, P)
eps, t, u, v, x, gamma = lang.reals("eps t u v x gamma")
s = lang.complexes("s")
LATE = ("some t. (some u. (all v. ((u < v) -> not(((-5 + v) = 0))) and "
        "tends(v. if((u < v), inv((-5 + v)), 0), t)) and (t = 0))")

EVENTUALLY = ("(some {n}. (all {u}. (({n} < {u}) -> liny({y}. if({r}, {f}, {o}))) and "
              "tends({u}. if(({n} < {u}), lint({y}. if({r}, {f}, {o})), {o}), {x}))")
SYMMETRIC = "some t. " + EVENTUALLY.format(
    n="u", u="v", y="w", x="t", o="0", r="(abs(w) < v)", f="sin(w)") + " and (t = 0))"
PRINCIPAL = "some t. some u. " + EVENTUALLY.format(
    n="v", u="w", y="y", x="t", o="0", f="exp(y)",
    r="((exp((-1 * w)) < abs(y)) and (abs(y) <= 1))") + " and " + EVENTUALLY.format(
    n="v", u="w", y="y", x="u", o="0", f="exp(y)",
    r="((1 < abs(y)) and (abs(y) < w))") + " and ((t + u) = 0)))"
LINE = "(cx(gamma) + (i * cx(v)))"
INVERSION = "some z. " + EVENTUALLY.format(
    n="t", u="u", y="v", x="z", o="cx(0)", r="(abs(v) < u)",
    f=f"(exp(({LINE} * cx(x))) * {LINE})") + " and ((cx(inv((2 * pi))) * z) = cx(1)))"


def elaborated(form, where=()):
    bank = Bank()
    return bank, elaborate(Statement("paper/eq-1", form, where=where), bank).claim


def holds(form, p, q, samples=(), **letters):
    bank, claim = elaborated(form)
    return Interpreter(bank, len(p), {"P": p, "Q": q, **letters}, samples=samples).of(claim)


def shape(form):
    return text(*elaborated(form))


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(60):
        yield


def pairs(seed, count=8, size=3):
    rng = random.Random(seed)
    return [finite.random_pair(rng, size=size) for _ in range(count)]


def losses(*models):
    """All finite losses, and points between and beyond them."""
    ratios = sorted({r for m in models for r in finite.loss_masses(*m) if r != finite.INFINITE})
    between = [(a + b) / 2 for a, b in pairwise(ratios)]
    ends = [ratios[0] / 2, ratios[-1] * 2] if ratios else [Fraction(1)]
    return ratios, [reals.log(r) for r in sorted({*ratios, *between, *ends})]


def test_limits_from_each_side():
    for p, q in pairs(1):
        ratios, _ = losses((p, q))
        a = ratios[0] if ratios else Fraction(1)
        values = {side: finite.probability(p, q, relation, a)
                  for side, relation in (("+", "<="), ("-", "<"))}
        samples = (*set(values.values()), Fraction(1, 7))
        for side, value in values.items():
            form = lang.Eq(Lim(pn.F(Z)(t), t, eps, side), v)
            for w in samples:
                assert holds(form, p, q, samples, eps=reals.log(a), v=w) == (w == value)
        both = lang.Eq(sp.Integer(0) * v + Lim(pn.F(Z)(t), t, eps), v)
        for w in samples:
            assert holds(both, p, q, samples, eps=reals.log(a), v=w) == (
                w == values["+"] == values["-"])


def test_limits_at_the_ends():
    for p, q in pairs(2):
        lost = sum((a for a, b in zip(p, q, strict=True) if not b), Fraction(0))
        samples = (lost, 1 - lost, Fraction(1), Fraction(1, 7))
        for form, value in ((lang.Eq(Lim(pn.delta(P, Q)(t), t, sp.oo), v), lost),
                            (lang.Eq(Lim(pn.delta(P, Q)(t), t, -sp.oo), v), Fraction(1)),
                            (lang.Eq(1 - Lim(pn.F(Z)(t), t, sp.oo), v), lost)):
            for w in samples:
                assert holds(form, p, q, samples, v=w) == (w == value)


def test_a_limit_needs_values_in_the_end_only():
    told = shape(lang.Eq(Lim(1 / (t - 5), t, sp.oo), 0))
    assert told == LATE
    assert shape(lang.Defined(Lim(sp.exp(-t), t, sp.oo))) == (
        "some t. (tends(u. exp((-1 * u)), t) and not(false))")
    with pytest.raises(NotSaid, match="limit inside"):
        elaborated(lang.Eq(Int(Lim(t * x, t, 0), x, 0, 1), 0))
    with pytest.raises(NotSaid, match="may be infinite"):
        elaborated(lang.Eq(Lim(sp.exp(t), t, sp.oo), sp.oo))


def test_densities_of_two_pairs_are_compared_as_measures():
    same = lang.Eq(pn.f(Z)(t), pn.f(pn.PLD(A, C))(t))
    turned = lang.Eq(pn.f(Z)(t), sp.exp(t) * pn.f(BACK)(-t))
    seen = set()
    for (p, q), (a, c) in zip(pairs(3), pairs(4), strict=True):
        for other in ((a, c), (p[::-1], q[::-1])):
            _, points = losses((p, q), other)
            finite_part = [{r: m for r, m in finite.loss_masses(*k).items()
                            if r != finite.INFINITE} for k in ((p, q), other)]
            meant = finite_part[0] == finite_part[1]
            assert holds(same, p, q, points, A=other[0], C=other[1]) == meant
            assert holds(lang.Ge(pn.f(Z)(t), 0), p, q, points)
            seen.add(meant)
        _, points = losses((p, q), (q, p))
        assert holds(turned, p, q, points)
    assert seen == {True, False}


def test_densities_of_products_are_convolutions():
    both = pn.product_pair((P, Q), (A, C), names=("X", "Y"))
    joined = conv(pn.f(Z)(t), pn.f(pn.PLD(A, C))(t), t)
    for (p, q), (a, c) in zip(pairs(5, 6, 2), pairs(6, 6, 2), strict=True):
        model = finite.product_pair((p, q), (a, c))
        ratios, points = losses(model)
        assert holds(lang.Eq(pn.f(pn.PLD(*both))(t), joined), p, q, points, A=a, C=c)
        if ratios:
            assert not holds(lang.Eq(2 * pn.f(pn.PLD(*both))(t), joined), p, q, points, A=a, C=c)
        for r in ratios or [Fraction(1)]:
            assert holds(lang.Eq(pn.Pr(pn.PLD(*both), "==", x), Impulse(joined, t, x)), p, q,
                         A=a, C=c, x=reals.log(r))


def test_impulses():
    third, half = sp.Rational(1, 3), sp.Rational(1, 2)
    p, q = (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 2))
    ratios, points = losses((p, q))
    atoms = sum(m * sp.DiracDelta(t - sp.log(r)) for m, r in (
        (third, third / half), (1 - third, (1 - third) / half)))
    assert holds(lang.Eq(pn.f(Z)(t), atoms), p, q, points)
    assert not holds(lang.Eq(pn.f(Z)(t), atoms * sp.exp(t)), p, q, points)
    for r in (*ratios, Fraction(1)):
        at = reals.log(r)
        assert holds(lang.Eq(Impulse(pn.f(Z)(t), t, x), pn.Pr(Z, "==", x)), p, q, x=at)
        assert holds(lang.Eq(Impulse(pn.f(Z)(-t), t, -x), pn.Pr(Z, "==", x)), p, q, x=at)
    assert holds(lang.Eq(Impulse(v * sp.DiracDelta(1 - t) + sp.exp(t), t, 1), v), p, q,
                 v=Fraction(3))
    assert holds(lang.Eq(B(v * sp.DiracDelta(t - 1), t, 0), v), p, q, v=Fraction(3))


def test_densities_that_are_not_said():
    f = sp.Function("f")
    g = pn.f(Z)
    for form, where in ((lang.Eq(g(t), 0), (lang.Gt(t, 0),)), (lang.Eq(g(t) * g(x), 0), ()),
                        (lang.Implies(lang.Eq(g(t), 0), lang.Le(0, t)), ()),
                        (lang.Eq(Impulse(f(t), t, 0), 0), ()),
                        (lang.Eq(Impulse(D(pn.F(Z)(t), t), t, 0), 0), ()),
                        (lang.Eq(B(g(2 * t), t, 0), 1), ()),
                        (lang.Eq(sp.DiracDelta(t, 1), 0), ())):
        with pytest.raises(NotSaid):
            elaborated(form, where)


def test_improper_integrals():
    assert shape(lang.Eq(LimInt(sp.sin(t), t), 0)) == SYMMETRIC
    assert shape(lang.Eq(PV(sp.exp(t), t), 0)) == PRINCIPAL
    assert shape(lang.Eq(Linv(s, s, x, gamma), 1)) == INVERSION
