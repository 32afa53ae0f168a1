"""Values of letters over several powers of ten, for claims about mechanisms with parameters.

What holds where all parameters are about 1 may fail where one is large and another small: a bound
on Gaussian noise at sigma = 1/10 and eps = 10.  All letters move on their own, so that products
such as sigma*eps and sigma**2*eps take every size; beside a bound of a hypothesis the values come
close to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import sympy as sp

_R = sp.Rational
DECADES = (_R(1, 10), sp.Integer(10), sp.Integer(1), _R(1, 100), sp.Integer(100), _R(1, 4),
           sp.Integer(4), _R(1, 1000), sp.Integer(1000), sp.Integer(20), _R(1, 20), sp.Integer(3),
           _R(1, 3), sp.Integer(50), _R(1, 50), _R(1, 10**6), sp.Integer(10**6))
"""The powers of ten in turn, small and large, and what lies between them."""
WHOLE = tuple(map(sp.Integer, (10, 1, 3, 20, 5, 2, 50, 0)))
"""Counts: a composition of many releases is dear."""
CLOSE = (_R(1, 1000), _R(1, 10**6))
"""Distances from the numbers by which hypotheses bound a letter."""
FIRST = 60
"""Instances at small values before those at decades take turns with them."""


def decades(symbol: Any, beside: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a letter, the most telling first; ``beside`` are bounds of hypotheses.

    >>> eps = sp.Symbol("eps", positive=True)
    >>> decades(eps, (sp.Integer(1),))[:6]
    (1/10, 10, 1, 999/1000, 1001/1000, 1/100)
    """
    if symbol.is_integer:
        return WHOLE
    close = tuple(c + sign * step for step in CLOSE for c in beside for sign in (-1, 1))
    half = len(close) // 2
    both = (*DECADES[:3], *close[:half], *DECADES[3:9], *close[half:], *DECADES[9:])
    signed = both if symbol.is_positive or symbol.is_nonnegative else (
        *both, *(-v for v in DECADES[:5]))
    return tuple(dict.fromkeys(signed))


def in_turn(first: Iterator[Any], second: Iterator[Any], head: int = FIRST) -> Iterator[Any]:
    """The beginning of the first, then one of each until both are at their end.

    >>> list(in_turn(iter("abcd"), iter("xyz"), head=2))
    ['a', 'b', 'x', 'c', 'y', 'd', 'z']
    """
    yield from islice(first, head)
    for there in second:
        yield there
        yield from islice(first, 1)
    yield from first


__all__ = ["DECADES", "decades", "in_turn"]
