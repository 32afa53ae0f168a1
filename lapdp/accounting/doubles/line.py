"""The inversion integral (37) in doubles: one line serves many queries (eps, copies).

The rule, its aliases and residues are those of :mod:`lapdp.accounting.inversion.contour`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lapdp.accounting.doubles import exact, mixed_normal, normal
from lapdp.accounting.doubles.bounded import (
    LIBRARY,
    TINY,
    UNIT,
    Bounded,
    sum_of_products,
    tree_sum,
)
from lapdp.accounting.doubles.choice import GOAL, LATER, Choice
from lapdp.accounting.doubles.nearly import cumulants
from lapdp.accounting.doubles.tilted import Tilt
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum, Spectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.errors import Unsupported

MOST_NODES = 20_000
MOST_EPS = 1e100
CHUNK = 1_000_000
SAFE = 1 + 1e-9

_ROOMS: dict[type, Any] = {NormalSpectrum: normal, MixedNormalSpectrum: mixed_normal,
                          ExactSpectrum: exact}
"""Where the moments of a factor are computed in doubles."""


def room_of(spectrum: Spectrum) -> Any:
    """The module with ``tilt``; :class:`Unsupported` where there is none."""
    found = _ROOMS.get(type(spectrum))
    if found is None:
        raise Unsupported(f"{type(spectrum).__name__} has no path in doubles")
    return found


@dataclass(frozen=True, eq=False)
class Line:
    """A rule on one line: heights step * j, and the tilted laws of all factors there."""

    factors: Factors
    gamma: float
    step: float
    heights: Any
    tilted: tuple[Tilt, ...]
    logs: tuple[tuple[Any, Any], ...]
    """log phi at the heights, and relative errors of phi, for each factor."""
    decays: tuple[float, ...]
    """log |phi| beyond the last height, for each factor."""
    other: float
    others: tuple[Bounded, ...]
    """log E at the order ``other``."""

    @property
    def period(self) -> float:
        """2 pi/step, from below."""
        return 2 * math.pi / self.step * (1 - 8 * UNIT)

    def deltas(self, eps: Any, copies: Any) -> tuple[Any, Any]:
        """Values and radii for arrays of queries, the mass at infinity left out for gamma > 1;
        a radius that is no number says nothing."""
        values, radii = np.empty(len(eps)), np.empty(len(eps))
        # a search may go astray
        sound = np.abs(eps) < MOST_EPS
        eps = np.where(sound, eps, 0.0)
        size = max(1, CHUNK // len(self.heights))
        with np.errstate(all="ignore"):
            for first in range(0, len(eps), size):
                part = slice(first, first + size)
                values[part], radii[part] = self._deltas(eps[part], copies[part])
        return values, np.where(sound & np.isfinite(values), radii, np.nan)

    def _deltas(self, eps: Any, copies: Any) -> tuple[Any, Any]:
        counts = [copies * float(k) for _, k in self.factors.parts]
        found = self._inverted(eps, copies, counts)
        value, radius = found.value, found.error + 2 * UNIT * np.abs(found.value)
        low, high = self._aliases(eps, counts)
        value, radius = value + (low + high) / 2, radius + SAFE * (high - low) / 2
        if self.gamma < 1:
            value = 1 + value
        return value, radius * SAFE + 4 * UNIT * np.abs(value) + 2 * TINY

    def _inverted(self, eps: Any, copies: Any, counts: Any) -> Bounded:
        """The trapezoidal rule."""
        real, angle, error = self._exponents([(-1.0, eps)], counts)
        gamma, u = self.gamma, self.heights
        kernel = 1 / (gamma * (gamma - 1) - u * u + 1j * u * (2 * gamma - 1))
        weight = np.exp(real)
        terms = weight * (np.cos(angle) * kernel.real - np.sin(angle) * kernel.imag)
        terms[:, 0] /= 2
        total, depth = tree_sum(terms)
        weight *= np.abs(kernel) * (np.expm1(error) + 4 * LIBRARY + (24 + depth) * UNIT)
        # the nodes beyond: |q (q - 1)| >= u^2, and the sum over j > N of 1/(h j)^2 is below
        # 1/(h^2 N)
        rest = np.exp(self._beyond(counts)) / float(u[-1]) / self.step
        found = Bounded(total, SAFE * (weight.sum(axis=1) + rest))
        return found * self._size([(1 - gamma, eps)], counts) * Bounded(
            self.step / math.pi, 4 * UNIT * self.step)

    def _beyond(self, counts: Any) -> Any:
        """A bound of log |phi^k| beyond the last height."""
        return sum(k * d for k, d in zip(counts, self.decays, strict=True))

    def _size(self, terms: Any, counts: Any) -> Bounded:
        """e to a sum of products, times the moment."""
        return _log_size(terms, counts, [t.log_mean for t in self.tilted]).exp()

    def _exponents(self, shift: Any, counts: Any) -> tuple[Any, Any, Any]:
        """log of phi^k e^(iu (k mu + shift)) in two parts, and its absolute error."""
        turn, turn_error = sum_of_products([*shift, *(
            (k, t.centre) for k, t in zip(counts, self.tilted, strict=True))])
        u = self.heights
        angle = turn[:, None] * u
        error = (turn_error[:, None] + 8 * UNIT * np.abs(turn)[:, None]) * u
        real = np.zeros_like(angle)
        for k, (logs, shares) in zip(counts, self.logs, strict=True):
            one, two = k[:, None] * logs.real, k[:, None] * logs.imag
            real, angle = real + one, angle + two
            error += k[:, None] * shares + (2 + len(counts)) * UNIT * (np.abs(one) + np.abs(two))
        return real, angle, error + 2 * UNIT * len(counts) * (np.abs(real) + np.abs(angle))

    def _aliases(self, eps: Any, counts: Any) -> tuple[Any, Any]:
        """Between what the aliases lie that are to be added."""
        period, gamma = self.period, self.gamma
        if gamma < 1:
            right, left = math.exp(-(1 - gamma) * period), math.exp(-gamma * period)
            most = SAFE * (right / (1 - right) + np.exp(eps) * left / (1 - left))
            return np.zeros_like(most), most
        left = math.exp(-(gamma - 1) * period)
        size = _log_size([(1.0, eps), (-self.other, eps), (gamma, period), (-self.other, period)],
                         counts, self.others)
        right = math.exp(-(self.other - gamma) * period)
        most = SAFE * (left / (1 - left) + size.exp().upper / (1 - right))
        return -most, np.zeros_like(most)


def _log_size(terms: Any, counts: Any, means: Sequence[Bounded]) -> Bounded:
    """A sum of products and the logarithms of moments, each so many times."""
    value, error = sum_of_products([*terms, *(
        (k, x.value) for k, x in zip(counts, means, strict=True))])
    error = error + sum(k * x.error for k, x in zip(counts, means, strict=True))
    return Bounded(value, SAFE * error)


def line(factors: Factors, choice: Choice, copies: int) -> Line:
    """The line of a choice, for about so many copies."""
    # few bits: all heights are exact doubles
    return _line(factors, choice.gamma, few_bits(2 * math.pi / choice.period),
                 choice.gamma + few_bits(choice.other - choice.gamma),
                 2.0 ** (math.ceil(2 * math.log2(choice.height)) / 2),
                 2 ** math.floor(math.log2(copies)))


def chernoff(factors: Factors, choice: Choice, eps: Any, copies: Any) -> Any:
    """An upper bound of delta of the finite losses, or of what delta lacks to 1 where gamma < 1.

    Both are at most e^((1 - g) eps) E_g: max(0, 1 - 1/x) <= x^(g - 1) for g >= 1, and min(1, x) <=
    x^(1 - g) for 0 <= g <= 1, where E_P[min(1, e^(eps - Z)); Z finite] is what delta lacks.
    """
    gamma, goal = choice.gamma, 10 + math.log(2 * float(np.max(copies)))
    counts = [copies * float(k) for _, k in factors.parts]
    with np.errstate(all="ignore"):
        means = [room_of(s).tilt(s, gamma, 0.0, goal, cumulants(s)(gamma)[0]).log_mean
                 for s, _ in factors.parts]
        return _log_size([(1 - gamma, eps)], counts, means).exp().upper


@lru_cache(maxsize=64)
def _line(factors: Factors, gamma: float, step: float, other: float, height: float, copies: int
          ) -> Line:
    parts, goal = factors.parts, GOAL + math.log(2 * copies)
    rooms = [room_of(s) for s, _ in parts]
    with np.errstate(all="ignore"):
        tilted = tuple(room.tilt(s, gamma, height, goal, cumulants(s)(gamma)[0])
                       for room, (s, _) in zip(rooms, parts, strict=True))
        counts = [copies * k for _, k in parts]
        top, decays = _top(tilted, counts, height / LATER, step)
        heights = step * np.arange(round(top / step) + 1)
        logs = tuple(t.logs(heights) for t in tilted)
        others = tuple(t.log_mean_at(other, 0.1 / k, cumulants(s)(other)[0])
                       for t, k, (s, _) in zip(tilted, counts, parts, strict=True))
    return Line(factors, gamma, step, heights, tilted, logs, decays, other, others)


def _top(tilted: tuple[Tilt, ...], counts: list[int], start: float, step: float
         ) -> tuple[float, tuple[float, ...]]:
    """The last height, and how far each factor has fallen there."""
    top = start
    while True:
        nodes = math.ceil(top / step)
        if nodes > MOST_NODES:
            raise Unsupported(f"the rule needs more than {MOST_NODES} nodes in doubles")
        decays = tuple(t.decay(step * nodes) for t in tilted)
        fallen = -sum(k * d for k, d in zip(counts, decays, strict=True))
        if fallen > GOAL:
            return step * nodes, decays
        top *= min(3.0, max(1.1, (GOAL / max(fallen, 1e-9)) ** 0.7))


def few_bits(x: float) -> float:
    """A number just below x, of which small whole multiples are exact doubles."""
    mantissa, power = math.frexp(x)
    return math.ldexp(math.floor(mantissa * 4096), power - 12)


__all__ = ["Line", "chernoff", "few_bits", "line", "room_of"]
