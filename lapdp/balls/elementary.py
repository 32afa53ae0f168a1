"""Elementary operations on balls, with branch cuts, kinks and jumps made explicit.

An operation takes ``analytic`` and its arguments.  With ``analytic`` set it must answer a
non-finite ball (``NAN``) unless the function is holomorphic on the whole argument; without, any
enclosure of the values will do.  Exact singularities raise :class:`Undefined`; a ball that merely
contains one is answered by a non-finite ball, and the caller raises the precision or splits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb

from lapdp.core.errors import Undefined

Op = Callable[..., Any]
NAN = acb(arb.nan())
ZERO = arb(0)


def on_cut(z: Any, end: int = 0) -> bool:
    """May ``z`` meet the ray (-oo, end]?"""
    return bool(z.imag.contains(0)) and not z.real > end


def outside(z: Any) -> bool:
    """May ``z`` meet the rays (-oo, -1] or [1, oo)?"""
    return bool(z.imag.contains(0)) and not abs(z.real) < 1


def axis(z: Any) -> bool:
    """May ``z`` meet the rays i [1, oo) or -i [1, oo)?"""
    return bool(z.real.contains(0)) and not abs(z.imag) < 1


def entire(name: str) -> Op:
    """A function without singularities: the method ``name`` of ``acb``."""
    return lambda analytic, z: getattr(z, name)()


def meromorphic(name: str, pole_at_zero: bool = False) -> Op:
    """A function whose poles answer non-finite balls by themselves."""

    def op(analytic: bool, z: Any) -> Any:
        if pole_at_zero and z.is_zero():
            raise Undefined(f"{name} has a pole at 0")
        return getattr(z, name)()

    return op


def cut(name: str, meets: Callable[[Any], bool] = on_cut, singular_at_zero: bool = False) -> Op:
    """A function cut along a ray, whose value on the ray is Arb's and SymPy's alike."""

    def op(analytic: bool, z: Any) -> Any:
        if singular_at_zero and z.is_zero():
            raise Undefined(f"{name} of 0")
        return NAN if analytic and meets(z) else getattr(z, name)()

    return op


def refused(name: str, meets: Callable[[Any], bool]) -> Op:
    """A function whose values on the cut are a matter of convention: none are given."""
    return lambda analytic, z: NAN if meets(z) else getattr(z, name)()


def add(analytic: bool, first: Any, *rest: Any) -> Any:
    """Sum."""
    for z in rest:
        first = first + z
    return first


def multiply(analytic: bool, first: Any, *rest: Any) -> Any:
    """Product."""
    for z in rest:
        first = first * z
    return first


def divide(analytic: bool, z: Any) -> Any:
    """1/z."""
    if z.is_zero():
        raise Undefined("division by 0")
    return 1 / z


def sqrt(analytic: bool, z: Any) -> Any:
    if z.imag.is_zero() and z.real >= 0:
        return NAN if analytic and z.real.contains(0) else acb(z.real.sqrt())
    if not analytic and z.imag.is_zero() and z.real.contains(0):
        # a real ball around 0: the value is real or imaginary, of modulus at most sqrt|z|
        r = abs(z.real).upper().sqrt()
        return acb(arb(0, r), arb(0, r))
    return z.sqrt(analytic=analytic)


def integer_power(analytic: bool, z: Any, n: int) -> Any:
    """z**n for an integer n; an even power of a real ball is kept non-negative."""
    if n < 0:
        return divide(analytic, integer_power(analytic, z, -n))
    if z.imag.is_zero() and n % 2 == 0:
        # arb ** int is nan at 0; and x*x would forget that a square is not negative
        a = abs(z.real)
        low, high = acb(a.abs_lower()) ** n, acb(a.abs_upper()) ** n
        if z.real.contains(0) or not (z**n).is_finite():
            return low.union(high)
    return z**n


def power(analytic: bool, z: Any, w: Any) -> Any:
    """z**w = exp(w log z), principal; 0**w is 0 for Re w > 0 and has no value otherwise."""
    if z.is_zero():
        if w.is_zero():
            return acb(1)
        if w.real > 0:
            return NAN if analytic else acb(0)
        raise Undefined("0 to a power that is not positive")
    if not analytic and w.imag.is_zero() and w.real > 0 and z.contains(0):
        r = abs(z).upper() ** w.real  # |z^w| = |z|^w for real w
        real = z.imag.is_zero() and z.real >= 0
        return acb(0).union(acb(r)) if real else acb(arb(0, r.upper()), arb(0, r.upper()))
    return z.pow(w, analytic=analytic)


def absolute(analytic: bool, z: Any) -> Any:
    """|z|; as an integrand only where z is real on the path (the caller sees to it)."""
    return z.real_abs(analytic=True) if analytic else acb(abs(z))


def heaviside(analytic: bool, z: Any, at_zero: Any) -> Any:
    """Unit step of a real ball with the value ``at_zero`` at 0."""
    x = z.real
    if x > 0:
        return acb(1)
    if x < 0:
        return acb(0)
    if analytic:
        return NAN
    return at_zero if x.is_zero() else acb(0).union(acb(1)).union(at_zero)


def signum(analytic: bool, z: Any) -> Any:
    """Sign of a real ball."""
    return 2 * heaviside(analytic, z, acb(arb(1) / 2)) - 1


def maximum(analytic: bool, *args: Any) -> Any:
    """Largest of real balls."""
    best = args[0]
    for z in args[1:]:
        best = best.real_max(z, analytic=analytic)
    return best


def minimum(analytic: bool, *args: Any) -> Any:
    """Smallest of real balls."""
    return -maximum(analytic, *(-z for z in args))
