"""Rational bounds of what so many randomized responses lead to, state by state.

V(n, 1, e^t) = l + sum of p_j V(n - 1, 1, e^(t - c_j)) with numbers l, c_j, p_j.  Bounds of V(0, ..)
are read off from balls; from there each state takes two of the states below it.  Where n c <= x + t
for the largest shift c, 1 - e^(x + t) and all that n releases lead to from there is at most 0: the
bound at all such t is one theorem for each n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from flint import arb, ctx

from lapdp.kernel.balls import enclosure
from lapdp.kernel.terms import Refused
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.counted import Counted, Release

DIGITS, BITS = 40, 300
"""Of bounds, and of the balls that they are read off from."""
Value = Callable[[int, int], int]
"""The bound of V(n, 1, e^t) for n and t."""


class Bounds:
    """Bounds from below, or from above (``side`` 1), of one function."""

    def __init__(self, counted: Counted, letter: int, release: Release, side: int,
                 facts: Sequence[int]) -> None:
        self.c, self.r, self.d = counted, counted.r, counted.r.d
        self.letter, self.release, self.side, self.facts = letter, release, side, facts
        self.lost = self._end(release.lost, side)
        self.chances = [[self._end(p, s) for s in (0, 1)] for _, p in release.ways]
        self.known: dict[tuple[int, int], int] = {}
        self.far: dict[int, int] = {}
        d = self.d
        start = counted.i.start(letter, (d.num(1), d.num(1)))
        inside = counted.s.exponents(start)
        shifts = [c for c, _ in release.ways if self._seen(d.num(0), c) is not None]
        self.edge = (inside[0], shifts[0]) if (
            d.head(start) == "max" and len(inside) == len(shifts) == 1) else None
        self.anywhere = not inside

    def at(self, n: int, t: int) -> int:
        """The bound of V(n, 1, e^t)."""
        if (n, t) not in self.known:
            found = self._beyond(n, t)
            self.known[n, t] = self._carried(n, t, self.at) if found is None else found
        return self.known[n, t]

    # one state --------------------------------------------------------------------------------

    def _carried(self, n: int, t: int, inner: Value) -> int:
        """With V_j <= u and p_j <= r: p_j V_j <= p_j u <= r u, or s u with s <= p_j where u < 0."""
        d, side = self.d, self.side
        if not n:
            found = self.r.begun(self.letter, (d.num(1), d.mk("exp", t)))
            value = d.kids(d.claim(found))[1]
            while d.head(value) == "if":
                decided = self.r.a.decided(value, self.facts)
                if decided is None:
                    raise NotFound("a condition that is not decided")
                found = d.chain(found, decided)
                value = d.kids(d.claim(found))[1]
            return d.replace(self._seen_or_fail(*self._ordered(value, self._end(value, side))),
                             d.turn(found))
        equation, after = self.c.instance(self.release, n, t)
        premises = [equation, self._seen_or_fail(d.num(0), d.num(1)),
                    self._seen_or_fail(*self._ordered(self.release.lost, self.lost))]
        parts: list[list[object]] = [[d.num(2 * side - 1), [0]], [d.num(1), [2]]]
        total = self.lost
        for (_, p), ends, u in zip(self.release.ways, self.chances, after, strict=True):
            bound = inner(n - 1, u)
            size = d.value(d.kids(d.claim(bound))[side])
            upper = side if size >= 0 else 1 - side
            k, end = len(premises), d.num(ends[upper])
            premises += [self._seen_or_fail(d.num(0), p), bound,
                         self._seen_or_fail(*((p, end) if upper else (end, p)))]
            parts += [[d.num(1), [k, k + 1]], [d.num(abs(size)), [k + 2]]]
            total += size * ends[upper]
        rounded = self._rounded(total, side)
        parts.append([d.num(abs(rounded - total)), [1]])
        left, right = self._ordered(d.kids(d.claim(equation))[0], rounded)
        return d.do("arith", d.mk("le", left, right), premises, parts)

    def _ordered(self, t: int, end: Fraction) -> tuple[int, int]:
        """The sides of a bound of a term."""
        return (t, self.d.num(end)) if self.side else (self.d.num(end), t)

    def _seen(self, s: int, t: int) -> int | None:
        """s <= t of numbers, seen by balls."""
        try:
            return self._seen_or_fail(s, t)
        except NotFound:
            return None

    def _seen_or_fail(self, s: int, t: int) -> int:
        return self.d.do("ball", self.d.mk("le", s, t), [], [str(BITS)])

    def _end(self, t: int, side: int) -> Fraction:
        """A rational number below or above a number, a little apart from it."""
        try:
            with ctx.workprec(BITS):
                x = enclosure(self.d.b, t)
                end = _exactly(x.upper() if side else x.lower())
        except Refused as problem:
            raise NotFound(f"no number: {problem}") from None
        return self._rounded(end, side) + Fraction(2 * side - 1, 10 ** DIGITS)

    def _rounded(self, x: Fraction, side: int) -> Fraction:
        return Fraction((ceil if side else floor)(x * 10 ** DIGITS), 10 ** DIGITS)

    # far out ----------------------------------------------------------------------------------

    def _place(self, n: int, t: int) -> tuple[int, int] | None:
        """n c and x + t; 0 and 1 where nothing depends on t."""
        if self.edge is None:
            return (self.d.num(0), self.d.num(1)) if self.anywhere else None
        x, c = self.edge
        return self.d.mul(self.d.num(n), c), self.d.add(x, t)

    def _beyond(self, n: int, t: int) -> int | None:
        """The bound where t is far out; None elsewhere."""
        place = self._place(n, t)
        seen = None if place is None else self._seen(*place)
        return None if seen is None else self.d.mp(self.d.inst(self._everywhere(n), t), seen)

    def _everywhere(self, n: int) -> int:
        """all t (n c <= x + t -> the bound of V(n, 1, e^t))."""
        if n not in self.far:
            d = self.d
            name, t = d.fresh("R", "t")
            place = self._place(n, t)
            assert place is not None
            far = d.mk("le", *place)
            found = self._onward(n, t, d.assume(far)) if n else self._nothing(t, d.assume(far))
            self.far[n] = d.gen(name, "R", d.disch(far, found))
        return self.far[n]

    def _nothing(self, t: int, given: int) -> int:
        """V(0, 1, e^t) is 0, or nearly so."""
        d = self.d
        found = self.r.begun(self.letter, (d.num(1), d.mk("exp", t)))
        end = Fraction(2 * self.side - 1, 10 ** DIGITS)
        goal = d.mk("le", *self._ordered(d.kids(d.claim(found))[1], end))
        return d.replace(self.r.a.prove(goal, [*self.facts, given]), d.turn(found))

    def _onward(self, n: int, t: int, given: int) -> int:
        d = self.d
        above = [i for c, _ in self.release.ways if (i := self._seen(d.num(0), c)) is not None]

        def inner(m: int, u: int) -> int:
            found = d.inst(self._everywhere(m), u)
            return d.mp(found, self.r.a.prove(d.kids(d.claim(found))[0], [given, *above]))
        return self._carried(n, t, inner)


def _exactly(x: arb) -> Fraction:
    """A ball without radius as a rational number."""
    mantissa, exponent = (int(y) for y in x.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


__all__ = ["Bounds"]
