"""Profile and loss of overlapping mixtures with continuous losses.

The loss z of (P, Q) becomes h(z) = log((w e^z + 1 - w)/(v e^z + 1 - v)), an increasing function:
breakpoints and atoms move along it, formulas are read at its inverse log y.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form
from lapdp.calculus.exact import Exact
from lapdp.calculus.export import (
    Piece,
    by_cases,
    function_to_sympy,
    pieces,
    piecewise,
    single_case,
)
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import LossAtom, LossDistribution
from lapdp.privacy.overlapping import OverlappingMixtures

_Z = sp.Dummy("z", real=True)


class _Change:
    """The change of variable in one case of the parameters."""

    def __init__(self, mixed: OverlappingMixtures, cell: Cell) -> None:
        self.cell, self.weights = cell, mixed.weights(cell)
        self.w, self.v = (x.to_sympy() for x in self.weights)

    @property
    def low(self) -> Any:
        """h(-oo)."""
        some = self.cell.nonzero(1 - self.weights[0])
        return sp.log((1 - self.w) / (1 - self.v)) if some else -sp.oo

    @property
    def high(self) -> Any:
        """h(oo)."""
        return sp.log(self.w / self.v) if self.cell.nonzero(self.weights[1]) else sp.oo

    def point(self, z: Any) -> Any:
        """h(z)."""
        if self.w == 1:
            return -sp.log(self.v + (1 - self.v) * sp.exp(-z))
        x = sp.exp(z)
        return sp.log((self.w * x + 1 - self.w) / (self.v * x + 1 - self.v))

    def parts(self, t: Any) -> tuple[Any, Any]:
        """x (1 - v) - (1 - w) and w - v x at x = e^t: y is their quotient."""
        x = sp.exp(t)
        return x * (1 - self.v) - (1 - self.w), self.w - self.v * x

    def read(self, formula: Any, t: Any) -> Any:
        """An expression in z at z = log y."""
        above, below = self.parts(t)
        return formula.subs(_Z, sp.log(above / below))

    def scaled(self, formula: Any, t: Any) -> Any:
        """(w - v x) times an expression in z, at z = log y; constants and e^z multiplied out."""
        above, below = self.parts(t)
        whole = sp.expand(formula)
        odds = whole.coeff(sp.exp(_Z))
        rest = sp.expand(whole - odds * sp.exp(_Z))
        constant = rest.subs(_Z, 0) if not rest.has(_Z) else sp.Integer(0)
        rest = rest - constant
        return (sp.expand(constant * below + odds * above)
                + (below * self.read(rest, t) if rest != 0 else 0))

    def moved(self, parts: list[Piece], formulas: list[Any], before: Any, after: Any
              ) -> list[Piece]:
        """Adjacent pieces over all z as pieces over all h(z), and what holds outside."""
        # where nothing changes at an end, the parameters need not say where it is
        low = -sp.oo if formulas[0] == before else self.low
        high = sp.oo if formulas[-1] == after else self.high
        inner = [self.point(p.upper) for p in parts[:-1]]
        found = [Piece(*ends, formula) for ends, formula in zip(
            pairwise([low, *inner, high]), formulas, strict=True)]
        if low != -sp.oo:
            found.insert(0, Piece(-sp.oo, low, before))
        if high != sp.oo:
            found.append(Piece(high, sp.oo, after))
        return found


def profile(mixed: OverlappingMixtures, t: Any, cell: Cell) -> Any:
    """(w - v x) times the profile of (P, Q) at log y; 1 - x below h(-oo) and 0 above h(oo)."""
    change = _Change(mixed, cell)
    model = _exact(mixed, cell)
    if model is not None:
        parts = pieces(model.profile(cell), _Z, cell)
        return piecewise(change.moved(parts, [change.scaled(p.expression, t) for p in parts],
                                      sp.expand(1 - sp.exp(t)), sp.Integer(0)), t)
    formula = change.parts(t)[1] * change.read(mixed.pair.profile_value(_Z), t)
    whole = [Piece(-sp.oo, sp.oo, formula)]
    return piecewise(change.moved(whole, [formula], 1 - sp.exp(t), sp.Integer(0)), t)


class OverlappingLoss(LossDistribution):
    """The loss of overlapping mixtures.

    >>> from lapdp import laplace, poisson
    >>> Z = poisson(laplace(1), "1/2", direction="remove").loss
    >>> Z.atoms
    (LossAtom(loss=log(exp(-1)/2 + 1/2), mass=exp(-1)/4 + 1/4), LossAtom(loss=log(1/2 + E/2), \
mass=exp(-1)/4 + 1/4))
    >>> Z.density(0)
    exp(-1/2)/2
    """

    pair: OverlappingMixtures

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """The atoms at finite losses, in increasing order."""
        def build(cell: Cell) -> tuple[LossAtom, ...]:
            change, (p, q) = self._change(cell), self.pair.pair.infinite_masses(cell)
            w, _v = change.w, change.v
            found = [LossAtom(change.point(z), sp.expand(mass * (w + (1 - w) * sp.exp(-z))))
                     for z, mass in self.pair.pair.loss.atoms]
            if cell.nonzero(q) and change.low != -sp.oo:
                found.insert(0, LossAtom(change.low, (1 - w) * q.to_sympy()))
            if cell.nonzero(p) and change.high != sp.oo:
                found.append(LossAtom(change.high, w * p.to_sympy()))
            return tuple(found)

        if self._atomic():
            return super().atoms
        found: tuple[LossAtom, ...] = single_case(
            self.pair.constraints(), build, "the atoms of the loss")
        return found

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The density of the finite losses between its breakpoints, in the variable ``z``."""
        if self._atomic():
            return super().pieces
        z = self.pair.variable("z")
        found = single_case(self.pair.constraints(), lambda cell: self._density(z, cell),
                            "the order of the pieces")
        return tuple(piece for piece in found if piece.expression != 0)

    def density(self, x: Any = None) -> Any:
        """The density of the finite losses as a Piecewise, atoms left out."""
        return self._curve(lambda model, cell: model.loss, self._density, x)

    def generalized_density(self, x: Any = None) -> Any:
        """The density with a Dirac part at each atom."""
        if self._atomic():
            return super().generalized_density(x)
        z = self.pair.variable("z", x)
        return self.density(z) + sp.Add(
            *(mass * sp.DiracDelta(z - loss) for loss, mass in self.atoms))

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x] for real x; its limit at oo is 1 - Pr[Z = oo]."""
        return self._curve(lambda model, cell: model.cdf(cell), self._cdf, x)

    def _change(self, cell: Cell) -> _Change:
        return _Change(self.pair, cell)

    def _atomic(self) -> bool:
        return bool(single_case(self.pair.constraints(), self.pair.atomic,
                                "the kind of the losses"))

    def _curve(self, of: Any, build: Any, x: Any) -> Any:
        """``of(model, cell)`` in the cases that have an exact model, else ``build(z, cell)``."""
        z = self.pair.variable("z", x)
        own = z.is_Symbol and z not in self.pair.free_symbols
        variable = z if own else sp.Dummy("z", real=True)
        point = None if z.free_symbols - self.pair.free_symbols else _form(z)

        def case(cell: Cell) -> Any:
            model = self.pair.modelled(cell)
            if model is None:
                return piecewise(build(variable, cell), variable)
            curve = of(model, cell)
            return function_to_sympy(curve, variable, cell) if point is None else (
                curve.limit(point, 1, cell).to_sympy())

        found = by_cases(self.pair.constraints(), case)
        return found if own else found.subs(variable, z if point is None else _shown(point))

    def _density(self, z: Any, cell: Cell) -> list[Piece]:
        """f(log y) (x (w - v))^2/((w - v x) (x (1 - v) - (1 - w))^2) at x = e^z."""
        change = self._change(cell)
        above, below = change.parts(z)
        factor = (sp.exp(z) * (change.w - change.v)) ** 2 / (below * above**2)
        model = _exact(self.pair, cell)
        if model is not None:
            parts = pieces(Exact(model.loss.germ, model.loss.jumps), _Z, cell)
        else:
            parts = _filled(self.pair.pair.loss.pieces)
        formulas = [factor * change.read(_in_z(p.expression), z) for p in parts]
        return change.moved(parts, formulas, sp.Integer(0), sp.Integer(0))

    def _cdf(self, x: Any, cell: Cell) -> list[Piece]:
        """w F(log y) + (1 - w) G(log y): G(z) = 1 - e^-z (1 - F(z) - delta(z)) belongs to Q."""
        change = self._change(cell)
        w, _v = self.pair.weights(cell)
        _p, q = self.pair.pair.infinite_masses(cell)
        model = _exact(self.pair, cell)
        if model is not None:
            below = model.cdf(cell)
            above = (Exact.term(1) - below - model.profile(cell)).tilt(Form.of(-1))
            whole = below.scale(w) + (Exact.term(1) - above).scale(1 - w)
            parts = pieces(whole, _Z, cell)
        else:
            cumulated, odds = self.pair.pair.loss.cdf(_Z), self.pair.pair.profile_value(_Z)
            other = 1 - sp.exp(-_Z) * (1 - cumulated - odds)
            parts = [Piece(-sp.oo, sp.oo, change.w * cumulated + (1 - change.w) * other)]
        formulas = [change.read(part.expression, x) for part in parts]
        found = change.moved(parts, formulas, sp.Integer(0), sp.Integer(1))
        if formulas[0] != 0 and change.low != -sp.oo:
            # at the lower end itself y is 0
            end = ((1 - w) * q).to_sympy()
            found[1] = Piece(change.low, found[1].upper, sp.Piecewise(
                (end, sp.Le(x, change.low)), (found[1].expression, True), evaluate=False)
                if found[1].expression.has(x) else end)
        return found


def _exact(mixed: OverlappingMixtures, cell: Cell) -> Model | None:
    try:
        return mixed.pair.model_in(cell)
    except Unsupported:
        return None


def _form(z: Any) -> Form | None:
    """A point of the exact class, else None."""
    try:
        return to_form(z)
    except Unsupported:
        return None


def _shown(point: Form) -> Any:
    """A point, log 3 - log 4 as log(3/4): breakpoints are written so, and must look equal."""
    try:
        x = Scalar.exp(point).to_sympy()
    except Unsupported:
        # a number of too many digits
        return point.to_sympy()
    return sp.log(x) if x.is_Rational else point.to_sympy()


def _in_z(formula: Any) -> Any:
    """A density that a loss gave in its own variable ``z``."""
    return formula.subs(sp.Symbol("z", real=True), _Z)


def _filled(parts: tuple[Piece, ...]) -> list[Piece]:
    """The pieces and the gaps between them, where the density is 0."""
    found: list[Piece] = []
    edge: Any = -sp.oo
    for part in (*parts, Piece(sp.oo, sp.oo, sp.Integer(0))):
        if part.lower != edge:
            found.append(Piece(edge, part.lower, sp.Integer(0)))
        found.append(part)
        edge = part.upper
    return found[:-1]


__all__ = ["OverlappingLoss", "profile"]
