"""Points at which facts hold: what fails there is not worth a search.

Letters, densities and everything that is not arithmetic get pseudo-random values, the same in each
run; a formula is then true, false or open at each of ``POINTS`` points, as bits of two numbers.
Where facts are equations, what they give in terms of others gets its value from these: no number
drawn at random satisfies an equation.
Nothing here proves anything: a point where the facts hold and a goal does not only ends a search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random

from lapdp.kernel import Refused
from lapdp.kernel.polynomials import plus, ratio
from lapdp.proving.derivation import Derivation
from lapdp.proving.items import Terms

POINTS = 192
ALL = (1 << POINTS) - 1
ROUNDING = 1e-7
LARGEST = 1e60
CANCELLED = 1e-300
"""What stands for a sum that doubles cancel: nearly 0, whereas 0 is 0."""
TINY = 1e-290
"""What is smaller, and no sum, is not told from what doubles cancel."""
MOST_SOLVED = 40
"""Sets of equations for which values are kept."""
Values = list[float]
Masks = tuple[int, int]

FUNCTIONS: dict[str, Callable[..., float]] = {
    "add": lambda x, y: x + y, "mul": lambda x, y: x * y, "max": max, "min": min, "abs": abs,
    "inv": lambda x: 1 / x, "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
    "erfc": math.erfc, "cos": math.cos, "sin": math.sin,
}

TOTAL: dict[str, Callable[..., float]] = {
    **FUNCTIONS, "inv": lambda x: 1 / x if x else 0.0,
    "log": lambda x: math.log(x) if x > 0 else 0.3 - x,
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else 0.7 * x,
}
"""As the kernel has them: 1/0 = 0, and what has no value is whatever one likes."""


CONNECTIVES = ("and", "or", "not", "imp", "iff")


class Models:
    """Values of terms, and truth of formulas, at the points; with ``terms``, that read polynomials,
    also where equations hold.

    ``total``: 0 < x is false at x = 0, and log 0 has some value, so that more is seen to be open.
    A search for a whole claim does without: it asks for cases first that a claim needs.
    """

    def __init__(self, d: Derivation, terms: Terms | None = None, total: bool = False) -> None:
        self.d, self.terms, self.total = d, terms, total
        self._values: dict[int, Values] = {}
        self._masks: dict[int, Masks] = {}
        self._solved: dict[tuple[int, ...], Models] = {}

    def denied(self, goal: int, facts: Sequence[int]) -> bool:
        """Is there a point where the facts hold and the goal does not?"""
        at = self._where(facts)
        return bool(at._holding(facts) & at.masks(goal)[1])

    def open(self, formula: int, facts: Sequence[int]) -> bool:
        """Are there points where the facts hold with the formula, and with its negation?"""
        at = self._where(facts)
        held = at._holding(facts)
        yes, no = at.masks(formula)
        return bool(held & yes and held & no)

    def _where(self, facts: Sequence[int]) -> Models:
        """The points, moved so that equations among the facts hold."""
        d = self.d
        equations = tuple(sorted({c for i in facts if d.head(c := d.claim(i)) == "eq"
                                  and d.b.sorts[d.kids(c)[0]] == "R" and not d.b.loose[c]}))
        if self.terms is None or not equations:
            return self
        if equations not in self._solved:
            if len(self._solved) >= MOST_SOLVED:
                del self._solved[next(iter(self._solved))]
            self._solved[equations] = Solved(self, self.terms, equations)
        return self._solved[equations]

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

    def _compared(self, head: str, left: Values, right: Values) -> Masks:
        more = less = same = none = 0
        bit = 1
        for x, y in zip(left, right, strict=True):
            if x == y:
                same |= bit
                if not x:
                    none |= bit
            else:
                # none of these is true of NaN
                gap, size = y - x, abs(x) + abs(y)
                near = ROUNDING * (1 + size)
                if gap > near:
                    more |= bit
                elif gap < -near:
                    less |= bit
                elif abs(gap) <= max(1e-13 * size, CANCELLED):
                    same |= bit
            bit <<= 1
        if head == "eq":
            return same, more | less
        if head == "le":
            return more | same, less
        return more, less | none if self.total else less

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
            return self._applied(head, [self.values(k) for k in kids])
        if head == "abs":
            return [math.nan] * POINTS  # of a complex number: it is brought to a real one first
        return self._drawn(t, head)

    def _applied(self, head: str, columns: list[Values]) -> Values:
        # most values are sums and products; what is 0 by rounding is nearly 0, or lost
        if head == "add":
            sums = [x + y or (CANCELLED if x else 0.0) for x, y in zip(*columns, strict=True)]
            return [s if abs(s) < LARGEST else math.nan for s in sums]
        if head == "mul":
            return [p if TINY < p < LARGEST or -LARGEST < p < -TINY else _small(x, y, p)
                    for x, y in zip(*columns, strict=True) for p in (x * y,)]
        function = (TOTAL if self.total else FUNCTIONS)[head]
        # the larger of 0 and NaN would be 0; and what is nearly 0 has no certain reciprocal
        chosen, ends = head in ("max", "min"), head in ("inv", "log", "sqrt")
        small = head in ("exp", "erfc")
        found = []
        for row in zip(*columns, strict=True):
            try:
                x = math.nan if (chosen and any(map(math.isnan, row))) or (
                    ends and abs(row[0]) == CANCELLED) else function(*row)
            except (ValueError, ZeroDivisionError, OverflowError):
                x = math.nan
            found.append(x if abs(x) < LARGEST and (x > TINY or not small) else math.nan)
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


def _small(x: float, y: float, product: float) -> float:
    """A product that is very small or large: NaN, unless a factor is 0 or nearly so."""
    if abs(product) > TINY or (x and y and not product):
        return math.nan
    return product if abs(x) <= TINY or abs(y) <= TINY else math.nan


class Solved(Models):
    """The points of others, but what equations give in terms of the rest has that value."""

    def __init__(self, base: Models, terms: Terms, equations: Sequence[int]) -> None:
        super().__init__(base.d, total=base.total)
        self.base = base
        self.given: dict[int, int] = {}
        self._moved: dict[int, bool] = {}
        for equation in equations:
            for t, value in self._solutions(equation, terms):
                if t not in self.given and not self._leads(value, t):
                    self.given[t] = value
                    break

    def _solutions(self, equation: int, terms: Terms) -> Iterator[tuple[int, int]]:
        """Terms without a value of their own that an equation gives, with what it gives."""
        d = self.d
        for t, value in (d.kids(equation), d.kids(equation)[::-1]):
            if not self._made_of_others(t):
                yield t, value
        try:
            f, g = (terms.reader.read(t) for t in d.kids(equation))
        except Refused:
            return
        gap = plus(f, g, -1)
        for m, c in gap.items():
            if len(m) == 1 and m[0][1] == 1 and not self._made_of_others(t := terms.term({m: 1})):
                yield t, terms.term({n: ratio(-v, c) for n, v in gap.items() if n != m}, "R")

    def _made_of_others(self, t: int) -> bool:
        """Is the value of a term, or the truth of a formula, worked out from its parts?"""
        head = self.d.head(t)
        return head in FUNCTIONS or head in CONNECTIVES or head in (
            "n", "pi", "if", "le", "lt", "eq")

    def _leads(self, value: int, t: int) -> bool:
        """Does a value depend on t?"""
        inside = self.d.subterms(value)
        return t in inside or any(self._leads(self.given[u], t) for u in inside if u in self.given)

    def moved(self, t: int) -> bool:
        """Does anything that an equation gives count here?"""
        if t not in self._moved:
            self._moved[t] = t in self.given or (
                self._made_of_others(t) and any(map(self.moved, self.d.kids(t))))
        return self._moved[t]

    def masks(self, formula: int) -> Masks:
        """As of the others, where nothing is moved."""
        return super().masks(formula) if self.moved(formula) else self.base.masks(formula)

    def values(self, t: int) -> Values:
        """As of the others, where nothing is moved."""
        if t in self.given:
            return self.values(self.given[t])
        return super().values(t) if self.moved(t) else self.base.values(t)


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
