"""Mechanisms on small universes of datasets: several pairs of neighbours and their supremum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.mechanism_table import RELATIONS, MechanismTable
from lapdp.testing.strategies.bounds import among, ordered, positive
from lapdp.testing.strategies.naming import called
from lapdp.testing.strategies.weights import between

_GROWING = (("", "a"), ("", "a", "b"), ("", "a", "aa"), ("", "a", "b", "ab"),
            ("", "a", "b", "aa", "ab", "bb"))
_OF_ONE_SIZE = (("a", "b"), ("a", "b", "c"), ("aa", "ab", "bb"), ("ac", "bc", "ad", "bd"))
UNIVERSES = {"add/remove": _GROWING, "replace": _OF_ONE_SIZE, "remove": _GROWING, "add": _GROWING}
"""Datasets; each letter is a record."""


def neighbouring_mechanisms(*, neighbours: str | None = None, crossing: bool | None = None,
                            min_outputs: int = 1, max_outputs: int = 3, max_weight: int = 12
                            ) -> st.SearchStrategy[MechanismTable]:
    """Mechanisms on up to six datasets, each output drawn with exact masses from a table.

    ``neighbours`` is a word of :func:`lapdp.mechanism_table`, or ``None`` for all.  With
    ``crossing=True`` the profile of the mechanism is not that of any two neighbours: who is worst
    changes with eps; with ``False`` some two neighbours are worst at every eps.

    Raises ``hypothesis.errors.InvalidArgument`` for words and bounds without meaning.

    >>> import sympy as sp
    >>> from hypothesis import find
    >>> find(neighbouring_mechanisms(), lambda table: not table.is_private(0))
    mechanism_table({'': [0, 1], 'a': [1, 0]}, neighbours='add/remove')
    >>> find(neighbouring_mechanisms(crossing=True), lambda table: table.is_private(sp.log(2)))
    mechanism_table({'': ["1/2", "1/2"], 'a': ["1/3", "2/3"]}, neighbours='add/remove')
    """
    given = locals()
    among(neighbours, (None, *RELATIONS), "neighbours")
    among(crossing, (None, True, False), "crossing")
    ordered(min_outputs, max_outputs, "outputs")
    positive(max_weight, "max_weight")
    if crossing and (max_outputs < 2 or max_weight < 2):
        raise InvalidArgument("crossing=True needs max_outputs >= 2 and max_weight >= 2")
    found = _tables(tuple(UNIVERSES) if neighbours is None else (neighbours,), crossing is False,
                    max(min_outputs, 2 if crossing else 1), max_outputs, max_weight)
    if crossing is not None:
        found = found.filter(lambda table: (table.dominating_neighbours is None) is crossing)
    return called(neighbouring_mechanisms, given, found)


@st.composite
def _tables(draw: st.DrawFn, relations: Sequence[str], simple: bool, least: int, most: int,
            max_weight: int) -> MechanismTable:
    outputs = draw(between(least, most))
    # rows are all as long, so that a failure loses datasets and outputs one at a time
    row = st.tuples(*[between(0, max_weight)] * most)
    rows = [list(weights[:outputs]) for weights in draw(
        st.lists(row, min_size=2, max_size=3 if simple else 6).filter(_is_a_size))]
    for weights in rows:
        weights[-1] = weights[-1] or int(not any(weights))
    if simple and draw(st.booleans()):
        # neighbours alike, or mirror images of each other: these have one profile both ways
        rows = [rows[0][::-1] if i % 2 else rows[0] for i in range(len(rows))]
    used = [j for j in range(outputs) if any(weights[j] for weights in rows)]
    kept = used if len(used) >= least else range(outputs)
    relation = draw(st.sampled_from(relations))
    datasets = draw(st.sampled_from(_of_size(relation, len(rows))))
    return MechanismTable(datasets, tuple(range(len(kept))), tuple(
        tuple(Fraction(weights[j], sum(weights)) for j in kept)
        for weights in rows[:len(datasets)]), relation)


def _is_a_size(rows: Sequence[object]) -> bool:
    return len(rows) != 5


def _of_size(relation: str, size: int) -> list[tuple[str, ...]]:
    """The universes of the largest size that is no larger."""
    most = max(len(found) for found in UNIVERSES[relation] if len(found) <= size)
    return [found for found in UNIVERSES[relation] if len(found) == most]


__all__ = ["UNIVERSES", "neighbouring_mechanisms"]
