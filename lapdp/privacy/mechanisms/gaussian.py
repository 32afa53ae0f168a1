"""The Gaussian mechanism: P = N(0, sigma^2), Q = N(sensitivity, sigma^2), Theorem 2.4."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import frexp, isqrt
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.mechanism import Card, exact_parameter, require, substituted
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import SmoothLoss
from lapdp.privacy.pair import Pair, copies
from lapdp.privacy.parameters import exceeds, in_numbers

MOST_DEVIATIONS = 10_000
"""Farther from its mean than so many standard deviations the loss is hardly ever."""

SPARE_BITS = 16
"""Of the working precision; what eps and kappa have more is added."""

if TYPE_CHECKING:
    from lapdp.privacy.notions.conversion import Conversion


@dataclass(frozen=True, repr=False)
class Gaussian(Pair):
    """Two normal distributions of equal variance; the loss is N(kappa, 2 kappa)."""

    sigma: Any
    sensitivity: Any

    @property
    def kappa(self) -> Any:
        """sensitivity^2/(2 sigma^2), the mean of the loss."""
        # products of rational numbers are far cheaper than powers
        return self.sensitivity * self.sensitivity / (2 * self.sigma * self.sigma)

    def model(self) -> Model:
        """A Gaussian loss is no exponential polynomial."""
        raise Unsupported("the Gaussian loss lies outside the exact class")

    def reverse(self) -> Gaussian:
        """The pair itself: the reflection x -> sensitivity - x exchanges P and Q."""
        return self

    def __mul__(self, other: object) -> Pair:
        """With another Gaussian again one: independent losses N(kappa, 2 kappa) add.

        >>> gaussian(3, 1) * gaussian(3, 2)
        gaussian(3, sqrt(5))
        >>> gaussian(1, 1) * gaussian(2, 4)
        gaussian(1, sqrt(5))
        """
        if not isinstance(other, Gaussian):
            return super().__mul__(other)
        if self.sigma == other.sigma:
            return Gaussian(self.sigma, sp.sqrt(self.sensitivity**2 + other.sensitivity**2))
        ratios = (self.sensitivity / self.sigma) ** 2 + (other.sensitivity / other.sigma) ** 2
        return Gaussian(sp.Integer(1), sp.sqrt(ratios))

    def __pow__(self, k: object) -> Gaussian:
        """sqrt(k) times the sensitivity."""
        count = copies(k)
        # SymPy takes far longer to see that a root is whole
        whole = isqrt(count) if isinstance(count, int) else 0
        root = sp.Integer(whole) if whole * whole == count else sp.sqrt(count)
        return Gaussian(self.sigma, root * self.sensitivity)

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

    def profile_value(self, t: Any) -> Any:
        """The privacy profile for every real t, Theorem 2.4.

        >>> gaussian(1).profile(0)
        1 - erfc(sqrt(2)/4)
        """
        return self.profile_expression(t)

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols among the parameters."""
        # every answer asks for these, of numbers most of the time
        if self.sigma.is_Rational and self.sensitivity.is_Rational:
            return set()
        return set(self.sigma.free_symbols | self.sensitivity.free_symbols)

    def has_short_profile(self, count: int = 1) -> bool:
        """Two tails, for any number of copies."""
        return not self.free_symbols

    def may_vanish(self, t: Any) -> bool:
        """As the distance from the mean says, in standard deviations."""
        from lapdp.balls.compiler import exact_ball

        if not super().may_vanish(t):
            return False
        mu = float(self.sensitivity) / float(self.sigma)
        return bool(float(exact_ball(t).real) / mu - mu / 2 > MOST_DEVIATIONS)

    def power_ball(self, count: int, t: Any) -> Any:
        """Copies are one Gaussian mechanism."""
        return (self**count).profile_ball(t)

    def profile_ball(self, t: Any) -> Any:
        """delta at an exact number: the two normal tails in balls."""
        from lapdp.privacy.ball_values import Point

        if self.free_symbols:
            raise InputError(f"{self!r}: a certified value needs numbers for its parameters")
        point = Point.of("t", t)
        eps, nu = point.ball(), self._nu()
        # the exponential and the tails lose as many bits as eps and kappa have
        lost = frexp(abs(float(eps)) + float(nu) ** 2)[1] - SPARE_BITS
        if lost <= 0:
            return _difference(eps, nu)
        with workprec(flint.ctx.prec + lost):
            return _difference(point.ball(), self._nu())

    def _nu(self) -> Any:
        """sqrt(kappa), an ``arb`` at the current working precision."""
        from lapdp.balls.compiler import exact_ball

        above, below = rational_square(self.sensitivity), rational_square(self.sigma)
        if above is None or below is None:
            mu = (exact_ball(self.sensitivity) / exact_ball(self.sigma)).real
            return mu / flint.arb(2).sqrt()
        return flint.arb(flint.fmpq(above[0] * below[1], 2 * above[1] * below[0])).sqrt()

    def tradeoff_value(self, a: Any) -> Any:
        """G_mu of Dong, Roth and Su 2022 with mu = sensitivity/sigma: Phi(Phi^-1(1 - a) - mu).

        >>> gaussian(2).tradeoff(0), gaussian(2).tradeoff("1/2")
        (1, erfc(sqrt(2)/4)/2)
        """
        from lapdp.privacy.notions.tradeoff_curves import checked_level

        checked_level(a)
        shift = self.sensitivity / (sp.sqrt(2) * self.sigma)
        # erfinv(1 - x) is erfcinv(x); only erfinv has numbers in SymPy
        return sp.erfc(shift - sp.erfinv(1 - 2 * a)) / 2

    @property
    def loss(self) -> GaussianLoss:
        """N(kappa, 2 kappa)."""
        return GaussianLoss(self)

    def log_moment(self, q: Any) -> Any:
        """log E_q by completing the square in P^q Q^(1-q).

        The exponent is -(q x^2 + (1-q)(x-d)^2)/(2 sigma^2) = -((x - m)^2 + v)/(2 sigma^2) with
        m = (1-q) d and v = (1-q) d^2 - m^2 = q (1-q) d^2; the integral of the square is 1 for every
        complex q.
        """
        return self.kappa * q * (q - 1)

    def moment_at(self, q: Form, cell: Cell) -> Scalar:
        """E_q as a field element."""
        return Scalar.exp(Form.of(sp.expand(self.log_moment(q.to_sympy()))))

    def renyi_value(self, q: Any) -> Any:
        """kappa q at real orders, where E_q may be too large to be written."""
        order = exact_parameter("q", q, real=False)
        if order.is_number and order.is_real and order != 1:
            return sp.expand(self.kappa * order)
        return super().renyi_value(q)

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q for symbolic q."""
        return sp.exp(self.log_moment(q.to_sympy()))

    def region_in(self, cell: Cell) -> Region:
        """Every order."""
        return Region.everything()

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """Normal distributions have the same null sets."""
        return Scalar.of(0), Scalar.of(0)

    def certify(self, source: str, target: str) -> Conversion:
        """The certificate by the formulas of normal laws."""
        from lapdp.privacy.notions.normal import certify

        return certify(self, source, target)

    def same_loss(self, other: Pair) -> bool:
        """Equal kappa; no loss of the exact class is normal."""
        from lapdp.privacy.notions.normal import same_loss

        return same_loss(self, other)

    def constraints(self) -> list[Constraint]:
        """Positive parameters; numbers and roots of sums of squares need no constraint."""
        return [(Form.of(x), ">") for x in (self.sigma, self.sensitivity)
                if x.free_symbols and not x.is_positive]

    def substitute(self, values: dict[Any, Any]) -> Gaussian | None:
        """The mechanism at given parameter values, None where they are out of range."""
        return substituted(gaussian, (self.sigma, self.sensitivity), values)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The two normal densities."""
        from mpmath import mp

        s, d = (mp.mpf(in_numbers(x, values))
                for x in (self.sigma, self.sensitivity))

        def normal(x: Any) -> Any:
            # of an integral most of the time is spent here: mp.npdf takes three times as long
            y = x / s
            return mp.exp(-y * y / 2) / (s * root_of_two_pi(mp.prec))

        return ("density", normal, lambda x: normal(x - d), (-mp.inf, mp.inf), [])

    def __repr__(self) -> str:
        return f"gaussian({self.sigma}, {self.sensitivity})"


