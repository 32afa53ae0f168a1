"""Functions outside the exact class that serve as witnesses: integrable, without a limit somewhere.

sin(1/(t - c)) takes every value of [-1, 1] in each neighbourhood of c, so it has no one-sided limit
there; times e^-|t| it is integrable, continuous elsewhere, and its transform converges for
|Re s| < 1 by comparison.  Only these properties are used; every other question is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lapdp.calculus.exact import Exact
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported


@dataclass(frozen=True)
class Wild:
    """A function bounded by ``bound``, continuous except at ``point``, where it oscillates."""

    text: str
    bound: Exact
    point: Form

    def limit(self, at: Form, side: int, cell: Cell) -> Any:
        """No limit at the point of oscillation; elsewhere the value is not asked for."""
        if cell.sign(at - self.point) == 0:
            raise Undefined(f"{self.text} oscillates at {self.point}: no one-sided limit")
        raise Unsupported(f"the value of {self.text}")

    def merged(self, cell: Cell) -> Wild:
        """Itself."""
        return self

    def __add__(self, other: Any) -> Any:
        raise Unsupported(f"{self.text} is outside the exact class")

    __radd__ = __sub__ = __rsub__ = __add__

    def __getattr__(self, name: str) -> Any:
        raise Unsupported(f"{self.text} is outside the exact class")


def oscillating(point: int) -> tuple[str, Wild]:
    """sin(1/(t - point)) e^-|t| with its bound e^-|t|."""
    zero, cell = Form({}), Cell()
    both = Exact.term(1, 1).before(zero, cell) + Exact.term(1, -1).after(zero, cell)
    shifted = "t" if point == 0 else f"(t - {point})"
    text = f"sin(1/{shifted})*exp(-Abs(t))"
    return text, Wild(text, both, Form.of(point))
