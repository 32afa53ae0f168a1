"""The places of a lattice at which the profile of what lies beside it is worked out.

With the notation of :mod:`lapdp.accounting.inversion.beside`: far from eps the summand g is at most
e^((1 - q) t) E'_q for every order q >= 1 and every q <= 0 (with E'_0, E'_1 <= 1), whence for the
places below a and an order r <= q, or those above a and r >= q,

    sum p_k g(eps - z_k) <= e^((1-q) eps + (q-r) a) E'_q E_r.

Either r is that of the line, and the others decide how far eps is, or q is an order next to it, and
places are far from where the law of the lattice lies that is weighed as on the line.
Where the losses of the others are bounded, g is 0 beyond the largest ones of both directions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import direct, rare, residues
from lapdp.accounting.inversion.contour import LEAST, moment_bound
from lapdp.accounting.inversion.lattice_parts import Parts
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_PLACES, MOST_SHORT, MOST_TOGETHER, MOST_RARE = 300, 6000, 2000, 1500
"""Places of the lattice at which the profile of the others is worked out: by queries of its own, by
short sums over corners, by a formula or by one line for all of them, or by tables of hits."""
FEW_RARE = 10_000
"""Rare releases of which one hit is likely to decide."""
FEW_PLACES = 24
"""So few places of all are taken altogether."""
FARTHEST = 1e15
"""A number of places that doubles count."""
SHARES = 32
"""Of eps that losses on the lattice may add up to, for a look at the size of delta."""
ORDERS = [2.0 ** (j / 2) for j in range(-24, 41)]
"""Distances of orders that are tried for the ends of a window."""


@dataclass(frozen=True)
class Window:
    """The places from ``first`` to ``last`` are worked out, and what all others add is bounded."""

    gamma: float
    first: int
    last: int
    low: float
    """An order above gamma, for the places below the window."""
    high: float
    """An order below gamma, for those above it."""
    nodes: int
    """Of the sum that gives their probabilities."""
    left: float
    right: float
    """Orders on either side of gamma, for its aliases."""
    size: float
    """About the logarithm of the answer."""
    ends: tuple[bool, bool]
    """Is g 0 at all places below the window, or above it, or are there none?"""
    rare: tuple[float | None, float | None]
    """The level of the bound of g there without rare huge losses, where that is the better one."""
    tails: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    """(q, r) of the bound there that rests on the law of the lattice, where that is better."""
    over: float = 0.0
    """The logarithm by which the integrand on the line is larger than the answer."""

    def rest(self, found: Parts, eps: Any) -> Any:
        """All numbers from 0 to the bound of what the other places add."""
        known = [end or level is not None or tail is not None for end, level, tail in zip(
            self.ends, self.rare, self.tails, strict=True)]
        if not ((known[0] or place_of(found, self.first) <= eps)
                and (known[1] or eps <= place_of(found, self.last))):
            raise Unsupported("eps is not seen to lie between the places that are worked out")
        self._prove_ends(found, eps)
        if not (self.gamma <= self.low > 1 and self.gamma >= self.high < 0):
            raise Unsupported("the orders chosen in doubles are not on both sides of the line")
        total = flint.arb(0)
        for order, k, ends, level, tail, side in (
                (self.low, self.first, self.ends[0], self.rare[0], self.tails[0], -1),
                (self.high, self.last, self.ends[1], self.rare[1], self.tails[1], 1)):
            if tail is not None:
                total += _tail(found, eps, place_of(found, k + side), tail, side)
                continue
            if ends:
                continue
            if level is not None:
                # g falls on either side of 0
                away = side * (place_of(found, k + side) - eps)
                if not away > 0:
                    raise Unsupported("eps is not seen to lie between the places left out")
                total += rare.bound(found.sides[side > 0], away, level)
                continue
            q, end = flint.arb(order), place_of(found, k)
            total += (((1 - q) * eps + (q - flint.arb(self.gamma)) * end).exp()
                      * moment_bound(found.forward, order) * moment_bound(found.on, self.gamma))
        return flint.arb(0).union(total.upper())

    def _prove_ends(self, found: Parts, eps: Any) -> None:
        """All losses of the others lie between what is left to the next places, or there are no
        places there."""
        for ends, tail, k, (low, high), sign in (
                (self.ends[0], self.tails[0], self.first - 1, (found.range[1], found.ends[0]), -1),
                (self.ends[1], self.tails[1], self.last + 1, (found.range[0], found.ends[1]), 1)):
            places = place_of(found, k)
            none = low is not None and sign * places > enclose(low, {}).real
            if ends and tail is None and not none and (
                    high is None or not sign * (places - eps) >= enclose(high, {}).real):
                raise Unsupported("the ends of the losses beside a lattice are not told apart")


def place_of(found: Parts, k: int) -> Any:
    offset, step = spacing(found.offset, found.step, flint.ctx.prec)
    return offset + step * k


@lru_cache(maxsize=64)
def spacing(offset: Form, step: Form, bits: int) -> tuple[Any, Any]:
    """The first place and the distance of a lattice in balls, for all of its places."""
    with workprec(bits):
        return enclose(offset, {}).real, enclose(step, {}).real


def _tail(found: Parts, eps: Any, end: Any, orders: tuple[float, float], side: int) -> Any:
    """The bound of all places from one on, on one side."""
    q, r = orders
    if not ((q >= 1 or q <= 0) and side * (r - q) >= 0):
        raise Unsupported("the orders chosen in doubles are not on the right sides")
    # E' of the orders 0 and 1 are masses
    size = flint.arb(1) if q in (0, 1) else moment_bound(found.forward, q)
    return (((1 - flint.arb(q)) * eps + (flint.arb(q) - flint.arb(r)) * end).exp() * size
            * moment_bound(found.on, r))


def window(found: Parts, whole: Factors, eps: float, goal: float) -> Window:
    """Chosen in doubles."""
    line = saddle(whole, eps, goal)
    if line.size < LEAST:
        raise Unsupported("too small for sums over a lattice")
    gamma, on, size = line.gamma, found.on, line.size
    if gamma > 1 and any(map(rare.is_bounded, found.sides)):
        # rare huge losses rule the moments: delta may be far smaller
        size = likely_size(whole, eps, size)
        if rare.is_rare(found.forward):
            size = min(size, _with_a_hit(found, eps))
    here = on.log_moment(gamma)
    offset, step = (float(enclose(x, {}).real) for x in (found.offset, found.step))

    def end(order: float) -> float:
        """Where the bound of what lies beyond is small."""
        return ((size - goal - (1 - order) * eps - found.forward.log_moment(order) - here)
                / (order - gamma))

    up = [q for q in (max(1.0, gamma) + x for x in ORDERS) if q < found.forward.upper]
    down = [q for q in (min(0.0, gamma) - x for x in ORDERS) if q > found.forward.lower]
    try:
        low, high = _least_order(up, end, -step), _least_order(down, end, step)
        first = math.floor((min(eps, end(low)) - offset) / step - 1e-9)
        last = math.ceil((max(eps, end(high)) - offset) / step + 1e-9)
    except (ValueError, ArithmeticError):
        raise Unsupported("no places of the lattice are found near eps in doubles") from None
    tops = [math.inf if x is None else float(enclose(x, {}).real) for x in found.ends]
    # one place more: its comparison with the largest loss is clear
    nearest = [math.floor((eps - tops[0] - offset) / step) - 1 if tops[0] < math.inf else first,
               math.ceil((eps + tops[1] - offset) / step) + 1 if tops[1] < math.inf else last]
    # places that there are
    top, bottom = (math.inf if x is None else float(enclose(x, {}).real) for x in found.range)
    if bottom < math.inf:
        nearest[0] = max(nearest[0], round((-bottom - offset) / step))
    if top < math.inf:
        nearest[1] = min(nearest[1], round((top - offset) / step))
    ends_here = nearest[0] > first, nearest[1] < last
    first, last = max(first, nearest[0]), min(last, nearest[1])
    first, last, levels = _without_rare(found, eps, (offset, step), (first, last),
                                        (ends_here, size - goal - 4))
    first, last, tails = _without_tails(found, eps, (offset, step), (first, last),
                                        (line.gamma, size - goal - 2))
    direct_here = direct.profile(found.forward, found.others) is not None
    if direct_here and max(top, bottom) < math.inf and top + bottom < FEW_PLACES * step:
        # all of them: the answer may be far below what is seen of its size on any line
        first, last = round((-bottom - offset) / step), round((top - offset) / step)
        ends_here, tails = (True, True), (None, None)
    if first > last and None in levels:
        raise Unsupported("no places of the lattice lie near eps")
    if last - first >= (most := _most(found, last - first)):
        raise Unsupported(f"{last - first + 1} places of the lattice lie near eps, more than "
                          f"{most}")
    sides = offset + first * step, offset + last * step
    nodes, left, right = circle(on, gamma, sides, goal + line.size - size, step)
    return Window(gamma, first, last, low, high, nodes, left, right, size, ends_here,
                  levels, tails, line.size - size)


def _with_a_hit(found: Parts, eps: float) -> float:
    """About log delta where losses on the lattice decide, with one huge loss of the others or none:
    Chernoff's bounds of what the former add up to.  A choice."""
    known = [(1 + x, found.on.log_moment(1 + x)) for x in ORDERS if 1 + x < found.on.upper]
    sizes: list[float] = []
    for j in range(SHARES + 1):
        z = eps * j / SHARES
        size: float = min([0.0, *(log + (1 - q) * z for q, log in known)])
        sizes.append(size + (rare.log_hit(found.forward, eps - z) if j < SHARES else 0.0))
    return max(sizes)


