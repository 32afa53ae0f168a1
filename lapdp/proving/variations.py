"""A sentence by way of others from which it follows: with fewer hypotheses, each part of its claim
by itself, a border by itself, or both sides of a number that a letter is not.

A claim proved of fewer hypotheses holds under more: the kernel sees that by propositional logic.
What is known of other numbers can lead a search astray.  A hypothesis x <= c is x < c or x = c; at
x = c a claim is often one of fewer letters, and what divides by c - x needs the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lapdp.kernel import Bank
from lapdp.kernel.domain import domain
from lapdp.proving.blends import blended
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.chained_orders import chained
from lapdp.proving.channels import Way, processed
from lapdp.proving.citing import parts
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.own_orders import at_own_order
from lapdp.proving.recursions import is_definition

MOST_SPLIT = 2
"""Borders that are split off."""
MOST_KEPT = 3
"""Hypotheses about pairs of which each is kept alone."""
MOST_APART = 8
"""Shares of the steps for a claim of several parts, each proved by itself."""
MOST_PROCESSED = 8
"""Shares of the steps for a sentence about channels that the first one did not suffice for."""
_WHOLE = ("oint", "lint", "oiny", "liny", "tends", "supS", "supR")

@dataclass(frozen=True)
class Ways:
    """Ways to prove a sentence, each with the number of sentences that it takes."""

    before: list[tuple[int, Way]]
    """What leaves out hypotheses about numbers of which the claim says nothing."""
    after: list[tuple[int, Way]]
    """All others, to be tried where the sentence itself is not proved at once."""

    def __bool__(self) -> bool:
        return bool(self.before or self.after)


def ways(b: Bank, goal: int) -> Ways:
    """Ways to prove a sentence by others, the cheapest first; none where it has no such hypotheses.
    """
    premises, claim = parts(b, goal)
    through = processed(b, goal)
    orders = [*chained(b, goal), *blended(b, goal), *at_own_order(b, goal)]
    before: list[tuple[int, Way]] = [(1, way) for way in (*through, *orders)]
    after: list[tuple[int, Way]] = [(MOST_PROCESSED, way) for way in (*through, *orders)]
    last: list[tuple[int, Way]] = []
    numbers = {x for x in b.letters[claim] if x[1] == "R"}
    for kept in _subsets(b, premises, claim):
        out = {x for h in premises if h not in kept and _speaks(b, h) for x in b.letters[h]
               if x[1] == "R"}
        # what speaks of numbers of the claim is hardly there for nothing
        where = last if out & numbers else before if out else after
        where.append((1, _fewer(goal, kept, claim)))
    borders = list(_borders(b, premises))[:MOST_SPLIT]
    if borders:
        after.append((2**len(borders), lambda d, prove: _split(d, goal, borders, prove)))
    if len([f for f in _members(b, claim) if _speaks(b, f)]) > 1 and any(
            _speaks(b, h) for h in premises):
        after.append((MOST_APART, lambda d, prove: _apart(d, goal, prove)))
    excluded = next(_excluded(b, premises), None)
    if excluded is not None:
        after.append((2, lambda d, prove: _sides(d, goal, excluded, prove)))
    return Ways(before, [*after, *last])


def _joined(d: Derivation, premises: Sequence[int], claim: int) -> int:
    return d.mk("imp", d.conj(premises), claim) if premises else claim


# fewer hypotheses -------------------------------------------------------------------------------

def _fewer(goal: int, kept: Sequence[int], claim: int) -> Way:
    def way(d: Derivation, prove: Callable[[Derivation, int], int]) -> int:
        return d.taut(goal, prove(d, _joined(d, kept, claim)))
    return way


def _subsets(b: Bank, premises: Sequence[int], claim: int) -> Iterator[list[int]]:
    """Fewer hypotheses: without those that speak of pairs, then with one of these; letters of which
    nothing else speaks go as well."""
    whole = _groups(b, [h for h in premises if _speaks(b, h) and not is_definition(b, h)])
    if not whole:
        return
    plain = [h for h in premises if not _speaks(b, h)]
    chosen: list[tuple[int, ...]] = [()]
    if 1 < len(whole) <= MOST_KEPT:
        chosen += whole
    seen = {tuple(premises)}
    for group in chosen:
        letters = set(b.letters[claim]).union(*(b.letters[h] for h in group))
        kept = tuple(h for h in premises
                     if h in group or is_definition(b, h) or (
                         h in plain and b.letters[h] <= letters))
        if kept not in seen:
            seen.add(kept)
            yield list(kept)


def _groups(b: Bank, members: Sequence[int]) -> list[tuple[int, ...]]:
    """Each hypothesis with the one before it, where that says when it has a meaning."""
    found: list[tuple[int, ...]] = []
    for h in members:
        if found and len(found[-1]) == 1 and domain(b, h) == found[-1][0]:
            found[-1] = (*found[-1], h)
        else:
            found.append((h,))
    return found


def _speaks(b: Bank, formula: int) -> bool:
    """Does it say something of densities, or of all numbers?"""
    todo, seen = [formula], {formula}
    while todo:
        t = todo.pop()
        head = str(b.rows[t][0])
        if head in _WHOLE or (head.startswith(("all", "ex")) and head != "exp"):
            return True
        more = [k for k in b.children(t) if k not in seen]
        seen.update(more)
        todo += more
    return False


# parts of a claim -------------------------------------------------------------------------------

def _members(b: Bank, claim: int) -> list[int]:
    """The parts of a conjunction."""
    if b.rows[claim][0] != "and":
        return [claim]
    return [f for k in b.children(claim) for f in _members(b, k)]


def _apart(d: Derivation, goal: int, prove: Callable[[Derivation, int], int]) -> int:
    """The goal from its parts, each from all hypotheses or from fewer."""
    premises, claim = parts(d.b, goal)
    given = d.assume(d.conj(premises))

    def found(f: int) -> int:
        if d.head(f) == "and":
            return d.taut(f, *map(found, d.kids(f)))
        for kept in (premises, *_subsets(d.b, premises, f)):
            try:
                made = prove(d, _joined(d, kept, f))
            except (NotFound, NeedSplit):
                continue
            known = [d.taut(h, given) for h in kept]
            return d.mp(made, d.both(*known)) if kept else made
        raise NotFound("a part of the claim")

    return d.taut(goal, d.disch(d.claim(given), found(claim)))


# borders ----------------------------------------------------------------------------------------

def _borders(b: Bank, premises: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Hypotheses x <= c or c <= x of a real letter and a term without it: hypothesis, x, c."""
    for h in premises:
        if b.rows[h][0] != "le":
            continue
        for x, c in (b.children(h), b.children(h)[::-1]):
            if b.rows[x][0] == "v" and b.sorts[x] == "R" and not b.letters[x] & b.letters[c] and (
                    not _speaks(b, c)):
                yield h, x, c
                break


