"""The last steps to a counterexample that one can print: the simplest pairs and values that fail.

Hypothesis shrinks one choice at a time; a pair with fewer outcomes often needs another value of a
parameter as well.  Here the simplest pairs are tried in order, each at the value at hand and then
at the simplest values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from typing import Any

from lapdp.privacy.finite import FinitePair, finite
from lapdp.theory.instances import Instance

SIMPLEST = tuple(finite(P, Q) for P, Q in (
    ([1], [1]),
    ([1, 0], ["1/2", "1/2"]), (["1/2", "1/2"], [1, 0]), ([1, 0], [0, 1]),
    (["2/3", "1/3"], ["1/3", "2/3"]), (["1/2", "1/2"], ["1/3", "2/3"]),
    (["1/3", "2/3"], ["1/2", "1/2"]), (["1/2", "1/2"], ["1/4", "3/4"]),
    (["1/4", "3/4"], ["1/2", "1/2"]), (["3/4", "1/4"], ["1/4", "3/4"]),
))
"""Pairs that refute most of what is false, the simplest first."""
COMBINATIONS = 120
"""Values of all parameters that are tried at one pair."""


def smallest(instance: Instance, fails: Callable[[Instance], bool],
             pools: Mapping[Any, tuple[Any, ...]], free: tuple[Any, ...]) -> Instance:
    """An instance that fails too, in which no pair of ``free`` and no value can be made simpler."""
    while True:
        simpler = next((other for other in _simpler(instance, pools, free) if fails(other)), None)
        if simpler is None:
            return instance
        instance = simpler


def size(pair: FinitePair) -> tuple[int, int, int]:
    """Outcomes, then the place among the simplest pairs, then the digits of the masses."""
    place = SIMPLEST.index(pair) if pair in SIMPLEST else len(SIMPLEST)
    digits = sum(m.numerator + m.denominator for row in pair.masses for m in row)
    return len(pair.masses), place, digits


def _simpler(instance: Instance, pools: Mapping[Any, tuple[Any, ...]], free: tuple[Any, ...]
             ) -> Iterator[Instance]:
    """Simpler pairs first, then simpler values."""
    return filter(None, _changed(instance, pools, free))


def _changed(instance: Instance, pools: Mapping[Any, tuple[Any, ...]], free: tuple[Any, ...]
             ) -> Iterator[Instance | None]:
    """None for values at which a mechanism of the statement does not exist."""
    for a in free:
        own = instance.pairs[a][1]
        for other in SIMPLEST:
            if size(other) >= size(own):
                continue
            there = replace(instance, pairs={**instance.pairs, a: (repr(other), other)})
            yield there
            for values in islice(_values(pools), COMBINATIONS):
                yield there.at(values)
    for s, pool in pools.items():
        known = pool.index(instance.values[s]) if instance.values[s] in pool else len(pool)
        for value in pool[:known]:
            yield instance.at({s: value})


def _values(pools: Mapping[Any, tuple[Any, ...]]) -> Iterator[dict[Any, Any]]:
    """All values together, the simplest first."""
    places = sorted(product(*(range(min(len(pool), 8)) for pool in pools.values())), key=sum)
    for chosen in places if pools else ():
        yield {s: pool[k] for (s, pool), k in zip(pools.items(), chosen, strict=True)}


__all__ = ["SIMPLEST", "size", "smallest"]
