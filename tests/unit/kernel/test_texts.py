"""Texts as terms: how they group, what they bind, and that no letter is captured."""

from __future__ import annotations

from functools import partial

import pytest

from lapdp.kernel.printing import text
from lapdp.kernel.terms import Bank, Refused
from lapdp.kernel.texts import Texts, read


@pytest.fixture
def b():
    return Bank()


@pytest.mark.parametrize("written, meant", [
    ("x + y + x", "((x + y) + x)"),
    ("x - y", "(x + (-1 * y))"),
    ("x / y", "(x * inv(y))"),
    ("3 / 4 * x", "(3/4 * x)"),
    ("-x * y", "((-1 * x) * y)"),
    ("0 < x and x < y and y < 1", "((0 < x) and ((x < y) and (y < 1)))"),
    ("not x == y or x <= y", "(not((x = y)) or (x <= y))"),
    ("case(0 < x, x, 0)", "if((0 < x), x, 0)"),
    ("imp(0 < x, nat(y))", "((0 < x) -> nat(y))"),
])
def test_grouping(b, written, meant):
    x, y = (b.letter(n, "R") for n in "xy")
    assert text(b, read(b, written, {"x": x, "y": y})) == meant


def test_binders_and_functions_of_terms(b):
    """A body given for a name is opened at each use; bound variables are indices."""
    square = b.make("mul", b.bound(0, "R"), b.bound(0, "R"))
    found = read(b, "lint(u, f(u) * f(1))", {"f": partial(b.open, square)})
    one, u = b.number(1), b.bound(0, "R")
    assert found == b.make("lint", b.make("mul", b.make("mul", u, u), b.make("mul", one, one)))


@pytest.mark.parametrize("name", ["%0", "%%0", "%1", "u"])
def test_no_letter_is_captured(b, name):
    """Whatever the letters of a given term are called, binders leave them free."""
    x = b.letter(name, "R")
    found = read(b, "allR(u, u <= x)", {"x": x})
    assert found == b.make("allR", b.make("le", b.bound(0, "R"), x))
    assert b.letters[found] == {(name, "R")}


@pytest.mark.parametrize("name", ["%0", "%1"])
def test_no_letter_of_a_body_is_captured(b, name):
    body = b.make("add", b.bound(0, "R"), b.letter(name, "R"))
    found = read(b, "allR(u, exR(v, f(u) <= f(v)))", {"f": partial(b.open, body)})
    assert b.letters[found] == {(name, "R")}


def test_real_numbers_beside_complex_ones(b):
    z = b.letter("z", "C")
    assert text(b, read(b, "z + 1", {"z": z})) == "(z + cx(1))"


@pytest.mark.parametrize("written", ["x ** 2", "x < y < 1", "x if x else y", "f.g", "[x]", "'x'",
                                     "lambda x: x", "1.5"])
def test_what_is_no_text(b, written):
    x, y = (b.letter(n, "R") for n in "xy")
    with pytest.raises((ValueError, KeyError)):
        read(b, written, {"x": x, "y": y})


def test_sorts_are_asked(b):
    with pytest.raises(Refused):
        Texts(b).say("x + 1", x=b.letter("S", "S"))


def test_what_is_said_again_is_read_once_unless_more_is_asked(b):
    """Of terms the same text is the same term, below other binders as well; a form that a text
    calls is called each time: it may ask for conditions of its own."""
    e, x, called = Texts(b), b.letter("x", "R"), []
    first = e.say("allR(u, u <= x)", x=x)
    assert e.under("R", lambda _: e.say("allR(u, u <= x)", x=x)) == first
    assert e.say("allR(u, u <= x)", x=b.number(2)) == read(b, "allR(u, u <= 2)", {})
    e.forms["limit"] = lambda parts, names: called.append(parts) or x
    assert e.say("limit(u, x) + 1", x=x) == e.say("limit(u, x) + 1", x=x)
    assert len(called) == 2
