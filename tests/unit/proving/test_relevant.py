"""Questions come with the facts that are connected to them, and are answered once."""

from __future__ import annotations

import pytest

from lapdp.proving.derivation import Derivation
from lapdp.proving.items import Terms
from lapdp.proving.relevant import Answers, Relevant


@pytest.fixture
def d():
    return Derivation()


def less(d, s, t):
    return d.mk("lt", s, t)


def test_facts_are_reached_through_others_and_inside_functions(d):
    x, y, z, u, v = (d.b.letter(name, "R") for name in "xyzuv")
    near = d.assume(less(d, d.mk("exp", x), y))
    next_to_it = d.assume(d.mk("not", d.mk("eq", y, z)))
    apart = d.assume(less(d, u, v))
    no_relation = d.assume(d.mk("nat", x))
    facts = [apart, next_to_it, no_relation, near]
    relevant = Relevant(Terms(d))
    assert relevant.to(less(d, d.num(0), x), facts) == [next_to_it, near]
    assert relevant.to(d.mk("not", less(d, d.num(0), v)), facts) == [apart]


def test_what_was_found_is_not_sought_again(d):
    x = d.b.letter("x", "R")
    goal, sought = less(d, d.num(0), x), []
    answers = Answers(d)
    fact = d.assume(goal)

    def find():
        sought.append(goal)
        return fact

    assert [answers.of(goal, [fact], find), answers.of(goal, [fact], find)] == [fact, fact]
    assert len(sought) == 1


def test_a_theorem_of_other_hypotheses_is_no_answer(d):
    """The same fact may be a hypothesis here and a theorem there."""
    x = d.b.letter("x", "R")
    goal = less(d, d.num(0), d.mk("exp", x))
    supposed = d.assume(goal)
    proved = d.law("exp positive", goal, x)
    assert d.theorem(supposed).hyps
    assert not d.theorem(proved).hyps
    answers = Answers(d)
    assert answers.of(goal, [supposed], lambda: supposed) == supposed
    assert answers.of(goal, [proved], lambda: proved) == proved


def test_in_vain_at_one_depth_is_not_in_vain_at_a_smaller_one(d):
    x = d.b.letter("x", "R")
    goal, sought = less(d, d.num(0), x), []
    answers = Answers(d)
    for depth in (1, 2, 1, 0, 0):
        assert answers.of(goal, [], lambda depth=depth: sought.append(depth), depth) is None
    assert sought == [1, 0]
