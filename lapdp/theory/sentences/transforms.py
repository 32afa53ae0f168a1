"""Integrals over a real variable: transforms, ranges, and generalised densities under them.

f(Z) is the image of P under the loss, on the finite reals: an integral of f(Z)(c t + d) k(t) over t
is the integral of p k, at the t where c t + d is the loss, over the outcomes of finite loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as cn
from lapdp.kernel.domain import conj
from lapdp.privacy import nodes as pn
from lapdp.theory.sentences.notions import Notions
from lapdp.theory.sentences.scope import NotSaid, sort_key
from lapdp.theory.sentences.terms import NODES

Kernel = Callable[[int], list[int]]
"""Factors beside the integrand at a point, such as exp(-s t)."""
Range = Callable[[int], int | None]
"""The formula that a point lies in the range of integration; None: all points do."""


DENSITIES = (pn.LossDensity, sp.DiracDelta)


class Transforms(Notions):
    """Reads integrals over the line."""

    def on_line(self, body: Any, t: Any, kernel: Kernel, inside: Range) -> int:
        """The integral of kernel times body over the points inside."""
        parts = self.split(body, t)
        if len(parts) > 1:
            self.stricter("a sum integrated term by term")
        found = []
        for density, rest in parts:
            found.append(self._plain(rest, t, kernel, inside) if density is None
                         else self._against(density, rest, t, kernel, inside))
        return self.total(found)

    def at(self, rest: list[Any], t: Any, x: int, kernel: Kernel, before: list[int]) -> int:
        """The integrand at the point x."""
        with self.where({t: x}):
            return self.product([*before, *kernel(x), *(self.term(f) for f in rest)])

    def _plain(self, rest: list[Any], t: Any, kernel: Kernel, inside: Range) -> int:
        def build(x: int) -> int:
            value, test = self.at(rest, t, x, kernel, []), inside(x)
            return value if test is None else self.case(test, value, self.zero(value))

        return self.bind("lint", "R", build)

    def _against(self, density: Any, rest: list[Any], t: Any, kernel: Kernel, inside: Range) -> int:
        if isinstance(density, cn.Convolution):
            return self._joined(density, rest, t, kernel, inside)
        z, argument = density.args[0], density.args[-1]
        slope, offset = affine(argument, t)
        if isinstance(density, sp.DiracDelta):
            y = self.say("-d * inv(c)", d=self.real(offset), c=self.term(slope))
            value = self.at(rest, t, y, kernel, [self.b.make("inv", self.term(abs(slope)))])
            test = inside(y)
            return value if test is None else self.case(test, value, self.zero(value))
        first, second = z.args
        self.two_of(first, second)

        def build() -> int:
            if self.ends[first, second]:
                return self.b.number(0)
            y = self.loss(first, second)
            assert isinstance(y, int)
            d, factors = self.real(offset), [self.term(first)]
            if slope == -1 or offset != 0:
                y = self.say("d - y" if slope == -1 else "y - d", d=d, y=y)
            if abs(slope) != 1:
                y = self.say("y * inv(c)", y=y, c=self.term(slope))
                factors.append(self.b.make("inv", self.term(abs(slope))))
            value, test = self.at(rest, t, y, kernel, factors), inside(y)
            return value if test is None else self.case(test, value, self.zero(value))

        return self.integral(sp.Tuple(first, second), build, [(first, second)])

    def _joined(self, both: Any, rest: list[Any], t: Any, kernel: Kernel, inside: Range) -> int:
        """The integral against a convolution: over both, at the sum of two points."""
        first, second, variable, lower = both.args
        if variable != t or lower != -sp.oo:
            raise NotSaid("a convolution in another variable, or of functions on a half line")

        def outer(y: int) -> list[int]:
            return [self.on_line(second, t, lambda x: [self.at(
                rest, t, self.b.make("add", y, x), kernel, [])],
                lambda x: inside(self.b.make("add", y, x)))]
        return self.on_line(first, t, outer, lambda _: None)

    def split(self, body: Any, t: Any) -> list[tuple[Any, list[Any]]]:
        """A body as a sum of (generalised density or None, other factors)."""
        if not dense(body, t):
            return [(None, [body])]
        if body.is_Add:
            plain = [a for a in sorted(body.args, key=sort_key) if not dense(a, t)]
            parts = [x for a in sorted(body.args, key=sort_key) if dense(a, t)
                     for x in self.split(a, t)]
            return parts + ([(None, [sp.Add(*plain)])] if plain else [])
        factors = sorted(sp.Mul.make_args(body), key=sort_key)
        inner = [f for f in factors if dense(f, t)]
        rest = [f for f in factors if not dense(f, t)]
        if len(inner) > 1:
            raise NotSaid("a product of generalised densities")
        if isinstance(inner[0], (*DENSITIES, cn.Convolution)):
            return [(inner[0], rest)]
        if inner[0].is_Add:
            return [(f, [*rest, *more]) for f, more in self.split(inner[0], t)]
        raise NotSaid(f"a generalised density inside of {type(inner[0]).__name__}")


def nothing(at: int) -> list[int]:
    """No factors beside the integrand."""
    return []


def dense(e: Any, t: Any) -> bool:
    """Does the expression carry a generalised density of the variable itself?"""
    return any(isinstance(x, DENSITIES) and t in x.args[-1].free_symbols
               for x in sp.preorder_traversal(e))


def affine(e: Any, t: Any) -> tuple[Any, Any]:
    """(c, d) with e = c t + d, c a rational number."""
    slope = sp.expand(e).coeff(t, 1)
    offset = sp.expand(e).coeff(t, 0)
    if sp.expand(e - slope * t - offset) != 0 or not slope.is_Rational or slope == 0:
        raise NotSaid("a generalised density at what is not affine")
    return slope, offset


def _transform(e: Transforms, x: Any) -> int:
    body, t, s = x.args
    frequency, whole = e.minus(e.term(s)), isinstance(x, cn.Bilateral)
    return e.on_line(body, t, lambda y: [e.say("exp(s * y)", s=frequency, y=y)],
                     lambda y: None if whole else e.say("0 < y", y=y))


def _range(e: Transforms, x: Any) -> int:
    body, t, lower, upper = x.args
    if lower in (sp.oo,) or upper in (-sp.oo,):
        raise NotSaid("an integral from oo or to -oo")
    ends = [None if a in (sp.oo, -sp.oo) else e.real(a) for a in (lower, upper)]

    def between(low: int | None, high: int | None) -> Range:
        return lambda at: conj(e.b, None if low is None else e.b.make("lt", low, at),
                               None if high is None else e.b.make("lt", at, high))

    found = e.on_line(body, t, nothing, between(*ends))
    if None in ends or (upper - lower).is_nonnegative:
        return found
    # an oriented integral: the one over the other order of its ends counts negative
    return e.num("add", found, e.minus(e.on_line(body, t, nothing, between(*ends[::-1]))))


def _limit(e: Transforms, x: Any) -> int:
    body, t, point, side = x.args
    known = {} if point.is_infinite else {"c": e.real(point)}

    def along(way: str) -> Callable[[int], int]:
        def build(u: int) -> int:
            with e.where({t: e.say(way, u=u, **known)}):
                return e.term(body)
        return build

    if not known:
        return e.limit(along("u" if point == sp.oo else "-u"))
    return e.limit(*(along(way) for mark, way in (("-", "c + -exp(-u)"), ("+", "c + exp(-u)"))
                     if str(side) in ("_", f"_{mark}")))


def _symmetric(e: Transforms, x: Any) -> int:
    body, t, _ = x.args

    def part(test: str) -> int:
        return e.limit(lambda u: e.on_line(body, t, nothing,
                                           lambda y: e.say(test, u=u, y=y)))

    if not x.principal:
        return part("abs(y) < u")
    near, far = part("exp(-u) < abs(y) and abs(y) <= 1"), part("1 < abs(y) and abs(y) < u")
    return e.num("add", near, far)


def _bromwich(e: Transforms, x: Any) -> int:
    body, s, point, line = x.args
    at, gamma = e.real(point), e.real(line)

    def build(u: int) -> int:
        def inside(w: int) -> int:
            z = e.say("c + i * w", c=gamma, w=w)
            with e.where({s: z}):
                return e.say("case(abs(w) < u, exp(z * x) * f, 0)", w=w, u=u, z=z, x=at,
                             f=e.term(body))
        return e.bind("lint", "R", inside)

    return e.say("inv(2 * pi) * x", x=e.limit(build))


def _impulse(e: Transforms, x: Any) -> int:
    body, t, point = x.args
    if body.atoms(AppliedUndef, cn.GeneralizedDerivative):
        raise NotSaid("the impulse of an arbitrary function, or of a derivative")
    at = e.real(point)
    found = [e._against(density, rest, t, nothing, lambda y: e.b.make("eq", y, at))
             for density, rest in e.split(body, t) if density is not None]
    return e.total(found)


def _convolution(e: Transforms, x: Any) -> int:
    first, second, t, lower = x.args
    at = e.real(t)
    if any(dense(g, t) for g in (first, second)) or lower not in (0, -sp.oo):
        raise NotSaid("a convolution of generalised functions")

    def build(y: int) -> int:
        with e.where({t: y}):
            one = e.term(first)
        with e.where({t: e.say("x - y", x=at, y=y)}):
            two = e.term(second)
        value = e.num("mul", one, two)
        return value if lower == -sp.oo else e.say("case(0 < y and y < x, f, 0)", x=at, y=y,
                                                   f=value)

    return e.bind("lint", "R", build)


NODES.update({
    cn.OneSided: _transform, cn.Bilateral: _transform, cn.IntegralOnLine: _range,
    cn.Convolution: _convolution, cn.Limit: _limit, cn.SymmetricIntegral: _symmetric,
    cn.Bromwich: _bromwich, cn.Impulse: _impulse,
})

__all__ = ["Transforms"]
