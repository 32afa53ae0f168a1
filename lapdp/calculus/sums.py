"""Sums of many field elements: one common denominator instead of one after each addition."""

from __future__ import annotations

from collections.abc import Iterable

from lapdp.calculus.field import Scalar


def denominator(x: Scalar) -> Scalar:
    """The denominator of the reduced fraction.

    >>> denominator(Scalar.of(3) / 4)
    4
    """
    return Scalar(x.keys, x.den, x.den**0)


def total(values: Iterable[Scalar]) -> Scalar:
    """The sum.

    >>> total([Scalar.of(1) / 4, Scalar.of(1) / 6])
    5/12
    """
    found = list(values)
    scale, added = common_denominator(found), Scalar.of(0)
    for x in found:
        added = added + x * scale
    return added / scale


def common_denominator(values: Iterable[Scalar]) -> Scalar:
    """The least common multiple of the denominators.

    >>> common_denominator([Scalar.of(1) / 4, Scalar.of(1) / 6])
    12
    """
    found = Scalar.of(1)
    for x in values:
        found = found * denominator(x * found)
    return found
