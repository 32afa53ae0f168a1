"""Inequalities of one real variable by their derivative: G(z) >= 0 from G(a) >= 0 and G' >= 0.

G(z) - G(a) is the integral of G' between a and z.  The derivative is shown to be >= 0 in the same
way, until arithmetic carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

from lapdp.kernel.analysis import derivative
from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_DERIVATIVES = 5
MOST_STARTS = 4
"""How many inequalities of a search may be tried this way."""
MOST_TANGENTS = 6
MOST_BENDS = 2
MOST_POWER = 4
BENT = ("exp", "log", "sqrt", "erfc", "inv", "cos", "sin")


class Slopes:
    """Proves ``s <= t`` from facts that bound a variable, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.depth = self.starts = 0

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal ``s <= t`` or ``s < t``.  Raises :class:`NotFound`."""
        d = self.d
        if d.head(goal) not in ("le", "lt") or self.depth >= MOST_DERIVATIVES:
            raise NotFound("no inequality for its derivative")
        letters = [z for z in d.subterms(goal) if d.head(z) == "v" and d.b.sorts[z] == "R"
                   and self._is_bent(goal, z)]
        if not letters or any(d.head(t) in ("dens", "app", "oint", "lint") for t in d.subterms(
                goal)):
            raise NotFound("no function of one variable")
        if not self.depth:
            self.starts += 1
            if self.starts > MOST_STARTS:
                raise NotFound("enough inequalities by their derivative")
        facts = self._about_numbers(facts)
        try:
            return self.a.plainly(goal, [*facts, *self._tangents(goal)], 2)
        except NotFound:
            pass
        self.depth += 1
        try:
            for z in letters[:2]:
                for at, above, order in self._ends(z, facts):
                    try:
                        return self._from(goal, z, at, above, order, facts)
                    except (NotFound, NeedSplit):
                        continue
                for attempt in (self._around_zero, self._bowed, self._above_power):
                    if (found := attempt(goal, z, facts)) is not None:
                        return found
        finally:
            self.depth -= 1
        raise NotFound("no derivative with a sign")

    def between(self, goal: int, z: int, at: int, order: int, facts: Sequence[int],
                beside: Callable[[int, int], list[int]]) -> int:
        """The goal for at <= z from its truth at ``at`` and the sign of the derivative, with the
        facts about it that ``beside`` makes at a place between, of the place and that it is so."""
        return self._from(goal, z, at, True, order, facts, beside)

    def _tangents(self, goal: int) -> list[int]:
        """1 + x <= e^x and 1 - x <= e^-x for exponents that occur."""
        d = self.d
        found = []
        for t in d.subterms(goal):
            if d.head(t) == "exp" and d.b.sorts[t] == "R" and not d.b.loose[t]:
                (x,) = d.kids(t)
                found += [d.law("exp above tangent", d.mk("le", d.add(d.num(1), u), d.mk(
                    "exp", u)), u) for u in (x, d.neg(x))]
        return found[:MOST_TANGENTS]

    def _is_bent(self, goal: int, z: int) -> bool:
        d = self.d
        return any(d.head(t) in BENT and z in d.subterms(t) for t in d.subterms(goal))

    def _about_numbers(self, facts: Sequence[int]) -> list[int]:
        d = self.d
        return [i for i in facts if d.head(d.claim(i)) in ("le", "lt", "eq") and not any(
            d.head(t) in ("oint", "lint", "dens") for t in d.subterms(d.claim(i)))]

    def _ends(self, z: int, facts: Sequence[int]) -> Iterator[tuple[int, bool, int]]:
        """Terms a with a <= z (True) or z <= a, and that fact."""
        d = self.d
        for i in facts:
            head = d.head(d.claim(i))
            if head not in ("le", "lt"):
                continue
            s, t = d.kids(d.claim(i))
            if (s == z) == (t == z):
                continue
            other = t if s == z else s
            if z in d.subterms(other):
                continue
            low, high = d.kids(d.claim(i))
            order = i if head == "le" else d.do("arith", d.mk("le", low, high), [i],
                                                [[d.num(1), [0]]])
            yield other, t == z, order

    def _around_zero(self, goal: int, z: int, facts: Sequence[int]) -> int | None:
        """Both sides of 0, where no fact bounds the variable."""
        d = self.d
        if self.depth > 1 or any(True for _ in self._ends(z, facts)):
            return None
        condition = d.mk("le", d.num(0), z)
        sides = []
        for c in (condition, d.mk("not", condition)):
            known = self.a._closed([*facts, d.assume(c)])
            ends = list(self._ends(z, known))
            for at, above, order in ends:
                try:
                    sides.append(self._from(goal, z, at, above, order, known))
                    break
                except (NotFound, NeedSplit):
                    continue
        return d.split(condition, *sides) if len(sides) == 2 else None

    def _above_power(self, goal: int, z: int, facts: Sequence[int]) -> int | None:
        """0 < G(z) for z > 0 from c z^n <= G(z): where G vanishes at 0."""
        d, a = self.d, self.a
        positive = next((i for i in facts if d.claim(i) == d.mk("lt", d.num(0), z)), None)
        if d.head(goal) != "lt" or self.depth > 1 or positive is None:
            return None
        s, t = d.kids(goal)
        size = d.num(Fraction(1, 2))
        for n in range(1, MOST_POWER + 1):
            size = d.mul(d.num(Fraction(1, n)), size, z)
            less = d.mk("le", d.add(s, size), t)
            if a.models.denied(less, facts):
                continue
            try:
                found = self.relation(less, facts)
            except (NotFound, NeedSplit):
                continue
            weight = Fraction(1, 2 * factorial(n))
            return d.do("arith", goal, [found, positive], [[d.num(1), [0]], [
                d.num(weight), [1] * n]])
        return None

    def _bowed(self, goal: int, z: int, facts: Sequence[int]) -> int | None:
        """Between two ends, by the sign of the derivative at the variable: a concave function is
        least at an end."""
        d, a = self.d, self.a
        if self.depth > MOST_BENDS:
            return None
        ends = list(self._ends(z, facts))
        if {above for _, above, _ in ends} != {True, False}:
            return None
        s, t = d.kids(goal)
        gap = a.terms.term(plus(a.reader.read(t), a.reader.read(s), -1), "R")
        slope, _ = derivative(d.b, d.b.abstract(gap, str(d.b.rows[z][1]), "R"))
        value = a.terms.term(a.reader.read(d.b.open(slope, z)), "R")
        rises = d.mk("le", d.num(0), value)
        sides = []
        for c, up in ((rises, True), (d.mk("not", rises), False)):
            known = a._closed([*facts, d.assume(c)])
            for at, above, order in ends:
                if above != up:
                    continue
                try:
                    sides.append(self._from(goal, z, at, above, order, known))
                    break
                except (NotFound, NeedSplit):
                    continue
        return d.split(rises, *sides) if len(sides) == 2 else None

    def _from(self, goal: int, z: int, at: int, above: bool, order: int, facts: Sequence[int],
              beside: Callable[[int, int], list[int]] | None = None) -> int:
        """The goal from its truth at ``at`` and the sign of the derivative between."""
        d, a, zero = self.d, self.a, self.d.num(0)
        name = str(d.b.rows[z][1])
        s, t = d.kids(goal)
        gap = a.terms.term(plus(a.reader.read(t), a.reader.read(s), -1), "R")
        big = d.b.abstract(gap, name, "R")
        start = d.mk(d.head(goal), zero, d.b.open(big, at))
        first = self._start(start, facts)
        slope, smooth = derivative(d.b, big)
        low, high = (at, z) if above else (z, at)
        u_name, u = d.fresh("R", "u")
        t0 = d.b.bound(0, "R")
        inside = d.mk("and", d.mk("lt", d.b.lift(low), t0), d.mk("lt", t0, d.b.lift(high)))
        closed = d.mk("and", d.mk("le", d.b.lift(low), t0), d.mk("le", t0, d.b.lift(high)))
        at_u = d.assume(d.b.open(inside, u))
        moved = a._closed([*facts, at_u])
        if beside is not None:
            moved += beside(u, at_u)
        value = a.terms.term(a.reader.read(d.b.open(slope, u)), "R")
        sign = d.mk("le", zero, value) if above else d.mk("le", value, zero)
        signed = self._sign(sign, moved)
        f = d.b.abstract(value, u_name, "R")
        same = d.disch(d.claim(at_u), a.identity(d.mk("eq", d.b.open(slope, u), value), []))
        premises = [order, d.gen(u_name, "R", same)]
        if smooth is not None:
            at_closed = d.assume(d.b.open(closed, u))
            fine = a.prove(d.b.open(smooth, u), a._closed([*facts, at_closed]))
            premises.append(d.gen(u_name, "R", d.disch(d.claim(at_closed), fine)))
        part = d.mk("if", inside, f, zero)
        total = d.add(d.b.open(big, high), d.mul(d.num(-1), d.b.open(big, low)))
        made = d.do("ftc", d.conj([d.mk("liny", part), d.mk("eq", d.mk("lint", part), total)]),
                    premises, ["finite", big, f, low, high])
        iny, equation = d.parts(made)
        iny_zero, nothing = d.parts(a.nothing("lint", "R"))
        pair = (zero, d.b.open(part, u)) if above else (d.b.open(part, u), zero)
        cases = []
        for c, i in ((d.claim(at_u), signed), (d.mk("not", d.claim(at_u)), None)):
            law = d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", d.b.open(part, u), d.b.open(
                f, u) if i is not None else zero))), d.assume(c))
            known = [law] if i is None else [law, i]
            weights = [[d.num(-1 if above else 1), [0]]]
            if i is not None:
                weights.append([d.num(1), [1]])
            cases.append(d.do("arith", d.mk("le", *pair), known, weights))
        everywhere = d.gen(u_name, "R", d.split(d.claim(at_u), *cases))
        sides = (d.mk("lint", zero), d.mk("lint", part))
        less = d.do("mono", d.mk("le", *(sides if above else sides[::-1])), [
            everywhere, *((iny_zero, iny) if above else (iny, iny_zero))])
        plus_minus = d.num(1 if above else -1)
        minus_plus = d.num(-1 if above else 1)
        return d.do("arith", goal, [first, less, equation, nothing], [
            [d.num(1), [0]], [d.num(1), [1]], [plus_minus, [2]], [minus_plus, [3]]])

    def _start(self, goal: int, facts: Sequence[int]) -> int:
        """The inequality at the end of an interval: a number, or what the facts say."""
        if not self.d.b.letters[goal]:
            try:
                return self.d.do("ball", goal, [], ["200"])
            except NotFound:
                pass
        return self.a.plainly(goal, [*facts, *self._tangents(goal)], 2)

    def _sign(self, goal: int, facts: Sequence[int]) -> int:
        a = self.a
        if not a.models.denied(goal, facts):
            for level in (0, 2):
                try:
                    return a.plainly(goal, facts, level)
                except NotFound:
                    continue
            if self.depth >= MOST_DERIVATIVES:
                raise NotFound("too many derivatives")
            return self.relation(goal, facts)
        raise NotFound("a derivative without a sign")
