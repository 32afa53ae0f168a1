"""The discrete Gaussian mechanism, Canonne, Kamath, Steinke 2020: noise e^(-x^2/(2 sigma^2)) on Z.

In the k-fold product the loss is an affine function of the sum s of the k outcomes, and under Q the
law of s is that under P, moved by k times the sensitivity.  So all powers are pairs on Z again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.balls.compiler import exact_ball
from lapdp.balls.lattice import MOST, NormalTail, shifted_normal_profile
from lapdp.calculus.export import Piece
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.calculus.region import Region
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.ball_values import Point
from lapdp.privacy.mechanism import Card, exact_parameter, require, substituted
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import LossAtom, LossDistribution
from lapdp.privacy.pair import Pair, copies
from lapdp.privacy.parameters import in_numbers


@dataclass(frozen=True, repr=False)
class DiscreteGaussian(Pair):
    """P has mass proportional to e^(-x^2/(2 sigma^2)) at whole x, Q is P moved by d; k copies."""

    sigma: Any
    sensitivity: Any
    copies: Any = 1

    @property
    def kappa(self) -> Any:
        """sensitivity^2/(2 sigma^2) for each copy; R_q <= kappa q, with equality at whole q."""
        return self.copies * self.sensitivity**2 / (2 * self.sigma**2)

    def model(self) -> Model:
        """The losses are infinitely many."""
        raise Unsupported("a discrete Gaussian has infinitely many losses: no exact model; "
                          "profile(t), moment(q) and loss.cdf(z) are sums over whole numbers")

    def reverse(self) -> DiscreteGaussian:
        """The pair itself: the reflection x -> sensitivity - x exchanges P and Q."""
        return self

    def __pow__(self, k: object) -> DiscreteGaussian:
        """More copies."""
        return DiscreteGaussian(self.sigma, self.sensitivity, self.copies * copies(k))

    @property
    def single(self) -> DiscreteGaussian:
        """One copy."""
        return DiscreteGaussian(self.sigma, self.sensitivity)

    def upper(self, start: Any) -> Any:
        """The sum of the weights e^(-x^2/(2 sigma^2)) over x = start, start + 1, ..."""
        return NormalTail(start, self.sigma**2)

    @property
    def total(self) -> Any:
        """The sum of all weights, theta_3 at e^(-1/(2 sigma^2))."""
        return 1 + 2 * self.upper(sp.Integer(1))

    def profile_value(self, t: Any) -> Any:
        """(U(m) - e^t U(m + d))/theta with U(m) the sum of the weights from m on.

        By the reflection x -> -x the losses above t are those of x > sigma^2 t/d - d/2 = m - 1.

        >>> discrete_gaussian(1).profile(0).n(20)
        0.39894227826686170558
        >>> discrete_gaussian(1).profile(0)
        (-NormalTail(1, 1) + NormalTail(0, 1))/(1 + 2*NormalTail(1, 1))
        """
        self._single("profile")
        d = self.sensitivity
        start = sp.floor(self.sigma**2 * t / d - sp.Rational(d, 2)) + 1
        return (self.upper(start) - sp.exp(t) * self.upper(start + d)) / self.total

    def profile_ball(self, t: Any) -> Any:
        """An ``arb`` that contains the profile at an exact number, at the current precision."""
        if self.free_symbols:
            raise InputError(f"{self!r}: a certified value needs numbers for its parameters")
        return shifted_normal_profile(exact_ball(self.sigma**2).real, int(self.sensitivity),
                                      int(self.copies), Point.of("t", t).ball())

    def _single(self, what: str) -> None:
        if self.copies != 1:
            raise Unsupported(f"the {what} of {self!r} as one sum; profile.at(t) has its digits")

    @property
    def loss(self) -> LossDistribution:
        """Atoms at (d^2 - 2 d x)/(2 sigma^2), x whole."""
        return DiscreteGaussianLoss(self)

    def ratio(self, q: Any) -> Any:
        """E_q/e^(kappa q (q - 1)) for one copy: the weights around (1 - q) d over those around 0.

        P^q Q^(1-q) has the exponent -((x - m)^2 + q (1-q) d^2)/(2 sigma^2), m = (1 - q) d.
        """
        move = sp.expand((q - 1) * self.sensitivity)
        if move.is_integer:
            return sp.Integer(1)
        return (self.upper(move) + self.upper(1 - move)) / self.total

    def moment_value(self, q: Any) -> Any:
        """E_q for every complex q; for whole q that of the normal distribution."""
        order = exact_parameter("q", q, real=False)
        return sp.exp(self.kappa * sp.expand(order * (order - 1))) * self.ratio(order)**self.copies

    def renyi_value(self, q: Any) -> Any:
        """kappa q, and the log of the ratio of sums over q - 1.

        >>> discrete_gaussian(2, 3).renyi(2), discrete_gaussian(2, 2).renyi("3/2")
        (9/4, 3/4)
        """
        order = exact_parameter("q", q, real=False)
        if order == 1:
            raise Undefined("R_q is not defined at q = 1")
        return self.kappa * order + self.copies * sp.log(self.ratio(order)) / (order - 1)

    def moment_at(self, q: Form, cell: Cell) -> Scalar:
        """E_q as a field element, where the ratio of sums is 1."""
        order = q.to_sympy()
        if self.ratio(order) != 1:
            raise Unsupported(f"E_q of {self!r} at q = {order} is a ratio of theta sums, no "
                              "element of the exact class")
        return Scalar.exp(Form.of(sp.expand(self.kappa * order * (order - 1))))

    def formal_moment(self, q: Form, cell: Cell) -> Any:
        """E_q for symbolic q."""
        return self.moment_value(q.to_sympy())

    def region_in(self, cell: Cell) -> Region:
        """Every order."""
        return Region.everything()

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """Every whole number has mass under both."""
        return Scalar.of(0), Scalar.of(0)

    def constraints(self) -> list[Constraint]:
        """A positive sigma."""
        return [(Form.of(self.sigma), ">")] if self.sigma.free_symbols else []

    def substitute(self, values: dict[Any, Any]) -> DiscreteGaussian | None:
        """The mechanism at given parameter values, None where they are out of range."""
        found = substituted(discrete_gaussian, (self.sigma, self.sensitivity), values)
        try:
            return None if found is None else found ** sp.sympify(
                self.copies).subs(values, simultaneous=True)
        except InputError:
            return None

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """The masses up to where they vanish at the working precision."""
        import mpmath as mp

        self._single("list of masses")
        s = mp.mpf(in_numbers(self.sigma, values))
        d = int(self.sensitivity)
        end = int(s * mp.sqrt(2 * (mp.mp.dps + 10) * mp.log(10))) + 2
        if end > MOST:
            raise Unsupported(f"{self!r} has too many masses to list them")
        weights = {x: mp.exp(-(mp.mpf(x) ** 2) / (2 * s**2)) for x in range(-end - d, end + d + 1)}
        total = mp.fsum(weights.values())
        return ("finite", [(weights[x] / total, weights[x - d] / total)
                           for x in range(-end, end + d + 1)])

    def __repr__(self) -> str:
        one = f"discrete_gaussian({self.sigma}, {self.sensitivity})"
        return one if self.copies == 1 else f"{one}**{self.copies}"


@dataclass(frozen=True, repr=False)
class DiscreteGaussianLoss(LossDistribution):
    """The losses (d^2 - 2 d x)/(2 sigma^2), x whole, equally spaced.

    >>> discrete_gaussian(1).loss.cdf(0)
    NormalTail(1, 1)/(1 + 2*NormalTail(1, 1))
    """

    pair: DiscreteGaussian

    @property
    def atoms(self) -> tuple[LossAtom, ...]:
        """Infinitely many: :class:`Unsupported`."""
        raise Unsupported("infinitely many atoms; mass(x) gives one of them, cdf(z) their sums")

    def mass(self, x: Any) -> LossAtom:
        """The loss and the P-mass of the whole number ``x``."""
        self.pair._single("atoms")
        point, d = exact_parameter("x", x), self.pair.sensitivity
        return LossAtom((d**2 - 2 * d * point) / (2 * self.pair.sigma**2),
                        sp.exp(-(point**2) / (2 * self.pair.sigma**2)) / self.pair.total)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """None: there are only atoms."""
        return ()

    def density(self, x: Any = None) -> Any:
        """0: there are only atoms."""
        return sp.Integer(0)

    def generalized_density(self, x: Any = None) -> Any:
        """The atoms as Dirac parts."""
        z, index = self.pair.variable("z", x), sp.Symbol("x", integer=True)
        at, mass = self.mass(index)
        return sp.Sum(mass * sp.DiracDelta(z - at), (index, -sp.oo, sp.oo))

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= z]: the P-mass of the whole numbers from d/2 - sigma^2 z/d on."""
        self.pair._single("distribution of the loss")
        z, d = self.pair.variable("z", x), self.pair.sensitivity
        start = sp.ceiling(sp.Rational(d, 2) - self.pair.sigma**2 * z / d)
        return self.pair.upper(start) / self.pair.total


