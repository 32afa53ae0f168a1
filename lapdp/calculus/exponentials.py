"""Exponential polynomials f(t) = sum c t^n e^(a t) with real a and c: balls, tails, factors.

Coefficients are field elements without parameters.  One that is not the zero element may still be a
number that is 0; where its sign matters balls must tell, or :class:`Unsupported` is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import sympy as sp
from flint import arb, ctx, fmpq

from lapdp.calculus.enclose import enclose, sign_of_number
from lapdp.calculus.exact import Exact, Terms, _put
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.sums import LONG, joint_degree
from lapdp.calculus.zeros import Point, Smooth
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workprec

_T = sp.Dummy("t", real=True)
_FAR = 400
MAX_FACTORED = 64
"""Terms of a sum that is factored."""


class Exponentials:
    """A sum of c t^n e^(a t), not identically zero.

    >>> from lapdp.calculus.exact import Exact
    >>> f = Exponentials((Exact.term(1, 1) - Exact.term(2)).germ)   # e^t - 2
    >>> f.exact_zero(), f.tail(-1)[1]
    (log(2), -1)
    """

    orders: ClassVar[int] = 1000

    def __init__(self, terms: Terms) -> None:
        for (a, _), c in terms.items():
            if c.parameters() or Scalar.of(a).parameters():
                raise Unsupported("the sign of a function with parameters")
            if not (c.is_real() and Scalar.of(a).is_real()):
                raise Unsupported("the sign of a function that is not real")
        if not terms:
            raise Unsupported("a function that is 0 has no sign")
        self.terms = terms
        self._balls: dict[int, list[tuple[Any, list[tuple[int, Any]]]]] = {}

    # -- values ---------------------------------------------------------------------------------

    def ball(self, x: Any) -> Any:
        """A ball that contains f on the ball ``x``."""
        if ctx.prec not in self._balls:
            self._balls[ctx.prec] = self._prepared()
        total = arb(0)
        for a, terms in self._balls[ctx.prec]:
            part = arb(0)
            for n, c in terms:
                part += c * x**n if n else c
            total += part * (a * x).exp() if a is not None else part
        return total

    def _prepared(self) -> list[tuple[Any, list[tuple[int, Any]]]]:
        groups: dict[Form, list[tuple[int, Any]]] = {}
        for (a, n), c in self.terms.items():
            groups.setdefault(a, []).append((n, enclose(c, {}).real))
        return [(enclose(a, {}).real if a else None, terms) for a, terms in groups.items()]

    @cached_property
    def _derivative(self) -> Smooth:
        found = Exact(dict(self.terms)).derivative().germ
        return Exponentials(found) if found else Constant(Fraction(0))

    def derivative(self) -> Smooth:
        """The derivative."""
        return self._derivative

    def vanishes(self, point: Point) -> bool:
        """Is the value the zero element?"""
        at = Form.of(point)
        total = Scalar.of(0)
        if joint_degree(self.terms.values(), (a * at for a, _ in self.terms)) > LONG:
            return False  # polynomials too long to add up
        try:
            for (a, n), c in self.terms.items():
                total = total + c * Scalar.of(at**n) * Scalar.exp(a * at)
        except Unsupported:
            return False
        return total.is_zero()

    # -- far away -------------------------------------------------------------------------------

    def tail(self, side: int) -> tuple[Fraction, int]:
        """From where on, on one side, the leading term exceeds all others together.

        With b > 0 the function t^k e^(-b t) falls from t = k/b on; for b = 0 and k < 0 it falls
        everywhere.  So the sum of the others over the leading term is largest at T.
        """
        if side < 0:
            T, sign = Exponentials({(-a, n): c * (-1) ** n for (a, n), c in self.terms.items()}
                                   ).tail(1)
            return -T, sign
        lead = self._leading()
        sign = sign_of_number(self.terms[lead])
        if not sign:
            raise Unsupported("the leading coefficient may be 0")
        for j in range(_FAR):
            T = 2**j
            with workprec(256 + 2 * j):
                if self._led_from(lead, T):
                    return Fraction(T), sign
        raise Unsupported("no term leads at infinity")

    def _leading(self) -> tuple[Form, int]:
        best = next(iter(self.terms))
        for key in self.terms:
            gap = sign_of_number(key[0] - best[0])
            if gap > 0 or (gap == 0 and key[1] > best[1]):
                best = key
        return best

    def _led_from(self, lead: tuple[Form, int], T: int) -> bool:
        a, n = lead
        rest = arb(0)
        for key, c in self.terms.items():
            if key == lead:
                continue
            b, k = enclose(a - key[0], {}).real, key[1] - n
            if key[0] == a:
                ratio = arb(T) ** k
            elif not b > 0 or (k > 0 and not b * T > k):
                return False
            else:
                ratio = arb(T) ** k * (-b * T).exp()
            rest += abs(enclose(c, {}).real) * ratio
        return bool(rest < abs(enclose(self.terms[lead], {}).real))

    # -- algebra --------------------------------------------------------------------------------

    def exact_zero(self) -> Form | None:
        """The zero of c0 e^(a t) + c1 e^(b t), of (c0 + c1 t) e^(a t), of t e^(a t)."""
        if [n for _, n in self.terms] == [1]:
            return Form({})
        if len(self.terms) != 2:
            return None
        ((a, n), c), ((b, m), d) = self.terms.items()
        try:
            if n == m == 0:
                return log_form(-d / c) * (a - b).inverse()
            if a == b and {n, m} == {0, 1}:
                return (-d / c if n else -c / d).as_form()
        except (Undefined, Unsupported):
            pass
        return None

    def parts(self) -> Sequence[tuple[Smooth, int]] | None:
        """Irreducible factors over the field with t and the exponentials as further generators."""
        if len(self.terms) > MAX_FACTORED:
            return None
        t = Form.atom(_T)
        total = Scalar.of(0)
        for (a, n), c in self.terms.items():
            total = total + c * Scalar.of(t**n) * Scalar.exp(a * t)
        found: list[tuple[Smooth, int]] = []
        for factor, power in total.numerator_factors():
            terms = _terms_in(factor)
            if len(terms) > 1 or any(n for _, n in terms):
                found.append((Exponentials(terms), power))
        if len(found) == 1 and found[0][1] == 1:
            return None
        return found


def _terms_in(factor: Scalar) -> Terms:
    """A polynomial in t and exponentials as a sum of c t^n e^(a t)."""
    terms: Terms = {}
    for c, log, rest, _ in factor.polynomial_terms(factor.num):
        slope = Form({tuple(x for x in m if x[0] is not _T): v for m, v in log.terms.items()
                      if any(x[0] is _T for x in m)})
        level = Form({m: v for m, v in log.terms.items() if not any(x[0] is _T for x in m)})
        ((monomial, v),) = rest.terms.items()
        n = dict(monomial).get(_T, 0)
        others = Form({tuple(x for x in monomial if x[0] is not _T): v})
        _put(terms, (slope, n), Scalar.of(others) * c * Scalar.exp(level))
    return terms


class Constant:
    """A constant function."""

    orders: ClassVar[int] = 0

    def __init__(self, value: Fraction) -> None:
        self.value = value

    def ball(self, x: Any) -> Any:
        """The constant."""
        return arb(fmpq(self.value.numerator, self.value.denominator))

    def derivative(self) -> Constant:
        """Zero."""
        return Constant(Fraction(0))

    def vanishes(self, point: Point) -> bool:
        """Is it 0?"""
        return self.value == 0

    def tail(self, side: int) -> tuple[Fraction, int]:
        """Its sign."""
        if not self.value:
            raise Unsupported("a function that is 0 has no sign")
        return Fraction(0), 1 if self.value > 0 else -1

    def parts(self) -> None:
        """None."""

    def exact_zero(self) -> Form | None:
        """None."""


__all__ = ["Constant", "Exponentials"]
