"""Where the moments of several lattices come back together.

Moments of losses on a lattice of step h come back at the heights 2 pi m/h.  There those of another
lattice, of step g, stand at the angle m a in turns, a = g/h.  Where they have fallen next to whole
turns farther than w, only the m with |m a - a whole number| <= w count, which are *live*.  Two of
these differ by an m with |m a - a whole number| <= 2 w, and the first such m >= 1 is the first
denominator of a convergent of a that fulfills it: convergents are the best approximations (of the
second kind), and before the first m no number is approximated as well.  With T this number, live
ones are T apart, so that those from n on contribute

    sum 1/(m - 1/2)^2 <= 1/(n - 1/2)^2 + 1/(T (n - 1/2)),

a sum below the integral of 1/(n - 1/2 + T x)^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from lapdp.accounting.moments.rings import Ring

TURN, KNOWN, MOST = 1 << 40, 50_000, 1 << 60
"""Parts of a turn in which w is sought; numbers m of which it is known whether they are live; T is
no larger."""


@dataclass(frozen=True)
class Returns:
    """Which windows m >= 1 count, in order; all up to ``known`` that are not among ``live`` do not.
    """

    live: Sequence[int]
    known: int
    apart: int
    """T."""
    quiet: Any
    """A bound of the other moments on all other windows, as a share of that on the real line."""

    def next(self, count: int) -> int:
        """The first one that may count after so many."""
        return self.live[count] if count < len(self.live) else self.known + 1

    def beyond(self, count: int) -> Any:
        """A bound of the sum of 1/(m - 1/2)^2 over those that count after so many of them."""
        n, half = self.next(count), flint.arb("0.5")
        alone = 1 / (n - half) ** 2 + 1 / (self.apart * (n - half))
        # 1/(m - 1/2)^2 is at most the integral of 1/x^2 from m - 1 to m
        every = flint.arb.pi() ** 2 / 2 if n == 1 else flint.arb(1) / (n - 1)
        return alone.min(every)


def all_windows(most: int) -> Returns:
    """All windows count."""
    return Returns(range(1, most + 1), most, 1, flint.arb(0))


def returns(groups: Sequence[tuple[Sequence[tuple[Ring, int]], Any]], reach: Any, goal: float,
            most: int) -> Returns:
    """The windows on which all of these lattices count, so many of them at most.

    Each has the rings of its releases and the ball a; ``reach`` is how far from the middle of a
    window its nodes lie, as a share of the distance of two.  On other windows one of the lattices
    is below e^-``goal``.
    """
    found = [(a, w) for a, w in ((a, width(rings, goal) + abs(a) * reach) for rings, a in groups)
             if w < 0.25]
    if not found:
        return all_windows(most)
    live, known = _live(found, most)
    return Returns(live, known, max(first_return(a, w) for a, w in found),
                   flint.arb(-goal).exp())


def width(rings: Sequence[tuple[Ring, int]], goal: float) -> Any:
    """A w beyond which, in turns, the product of |phi|^k is below e^-goal.

    >>> from lapdp.accounting.moments.rings import AtomRing
    >>> ring = AtomRing({0: flint.arb("0.5"), 1: flint.arb("0.5")})
    >>> [round(float(width([(ring, k)], 20.0)), 5) for k in (2, 1000, 10**6)]
    [0.49999, 0.06345, 0.00201]
    """
    last, size = TURN // 2, TURN // 4
    while size:
        first = last - size
        if first > 0 and sum((k * ring.fall(first, last, TURN) for ring, k in rings),
                             flint.arb(0)) > goal:
            last = first
            size = min(2 * size, last // 2)
        else:
            size //= 2
    return flint.arb(last) / TURN


def _live(found: Sequence[tuple[Any, Any]], most: int) -> tuple[list[int], int]:
    """The first numbers for which all m a lie next to whole ones, and up to where they are known.
    """
    rows = []
    for a, w in found:
        # whole parts of a turn, and how far they may be off
        parts = (a * TURN).mid().floor().unique_fmpz()
        off = abs(a * TURN - parts).upper()
        near = int(((w * TURN + KNOWN * off).upper() + 1).floor().unique_fmpz())
        rows.append((int(parts) % TURN, near))
    live = []
    for m in range(1, KNOWN + 1):
        if all((m * parts + near) % TURN <= 2 * near for parts, near in rows):
            live.append(m)
            if len(live) > most:
                return live[:-1], m - 1
    return live, KNOWN


def first_return(a: Any, w: Any) -> int:
    """A number T >= 1 such that |m a - a whole number| > 2 w for 1 <= m < T.

    >>> golden = (flint.arb(5).sqrt() + 1) / 2
    >>> first_return(golden, flint.arb("0.01")), first_return(flint.arb(1) / 3, flint.arb("0.01"))
    (21, 3)
    """
    middle, off = (Fraction(int(p), int(q)) for p, q in (
        (x.fmpq().p, x.fmpq().q) for x in (a.mid(), abs(a - a.mid()).upper())))
    limit = flint.arb(w).upper().fmpq()
    near = 2 * Fraction(int(limit.p), int(limit.q))
    # for the numbers m below some bound all that is known of a serves
    most = min(MOST, int(near / off / 8)) if off else MOST
    near += most * off
    before, here, rest = 0, 1, middle
    if abs(middle - round(middle)) <= near:
        return 1
    while here < most:
        whole = rest.numerator // rest.denominator
        rest -= whole
        if abs(here * middle - round(here * middle)) <= near or not rest:
            return here
        rest = 1 / rest
        whole = rest.numerator // rest.denominator
        before, here = here, whole * here + before
    return max(1, most)


__all__ = ["Returns", "all_windows", "first_return", "returns", "width"]
