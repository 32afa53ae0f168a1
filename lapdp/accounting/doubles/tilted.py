"""A factor on a vertical line: its tilted law, whose characteristic function inversion needs.

E_(gamma + iu) is E_gamma e^(iu mu) phi(u), where phi is the characteristic function of the loss
under the law tilted to gamma, less a centre mu.  A double serves as mu, which is then an exact
number.  The size E_gamma and the turn u mu are numbers for which k copies ask for k times the
precision; phi is near 1 where k is large, and only its distance from 1 counts.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from lapdp.accounting.doubles.bounded import LIBRARY, UNIT, Bounded


class Tilt(Protocol):
    """One factor on one line."""

    log_mean: Bounded
    """log E_gamma."""
    centre: float
    """mu."""

    def log_mean_at(self, order: float, most: float, size: float) -> Bounded:
        """log E at another order, about ``size``, with an error of about ``most``."""

    def decay(self, height: float) -> float:
        """A bound of log |phi(u)| for all |u| >= ``height``."""

    def logs(self, heights: Any) -> tuple[Any, Any]:
        """log phi at increasing heights >= 0, complex, up to whole turns; and bounds of the
        relative errors of phi."""


def logs_of(rest: Any, error: Any) -> tuple[Any, Any]:
    """log(1 + rest) and the relative error of 1 + rest, ``rest`` complex and known up to ``error``.

    Where nothing is left of 1 + rest but its error, that error takes its place, as a bound.
    """
    x, y = rest.real, rest.imag
    # |1 + rest|^2 = 1 + (2 x + x^2 + y^2): small where rest is
    square = 2 * x + x * x + y * y
    size = np.sqrt(np.maximum((1 + x) ** 2 + y * y, 0.0))
    lost = size <= error
    near = np.abs(square) < 0.5
    real = np.where(near, np.log1p(np.where(near, square, 0.0)) / 2,
                    np.log(np.where(lost, 1.0, size)))
    imag = np.arctan2(y, 1 + x)
    real, imag = (np.where(lost, np.log(np.maximum(error, 1e-300)), real),
                  np.where(lost, 0.0, imag))
    share = np.where(lost, 3.0, error / np.where(lost, 1.0, size))
    # the roundings of this function, as relative errors of 1 + rest
    slack = (4 * UNIT * (np.abs(x) + np.abs(y)) * (1 + np.abs(x) + np.abs(y))
             / np.where(near, 0.5, np.maximum(size, error))
             + 2 * LIBRARY * (np.abs(real) + np.abs(imag)))
    return real + 1j * imag, (share + slack) * (1 + 1e-9)


__all__ = ["Tilt", "logs_of"]
