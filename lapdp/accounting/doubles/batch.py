"""What a batch of queries in doubles returns, and what it takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from lapdp.accounting.answers import Answer
from lapdp.accounting.doubles.bounded import ASSUMPTION
from lapdp.accounting.doubles.closed import ClosedForm
from lapdp.accounting.doubles.lattice import lattice_of
from lapdp.accounting.inversion import residues
from lapdp.accounting.moments.releases import releases
from lapdp.balls.decimals import Enclosure
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

WIDE = 1e-10
"""Relative radius beyond which an interval is called wide."""
BY_DOUBLES = "inversion in doubles"
MOST_COPIES = 2**50
FEW = 4
"""Up to so many queries a short formula in balls takes less time than a line of nodes."""
DIGITS = 17
"""Of balls, before they are rounded to doubles."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Numbers between ``values - radii`` and ``values + radii``, arrays of one shape.

    A batch can be indexed and iterated: its members are :class:`Answer` objects.
    """

    values: Any
    radii: Any
    methods: Any
    """How each was found, as text."""
    seconds: float
    """For all of them."""

    @property
    def by_doubles(self) -> Any:
        """Which radii rest on the assumption; those found by balls rest on none."""
        return np.char.endswith(self.methods.astype(str), BY_DOUBLES)

    @property
    def assumes(self) -> str:
        """What the radii found in doubles assume of NumPy; empty where all come from balls."""
        return ASSUMPTION if bool(np.any(self.by_doubles)) else ""

    @property
    def method(self) -> str:
        """The methods used, each once."""
        return ", ".join(sorted(set(self.methods.ravel())))

    @property
    def certified(self) -> Any:
        """Which radii are proofs, given what is assumed: all that are numbers."""
        return ~np.isnan(self.radii)

    @property
    def wide(self) -> Any:
        """Which intervals are wider than 1e-10 of their value: too small for doubles, mostly."""
        return ~(self.radii <= WIDE * np.abs(self.values)) & ~np.isinf(self.values)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, np.shape(self.values)))
        return f"Batch({shape} numbers, by {self.method}, {self.seconds:.3g} s)"

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import batch_card

        return batch_card(self)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: Any) -> Answer | Batch:
        value, radius, method = (x[index] for x in (self.values, self.radii, self.methods))
        if np.ndim(value):
            return Batch(value, radius, method, self.seconds)
        share = self.seconds / max(1, self.values.size)
        assumes = ASSUMPTION if str(method).endswith(BY_DOUBLES) else ""
        if np.isinf(value):
            return Answer(None, str(method), share)
        return Answer(_enclosure(float(value), float(radius)), str(method), share, assumes)

    def __iter__(self) -> Iterator[Answer | Batch]:
        return (self[j] for j in range(len(self)))


def _enclosure(value: float, radius: float) -> Enclosure:
    if not radius:
        return Enclosure(Fraction(value), Fraction(0))
    with workprec(120):
        return Enclosure.of_ball(flint.arb(value, radius), 17)


def are_left_to_balls(pair: Pair, copies: Any) -> bool:
    """Are these queries few, and is there a short formula in balls or a sum over few corners?"""
    if not 0 < copies.size <= FEW:
        return False
    many = {int(k) for k in copies}
    if all(pair.has_short_profile(k) for k in many):
        return True
    try:
        factors = releases(pair)
        return ClosedForm.of(factors) is None and lattice_of(factors) is None and all(
            residues.is_short(releases(pair**k)) for k in many)
    except Unsupported:
        return False


def outwards(found: Enclosure) -> tuple[float, float]:
    """A certified number as doubles, the radius rounded upwards."""
    if abs(found.middle) > sys.float_info.max:
        raise Unsupported("the number is beyond all doubles")
    value = float(found.middle)
    gap = abs(Fraction(value) - found.middle) + found.radius
    return value, float(np.nextafter(float(gap), np.inf)) if gap else 0.0


def queries(name: str, points: Any, copies: Any) -> tuple[Any, Any]:
    """Two arrays of one shape: doubles, and whole numbers from 1 on as doubles.

    Raises :class:`InputError` for what is no finite double, and for shapes that do not fit.
    """
    try:
        given = np.atleast_1d(np.asarray(points))
        counts = np.atleast_1d(np.asarray(copies))
    except ValueError:
        raise InputError(f"{name} is no array of numbers: its rows differ in length") from None
    if given.dtype.kind not in "fiu":
        raise InputError(f"{name} must be doubles, which are the exact binary numbers that they "
                         'are: for another exact number ask m.delta("0.1") or m.epsilon("0.1")')
    if counts.dtype.kind not in "iu":
        raise InputError(f"copies must be whole numbers from 1 to {MOST_COPIES}")
    with np.errstate(all="ignore"):
        doubles = given.astype(float)
        back = doubles.astype(given.dtype)
    if not np.array_equal(back, given, equal_nan=given.dtype.kind == "f"):
        raise InputError(f"{name} has numbers that are no doubles")
    if not np.isfinite(doubles).all():
        raise InputError(f"{name} has {doubles[~np.isfinite(doubles)][0]} among its numbers: "
                         "leave it out")
    if counts.size and (counts.min() < 1 or counts.max() > MOST_COPIES):
        raise InputError(f"copies must be whole numbers from 1 to {MOST_COPIES}")
    try:
        whole = np.broadcast_arrays(doubles, counts.astype(float))
    except ValueError:
        raise InputError(f"{name} of shape {given.shape} and copies of shape {counts.shape} do not "
                         "fit each other") from None
    return np.array(whole[0]), np.array(whole[1])


__all__ = ["BY_DOUBLES", "DIGITS", "WIDE", "Batch", "are_left_to_balls", "outwards", "queries"]
