"""The privacy loss class of a pair: mean and variance of its finite losses, and Pr[Z = oo].

Source: Sommer, Meiser and Mohammadi 2020, Definition 10.  The inner distribution is the law of the
loss under the condition that it is finite.  Under products, finite losses add and are independent
given that all are finite, so that means and variances add and 1 - Pr[Z = oo] multiplies (their
Theorem 4); a product needs no model of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.export import by_cases
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral, multiply
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.operations import factors

if TYPE_CHECKING:
    from lapdp.balls.decimals import Enclosure
    from lapdp.privacy.pair import Pair


class ClassNumbers(NamedTuple):
    """The three numbers of a class, each with a proved radius."""

    mean: Enclosure
    variance: Enclosure
    mass_at_infinity: Enclosure


@dataclass(frozen=True, repr=False)
class LossClass:
    """(mean, variance, mass at infinity) of a pair, in closed form for all its parameters.

    Where every loss is infinite it is (0, 0, 1).  Raises :class:`Unsupported` where a factor has no
    closed form; some of those have certified numbers, see :meth:`at`.

    >>> from lapdp import laplace, randomized_response
    >>> laplace(1).loss_class
    LossClass(mean=exp(-1), variance=-6*exp(-1) - exp(-2) + 3, mass_at_infinity=0)
    >>> k = sp.Symbol("k", integer=True, positive=True)
    >>> (randomized_response(sp.log(3), "1/10") ** k).loss_class
    LossClass(mean=k*log(3)/2, variance=3*k*log(3)**2/4, mass_at_infinity=1 - (9/10)**k)
    """

    pair: Pair

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import class_card

        return class_card(self)

    @property
    def mean(self) -> Any:
        """E[Z | Z < oo], the sum over the factors.

        >>> from lapdp import finite
        >>> finite(["1/2", "1/2"], [1, 0]).loss_class.mean
        -log(2)
        """
        return self._sum(1)

    @property
    def variance(self) -> Any:
        """Var[Z | Z < oo], the sum over the factors.

        >>> from lapdp import gaussian
        >>> (gaussian(2) ** 12).loss_class.variance
        3
        """
        return self._sum(2)

    @property
    def mass_at_infinity(self) -> Any:
        """Pr[Z = oo]."""
        return sp.sympify(self.pair.infinite_mass())

    @property
    def third_absolute_moment(self) -> Any:
        """E[|Z - mean|^3 | Z < oo], of a pair whose loss is normal or in the exact class.

        It does not add under products.  Raises :class:`Unsupported` for other losses.

        >>> from lapdp import gaussian, randomized_response
        >>> gaussian(1).loss_class.third_absolute_moment
        2*sqrt(2)/sqrt(pi)
        >>> randomized_response(sp.log(3)).loss_class.third_absolute_moment
        15*log(3)**3/16
        """
        if isinstance(self.pair, Gaussian):
            return 2 * sp.sqrt(2 / sp.pi) * sp.sqrt(2 * self.pair.kappa) ** 3
        centre, c = self.mean, sp.Dummy("c", real=True)

        def build(cell: Cell) -> Any:
            loss = self.pair.model_in(cell).loss
            mass = bilateral(loss, ZERO, cell)
            if not cell.nonzero(mass):
                return sp.Integer(0)
            place, cubed = Form.atom(c), _cube(c)
            above = multiply(loss, cubed, cell).after(place, cell)
            whole = bilateral(multiply(loss, cubed, cell), ZERO, cell)
            return ((bilateral(above, ZERO, cell) * 2 - whole) / mass).to_sympy()

        found = by_cases(self.pair.constraints(), build)
        return sp.expand(found.subs(c, centre)) if not found.has(sp.Piecewise) else (
            sp.piecewise_fold(found.subs(c, centre)))

    def at(self, digits: int = 30) -> ClassNumbers:
        """The numbers of a pair without symbols, to so many digits, with proved radii.

        Also for subsampled pairs and for discrete Gaussians, which have no closed form.

        >>> from lapdp import laplace
        >>> print(laplace(10).loss_class.at(10).mean)
        0.004837418036 +/- 5.01e-14
        """
        from lapdp.balls.decimals import certified
        from lapdp.privacy.ball_values import expression_ball
        from lapdp.privacy.notions.loss_class_balls import mean_and_variance

        if self.pair.free_symbols:
            raise InputError(f"{self.pair!r}: certified values need numbers for its parameters")
        try:
            balls: list[Callable[[], Any]] = [
                partial(expression_ball, x) for x in (self.mean, self.variance)]
        except Unsupported:
            balls = mean_and_variance(self.pair)
        balls = [*balls, partial(expression_ball, self.mass_at_infinity)]

        def enclosed(ball: Callable[[], Any]) -> Enclosure:
            return certified(lambda bits: ball(), digits)

        return ClassNumbers(*map(enclosed, balls))

    # -- export -----------------------------------------------------------------------------------

    def record(self) -> dict[str, str]:
        """The closed forms as text, by name."""
        return {"mechanism": repr(self.pair), "mean": str(self.mean),
                "variance": str(self.variance), "mass_at_infinity": str(self.mass_at_infinity)}

    def latex(self) -> str:
        """The class as a triple in LaTeX.

        >>> from lapdp import gaussian
        >>> print(gaussian(2).loss_class.latex())
        \\left(\\frac{1}{8}, \\frac{1}{4}, 0\\right)
        """
        inside = ", ".join(sp.latex(x) for x in (self.mean, self.variance, self.mass_at_infinity))
        return rf"\left({inside}\right)"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle (\\mu, \\sigma^2, \\omega(\\infty)) = {self.latex()}$"

    def __repr__(self) -> str:
        return (f"LossClass(mean={self.mean}, variance={self.variance}, "
                f"mass_at_infinity={self.mass_at_infinity})")

    # -- the factors ------------------------------------------------------------------------------

    def _sum(self, order: int) -> Any:
        """The first or second cumulant of the inner distribution; 0 where no loss is finite."""
        parts = [(count, factor_cumulant(factor, order)) for factor, count in factors(self.pair)]
        total = sp.Add(*(count * value for count, value in parts))
        if len(parts) == 1:
            return total
        # one factor without finite losses leaves none
        never = sp.Or(*(sp.Eq(factor.infinite_mass(), 1) for factor, _ in factors(self.pair)))
        if never == sp.true:
            return sp.Integer(0)
        return total if never == sp.false else sp.Piecewise((0, never), (total, True))


def factor_cumulant(pair: Pair, order: int) -> Any:
    """Mean (order 1) or variance (order 2) of the finite losses of one factor.

    Raises :class:`Unsupported` for a loss that is neither normal nor in the exact class.
    """
    if isinstance(pair, Gaussian):
        return order * pair.kappa
    if isinstance(pair, DiscreteGaussian) and order == 1:
        # P is symmetric around 0, the loss is (d^2 - 2 d x)/(2 sigma^2)
        return pair.kappa
    try:
        return by_cases(pair.constraints(), lambda cell: _cumulant(pair, order, cell))
    except Unsupported as problem:
        raise Unsupported(f"the loss class of {pair!r} has no closed form here ({problem}); "
                          "loss_class.at(digits), or --digits, gives the numbers of subsampled "
                          "pairs and of discrete Gaussians") from problem


def _cumulant(pair: Pair, order: int, cell: Cell) -> Any:
    loss = pair.model_in(cell).loss
    mass = bilateral(loss, ZERO, cell)
    if not cell.nonzero(mass):
        return sp.Integer(0)
    z = Exact.term(1, 0, 1)
    first = multiply(loss, z, cell)
    mean = bilateral(first, ZERO, cell) / mass
    if order == 1:
        return _shorter(mean)
    return _shorter(bilateral(multiply(first, z, cell), ZERO, cell) / mass - mean * mean)


def _shorter(x: Scalar) -> Any:
    """As a fraction or as a sum, whichever is shorter."""
    found = x.to_sympy()
    return min(found, sp.expand(found), key=sp.count_ops)


def _cube(c: Any) -> Exact:
    """(t - c)^3."""
    middle = to_scalar(c)
    return (Exact.term(1, 0, 3) + Exact.term(middle * -3, 0, 2)
            + Exact.term(middle * middle * 3, 0, 1) + Exact.term(middle**3 * -1))


__all__ = ["ClassNumbers", "LossClass", "factor_cumulant"]
