"""A mechanism given as a table: for each dataset the exact distribution of its output.

It gives one pair for each two neighbours, and its guarantee is the largest of their profiles, which
need not be that of one pair (Zhu, Dong, Wang 2022, Lemma 9: the supremum is a profile again).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.duality.supremum import supremum
from lapdp.privacy.finite import FinitePair, distribution, exact, literal
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

MAX_DATASETS = 500
RELATIONS = ("add", "remove", "add/remove", "replace")
Neighbours = tuple[Hashable, Hashable]


@dataclass(frozen=True, repr=False)
class MechanismTable:
    """Distributions over common ``outputs``, one for each dataset; see :func:`mechanism_table`."""

    datasets: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    """The masses of the outputs for each dataset, in the order of both."""
    relation: str | tuple[Neighbours, ...]

    def __call__(self, dataset: Hashable) -> dict[Hashable, Fraction]:
        """The distribution of the output, ``{output: mass}``; so the table is a mechanism as
        ``lapdp.testing.check_mechanism`` takes it."""
        return dict(zip(self.outputs, self._row(dataset), strict=True))

    def _row(self, dataset: Hashable) -> tuple[Fraction, ...]:
        try:
            return self.rows[self.datasets.index(dataset)]
        except ValueError:
            raise InputError(f"{dataset!r} is none of the datasets "
                             f"{', '.join(map(repr, self.datasets[:8]))}") from None

    # -- neighbours ------------------------------------------------------------------------------

    @cached_property
    def neighbours(self) -> tuple[Neighbours, ...]:
        """The ordered pairs (D, D') of neighbouring datasets, in the order of the table.

        >>> coin = mechanism_table({"": ["1/2", "1/2"], "a": [0, 1]}, neighbours="add/remove")
        >>> coin.neighbours
        (('', 'a'), ('a', ''))
        """
        if not isinstance(self.relation, str):
            return self.relation
        records = {d: Counter(d) for d in self.datasets}  # type: ignore[call-overload]
        related = _RELATED[self.relation]
        return tuple((d, e) for d, e in permutations(self.datasets, 2)
                     if related((records[d] - records[e]).total(),
                                (records[e] - records[d]).total()))

    def pair(self, first: Hashable, second: Hashable) -> FinitePair:
        """The pair (M(first), M(second)) of any two datasets of the table."""
        return FinitePair(tuple(zip(self._row(first), self._row(second), strict=True)))

    def pairs(self) -> dict[Neighbours, FinitePair]:
        """The pair of each two neighbours, in their order."""
        return {(d, e): self.pair(d, e) for d, e in self.neighbours}

    # -- the guarantee ---------------------------------------------------------------------------

    @cached_property
    def supremum(self) -> Pair:
        """A finite pair whose profile is, at every eps, the largest of those of the neighbours.

        >>> coin = mechanism_table({"": ["1/2", "1/2"], "a": ["3/4", "1/4"]}, "add/remove")
        >>> coin.supremum
        finite(["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"])
        """
        return supremum(*self.pairs().values())

    @property
    def profile(self) -> PrivacyProfile:
        """The privacy profile: the least delta for each eps."""
        return self.supremum.profile

    def hockey_stick(self, alpha: Any) -> Fraction:
        """The largest of the neighbours' profiles at eps = log(alpha), exact."""
        return max(pair.hockey_stick(alpha) for pair in self.pairs().values())

    def worst_neighbours(self, alpha: Any) -> tuple[Neighbours, ...]:
        """The neighbours that have the largest profile at eps = log(alpha).

        They may change with alpha.  Here the one-sided leak for "a" is worst from 3 on:

        >>> table = mechanism_table({"": ["1/2", "1/2", 0], "a": ["1/4", "1/2", "1/4"],
        ...                          "b": ["7/8", "1/8", 0]}, neighbours="remove")
        >>> table.worst_neighbours(1), table.worst_neighbours(3)
        ((('b', ''),), (('a', ''),))
        """
        values = {where: pair.hockey_stick(alpha) for where, pair in self.pairs().items()}
        largest = max(values.values())
        return tuple(where for where, value in values.items() if value == largest)

    @property
    def dominating_neighbours(self) -> Neighbours | None:
        """Neighbours whose profile is the largest at every eps; None where it takes several.

        >>> coin = mechanism_table({"": ["1/2", "1/2"], "a": ["3/4", "1/4"]}, "add/remove")
        >>> coin.dominating_neighbours is None
        True
        """
        pairs = self.pairs()
        return next((where for where, pair in pairs.items()
                     if all(pair.profile_dominates(other) for other in pairs.values())), None)

    def is_private(self, eps: Any, delta: Any = 0) -> bool:
        """Is the mechanism (eps, delta)-private on the datasets of the table?  Exact.

        ``eps`` and ``delta`` are exact numbers such as ``"0.1"`` or ``log(2)``.

        >>> coin = mechanism_table({"": ["2/3", "1/3"], "a": ["1/3", "2/3"]}, "add/remove")
        >>> coin.is_private(sp.log(2)), coin.is_private("0.69"), coin.is_private("0.69", "0.003")
        (True, False, True)
        """
        point, level = exact_parameter("eps", eps), exact_parameter("delta", delta)
        if point.free_symbols or level.free_symbols:
            raise InputError("eps and delta must be numbers: the table has no parameters")
        odds = sp.exp(point)
        if odds.is_Rational and level.is_Rational:
            return self.hockey_stick(odds) <= exact(level, "delta")
        return sign_of(level - self.supremum.profile_value(point)) >= 0

    # -- new tables ------------------------------------------------------------------------------

    def post_process(self, channel: Sequence[Sequence[Any]]) -> MechanismTable:
        """The mechanism after a stochastic matrix: ``channel[i][j]`` is Pr[j | i-th output].

        Raises :class:`InputError` unless each output has a row and each row sums to 1.
        """
        rows = tuple(FinitePair(tuple(zip(row, row, strict=True))).post_process(channel).P
                     for row in self.rows)
        return MechanismTable(self.datasets, tuple(range(len(rows[0]))), rows, self.relation)

    def __mul__(self, other: object) -> MechanismTable:
        """Both mechanisms on the same dataset, with independent coins; outputs are pairs."""
        if not isinstance(other, MechanismTable):
            return NotImplemented
        if set(self.datasets) != set(other.datasets) or self.relation != other.relation:
            raise InputError("a product needs two tables with the same datasets and neighbours")
        rows = tuple(tuple(p * q for p, q in product(self._row(d), other._row(d)))
                     for d in self.datasets)
        return MechanismTable(self.datasets, tuple(product(self.outputs, other.outputs)), rows,
                              self.relation)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How IPython and Hypothesis print it: as it is typed, not field by field."""
        printer.text(repr(self))

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import table_card

        return table_card(self)

    def __repr__(self) -> str:
        listed = self.outputs == tuple(range(len(self.outputs)))

        def row(masses: tuple[Fraction, ...]) -> str:
            if listed:
                return f"[{', '.join(map(literal, masses))}]"
            return "{" + ", ".join(f"{out!r}: {literal(mass)}" for out, mass in zip(
                self.outputs, masses, strict=True)) + "}"

        table = ", ".join(f"{d!r}: {row(masses)}"
                          for d, masses in zip(self.datasets, self.rows, strict=True))
        relation = self.relation if isinstance(self.relation, str) else list(self.relation)
        return f"mechanism_table({{{table}}}, neighbours={relation!r})"


_RELATED: dict[str, Callable[[int, int], bool]] = {
    "add": lambda more, less: (more, less) == (0, 1),
    "remove": lambda more, less: (more, less) == (1, 0),
    "add/remove": lambda more, less: more + less == 1,
    "replace": lambda more, less: (more, less) == (1, 1),
}
"""By the numbers of records that only the first dataset has, and only the second."""


@fitting
def mechanism_table(rows: Mapping[Any, Any], neighbours: str | Sequence[Neighbours]
                    ) -> MechanismTable:
    """The mechanism that answers each dataset with the given distribution, exact.

    ``rows`` maps datasets to lists of masses, or to tables ``{output: mass}`` where an output that
    is left out has mass 0.  A dataset is a multiset of records: a string, each letter a record, or
    a tuple.  ``neighbours`` has no default:

    - ``"remove"``: (D, D') where D' is D without one record; ``"add"``: the way back;
      ``"add/remove"``: both;
    - ``"replace"``: one record is replaced by another;
    - a list of ordered pairs of datasets, which may then have any names.

    Only neighbours that are both in the table count.  Raises :class:`InputError` for masses that
    are no distribution, and where no two datasets are neighbours.

    >>> table = mechanism_table({"ab": {"yes": "2/3", "no": "1/3"}, "bb": {"no": 1}}, "replace")
    >>> table("bb")["yes"], table.hockey_stick(2)
    (Fraction(0, 1), Fraction(2, 3))
    """
    if not isinstance(rows, Mapping) or not rows:
        raise InputError("rows must be a table {dataset: masses of the outputs}")
    if len(rows) > MAX_DATASETS:
        raise InputError(f"a table of {len(rows)} datasets is too large: {MAX_DATASETS} at most")
    datasets = tuple(rows)
    named = [isinstance(row, Mapping) for row in rows.values()]
    if any(named) and not all(named):
        raise InputError("give all rows as lists, or all as tables {output: mass}")
    if all(named):
        outputs: tuple[Hashable, ...] = tuple(dict.fromkeys(o for row in rows.values()
                                                            for o in row))
        listed = [[row.get(out, 0) for out in outputs] for row in rows.values()]
    else:
        listed = list(rows.values())
    read = tuple(distribution(row, f"the row of {d!r}")
                 for d, row in zip(datasets, listed, strict=True))
    if not all(named):
        outputs = tuple(range(len(read[0])))
    for d, masses in zip(datasets, read, strict=True):
        if len(masses) != len(outputs):
            raise InputError(f"the row of {d!r} has {len(masses)} masses and that of "
                             f"{datasets[0]!r} has {len(outputs)}")
    made = MechanismTable(datasets, outputs, read, _relation(datasets, neighbours))
    if not made.neighbours:
        raise InputError(f"no two datasets of the table are neighbours by {neighbours!r}")
    return made


def _relation(datasets: tuple[Any, ...], neighbours: Any) -> str | tuple[Neighbours, ...]:
    if isinstance(neighbours, str):
        if neighbours not in RELATIONS:
            raise InputError(f"neighbours = {neighbours[:40]!r} must be one of "
                             f"{', '.join(map(repr, RELATIONS))}, or a list of pairs of datasets")
        seen: dict[Any, Any] = {}
        for d in datasets:
            if not isinstance(d, (str, tuple)):
                raise InputError(f"the dataset {str(d)[:40]!r} must be a string or a tuple of "
                                 "records")
            key = frozenset(Counter(d).items())
            if key in seen:
                raise InputError(f"{seen[key]!r} and {d!r} are the same records: a dataset is a "
                                 "multiset")
            seen[key] = d
        return neighbours
    if not isinstance(neighbours, Sequence):
        raise InputError("neighbours must be a word, or a list of ordered pairs of datasets")
    found = []
    for couple in neighbours:
        if not isinstance(couple, Sequence) or isinstance(couple, str) or len(couple) != 2:
            raise InputError(f"{str(couple)[:40]} must be a pair of datasets (D, D')")
        for d in couple:
            if d not in datasets:
                raise InputError(f"{d!r} in neighbours is no dataset of the table")
        found.append((couple[0], couple[1]))
    return tuple(found)


__all__ = ["MechanismTable", "mechanism_table"]
