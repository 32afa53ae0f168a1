"""The moment E_q of a pair and its Renyi divergence, Chourasia et al. 2024, equation (8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp

from lapdp.calculus.region import Region
from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy.notions.notion import Notion

if TYPE_CHECKING:
    from lapdp.accounting.answers import Answer
    from lapdp.balls.decimals import Enclosure
    from lapdp.privacy.pair import Pair


@dataclass(frozen=True, repr=False)
class Moment(Notion):
    """E_q, the integral of P^q Q^(1-q), at orders q that may be complex.

    Called with an exact number it gives the exact value (0^0 = 1), ``oo`` where it diverges at real
    q; with a symbol an expression that holds for q in :attr:`region`.  Raises :class:`Undefined` at
    complex orders where the integral diverges.

    >>> import sympy as sp
    >>> from lapdp import exponential, randomized_response
    >>> randomized_response(sp.log(3)).moment(2)
    7/3
    >>> E = exponential(1, 2).moment
    >>> E(2), E(sp.Symbol("q")), str(E.region)
    (oo, 2*exp(-q*log(2))/(2 - q), 'Re s < 2')
    """

    name: ClassVar[str] = "moment"
    letter: ClassVar[str] = "q"
    title: ClassVar[str] = "moment E_q"
    sign: ClassVar[str] = "E"

    def __call__(self, q: Any = None, digits: int | None = None) -> Any:
        """E_q; with ``digits``, an :class:`lapdp.accounting.answers.Answer` at a real order.

        Of a finite pair at a whole order it is a :class:`fractions.Fraction`, else of SymPy, ``oo``
        where E_q is infinite: ``float`` takes all of them, ``sympy.sympify`` makes them one type.

        >>> from lapdp import finite, laplace, randomized_response
        >>> tried = finite(["1/2", "1/2"], ["1/4", "3/4"]), laplace(1), randomized_response(1, ".1")
        >>> [f"{float(m.moment(2)):.4f}" for m in tried]
        ['1.3333', '1.8573', 'inf']
        """
        if digits is not None:
            from lapdp.accounting.notions import moment

            return moment(self.pair, q, digits)
        return self.pair.moment_value(self.pair.variable(self.letter) if q is None else q)

    @staticmethod
    def of(expression: Any, q: Any, strip: Sequence[Any] = (0, 1), where: Sequence[Any] = ()
           ) -> Moment:
        """The moment that an expression in ``q`` is on a strip a < Re q < b, by residues.

        Sums of e^(c q) times rational functions of q, with poles that are rational in the
        parameters.  Every pair has its E_q on 0 < Re q < 1, which tells all: the limits at q = 1
        and q = 0 are 1 - Pr[Z = oo] and 1 minus the mass of Q where P has none.  A strip that
        reaches beyond 1 says in addition that there is no such mass of P, one that reaches beyond 0
        that there is none of Q.  The same expression on two strips is two functions.

        Raises :class:`InputError` unless it is analytic on the strip and the inverse there is a
        privacy loss for all parameters; :class:`Unsupported` outside the exact class.

        >>> import sympy as sp
        >>> q = sp.Symbol("q")
        >>> Moment.of(1/(2 - q), q).loss.density()
        Piecewise((0, z < 0), (exp(-z), True))
        >>> Moment.of(1/(2 - q), q, strip=(2, 3))
        Traceback (most recent call last):
        lapdp.core.errors.InputError: no moment of a pair: E_1 would be infinite
        >>> Moment.of(sp.Rational(9, 10), q).loss.mass_at_infinity
        1/10
        >>> Moment.of(sp.Rational(9, 10), q, strip=(0, 2))
        Traceback (most recent call last):
        lapdp.core.errors.InputError: E_1 = 9/10, not 1, though the strip 0 < Re q < 2 reaches ...
        """
        from lapdp.privacy.notions.given import from_moment

        return from_moment(expression, q, strip, where).moment

    def at(self, q: Any, digits: int = 30) -> Enclosure:
        """E_q at an exact real order to ``digits`` relative digits, with a proved error bound.

        The pair must be without symbols.  Raises :class:`Undefined` where E_q is infinite,
        :class:`InputError` for floats, symbols and complex orders.

        >>> from lapdp import laplace
        >>> print((laplace(1) ** 100).moment.at(3, digits=15))
        7.390402967104577e64 +/- 5.01e48
        """
        from lapdp.accounting.notions import moment

        return _finite(moment(self.pair, q, digits), f"E_q is infinite at q = {q}")

    @property
    def region(self) -> Region:
        """The open strip of orders on which the expression holds."""
        return self.pair.moment_region()

    def curves(self) -> dict[str, Any]:
        """E_q; where 0 or 1 is an edge of the strip, its value there."""
        value, q = self.value(), self.pair.variable(self.letter)
        try:
            edges = [(sp.S.One, sp.Eq(q, edge)) for edge in _sure(self.region)]
        except Unsupported:
            edges = []
        if edges:
            inner = value.args if isinstance(value, sp.Piecewise) else [(value, sp.true)]
            value = sp.Piecewise(*edges, *inner, evaluate=False)
        return {self.name: value}

    def domain(self, x: Any) -> Any:
        """The strip :attr:`region`, with its edges at 0 and 1."""
        return _strip(self.pair, x, closed=True)


@dataclass(frozen=True, repr=False)
class RenyiDivergence(Notion):
    """R_q = log(E_q)/(q - 1), with the principal branch of the logarithm.

    Raises :class:`Undefined` at q = 1, and for pairs without symbols at exact orders where E_q is 0
    or oo.

    >>> import sympy as sp
    >>> from lapdp import gaussian
    >>> gaussian(1).renyi(sp.Symbol("q", real=True))
    q/2
    """

    name: ClassVar[str] = "renyi"
    letter: ClassVar[str] = "q"
    title: ClassVar[str] = "Renyi divergence"
    sign: ClassVar[str] = "R"

    def __call__(self, q: Any = None, digits: int | None = None) -> Any:
        """R_q; with ``digits``, an :class:`lapdp.accounting.answers.Answer` at a real order.

        Then q = 1 and q = oo are orders too: E[Z] and the largest loss, the limits of R_q.
        """
        if digits is not None:
            from lapdp.accounting.notions import renyi

            return renyi(self.pair, q, digits)
        return self.pair.renyi_value(self.pair.variable(self.letter) if q is None else q)

    def at(self, q: Any, digits: int = 30) -> Enclosure:
        """R_q at an exact real order or ``oo``, to ``digits`` relative digits, with a proved bound.

        The pair must be without symbols.  Raises :class:`Undefined` where R_q is infinite,
        :class:`InputError` for floats, symbols and complex orders.

        >>> from lapdp import laplace
        >>> print((laplace(1) ** 100).renyi.at("7/2", digits=15))
        78.51089883931565 +/- 5.01e-15
        """
        from lapdp.accounting.notions import renyi

        return _finite(renyi(self.pair, q, digits), f"R_q is infinite at q = {q}")

    def domain(self, x: Any) -> Any:
        """Orders other than 1 in the strip of the moment."""
        return sp.And(sp.Ne(x, 1), _strip(self.pair, x, closed=False))


def _finite(answer: Answer, otherwise: str) -> Enclosure:
    if answer.enclosure is None:
        raise Undefined(otherwise)
    return answer.enclosure


def _strip(pair: Pair, x: Any, closed: bool) -> Any:
    """The region of E_q as a condition; nothing is said where its edges depend on symbols.

    Closed, it has those of its edges that are 0 or 1.
    """
    try:
        region = pair.moment_region()
    except Unsupported:
        return sp.true
    if region.empty:
        return sp.false
    # the variable is real, its values need not be
    part = sp.re(x, evaluate=False)
    inside = sp.And(*([] if region.lower is None else [sp.Gt(part, region.lower.to_sympy())]),
                    *([] if region.upper is None else [sp.Lt(part, region.upper.to_sympy())]))
    return sp.Or(inside, *(sp.Eq(x, edge) for edge in (_sure(region) if closed else ())))


def _sure(region: Region) -> list[int]:
    """Edges at orders where E_q is 1 for every pair."""
    return [edge for edge, end in ((0, region.lower), (1, region.upper))
            if end is not None and end.constant() == edge]


__all__ = ["Moment", "RenyiDivergence"]