def circle(on: Factors, gamma: float, sides: tuple[float, float], goal: float, step: float
           ) -> tuple[int, float, float]:
    """How many nodes around the circle give the probabilities of losses between two places, as they
    are weighed on the line of order gamma, and the orders on either side of it for aliases."""
    here = on.log_moment(gamma)
    # a normal law has them at sqrt(2 goal) deviations
    h = 1e-3 * min(abs(gamma), abs(gamma - 1))
    curve = (on.log_moment(gamma + h) + on.log_moment(gamma - h) - 2 * here) / h**2
    reach = math.sqrt(2 * goal / max(curve, 1e-12))
    span = goal + 6 + math.log(max(1.0, math.sqrt(abs(curve)) / step))

    def period(order: float) -> float:
        gap = order - gamma
        return (on.log_moment(order) - here - gap * (sides[0] if gap > 0 else sides[1]) + span
                ) / abs(gap)

    tried = [reach * 2.0 ** (j / 2) for j in range(-8, 9)]
    right = min((gamma + x for x in tried), key=period)
    left = min((gamma - x for x in tried), key=period)
    return math.ceil(max(period(left), period(right)) / step) + 2, left, right


def _most(found: Parts, many: int) -> int:
    """Places that may be worked out."""
    if many < MOST_PLACES:
        return MOST_PLACES
    if rare.is_rare(found.forward) and found.forward.count <= FEW_RARE:
        # one table of hits serves many of them
        return MOST_RARE
    return MOST_SHORT if residues.is_short(found.forward) else MOST_TOGETHER


