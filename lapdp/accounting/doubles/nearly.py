"""Moments of a factor in doubles, nearly: what lines are chosen by.  Nothing here is proved."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, Protocol, cast

import numpy as np

from lapdp.accounting.doubles import exact
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.lines import NormalSpectrum, Spectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.errors import Unsupported

MOST_NODES = 100_000


class Cumulants(Protocol):
    """The logarithm of the moment, as a function of the order."""

    def __call__(self, gamma: float) -> tuple[float, float, float]:
        """log E and its first two derivatives."""

    def fall(self, gamma: float, heights: Any) -> Any:
        """log |E_(gamma + iu)|/E_gamma at an array of heights."""


def cumulants(spectrum: Spectrum) -> Cumulants:
    """Those of a factor; :class:`Unsupported` where it has no path in doubles."""
    return _cumulants(cast(Hashable, spectrum))


@lru_cache(maxsize=64)
def _cumulants(spectrum: Hashable) -> Cumulants:
    if isinstance(spectrum, NormalSpectrum):
        return _NormalCumulants(float(spectrum.kappa))
    if isinstance(spectrum, MixedNormalSpectrum):
        return _MixedCumulants(spectrum)
    if isinstance(spectrum, ExactSpectrum):
        return exact.Cumulants(spectrum)
    raise Unsupported(f"{type(spectrum).__name__} has no path in doubles")


class _NormalCumulants:
    def __init__(self, kappa: float) -> None:
        self.kappa = kappa

    def __call__(self, gamma: float) -> tuple[float, float, float]:
        kappa = self.kappa
        return kappa * gamma * (gamma - 1), kappa * (2 * gamma - 1), 2 * kappa

    def fall(self, gamma: float, heights: Any) -> Any:
        return -self.kappa * heights * heights


class _MixedCumulants:
    """By a coarse rule, whose nodes are kept."""

    def __init__(self, spectrum: MixedNormalSpectrum) -> None:
        w, v, self.kappa = (float(x) for x in (spectrum.first, spectrum.second, spectrum.kappa))
        self.shares = (w, v)
        self.root = math.sqrt(2 * self.kappa)
        self.reach = 0.0
        self.known: dict[float, tuple[float, float, float]] = {}

    def __call__(self, gamma: float) -> tuple[float, float, float]:
        if gamma in self.known:
            return self.known[gamma]
        needed = self.root * max(1.0, gamma, 1 - gamma)
        if needed > self.reach:
            self._spread(2 * needed)
        tilt = (gamma - 1) * self.loss
        top = float((self.base + tilt).max())
        if top < 300 and float(tilt.max()) < 600:
            weights = self.mass * np.exp(tilt)
            gain = float(self.mass @ np.expm1(tilt))
            size = math.log1p(gain) if gain > -1 else -math.inf
        else:
            weights = np.exp(self.base + tilt - top)
            size = top + math.log(float(weights.sum()))
        weights /= weights.sum()
        mean = float(weights @ self.loss)
        away = self.loss - mean
        found = (size, mean, float(weights @ (away * away)))
        if len(self.known) > 10_000:
            self.known.clear()
        self.known[gamma] = found
        return found

    def fall(self, gamma: float, heights: Any) -> Any:
        """By the same nodes."""
        exponent = self.base + (gamma - 1) * self.loss
        weights = np.exp(exponent - exponent.max())
        turned = np.exp(1j * np.outer(heights, self.loss)) @ weights
        return np.log(np.maximum(np.abs(turned) / weights.sum(), 1e-300))

    def _spread(self, reach: float) -> None:
        self.reach = reach
        h = 0.25 * min(1.0, 1.5 / self.root)
        low, high = -9.0 - (reach if self.shares[1] > 0 else 0.0), 9.0 + reach
        if (high - low) / h > MOST_NODES:
            raise Unsupported("no line is found in doubles")
        n = np.arange(low, high + h, h)
        ell = self.root * n - self.kappa
        logs = []
        for share in self.shares:
            if share in (0.0, 1.0):
                logs.append(share * ell)
            else:
                logs.append(np.where(ell > 30, math.log(share) + ell, np.log1p(
                    share * np.expm1(np.minimum(ell, 30)))))
        self.loss = logs[0] - logs[1]
        self.base = logs[0] - n * n / 2 + math.log(h / math.sqrt(2 * math.pi))
        self.mass = np.exp(self.base)


__all__ = ["Cumulants", "cumulants"]
