"""Convolutions of loss densities as measures, sums of Renyi divergences, numbers that differ."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS
from lapdp.theory import (
    PLD,
    D,
    Defined,
    Eq,
    Ge,
    Gt,
    Int,
    Lt,
    Ne,
    Pr,
    R,
    ac,
    complexes,
    conv,
    delta,
    f,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search
from tests.mutation.oracle_check import oracle_verdict

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
P, Q = product_pair((P1, Q1), (P2, Q2))
THREE, OTHER = product_pair((P1, Q1), (P2, Q2), (P3, Q3), names=("T", "U"))
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
ZP, ZP1, ZP2 = PLD(Q, P), PLD(Q1, P1), PLD(Q2, P2)
t, u, q = reals("t u q")
r = complexes("r")
SUM = R(q, P1, Q1) + R(q, P2, Q2)
BOTH = [Defined(R(q, P1, Q1)), Defined(R(q, P2, Q2))]

PROVED = {
    "density of the sum": (Eq(f(Z)(t), conv(f(Z1)(t), f(Z2)(t), t)), []),
    "as an integral": (Eq(f(Z)(t), Int(f(Z1)(t - u) * f(Z2)(u), u)), []),
    "reversed": (Eq(f(ZP)(t), conv(f(ZP1)(t), f(ZP2)(t), t)), []),
    "tilted": (Eq(sp.exp(-t) * conv(f(Z1)(t), f(Z2)(t), t),
                  f(ZP)(-t)), []),
    "two integrals": (Eq(Int(f(Z1)(u) * f(Z2)(t - u), u), conv(f(Z2)(t), f(Z1)(t), t)), []),
    "profile": (Eq(D(delta(P, Q)(t), t, 2) - D(delta(P, Q)(t), t),
                   conv(f(Z1)(t), f(Z2)(t), t)), []),
    "Renyi": (Eq(R(q, P, Q), SUM), BOTH),
    "Renyi, infinite or not": (Eq(R(q, P, Q), SUM), [Gt(q, 1)]),
    "Renyi of which one is finite": (Eq(R(q, P, Q), SUM), [BOTH[0], Gt(q, 1)]),
    "Renyi of three": (Eq(R(q, THREE, OTHER), SUM + R(q, P3, Q3)),
                       [*BOTH, Defined(R(q, P3, Q3)), Gt(q, 1)]),
    "different numbers": (Ne(q * (q - 1), 0), [Lt(q, 0)]),
    "different exponentials": (Ne(sp.exp(q), sp.exp(2 * q)), [Gt(q, 0)]),
}

FALSE = {
    "one reversed": (Eq(f(Z)(t), conv(f(Z1)(t), f(ZP2)(t), t)), []),
    "shifted": (Eq(f(Z)(t), Int(f(Z1)(u) * f(Z2)(t - u - 1), u)), []),
    "correlated": (Eq(f(Z)(t), Int(f(Z1)(u) * f(Z2)(t + u), u)), []),
    "half a line": (Eq(f(Z)(t), conv(f(Z1)(t), f(Z2)(t), t, 0)), []),
    "twice": (Eq(f(Z)(t), conv(f(Z1)(t), f(Z1)(t), t)), []),
    "Renyi at order 1": (Eq(R(q, P, Q), SUM), [Ge(q, 1)]),
    "Renyi of a reversed factor": (Eq(R(q, P, Q), R(q, P1, Q1) + R(q, Q2, P2)),
                                   [*BOTH, Defined(R(q, Q2, P2)), Gt(q, 1)]),
    "Renyi doubled": (Eq(R(q, P, Q), 2 * R(q, P1, Q1)), BOTH),
    "complex Renyi": (Eq(R(r, P, Q), R(r, P1, Q1) + R(r, P2, Q2)),
                      [Defined(R(r, P1, Q1)), Defined(R(r, P2, Q2)), ac(P, Q), ac(Q, P)]),
    "equal numbers": (Ne(q * (q - 1), 0), [Lt(q, 1)]),
    "equal values": (Ne(delta(P1, Q1)(t), delta(P2, Q2)(t)), []),
    "equal to a mass": (Ne(Pr(Z1, "==", sp.oo), 1), []),
    "no number": (Ne(1 / q, 1), [Lt(q, 1)]),
}


def judged(form, where):
    statement = Statement("test/s", form, tuple(where))
    return statement, judge(statement, numeric=False, patience=2.0)


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    statement, found = judged(*PROVED[name])
    assert found.kind in HOLDS, found.reason
    assert oracle_verdict(statement, 20) != "fails"
    assert search(statement, [], 0.5)[0] is None


@pytest.mark.parametrize("name", FALSE)
def test_never_proved(name):
    found = judged(*FALSE[name])[1]
    assert found.kind not in HOLDS, found.reason


def test_densities_are_compared_as_measures_in_the_search_too():
    form, where = PROVED["density of the sum"]
    assert search(Statement("test/s", form, tuple(where)), [], 2.0)[0] is None
