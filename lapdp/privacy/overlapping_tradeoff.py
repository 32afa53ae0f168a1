"""The trade-off function of overlapping mixtures: an affine image of the curve of (P, Q)."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.export import by_cases, single_case
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.overlapping import OverlappingMixtures


def tradeoff(mixed: OverlappingMixtures, a: Any) -> Any:
    """f of the mixtures, the image of the curve (x, f(x)) of (P, Q) under

        x, y  ->  w x + (1 - w)(1 - y),  v (1 - x) + (1 - v) y,

    from the point (0, 1) to (1, 0).
    """
    from lapdp.privacy.notions.tradeoff_curves import tradeoff as of_model

    own = a.is_Symbol and a not in mixed.free_symbols
    level = a if own else sp.Dummy("a", real=True)
    if a.is_number and not (a >= 0 and a <= 1):
        raise InputError(f"a level must lie in [0, 1], not at {a}")

    def build(cell: Cell) -> Any:
        w, v = mixed.weights(cell)
        if not cell.nonzero(1 - w):
            # the level is that of P: no piece needs to be solved for it
            other = v.to_sympy()
            return other * (1 - level) + (1 - other) * mixed.pair.tradeoff_value(level)
        return _image(mixed, level, cell)

    if single_case(mixed.constraints(), mixed.atomic, "the kind of the losses"):
        return of_model(mixed, a)
    found = by_cases(mixed.constraints(), build)
    return found if own else found.subs(level, a)


def _image(mixed: OverlappingMixtures, a: Any, cell: Cell) -> Any:
    w, v = (weight.to_sympy() for weight in mixed.weights(cell))
    x = sp.Dummy("x", real=True)
    curve = mixed.pair.tradeoff_value(x)
    if not isinstance(curve, sp.Piecewise):
        raise Unsupported(f"the trade-off function of {mixed!r}: that of the pair has no pieces; "
                          "use tradeoff.parametrised() or tradeoff.at(level)")
    cases: list[tuple[Any, Any]] = []
    start = sp.Integer(1) - curve.args[0].expr.subs(x, 0)
    if start != 0:
        # only Q has these outcomes, both mixtures do
        cases.append((1 - (1 - v) / (1 - w) * a, sp.Le(a, (1 - w) * start)))
    for formula, condition in curve.args:
        if condition == sp.true:
            cases.append((sp.expand(v / w * (1 - a)), sp.true))
            break
        if not isinstance(condition, sp.Le) or condition.lhs != x:
            raise Unsupported(f"the trade-off function of {mixed!r} has no closed form; use "
                              "tradeoff.parametrised() or tradeoff.at(level)")
        end = condition.rhs
        cases.append((_solved(formula, x, a, (w, v), mixed),
                      sp.Le(a, w * end + (1 - w) * (1 - formula.subs(x, end)))))
    return sp.Piecewise(*cases, evaluate=False)


def _solved(formula: Any, x: Any, a: Any, weights: tuple[Any, Any], mixed: Any) -> Any:
    """The second coordinate of a piece y = A + B x or A + B/(C + D x) with D > 0, B > 0."""
    w, v = weights
    slope = sp.expand(formula).coeff(x)
    constant = sp.expand(sp.expand(formula) - slope * x)
    if not constant.has(x):
        # a = w x + (1 - w)(1 - constant - slope x)
        level = (a - (1 - w) * (1 - constant)) / (w - (1 - w) * slope)
        gradient = sp.together((slope - v * (1 + slope)) / (w - (1 - w) * slope))
        end = sp.together((v * (1 - level) + (1 - v) * (constant + slope * level)).subs(a, 0))
        return end + gradient * a
    reciprocals = [p for p in formula.atoms(sp.Pow) if p.base.has(x)]
    power = reciprocals[0] if len(reciprocals) == 1 else sp.Integer(1)
    inner = sp.expand(power.as_base_exp()[0])
    rise, weight = inner.coeff(x), formula.coeff(power)
    offset, rest = sp.expand(inner - rise * x), sp.expand(formula - weight * power)
    if rest.has(x) or offset.has(x) or power.as_base_exp()[1] != -1:
        raise Unsupported(f"the trade-off function of {mixed!r}: a piece {formula} whose mixture "
                          "is not solved for its level; use tradeoff.at(level), or the "
                          "reversed pair")
    # with u = C + D x: (w/D) u^2 + b u - (1 - w) B = 0, whose roots have opposite signs
    b = -w * offset / rise + (1 - w) * (1 - rest) - a
    u = (-b + sp.sqrt(b**2 + 4 * (w / rise) * (1 - w) * weight)) * rise / (2 * w)
    return v * (1 - (u - offset) / rise) + (1 - v) * (rest + weight / u)


__all__ = ["tradeoff"]
