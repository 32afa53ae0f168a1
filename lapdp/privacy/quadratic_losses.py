"""Closed forms where p > e^t q is a quadratic inequality in x or in e^x.

So it is for normal distributions of any two variances (log(p/q) is quadratic), for Cauchy
distributions (p/q is a ratio of quadratics), for logistic ones (the same in e^x).  By the lemma of
Neyman and Pearson the profile is the mass of P - e^t Q between the roots, or outside of them.
Antiderivatives come from SymPy; they count only if they are continuous, their derivatives are p and
q by polynomial arithmetic, and their limits at the ends differ by 1 and agree with quadrature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from lapdp.balls.compare import sign
from lapdp.balls.integrals import integrate
from lapdp.core.errors import Unsupported

AGREES = 25
"""Digits to which a limit must agree with the integral up to a point, in balls."""


class Quadratic(NamedTuple):
    """a u^2 + b u + c, positive where log(p/q) > t; u = x, or u = e^x where ``exponential``."""

    a: Any
    b: Any
    c: Any
    exponential: bool

    def point(self, u: Any) -> Any:
        """The x of a value u."""
        return sp.log(u) if self.exponential else u

    def value(self, x: Any) -> Any:
        """The u of an end of the support."""
        if not self.exponential:
            return x
        return sp.Integer(0) if x == -sp.oo else sp.exp(x)


@dataclass(frozen=True)
class Antiderivative:
    """F with F' the density, and its limits at both ends of the support."""

    x: Any
    formula: Any
    low: Any
    high: Any

    def minus(self, factor: Any, other: Antiderivative) -> Antiderivative:
        """That of p - factor q, in one variable."""
        return Antiderivative(self.x, self.formula - factor * other.formula,
                              self.low - factor * other.low, self.high - factor * other.high)


def quadratic(p: Any, q: Any, x: Any, t: Any, lower: Any, upper: Any) -> Quadratic:
    """The inequality log(p/q) > t; :class:`Unsupported` where it is not quadratic.

    >>> x, t = sp.symbols("x t", real=True)
    >>> quadratic(sp.exp(-x**2), sp.exp(-x**2/4), x, t, -sp.oo, sp.oo)
    Quadratic(a=-3/4, b=0, c=-t, exponential=False)
    """
    log_ratio = sp.expand(sp.expand_log(sp.log(p), force=True)
                          - sp.expand_log(sp.log(q), force=True))
    found = _coefficients(log_ratio - t, x)
    if found is not None and not any(c.has(sp.I) for c in found):
        return Quadratic(*found, False)
    y = sp.Dummy("y", positive=True)
    ratio = sp.cancel(sp.together(sp.powsimp(sp.expand_power_exp(p / q))))
    moved = sp.cancel(sp.together(sp.expand_power_exp(ratio).subs(x, sp.log(y))))
    inside = _inside(lower, upper)
    for e, variable, sample in ((ratio, x, inside), (moved, y, sp.exp(inside))):
        above, below = sp.fraction(e)
        first, second = _coefficients(above, variable), _coefficients(below, variable)
        if first is None or second is None:
            continue
        # the ratio is positive, so that the denominator has one sign: both would change together
        positive = sign(below.subs(variable, sample))
        if positive in (1, -1):
            a, b, c = (positive * (n - sp.exp(t) * d) for n, d in zip(first, second, strict=True))
            return Quadratic(a, b, c, variable is y)
    raise Unsupported("no closed form: the sign of p - e^t q is not that of a quadratic in x or "
                      "e^x; ask for certified values, profile.at(t)")


def _coefficients(e: Any, variable: Any) -> tuple[Any, Any, Any] | None:
    try:
        poly = sp.Poly(e, variable)
    except sp.PolynomialError:
        return None
    if poly.degree() > 2 or any(c.has(variable) for c in poly.all_coeffs()):
        return None
    return tuple(sp.expand(poly.coeff_monomial(variable**k)) for k in (2, 1, 0))


