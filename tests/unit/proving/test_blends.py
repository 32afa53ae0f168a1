"""Mixtures as distributions of their own; neighbours that are false of mixtures are refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import sympy as sp
from mpmath import mp

from lapdp.report.rocq import printed
from lapdp.theory import *
from tests.oracle import finite
from tests.oracle import reals as balls
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
p = reals("p")
BLEND = p * B + (1 - p) * C
RATE = [Gt(p, 0), Lt(p, 1)]
TRUE = {
    "one of three": (Le(KL(A, (A + B + C) / 3), sp.log(3)), []),
    "a rate": (Le(KL(B, BLEND), -sp.log(p)), RATE),
    "chi-squared": (Le(chi2(A, (A + B) / 2), 1), []),
}
FALSE = {
    "less": (Le(KL(A, (A + B + C) / 3), sp.log(sp.Rational(29, 10))), []),
    "no part": (Le(KL(A, BLEND), -sp.log(p)), RATE),
    "the other part": (Le(KL(C, BLEND), -sp.log(p)), RATE),
    "the other direction": (Le(KL(BLEND, B), -sp.log(p)), RATE),
    "no rate": (Le(KL(B, BLEND), 0), [Gt(p, 0)]),
    "no mass": (Le(chi2(A, (A + B) / 2), sp.Rational(9, 10)), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name):
    form, where = TRUE[name]
    found = of_form(form, where, 7_000)
    assert_derived(found)
    rules = {row[1] for row in map(json.loads, found[0]) if row[0] == "p"}
    assert "as_density" in rules or name == "chi-squared"


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name):
    form, where = FALSE[name]
    assert_not_derived(of_form(form, where, 300))


def test_they_are_printed_for_rocq():
    lines, _, _ = of_form(*TRUE["one of three"], 7_000)
    text = printed("t/x", lines)
    assert "as_density (fun u_ : outcome => " in text and "exists" in text


def test_the_bound_at_instances():
    """It is attained where the parts have no outcome in common, and never passed."""
    with mp.workdps(30):
        for masses in ([(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(1, 2, 3), (2, 2, 2), (5, 1, 0)]):
            rows = [[Fraction(k, sum(row)) for k in row] for row in masses]
            blend = [sum(column) / 3 for column in zip(*rows, strict=True)]
            moment = mp.mpf(balls.num(finite.moment(rows[0], blend, Fraction(2))))
            assert moment <= 3
            assert (moment == 3) == (masses[0] == (1, 0, 0))
