"""Two mixtures of the members of one pair: (w P + (1 - w) Q, v P + (1 - v) Q), 0 <= v <= w <= 1.

Subsampling leads to such pairs; Balle, Barthe and Gaboardi 2018 call them overlapping mixtures.
Where the ratio P/Q is r, that of the mixtures is (w r + 1 - w)/(v r + 1 - v), which increases with
r.  So with x = e^t, wherever the two factors are not negative,

    (w P + (1 - w) Q) - x (v P + (1 - v) Q) = (w - v x) (P - y Q),
    y = (x (1 - v) - (1 - w))/(w - v x),

which carries every notion of (P, Q) over by a change of variable.  With v = 0 the profile is
Theorem 5.1 of Chourasia et al. 2024.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.enclose import enclose
from lapdp.calculus.export import by_cases
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.finite import FinitePair, exact
from lapdp.privacy.mixtures import Rows, mix
from lapdp.privacy.model import INFINITE, Atom, Infinite, Model
from lapdp.privacy.notions import cases
from lapdp.privacy.notions.loss import LossDistribution
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter, in_numbers

ZERO, ONE = Scalar.of(0), Scalar.of(1)
MAX_ORDER = 400
"""Largest order of a moment that is expanded by the binomial theorem."""


@dataclass(frozen=True, repr=False)
class OverlappingMixtures(Pair):
    """The pair of mixtures with the weights ``first`` >= ``second`` of P."""

    pair: Pair
    first: Any
    second: Any

    def reverse(self) -> OverlappingMixtures:
        """The mixtures exchanged: those of (Q, P) with the weights of Q."""
        return OverlappingMixtures(self.pair.reverse(), 1 - self.second, 1 - self.first)

    def weights(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """The weights of P as field elements in one case."""
        w, v = (to_scalar(x).substitute(cell.values) for x in (self.first, self.second))
        return w, v

    # -- the exact model, where the losses are atoms or the mixtures are the members -------------

    def model(self) -> Model:
        """The exact model; :class:`Unsupported` for continuous losses, and where the parameters
        decide."""
        return self.undivided_model()

    def model_in(self, cell: Cell) -> Model:
        """The exact model in one case."""
        w, v = self.weights(cell)
        if self.first == self.second or not cell.nonzero(w - v):
            return Model.of_atoms((Atom(ONE, ONE, Form.of(0)),))
        base = self.pair.model_in(cell)
        if base.atoms is None and not cell.nonzero(1 - w) and not cell.nonzero(v):
            return base
        rows: Rows = ((w, 1 - w), (v, 1 - v))
        return mix(base, rows, cell)

    def atomic(self, cell: Cell) -> bool:
        """Are the losses atoms?"""
        w, v = self.weights(cell)
        if self.first == self.second or not cell.nonzero(w - v):
            return True
        try:
            return self.pair.model_in(cell).atoms is not None
        except Unsupported:
            return False

    # -- notions ---------------------------------------------------------------------------------

    def profile_value(self, t: Any) -> Any:
        """The profile; at a point that the parameters decide about, the curve at that point."""
        try:
            return super().profile_value(t)
        except Unsupported:
            if t.free_symbols - self.free_symbols or not self.free_symbols:
                raise
            x = sp.Dummy("t", real=True)
            return super().profile_value(x).subs(x, t)

    def profile_in(self, x: Any, cell: Cell) -> Any:
        """The profile as an expression in ``x`` in one case."""
        from lapdp.privacy import overlapping_curves

        return super().profile_in(x, cell) if self.modelled(cell) else (
            overlapping_curves.profile(self, x, cell))

    def profile_at(self, point: Form, cell: Cell) -> Any:
        """The profile at one point in one case: (w - v x) times that of (P, Q) at log y."""
        if self.modelled(cell):
            return super().profile_at(point, cell)
        w, v = self.weights(cell)
        x = Scalar.exp(point).substitute(cell.values)
        factor, shifted = w - v * x, x * (1 - v) - (1 - w)
        if cell.sign_of(shifted) <= 0:
            return (1 - x).to_sympy()
        if cell.sign_of(factor) <= 0:
            return sp.Integer(0)
        y = log_form(shifted / factor)
        return factor.to_sympy() * self.pair.profile_value(y.to_sympy())

    def profile_ball(self, t: Any) -> Any:
        """The profile at an exact number: no expression of a large product is written out."""
        from lapdp.privacy.ball_values import Point, law_of

        point = Point.of("t", t)
        if law_of(self) is not None or point.form is None:
            return super().profile_ball(point.exact)
        w, v = self.weights(Cell())
        try:
            x = Scalar.exp(point.form)
        except Unsupported:
            # a number of too many digits: no breakpoint, so balls decide on which side it lies
            return super().profile_ball(point.exact)
        factor, shifted = w - v * x, x * (1 - v) - (1 - w)
        if Cell().sign_of(shifted) <= 0:
            return enclose(1 - x, {}).real
        if Cell().sign_of(factor) <= 0:
            return enclose(ZERO, {}).real
        return enclose(factor, {}).real * self.pair.profile_ball(log_form(shifted / factor))

    @property
    def loss(self) -> LossDistribution:
        """The privacy loss distribution, by the change of variable."""
        from lapdp.privacy.overlapping_curves import OverlappingLoss

        return OverlappingLoss(self)

    def tradeoff_value(self, a: Any) -> Any:
        """f at a symbol or an exact level: an affine image of the curve of (P, Q)."""
        from lapdp.privacy.overlapping_tradeoff import tradeoff

        return tradeoff(self, a)

    def moment_at(self, q: Form, cell: Cell) -> Scalar | Infinite:
        """E_q in one case, in the field; for continuous losses where the binomial sum ends.

        With v = 0 it is the sum over j of C(q, j) w^j (1 - w)^(q - j) E_j(P||Q), for q >= 0; with
        w = 1 that of C(n, j) v^(n - j) (1 - v)^j E_(1 - j)(P||Q) with n = 1 - q >= 0.
        """
        if self.modelled(cell):
            return super().moment_at(q, cell)
        order = q.substitute(cell.values).constant()
        if order in (0, 1):
            return ONE
        w, v = self.weights(cell)
        if order is not None and order.denominator == 1:
            n = int(order)
            if n > 1 and not cell.nonzero(v):
                return self._binomial(n, w, 1, cell)
            if n < 0 and not cell.nonzero(1 - w):
                return self._binomial(1 - n, 1 - v, -1, cell)
        raise Unsupported(f"E_q of {self!r} at q = {q} is no number that is computed with "
                          "exactly")

    def _binomial(self, n: int, weight: Scalar, side: int, cell: Cell) -> Scalar | Infinite:
        if n > MAX_ORDER:
            raise Unsupported(f"a moment of {self!r} expanded to {n} terms; at most {MAX_ORDER}")
        total = ZERO
        for j in reversed(range(n + 1)):
            value = self.pair.moment_at(Form.of(j if side > 0 else 1 - j), cell)
            if isinstance(value, Infinite):
                # the coefficient vanishes for no j <= n only where 0 < weight < 1
                if cell.nonzero(weight):
                    return INFINITE
                continue
            total = total + comb(n, j) * weight**j * (1 - weight) ** (n - j) * value
        return total

    def moment_value(self, q: Any) -> Any:
        """E_q; at other orders by Gauss's hypergeometric function where v = 0 or w = 1."""
        try:
            return super().moment_value(q)
        except Unsupported:
            order = exact_parameter("q", q, real=False)
            if order.free_symbols:
                raise
            form = to_form(sp.expand(order))
            # a model says where the integral diverges, its formula does not
            return by_cases(self.constraints(), lambda cell: (
                cases.shown(self.moment_at(form, cell)) if self.modelled(cell)
                else self.formal_moment(form, cell)))

    def renyi_value(self, q: Any) -> Any:
        """R_q at the same orders."""
        try:
            return super().renyi_value(q)
        except Unsupported:
            order = exact_parameter("q", q, real=False)
            if order.free_symbols:
                raise
            value = self.moment_value(order)
            if value == sp.oo:
                raise Undefined(f"R_q is not defined at q = {order}: E_q is oo") from None
            return sp.log(value) / (order - 1)

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q in one case, for symbolic q too: an expression that holds on the strip."""
        from lapdp.privacy.overlapping_moments import moment

        return super().formal_moment(q, cell) if self.modelled(cell) else moment(self, q, cell)

    def region_in(self, cell: Cell) -> Region:
        """Orders at which E_q converges: mixing in a share of the other member tames one end."""
        if self.modelled(cell):
            return super().region_in(cell)
        w, v = self.weights(cell)
        base = self.pair.region_in(cell)
        if not cell.nonzero(v):
            if base.lower is not None and not cell.nonzero(1 - w):
                return base
            return Region(None, base.upper, False, base.upper_closed)
        if not cell.nonzero(1 - w):
            return Region(base.lower, None, base.lower_closed, False)
        return Region.everything()

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """What one mixture has alone: P outside Q where v = 0, Q outside P where w = 1."""
        w, v = self.weights(cell)
        a, b = self.pair.infinite_masses(cell)
        a = w * a if cell.nonzero(a) and not cell.nonzero(v) else ZERO
        return a, (1 - v) * b if cell.nonzero(b) and not cell.nonzero(1 - w) else ZERO

    # -- parameters ------------------------------------------------------------------------------

    def constraints(self) -> list[Constraint]:
        """Those of the pair, and 0 <= v <= w <= 1."""
        bounds = (self.second, self.first - self.second, 1 - self.first)
        return [*self.pair.constraints(),
                *((to_form(sp.expand(x)), ">=") for x in bounds if x.free_symbols)]

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        w, v = (x.subs(values, simultaneous=True) for x in (self.first, self.second))
        try:
            return None if found is None or (w - v).is_negative else overlapping_mixtures(
                found, w, v)
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The numeric pair with both members mixed."""
        kind, *data = self.pair.numeric_pair(values)
        w, v = (in_numbers(x, values)
                for x in (self.first, self.second))
        if kind == "finite":
            return (kind, [(w * p + (1 - w) * q, v * p + (1 - v) * q) for p, q in data[0]])
        p, q, *rest = data
        return (kind, lambda x: w * p(x) + (1 - w) * q(x), lambda x: v * p(x) + (1 - v) * q(x),
                *rest)

    def __repr__(self) -> str:
        if self.second == 0:
            return f"poisson({self.pair!r}, {self.first}, direction='remove')"
        if self.first == 1:
            return f"poisson({self.pair.reverse()!r}, {1 - self.second}, direction='add')"
        return f"overlapping_mixtures({self.pair!r}, {self.first}, {self.second})"


