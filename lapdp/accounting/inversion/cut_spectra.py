"""What a subsampled release keeps of its losses where rare huge ones are dropped.

As factors: the moments of what is kept, in doubles, in balls and as sums over nodes, and bounds of
what is dropped, as a mass and as what the moment lacks at any order.  Subsampled Gaussians keep a
share psi under a smooth window (:mod:`lapdp.accounting.moments.windowed`), subsampled discrete
Gaussians all places up to one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import flint
import numpy as np

from lapdp.accounting.inversion.hit_columns import Column, log_falls, log_sum
from lapdp.accounting.inversion.machine_lines import Listed
from lapdp.accounting.moments.lines import LOG2, Sizes
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.mixed_theta import MOST_NODES, MixedThetaLine, MixedThetaSpectrum
from lapdp.accounting.moments.window_bounds import Integrand, Window
from lapdp.accounting.moments.windowed import WindowedLine, many
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS, LINE_BITS, ROOM = 60, 128, 8.0
"""Of moments; a logarithm between what counts and what does not."""
GRID, LEFT, BEYOND, FAR_GRID = 1 / 16, -12.0, 9.0, 1 / 4
"""The step of choices, where they begin, how far they see beyond a place, and their step there."""
CELL, CELL_STEPS, BEFORE, ALWAYS, MUCH, LITTLE = 1 / 16, 10, 24, 64.0, 2.0**-10, 2.0**-14
"""Of bounds of what is dropped: the longest cell where it counts, and what one takes; widths of a
window before its place that are looked at, and the square of how many always are; shares of all
from which on a cell is too long, and below which the next one is longer."""
MOST_PLACES = 1e6
"""Of a window, for choices."""
MOST_ORDER, LARGEST, FARTHEST, HIGHEST, STEEPEST = 1e15, 700.0, 100.0, 100.0, 5000.0


@dataclass(frozen=True)
class Bounded:
    """A line that only knows a bound of the moment at its real order."""

    most: Any

    def decay(self, height: Any) -> Any:
        """That holds at all heights."""
        return self.most


class _Kept(ABC):
    """What both kinds of cuts have in common, as factors."""

    lower: ClassVar[float] = -math.inf
    largest: ClassVar[None] = None
    poles: ClassVar[tuple[float, ...]] = ()

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._log_size)

    def log_moment(self, order: float) -> float:
        """log of the moment of what is kept, nearly; infinite where it ends too early."""
        return self._sizes[order]

    def finite_mass(self) -> Any:
        """What is kept of P."""
        return 1 - self.dropped(1)

    @abstractmethod
    def _log_size(self, order: float) -> float: ...

    @abstractmethod
    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0)."""


