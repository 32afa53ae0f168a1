"""The trade-off function of a pair, Chourasia et al. 2024, equation (11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp

from lapdp.calculus.export import by_cases, single_case
from lapdp.calculus.field import Scalar
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.notions.notion import Notion

if TYPE_CHECKING:
    from lapdp.balls.decimals import Enclosure
    from lapdp.privacy.tradeoff import Curve

Point = tuple[Any, Any]


@dataclass(frozen=True, repr=False)
class TradeOff(Notion):
    """f_{P|Q}(a): the least error 1 - E_Q[phi] of tests phi with E_P[phi] <= a, for a in [0, 1].

    Called with an exact number it gives the value, with a new symbol (default ``a``) an expression.
    Raises :class:`InputError` for numbers outside [0, 1] and floats, :class:`Unsupported` where no
    closed form is reached; :meth:`parametrised` has one for every pair whose loss has.

    >>> import sympy as sp
    >>> from lapdp import laplace, randomized_response
    >>> randomized_response(sp.log(3)).tradeoff()
    Piecewise((1 - 3*a, a <= 1/4), (1/3 - a/3, a <= 1), (0, True))
    >>> laplace(1).tradeoff("1/4")
    exp(-1)
    """

    name: ClassVar[str] = "tradeoff"
    letter: ClassVar[str] = "a"
    title: ClassVar[str] = "trade-off function"
    sign: ClassVar[str] = "f"

    def __call__(self, a: Any = None, digits: int | None = None) -> Any:
        """f(a); with ``digits``, an :class:`lapdp.accounting.answers.Answer` at an exact level."""
        if digits is not None:
            from lapdp.accounting.notions import tradeoff

            return tradeoff(self.pair, a, digits)
        return self.pair.tradeoff_value(self.pair.variable(self.letter, a))

    def domain(self, x: Any) -> Any:
        """The levels."""
        return sp.And(sp.Ge(x, 0), sp.Le(x, 1))

    def at(self, a: Any, digits: int = 30) -> Enclosure:
        """f(a) with a proved error bound, to ``digits`` relative digits, also without closed form.

        The bounds come from the profile alone: every tangent of it is a lower bound of f(a), and
        chords on both sides of the best one bound f(a) from above.  Raises :class:`InputError` for
        levels outside [0, 1] and pairs with symbols.

        >>> from lapdp import laplace
        >>> print((laplace(1)**10).tradeoff.at("1/3", digits=15))
        0.01010081706256122 +/- 5.05e-18
        """
        from lapdp.privacy.notions.tradeoff_at import tradeoff_at

        return tradeoff_at(self.pair, self.pair.variable("a", a), digits)

    def parametrised(self, t: Any = None) -> tuple[Any, Any]:
        """(level, error) of the test that decides for Q where the loss is below t.

        They are Pr_P[Z < t] and Pr_Q[Z >= t] with Z = log(P/Q); all points (a, f(a)) arise so, up
        to chords at the atoms of Z, and the tangent there has slope -e^-t.  Closed for every pair
        whose loss is, also where no function of the level is.

        >>> from lapdp import gaussian, laplace
        >>> gaussian(1).tradeoff.parametrised(0)
        (erfc(sqrt(2)/4)/2, erfc(sqrt(2)/4)/2)
        >>> (laplace(1)**3).tradeoff.parametrised(-3)
        (0, 1)
        """
        from lapdp.privacy.notions.tradeoff_curves import parametrised

        return parametrised(self.pair, self.pair.variable("t", t))

    # -- made from a curve ----------------------------------------------------------------------

    @staticmethod
    def of(expr: Any, a: Any) -> TradeOff:
        """The trade-off function with the expression ``expr`` in ``a`` on [0, 1], of a pair.

        Reads pieces c, c (A + B a)^r, c log(A + B a) and c e^(B a) plus constants, and Gaussian
        curves as they are printed here.  Raises :class:`InputError` for what is no trade-off
        function, naming what is violated, :class:`Unsupported` for other expressions.

        >>> import sympy as sp
        >>> a = sp.Symbol("a", real=True)
        >>> f = TradeOff.of((1 - a)**2, a)
        >>> f.pair.profile(0), f.inverse()()
        (1/4, Piecewise((1 - sqrt(a), a <= 1), (0, True)))
        >>> TradeOff.of(1 - a**2, a)
        Traceback (most recent call last):
        lapdp.core.errors.InputError: a trade-off function is convex: it is not on (0, 1)
        """
        from lapdp.privacy.duality.smooth import pair_of_expression

        return TradeOff(pair_of_expression(expr, a))

    @staticmethod
    def from_vertices(points: Iterable[Any]) -> TradeOff:
        """The piecewise linear trade-off function with vertices (level, error), of a pair of atoms.

        Raises :class:`InputError` where they are those of no trade-off function, naming what is
        violated: values in [0, 1], at most 1 - a, non-increasing, convex (Dong, Roth, Su 2022,
        Proposition 2.2).

        >>> f = TradeOff.from_vertices([(0, "3/4"), ("1/4", "1/4"), (1, 0)])
        >>> f, f.vertices
        (finite([0, "1/4", "3/4"], ["1/4", "1/2", "1/4"]).tradeoff, ((0, 3/4), (1/4, 1/4), (1, 0)))
        >>> TradeOff.from_vertices([(0, 1), ("1/2", "3/4"), (1, 0)])
        Traceback (most recent call last):
        lapdp.core.errors.InputError: a trade-off function is at most 1 - a: the value at 1/2 is 3/4
        """
        from lapdp.privacy.duality.atoms import pair_with_tradeoff

        return TradeOff(pair_with_tradeoff(points))

    # -- readings -------------------------------------------------------------------------------

    @property
    def vertices(self) -> tuple[Point, ...]:
        """(level, error) at the vertices, for a pair of atoms; parameters are allowed.

        Raises :class:`Unsupported` for a pair with densities and where the order of the losses
        depends on the parameters.

        >>> import sympy as sp
        >>> from lapdp import randomized_response
        >>> randomized_response(sp.log(3)).tradeoff.vertices
        ((0, 1), (1/4, 1/4), (1, 0))
        """
        points = single_case(self.pair.constraints(), self._vertices, "the order of the losses")
        return tuple((a.to_sympy(), y.to_sympy()) for a, y in points)

    def _vertices(self, cell: Any) -> list[tuple[Scalar, Scalar]]:
        from lapdp.privacy.notions.tradeoff_curves import steps

        model = self.pair.model_in(cell)
        level, missed = Scalar.of(0), 1 - model.q_infinite
        found = [(level, missed)]
        for step in steps(model, cell):
            if step.terms is not None:
                raise Unsupported("a trade-off function of a pair with densities has no vertices")
            level, missed = level + step.gained, missed - step.lost
            found.append((level, missed))
        if not model.p_infinite.is_zero():
            found.append((Scalar.of(1), Scalar.of(0)))
        return found

    @property
    def curve(self) -> Curve:
        """The curve in Fractions, for a pair of atoms with rational masses.

        >>> from lapdp import finite
        >>> str(finite(["1/2", "1/2"], [1, 0]).tradeoff.curve(Fraction(1, 4)))
        '1/2'
        """
        from lapdp.privacy.tradeoff import Curve

        found = self.vertices
        if not all(x.is_Rational for point in found for x in point):
            raise Unsupported("the vertices are no rational numbers: use vertices")
        return Curve(tuple((Fraction(int(a.p), int(a.q)), Fraction(int(y.p), int(y.q)))
                           for a, y in found))

    @property
    def at_zero(self) -> Any:
        """f(0), the Q-mass of the outcomes that P has, too: 1 - Pr[Z' = oo].

        >>> from lapdp import randomized_response
        >>> randomized_response(1, "1/10").tradeoff.at_zero
        9/10
        """
        return by_cases(self.pair.constraints(),
                        lambda cell: (1 - self.pair.infinite_masses(cell)[1]).to_sympy())

    @property
    def zero_from(self) -> Any:
        """The least level at which f is 0: the P-mass of the outcomes that Q has, 1 - Pr[Z = oo].

        >>> from lapdp import finite
        >>> finite(["1/4", "3/4"], [1, 0]).tradeoff.zero_from
        1/4
        """
        return 1 - self.pair.infinite_mass()

    @property
    def is_symmetric(self) -> bool:
        """Is f its own inverse, so that both directions of the pair have one profile?

        Raises :class:`Unsupported` where neither is proved.

        >>> from lapdp import exponential, laplace
        >>> laplace(1).tradeoff.is_symmetric, exponential(1, 2).tradeoff.is_symmetric
        (True, False)
        """
        from lapdp.privacy.notions.tradeoff_order import same_both_ways

        return same_both_ways(self.pair)

    def at_most(self, other: TradeOff) -> bool:
        """Is this function nowhere above the other?  It then belongs to a profile nowhere below.

        Exact.  One of the two must belong to a pair of atoms, the other may have densities.

        >>> from lapdp import randomized_response
        >>> strong, weak = randomized_response(1).tradeoff, randomized_response(2).tradeoff
        >>> weak.at_most(strong), strong.at_most(weak)
        (True, False)
        """
        from lapdp.privacy.notions.tradeoff_order import at_most

        if not isinstance(other, TradeOff):
            raise InputError("compare a trade-off function with a trade-off function")
        return at_most(self, other)

    # -- operations -----------------------------------------------------------------------------

    def inverse(self) -> TradeOff:
        """The left-continuous inverse, f_{Q|P}, equation (12).

        >>> from lapdp import exponential
        >>> exponential(1, 2).tradeoff.inverse()()
        Piecewise((1 - sqrt(a), a <= 1), (0, True))
        """
        return self.reverse()

    def symmetrised(self, kind: str) -> TradeOff:
        """A symmetric trade-off function, for a relation of neighbours that is symmetric.

        ``kind="min"`` is min(f, f^-1)**, the largest convex function below both directions: the
        worst case over them, as in the operator C_p of Dong, Roth, Su 2022, Theorem 4.2.
        ``kind="max"`` is max(f, f^-1): what follows where f bounds both directions (their
        Proposition 2.4); for a pair of atoms only.

        >>> from lapdp import finite
        >>> f = finite(["1/2", "1/2"], ["1/4", "3/4"]).tradeoff
        >>> f.vertices, f.symmetrised("min").vertices
        (((0, 1), (1/2, 1/4), (1, 0)), ((0, 1), (1/4, 1/2), (1/2, 1/4), (1, 0)))
        >>> f.symmetrised("max").vertices
        ((0, 1), (2/5, 2/5), (1, 0))
        """
        from lapdp.privacy.duality import lines, supremum
        from lapdp.privacy.duality.atoms import exact_points, pair_of_masses
        from lapdp.privacy.duality.vertices import masses_of_tradeoff

        if kind not in ("min", "max"):
            raise InputError(f"kind = {str(kind)[:40]!r} must be 'min' or 'max'")
        if kind == "min":
            return TradeOff(supremum.worst_case(self.pair))
        if self.is_symmetric:
            return self
        first, second = self.vertices, self.inverse().vertices
        points, sign = exact_points("vertices", [*first, *second])
        top = lines.largest(points[:len(first)], points[len(first):], sign)
        if sign(top[-1][0] - 1) < 0:
            top = (*top, points[-1])
        return TradeOff(pair_of_masses(masses_of_tradeoff(top, sign)))

    def product(self, other: TradeOff) -> TradeOff:
        """That of the product pair, the tensor product of Dong, Roth, Su 2022, Definition 3.1.

        >>> from lapdp import gaussian
        >>> gaussian(1).tradeoff.product(gaussian(1).tradeoff)
        gaussian(1, sqrt(2)).tradeoff
        """
        if not isinstance(other, TradeOff):
            raise InputError(f"{str(other)[:40]} is no trade-off function")
        return TradeOff(self.pair * other.pair)

    def conjugate(self) -> tuple[Point, ...]:
        """The vertices (x, delta(log x)) of the profile over x = e^eps, for a pair of atoms.

        Computed from the vertices of f by duality, which holds in
        both directions; after the last vertex the profile is constant.

        >>> import sympy as sp
        >>> from lapdp import randomized_response
        >>> randomized_response(sp.log(3)).tradeoff.conjugate()
        ((0, 1), (1/3, 2/3), (3, 0))
        """
        from lapdp.privacy.duality import vertices

        points = single_case(self.pair.constraints(), self._vertices, "the order of the losses")
        # between vertices the error falls strictly, the last stretch of P-mass alone left out
        found = vertices.to_profile(points, lambda x: 0 if x.is_zero() else 1)
        return tuple((Scalar.of(x).to_sympy(), Scalar.of(h).to_sympy()) for x, h in found)


__all__ = ["TradeOff"]
