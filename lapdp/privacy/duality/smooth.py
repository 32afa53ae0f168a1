"""The pair of a trade-off function given by an expression: slopes are -e^-z at the loss z.

Between the losses z and z + dz a test gains the level that f needs to change its slope from -e^-z
to -e^-(z + dz).  So a straight piece is an atom, and a curved one has the law whose distribution
function is the inverse of the derivative.  That lies in the exact class where -f' is a power of an
affine function of the level (a loss of density k e^(c z)) or an exponential (a constant density).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.reading import affine
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.atoms import field_sign, pair_with_tradeoff
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

READ = "c, c (A + B a)^r, c log(A + B a) or c e^(B a), plus constants"


class Piece(NamedTuple):
    """f on one interval: its values at the ends, the losses there and the law of the loss."""

    lower: Scalar
    upper: Scalar
    start: Scalar
    end: Scalar
    first: Form | None
    """The loss at the lower end; None for -oo, and for +oo where ``flat``."""
    last: Form | None
    """The loss at the upper end; None for +oo."""
    law: Exact
    flat: bool = False


def pair_of_expression(expr: Any, a: Any) -> Pair:
    """A pair with the trade-off function ``expr`` in ``a``, on [0, 1]; checked.

    Raises :class:`InputError` for what is no trade-off function, naming what is violated, and
    :class:`Unsupported` where it lies outside the exact class.

    >>> a = sp.Symbol("a", real=True)
    >>> pair_of_expression((1 - a)**2, a).loss.density()
    Piecewise((0, z < -log(2)), (exp(-z)/2, True))
    """
    f = exact_parameter("f", expr)
    if not isinstance(a, sp.Symbol):
        raise InputError(f"{str(a)[:40]} is not a symbol: name the variable of the function")
    return _gaussian(f, a) or pair_by_slopes(f, a)


def pair_by_slopes(f: Any, a: Any) -> Pair:
    """The same without Gaussian curves, which are known by their formula: the slopes say it all."""
    intervals, singles = _intervals(f, a)
    parts = [_piece(e, a, lower, upper) for e, lower, upper in intervals]
    _check(parts)
    for e, level in singles:
        _check_single(e, a, level, parts)
    if all(part.first == part.last for part in parts):
        return pair_with_tradeoff([(0, parts[0].start.to_sympy()),
                                   *((p.upper.to_sympy(), p.end.to_sympy()) for p in parts)])
    from lapdp.privacy.mechanisms.law import Law

    loss, lone = Exact(), Scalar.of(0)
    for part in parts:
        loss = loss + part.law
        lone = lone + (part.upper - part.lower if part.flat else 0)
    return Law.of(loss, lone)


def _gaussian(f: Any, a: Any) -> Pair | None:
    """The Gaussian pair, if this is its closed form as it is printed."""
    from lapdp.privacy.mechanisms.gaussian import gaussian

    if not f.has(sp.erfinv):
        return None
    for erfc in f.subs(a, sp.Rational(1, 2)).atoms(sp.erfc):
        shift = sp.sqrt(2) * erfc.args[0]
        for mu in (shift, -shift):
            if mu.is_positive and gaussian(1, mu).tradeoff(a) == f:
                return gaussian(1, mu)
    return None


def _intervals(f: Any, a: Any) -> tuple[list[tuple[Any, Scalar, Scalar]],
                                        list[tuple[Any, Scalar]]]:
    """The expressions between the breakpoints of a Piecewise in increasing order, and those that
    are its value at one level only."""
    cases = f.args if isinstance(f, sp.Piecewise) else [(f, sp.true)]
    found: list[tuple[Any, Scalar, Scalar]] = []
    singles: list[tuple[Any, Scalar]] = []
    # has f a value at the level ``here``?
    here, known = Scalar.of(0), False
    for expression, condition in cases:
        closed = not isinstance(condition, sp.Lt)
        if condition == sp.true:
            upper = Scalar.of(1)
        elif isinstance(condition, (sp.Le, sp.Lt)) and condition.lhs == a and (
                not condition.rhs.has(a)):
            upper = to_scalar(condition.rhs)
        else:
            raise Unsupported(f"the condition {condition}: write Piecewise((.., a <= c), (.., "
                              "a <= d), .., (.., True)) with increasing breakpoints")
        if field_sign(upper - 1) > 0:
            upper, closed = Scalar.of(1), True
        more = field_sign(upper - here)
        if more > 0:
            found.append((expression, here, upper))
            here, known = upper, closed
        elif more == 0 and closed and not known:
            singles.append((expression, here))
            known = True
    ends = field_sign(here - 1) < 0
    if ends or not known:
        raise InputError(f"the function has no value {'beyond' if ends else 'at'} level {here}")
    return found, singles


def _piece(e: Any, a: Any, lower: Scalar, upper: Scalar) -> Piece:
    if e.is_polynomial(a) and sp.degree(e, a) <= 2:
        coefficients = [to_scalar(sp.expand(e).coeff(a, k)) for k in range(3)]
        return _polynomial(coefficients, lower, upper)
    kernels = [k for k in e.atoms(sp.Pow, sp.exp, sp.log) if k.has(a)]
    kernels = [k for k in kernels if not any(k != other and other.has(k) for other in kernels)]
    u = sp.Dummy("u")
    rest = sp.expand(e.subs(kernels[0], u)) if len(kernels) == 1 else e
    if rest.has(a) or rest.is_polynomial(u) is False or sp.degree(rest, u) != 1:
        raise Unsupported(f"{e} is none of {READ}")
    weight, constant = to_scalar(rest.coeff(u, 1)), to_scalar(rest.coeff(u, 0))
    kernel = kernels[0]
    if isinstance(kernel, sp.exp):
        return _exponential(weight, constant, kernel.args[0], a, lower, upper)
    slope, offset = (to_scalar(x) for x in affine(kernel.args[0], a))
    if isinstance(kernel, sp.log):
        return _power(weight, constant, (slope, offset), None, lower, upper)
    if not kernel.exp.is_Rational:
        raise Unsupported(f"{kernel} is no rational power of an affine function")
    r = Fraction(int(kernel.exp.p), int(kernel.exp.q))
    return _power(weight, constant, (slope, offset), r, lower, upper)


def _polynomial(c: list[Scalar], lower: Scalar, upper: Scalar) -> Piece:
    """A straight piece, or a parabola c + m (slope)^2."""
    if not c[2].is_zero():
        slope, offset = -2 * c[2], -c[1]
        weight = 1 / (4 * c[2])
        return _power(weight, c[0] - weight * offset**2, (slope, offset), Fraction(2), lower, upper)
    start, end = c[0] + c[1] * lower, c[0] + c[1] * upper
    sign = field_sign(c[1])
    if sign > 0:
        raise InputError(f"a trade-off function does not increase: it does from {lower}")
    if sign == 0:
        return Piece(lower, upper, start, end, None, None, Exact(), flat=True)
    z = -_log(-c[1])
    return Piece(lower, upper, start, end, z, z, Exact.impulse(z, upper - lower))


def _power(weight: Scalar, constant: Scalar, base: tuple[Scalar, Scalar], r: Fraction | None,
           lower: Scalar, upper: Scalar) -> Piece:
    """constant + weight b^r with b = slope a + offset >= 0; r None: log b.

    Then -f' = m b^s with s = r - 1 and m = -weight r slope; at the loss z, b = (e^-z/m)^(1/s).
    """
    slope, offset = base
    ends = [slope * x + offset for x in (lower, upper)]
    if any(field_sign(b) < 0 for b in ends):
        if r is None or r.denominator != 1:
            raise InputError(f"the function has no real value all over ({lower}, {upper})")
        if any(field_sign(b) > 0 for b in ends):
            raise InputError(f"a trade-off function is finite, convex and does not increase: not "
                             f"so on ({lower}, {upper})")
        slope, offset, ends = -slope, -offset, [-b for b in ends]
        weight = weight * (-1) ** r.numerator
    s = Fraction(-1) if r is None else r - 1
    m = -(weight * slope * (1 if r is None else r))
    _falling(m, lower)
    rate = Form.of(-1 / s)
    if field_sign(slope) * (-1 if s > 0 else 1) < 0:
        raise InputError(f"a trade-off function is convex: it is not on ({lower}, {upper})")
    start, end = (_value(weight, constant, b, r, lower) for b in ends)
    first, last = (None if b.is_zero() else -_log(m) - _log(b) * Form.of(s) for b in ends)
    density = Scalar.of(rate) / slope * Scalar.exp(_log(m) * rate)
    law = _between(density, rate, first, last)
    return Piece(lower, upper, start, end, first, last, law)


def _value(weight: Scalar, constant: Scalar, b: Scalar, r: Fraction | None, level: Scalar
           ) -> Scalar:
    if b.is_zero():
        if r is None or r < 0:
            raise InputError(f"a trade-off function is finite: it is not near level {level}")
        return constant
    if r is None:
        return constant + weight * Scalar.of(_log(b))
    whole = r.denominator == 1
    return constant + weight * (b**r.numerator if whole else Scalar.exp(_log(b) * Form.of(r)))


def _exponential(weight: Scalar, constant: Scalar, exponent: Any, a: Any, lower: Scalar,
                 upper: Scalar) -> Piece:
    """constant + weight e^(slope a + offset); at the loss z the level is affine in z."""
    slope, offset = (to_scalar(x) for x in affine(exponent, a))
    m = -(weight * slope)
    _falling(m, lower)
    if field_sign(slope) > 0:
        raise InputError(f"a trade-off function is convex: it is not on ({lower}, {upper})")
    low, high = ((slope * x + offset).as_form() for x in (lower, upper))
    if low is None or high is None:
        raise Unsupported(f"the exponent {exponent} at level {lower} or {upper}")
    first, last = -_log(m) - low, -_log(m) - high
    start, end = constant + weight * Scalar.exp(low), constant + weight * Scalar.exp(high)
    law = _between(-1 / slope, Form({}), first, last)
    return Piece(lower, upper, start, end, first, last, law)


def _log(x: Scalar) -> Form:
    """The logarithm of a positive number, whole powers of factors taken out: roots are then exact.
    """
    if x.as_exponential() is not None:
        return log_form(x)
    total, rest = Form({}), x
    for side in (1, -1):
        for factor, k in (x if side > 0 else x.inverse()).numerator_factors():
            if k > 1:
                positive = factor if field_sign(factor) > 0 else -factor
                total = total + log_form(positive) * Form.of(side * k)
                rest = rest / positive ** (side * k)
    return total + log_form(rest)


def _falling(m: Scalar, level: Scalar) -> None:
    if field_sign(m) <= 0:
        raise InputError(f"a trade-off function does not increase: it does from {level}")


def _between(density: Scalar, rate: Form, first: Form | None, last: Form | None) -> Exact:
    """density e^(rate z) between two losses; None: without an end on that side."""
    if first is None:
        found = Exact.term(density, rate)
    else:
        found = Exact.step(first, density * Scalar.exp(rate * first), rate)
    return found if last is None else found - Exact.step(last, density * Scalar.exp(rate * last),
                                                         rate)


def _check(parts: list[Piece]) -> None:
    """Values in [0, 1], continuous, convex across the breakpoints, 0 at level 1."""
    if field_sign(1 - parts[0].start) < 0:
        raise InputError(f"a trade-off function is at most 1 - a: it is {parts[0].start} at 0")
    if field_sign(parts[-1].end) != 0:
        raise InputError(f"a trade-off function is 0 at level 1, not {parts[-1].end}")
    for part, after in pairwise(parts):
        if field_sign(part.end - after.start) != 0:
            raise InputError(f"a trade-off function is continuous: it is not at {part.upper}")
        if after.flat:
            continue
        if part.last is None or after.first is None or field_sign(
                Scalar.of(1) - Scalar.exp(part.last - after.first)) < 0:
            raise InputError(f"a trade-off function is convex: it is not at level {part.upper}")


def _check_single(e: Any, a: Any, level: Scalar, parts: list[Piece]) -> None:
    """A case of one level only says what the pieces beside it say."""
    ends = [(parts[0].lower, parts[0].start), *((part.upper, part.end) for part in parts)]
    value = to_scalar(e.subs(a, level.to_sympy()))
    if any(field_sign(level - x) == 0 and field_sign(value - y) != 0 for x, y in ends):
        raise InputError(f"a trade-off function is continuous: it is not at {level}")


__all__ = ["pair_by_slopes", "pair_of_expression"]
