"""Characteristic functions in statements: moduli on kernels, complete invariants; false ones."""

import random
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy.mechanisms import CARDS
from lapdp.theory import (
    PLD,
    B,
    Eq,
    Ex,
    F,
    Ge,
    Implies,
    ImpliesOn,
    Le,
    Lt,
    Pr,
    T,
    ac,
    delta,
    f,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement
from tests.oracle import finite

HOLD = ("proved", "derived")

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = product_pair((P1, Q1), (P2, Q2))
u, t, x, eps, c = reals("u t x eps c")
r = positives("r")
I = sp.I
BOUNDED = [ac(P1, Q1), ac(P2, Q2)]


def phi(P, Q, at=u):
    return Ex(sp.exp(I * at * PLD(P, Q)), PLD(P, Q))


def part(P, Q, at=u):
    return B(f(PLD(P, Q))(t), t)(-I * at)


def lost(P, Q):
    return Pr(PLD(P, Q), "==", sp.oo)


def kind(claim, where=()):
    return str(judge(Statement("x", claim, where=tuple(where)), numeric=False,
                     patience=0.3).kind)


TRUE = [
    (Le(sp.Abs(part(P, Q)), 1 - lost(P, Q)), ()),
    (Ge(1 - lost(*BOTH), sp.Abs(part(*BOTH))), ()),
    (Le(sp.Abs(phi(P, Q)), 1), [ac(P, Q)]),
]
FALSE = {
    "less than 1": (Lt(sp.Abs(phi(P, Q)), 1), [ac(P, Q)]),
    "twice the mass": (Le(sp.Abs(part(P, Q)), 1 - 2 * lost(P, Q)), ()),
    "the other mass": (Le(sp.Abs(part(P, Q)), 1 - lost(Q, P)), ()),
    "no hypothesis": (Le(sp.Abs(phi(P, Q)), 1), ()),
    "the other hypothesis": (Le(sp.Abs(phi(P, Q)), 1), [ac(Q, P)]),
    "a negative bound": (Le(sp.Abs(part(P, Q)), lost(P, Q) - 1), ()),
    "equality": (Eq(sp.Abs(part(P, Q)), 1 - lost(P, Q)), ()),
    "a complex place": (Le(sp.Abs(part(P, Q, u + I)), 1), ()),
    "a difference": (Le(sp.Abs(part(P, Q) - part(P, Q, 0)), 1), ()),
    "the larger side": (Ge(sp.Abs(part(P, Q)), 1 - lost(P, Q)), ()),
}


@pytest.mark.parametrize("claim, where", TRUE)
def test_moduli_on_kernels(claim, where):
    assert kind(claim, where) in HOLD


@pytest.mark.parametrize("name", FALSE)
def test_false_moduli_are_not_proved(name):
    assert kind(*FALSE[name]) not in HOLD


def test_the_bound_on_random_finite_pairs():
    rng = random.Random(3)
    for _ in range(50):
        masses = finite.random_pair(rng)
        at = Fraction(rng.randint(-20, 20), 4)
        finite_losses = [(p, p / q) for p, q in zip(*masses, strict=True) if p and q]
        value = sum(mp.mpf(p.numerator) / p.denominator * mp.expj(
            mp.mpf(at.numerator) / at.denominator
            * mp.log(mp.mpf(ratio.numerator) / ratio.denominator)) for p, ratio in finite_losses)
        infinite = sum((p for p, q in zip(*masses, strict=True) if not q), Fraction(0))
        rest = 1 - mp.mpf(infinite.numerator) / infinite.denominator
        assert abs(value) <= rest + mp.mpf(10) ** -12


def same(first, second, over, conclusion, where=BOUNDED):
    return kind(Implies(Eq(first, second), conclusion, over=(over,)), where)


PROFILES = Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps))


def test_invariants_that_determine_the_pair():
    mgf = [Ex(sp.exp(x * PLD(*p)), PLD(*p)) for p in ((P1, Q1), (P2, Q2))]
    cdf = [F(PLD(*p))(x) for p in ((P1, Q1), (P2, Q2))]
    assert same(phi(P1, Q1), phi(P2, Q2), u, PROFILES) in HOLD
    assert same(part(P1, Q1), part(P2, Q2), u, PROFILES, ()) in HOLD
    assert same(*cdf, x, PROFILES, ()) in HOLD
    assert same(*mgf, x, PROFILES, ()) in HOLD
    curves = Eq(T(P1, Q1)(x), T(P2, Q2)(x))
    assert kind(ImpliesOn(curves, Eq(phi(P1, Q1), phi(P2, Q2)), x, 0, 1), BOUNDED) in HOLD


def test_what_does_not_determine_it():
    half = [phi(*p, r) for p in ((P1, Q1), (P2, Q2))]
    assert same(*half, r, PROFILES) not in HOLD
    fixed = [phi(*p, sp.Integer(1)) for p in ((P1, Q1), (P2, Q2))]
    assert same(*fixed, u, PROFILES) not in HOLD
    assert same(phi(P1, Q1), phi(P2, Q2), u, PROFILES, ()) not in HOLD
    assert same(phi(P1, Q1), phi(P2, Q2), u, PROFILES, BOUNDED[:1]) not in HOLD
    assert same(phi(Q1, P1), phi(Q2, P2), u, PROFILES) not in HOLD
    assert same(phi(P1, Q1), phi(P2, Q2), u, Eq(delta(P1, Q1)(eps), delta(Q2, P2)(eps))
                ) not in HOLD
    assert same(phi(P1, Q1), phi(P2, Q2), u, Eq(T(P1, Q1)(x), T(P2, Q2)(x))) not in HOLD
    assert same(phi(P1, Q1), phi(P2, Q2), u, Eq(phi(Q1, P1), phi(Q2, P2))) not in HOLD
    shifted = [Pr(PLD(*p), "==", x) for p in ((P1, Q1), (P2, Q2))]
    assert same(*shifted, x, PROFILES) not in HOLD


CATALOGUE = {repr(m): m for card in CARDS.values() for m in card.pairs()[:1]
             if not m.free_symbols}


@pytest.mark.parametrize("name", CATALOGUE)
def test_closed_forms_of_the_catalogue(name):
    """phi(0) = 1, |phi| <= 1, phi' on the line q = -iu, and products multiply."""
    m = CATALOGUE[name]
    at = sp.Rational(3, 4)
    try:
        value, dual = m.characteristic(at), m.reverse().characteristic(at)
    except Undefined as problem:
        assert "Pr[Z = oo]" in str(problem)
        return
    except Unsupported:
        return
    assert abs(sp.N(m.characteristic(sp.Integer(0)), 20) - 1) < 1e-15
    assert abs(sp.N(value, 20)) <= 1 and abs(sp.N(dual, 20)) <= 1
    assert abs(sp.N(dual - m.moment(-I * at), 20)) < 1e-15
    try:
        product = (m * m).characteristic(at)
    except Unsupported:
        return
    assert abs(sp.N(product - value**2, 20)) < 1e-15
