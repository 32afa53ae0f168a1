"""What every mechanism offers: exact parameters, an exact model, a numeric pair."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Constraint
from lapdp.core.errors import InputError
from lapdp.privacy.model import Model


M = TypeVar("M")


class Mechanism(Protocol):
    """One pair (P, Q), one direction, with symbolic or exact parameters."""

    def model(self) -> Model:
        """The exact model of the pair (raises Unsupported outside the exact class)."""

    def constraints(self) -> list[Constraint]:
        """What the parameters satisfy, as constraints for cells."""

    def substitute(self, values: dict[Any, Any]) -> Any:
        """The mechanism at given parameter values, None where they are out of range."""

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """("finite", masses) or ("density", p, q, (lower, upper), kinks) at given parameters."""


def exact_parameter(name: str, value: Any) -> Any:
    """A parameter as an exact SymPy expression.

    Floats are refused: 0.1 is not one tenth.

    >>> exact_parameter("eps", "0.1")
    1/10
    """
    if isinstance(value, bool) or isinstance(value, float):
        raise InputError(f"{name} = {value!r} is not exact: write \"{value}\" or a Rational")
    if isinstance(value, str):
        try:
            fraction = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise InputError(f"{name} = {value!r} is no number such as \"0.1\" or \"1/10\"") from None
        return sp.Rational(fraction.numerator, fraction.denominator)
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    try:
        expr = sp.sympify(value, strict=True)
    except sp.SympifyError:
        raise InputError(f"{name} = {value!r} is not a number or a SymPy expression") from None
    if not isinstance(expr, sp.Expr) or expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise InputError(f"{name} = {value!r} is not a finite number")
    if expr.has(sp.Float):
        raise InputError(f"{name} = {value} contains a float: write exact numbers, "
                         "\"0.1\" or Rational(1, 10)")
    if expr.is_real is False:
        raise InputError(f"{name} = {value} is not real")
    return expr


def require(name: str, value: Any, condition: Any, text: str) -> None:
    """Refuse a numeric parameter that breaks its range; symbols are constrained, not checked."""
    if condition is False or condition == sp.false:
        raise InputError(f"{name} = {value} must be {text}")


def substituted(make: Callable[..., M], parameters: tuple[Any, ...], values: dict[Any, Any]
                ) -> M | None:
    """A mechanism at given parameter values, None where they are out of range."""
    try:
        return make(*(sp.sympify(x).subs(values) for x in parameters))
    except InputError:
        return None


def scalar(value: Any) -> Scalar:
    """An exact parameter expression as a field element."""
    from lapdp.calculus.convert import to_scalar

    return to_scalar(value)
