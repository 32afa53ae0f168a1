"""The rule for moments of overlapping mixtures of normal distributions, chosen in doubles.

Its error is proved by :class:`~lapdp.accounting.moments.mixed_normal.MixedNormalLine`, whatever is
chosen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported

MOST_NODES = 200_000
HIGHEST = 1.25
"""Of the lines of nodes, where a wider strip would allow for higher ones."""
FALLEN, HALVES = 700.0, 12
"""A logarithm that doubles hold; how often the first node is looked for."""
LEAST = 1e-5
"""Shifts below it, next to the standard deviation, gain nothing that doubles see."""

Numbers = tuple[float, float, float]
"""The two weights and kappa."""


def shifts(kappa: float) -> list[float]:
    """The y among which the bound of the decay takes the best: of a release that leaks little the
    best one is far below the widest."""
    most = math.pi / 4 / math.sqrt(2 * kappa)
    return [most, most / 2, *(y for y in (most / 4**j for j in range(1, 16)) if y > LEAST or (
        y > most / 100))]


def keeps(numbers: Numbers, gamma: float) -> bool:
    """Is it a pair (w P + (1 - w) Q, Q) at an order from 0 on, for which c = 1 up to b = pi?"""
    return numbers[1] == 0 and gamma >= 0


def loss(numbers: Numbers, gamma: float, b: float) -> float:
    """log c in doubles."""
    return 0.0 if keeps(numbers, gamma) else (
        -max(-gamma, gamma - 1, 0.0) * math.log(math.cos(b / 2)))


def turns(numbers: Numbers, gamma: float) -> bool:
    """Is it a pair (P, (1 - v) P + v Q), v > 0, at an order from 1 on?"""
    return numbers[0] == 1 and 0 < numbers[1] < 1 and gamma >= 1


def farthest(numbers: Numbers, whole: float, gamma: float, b: float) -> float:
    """The place n0 for the bound c' of such pairs; ``whole`` is log E_gamma, nearly."""
    root = math.sqrt(2 * numbers[2])
    rare = (1 - gamma) * math.log(numbers[1]) - whole
    return -math.log(math.cos(b)) / root + root + math.sqrt(2 * max(rare, 0.0))


def lost(numbers: Numbers, whole: float, gamma: float, b: float) -> float:
    """log of the better of c and c' in doubles."""
    found = loss(numbers, gamma, b)
    if turns(numbers, gamma):
        a = -math.log(math.cos(b)) / math.sqrt(2 * numbers[2])
        found = min(found, farthest(numbers, whole, gamma, b) * a + LOG2)
    return found


@dataclass(frozen=True)
class Rule:
    """Nodes step * j + i shift for first <= j <= last, analytic up to |Im n - shift| <= width; the
    shift is 0, or the width."""

    step: float
    first: int
    last: int
    width: float
    shift: float = 0.0

    @property
    def nodes(self) -> int:
        """Their number."""
        return self.last - self.first + 1


def rule(numbers: Numbers, whole: float, gamma: float, height: float, goal: float, fall: float
         ) -> Rule:
    """A rule whose error is about e^-goal, relative to E_gamma, or e^(fall (u/height)^2) times
    that at heights u where it may be so much larger; ``whole`` is log E_gamma, nearly."""
    root = math.sqrt(2 * numbers[2])
    strip = math.pi / 2 / root * (1 - 2.0**-40)
    most = 2 * strip if keeps(numbers, gamma) else strip

    def step(y: float) -> float:
        above = goal + lost(numbers, whole, gamma, root * y)
        growth = root * y * height
        if growth < 2 * fall:
            growth *= growth / (4 * fall)
        else:
            growth -= fall
        return 2 * math.pi * y / (above + LOG2 + y * y / 2 + growth)

    def moved(y: float) -> float:
        above = goal + lost(numbers, whole, gamma, 2 * root * y)
        return 2 * math.pi * y / (above + LOG2 + 2 * y * y)

    width = max((most * k / 64 for k in range(1, 65)), key=step)
    # weights are e^(y^2/2) times as large as the moment
    farthest_up = min(most / 2, max(strip / 2, HIGHEST))
    above = max((farthest_up * k / 64 for k in range(1, 65)), key=moved)
    found = min((_rule(numbers, whole, gamma, goal, h, y, shift) for h, y, shift in (
        (step(width), width, 0.0), (moved(above), above, above))), key=lambda r: r.last - r.first)
    if found.last - found.first > MOST_NODES:
        raise Unsupported(f"the moments need {found.last - found.first} nodes: too many")
    return found


