"""Profiles and tails that a transform determines: the facts about two measures are cited."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 9_000, 5_000
"""What is proved takes some five thousand."""
(P1, Q1), (P2, Q2) = pair("P1", "Q1"), pair("P2", "Q2")
r, u, x = reals("r u x")
w = positives("w")
MOMENTS, LINE = {"same transforms"}, {"same characteristic functions"}


def profiles(shift=0):
    """The two profiles at a point are equal."""
    return Eq(delta(P1, Q1)(x), delta(P2, Q2)(x + shift))


def moments(order, other=None):
    """Two moments are equal."""
    return Eq(E(order, P1, Q1), E(order if other is None else other, P2, Q2))


def waves(factor=-sp.I, second=1):
    """The transforms of the losses at u are equal."""
    t = sp.Symbol("t", real=True)
    return Eq(B(f(PLD(P1, Q1))(t), t, factor * u), B(f(PLD(P2, Q2))(t), t, second * factor * u))


BETWEEN = (r + u * w) / (1 + w)
SPAN = [Ge(r, 0), Lt(r, u), Le(u, 1)]
TAILS = Eq(F(PLD(P1, Q1))(x), F(PLD(P2, Q2))(x))
TRUE = {
    "orders between 0 and 1": (
        Implies(moments(1 / (1 + w)), profiles(), over=(w,)), [], MOMENTS),
    "an interval of them, rising": (
        Implies(moments(BETWEEN), profiles(), over=(w,)), SPAN, MOMENTS),
    "tails": (Implies(moments(1 / (1 + w)), TAILS, over=(w,)), [], MOMENTS),
    "the finite losses": (Implies(waves(), profiles(), over=(u,)), [], LINE),
    "their tails": (Implies(waves(), TAILS, over=(u,)), [], LINE),
}
FALSE = {
    "one order": (moments(sp.Rational(1, 2)), profiles(), (), []),
    "an interval of one point": (moments(BETWEEN), profiles(), (w,), [Ge(r, 0), Eq(u, r)]),
    "another point": (moments(1 / (1 + w)), profiles(1), (w,), []),
    "other orders": (moments(1 / (1 + w), w / (1 + w)), profiles(), (w,), []),
    "above 1, where both may be infinite": (moments(1 + w), profiles(), (w,), []),
    "below 0, where both may be infinite": (moments(-w), profiles(), (w,), []),
    "the opposite loss": (waves(second=-1), profiles(), (u,), []),
    "the line of one": (waves(0), profiles(), (u,), []),
    "a scaled loss": (waves(second=2), profiles(), (u,), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_by_the_fact(name):
    form, where, facts = TRUE[name]
    lines, reason, digest = searched(form, where, STEPS)
    assert lines is not None, reason
    assert set(accept(lines, digest).facts) == facts


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    given, claimed, over, where = FALSE[name]
    assert searched(Implies(given, claimed, over=over), where, FEW)[0] is None
