"""Randomized response with leakage, Chourasia et al. 2024, equation (38)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.core.calls import fitting
from lapdp.core.precision import workprec
from lapdp.privacy import binomial
from lapdp.privacy.mechanism import Card, exact_parameter, require, scalar, substituted
from lapdp.privacy.model import Atom, Model
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class RandomizedResponse(Pair):
    """M(0) against M(1): with probability delta the input leaks, else odds e^eps tell it."""

    eps: Any
    leak: Any
    """The probability delta; `delta` is the method of every pair."""

    def model(self) -> Model:
        """Losses eps, -eps, +oo (and -oo, under Q)."""
        odds, leak = scalar(sp.exp(self.eps)), scalar(self.leak)
        high, low = (1 - leak) * odds / (1 + odds), (1 - leak) / (1 + odds)
        z = Form.of(self.eps)
        return Model.of_atoms((Atom(high, low, z), Atom(low, high, -z)), leak, leak)

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """The probability that the input leaks."""
        leak = scalar(self.leak)
        return leak, leak

    def has_short_profile(self, count: int = 1) -> bool:
        """The binomial tails of Corollary 4.7 are sums over the copies."""
        return count <= binomial.MOST_COPIES and not self.free_symbols

    def may_vanish(self, t: Any) -> bool:
        """The formula says it itself."""
        return False

    def power_ball(self, count: int, t: Any) -> Any:
        """delta of ``count`` copies in balls: Corollary 4.7."""
        from lapdp.balls.compiler import exact_ball
        from lapdp.privacy.ball_values import Point

        kept = (1 - exact_ball(self.leak).real) ** count
        with workprec(flint.ctx.prec + count.bit_length()):
            loss, at = exact_ball(self.eps).real, Point.of("t", t).ball()
        return 1 - kept + kept * binomial.profile(count, loss, at)

    def constraints(self) -> list[Constraint]:
        """eps >= 0 and 0 <= delta <= 1."""
        return [(Form.of(self.eps), ">="), (Form.of(self.leak), ">="),
                (Form.of(1 - self.leak), ">=")]

    def substitute(self, values: dict[Any, Any]) -> RandomizedResponse | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(randomized_response, (self.eps, self.leak), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The four outcomes of (38)."""
        import mpmath as mp

        def number(x: Any) -> Any:
            return in_numbers(x, values)

        odds, leak = mp.exp(number(self.eps)), mp.mpf(number(self.leak))
        high, low = (1 - leak) * odds / (1 + odds), (1 - leak) / (1 + odds)
        return ("finite", [(leak, mp.mpf(0)), (high, low), (low, high), (mp.mpf(0), leak)])

    def __repr__(self) -> str:
        return f"randomized_response({self.eps}, {self.leak})"


@fitting
def randomized_response(eps: Any, delta: Any = 0) -> RandomizedResponse:
    """Randomized response as a pair (M(0), M(1)).

    Arguments: ``eps`` >= 0 and ``delta`` in [0, 1], exact numbers, strings such as "0.1", or SymPy
    expressions.  Raises InputError for floats and values out of range.  Source: equation (38).

    >>> randomized_response("0.1", "1e-8")
    randomized_response(1/10, 1/100000000)
    """
    e, d = exact_parameter("eps", eps), exact_parameter("delta", delta)
    require("eps", e, e >= 0, "at least 0")
    require("delta", d, sp.And(d >= 0, d <= 1), "between 0 and 1")
    return RandomizedResponse(e, d)


CARD = Card(
    make=randomized_response,
    says="with probability delta the input leaks, else odds e^eps",
    source="Warner 1965; Kairouz, Oh, Viswanath 2015; Chourasia et al. 2024, equation (38)",
    direction="P is the output for the input 0, Q for the input 1; renaming exchanges them",
    dominating="every (eps, delta)-DP mechanism, with the guarantee in both directions, is a post-"
               "processing of it on any two neighbours (Kairouz, Oh, Viswanath 2015; "
               "Chourasia et al. 2024, Theorem 4.5)",
    pitfall="A wrong mass.",
    examples=((sp.log(2),), (sp.log(3), "1/10"), ("0.1", "1e-8"), (0, 0), (0, 1), (2, 1), (30,),
              (sp.Symbol("eps", positive=True), sp.Symbol("delta", real=True))),
    symmetric=True,
)
