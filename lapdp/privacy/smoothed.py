"""Products with Gaussian factors: the other factors' notions convolved with a normal distribution.

The loss of a product is the sum of independent losses, and that of a Gaussian factor is
X ~ N(kappa, 2 kappa).  So delta(t) = E[delta_M(t - X)] for the product with any pair M, and the
density and distribution function of the loss follow alike.  Gaussian factors are joined into one
first; M must lie in the exact class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

import sympy as sp

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.collected import Collected
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import Exact
from lapdp.calculus.export import by_cases
from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell
from lapdp.calculus.smoothing import Smoothed
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.model import Model
from lapdp.privacy.notions.loss import SmoothLoss
from lapdp.privacy.operations import Power, factors, joined
from lapdp.privacy.pair import Pair
from lapdp.privacy.symbolic_powers import SymbolicPower


@dataclass(frozen=True)
class Smoothing:
    """The product of one Gaussian pair and a pair of the exact class."""

    gaussian: Gaussian
    rest: Pair

    def profile(self, cell: Cell) -> Smoothed:
        """The privacy profile in one case of the parameters."""
        return self._smoothed(lambda model: model.profile(cell), cell)

    def density(self, cell: Cell) -> Smoothed:
        """The density of the finite losses."""
        return self._smoothed(lambda model: model.loss, cell)

    def cdf(self, cell: Cell) -> Smoothed:
        """Pr[Z <= z] for real z."""
        return self._smoothed(lambda model: model.cdf(cell), cell)

    def ball(self, notion: str, t: Any) -> Any:
        """One of these at an exact number, an ``arb`` at the current precision; no parameters."""
        kappa = exact_ball(self.gaussian.kappa)
        found, more = _with_numbers(self, notion)
        return found.enclose(exact_ball(t), kappa, 2 * kappa).real + enclose(more, {}).real

    def shown(self, notion: Callable[[Cell], Smoothed], t: Any) -> Any:
        """One of these as an expression in ``t``, over all cases of the parameters."""
        return by_cases([*self.gaussian.constraints(), *self.rest.constraints()],
                        lambda cell: notion(cell).to_sympy(t))

    def _smoothed(self, of: Callable[[Model], Exact], cell: Cell) -> Smoothed:
        kappa = self.gaussian.kappa
        return Smoothed(of(self.rest.model_in(cell)), kappa, 2 * kappa)


@lru_cache(maxsize=16)
def _with_numbers(smoothing: Smoothing, notion: str) -> tuple[Smoothed, Scalar]:
    """A notion without parameters, and a constant to add: what is collected stays so."""
    model = smoothing.rest.model_in(Cell())
    if notion != "profile" or not isinstance(model.loss, Collected):
        return getattr(smoothing, notion)(Cell()), Scalar.of(0)
    finite = replace(model, p_infinite=Scalar.of(0))
    kappa = smoothing.gaussian.kappa
    return Smoothed(finite.profile(Cell()), kappa, 2 * kappa), model.p_infinite


@dataclass(frozen=True, repr=False)
class SmoothedLoss(SmoothLoss):
    """The loss of a product with a Gaussian factor: a density on the whole line, no atoms.

    >>> from lapdp import gaussian, randomized_response
    >>> Z = (gaussian(1) * randomized_response(sp.log(3), "1/10")).loss
    >>> Z.atoms, Z.mass_at_infinity
    ((), 1/10)
    """

    smoothing: Smoothing

    def density(self, x: Any = None) -> Any:
        """The density of the finite losses."""
        return self.smoothing.shown(self.smoothing.density, self.pair.variable("z", x))

    def cdf(self, x: Any = None) -> Any:
        """Pr[Z <= x] for real x."""
        return self.smoothing.shown(self.smoothing.cdf, self.pair.variable("z", x))


def copies_of(pair: Pair) -> dict[Pair, Any]:
    """The different factors of nested products and powers, with their numbers of copies.

    >>> from lapdp import laplace
    >>> copies_of((laplace(1) * laplace(2)) ** 3 * laplace(2))
    {laplace(1, 1): 3, laplace(2, 1): 4}
    """
    found: dict[Pair, Any] = {}
    for factor, count in factors(pair):
        found[factor] = found.get(factor, 0) + count
    return found


def smoothing(pair: Pair) -> Smoothing | None:
    """A product split into its Gaussian factors, joined, and the others; None without either.

    >>> from lapdp import gaussian, laplace
    >>> smoothing(gaussian(1) * laplace(1) * gaussian(1, 2)**3)
    Smoothing(gaussian=gaussian(1, sqrt(13)), rest=laplace(1, 1))
    """
    normal: Any = None
    others = copies_of(pair)
    for factor in [factor for factor in others if isinstance(factor, Gaussian)]:
        power = factor ** others.pop(factor)
        normal = power if normal is None else normal * power
    if normal is None or not others:
        return None
    powers = [_power(factor, count) for factor, count in others.items()]
    return Smoothing(normal, reduce(joined, powers))


def _power(factor: Pair, count: Any) -> Pair:
    if isinstance(count, sp.Expr):
        return SymbolicPower(factor, count)
    return factor if count == 1 else Power(factor, count)


__all__ = ["SmoothedLoss", "Smoothing", "smoothing"]
