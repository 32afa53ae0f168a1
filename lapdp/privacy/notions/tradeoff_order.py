"""Orders and symmetry of trade-off functions, decided exactly.

Where one of two convex functions is piecewise linear, finitely many points decide.  If g has
vertices, f <= g holds everywhere as soon as it holds at them: between two, g is the chord and f
below its own.  If f has vertices, the same is said of the profiles, whose order is the reverse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.balls.evaluate import enclosure
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.export import single_case
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy.duality.atoms import field_sign
from lapdp.privacy.finite import FinitePair

if TYPE_CHECKING:
    from lapdp.privacy.notions.tradeoff import TradeOff
    from lapdp.privacy.pair import Pair

_PLACES = [sp.Rational(x) for x in ("1", "-1/2", "1/3", "2", "-3", "1/50", "8")]
_VALUES = [sp.Rational(x) for x in ("1", "1/2", "2", "1/10")]


def at_most(first: TradeOff, second: TradeOff) -> bool:
    """first(a) <= second(a) for all levels."""
    try:
        corners = second.vertices
    except Unsupported:
        return _above(first, second)
    return all(sign_of(first(a) - y) <= 0 for a, y in corners)


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
    other = pair.reverse()
    if pair == other:
        return True
    if isinstance(pair, FinitePair) and isinstance(other, FinitePair):
        return pair.merge() == other.merge()
    if _one_model(pair):
        return True
    if _differ(pair):
        return False
    raise Unsupported(f"whether {pair!r} and its reverse have one profile is not decided")


def _one_model(pair: Pair) -> bool:
    """Are the models of both directions known, and seen to be equal?"""
    def equal(cell: Cell) -> bool:
        model = pair.model_in(cell)
        turned = model.reverse()
        return (model.loss.equals(turned.loss, cell)
                and not cell.nonzero(model.p_infinite - turned.p_infinite))

    try:
        return bool(single_case(pair.constraints(), equal, "the symmetry"))
    except Unsupported:
        return False


def _differ(pair: Pair) -> bool:
    """Is there a point, and values of the parameters, at which balls separate the profiles?"""
    symbols = sorted(pair.free_symbols, key=str)
    for value in _VALUES if symbols else [None]:
        here = pair.substitute(dict.fromkeys(symbols, value)) if symbols else pair
        if here is None or here.free_symbols:
            continue
        for t in _PLACES:
            try:
                # the reversed profile is 1 - e^t + e^t delta(-t), equation (7)
                turned = 1 - sp.exp(t) + sp.exp(t) * here.profile(-t)
                gap = enclosure(here.profile(t) - turned, digits=10)
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
