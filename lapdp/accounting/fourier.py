"""The Analytical Fourier Accountant: logarithms of characteristic functions, added as symbols.

Zhu, Dong, Wang 2021, Algorithm 1: each release adds log phi and log phi'; a query inverts both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.core.errors import InputError
from lapdp.privacy.pair import Pair


@dataclass(frozen=True)
class FourierAccountant:
    """Releases on one data set, each a pair; accountants do not change, ``add`` makes another.

    >>> from lapdp import gaussian, randomized_response
    >>> u = sp.Symbol("u", real=True)
    >>> spent = FourierAccountant().add(gaussian(5), 3).add(randomized_response("0.1"))
    >>> sp.expand(spent.log_phi(u).args[0])
    -3*u**2/50 + 3*I*u/50
    >>> print(spent.delta(1, digits=10))
    0.00047192921661 +/- 5.01e-15
    """

    releases: tuple[tuple[Pair, int], ...] = ()

    def add(self, mechanism: Pair, copies: int = 1) -> FourierAccountant:
        """With ``copies`` releases of a mechanism more (lines 3 and 4 of the algorithm).

        Raises :class:`InputError` for what is no pair or no whole number.
        """
        if not isinstance(mechanism, Pair):
            raise InputError(f"{str(mechanism)[:60]} is no mechanism: give one such as gaussian(1)")
        if type(copies) is not int or copies < 1:
            raise InputError(f"copies = {copies!r} must be a whole number from 1 on")
        return FourierAccountant((*self.releases, (mechanism, copies)))

    @property
    def pair(self) -> Pair:
        """The product of all releases."""
        if not self.releases:
            raise InputError("nothing is released yet: add a mechanism")
        return reduce(mul, (pair ** copies for pair, copies in self.releases))

    def log_phi(self, u: Any) -> Any:
        """log E_P[e^(iuL)], L = log(P/Q), as a sum over the releases; log 1 = 0 before the first.

        A logarithm that no closed form gives stays one; its branch does not matter to e^(log phi).
        Raises :class:`Undefined` where L may be +oo, which ``delta`` does not mind.
        """
        return sp.Add(*(k * _logarithm(pair.characteristic(u)) for pair, k in self.releases))

    def log_phi_prime(self, u: Any) -> Any:
        """log E_Q[e^(iuL')], L' = log(Q/P)."""
        return sp.Add(*(k * _logarithm(pair.reverse().characteristic(u))
                        for pair, k in self.releases))

    def delta(self, eps: Any, digits: int = 15) -> Answer:
        """delta(eps), certified, by inverting both functions: lines 6 to 8.

        Raises :class:`Unsupported` where no Gaussian noise makes the characteristic functions
        decay; ``accountant.pair.delta(eps)`` has other methods.
        """
        return self.pair.delta(eps, digits, method="characteristic")

    def epsilon(self, delta: Any, digits: int = 15) -> Answer:
        """The least eps >= 0 for a delta, certified on both sides."""
        return self.pair.epsilon(delta, digits)


def _logarithm(phi: Any) -> Any:
    return phi.args[0] if isinstance(phi, sp.exp) else sp.log(phi)


__all__ = ["FourierAccountant"]
