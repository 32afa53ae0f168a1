"""Pairs of atoms from exact vertices: Fractions where all numbers are rational, else the field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.vertices import (
    Vertex,
    check_profile,
    check_tradeoff,
    masses_of_tradeoff,
    straightened,
    to_tradeoff,
)
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

Sign = Callable[[Any], int]
MAX_VERTICES = 10_000


def exact_points(name: str, points: Iterable[Any]) -> tuple[list[Vertex], Sign]:
    """Points of two exact numbers each, and what tells the signs of numbers made of them.

    Raises :class:`InputError` for floats and for what is no list of pairs of numbers; the sign
    raises :class:`Unsupported` where it depends on parameters.

    >>> exact_points("points", [(0, "1/2")])[0]
    [(Fraction(0, 1), Fraction(1, 2))]
    """
    if isinstance(points, str) or not isinstance(points, Iterable):
        raise InputError(f"{name} must be a list of pairs of numbers")
    read: list[tuple[Any, Any]] = []
    for k, point in enumerate(points):
        if isinstance(point, str) or not isinstance(point, Sequence) or len(point) != 2:
            raise InputError(f"{name}[{k}] must be a pair of numbers")
        read.append(tuple(exact_parameter(f"{name}[{k}]", x) for x in point))
    if len(read) > MAX_VERTICES:
        raise InputError(f"{name} has more than {MAX_VERTICES} points")
    if all(x.is_Rational for point in read for x in point):
        return [(Fraction(int(x.p), int(x.q)), Fraction(int(y.p), int(y.q))) for x, y in read
                ], rational_sign
    return [(to_scalar(x), to_scalar(y)) for x, y in read], field_sign


def rational_sign(x: Any) -> int:
    """The sign of a rational number."""
    return int(x > 0) - int(x < 0)


def field_sign(x: Any) -> int:
    """The sign of a field element, the same for all its parameters; else :class:`Unsupported`."""
    try:
        return Cell().sign_of(Scalar.of(x))
    except NeedSplit as need:
        raise Unsupported(f"the sign of {need.form} is open: give the parameters numbers, or "
                          "assumptions such as positive=True") from None


def pair_of_masses(masses: Sequence[Vertex]) -> Pair:
    """The pair with (P-mass, Q-mass) of each outcome: finite where the masses are rational.

    Raises :class:`InputError` where a likelihood ratio is no constant and no exponential.
    """
    from lapdp.privacy.mechanisms.outcomes import outcomes

    if all(not isinstance(x, Scalar) for row in masses for x in row):
        return FinitePair(tuple((Fraction(p), Fraction(q)) for p, q in masses))
    return outcomes({str(k): (Scalar.of(p).to_sympy(), Scalar.of(q).to_sympy())
                     for k, (p, q) in enumerate(masses)})


def pair_with_tradeoff(points: Iterable[Any]) -> Pair:
    """A pair of atoms with the piecewise linear trade-off function of these vertices.

    Levels run from 0 to 1.  Raises :class:`InputError` where the vertices are those of no trade-off
    function, naming what is violated: values in [0, 1], at most 1 - a, non-increasing, convex.

    >>> pair_with_tradeoff([(0, 1), ("1/4", "1/4"), (1, 0)])
    finite(["1/4", "3/4"], ["3/4", "1/4"])
    >>> pair_with_tradeoff([(0, "1/2"), ("1/2", "1/2"), (1, 0)])
    Traceback (most recent call last):
    lapdp.core.errors.InputError: a trade-off function is convex: it is not at level 1/2
    """
    read, sign = exact_points("points", points)
    check_tradeoff(read, sign)
    return pair_of_masses(masses_of_tradeoff(straightened(read, sign), sign))


def pair_with_profile(vertices: Iterable[Any]) -> Pair:
    """A pair of atoms whose profile, over x = e^eps, is piecewise linear with these vertices.

    The first vertex is (0, 1); after the last one the profile is constant.  Raises
    :class:`InputError` where the vertices are those of no profile, naming what is violated: at
    least 0 and 1 - x, non-increasing, convex.

    >>> pair_with_profile([(0, 1), ("1/3", "2/3"), (3, 0)])
    finite(["1/4", "3/4"], ["3/4", "1/4"])
    """
    read, sign = exact_points("vertices", vertices)
    check_profile(read, sign)
    return pair_of_masses(masses_of_tradeoff(to_tradeoff(straightened(read, sign), sign), sign))


__all__ = ["exact_points", "field_sign", "pair_of_masses", "pair_with_profile",
           "pair_with_tradeoff", "rational_sign"]
