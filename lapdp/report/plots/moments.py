"""E_q at complex orders, certified: values in balls, poles, and zeros with a proof.

The balls are those of the inversion integral (:mod:`lapdp.accounting.moments`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint
import numpy as np

from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.precision import workprec

if TYPE_CHECKING:
    from lapdp.accounting.moments.lines import Spectrum
    from lapdp.privacy.pair import Pair

BITS = 53
MOST_SAMPLES = 1 << 12
MOST_ZEROS = 40
SAME = 1e-4
"""Zeros that are nearer to each other are drawn once."""


def strip(pair: Pair) -> tuple[float, float]:
    """The ends of the strip on which E_q converges, as doubles; infinite where it has none."""
    region = pair.moment_region()
    return tuple(  # type: ignore[return-value]
        end if edge is None else float(enclose(edge, {}).real)
        for edge, end in ((region.lower, -math.inf), (region.upper, math.inf)))


def line(pair: Pair, gamma: float, height: float) -> Callable[[float], Any]:
    """What gives a ball (acb) around E_(gamma + iu), for |u| up to about a height."""
    with workprec(BITS + 20):
        lines = [(s.line(flint.arb(gamma), height, BITS), k) for s, k in releases(pair).parts]

    def at(u: float) -> Any:
        with workprec(BITS + 20):
            found = flint.acb(1)
            for one, k in lines:
                found *= one.at(flint.arb(u)) ** k
            return found

    return at


@dataclass(frozen=True, eq=False)
class Plane:
    """log|E_q| and arg E_q over a grid of doubles, NaN where a ball does not tell, and the zeros
    that were found."""

    logs: Any
    angles: Any
    zeros: list[complex]


def plane(pair: Pair, real: Any, imaginary: Any) -> Plane:
    """The middles of balls around the moments of each factor, taken to its power, over a grid with
    imaginary parts from 0 on."""
    logs, angles = np.zeros((2, len(imaginary), len(real)))
    zeros: list[complex] = []
    for spectrum, k in releases(pair).parts:
        one = np.array([[polar(ball) for ball in column(spectrum, float(gamma), imaginary)]
                        for gamma in real]).T
        logs, angles = logs + k * one[0], angles + k * one[1]
        zeros += [q for q in _zeros(spectrum, real, imaginary, one[1])
                  if all(abs(q - other) > SAME for other in zeros)]
    return Plane(logs, np.angle(np.exp(1j * angles)), sorted(zeros, key=lambda q: q.imag))


def column(spectrum: Spectrum, gamma: float, heights: Any) -> list[Any]:
    """Balls around E_(gamma + iu) of one factor."""
    with workprec(BITS + 20):
        found = spectrum.line(flint.arb(gamma), float(max(heights)), BITS)
        return [found.at(flint.arb(float(u))) for u in heights]


def polar(ball: Any) -> tuple[float, float]:
    """log and argument of a ball that is apart from 0, else NaN."""
    if not ball.is_finite() or ball.contains(0):
        return math.nan, math.nan
    return float(ball.abs_lower().log()), float(ball.arg().mid())


def poles(pair: Pair) -> list[complex]:
    """The poles of the continuation of E_q, of factors whose loss is piecewise exponential.

    At a candidate a the sum over breakpoints c of R_c(s) e^(-cs) has a principal part; a
    coefficient whose ball is apart from 0 proves the pole.
    """
    found: set[complex] = set()
    for spectrum, _ in releases(pair).parts:
        if isinstance(spectrum, ExactSpectrum):
            found |= {1 - a for a in _poles_of(spectrum.loss)}
    return sorted(found, key=lambda q: (q.real, q.imag))


def _poles_of(loss: Any) -> set[complex]:
    found = set()
    with workprec(4 * BITS):
        parts: dict[Any, dict[int, Any]] = {}
        for at, terms in loss.jumps.items():
            c = enclose(at, {})
            for (a, n), k in terms.items():
                coefficients = parts.setdefault(a, {})
                factor = enclose(k, {}) * (-c * enclose(a, {})).exp()
                for j in range(n + 1):
                    order = n + 1 - j
                    coefficients[order] = coefficients.get(order, flint.acb(0)) + factor
                    factor *= -c / (j + 1)
        for a, coefficients in parts.items():
            if any(not x.contains(0) for x in coefficients.values()):
                found.add(complex(enclose(a, {})))
    return found


def _zeros(spectrum: Spectrum, real: Any, imaginary: Any, angle: Any) -> list[complex]:
    """Zeros inside the grid, from cells around which the argument turns, by Newton's method, and
    kept only with a proof that a small circle holds one.  Others may have been missed."""
    def turned(difference: Any) -> Any:
        return (difference + np.pi) % (2 * np.pi) - np.pi

    across, up = turned(np.diff(angle, axis=1)), turned(np.diff(angle, axis=0))
    winding = (across[:-1] + up[:, 1:] - across[1:] - up[:, :-1]) / (2 * np.pi)
    size = float(max(real[1] - real[0], imaginary[1] - imaginary[0]))
    found: list[complex] = []
    for j, i in zip(*np.nonzero(~(np.abs(winding) < 0.5)), strict=True):
        start = complex(real[i] + real[i + 1], imaginary[j] + imaginary[j + 1]) / 2
        q = _newton(spectrum, start, 1e-4 * size)
        if len(found) < MOST_ZEROS and abs(q - start) < 2 * size and all(
                abs(q - other) > SAME for other in found) and has_zero(spectrum, q, SAME / 2):
            found.append(q)
    return found


def _newton(spectrum: Spectrum, q: complex, step: float) -> complex:
    for _ in range(12):
        here = complex(_at(spectrum, q))
        slope = complex(_at(spectrum, q + step)) - complex(_at(spectrum, q - step))
        if not here or not slope:
            break
        q -= here / slope * 2 * step
    return q


def has_zero(spectrum: Spectrum, centre: complex, radius: float) -> bool:
    """Is a zero within ``radius`` of the centre proved?

    |E_q| <= E_(Re q), which is convex, so by Cauchy's formula |E'| on the circle is at most the
    larger value of E at the ends of a strip around it, divided by the room that it leaves.  Where
    |E| at each sample is larger than that times half the arc to the next one, the arcs are free of
    zeros and the argument turns by less than pi on each: the turns add up to the winding number.
    """
    edge = min(centre.real - spectrum.lower, spectrum.upper - centre.real) - radius
    if edge <= 0:
        return False
    room = min(1.0, edge / 2)
    with workprec(BITS + 20):
        ends = [_at(spectrum, centre.real + side * (room + radius)).real for side in (-1, 1)]
        steep = ends[0].max(ends[1]).upper() / room
        count = 32
        while count <= MOST_SAMPLES:
            half = flint.arb.pi() * radius / count
            balls = []
            for j in range(count):
                turn = flint.acb(0, 2 * flint.arb.pi() * j / count).exp()
                place = flint.acb(centre.real, centre.imag) + radius * turn
                balls.append(spectrum.line(place.real, abs(centre.imag) + 1.0, BITS)
                             .at(place.imag))
            if all(x.abs_lower() > steep * half for x in balls):
                turns = sum((after / here).arg() for here, after in
                            zip(balls, [*balls[1:], balls[0]], strict=True))
                return bool(turns > 3 or turns < -3)
            count *= 4
    return False


def _at(spectrum: Spectrum, q: complex) -> Any:
    with workprec(BITS + 20):
        return spectrum.line(flint.arb(q.real), abs(q.imag), BITS).at(flint.arb(q.imag))


__all__ = ["Plane", "has_zero", "line", "plane", "polar", "poles", "strip"]