@fitting
def overlapping_mixtures(pair: Any, first: Any, second: Any) -> Pair:
    """The pair (w P + (1 - w) Q, v P + (1 - v) Q), with w = ``first`` and v = ``second``.

    Weights are exact, in [0, 1], or symbols; unless both are numbers, first >= second is understood
    of the parameters.  Raises :class:`InputError` for floats, weights out of range and what is no
    pair.  Source: Balle, Barthe, Gaboardi 2018, Theorem 2; Chourasia et al. 2024, Theorem 5.1.

    >>> from lapdp import finite, laplace
    >>> overlapping_mixtures(finite([1, 0], [0, 1]), "3/4", "1/4")
    finite(["3/4", "1/4"], ["1/4", "3/4"])
    >>> overlapping_mixtures(laplace(1), "3/4", "1/4").profile(0)
    (-1 + exp(1/2))*exp(-1/2)/2
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    w, v = (exact_parameter(name, x) for name, x in (("first", first), ("second", second)))
    for name, x in (("first", w), ("second", v)):
        if sp.true in (x < 0, x > 1):
            raise InputError(f"{name} = {x} must be between 0 and 1")
    if (w - v).is_negative:
        pair, w, v = pair.reverse(), 1 - w, 1 - v
    chosen: Pair = pair
    if isinstance(chosen, OverlappingMixtures):
        # mixtures of mixtures
        a, b = chosen.first, chosen.second
        w, v = (sp.expand(x * a + (1 - x) * b) for x in (w, v))
        chosen = chosen.pair
    if w == 1 and v == 0:
        return chosen
    if isinstance(chosen, FinitePair) and w.is_Rational and v.is_Rational:
        x, y = exact(w, "first"), exact(v, "second")
        return FinitePair(tuple((x * p + (1 - x) * q, y * p + (1 - y) * q)
                                for p, q in chosen.masses))
    return OverlappingMixtures(chosen, w, v)


__all__ = ["OverlappingMixtures", "overlapping_mixtures"]
