"""delta of losses on a lattice at many points that share few of its cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lapdp.accounting.inversion import contour, lattice, shared
from lapdp.accounting.inversion.saddle import Saddle, beside, exponent, shorter
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.calculus.enclose import enclose
from lapdp.core.precision import workprec


class Cells:
    """delta of what lies on the lattice alone, by a rule: between two places it is linear in e^eps.
    """

    def __init__(self, on: Factors, rule: Callable[[Any], Any]) -> None:
        self.rule = rule
        found = lattice.lattice(on)
        assert found is not None
        self.offset, self.step = (enclose(x, {}).real for x in found)
        self.ends: dict[int, Any] = {}
        self.seen: set[int] = set()

    def at(self, t: Any) -> Any:
        """At a ball; by the ends of its cell where another one lay in the same."""
        cell = ((t - self.offset) / self.step).floor().unique_fmpz()
        if cell is None or int(cell) not in self.seen:
            self.seen |= set() if cell is None else {int(cell)}
            return self.rule(t)
        low, high = (self.offset + self.step * (int(cell) + j) for j in (0, 1))
        share = (t - low).expm1() / (high - low).expm1()
        return self._end(int(cell) + 1) * share + self._end(int(cell)) * (1 - share)

    def _end(self, j: int) -> Any:
        if j not in self.ends:
            self.ends[j] = self.rule(self.offset + self.step * j)
        return self.ends[j]


def on_line(on: Factors, gamma: float, ends: tuple[float, float], bits: int
            ) -> Callable[[Any], Any]:
    """A rule for points between two ends by one sum around the circle, on the line of order gamma:
    within about 2^-bits of e^((1 - gamma) t) E_gamma."""
    found = lattice.lattice(on)
    assert found is not None
    chosen = _line(on, gamma, ends, bits)
    precision = bits + on.count.bit_length() + int(abs(gamma)).bit_length() + 40
    with workprec(precision):
        offset, step = (enclose(x, {}).real for x in found)
        nodes = math.ceil(chosen.period / float(step)) + 1
        table = lattice._table(on, found[1], gamma, nodes, bits)
        # a shorter period bounds the aliases as well
        less = replace(chosen, period=float((step * nodes).lower()) * (1 - 2.0**-50))

    def at(t: Any) -> Any:
        with workprec(precision):
            total = table.total(t, (t - offset) / step, offset)
            if chosen.inner < 0:
                return lattice._unfold(on, t, chosen, found[1], step * nodes, total)
            return contour.unfold(on, t, less, total)

    return at


def _line(on: Factors, gamma: float, ends: tuple[float, float], bits: int) -> Saddle:
    """The line with a period for all points, short where that is possible at both ends: aliases
    from the right count most at the lower one, those from the left at the upper one."""
    goal = bits * LOG2
    low, high = (shorter(on, t, beside(on, t, gamma, exponent(on, t)(gamma), goal), goal)
                 for t in ends)
    if low.inner < 0 and high.inner < 0:
        return replace(low, period=max(low.period, high.period), inner=high.inner)
    return shared.line(on, gamma, ends, bits)


__all__ = ["Cells", "on_line"]
