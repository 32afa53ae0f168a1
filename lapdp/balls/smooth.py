"""A SymPy expression in one real variable as a function whose zeros can be isolated."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import sympy as sp
from flint import acb, arb, ctx

from lapdp.balls.boxes import no_zero_beyond
from lapdp.balls.compiler import Code, compile_balls
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.form import Form, Named
from lapdp.calculus.zeros import Point, sign_at
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workprec

_LAST = 2**20


class Compiled:
    """An expression in ``t`` that is analytic where it is asked about; kinks are refused by balls.

    >>> t = sp.Symbol("t", real=True)
    >>> f = Compiled(sp.erfc(t) - sp.Rational(1, 10), t)
    >>> f.tail(1)
    (Fraction(2, 1), -1)
    """

    orders: ClassVar[int] = 8

    def __init__(self, expression: Any, t: Any) -> None:
        # a letter is its value again: balls need no field
        self.expression = expression.xreplace(
            {a: a.value for a in expression.atoms(Named)})
        self.t = t
        self._codes: dict[int, Code] = {}

    def ball(self, x: Any) -> Any:
        """A ball that contains f on the ball ``x``; not finite where f may not be analytic."""
        if ctx.prec not in self._codes:
            # compiled constants are balls of the precision of the moment
            self._codes[ctx.prec] = compile_balls(self.expression, {}, {self.t: False})
        code = self._codes[ctx.prec]
        try:
            z = code.run({self.t: acb(x)}, True)
        except Undefined:
            return arb.nan()
        return z.real if code.real or z.imag.contains(0) else arb.nan()

    @cached_property
    def _derivative(self) -> Compiled:
        return Compiled(sp.diff(self.expression, self.t), self.t)

    def derivative(self) -> Compiled:
        """The derivative."""
        return self._derivative

    def vanishes(self, point: Point) -> bool:
        """Is the value the zero element of the field, erfc at points being generators?"""
        try:
            at = self.expression.xreplace({self.t: Form.of(point).to_sympy()})
            return to_scalar(at).is_zero()
        except (Undefined, Unsupported):
            return False

    def tail(self, side: int) -> tuple[Fraction, int]:
        """From where on one term provably exceeds all others together."""
        far = sp.Dummy("t", positive=True)
        e = sp.expand(self.expression.xreplace({self.t: far if side > 0 else -far}))
        T = 2
        while T <= _LAST:
            with workprec(128):
                leads = no_zero_beyond(e, far, T)
            if leads:
                return Fraction(side * T), sign_at(self, Fraction(side * T))
            T *= 2
        raise Unsupported("no term leads at infinity")

    def parts(self) -> None:
        """None: no factors are known."""

    def exact_zero(self) -> Form | None:
        """None."""


__all__ = ["Compiled"]
