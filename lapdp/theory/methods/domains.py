"""Domains of real parameters, one variable at a time: intervals, their ends, projections.

A domain is a list of conditions ``form > 0``, ``form >= 0``; symbols that are positive or
non-negative by assumption say so themselves.  Along a variable in which every condition is linear,
the domain is an interval for each value of the others, and the others range over the projection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lapdp.balls import sign as ball_sign
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, Constraint
from lapdp.core.errors import Undefined, Unsupported

SAMPLES = (Fraction(1), Fraction(1, 3), Fraction(5, 2), Fraction(1, 20), Fraction(7), Fraction(30))
"""Coordinates of the points at which a false claim is looked for before it is pursued."""
_TRIED, _KEPT = 200, 7


@dataclass(frozen=True)
class End:
    """A lower or upper bound of a variable, a form in the others."""

    form: Form
    closed: bool


@dataclass(frozen=True)
class Chart:
    """The domain seen from one end of a variable: v = end + side w, w > 0 (or w >= 0).

    ``inside`` is the domain in the coordinate ``w``, ``edge`` the domain of the others where the
    interval of v is not empty, ``at`` the end; ``rising`` where v grows with w.
    """

    variable: Any
    coordinate: Any
    closure: Any
    image: Any
    at: Any
    inside: Domain
    edge: Domain
    rising: bool


@dataclass(frozen=True)
class Domain:
    """Values of real parameters that satisfy all conditions and the assumptions of the symbols."""

    conditions: tuple[Constraint, ...]

    def cell(self) -> Cell:
        """The domain as a cell."""
        return Cell(self.conditions)

    def ends(self, v: Any) -> tuple[list[End], list[End]] | None:
        """Lower and upper ends of ``v``; None where a condition is not linear in it."""
        lower: list[End] = []
        upper: list[End] = []
        if v.is_positive or v.is_nonnegative:
            lower.append(End(Form({}), not v.is_positive))
        for form, rel in self.conditions:
            if not _mentions(form, v):
                continue
            slope = form.terms.get(((v, 1),))
            rest = form - Form({((v, 1),): slope or Fraction(0)})
            if slope is None or _mentions(rest, v) or rel == "=":
                return None
            end = End(rest * Form.of(-1 / slope), rel == ">=")
            (lower if slope > 0 else upper).append(end)
        return lower, upper

    def without(self, v: Any) -> Domain | None:
        """The projection: values of the others for which ``v`` has some value."""
        found = self.ends(v)
        if found is None:
            return None
        kept = [(form, rel) for form, rel in self.conditions if not _mentions(form, v)]
        for low, high in product(*found):
            gap, rel = high.form - low.form, ">=" if low.closed and high.closed else ">"
            value = gap.constant()
            if value is None or not (value > 0 or (value == 0 and rel == ">=")):
                kept.append((gap, rel))
        return Domain(tuple(kept))

    def charts(self, v: Any, beside: Iterable[Any] = ()) -> Iterator[Chart]:
        """The domain from each end of ``v`` that is provably its outermost one.

        The coordinate has a name of its own among the symbols of the domain and those ``beside``.
        """
        taken = {s.name for s in (*beside, *(a for form, _ in self.conditions
                                             for a in form.atoms())) if s.is_Symbol and s != v}
        found, edge = self.ends(v), self.without(v)
        if found is None or edge is None:
            return
        cell = edge.cell()
        for side, ends in ((1, found[0]), (-1, found[1])):
            for end in sorted(ends, key=lambda e: e.closed):
                gaps = [(end.form - other.form) * Form.of(side) for other in ends]
                if not all(_entailed(cell, gap) for gap in gaps):
                    continue
                plain = side > 0 and not end.form and (v.is_positive or v.is_nonnegative)
                name = v.name if plain else f"{v.name}'"
                while name in taken:
                    name += "'"
                signs = {"nonnegative": True} if end.closed else {"positive": True}
                w = v if plain and bool(v.is_positive) != end.closed else sp.Symbol(name, **signs)
                image = end.form + Form.atom(w) * Form.of(side)
                inside = [(form.substitute({v: image}), rel) for form, rel in self.conditions]
                if not plain and v.is_positive:
                    inside.append((image, ">"))
                elif not plain and v.is_nonnegative:
                    inside.append((image, ">="))
                kept = tuple((form, rel) for form, rel in inside if form != Form.atom(w))
                yield Chart(v, w, sp.Symbol(name, nonnegative=True), image.to_sympy(),
                            end.form.to_sympy(), Domain(kept), edge, side > 0)
                break

    def closed_chart(self, w: Any, closure: Any) -> Domain:
        """The domain with w = 0 added."""
        image = {w: Form.atom(closure)}
        return Domain(tuple((form.substitute(image), rel) for form, rel in self.conditions))

    def closed_along(self, v: Any) -> Domain:
        """The domain with the ends of ``v`` added."""
        return Domain(tuple((form, ">=" if rel == ">" and _mentions(form, v) else rel)
                            for form, rel in self.conditions))

    def open_above(self, v: Any) -> bool:
        """Is no value of ``v`` the largest?"""
        found = self.ends(v)
        return found is not None and not any(end.closed for end in found[1])

    def points(self, symbols: list[Any]) -> list[dict[Any, Any]]:
        """A few exact points of the domain."""
        found: list[dict[Any, Any]] = []
        ranked = sorted(product(range(len(SAMPLES)), repeat=len(symbols)),
                        key=lambda k: (sum(k), k))
        scales = [self._scale(s) for s in symbols]
        for choice in ranked[:_TRIED]:
            point = {s: low + side * _number(SAMPLES[k])
                     for s, k, (low, side) in zip(symbols, choice, scales, strict=True)}
            if self.holds(point):
                found.append(point)
                if len(found) == _KEPT:
                    break
        return found

    def _scale(self, s: Any) -> tuple[Any, int]:
        """A numerical end of ``s`` to step away from, and the direction."""
        ends = self.ends(s)
        for side, group in ((1, ends[0]), (-1, ends[1])) if ends else ():
            values = [e.form.to_sympy() for e in group if not any(
                a.is_Symbol for a in e.form.atoms())]
            if values:
                return (sp.Max(*values) if side > 0 else sp.Min(*values)), side
        return sp.S.Zero, 1

    def holds(self, point: dict[Any, Any]) -> bool:
        """Does a point satisfy everything, provably?"""
        for s, v in point.items():
            if (s.is_positive and not v > 0) or (s.is_nonnegative and not v >= 0):
                return False
        for form, rel in self.conditions:
            try:
                sign = ball_sign(form.to_sympy().xreplace(point))
            except (Unsupported, Undefined):
                return False
            if sign is None or not {">": sign > 0, ">=": sign >= 0, "=": sign == 0}[rel]:
                return False
        return True


def _mentions(form: Form, v: Any) -> bool:
    return any(v == a or v in a.free_symbols for a in form.atoms())


def _entailed(cell: Cell, gap: Form) -> bool:
    value = gap.constant()
    return value >= 0 if value is not None else cell.entails(gap, ">=")


def _number(x: Fraction) -> Any:
    return sp.Rational(x.numerator, x.denominator)


__all__ = ["Chart", "Domain", "End"]
