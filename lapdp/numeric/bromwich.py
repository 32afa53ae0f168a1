"""The inversion integral (16) on a vertical line, by the trapezoidal rule under smooth windows.

A window that is flat at 0 removes oscillating tails faster than any power.  What is left where
the oscillation stops (at a kink of the inverted function) is a series in 1/width: Richardson.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from mpmath import mp

from lapdp.core.errors import Unsupported
from lapdp.numeric.tails import Number

_WORKING = 16
_LEAST, _ENOUGH, _BEST = 6, 7, 10
"""Digits below which a value is refused, at which refinement stops, and that are ever claimed."""

_MOST = 2048
"""Most evaluations on one side of the real axis."""

_EDGE = 5
"""Steepness of the window erfc(edge (u - 1)) / 2: flat at 0 to 1e-12."""


def line_integral(G: Callable[[Any], Any], x: Number, gamma: Number) -> tuple[Number, int]:
    """(1 / 2 pi i) times the integral of e^(s x) G(s) on Re s = gamma, and its reliable digits.

    The digits are estimated from halving the step and from growing windows; fewer than 6 raise
    :class:`lapdp.core.errors.Unsupported`.

    >>> with mp.workdps(25):
    ...     value, digits = line_integral(lambda s: 1 / (s * (s + 1)), mp.mpf(1), mp.mpf(1))
    ...     abs(value - (1 - mp.exp(-1))) < 1e-6, digits >= 6
    (True, True)
    """
    with mp.workdps(_WORKING):
        def f(omega: Number) -> Number:
            s = mp.mpc(gamma, omega)
            return mp.exp(s * x) * G(s)

        probe = mp.mpf("0.71")
        mirrored = abs(f(-probe) - mp.conj(f(probe))) < mp.mpf(10) ** -9 * (1 + abs(f(probe)))
        sampled = _Samples(f, bool(mirrored))
        step, width = 4, 32
        best = (mp.inf, mp.mpf(0))
        while 2 * step * width <= _MOST:
            aliasing, truncation, value = _attempt(sampled, step, width)
            best = min(best, (aliasing + truncation, value), key=lambda pair: pair[0])
            if best[0] < mp.mpf(10) ** -_ENOUGH * max(1, abs(value)):
                break
            if aliasing > truncation:
                step *= 2
            else:
                width *= 2
    error, value = best
    scale = error / max(mp.mpf(1), abs(value))
    digits = _BEST if scale == 0 else min(_BEST, int(-mp.log10(scale)))
    if digits < _LEAST:
        raise Unsupported("the inversion integral converges too slowly for the numeric column")
    return value, digits


class _Samples:
    """Values of f at multiples of 1/16, both signs added up, evaluated once."""

    def __init__(self, f: Callable[[Any], Any], mirrored: bool) -> None:
        self.f, self.mirrored = f, mirrored
        self.known: dict[int, Number] = {}

    def __call__(self, n: int) -> Number:
        if n not in self.known:
            omega = mp.mpf(n) / 16
            if n == 0:
                self.known[n] = self.f(omega)
            elif self.mirrored:
                self.known[n] = 2 * mp.re(self.f(omega))
            else:
                self.known[n] = self.f(omega) + self.f(-omega)
        return self.known[n]


@lru_cache(maxsize=16)
def _window(count: int) -> list[Number]:
    return [mp.erfc(_EDGE * (mp.mpf(2 * k) / count - 1)) / 2 for k in range(count + 1)]


def _attempt(sampled: _Samples, step: int, width: int) -> tuple[Number, Number, Number]:
    """Aliasing error, truncation error and value; step 1/step, widest window ``width``."""
    last = 2 * width * step
    window = _window(last)
    table, coarse = [], mp.mpf(0)
    for halving in (8, 4, 2, 1):
        terms = [sampled(k * (16 // step)) * window[k * halving]
                 for k in range(last // halving + 1)]
        table.append(mp.fsum(terms) / step / (2 * mp.pi))
        coarse = mp.fsum(terms[::2]) * 2 / step / (2 * mp.pi)
    candidates = [(abs(table[-1] - table[-2]), table[-1])]
    row = table
    for order in (1, 2, 3):
        row = [b + (b - a) / (2**order - 1) for a, b in pairwise(row)]
        if len(row) > 1:
            candidates.append((abs(row[-1] - row[-2]), row[-1]))
    error, value = min(candidates, key=lambda c: c[0])
    return abs(table[-1] - coarse) ** 2, error, value
