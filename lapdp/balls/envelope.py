"""Proved bounds of a function on [T, oo): sums of C t^n exp(b t + a t^2).

:class:`Envelope` walks an expression and bounds its modulus for all real t >= T by the triangle
inequality; what it cannot bound is :class:`Unsupported`.  It knows powers and exponentials;
:class:`lapdp.balls.bounds.Bounds` knows the special functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import arb
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from lapdp.balls.compiler import compile_balls
from lapdp.core.errors import Undefined, Unsupported

ZERO, ONE = arb(0), arb(1)
_MANY = 200
_POWER = 12


class TooEarly(Unsupported):
    """The bound may hold for a larger T."""


class NoDecay(Unsupported):
    """No decay at infinity can be proved: the integral may diverge."""


@dataclass(frozen=True)
class Term:
    """c t^n exp(b t + a t^2): an upper bound, or with ``exact`` the modulus itself."""

    c: Any
    n: Any = ZERO
    b: Any = ZERO
    a: Any = ZERO
    exact: bool = False

    def times(self, other: Term) -> Term:
        """Product of two bounds."""
        return Term(self.c * other.c, self.n + other.n, self.b + other.b, self.a + other.a,
                    self.exact and other.exact)

    def power(self, p: Any) -> Term:
        """Bound of the p-th power, p real; for p < 0 ``self`` must be a lower bound."""
        c = ONE if p.is_zero() else (ZERO if self.c.is_zero() else self.c ** p)
        return Term(c, self.n * p, self.b * p, self.a * p, self.exact)

    def above(self) -> Term:
        """The same with exact numbers, rounded up."""
        return Term(self.c.upper(), self.n.upper(), self.b.upper(), self.a.upper())

    def below(self) -> Term:
        """The same with exact numbers, rounded down."""
        return Term(self.c.lower(), self.n.lower(), self.b.lower(), self.a.lower())

    def at(self, t: Any) -> Any:
        """Value at t."""
        return self.c * t**self.n * (self.b * t + self.a * t * t).exp()

    def falls(self, T: Any) -> bool:
        """Is it provably non-increasing on [T, oo)?"""
        slope = (ZERO if self.n <= 0 else self.n) / T + self.b + 2 * self.a * T
        return bool(self.a <= 0 and slope <= 0)

    def vanishes(self, T: Any) -> bool:
        """Is it non-increasing on [T, oo) with limit 0 by an exponential or power factor?"""
        return self.falls(T) and bool(self.a < 0 or self.b < 0 or self.n < 0)

    def over(self, other: Term) -> Term:
        """Quotient."""
        return Term(self.c / other.c, self.n - other.n, self.b - other.b, self.a - other.a)


class Envelope:
    """Bounds for real t >= T (T >= 1) at the precision of the moment.

    ``t`` must be the only free symbol of what is bounded.

    >>> t = sp.Symbol("t", positive=True)
    >>> [term] = Envelope(t, 2).terms(3 * t * sp.exp(-t**2))
    >>> term.a, term.b, term.n, term.c
    (-1.00000000000000, 0, 1.00000000000000, 3.00000000000000)
    """

    def __init__(self, t: Any, T: Any) -> None:
        self.t, self.T = t, arb(T)

    def terms(self, e: Any) -> list[Term]:
        """Bounds whose sum bounds |e|."""
        if not e.has(self.t):
            return [Term(abs(self.constant(e)), exact=True)]
        if e == self.t:
            return [Term(ONE, ONE, exact=True)]
        if isinstance(e, sp.Add):
            return [x for a in e.args for x in self.terms(a)]
        if isinstance(e, sp.Mul):
            out = [Term(ONE, exact=True)]
            for factor in e.args:
                more = self.terms(factor)
                out = [x.times(y) for x in out for y in more]
                if len(out) > _MANY:
                    raise Unsupported("too many terms to bound")
            return out
        if isinstance(e, sp.exp):
            return [self.exponential(e.args[0])]
        if isinstance(e, sp.Pow):
            return self._power(e.base, e.exp)
        return self.special(e)

    def special(self, e: Any) -> list[Term]:
        """Bounds of a function application."""
        raise Unsupported(f"no bound of {type(e).__name__} at infinity")

    def upper(self, e: Any) -> Term:
        """One term that bounds |e|."""
        return self.merge(self.terms(e))

    def merge(self, terms: list[Term]) -> Term:
        """One term above a sum."""
        terms = [x.above() for x in terms if not x.c.is_zero()]
        if not terms:
            return Term(ZERO)
        for x in terms:
            ratios = [y.over(x) for y in terms if y is not x]
            if all(r.falls(self.T) for r in ratios):
                return Term(sum((r.at(self.T) for r in ratios), ONE) * x.c, x.n, x.b, x.a).above()
        raise TooEarly("no term dominates the others yet")

    def lower(self, e: Any) -> Term:
        """A term below |e| with positive constant: proves that e has no zero on [T, oo)."""
        if not e.has(self.t) or e == self.t or isinstance(e, sp.exp):
            [x] = self.terms(e)
            if x.exact and x.c > 0:
                return x
        elif isinstance(e, sp.Mul):
            out = Term(ONE, exact=True)
            for factor in e.args:
                out = out.times(self.lower(factor))
            return out
        elif isinstance(e, sp.Pow) and not e.exp.has(self.t):
            p = self.constant(e.exp)
            if p.imag.is_zero() and (p.real > 0 or p.real < 0):
                return (self.lower(e.base) if p.real > 0 else self.upper(e.base)).power(p.real)
        elif isinstance(e, sp.Add):
            return self._lower_sum(e.args)
        elif isinstance(e, HyperbolicFunction):
            return self.lower(sp.expand(e.rewrite(sp.exp)))
        raise TooEarly(f"{type(e).__name__} is not bounded away from 0")

    def _lower_sum(self, args: Any) -> Term:
        """One summand, less the others."""
        for i, leader in enumerate(args):
            try:
                low = self.lower(leader).below()
                others = [x.above() for j, e in enumerate(args) if j != i for x in self.terms(e)]
            except TooEarly:
                continue
            ratios = [y.over(low) for y in others]
            if low.c > 0 and all(r.falls(self.T) for r in ratios):
                rest = 1 - sum((r.at(self.T) for r in ratios), ZERO)
                if rest > 0:
                    return Term(low.c * rest.lower(), low.n, low.b, low.a)
        raise TooEarly("no term of a sum dominates the others yet")

    def constant(self, e: Any) -> Any:
        """The ball of an expression without t."""
        z = compile_balls(e, {}).constant()
        if not z.is_finite():
            raise Unsupported("a constant without a finite ball")
        return z

    def real(self, e: Any) -> bool:
        """Is e visibly real for real t > 0?"""
        return self._flags(e)[0]

    def nonneg(self, e: Any) -> bool:
        """Is e visibly >= 0 on [T, oo)?  By structure, or a polynomial without zeros there."""
        real, nonneg = self._flags(e)
        if nonneg or not real or not e.is_polynomial(self.t):
            return nonneg
        try:
            self.lower(sp.expand(e))
        except TooEarly:
            return False
        return bool(compile_balls(e, {}, {self.t: True}).run({self.t: self.T}, False).real > 0)

    def _flags(self, e: Any) -> tuple[bool, bool]:
        try:
            code = compile_balls(e, {}, {self.t: True})
        except (Unsupported, Undefined):
            return False, False
        return code.real, code.nonneg

    def floor(self, e: Any) -> Any:
        """A positive number below e on [T, oo)."""
        low = self.lower(e).below()
        if not self.nonneg(e) or not (low.n >= 0 and low.b >= 0 and low.a >= 0):
            raise TooEarly("an argument without a positive lower bound")
        return low.at(self.T).lower()

    def _power(self, base: Any, exponent: Any) -> list[Term]:
        if exponent.has(self.t):
            return [self.exponential(sp.expand(exponent * sp.log(base)))]
        p = self.constant(exponent)
        if isinstance(exponent, sp.Integer) and 0 < exponent <= _POWER:
            terms = self.terms(base)
            if len(terms) == 1:
                return [terms[0].power(arb(int(exponent)))]
        if base == self.t:
            x = Term(ONE, ONE, exact=True)
        elif p.real >= 0:
            x = self.upper(base)
        elif p.real < 0:
            x = self.lower(base)
        else:
            raise Unsupported("an exponent whose sign is not decided")
        x = x.power(p.real)
        twist = (arb.pi() * abs(p.imag)).exp()  # |z^p| = |z|^Re p exp(-Im p arg z)
        return [x if p.imag.is_zero() else Term(x.c * twist, x.n, x.b, x.a)]

    def exponential(self, g: Any) -> Term:
        """|exp(g)| = exp(Re g)."""
        out = Term(ONE, exact=True)
        for h in sp.Add.make_args(sp.expand(g)):
            out = out.times(self._exponential_of_term(h))
        return out

    def _exponential_of_term(self, h: Any) -> Term:
        factor, rest = h.as_independent(self.t, as_Add=False)
        c = self.constant(factor).real
        if rest == 1:
            return Term(c.exp(), exact=True)
        k = rest.exp if isinstance(rest, sp.Pow) and rest.base == self.t else None
        if rest == self.t:
            return Term(ONE, b=c, exact=True)
        if k == 2:
            return Term(ONE, a=c, exact=True)
        if k is not None and k.is_Rational and k > 0:
            return self._exponential_of_power(c, arb(int(k.p)) / int(k.q))
        if self.nonneg(-h):
            return self._falling_exponential(-h)
        bound = self.upper(h)
        if not bound.falls(self.T):
            raise Unsupported(f"exp of a term that is not bounded: {type(rest).__name__}")
        return Term(bound.at(self.T).exp().upper())

    def _falling_exponential(self, h: Any) -> Term:
        """exp(-h) for h >= 0: at most 1, and below a tangent where h grows like exp(b t)."""
        try:
            low = self.lower(h).below()
        except TooEarly:
            return Term(ONE)
        if not (low.n >= 0 and low.b > 0 and low.a >= 0):
            return Term(ONE)
        m = low.at(self.T)  # h >= m exp(b (t - T)) >= m (1 + b (t - T))
        return Term((m * (low.b * self.T - 1)).exp(), b=-m * low.b)

    def _exponential_of_power(self, c: Any, k: Any) -> Term:
        """exp(c t^k): t^k lies under its tangent at T for k < 1, above T^(k-2) t^2 for k > 2."""
        if c <= 0:
            if k < 1:
                return Term(ONE)
            if k < 2:
                return Term(ONE, b=c * self.T ** (k - 1))
            return Term(ONE, a=c * self.T ** (k - 2))
        c = abs(c)
        if k < 1:
            slope = k * self.T ** (k - 1)
            return Term((c * (self.T**k - slope * self.T)).exp(), b=c * slope)
        if k < 2:
            return Term(ONE, a=c)
        raise Unsupported("growth beyond exp(t^2)")


def tail(terms: list[Term], T: Any) -> Any:
    """A bound of the integral over [T, oo) of a sum of bounds; its upper end is exact.

    Raises :class:`TooEarly` when a larger T may help, :class:`NoDecay` when a term does not
    provably decay faster than every power.
    """
    T = arb(T)
    total = ZERO
    for x in terms:
        if x.c.is_zero():
            continue
        # t >= T gives a t^2 <= a T t for a <= 0
        rate = -(x.b + x.a * T) if x.a <= 0 else None
        if rate is None or not rate > 0:
            if x.a < 0:
                raise TooEarly("the exponential has not fallen yet")
            raise NoDecay("no exponential decay can be proved")
        # the incomplete gamma function is the integral of t^n exp(-rate t)
        part = x.c * (rate * T).gamma_upper(x.n + 1) / rate ** (x.n + 1)
        if not part.is_finite():
            raise TooEarly("no finite bound of the tail")
        total = total + part
    return total.upper()
