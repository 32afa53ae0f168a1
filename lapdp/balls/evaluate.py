"""Rigorous values: an expression at exact numbers or balls, to a wanted number of digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

import sympy as sp

from lapdp.balls.compiler import compile_balls, exact_ball
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

GUARD = 30
_DOUBLINGS = 5
_MOST_DIGITS = 100_000
_BITS = 3.3219280948873626


def bits_of(digits: int) -> int:
    """Bits that hold ``digits`` decimal digits; at most 100000."""
    if (not isinstance(digits, int) or isinstance(digits, bool)
            or not 1 <= digits <= _MOST_DIGITS):
        raise InputError(f"digits must be a whole number between 1 and {_MOST_DIGITS}, "
                         f"not {str(digits)[:40]}")
    return ceil(digits * _BITS) + 2


def refine(compute: Callable[[], Any], digits: int, doublings: int = _DOUBLINGS) -> Any:
    """Run ``compute`` at rising precision until ``digits`` are good or nothing is gained.

    Returns the best finite ball; raises :class:`Unsupported` when there is none.
    """
    goal = bits_of(digits)
    best: Any = None
    radius: Any = None
    for k in range(doublings + 1):
        with workprec((goal + GUARD) << k):
            z = compute()
            if not z.is_finite():
                continue
            if z.rel_accuracy_bits() >= goal:
                return z
            size = z.real.rad() + z.imag.rad()
            if best is not None and not 2 * size < radius:
                return best
            best, radius = z, size
    if best is None:
        raise Unsupported("no finite ball: too near a singularity, or too large")
    return best


def enclosure(expr: Any, values: Mapping[Any, Any] | None = None, digits: int = 30) -> Any:
    """A ball that contains ``expr`` at ``values``: an ``acb``, with ``digits`` good if possible.

    ``values`` maps symbols to exact SymPy or Python numbers, or to balls (``arb``, ``acb``), whose
    radii limit what can be reached.  Rationals are exact at every precision; functions take
    principal values as SymPy does.  An undecided condition of real terms gives the hull of the
    branches.  Raises :class:`Unsupported` (naming the node, or when no finite ball is found),
    :class:`Undefined` (log 0, 1/0, oo: provably no value), :class:`InputError` (floats, free
    symbols).

    >>> import sympy as sp
    >>> s = sp.Symbol("s")
    >>> enclosure(sp.erfc(s / 2), {s: sp.Rational(1, 3)}, digits=20).real.str(15, radius=False)
    '0.813663715766792'
    """
    values = values or {}

    def compute() -> Any:
        return compile_balls(expr, {s: exact_ball(v) for s, v in values.items()}).constant()

    try:
        return refine(compute, digits)
    except Unsupported:
        pole = pole_of(expr, values)
        if pole is not None:
            raise Undefined(f"{pole} has a pole there") from None
        raise


_WITH_POLES = (sp.tan, sp.sec, sp.cot, sp.csc, sp.coth, sp.csch, sp.atanh, sp.log, sp.zeta)
"""Functions whose values SymPy knows to be none at exact points: tan(pi/2), log(cos(pi/2))."""
_LARGE = (sp.gamma, sp.loggamma, sp.factorial, sp.binomial)
"""Functions whose exact values may have more digits than a computer holds."""


def pole_of(expr: Any, values: Mapping[Any, Any]) -> Any:
    """The part of ``expr`` that is exactly infinite at exact ``values``; None where none is seen.

    No ball tells tan(pi/2), whose argument is rounded, from a large number.  SymPy does, by exact
    values at multiples of pi and the like.  Asked only where balls of every precision are infinite:
    so two routes agree.

    >>> x = sp.Symbol("x")
    >>> pole_of(sp.tan(x)*sp.cos(x), {x: sp.pi/2}), pole_of(sp.tan(x), {x: sp.pi/3})
    (tan(x), None)
    """
    if not all(isinstance(v, sp.Basic) for v in values.values()) or expr.atoms(*_LARGE) or any(
            not e.exp.is_Number for e in expr.atoms(sp.Pow)):
        return None
    if isinstance(expr, (sp.Add, sp.Mul, sp.exp)):
        return next((p for p in (pole_of(e, values) for e in expr.args) if p is not None), None)
    if expr.is_Pow and not expr.exp.is_negative:
        return pole_of(expr.base, values)
    if expr.is_Pow or isinstance(expr, _WITH_POLES):
        # SymPy writes 1/0, tan(pi/2), log(0) as zoo, and atanh(1) as oo
        there = expr.xreplace(dict(values))
        if there in (sp.zoo, sp.oo, -sp.oo):
            return expr
        return pole_of(expr.args[0], values)
    return None