def _without_tails(found: Parts, eps: float, places: tuple[float, float], window: tuple[int, int],
                   line: tuple[float, float]
                   ) -> tuple[int, int, tuple[tuple[float, float] | None,
                                              tuple[float, float] | None]]:
    """The window where places are left out at which little of the law of the lattice lies, as
    weighed on the line, and the orders of the bounds of these."""
    (offset, step), (first, last), (gamma, size) = places, window, line
    orders: list[tuple[float, float] | None] = [None, None]
    q = gamma if gamma > 1 else 1.0
    near = (1 - q) * eps + (found.forward.log_moment(q) if q > 1 else 0.0)

    def end(r: float) -> float:
        return (near + found.on.log_moment(r) - size) / (r - q)

    for i, side in enumerate((-1, 1)):
        tried = [q + side * x for x in ORDERS if found.on.lower < q + side * x < found.on.upper]
        known = [(side * end(r), r) for r in tried]
        best = min((row for row in known if math.isfinite(row[0])), default=None)
        if best is None or not abs(best[0]) < FARTHEST * step:
            continue
        # the nearest order: large ones cost much
        order = next(r for x, r in known if x <= best[0] + step)
        place = (side * min(x for x, r in known if r == order) - offset) / step
        if i == 0 and math.floor(place) + 1 > first:
            orders[0], first = (q, order), math.floor(place) + 1
        if i == 1 and math.ceil(place) - 1 < last:
            orders[1], last = (q, order), math.ceil(place) - 1
    return first, last, (orders[0], orders[1])


def _without_rare(found: Parts, eps: float, places: tuple[float, float], window: tuple[int, int],
                  known: tuple[tuple[bool, bool], float]
                  ) -> tuple[int, int, tuple[float | None, float | None]]:
    """The window where rare huge losses are bounded apart, and the levels of these bounds;
    there may be no place so near."""
    (offset, step), (first, last), (ends, size) = places, window, known
    levels: list[float | None] = [None, None]
    level = 8 * math.floor(size / 8)
    for i, side in enumerate(found.sides):
        if ends[i] or not rare.is_bounded(side):
            continue
        far = rare.reach(side, level)
        near = [math.ceil((eps - far - offset) / step), math.floor((eps + far - offset) / step)]
        if near[0] > first if i == 0 else near[1] < last:
            levels[i] = level
            first, last = (near[0], last) if i == 0 else (first, near[1])
    return first, last, (levels[0], levels[1])


def _least_order(orders: list[float], end: Callable[[float], float], step: float) -> float:
    """The nearest order whose end is within a step of the best one: large ones cost much."""
    ends = [x if math.isfinite(x) else math.copysign(math.inf, step) for x in map(end, orders)]
    best = min(ends) if step > 0 else max(ends)
    return next(q for q, x in zip(orders, ends, strict=True) if abs(x - best) <= abs(step))


__all__ = ["FEW_PLACES", "MOST_PLACES", "ORDERS", "Window", "circle", "place_of", "spacing",
           "window"]
