"""Ball values of profile and loss at one point: what certified numbers are made of.

A pair of the exact class with rational poles, as all products of Laplace, geometric and staircase
mechanisms and randomized response, is evaluated from its collected closed form; other pairs from
the expression that their notion gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp
from flint import acb

from lapdp.calculus.collected import Collected
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.evaluation import Evaluation
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.parameters import exact_parameter
from lapdp.privacy.products import sum_of_losses

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair


@dataclass(frozen=True)
class Point:
    """A real number, as a form where it is one: only then it may equal a breakpoint."""

    exact: Any

    @staticmethod
    def of(name: str, value: Any) -> Point:
        """An exact number; :class:`InputError` for a float or a symbol."""
        if isinstance(value, Point):
            return value
        exact = value.to_sympy() if isinstance(value, Form) else exact_parameter(name, value)
        if not exact.is_Rational and exact.free_symbols:
            raise InputError(f"{name} = {exact}: a certified value needs a number")
        return _point(exact)

    @cached_property
    def form(self) -> Form | None:
        """The number as a form, None for numbers such as sqrt(2)."""
        try:
            return to_form(self.exact)
        except Unsupported:
            return None

    def ball(self) -> Any:
        """The number at the current working precision."""
        if self.exact.is_Rational:
            return flint.arb(flint.fmpq(int(self.exact.p), int(self.exact.q)))
        return expression_ball(self.exact) if self.form is None else enclose(self.form, {}).real


@lru_cache(maxsize=64)
def _point(exact: Any) -> Point:
    return Point(exact)


def expression_ball(value: Any) -> Any:
    """A real SymPy number at the current working precision."""
    from lapdp.balls.compiler import compile_balls

    return compile_balls(value, {}).constant().real


class Law:
    """The law of the loss of one pair without parameters, with its integrals."""

    def __init__(self, loss: Collected, lost: Any) -> None:
        self.loss, self.lost = loss, lost

    @cached_property
    def _profile(self) -> Evaluation:
        return Evaluation(self.loss.against_hinge())

    @cached_property
    def _cdf(self) -> Evaluation:
        return Evaluation(self.loss.integrated())

    def profile(self, t: Point) -> Any:
        """delta(t)."""
        found = self._profile(t.ball if t.form is None else t.form)
        return found if self.lost.is_zero() else found + enclose(self.lost, {}).real

    def cdf(self, z: Point) -> Any:
        """Pr[Z <= z]."""
        return self._cdf(z.ball if z.form is None else z.form)


@lru_cache(maxsize=8)
def law_of(pair: Pair) -> Law | None:
    """The law of the loss, or None for a pair whose model has no collected form.

    Raises :class:`InputError` where parameters are open.
    """
    if pair.free_symbols:
        raise InputError(f"{pair!r}: a certified value needs numbers for its parameters")
    cell = Cell(pair.constraints())
    try:
        model = pair.model_in(cell)
    except Unsupported:
        return None
    loss = model.loss
    if not isinstance(loss, Collected):
        loss = sum_of_losses([(loss, 1)], cell)
    return Law(loss, model.p_infinite) if isinstance(loss, Collected) else None


def profile_ball(pair: Pair, t: Point) -> Any:
    """delta(t) of a pair without parameters, at the current working precision or a higher one."""
    law = law_of(pair)
    if law is not None:
        return law.profile(t)
    try:
        return expression_ball(pair.profile_value(t.exact))
    except Unsupported:
        # such as an exponential of a number with many digits, which no field holds
        return _on_ball(*_profile_of(pair), t)


@lru_cache(maxsize=8)
def _profile_of(pair: Pair) -> tuple[Any, Any]:
    x = sp.Dummy("t", real=True)
    return pair.profile_value(x), x


def _on_ball(expression: Any, x: Any, point: Point) -> Any:
    from lapdp.balls.compiler import compile_balls

    return compile_balls(expression, {x: acb(point.ball())}).constant().real


def cdf_ball(pair: Pair, z: Point) -> Any:
    """Pr[Z <= z] likewise."""
    law = law_of(pair)
    return expression_ball(pair.loss.cdf(z.exact)) if law is None else law.cdf(z)


__all__ = ["Law", "Point", "cdf_ball", "expression_ball", "law_of", "profile_ball"]
