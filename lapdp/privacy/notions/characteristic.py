"""The characteristic function of the privacy loss, Zhu, Dong, Wang 2021, equation (4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lapdp.privacy.notions.notion import Notion


@dataclass(frozen=True, repr=False)
class Characteristic(Notion):
    """phi(u) = E_P[e^(iuZ)] = E_(1+iu) for real u, with Z = log(P/Q).

    Raises :class:`Undefined` where P has mass that Q has not: e^(iuZ) has no value at Z = oo.

    >>> import sympy as sp
    >>> from lapdp import finite
    >>> finite(["1/3", "2/3"], ["2/3", "1/3"]).characteristic(sp.pi/sp.log(2))
    -1
    """

    name: ClassVar[str] = "characteristic"
    letter: ClassVar[str] = "u"
    title: ClassVar[str] = "characteristic function of the loss"
    sign: ClassVar[str] = "\\phi"

    def __call__(self, u: Any = None) -> Any:
        """phi(u)."""
        return self.pair.characteristic_value(self.pair.variable(self.letter, u))

    @staticmethod
    def of(expression: Any, u: Any, where: Sequence[Any] = ()) -> Characteristic:
        """The characteristic function that an expression in ``u`` is, by residues on Re q = 1.

        Sums of e^(icu) times rational functions of u with rational poles off the real line.  Raises
        :class:`InputError` unless its inverse is a privacy loss of a pair with P << Q, for all
        parameters; :class:`Unsupported` outside the exact class.

        >>> import sympy as sp
        >>> u = sp.Symbol("u", real=True)
        >>> Characteristic.of(1/(1 - sp.I*u), u).profile()
        Piecewise((1 - exp(t)/2, t < 0), (exp(-t)/2, True))
        >>> Characteristic.of(sp.Rational(9, 10)*sp.exp(sp.I*u), u)
        Traceback (most recent call last):
        lapdp.core.errors.InputError: phi(0) = 9/10, not 1: the characteristic function exists ...
        """
        from lapdp.privacy.notions.given import from_characteristic

        return from_characteristic(expression, u, where).characteristic


__all__ = ["Characteristic"]
