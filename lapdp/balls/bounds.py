"""Bounds of special functions on [T, oo), one known inequality each (DLMF numbers beside them)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import arb

from lapdp.balls.envelope import ONE, ZERO, Envelope, Term, TooEarly
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import Unsupported

Rule = Callable[[Envelope, Any], list[Term]]
_HALF = arb(1) / 2


class Bounds(Envelope):
    """An envelope that knows the special functions.

    >>> t = sp.Symbol("t", positive=True)
    >>> Bounds(t, 2).upper(sp.exp(-t) * sp.cos(t)).b
    -1.00000000000000
    """

    def special(self, e: Any) -> list[Term]:
        """Bound a function application; :class:`Unsupported` names what has no bound."""
        rule = RULES.get(type(e))
        return super().special(e) if rule is None else rule(self, e)


def _vanishing(env: Envelope, g: Any) -> Term | None:
    """The bound of g if it falls to 0 and is at most 1, else None."""
    try:
        u = env.upper(g)
    except TooEarly:
        return None
    return u if u.vanishes(env.T) and u.at(env.T) <= 1 else None


def _scaled(u: Term, k: Any) -> Term:
    return Term(u.c * k, u.n, u.b, u.a)


def _bounded(limit: int, slope: int | None = None) -> Rule:
    """|f(x)| <= limit for real x, and |f(x)| <= slope |x|; complex sin, cos by exponentials."""

    def rule(env: Envelope, e: Any) -> list[Term]:
        g = e.args[0]
        if not env.real(g):
            return _by_exponentials(env, e)
        small = _vanishing(env, g) if slope is not None else None
        return [_scaled(small, arb(slope or 0))] if small else [Term(arb(limit))]

    return rule


def _by_exponentials(env: Envelope, e: Any) -> list[Term]:
    other = e.rewrite(sp.exp)
    if type(other) is type(e):
        raise Unsupported(f"no bound of {type(e).__name__} at infinity for complex arguments")
    return env.terms(other)


def _sinh(env: Envelope, e: Any) -> list[Term]:
    small = _vanishing(env, e.args[0])  # |sinh x| <= |x| cosh|x|, |cosh x| <= cosh|x|
    if small is None:
        return _by_exponentials(env, e)
    cosh = small.at(env.T).cosh()
    return [_scaled(small, cosh) if isinstance(e, sp.sinh) else Term(cosh)]


def _erfc(env: Envelope, e: Any) -> list[Term]:
    g = e.args[0]  # erfc(x) <= exp(-x^2) for x >= 0 (DLMF 7.8.2 and monotonicity)
    if env.nonneg(g):
        return [env.exponential(-(g**2))]
    if env.real(g):
        return [Term(arb(2))]
    raise Unsupported("no bound of erfc at infinity for complex arguments")


def _erfi(env: Envelope, e: Any) -> list[Term]:
    g = e.args[0]  # |erfi(x)| <= (2/sqrt(pi)) |x| exp(x^2)
    if not env.real(g):
        raise Unsupported("no bound of erfi at infinity for complex arguments")
    return [x.times(env.exponential(g**2)).times(Term(arb(2))) for x in env.terms(g)]


def _log(env: Envelope, e: Any) -> list[Term]:
    g = e.args[0]
    small = _vanishing(env, sp.expand(g - 1))
    if small is not None and small.at(env.T) <= _HALF:
        return [_scaled(small, arb(2))]  # |log(1 + h)| <= 2 |h| for |h| <= 1/2
    out = [Term(ZERO if env.nonneg(g) else arb.pi())]
    for x in (env.upper(g), env.lower(g).below()):  # and log t <= t
        out += [Term(abs(x.c.log())), Term(abs(x.n) + abs(x.b), ONE), Term(abs(x.a), arb(2))]
    return [x for x in out if not x.c.is_zero()]


def _order(env: Envelope, e: Any) -> tuple[Any, Any]:
    nu, g = e.args
    value = None if nu.has(env.t) else env.constant(nu)
    if value is None or not value.imag.is_zero() or not env.nonneg(g):
        raise Unsupported(f"{type(e).__name__} is bounded for real order and argument >= 0 only")
    return value.real, g


def _small_bessel(env: Envelope, nu: Any, g: Any) -> Term | None:
    """(x/2)^nu / Gamma(nu + 1), DLMF 10.14.4."""
    small = _vanishing(env, g)
    return None if small is None else _scaled(_scaled(small, arb(1) / 2).power(nu),
                                              (nu + 1).rgamma())


def _besselj(env: Envelope, e: Any) -> list[Term]:
    nu, g = _order(env, e)
    if not nu >= 0:
        raise Unsupported("besselj is bounded for order >= 0 only")
    return [_small_bessel(env, nu, g) or Term(ONE)]  # DLMF 10.14.1


def _besseli(env: Envelope, e: Any) -> list[Term]:
    nu, g = _order(env, e)
    if not nu >= 0:
        raise Unsupported("besseli is bounded for order >= 0 only")
    small = _small_bessel(env, nu, g)
    if small is not None:
        return [_scaled(small, ONE.exp())]  # DLMF 10.14.4: times exp(x), x <= 1
    return [env.exponential(g)]  # I_nu <= I_0 <= exp


def _besselk(env: Envelope, e: Any) -> list[Term]:
    nu, g = _order(env, e)
    if _vanishing(env, g) is not None:
        # K_nu(x) <= (x/2)^-nu Gamma(nu, x/2), from cosh u >= exp(u)/2 in DLMF 10.32.9
        if nu.is_zero():
            return env.terms(sp.log(1 + 2 / g))  # DLMF 6.8.1
        return [env.lower(g / 2).power(-abs(nu)).times(Term(abs(nu).gamma()))]
    m = env.floor(g)  # exp(x) K_nu(x) falls (DLMF 10.32.9)
    return [_scaled(env.exponential(-g), m.bessel_k(nu) * m.exp())]


def _bessely(env: Envelope, e: Any) -> list[Term]:
    nu, g = _order(env, e)
    if nu.is_zero() and _vanishing(env, g) is not None:
        return [*env.terms(sp.log(g)), Term(ONE)]  # DLMF 10.8.2 for x <= 1
    m = env.floor(g)  # J^2 + Y^2 falls (Nicholson, DLMF 10.9.30)
    return [Term((m.bessel_j(nu) ** 2 + m.bessel_y(nu) ** 2).sqrt())]


def _uppergamma(env: Envelope, e: Any) -> list[Term]:
    a, g = _order(env, e)
    if a > 0 and _vanishing(env, g) is not None:
        return [Term(a.gamma())]
    factor = ONE
    if not a <= 1:  # Gamma(a, x) <= x^a e^-x / (x - a + 1) for x > a - 1 (DLMF 8.10.1 ff.)
        m = env.floor(g)
        if not m > a - 1:
            raise TooEarly("uppergamma is bounded for larger arguments")
        factor = m / (m - a + 1)
    power = env.terms(g ** (e.args[0] - 1))
    return [x.times(env.exponential(-g)).times(Term(factor)) for x in power]


def _lowergamma(env: Envelope, e: Any) -> list[Term]:
    a, g = _order(env, e)
    if not a > 0:
        raise Unsupported("lowergamma is bounded for a > 0 only")
    small = _vanishing(env, g)
    return [Term(a.gamma())] if small is None else [_scaled(small.power(a), 1 / a)]


def _expint(env: Envelope, e: Any) -> list[Term]:
    nu, g = _order(env, e)
    if not nu >= 0:
        raise Unsupported("expint is bounded for order >= 0 only")
    if nu >= 1 and _vanishing(env, g) is not None:
        return env.terms(sp.log(1 + 1 / g))  # E_1(x) <= exp(-x) log(1 + 1/x) (DLMF 6.8.1)
    return [x.times(env.exponential(-g)) for x in env.terms(1 / g)]


def _ei(env: Envelope, e: Any) -> list[Term]:
    g = e.args[0]
    if env.nonneg(-g):
        return _expint(env, sp.expint(1, -g, evaluate=False))
    if not env.nonneg(g):
        raise Unsupported("Ei is bounded for arguments of one sign only")
    if _vanishing(env, g) is not None:  # |Ei x| <= |log x| + 3 for x <= 1
        return [*env.terms(sp.log(g)), Term(arb(3))]
    if not env.floor(g) >= 1:
        raise TooEarly("Ei is bounded for larger arguments")
    return [env.exponential(g)]


def _ci(env: Envelope, e: Any) -> list[Term]:
    g = e.args[0]
    if not env.nonneg(g):
        raise Unsupported("Ci is bounded for positive arguments only")
    if _vanishing(env, g) is not None:
        return [*env.terms(sp.log(g)), Term(arb(2))]
    return [Term(2 / env.floor(g))]


def _all_branches(env: Envelope, e: Any) -> list[Term]:
    """Max, Min: one of the arguments; Piecewise: one of the values."""
    if isinstance(e, sp.Piecewise) and e.args[-1][1] != sp.true:
        raise Unsupported("a Piecewise without a last case for everything else")
    values = [v for v, _ in e.args] if isinstance(e, sp.Piecewise) else e.args
    return [Term(x.c, x.n, x.b, x.a) for v in values for x in env.terms(v)]


def _at_most_its_argument(env: Envelope, e: Any) -> list[Term]:
    return [Term(x.c, x.n, x.b, x.a) for x in env.terms(e.args[0])]


def _at_most_one(env: Envelope, e: Any) -> list[Term]:
    """Steps and signs, whose values at their jumps do not matter to an integral."""
    return [Term(ONE)]


RULES: dict[type, Rule] = {
    sp.sin: _bounded(1, 1), sp.cos: _bounded(1), sp.tanh: _bounded(1, 1), sp.atan: _bounded(2, 1),
    sp.erf: _bounded(1, 2), sp.Si: _bounded(2, 1), sp.fresnels: _bounded(1, 1),
    sp.fresnelc: _bounded(1, 1), sp.sinc: _bounded(1),
    sp.sech: _by_exponentials, sp.csch: _by_exponentials, sp.coth: _by_exponentials,
    sp.sinh: _sinh, sp.cosh: _sinh, sp.erfc: _erfc, sp.erfi: _erfi, sp.log: _log,
    sp.besselj: _besselj, sp.besseli: _besseli, sp.besselk: _besselk, sp.bessely: _bessely,
    sp.uppergamma: _uppergamma, sp.lowergamma: _lowergamma, sp.expint: _expint, sp.Ei: _ei,
    sp.Ci: _ci, sp.Max: _all_branches, sp.Min: _all_branches, sp.Piecewise: _all_branches,
    sp.Abs: _at_most_its_argument, sp.re: _at_most_its_argument, sp.im: _at_most_its_argument,
    sp.conjugate: _at_most_its_argument, sp.Heaviside: _at_most_one, sp.sign: _at_most_one,
    Indicator: _at_most_one,
}
"""Each rule holds for every real t >= T."""
