"""Events of a concrete space: sets of named outcomes."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.symbol import Str

from lapdp.calculus.nodes import Node


class Outcomes(Node):
    r"""The event of the named outcomes; ``|`` joins two.  ``P(Outcomes("a", "b"))`` is its mass.

    The names are those of a mechanism made by :func:`lapdp.privacy.mechanisms.outcomes`; another
    name makes a statement ill-formed.  Source: Chourasia et al. 2024, the sets S_1, S_2, S_3 in the
    proof of Theorem 3.4.

    >>> Outcomes("b") | Outcomes("a")
    Outcomes(a, b)
    """

    def __new__(cls, *names: Any) -> Any:
        return sp.Expr.__new__(cls, *(Str(n) for n in sorted({str(n) for n in names})))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the event, in order."""
        return tuple(str(a) for a in self.args)

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, Outcomes):
            return NotImplemented
        return Outcomes(*self.names, *other.names)

    def _latex(self, printer: Any) -> str:
        return r"\left\{" + ", ".join(rf"\text{{{n}}}" for n in self.names) + r"\right\}"

    def _sympystr(self, printer: Any) -> str:
        return f"Outcomes({', '.join(self.names)})"


__all__ = ["Outcomes"]
