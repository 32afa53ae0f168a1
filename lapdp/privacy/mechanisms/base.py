"""What every mechanism offers: exact parameters, an exact model, a numeric pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.core.errors import InputError
from lapdp.privacy.model import Model
from lapdp.privacy.parameters import exact_parameter

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


__all__ = ["Mechanism", "exact_parameter", "require", "scalar", "substituted"]
