"""Tails and profiles of n independent copies, near those of a normal law: named facts are cited."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.checked import accept
from lapdp.theory import *
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 6_000, 2_500
"""The fact is cited within the first two thousand."""
P, Q = pair("P", "Q")
n = naturals("n", start=1)
PN, QN = composition("P^n", "Q^n", each=(P, Q))(n)
Z, ZN = PLD(P, Q), PLD(PN, QN)
eps, z = reals("eps z")
MEAN, VAR = inner_mean(Z), inner_variance(Z)
S, THIRD, RAW = sp.sqrt(VAR), inner_moment(Z, 3, inner_mean(Z)), inner_moment(Z, 3)
KEPT = 1 - Pr(ZN, "==", sp.oo)
FINITE = [Defined(THIRD), Gt(VAR, 0)]
RIGHT = [*FINITE, Ge(eps, n * MEAN)]
ROOT = sp.sqrt(n) * S
BOUND = sp.Rational(4748, 10000) * THIRD / (sp.sqrt(n) * S**3)
FAR = sp.Rational(2580, 100) * THIRD / (sp.sqrt(n) * S**3 * (1 + ((eps - n * MEAN) / ROOT)**3))
BELOW = sp.erfc(-(z - n * MEAN) / (sp.sqrt(2) * ROOT)) / 2
ABOVE = sp.erfc((eps - n * MEAN) / (sp.sqrt(2) * ROOT)) / 2
TO, FROM = Pr(ZN, "<=", z), Pr(ZN, ">=", eps)


def near(sign=1, spread=S, point=eps):
    """The profile of the normal law beside the mass that is lost."""
    first = sp.erfc((point - n * MEAN) / (sp.sqrt(2 * n) * spread))
    second = sp.erfc((point - n * MEAN + n * VAR) / (sp.sqrt(2 * n) * spread))
    return 1 - KEPT + KEPT / 2 * (first - sign * sp.exp(point - n * MEAN + n * VAR / 2) * second)


UNIFORM, NONUNIFORM = {"berry-esseen"}, {"berry-esseen", "nonuniform berry-esseen"}
TRUE = [
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND), FINITE, UNIFORM),
    (Le(sp.Abs(TO - KEPT * BELOW), KEPT * BOUND), FINITE, UNIFORM),
    (Le(sp.Abs((FROM - 1 + KEPT) / KEPT - ABOVE), BOUND), FINITE, UNIFORM),
    (Le(delta(PN, QN)(eps), near() + KEPT * BOUND), FINITE, UNIFORM),
    (Le(near() - KEPT * BOUND, delta(PN, QN)(eps)), FINITE, UNIFORM),
    (Le(delta(PN, QN)(eps), near() + KEPT * FAR), RIGHT, NONUNIFORM),
    (Le(sp.Abs((FROM - 1 + KEPT) / KEPT - ABOVE), sp.Min(BOUND, FAR)), RIGHT, NONUNIFORM),
]
FALSE = [
    # the constant, the root of n, the mass that is lost, the moment about 0
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND * sp.Rational(99, 100)), FINITE),
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND / sp.sqrt(n)), FINITE),
    (Lt(sp.Abs(TO - BELOW), BOUND), FINITE),
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND * RAW / THIRD), [*FINITE, Gt(RAW, 0)]),
    # a hypothesis dropped
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND), FINITE[:1]),
    (Lt(sp.Abs(TO / KEPT - BELOW), BOUND), FINITE[1:]),
    (Le(delta(PN, QN)(eps), near() + KEPT * FAR), FINITE),
    # the other side, another spread or sign or place, P and Q exchanged
    (Lt(sp.Abs(TO / KEPT - (1 - BELOW)), BOUND), FINITE),
    (Le(sp.Abs(FROM / KEPT - ABOVE), BOUND), FINITE),
    (Le(delta(PN, QN)(eps), near() - KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), near(spread=VAR) + KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), near(-1) + KEPT * BOUND), FINITE),
    (Le(delta(PN, QN)(eps), near(point=eps + 1) + KEPT * BOUND), FINITE),
    (Le(delta(QN, PN)(eps), near() + KEPT * BOUND), FINITE),
]


@pytest.mark.parametrize(("form", "where", "facts"), TRUE)
def test_proved_and_its_facts(form, where, facts):
    lines, reason, digest = searched(form, where, STEPS)
    assert lines is not None, reason
    assert set(accept(lines, digest).facts) <= facts


@pytest.mark.parametrize(("form", "where"), FALSE)
def test_false_neighbours(form, where):
    lines, _, _ = searched(form, where, FEW)
    assert lines is None
