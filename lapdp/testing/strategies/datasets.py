"""Datasets, neighbouring datasets, and chains of neighbours, for mechanisms that are functions.

A dataset is a tuple of records.  What is drawn shrinks to few records and to the first value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.testing.strategies.bounds import positive

Dataset = tuple[Any, ...]
RELATIONS = ("replace", "add/remove")
SPELT = {"replace-one": "replace", "add-remove": "add/remove"}
"""Relations as :func:`lapdp.training` spells them."""


def datasets(values: Sequence[Any] | st.SearchStrategy[Any] = (0, 1), *, min_size: int = 0,
             max_size: int = 3) -> st.SearchStrategy[Dataset]:
    """Tuples of ``min_size`` to ``max_size`` records, each one of the ``values``.

    ``values`` is a list, the first of which is the simplest, or a strategy of records.  Raises
    ``hypothesis.errors.InvalidArgument`` for no values and for sizes without meaning.

    >>> from hypothesis import find
    >>> find(datasets(["no", "yes"]), lambda data: "yes" in data)
    ('yes',)
    """
    _sizes(min_size, max_size)
    return st.lists(_records(values), min_size=min_size, max_size=max_size).map(tuple)


def neighbours(values: Sequence[Any] | st.SearchStrategy[Any] = (0, 1), *,
               relation: str = "replace", max_size: int = 3
               ) -> st.SearchStrategy[tuple[Dataset, Dataset]]:
    """Couples of neighbouring datasets of at most ``max_size`` records.

    ``relation`` is ``"replace"``, one record has another value (bounded differential privacy), or
    ``"add/remove"``, one of the two has a record more (unbounded); Kifer and Machanavajjhala
    2011, section 2.  Raises ``hypothesis.errors.InvalidArgument`` for anything else.

    >>> from hypothesis import find
    >>> find(neighbours(), lambda couple: True)
    ((0,), (1,))
    >>> find(neighbours(relation="add/remove"), lambda couple: sum(couple[1]) > 0)
    ((), (1,))
    """
    return chains(values, relation=relation, min_steps=1, max_steps=1, max_size=max_size).map(
        lambda chain: (chain[0], chain[1]))


def chains(values: Sequence[Any] | st.SearchStrategy[Any] = (0, 1), *, relation: str = "replace",
           min_steps: int = 1, max_steps: int = 3, max_size: int = 3
           ) -> st.SearchStrategy[tuple[Dataset, ...]]:
    """Datasets D_0, D_1, ..., D_k, each a neighbour of the one before: for group privacy.

    k lies between ``min_steps`` and ``max_steps``; the ends may be closer than k.

    >>> from hypothesis import find
    >>> find(chains(min_steps=2), lambda chain: sum(chain[0]) < sum(chain[-1]) - 1)
    ((0, 0), (1, 0), (1, 1))
    """
    relation = SPELT.get(relation, relation) if isinstance(relation, str) else relation
    if relation not in RELATIONS:
        raise InvalidArgument(f"relation={relation!r} must be one of {RELATIONS}")
    positive(min_steps, "min_steps")
    positive(max_steps, "max_steps")
    positive(max_size, "max_size")
    if min_steps > max_steps:
        raise InvalidArgument(f"min_steps={min_steps} is larger than max_steps={max_steps}")
    record = _records(values)
    if relation == "replace" and not isinstance(values, st.SearchStrategy) and len(
            {*map(repr, values)}) < 2:
        raise InvalidArgument("values has one record only: nothing can be replaced")
    move = _replaced if relation == "replace" else _added_or_removed
    start = datasets(record, min_size=1, max_size=max_size)

    @st.composite
    def walk(draw: Any) -> tuple[Dataset, ...]:
        found = [draw(start)]
        if relation != "replace":
            # one record less, in either order: couples then shrink as datasets do
            at = draw(st.integers(0, len(found[0]) - 1))
            found.insert(draw(st.integers(0, 1)), (*found[0][:at], *found[0][at + 1:]))
        for _ in range(draw(st.integers(min_steps, max_steps)) - len(found) + 1):
            found.append(move(draw, found[-1], record, max_size))
        return tuple(found)

    return walk()


def _replaced(draw: Any, data: Dataset, record: Any, max_size: int) -> Dataset:
    at = draw(st.integers(0, len(data) - 1))
    return (*data[:at], draw(record.filter(lambda value: value != data[at])), *data[at + 1:])


def _added_or_removed(draw: Any, data: Dataset, record: Any, max_size: int) -> Dataset:
    # filtered, never implied: the same choices then mean the same with fewer records
    fewer = draw(st.booleans().filter(lambda less: data if less else len(data) < max_size))
    at = draw(st.integers(0, len(data)))
    if not fewer:
        return (*data[:at], draw(record), *data[at:])
    at = min(at, len(data) - 1)
    return (*data[:at], *data[at + 1:])


def _records(values: Any) -> st.SearchStrategy[Any]:
    if isinstance(values, st.SearchStrategy):
        return values
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidArgument(f"values={str(values)[:40]} must be a list of records or a strategy")
    if not values:
        raise InvalidArgument("values is empty: give at least one record")
    return st.sampled_from(values)


def _sizes(least: int, most: int) -> None:
    positive(most, "max_size")
    if not isinstance(least, int) or isinstance(least, bool) or not 0 <= least <= most:
        raise InvalidArgument(f"min_size={least!r} must be an integer between 0 and "
                              f"max_size={most}")


__all__ = ["chains", "datasets", "neighbours"]
