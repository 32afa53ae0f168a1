"""The functions that have balls: SymPy class to Arb call, with branch cuts made explicit.

An operation takes ``analytic`` and its arguments.  With ``analytic`` set it must answer a
non-finite ball (``NAN``) unless the function is holomorphic on the whole argument; without, any
enclosure of the values will do.  Exact singularities raise :class:`Undefined`; a ball that merely
contains one is answered by a non-finite ball, and the caller raises the precision or splits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import acb, arb, ctx

from lapdp.core.errors import Undefined

Op = Callable[..., Any]
NAN = acb(arb.nan())
ZERO = arb(0)


def on_cut(z: Any, end: int = 0) -> bool:
    """May ``z`` meet the ray (-oo, end]?"""
    return bool(z.imag.contains(0)) and not z.real > end


def _outside(z: Any) -> bool:
    """May ``z`` meet the rays (-oo, -1] or [1, oo)?"""
    return bool(z.imag.contains(0)) and not abs(z.real) < 1


def _axis(z: Any) -> bool:
    """May ``z`` meet the rays i [1, oo) or -i [1, oo)?"""
    return bool(z.real.contains(0)) and not abs(z.imag) < 1


def _entire(name: str) -> Op:
    return lambda analytic, z: getattr(z, name)()


def _meromorphic(name: str, pole_at_zero: bool = False) -> Op:
    def op(analytic: bool, z: Any) -> Any:
        if pole_at_zero and z.is_zero():
            raise Undefined(f"{name} has a pole at 0")
        return getattr(z, name)()

    return op


def _cut(name: str, meets: Callable[[Any], bool] = on_cut, singular_at_zero: bool = False) -> Op:
    """A function cut along a ray, whose value on the ray is Arb's and SymPy's alike."""

    def op(analytic: bool, z: Any) -> Any:
        if singular_at_zero and z.is_zero():
            raise Undefined(f"{name} of 0")
        return NAN if analytic and meets(z) else getattr(z, name)()

    return op


def _refused(name: str, meets: Callable[[Any], bool]) -> Op:
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


def _gamma(analytic: bool, z: Any) -> Any:
    _no_pole(z, "gamma")
    return z.gamma()


def _loggamma(analytic: bool, z: Any) -> Any:
    _no_pole(z, "loggamma")
    return NAN if analytic and on_cut(z) else z.lgamma()


def _no_pole(z: Any, name: str) -> None:
    if z.imag.is_zero() and z.real.is_integer() and z.real <= 0:
        raise Undefined(f"{name} has a pole at {z.real.str(5, radius=False)}")


def _entire_order(s: Any) -> bool:
    """Is z^s, and so the incomplete gamma function of order s, entire in z?"""
    return bool(s.imag.is_zero() and s.real.is_integer() and s.real > 0)


def _uppergamma(analytic: bool, s: Any, z: Any) -> Any:
    if analytic and not _entire_order(s) and on_cut(z):
        return NAN
    return s.gamma() if z.is_zero() and s.real > 0 else z.gamma_upper(s)


def _lowergamma(analytic: bool, s: Any, z: Any) -> Any:
    _no_pole(s, "lowergamma")
    if analytic and not _entire_order(s) and on_cut(z):
        return NAN
    return acb(0) if z.is_zero() and s.real > 0 else z.gamma_lower(s)


def _expint(analytic: bool, nu: Any, z: Any) -> Any:
    if z.is_zero() and not nu.real > 1:
        raise Undefined("the exponential integral is infinite at 0")
    return NAN if analytic and on_cut(z) else _guarded(z, lambda: z.expint(nu))


def _ei(analytic: bool, z: Any) -> Any:
    if z.is_zero():
        raise Undefined("Ei is infinite at 0")
    return NAN if analytic and on_cut(z) else z.ei()


def ei_on_reals(analytic: bool, z: Any) -> Any:
    """Ei continued from the real axis: -E1(-z) left of 0, where the principal Ei has its cut.

    Right for integrands whose argument is real on the path, wrong for complex arguments.
    """
    if analytic and z.real < 0:
        return -(-z).expint(1)
    return _ei(analytic, z)


def _bessel(name: str, always_cut: bool) -> Op:
    def op(analytic: bool, nu: Any, z: Any) -> Any:
        whole = nu.imag.is_zero() and nu.real.is_integer()
        if always_cut and z.is_zero():
            raise Undefined(f"{name} is infinite at 0")
        cut = always_cut or not whole
        if analytic and cut and on_cut(z):
            return NAN
        return _guarded(z, lambda: getattr(z, name)(nu))

    return op


def _besselk(analytic: bool, nu: Any, z: Any) -> Any:
    if z.is_zero():
        raise Undefined("besselk is infinite at 0")
    if not (nu.imag.is_zero() and z.real > 0) or abs(z) < 1:
        return NAN if analytic and on_cut(z) else z.bessel_k(nu)
    # Arb's series magnifies the radius of z by exp(2 Re z).  Instead: centre and derivative,
    # |K_nu(w)| <= K_nu(Re w) and |K_nu'(w)| <= K_(|nu|+1)(Re w), both falling in Re w
    low, order = z.real.lower(), abs(nu.real)
    with ctx.workprec(64):
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
    with ctx.workprec(ctx.prec + int(3 * float(size))):
        return call()


def _polygamma(analytic: bool, n: Any, z: Any) -> Any:
    _no_pole(z, "polygamma")
    return z.polygamma(n) if n.imag.is_zero() and n.real.is_integer() else NAN


def _beta(analytic: bool, a: Any, b: Any) -> Any:
    _no_pole(a, "beta")
    _no_pole(b, "beta")
    return a.gamma() * b.gamma() * (a + b).rgamma()


def _binomial(analytic: bool, n: Any, k: Any) -> Any:
    return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()


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


OPS: dict[type, Op] = {
    sp.exp: _entire("exp"), sp.sin: _entire("sin"), sp.cos: _entire("cos"),
    sp.sinh: _entire("sinh"), sp.cosh: _entire("cosh"), sp.sinc: _entire("sinc"),
    sp.tan: _entire("tan"), sp.sec: _entire("sec"), sp.tanh: _entire("tanh"),
    sp.sech: _entire("sech"),
    sp.cot: _meromorphic("cot", True), sp.csc: _meromorphic("csc", True),
    sp.coth: _meromorphic("coth", True), sp.csch: _meromorphic("csch", True),
    sp.asin: _refused("asin", _outside), sp.acos: _refused("acos", _outside),
    sp.atanh: _refused("atanh", _outside), sp.atan: _refused("atan", _axis),
    sp.asinh: _refused("asinh", _axis), sp.acosh: _cut("acosh", lambda z: on_cut(z, 1)),
    sp.log: _cut("log", singular_at_zero=True),
    sp.erf: _entire("erf"), sp.erfc: _entire("erfc"), sp.erfi: _entire("erfi"),
    sp.erf2: lambda analytic, a, b: b.erf() - a.erf(),
    sp.gamma: _gamma, sp.loggamma: _loggamma, sp.polygamma: _polygamma, sp.beta: _beta,
    sp.factorial: lambda analytic, z: _gamma(analytic, z + 1), sp.binomial: _binomial,
    sp.uppergamma: _uppergamma, sp.lowergamma: _lowergamma,
    sp.expint: _expint, sp.Ei: _ei,
    sp.Si: _entire("si"), sp.Shi: _entire("shi"),
    sp.Ci: _cut("ci", singular_at_zero=True), sp.Chi: _cut("chi", singular_at_zero=True),
    sp.fresnels: _entire("fresnel_s"), sp.fresnelc: _entire("fresnel_c"),
    sp.besselj: _bessel("bessel_j", False), sp.besseli: _bessel("bessel_i", False),
    sp.bessely: _bessel("bessel_y", True), sp.besselk: _besselk,
    sp.zeta: _entire("zeta"),
}
"""What each SymPy function means in balls.  ``sp.zeta`` is taken with one argument only."""
