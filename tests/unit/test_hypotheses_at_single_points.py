"""Hypotheses for all real values, at the points where distribution functions jump: a witness must
satisfy them there as well."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import finite, verify
from lapdp.theory import *
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
A, B = pair("A", "B")
Z, Y = PLD(P, Q), PLD(A, B)
u, eps = reals("u eps")
NO_ATOM = Eq(Pr(Z, "==", eps), 0)
SMOOTH = Eq(F(Z)(u), F(Z)(u, strict=True))


def verdict(form, *where):
    return verify(Statement("t/x", form, where=where), seconds=8).kind.value


@pytest.mark.parametrize("claim, where", [
    (NO_ATOM, ForAll(u, SMOOTH)),
    (NO_ATOM, ForAll(u, Eq(F(Z)(u), F(Y)(u, strict=True)))),
    (NO_ATOM, ForAll(u, Le(F(Z)(u), F(Z)(u, strict=True)))),
    (Eq(F(Z)(eps), F(Z)(eps, strict=True)), ForAll(u, Eq(Pr(Z, ">", u), Pr(Z, ">=", u)))),
    (Eq(delta(P, Q)(1), 1), ForAll(u, Ge(delta(P, Q)(u), Indicator(Eq(u, 0))))),
])
def test_true_statements_are_not_refuted(claim, where):
    assert verdict(claim, where) != "refuted"


def test_nor_where_the_hypothesis_stands_in_the_claim():
    assert verdict(Implies(SMOOTH, NO_ATOM, over=(u,))) != "refuted"


@pytest.mark.parametrize("claim, where", [
    # the same, but of two pairs that jump at the same points
    (NO_ATOM, ForAll(u, Eq(F(Z)(u), F(Y)(u)))),
    (Eq(delta(P, Q)(1), 1), ForAll(u, Ge(delta(P, Q)(u), 0))),
    (Eq(Pr(Z, "==", sp.oo), 0), ForAll(u, Eq(Pr(Z, "<", u), Pr(Y, "<", u)))),
])
def test_false_ones_still_are(claim, where):
    assert verdict(claim, where) == "refuted"


@pytest.mark.parametrize("form, holds", [
    (SMOOTH, False),
    (Eq(F(Z)(u), 1 - Pr(Z, ">", u)), True),
    (Eq(Indicator(Eq(u, 0)), 0), False),
    (Eq(Indicator(Ge(u, 0)), Indicator(Gt(u, 0))), False),
    (Eq(Indicator(Ge(u, 0)) + Indicator(Lt(u, 0)), 1), True),
    (Eq(Indicator(Le(2 * u, 1)), Indicator(Lt(2 * u, 1)) + Indicator(Eq(u, sp.Rational(1, 2)))),
     True),
])
def test_single_points_count(form, holds):
    """At the losses log 3 and -log 3 of one concrete pair: a claim that is false everywhere is
    refuted where the hypothesis holds, and nowhere else."""
    concrete = mechanism_pair(finite(["3/4", "1/4"], ["1/4", "3/4"]), "R", "S")
    form = form.xreplace(dict(zip((P, Q), concrete, strict=True)))
    assert (verdict(Le(delta(*concrete)(eps), -1), ForAll(u, form)) == "refuted") == holds
