"""Integrals over a real variable: transforms, ranges, and generalised densities under them.

f(Z) is the image of P under the loss, on the finite reals: an integral of f(Z)(t + d) k(t) over t
is the integral of p k, at the t where t + d is the loss, over the outcomes of finite loss; so for
f(Z)(d - t).

A generalised derivative of h under an integral over the line, of k(t) D^n h(t), is the limit of the
integrals of k times the n-th symmetric difference quotient of h, as its step exp(-u) tends to 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.kernel.notions import BROMWICH, TRADE_OFF
from lapdp.kernel.saying import refuse
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.sentences.points import Points, natural
from lapdp.theory.sentences.terms import MEANINGS, sort_of

LIMITS = {"f(c - exp(-u))": ("_", "_-"), "f(c + exp(-u))": ("_", "_+")}
"""What tends to a limit at c as u tends to +oo, by the marks of sides."""
DENSITIES = (pn.LossDensity, sp.DiracDelta, cn.GeneralizedDerivative)
"""``args[:2][-1]`` is where each is taken; of a derivative the variable."""
QUOTIENTS = {1: "1 / 2 * exp(u) * (h(x + exp(-u)) - h(x - exp(-u)))",
             2: "exp(2 * u) * (h(x + exp(-u)) - 2 * h(x) + h(x - exp(-u)))"}
CURVES = (sp.Add, sp.Mul, sp.exp, sp.Max, sp.Min, sp.Abs, pn.Profile)
"""Of differences of convex functions these make such again (Hartman, On functions representable as
a difference of convex functions, 1959): continuous, with a measure for a second derivative."""


class Region(NamedTuple):
    """A variable of integration, factors beside the integrand at a point, such as exp(-s t), and
    the formula that a point lies in the range; None: all points do."""

    t: Any
    kernel: Callable[[int], list[int]] = lambda _: []
    inside: Callable[[int], int | None] = lambda _: None


class Transforms(Points):
    """Reads integrals over the line."""

    def on_line(self, body: Any, line: Region) -> int:
        """The integral of kernel times body over the points inside."""
        parts = self.split(body, line.t)
        if len(parts) > 1:
            self.stricter("a sum integrated term by term")
        return self.total([self.against(density, rest, line) for density, rest in parts])

    def at(self, rest: list[Any], x: int, line: Region, *before: int) -> int:
        """The integrand at the point x."""
        with self.where({line.t: x}):
            value = self.product([*before, *line.kernel(x), *map(self.term, rest)])
        return self.only(line.inside(x), value)

    def against(self, density: Any, rest: list[Any], line: Region) -> int:
        """The integral of a generalised density, or of none, times other factors."""
        if density is None:
            return self.bind("lint", lambda x: self.at(rest, x, line))
        if isinstance(density, cn.Convolution):
            return self._joined(density, rest, line)
        if isinstance(density, cn.GeneralizedDerivative):
            body, t, order = density.args
            steps = isinstance(body, pn.LossCDF) and affine(body.args[1], t, body.args[0])
            # at the ends of a range, and at the jumps of a factor, there may be impulses
            refuse(order not in QUOTIENTS or not ((steps and order == 1) or curved(body, t)) or (
                line.inside(self.b.number(0)) not in (None, self.truth()) or not all(
                    curved(e, t) for e in rest)), "such a generalised derivative")
            return self.limit(self.under("R", lambda u: self.bind("lint", lambda x: self.at(
                rest, x, line, self.say(QUOTIENTS[order], h=self.function(body, t), x=x, u=u)))))
        slope, offset = affine(density.args[-1], line.t, *density.args[:-1])
        if isinstance(density, sp.DiracDelta):
            y = self.say("-d / c", d=self.real(offset), c=slope)
            return self.at(rest, y, line, self.say("inv(1)"))
        pair = density.args[0].args

        def build() -> int:
            if self.ends[pair]:
                return self.b.number(0)
            y = self.loss(pair)
            if slope == -1 or offset != 0:
                y = self.say("d - y" if slope == -1 else "y - d", d=self.real(offset), y=y)
            return self.at(rest, y, line, self.term(pair[0]))

        return self.over(pair, build, losses=True)

    def _joined(self, both: Any, rest: list[Any], line: Region) -> int:
        """The integral against a convolution: over both, at the sum of two points."""
        first, second, variable, lower = both.args
        refuse(variable != line.t or lower != -sp.oo or both.has(cn.GeneralizedDerivative),
               "a convolution in another variable, with a derivative, or on a half line")

        def outer(y: int) -> list[int]:
            moved = partial(self.b.make, "add", y)
            everywhere = Region(line.t, line.kernel)
            return [self.on_line(second, Region(line.t, lambda x: [self.at(
                rest, moved(x), everywhere)], lambda x: line.inside(moved(x))))]
        return self.on_line(first, Region(line.t, outer))

    def split(self, body: Any, t: Any) -> list[tuple[Any, list[Any]]]:
        """A body as a sum of (generalised density or None, other factors)."""
        if not dense(body, t) or isinstance(body, (*DENSITIES, cn.Convolution)):
            return [(body, [])] if dense(body, t) else [(None, [body])]
        args = sorted(body.args if body.is_Add else sp.Mul.make_args(body), key=sp.default_sort_key)
        inner, rest = ([a for a in args if dense(a, t) == yes] for yes in (True, False))
        if body.is_Add:
            return [x for a in inner for x in self.split(a, t)] + (
                [(None, [sp.Add(*rest)])] if rest else [])
        refuse(len(inner) > 1, "a product of generalised densities")
        refuse(inner == [body], f"a generalised density inside of {type(body).__name__}")
        return [(f, [*rest, *more]) for f, more in self.split(inner[0], t)]


def dense(e: Any, t: Any) -> bool:
    """Does the expression carry a generalised density of the variable itself?"""
    return any(t in x.args[:2][-1].free_symbols for x in e.atoms(*DENSITIES))


def curved(e: Any, t: Any) -> bool:
    """Is it, by structure, locally a difference of two convex functions of t?"""
    return e == t or t not in letters(e) or ((isinstance(e, CURVES) or (
        e.is_Pow and natural(e.exp))) and all(curved(a, t) for a in e.args))


def letters(e: Any) -> set[Any]:
    """The free symbols of an expression, those in its mechanisms, and the outcomes before."""
    inside = ({getattr(d.pair.role, "outcome", None)} | lang.letters_inside(d.pair)
              for d in e.atoms(pn.Distribution))
    return set(e.free_symbols.union(*inside))


def affine(e: Any, t: Any, *others: Any) -> tuple[Any, Any]:
    """(c, d) with e = c t + d, c = 1 or -1; the other arguments of a density do not know t."""
    slope, offset = (sp.expand(e).coeff(t, n) for n in (1, 0))
    refuse(sp.expand(e - slope * t - offset) != 0 or abs(slope) != 1 or any(
        t in letters(x) for x in others), "a generalised density at what is not t + d or -t + d")
    return slope, offset


def _transform(test: str, e: Transforms, body: Any, t: Any, s: Any) -> int:
    at = e.term(s)
    return e.on_line(body, Region(t, lambda y: [e.say("exp(-s * y)", s=at, y=y)],
                                  lambda y: e.say(test, y=y)))


def _range(e: Transforms, body: Any, t: Any, lower: Any, upper: Any) -> int:
    refuse(lower == sp.oo or upper == -sp.oo, "an integral from oo or to -oo")
    low, high = (None if a in (sp.oo, -sp.oo) else e.real(a) for a in (lower, upper))

    def between(low: int | None, high: int | None) -> int:
        tests = ["a < y"] * (low is not None) + ["y < b"] * (high is not None)
        return e.on_line(body, Region(t, inside=lambda y: e.say(
            " and ".join(tests) or "not false", a=low, b=high, y=y)))

    # an oriented integral: the one over the other order of its ends counts negative
    turned = None not in (low, high) and not (upper - lower).is_nonnegative
    return e.say("f - g" if turned else "f", f=between(low, high), g=turned and between(high, low))


def _convolution(e: Transforms, first: Any, second: Any, t: Any, lower: Any) -> int:
    """The integral over y of first(t - y) second(y)."""
    first, second = sorted((first, second), key=lambda g: dense(g, t))
    refuse(lower != -sp.oo or not curved(first, t), "such a convolution at a point")
    point, at = e.term(t), e.function(first, t)
    return e.on_line(second, Region(t, lambda y: [at(e.say("x - y", x=point, y=y))]))


def _limit(e: Transforms, body: Any, t: Any, point: Any, side: Any) -> int:
    ends = ["f(u)" if point == sp.oo else "f(-u)"] if point.is_infinite else [
        end for end, marks in LIMITS.items() if str(side) in marks]
    return e.say(f"limit(u, {', '.join(ends)})", f=e.function(body, t),
                 c=0 if point.is_infinite else e.real(point))


def _symmetric(e: Transforms, body: Any, t: Any, mark: Any) -> int:
    tests = ["exp(-u) < abs(y) and abs(y) <= 1", "1 < abs(y) and abs(y) < u"]
    return e.total([e.limit(e.under("R", lambda u, test=test: e.on_line(body, Region(
        t, inside=lambda y: e.say(test, u=u, y=y)))))  # type: ignore[misc]
        for test in (tests if str(mark) == "_pv" else ["abs(y) < u"])])


def _impulse(e: Transforms, body: Any, t: Any, point: Any) -> int:
    refuse(body.has(sp.core.function.AppliedUndef, cn.GeneralizedDerivative), "such an impulse")
    at = e.real(point)
    here = Region(t, inside=lambda y: e.say("y == a", y=y, a=at))
    return e.total([e.against(density, rest, here)
                    for density, rest in e.split(body, t) if density is not None])


def _extremum(sign: str, e: Transforms, body: Any, t: Any, lower: Any = -sp.oo,
              upper: Any = sp.oo, *below: Any) -> int:
    def member(x: int) -> tuple[list[int], int]:
        with e.where({t: x}):
            return ([e.condition(sp.Le(*below, evaluate=False))] if below else [],
                    e.say(f"{sign}f", f=e.real(body)))
    low, high = (None if a.is_infinite else a for a in (lower, upper))
    return e.say(f"{sign}x", x=e.largest(sort_of(t), low, high, member))


def _trade_off(e: Transforms, first: Any, second: Any, level: Any) -> int:
    e.two_of(first, second)
    a, event = e.real(level), pn.Unnamed("S")
    for text in ("0 <= a", "a <= 1"):
        e.demand(e.say(text, a=a))
    p, q = (e.function(pn.IntegralOverSpace(d, event), event) for d in (first, second))
    return e.say(TRADE_OFF, a=a, p=p, q=q)


def _tests(e: Transforms, body: Any, phi: Any, lhs: Any, rhs: Any) -> int:
    means = [m for side in (lhs, body) for m in side.atoms(tn.Mean)]
    refuse(len(means) != 2 or lhs != means[0] or body != 1 - means[1] or rhs.has(tn.Mean) or {
        m.args[1] for m in means} != {phi}, "an infimum over tests of other than the second error")
    e.partial(rhs.is_nonnegative and (1 - rhs).is_nonnegative, "an infimum over tests")
    return _trade_off(e, means[0].args[0], means[1].args[0], rhs)


MEANINGS.update({
    tn.TradeOff: _trade_off, tn.InfOverReals: partial(_extremum, "-"), tn.InfOverTests: _tests,
    **dict.fromkeys((tn.SupOverReals, pn.SupOverOutcomes), partial(_extremum, "")),
    cn.OneSided: partial(_transform, "0 < y"), cn.Bilateral: partial(_transform, "not false"),
    cn.IntegralOnLine: _range, cn.Limit: _limit, cn.Convolution: _convolution,
    cn.SymmetricIntegral: _symmetric, cn.Impulse: _impulse,
    cn.Bromwich: lambda e, f, s, x, c: e.say(BROMWICH, f=e.function(f, s), x=x, c=c),
})
