"""Moments of losses on a lattice, around the circle on which they are periodic.

For losses z0 + (m + n) h with a whole number m and n whole, E_(gamma + i t/h) is E_gamma times
e^(i (z0 + m h) t/h) phi(t), where phi is the characteristic function of n under the P-masses that
are weighed by e^((gamma - 1) z): periodic, and 1 at t = 0.  Angles are whole fractions of a turn,
so that no precision is lost however far n reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import flint

from lapdp.calculus.form import Form
from lapdp.core.effort import spend

PAIRED = 64
"""So many of the heaviest atoms count in the bound of |phi|."""
MOST_DIFFERENCES = 48
"""So many of their differences do."""


class Ring(Protocol):
    """phi of one factor on the line Re q = gamma, at one working precision."""

    @property
    def size(self) -> Any:
        """A ball around E_gamma."""

    @property
    def lowest(self) -> int:
        """The whole number m, from which n is counted."""

    def at(self, part: int, turn: int) -> Any:
        """A ball around phi(2 pi part/turn)."""

    def fall(self, first: int, last: int, turn: int) -> Any:
        """A number (arb) that -log |phi| is not below at the angles 2 pi j/turn, j from ``first``
        to ``last``."""


class OnLattice(Protocol):
    """A spectrum whose losses lie on a lattice."""

    @property
    def lattice(self) -> tuple[Form, Form] | None:
        """(offset, step) where all losses are offset + whole numbers of steps."""

    def ring(self, gamma: Any, step: Form) -> Ring:
        """The moments around the circle, losses counted in parts of the lattice's step."""


class AtomRing:
    """Finitely many atoms: phi(t) = sum of p_n e^(i n t).

    |phi|^2 = 1 - 4 sum over m < n of p_m p_n sin((n - m) t/2)^2, a sum of which any part may be
    left out for a bound.
    """

    def __init__(self, masses: Mapping[int, Any]) -> None:
        self.size = sum(masses.values(), flint.arb(0))
        self.lowest = min(masses)
        falling = sorted(masses, reverse=True)
        self._atoms = [(masses[n] / self.size, n - m)
                       for n, m in zip(falling, [*falling[1:], self.lowest], strict=True)]
        self._spreads = self._differences({n: masses[n] / self.size for n in falling})

    @staticmethod
    def _differences(shares: Mapping[int, Any]) -> list[tuple[int, Any]]:
        """(difference, 4 sum p_m p_n), the heaviest ones."""
        heaviest = sorted(sorted(shares, key=lambda n: shares[n].mid(), reverse=True)[:PAIRED])
        found: dict[int, Any] = {}
        for i, m in enumerate(heaviest):
            for n in heaviest[i + 1:]:
                found[n - m] = found.get(n - m, 0) + 4 * shares[m] * shares[n]
        return sorted(found.items(), key=lambda row: row[1].mid(), reverse=True)[:MOST_DIFFERENCES]

    def at(self, part: int, turn: int) -> Any:
        """By Horner's rule in e^(it)."""
        spend(4)
        root, total = _root(part, turn), flint.acb(0)
        for share, gap in self._atoms:
            total = (total + share) * (root if gap == 1 else root**gap)
        return total

    def fall(self, first: int, last: int, turn: int) -> Any:
        """-log(1 - s)/2 for a lower bound s of 1 - |phi|^2."""
        spread = flint.arb(0)
        for difference, weight in self._spreads:
            angle = least_angle(difference * first, difference * last, turn)
            if angle:
                spread += weight * flint.arb.sin_pi_fmpq(flint.fmpq(angle, turn)) ** 2
        # -log(1 - s) is not finite where phi may vanish
        return -(-spread.min(flint.arb(1) - flint.arb(2) ** -30)).log1p() / 2


def least_angle(first: int, last: int, turn: int) -> int:
    """The least distance from whole turns of the angles from first/turn to last/turn.

    >>> least_angle(3, 8, 10), least_angle(13, 14, 10), least_angle(8, 12, 10)
    (2, 3, 0)
    """
    if first // turn != last // turn:
        return 0
    return min(first % turn, -first % turn, last % turn, -last % turn)


def _root(part: int, turn: int) -> Any:
    """e^(2 pi i part/turn)."""
    sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * (part % turn), turn))
    return flint.acb(cosine, sine)


__all__ = ["AtomRing", "OnLattice", "Ring", "least_angle"]