def _rule(numbers: Numbers, whole: float, gamma: float, goal: float, step: float, width: float,
          shift: float) -> Rule:
    """With the ends that it needs."""
    # few bits: nodes are exact numbers
    unit = 2.0 ** (math.frexp(step)[1] - 7)
    h = unit * math.floor(step / unit)
    # on the lines that bound decays the cut may be larger
    root = math.sqrt(2 * numbers[2])
    slack = shift * shift / 2 if turns(numbers, gamma) else max(
        loss(numbers, gamma, math.pi / 16), loss(numbers, gamma, root * shift) + shift * shift / 2)
    low, high = _ends(numbers, whole, gamma, goal + slack)
    if turns(numbers, gamma):
        low = _left_end(numbers, gamma, root * max(shift, 1.0), high, whole - goal - slack)
    return Rule(h, math.floor(low / h), math.ceil(high / h), width, shift)


def log_left(numbers: Numbers, gamma: float, n: float, b: float) -> float:
    """The logarithm of what nodes left of n add where such a pair turns by b: the bound of
    :meth:`MixedNormalLine._cut`; infinite where there is none."""
    _, v, kappa = numbers
    root, c = math.sqrt(2 * kappa), max(0.0, math.cos(b))
    log, best = root * n - kappa, math.inf
    if log < -FALLEN:
        # next to nothing, at every order
        return -math.inf
    x = (1 - v) * math.exp(-log)
    for near, far in ((v, c * x), (c * v, x)):
        slope = root * (1 + (gamma - 1) * far / (near + far)) - n
        if slope > 0:
            best = min(best, log + (1 - gamma) * math.log(near + far) - math.log(slope))
    return best - n * n / 2


def _left_end(numbers: Numbers, gamma: float, b: float, high: float, least: float) -> float:
    """Where nodes to the left of it add e^``least``."""
    b, low = min(b, math.pi / 4), high - 1
    while log_left(numbers, gamma, low, b) > least:
        low = high - 2 * (high - low)
    for _ in range(HALVES):
        middle = (low + high) / 2
        low, high = (low, middle) if log_left(numbers, gamma, middle, b) > least else (middle, high)
    return low


def _ends(numbers: Numbers, whole: float, gamma: float, goal: float) -> tuple[float, float]:
    """Where the tails of :meth:`MixedNormalLine._beyond` are e^-goal, relative to E_gamma."""
    *weights, kappa = numbers
    root = math.sqrt(2 * kappa)
    found = []
    for side in (-1, 1):
        terms = [(0.0, 0.0)]
        for w, p in zip(weights, (gamma, 1 - gamma), strict=True):
            powers = [(p * math.log(c), d) for c, d in ((1 - w, 0.0), (w, p)) if c > 0]
            if p < 0 and len(powers) > 1:
                powers = powers[:1] if side < 0 else powers[-1:]
            lost = max(0.0, p) * LOG2 if len(powers) > 1 else 0.0
            terms = [(c + x + lost, d + y) for c, d in terms for x, y in powers]
        found.append(max(side * d * root + 1.5 + math.sqrt(max(
            0.0, 2 * (goal + c + d * (d - 1) * kappa - whole))) for c, d in terms))
    return min(0.0, -found[0]), max(0.0, found[1])


__all__ = ["Numbers", "Rule", "farthest", "keeps", "log_left", "loss", "lost", "rule", "shifts",
           "turns"]
