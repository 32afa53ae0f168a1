"""Absolutely integrable functions of two outcomes: what Fubini's theorem asks for.

Each that is not shown to be one is a slip away from one that is: the mean of one of the two losses
is not known to be finite, or that of another power or pair is.
"""

from __future__ import annotations

from functools import partial

import pytest

from lapdp.kernel import Bank
from lapdp.kernel.texts import read
from lapdp.proving.derivation import Derivation, Exhausted, NotFound
from lapdp.proving.space import Prover

LOSS = "case(0 < {p}, case(0 < {q}, {value}, 0), 0)"
POWER = "case(0 < {p}, case(0 < {q}, {value}, cx(0)), cx(0))"
MEAN = "{p} * (log({p}) - log({q}))"
SQUARE = "{p} * ((log({p}) - log({q})) * (log({p}) - log({q})))"
MOMENT = "cx({p}) * exp({z} * cx(log({p}) - log({q})))"


def said(shape, value, p, q, z="z"):
    return shape.format(p=p, q=q, value=value.format(p=p, q=q, z=z))


def one(shape, value, p, q, z="z"):
    """That the function of one outcome is integrable."""
    return f"oiny(x, {said(shape, value, f'{p}(x)', f'{q}(x)', z)})"


def two(shape, value, z="z", size="abs"):
    return f"{size}({said(shape, value, '(P(x) * R(y))', '(Q(x) * S(y))', z)})"


def both(shape, value):
    return [one(shape, value, "P", "Q"), one(shape, value, "R", "S")]


FOUND = {
    "the sum of two losses": (two(LOSS, MEAN), both(LOSS, MEAN)),
    "its square": (two(LOSS, SQUARE), [*both(LOSS, MEAN), *both(LOSS, SQUARE)]),
    "a complex power": (two(POWER, MOMENT), both(POWER, MOMENT)),
    "where the second density is 0": ("abs(case(Q(x) * S(y) == 0, P(x) * R(y), 0))", []),
}
NOT_FOUND = {
    "one mean": (two(LOSS, MEAN), both(LOSS, MEAN)[:1]),
    "the other mean": (two(LOSS, MEAN), both(LOSS, MEAN)[1:]),
    "the mean of the reverse": (two(LOSS, MEAN), [
        one(LOSS, MEAN, "P", "Q"), one(LOSS, MEAN, "S", "R")]),
    "its square from the means": (two(LOSS, SQUARE), both(LOSS, MEAN)),
    "its square, one second moment": (two(LOSS, SQUARE), [
        *both(LOSS, MEAN), one(LOSS, SQUARE, "P", "Q")]),
    "one complex moment": (two(POWER, MOMENT), both(POWER, MOMENT)[:1]),
    "another complex power": (two(POWER, MOMENT, "w"), both(POWER, MOMENT)),
}
OVER = ["oiny(x, oint(y, {}))", "allO(x, oiny(y, {}))"]


def proved(text, facts, steps=4_000):
    """Of a goal with the facts as hypotheses: the theorem's claim is the goal."""
    d = Derivation(Bank(), steps)
    names = {n: partial(lambda p, x: d.mk("dens", p, x), d.b.letter(n, "D")) for n in "PQRS"}
    letters = {n: d.b.letter(n, "C") for n in "zw"}
    goal, *given = (read(d.b, t, {**names, **letters}) for t in (text, *facts))
    found = Prover(d).prove(goal, [d.assume(f) for f in given])
    return d.claim(found) == goal and d.theorem(found).hyps <= set(given)


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("name", FOUND)
def test_it_converges_absolutely(name, over):
    function, facts = FOUND[name]
    assert proved(over.format(function), facts)


@pytest.mark.parametrize("name", NOT_FOUND)
def test_it_is_not_said_to(name):
    function, facts = NOT_FOUND[name]
    with pytest.raises((NotFound, Exhausted)):
        proved(OVER[0].format(function), facts, 1_000)
