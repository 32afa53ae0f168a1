"""Hypotheses and claims about values that may be infinite, against values in [-oo, oo]."""

from __future__ import annotations

import operator
import random
from fractions import Fraction
from functools import cache

import pytest
import sympy as sp
from mpmath import mp

from lapdp.kernel.domain import domain
from lapdp.kernel.terms import Bank
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.sentences import NotSaid, elaborate
from lapdp.theory.statement import Statement
from tests.oracle import finite, reals
from tests.oracle.reals import Undefined
from tests.oracle.terms import Interpreter

P, Q = pn.pair("P", "Q")
A, C = pn.pair("A", "C")
eps, w, v = lang.reals("eps w v")
ORDERS = [Fraction(n, 2) for n in (-2, -1, 1, 3, 4)]
RELATIONS = {lang.Eq: operator.eq, lang.Le: operator.le, lang.Lt: operator.lt,
             lang.Ge: operator.ge, lang.Gt: operator.gt}


def said(hypotheses, p, q, **letters):
    """Do the hypotheses have a meaning, and hold?"""
    bank = Bank()
    found = elaborate(Statement("paper/eq-1", lang.Le(0, v), where=hypotheses), bank).hypotheses
    i = Interpreter(bank, len(p), {"P": p, "Q": q, "v": Fraction(0), **letters})

    def true(h):
        asked = domain(bank, h)
        try:
            return (asked is None or i.of(asked)) and i.of(h)
        except Undefined:
            return False

    return all(true(h) for h in found)


def number(value):
    """A value in [-oo, oo] as a ball's midpoint; equal values come out equal."""
    return value if isinstance(value, mp.mpf) and mp.isinf(value) else mp.mpf(
        mp.nstr(reals.num(value), 30))


def renyi(p, q, order):
    moment = finite.moment(p, q, order)
    log = mp.inf if reals.is_infinite(moment) else (
        -mp.inf if moment == 0 else mp.log(reals.num(moment)))
    return log / reals.num(order - 1)


def pairs(seed, count=10):
    """Couples of pairs; some are one pair in another order."""
    rng = random.Random(seed)
    first = [finite.random_pair(rng, size=3) for _ in range(count)]
    return [(m, (m[0][::-1], m[1][::-1]) if k % 4 == 0 else finite.random_pair(rng, size=3))
            for k, m in enumerate(first)]


@pytest.mark.parametrize("relation", RELATIONS)
def test_moments_and_divergences_of_two_pairs(relation):
    seen = set()
    with mp.workdps(60):
        for (p, q), (a, c) in pairs(1):
            for order in ORDERS:
                letters = {"A": a, "C": c, "w": order}
                for node, value in ((pn.E, finite.moment), (pn.R, renyi)):
                    if relation in (lang.Lt, lang.Gt):
                        sides, values = (2, node(w, P, Q)), (2, number(value(p, q, order)))
                    else:
                        sides = node(w, P, Q), node(w, A, C)
                        values = [number(value(*m, order)) for m in ((p, q), (a, c))]
                    meant = RELATIONS[relation](*values)
                    assert said((relation(*sides),), p, q, **letters) == meant
                    seen.add((meant, any(map(mp.isinf, values))))
    assert len(seen) == 4


def test_finite_divergences():
    with mp.workdps(60):
        for (p, q), _ in pairs(2):
            for order in [*ORDERS, Fraction(1)]:
                meant = order != 1 and mp.isfinite(renyi(p, q, order))
                assert said((lang.Defined(pn.R(w, P, Q)),), p, q, w=order) == meant
                assert said((lang.Ne(pn.E(w, P, Q), 1),), p, q, w=order) == (
                    finite.moment(p, q, order) != 1)


def test_integrals_of_what_is_not_negative():
    body = sp.Max(0, P - 2 * Q)
    for (p, q), _ in pairs(3):
        value = finite.hockey_stick(p, q, 2)
        assert said((lang.Ge(pn.Omega(body), sp.Rational(1, 4)),), p, q) == (
            value >= Fraction(1, 4))


