"""Bounds of |E_(gamma + iu)| for all u above a height: for laws of atoms and analytic pieces.

Let phi = E_(gamma + iu)/E_gamma be the characteristic function of the tilted loss, D the difference
of two independent copies, sigma its own standard deviation, and psi(u) = 1 - |phi(u)|^2 = E[1 -
cos(u D)].  Two facts hold for every law:

    psi(2u) <= 4 psi(u), as 1 - cos 2x <= 4 (1 - cos x): if psi(v) >= c v^2 on [t/2, t], then on
    (0, t], and |phi(u)|^2 <= 1 - c h^2 on [h, t];
    sqrt(psi) has the Lipschitz constant sigma, as |psi'| <= E|D sin(u D)| <= sqrt(E D^2) sqrt(2
    psi), for sin^2 x <= 2 (1 - cos x); so has phi, after a shift of the loss.

So finitely many values of E bound it on an interval; above that, atoms do not decay, and the
pieces do by :class:`~lapdp.accounting.moments.panels.Fall`.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.moments.panels import Fall
from lapdp.core.errors import Unsupported

SMALL = 0.1
"""sigma times the height up to which the first fact serves."""
FINE, COARSE = 1.03, 0.12
"""Steps below that height, and above it as shares of sqrt(psi)/sigma."""
BLOCK, MOST_BLOCK = 8, 256
"""Values at equal steps that are worked out together, at first and at most."""
KEPT = 0.7
"""Those are kept at which sqrt(psi) is no smaller a share of what it was when steps were chosen."""
SHORT = 40
"""Bits of heights and steps: sums of them are doubles."""
MOST_TERMS = 500_000
"""Terms of all values on one line."""
REST = 0.1
"""The share of what decays that a bound by falls may hold where it does not reach its goal."""
MOST_TRIALS = 60
CUTS = (1.5, 3.0, 6.0, 12.0, 24.0, 48.0)
"""Panels on which e^(-u Im l) is above e^-cut are counted with their mass."""


Root = tuple[Any, Any]


class Decay:
    """Bounds on one line, from values and from the falls of panels."""

    def __init__(self, values: Callable[[float, float, int], tuple[list[Any], int]],
                 deviation: Any, atoms: Any, falls: Callable[[], Sequence[Sequence[Fall]]],
                 missing: Any) -> None:
        """``values`` gives balls of E at a height and up to so many ones, with equal steps, without
        a part of at most ``missing``, and the number of terms of each; ``deviation`` bounds sigma,
        ``atoms`` the moments of the atoms; ``falls`` gives those of each piece: at height 0 there
        is no need of them."""
        self._values_at, self.deviation, self.atoms = values, deviation, atoms
        self._falls, self.missing = falls, missing
        self.whole = values(0.0, 0.0, 1)[0][0].real
        self.room = MOST_TERMS
        self.slope = flint.arb(0)
        self.start = SMALL / float(deviation) if deviation > 0 else 0.0
        self.heights, self.bounds = [self.start / 2], list[Any]()
        self.values: list[Root] = []
        self.tops: list[Any] = []
        self.trials: dict[int, tuple[float, float]] = {}

    @cached_property
    def falls(self) -> Sequence[Sequence[Fall]]:
        """Bounds on the panels of each piece."""
        return self._falls()

    def above(self, height: float) -> Any:
        """A number that |E_(gamma + iu)| does not exceed for |u| >= height >= 0."""
        found = self.whole.upper()
        if height > 0:
            found = found.min(self.far(height))
            if self.start and height < self.farthest:
                try:
                    near = self._near(height)
                except Unsupported:
                    # values so high take too many nodes: the falls alone
                    near = found
                found = found.min(near)
        return (found + self.missing).upper()

    @cached_property
    def farthest(self) -> float:
        """Where the falls are nearly as low as they get: values above it gain little."""
        return self._end(0.0)

    def _near(self, height: float) -> Any:
        """By values between the height and where the falls serve as well."""
        if not self.values:
            self._begin()
        root = self._root(height)
        here = root[1] * self.whole
        if height < self.start:
            h = flint.arb(height)
            here = here.max((1 - self.slope * h * h).sqrt() * self.whole).upper()
        self._cover(max(height, self._end(float((here / self.whole).upper()))))
        if height >= self.heights[-1]:
            return self.far(height)
        if not self.tops:
            top = self.far(self.heights[-1])
            self.tops = [top, *(top := top.max(bound) for bound in reversed(self.bounds))][::-1]
        j = bisect_right(self.heights, height)
        if j == 0:
            return here.max(self.tops[0])
        _, bound = self._between(height, root, self.heights[j], self.values[j])
        return here.max(bound).max(self.tops[j])

    def far(self, height: float) -> Any:
        """The bound by the falls of the panels, which decreases."""
        return (self.atoms + self._continuous(height)).upper()

    def pieces(self, height: float) -> Any:
        """A number that what the pieces contribute does not exceed for |u| >= height > 0."""
        return (self._continuous(height) + self.missing).upper()

    def _continuous(self, height: float) -> Any:
        u = flint.arb(height)
        return min((self._shifted(u, cut) for cut in CUTS), key=float)

    def _shifted(self, u: Any, cut: float) -> Any:
        total = flint.arb(0)
        for piece in self.falls:
            before = None
            for fall in piece:
                good = fall.sign and u * fall.least > cut
                total += fall.above * (-u * fall.least).exp() if good else fall.mass
                # a way is needed at each end of a run
                joined = good and before is not None and before.sign == fall.sign
                if before is not None:
                    total += before.joint(fall, u) if joined else before.ways[1][0] / u
                if good and not joined:
                    total += fall.ways[0][0] / u
                before = fall if good else None
            if before is not None:
                total += before.ways[1][0] / u
        return total.upper()

    def _begin(self) -> None:
        """Values from start/2 to start: psi(u) >= slope u^2 below."""
        self.values.append(self._root(self.heights[0]))
        slopes = []
        while self.heights[-1] < self.start:
            least = self._step(min(self.heights[-1] * FINE, self.start))
            slopes.append(((least / flint.arb(self.heights[-1])) ** 2).lower())
        self.slope = min(slopes, key=float)

    def _cover(self, end: float) -> None:
        """Values up to a height, or as far as the terms last."""
        sigma, many = float(self.deviation), BLOCK
        while (last := self.heights[-1]) < end and self.room > 0 and self.values[-1][0] > 0:
            before = self.values[-1][0]
            step = COARSE * float(before) / sigma
            many = min(many, max(1, math.ceil((end - last) / step)))
            unit = 2.0 ** (math.frexp(last + many * step)[1] - SHORT)
            first, step = unit * math.floor((last + step) / unit), unit * math.floor(step / unit)
            if not first > last:
                return
            found = self._roots(first, step, many)
            for j, root in enumerate(found):
                if j and root[0] < KEPT * before:
                    many = max(1, j)
                    break
                self._take(first + step * j, root)
            else:
                many = min(2 * many, MOST_BLOCK)

    def _step(self, then: float) -> Any:
        """A bound between the last height and another one; returns a lower bound of sqrt(psi)."""
        return self._take(then, self._root(then))

    def _take(self, then: float, found: Root) -> Any:
        """The same with what is known there."""
        least, bound = self._between(self.heights[-1], self.values[-1], then, found)
        self.bounds.append(bound)
        self.heights.append(then)
        self.values.append(found)
        self.tops = []
        return least

    def _between(self, low: float, first: Root, high: float, second: Root) -> tuple[Any, Any]:
        """Bounds of sqrt(psi) from below and of |E| from above, by the values at two heights."""
        gap = self.deviation * (flint.arb(high) - flint.arb(low)) / 2
        least = ((first[0] + second[0]) / 2 - gap).lower().max(flint.arb(0))
        size = (1 - least * least).sqrt().min((first[1] + second[1]) / 2 + gap)
        return least, (size * self.whole).upper()

    def _root(self, u: float) -> Root:
        """A lower bound of sqrt(psi), and an upper bound of |phi|."""
        return self._roots(u, 0.0, 1)[0]

    def _roots(self, first: float, step: float, many: int) -> list[Root]:
        """The same at equal steps, at least at the first height."""
        found, terms = self._values_at(first, step, many)
        self.room -= terms * len(found)
        roots = []
        for value in found:
            size = (abs(value) / self.whole).upper()
            rest = 1 - size * size
            roots.append(((rest.sqrt().lower() if rest > 0 else flint.arb(0)), size))
        return roots

    def _end(self, share: float) -> float:
        """The least height, nearly, at which the falls reach a share of the whole moment, or as
        much as they can; shares, for the moment itself may be beyond all doubles."""
        # where atoms are left: most of the way to what is left, at the last of all trials
        least = self._trial(MOST_TRIALS - 1)[1]
        goal = max(share, least + REST * (1 - least))
        # the bound decreases
        j = bisect_left(range(MOST_TRIALS - 1), True, key=lambda j: self._trial(j)[1] <= goal)
        return self._trial(j)[0]

    def _trial(self, j: int) -> tuple[float, float]:
        """A height, and its bound by the falls as a share of the whole moment."""
        if j not in self.trials:
            height = self.start * math.sqrt(2.0**j)
            self.trials[j] = height, float((self.far(height) / self.whole).upper())
        return self.trials[j]


__all__ = ["Decay"]
