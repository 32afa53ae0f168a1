"""What is looked at in the outcomes of a sampler: parts, differences, remainders, cells."""

from __future__ import annotations

import math
import numbers
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Named:
    """A value that is equal to no outcome, whatever that is: not to None, not to its own text."""

    name: str

    def __repr__(self) -> str:
        return self.name


ABSENT = Named("absent")
"""The value of a feature that an outcome does not have.  None is a value like any other."""
NAN = Named("nan")
"""What is not a number, which comes again where NaN would not."""
MOST_PARTS = 12
"""Parts of a tuple that are looked at."""
MOST_PAIRED = 4
"""Parts whose sums and differences are looked at."""
MODULI = (2, 10, 1000)
"""By which whole numbers are divided with remainder."""
GRIDS = (1, 1e-3, 1e-6)
"""By which other numbers are: noise on a grid leaves what is finer than the grid."""
CELLS = (40, 16, 8)
"""Intervals of each number where one, two or three numbers are cut into cells."""


def plain(outcome: Any) -> Any:
    """An outcome that can be counted, so that equal ones are equal and parts can be looked at.

    Lists and arrays become tuples, dictionaries their sorted items, dataclasses and exceptions
    their name and their parts, sets frozen ones; NaN is a value, and the real numbers of other
    libraries are fractions or doubles.

    >>> plain([1, [2.5, float("nan")], None, ValueError("no")])
    (1, (2.5, nan), None, ('ValueError', 'no'))
    """
    if hasattr(outcome, "tolist") and type(told := outcome.tolist()) is not type(outcome):
        # before numbers: those of NumPy are doubles, too, and count in integers of their own
        return plain(told)
    if isinstance(outcome, (float, Decimal)) and outcome != outcome:  # noqa: PLR0124
        return NAN
    if outcome is None or isinstance(outcome, (float, int, str, bytes, Fraction)):
        return outcome
    if isinstance(outcome, (list, tuple)):
        return tuple(map(plain, outcome))
    if isinstance(outcome, dict):
        return tuple(sorted(((key, plain(value)) for key, value in outcome.items()), key=repr))
    if isinstance(outcome, (set, frozenset)):
        return frozenset(map(plain, outcome))
    if isinstance(outcome, BaseException):
        return (type(outcome).__name__, *map(plain, outcome.args))
    if is_dataclass(outcome) and not isinstance(outcome, type):
        return (type(outcome).__name__, *(plain(getattr(outcome, f.name)) for f in fields(outcome)))
    if isinstance(outcome, Decimal):
        return Fraction(outcome) if outcome.is_finite() else float(outcome)
    if isinstance(outcome, numbers.Rational):
        return Fraction(int(outcome.numerator), int(outcome.denominator))
    if isinstance(outcome, numbers.Real):
        return float(outcome)
    if isinstance(outcome, complex):
        return (plain(outcome.real), plain(outcome.imag))
    return outcome


def kind_of(value: Any) -> Any:
    """What sort of a thing it is: numbers are of one kind, None of its own.

    >>> [kind_of(x) for x in (1, 2.5, None, "a", (1, 2))]
    ['number', 'number', 'None', 'str', 'tuple']
    """
    if value is ABSENT:
        return ABSENT
    if isinstance(value, Named):
        return value.name
    return "number" if is_number(value) else "None" if value is None else type(value).__name__


@dataclass(frozen=True)
class Feature:
    """A value of every outcome."""

    name: str
    """In terms of the outcome ``x``."""
    of: Callable[[Any], Any]
    joint: bool = False
    """Is it of many parts at once, and hard to read?"""


