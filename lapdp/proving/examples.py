"""Claims that fail: a finite pair, and values of letters, for which it is seen.

A sentence ``there are numbers with ...`` about masses of finite pairs is tried, in floating point,
at a few pairs; at the first where it seems to hold it is proved: every relation in it is decided,
and the rest is propositional.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.models import FUNCTIONS

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Row = tuple[Fraction, ...]
Way = Callable[[int, Sequence[int]], int]
PAIRS: list[tuple[Row, Row]] = [
    (tuple(Fraction(x, n) for x in p), tuple(Fraction(x, m) for x in q)) for p, n, q, m in (
        ((1, 1, 0), 2, (1, 1, 0), 2), ((1, 0, 0), 1, (0, 1, 0), 1),
        ((1, 0, 0), 1, (3, 1, 0), 4), ((1, 3, 0), 4, (0, 1, 0), 1), ((1, 0, 0), 1, (1, 3, 0), 4),
        ((2, 1, 0), 3, (1, 2, 0), 3), ((4, 7, 1), 12, (1, 7, 4), 12),
        ((5, 3, 0), 8, (3, 5, 0), 8), ((3, 1, 0), 4, (1, 1, 0), 2), ((2, 3, 0), 5, (1, 4, 0), 5),
        ((1, 1, 0), 2, (1, 3, 0), 4))]
"""Nearest and farthest pairs, one side with an outcome of its own, responses; of equal variance."""
NUMBERS = tuple(Fraction(x, 2) for x in (0, 1, 2, 4, 6))
SAMPLES = (-3.0, -1.0, -0.3, 0.0, 0.1, 0.5, 1.0, 2.0, 5.0)
LEAST_BINDERS = 6
OUTCOMES = 3
NEAR = 1e-11
PLACES = (0.7, 2.3)
"""Where relations that hold for all numbers of a kind are looked at."""


class Examples:
    """Existence of finite pairs, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._sizes: dict[int, int] = {}
        self._letter = PLACES[0]

    def found(self, goal: int) -> int | None:
        """The goal by an example; None where it is not about masses of pairs.

        Raises :class:`NotFound` where no example is found.
        """
        d = self.d
        body, n = goal, 0
        while d.head(body) == "exR":
            (body,) = d.kids(body)
            n += 1
        sides = self._sides(body)
        if n < LEAST_BINDERS or not sides or sides % 2 or n < OUTCOMES * sides:
            return None
        for values in self._candidates(n - OUTCOMES * sides, sides // 2):
            if not self.true(body, list(map(float, values))):
                continue
            numbers = [d.num(x) for x in values]
            stages = [goal]
            for t in numbers:
                stages.append(d.b.open(d.kids(stages[-1])[0], t))
            try:
                made = self.proved(stages[-1], [])
            except (NotFound, NeedSplit):
                continue
            for stage, t in zip(stages[-2::-1], numbers[::-1], strict=True):
                made = d.do("wit", stage, [made], [t])
            return made
        raise NotFound("no example among the pairs that are tried")

    def _sides(self, body: int) -> int:
        """How many distributions: equations x + y + z = 1 among what must hold."""
        d = self.d
        if d.head(body) == "and":
            return sum(map(self._sides, d.kids(body)))
        if d.head(body) != "eq" or d.kids(body)[1] != d.num(1):
            return 0
        parts = d.subterms(d.kids(body)[0])
        return int(sum(d.head(t) == "b" for t in parts) == OUTCOMES and all(
            d.head(t) in ("b", "add") for t in parts))

    def _candidates(self, letters: int, pairs: int) -> Iterator[list[Fraction]]:
        for chosen in product(PAIRS, repeat=pairs):
            masses = [x for p, q in chosen for x in (*p, *q)]
            for numbers in product(NUMBERS, repeat=letters):
                yield [*numbers, *masses]

    # in floating point ------------------------------------------------------------------------

    def true(self, formula: int, env: list[float]) -> bool:
        """Does the formula seem to hold, variables of binders from the outermost on?"""
        d = self.d
        head, kids = d.head(formula), d.kids(formula)
        if head in ("allR", "exR"):
            tried = (self.true(kids[0], [*env, x]) for x in SAMPLES)
            return all(tried) if head == "allR" else any(tried)
        if head in ("and", "or", "imp"):
            # the simpler side first: it may settle the matter
            first, last = sorted(kids, key=self._size)
            wanted = [head != "and"] * 2 if head != "imp" else [k == kids[1] for k in (first, last)]
            if self.true(first, env) == wanted[0]:
                return head != "and"
            return (self.true(last, env) == wanted[1]) == (head != "and")
        if head == "iff":
            return self.true(kids[0], env) == self.true(kids[1], env)
        if head == "not":
            return not self.true(kids[0], env)
        if head not in RELATIONS:
            return False
        x, y = (self.value(k, env) for k in kids)
        near = abs(x - y) <= NEAR * (1 + abs(x) + abs(y))
        return near if head == "eq" else (x < y and not near) or (head == "le" and near)

    def _size(self, t: int) -> int:
        if t not in self._sizes:
            self._sizes[t] = len(self.d.subterms(t))
        return self._sizes[t]

    def value(self, t: int, env: list[float]) -> float:
        """The value of a real term; NaN where it has none."""
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if head == "n":
            return int(str(d.b.rows[t][1])) / int(str(d.b.rows[t][2]))
        if head == "b":
            return env[-1 - int(str(d.b.rows[t][1]))]
        if head == "v":
            return self._letter
        if head == "if":
            return self.value(kids[1] if self.true(kids[0], env) else kids[2], env)
        if head not in FUNCTIONS:
            return math.nan
        try:
            return FUNCTIONS[head](*(self.value(k, env) for k in kids))
        except (ValueError, ZeroDivisionError, OverflowError):
            return math.nan

    # proofs -----------------------------------------------------------------------------------

    def proved(self, goal: int, facts: Sequence[int]) -> int:
        """A closed formula by all the relations and general claims that it is made of."""
        d = self.d
        if d.head(goal).startswith("all"):
            sort = d.head(goal)[3:]
            name, x = d.fresh(sort)
            return d.do("gen", goal, [self.proved(d.b.open(d.kids(goal)[0], x), facts)],
                        [name, sort])
        if d.head(goal) == "imp" and d.head(d.kids(goal)[0]) in RELATIONS:
            given = d.assume(d.kids(goal)[0])
            return d.disch(d.kids(goal)[0], self.proved(d.kids(goal)[1], [*facts, given]))
        known: list[int] = []
        for atom in self._atoms(goal):
            settled = self._settled(atom, facts)
            if settled is None:
                continue
            known.append(settled)
            try:
                return d.taut(goal, *known)
            except NotFound:
                continue
        raise NotFound("an example that fails")

    def _atoms(self, formula: int) -> list[int]:
        """The parts of a formula that are no connectives, simple ones first."""
        d = self.d
        found: dict[int, None] = {}

        def walk(f: int) -> None:
            if d.head(f) in ("and", "or", "not", "imp", "iff"):
                for k in d.kids(f):
                    walk(k)
            else:
                found[f] = None

        walk(formula)
        return sorted(found, key=lambda f: (d.head(f) not in RELATIONS, len(d.subterms(f))))

    def _settled(self, atom: int, facts: Sequence[int]) -> int | None:
        """The atom or its negation as a theorem; None: neither is found."""
        d = self.d
        try:
            if d.head(atom) not in RELATIONS:
                return self.proved(atom, facts)
            truths = []
            for self._letter in PLACES:
                truths.append(self.true(atom, []))
            if len(set(truths)) > 1:
                return None
            if truths[0]:
                return self._relation(atom, facts)
            no = d.mk("not", atom)
            if d.head(atom) == "eq":
                return self._relation(no, facts)
            s, t = d.kids(atom)
            other = d.mk("lt" if d.head(atom) == "le" else "le", t, s)
            law = d.do("order", d.mk("iff", no, other))
            return d.taut(no, law, self._relation(other, facts))
        except (NotFound, NeedSplit):
            return None

    def _relation(self, goal: int, facts: Sequence[int]) -> int:
        """A relation that is true: of numbers, of sums of powers or their logarithms, or plain."""
        d, a = self.d, self.a
        if d.b.letters[goal]:
            ways: list[Way] = [a.powers.of_logarithms, a.powers.relation, a.prove]
        else:
            ways = [lambda f, _: d.do("ball", f, [], ["200"]), a.prove]
        if not any(d.head(t) == "exp" for t in d.subterms(goal)):
            ways = ways[-1:]
        for way in ways:
            try:
                return way(goal, facts)
            except NotFound:
                continue
        raise NotFound("a relation of numbers")