@lru_cache(maxsize=64)
def root_of_two_pi(precision: int) -> Any:
    """sqrt(2 pi) for mpmath at so many bits, the current ones."""
    from mpmath import mp

    with mp.workprec(precision):
        return mp.sqrt(2 * mp.pi)


@dataclass(frozen=True, repr=False)
class GaussianLoss(SmoothLoss):
    """The normal distribution of mean kappa and variance 2 kappa.

    >>> gaussian(1).loss.density()
    sqrt(2)*exp(-(z - 1/2)**2/2)/(2*sqrt(pi))
    """

    pair: Gaussian

    def density(self, x: Any = None) -> Any:
        """The normal density."""
        z, k = self.pair.variable("z", x), self.pair.kappa
        return sp.exp(-((z - k) ** 2) / (4 * k)) / (2 * sp.sqrt(sp.pi) * sp.sqrt(k))

    @property
    def mean(self) -> Any:
        """kappa."""
        return self.pair.kappa

    @property
    def variance(self) -> Any:
        """2 kappa."""
        return 2 * self.pair.kappa

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x]."""
        z, k = self.pair.variable("z", x), self.pair.kappa
        return sp.erfc((k - z) / (2 * sp.sqrt(k))) / 2


def _difference(eps: Any, nu: Any) -> Any:
    """delta: with mu = sensitivity/sigma = sqrt(2) nu tails begin at (eps/mu -+ mu/2)/sqrt(2)."""
    place, half = eps / (2 * nu), nu / 2
    return ((place - half).erfc() - eps.exp() * (place + half).erfc()) / 2


def rational_square(x: Any) -> tuple[int, int] | None:
    """Numerator and denominator of the square of a rational number or of one times the root of a
    whole number; None for others.

    >>> rational_square(sp.sqrt(40)), rational_square(sp.Rational(2, 3)), rational_square(sp.pi)
    ((40, 1), (4, 9), None)
    """
    factor, root = (x, sp.S.One) if x.is_Rational else x.as_coeff_Mul()
    square = 1
    if root is not sp.S.One:
        if not (root.is_Pow and root.exp == sp.S.Half and root.base.is_Integer):
            return None
        square = int(root.base)
    return int(factor.p) ** 2 * square, int(factor.q) ** 2


@fitting
def gaussian(sigma: Any, sensitivity: Any = 1) -> Gaussian:
    """The Gaussian mechanism as a pair of densities.

    Arguments: positive ``sigma`` and ``sensitivity``, exact or symbolic.  Raises InputError for
    floats and for values that are not positive.  Source: Theorem 2.4.

    >>> gaussian(1).kappa
    1/2
    """
    s, d = exact_parameter("sigma", sigma), exact_parameter("sensitivity", sensitivity)
    require("sigma", s, exceeds(s, 0), "positive")
    require("sensitivity", d, exceeds(d, 0), "positive")
    return Gaussian(s, d)


CARD = Card(
    make=gaussian,
    says="two normal distributions of equal variance",
    source="Balle and Wang 2018",
    direction="P is the noise at 0, Q at the sensitivity; x -> sensitivity - x exchanges them",
    dominating="log-concave noise: the trade-off F(F^-1(1 - a) - shift) falls in the shift, so "
               "that the largest one dominates (Dong, Roth, Su 2022); in more dimensions rotate",
    pitfall="A wrong closed form; its profile is a formula, not derived by the calculus.",
    examples=((1,), ("1/2", 3), (10,), ("1/100",), (sp.sqrt(2), sp.sqrt(3)),
              (sp.Symbol("sigma", positive=True), sp.Symbol("d", positive=True))),
    symmetric=True,
)
