"""Which releases share a lattice, and what lies beside it, for integrals on windows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.split import without_atoms
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces


@dataclass(frozen=True, eq=False)
class Parts(Factors):
    """All releases, as those on a lattice and the others."""

    on: Factors
    pieces: Factors
    """What has atoms and pieces."""
    smooth: Factors
    """What has neither: its moments decay."""
    sources: Factors
    """The same as ``pieces``, by formulas where there are some."""
    lattices: tuple[Factors, ...] = ()
    """More releases, each of them on a lattice of its own."""
    together: bool = False
    """Are atoms of the others taken as they are, for little of them is left at a few windows?"""

    @property
    def apart(self) -> bool:
        """Are the atoms of the others summed apart?"""
        return not self.smooth.parts and not self.together

    @property
    def returning(self) -> Factors:
        """Those on the other lattices."""
        return Factors(tuple(part for group in self.lattices for part in group.parts))

    @property
    def beside(self) -> Factors:
        """All that are not on the first lattice."""
        return Factors((*self.sources.parts, *self.smooth.parts, *self.returning.parts))

    def finite_mass(self) -> Any:
        """Of what the integral is of."""
        if not self.apart:
            return super().finite_mass()
        return (self.on.finite_mass() * self.returning.finite_mass()
                * without_atoms(self.pieces, 0).finite_mass())


def parts(factors: Factors) -> Parts | None:
    """The way that is tried first, None where there is none."""
    return next(iter(ways(factors)), None)


@lru_cache(maxsize=64)
def ways(factors: Factors) -> tuple[Parts, ...]:
    """The releases that share a lattice and the others.

    First the most releases, beside them all atoms apart where all others have some; where there are
    several lattices, then each of them, the one whose losses spread most first, beside all others
    as they are.  Before them, where what lies on no lattice has atoms, each of them with these
    apart.
    """
    # the most copies first
    groups, others = lattice.grouped(
        Factors(tuple(sorted(factors.parts, key=lambda part: -part[1]))))
    if not groups or len(groups[0].parts) == len(factors.parts):
        return ()
    rest = [part for part in factors.parts if part not in groups[0].parts]
    found = [Parts(factors.parts, groups[0], *_classes(rest))]
    if len(groups) == 1:
        return tuple(found)
    if not found[0].apart:
        found = []
    falling = sorted(groups, key=_spread, reverse=True)
    classes = _classes(others)
    for together in (True, False) if classes[0].parts and not classes[1].parts else (True,):
        found[len(found) if together else 0:0] = [Parts(
            factors.parts, group, *classes, tuple(other for other in groups if other is not group),
            together) for group in falling]
    return tuple(found)


def _classes(rest: list[Any]) -> tuple[Factors, Factors, Factors]:
    """What has atoms and pieces, what has neither, and the sources of the first."""
    known = [(part, in_pieces(Factors((part,)))) for part in rest]
    pieces = tuple(found.parts[0] for _, found in known if found is not None)
    smooth = tuple(part for part, found in known if found is None)
    sources = tuple(part for part, found in known if found is not None)
    return Factors(pieces), Factors(smooth), Factors(sources)


def _spread(group: Factors) -> float:
    """About the variance of its losses; a choice."""
    order, h = 1.25, 1 / 64
    logs = [group.log_moment(order + x) for x in (-h, 0.0, h)]
    found = (logs[0] - 2 * logs[1] + logs[2]) / h**2
    return found if math.isfinite(found) else 0.0


def on_lattice(on: Factors) -> tuple[Any, Any]:
    """(offset, step) of releases that share a lattice."""
    found = lattice.lattice(on)
    assert found is not None
    return found


__all__ = ["Parts", "on_lattice", "parts", "ways"]
