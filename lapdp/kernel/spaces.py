"""Integrals over the outcomes of finite, continuous and arbitrary pairs, and of many releases.

An arbitrary pair has letters of sort D on the one space of outcomes; a finite one has the list of
its masses, over which an integral is a finite sum; a continuous one two densities on the line.  A
product has a coordinate for each factor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from lapdp.kernel.recursions import Solution, recursion
from lapdp.kernel.saying import Sayings
from lapdp.kernel.symbols import INTEGRALS
from lapdp.kernel.terms import Bank

Two = Sequence[int]
"""What belongs to P, and to Q."""


@dataclass(frozen=True)
class Place:
    """One coordinate of an outcome: the density of each side there, and the outcome itself where
    it is one of the arbitrary space."""

    density: Callable[[int], int]
    outcome: int | None = None


Outcome = tuple[Place, ...]


@dataclass(frozen=True)
class Finite:
    """Masses of each outcome, as terms."""

    rows: tuple[Two, ...]

    def each(self, change: Callable[..., Two]) -> Finite:
        """All masses changed."""
        return Finite(tuple(change(*row) for row in self.rows))


@dataclass(frozen=True)
class Line:
    """The densities at a real number."""

    densities: Callable[[int], Two]

    def each(self, change: Callable[..., Two]) -> Line:
        """The densities changed at each number."""
        return Line(lambda x: change(*self.densities(x)))


@dataclass(frozen=True)
class Arbitrary:
    """The letter of each side, given the outcome of the coordinate before."""

    letter: Callable[[int | None, int], int]


def over(e: Sayings, kind: str, coordinates: Sequence[Finite | Line | Arbitrary],
         build: Callable[[Outcome], int], outcome: Outcome = ()) -> int:
    """The integral (``int``) or the conjunction (``all``), over all outcomes, of what ``build``
    makes of one."""
    if not coordinates:
        return build(outcome)
    part = coordinates[0]
    line, space = ("allR", "allO") if kind == "all" else ("lint", "oint")

    def at(density: Callable[[int], int], x: int | None = None) -> int:
        return over(e, kind, coordinates[1:], build, (*outcome, Place(density, x)))
    if isinstance(part, Finite):
        found = [at(row.__getitem__) for row in part.rows]
        return e.total(found) if kind == "int" else e.every(*found)
    if isinstance(part, Line):
        return e.bind(line, lambda x: at(part.densities(x).__getitem__))
    letter = partial(part.letter, outcome[-1].outcome if outcome else None)
    return e.bind(space, lambda x: at(lambda side: e.say("dens(d, x)", d=letter(side), x=x), x))


def releases(e: Sayings, n: int, build: Callable[[Outcome], int], step: Callable[..., int],
             root: int | None = None) -> int:
    """The integral over n releases of h(p, q), p and q being the products of their densities:
    V_n(1, 1) where V_0 = h and V_{i + 1}(a, b) is the integral of V_i(a p, b q) over release i + 1,
    which ``step`` says.  By Tonelli it converges where the one of |h| does so, step by step.

    Of releases chosen by a history h: V_n(1, 1, 1, root), V_{i + 1}(j, a, b, h) being the integral
    of V_i(j + 1, a p, b q, then(h, x)) over the outcome x of release j after h."""
    chosen = root is not None
    begin = [e.b.number(1)] * (2 + chosen)
    solved = partial(
        recursion, e, "V", len(begin), history=chosen,
        within=lambda _, *at: e.say("0 <= p and 0 <= q", p=at[chosen], q=at[chosen + 1]))

    def start(*at: int) -> int:
        return build((Place(at[chosen:].__getitem__),))

    with e.having(conditions=[]):
        p, q = (e.b.letter(name, "R") for name in ("%p", "%q"))
        signed = not nonnegative(e.b, build((Place((p, q).__getitem__),)), {p, q})
    found: Solution = solved(lambda *at: e.say("abs(h)" if signed else "h", h=start(*at)), step)
    if signed:
        found = solved(start, step, meant=False)
    return found(n, *begin, *[x for x in [root] if x is not None])


def after(e: Sayings, first: Callable[[int, int], int],
          second: Callable[[int, int], int]) -> Callable[..., int]:
    """The step of releases that are chosen: both members of release j after a history h."""
    return lambda v, i, j, p, q, h: e.say(
        "oint(x, v(i, j + 1, p * dens(f(j, h), x), q * dens(g(j, h), x), then(h, x)))",
        v=v, i=i, j=j, p=p, q=q, h=h, f=first, g=second)


def nonnegative(b: Bank, t: int, known: set[int]) -> bool:
    """Is a term >= 0 by its form, where the known ones are?"""
    row, kids = b.rows[t], b.children(t)
    if row[0] in ("if", "add", "mul", *INTEGRALS):
        return all(nonnegative(b, k, known) for k in kids[-2:]) or (
            row[0] == "mul" and kids[0] == kids[1] and b.sorts[t] == "R")
    return t in known or (row[0] in ("exp", "abs", "dens") and b.sorts[t] == "R") or (
        row[0] == "n" and int(str(row[1])) >= 0) or (
            row[0] == "max" and any(nonnegative(b, k, known) for k in kids))
