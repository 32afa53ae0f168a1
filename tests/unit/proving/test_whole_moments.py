"""Losses from their moments of whole orders, and moments from tails and profiles."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 9_000, 4_000
"""What is proved takes some five thousand."""
(P1, Q1), (P2, Q2) = pair("P1", "Q1"), pair("P2", "Q2")
t, x = reals("t x")
n, k = naturals("n k", start=1)
c, d = positives("c d")
GROWING, TAILS = {"moments that grow slowly"}, {"same distribution functions"}
GROWTH = ForAll((k,), Lt(E(k + 1, P1, Q1), c * d**k * sp.factorial(k)))
FAST = ForAll((k,), Lt(E(k + 1, P1, Q1), c * d ** (k**2)))


def tails(place=x, shift=0):
    """The distribution functions of both losses at a point are equal."""
    return Eq(F(PLD(P1, Q1))(place), F(PLD(P2, Q2))(place + shift))


def moments(order, other=None):
    """Two moments are equal."""
    return Eq(E(order, P1, Q1), E(order if other is None else other, P2, Q2))


def profiles(place=x):
    """The profiles at a point are equal."""
    return Eq(delta(P1, Q1)(place), delta(P2, Q2)(place))


KNOWN = [Defined(E(3, P1, Q1))]
TRUE = {
    "tails": (Implies(moments(n + 1), tails(), over=(n,)), [GROWTH], GROWING),
    "profiles": (Implies(moments(n + 1), profiles(), over=(n,)), [GROWTH], GROWING),
    "a moment of tails": (Implies(tails(t), moments(3), over=(t,)), KNOWN, TAILS),
    "a moment of profiles": (Implies(profiles(t), moments(3), over=(t,)), KNOWN, TAILS),
    "the infinite loss": (Implies(tails(t), Eq(Pr(PLD(P2, Q2), "==", sp.oo), 0), over=(t,)),
                          [Eq(Pr(PLD(P1, Q1), "==", sp.oo), 0)], TAILS),
}
FALSE = {
    "no bound": (moments(n + 1), tails(), (n,), []),
    "moments that grow fast": (moments(n + 1), tails(), (n,), [FAST]),
    "another point": (moments(n + 1), tails(shift=1), (n,), [GROWTH]),
    "other orders": (moments(n + 1, n + 2), tails(), (n,), [GROWTH]),
    "one moment": (moments(3), tails(), (), [GROWTH]),
    "one point": (tails(1), moments(3), (), KNOWN),
    "a shifted loss": (tails(t, 1), moments(3), (t,), KNOWN),
    "another order": (tails(t), moments(3, 2), (t,), KNOWN),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_by_the_fact(name):
    form, where, facts = TRUE[name]
    lines, reason, digest = searched(form, where, STEPS)
    assert lines is not None, reason
    assert facts <= set(accept(lines, digest).facts) <= GROWING | TAILS


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    given, claimed, over, where = FALSE[name]
    assert searched(Implies(given, claimed, over=over), where, FEW)[0] is None
