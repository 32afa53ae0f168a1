"""delta of losses on a lattice at many points that share few of its cells."""

from __future__ import annotations

from typing import Any

import flint

from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose


class Cells:
    """delta of what lies on the lattice alone: between two places it is linear in e^eps."""

    def __init__(self, on: Factors, bits: int) -> None:
        self.on, self.bits = on, bits
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
            return _on_lattice(self.on, t, self.bits)
        low, high = (self.offset + self.step * (int(cell) + j) for j in (0, 1))
        share = (t - low).expm1() / (high - low).expm1()
        return self._end(int(cell) + 1) * share + self._end(int(cell)) * (1 - share)

    def _end(self, j: int) -> Any:
        if j not in self.ends:
            self.ends[j] = _on_lattice(self.on, self.offset + self.step * j, self.bits)
        return self.ends[j]


def _on_lattice(on: Factors, eps: Any, bits: int) -> Any:
    """delta of what lies on the lattice alone, at a ball of any sign."""
    largest = on.largest()
    if largest is not None and eps > enclose(largest, {}).real:
        return flint.arb(0)
    return lattice.delta(on, eps, bits + 4)


__all__ = ["Cells"]