def _excluded(b: Bank, premises: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Hypotheses x != c of a real letter and a number: hypothesis, x, c."""
    for h in premises:
        if b.rows[h][0] == "not" and b.rows[same := b.children(h)[0]][0] == "eq":
            for x, c in (b.children(same), b.children(same)[::-1]):
                if b.rows[x][0] == "v" and b.sorts[x] == "R" and not b.letters[c]:
                    yield h, x, c
                    break


def _sides(d: Derivation, goal: int, excluded: tuple[int, int, int],
           prove: Callable[[Derivation, int], int]) -> int:
    """The goal from the one with x < c and the one with c < x in the place of x != c."""
    h, x, c = excluded
    less, more, same = d.mk("lt", x, c), d.mk("lt", c, x), d.mk("eq", x, c)
    law = d.do("order", d.mk("or", less, d.mk("or", same, more)))
    turned = d.do("order", d.mk("or", more, d.mk("or", d.mk("eq", c, x), less)))
    premises, claim = parts(d.b, goal)
    return d.taut(goal, law, turned, *(prove(d, _joined(d, [
        side if p == h else p for p in premises], claim)) for side in (less, more)))


def _split(d: Derivation, goal: int, borders: Sequence[tuple[int, int, int]],
           prove: Callable[[Derivation, int], int]) -> int:
    """The goal from the one with < for <=, and the one with c for x."""
    if not borders:
        return prove(d, goal)
    (h, x, c), *others = borders
    law = d.do("order", d.mk("or", d.mk("lt", x, c), d.mk(
        "or", d.mk("eq", x, c), d.mk("lt", c, x))))
    no = d.do("order", d.mk("iff", d.mk("not", h), d.mk("lt", *d.kids(h)[::-1])))
    equal = d.assume(d.mk("eq", x, c))
    body = d.hole(goal, x)
    there = _split(d, d.b.open(body, c), [o for o in others if not d.b.letters[x] & d.b.letters[
        o[0]]], prove)
    back = d.disch(d.claim(equal), d.do("rewrite", goal, [d.turn(equal), there], [body]))
    premises, claim = parts(d.b, goal)
    strict = d.mk("lt", *d.kids(h))
    inside = _joined(d, [strict if p == h else p for p in premises], claim)
    return d.taut(goal, law, no, back, _split(d, inside, others, prove))


__all__ = ["Way", "Ways", "ways"]
