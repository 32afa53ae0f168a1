"""Rules of few nodes on a panel: Bernstein ellipses with bounds, and where the panel is cut.

On the ellipse of rho = e^t around an interval with half its length r, |h e^(iu l)| is at most size
e^(u turn), where turn is about r sinh(t) |l'|.  So for large u a rule needs about as many nodes as
two on halves of the interval do together.  But nodes of long rules take the longer, and on most of
a panel l' or h may be small: a long rule is left for two on halves, each with an ellipse, a number
of nodes and an error of its own.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.panels import FEW, Panel, largest
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

WIDEST = 8.0
"""The widest ellipse tried where the functions have no given reach."""
SHARES = tuple(0.7**k for k in range(14))
"""Ellipses tried, as shares of log rho."""
NEARLY = 1.1
"""A guess that is not so much better than what is proved is not followed."""
DEPTHS = 3, 1
"""Halvings of an arc for bounds of |Im l| and of |l - l(middle)|, which need no more."""
BITS, FLOOR = 96, 1e-300
"""Of bounds; the least size that is looked at."""
LONG, LONGER = 256, 2.0
"""Nodes of a rule that is not halved, and for each e-fold by which the error is below the size."""
FINEST, HOPE = 40, 8
"""Halvings of a panel; by how many times they make nodes fewer, at most."""
FAR = 1e6
"""Logarithms of sizes are not looked at beyond."""
CHORDS = 16
"""Of the logarithm of a sum of errors, if there are more of these."""


@dataclass(frozen=True)
class Ellipse:
    """Bounds on one Bernstein ellipse."""

    rho: Any
    size: Any
    """Of |h|, times half the length of the panel."""
    turn: Any
    """Of |Im l|."""
    spread: Any
    """Of |l - l(middle)|."""


Chosen = tuple[Panel, int, Ellipse]
"""A panel, a number of nodes, and the ellipse that proves it."""


@dataclass(frozen=True)
class Goal:
    """An error of e^``level`` up to a height, e^(fall (u/height)^2) times as much at u."""

    height: float
    fall: float
    level: float

    def nodes(self, log_rho: float, log_size: float, turn: float) -> int:
        """How many are enough with bounds on an ellipse: the error grows like e^(u turn)."""
        beside = math.log(64 / 15) - math.log(-math.expm1(-2 * log_rho))
        return legendre.nodes_for(self.above(log_size, turn) + beside, math.exp(log_rho))

    def above(self, log_size: float, turn: float) -> float:
        """The logarithm of the error without a rule, over that of the goal, nearly."""
        growth = self.height * turn
        over = growth * growth / (4 * self.fall) if growth < 2 * self.fall else growth - self.fall
        return log_size + over - self.level

    def half(self) -> Goal:
        """That of one of two."""
        return Goal(self.height, self.fall, self.level - math.log(2))


class Ruled:
    """A panel with the ellipses that were looked at."""

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self.known: dict[float, Ellipse | None] = {}
        reach, self.widest = panel.piece.reach, math.log(WIDEST)
        if reach is not None:
            self.widest = math.asinh(reach / float(panel.half))

    @cached_property
    def halves(self) -> list[Ruled]:
        """Both halves."""
        return [Ruled(part) for part in self.panel.parts(2)]

    def ellipse(self, share: float) -> Ellipse | None:
        """Bounds on one of them, None where not everything is seen to be analytic."""
        if share not in self.known:
            with workprec(BITS):
                self.known[share] = self._bounded(flint.arb(math.exp(share * self.widest)))
        return self.known[share]

    def rules(self, goal: Goal, depth: int = FINEST) -> Iterator[Chosen]:
        """Parts, each with a number of nodes and an ellipse that proves it."""
        most = max(LONG, LONGER * goal.above(self._outline.log_size(0.0), 0.0))
        if not depth or self.guess(goal) <= most:
            count, ellipse = self._best(goal)
            if not depth or count <= most:
                yield self.panel, count, ellipse
                return
        for half in self.halves:
            yield from half.rules(goal.half(), depth - 1)

    def guess(self, goal: Goal) -> int:
        """About how many nodes it takes without a cut; none where nothing is seen to be analytic.
        """
        return min(self._nodes(goal).values(), default=0)

    def _nodes(self, goal: Goal) -> dict[float, int]:
        """How many nodes each ellipse would take, by its bounds or a guess of these."""
        found = {}
        for share in SHARES:
            t = share * self.widest
            if share not in self.known:
                found[share] = goal.nodes(t, self._outline.log_size(t), self._outline.turn(t))
            elif (e := self.known[share]) is not None:
                size = e.size.max(flint.arb(FLOOR)).log()
                found[share] = goal.nodes(t, float(size), float(e.turn))
        return found

    def _best(self, goal: Goal) -> tuple[int, Ellipse]:
        """The least number of nodes for an error below the goal."""
        while True:
            nodes = self._nodes(goal)
            seen = {share: count for share, count in nodes.items() if share in self.known}
            open_ = {share: count for share, count in nodes.items() if share not in self.known}
            best = min(seen, key=seen.__getitem__, default=None)
            guess = min(open_, key=open_.__getitem__, default=None)
            if guess is not None and (best is None or NEARLY * open_[guess] < seen[best]):
                self.ellipse(guess)
                continue
            if best is None:
                raise Unsupported(
                    "a piece of the loss is not seen to be analytic around its interval")
            found = self.known[best]
            assert found is not None
            return seen[best], found

    @cached_property
    def _outline(self) -> Outline:
        return Outline.of(self.panel)

    def _bounded(self, rho: Any) -> Ellipse | None:
        panel = self.panel
        across = panel.half * flint.arb(0, (rho + 1 / rho).upper() / 2)
        along = panel.half * flint.arb(0, (rho - 1 / rho).upper() / 2)
        if not panel.piece.holds(flint.acb(panel.middle + across, along)):
            return None
        size, turn, spread = self._largest_on(rho, panel.piece.loss(flint.acb(panel.middle)))
        if not (size.is_finite() and spread.is_finite()):
            return None
        return Ellipse(rho, size * panel.half, turn, spread)

    def _largest_on(self, rho: Any, center: Any) -> list[Any]:
        """Bounds of |h|, |Im l| and |l - center| on an ellipse: of the arcs that cover it those are
        halved on which one of these is largest."""
        panel = self.panel
        known: dict[tuple[int, int], list[Any]] = {}
        heaps: tuple[list[Any], ...] = [], [], []
        deepest = max(0, (2 * panel.steps - 1).bit_length() - FEW.bit_length() + 1)

        def add(depth: int, j: int) -> None:
            h, loss = panel.weight(panel.middle + panel.half * legendre.arc(rho, j, FEW << depth))
            sizes = [abs(x).upper() for x in (h, loss.imag, loss - center)]
            known[depth, j] = sizes
            for heap, size in zip(heaps, sizes, strict=True):
                heapq.heappush(heap, (-_log(size), depth, j))

        for j in range(FEW):
            add(0, j)
        for heap, most in zip(heaps, (deepest, *DEPTHS), strict=True):
            while True:
                _, depth, j = heap[0]
                if (depth, j) not in known:
                    heapq.heappop(heap)
                elif depth < min(most, deepest):
                    del known[depth, j]
                    add(depth + 1, 2 * j)
                    add(depth + 1, 2 * j + 1)
                else:
                    break
        return [reduce(largest, sizes) for sizes in zip(*known.values(), strict=True)]


@dataclass(frozen=True)
class Outline:
    """log |h| on a panel as a parabola, and l', by doubles at the ends and in the middle; a guess.
    """

    half: float
    middle: float
    slope: float
    bend: float
    turns: tuple[float, float]
    """The largest |l'| times half the length, in the middle and at the ends."""

    @staticmethod
    def of(panel: Panel) -> Outline:
        """By what it is at the ends and in the middle."""
        spend(60)
        half = float(panel.half)
        places = [flint.acb(panel.middle + s * panel.half) for s in (-1, 0, 1)]
        low, middle, high = (min(max(_log(abs(panel.weight(x)[0]).mid()), -FAR), FAR)
                             for x in places)
        first, inner, last = (abs(float(panel.piece.slope(x).real)) * half for x in places)
        return Outline(half, middle, (high - low) / 2, (high + low) / 2 - middle,
                       (inner, max(first, last)))

    def log_size(self, t: float) -> float:
        """Of the size on the ellipse of rho = e^t: at (a cos, b sin) the parabola is slope a cos +
        bend ((a^2 + b^2) cos^2 - b^2)."""
        a, b = math.cosh(t), math.sinh(t)
        cosines, wide = [-1.0, 1.0], a * a + b * b
        if 2 * abs(self.bend) * wide > a * abs(self.slope):
            cosines.append(-a * self.slope / (2 * self.bend * wide))
        return self.middle + math.log(self.half) + max(
            self.slope * a * c + self.bend * (wide * c * c - b * b) for c in cosines)

    def turn(self, t: float) -> float:
        """On the same ellipse: at the top, or a quarter from there."""
        inner, outer = self.turns
        return math.sinh(t) * max(inner, (inner + outer) * math.sqrt(1 / 8))


