"""The trade-off function of a pair in closed form, by the lemma of Neyman and Pearson.

The best tests of P against Q decide for Q where the loss Z = log(P/Q) is small: outcomes that only
Q has come first, then losses in increasing order.  An atom of the loss gives a straight piece of
slope -e^-z; where the loss has the density k e^(c z), level and error are exponentials of the
threshold, and the threshold is eliminated.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.exact import Terms
from lapdp.calculus.export import by_cases, ordered
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.model import Model

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

Piece = tuple[Any, Any]
"""An expression in the level, and the level at which it ends."""


def tradeoff(pair: Pair, a: Any) -> Any:
    """f_{P|Q}, equation (11), at a symbol or an exact level."""
    x = a if a.is_Symbol and a not in pair.free_symbols else sp.Dummy("a", real=True)
    found = by_cases(pair.constraints(), lambda cell: _curve(pair.model_in(cell), x, cell))
    if x is a:
        return found
    if a.is_number and not (a >= 0 and a <= 1):
        raise InputError(f"a level must lie in [0, 1], not at {a}")
    return found.subs(x, a)


def _curve(model: Model, a: Any, cell: Cell) -> Any:
    missed: Any = 1 - model.q_infinite
    pieces = _atomic(model, a, missed, cell) if model.atoms is not None else _smooth(
        model, a, missed, cell)
    cases = [(expression, sp.Le(a, end)) for expression, end in pieces]
    # past all finite losses Q is detected with certainty
    return sp.Piecewise(*cases, (sp.Integer(0), True), evaluate=False) if cases else sp.Integer(0)


def _atomic(model: Model, a: Any, missed: Scalar, cell: Cell) -> list[Piece]:
    level, pieces = Scalar.of(0), []
    for group in ordered({atom.z for atom in model.atoms or ()}, cell):
        gained = lost = Scalar.of(0)
        for atom in model.atoms or ():
            if atom.z in group:
                gained, lost = gained + atom.a, lost + atom.b
        pieces.append(_straight(a, level, missed, group[0], level + gained))
        level, missed = level + gained, missed - lost
    return pieces


def _straight(a: Any, level: Scalar, missed: Scalar, z: Form, end: Scalar) -> Piece:
    slope = Scalar.exp(-z)
    formula = (missed + slope * level).to_sympy() - slope.to_sympy() * a
    return formula, end.to_sympy()


def _smooth(model: Model, a: Any, missed: Scalar, cell: Cell) -> list[Piece]:
    """Atoms and densities with one exponential term between breakpoints."""
    loss = model.loss.merged(cell)
    points = loss.breakpoints(cell)
    if not points or any(loss.piece(()).values()) or any(loss.piece(points).values()):
        raise Unsupported("a trade-off function where the loss is unbounded")
    level, pieces = Scalar.of(0), []
    for here, after in pairwise([*points, None]):
        assert here is not None
        orders = loss.impulses.get(here, {})
        if any(orders.get(k) for k in orders if k):
            raise Unsupported("a derivative of an impulse in a loss")
        mass = orders.get(0)
        if mass is not None and not mass.is_zero():
            pieces.append(_straight(a, level, missed, here, level + mass))
            level, missed = level + mass, missed - mass * Scalar.exp(-here)
        if after is None:
            break
        terms = {k: c for k, c in loss.piece([p for p in points if cell.sign(p - here) <= 0]
                                             ).items() if not c.is_zero()}
        if terms:
            formula, level, missed = _curved(terms, here, after, a, level, missed)
            pieces.append((formula, level.to_sympy()))
    return pieces


def _curved(terms: Terms, here: Form, after: Form, a: Any, level: Scalar, missed: Scalar
            ) -> tuple[Any, Scalar, Scalar]:
    """The piece of a density k e^(c z) from here on: its formula, level and error at the end."""
    ((rate, n), scale), *others = terms.items()
    c = rate.constant()
    if others or n or c is None or c in (0, 1):
        raise Unsupported("a trade-off function where the loss has another density than k e^(c z), "
                          "c neither 0 nor 1")
    rational = sp.Rational(c.numerator, c.denominator)
    start, end = Scalar.exp(rate * here), Scalar.exp(rate * after)
    gained = scale * (end - start) * (1 / c)
    tilted = rate - Form.of(1)
    first, last = Scalar.exp(tilted * here), Scalar.exp(tilted * after)
    lost = scale * (last - first) * (1 / (c - 1))
    # e^(c z) at the threshold of level a, then the error there
    threshold = (start - level * c / scale).to_sympy() + (1 / scale * c).to_sympy() * a
    weight = scale * (1 / (c - 1))
    error = (missed + weight * first).to_sympy() - weight.to_sympy() * (
        threshold ** ((rational - 1) / rational))
    return error, level + gained, missed - lost


__all__ = ["tradeoff"]
