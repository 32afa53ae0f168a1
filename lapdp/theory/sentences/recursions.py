"""Sums, powers, recursions and binomial means of a symbolic length: letters for functions.

A recursion V(0, x) = s(x), V(i + 1, x) = t(i, x, V(i, .)) with s and t measurable has one solution
on the whole numbers, and a measurable one.  So a claim about it is the claim about every function
that satisfies the two equations: a letter, and the equations in front of the sentence.  They hold
by definition and have no domain condition: integrals in them are 0 where they do not converge.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import sympy as sp

from lapdp.calculus import sequences as sq
from lapdp.kernel.domain import domain
from lapdp.kernel.integrals import measurable
from lapdp.theory.sentences.scope import NotSaid
from lapdp.theory.sentences.terms import NODES, Terms

MOST_POINTS = 2
MOST_DRAWS = 4
Solution = Callable[..., int]
"""The function at an index and at points."""
Letters = list[tuple[str, str]]


def recursion(e: Terms, name: str, size: int, start: Callable[..., int], step: Callable[..., int],
              within: Callable[..., int] | None = None, exact: bool = False,
              meant: bool = True) -> Solution:
    """The solution of V(0, x) = start(x), V(i + 1, x) = step(i, x, V), x being ``size`` numbers.

    Numbers that are bound outside become further points.  It is asked that start and step have a
    meaning for all i and x ``within`` (i, x); ``exact``: the statement asks as much; not ``meant``:
    it is known that they have one.
    """
    b = e.b
    frame: Letters = [(f"%{e.depth + k}", "R") for k in range(size + 1)]
    i, *points = (b.letter(*x) for x in frame)
    hole = (f"%solution{e.depth}", "J")
    outer: Letters = []
    for _ in range(2):
        solution = _at(e, b.letter(*hole), outer)
        held, e.conditions, e.depth = e.conditions, [], e.depth + size + 1
        bodies = start(*points), step(i, *points, solution)
        inner, e.conditions, e.depth = e.conditions, held, e.depth - size - 1
        outer = sorted(x for x in b.letters[bodies[0]] | b.letters[bodies[1]]
                       if x[0].startswith("%") and x not in (*frame, hole))
    own = [*frame, *outer]
    if len(own) > MOST_POINTS + 1 or {b.sorts[t] for t in bodies} | {s for _, s in own} != {"R"}:
        raise NotSaid("a recursion within others, or of complex numbers")
    for t in bodies:
        measurable(b, reduce(lambda body, x: b.abstract(body, *x), own, t))
    left = solution(b.number(0), *points), solution(b.make("add", i, b.number(1)), *points)
    first, then = (b.make("eq", *sides) for sides in zip(left, bodies, strict=True))
    definition = b.make("and", _closed(e, first, own[1:]), _closed(e, b.make(
        "imp", b.make("nat", i), _closed(e, then, own[1:])), own[:1]))
    known = b.put(definition, {hole: b.letter("%solution", "J")})
    letter = e.letter(("recursion", known), name, "J")
    definition = b.put(definition, {hole: letter})
    if definition not in e.definitions:
        e.definitions.append(definition)
    meanings = [c for c in (domain(b, t) for t in bodies) if c is not None]
    if within is not None:
        meanings = [b.make("imp", within(i, *points), c) for c in meanings]
    for k, condition in enumerate([*inner, *meanings] if meant else ()):
        used = [x for x in frame if x in b.letters[condition]]
        if used and not (exact and k >= len(inner)):
            e.stricter("a condition for every value of a bound variable")
        given = b.make("imp", b.make("nat", i), condition) if frame[0] in used else condition
        e.demand(b.put(_closed(e, given, used), {hole: letter}))
    return _at(e, letter, outer)


def _at(e: Terms, letter: int, outer: Letters) -> Solution:
    def at(i: int, *points: int) -> int:
        own = [*points, *(e.b.letter(*x) for x in outer)]
        return e.b.make("app3", letter, i, *[*own, *[e.b.number(0)] * MOST_POINTS][:MOST_POINTS])
    return at


def _closed(e: Terms, formula: int, over: Letters) -> int:
    for x in reversed(over):
        formula = e.b.make("allR", e.b.abstract(formula, *x))
    return formula


def index(e: Terms, n: Any) -> int:
    """An index, a whole number >= 0."""
    found = e.real(n)
    if not (n.is_integer and n.is_nonnegative):
        e.stricter("an index that is not seen to be a whole number")
        e.demand(e.b.make("nat", found))
    return found


def _sum(e: Terms, x: Any) -> int:
    body, i, first, last = x.args
    length = sp.expand(last - first + 1)
    if length.is_Integer and first.is_Integer and length <= 31:
        found = []
        for j in range(int(first), int(last) + 1):
            with e.where({i: e.b.number(j)}):
                found.append(e.term(body))
        return e.total(found)
    size, begin = index(e, length), e.real(first)

    def step(m: int, before: Solution) -> int:
        with e.where({i: m if first == 0 else e.say("m + a", m=m, a=begin)}):
            return e.num("add", before(m), e.real(body))
    return recursion(e, "S", 0, lambda: e.b.number(0), step,
                     lambda m: e.b.make("lt", m, size), exact=True)(size)


class Repeated(Terms):
    """Reads powers with a symbolic exponent."""

    def repeated(self, base: Any, exponent: Any) -> int:
        """b^n by b^0 = 1, b^(m + 1) = b^m b."""
        if not exponent.is_integer:
            return super().repeated(base, exponent)
        return recursion(self, "power", 0, lambda: self.b.number(1), lambda m, before: self.b.make(
            "mul", before(m), self.real(base)), exact=True)(index(self, exponent))


def _factorial(e: Terms, x: Any) -> int:
    return recursion(e, "factorial", 0, lambda: e.b.number(1), lambda m, before: e.say(
        "f * (m + 1)", f=before(m), m=m))(index(e, x.args[0]))


def _recursive(e: Terms, x: Any) -> int:
    rule, n, point = x.args

    def start(t: int) -> int:
        with e.where({sq.POINT: t}):
            return e.real(rule.args[1])

    def step(m: int, t: int, before: Solution) -> int:
        e.before.append(lambda u: before(m, u))
        try:
            with e.where({sq.INDEX: e.say("m + 1", m=m), sq.POINT: t}):
                return e.real(rule.args[2])
        finally:
            e.before.pop()
    return recursion(e, "d", 1, start, step)(index(e, n), e.real(point))


def _mean(e: Terms, x: Any) -> int:
    """The mean at y and the draws that follow: each counts with probability p."""
    body, y, draws, chance = x.args
    p = e.real(chance)
    e.demand(e.say("0 <= p and p <= 1", p=p))

    def value(at: int) -> int:
        with e.where({y: at}):
            return e.real(body)

    def mixed(no: int, yes: int) -> int:
        return e.say("(1 - p) * f + p * g", p=p, f=no, g=yes)

    def of(n: int, at: int) -> int:
        return mixed(of(n - 1, at), of(n - 1, at + 1)) if n else value(e.b.number(at))

    if draws.is_Integer and 0 <= draws <= MOST_DRAWS:
        return of(int(draws), 0)
    return recursion(e, "mean", 1, value, lambda m, at, before: mixed(
        before(m, at), before(m, e.say("x + 1", x=at))),
        lambda m, at: e.b.make("nat", at))(index(e, draws), e.b.number(0))


NODES.update({
    sq.FiniteSum: _sum, sp.factorial: _factorial, sq.Recursive: _recursive,
    sq.Previous: lambda e, x: e.before[-1](e.real(x.args[0])), sq.BinomialMean: _mean,
})

__all__ = ["Repeated", "Solution", "index", "recursion"]
