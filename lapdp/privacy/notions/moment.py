"""The moment E_q of a pair and its Renyi divergence, Chourasia et al. 2024, equation (8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from lapdp.calculus.region import Region
from lapdp.privacy.notions.notion import Notion


@dataclass(frozen=True, repr=False)
class Moment(Notion):
    """E_q, the integral of P^q Q^(1-q), at orders q that may be complex.

    Called with an exact number it gives the exact value (0^0 = 1), ``oo`` where it diverges at real
    q; with a symbol an expression that holds for q in :attr:`region`.  Raises :class:`Undefined` at
    complex orders where the integral diverges.

    >>> import sympy as sp
    >>> from lapdp import exponential, randomized_response
    >>> randomized_response(sp.log(3)).moment(2)
    7/3
    >>> E = exponential(1, 2).moment
    >>> E(2), E(sp.Symbol("q")), str(E.region)
    (oo, 2*exp(-q*log(2))/(2 - q), 'Re s < 2')
    """

    name: ClassVar[str] = "moment"
    letter: ClassVar[str] = "q"

    def __call__(self, q: Any = None) -> Any:
        """E_q."""
        return self.pair.moment_value(self.pair.variable(self.letter) if q is None else q)

    @property
    def region(self) -> Region:
        """The open strip of orders on which the expression holds."""
        return self.pair.moment_region()


@dataclass(frozen=True, repr=False)
class RenyiDivergence(Notion):
    """R_q = log(E_q)/(q - 1), with the principal branch of the logarithm.

    Raises :class:`Undefined` at q = 1, and for pairs without symbols at exact orders where E_q is 0
    or oo.

    >>> import sympy as sp
    >>> from lapdp import gaussian
    >>> gaussian(1).renyi(sp.Symbol("q", real=True))
    q/2
    """

    name: ClassVar[str] = "renyi"
    letter: ClassVar[str] = "q"

    def __call__(self, q: Any = None) -> Any:
        """R_q."""
        return self.pair.renyi_value(self.pair.variable(self.letter) if q is None else q)


__all__ = ["Moment", "RenyiDivergence"]
