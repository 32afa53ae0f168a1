"""Values in [-oo, oo], choices and recursions at numbers: what is said, and what is refused."""

from __future__ import annotations

import pytest

from lapdp.kernel.losses import MINUS, PLUS, Losses
from lapdp.kernel.printing import text
from lapdp.kernel.recursions import defined
from lapdp.kernel.saying import NotSaid
from lapdp.kernel.terms import Bank


@pytest.fixture
def e():
    return Losses(Bank())


def shown(e, value):
    return value if isinstance(value, str) else text(e.b, value)


@pytest.mark.parametrize(("symbol", "parts", "expected"), [
    ("add", ["x", PLUS], PLUS), ("add", [MINUS, "x", MINUS], MINUS), ("add", ["x", "x"], "(x + x)"),
    ("max", ["x", MINUS], "x"), ("max", ["x", PLUS], PLUS), ("max", [MINUS], MINUS),
    ("min", ["x", MINUS], MINUS), ("min", [PLUS, "x"], "x"), ("min", [PLUS], PLUS),
    ("abs", [MINUS], PLUS), ("abs", ["x"], "abs(x)"),
])
def test_sums_and_extrema(e, symbol, parts, expected):
    x = e.b.letter("x", "R")
    assert shown(e, e.combined(symbol, [x if p == "x" else p for p in parts])) == expected


def test_oo_minus_oo_is_refused(e):
    with pytest.raises(NotSaid, match="oo - oo"):
        e.combined("add", [PLUS, MINUS])


def test_products_need_signs_beside_an_infinity(e):
    x = e.b.letter("x", "R")
    assert e.times([(PLUS, 1), (x, -1)]) == MINUS
    assert e.times([(MINUS, None), (x, -1)]) == PLUS
    assert e.times([(MINUS, 1), (MINUS, 1)]) == PLUS
    assert e.times([(PLUS, 1), (e.say("exp(x)", x=x), None)]) == PLUS
    for other, why in ((x, "no certain sign"), (e.b.number(0), "0 times oo")):
        with pytest.raises(NotSaid, match=why):
            e.times([(PLUS, 1), (other, None)])


def test_functions_of_infinities(e):
    zero = e.b.number(0)
    assert (e.exp(PLUS), e.exp(MINUS), e.log(PLUS)) == (PLUS, zero, PLUS)
    assert (e.power(MINUS, 3), e.power(MINUS, 2), e.power(PLUS, -1)) == (MINUS, PLUS, zero)
    x = e.b.letter("x", "R")
    assert [shown(e, e.power(x, n)) for n in (0, 2, -1)] == ["1", "(x * x)", "inv(x)"]
    with pytest.raises(NotSaid, match="logarithm of -oo"):
        e.log(MINUS)


@pytest.mark.parametrize(("relation", "sides", "holds"), [
    ("<=", (MINUS, "x"), True), ("<", ("x", PLUS), True), ("<", (PLUS, PLUS), False),
    ("<=", (PLUS, PLUS), True), ("==", (PLUS, "x"), False), ("!=", (PLUS, MINUS), True),
    (">", (PLUS, "x"), True), (">=", (MINUS, PLUS), False),
])
def test_orders_of_infinities(e, relation, sides, holds):
    x = e.b.letter("x", "R")
    found = e.related(relation, *(x if s == "x" else s for s in sides))
    assert found == (e.truth() if holds else e.b.make("false"))


def test_signs_decide_only_beside_zero(e):
    p, q = (e.b.letter(n, "R") for n in "pq")
    assert e.related(">", p, e.b.number(0), (1, 0)) == e.truth()
    assert e.related("==", p, e.b.number(0), (1, 0)) == e.b.make("false")
    assert shown(e, e.related("<", p, q, (1, 1))) == "(p < q)"
    assert shown(e, e.related("<", p, q, (1, None))) == "(p < q)"


def test_choices_take_the_first_test_that_holds(e):
    x, y = (e.b.letter(n, "R") for n in "xy")
    test, yes, no = e.say("x < y", x=x, y=y), e.truth(), e.b.make("false")

    def chosen(*branches):
        return shown(e, e.choice([(lambda c=c: c, lambda v=v: v) for c, v in branches]))
    assert chosen((test, x), (yes, y)) == "if((x < y), x, y)"
    assert chosen((no, x), (yes, y), (test, x)) == "y"
    assert chosen((test, x)) == "if((x < y), x, inv(0))"
    assert chosen((no, x)) == "inv(0)"
    assert chosen((test, PLUS), (yes, PLUS)) == PLUS
    with pytest.raises(NotSaid, match="infinite values"):
        chosen((test, PLUS), (yes, y))


def test_recursions_at_small_numbers_are_written_out(e):
    x, p = (e.b.letter(n, "R") for n in "xp")
    factorial = defined(e, "factorial: 1; v(i) * (i + 1)")
    assert shown(e, factorial(e.b.number(2))) == "((1 * (0 + 1)) * (1 + 1))"
    mean = defined(e, "mean(x): f(x); (1 - p) * v(i, x) + p * v(i, x + 1); nat(x)", p=p,
                   f=lambda t: e.b.make("exp", t))
    assert shown(e, mean(e.b.number(1), x)) == (
        "(((1 + (-1 * p)) * exp(x)) + (p * exp((x + 1))))")
    assert not e.definitions
    for n in (e.b.number(5), e.b.number(1, 2), e.b.number(-1), x):
        assert e.b.rows[mean(n, x)][0] == "app3"
    assert len(e.definitions) == 1