@fitting
def discrete_gaussian(sigma: Any, sensitivity: Any = 1) -> DiscreteGaussian:
    """The discrete Gaussian mechanism: noise on Z of mass proportional to e^(-x^2/(2 sigma^2)).

    Arguments: positive ``sigma``, exact or symbolic; ``sensitivity`` a whole number >= 1.  Raises
    InputError for anything else.  Source: Canonne, Kamath, Steinke 2020, Definition 1.  Certified
    values of the profile need numbers for parameters and a sigma up to about 50000.

    >>> discrete_gaussian("3/2", 2).moment(2)
    exp(16/9)
    """
    s, d = exact_parameter("sigma", sigma), exact_parameter("sensitivity", sensitivity)
    require("sigma", s, s > 0, "positive")
    if not (d.is_Integer and d >= 1):
        raise InputError(f"sensitivity = {d} must be a whole number >= 1")
    return DiscreteGaussian(s, d)


CARD = Card(
    make=discrete_gaussian,
    says="noise e^(-x^2/(2 sigma^2)) on the whole numbers, a whole number apart",
    source="Canonne, Kamath, Steinke 2020, Definition 1",
    direction="P is the noise at 0, Q at the sensitivity; x -> sensitivity - x exchanges them",
    dominating="log-concave noise on the whole numbers: the best events are x < c, and their "
               "P(x < c) - e^t P(x < c - shift) grows with the shift",
    pitfall="A threshold between two whole numbers on the wrong side.",
    examples=((1,), ("1/3",), (3, 2), (sp.sqrt(2), 5), ("1/10", 1), (20, 1),
              (sp.Symbol("sigma", positive=True), 2)),
    symmetric=True,
)
