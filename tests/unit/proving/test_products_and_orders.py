"""Products of complex moments, integrands by the order of two densities, exponents with signs, and
characteristic functions from tails."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 8_000, 5_000
(P, Q), (P1, Q1), (P2, Q2) = pair("P", "Q"), pair("P1", "Q1"), pair("P2", "Q2")
u, x, eps, g = reals("u x eps gamma")
e = sp.exp
AC = [ac(P1, Q1), ac(P2, Q2)]
BOTH = product_pair((P1, Q1), (P2, Q2))


def wave(two, at=u):
    """E exp(i at Z) of the loss Z of a pair."""
    return Ex(e(sp.I * at * PLD(*two)), PLD(*two))


def mixed(rate, first=1):
    """The profiles of a mixture in the first place and in the second."""
    return (delta(rate * P + (1 - rate) * Q, Q)(first * eps),
            delta(P, (1 - rate) * P + rate * Q)(eps))


def other(two=(P1, Q1)):
    """The mixture in the second place below the one of (P, Q) in the first."""
    M, N = two
    return Le(delta(M, (1 - g) * M + g * N)(eps), delta(g * P + (1 - g) * Q, Q)(eps))


BELOW = ForAll(x, Le(delta(P1, Q1)(x), delta(P, Q)(x)))
RATE = [Ge(g, 0), Le(g, 1)]
TAILS = Eq(F(PLD(P1, Q1))(x), F(PLD(P2, Q2))(x))
PROFILES = Eq(delta(P1, Q1)(x), delta(P2, Q2)(x))
TRUE = [
    (Eq(wave(BOTH), wave((P1, Q1)) * wave((P2, Q2))), AC),
    (Ge(*mixed(g)), [*RATE, Ge(eps, 0)]),
    (Le(*mixed(g)), [*RATE, Lt(eps, 0)]),
    (other(), [*RATE, Ge(eps, 0), BELOW]),
    (Implies(TAILS, Eq(wave((P1, Q1)), wave((P2, Q2))), over=(x,)), AC),
    (Implies(PROFILES, Eq(wave((P1, Q1)), wave((P2, Q2))), over=(x,)), AC),
]
FALSE = [
    # where the loss is infinite the mean has no value
    (Eq(wave(BOTH), wave((P1, Q1)) * wave((P2, Q2))), AC[:1]),
    (Eq(wave(BOTH, 2 * u), wave((P1, Q1)) * wave((P2, Q2))), AC),
    (Ge(*mixed(g)), [*RATE, Lt(eps, 0)]),
    (Le(*mixed(g)), [*RATE, Ge(eps, 0)]),
    (Ge(*mixed(g)), [RATE[0], Ge(eps, 0)]),
    (other(), [*RATE, Lt(eps, 0), BELOW]),
    (other(), [RATE[0], Ge(eps, 0), BELOW]),
    (Implies(TAILS, Eq(wave((P1, Q1)), wave((P2, Q2))), over=(x,)), AC[:1]),
    (Implies(TAILS, Eq(wave((P1, Q1)), wave((Q2, P2))), over=(x,)), [*AC, ac(Q2, P2)]),
    (Implies(PROFILES, Eq(wave((P1, Q1)), wave((P2, Q2), -u)), over=(x,)), AC),
]


@pytest.mark.parametrize(("form", "where"), TRUE, ids=range(len(TRUE)))
def test_true_claims_are_derived(form, where):
    lines, why, digest = searched(form, where, STEPS)
    assert lines is not None, why
    accept(lines, digest)


SMALL = sp.Symbol("delta", positive=True)
LARGE = sp.Symbol("epsilon", positive=True)


def part(sign=1):
    """The mass of a Laplace law below -log(delta) / epsilon."""
    y = sp.Symbol("y", real=True)
    return Int(LARGE * e(-LARGE * sp.Abs(y)) / 2, y, -sp.oo, -sign * sp.log(SMALL) / LARGE)


@pytest.mark.parametrize(("value", "found"), [(1 - SMALL / 2, True), (SMALL / 2, False)])
def test_exponents_that_are_products_have_a_sign(value, found):
    lines, why, _ = searched(Eq(part(), value), [Lt(SMALL, 1)], STEPS)
    assert (lines is not None) is found, why


@pytest.mark.parametrize(("form", "where"), FALSE, ids=range(len(FALSE)))
def test_false_claims_are_not(form, where):
    assert searched(form, where, FEW)[0] is None