@dataclass(frozen=True)
class Column:
    """A feature of the samples of both datasets."""

    feature: Feature
    sides: tuple[list[Any], list[Any]]
    derived: bool = False
    """Does it follow from parts that are looked at, too?"""

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of samples."""
        return len(self.sides[0]), len(self.sides[1])

    @cached_property
    def counts(self) -> tuple[Counter[Any], Counter[Any]]:
        """How often each value came."""
        first, second = (Counter(side) for side in self.sides)
        del first[ABSENT], second[ABSENT]
        return first, second

    @cached_property
    def numbers(self) -> tuple[list[Any], list[Any]]:
        """The values that are numbers, sorted."""
        first, second = (sorted(v for v in side if is_number(v)) for side in self.sides)
        return first, second

    @property
    def many(self) -> bool:
        """Are its values nearly all different?"""
        return sum(map(len, self.counts)) > sum(map(len, self.sides)) / 2

    def reversed(self) -> Column:
        """With Q for P."""
        turned = Column(self.feature, self.sides[::-1], self.derived)
        turned.__dict__.update(counts=self.counts[::-1], numbers=self.numbers[::-1])
        return turned


def is_number(value: Any) -> bool:
    """Can it be compared with thresholds?"""
    return isinstance(value, (float, int, Fraction, Decimal))


def columns(p: Sequence[Any], q: Sequence[Any], digits: bool = False) -> list[Column]:
    """The outcome, what it is made of, and what follows from its parts.

    Text is taken to pieces only where it hardly ever comes again; where there are several kinds of
    values, the kind is looked at, and of sets the members.

    >>> [c.feature.name for c in columns([(0.5, "up")] * 9, [(2.5, "down")] * 9)]
    ['x', 'x[0]', 'x[1]']
    """
    def column(feature: Feature) -> Column:
        return Column(feature, ([feature.of(x) for x in p], [feature.of(x) for x in q]))

    found, more = [column(Feature("x", lambda x: x))], []
    for whole in found:
        values = whole.counts[0] | whole.counts[1]
        if len({kind_of(v) for v in values}) > 1:
            more.append(column(_kind(whole.feature)))
        more += [column(_member(whole.feature, v)) for v in _telling_members(whole)]
        sized = {len(v) for v in values if isinstance(v, (tuple, frozenset)) or (
            isinstance(v, (str, bytes)) and whole.many)}
        if len(found) <= MOST_PARTS:
            parts = max((len(v) for v in values if isinstance(v, tuple) or (
                isinstance(v, (str, bytes)) and whole.many)), default=0)
            found += [column(_part(whole.feature, i)) for i in range(min(parts, MOST_PARTS))]
        if len(sized) > 1:
            more.append(column(_length(whole.feature)))
    # a difference of yes and no says nothing new
    leaves = [c.feature for c in found if any(c.numbers) and len(c.counts[0] | c.counts[1]) > 2]
    derived = _derived(leaves) + [
        remainder(c.feature, m) for c in found if c.feature in leaves and c.many
        for m in _moduli(c)] + (list(map(last_digits, leaves)) if digits else [])
    if 1 < len(leaves) <= MOST_PARTS:
        derived.append(_cells([c for c in found if c.feature in leaves]))
    return [*found, *more, *(replace(column(feature), derived=True) for feature in derived)]


def _telling_members(whole: Column) -> list[Any]:
    """Members of sets that come oftener for one dataset than for the other."""
    first, second = (Counter(member for value, n in side.items() if isinstance(value, frozenset)
                             for member in value for _ in range(n)) for side in whole.counts)
    sizes = whole.sizes
    ordered = sorted(first | second, key=lambda v: (
        -abs(first[v] / sizes[0] - second[v] / sizes[1]), repr(v)))
    return ordered[:MOST_PARTS]


def _derived(leaves: Sequence[Feature]) -> list[Feature]:
    """Sums and differences of numbers: one draw of noise for two counts shows there."""
    found = []
    for a, b in combinations(leaves[:MOST_PAIRED], 2):
        found += [_joined(a, b, "-"), _joined(a, b, "+")]
    return found


def last_digits(leaf: Feature) -> Feature:
    """How many binary digits a double has after the point.

    >>> last_digits(Feature("x", lambda x: x)).of(0.375)
    3
    """
    def digits(x: Any) -> Any:
        value = leaf.of(x)
        if not isinstance(value, float) or math.isinf(value):
            return ABSENT
        return value.as_integer_ratio()[1].bit_length() - 1
    return Feature(f"binary digits of {leaf.name}", digits)


def _moduli(column: Column) -> tuple[float, ...]:
    """Of numbers that hardly ever come again: whole ones have last digits, others fractions."""
    some = [*column.numbers[0][:100], *column.numbers[1][-100:]]
    return MODULI if all(v == v // 1 for v in some if math.isfinite(v)) else GRIDS


def remainder(leaf: Feature, modulus: float) -> Feature:
    """What noise in multiples of ``modulus`` leaves as it is.

    >>> remainder(Feature("x", lambda x: x), 10).of(1234)
    4
    """
    def rest(x: Any) -> Any:
        value = leaf.of(x)
        return value % modulus if is_number(value) and math.isfinite(value) else ABSENT
    return Feature(f"{leaf.name} mod {modulus}", rest)


def _cells(leaves: Sequence[Column]) -> Feature:
    """Two or three numbers cut into intervals, together: what no one of them shows alone."""
    joined = leaves[:len(CELLS)]
    count = CELLS[len(joined) - 1]
    cuts = []
    for leaf in joined:
        known = sorted([*leaf.numbers[0], *leaf.numbers[1]])
        cuts.append(sorted({known[len(known) * i // count] for i in range(1, count)}))

    def cell(x: Any) -> Any:
        values = [leaf.feature.of(x) for leaf in joined]
        if not all(map(is_number, values)):
            return ABSENT
        return tuple(bisect_left(edges, v) for edges, v in zip(cuts, values, strict=True))
    return Feature(f"cell of ({', '.join(leaf.feature.name for leaf in joined)})", cell, True)


def _kind(feature: Feature) -> Feature:
    return Feature(f"kind({feature.name})", lambda x: kind_of(feature.of(x)))


def _member(feature: Feature, member: Any) -> Feature:
    def inside(x: Any) -> Any:
        whole = feature.of(x)
        return member in whole if isinstance(whole, frozenset) else ABSENT
    return Feature(f"({member!r} in {feature.name})", inside)


def _part(feature: Feature, i: int) -> Feature:
    def part(x: Any) -> Any:
        whole = feature.of(x)
        return whole[i] if isinstance(whole, (tuple, str, bytes)) and i < len(whole) else ABSENT
    return Feature(f"{feature.name}[{i}]", part)


def _length(feature: Feature) -> Feature:
    def length(x: Any) -> Any:
        whole = feature.of(x)
        return len(whole) if isinstance(whole, (tuple, str, bytes, frozenset)) else ABSENT
    return Feature(f"len({feature.name})", length)


def _joined(a: Feature, b: Feature, sign: str) -> Feature:
    def joined(x: Any) -> Any:
        left, right = a.of(x), b.of(x)
        if not (is_number(left) and is_number(right)):
            return ABSENT
        try:
            return left - right if sign == "-" else left + right
        except OverflowError:  # an integer beyond all doubles beside a double
            return ABSENT
    return Feature(f"{a.name} {sign} {b.name}", joined)


__all__ = ["ABSENT", "NAN", "Column", "Feature", "columns", "is_number", "kind_of", "last_digits",
           "plain", "remainder"]
