"""Places on rays between which a subsampled Gaussian's moments are taken, in doubles.

Choices only: whatever is chosen, :class:`~lapdp.accounting.moments.rays.Rays` bounds what is left
out.  With NumPy, where it is installed, the sizes at many places are found at once.
"""

from __future__ import annotations

import cmath
import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any

from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

MOST_CELLS = 1500
CHUNK = 48


@dataclass
class Places:
    """Places t on rays e^(t + ia), outwards from 0 on either side, as close as the integrand's
    peaks need; and where an integrand of some order has fallen."""

    kappa: float
    shift: float
    """kappa - log r."""
    _known: dict[tuple[float, int], list[tuple[float, ...]]] = field(default_factory=dict)
    _columns: dict[tuple[float, int], Any] = field(default_factory=dict)

    def between(self, q: complex, angle: float, fall: float) -> tuple[float, float]:
        """Two places between tails that have fallen by e^-fall from the largest size, and where
        the bounds of tails hold."""
        spend(150)
        turn = cmath.exp(1j * angle)
        a = math.cos(2 * angle) / (4 * self.kappa)
        b = (q * turn).real - self.shift * turn.real / (2 * self.kappa)
        # beyond it the bound of the right tail holds, and falls
        edge = math.log(max(1.2 / turn.real, 1.2 * (b + math.sqrt(b * b + 16 * a)) / (4 * a),
                            1.2 / a**0.5))
        if math.exp(min(edge, 99.0)) > MOST_CELLS / 2 * math.sqrt(self.kappa):
            raise Unsupported("the moments need too many cells")
        best, found = -math.inf, []
        for side in (1, -1):
            heights: list[float] = []
            count, ends = 0, False
            while not ends:
                if count == len(heights):
                    heights = self._heights(q, angle, side, count)
                count += CHUNK
                best = max(best, *heights[count - CHUNK:count])
                t, falls = self._at(angle, side, count - 1), heights[count - 1] < min(
                    best - fall, heights[count - 2])
                ends = falls and (t > edge if side > 0 else self.is_left(t))
            found.append(heights[:count])
        above, below = found
        last, first = len(above) - 1, len(below) - 1
        while last > 1 and above[last - 1] < best - fall and self._at(angle, 1, last - 1) > edge:
            last -= 1
        while first > 2 and below[first - 1] < min(best - fall, below[first - 2]) and self.is_left(
                self._at(angle, -1, first - 1)):
            first -= 1
        return self._at(angle, -1, first), self._at(angle, 1, last)

    def is_left(self, t: float) -> bool:
        """Does the bound of the left tail hold?"""
        return t < -0.2 and -(t + self.shift) - math.exp(t) > 0.1

    def all(self, angle: float, stride: int) -> list[float]:
        """The places known on a ray, or some of them at equal distances from the middle."""
        left, right = ([t for t, *_ in self._known[angle, side][::stride]] for side in (-1, 1))
        return left[::-1] + right

    def beyond(self, angle: float, low: float, high: float, stride: int) -> list[float]:
        """The same, with more places until they reach to both ends."""
        found = self.all(angle, stride)
        for side, short in ((-1, found[0] > low), (1, found[-1] < high)):
            if short:
                self._points(angle, side, len(self._known[angle, side]))
        return self.all(angle, stride)

    def _at(self, angle: float, side: int, j: int) -> float:
        return self._known[angle, side][j][0]

    def _heights(self, q: complex, angle: float, side: int, least: int) -> list[float]:
        """Logarithms of the integrand's size at all places known, more than so many."""
        known, real, imag = self._points(angle, side, least), q.real, q.imag
        if np is None:
            return [real * x - imag * y + z for _, x, y, z in known]
        columns = self._columns.get((angle, side))
        if columns is None or len(columns) < len(known):
            columns = self._columns[angle, side] = np.array(known)[:, 1:]
        found: list[float] = (columns @ np.array([real, -imag, 1.0])).tolist()
        return found

    def _points(self, angle: float, side: int, start: int) -> list[tuple[float, ...]]:
        """(t, Re X, Im X, log of the size at q = 0) outwards from 0 on one side, at so many places
        and some more."""
        known = self._known.setdefault((angle, side), [])
        if start + CHUNK > MOST_CELLS:
            raise Unsupported("the moments need too many cells")
        spend(8 * max(0, start + CHUNK - len(known)))
        while len(known) < start + CHUNK:
            if known:
                t = known[-1][0]
            else:
                t = -self._width(0.0) if side < 0 else 0.0
                t -= side * self._width(t)
            t += side * self._width(t)
            x, place, slope = self._near(complex(t, angle))
            size = math.log(abs(slope)) - (place * place).real / (4 * self.kappa)
            known.append((t, x.real, x.imag, size))
        return known

    def _width(self, t: float) -> float:
        """About half the width of a peak of the integrand at t, whatever the order."""
        x, place, slope = self._near(complex(t, 0.0))
        bend = place * slope * (x.real - slope) + slope * slope
        bend = (abs(bend) + abs(place)) / (2 * self.kappa)
        return float(2.0 ** math.floor(math.log2(min(0.25, 0.7 / math.sqrt(abs(bend) + 1e-9)))))

    def _near(self, t: complex) -> tuple[complex, complex, complex]:
        """X, l + kappa, X/(1 - e^-X) in doubles."""
        x = cmath.exp(t)
        if abs(x) < 1e-4:
            return x, t + x / 2 + self.shift, 1 + x / 2
        rest = 1 - cmath.exp(-x)
        return x, x + cmath.log(rest) + self.shift, x / rest


def covering(places: list[float], low: float, high: float) -> tuple[int, int]:
    """The indices of the nearest places that are not above ``low``, and not below ``high``."""
    return max(bisect_right(places, low) - 1, 0), min(bisect_left(places, high), len(places) - 1)


__all__ = ["CHUNK", "MOST_CELLS", "Places", "covering"]
