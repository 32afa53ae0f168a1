"""Moments of rare subsampled Gaussians with hits, under windows (see
:mod:`lapdp.accounting.inversion.hits`)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.hit_columns import ROOM, Column
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.window_bounds import Below, Integrand, Window, lost
from lapdp.accounting.moments.windowed import WindowedLine, many
from lapdp.core.precision import workprec

MOST_LOST = 40.0
"""Logarithm of what may cancel."""
MOST_ORDER, MOST_STEPS = 1e15, 120
STEP = 1 / 16
"""Of an order, for a slope."""
ROUGH = 12
"""Bits of bounds of moments."""


@dataclass(frozen=True, eq=False)
class Hits(Factors):
    """The releases with at least one hit, under windows; all of them where no losses are usual.

    Tables are kept by it: the same windows of the same releases are equal.
    """

    windows: tuple[Window | None, ...] = ()
    goal: float = 0.0
    """Logarithm of the accuracy for which windows are chosen."""
    beside: dict[tuple[int, float, int], float] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hits) and self._what == other._what

    def __hash__(self) -> int:
        return self._hash

    @property
    def _what(self) -> tuple[Any, ...]:
        return self.parts, self.windows, self.goal

    @cached_property
    def _hash(self) -> int:
        return hash(self._what)

    @property
    def splits(self) -> bool:
        """Are usual losses told apart?"""
        return any(w is not None and w.usual is not None for w in self.windows)

    @cached_property
    def columns(self) -> list[Column | None]:
        """For choices in doubles."""
        return [None if w is None else Column(s, w, self.goal)  # type: ignore[arg-type]
                for (s, _), w in zip(self.parts, self.windows, strict=True)]

    @cached_property
    def upper(self) -> float:
        """Orders up to it, and somewhat beyond, have moments whose windows do not end too early."""
        low, high = 1.0, min(super().upper, MOST_ORDER)
        while high > low * (1 + 1 / 64):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.log_moment(middle) < math.inf else (low, middle)
        # lines are rounded
        return 0.8 * low

    def log_usual(self, order: float) -> float:
        """log of the moment of usual losses alone."""
        return sum(k * (s.log_moment(order) if c is None else c.usual(order)) for (s, k), c in zip(
            self.parts, self.columns, strict=True))

    def log_moment(self, order: float) -> float:
        """log of the moment with hits."""
        if not self.splits:
            return sum(k * (s.log_moment(order) if c is None else c.hits(order))
                       for (s, k), c in zip(self.parts, self.columns, strict=True))
        return self.log_usual(order) + self._gained([
            (k, c.hits(order) - c.usual(order)) for (_, k), c in zip(
                self.parts, self.columns, strict=True) if c is not None and c.low is not None])

    def _gained(self, ratios: list[tuple[int, float]]) -> float:
        """log of prod (1 + e^r)^k - 1."""
        found = log_sum([r + math.log(k) for k, r in ratios])
        if found < -30:
            return found
        total = sum(k * (math.log1p(math.exp(r)) if r < 30 else r) for k, r in ratios)
        return math.log(math.expm1(total)) if total < 500 else total

    def log_decay(self, gamma: float, height: float) -> float:
        """The same at a height."""
        if not self.splits:
            return sum(k * (s.log_decay(gamma, height) if c is None else c.decay(gamma, height))
                       for (s, k), c in zip(self.parts, self.columns, strict=True))
        usual = [self._beside(j, gamma, math.floor(math.log2(height)))
                 if c is None else min(c.usual(gamma), c.decay(gamma, height, c.low is not None))
                 for j, c in enumerate(self.columns)]
        return sum(k * u for u, (_, k) in zip(usual, self.parts, strict=True)) + self._gained([
            (k, min(c.hits(gamma), c.decay(gamma, height)) - u) for u, (_, k), c in zip(
                usual, self.parts, self.columns, strict=True) if c is not None
            and c.low is not None])

    def _beside(self, j: int, gamma: float, power: int) -> float:
        """The decay of a factor without windows at a height of 2^power, which may take long."""
        key = j, gamma, power
        if key not in self.beside:
            s = self.parts[j][0]
            self.beside[key] = min(s.log_moment(gamma), s.log_decay(gamma, 2.0**power))
        return self.beside[key]

    def decays(self, j: int, lines: tuple[WindowedLine | None, WindowedLine], gamma: float,
               edge: Any) -> tuple[Any, Any]:
        """Bounds of the moments of one factor at all heights from one on."""
        column = self.columns[j]
        assert column is not None
        low, high = lines
        # sharper lines than are planned for may end with their window
        usual = None if low is None else low.decay(edge, column.shift(
            gamma, float(edge), True, not isinstance(low.integrand, Below))[1]).min(
                low.total().upper())
        return usual, high.decay(edge, column.shift(gamma, float(edge))[1]).min(
            high.total().upper())

    def log_left(self, gamma: float, height: float) -> float:
        """The same: without its usual losses the moment falls farther."""
        return self.log_decay(gamma, height)

    def log_size(self, eps: float, most: float) -> float:
        """log delta, nearly, if it is that of one hit beside usual losses; ``most`` is on the line.

        These may add much where they are many: Chernoff's bound of their tail says how likely.
        """
        if not self.splits:
            return most
        found, top = self._one_hit(eps), super().upper
        for j in range(MOST_STEPS):
            gap = 2.0 ** (j / 2 - 2)
            if not 1 + gap * (1 + STEP) < min(top, MOST_ORDER):
                break
            low, here, high = (self.log_usual(1 + gap * x) for x in (1 - STEP, 1, 1 + STEP))
            sum_of_usual = (high - low) / (2 * STEP * gap)
            if not sum_of_usual < eps:
                break
            found = max(found, self._one_hit(eps - sum_of_usual) + here - gap * sum_of_usual)
        return max(most - MOST_LOST, min(most, found))

    def _one_hit(self, eps: float) -> float:
        """log of what one hit of any factor alone contributes."""
        return log_sum([math.log(k) + c.once(eps) for (_, k), c in zip(
            self.parts, self.columns, strict=True) if c is not None and c.low is not None])

    def terms(self, order: float, bits: int) -> int:
        """Nodes of the moments under windows."""
        goal = bits * LOG2
        return sum(many(c.window, goal, c.cut(order, goal + ROOM)) for c in self.columns
                   if c is not None)

    # -- in balls ---------------------------------------------------------------------------------

    def lines(self, j: int, order: float, bits: int) -> tuple[WindowedLine | None, WindowedLine]:
        """Of one factor: of its usual losses, and of all others in the window."""
        low, high = self.integrands(j, order, bits * LOG2)
        return (None if low is None else WindowedLine(low, bits * LOG2),
                WindowedLine(high, bits * LOG2))

    def integrands(self, j: int, order: float, goal: float) -> tuple[Integrand | None, Integrand]:
        """The same for what these lines are of, to about e^-``goal``."""
        column, window, (s, _) = self.columns[j], self.windows[j], self.parts[j]
        assert column is not None and window is not None and isinstance(s, MixedNormalSpectrum)
        gamma, low = flint.arb(order), None
        if window.usual is not None:
            low = Integrand(s, window.usual, gamma, column.usual(order))
            place = column.cut(order, goal + ROOM)
            if place is not None:
                low = Below(low, place, goal + ROOM)
        return low, Integrand(s, window, gamma, column.hits(order))

    def bound(self, order: float) -> Any:
        """An upper bound of the moment with hits at a real order."""
        usual, share = _moments(self, order)
        return (usual * share).upper()

    @cached_property
    def left_out(self) -> Any:
        """A bound of the probability that some loss lies outside its window."""
        total = flint.arb(0)
        with workprec(64):
            for (s, k), window in zip(self.parts, self.windows, strict=True):
                if window is not None:
                    assert isinstance(s, MixedNormalSpectrum)
                    total += k * lost(s, window)
        return total.upper()

    def usual_alone(self, eps: Any) -> Any:
        """Chernoff's bound of delta of usual losses alone."""
        if not self.splits:
            return flint.arb(0)
        order = self.best_order(float(eps))[0]
        return (((1 - flint.arb(order)) * eps).exp() * _moments(self, order)[0]).upper()

    def best_order(self, eps: float) -> tuple[float, float]:
        """The order for it, in steps, and about the logarithm of the bound."""
        def size(g: float) -> float:
            return (1 - g) * eps + self.log_usual(g)

        # its slope may be too small for differences to see
        found, most = (math.inf, 1.0), min(super().upper, MOST_ORDER)
        for j in range(MOST_STEPS):
            order = 1 + 2.0 ** (j / 2 - 2)
            here = size(order) if order < most else math.inf
            if not here < found[0]:
                break
            found = here, order
        return found[1], found[0]


def log_sum(logs: list[float]) -> float:
    """log of the sum of what these are the logs of."""
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs)) if top > -math.inf else top


@lru_cache(maxsize=128)
def _moments(known: Hits, order: float) -> tuple[Any, Any]:
    """Bounds of the moment of usual losses at a real order, and of what hits multiply it by, less
    1; that of all and 1 where nothing is told apart."""
    usual, log, more = flint.arb(1), flint.arb(0), known.count.bit_length()
    with workprec(96 + 2 * more):
        for j, (s, k) in enumerate(known.parts):
            if known.windows[j] is None:
                usual *= s.line(flint.arb(order), 0.0, 20 + more).decay(flint.arb(0)) ** k
                continue
            goal = (ROUGH + more) * LOG2
            low, high = known.integrands(j, order, goal)
            here = high.upper(goal)
            if low is not None:
                hits, here = here, low.upper(goal)
                log += k * (hits / here).log1p()
            usual *= here ** k
        return usual, log.expm1() if known.splits else flint.arb(1)


__all__ = ["MOST_LOST", "Hits", "log_sum"]
