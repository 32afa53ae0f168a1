"""Rigorous values: an expression at exact numbers or balls, to a wanted number of digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from lapdp.balls.compiler import compile_balls, exact_ball
from lapdp.core.errors import InputError, Unsupported
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


def good_digits(z: Any) -> int:
    """Correct digits of a ball, relative to its larger component; 0 if there are none."""
    return max(0, int(z.rel_accuracy_bits() / _BITS))


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

    return refine(compute, digits)
