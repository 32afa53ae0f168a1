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
from lapdp.theory.sentences.scope import refuse
from lapdp.theory.sentences.terms import MEANINGS, Terms

MOST_DRAWS = 4
MOST_FACTORS = 12
Solution = Callable[..., int]
"""The function at an index and at points."""


def recursion(e: Terms, name: str, size: int, start: Callable[..., int], step: Callable[..., int],
              within: Callable[..., int] | None = None, exact: bool = False, meant: bool = True,
              history: bool = False) -> Solution:
    """The solution of V(0, x) = start(x), V(i + 1, x) = step(V, i, x), x being ``size`` numbers,
    and an outcome after them for a ``history``.

    Numbers that are bound outside become further points.  It is asked that start and step have a
    meaning for all i and x ``within`` (i, x); ``exact``: the statement asks as much; not ``meant``:
    it is known that they have one.
    """
    b = e.b
    sort, symbol, most = ("W", "app6", 4) if history else ("J", "app3", 2)
    frame = [(f"%{e.depth + k}", "O" if k > size else "R") for k in range(size + 1 + history)]
    i, *points = (b.letter(*x) for x in frame)
    hole = (f"%solution{e.depth}", sort)
    outer: list[tuple[str, str]] = []

    def solution(letter: int) -> Solution:
        beside = [b.letter(*x) for x in outer]
        return lambda *at: b.make(symbol, letter, *(
            [*at[:size + 1], *beside] + [b.number(0)] * most)[:most + 1], *at[size + 1:])

    for _ in range(2):
        unknown = solution(b.letter(*hole))
        with e.having(conditions=[], depth=e.depth + len(frame)):
            bodies = start(*points), step(unknown, i, *points)
            inner = e.conditions
        outer = sorted(x for x in b.letters[bodies[0]] | b.letters[bodies[1]]
                       if x[0].startswith("%") and x not in (*frame, hole))
    own = [*frame, *outer]
    refuse(len(own) > most + 1 + history or {b.sorts[t] for t in bodies} | {
        s for _, s in outer} - {"R"} != {"R"}, "a recursion within others, or of complex numbers")
    for t in bodies:
        measurable(b, reduce(lambda body, x: b.abstract(body, *x), own, t))
    first = b.make("eq", unknown(b.number(0), *points), bodies[0])
    then = b.make("eq", unknown(e.say("i + 1", i=i), *points), bodies[1])
    whole = e.say("imp(nat(i), f)", i=i, f=e.closed("all", then, own[1:]))
    definition = b.make("and", e.closed("all", first, own[1:]), e.closed("all", whole, own[:1]))
    known = b.put(definition, {hole: b.letter("%solution", sort)})
    letter = e.letter(("recursion", known), name, sort)
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
        given = e.say("imp(nat(i), c)", i=i, c=condition) if frame[0] in used else condition
        e.demand(b.put(e.closed("all", given, used), {hole: letter}))
    return solution(letter)


def index(e: Terms, n: Any) -> int:
    """An index, a whole number >= 0."""
    found = e.real(n)
    if not (n.is_integer and n.is_nonnegative):
        e.stricter("an index that is not seen to be a whole number")
        e.demand(e.b.make("nat", found))
    return found


def _sum(e: Terms, body: Any, i: Any, first: Any, last: Any) -> int:
    length = sp.expand(last - first + 1)
    if length.is_Integer and first.is_Integer and length <= 31:
        return e.total([e.function(body, i)(e.b.number(j))
                        for j in range(int(first), int(last) + 1)])
    size, begin, term = index(e, length), e.real(first), e.function(body, i, real=True)
    return recursion(
        e, "S", 0, lambda: e.b.number(0),
        lambda v, m: e.say("v(m) + f(m)" if first == 0 else "v(m) + f(m + a)", v=v, m=m, f=term,
                           a=begin), lambda m: e.say("m < n", m=m, n=size), exact=True)(size)


def _power(e: Terms, base: Any, exponent: Any) -> int:
    """b^n by products, b^(n/2) by roots, b^x with b > 0 by exp and log, b^n with a whole number n
    by b^0 = 1, b^(m + 1) = b^m b."""
    if exponent.is_Rational and exponent.q <= 2 and abs(exponent.p) <= MOST_FACTORS:
        root = e.term(base)
        if exponent.q == 2:
            e.partial(base.is_nonnegative, "a square root")
            root = e.b.make("sqrt", root)
        found = e.product([root] * abs(int(exponent.p)))
        return e.b.make("inv", found) if exponent < 0 else found
    if exponent.is_integer and not base.is_positive:
        return recursion(e, "power", 0, lambda: e.b.number(1), lambda v, m: e.say(
            "v(m) * b", v=v, m=m, b=e.real(base)), exact=True)(index(e, exponent))
    if not base.is_positive:
        e.stricter("a power whose base must be positive")
    return e.say("exp(x * log(b))", x=exponent, b=base)


def _factorial(e: Terms, n: Any) -> int:
    return recursion(e, "factorial", 0, lambda: e.b.number(1), lambda v, m: e.say(
        "v(m) * (m + 1)", v=v, m=m))(index(e, n))


def _recursive(e: Terms, rule: Any, n: Any, point: Any) -> int:
    def step(v: Solution, m: int, t: int) -> int:
        with e.having(before=[*e.before, lambda u: v(m, u)]), e.where(
                {sq.INDEX: e.say("m + 1", m=m), sq.POINT: t}):
            return e.real(rule.args[2])
    return recursion(e, "d", 1, e.function(rule.args[1], sq.POINT, real=True), step)(
        index(e, n), e.real(point))


def _mean(e: Terms, body: Any, y: Any, draws: Any, chance: Any) -> int:
    """The mean at y and the draws that follow: each counts with probability p."""
    p, value = e.real(chance), e.function(body, y, real=True)
    e.demand(e.say("0 <= p and p <= 1", p=p))
    mixed = "(1 - p) * f(n, x) + p * f(n, x + 1)"

    def of(n: int, at: int) -> int:
        return e.say("(1 - p) * f + p * g", p=p, f=of(n - 1, at), g=of(n - 1, at + 1)) if n else (
            value(e.b.number(at)))

    if draws.is_Integer and 0 <= draws <= MOST_DRAWS:
        return of(int(draws), 0)
    return recursion(e, "mean", 1, value, lambda v, n, at: e.say(mixed, f=v, n=n, x=at, p=p),
                     lambda _, at: e.say("nat(x)", x=at))(index(e, draws), e.b.number(0))


MEANINGS.update({
    sq.FiniteSum: _sum, sp.Pow: _power, sp.factorial: _factorial, sq.Recursive: _recursive,
    sq.Previous: lambda e, x: e.before[-1](e.real(x)), sq.BinomialMean: _mean,
})