@dataclass(frozen=True)
class CutNormal(_Kept):
    """(w P + (1 - w) Q, Q), of Gaussians, under a window."""

    whole: MixedNormalSpectrum
    window: Window

    @cached_property
    def _grid(self) -> tuple[Any, Any, Any]:
        """log z, and logs of the masses under Q of what is kept and dropped, in doubles."""
        w, _, kappa = self.whole.doubles
        root, window = math.sqrt(2 * kappa), self.window
        step = min(GRID, window.width / 2)
        if not (window.end + BEYOND - LEFT) / step < MOST_PLACES:
            raise Unsupported("a window far beyond all losses")
        near = np.arange(LEFT, window.end, step)
        # beyond the window of orders that are looked at, in long cells
        beyond = np.arange(near[-1] + step, max(window.end + BEYOND, FARTHEST + BEYOND), FAR_GRID)
        n = np.append(near, beyond)
        cells = np.append(np.full(len(near), step), np.full(len(beyond), FAR_GRID))
        log = np.logaddexp(math.log1p(-w), math.log(w) + root * n - kappa)
        base = -n * n / 2 + np.log(cells / math.sqrt(2 * math.pi))
        inside, outside = (log_falls(side * (near - window.place), window.width)
                           for side in (1, -1))
        return log, base[:len(near)] + inside, np.append(base[:len(near)] + outside,
                                                         base[len(near):])

    def _log_size(self, order: float) -> float:
        log, kept, _ = self._grid
        spend(20 + len(kept) / 50)
        sizes = kept + order * log[:len(kept)]
        found = log_sum(sizes)
        return found if sizes[-1] < found - BITS * LOG2 * 5 / 4 - ROOM else math.inf

    def log_dropped(self, order: float) -> float:
        """log of what it lacks of the whole moment, nearly; infinite where no bound is told."""
        if not (self._far(order) < FARTHEST or order in (0, 1)):
            return math.inf
        log, _, dropped = self._grid
        return float(np.logaddexp(log_sum(dropped + order * log), self._left(order) - BEFORE**2))

    def _left(self, order: float) -> float:
        """log of the largest z^s before the window falls."""
        w, _, kappa = self.whole.doubles
        loss = math.sqrt(2 * kappa) * self.window.place - kappa
        return order * float(np.logaddexp(math.log1p(-w), math.log(w) + loss) if order > 0 else
                             math.log1p(-w))

    def _far(self, order: float) -> float:
        """A place beyond which next to nothing of z^s lies."""
        root = math.sqrt(2 * self.whole.doubles[2])
        return self.window.end + max(0.0, order * root)

    @cached_property
    def upper(self) -> float:
        """Orders up to it, and somewhat beyond, have windows that do not end too early."""
        low, high = 1.0, MOST_ORDER
        while high > low * (1 + 1 / 64):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.log_moment(middle) < math.inf else (low, middle)
        return 0.8 * low

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """Nodes."""
        return many(self.window, BITS * LOG2)

    def _integrand(self, order: Any) -> Integrand:
        return Integrand(self.whole, self.window, flint.arb(order), self.log_moment(float(order)))

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> Bounded:
        """A bound."""
        return Bounded(self._integrand(gamma).upper(bits * LOG2))

    def listed(self, copies: int, gamma: float, step: Any) -> Listed:
        """On the line of order gamma."""
        line = _windowed(self, gamma)
        return Listed.of(line, copies, step, line.nodes, line.off)

    @cached_property
    def _column(self) -> Column:
        return Column(self.whole, self.window, BITS * LOG2)

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of the line, nearly."""
        return self._column.decay(gamma, height)

    def decay(self, gamma: float, height: Any) -> Any:
        """At least the size of the moment from a height on."""
        return _windowed(self, gamma).decay(height, self._column.shift(gamma, float(height))[1])

    def least(self, gamma: float) -> Any:
        """At most the moment at the real order."""
        return _windowed(self, gamma).total().lower()

    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0): 1 - S_c is the distribution of c and
        s/sqrt(2) times a normal variable; beyond the end nothing is kept."""
        w, root = self.whole.first.ball(), (2 * self.whole.kappa.ball()).sqrt()
        place, width, end = (flint.arb(x) for x in (
            self.window.place, self.window.width, self.window.end))
        wide, left = (1 + width * width / 2).sqrt(), ((end - place) / width).erfc() / 2
        total = flint.arb(0)
        for share, mean in ((w, root), (1 - w, flint.arb(0))) if member else (
                (flint.arb(1), flint.arb(0)),):
            total += share * (right_tail((place - mean) / wide) + flint.arb(0).union(
                left * right_tail(end - mean)))
        return total

    def most_dropped(self, order: Any) -> Any:
        """At least what the moment of an order lacks, s <= 0 or s >= 1: in cells, where z^s is
        largest at an end and 1 - S_c at the right one; beyond all, log z rises by no more than l.
        Where hardly anything lies cells are longer."""
        rises, least, far = order >= 1, min(CELL, self.window.width / 4), self._far(float(order))
        if not far < FARTHEST:
            raise Unsupported("the order is too large for a bound of what is dropped")
        # next to nothing lies to the left
        before = min(BEFORE, math.ceil(math.sqrt(max(ALWAYS, ROOM + self._left(
            float(order)) - self.log_dropped(float(order))))))
        with workprec(LINE_BITS):
            w, kappa = self.whole.first.ball(), self.whole.kappa.ball()
            root, window = (2 * kappa).sqrt(), self.window

            def power(n: float) -> Any:
                return (1 - w + w * (root * n - kappa).exp()) ** order

            n, cell = window.place - before * window.width, least
            total = (power(n) if rises else (1 - w) ** order) * (
                flint.arb(window.place - n) / window.width).erfc() / 2
            tail, size = right_tail(flint.arb(n)), power(n)
            while n < far:
                spend(CELL_STEPS)
                end = n + cell
                beyond, next_size = right_tail(flint.arb(end)), power(end)
                more = (flint.arb(window.place - end) / window.width).erfc() / 2 if (
                    end < window.end) else flint.arb(1)
                here = (next_size if rises else size) * more * (tail - beyond)
                if cell > least and not here < total * MUCH:
                    cell /= 2
                    continue
                total += here
                n, tail, size = end, beyond, next_size
                if here < total * LITTLE:
                    cell *= 2
            if rises:
                slope = order * root
                tail = (slope * (slope / 2 - n)).exp() * right_tail(n - slope)
            return (total + size * tail).upper()


@lru_cache(maxsize=32)
def _windowed(cut: CutNormal, gamma: float) -> WindowedLine:
    with workprec(LINE_BITS):
        return WindowedLine(cut._integrand(gamma), BITS * LOG2)


