"""Profiles and tails from limits of integrals of transforms: the facts of inversion are cited."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 6_000, 4_000
P, Q = pair("P", "Q")
u, x, r = reals("u x r")
s = sp.Symbol("s")
HALF = sp.Rational(1, 2)
FINITE = AbsolutelyContinuous(P, Q)


def tails(sign=-1, half=HALF, scale=1):
    """The distribution function of the loss from its characteristic function."""
    wave = Ex(sp.exp(sp.I * u * PLD(P, Q)), PLD(P, Q))
    value = half + PV(sp.I * sp.exp(sign * sp.I * scale * u * x) * wave / u, u) / (2 * sp.pi)
    return Eq((F(PLD(P, Q))(x) + F(PLD(P, Q))(x, strict=True)) / 2, value)


def profile(line, residue=0, order=1 - s, pole=1):
    """The profile from moments along a line."""
    return Eq(delta(P, Q)(x), residue + Linv(E(order, P, Q) / (s * (s - pole)), s, x, line))


TRUE = {
    "tails": (tails(), [FINITE], "gil-pelaez"),
    "between the poles": (profile(HALF, 1), [], "bromwich"),
    "left of them": (profile(r, 0), [Lt(r, 0), Defined(E(1 - r, P, Q))], "bromwich"),
    "right of them": (profile(r, 1 - sp.exp(x)), [Gt(r, 1), Defined(E(1 - r, P, Q))], "bromwich"),
}
FALSE = {
    "the other side": (tails(sign=1), [FINITE]),
    "another constant": (tails(half=0), [FINITE]),
    "a scaled place": (tails(scale=2), [FINITE]),
    "infinite losses": (tails(), []),
    "no residue": (profile(HALF, 0), []),
    "that of the other pole": (profile(HALF, 1 - sp.exp(x)), []),
    "left of the poles with a residue": (profile(r, 1), [Lt(r, 0), Defined(E(1 - r, P, Q))]),
    "orders that grow": (profile(HALF, 1, order=s), []),
    "another pole": (profile(HALF, 1, pole=2), []),
    "a line that may meet a pole": (profile(r, 0), [Le(r, 0), Defined(E(1 - r, P, Q))]),
    "where moments may be infinite": (profile(r, 0), [Lt(r, 0)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_proved_by_the_fact(name):
    form, where, fact = TRUE[name]
    lines, reason, digest = searched(form, where, STEPS)
    assert lines is not None, reason
    assert set(accept(lines, digest).facts) == {fact}


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    form, where = FALSE[name]
    assert searched(form, where, FEW)[0] is None
