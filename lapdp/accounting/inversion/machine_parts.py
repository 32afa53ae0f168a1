"""Copies of a law of atoms and pieces on a grid of heights, in doubles with rounding bounded.

Up to a height the pieces are sums over the nodes of a rule, beyond it what lies at their ends
(:mod:`lapdp.accounting.inversion.machine_edges`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.machine_edges import edges_of
from lapdp.accounting.inversion.machine_lines import Listed, at_most
from lapdp.accounting.moments.doubled import DOUBLE, SAFE, UNIT, Format, Heights, sizes
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.piecewise import PiecewiseLine, PiecewiseSpectrum

PIECE_BITS = 88
ROUNDED = 4 * UNIT
"""A product of complex numbers, or one with a number that was rounded, is off by less."""

Numbers = tuple[Any, Any]
"""Numbers, and bounds of what they are off."""


@dataclass(frozen=True)
class Law:
    """Copies of one law on a grid of heights: what atoms and pieces contribute over E_gamma."""

    copies: int
    mean: Any
    parts: tuple[tuple[float, float, Any, Any], ...]
    """For atoms and pieces, where there are some: their share of E_gamma, what it is off, what the
    sums are less than at height 0 and off, as shares of that."""
    has_atoms: bool

    @staticmethod
    def of(s: PiecewiseSpectrum, copies: int, gamma: float, step: float, count: int) -> Law:
        """By the rules of a line up to a height, beyond by the ends of the pieces."""
        edges = edges_of(s, gamma)
        low = count if edges is None else min(count, math.ceil(edges.start / step) + 1)

        def pieces(part: Listed) -> Numbers:
            near = part.moments(step, low, DOUBLE)
            if edges is None or low == count:
                return near
            return _one_after_another(near, edges.moments(step, low, count))

        return Law._of(_listed(s, copies, gamma, step, low), copies,
                       lambda part: part.moments(step, count, DOUBLE), pieces)

    @staticmethod
    def on(s: PiecewiseSpectrum, copies: int, gamma: float, step: float, heights: Heights) -> Law:
        """At some heights, where the pieces have ends."""
        edges = edges_of(s, gamma)
        assert edges is not None
        first = math.ceil(edges.start / step)
        beyond = int(np.searchsorted(heights.starts, first))
        below, above = (replace(heights, rows=rows) for rows in (
            heights.rows[:beyond], heights.rows[beyond:]))

        def pieces(part: Listed) -> Numbers:
            found = [part.on(flint.arb(step), below)] if beyond else []
            if len(above.rows):
                found.append(edges.on(step, above))
            return found[0] if len(found) == 1 else _one_after_another(*found)

        return Law._of(_listed(s, copies, gamma, step, first + heights.width), copies,
                       lambda part: part.on(flint.arb(step), heights), pieces)

    @staticmethod
    def _of(listed: tuple[Listed | None, Listed | None], copies: int,
            *moments: Callable[[Listed], Numbers]) -> Law:
        mean = sum((part.mean for part in listed if part is not None), flint.arb(0))
        parts = []
        for part, compute in zip(listed, moments, strict=True):
            if part is not None:
                ball = part.mean / mean
                share = float(ball)
                parts.append((share, float(abs(ball - flint.arb(share)).upper()), *compute(part)))
        return Law(copies, mean, tuple(parts), listed[0] is not None)

    def less(self, part: slice) -> Numbers:
        """The moment over E_gamma, less 1."""
        whole, error = 0.0, 0.0
        for share, off, less, slip in self.parts:
            whole = whole + share * less[part]
            size = sizes(less[part])
            error = error + (share + off) * slip[part] + (off + ROUNDED * share) * size
        return whole, SAFE * (error + UNIT * sizes(whole)) + 1e-300

    def numbers(self, part: slice) -> tuple[Numbers, Numbers]:
        """What the atoms and what the pieces contribute."""
        found = []
        for share, off, less, slip in self.parts:
            here = 1 + less[part]
            found.append((share * here, SAFE * (
                (share + off) * slip[part] + (off + ROUNDED * share) * sizes(here)) + 1e-300))
        none = np.zeros_like(found[0][0]), np.zeros_like(found[0][1])
        return (found[0], [*found, none][1]) if self.has_atoms else (none, found[0])


@lru_cache(maxsize=16)
def _listed(s: PiecewiseSpectrum, copies: int, gamma: float, step: float, low: int
            ) -> tuple[Listed | None, Listed | None]:
    """The atoms, at all heights, and the pieces, up to so many."""
    line = s.line(flint.arb(gamma), step * (low - 1), PIECE_BITS)
    many, pairs = len(s.atoms), line.nodes.pairs
    error = line.error(flint.arb(step) * low)
    atoms, pieces = (Listed.of(line, copies, step, Nodes(part), off) if part else None
                     for part, off in ((pairs[:many], flint.arb(0)), (pairs[many:], error)))
    return atoms, pieces


def _one_after_another(near: Numbers, more: Numbers) -> Numbers:
    one, two = (np.concatenate(both) for both in zip(near, more, strict=True))
    return one, two


@dataclass(frozen=True)
class Ended:
    """A law as a factor of a rule: up to some height by a line that is good up to there."""

    line: PiecewiseLine
    copies: int
    low: int
    """Heights for which the line is good."""

    @property
    def mean(self) -> Any:
        """A ball around E_gamma."""
        return self._listed(self.line, 1.0, 1).mean

    def _listed(self, line: PiecewiseLine, step: float, count: int) -> Listed:
        error = line.error(flint.arb(0) if count == 1 else flint.arb(step) * count)
        return Listed.of(line, self.copies, step, line.nodes, error)

    def on(self, step: Any, heights: Heights) -> tuple[Any, Any]:
        """The same at some heights, in doubles."""
        order = float(self.line.rules.gamma)
        less, slips = Law.on(self.line.spectrum, self.copies, order, float(step), heights).less(
            slice(None))
        return less, at_most(less, slips)

    def moments(self, step: float, count: int, form: Format) -> tuple[Any, Any]:
        """E_(gamma + i step j)/E_gamma - 1 for j below ``count``, and bounds of the errors."""
        if count > self.low and form is DOUBLE:
            less, slips = Law.of(self.line.spectrum, self.copies, float(self.line.rules.gamma),
                                 step, count).less(slice(None))
            return less, at_most(less, slips)
        return self._listed(self.up_to(step, count), step, count).moments(step, count, form)

    def up_to(self, step: float, count: int) -> PiecewiseLine:
        """A line that is good for so many heights."""
        rules = self.line.rules
        return self.line if count <= self.low else self.line.spectrum.line(
            rules.gamma, step * count, PIECE_BITS)


__all__ = ["PIECE_BITS", "ROUNDED", "Ended", "Law", "Numbers"]
