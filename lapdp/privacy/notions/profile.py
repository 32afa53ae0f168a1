"""The privacy profile of a pair, Chourasia et al. 2024, equation (6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp

from lapdp.calculus.export import Piece, pieces, single_case
from lapdp.privacy.notions.notion import Notion

if TYPE_CHECKING:
    from lapdp.balls.decimals import Enclosure
    from lapdp.privacy.notions.summands import Summand


@dataclass(frozen=True, repr=False)
class PrivacyProfile(Notion):
    """delta(t) = sup over events S of P(S) - e^t Q(S), a function of every real t.

    Called with an exact number, a parameter or an expression it gives the exact value there, with a
    new symbol (default ``t``) an expression with its breakpoints.  Raises :class:`InputError` for
    floats, :class:`Unsupported` where no closed form is reached.

    >>> import sympy as sp
    >>> from lapdp import randomized_response
    >>> profile = randomized_response(sp.log(3)).profile
    >>> profile()
    Piecewise((1 - exp(t), t < -log(3)), (3/4 - exp(t)/4, t < log(3)), (0, True))
    >>> profile(0), profile
    (1/2, randomized_response(log(3), 0).profile)
    """

    name: ClassVar[str] = "profile"
    letter: ClassVar[str] = "t"
    title: ClassVar[str] = "privacy profile"
    sign: ClassVar[str] = "\\delta"

    def __call__(self, t: Any = None) -> Any:
        """delta(t)."""
        return self.pair.profile_value(self.pair.variable(self.letter, t))

    @staticmethod
    def of(expression: Any, t: Any, where: Sequence[Any] = ()) -> PrivacyProfile:
        """The profile that an expression in ``t`` is, as the profile of a :class:`Law`.

        Arguments: a piecewise sum of c t^n e^(a t) on the whole line; ``where``, inequalities
        between parameters.  Raises :class:`InputError` unless for all parameters it is continuous,
        convex in e^t, between max(0, 1 - e^t) and 1 with limit 1 at -oo: that is, unless
        delta'' - delta' is a measure, delta(oo) >= 0 and e^-t (delta - 1 + e^t) tends to a number
        >= 0 as t -> -oo.  :class:`Unsupported` outside the exact class.

        >>> import sympy as sp
        >>> t = sp.Symbol("t", real=True)
        >>> given = PrivacyProfile.of(sp.Max(1 - sp.exp(t), sp.Rational(1, 2)), t)
        >>> given.limits, given.kinks
        ((1, 1/2), (-log(2),))
        >>> given.pair
        law({-log(2): Rational(1, 2)}, mass_at_infinity=Rational(1, 2))
        >>> PrivacyProfile.of(sp.Min(1, sp.exp(-t)), t)
        Traceback (most recent call last):
        lapdp.core.errors.InputError: no privacy profile, which is convex in e^t: the mass -1 ...
        """
        from lapdp.privacy.notions.given import from_profile

        return from_profile(expression, t, where).profile

    @property
    def limits(self) -> tuple[Any, Any]:
        """The limits at -oo and at oo: 1 and Pr[Z = oo]."""
        return sp.Integer(1), self.pair.infinite_mass()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The profile between its breakpoints, from left to right, in the variable ``t``.

        Raises :class:`Unsupported` where their order depends on the parameters.

        >>> from lapdp import randomized_response
        >>> import sympy as sp
        >>> randomized_response(sp.log(3)).profile.pieces[1]
        Piece(lower=-log(3), upper=log(3), expression=3/4 - exp(t)/4)
        """
        t = self.pair.variable(self.letter)
        found: list[Piece] = single_case(
            self.pair.constraints(),
            lambda cell: pieces(self.pair.model_in(cell).profile(cell), t, cell),
            "the order of the pieces")
        return tuple(found)

    @property
    def kinks(self) -> tuple[Any, ...]:
        """The points between pieces: ends of the density of the loss, and its atoms, which are the
        points where the slope jumps."""
        return tuple(piece.upper for piece in self.pieces[:-1])

    @property
    def plateau(self) -> Any:
        """The t from which on the profile is constant, oo where it falls for ever.

        As a convex function of e^t it can be constant at its right end only.

        >>> from lapdp import exponential, laplace
        >>> laplace(1).profile.plateau, exponential(1, 2).profile.plateau
        (1, oo)
        """
        last = self.pieces[-1]
        return sp.oo if last.expression.has(self.pair.variable(self.letter)) else last.lower

    def summands(self, t: Any = None) -> tuple[Summand, ...]:
        """The closed form as a sum over breakpoints c, of ``before`` for t < c and ``after`` from c
        on, and Pr[Z = oo].

        For products it is far shorter than the pieces, which repeat each summand on every interval.
        Raises :class:`Unsupported` outside the exact class, for exponents that are not rational,
        and where the order of the breakpoints depends on the parameters.

        >>> from lapdp import laplace
        >>> for summand in (laplace(1) ** 2).profile.summands():
        ...     print(summand.breakpoint, summand.before, summand.after, sep="; ")
        -2; ((4*t + 24)*exp(t/2 + 1) - 16*exp(t + 2))*exp(-2)/16; 0
        0; -t*exp(-1)*exp(t/2)/2; 0
        2; (4*t - 24)*exp(t/2 - 1)/16 + 1; 0
        """
        from lapdp.privacy.notions import summands

        x = self.pair.variable(self.letter, t)
        found: tuple[Summand, ...] = single_case(
            self.pair.constraints(),
            lambda cell: summands.summands(self.pair.model_in(cell), x, cell),
            "the order of the breakpoints")
        return found

    def at(self, t: Any, digits: int = 30) -> Enclosure:
        """delta(t) at an exact number to ``digits`` relative digits, with a proved error bound.

        However small the value is; for products of hundreds of factors as well.  The pair must be
        without symbols.  Raises :class:`InputError` for floats and symbols, :class:`Unsupported`
        where no closed form is reached.

        >>> from lapdp import laplace
        >>> print((laplace(1) ** 100).profile.at(90, digits=20))
        9.09076884880700653341e-16 +/- 5.01e-37
        >>> print(laplace(1).profile.at(1))
        0
        """
        from lapdp.balls.decimals import certified
        from lapdp.privacy.ball_values import Point

        point = Point.of(self.letter, t)
        return certified(lambda bits: self.pair.profile_ball(point.exact), digits)


__all__ = ["PrivacyProfile"]
