"""Integrals of polynomials times Gaussians, exponentials and erfc, in closed form.

Over (0, oo):

* t^n e^(-a t^2 + b t), a > 0: completing the square gives erfc for n = 0, by parts the rest;
* t^n e^(-p t): n!/p^(n+1) where Re p > 0, else the integral diverges;
* t^n e^(-p t) erfc(alpha t + beta), alpha > 0: by parts, for every complex p.

b and p may be complex: both sides are entire in them (fact "identity theorem").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.transform import Divergent
from lapdp.core.errors import Unsupported
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.tower import Tower

NODES = (cn.OneSided, cn.Bilateral, cn.IntegralOnLine)
_REWRITTEN = (sp.sin, sp.cos, sp.sinh, sp.cosh)
_MAX_POWER = 12


@dataclass(frozen=True)
class Shape:
    """t^n e^(-a t^2 + b t) erfc(alpha t + beta); alpha = 0 stands for no erfc."""

    n: int
    a: Any
    b: Any
    alpha: Any
    beta: Any


def without_integrals(e: Any, tower: Tower) -> Any:
    """``e`` with every transform and integral replaced by its closed form.

    Raises :class:`Divergent` where an integral does not converge, :class:`Unsupported` outside the
    class, ``NeedSplit`` where a sign is open.

    >>> from lapdp.calculus.ordering import Cell
    >>> t, s = sp.symbols("t s", real=True)
    >>> without_integrals(cn.L(sp.exp(-t**2), t, s), Tower(Cell()))
    sqrt(pi)*exp(s**2/4)*erfc(s/2)/2
    """
    if isinstance(e, NODES):
        return _integral(e, tower)
    if not e.args or not e.has(*NODES):
        return e
    return e.func(*(without_integrals(a, tower) for a in e.args))


def _integral(e: Any, tower: Tower) -> Any:
    g, t = e.args[0], e.args[1]
    x = sp.Dummy("x", positive=True)
    if g.has(sp.DiracDelta, *NODES):
        raise Unsupported("an impulse or an integral inside an integral")

    def from_(h: Any) -> Any:
        return half_line(h, x, tower)

    if isinstance(e, cn.IntegralOnLine):
        lower, upper = e.args[2:]
        if not all(end in (sp.oo, -sp.oo) or tower.real(tower.scalar(end))
                   for end in (lower, upper)):
            raise Unsupported("a limit of integration that is not real")
        if lower == -sp.oo and upper == sp.oo:
            return from_(g.xreplace({t: x})) + from_(g.xreplace({t: -x}))
        if upper == sp.oo:
            return from_(g.xreplace({t: lower + x}))
        if lower == -sp.oo:
            return from_(g.xreplace({t: upper - x}))
        raise Unsupported("an integral over a bounded interval")
    s = e.args[2]
    right = from_(g.xreplace({t: x}) * sp.exp(-s * x))
    if isinstance(e, cn.OneSided):
        return right
    return right + from_(g.xreplace({t: -x}) * sp.exp(s * x))


def half_line(g: Any, x: Any, tower: Tower) -> Any:
    """Integral of ``g`` over x > 0."""
    _require_values(g, x, tower)
    parts: dict[Shape, Any] = {}
    for term in sp.Add.make_args(_expanded(g, x)):
        for c, shape in _shapes(term, x, tower):
            parts[shape] = parts.get(shape, sp.S.Zero) + c
    total = sp.S.Zero
    for shape, c in parts.items():
        if not tower.scalar(c).is_zero():
            total += c * _value(shape, tower)
    return total


def _require_values(g: Any, x: Any, tower: Tower) -> None:
    """Coefficients must have values as they are written: some cancel when terms are collected."""
    if not g.has(x):
        require(tower, g)
        return
    for part in g.args:
        _require_values(part, x, tower)


def _expanded(g: Any, x: Any) -> Any:
    rewritten = {f: f.rewrite(sp.exp) for f in g.atoms(*_REWRITTEN) if f.has(x)}
    rewritten.update({f: 1 - sp.erfc(f.args[0]) for f in g.atoms(sp.erf) if f.has(x)})
    return sp.expand(g.xreplace(rewritten), power_exp=False, log=False, complex=False, func=False)


def _shapes(term: Any, x: Any, tower: Tower) -> list[tuple[Any, Shape]]:
    """A product as a sum of coefficients times shapes."""
    c, n, exponent, tails = sp.S.One, 0, sp.S.Zero, []
    for f in sp.Mul.make_args(term):
        if not f.has(x):
            c *= f
        elif f == x:
            n += 1
        elif f.is_Pow and f.base == x and f.exp.is_Integer and 0 < f.exp <= _MAX_POWER:
            n += int(f.exp)
        elif isinstance(f, sp.exp):
            exponent += f.args[0]
        elif f.is_Pow and not f.base.has(x) and f.base.is_positive:
            exponent += f.exp * sp.log(f.base)
        elif isinstance(f, sp.erfc):
            tails.append(f.args[0])
        else:
            raise Unsupported(f"{f} under an integral is outside the Gaussian class")
    if len(tails) > 1 or n > _MAX_POWER:
        raise Unsupported("a product of several erfc under an integral")
    free, b, square = _coefficients(exponent, x, 2)
    c *= sp.exp(free)
    if not tails:
        return [(c, Shape(n, -square, b, sp.S.Zero, sp.S.Zero))]
    beta, alpha = _coefficients(tails[0], x, 1)
    sign = tower.sign(tower.scalar(alpha))
    if sign == 0:
        return [(c * sp.erfc(beta), Shape(n, -square, b, sp.S.Zero, sp.S.Zero))]
    tail = Shape(n, -square, b, sign * alpha, sign * beta)
    if sign > 0:
        return [(c, tail)]
    # erfc(u) = 2 - erfc(-u)
    return [(2 * c, Shape(n, -square, b, sp.S.Zero, sp.S.Zero)), (-c, tail)]


def _coefficients(e: Any, x: Any, degree: int) -> list[Any]:
    """Coefficients of 1, x, ... of a polynomial of at most that degree."""
    e = sp.expand(e)
    found = [e.coeff(x, k) for k in range(degree + 1)]
    rest = sp.expand(e - sum(c * x**k for k, c in enumerate(found)))
    if rest != 0 or any(c.has(x) for c in found):
        raise Unsupported(f"{e} is not a polynomial of degree {degree} or less")
    return found


def _value(shape: Shape, tower: Tower) -> Any:
    curvature = tower.scalar(shape.a)
    sign = 0 if curvature.is_zero() else tower.sign(curvature)
    if shape.alpha == 0:
        if sign > 0:
            return gaussian_moments(shape.n, shape.a, shape.b)
        if sign < 0:
            raise Divergent("the integrand grows like a Gaussian")
        return _exponential_moment(shape.n, -shape.b, tower)
    if sign != 0:
        raise Unsupported("erfc times a Gaussian under an integral")
    return _erfc_moment(shape.n, -shape.b, shape.alpha, shape.beta, tower)


def gaussian_moments(n: int, a: Any, b: Any) -> Any:
    """Integral of t^n e^(-a t^2 + b t) over (0, oo), a > 0.

    From d(t^n e^q) = (n t^(n-1) - 2 a t^(n+1) + b t^n) e^q with q = -a t^2 + b t.
    """
    root = sp.sqrt(a)
    before, now = sp.S.Zero, (sp.sqrt(sp.pi) / (2 * root) * sp.exp(sp.expand(b**2 / (4 * a)))
                              * sp.erfc(-b / (2 * root)))
    for k in range(n):
        boundary = sp.S.One if k == 0 else sp.S.Zero
        before, now = now, (b * now + k * before + boundary) / (2 * a)
    return now


def _exponential_moment(n: int, p: Any, tower: Tower) -> Any:
    form = tower.scalar(p).as_form()
    if form is None:
        raise Unsupported(f"the rate {p} is not a polynomial in the parameters")
    if tower.cell.sign(form.substitute(tower.cell.values).real_part()) <= 0:
        raise Divergent("the integrand does not decay")
    return sp.factorial(n) / p ** (n + 1)


def _erfc_moment(n: int, p: Any, alpha: Any, beta: Any, tower: Tower) -> Any:
    """By parts; d erfc(alpha t + beta) = -2 alpha/sqrt(pi) e^(-(alpha t + beta)^2) dt."""
    slope = 2 * alpha / sp.sqrt(sp.pi) * sp.exp(sp.expand(-(beta**2)))

    def density(k: int) -> Any:
        return slope * gaussian_moments(k, sp.expand(alpha**2), sp.expand(-2 * alpha * beta - p))

    if not tower.nonzero(tower.scalar(p)):
        return density(n + 1).xreplace({p: sp.S.Zero}) / (n + 1)
    found = (sp.erfc(beta) - density(0)) / p
    for k in range(1, n + 1):
        found = (k * found - density(k)) / p
    return found
