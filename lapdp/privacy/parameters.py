"""Exact numbers and expressions from a user: floats, NaN and infinities are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from lapdp.calculus.convert import to_form
from lapdp.calculus.linear import Constraint
from lapdp.core.errors import InputError, Unsupported, called


def exact_parameter(name: str, value: Any, real: bool = True) -> Any:
    """A parameter, point or order as an exact SymPy expression.

    Takes ints, Fractions, strings such as "0.1" and "1/3", and SymPy expressions without floats.
    Raises :class:`InputError`, one line that names ``name``, for anything else, and unless ``real``
    is False for what is known not to be real.  Floats are refused: 0.1 is not one tenth.

    >>> exact_parameter("eps", "0.1")
    1/10
    >>> exact_parameter("eps", 0.1)
    Traceback (most recent call last):
    lapdp.core.errors.InputError: eps = 0.1 is a float: write "0.1" or Rational(1, 10)
    """
    # SymPy asks far more of a number than this
    if isinstance(value, sp.Rational):
        return value
    if type(value) is int:
        return sp.Integer(value)
    if type(value) is Fraction:
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, (bool, float, str, Fraction)):
        from lapdp.privacy.finite import exact  # a room that stands on this one

        fraction = exact(value, name)
        return sp.Rational(fraction.numerator, fraction.denominator)
    try:
        expr = sp.sympify(value, strict=True)
    except (sp.SympifyError, TypeError):  # a class has all methods that SymPy asks for
        raise InputError(f"{name} = {called(value)} is not a number or a SymPy expression"
                         ) from None
    if not isinstance(expr, sp.Expr) or expr.has(sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise InputError(f"{name} = {str(value)[:40]} is not a finite number")
    if expr.has(sp.Float):
        raise InputError(f"{name} = {str(value)[:40]} contains a float: write exact numbers, "
                         '"0.1" or Rational(1, 10)')
    # what SymPy deduces of a logarithm depends on what it was asked before: its value decides
    if real and expr.is_real is False and not (expr.is_number and sp.im(expr.evalf()) == 0):
        raise InputError(f"{name} = {expr} is not real")
    return expr


def in_numbers(e: Any, values: Mapping[Any, Any]) -> Any:
    """The value of an expression for mpmath, at numbers for its symbols.

    >>> from mpmath import mpf
    >>> x = sp.Symbol("x")
    >>> in_numbers(x**2 + 1, {x: mpf(2)})
    mpf('5.0')
    """
    return _function(e, tuple(values))(*values.values())


@lru_cache(maxsize=256)
def _function(e: Any, symbols: tuple[Any, ...]) -> Callable[..., Any]:
    made: Callable[..., Any] = sp.lambdify(symbols, e, "mpmath")
    return made


def exceeds(x: Any, whole: int) -> Any:
    """x > whole, a truth value for numbers; fractions by whole numbers, others by balls where these
    tell: SymPy takes far longer.  :class:`Unsupported` where it tells nothing either.

    >>> exceeds(sp.Rational(7, 2), 3), exceeds(sp.Integer(3), 3), exceeds(sp.sqrt(10), 3)
    (True, False, True)
    """
    if isinstance(x, sp.Rational):
        return x.p > whole * x.q
    if not x.free_symbols:
        from lapdp.balls.compiler import exact_ball  # a room that stands on this one

        with suppress(Unsupported):
            gap = exact_ball(x).real - whole
            if gap > 0 or gap < 0:
                return bool(gap > 0)
    found = x > whole
    if not x.free_symbols and found not in (True, False):
        raise Unsupported(f"whether {str(x)[:40]} exceeds {whole} is open")
    return found


def constraint_of(condition: Any) -> Constraint:
    """An inequality between parameters as a constraint; else :class:`InputError`.

    >>> a = sp.Symbol("a", real=True)
    >>> constraint_of(a < 1)
    (1 - a, '>')
    """
    if not isinstance(condition, (sp.Ge, sp.Gt, sp.Le, sp.Lt)):
        raise InputError(f"{condition} is not an inequality between parameters")
    sign = 1 if isinstance(condition, (sp.Ge, sp.Gt)) else -1
    form = to_form(sp.expand(sign * (condition.lhs - condition.rhs)))
    return form, ">" if isinstance(condition, (sp.Gt, sp.Lt)) else ">="


def constraints_of(where: Any, variable: Any = None) -> list[Constraint]:
    """A list of inequalities between parameters, in which ``variable`` is none of them.

    Raises :class:`InputError` for anything else.

    >>> a, t = sp.symbols("a t", real=True)
    >>> constraints_of([a > 0, a < 1], t)
    [(a, '>'), (1 - a, '>')]
    """
    if not isinstance(where, (list, tuple, sp.Tuple)):
        raise InputError(f"where must be a list of inequalities, such as [{str(where)[:40]}]")
    for condition in where:
        if variable is not None and variable in getattr(condition, "free_symbols", ()):
            raise InputError(f"{condition} speaks of the variable {variable}: where=[...] is for "
                             "parameters")
    return [constraint_of(condition) for condition in where if condition not in (True, sp.true)]


def demanded(mechanism: Any) -> list[tuple[Any, bool]]:
    """What a mechanism demands of its parameters, (e, strict): e > 0, or e >= 0, without what holds
    by the assumptions of the letters.  Empty where its range is not written in inequalities.

    >>> d = sp.Symbol("d", real=True)
    >>> from lapdp.privacy.mechanisms import laplace
    >>> demanded(laplace(1, d))
    [(d, True)]
    """
    try:
        found = mechanism.constraints() if hasattr(mechanism, "constraints") else []
    except Unsupported:
        return []
    told = [(form.to_sympy(), relation == ">") for form, relation in found]
    return [(e, strict) for e, strict in told
            if not (e.is_positive if strict else e.is_nonnegative)]
