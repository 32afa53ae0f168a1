"""Hyperplanes on which an expression of several unknowns is not smooth.

A plane is ``sum of coefficient * unknown = constant``.  Integrating an unknown out leaves the
planes that do not mention it, the meetings of those that do, and those through the limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mpmath import mp

from lapdp.numeric.tails import Number

Affine = tuple[dict[Any, Any], Any]
"""Coefficients of the unknowns and a constant."""


@dataclass(frozen=True)
class Plane:
    """``sum(coefficients[x] * x) == constant``.

    >>> Plane({"t": mp.mpf(2)}, mp.mpf(3)).only("t")
    mpf('1.5')
    """

    coefficients: dict[Any, Any]
    constant: Any

    def only(self, x: Any) -> Number | None:
        """The value of ``x`` on the plane if no other unknown occurs, else None."""
        if set(self.coefficients) != {x}:
            return None
        return self.constant / self.coefficients[x]


def combine(first: Affine, second: Affine, factor: Number) -> Affine:
    """first + factor * second, vanished coefficients dropped."""
    out = dict(first[0])
    for x, c in second[0].items():
        out[x] = out.get(x, mp.mpf(0)) + factor * c
    return {x: c for x, c in out.items() if c != 0}, first[1] + factor * second[1]


def level(form: Affine, value: Number) -> Plane:
    """The plane on which an affine form takes ``value``."""
    return Plane(form[0], value - form[1])


def substitute(plane: Plane, x: Any, form: Affine) -> Plane | None:
    """The plane after ``x`` is replaced by an affine form; None if no unknown is left."""
    if x not in plane.coefficients:
        return plane
    rest = {y: c for y, c in plane.coefficients.items() if y != x}
    out, shift = combine((rest, mp.mpf(0)), form, plane.coefficients[x])
    return Plane(out, plane.constant - shift) if out else None


def eliminate(planes: Iterable[Plane], x: Any, limits: Iterable[Affine]) -> list[Plane]:
    """Planes of the integral over ``x`` between finite ``limits``."""
    planes = list(planes)
    through = [p for p in planes if x in p.coefficients]
    kept: list[Plane] = [p for p in planes if x not in p.coefficients]
    forms = [solved(p, x) for p in through] + list(limits)
    for k, p in enumerate(through):
        for form in forms[k + 1:]:
            met = substitute(p, x, form)
            if met is not None:
                kept.append(met)
    return kept


def solved(plane: Plane, x: Any) -> Affine:
    """``x`` on the plane, as an affine form of the other unknowns."""
    c = plane.coefficients[x]
    return ({y: -k / c for y, k in plane.coefficients.items() if y != x}, plane.constant / c)
