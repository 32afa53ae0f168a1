"""The range of the arguments that a bound was called with, for the report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lapdp.core.precision import workprec
from lapdp.testing.conformance.guarantees import exactly
from lapdp.testing.conformance.values import Real


@dataclass
class Ranges:
    """The least and the largest of every number that was handed over, by name.

    >>> seen = Ranges()
    >>> seen.add(("rho", "delta"), (0.5, 0.01))
    >>> seen.add(("rho", "delta"), (20.0, 0.0))
    >>> print(seen)
    asked: rho from 0.5 to 20; delta from 0.01 to 0.01, or 0
    >>> lists = Ranges()
    >>> lists.add(("guarantees",), (((0.5, 0.0), (0.5, 0.0)),))
    >>> print(lists)
    asked: number of guarantees from 2 to 2; eps_i from 0.5 to 0.5; delta_i 0
    """

    seen: dict[str, list[float]] = field(default_factory=dict)

    def add(self, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
        """The arguments of one call; what is no number, and no list of couples, is left out."""
        for name, value in zip(names, values, strict=True):
            for of, number in _numbers(name, value):
                self.seen.setdefault(of, []).append(number)

    def __str__(self) -> str:
        return "asked: " + "; ".join(map(_said, *zip(*self.seen.items(), strict=True))) if (
            self.seen) else ""


_PARTS = {"guarantees": ("eps_i", "delta_i"), "bounds": ("q", "r")}


def _numbers(name: str, value: Any) -> Iterator[tuple[str, float]]:
    if name in _PARTS and isinstance(value, (tuple, list)):
        yield f"number of {name}", float(len(value))
        for couple in set(value):
            for part, x in zip(_PARTS[name], couple, strict=True):
                yield part, _double(x)
    elif not isinstance(value, (tuple, list)) and (
            isinstance(value, (int, float)) or hasattr(value, "is_comparable")
            or hasattr(value, "numerator")):
        yield name, _double(value)


def _double(x: Any) -> float:
    with workprec(64):
        return float(Real.of(exactly(x)).ball().mid())


def _said(name: str, numbers: list[float]) -> str:
    others = [x for x in numbers if x]
    if not others:
        return f"{name} 0"
    zero = ", or 0" if len(others) < len(numbers) else ""
    return f"{name} from {min(others):.3g} to {max(others):.3g}{zero}"


__all__ = ["Ranges"]
