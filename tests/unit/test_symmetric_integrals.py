"""Principal values and Levy's formula: what is proved, and false neighbours that must not be."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import laplace
from lapdp.core.verdict import HOLDS
from lapdp.numeric.bromwich import symmetric_integral
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
a, b, x, u = reals("a b x u")
Z, Y = PLD(P, Q), PLD(Q, P)
I, PI = sp.I, sp.pi
PHI, PHI_PRIME = Ex(sp.exp(I * u * Z), Z), Ex(sp.exp(I * u * Y), Y)
FINITE, NO_ATOM = ac(P, Q), NoAtom(Z, x)
KERNEL = (sp.exp(-I * u * a) - sp.exp(-I * u * b)) / (I * u)


def mean(loss, at):
    return (F(loss)(at) + F(loss)(at, strict=True)) / 2


def inverted(phi, integral=PV, sign=1):
    return sp.Rational(1, 2) + sign * integral(I * sp.exp(-I * u * x) / u * phi, u) / (2 * PI)


def kind(claim, *where):
    return judge(Statement("t/x", claim, where=where), numeric=False, patience=4).kind


@pytest.mark.parametrize(("claim", "where"), [
    (Eq(F(Z)(x), inverted(PHI)), (FINITE, NO_ATOM)),
    (Eq(mean(Z, x), inverted(PHI)), (FINITE,)),
    (Eq(mean(Z, b) - mean(Z, a), LimInt(KERNEL * PHI, u) / (2 * PI)), (Lt(a, b), FINITE)),
    (Eq(mean(Z, b) - mean(Z, a), PV(KERNEL * PHI, u) / (2 * PI)), (FINITE,)),
    (Eq(Lim(PV(sp.exp(-I * u * a) / (I * u) * PHI, u), a, -sp.oo), PI), (FINITE,)),
    (Eq(PV(sp.exp(I * u * x) / u, u), I * PI), (Gt(x, 0),)),
    (Eq(PV(sp.exp(I * u * x) / u, u), 0), (Eq(x, 0),)),
])
def test_proved(claim, where):
    assert kind(claim, *where) in HOLDS


@pytest.mark.parametrize(("claim", "where"), [
    (Eq(F(Z)(x), inverted(PHI)), (FINITE,)),                           # an atom at x
    (Eq(F(Z)(x), inverted(PHI)), (NO_ATOM,)),                          # mass at +oo
    (Eq(F(Z)(x), inverted(PHI)), (ac(Q, P), NO_ATOM)),                 # the wrong direction
    (Eq(F(Z)(x), inverted(PHI, sign=-1)), (FINITE, NO_ATOM)),          # a sign
    (Eq(F(Z)(x), inverted(PHI, LimInt)), (FINITE, NO_ATOM)),           # diverges at 0
    (Eq(F(Z)(x, strict=True), inverted(PHI)), (FINITE,)),              # < for <=
    (Eq(F(Y)(x), inverted(PHI)), (FINITE, ac(Q, P), NoAtom(Y, x))),    # P and Q exchanged
    (Eq(F(Z)(x), inverted(PHI_PRIME)), (FINITE, ac(Q, P), NO_ATOM)),   # phi' for phi
    (Eq(F(Z)(b) - F(Z)(a), LimInt(KERNEL * PHI, u) / (2 * PI)), (Lt(a, b), FINITE)),
    (Eq(F(Z)(b) - F(Z)(a), LimInt(KERNEL * PHI, u) / (2 * PI)),
     (Lt(a, b), FINITE, NoAtom(Z, a))),                                # an atom at the other end
    (Eq(Lim(PV(sp.exp(-I * u * a) / (I * u) * PHI, u), a, sp.oo), PI), (FINITE,)),
    (Eq(LimInt(sp.exp(I * u * x) / u, u), I * PI), (Gt(x, 0),)),
    (Eq(PV(sp.exp(I * u * x) / u, u), I * PI), (Ge(x, 0),)),           # 0 at x = 0
    (Eq(PV(sp.exp(I * u * x) / u**2, u), -PI * x), (Gt(x, 0),)),       # a double pole
    (Eq(PV(sp.exp(I * u * x), u), 0), (Gt(x, 0),)),                    # no decay
])
def test_false_neighbours_are_not_proved(claim, where):
    assert kind(claim, *where) not in HOLDS


def test_an_integral_over_an_interval_needs_integrability_at_zero():
    # (phi(u) - 1)/u need not be integrable at 0 for a heavy tail: only PV is earned
    body = (PHI - 1) / (I * u)
    value = PI * (Pr(Z, ">", 0) - Pr(Z, "<", 0))
    assert kind(Eq(PV(body, u), value), FINITE) in HOLDS
    assert kind(Eq(LimInt(body, u), value), FINITE) not in HOLDS


@pytest.mark.nightly
def test_concrete_pairs():
    M, N = mechanism_pair(laplace(1))
    loss = PLD(M, N)
    phi = Ex(sp.exp(I * u * loss), loss)
    value = sp.Rational(1, 2) + PV(I * sp.exp(-I * u / 3) / u * phi, u) / (2 * PI)
    assert kind(Eq(F(loss)(sp.Rational(1, 3)), value)) in HOLDS
    assert kind(Eq(F(loss)(sp.Rational(1, 2)), value)) not in HOLDS


def test_the_numeric_column_is_a_second_route():
    from mpmath import mp

    for c in (mp.mpf("-2.5"), mp.mpf("0.7"), mp.mpf(3)):
        value, digits = symmetric_integral(lambda t, c=c: mp.expjpi(c * t / mp.pi) / t, True)
        assert digits >= 6
        assert abs(value - mp.mpc(0, mp.pi) * mp.sign(c)) < mp.mpf(10) ** -digits * 10