def rules(panels: list[Ruled], goal: Goal, most: int) -> list[Chosen]:
    """Those of all, where they have no more nodes together."""
    if sum(panel.guess(goal) for panel in panels) > HOPE * most:
        raise Unsupported(f"a moment needs more than {most} nodes")
    found, count = [], 0
    for panel in panels:
        for one in panel.rules(goal):
            found.append(one)
            count += one[1]
            if count > most:
                raise Unsupported(f"a moment needs more than {most} nodes")
    return found


class Ripple:
    """The sum of errors size e^(u turn), turn >= 0, of many parts, for u >= 0.

    Its logarithm is convex: between two heights it is at most on their chord.
    """

    def __init__(self, height: float, errors: list[tuple[Any, Any]]) -> None:
        self.step, self.errors = flint.arb(height) / CHORDS, errors
        self._logs: dict[int, Any] = {}

    def at(self, u: Any) -> Any:
        """A bound."""
        if len(self.errors) > CHORDS and u < CHORDS * self.step:
            share = u / self.step
            k = math.floor(float(share))
            share -= k
            if share >= 0 and share <= 1:
                found = ((1 - share) * self._log(k) + share * self._log(k + 1)).exp()
                if found.is_finite():
                    return found.upper()
        return self._sum(u)

    def _log(self, k: int) -> Any:
        if k not in self._logs:
            self._logs[k] = self._sum(k * self.step).log()
        return self._logs[k]

    def _sum(self, u: Any) -> Any:
        spend(2 * len(self.errors))
        return sum((size * (u * turn).exp() for size, turn in self.errors), flint.arb(0)).upper()


def _log(size: Any) -> float:
    """About the logarithm of a bound, a choice; infinite where it is none."""
    return float(size.log()) if size.is_finite() and size > 0 else math.inf if size else -math.inf


__all__ = ["SHARES", "Chosen", "Ellipse", "Goal", "Ripple", "Ruled", "rules"]
