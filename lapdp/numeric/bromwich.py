"""The inversion integral (16) on a vertical line, by the trapezoidal rule under smooth windows.

A window that is flat at 0 removes oscillating tails faster than any power; what is left where the
oscillation stops (at a kink of the inverted function) is a series in 1/width, removed by Richardson.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp

from lapdp.core.errors import Unsupported
from lapdp.numeric.quadrature import Number

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
    with mp.workdps(20):
        def f(omega: Number) -> Number:
            s = mp.mpc(gamma, omega)
            return mp.exp(s * x) * G(s)

        probe = mp.mpf("0.71")
        mirrored = abs(f(-probe) - mp.conj(f(probe))) < mp.mpf(10) ** -12 * (1 + abs(f(probe)))
        samples: dict[int, Number] = {}
        best = (mp.inf, mp.mpf(0))
        for step, width in ((4, 32), (8, 64), (8, 128), (16, 128), (16, 256)):
            error, value = _attempt(f, mirrored, step, width, samples)
            if error < best[0]:
                best = (error, value)
            if best[0] < mp.mpf(10) ** -8 * max(1, abs(best[1])):
                break
    error, value = best
    scale = error / max(mp.mpf(1), abs(value))
    digits = 12 if scale == 0 else min(12, int(-mp.log10(scale)))
    if digits < 6:
        raise Unsupported("the inversion integral converges too slowly for the numeric column")
    return value, digits


def _attempt(f: Callable[[Any], Any], mirrored: bool, step: int, width: int,
             samples: dict[int, Number]) -> tuple[Number, Number]:
    """Error estimate and value with 1/step as step and ``width`` as the widest window."""
    finest = 16 // step
    last = 2 * width * step
    values = []
    for k in range(0, last + 1):
        n = k * finest
        if n not in samples:
            omega = mp.mpf(n) / 16
            if n == 0:
                samples[n] = f(omega)
            elif mirrored:
                samples[n] = 2 * mp.re(f(omega))
            else:
                samples[n] = f(omega) + f(-omega)
        values.append(samples[n])
    table, coarse = [], mp.mpf(0)
    for halvings in (3, 2, 1, 0):
        w = mp.mpf(width) / 2**halvings
        terms = []
        for k in range(0, last // 2**halvings + 1):
            terms.append(values[k] * mp.erfc(_EDGE * (mp.mpf(k) / step / w - 1)) / 2)
        table.append(mp.fsum(terms) / step / (2 * mp.pi))
        coarse = mp.fsum(terms[::2]) * 2 / step / (2 * mp.pi)
    aliasing = abs(table[-1] - coarse) ** 2
    candidates = [(abs(table[-1] - table[-2]), table[-1])]
    row = table
    for order in (1, 2, 3):
        row = [b + (b - a) / (2**order - 1) for a, b in zip(row[:-1], row[1:], strict=True)]
        if len(row) > 1:
            candidates.append((abs(row[-1] - row[-2]), row[-1]))
    error, value = min(candidates, key=lambda c: c[0])
    return error + aliasing, value
