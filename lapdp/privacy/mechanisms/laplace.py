"""The Laplace mechanism, Dwork et al. 2006: P = Lap(0, scale), Q = Lap(sensitivity, scale)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.core.calls import fitting
from lapdp.privacy.mechanism import Card, exact_parameter, require, substituted
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class Laplace(Pair):
    """Two Laplace distributions of equal scale, ``shift`` = sensitivity/scale apart."""

    scale: Any
    sensitivity: Any

    @property
    def shift(self) -> Any:
        """The largest loss, sensitivity/scale."""
        return self.sensitivity / self.scale

    def model(self) -> Model:
        """Loss a - 2x between the centres: atoms at both ends, an exponential between them.

        Left of both centres (P-mass 1/2) the loss is a, right of both (P-mass e^-a/2) it is -a,
        between them it is a - 2x with density e^-x/2 in x, that is e^((z-a)/2)/4 in z.
        """
        a = Form.of(self.shift)
        half = Scalar.of(Fraction(1, 2))
        grow = Form.of(Fraction(1, 2))
        level = Scalar.exp(-(a * grow)) * Fraction(1, 4)
        middle = (Exact.step(-a, level * Scalar.exp(-(a * grow)), grow)
                  - Exact.step(a, level * Scalar.exp(a * grow), grow))
        atoms = Exact.impulse(a, half) + Exact.impulse(-a, half * Scalar.exp(-a))
        return Model(middle + atoms, Scalar.of(0), Scalar.of(0))

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """Laplace distributions have the same null sets."""
        return Scalar.of(0), Scalar.of(0)

    def constraints(self) -> list[Constraint]:
        """A positive shift."""
        return [(Form.of(self.shift), ">")]

    def substitute(self, values: dict[Any, Any]) -> Laplace | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(laplace, (self.scale, self.sensitivity), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """Densities in units of the scale."""
        import mpmath as mp

        a = in_numbers(self.shift, values)
        return ("density", lambda x: mp.exp(-abs(x)) / 2, lambda x: mp.exp(-abs(x - a)) / 2,
                (-mp.inf, mp.inf), [mp.mpf(0), mp.mpf(a)])

    def __repr__(self) -> str:
        return f"laplace({self.scale}, {self.sensitivity})"


@fitting
def laplace(scale: Any, sensitivity: Any = 1) -> Laplace:
    """The Laplace mechanism as a pair of densities.

    Arguments: positive ``scale`` and ``sensitivity``, exact or symbolic.  Raises InputError for
    floats and for values that are not positive.

    >>> laplace(10)
    laplace(10, 1)
    >>> laplace(10).loss.mass_at_infinity
    0
    """
    b, d = exact_parameter("scale", scale), exact_parameter("sensitivity", sensitivity)
    require("scale", b, b > 0, "positive")
    require("sensitivity", d, d > 0, "positive")
    return Laplace(b, d)


CARD = Card(
    make=laplace,
    says="two Laplace distributions",
    source="Dwork, McSherry, Nissim, Smith 2006",
    direction="P is the noise at 0, Q at the sensitivity; x -> sensitivity - x exchanges them",
    dominating="log-concave noise: the largest shift dominates (Dong, Roth, Su 2022; Zhu et al. "
               "2021, Table 2)",
    pitfall="A wrong atom or density of the loss.",
    examples=((1,), ("1/2", 3), ("1e6",), ("1/50",), (1 / sp.log(2), 2),
              (sp.Symbol("scale", positive=True),)),
    symmetric=True,
)
