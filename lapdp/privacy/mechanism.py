"""What every mechanism states: exact parameters, an exact model, a numeric pair, and its card."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.core.errors import InputError
from lapdp.privacy.model import Model
from lapdp.privacy.parameters import exact_parameter

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

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


@dataclass(frozen=True, repr=False)
class Card:
    """What a mechanism says of itself; each file in ``mechanisms/`` ends with its ``CARD``.

    Tables and tests are made from the cards: the laws of pairs run over all :meth:`pairs`.
    """

    make: Callable[..., Pair]
    """The function that makes the pair; the file bears its name."""

    says: str
    """The two distributions, in one line."""

    source: str
    """Where it is from."""

    direction: str
    """Whose outputs P and Q are."""

    dominating: str
    """Why this pair dominates that of any two neighbours, and where that is proved."""

    pitfall: str
    """What could go wrong in the file, for those who review proofs."""

    examples: tuple[tuple[Any, ...], ...]
    """Arguments of the maker: typical, extreme, symbolic, with infinite losses if it has any."""

    symmetric: bool = False
    """(Q, P) has the same profile, whatever the parameters."""

    in_formulas: bool = True
    """Numbers, lists and expressions suffice to write it, as on the command line."""

    @property
    def name(self) -> str:
        """The name of the maker."""
        return self.make.__name__

    @property
    def call(self) -> str:
        """The maker with its parameters.

        >>> from lapdp.privacy.mechanisms import CARDS
        >>> CARDS["laplace"].call
        'laplace(scale, sensitivity=1)'
        """
        shown = (p.name if p.default is p.empty else f"{p.name}={p.default}"
                 for p in inspect.signature(self.make).parameters.values())
        return f"{self.name}({', '.join(shown)})"

    def __repr__(self) -> str:
        return f"CARDS[{self.name!r}]"

    def pairs(self) -> tuple[Pair, ...]:
        """The examples."""
        return tuple(self.make(*arguments) for arguments in self.examples)


def require(name: str, value: Any, condition: Any, text: str) -> None:
    """Refuse a numeric parameter that breaks its range; symbols are constrained, not checked."""
    if condition is False or condition == sp.false:
        raise InputError(f"{name} = {value} must be {text}")


def _put(x: Any, values: dict[Any, Any]) -> Any:
    # SymPy's own substitution takes a hundred times as long for a letter or a number
    if x in values:
        return values[x]
    return x.subs(values, simultaneous=True) if x.free_symbols else x


def substituted(make: Callable[..., M], parameters: tuple[Any, ...], values: dict[Any, Any]
                ) -> M | None:
    """A mechanism at given parameter values, None where they are out of range."""
    try:
        return make(*(_put(sp.sympify(x), values) for x in parameters))
    except InputError:
        return None


def scalar(value: Any) -> Scalar:
    """An exact parameter expression as a field element."""
    from lapdp.calculus.convert import to_scalar

    return to_scalar(value)


__all__ = ["Card", "Mechanism", "exact_parameter", "require", "scalar", "substituted"]
