"""The geometric mechanism (discrete Laplace), Ghosh, Roughgarden, Sundararajan 2009."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.mechanism import Card, exact_parameter, require, substituted
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers

MOST = 10_000
"""The largest sensitivity: a pair has one atom for each whole number between the centres."""


@dataclass(frozen=True, repr=False)
class Geometric(Pair):
    """Noise of mass proportional to e^(-eps |x|) on the whole numbers, at 0 and at n."""

    eps: Any
    sensitivity: int

    def model(self) -> Model:
        """Left of both centres the loss is n eps, right of both -n eps, at x between them
        (n - 2 x) eps; the geometric sums on the outer sides are taken in closed form."""
        n, eps = self.sensitivity, Form.of(self.eps)
        ratio = Scalar.exp(-eps)
        outer = 1 / (1 + ratio)
        peak = (1 - ratio) / (1 + ratio)
        masses = [(outer, n), *((peak * ratio**x, n - 2 * x) for x in range(1, n)),
                  (outer * ratio**n, -n)]
        atoms = tuple(Atom(a, a * ratio**k, eps * Form.of(k)) for a, k in masses)
        return Model.of_atoms(atoms)

    def constraints(self) -> list[Constraint]:
        """A positive rate."""
        return [(Form.of(self.eps), ">")]

    def substitute(self, values: dict[Any, Any]) -> Geometric | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(geometric, (self.eps, self.sensitivity), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The masses between the centres, and those of the two outer sides as one outcome each."""
        import mpmath as mp

        r = mp.exp(-in_numbers(self.eps, values))
        n = self.sensitivity
        peak, outer = (1 - r) / (1 + r), 1 / (1 + r)
        inner = [(peak * r**x, peak * r ** (n - x)) for x in range(1, n)]
        return ("finite", [(outer, outer * r**n), *inner, (outer * r**n, outer)])

    def __repr__(self) -> str:
        return f"geometric({self.eps}, {self.sensitivity})"


@fitting
def geometric(eps: Any, sensitivity: Any = 1) -> Geometric:
    """The geometric mechanism: the noise x has mass (1 - r)/(1 + r) r^|x|, r = e^-eps.

    Arguments: ``eps`` > 0, the loss a unit of distance, exact or symbolic; ``sensitivity`` a whole
    number from 1 to 10000.  Q is P shifted by the sensitivity; the reversed pair has the same
    profile.  Raises InputError for anything else.

    >>> geometric(sp.log(2)).profile(0), geometric(sp.log(2), 2).profile(0)
    (1/3, 1/2)
    """
    e, n = exact_parameter("eps", eps), exact_parameter("sensitivity", sensitivity)
    require("eps", e, e > 0, "positive")
    if not (n.is_Integer and 1 <= n <= MOST):
        raise InputError(f"sensitivity = {n} must be a whole number from 1 to {MOST}")
    return Geometric(e, int(n))


CARD = Card(
    make=geometric,
    says="two discrete Laplace distributions, a whole number apart",
    source="Ghosh, Roughgarden, Sundararajan 2009",
    direction="P is the noise at 0, Q at the sensitivity; x -> sensitivity - x exchanges them",
    dominating="log-concave noise on the whole numbers: the largest shift dominates, as for the "
               "normal distribution (Dong, Roth, Su 2022)",
    pitfall="A geometric sum with a wrong end.",
    examples=((sp.log(2),), (sp.log(3), 2), (sp.log(2), 5), ("1/3", 3), ("1e-6", 40), (50,),
              (sp.Symbol("eps", positive=True), 3)),
    symmetric=True,
)
