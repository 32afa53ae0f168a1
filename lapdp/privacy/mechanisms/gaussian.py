"""The Gaussian mechanism: P = N(0, sigma^2), Q = N(sensitivity, sigma^2), Theorem 2.4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Constraint
from lapdp.core.errors import Unsupported
from lapdp.privacy.mechanisms.base import exact_parameter, require, substituted
from lapdp.privacy.model import Model


@dataclass(frozen=True)
class Gaussian:
    """Two normal distributions of equal variance; the loss is N(kappa, 2 kappa)."""

    sigma: Any
    sensitivity: Any

    @property
    def kappa(self) -> Any:
        """sensitivity^2/(2 sigma^2), the mean of the loss."""
        return self.sensitivity**2 / (2 * self.sigma**2)

    def model(self) -> Model:
        """A Gaussian loss is no exponential polynomial."""
        raise Unsupported("the Gaussian loss lies outside the exact class")

    def threshold(self, eps: Any) -> Any:
        """The x below which log(P/Q)(x) = (d^2 - 2 d x)/(2 sigma^2) exceeds eps."""
        d, s = self.sensitivity, self.sigma
        return d / 2 - s**2 * eps / d

    def profile_expression(self, eps: Any) -> Any:
        """delta(eps) = P(x < c) - e^eps Q(x < c) at the threshold c (monotone likelihood ratio)."""
        c, s, d = self.threshold(eps), self.sigma, self.sensitivity
        below_p = sp.erfc(-c / (s * sp.sqrt(2))) / 2
        below_q = sp.erfc(-(c - d) / (s * sp.sqrt(2))) / 2
        return below_p - sp.exp(eps) * below_q

    def log_moment(self, q: Any) -> Any:
        """log E_q by completing the square in P^q Q^(1-q).

        The exponent is -(q x^2 + (1-q)(x-d)^2)/(2 sigma^2) = -((x - m)^2 + v)/(2 sigma^2) with
        m = (1-q) d and v = (1-q) d^2 - m^2; the integral of the square is 1 for every complex q.
        """
        d = self.sensitivity
        return -((1 - q) * d**2 - ((1 - q) * d) ** 2) / (2 * self.sigma**2)

    def moment(self, q: Any) -> Scalar:
        """E_q as a field element."""
        return Scalar.exp(Form.of(sp.expand(self.log_moment(q))))

    def constraints(self) -> list[Constraint]:
        """Positive parameters."""
        return [(Form.of(self.sigma), ">"), (Form.of(self.sensitivity), ">")]

    def substitute(self, values: dict[Any, Any]) -> Gaussian | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(gaussian, (self.sigma, self.sensitivity), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two normal densities."""
        import mpmath as mp

        s, d = (mp.mpf(sp.lambdify(list(values), x, "mpmath")(*values.values()))
                for x in (self.sigma, self.sensitivity))
        return ("density", lambda x: mp.npdf(x, 0, s), lambda x: mp.npdf(x, d, s),
                (-mp.inf, mp.inf), [d / 2])

    def __repr__(self) -> str:
        return f"gaussian({self.sigma}, {self.sensitivity})"


def gaussian(sigma: Any, sensitivity: Any = 1) -> Gaussian:
    """The Gaussian mechanism as a pair of densities.

    Arguments: positive ``sigma`` and ``sensitivity``, exact or symbolic.  Raises InputError for
    floats and for values that are not positive.  Source: Theorem 2.4.

    >>> gaussian(1).kappa
    1/2
    """
    s, d = exact_parameter("sigma", sigma), exact_parameter("sensitivity", sensitivity)
    require("sigma", s, s > 0, "positive")
    require("sensitivity", d, d > 0, "positive")
    return Gaussian(s, d)