def test_claims_that_a_value_is_infinite():
    with mp.workdps(60):
        for (p, q), _ in pairs(4):
            lost = sum((x for x, y in zip(p, q, strict=True) if not y), Fraction(0))
            for order in ORDERS:
                claims = {pn.E(w, P, Q): reals.is_infinite(finite.moment(p, q, order)),
                          pn.R(w, P, Q): renyi(p, q, order) == mp.inf,
                          pn.Ex(pn.PLD(P, Q), pn.PLD(P, Q)): lost > 0}
                for node, meant in claims.items():
                    bank = Bank()
                    claim = elaborate(Statement("paper/eq-1", lang.Eq(node, sp.oo)), bank).claim
                    i = Interpreter(bank, len(p), {"P": p, "Q": q, "w": order})
                    assert i.of(claim) == meant


def claimed(claim, p, q, **letters):
    """Has the claim a meaning, and does it hold?"""
    bank = Bank()
    found = elaborate(Statement("paper/eq-1", claim), bank)
    i = Interpreter(bank, len(p), {"P": p, "Q": q, **letters})
    asked = domain(bank, found.claim)
    try:
        return (asked is None or i.of(asked)) and i.of(found.claim)
    except Undefined:
        return False


@pytest.mark.parametrize("relation", [lang.Eq, lang.Le, lang.Ge])
def test_claims_about_values_that_may_be_infinite(relation):
    seen = set()
    with mp.workdps(60):
        for (p, q), (a, c) in pairs(5, 6):
            for order in ORDERS:
                first, second = (number(finite.moment(*m, order)) for m in ((p, q), (a, c)))
                letters = {"A": a, "C": c, "w": order}
                for factor in (1, 3):
                    claim = relation(pn.E(w, P, Q), factor * pn.E(w, A, C))
                    meant = RELATIONS[relation](first, factor * second)
                    assert claimed(claim, p, q, **letters) == meant
                    seen.add((meant, mp.isinf(first), mp.isinf(second)))
    assert len(seen) >= 5


def test_claims_about_expectations_that_may_be_infinite():
    seen = set()
    with mp.workdps(60):
        for (p, q), (a, c) in pairs(6, 6):
            loss = pn.PLD(P, Q)
            value = mp.inf if any(x and not y for x, y in zip(p, q, strict=True)) else mp.mpf(0)
            for order in ORDERS[2:]:
                first, second = (number(finite.moment(*m, order + 1)) for m in ((p, q), (a, c)))
                claim = lang.Eq(pn.Ex(sp.exp(w * loss), loss), 2 * pn.E(w + 1, A, C))
                assert claimed(claim, p, q, A=a, C=c, w=order) == (first == 2 * second)
                seen.add(bool(mp.isinf(first)))
            mean = lang.Le(eps, pn.Ex(loss, loss))
            assert claimed(mean, p, q, eps=Fraction(-1))
            if value:
                assert claimed(mean, p, q, eps=Fraction(10 ** 6))
            assert not claimed(lang.Le(pn.Ex(loss, loss), -1), p, q)
    assert len(seen) == 2


@pytest.mark.parametrize("form", [
    lang.Le(pn.E(w, P, Q) + 1, 2),
    lang.Lt(pn.E(w, P, Q), pn.E(w, Q, P)),
])
def test_what_stays_open_is_refused(form):
    with pytest.raises(NotSaid, match="may be infinite"):
        said((form,), (Fraction(1),), (Fraction(1),), w=Fraction(2))


def extended_log(x):
    return mp.inf if mp.isinf(x) else mp.log(x) if x > 0 else mp.nan


