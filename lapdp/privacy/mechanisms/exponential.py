"""Two exponential distributions: P = Exp(rate_p), Q = Exp(rate_q), rate_p < rate_q.

The smallest pair whose Renyi divergence becomes infinite at a finite order although P << Q.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.convert import logarithm
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.core.calls import fitting
from lapdp.privacy.mechanism import Card, exact_parameter, require, scalar, substituted
from lapdp.privacy.model import Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class Exponential(Pair):
    """Densities a e^(-a x) and b e^(-b x) on x > 0 with a < b."""

    rate_p: Any
    rate_q: Any

    def model(self) -> Model:
        """Loss log(a/b) + (b - a) x from log(a/b) on, with density e^(-c(z - log(a/b))) c,
        c = a/(b - a)."""
        ratio = Form.of(sp.together(self.rate_p / (self.rate_q - self.rate_p)))
        start = logarithm(scalar(self.rate_p / self.rate_q))
        return Model(Exact.step(start, Scalar.of(ratio), -ratio), Scalar.of(0), Scalar.of(0))

    def constraints(self) -> list[Constraint]:
        """0 < a < b."""
        return [(Form.of(self.rate_p), ">"), (Form.of(self.rate_q - self.rate_p), ">")]

    def substitute(self, values: dict[Any, Any]) -> Exponential | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(exponential, (self.rate_p, self.rate_q), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two densities."""
        import mpmath as mp

        a, b = (mp.mpf(in_numbers(x, values))
                for x in (self.rate_p, self.rate_q))
        return ("density", lambda x: a * mp.exp(-a * x), lambda x: b * mp.exp(-b * x),
                (mp.mpf(0), mp.inf), [])

    def __repr__(self) -> str:
        return f"exponential({self.rate_p}, {self.rate_q})"


@fitting
def exponential(rate_p: Any, rate_q: Any) -> Exponential:
    """The pair (Exp(rate_p), Exp(rate_q)) with 0 < rate_p < rate_q, exact numbers.

    Raises InputError for floats and for rates in another order.

    >>> exponential(1, 2)
    exponential(1, 2)
    """
    a, b = exact_parameter("rate_p", rate_p), exact_parameter("rate_q", rate_q)
    require("rate_p", a, a > 0, "positive")
    require("rate_q", b, b > a, "larger than rate_p")
    return Exponential(a, b)


CARD = Card(
    make=exponential,
    says="two exponential distributions, `rate_p < rate_q`",
    source="Gil, Alajaji, Linder 2013, on Renyi divergences of exponential distributions",
    direction="P has the heavier tail: log(p/q) is bounded from below, not from above",
    dominating="itself; it is no mechanism, but the smallest example of a Renyi divergence that is "
               "infinite from a finite order on",
    pitfall="A wrong density of the loss.",
    examples=((1, 2), ("1/2", 3), (1, "1000/999"), (1, 1000)),
)
