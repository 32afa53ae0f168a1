"""Orders and symmetry of trade-off functions, decided exactly.

Where one of two convex functions is piecewise linear, finitely many points decide.  If g has
vertices, f <= g holds everywhere as soon as it holds at them: between two, g is the chord and f
below its own.  If f has vertices, the same is said of the profiles, whose order is the reverse.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.balls.evaluate import enclosure
from lapdp.calculus.convert import to_scalar
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy.duality.atoms import field_sign
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.notions.equality import instances

if TYPE_CHECKING:
    from lapdp.privacy.notions.tradeoff import TradeOff
    from lapdp.privacy.pair import Pair

_PLACES = [sp.Rational(x) for x in ("1", "-1/2", "1/3", "2", "-3", "1/50", "8")]
MOST_INSTANCES = 20


def at_most(first: TradeOff, second: TradeOff) -> bool:
    """first(a) <= second(a) for all levels."""
    try:
        corners = second.vertices
    except Unsupported:
        return _above(first, second)
    return all(_below(first, a, y) for a, y in corners)


def _below(first: TradeOff, a: Any, y: Any) -> bool:
    """first(a) <= y; without a closed form by certified values, which must differ."""
    if a in (0, 1):
        return sign_of((first.at_zero if a == 0 else 0) - y) <= 0
    try:
        return sign_of(first(a) - y) <= 0
    except Unsupported:
        found = enclosure(y, digits=20).real - first.at(a, 15).ball()
    if found > 0 or found < 0:
        return bool(found > 0)
    raise Unsupported(f"the order of {first!r} and {y} at level {a} is not decided")


def _above(first: TradeOff, second: TradeOff) -> bool:
    """The order of the profiles, where ``first`` belongs to a pair of atoms."""
    try:
        corners = first.conjugate()
    except Unsupported:
        raise Unsupported(f"the order of {first!r} and {second!r}: one of the pairs must be a pair "
                          "of atoms; see dominates for others") from None
    return all(sign_of(second.pair.profile(sp.log(x)) - h) <= 0 for x, h in corners if x != 0)


def same_both_ways(pair: Pair) -> bool:
    """Do (P, Q) and (Q, P) have one profile, for all parameters?  Proved either way."""
    return one_profile(pair, pair.reverse())


def one_profile(first: Pair, second: Pair) -> bool:
    """Have two pairs one profile, for all parameters?  Proved either way, else Unsupported."""
    if first == second:
        return True
    if isinstance(first, FinitePair) and isinstance(second, FinitePair):
        return first.merge() == second.merge()
    try:
        return first.same_loss(second)
    except Unsupported:
        if _differ(first, second):
            return False
    raise Unsupported(f"whether {first!r} and {second!r} have one profile is not decided")


def _differ(first: Pair, second: Pair) -> bool:
    """Is there a point, and values of the parameters, at which balls separate the profiles?

    This needs no models.
    """
    symbols = sorted(first.free_symbols | second.free_symbols, key=str)
    for values in islice(instances(symbols), MOST_INSTANCES):
        pairs = [pair.substitute(values) if symbols else pair for pair in (first, second)]
        if None in pairs:
            continue
        for t in _PLACES:
            try:
                gap = enclosure(pairs[0].profile(t) - pairs[1].profile(t), digits=10)
            except (Unsupported, Undefined):
                continue
            if not gap.contains(0):
                return True
    return False


def sign_of(x: Any) -> int:
    """The sign of an exact number; :class:`Unsupported` where balls do not tell it from 0."""
    try:
        return field_sign(to_scalar(x))
    except Unsupported:
        if x.free_symbols:
            raise
    ball = enclosure(x, digits=10).real
    if ball > 0 or ball < 0:
        return 1 if ball > 0 else -1
    raise Unsupported(f"the sign of {str(x)[:60]} is not decided")


__all__ = ["at_most", "same_both_ways", "sign_of"]
