"""Two numbers that differ, x < y or x != y, by their difference: y = x + a with a > 0.

A theorem about y and a is one about y and x, a letter being any number; 1/(x - y) and the roots of
(x - y)^2 are then those of one letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Differences:
    """Proves a whole sentence with a letter replaced, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int) -> int | None:
        """The sentence; None where no two letters differ whose difference is divided by, or has an
        absolute value, and none are in order on which one integral depends."""
        for x, y, strict in self._pairs(goal):
            if self._divided(goal, x, y) or (strict and self._integrated(goal, x, y)):
                return self._by_difference(goal, x, y, strict)
        return None

    def _by_difference(self, goal: int, x: int, y: int, strict: bool) -> int:
        """The goal, which supposes x < y, or x != y where that is not strict."""
        d = self.d
        above = self._ordered(goal, x, y, d.num(-1))
        if strict:
            return d.taut(goal, above)
        law = d.do("order", d.mk("or", d.mk("lt", x, y), d.mk(
            "or", d.mk("eq", x, y), d.mk("lt", y, x))))
        return d.taut(goal, law, above, self._ordered(goal, x, y, d.num(1)))

    def _ordered(self, goal: int, x: int, y: int, sign: int) -> int:
        """x < y -> goal by x = y - a, a > 0; y < x -> goal for the sign 1."""
        d, zero, one = self.d, self.d.num(0), self.d.num(1)
        name, a = d.fresh("R", "a")
        moved = d.add(y, d.mul(sign, a))
        letter = str(d.b.rows[x][1])
        changed = d.b.put(goal, {(letter, "R"): moved})
        inside = self.a.prove(d.mk("imp", d.mk("lt", zero, a), changed))
        less = d.mk("lt", y, x) if sign == one else d.mk("lt", x, y)
        low, high = d.kids(less)
        gap = d.sub(high, low)
        back = d.do("put", d.b.put(d.claim(inside), {(name, "R"): gap}), [inside], [name, "R", gap])
        same = self.a.identity(d.mk("eq", d.add(y, d.mul(sign, gap)), x), [])
        positive = d.do("arith", d.mk("lt", zero, gap), [d.assume(less)], [[one, [0]]])
        whole = d.replace(back, same)
        return d.disch(less, d.mp(whole, positive))

    def _pairs(self, goal: int) -> Iterator[tuple[int, int, bool]]:
        """Letters x, y with x < y, or x != y, among the hypotheses."""
        d = self.d
        while d.head(goal) == "imp":
            todo = [d.kids(goal)[0]]
            while todo:
                h = todo.pop()
                if d.head(h) == "and":
                    todo += d.kids(h)
                strict = d.head(h) == "lt"
                inner = h if strict else d.kids(h)[0] if d.head(h) == "not" else h
                if d.head(inner) in ("lt", "eq") and (strict or d.head(h) == "not") and all(
                        d.head(k) == "v" and d.b.sorts[k] == "R" for k in d.kids(inner)):
                    x, y = d.kids(inner)
                    yield x, y, strict
            goal = d.kids(goal)[1]

    def _integrated(self, goal: int, x: int, y: int) -> bool:
        """Does one integral over the line depend on both?"""
        d = self.d
        letters = d.b.letters[x] | d.b.letters[y]
        return any(d.head(t) == "lint" and letters <= d.b.letters[t] for t in d.subterms(goal))

    def _divided(self, goal: int, x: int, y: int) -> bool:
        """Is there 1/f or |f| in the goal, f = 0 for x = y and free of bound variables?"""
        d = self.d
        letters = d.b.letters[x] | d.b.letters[y]
        for t in d.subterms(goal):
            if d.head(t) in ("inv", "abs") and not d.b.loose[t] and letters <= d.b.letters[t] and (
                    d.b.sorts[d.kids(t)[0]] == "R"):
                together = d.b.put(d.kids(t)[0], {(str(d.b.rows[x][1]), "R"): y})
                if not self.a.reader.read(together):
                    return True
        return False
