"""Inner distributions: additivity over independent releases, and false neighbours of it."""

from fractions import Fraction
from itertools import product
from math import isclose, log

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.theory import *
from lapdp.theory.engine import judge

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
JOINT = product_pair((P1, Q1), (P2, Q2))
Z1, Z2, Z12, REVERSED = PLD(P1, Q1), PLD(P2, Q2), PLD(*JOINT), PLD(*reversed(JOINT))
n = naturals("n", start=1)
Zn = PLD(*composition("P^n", "Q^n", each=(P1, Q1))(n))
y = reals("y")
FINITE = [Defined(inner_variance(Z1)), Defined(inner_variance(Z2))]
LOST1, LOST2, LOST = (Pr(z, "==", sp.oo) for z in (Z1, Z2, Z12))
CUBE = inner_moment(Z1, 3)
SUM = Int(y * f(Z1)(y), y, -sp.oo, sp.oo)


def verdict(form, where=()):
    return str(judge(claim("x", form, where=list(where)), numeric=False, patience=1.0).kind)


@pytest.mark.parametrize("form", [
    Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)),
    Eq(inner_variance(Z12), inner_variance(Z1) + inner_variance(Z2)),
    Eq(inner_variance(Zn), n * inner_variance(Z1)),
    Eq(inner_mean(Z1) * (1 - LOST1), SUM),
    Ge(inner_variance(Z12), inner_variance(Z1)),
])
def test_true(form):
    assert verdict(form, FINITE) in ("proved", "derived")


@pytest.mark.parametrize(("form", "where"), [
    # a hypothesis dropped
    (Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)), []),
    (Eq(inner_mean(Z12), inner_mean(Z1) + inner_mean(Z2)), FINITE[:1]),
    # a sign, a power, a factor
    (Eq(inner_mean(Z12), inner_mean(Z1) - inner_mean(Z2)), FINITE),
    (Eq(inner_variance(Z12), inner_variance(Z1) - inner_variance(Z2)), FINITE),
    (Eq(inner_variance(Zn), n**2 * inner_variance(Z1)), FINITE),
    (Eq(inner_mean(Zn), (n + 1) * inner_mean(Z1)), FINITE),
    # strict for non-strict: a constant loss has variance 0
    (Gt(inner_variance(Z12), inner_variance(Z1)), FINITE),
    # P and Q exchanged
    (Eq(inner_mean(REVERSED), inner_mean(Z1) + inner_mean(Z2)), FINITE),
    # the mass at infinity forgotten, or counted twice
    (Eq(inner_mean(Z1), SUM), FINITE),
    (Eq(LOST, LOST1 + LOST2), []),
    (Eq(LOST, LOST1 * LOST2), []),
    # divided by what may be 0, though SymPy cancels it
    (Eq(Int(f(Z1)(y), y, -sp.oo, sp.oo) / (1 - LOST1), 1), []),
    # an inner mean is no mean, not even of finite losses
    (Eq(inner_mean(Z1), Ex(Z1, Z1)), FINITE),
    # third moments do not add up; absolute ones are no central ones
    (Eq(inner_moment(Z12, 3), CUBE + inner_moment(Z2, 3)), FINITE),
    (Eq(CUBE, inner_moment(Z1, 3, inner_mean(Z1))), [Defined(CUBE)]),
])
def test_false_neighbours_are_not_proved(form, where):
    assert verdict(form, where) in ("refuted", "undecided")


def test_values_against_the_definitions():
    """Exact finite pairs, with mass at infinity on both sides, by Fractions and logs."""
    masses = [((Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 4), Fraction(1, 2)),
               (Fraction(1, 4), Fraction(0)), (Fraction(0), Fraction(1, 4))),
              ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))]

    def law(outcomes):
        kept = [(p, log(p / q)) for p, q in outcomes if p and q]
        whole = sum(p for p, _ in kept)
        return [(float(p / whole), z) for p, z in kept]

    def mean(found):
        return sum(p * z for p, z in found)

    def variance(found):
        return sum(p * (z - mean(found)) ** 2 for p, z in found)

    joint = [(a * c, b * d) for (a, b), (c, d) in product(*masses)]
    laws = [law(m) for m in masses]
    assert isclose(mean(law(joint)), sum(mean(x) for x in laws))
    assert isclose(variance(law(joint)), sum(variance(x) for x in laws))


def test_orders():
    with pytest.raises(InputError):
        inner_moment(Z1, 0)
    with pytest.raises(InputError):
        composition("P", "Q", lambda i: None, each=(P1, Q1))
    with pytest.raises(InputError):
        composition("P", "Q", each=(Q1, P1))
