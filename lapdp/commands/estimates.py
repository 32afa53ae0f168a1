"""How long the rest of some work takes, from what was measured."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

FASTEST, SLOWEST = 0.25, 4.0
"""How much this run may differ from earlier ones before it is not believed."""
SOON = 2.0
"""Seconds that must be measured before a mean is told."""


class Estimate:
    """Seconds left: by what each item took in earlier runs, else by the mean of this run.

    ``costs`` are seconds of earlier runs by name.  They are scaled by what items whose cost was
    known took now; items of unknown cost count as the mean of such ones now.

    >>> estimate = Estimate({"a": 2.0, "b": 8.0})
    >>> estimate.left(2, {})
    10.0
    >>> estimate.finished("a", 1.0)  # this machine is twice as fast
    >>> estimate.left(1, {}), estimate.left(1, {"b": 3.0})
    (4.0, 1.0)
    >>> Estimate({}).left(5, {}) is None
    True
    """

    def __init__(self, costs: Mapping[str, float], workers: int = 1) -> None:
        self.open, self.workers = dict[str, float](), max(1, workers)
        self.known, self.sum = 0, 0.0
        self.expected = self.measured = self.others = 0.0
        self.counted, self.untimed = 0, 0
        self.start = time.monotonic()
        self.expect(costs)

    def expect(self, costs: Mapping[str, float]) -> None:
        """Of more items it is known what they took in earlier runs."""
        self.open.update(costs)
        self.known, self.sum = self.known + len(costs), self.sum + sum(costs.values())

    def finished(self, name: str, seconds: float | None) -> None:
        """An item is done; None where nobody said when it began."""
        cost = self.open.pop(name, None)
        if seconds is None:
            self.untimed += 1
        elif cost is None:
            self.counted, self.others = self.counted + 1, self.others + seconds
        else:
            self.expected, self.measured = self.expected + cost, self.measured + seconds

    def left(self, items: int, running: Mapping[str, float]) -> float | None:
        """Seconds until ``items`` more are done; ``running`` have run for these seconds.

        None while nothing is known.
        """
        scale = self.measured / self.expected if self.expected >= 1 else 1.0
        scale = min(max(scale, FASTEST), SLOWEST)
        parts = [max(scale * cost - running.get(name, 0.0), 0.0)
                 for name, cost in self.open.items()]
        unknown = max(items - len(self.open), 0)
        if unknown:
            mean = self._mean(scale)
            if mean is None:
                return None
            begun = [spent for name, spent in running.items() if name not in self.open][:unknown]
            parts += [max(mean - spent, 0.0) for spent in begun]
            parts += [mean] * (unknown - len(begun))
        return max(sum(parts) / self.workers, max(parts, default=0.0))

    def _mean(self, scale: float) -> float | None:
        """What an item of unknown cost is likely to take."""
        if self.counted and self.others + self.measured >= SOON:
            return self.others / self.counted
        if self.known:
            return scale * self.sum / self.known
        spent = time.monotonic() - self.start
        if self.untimed and not self.counted and spent >= SOON:
            return spent * self.workers / self.untimed
        return None


def in_words(left: float) -> str:
    """An estimate, no finer than it is good for.

    >>> [in_words(s) for s in (0.2, 12, 100, 20000)]
    ['some seconds left', 'about 15 s left', 'about 2 min left', 'about 6 h left']
    """
    if left < 5:
        return "some seconds left"
    if left < 90:
        return f"about {5 * math.ceil(left / 5)} s left"
    if left < 5400:
        return f"about {math.ceil(left / 60)} min left"
    return f"about {math.ceil(left / 3600)} h left"


__all__ = ["Estimate", "in_words"]
