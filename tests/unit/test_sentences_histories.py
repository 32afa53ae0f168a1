"""Releases chosen by what came before, as sentences: the profile that a sentence defines, step by
step, is the one of the joint pair written out."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
import sympy as sp

from lapdp.kernel.terms import Bank, Refused
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.sentences import elaborate
from lapdp.theory.statement import Statement
from tests.oracle.terms import Interpreter

k = sp.Symbol("k", integer=True, nonnegative=True)
i = sp.Symbol("i", integer=True, positive=True)
v = sp.Symbol("v", real=True)
x = fam.outcome("x")
POINTS = 3


def chosen(seed, alike=False):
    """Masses of release j after each history; ``alike``: whatever came before."""
    def masses(j, history):
        draw = random.Random(f"{seed} {j} {() if alike else history}")
        weights = [draw.randint(0, 5) for _ in range(POINTS - 1)] + [draw.randint(1, 5)]
        return [Fraction(w, sum(weights)) for w in weights]
    return masses


def profile_of(count, first, second, factor):
    """The sum of max(0, P - factor Q) over all outcomes of so many releases."""
    total = Fraction(0)
    for outcomes in product(range(POINTS), repeat=count):
        p = q = Fraction(1)
        for j in range(count):
            p *= first(j + 1, outcomes[:j])[outcomes[j]]
            q *= second(j + 1, outcomes[:j])[outcomes[j]]
        total += max(Fraction(0), p - factor * q)
    return total


def defined(bank, sentence, letters):
    """The letters of recursions are what their equations say."""
    judge = Interpreter(bank, POINTS, dict(letters))
    for definition in sentence.definitions:
        sides = []
        for equation in bank.children(definition):
            inside = equation
            while bank.rows[inside][0] in ("allR", "allO", "imp"):
                inside = bank.children(inside)[-1]
            sides.append(bank.children(inside))
        name = bank.rows[bank.children(sides[0][0])[0]][1]

        def value(m, j, a, b, _, history, sides=sides):
            at = (j, a, b, history)
            return judge.of(sides[0][1], at) if m == 0 else judge.of(sides[1][1], (m - 1, *at))
        judge.letters[name] = value
    return judge


@pytest.mark.parametrize("independent", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_the_profile_is_that_of_the_joint_pair(independent, turned):
    made = fam.composition("P", "Q", independent=independent)
    pair = made(k)[::-1] if turned else made(k)
    bank = Bank()
    sentence = elaborate(Statement("t/x", lang.Eq(pn.delta(*pair)(0), v)), bank)
    first, second = chosen("p", independent), chosen("q", independent)
    given = (second, first) if turned else (first, second)
    for count in range(4):
        value = profile_of(count, *given, Fraction(1))
        for wrong in (0, Fraction(1, 1000)):
            judge = defined(bank, sentence, {
                "P": first, "Q": second, "root": (), "k": Fraction(count), "v": value + wrong})
            claim = bank.children(sentence.claim)[-1]
            assert judge.of(claim) == (not wrong), (count, wrong)


def test_a_release_is_the_member_of_its_number_and_history():
    made = fam.composition("P", "Q")
    bank = Bank()
    sentence = elaborate(Statement("t/x", lang.Eq(pn.delta(*made.release(i, x))(0), v)), bank)
    first, second = chosen("p"), chosen("q")
    for number, history in ((1, ()), (2, (1,)), (3, (0, 2))):
        masses = zip(first(number, history), second(number, history), strict=True)
        value = sum(max(Fraction(0), p - q) for p, q in masses)
        for wrong in (0, Fraction(1, 1000)):
            judge = Interpreter(bank, POINTS, {"P": first, "Q": second, "x": history,
                                               "i": Fraction(number), "v": value + wrong})
            assert judge.of(sentence.claim) == (not wrong)


def test_releases_of_two_compositions_share_nothing():
    one, two = fam.composition("P", "Q"), fam.composition("P", "Q")
    bank = Bank()
    goal = elaborate(Statement("t/x", lang.Le(
        pn.delta(*one.release(i, x))(0), pn.delta(*two.release(i, x))(0))), bank).goal
    assert {name for name, sort in bank.letters[goal] if sort == "L"} == {"P", "Q", "P#2", "Q#2"}


def test_sorts_of_histories():
    bank = Bank()
    h, family = bank.letter("h", "O"), bank.letter("P", "L")
    one = bank.number(1)
    assert bank.sorts[bank.make("then", h, h)] == "O"
    assert bank.sorts[bank.make("stage", family, one, h)] == "D"
    for wrong in (("then", h, one), ("stage", h, one, h), ("stage", family, h, one),
                  ("stage", bank.letter("P", "H"), one, h),
                  ("app6", bank.letter("V", "J"), one, one, one, one, one, h),
                  ("app6", bank.letter("V", "W"), one, one, one, one, h, one)):
        with pytest.raises(Refused):
            bank.make(*wrong)
