"""Bounds of a probability from samples, exact, and what a number of samples can find."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, fmpq

from lapdp.core.precision import workprec

GRID = 1 << 40
"""Bounds of probabilities are multiples of 1/GRID."""
MISSED = 0.01
"""A violation of the size that :func:`power` states is missed with at most this probability."""
_BITS = 128
_EPSILON = 1e-16
_HALVINGS = 32


def least_probability(successes: int, trials: int, error: Fraction) -> Fraction:
    """A bound p of Clopper and Pearson: so many successes or more have probability <= error at p.

    Proved by balls; the largest such p is less than 2^-40 larger.  So p exceeds the true
    probability with a chance of at most ``error``.

    >>> found = least_probability(9, 10, Fraction(1, 20))
    >>> sum(k * found**9 * (1 - found) + found**10 for k in [10]) <= Fraction(1, 20)
    True
    >>> print(f"{float(found):.6f}")
    0.605837
    """
    def rare(n: int) -> bool:
        return n <= 0 or bool(_at_least(successes, trials, Fraction(n, GRID)) <= _ball(error))

    # doubles say where to look, balls prove it
    guess = int(_least(successes, trials, float(error)) * GRID)
    low, high, step = 0, GRID, 1
    if rare(guess):
        low = guess
        while low + step < GRID and rare(low + step):
            low, step = low + step, 2 * step
        high = min(GRID, low + step)
    else:
        high = guess
        while not rare(high - step):
            high, step = high - step, 2 * step
        low = max(0, high - step)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rare(middle) else (low, middle)
    return Fraction(low, GRID)


def largest_probability(successes: int, trials: int, error: Fraction) -> Fraction:
    """Likewise from above: so many successes or fewer have probability <= error at it."""
    return 1 - least_probability(trials - successes, trials, error)


def _at_least(successes: int, trials: int, p: Fraction) -> Any:
    """Pr[Bin(trials, p) >= successes], the regularised incomplete beta function."""
    if successes == 0:
        return arb(1)
    with workprec(_BITS):
        return _ball(p).beta_lower(successes, trials - successes + 1, True)


def _ball(x: Fraction) -> Any:
    with workprec(_BITS):
        return arb(fmpq(x.numerator, x.denominator))


# -- in doubles ------------------------------------------------------------------------------------


def _tail(successes: int, trials: int, p: float) -> float:
    """Pr[Bin(trials, p) >= successes] to some ten digits, summed from its largest term."""
    if successes <= 0 or p >= 1:
        return 1.0
    if p <= 0 or successes > trials:
        return 0.0
    if successes < trials * p:
        return 1 - _tail(trials - successes + 1, trials, 1 - p)
    first = (math.lgamma(trials + 1) - math.lgamma(successes + 1)
             - math.lgamma(trials - successes + 1)
             + successes * math.log(p) + (trials - successes) * math.log1p(-p))
    total, term, odds = 0.0, math.exp(first), p / (1 - p)
    for k in range(successes, trials + 1):
        total += term
        term *= odds * (trials - k) / (k + 1)
        if term <= total * _EPSILON:  # also where both have fallen to 0
            break
    return min(1.0, total)


def _least(successes: int, trials: int, error: float) -> float:
    """The bound of :func:`least_probability`."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail(successes, trials, middle) <= error else (low, middle)
    return low


def _largest(successes: int, trials: int, error: float) -> float:
    return 1 - _least(trials - successes, trials, error)


@dataclass(frozen=True)
class Power:
    """The smallest violation P(S) - e^eps Q(S) - delta of a tested event that samples find."""

    rare: float
    """Where S never happens under Q."""
    any: float
    """Whatever Q(S) is."""


@lru_cache(maxsize=64)
def power(trials: int, error: float, alpha: float, delta: float) -> Power | None:
    """What so many fresh samples of P and of Q find with probability 99 percent.

    An event counts as a violation where a lower bound of P(S) exceeds ``alpha`` times an upper
    bound of Q(S), plus ``delta``; each bound is wrong with probability at most ``error``.  None
    where not even an event with P(S) = 1 and Q(S) = 0 is found: such samples say nothing.

    Half of the chance of a miss is spent on more hits under Q than expected, half on fewer under P.
    The worst Q(S) is sought on a grid, which is good for two digits.

    >>> found = power(10_000, 1e-7, 3.0, 0.0)
    >>> print(f"{found.rare:.4f} {found.any:.4f}")
    0.0115 0.1316
    >>> power(10, 1e-7, 3.0, 0.0) is None
    True
    """
    rare = _needed(trials, error, alpha, delta, 0)
    if rare is None:
        return None
    worst, hits = rare - delta, 1
    while hits < trials:
        # at the least Q(S) for which so many hits must be reckoned with
        below = _least(hits, trials, MISSED / 2)
        needed = _needed(trials, error, alpha, delta, hits)
        if alpha * below + delta >= 1:
            break
        # where none is told, none is larger than what is left
        worst = max(worst, (1 if needed is None else needed) - alpha * below - delta)
        hits = max(hits + 1, hits * 4 // 3)
    return Power(rare - delta, worst)


def trials_that_tell(p: float, q: float, error: float, alpha: float, delta: float, trials: int,
                     most: int = 1 << 28) -> int | None:
    """The first of ``trials``, twice as many, ..., up to ``most`` where an event with frequencies p
    and q shows that P(S) > alpha Q(S) + delta; None where none does.

    >>> trials_that_tell(0.0518, 0.0156, 1e-8, 2.71828, 0.0, 25_000)
    200000
    """
    while trials <= most:
        if exceeds(math.floor(p * trials), math.ceil(q * trials), trials, error, alpha, delta):
            return trials
        trials *= 2
    return None


def exceeds(p: int, q: int, trials: int, error: float, alpha: float, delta: float) -> bool:
    """Do so many hits show, in doubles, that P(S) > alpha Q(S) + delta, each bound with a chance of
    ``error`` to be wrong?

    >>> exceeds(1295, 390, 25_000, 0.02, 2.71828, 0.0), exceeds(6, 0, 25_000, 0.02, 2.71828, 0.0)
    (True, False)
    """
    return _least(p, trials, error) > alpha * _largest(q, trials, error) + delta


def _needed(trials: int, error: float, alpha: float, delta: float, hits: int) -> float | None:
    """The least P(S) that is told from alpha Q(S) + delta where S was hit so often under Q."""
    level = alpha * _largest(hits, trials, error) + delta
    low, high = 0, trials + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _tail(middle, trials, level) < error else (middle, high)
    return None if high > trials or level >= 1 else _largest(low, trials, MISSED / 2)


__all__ = ["GRID", "MISSED", "Power", "exceeds", "largest_probability", "least_probability",
           "power", "trials_that_tell"]
