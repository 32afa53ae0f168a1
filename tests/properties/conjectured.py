"""Conjectures of the field, false and true, in the words of the statement language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.testing.conjectures.asking import RELATIONS
from lapdp.theory import (
    PLD,
    Defined,
    E,
    Event,
    Ex,
    F,
    Int,
    Omega,
    Pr,
    R,
    Sup,
    T,
    ac,
    delta,
    f,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = product_pair((P1, Q1), (P2, Q2))
TWICE = product_pair((P1, Q1), (P1, Q1))
Z, Zp = PLD(P, Q), PLD(Q, P)
eps, e1, e2, q, a, p, t = reals("eps e1 e2 q a p t")
S = Event("S")
exp, log = sp.exp, sp.log
LEVEL = (a >= 0, a <= 1)
RATE = (p > 0, p < 1)
KL, TV = Ex(Z, Z), delta(P, Q)(0)


@dataclass(frozen=True)
class Said:
    """A conjecture, the most outcomes of a pair that refutes it, or whether it gets a proof."""

    lhs: Any
    relation: str
    rhs: Any
    where: Any = ()
    outcomes: int = 2
    proved: bool = True


def stated(said: Said) -> Statement:
    """The statement of a conjecture."""
    where = said.where if isinstance(said.where, tuple) else (said.where,)
    return Statement("conjecture", RELATIONS[said.relation](
        sp.sympify(said.lhs), sp.sympify(said.rhs)), where)


FALSE = {
    "the profile is symmetric": Said(delta(P, Q)(eps), "==", delta(Q, P)(eps)),
    "reversal without e^eps": Said(
        delta(Q, P)(eps), "==", 1 - exp(eps) + delta(P, Q)(-eps), outcomes=1),
    "deltas add up at one eps": Said(
        delta(*BOTH)(eps), "<=", delta(P1, Q1)(eps) + delta(P2, Q2)(eps), eps >= 0),
    "the product leaks as independent events": Said(
        delta(*BOTH)(eps), "==",
        delta(P1, Q1)(eps) + delta(P2, Q2)(eps) - delta(P1, Q1)(eps) * delta(P2, Q2)(eps)),
    "two releases cost one delta": Said(
        delta(*TWICE)(2 * eps), "<=", delta(P1, Q1)(eps), eps >= 0),
    "the mean loss is symmetric": Said(Ex(Z, Z), "==", Ex(Zp, Zp)),
    "orders of R may be exchanged": Said(R(q, P, Q), "<=", R(q, Q, P), q > 1),
    "R falls in its order": Said(R(3, P, Q), "<=", R(2, P, Q), ac(P, Q)),
    "R of a product is the larger one": Said(
        R(2, *BOTH), "<=", sp.Max(R(2, P1, Q1), R(2, P2, Q2)), (ac(P1, Q1), ac(P2, Q2))),
    "E_2 is symmetric": Said(E(2, P, Q), "==", E(2, Q, P)),
    "Pinsker with 1/4": Said(TV**2, "<=", KL / 4),
    "Pinsker reversed": Said(KL, "<=", 2 * TV**2),
    "the profile is submultiplicative": Said(
        delta(P, Q)(e1 + e2), "<=", delta(P, Q)(e1) * delta(P, Q)(e2), (e1 >= 0, e2 >= 0)),
    "the profile is convex in eps": Said(
        delta(P, Q)((e1 + e2) / 2), "<=", (delta(P, Q)(e1) + delta(P, Q)(e2)) / 2, outcomes=1),
    "the profile is concave in eps": Said(
        delta(P, Q)((e1 + e2) / 2), ">=", (delta(P, Q)(e1) + delta(P, Q)(e2)) / 2),
    "the profile falls as e^-eps": Said(delta(P, Q)(eps), "<=", exp(-eps) * TV, eps >= 0),
    "trade-off is symmetric": Said(T(P, Q)(a), "==", T(Q, P)(a), LEVEL),
    "trade-off from total variation": Said(T(P, Q)(a), "<=", 1 - a - TV, LEVEL, outcomes=3),
    "amplification in the other direction": Said(
        delta(Q, p * P + (1 - p) * Q)(log(1 + p * (exp(eps) - 1))), "==", p * delta(Q, P)(eps),
        RATE),
    "amplification at the same eps is tight": Said(
        delta(p * P + (1 - p) * Q, Q)(eps), "==", p * delta(P, Q)(eps), RATE, outcomes=1),
    "a tail is a profile": Said(Pr(Z, ">", eps), "<=", delta(P, Q)(eps)),
    "the profile from two distribution functions": Said(
        delta(P, Q)(eps), "==", 1 - F(Z)(eps) - exp(eps) * F(Zp)(-eps), outcomes=1),
    "the profile without the mass at infinity": Said(
        delta(P, Q)(eps), "==", Int(f(Z)(t) * (1 - exp(eps - t)), t, eps, sp.oo)),
    "an event, by the other direction": Said(P(S), "<=", exp(eps) * Q(S) + delta(Q, P)(eps)),
    "pure and approximate may be exchanged": Said(
        Pr(Z, "==", sp.oo), "==", delta(P, Q)(0)),
}

TRUE = {
    "reversal": Said(delta(Q, P)(eps), "==", 1 - exp(eps) + exp(eps) * delta(P, Q)(-eps)),
    "basic composition": Said(
        delta(*BOTH)(e1 + e2), "<=", delta(P1, Q1)(e1) + delta(P2, Q2)(e2)),
    "leaks of independent releases": Said(
        delta(*BOTH)(e1 + e2), "<=", 1 - (1 - delta(P1, Q1)(e1)) * (1 - delta(P2, Q2)(e2))),
    "two releases of one pair": Said(
        delta(*TWICE)(2 * eps), "<=", 2 * delta(P1, Q1)(eps), proved=False),
    "a product dominates its factor": Said(
        delta(P1, Q1)(eps), "<=", delta(*BOTH)(eps), proved=False),
    "the profile falls": Said(delta(P, Q)(e2), "<=", delta(P, Q)(e1), e2 >= e1),
    "the profile is at most 1": Said(delta(P, Q)(eps), "<=", 1),
    "the profile is at least 1 - e^eps": Said(delta(P, Q)(eps), ">=", 1 - exp(eps)),
    "the profile is convex in e^eps": Said(
        delta(P, Q)(log((exp(e1) + exp(e2)) / 2)), "<=",
        (delta(P, Q)(e1) + delta(P, Q)(e2)) / 2),
    "the profile by one integral": Said(
        delta(P, Q)(eps), "==", Omega(sp.Max(0, P - exp(eps) * Q))),
    "total variation by events": Said(TV, "==", Sup(P(S) - Q(S), S)),
    "what a profile promises": Said(P(S), "<=", exp(eps) * Q(S) + delta(P, Q)(eps)),
    "the profile from two distribution functions": Said(
        delta(P, Q)(eps), "==", 1 - F(Z)(eps) - exp(eps) * F(Zp)(-eps, strict=True)),
    "a profile is below the tail": Said(delta(P, Q)(eps), "<=", Pr(Z, ">", eps)),
    "the mass at infinity": Said(Pr(Z, "==", sp.oo), "<=", delta(P, Q)(eps)),
    "amplification": Said(
        delta(p * P + (1 - p) * Q, Q)(log(1 + p * (exp(eps) - 1))), "==", p * delta(P, Q)(eps),
        RATE),
    "joint convexity": Said(
        delta(p * P + (1 - p) * Q, Q)(eps), "<=",
        p * delta(P, Q)(eps) + (1 - p) * sp.Max(0, 1 - exp(eps)), RATE),
    "moments of the reverse pair": Said(E(q, P, Q), "==", E(1 - q, Q, P)),
    "moments multiply": Said(
        E(2, *BOTH), "==", E(2, P1, Q1) * E(2, P2, Q2), (ac(P1, Q1), ac(P2, Q2))),
    "R adds up": Said(R(2, *BOTH), "==", R(2, P1, Q1) + R(2, P2, Q2),
                      (Defined(R(2, P1, Q1)), Defined(R(2, P2, Q2)))),
    "R grows in its order": Said(
        R(2, P, Q), "<=", R(3, P, Q), Defined(R(3, P, Q)), proved=False),
    "the mean loss is at most R_2": Said(
        KL, "<=", R(2, P, Q), Defined(R(2, P, Q)), proved=False),
    "the mean loss is not negative": Said(KL, ">=", 0, proved=False),
    "Pinsker": Said(TV**2, "<=", KL / 2, proved=False),
    "trade-off below the diagonal": Said(T(P, Q)(a), "<=", 1 - a, LEVEL),
    "trade-off by one profile": Said(
        T(P, Q)(a), ">=", 1 - delta(Q, P)(eps) - exp(eps) * a, LEVEL),
}
