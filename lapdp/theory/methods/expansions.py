"""Asymptotic expansions at +oo: sums of e^(phi(t)) times a series in 1/t, with exact coefficients.

The series of erfc is the enveloping one (DLMF 7.12(i)): its remainder is below the first term left
out, so every remainder here is a power of t that is known to dominate it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.core.errors import Undefined, Unsupported
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.tower import Tower, plain
from lapdp.theory.render import word_of

ORDERS = (2, 4, 8)
"""Terms of a series that are kept beyond its leading one: few first."""
_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)
_EXACT = -(10**9)


@dataclass(frozen=True)
class Series:
    """Sum of c t^p over ``terms`` {p: c}, plus O(t^cut)."""

    terms: dict[int, Scalar]
    cut: int = _EXACT

    @property
    def exact(self) -> bool:
        """Is nothing left out?"""
        return self.cut == _EXACT

    def top(self) -> int:
        """No power above this one occurs."""
        return max([*self.terms, self.cut])


@dataclass(frozen=True)
class Group:
    """e^(phi_1 t + phi_2 t^2 + ...) times a series."""

    phi: tuple[Scalar, ...]
    series: Series


class Expander:
    """Expansions in one cell; ``t`` tends to +oo.

    >>> from lapdp.calculus.ordering import Cell
    >>> t = sp.Symbol("t", positive=True)
    >>> (group,) = Expander(t, Tower(Cell())).expand(sp.erfc(t))
    >>> group.phi, sorted(group.series.terms)[-2:]
    ((0, -1), [-3, -1])
    """

    def __init__(self, t: Any, tower: Tower, order: int = ORDERS[0]) -> None:
        self.t, self.tower, self.order = t, tower, order

    # -- expressions ----------------------------------------------------------------------------

    def expand(self, e: Any) -> list[Group]:
        """The expansion of an expression in ``t``; :class:`Unsupported` outside the class."""
        if not e.has(self.t):
            require(self.tower, e)
            return self.constant(self.tower.scalar(e))
        if e == self.t:
            return [Group((), Series({1: Scalar.of(1)}))]
        if e.is_Add:
            return self.merged([g for a in e.args for g in self.expand(a)])
        if e.is_Mul:
            total = self.constant(Scalar.of(1))
            for a in e.args:
                total = self.times(total, self.expand(a))
            return total
        if isinstance(e, sp.exp):
            return self.exponential(self.single(e.args[0]))
        if e.is_Pow:
            return self.power(e)
        if isinstance(e, sp.erf):
            return self.expand(1 - sp.erfc(e.args[0]))
        if isinstance(e, sp.erfc):
            return self.erfc(self.single(e.args[0]))
        if isinstance(e, _HYPERBOLIC):
            return self.expand(e.rewrite(sp.exp))
        raise Unsupported(f"no expansion of {word_of(e)} at infinity")

    def constant(self, c: Scalar) -> list[Group]:
        """The expansion of a number."""
        c = self.tower.reduce(c)
        return [] if c.is_zero() else [Group((), Series({0: c}))]

    def single(self, e: Any) -> Series:
        """The expansion of an argument: a series without exponentials."""
        groups = self.expand(e)
        if not groups:
            return Series({})
        if len(groups) > 1 or groups[0].phi:
            raise Unsupported(f"{e} inside a function grows exponentially")
        return groups[0].series

    def power(self, e: Any) -> list[Group]:
        """Whole powers, and c^x for positive numbers c."""
        if not e.base.has(self.t):
            require(self.tower, sp.log(e.base))
            return self.expand(sp.exp(e.exp * sp.log(e.base)))
        if not e.exp.is_Integer:
            raise Unsupported(f"the power {e}")
        base = self.expand(e.base)
        if e.exp < 0:
            base = self.inverse(base, e.base)
        total = self.constant(Scalar.of(1))
        for _ in range(abs(int(e.exp))):
            total = self.times(total, base)
        return total

    # -- arithmetic -----------------------------------------------------------------------------

    def merged(self, groups: list[Group]) -> list[Group]:
        """Groups of equal exponent added up; zero coefficients dropped."""
        out: list[Group] = []
        for g in groups:
            for k, other in enumerate(out):
                if not self.difference(g.phi, other.phi):
                    out[k] = Group(g.phi, self.sum(g.series, other.series))
                    break
            else:
                out.append(g)
        return [g for g in out if g.series.terms or not g.series.exact]

    def sum(self, x: Series, y: Series) -> Series:
        """x + y."""
        cut = max(x.cut, y.cut)
        terms = dict(x.terms)
        for p, c in y.terms.items():
            terms[p] = self.tower.reduce(terms.get(p, Scalar.of(0)) + c)
        return Series({p: c for p, c in terms.items() if p > cut and not c.is_zero()}, cut)

    def product(self, x: Series, y: Series) -> Series:
        """x y: what is left out of one factor meets the leading term of the other."""
        cut = max(_EXACT if x.exact else x.cut + y.top(), _EXACT if y.exact else y.cut + x.top())
        terms: dict[int, Scalar] = {}
        for p, c in x.terms.items():
            for q, d in y.terms.items():
                if p + q > cut:
                    terms[p + q] = self.tower.reduce(terms.get(p + q, Scalar.of(0)) + c * d)
        return Series({p: c for p, c in terms.items() if not c.is_zero()}, cut)

    def times(self, x: list[Group], y: list[Group]) -> list[Group]:
        """Product of two expansions."""
        return self.merged([Group(tuple(a + b for a, b in zip_longest(
            g.phi, h.phi, fillvalue=Scalar.of(0))), self.product(g.series, h.series))
            for g in x for h in y])

    def inverse(self, x: list[Group], e: Any) -> list[Group]:
        """1/x for a single exponent, by the geometric series."""
        if not x:
            raise Undefined(f"a division by zero: {e} = 0")
        if len(x) > 1:
            raise Unsupported(f"1/({e}) with several exponentials")
        m, c = self.leading(x[0].series)
        first = Series({-m: c.inverse()})
        total = rest = first
        if len(x[0].series.terms) > 1 or not x[0].series.exact:
            # x = c t^m (1 - u), 1/x = (1 + u + u^2 + ...)/(c t^m)
            u = self.sum(Series({0: Scalar.of(1)}), self.scaled(self.product(
                first, x[0].series), -1))
            for _ in range(self.order):
                rest = self.product(rest, u)
                total = self.sum(total, rest)
            total = self.truncated(total, max(total.cut, -m - self.order - 1))
        return [Group(tuple(-a for a in x[0].phi), total)]

    def scaled(self, x: Series, k: int) -> Series:
        """k x."""
        return Series({p: c * k for p, c in x.terms.items()}, x.cut)

    def truncated(self, x: Series, cut: int) -> Series:
        """x with everything from t^cut down left out."""
        return Series({p: c for p, c in x.terms.items() if p > cut}, max(cut, x.cut))

    def leading(self, x: Series) -> tuple[int, Scalar]:
        """Power and coefficient of the leading term, which must be proved non-zero."""
        for p in sorted(x.terms, reverse=True):
            if self.tower.nonzero(x.terms[p]):
                return p, x.terms[p]
        raise Unsupported("the leading terms cancel beyond the order that is kept")

    def difference(self, x: tuple[Scalar, ...], y: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        """x - y without vanishing coefficients at the top; () if they are equal."""
        gaps = [self.tower.reduce(a - b) for a, b in zip_longest(x, y, fillvalue=Scalar.of(0))]
        while gaps and gaps[-1].is_zero():
            gaps.pop()
        return tuple(gaps)

    def growth(self, phi: tuple[Scalar, ...]) -> int:
        """Does e^phi tend to oo (1), to 0 (-1), or is it constant (0)?"""
        for c in reversed(phi):
            sign = self.tower.sign(c)
            if sign:
                return sign
        if phi:
            raise Unsupported("two exponents may agree in the case")
        return 0

    def dominant(self, groups: list[Group]) -> Group:
        """The group whose exponent grows fastest."""
        best = groups[0]
        for g in groups[1:]:
            if self.growth(self.difference(g.phi, best.phi)) > 0:
                best = g
        return best

    # -- functions ------------------------------------------------------------------------------

    def exponential(self, x: Series) -> list[Group]:
        """e^x: powers of t go to the exponent, the rest is expanded."""
        if x.cut >= 0:
            raise Unsupported("the exponent is not known up to terms that vanish")
        degree = max([0, *x.terms])
        phi = tuple(x.terms.get(k, Scalar.of(0)) for k in range(1, degree + 1))
        factor = self.tower.exponential(x.terms.get(0, Scalar.of(0)))
        small = Series({p: c for p, c in x.terms.items() if p < 0}, x.cut)
        total = term = Series({0: factor})
        if small.terms or not small.exact:
            for k in range(1, self.order + 1):
                term = self.product(term, small)
                term = Series({p: c / k for p, c in term.terms.items()}, term.cut)
                total = self.sum(total, term)
            total = self.truncated(total, max(total.cut, -self.order - 1))
        return self.merged([Group(self.difference(phi, ()), total)])

    def erfc(self, u: Series) -> list[Group]:
        """erfc u = e^(-u^2)/sqrt(pi) (1/u - 1/(2 u^3) + 3/(4 u^5) - ...) for u -> +oo."""
        m, c = self.leading(u)
        if m <= 0 or not u.exact:
            raise Unsupported("erfc of an argument that does not tend to infinity")
        if self.tower.sign(c) < 0:
            two = self.constant(Scalar.of(2))
            other = self.erfc(self.scaled(u, -1))
            return self.merged([*two, *(Group(g.phi, self.scaled(g.series, -1)) for g in other)])
        (over,) = self.inverse([Group((), u)], "u")
        square = self.product(over.series, over.series)
        root = self.tower.scalar(1 / sp.sqrt(sp.pi))
        term = self.product(over.series, Series({0: root}))
        total = Series({})
        for k in range(self.order // 2 + 1):
            total = self.sum(total, term)
            term = self.product(term, square)
            ratio = Scalar.of(-(2 * k + 1)) / 2
            term = Series({p: x * ratio for p, x in term.terms.items()}, term.cut)
        # enveloping: what is left out is at most the next term
        total = self.truncated(total, max(total.cut, term.top()))
        decay = self.exponential(self.scaled(self.product(u, u), -1))
        return self.times(decay, [Group((), total)])


def text_of(t: Any, phi: tuple[Scalar, ...], power: int, coefficient: Scalar) -> Any:
    """c t^n e^phi as a SymPy expression."""
    exponent = sp.Add(*(plain(c) * t ** (k + 1) for k, c in enumerate(phi)))
    return plain(coefficient) * t**power * sp.exp(exponent)
