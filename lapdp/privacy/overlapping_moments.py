"""Moments of subsampled pairs at all orders, by Gauss's hypergeometric function.

With v = 0, E_q is the integral of (1 - w + w e^z)^q over the losses under Q.  Where these have the
density c e^(b z), two antiderivatives are at hand.  With the share s = w e^z/(1 - w + w e^z),

    e^(b z) (1 - w + w e^z)^q/b 2F1(-q, 1; b + 1; s),              b no whole number <= 0,
    e^(b z) (1 - w + w e^z)^q/(b + q) 2F1(-q, 1; 1 - b - q; 1 - s),  b + q no whole number >= 0;

the first vanishes at -oo for b > 0, the second at oo for Re (b + q) < 0.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.exact import Exact, Terms
from lapdp.calculus.export import ordered
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy.overlapping import OverlappingMixtures


def moment(mixed: OverlappingMixtures, order: Form, cell: Cell) -> Any:
    """E_q in one case, for an exact order or a symbol.

    Raises :class:`Unsupported` where both mixtures hold a share of the other member, or where the
    loss of the pair has other terms than c e^(a z); :class:`Undefined` for complex orders at which
    the integral diverges.
    """
    q = order.to_sympy()
    if not q.free_symbols and not mixed.region_in(cell).contains(order, cell):
        if order.real_part() != order:
            raise Undefined(f"E_q has no value at q = {q}: the integral diverges")
        return sp.oo
    w, v = mixed.weights(cell)
    if cell.nonzero(v):
        if cell.nonzero(1 - w):
            raise Unsupported(f"E_q of {mixed!r} at q = {q}: only E_0 and E_1 are reached")
        return _removed(mixed.reverse(), 1 - q, cell)
    return _removed(mixed, q, cell)


def _removed(mixed: OverlappingMixtures, q: Any, cell: Cell) -> Any:
    try:
        model = mixed.pair.model_in(cell)
    except Unsupported:
        raise Unsupported(f"E_q of {mixed!r} at q = {q}: {mixed.pair!r} has no exact model; whole "
                          "orders are reached, q >= 0 in the direction 'remove', q <= 1 in the "
                          "direction 'add'") from None
    weight, _ = mixed.weights(cell)
    if not cell.nonzero(1 - weight):
        raise Unsupported(f"E_q of {mixed!r} where the rate is 1: ask the pair itself")
    w = weight.to_sympy()
    loss = model.loss
    found = [model.q_infinite.to_sympy() * (1 - w) ** q]
    for at, orders in loss.impulses.items():
        z, mass = at.to_sympy(), orders[0].to_sympy()
        found.append(mass * sp.exp(-z) * (1 - w + w * sp.exp(z)) ** q)
    for lower, upper, terms in _pieces(Exact(loss.germ, loss.jumps), cell):
        for (a, n), c in terms.items():
            if n:
                raise Unsupported(f"E_q of {mixed!r} at q = {q}: the loss has a density with powers"
                                  " of z; whole orders are reached")
            found.append(c.to_sympy() * _integral(a.to_sympy() - 1, q, w, lower, upper))
    return sp.Add(*found)


def _pieces(density: Exact, cell: Cell) -> list[tuple[Any, Any, Terms]]:
    points = ordered(density.jumps, cell)
    edges = [-sp.oo, *(group[0].to_sympy() for group in points), sp.oo]
    passed: list[Form] = []
    found = []
    for i, (lower, upper) in enumerate(pairwise(edges)):
        terms = {key: c for key, c in density.piece(passed).items() if not c.is_zero()}
        if terms:
            found.append((lower, upper, terms))
        passed += points[i] if i < len(points) else []
    return found


def _integral(b: Any, q: Any, w: Any, lower: Any, upper: Any) -> Any:
    """Of e^(b z) (1 - w + w e^z)^q, which converges, from ``lower`` to ``upper``."""
    def left(z: Any) -> Any:
        if z == -sp.oo:
            return sp.Integer(0)
        x, whole = sp.exp(z), 1 - w + w * sp.exp(z)
        return x**b * whole**q / b * sp.hyper([-q, 1], [b + 1], w * x / whole)

    def right(z: Any) -> Any:
        x, whole = sp.exp(z), 1 - w + w * sp.exp(z)
        return x**b * whole**q / (b + q) * sp.hyper([-q, 1], [1 - b - q], (1 - w) / whole)

    if lower == -sp.oo and upper == sp.oo:
        return left(sp.Integer(0)) - right(sp.Integer(0))
    if upper == sp.oo:
        return -right(lower)
    if not (b.is_integer and b <= 0):
        return left(upper) - left(lower)
    if sp.expand(b + q).is_integer is not False:
        raise Unsupported(f"E_q of a subsampled pair at q = {q}: its terms have logarithms; whole "
                          "orders are reached")
    return right(upper) - right(lower)


__all__ = ["moment"]