@dataclass(frozen=True)
class CutTheta(_Kept):
    """(w P + (1 - w) Q, Q), of discrete Gaussians, up to a place."""

    whole: MixedThetaSpectrum
    last: int

    @cached_property
    def upper(self) -> float:
        """Lines of higher orders are not looked at: what is kept does not reach so far."""
        log, _, many = self._grid
        return max(HIGHEST, STEEPEST / max(float(log[many - 1]), 1e-300))

    @cached_property
    def _grid(self) -> tuple[Any, Any, int]:
        """log z, and logs of the masses under Q, in doubles, and how many are kept."""
        w, _, v = self.whole.doubles
        shift = self.whole.shift
        far = math.ceil(12 * math.sqrt(v)) + 2
        if self.last > 2 * MOST_NODES:
            raise Unsupported("too many atoms are kept")
        stride = max(1, math.floor(math.sqrt(v) / 16))
        x = np.arange(self.last - stride * ((self.last + far + shift) // stride),
                      self.last + far + stride, stride)
        loss = (x - shift / 2) * shift / v
        log = np.logaddexp(math.log1p(-w), math.log(w) + loss)
        every = np.arange(-far, far + 1)
        base = -x * x / (2 * v) - math.log(np.exp(-every * every / (2 * v)).sum() / stride)
        return log, base, int((x <= self.last).sum())

    def _log_size(self, order: float) -> float:
        log, base, many = self._grid
        spend(20 + many / 50)
        return log_sum(base[:many] + order * log[:many])

    def log_dropped(self, order: float) -> float:
        """log of what it lacks of the whole moment, nearly."""
        log, base, many = self._grid
        return log_sum(base[many:] + order * log[many:])

    def _first(self, order: float, bits: int) -> int:
        whole = math.log(2 * math.pi * max(self.whole.doubles[2], 0.2)) / 2
        # where z^q is below 1 for an order below 0 it is largest on the left
        found = self.whole._end(order, self.log_moment(order) + whole - (bits + ROOM) * LOG2, -1)
        return min(found, self.last)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """Places that count."""
        return self.last - self._first(gamma, bits) + 1

    def _sum(self, order: Any, bits: int) -> MixedThetaLine:
        first = self._first(float(order), bits)
        if self.last - first >= MOST_NODES:
            raise Unsupported("too many atoms are kept")
        return MixedThetaLine(self.whole, order, first, self.last, (-1,))

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> Bounded:
        """A bound."""
        found = self._sum(flint.arb(gamma), bits)
        return Bounded((found.nodes.total() + found.left_out).upper())

    def listed(self, copies: int, gamma: float, step: Any) -> Listed:
        """On the line of order gamma."""
        line = self._sum(flint.arb(gamma), BITS)
        return Listed.of(line, copies, step, line.nodes, line.left_out)

    def _dropped(self, order: Any) -> Any:
        far = math.ceil(math.sqrt(2 * BITS * self.whole.doubles[2])) + self.whole.shift * (
            1 + max(1, math.ceil(float(order))))
        if not far < MOST_NODES:
            raise Unsupported("too many atoms are dropped")
        line = MixedThetaLine(self.whole, order, self.last + 1, max(self.last, 0) + far, (1,))
        return line.nodes.total() + flint.arb(0).union(line.left_out)

    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0)."""
        return self._dropped(flint.arb(member))

    def most_dropped(self, order: Any) -> Any:
        """At least what the moment of an order lacks."""
        return self._dropped(order).upper()


Cut = CutNormal | CutTheta


@lru_cache(maxsize=64)
def _normal(s: MixedNormalSpectrum, window: Window) -> CutNormal:
    return CutNormal(s, window)


@lru_cache(maxsize=64)
def _theta(s: MixedThetaSpectrum, last: int) -> CutTheta:
    return CutTheta(s, last)


def cut(s: Any, loss: float, width: float) -> Cut:
    """One that keeps losses up to about so much."""
    w, _, last = s.doubles
    # log z = loss
    far = loss - math.log(w) if loss > LARGEST else math.log(math.expm1(loss) / w + 1)
    if isinstance(s, MixedThetaSpectrum):
        return _theta(s, math.floor(far * last / s.shift + s.shift / 2))
    root = math.sqrt(2 * last)
    # the same for a range of losses
    place = math.floor((far + last) / root / width) * width
    return _normal(s, Window(place, width, place + math.ceil(
        8 * width * math.sqrt(4 * BITS * LOG2)) / 8))


__all__ = ["BITS", "LARGEST", "Cut", "CutNormal", "CutTheta", "cut"]
