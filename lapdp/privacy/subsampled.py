"""Poisson subsampling of a pair: (rate P + (1 - rate) Q, Q), equation (66)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.finite import FinitePair, exact
from lapdp.privacy.mixtures import mix
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter


@dataclass(frozen=True, repr=False)
class Subsampled(Pair):
    """The pair (rate P + (1 - rate) Q, Q), direction "remove"; made by ``poisson``."""

    pair: Pair
    rate: Any

    def model(self) -> Model:
        """The exact model; :class:`Unsupported` where it depends on the parameters."""
        try:
            return self.model_in(Cell(self.constraints()))
        except NeedSplit as need:
            raise Unsupported(f"the model of {self!r} depends on the sign of {need.form}"
                              ) from None

    def model_in(self, cell: Cell) -> Model:
        """The exact model in one case, for a pair of atoms."""
        rate = to_scalar(self.rate).substitute(cell.values)
        rows = ((rate, 1 - rate), (Scalar.of(0), Scalar.of(1)))
        return mix(self.pair.model_in(cell), rows, cell)

    def profile_value(self, t: Any) -> Any:
        """The privacy profile; Theorem 5.1 where the losses of the pair are no atoms.

        As for every pair; with a symbolic rate that may be 0 raises :class:`Unsupported`.
        """
        try:
            return super().profile_value(t)
        except (Unsupported, NeedSplit):
            return self._by_theorem(t)

    def _by_theorem(self, t: Any) -> Any:
        if self.rate.is_positive is not True:
            if self.rate == 0:
                return sp.Piecewise((1 - sp.exp(t), t < 0), (0, True))
            raise Unsupported(f"the rate {self.rate} may be 0: declare it positive")
        inner = sp.log(1 + (sp.exp(t) - 1) / self.rate)
        if not t.free_symbols and not self.rate.free_symbols:
            if sp.exp(t) <= 1 - self.rate:
                return 1 - sp.exp(t)
            return self.rate * self.pair.profile(inner)
        x = sp.Dummy("x", real=True)
        base = self.pair.profile(x).subs(x, inner)
        return sp.Piecewise((1 - sp.exp(t), sp.exp(t) <= 1 - self.rate),
                            (self.rate * base, True))

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """What P has where Q has none, times the rate; Q outside P only at rate 1."""
        a, b = self.pair.infinite_masses(cell)
        rate = to_scalar(self.rate).substitute(cell.values)
        return rate * a, Scalar.of(0) if cell.nonzero(1 - rate) else b

    def constraints(self) -> list[Constraint]:
        """Those of the pair, and 0 <= rate <= 1."""
        rate = to_form(self.rate)
        return [*self.pair.constraints(), (rate, ">="), (to_form(1 - self.rate), ">=")]

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        found = self.pair.substitute(values)
        try:
            return None if found is None else subsampled(found, self.rate.subs(values))
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The numeric pair with its first member mixed."""
        kind, *data = self.pair.numeric_pair(values)
        rate = sp.lambdify(list(values), self.rate, "mpmath")(*values.values())
        if kind == "finite":
            return (kind, [(rate * p + (1 - rate) * q, q) for p, q in data[0]])
        p, q, *rest = data
        return (kind, lambda x: rate * p(x) + (1 - rate) * q(x), q, *rest)

    def __repr__(self) -> str:
        return f"poisson({self.pair!r}, {self.rate}, direction='remove')"


def subsampled(pair: Pair, rate: Any) -> Pair:
    """(rate P + (1 - rate) Q, Q): a finite pair for a finite pair and a rational rate."""
    weight = exact_parameter("rate", rate)
    if sp.true in (weight < 0, weight > 1):
        raise InputError(f"rate = {weight} must be between 0 and 1")
    if isinstance(pair, FinitePair) and weight.is_Rational:
        w = exact(weight, "rate")
        return FinitePair(tuple((w * p + (1 - w) * q, q) for p, q in pair.masses))
    return Subsampled(pair, weight)


__all__ = ["Subsampled", "subsampled"]
