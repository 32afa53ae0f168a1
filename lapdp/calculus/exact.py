"""The exact class: functions and measures on R that are piecewise exponential polynomials.

One object holds

* its *germ*, the exponential polynomial sum c t^n e^(a t) that it equals far to the left,
* *jumps*: at a breakpoint c, what is added from c on, as terms (t-c)^n/n! e^(a (t-c)),
* *impulses*: Dirac parts and their derivatives at points.

Functions are meant almost everywhere: the class carries no values at single breakpoints.  The
bilateral transform is sum over c of e^(-c s) R_c(s) with R_c(s) = sum coeff/(s-a)^(n+1): the germ
contributes nothing to the formula and everything to the region.  Strips are computed from germ and
tail and never carried along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb, factorial
from typing import Any

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported

Term = tuple[Form, int]
Terms = dict[Term, Scalar]
ZERO = Form({})


def _put(terms: dict[Any, Scalar], key: Any, value: Scalar) -> None:
    total = terms[key] + value if key in terms else value
    if total.is_zero():
        terms.pop(key, None)
    else:
        terms[key] = total


class Exact:
    """An element of the exact class in the variable t; immutable."""

    __slots__ = ("germ", "impulses", "jumps")

    def __init__(self, germ: Terms | None = None, jumps: dict[Form, Terms] | None = None,
                 impulses: dict[Form, dict[int, Scalar]] | None = None) -> None:
        self.germ = germ or {}
        self.jumps = {c: t for c, t in (jumps or {}).items() if t}
        self.impulses = {c: t for c, t in (impulses or {}).items() if t}

    # -- construction ---------------------------------------------------------------------------

    @staticmethod
    def term(coefficient: Any, exponent: Any = 0, power: int = 0) -> Exact:
        """coefficient t^power e^(exponent t) on the whole line."""
        c = Scalar.of(coefficient)
        return Exact({} if c.is_zero() else {(Form.of(exponent), power): c})

    @staticmethod
    def step(at: Any, coefficient: Any = 1, exponent: Any = 0) -> Exact:
        """coefficient e^(exponent (t - at)) for t > at, 0 before."""
        c = Scalar.of(coefficient)
        return Exact(jumps={} if c.is_zero() else {Form.of(at): {(Form.of(exponent), 0): c}})

    @staticmethod
    def impulse(at: Any, mass: Any = 1, order: int = 0) -> Exact:
        """mass times the order-th derivative of the Dirac measure at ``at``."""
        m = Scalar.of(mass)
        return Exact(impulses={} if m.is_zero() else {Form.of(at): {order: m}})

    def __repr__(self) -> str:
        parts = [f"{c}*t^{n}*e^({a} t)" for (a, n), c in self.germ.items()]
        parts += [f"[t > {at}] {c}*(t - {at})^{n}/{n}!*e^({a} (t - {at}))"
                  for at, terms in self.jumps.items() for (a, n), c in terms.items()]
        parts += [f"{c}*delta^({k})(t - {at})" for at, orders in self.impulses.items()
                  for k, c in orders.items()]
        return f"Exact({' + '.join(parts) or '0'})"

    # -- linear algebra -------------------------------------------------------------------------

    def __add__(self, other: Exact) -> Exact:
        germ = dict(self.germ)
        for key, c in other.germ.items():
            _put(germ, key, c)
        jumps = {c: dict(t) for c, t in self.jumps.items()}
        for at, terms in other.jumps.items():
            for key, c in terms.items():
                _put(jumps.setdefault(at, {}), key, c)
        impulses = {c: dict(t) for c, t in self.impulses.items()}
        for at, orders in other.impulses.items():
            for k, c in orders.items():
                _put(impulses.setdefault(at, {}), k, c)
        return Exact(germ, jumps, impulses)

    def scale(self, factor: Scalar) -> Exact:
        """The object times a field element."""
        if factor.is_zero():
            return Exact()
        return Exact(
            {k: c * factor for k, c in self.germ.items()},
            {at: {k: c * factor for k, c in t.items()} for at, t in self.jumps.items()},
            {at: {k: c * factor for k, c in t.items()} for at, t in self.impulses.items()},
        )

    def __sub__(self, other: Exact) -> Exact:
        return self + other.scale(Scalar.of(-1))

    def is_zero(self) -> bool:
        """Zero almost everywhere and no impulses."""
        return not (self.germ or self.jumps or self.impulses)

    def equals(self, other: Exact, cell: Cell) -> bool:
        """Equality almost everywhere, impulses included, in the cell."""
        rest = (self - other).merged(cell)
        parts = [*rest.germ.values(), *(c for t in rest.jumps.values() for c in t.values()),
                 *(c for t in rest.impulses.values() for c in t.values())]
        return all(c.substitute(cell.values).is_zero() for c in parts)

    def substitute(self, values: Mapping[Any, Form]) -> Exact:
        """The object with forms for some of its parameters; terms that become alike are joined.

        >>> x, y = (Form.atom(name) for name in "xy")
        >>> (Exact.impulse(x) + Exact.impulse(y)).substitute({"x": ZERO, "y": ZERO})
        Exact(2*delta^(0)(t - 0))
        """
        total = Exact(self._substituted(self.germ, values))
        for at, terms in self.jumps.items():
            total = total + Exact(jumps={at.substitute(values): self._substituted(terms, values)})
        for at, orders in self.impulses.items():
            total = total + Exact(impulses={at.substitute(values): {
                k: c.substitute(values) for k, c in orders.items()}})
        return total

    @staticmethod
    def _substituted(terms: Terms, values: Mapping[Any, Form]) -> Terms:
        out: Terms = {}
        for (a, n), c in terms.items():
            _put(out, (a.substitute(values), n), c.substitute(values))
        return out

    # -- changes of variable --------------------------------------------------------------------

    def shift(self, by: Form) -> Exact:
        """g(t - by)."""
        return Exact(_shift_germ(self.germ, by), {c + by: t for c, t in self.jumps.items()},
                     {c + by: t for c, t in self.impulses.items()})

    def tilt(self, exponent: Form) -> Exact:
        """e^(exponent t) g(t)."""
        germ = {(a + exponent, n): c for (a, n), c in self.germ.items()}
        jumps = {at: {(a + exponent, n): c * Scalar.exp(exponent * at)
                      for (a, n), c in terms.items()} for at, terms in self.jumps.items()}
        impulses: dict[Form, dict[int, Scalar]] = {}
        for at, orders in self.impulses.items():
            # e^(lt) d^k = e^(l at) sum_j C(k,j) (-l)^(k-j) d^j
            for k, c in orders.items():
                for j in range(k + 1):
                    factor = Scalar.of((-exponent) ** (k - j)) * comb(k, j)
                    _put(impulses.setdefault(at, {}), j, c * factor * Scalar.exp(exponent * at))
        return Exact(germ, jumps, impulses)

    def reflect(self) -> Exact:
        """g(-t)."""
        germ: Terms = {(-a, n): c * (-1) ** n for (a, n), c in self.tail().items()}
        jumps: dict[Form, Terms] = {}
        for at, terms in self.jumps.items():
            for (a, n), c in terms.items():
                # e^(a(-t-at)) for t < -at  =  all of it minus what lies right of -at
                _put(jumps.setdefault(-at, {}), (-a, n), c * -((-1) ** n))
        impulses = {-at: {k: c * (-1) ** k for k, c in t.items()}
                    for at, t in self.impulses.items()}
        return Exact(germ, jumps, impulses)

    def dilate(self, factor: Form, cell: Cell) -> Exact:
        """g(factor t) for a real factor different from 0."""
        sign = cell.sign(factor)
        if sign == 0:
            raise Undefined("g(0 t) is a constant: no change of variable")
        if sign < 0:
            return self.reflect().dilate(-factor, cell)
        inverse, scale = factor.inverse(), Scalar.of(factor)
        germ = {(a * factor, n): c * scale**n for (a, n), c in self.germ.items()}
        jumps = {at * inverse: {(a * factor, n): c * scale**n for (a, n), c in terms.items()}
                 for at, terms in self.jumps.items()}
        impulses = {at * inverse: {k: c * scale ** (-k - 1) for k, c in orders.items()}
                    for at, orders in self.impulses.items()}
        return Exact(germ, jumps, impulses)

    # -- analysis -------------------------------------------------------------------------------

    def tail(self) -> Terms:
        """The exponential polynomial it equals far to the right."""
        total = dict(self.germ)
        for at, terms in self.jumps.items():
            for key, c in _absolute(terms, at).items():
                _put(total, key, c)
        return total

    def piece(self, after: Iterable[Form]) -> Terms:
        """The exponential polynomial on the piece that has exactly these breakpoints behind it."""
        total = dict(self.germ)
        for at in after:
            for key, c in _absolute(self.jumps.get(at, {}), at).items():
                _put(total, key, c)
        return total

    def places(self) -> set[Form]:
        """Breakpoints and impulse positions, in no order and as they are written."""
        return {*self.jumps, *self.impulses}

    def breakpoints(self, cell: Cell) -> list[Form]:
        """Breakpoints and impulse positions in increasing order; equal ones are merged."""
        points: list[Form] = []
        for c in [*self.jumps, *self.impulses]:
            position = 0
            for other in points:
                sign = cell.sign(c - other)
                if sign == 0:
                    position = -1
                    break
                if sign > 0:
                    position += 1
            if position >= 0:
                points.insert(position, c)
        return points

    def merged(self, cell: Cell) -> Exact:
        """The same object with breakpoints that the cell identifies written once."""
        points = self.breakpoints(cell)
        jumps: dict[Form, Terms] = {}
        impulses: dict[Form, dict[int, Scalar]] = {}
        for source, sink in ((self.jumps, jumps), (self.impulses, impulses)):
            for at, terms in source.items():
                home = next(p for p in points if cell.sign(p - at) == 0)
                for key, c in terms.items():
                    _put(sink.setdefault(home, {}), key, c)
        return Exact(self.germ, jumps, impulses)

    def derivative(self) -> Exact:
        """Generalised derivative: a jump of height h adds h times an impulse."""
        germ: Terms = {}
        for (a, n), c in self.germ.items():
            _put(germ, (a, n), c * Scalar.of(a))
            if n:
                _put(germ, (a, n - 1), c * n)
        jumps: dict[Form, Terms] = {}
        impulses: dict[Form, dict[int, Scalar]] = {
            at: {k + 1: c for k, c in t.items()} for at, t in self.impulses.items()}
        for at, terms in self.jumps.items():
            for (a, n), c in terms.items():
                _put(jumps.setdefault(at, {}), (a, n), c * Scalar.of(a))
                if n:
                    _put(jumps[at], (a, n - 1), c)
                else:
                    _put(impulses.setdefault(at, {}), 0, c)
        return Exact(germ, jumps, impulses)

    def primitive(self, cell: Cell) -> Exact:
        """Running integral from -oo; the germ must decay there."""
        germ: Terms = {}
        for key, c in self.germ.items():
            if cell.sign(key[0].real_part()) <= 0:
                raise Undefined("the running integral from -oo diverges")
            for k, v in _primitive_term(key).items():
                _put(germ, k, v * c)
        jumps: dict[Form, Terms] = {}
        for at, terms in self.jumps.items():
            for (a, n), c in terms.items():
                # L: 1/(s (s-a)^(n+1)) in partial fractions
                for k, v in _partial(a, n + 1, ZERO, 1, cell).items():
                    _put(jumps.setdefault(at, {}), k, v * c)
        impulses: dict[Form, dict[int, Scalar]] = {}
        for at, orders in self.impulses.items():
            for order, c in orders.items():
                if order:
                    _put(impulses.setdefault(at, {}), order - 1, c)
                else:
                    _put(jumps.setdefault(at, {}), (ZERO, 0), c)
        return Exact(germ, jumps, impulses)

    def after(self, point: Form, cell: Cell) -> Exact:
        """g(t) for t > point, 0 before; an impulse at ``point`` itself is dropped."""
        behind = [c for c in self.jumps if cell.sign(c - point) <= 0]
        start = _relative(self.piece(behind), point)
        jumps = {c: t for c, t in self.jumps.items() if c not in behind}
        if start:
            jumps[point] = start
        impulses = {c: t for c, t in self.impulses.items() if cell.sign(c - point) > 0}
        return Exact({}, jumps, impulses)

    def before(self, point: Form, cell: Cell) -> Exact:
        """g(t) for t < point, 0 after; an impulse at ``point`` itself is dropped."""
        rest = self - self.after(point, cell)
        return Exact(rest.germ, rest.jumps,
                     {c: t for c, t in rest.impulses.items() if cell.sign(c - point) < 0})

    def limit(self, point: Form, side: int, cell: Cell) -> Scalar:
        """One-sided limit of the function part at a point."""
        keep = [c for c in self.jumps
                if cell.sign(c - point) < 0 or (side > 0 and cell.sign(c - point) == 0)]
        total = Scalar.of(0)
        for (a, n), c in self.piece(keep).items():
            total = total + c * Scalar.of(point**n) * Scalar.exp(a * point)
        return total

    def mass_at(self, point: Form, cell: Cell) -> Scalar:
        """Mass of the impulse at ``point``."""
        total = Scalar.of(0)
        for c, orders in self.impulses.items():
            if cell.sign(c - point) == 0:
                if any(orders):
                    raise Unsupported("a derivative of an impulse has no mass")
                total = total + orders.get(0, Scalar.of(0))
        return total


def _shift_germ(germ: Mapping[Term, Scalar], by: Form) -> Terms:
    out: Terms = {}
    for (a, n), c in germ.items():
        size = c * Scalar.exp(-(a * by))
        _put(out, (a, n), size)
        for k in range(n):
            _put(out, (a, k), size * Scalar.of((-by) ** (n - k)) * comb(n, k))
    return out


def _absolute(terms: Mapping[Term, Scalar], at: Form) -> Terms:
    """Terms (t-at)^n/n! e^(a(t-at)) rewritten as t^k e^(at)."""
    plain = {(a, n): c * Fraction(1, factorial(n)) if n > 1 else c for (a, n), c in terms.items()}
    return _shift_germ(plain, at)


def _relative(germ: Mapping[Term, Scalar], at: Form) -> Terms:
    """Terms t^n e^(at) rewritten as (t-at)^k/k! e^(a(t-at))."""
    return {(a, n): c * factorial(n) for (a, n), c in _shift_germ(germ, -at).items()}


def _primitive_term(key: Term) -> Terms:
    """A primitive of t^n e^(a t), a != 0."""
    a, n = key
    inverse = Scalar.of(a).inverse()
    out: Terms = {}
    c = inverse
    for k in range(n, -1, -1):
        _put(out, (a, k), c)
        c = -c * k * inverse
    return out


def _partial(a: Form, n: int, b: Form, m: int, cell: Cell) -> Terms:
    """1/((s-a)^n (s-b)^m) as sums of 1/(s-x)^(k+1), keyed (x, k)."""
    gap = Scalar.of(a - b).substitute(cell.values)
    if gap.is_zero() or not cell.nonzero(gap):
        return {(a, n + m - 1): Scalar.of(1)}
    out: Terms = {}
    for k in range(n):
        _put(out, (a, n - 1 - k), gap ** (-m - k) * comb(m + k - 1, k) * (-1) ** k)
    for k in range(m):
        _put(out, (b, m - 1 - k), (-gap) ** (-n - k) * comb(n + k - 1, k) * (-1) ** k)
    return out
