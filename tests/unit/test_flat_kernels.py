"""Mean losses against other divergences, which are flat where P = Q; trade-off numbers by balls."""

import pytest
import sympy as sp

from lapdp import finite, gaussian
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.methods.multipliers import by_multiplier

P, Q = pair()
Z = PLD(P, Q)
MEAN, HALF = Ex(Z, Z), sp.Rational(1, 2)
FINITE = [Defined(MEAN), Defined(E(2, P, Q))]


@pytest.mark.parametrize("form", [
    Ge(MEAN, 0), Le(MEAN, E(2, P, Q) - 1), Ge(MEAN, 2 - 2 * E(HALF, P, Q)),
    Ge(E(2, P, Q), 1), Ge(3 * MEAN, 2 * MEAN),
])
def test_orders_of_divergences_are_derived(form):
    assert judge(claim("it", form, where=FINITE), numeric=False).kind in HOLDS


@pytest.mark.parametrize("form", [
    Ge(MEAN, sp.Rational(1, 100)), Le(MEAN, 0), Gt(MEAN, 0), Le(MEAN, HALF * (E(2, P, Q) - 1)),
    Ge(MEAN, 3 - 3 * E(HALF, P, Q)), Ge(MEAN, E(2, P, Q) - 1), Le(MEAN, 2 - 2 * E(HALF, P, Q)),
    Ge(2 * MEAN, 3 * MEAN),
])
def test_their_false_neighbours_are_not(form):
    it = claim("it", form, where=FINITE)
    with pytest.raises(Unsupported, match="no multiple"):
        by_multiplier(it, None)
    assert judge(it, numeric=False).kind is Kind.REFUTED


def test_trade_off_numbers_are_told_apart():
    P, Q = mechanism_pair(finite(["1/2", "1/2"], ["1/5", "4/5"]))
    A, B = mechanism_pair(gaussian(1))
    fifth = sp.Rational(1, 5)

    def kind(form):
        return judge(claim("it", form), numeric=False).kind

    # by hand: rejecting the second outcome has errors 1/2 and 1/5; and of the pair (Q, P) half the
    # first outcome is what a level of 1/10 buys
    assert kind(Le(T(P, Q)(HALF), sp.Rational(21, 100))) in HOLDS
    assert kind(Lt(T(P, Q)(HALF), sp.Rational(19, 100))) is Kind.REFUTED
    assert kind(Ge(T(Q, P)(fifth / 2), sp.Rational(74, 100))) in HOLDS
    assert kind(Lt(T(Q, P)(fifth / 2), sp.Rational(74, 100))) is Kind.REFUTED
    # 1 - Phi(1) = 0.158655...
    assert kind(Lt(T(A, B)(HALF), sp.Rational(158655, 10**6))) is Kind.REFUTED
    assert kind(Lt(T(A, B)(HALF), sp.Rational(158656, 10**6))) in HOLDS
