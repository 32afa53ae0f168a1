"""When two pairs have the same notions: their privacy losses have the same law.

Equal losses, atoms merged, are found exactly.  That two differ is said with a point at which their
profiles do, by balls; parameters are given numbers for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.enclose import differs_from_zero
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, explore
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.notions.maps import Losses, same

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

VALUES = tuple(map(sp.Rational, ("1", "1/2", "2", "1/3", "3", "3/4", "1/10", "5", "0", "-1")))
"""What parameters are tried at."""
MAX_TRIALS = 200


class _Differ(Exception):
    """Two losses are not seen to be equal in some case."""


def same_loss(first: Pair, second: Pair) -> bool:
    """Have two pairs the same privacy loss, and so the same notions, for all their parameters?

    Raises :class:`Unsupported` where neither this nor a difference is found, :class:`InputError`
    where the parameters of the one are out of the range of the other.

    >>> from lapdp import exponential, geometric, randomized_response
    >>> eps = sp.Symbol("eps", positive=True)
    >>> same_loss(geometric(eps), randomized_response(eps))
    True
    >>> same_loss(exponential(1, 2), exponential(2, 4)), same_loss(geometric(1), geometric(2))
    (True, False)
    """
    if first == second:
        return True
    constraints = [*first.constraints(), *second.constraints()]
    if Cell(constraints).is_empty():
        raise InputError(f"no values of the parameters are allowed to both {first!r} and "
                         f"{second!r}")

    def leaf(cell: Cell) -> tuple[Any, ...]:
        a, b = (Losses.of(p.model_in(cell)) for p in (first, second))
        if not same(a, b, cell):
            raise _Differ
        return ()

    try:
        explore(constraints, leaf)
        return True
    except _Differ:
        if difference(first, second) is not None:
            return False
    raise Unsupported(f"whether {first!r} and {second!r} have the same loss is not decided")


def difference(first: Pair, second: Pair) -> tuple[dict[Any, Any], Any] | None:
    """Values of the parameters and a point at which two profiles differ for certain, if found.

    >>> from lapdp import geometric, laplace
    >>> difference(geometric(1), geometric(2))
    ({}, -1)
    """
    symbols = sorted(first.free_symbols | second.free_symbols, key=str)
    for values in instances(symbols):
        pairs = [p.substitute(values) if symbols else p for p in (first, second)]
        if None not in pairs:
            place = _where_profiles_differ(*pairs)
            if place is not None:
                return values, place
    return None


def instances(symbols: list[Any]) -> Iterator[dict[Any, Any]]:
    """Numbers for symbols, within their assumptions."""
    for numbers in islice(product(VALUES, repeat=len(symbols)), MAX_TRIALS):
        if all(_admits(s, x) for s, x in zip(symbols, numbers, strict=True)):
            yield dict(zip(symbols, numbers, strict=True))


def _admits(symbol: Any, number: Any) -> bool:
    return all(getattr(number, f"is_{name}", None) in (None, value)
               for name, value in symbol.assumptions0.items())


def _where_profiles_differ(first: Pair, second: Pair) -> Any:
    cell = Cell()
    curves = [p.model_in(cell).profile(cell) for p in (first, second)]
    gap = (curves[0] - curves[1]).merged(cell)
    for place in _candidates(gap, cell):
        if differs_from_zero(gap.limit(place, 1, cell)):
            return place.to_sympy()
    return None


def _candidates(gap: Exact, cell: Cell) -> list[Form]:
    """Breakpoints, points between them and beyond them."""
    points = gap.breakpoints(cell) or [ZERO]
    half = Form.of(sp.Rational(1, 2))
    between = [(a + b) * half for a, b in pairwise(points)]
    return [*points, *between, points[0] - Form.of(1), points[-1] + Form.of(1)]


__all__ = ["difference", "instances", "same_loss"]
