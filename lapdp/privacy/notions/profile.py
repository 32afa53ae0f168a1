"""The privacy profile of a pair, Chourasia et al. 2024, equation (6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from lapdp.privacy.notions.notion import Notion


@dataclass(frozen=True, repr=False)
class PrivacyProfile(Notion):
    """delta(t) = sup over events S of P(S) - e^t Q(S), a function of every real t.

    Called with an exact number, a parameter or an expression it gives the exact value there, with a
    new symbol (default ``t``) an expression with its breakpoints.  Raises :class:`InputError` for
    floats, :class:`Unsupported` where no closed form is reached.

    >>> import sympy as sp
    >>> from lapdp import randomized_response
    >>> profile = randomized_response(sp.log(3)).profile
    >>> profile()
    Piecewise((1 - exp(t), t < -log(3)), (3/4 - exp(t)/4, t < log(3)), (0, True))
    >>> profile(0), profile
    (1/2, randomized_response(log(3), 0).profile)
    """

    name: ClassVar[str] = "profile"
    letter: ClassVar[str] = "t"

    def __call__(self, t: Any = None) -> Any:
        """delta(t)."""
        return self.pair.profile_value(self.pair.variable(self.letter, t))


__all__ = ["PrivacyProfile"]
