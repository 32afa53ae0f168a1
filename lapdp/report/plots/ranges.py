"""How far a picture reaches: where the profile of a pair has something to show.

The profile falls from delta(0) to Pr[Z = oo] as eps grows, and as delta(eps) >= delta(0) - (e^eps -
1) it needs some room for that: the search starts where the fall can at the earliest be over, and
doubles.  So it finds the scale of a pair, be it 10^-3 or 10^6, without a word about the mechanism.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.core.errors import Unsupported
from lapdp.report.plots.values import deltas, infinite

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

SHOWN = 0.01
"""The part of delta(0) - Pr[Z = oo] that may be cut off at the right end."""
SMALL = 1e-9
"""The same on a logarithmic scale."""
SETTLED = 1e-3
"""Where delta differs less from 1, there is nothing to see."""
FLAT = 1.0
"""How far to look where the profile is constant from 0 on."""
MARGIN = 0.08
STEPS = 9
MOST_DOUBLINGS = 60


def reach(pair: Pair, part: float = SHOWN) -> float:
    """Some eps > 0 from which on delta - Pr[Z = oo] is at most ``part`` of its value at 0."""
    mass = infinite(pair)
    start = float(deltas(pair, np.zeros(1))[0][0]) - mass
    if start <= 0:
        return FLAT
    step = math.log1p((1 - part) * start)
    for _ in range(MOST_DOUBLINGS):
        if deltas(pair, np.array([2 * step]))[0][0] - mass <= part * start:
            break
        step *= 2
    else:
        raise Unsupported(f"how far the profile of {pair!r} falls is not found: say it, as in "
                          "plot(eps=(-5, 5))")
    return _first(lambda x: deltas(pair, x)[0] - mass <= part * start, step, 2 * step)[1]


def _first(holds: Any, low: float, high: float) -> tuple[float, float]:
    """Neighbours between which a condition that holds at ``high`` begins to hold, nearly."""
    for _ in range(2):
        places = np.linspace(low, high, STEPS)
        after = max(1, int(np.argmax(holds(places))))
        low, high = float(places[after - 1]), float(places[after])
    return low, high


def of_profile(pair: Pair, log: bool = False) -> tuple[float, float]:
    """The eps to show: up to where delta has fallen; below 0 as far as the reversed profile needs,
    but no further than to where delta is 1 to three digits."""
    if log:
        return 0.0, reach(pair, SMALL)
    low, high = _unsettled(pair, SHOWN)
    return _wider(min(low, 0.0), high)


def of_loss(pair: Pair) -> tuple[float, float]:
    """The losses to show: 1 - delta(t) >= Pr[Z <= t], and the right tail is that of the profile."""
    return _wider(*_unsettled(pair, SHOWN / 10))


def _unsettled(pair: Pair, part: float) -> tuple[float, float]:
    low, high = -reach(pair.reverse(), part), reach(pair, part)
    if deltas(pair, np.array([low]))[0][0] > 1 - SETTLED:
        low = _first(lambda x: ~(deltas(pair, x)[0] > 1 - SETTLED), low, high)[0]
    return low, high


def _wider(low: float, high: float) -> tuple[float, float]:
    margin = MARGIN * (high - low)
    return low - margin, high + margin


def nice(low: float, high: float, count: int) -> Any:
    """About ``count`` doubles of few bits from low to high, at equal steps: they are short exact
    numbers, too."""
    step = 2.0 ** math.floor(math.log2((high - low) / count))
    return np.arange(math.ceil(low / step), math.floor(high / step) + 1) * step


__all__ = ["nice", "of_loss", "of_profile", "reach"]
