"""The exponential mechanism, McSherry and Talwar 2007, by its worst case: two logistic laws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
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
class ExponentialMechanism(Pair):
    """Two logistic distributions of scale 1, eps apart."""

    eps: Any

    def model(self) -> Model:
        """With u = F_P(x), uniform under P, the loss is 2 log(w) - eps for w = u + e^eps (1 - u),
        uniform on (1, e^eps): its density is e^((z + eps)/2)/(2 (e^eps - 1)) on (-eps, eps)."""
        eps, odds = Form.of(self.eps), Scalar.exp(Form.of(self.eps))
        level, half = 1 / (2 * (odds - 1)), Form.of(Fraction(1, 2))
        loss = Exact.step(-eps, level, half) - Exact.step(eps, level * odds, half)
        return Model(loss, Scalar.of(0), Scalar.of(0))

    def reverse(self) -> ExponentialMechanism:
        """The pair itself: the reflection x -> eps - x exchanges P and Q."""
        return self

    def constraints(self) -> list[Constraint]:
        """A positive range."""
        return [(Form.of(self.eps), ">")]

    def substitute(self, values: dict[Any, Any]) -> ExponentialMechanism | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(exponential_mechanism, (self.eps,), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two logistic densities."""
        import mpmath as mp

        shift = mp.mpf(in_numbers(self.eps, values))

        def density(x: Any) -> Any:
            return mp.sech(x / 2) ** 2 / 4

        return ("density", density, lambda x: density(x - shift), (-mp.inf, mp.inf), [shift / 2])

    def __repr__(self) -> str:
        return f"exponential_mechanism({self.eps})"


@fitting
def exponential_mechanism(eps: Any) -> ExponentialMechanism:
    """The exponential mechanism that picks r with a weight of e^(eps u(r)/(2 sensitivity)).

    Argument: ``eps`` > 0, exact or symbolic, the bounded range: on neighbours the log likelihood
    ratios of any two outcomes differ by at most eps.  For utilities that all change in one
    direction, e^(eps u(r)/sensitivity) has this range, too.  Raises InputError for floats and for
    values that are not positive.

    Its profile is (1 - e^((t - eps)/2))^2/(1 - e^-eps) between -eps and eps, below that of
    randomized response with the same eps:

    >>> from lapdp import randomized_response
    >>> exponential_mechanism(2 * sp.log(2)).profile(0)
    1/3
    >>> randomized_response(2 * sp.log(2)).profile(0)
    3/5
    """
    e = exact_parameter("eps", eps)
    require("eps", e, e > 0, "positive")
    return ExponentialMechanism(e)


CARD = Card(
    make=exponential_mechanism,
    says="two logistic distributions of scale 1, `eps` apart, losses between -eps and eps:"
    " the worst case of the exponential mechanism",
    source="McSherry and Talwar 2007; Dong, Durfee, Rogers 2020, on bounded range",
    direction="P is the noise at 0, Q at eps; x -> eps - x exchanges them",
    dominating="log ratios within [s - eps, s] make a post-processing of two outcomes of losses s "
               "and s - eps; at each t their profile is largest at s = (t + eps)/2, and then it is "
               "that of the logistic pair",
    pitfall="A wrong density of the loss.",
    examples=((1,), (sp.log(2),), ("1e-3",), (20,), (sp.Symbol("eps", positive=True),)),
    symmetric=True,
)
