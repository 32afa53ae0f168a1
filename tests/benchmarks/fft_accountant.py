"""A plain FFT accountant, as libraries have it: the loss on a grid, its k-fold law by one FFT.

Losses are rounded up to the grid, so that delta is too large but for rounding errors of doubles.
"""

from __future__ import annotations

import numpy as np

STEP = 1e-4
"""The distance of grid points, a usual default."""


class Grid:
    """k-fold Laplace mechanism of scale and sensitivity 1 on a grid."""

    def __init__(self, k: int, step: float = STEP) -> None:
        half = round(1 / step)
        edges = np.arange(-half, half + 1) * step
        # Pr[Z <= z] = e^((z - 1)/2)/2 for -1 <= z < 1
        below = np.exp((edges - 1) / 2) / 2
        below[-1] = 1.0
        mass = np.diff(below, prepend=0.0)
        length = 2 * half * k + 1
        size = 1 << (length - 1).bit_length()
        self.mass = np.fft.irfft(np.fft.rfft(mass, size) ** k, size)[:length]
        self.losses = (np.arange(length) - half * k) * step

    def delta(self, t: float) -> float:
        """The privacy profile at ``t``."""
        above = self.losses > t
        return float(self.mass[above] @ -np.expm1(t - self.losses[above]))
