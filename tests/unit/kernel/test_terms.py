"""Terms: sorts, binders, one substitution, what no bank takes, and how they are printed."""

from __future__ import annotations

import random

import pytest

from lapdp.kernel import Bank, Refused
from lapdp.kernel.domain import domain
from lapdp.kernel.printing import text
from lapdp.kernel.terms import MOST_DEPTH
from tests.unit.kernel import tables
from tests.unit.kernel.language import term


@pytest.mark.parametrize("symbol, args, why", tables.ILL_SORTED)
def test_ill_sorted(symbol, args, why):
    bank = Bank()
    with pytest.raises(Refused, match=why):
        bank.make(symbol, *(term(bank, a) for a in args))


@pytest.mark.parametrize("row", [
    ("n", 2, 4), ("n", 1, 0), ("n", 1, -1), ("n", True, 1), ("n", 1), ("n", "1", 1), ("n", 0, 2),
    ("n", 1.0, 1), ("v", "", "R"), ("v", "x", "X"), ("v", 1, "R"), ("b", -1, "R"), ("b", "0", "R"),
    ("b", 1000, "R"), ("b", True, "R"), ("allF", 0), ("exp", -1), ("exp", 99), ("exp", True),
    ("exp", None), ("exp", [0]), ("pi", 0), ("K", 0), ("", 0),
], ids=str)
def test_no_rows(row):
    bank = Bank()
    bank.number(0)
    with pytest.raises(Refused):
        bank.make(*row)


def test_equal_terms_have_one_number():
    bank = Bank()
    assert term(bank, "(allR (le 0 (mul #0 x)))") == term(bank, "(allR (le 0 (mul #0 x)))")
    assert term(bank, "x") != term(bank, "y")
    assert bank.letter("x", "R") != bank.letter("x", "O")
    assert bank.number(2, -4) == bank.number(-1, 2)


@pytest.mark.parametrize("body, value, opened", tables.OPENED)
def test_opening(body, value, opened):
    bank = Bank()
    assert bank.open(term(bank, body), term(bank, value)) == term(bank, opened)


@pytest.mark.parametrize("before, after", tables.REPLACED)
def test_letters_replaced_without_capture(before, after):
    bank = Bank()
    assert bank.put(term(bank, before), {("x", "R"): term(bank, "(add y #0)")}) == term(bank, after)


def test_abstracting_and_opening_are_inverse():
    rng, bank = random.Random(0), Bank()
    leaves = ["x", "y", "1", "#0", "#1"]

    def some(depth):
        if depth == 0:
            return rng.choice(leaves)
        kind = rng.choice(["add", "mul", "lint", "exp"])
        parts = " ".join(some(depth - 1) for _ in range(2 if kind in ("add", "mul") else 1))
        return f"({kind} {parts})"

    for _ in range(200):
        t, x = term(bank, some(4)), term(bank, "x")
        assert bank.open(bank.abstract(t, "x", "R"), x) == t
        assert bank.open(bank.lift(t), x) == t


def test_depth():
    bank = Bank()
    t = bank.letter("x", "R")
    for _ in range(MOST_DEPTH):
        t = bank.make("exp", t)
    assert domain(bank, t) is None and bank.digest(t) and text(bank, t)
    with pytest.raises(Refused, match="too deep"):
        bank.make("exp", t)


def test_digests_tell_terms_apart():
    bank = Bank()
    terms = ["x", "y", "1", "1/2", "(add x y)", "(add y x)", "(mul x y)", "(allR (lt #0 x))",
             "(exR (lt #0 x))", "(allR (lt x #0))", "pi", "A", "(not A)", "o", "P"]
    rows = [term(bank, t) for t in terms]
    rows += [bank.letter("x", "O"), bank.letter("x' 'R", "R"), bank.letter("1", "R")]
    assert len({bank.digest(t) for t in rows}) == len(rows)
    other = Bank()
    other.number(5)
    assert [other.digest(term(other, t)) for t in terms] == [bank.digest(t) for t in rows[:15]]


@pytest.mark.parametrize("given, printed", [
    ("(allR (le (mul #0 #0) (exp x)))", "all t. ((t * t) <= exp(x))"),
    ("(allR (exR (lt #1 #0)))", "all t. some u. (t < u)"),
    ("(allR (lt t #0))", "all u. (t < u)"), ("(lt -1/2 pi)", "(-1/2 < pi)"),
    ("(eq (oint (dens P #0O)) 1)", "(oint(x. P(x)) = 1)"),
    ("(tends (inv #0) 0)", "tends(t. inv(t), 0)"),
])
def test_printing(given, printed):
    bank = Bank()
    assert text(bank, term(bank, given)) == printed


@pytest.mark.parametrize("name", ["0) and (1 = 0", "pi", "x y", "\u03b5", "false", "'"])
def test_odd_letters_are_quoted(name):
    bank = Bank()
    assert text(bank, bank.letter(name, "F")) == ascii(name)


def test_a_shared_term_is_not_written_out():
    bank = Bank()
    t = bank.letter("x", "R")
    for _ in range(100):
        t = bank.make("add", t, t)
    assert len(text(bank, t)) < 10**6


@pytest.mark.parametrize("sentence, condition", tables.CONDITIONS)
def test_domain_conditions(sentence, condition):
    bank = Bank()
    assert domain(bank, term(bank, sentence)) == term(bank, condition)


@pytest.mark.parametrize("sentence", ["(lt (exp x) (erfc (cos y)))", "(allS (in o #0S))",
                                      "(eq (max x (abs z)) (re z))", "(nat x)"])
def test_always_with_a_meaning(sentence):
    bank = Bank()
    assert domain(bank, term(bank, sentence)) is None
