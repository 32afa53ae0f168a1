"""Regions of convergence: strips {a < Re s < b} with open or closed edges, as values.

An edge is a form (or None for infinity).  A strip whose edges meet and are both closed is a line.
Comparisons of symbolic edges are asked of a cell, so they are exact or split the case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell


@dataclass(frozen=True)
class Region:
    """The strip between ``lower`` and ``upper`` (abscissas), or the empty set.

    >>> str(Region.right_of(0)), str(Region.everything()), str(Region.nothing())
    ('Re s > 0', 'all s', 'no s')
    """

    lower: Form | None = None
    upper: Form | None = None
    lower_closed: bool = False
    upper_closed: bool = False
    empty: bool = False

    @staticmethod
    def everything() -> Region:
        """The whole plane."""
        return Region()

    @staticmethod
    def nothing() -> Region:
        """The empty region."""
        return Region(empty=True)

    @staticmethod
    def right_of(a: Any, closed: bool = False) -> Region:
        """The half-plane Re s > a."""
        return Region(lower=Form.of(a), lower_closed=closed)

    @staticmethod
    def left_of(b: Any, closed: bool = False) -> Region:
        """The half-plane Re s < b."""
        return Region(upper=Form.of(b), upper_closed=closed)

    @staticmethod
    def line(a: Any) -> Region:
        """The line Re s = a."""
        return Region(Form.of(a), Form.of(a), True, True)

    def is_empty(self, cell: Cell | None = None) -> bool:
        """Has the region no point?"""
        if self.empty:
            return True
        if self.lower is None or self.upper is None:
            return False
        gap = (cell or Cell()).sign(self.upper - self.lower)
        return gap < 0 or (gap == 0 and not (self.lower_closed and self.upper_closed))

    def intersect(self, other: Region, cell: Cell | None = None) -> Region:
        """Points of both regions."""
        if self.empty or other.empty:
            return Region.nothing()
        cell = cell or Cell()
        lower, lower_closed = _tighter(self.lower, self.lower_closed, other.lower,
                                       other.lower_closed, cell, 1)
        upper, upper_closed = _tighter(self.upper, self.upper_closed, other.upper,
                                       other.upper_closed, cell, -1)
        met = Region(lower, upper, lower_closed, upper_closed)
        return Region.nothing() if met.is_empty(cell) else met

    def contains(self, s: Any, cell: Cell | None = None) -> bool:
        """Does the point ``s`` (a form, complex allowed) lie in the region?"""
        if self.empty:
            return False
        cell = cell or Cell()
        re = Form.of(s).real_part()
        for edge, closed, side in ((self.lower, self.lower_closed, 1),
                                   (self.upper, self.upper_closed, -1)):
            if edge is not None:
                sign = side * cell.sign(re - edge)
                if sign < 0 or (sign == 0 and not closed):
                    return False
        return True

    def shift(self, a: Any) -> Region:
        """The region moved by ``a``: s in R iff s + a in the result."""
        move = Form.of(a).real_part()
        return Region(None if self.lower is None else self.lower + move,
                      None if self.upper is None else self.upper + move,
                      self.lower_closed, self.upper_closed, self.empty)

    def reflect(self) -> Region:
        """The region of -s."""
        return Region(None if self.upper is None else -self.upper,
                      None if self.lower is None else -self.lower,
                      self.upper_closed, self.lower_closed, self.empty)

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import region_card

        return region_card(self)

    def __str__(self) -> str:
        if self.empty:
            return "no s"
        if self.lower is None and self.upper is None:
            return "all s"
        if self.lower is not None and self.lower == self.upper:
            return f"Re s = {self.lower}"
        if self.upper is None:
            return f"Re s {'>=' if self.lower_closed else '>'} {self.lower}"
        right = f"Re s {'<=' if self.upper_closed else '<'} {self.upper}"
        if self.lower is None:
            return right
        return f"{self.lower} {'<=' if self.lower_closed else '<'} {right}"


def _tighter(a: Form | None, a_closed: bool, b: Form | None, b_closed: bool, cell: Cell,
             side: int) -> tuple[Form | None, bool]:
    if a is None or b is None:
        return (b, b_closed) if a is None else (a, a_closed)
    sign = side * cell.sign(a - b)
    if sign == 0:
        return a, a_closed and b_closed
    return (a, a_closed) if sign > 0 else (b, b_closed)
