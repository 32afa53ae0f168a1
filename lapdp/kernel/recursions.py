"""Functions defined by recursion: letters for them, with the equations in front of the sentence.

A recursion V(0, x) = s(x), V(i + 1, x) = t(i, x, V(i, .)) with s and t measurable has one solution
on the whole numbers, and a measurable one.  So a claim about it is the claim about every function
that satisfies the two equations: a letter, and the equations in front of the sentence.  They hold
by definition and have no domain condition: integrals in them are 0 where they do not converge.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from lapdp.kernel.domain import domain
from lapdp.kernel.integrals import measurable
from lapdp.kernel.saying import Sayings, refuse

MOST_STEPS = 31, 4
"""Of a recursion that is written out: of numbers, and of functions."""
Solution = Callable[..., int]
"""The function at an index and at points."""


def recursion(e: Sayings, name: str, size: int, start: Callable[..., int], step: Callable[..., int],
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
    for k, c in enumerate([*inner, *meanings] if meant else ()):
        used = [x for x in frame if x in b.letters[c]]
        if used and not (exact and k >= len(inner)):
            e.stricter("a condition for every value of a bound variable")
        given = e.say("imp(nat(i), c)", i=i, c=c) if frame[0] in used else c
        e.demand(b.put(e.closed("all", given, used), {hole: letter}), not used and c in e.limits)
    return solution(letter)


def defined(e: Sayings, text: str, exact: bool = False, **names: Any) -> Solution:
    """The solution that a text says, such as ``"mean(x): f(x); (1 - p) * v(i, x) + p * v(i, x + 1);
    nat(x)"``: a name and points, V(0, x), V(i + 1, x), and where these are asked to have a meaning.
    """
    header, _, parts = text.partition(": ")
    name, *points = header.rstrip(")").replace("(", ", ").split(", ")

    def said(part: str, before: tuple[str, ...]) -> Callable[..., int]:
        return lambda *at: e.say(part, **names, **dict(zip((*before, *points), at, strict=True)))

    start, step, *within = parts.split("; ")

    def value(n: int, *at: int) -> int:
        row = e.b.rows[n]
        if row[0] != "n" or row[2] != 1 or not (
                0 <= (k := int(str(row[1]))) <= MOST_STEPS[bool(points)]):
            return recursion(e, name, len(points), said(start, ()), said(step, ("v", "i")),
                             said(within[0], ("i",)) if within else None, exact)(n, *at)
        return said(step, ("v", "i"))(lambda _, *x: value(e.b.number(k - 1), *x),
                                      e.b.number(k - 1), *at) if k else said(start, ())(*at)
    return value
