"""Special functions on balls: gamma, exponential integrals, Bessel.

Arb's values on a branch cut are SymPy's (DLMF's: continuous from above), so they are given; in
analytic mode a cut answers ``NAN`` as in :mod:`lapdp.balls.elementary`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb, ctx

from lapdp.balls.elementary import NAN, ZERO, Op, on_cut
from lapdp.core.errors import Undefined
from lapdp.core.precision import workprec


def gamma(analytic: bool, z: Any) -> Any:
    _no_pole(z, "gamma")
    return z.gamma()


def loggamma(analytic: bool, z: Any) -> Any:
    _no_pole(z, "loggamma")
    return NAN if analytic and on_cut(z) else z.lgamma()


def _no_pole(z: Any, name: str) -> None:
    if z.imag.is_zero() and z.real.is_integer() and z.real <= 0:
        raise Undefined(f"{name} has a pole at {z.real.str(5, radius=False)}")


def _entire_order(s: Any) -> bool:
    """Is z^s, and so the incomplete gamma function of order s, entire in z?"""
    return bool(s.imag.is_zero() and s.real.is_integer() and s.real > 0)


def uppergamma(analytic: bool, s: Any, z: Any) -> Any:
    if analytic and not _entire_order(s) and on_cut(z):
        return NAN
    return s.gamma() if z.is_zero() and s.real > 0 else z.gamma_upper(s)


def lowergamma(analytic: bool, s: Any, z: Any) -> Any:
    _no_pole(s, "lowergamma")
    if analytic and not _entire_order(s) and on_cut(z):
        return NAN
    return acb(0) if z.is_zero() and s.real > 0 else z.gamma_lower(s)


def expint(analytic: bool, nu: Any, z: Any) -> Any:
    if z.is_zero() and not nu.real > 1:
        raise Undefined("the exponential integral is infinite at 0")
    return NAN if analytic and on_cut(z) else _guarded(z, lambda: z.expint(nu))


def ei(analytic: bool, z: Any) -> Any:
    if z.is_zero():
        raise Undefined("Ei is infinite at 0")
    return NAN if analytic and on_cut(z) else z.ei()


def bessel(name: str, always_cut: bool) -> Op:
    def op(analytic: bool, nu: Any, z: Any) -> Any:
        whole = nu.imag.is_zero() and nu.real.is_integer()
        if always_cut and z.is_zero():
            raise Undefined(f"{name} is infinite at 0")
        cut = always_cut or not whole
        if analytic and cut and on_cut(z):
            return NAN
        return _guarded(z, lambda: getattr(z, name)(nu))

    return op


def besselk(analytic: bool, nu: Any, z: Any) -> Any:
    if z.is_zero():
        raise Undefined("besselk is infinite at 0")
    if not (nu.imag.is_zero() and z.real > 0) or abs(z) < 1:
        return NAN if analytic and on_cut(z) else z.bessel_k(nu)
    # Arb's series magnifies the radius of z by exp(2 Re z).  Instead: centre and derivative,
    # |K_nu(w)| <= K_nu(Re w) and |K_nu'(w)| <= K_(|nu|+1)(Re w), both falling in Re w
    low, order = z.real.lower(), abs(nu.real)
    with workprec(64):
        size = _guarded(acb(low), lambda: low.bessel_k(order)).upper()
        slope = _guarded(acb(low), lambda: low.bessel_k(order + 1)).upper()
    error = (z.real.rad() + z.imag.rad()) * slope
    if not error < size:
        return acb(arb(0, size), ZERO if z.imag.is_zero() else arb(0, size))
    centre = z.mid()
    value = _guarded(centre, lambda: centre.bessel_k(nu))
    return value + acb(arb(0, error), ZERO if z.imag.is_zero() else arb(0, error))


def _guarded(z: Any, call: Callable[[], Any]) -> Any:
    """Add the bits that Arb's series for K, Y and E lose at moderate z: about 3 |z|.

    A wide ball has no such bits to lose, and bounds it better by the asymptotic series.
    """
    size = abs(z).upper()
    if not size < ctx.prec or 2 * z.rel_accuracy_bits() < ctx.prec:
        return call()
    with workprec(ctx.prec + int(3 * float(size))):
        return call()


def inverse_of_erf(name: str) -> Op:
    """On the reals only; not finite where the argument may leave the range of erf or erfc."""
    def op(analytic: bool, z: Any) -> Any:
        return NAN if analytic or not z.imag.is_zero() else acb(getattr(z.real, name)())

    return op


def polygamma(analytic: bool, n: Any, z: Any) -> Any:
    _no_pole(z, "polygamma")
    return z.polygamma(n) if n.imag.is_zero() and n.real.is_integer() else NAN


def beta(analytic: bool, a: Any, b: Any) -> Any:
    _no_pole(a, "beta")
    _no_pole(b, "beta")
    return a.gamma() * b.gamma() * (a + b).rgamma()


def binomial(analytic: bool, n: Any, k: Any) -> Any:
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()
