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

from lapdp.core.errors import Undefined, Unsupported
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


_STEPS = 5
"""Evaluations for each unit of a symmetric integral: what oscillates up to 10 pi is resolved."""
_AT_ZERO = mp.mpf(10) ** -6
"""Where a simple pole at 0 is looked for."""


def symmetric_integral(f: Callable[[Any], Any], principal: bool) -> tuple[Number, int]:
    """The limit of the integral of f over [-T, T], a principal value at 0, and its digits.

    The midpoint rule never meets 0 and is exact on sin(c u)/u for abs(c) < 10 pi; windows grow
    until two agree.  Without ``principal`` a pole at 0 raises :class:`lapdp.core.errors.Undefined`.

    >>> value, digits = symmetric_integral(lambda u: mp.sin(u) / u, True)
    >>> abs(value - mp.pi) < 1e-6, digits >= 6
    (True, True)
    """
    with mp.workdps(_WORKING):
        if not principal and abs(f(_AT_ZERO)) * _AT_ZERO > mp.mpf(10) ** -4:
            raise Undefined("the integral over [-T, T] diverges at 0")
        probe = mp.mpf("0.71")
        mirrored = abs(f(-probe) - mp.conj(f(probe))) < mp.mpf(10) ** -9 * (1 + abs(f(probe)))
        known: list[Number] = []
        values: list[Number] = []
        count = 64
        while 2 * count <= _MOST:
            for k in range(len(known), count):
                u = (mp.mpf(k) + mp.mpf("0.5")) / _STEPS
                known.append(2 * mp.re(f(u)) if mirrored else f(u) + f(-u))
            values.append(mp.fsum(g * w for g, w in zip(
                known, _midpoint_window(count), strict=False)) / _STEPS)
            count *= 2
            if len(values) > 2 and max(abs(v - values[-1]) for v in values[-3:-1]) < (
                    mp.mpf(10) ** -_ENOUGH * max(1, abs(values[-1]))):
                break
    error, scale = abs(values[-1] - values[-2]), max(mp.mpf(1), abs(values[-1]))
    digits = _BEST if error == 0 else min(_BEST, int(-mp.log10(error / scale)))
    if digits < _LEAST:
        raise Unsupported("the symmetric integral converges too slowly for the numeric column")
    return values[-1], digits


@lru_cache(maxsize=16)
def _midpoint_window(count: int) -> list[Number]:
    return [mp.erfc(_EDGE * ((2 * mp.mpf(k) + 1) / count - 1)) / 2 for k in range(count)]