def antiderivative(density: Any, x: Any, lower: Any, upper: Any) -> Antiderivative:
    """The antiderivative of a density, checked; :class:`Unsupported` where SymPy has none that
    holds.

    >>> x = sp.Symbol("x", real=True)
    >>> antiderivative(1/(sp.pi*(1 + x**2)), x, -sp.oo, sp.oo)
    Antiderivative(x=x, formula=atan(x)/pi, low=-1/2, high=1/2)
    """
    refusal = Unsupported("no closed form: an antiderivative of the densities is not found; ask "
                          "for certified values, profile.at(t)")
    formula = sp.integrate(density, x)
    seen = formula.subs(x, sp.Dummy("x", positive=True)) if lower.is_nonnegative else formula
    if not _continuous(seen) or not _vanishes(sp.diff(formula, x) - density):
        raise refusal
    low, high = sp.limit(formula, x, lower, "+"), sp.limit(formula, x, upper, "-")
    if sp.simplify(high - low - 1) != 0:
        raise refusal
    # the limits once more: the mass up to a point by quadrature
    middle = _inside(lower, upper)
    mass = integrate(density, x, lower, middle, digits=AGREES)
    gap = mass - _ball(formula.subs(x, middle) - low)
    if not gap.contains(0) or not gap.real.rad() < 1e-20:
        raise refusal
    return Antiderivative(x, formula, low, high)


def _inside(lower: Any, upper: Any) -> Any:
    """A point of the support."""
    if lower == -sp.oo:
        return sp.Integer(0) if upper == sp.oo else upper - 1
    return lower + 1 if upper == sp.oo else (lower + 2 * upper) / 3


def _ball(value: Any) -> Any:
    """The ball of an exact number, to the digits at which limits are compared."""
    from lapdp.balls.evaluate import enclosure

    return enclosure(value, digits=AGREES)


_SMOOTH = (sp.Add, sp.Mul, sp.exp, sp.erf, sp.erfc, sp.atan, sp.sinh, sp.cosh, sp.tanh)


def _continuous(e: Any) -> bool:
    """Is the expression seen to be continuous, so that its derivative tells all about it?"""
    if not e.free_symbols or e.is_Symbol:
        return True
    if isinstance(e, sp.log) or (e.is_Pow and not e.exp.free_symbols and not (
            e.exp.is_integer and e.exp.is_nonnegative)):
        return bool(e.args[0].is_positive) and _continuous(e.args[0])
    if e.is_Pow and e.exp.free_symbols:
        return bool(e.base.is_positive) and not e.base.free_symbols and _continuous(e.exp)
    return (e.is_Pow or isinstance(e, _SMOOTH)) and all(_continuous(a) for a in e.args)


def _vanishes(e: Any) -> bool:
    """Is e = 0 by polynomial arithmetic, each exponential and root a variable of its own?"""
    return bool(sp.cancel(sp.together(sp.expand(sp.powsimp(sp.expand_power_exp(e))))) == 0)


def mass_above(q: Quadratic, measure: Antiderivative, lower: Any, upper: Any) -> Any:
    """What a measure gives to the points where the quadratic is positive."""
    least, most = q.value(lower), q.value(upper)

    def up_to(u: Any) -> Any:
        inside = measure.formula.subs(measure.x, q.point(u))
        cases = [(measure.low, sp.Le(u, least))] if least != -sp.oo else []
        cases += [(measure.high, sp.Ge(u, most))] if most != sp.oo else []
        return sp.Piecewise(*cases, (inside, True), evaluate=False) if cases else inside

    whole = measure.high - measure.low
    discriminant = sp.expand(q.b**2 - 4 * q.a * q.c)
    root = sp.sqrt(discriminant)

    def between(positive: bool) -> Any:
        ends = ((-q.b - root) / (2 * q.a), (-q.b + root) / (2 * q.a))
        first, second = ends if positive else ends[::-1]
        part = up_to(second) - up_to(first)
        return sp.Piecewise((whole - part if positive else part, sp.Gt(discriminant, 0)),
                            (whole if positive else sp.Integer(0), True), evaluate=False)

    def straight() -> Any:
        single = up_to(-q.c / q.b) if q.b != 0 else sp.Integer(0)
        flat = sp.Piecewise((whole, sp.Gt(q.c, 0)), (0, True), evaluate=False)
        return _by_sign(q.b, lambda: measure.high - single, lambda: single - measure.low,
                        lambda: flat)

    return _by_sign(q.a, lambda: between(True), lambda: between(False), straight)


def _by_sign(e: Any, positive: Any, negative: Any, zero: Any) -> Any:
    if e.is_number:
        found = sign(e)
        if found is None:
            raise Unsupported(f"the sign of {e} is not decided")
        return (zero, positive, negative)[found]()
    return sp.Piecewise((positive(), sp.Gt(e, 0)), (negative(), sp.Lt(e, 0)), (zero(), True),
                        evaluate=False)


__all__ = ["Antiderivative", "Quadratic", "antiderivative", "mass_above", "quadratic"]
