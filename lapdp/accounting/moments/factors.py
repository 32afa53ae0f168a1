"""Independent releases: the product of their moments, which is all that inversion needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.lines import Spectrum
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MOST_TERMS = 30_000_000
"""Terms of all moments on a line: about a minute."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Independent releases: (moments, how many of them)."""

    parts: tuple[tuple[Spectrum, int], ...]

    @property
    def count(self) -> int:
        """How many releases there are."""
        return sum(k for _, k in self.parts)

    def finite_mass(self) -> Any:
        """Pr[Z < oo], the product over all releases."""
        mass = flint.arb(1)
        for s, k in self.parts:
            mass *= s.finite_mass() ** k
        return mass

    def largest(self) -> Form | None:
        """The largest finite loss of the product; None where there is none."""
        total = Form({})
        for s, k in self.parts:
            here = s.largest
            if here is None:
                return None
            total = total + here * Form.of(k)
        return total

    def mass_of_largest(self) -> Any:
        """A ball that is at most Pr[Z = largest], where there is a largest finite loss."""
        mass = flint.arb(1)
        for s, k in self.parts:
            known = getattr(s, "mass_of_largest", None)
            mass *= flint.arb(0) if known is None else known() ** k
        return mass

    def refuse_open_ends(self) -> None:
        """:class:`Unsupported` where it is open whether the losses are bounded."""
        if any(getattr(s, "unsure", False) for s, _ in self.parts):
            raise Unsupported("whether the losses are bounded is not known")

    def falls(self, gamma: float, height: float, most: float) -> list[float]:
        """For one copy of each factor: by how much, as a logarithm, all others are smaller at
        gamma + i height than at gamma, nearly; at most ``most``."""
        own = [s.log_moment(gamma) - s.log_decay(gamma, height) for s, _ in self.parts]
        whole = min(most, sum(k * x for x, (_, k) in zip(own, self.parts, strict=True)))
        return [max(0.0, whole - x) for x in own]

    def work(self, nodes: int, gamma: float, height: float, bits: int,
             falls: list[float] | None = None) -> int:
        """Terms of all moments at the nodes; :class:`Unsupported` for minutes of work."""
        inner = sum(s.terms(gamma, height, bits, fall)
                    for (s, _), fall in zip(self.parts, falls or [0.0] * len(self.parts),
                                            strict=True))
        if nodes * inner > MOST_TERMS:
            raise Unsupported(f"the rule needs {nodes} nodes times {inner} terms of their moments, "
                              f"more than {MOST_TERMS}")
        return nodes * inner

    @property
    def lower(self) -> float:
        """Orders above it have finite moments."""
        return max(s.lower for s, _ in self.parts)

    @property
    def upper(self) -> float:
        """Orders below it have finite moments."""
        return min(s.upper for s, _ in self.parts)

    def log_moment(self, order: float) -> float:
        """log E at a real order, nearly."""
        return sum(k * s.log_moment(order) for s, k in self.parts)

    def log_decay(self, gamma: float, height: float) -> float:
        """log |E| at a complex order, nearly or somewhat above."""
        return sum(k * s.log_decay(gamma, height) for s, k in self.parts)

    def log_left(self, gamma: float, height: float) -> float:
        """What that cannot fall below at a height, as far as it takes no bounds of pieces."""
        total = 0.0
        for s, k in self.parts:
            atoms = getattr(s, "log_atoms", None)
            total += k * (s.log_decay(gamma, height) if atoms is None else atoms(gamma))
        return total


@lru_cache(maxsize=256)
def kept(parts: tuple[Any, ...]) -> Factors:
    """The same object for the same parts: what is known of a line serves other places, too."""
    return Factors(parts)


__all__ = ["MOST_TERMS", "Factors", "kept"]
