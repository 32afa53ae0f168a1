"""A pair outside the exact class that serves as a witness; only stated properties are used.

The loss takes the values k = 1, 2, ... with P-mass 1/(2 zeta(3) k^3), and one more value with
P-mass 1/2. Q has mass e^-k P on the first ones, less than 1/2 together, and the rest on the last:
both are probability distributions, and each is absolutely continuous with respect to the other. The
mean loss is finite, since zeta(2) is, and E_q is +oo for every q > 1, since e^((q-1)k)/k^3 is
unbounded.
"""

from __future__ import annotations

from typing import Any

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.model import INFINITE, Infinite, Model

TEXT = ("losses k = 1, 2, ... of P-mass 1/(2*zeta(3)*k**3), and one more loss of P-mass 1/2, "
        "each of Q-mass exp(-loss) times its P-mass")


class _Unknown:
    """Stands for an exact loss: every question about it is refused."""

    def __getattr__(self, name: str) -> Any:
        raise Unsupported("the loss of the pair is outside the exact class")


class HeavyTail(Model):
    """The pair described above, in the order (P, Q)."""

    def reverse(self) -> Model:
        """Not asked for."""
        raise Unsupported("the reversal of a pair outside the exact class")

    def product(self, other: Model, cell: Cell) -> Model:
        """Not asked for."""
        raise Unsupported("a product with a pair outside the exact class")

    def p_mass(self, cell: Cell) -> Scalar:
        """A probability distribution."""
        return Scalar.of(1)

    def q_mass(self, cell: Cell) -> Scalar:
        """A probability distribution."""
        return Scalar.of(1)

    def moment(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """+oo for real orders above 1; elsewhere the value is not asked for."""
        if q == q.real_part() and cell.sign(q - Form.of(1)) > 0:
            return INFINITE
        raise Unsupported("a moment of a pair outside the exact class")


def heavy_tail() -> tuple[str, HeavyTail]:
    """The pair with its description.

    >>> pair = heavy_tail()[1]
    >>> pair.moment(Form.of(2), Cell()), pair.p_infinite.is_zero()
    (oo, True)
    """
    unknown: Any = _Unknown()
    return TEXT, HeavyTail(unknown, Scalar.of(0), Scalar.of(0))
