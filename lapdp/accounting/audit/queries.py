"""What accountants are asked: a composition of releases, and delta at an eps or eps at a delta.

All numbers are doubles, since doubles are what accountants take.  The certified value is that of
the same doubles, as the exact binary numbers they are, so that no difference comes from rounding
0.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from lapdp.core.errors import InputError

Direction = Literal["remove", "add", "both", "replace"]
"""P with the record and Q without it, the reverse, the worse of the two, or another record."""

PARAMETERS: dict[str, tuple[str, ...]] = {
    "approximate_dp": ("eps", "delta"),
    "discrete_gaussian": ("sigma",),
    "gaussian": ("sigma",),
    "geometric": ("eps",),
    "laplace": ("scale",),
}
"""The mechanisms that queries are made of and their parameters; each pair is its own reverse."""
SHIFTS = frozenset(PARAMETERS) - {"approximate_dp"}
"""Mechanisms that add noise: replacing a record moves their output by 2 instead of 1."""


@dataclass(frozen=True)
class Release:
    """A mechanism of sensitivity 1, released ``copies`` times, each on a fresh Poisson sample if
    ``rate`` is given.

    Raises :class:`InputError` for an unknown mechanism or parameters out of range.

    >>> Release("gaussian", (1.0,), rate=0.25, copies=10).text("remove")
    'poisson(gaussian(1), 0.25, direction="remove")**10'
    """

    mechanism: str
    parameters: tuple[float, ...]
    rate: float | None = None
    copies: int = 1

    def __post_init__(self) -> None:
        names = PARAMETERS.get(self.mechanism)
        if names is None:
            raise InputError(f"{self.mechanism} is not audited: {', '.join(PARAMETERS)} are")
        if len(names) != len(self.parameters):
            raise InputError(f"{self.mechanism} takes {', '.join(names)}")
        if self.copies < 1 or not (self.rate is None or 0 < self.rate <= 1):
            raise InputError("copies must be at least 1, a rate in (0, 1]")

    def text(self, direction: Direction) -> str:
        """The release in lapdp's language of mechanisms, exact."""
        return self._written(direction, exact_text)

    def code(self, direction: Direction) -> str:
        """The release as Python, with ``F`` for ``fractions.Fraction``: F(0.1) is the double."""
        return self._written(direction, lambda x: f"F({x!r})")

    def _written(self, direction: Direction, number: Any) -> str:
        if direction == "replace" and not self.replaceable:
            raise InputError(f"{self.slug} is not audited for replaced records")
        numbers = [*map(number, self.parameters), *(["2"] if direction == "replace" else [])]
        found = f"{self.mechanism}({', '.join(numbers)})"
        if self.rate is not None:
            found = f'poisson({found}, {number(self.rate)}, direction="{direction}")'
        return found if self.copies == 1 else f"{found}**{self.copies}"

    @property
    def replaceable(self) -> bool:
        """Is there a pair for a record that is replaced by another?"""
        return self.rate is None and self.mechanism in SHIFTS

    @property
    def slug(self) -> str:
        """A short name: ``gaussian-1-q0.25-x10``."""
        parts = [self.mechanism.replace("_", "-"), *(f"{x:g}" for x in self.parameters)]
        parts += [] if self.rate is None else [f"q{self.rate:g}"]
        return "-".join([*parts, f"x{self.copies}"])


@dataclass(frozen=True)
class Query:
    """One question: ``wants`` is "delta", at an eps, or "epsilon", at a delta.

    >>> query = Query((Release("gaussian", (1.0,)), Release("laplace", (0.5,))), "epsilon", 1e-5)
    >>> query.text("both"), query.slug
    ('gaussian(1)*laplace(0.5)', 'gaussian-1-x1+laplace-0.5-x1/epsilon@1e-05')
    """

    releases: tuple[Release, ...]
    wants: Literal["delta", "epsilon"]
    at: float

    @property
    def symmetric(self) -> bool:
        """Is the pair its own reverse?"""
        return all(release.rate is None for release in self.releases)

    def has(self, direction: Direction) -> bool:
        """Is there a pair in this direction?"""
        return direction != "replace" or all(r.replaceable for r in self.releases)

    def directions(self, direction: Direction) -> tuple[Direction, ...]:
        """The pairs whose worst value a claim in this direction speaks of."""
        if direction == "replace":
            return ("replace",)
        if self.symmetric:
            return ("remove",)
        return ("remove", "add") if direction == "both" else (direction,)

    def text(self, direction: Direction) -> str:
        """The composition in lapdp's language of mechanisms."""
        return "*".join(release.text(direction) for release in self.releases)

    def code(self, direction: Direction, digits: int) -> str:
        """Python that computes the certified value."""
        names = {r.mechanism for r in self.releases} | (
            set() if self.symmetric else {"poisson"})
        lines = ["from fractions import Fraction as F",
                 f"from lapdp import {', '.join(sorted(names))}"]
        for each in self.directions(direction):
            pair = " * ".join(release.code(each) for release in self.releases)
            lines.append(f"print(({pair}).{self.wants}(F({self.at!r}), digits={digits}))")
        return "\n".join(lines)

    @property
    def slug(self) -> str:
        """A short name, the end of the row's id."""
        return f"{'+'.join(r.slug for r in self.releases)}/{self.wants}@{self.at:g}"


def exact_text(x: float) -> str:
    """A double as text that is exactly it: a decimal if a short one will do, else a fraction.

    >>> exact_text(0.25), exact_text(10.0), exact_text(0.1)
    ('0.25', '10', '3602879701896397/36028797018963968')
    """
    exact, short = Fraction(x), repr(x).removesuffix(".0")
    return short if Fraction(short) == exact else str(exact)


def asked(releases: tuple[Release, ...], *, eps: tuple[float, ...] = (),
          delta: tuple[float, ...] = ()) -> Iterator[Query]:
    """The questions about one composition: delta at each eps, epsilon at each delta."""
    yield from (Query(releases, "delta", x) for x in eps)
    yield from (Query(releases, "epsilon", x) for x in delta)


__all__ = ["PARAMETERS", "Direction", "Query", "Release", "asked", "exact_text"]
