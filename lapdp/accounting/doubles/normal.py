"""Normal losses N(kappa, 2 kappa) on a vertical line, in doubles: everything is closed form."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lapdp.accounting.doubles.bounded import LIBRARY, UNIT, Bounded, number
from lapdp.accounting.moments.lines import NormalSpectrum


@lru_cache(maxsize=64)
def _kappa(spectrum: NormalSpectrum) -> Bounded:
    return number(spectrum.kappa)


def tilt(spectrum: NormalSpectrum, gamma: float, height: float, goal: float, size: float
         ) -> NormalTilt:
    """The tilted law is N((2 gamma - 1) kappa, 2 kappa)."""
    return NormalTilt(_kappa(spectrum), gamma)


class NormalTilt:
    """phi(u) is e^(-kappa u^2)."""

    def __init__(self, kappa: Bounded, gamma: float) -> None:
        self.kappa = kappa
        self.log_mean = self.log_mean_at(gamma, 0.0, 0.0)
        self.mean = kappa * (Bounded.exact(2 * gamma) - 1.0)
        self.centre = float(self.mean.value)

    def log_mean_at(self, order: float, most: float, size: float) -> Bounded:
        """kappa q (q - 1)."""
        return self.kappa * (Bounded.exact(order) - 1.0) * order

    def decay(self, height: float) -> float:
        """A bound of log |phi(u)| for |u| >= ``height``."""
        low = self.kappa.value - self.kappa.error
        return float(-low * height * height * (1 - 8 * UNIT))

    def logs(self, heights: Any) -> tuple[Any, Any]:
        """log phi at heights >= 0, and relative errors of phi."""
        squares = heights * heights
        shares = ((self.kappa.error + 4 * UNIT * self.kappa.value) * squares
                  + self.mean.error * heights)
        return (-self.kappa.value * squares + 0j,
                np.expm1(shares * (1 + 2 * LIBRARY)) * (1 + 2 * LIBRARY))


__all__ = ["NormalTilt", "tilt"]
