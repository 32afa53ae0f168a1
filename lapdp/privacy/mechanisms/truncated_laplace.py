"""The truncated Laplace mechanism, Geng, Ding, Guo, Kumar 2020."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.privacy.mechanism import Card, exact_parameter, require, substituted
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class TruncatedLaplace(Pair):
    """Laplace noise conditioned on |x| <= bound, at 0 and at the sensitivity."""

    scale: Any
    bound: Any
    sensitivity: Any

    def model(self) -> Model:
        """In units of the scale, with shift a and bound b >= a: [-b, a - b) has mass under P only;
        the loss is a on [a - b, 0], a - 2 x on (0, a), -a on [a, b]."""
        a, b = (Form.of(x / self.scale) for x in (self.sensitivity, self.bound))
        half = Form.of(sp.Rational(1, 2))
        norm = 1 / (2 * (1 - Scalar.exp(-b)))
        def tail(x: Form) -> Scalar:
            """The P-mass of [-b, x] for x <= 0."""
            return norm * (Scalar.exp(x) - Scalar.exp(-b))

        lost = tail(a - b)
        flat = tail(Form({})) - lost
        level = norm * Scalar.exp(-(a * half)) / 2
        middle = (Exact.step(-a, level * Scalar.exp(-(a * half)), half)
                  - Exact.step(a, level * Scalar.exp(a * half), half))
        atoms = Exact.impulse(a, flat) + Exact.impulse(-a, flat * Scalar.exp(-a))
        return Model(middle + atoms, lost, lost)

    def constraints(self) -> list[Constraint]:
        """A positive shift, and a bound that is no smaller."""
        return [(Form.of(self.sensitivity / self.scale), ">"),
                (Form.of((self.bound - self.sensitivity) / self.scale), ">=")]

    def substitute(self, values: dict[Any, Any]) -> TruncatedLaplace | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(truncated_laplace, (self.scale, self.bound, self.sensitivity), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """Densities in units of the scale."""
        import mpmath as mp

        def number(x: Any) -> Any:
            return mp.mpf(in_numbers(x, values))

        a, b = number(self.sensitivity / self.scale), number(self.bound / self.scale)
        norm = 2 * (1 - mp.exp(-b))
        def density(x: Any) -> Any:
            return mp.exp(-abs(x)) / norm if abs(x) <= b else mp.mpf(0)

        return ("density", density, lambda x: density(x - a), (-b, a + b),
                [a - b, mp.mpf(0), a, b])

    def __repr__(self) -> str:
        return f"truncated_laplace({self.scale}, {self.bound}, {self.sensitivity})"


@fitting
def truncated_laplace(scale: Any, bound: Any, sensitivity: Any = 1) -> TruncatedLaplace:
    """Laplace noise of a scale, conditioned on staying within ``bound``.

    Arguments: positive ``scale`` and ``sensitivity``, ``bound`` >= ``sensitivity``, exact or
    symbolic.  The two ends of the noise leak: mass at loss +oo under P, and as much under Q.
    Raises InputError for floats and values out of range.

    >>> truncated_laplace(1, 1).profile(5) == truncated_laplace(1, 1).loss.mass_at_infinity
    True
    """
    s, b = exact_parameter("scale", scale), exact_parameter("bound", bound)
    d = exact_parameter("sensitivity", sensitivity)
    require("scale", s, s > 0, "positive")
    require("sensitivity", d, d > 0, "positive")
    require("bound", b, b >= d, "at least the sensitivity")
    return TruncatedLaplace(s, b, d)


CARD = Card(
    make=truncated_laplace,
    says="two Laplace distributions cut off at `bound`",
    source="Geng, Ding, Guo, Kumar 2020",
    direction="P is the noise at 0, Q at the sensitivity; x -> sensitivity - x exchanges them",
    dominating="log-concave noise: the largest shift dominates (Dong, Roth, Su 2022)",
    pitfall="Mass at an infinite loss left out.",
    examples=((1, 1), (1, 2), (2, 3, "1/2"), ("1/10", 5), (1000, 1),
              (sp.Symbol("scale", positive=True), 2)),
    symmetric=True,
)
