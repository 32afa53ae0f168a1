"""Points at which facts hold: what fails there is not worth a search.

Letters, densities and everything that is not arithmetic get pseudo-random values, the same in each
run; a formula is then true, false or open at each of ``POINTS`` points, as bits of two numbers.
Nothing here proves anything: a point where the facts hold and a goal does not only ends a search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from lapdp.proving.derivation import Derivation

POINTS = 192
ALL = (1 << POINTS) - 1
ROUNDING = 1e-7
Values = list[float]
Masks = tuple[int, int]

FUNCTIONS: dict[str, Callable[..., float]] = {
    "add": lambda x, y: x + y, "mul": lambda x, y: x * y, "max": max, "min": min, "abs": abs,
    "inv": lambda x: 1 / x, "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
    "erfc": math.erfc, "cos": math.cos, "sin": math.sin,
}


class Models:
    """Values of terms, and truth of formulas, at the points."""

    def __init__(self, d: Derivation) -> None:
        self.d = d
        self._values: dict[int, Values] = {}
        self._masks: dict[int, Masks] = {}

    def denied(self, goal: int, facts: Sequence[int]) -> bool:
        """Is there a point where the facts hold and the goal does not?"""
        return bool(self._holding(facts) & self.masks(goal)[1])

    def open(self, formula: int, facts: Sequence[int]) -> bool:
        """Are there points where the facts hold with the formula, and with its negation?"""
        held = self._holding(facts)
        yes, no = self.masks(formula)
        return bool(held & yes and held & no)

    def _holding(self, facts: Sequence[int]) -> int:
        """The points where the facts hold; none where a relation among them has no value."""
        found = ALL
        for i in facts:
            claim = self.d.claim(i)
            yes, no = self.masks(claim)
            if not yes | no and self._relation(claim):
                return 0
            found &= yes if yes | no else ALL
            if not found:
                break
        return found

    def _relation(self, claim: int) -> bool:
        d = self.d
        while d.head(claim) == "not":
            (claim,) = d.kids(claim)
        return d.head(claim) in ("eq", "le", "lt")

    def masks(self, formula: int) -> Masks:
        """The points where a formula is certainly true, and where it is certainly false."""
        if formula not in self._masks:
            self._masks[formula] = self._read(formula)
        return self._masks[formula]

    def _read(self, formula: int) -> Masks:
        d = self.d
        head, kids = d.head(formula), d.kids(formula)
        if head == "false":
            return 0, ALL
        if head == "not":
            yes, no = self.masks(kids[0])
            return no, yes
        if head in ("and", "or", "imp", "iff"):
            (a, x), (b, y) = self.masks(kids[0]), self.masks(kids[1])
            return {"and": (a & b, x | y), "or": (a | b, x & y), "imp": (x | b, a & y),
                    "iff": (a & b | x & y, a & y | x & b)}[head]
        if head in ("le", "lt", "eq") and d.b.sorts[kids[0]] == "R" and not d.b.loose[formula]:
            return self._compared(head, self.values(kids[0]), self.values(kids[1]))
        if head == "in" and not d.b.loose[formula]:
            draw = Random(f"{formula}")
            yes = draw.getrandbits(POINTS)
            return yes, ALL & ~yes
        return 0, 0

    @staticmethod
    def _compared(head: str, left: Values, right: Values) -> Masks:
        more = less = same = 0
        bit = 1
        for x, y in zip(left, right, strict=True):
            if x == y:
                same |= bit
            else:
                # none of these is true of NaN
                gap, size = y - x, abs(x) + abs(y)
                near = ROUNDING * (1 + size)
                if gap > near:
                    more |= bit
                elif gap < -near:
                    less |= bit
                if abs(gap) <= 1e-13 * size:
                    same |= bit
            bit <<= 1
        if head == "eq":
            return same, more | less
        return (more | same, less) if head == "le" else (more, less)

    def values(self, t: int) -> Values:
        """The values of a closed real term; NaN where it has none."""
        if t not in self._values:
            self._values[t] = self._evaluated(t)
        return self._values[t]

    def _evaluated(self, t: int) -> Values:
        d = self.d
        head, kids = d.head(t), d.kids(t)
        if head == "n":
            return [int(str(d.b.rows[t][1])) / int(str(d.b.rows[t][2]))] * POINTS
        if head == "pi":
            return [math.pi] * POINTS
        if head == "if":
            yes, no = self.masks(kids[0])
            first, second = self.values(kids[1]), self.values(kids[2])
            return [first[k] if yes >> k & 1 else second[k] if no >> k & 1 else math.nan
                    for k in range(POINTS)]
        if head in FUNCTIONS and all(d.b.sorts[k] == "R" for k in kids):
            return self._applied(FUNCTIONS[head], [self.values(k) for k in kids])
        if head == "abs":
            return [math.nan] * POINTS  # of a complex number: it is brought to a real one first
        return self._drawn(t, head)

    @staticmethod
    def _applied(function: Callable[..., float], columns: list[Values]) -> Values:
        found = []
        # the larger of 0 and NaN would be 0
        chosen, small = function in (max, min), function in (math.exp, math.erfc)
        for row in zip(*columns, strict=True):
            try:
                x = math.nan if chosen and any(map(math.isnan, row)) else function(*row)
            except (ValueError, ZeroDivisionError, OverflowError):
                x = math.nan
            lost = x == 0 and (small or (function is FUNCTIONS["mul"] and 0 not in row))
            found.append(x if abs(x) < 1e60 and not lost else math.nan)
        return found

    def _drawn(self, t: int, head: str) -> Values:
        """Values for what has none: mostly between 0 and 1, some larger, some negative or 0."""
        draw = Random(f"{self.d.b.digest(t)}" if head == "v" else f"{t}")
        found = []
        for _ in range(POINTS):
            kind = draw.random()
            x = draw.random() if kind < 0.5 else draw.expovariate(0.5) + 0.01
            if head == "v" and kind > 0.85:
                x = -x
            found.append(0.0 if 0.8 < kind < 0.85 else x)
        return found


class FinitePairs(Models):
    """The same where integrals over the space are sums over ``OUTCOMES`` outcomes, and densities
    are masses: what fails there is not true of all pairs."""

    OUTCOMES = 3

    def __init__(self, d: Derivation) -> None:
        super().__init__(d)
        self.places = [d.b.letter(f"outcome {k}", "O") for k in range(self.OUTCOMES)]
        self._columns: dict[int, list[Values]] = {}

    def _holding(self, facts: Sequence[int]) -> int:
        """As above; nowhere if a fact about integrals has no value that is known."""
        for i in facts:
            claim = self.d.claim(i)
            if any(self.d.head(t) in ("oint", "lint") for t in self.d.subterms(claim)) and not any(
                    self.masks(claim)):
                return 0
        return super()._holding(facts)

    def _read(self, formula: int) -> Masks:
        d = self.d
        if d.head(formula) == "oiny":
            return ALL, 0
        if d.head(formula) == "in" and not d.b.loose[formula]:
            x, event = d.kids(formula)
            if d.head(event) == "set":
                return self.masks(d.b.open(d.kids(event)[0], x))
        return super()._read(formula)

    def _drawn(self, t: int, head: str) -> Values:
        d = self.d
        if head == "oint" and d.b.sorts[t] == "R":
            (body,) = d.kids(t)
            columns = [self.values(d.b.open(body, x)) for x in self.places]
            return [sum(row) for row in zip(*columns, strict=True)]
        if head == "dens" and d.kids(t)[1] in self.places:
            return self._masses(d.kids(t)[0])[self.places.index(d.kids(t)[1])]
        if head in ("lint", "supR", "supS", "app", "app3"):
            return [math.nan] * POINTS
        return super()._drawn(t, head)

    def _masses(self, p: int) -> list[Values]:
        if p not in self._columns:
            draw = Random(f"{self.d.b.digest(p)}")
            rows = []
            for _ in range(POINTS):
                sizes = [draw.expovariate(1) if draw.random() < 0.8 else 0.0 for _ in self.places]
                total = sum(sizes)
                rows.append([size / total if total else 1 / self.OUTCOMES for size in sizes])
            self._columns[p] = [list(column) for column in zip(*rows, strict=True)]
        return self._columns[p]
