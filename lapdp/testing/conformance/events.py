"""Events learnt from samples: values, half-lines with their tails, bins, a classifier.

What is learnt here is judged on other samples: nothing on this page can raise a false alarm.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lapdp.testing.conformance.directions import along
from lapdp.testing.conformance.features import Column, Feature, columns, is_number

BINS = (16, 128)
"""Bins of equal mass that a feature is cut into."""
THRESHOLDS = 100
"""Quantiles of each distribution where half-lines end, beside its tails."""
KINDS = ("half-line", "values", "bins", "joint")
"""Kinds of events, the simplest first; the best of each is tested, for each direction."""
_SHOWN = 6


@dataclass(frozen=True)
class Event:
    """A set S of outcomes."""

    says: str
    """In terms of the outcome ``x``."""
    holds: Callable[[Any], bool]
    kind: str = "joint"
    """One of :data:`KINDS`."""


@dataclass(frozen=True)
class Aim:
    """The gap that events are chosen for: P(S) - e^eps Q(S) - delta, as it will be bounded."""

    alpha: float
    delta: float
    spread: float
    """Standard deviations from an estimate to its bound."""
    fresh: int = 0
    """Samples of each dataset that will judge the event, where that is known."""

    def gap(self, p: int, q: int, sizes: tuple[int, int]) -> float:
        """What would be left of the gap, by Wilson's bounds; exact ones come later.

        As if no more samples judged than have taught: an event that is one of very many, chosen by
        its hits, is worth less than these say.

        >>> Aim(2.0, 0.0, 3.0).gap(900, 100, (1000, 1000)) > 0.6
        True
        """
        return self._gap(p / sizes[0], q / sizes[1], sizes)

    def gap_ahead(self, p: int, q: int, sizes: tuple[int, int]) -> float:
        """The same on the fresh samples, where they are more: for one of few events.

        >>> aim = Aim(2.0, 0.0, 3.0, fresh=4000)
        >>> aim.gap_ahead(900, 100, (1000, 1000)) > aim.gap(900, 100, (1000, 1000))
        True
        """
        fresh = [max(self.fresh, size) for size in sizes]
        return self._gap(p / sizes[0], q / sizes[1], fresh)

    def _gap(self, p: float, q: float, trials: Sequence[int]) -> float:
        return (self._bound(p, trials[0], -1) - self.alpha * self._bound(q, trials[1], 1)
                - self.delta)

    def _bound(self, share: float, trials: int, sign: int) -> float:
        square = self.spread**2
        root = math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
        return (share + square / (2 * trials) + sign * self.spread * root) / (1 + square / trials)


def learnt(known: Sequence[Column], aim: Aim) -> list[Event]:
    """The most promising event of each kind, for P(S) > e^eps Q(S) + delta.

    Empty where outcomes neither come twice nor have a number in them: nothing can be learnt then.

    >>> import random
    >>> rng = random.Random(0)
    >>> p, q = ([x + rng.random() for _ in range(1000)] for x in (5, 0))
    >>> print(learnt(columns(p, q), Aim(3.0, 0.0, 4.0))[0].says)  # doctest: +ELLIPSIS
    x >...
    """
    best: dict[str, tuple[float, Event]] = {}
    for column in known:
        for gap, event in _of_column(column, aim):
            kind = "joint" if column.feature.joint else event.kind
            # of equal events the one on the simplest feature, which comes first
            if kind not in best or gap > best[kind][0]:
                best[kind] = gap, event
    return [best[kind][1] for kind in KINDS if kind in best]


def looked_at(p: Sequence[Any], q: Sequence[Any], digits: bool = False) -> list[Column]:
    """What events speak of: the columns of the samples, sums of all parts, and a classifier.

    ``digits``: also the last binary digits of doubles.
    """
    known = columns(p, q, digits)
    if len(known) == 1:
        return known
    # the whole says something of its own only where it is not made of parts alone
    told = known if any(known[0].numbers) else known[1:]
    classifier = _classifier(told, p, q)
    sides = [classifier.of(x) for x in p], [classifier.of(x) for x in q]
    sums = [Column(f, ([f.of(x) for x in p], [f.of(x) for x in q]), True) for f in along(known)]
    return [*known, *sums, Column(classifier, sides)]


def _of_column(column: Column, aim: Aim) -> Iterator[tuple[float, Event]]:
    """The best event of each kind."""
    yield from _values(column, aim)
    numbers = column.numbers
    if len({*numbers[0][:3], *numbers[0][-3:], *numbers[1][:3], *numbers[1][-3:]}) > 2:
        yield _half_line(column, aim)
        for count in BINS:
            yield _bins(column, aim, count)


# -- sets of values --------------------------------------------------------------------------------


def _values(column: Column, aim: Aim) -> Iterator[tuple[float, Event]]:
    """Values that come again, by their likelihood ratio."""
    feature, (first, second) = column.feature, column.counts
    again = [(v, n, second[v]) for v, n in first.items() if n + second[v] > 1]
    if not again:
        return
    gap, chosen = _best_prefix(again, column.sizes, aim)
    liked = frozenset(chosen)
    shown = ", ".join(sorted(map(repr, liked))[:_SHOWN]) + ", ..." * (len(liked) > _SHOWN)
    says = f"{feature.name} is {shown}" if len(liked) == 1 else f"{feature.name} in {{{shown}}}"

    def holds(x: Any) -> bool:
        return feature.of(x) in liked
    yield gap, Event(says, holds, "values")


def _best_prefix(rows: Iterable[tuple[Any, int, int]], sizes: tuple[int, int], aim: Aim
                 ) -> tuple[float, list[Any]]:
    """The threshold of the likelihood ratio that leaves the largest gap."""
    ordered = sorted(rows, key=lambda row: (row[1] + 0.5) / (row[2] + 0.5), reverse=True)
    best, until, hits = -math.inf, 0, [0, 0]
    for i, (_, a, b) in enumerate(ordered):
        hits = [hits[0] + a, hits[1] + b]
        gap = aim.gap(hits[0], hits[1], sizes)
        if gap > best:
            best, until = gap, i + 1
    return best, [value for value, _, _ in ordered[:until]]


# -- half-lines ------------------------------------------------------------------------------------

_SIDES: dict[str, tuple[Callable[[list[Any], Any], int], Callable[[Any, Any], bool]]] = {
    ">": (lambda known, t: len(known) - bisect_right(known, t), lambda v, t: v > t),
    "<": (bisect_left, lambda v, t: v < t),
    ">=": (lambda known, t: len(known) - bisect_left(known, t), lambda v, t: v >= t),
    "<=": (bisect_right, lambda v, t: v <= t),
}
"""How many of sorted numbers lie beyond a threshold, and whether one does."""


def _half_line(column: Column, aim: Aim) -> tuple[float, Event]:
    """A threshold among quantiles, and far out in both tails."""
    feature, numbers = column.feature, column.numbers
    at = sorted({known[i] for known in numbers if known for i in _ranks(len(known))})
    # half-lines are few; those of a classifier compete with its values and bins
    judge = aim.gap if feature.joint else aim.gap_ahead
    gap, sign, t = max(((judge(count(numbers[0], t), count(numbers[1], t), column.sizes), sign, t)
                        for t in at for sign, (count, _) in _SIDES.items()),
                       key=lambda found: found[0])
    beyond = _SIDES[sign][1]

    def holds(x: Any) -> bool:
        value = feature.of(x)
        return is_number(value) and beyond(value, t)
    return gap, Event(f"{feature.name} {sign} {_short(t)}", holds, "half-line")


def _ranks(size: int) -> set[int]:
    found = {size * i // THRESHOLDS for i in range(THRESHOLDS)}
    power = 1
    while power < size:
        found |= {power - 1, size - power}
        power *= 2
    return {i for i in found if 0 <= i < size}


def _short(number: Any) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number)


# -- bins and the classifier -----------------------------------------------------------------------


def _bins(column: Column, aim: Aim, count: int) -> tuple[float, Event]:
    """A union of intervals [a, b), chosen by the likelihood ratio."""
    feature, numbers = column.feature, column.numbers
    edges = _edges(numbers, count)
    gap, liked = _best_prefix(_counted(numbers, edges), column.sizes, aim)
    chosen = frozenset(liked)

    def holds(x: Any) -> bool:
        value = feature.of(x)
        return is_number(value) and bisect_right(edges, value) in chosen
    return gap, Event(f"{feature.name} in {_intervals(sorted(chosen), edges)}", holds, "bins")


def _edges(numbers: Sequence[list[Any]], count: int) -> list[Any]:
    pooled = sorted([*numbers[0], *numbers[1]])
    return sorted({pooled[len(pooled) * i // count] for i in range(1, count)}
                  | {known[i] for known in numbers if known for i in (0, -1)})


def _counted(numbers: Sequence[list[Any]], edges: list[Any]) -> list[tuple[int, int, int]]:
    """Bin i reaches from edge i - 1 up to edge i; hits of both sides."""
    marks = [[0, *(bisect_left(known, edge) for edge in edges), len(known)] for known in numbers]
    hits = [[b - a for a, b in pairwise(side)] for side in marks]
    return [(i, p, q) for i, (p, q) in enumerate(zip(*hits, strict=True))]


def _intervals(chosen: Sequence[int], edges: Sequence[Any]) -> str:
    ends: list[list[int]] = []
    for i in chosen:
        if ends and ends[-1][1] == i:
            ends[-1][1] = i + 1
        else:
            ends.append([i, i + 1])
    shown = [f"[{_short(edges[a - 1]) if a else '-oo'}, "
             f"{_short(edges[b - 1]) if b <= len(edges) else 'oo'})" for a, b in ends[:_SHOWN]]
    return " or ".join(shown) + " or ..." * (len(ends) > _SHOWN)


def _classifier(known: Sequence[Column], p: Sequence[Any], q: Sequence[Any]) -> Feature:
    """The sum of the log-likelihood ratios of parts, as if they were independent."""
    scores = [_score(column) for column in known if not column.derived]
    return Feature("classifier(x)", lambda x: round(sum(score(x) for score in scores), 6),
                   True)


def _score(column: Column) -> Callable[[Any], float]:
    of = column.feature.of
    edges = _edges(column.numbers, BINS[0]) if any(column.numbers) else []

    def place(value: Any) -> Hashable:
        return bisect_right(edges, value) if is_number(value) else ("", value)
    first, second = (Counter(map(place, side)) for side in column.sides)

    def score(x: Any) -> float:
        where = place(of(x))
        return math.log((first[where] + 0.5) / (second[where] + 0.5))
    return score


__all__ = ["KINDS", "Aim", "Event", "learnt", "looked_at"]
