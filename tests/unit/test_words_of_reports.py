"""What reports say in words: of inequalities, of numbers that say nothing."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.report.text import is_equality, numeric_line
from lapdp.theory import PLD, Eq, Ge, Implies, Le, Lt, Pr, claim, delta, pair, reals
from lapdp.theory.engine import judge
from lapdp.theory.render import text_of_form
from lapdp.theory.runner import describe

P, Q = pair()
eps, x = reals("eps x")
Z = PLD(P, Q)


def said(statement):
    found = judge(statement, numeric=True)
    return numeric_line({**describe(statement), **found.record()})


def test_an_inequality_holds_and_its_sides_do_not_agree():
    line = said(claim("x", Le(delta(P, Q)(eps), 1)))
    assert line.startswith("the claim holds at 5 instances, ") and "agree" not in line
    assert said(claim("x", Eq(delta(P, Q)(eps), delta(P, Q)(eps)))).startswith(
        "the sides agree at 5 instances to 30 digits")


def test_what_fails_is_named_by_its_instance():
    line = said(claim("x", Lt(delta(P, Q)(eps), delta(P, Q)(eps - 1)/2)))
    assert line.startswith("the claim fails at instance ") and "sides" not in line
    assert said(claim("x", Eq(delta(P, Q)(eps), delta(Q, P)(eps)))).startswith(
        "the sides differ at instance ")


def test_numbers_that_miss_the_witness_say_so():
    line = numeric_line({"claim": "a <= b", "numeric": {
        "agrees": None, "reason": "no instance satisfies the hypotheses", "method": "m"}})
    assert line == "no answer: no instance satisfies the hypotheses"


@pytest.mark.parametrize(("form", "equal"), [
    (Eq(Pr(Z, ">", eps), 1), True), (Le(delta(P, Q)(0), Pr(Z, "==", 0)), False),
    (Ge(sp.Max(x, 1), 1), False), (Implies(Eq(x, 1), Eq(x, 1)), False)])
def test_equalities_by_their_text(form, equal):
    assert is_equality(text_of_form(form)) is equal
