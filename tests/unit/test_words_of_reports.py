"""What reports say in words: of inequalities, of numbers that say nothing."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import laplace
from lapdp.core.verdict import Kind
from lapdp.report.cards import Card
from lapdp.report.text import full, is_equality, numeric_line
from lapdp.testing import LawFailed, check_accountant, check_sampler
from lapdp.testing.conformance.findings import Finding
from lapdp.theory import PLD, TV, Eq, Ge, Implies, Le, Lt, Pr, chi2, claim, delta, pair, reals
from lapdp.theory.course import describe
from lapdp.theory.engine import judge
from lapdp.theory.render import text_of_form

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


def test_the_card_of_a_proof_lists_nothing_that_was_tried_in_vain():
    statement = claim("mine", delta(P, Q)(eps) <= 1)
    proved = judge(statement, numeric=False, search=True)
    assert str(proved.kind) == "proved"
    card = Card(statement, replace(proved, tried=("kernels: in vain",)))._repr_html_()
    assert "in vain" not in card
    open_one = judge(statement, numeric=False, seconds=1e-9)
    assert str(open_one.kind) == "undecided"
    assert "in vain" in Card(statement, replace(open_one, tried=("kernels: in vain",))
                             )._repr_html_()


def test_reprs_are_one_line():
    statement = claim("mine", delta(P, Q)(eps) <= 1, where=eps > 0)
    assert repr(statement) == "Statement(mine: delta(P, Q)(eps) <= 1, where eps > 0)"
    report = check_accountant(lambda m, e: 0, laws="valid delta", examples=3, on_fail="report")
    assert repr(report).startswith("Report(") and "\n" not in repr(report)
    assert repr(report).endswith(": 1 fails (valid delta))")


def test_undecided_examples_are_none_that_passed():
    assert str(Finding("small", 60, 13, "no value")) == (
        "small: passed, 47 of 60 examples, 13 undecided (no value)")
    assert str(Finding("small", 60)) == "small: passed, 60 examples"


def test_steps_that_recur_are_shown_once():
    record = {**describe(claim("mine", Le(x, x))), **judge(claim("mine", Le(x, x)),
                                                           numeric=False).record()}
    record["symbolic"]["steps"] = ["1 >= 0 [always]: by linear reasoning", "other",
                                   "1 >= 0 [always]: by linear reasoning"]
    shown = full({**record, "seconds": 1.0})
    assert shown.count("by linear reasoning") == 1 and "linear reasoning, 2 times" in shown


def test_print_of_a_notion_shows_its_closed_form():
    assert str(laplace(1).loss) == laplace(1).loss.text() != repr(laplace(1).loss)
    assert repr(laplace(1).loss) == "laplace(1, 1).loss"


def sparse_vector(data, rng):
    """Without noise on the threshold."""
    for i in range(6):
        if sum(data) + rng.expovariate(0.25) - rng.expovariate(0.25) >= 1:
            return i
    return -1


def test_a_report_says_how_many_samples_would_tell():
    asked = {"neighbours": [((1,), ())], "guarantee": 1, "on_fail": "report"}
    report = check_sampler(sparse_vector, **asked)
    assert report
    found = re.search(r"samples=(\d+) would tell", str(report))
    assert found and "suspicious, by chance or not: " in str(report)
    assert not check_sampler(sparse_vector, samples=int(found[1]), **asked)


def test_nothing_is_suspicious_about_what_holds():
    report = check_sampler(lambda data, rng: rng.random() < 0.5, neighbours=[((1,), ())],
                           guarantee=1, samples=5000, on_fail="report")
    assert report and "suspicious" not in str(report)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_suspicious_about_what_is_tight(seed):
    def total(data, rng):
        return sum(data) + rng.expovariate(1) - rng.expovariate(1)
    assert "suspicious" not in str(check_sampler(
        total, neighbours=[((0,), (1,))], guarantee=1, samples=20_000, seed=seed))


def test_a_number_without_an_exact_form_is_shown_as_it_prints():
    from lapdp.testing.conformance.findings import Violation
    from lapdp.testing.conformance.values import Real, Value

    known = Real.of(Fraction(1, 4))
    near = Value.of(Real(None, known.ball))
    told = Violation(Value.of(Fraction(1, 4)), ">=", near).values
    assert "None" not in told
    text = str(near)
    assert "None" not in Violation(Value(known, known, text), ">=", near).values


def test_an_error_that_fails_several_laws_is_told_once():
    def stepping(pairs, eps):
        return sum(pair.hockey_stick(math.exp(eps)) for pair in pairs)

    found = check_accountant(stepping, laws=["valid delta", "possible delta", "monotone delta"],
                             examples=5, on_fail="report")
    assert [f.law for f in found.failures] == ["valid delta", "possible delta", "monotone delta"]
    with pytest.raises(LawFailed) as raised:
        check_accountant(stepping, laws=["valid delta", "possible delta", "monotone delta"],
                         examples=5)
    for text in (str(found), str(raised.value)):
        assert text.count("delta(Fraction(eps)) is the certified number") == 1
        assert "the same error fails possible delta, monotone delta" in text
    assert found._repr_html_().count("is the certified number") == 1


def test_other_errors_are_told_each():
    def erring(pairs, eps):
        if eps < 0:
            raise ValueError("negative")
        return {}["delta"]

    found = check_accountant(erring, laws=["possible delta", "valid at negative eps"], examples=5,
                             on_fail="report")
    assert str(found).count(" raised ") == 2 and "the same error" not in str(found)


def test_what_was_tried_is_said_once():
    """The reason of an open statement is what was tried: it is not repeated as tried."""
    found = judge(claim("x", Le(TV(P, Q)**3, chi2(P, Q))), numeric=False, patience=0.2)
    assert found.kind is Kind.UNDECIDED and found.tried
    assert all(line in str(found) for line in found.tried)
    assert str(found).count(found.tried[-1]) == 1 and "tried" not in str(found)
