"""The characteristic function of the privacy loss, Zhu, Dong, Wang 2021, equation (4)."""

from __future__ import annotations

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

    def __call__(self, u: Any = None) -> Any:
        """phi(u)."""
        return self.pair.characteristic_value(self.pair.variable(self.letter, u))


__all__ = ["Characteristic"]
