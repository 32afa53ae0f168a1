"""Functions outside the exact class that serve as witnesses; only stated properties are used.

*Oscillating*: sin(1/(t - c)) takes every value of [-1, 1] in each neighbourhood of c, so it has no
one-sided limit there; times e^-|t| it is integrable, continuous elsewhere, and its transform
converges for |Re s| < 1 by comparison.

*Fejer*: F(u) = sum of n^-2 sin((2^(n^3) + 1) pi |u|/2) is continuous, and the partial sums of its
Fourier series on [-1, 1] do not converge at u = 0 (Fejer 1911; Zygmund, Trigonometric Series, ch.
VIII sec. 1).  So neither does the Fourier integral of (1 - |u|)_+ F(u), by the Riemann-Lebesgue
lemma, since the two kernels differ by a bounded function: the inversion integral on Re s = 0 of a
continuous function of compact support may diverge at a point.
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
    """A function with an integrable bound, continuous except perhaps at ``point``."""

    text: str
    bound: Exact
    point: Form
    continuous: bool = False

    def limit(self, at: Form, side: int, cell: Cell) -> Any:
        """No limit at the point of oscillation; elsewhere the value is not asked for."""
        if not self.continuous and cell.sign(at - self.point) == 0:
            raise Undefined(f"{self.text} oscillates at {self.point}: no one-sided limit")
        raise Unsupported(f"the value of {self.text}")

    def invert(self, line: Form, at: Form, cell: Cell) -> Any:
        """The inversion integral over Re s = line: known to diverge in one case only."""
        if self.continuous and cell.sign(line) == 0 and cell.sign(at - self.point) == 0:
            raise Undefined(f"the inversion integral of {self.text} diverges at {self.point}")
        raise Unsupported(f"the inversion integral of {self.text}")

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
    text = f"sin(1/{_shifted(point)})*exp(-Abs(t))"
    return text, Wild(text, both, Form.of(point))


def fejer(point: int) -> tuple[str, Wild]:
    """The continuous function (1 - |t - point|)_+ F(t - point), supported on one unit around."""
    u = _shifted(point)
    text = (f"Max(0, 1 - Abs({u}))*Sum(sin((2**(n**3) + 1)*pi*Abs({u})/2)/n**2, (n, 1, oo))")
    return text, Wild(text, Exact.step(point - 1, 2) - Exact.step(point + 1, 2), Form.of(point),
                      continuous=True)


def _shifted(point: int) -> str:
    return "t" if point == 0 else f"(t - {point})"