MADE = {
    "a sum": (lambda a, b: a + b, lambda x, y: x + y, True),
    "a sum of multiples": (lambda a, b: 2 * a + 3 * b + 1, lambda x, y: 2 * x + 3 * y + 1, True),
    "a difference": (lambda a, b: a - b, lambda x, y: x - y, False),
    "a product": (lambda a, b: a * b, lambda x, y: x * y, True),
    "a logarithm": (lambda a, b: sp.log(a + b), lambda x, y: extended_log(x + y), True),
    "a letter times": (lambda a, b: v * a + b, lambda x, y: mp.mpf(1) / 2 * x + y, True),
    "0 times": (lambda a, b: eps * a + b, lambda x, y: mp.nan if mp.isinf(x) else y, True),
    "falling": (lambda a, b: sp.exp(-a - b), lambda x, y: mp.exp(-x - y), True),
}
"""Of two values that may be infinite, and whether their infinite values are told."""


@cache
def ends():
    """Pairs of which none, one, the other and both have an infinite moment of order 2."""
    found = {tuple(reals.is_infinite(finite.moment(*m, Fraction(2))) for m in two): two
             for two in pairs(10, 6)}
    assert len(found) == 4
    return list(found.values())


@pytest.mark.parametrize("name", MADE)
def test_claims_about_what_is_made_of_infinite_values(name):
    """Where a sum has no value, as 0 oo has none, no claim about it holds."""
    made, meant, told = MADE[name]
    with mp.workdps(40):
        for (p, q), (a, c) in ends():
            x, y = (number(finite.moment(*m, Fraction(2))) for m in ((p, q), (a, c)))
            value = meant(x, y)
            for other, against in ((sp.Integer(1), mp.mpf(1)), (pn.E(2, A, C), y)):
                for relation in (lang.Eq, lang.Le, lang.Ge):
                    claim = relation(made(pn.E(2, P, Q), pn.E(2, A, C)), other)
                    holds = not mp.isnan(value) and RELATIONS[relation](value, against)
                    got = claimed(claim, p, q, A=a, C=c, v=Fraction(1, 2), eps=Fraction(0))
                    assert got == holds if told else not got or holds


def test_an_order_of_1_is_no_order_beside_an_infinite_value():
    p, q = (Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2))
    loss = pn.PLD(Q, P)  # its mean is infinite
    claim = lang.Le(pn.R(w, P, Q) + 1, pn.Ex(loss, loss))
    assert claimed(claim, p, q, w=Fraction(2))
    assert not claimed(claim, p, q, w=Fraction(1))


def test_notions_of_two_of_several_distributions():
    """... and of mixtures of them, against sums over the outcomes."""
    first, second, third = pn.distributions("A B C")
    rng, seen = random.Random(8), set()
    with mp.workdps(60):
        for _ in range(3):
            (a, b), (c, _) = (finite.random_pair(rng, size=3) for _ in range(2))
            mixed = tuple((x + y) / 2 for x, y in zip(b, c, strict=True))
            for two, masses in (((first, third), (a, c)), ((second, first), (b, a)), (
                    (first, second / 2 + third / 2), (a, mixed))):
                for order in ORDERS[2:]:
                    x = number(renyi(*masses, order))
                    for bound in (Fraction(1, 2), Fraction(10 ** 6)):
                        got = claimed(lang.Le(pn.R(w, *two), v), a, b, A=a, B=b, C=c, w=order,
                                      v=bound)
                        assert got == (x <= number(bound))
                        seen.add((got, bool(mp.isinf(x))))
    assert len(seen) >= 3


def test_weights_of_several_distributions_must_be_weights():
    first, second, third = pn.distributions("A B C")
    a, b, c = ((Fraction(1), Fraction(0)),) * 3
    for weights, holds in (((v, 1 - v), True), ((v, v), False), ((v, 2 - v), False)):
        claim = lang.Ge(pn.E(w, first, weights[0] * second + weights[1] * third), 0)
        for value in (Fraction(1, 2), Fraction(2), Fraction(-1)):
            got = claimed(claim, a, b, A=a, B=b, C=c, w=Fraction(2), v=value)
            assert got == ((holds and 0 <= value <= 1) or (
                weights[1] == v and value == Fraction(1, 2)))
