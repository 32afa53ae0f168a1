"""Sentences that a kept law says in other letters; what it does not say is not cited."""

from __future__ import annotations

import pytest

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.proving.citing import cited, matches
from lapdp.testing.judging import judge
from lapdp.theory.checking import check_statement
from lapdp.theory.cited_laws import cited_law
from lapdp.theory.derivations import digest_of, read
from lapdp.theory.library import shipped_library
from lapdp.theory.sentences import elaborate

LAWS = {
    "divergences.renyi-order": ["R(A, B)(x) <= R(A, B)(y)", "1 < x", "x <= y"],
    "divergences.mean-renyi": ["Ex(PLD(P, Q), PLD(P, Q)) <= R(P, Q)(a)", "a > 1"],
    "renyi-bounds.mironov": ["delta(P, Q)(x) <= exp((a - 1)*(rho - x))", "R(P, Q)(a) <= rho",
                             "a > 1"],
}
NOT_SAID = {
    "turned": ["R(A, B)(y) <= R(A, B)(x)", "1 < x", "x <= y"],
    "two pairs": ["R(P, Q)(x) <= R(Q, P)(y)", "1 < x", "x <= y"],
    "a hypothesis missing": ["R(A, B)(x) <= R(A, B)(y)", "1 < x"],
    "a hypothesis weaker": ["delta(P, Q)(x) <= exp((a - 1)*(rho - x))", "R(P, Q)(a) <= rho",
                            "a > 1/2"],
    "a hypothesis about the other pair": ["delta(P, Q)(x) <= exp((a - 1)*(rho - x))",
                                          "R(Q, P)(a) <= rho", "a > 1"],
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_is_cited_in_other_letters(name):
    statement = check_statement(LAWS[name][0], LAWS[name][1:])
    found, checked = cited_law(statement)
    assert found == f"laws/{name}"
    assert checked.digest == digest_of(statement)


@pytest.mark.parametrize("name", NOT_SAID)
def test_what_no_law_says_is_not_cited(name):
    assert cited_law(check_statement(NOT_SAID[name][0], NOT_SAID[name][1:])) is None


def test_a_stronger_hypothesis_is_seen_to_suffice():
    text = LAWS["renyi-bounds.mironov"][0]
    _, kept = read(shipped_library() / "laws" / "renyi_bounds.derivations")[
        "laws/renyi-bounds.mironov"]
    bank = Bank()
    goal = elaborate(check_statement(text, ["R(P, Q)(a) <= rho", "a > 2"]), bank).goal
    assert accept(cited(bank, goal, kept), bank.digest(goal))


def test_the_judge_of_texts_asks_the_laws_first():
    claim, *where = LAWS["divergences.renyi-order"]
    found = judge(check_statement(claim, where), numeric=False)
    assert (str(found.kind), found.method) == ("proved", "the law laws/divergences.renyi-order")


def test_what_a_binder_binds_is_put_for_no_letter():
    """Int x dx is no instance of Int c dx."""
    b = Bank()
    constant = b.make("lint", b.letter("c", "R"))
    assert not list(matches(b, constant, b.make("lint", b.bound(0, "R")), {}))
    assert list(matches(b, constant, b.make("lint", b.number(2)), {}))


def test_a_letter_stands_for_one_term_of_its_sort():
    b = Bank()
    x, two, three = b.letter("x", "R"), b.number(2), b.number(3)
    both = b.make("le", x, x)
    assert not list(matches(b, both, b.make("le", two, three), {}))
    assert list(matches(b, both, b.make("le", two, two), {}))
