"""The trade-off function of a pair, Chourasia et al. 2024, equation (11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from lapdp.privacy.notions.notion import Notion


@dataclass(frozen=True, repr=False)
class TradeOff(Notion):
    """f_{P|Q}(a): the least error 1 - E_Q[phi] of tests phi with E_P[phi] <= a, for a in [0, 1].

    Called with an exact number it gives the value, with a new symbol (default ``a``) an expression.
    Raises :class:`InputError` for numbers outside [0, 1] and floats, :class:`Unsupported` where no
    closed form is reached.

    >>> import sympy as sp
    >>> from lapdp import laplace, randomized_response
    >>> randomized_response(sp.log(3)).tradeoff()
    Piecewise((1 - 3*a, a <= 1/4), (1/3 - a/3, a <= 1), (0, True))
    >>> laplace(1).tradeoff("1/4")
    exp(-1)
    """

    name: ClassVar[str] = "tradeoff"
    letter: ClassVar[str] = "a"

    def __call__(self, a: Any = None) -> Any:
        """f(a)."""
        return self.pair.tradeoff_value(self.pair.variable(self.letter, a))


__all__ = ["TradeOff"]
