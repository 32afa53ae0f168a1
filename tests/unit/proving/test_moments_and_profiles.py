"""Moments under dominance and of bounded losses, Renyi divergences by their moments."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS, FEWER = 20_000, 1_200
P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
e, eps, q, r, d = reals("e eps q r d")
ONE_SIDE = Eq(delta(P, Q)(eps), 0)
BOTH_SIDES = [ONE_SIDE, Eq(delta(Q, P)(eps), 0)]
CHORD = (sp.exp(eps) * sp.exp(-eps * q) + sp.exp(eps * q)) / (sp.exp(eps) + 1)
BOUND = (1 - 1 / q) ** q / (q - 1) * sp.exp((q - 1) * (r - eps))


def under_dominance(claim):
    return Implies(Le(delta(P1, Q1)(e), delta(P2, Q2)(e)), claim, over=(e,))


MOMENTS = E(q, P1, Q1), E(q, P2, Q2)
SECOND = E(2, P1, Q1), E(2, P2, Q2)
RENYI = R(q, P1, Q1), R(q, P2, Q2)
BOTH_WAYS = [ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)]
TAIL = delta(P, Q)(eps) / (1 - sp.exp(eps - r))
INFINITE = [Pr(PLD(*two), "==", sp.oo) for two in ((P1, Q1), (P2, Q2))]
TRUE = {
    "dominance of order q": (under_dominance(Le(*MOMENTS)), [Gt(q, 1)]),
    "dominance of order 2": (under_dominance(Le(*SECOND)), []),
    "dominance of divergences": (under_dominance(Le(*RENYI)), [Gt(q, 1)]),
    "dominance of divergences, four null sets": (under_dominance(Le(*RENYI)), [
        Gt(q, 1), *BOTH_WAYS]),
    "dominance at infinity": (under_dominance(Le(*INFINITE)), []),
    "the limit of a profile": (Eq(Lim(delta(P, Q)(eps), eps, sp.oo), Pr(
        PLD(P, Q), "==", sp.oo)), []),
    "a tail by a profile": (Le(Pr(PLD(P, Q), ">", r), TAIL), [Lt(eps, r)]),
    "the mean loss": (Ge(Ex(PLD(P, Q), PLD(P, Q)), 0), [Defined(Ex(PLD(P, Q), PLD(P, Q)))]),
    "bounded on one side": (Le(E(q, P, Q), sp.exp(eps * (q - 1))), [Gt(q, 1), ONE_SIDE]),
    "by the tail": (Le(E(2, P, Q), sp.exp(eps)), [Eq(Pr(PLD(P, Q), ">", eps), 0)]),
    "bounded on both sides": (Le(E(q, P, Q), CHORD), [Gt(q, 1), *BOTH_SIDES]),
    "divergence": (Le(R(q, P, Q), eps), [Gt(q, 1), ONE_SIDE]),
    "divergence, any bound": (Le(R(q, P, Q), r), [Gt(q, 1), Le(E(q, P, Q), sp.exp(r * (q - 1)))]),
    "conversion": (Le(delta(P, Q)(eps), BOUND), [Gt(q, 1), Le(R(q, P, Q), r)]),
}
FALSE = {
    "dominance the other way": (under_dominance(Ge(*MOMENTS)), [Gt(q, 1)]),
    "dominance between 0 and 1": (under_dominance(Le(*MOMENTS)), [Gt(q, 0), Lt(q, 1)]),
    "dominance, exchanged": (Implies(Le(delta(P1, Q1)(e), delta(Q2, P2)(e)), Le(*SECOND),
                                     over=(e,)), []),
    "dominance of divergences, turned": (under_dominance(Ge(*RENYI)), [Gt(q, 1), *BOTH_WAYS]),
    "dominance of divergences of the other loss": (
        under_dominance(Le(RENYI[0], R(q, Q2, P2))), [Gt(q, 1), *BOTH_WAYS]),
    "dominance of divergences below 0": (under_dominance(Le(*RENYI)), [Lt(q, 0), *BOTH_WAYS]),
    "dominance of moments, strictly": (under_dominance(Lt(*SECOND)), BOTH_WAYS),
    "dominance at one level": (Le(*SECOND), [Le(delta(P1, Q1)(0), delta(P2, Q2)(0))]),
    "bounded on the other side": (Le(E(2, P, Q), sp.exp(eps)), [BOTH_SIDES[1]]),
    "bounded, half the rate": (Le(E(q, P, Q), sp.exp(eps * (q - 1) / 2)), [Gt(q, 1), ONE_SIDE]),
    "the chord on one side": (Le(E(2, P, Q), CHORD.subs(q, 2)), [ONE_SIDE]),
    "half the chord": (Le(E(2, P, Q), CHORD.subs(q, 2) / 2), BOTH_SIDES),
    "divergence, half": (Le(R(q, P, Q), eps / 2), [Gt(q, 1), ONE_SIDE]),
    "divergence below 1": (Le(R(q, P, Q), r), [Lt(q, 1), Gt(q, 0), Le(
        E(q, P, Q), sp.exp(r * (q - 1)))]),
    "dominance at infinity, exchanged": (under_dominance(Ge(*INFINITE)), []),
    "a tail by half a profile": (Le(Pr(PLD(P, Q), ">", r), TAIL / 2), [Lt(eps, r)]),
    "a tail by a profile above": (Le(Pr(PLD(P, Q), ">", r), TAIL), [Lt(r, eps)]),
    "another limit of a profile": (Eq(Lim(delta(P, Q)(eps), eps, sp.oo), 0), []),
    "the mean loss": (Ge(Ex(PLD(P, Q), PLD(P, Q)), delta(P, Q)(0)), [
        Defined(Ex(PLD(P, Q), PLD(P, Q)))]),
    "conversion, half": (Le(delta(P, Q)(eps), BOUND / 2), [Gt(q, 1), Le(R(q, P, Q), r)]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], FEWER)[0] is None
