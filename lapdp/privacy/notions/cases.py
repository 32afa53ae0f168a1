"""The notions of one model in one case of the parameters: field elements and SymPy expressions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from lapdp.calculus.collected import Collected
from lapdp.calculus.enclose import enclose
from lapdp.calculus.export import (
    Piece,
    compare,
    continuous_value,
    function_to_sympy,
    ordered,
    piecewise,
)
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.calculus.sums import common_denominator, total
from lapdp.calculus.transform import Divergent, region
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workdps
from lapdp.privacy.model import INFINITE, Atom, Infinite, Model

ONE = Form.of(1)
_DIGITS = (30, 100, 400)


def profile_value(model: Model, point: Form, cell: Cell) -> Scalar:
    """The privacy profile, a continuous function, at one point."""
    if model.atoms is None or isinstance(model.loss, Collected):
        found = continuous_value(model.finite_profile(cell), point, cell)
        return found + model.p_infinite.substitute(cell.values)
    above = [atom for atom in model.atoms if compare(atom.z, point, cell) > 0]
    p, q = (total(masses) for masses in ([x.a for x in above], [x.b for x in above]))
    value = model.p_infinite + p - q * Scalar.exp(point)
    return value.substitute(cell.values)


def profile_curve(model: Model, x: Any, cell: Cell) -> Any:
    """The privacy profile as a Piecewise in ``x``."""
    if model.atoms is None:
        return function_to_sympy(model.profile(cell), x, cell)
    return _atomic_curve(model, model.atoms, x, cell)


def _atomic_curve(model: Model, atoms: Iterable[Atom], x: Any, cell: Cell) -> Any:
    """A - B e^x with A and B the masses of the losses above x."""
    scales = [common_denominator(masses) for masses in zip(*((a, b) for a, b, _ in atoms),
                                                           strict=True)]
    sums = [Scalar.of(0) for _ in scales]
    pieces = [Piece(-sp.oo, sp.oo, model.p_infinite.to_sympy())]
    at: dict[Form, list[Atom]] = {}
    for atom in atoms:
        at.setdefault(atom.z, []).append(atom)
    for group in reversed(ordered(at, cell)):
        for z in group:
            for atom in at[z]:
                sums = [total + mass * scale for total, mass, scale in
                        zip(sums, (atom.a, atom.b), scales, strict=True)]
        above, odds = (total / scale for total, scale in zip(sums, scales, strict=True))
        formula = (model.p_infinite + above).to_sympy() - odds.to_sympy() * sp.exp(x)
        pieces.insert(0, Piece(-sp.oo, group[0].to_sympy(), formula))
    return piecewise(pieces, x)


def moment_value(model: Model, q: Form, cell: Cell) -> Scalar | Infinite:
    """E_q at one order; :class:`Undefined` at a complex order where the integral diverges."""
    try:
        return model.moment(q, cell)
    except Divergent:
        order = q.substitute(cell.values)
        if order != order.real_part():
            raise Undefined(f"E_q has no value at q = {q}: the integral diverges") from None
        return INFINITE


def moment_formula(model: Model, q: Form, cell: Cell) -> Any:
    """E_q for symbolic q: the formula on the strip, with its removable poles filled in."""
    s, poles, parts = ONE - q, set(), []
    for at, terms in model.loss.jumps.items():
        for (a, n), c in terms.items():
            parts.append(c.to_sympy() * sp.exp((-(at * s)).to_sympy())
                         / (s - a).to_sympy() ** (n + 1))
            poles.add(a)
    for at, orders in model.loss.impulses.items():
        parts.append(orders[0].to_sympy() * sp.exp((-(at * s)).to_sympy()))
    cases = []
    inside = region(model.loss, cell)
    for a in sorted(poles, key=str):
        apart = (s - a).real_part().constant()
        if not apart and inside.contains(a, cell):
            value = model.moment(ONE - a, cell)
            # mass at an infinite loss ends the strip at q = 1 or q = 0, with E_1 = E_0 = 1
            if not isinstance(value, Infinite):
                cases.append((value.to_sympy(), sp.Eq(q.to_sympy(), (ONE - a).to_sympy())))
    formula = sp.Add(*parts)
    return sp.Piecewise(*cases, (formula, True), evaluate=False) if cases else formula


def moment_region(model: Model, cell: Cell) -> Region:
    """The orders at which E_q converges absolutely, up to the edges q = 0 and q = 1."""
    found = region(model.loss, cell).reflect().shift(ONE)
    if cell.nonzero(model.p_infinite):
        found = found.intersect(Region.left_of(1), cell)
    if cell.nonzero(model.q_infinite):
        found = found.intersect(Region.right_of(0), cell)
    return found


def shown(value: Scalar | Infinite) -> Any:
    """A field element, or oo, in SymPy."""
    return sp.oo if isinstance(value, Infinite) else value.to_sympy()


def vanishes(value: Scalar) -> bool:
    """Is a number 0?  Balls prove that it is not; an element with parameters is 0 if it is the zero
    element."""
    if value.is_zero() or value.parameters():
        return value.is_zero()
    for digits in _DIGITS:
        with workdps(digits):
            if not enclose(value, {}).contains(0):
                return False
    raise Unsupported(f"whether {value} vanishes is not decided at {_DIGITS[-1]} digits")
