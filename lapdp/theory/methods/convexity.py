"""Is a functional of a pair a convex f-divergence?

A functional linear in a pair (P, Q) with value phi(z) on k(z), phi(+oo) on k(+oo) and phi(-oo) on
k(-oo) is the f-divergence of f(x) = x phi(log x), x the likelihood ratio P/Q, with f(0) = phi(-oo)
and slope phi(+oo) at infinity.  With x = e^z one has f'(x) = phi + phi' and x f''(x) = phi' +
phi''.  The half-line of z is cut where the value of a kernel changes its form; f is convex when

* phi' + phi'' >= 0 inside every piece,
* at each cut f is continuous, with the kernel's own value there, and its slope does not fall,
* f(0) >= f(0+) and phi(+oo) >= lim f(x)/x, unless hypotheses exclude that kernel.

Everything is a sign or a zero in the exact field; nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, Condition, Constraint, NeedSplit
from lapdp.calculus.transform import Divergent
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Rejected
from lapdp.privacy.model import INFINITE, MINUS_KERNEL, PLUS_KERNEL, Infinite, finite_kernel
from lapdp.theory.exchange import Rates, dominated, guaranteed, nonnegative
from lapdp.theory.interpret import Exchange, Interpreter
from lapdp.theory.methods.exclusions import MAY_BE_INFINITE

MAX_CUTS = 12
MASSES = [(Form({}), 0), (Form.of(-1), 0)]
"""Growth of the two masses of k(z): 1 and e^-z."""


@dataclass(frozen=True)
class Functional:
    """A difference of expressions linear in one arbitrary pair; other pairs are concrete.

    ``terms`` are (sign, expression), each evaluated by itself so that what cancels must have a
    value too.  ``absent`` names the one-sided kernels ("plus", "minus") that hypotheses exclude.
    """

    terms: tuple[tuple[int, Any], ...]
    pair: Any
    concrete: Mapping[Any, Any]
    absent: frozenset[str] = frozenset()
    finite: tuple[Any, ...] = ()
    z: Any = field(default_factory=lambda: sp.Dummy("z", real=True))

    def on(self, model: Any, cell: Cell) -> tuple[Any, list[Exchange]]:
        """Value on a kernel, constants counted with its P-mass, and the integrals used."""
        i = Interpreter(cell, {**self.concrete, self.pair: model}, frozenset({self.pair}))
        total: Any = Scalar.of(0)
        infinite = False
        for sign, expr in self.terms:
            g = i.value(expr)
            if g.grade - {self.pair}:
                raise Unsupported("the functional is not linear in one pair alone")
            if isinstance(g.x, Infinite):
                if not g.grade or sign < 0:
                    raise Undefined("a constant that is +oo, or -oo")
                infinite = True
            else:
                total = total + i.lift(g, frozenset({self.pair})) * sign
        return INFINITE if infinite else total.substitute(cell.values), i.exchanges

    def at(self, z: Form, cell: Cell) -> Scalar:
        """phi(z) at a likelihood ratio given by the parameters."""
        found, _ = self.on(finite_kernel(z), cell)
        if isinstance(found, Infinite):
            raise Unsupported("a functional that is +oo on a kernel of finite loss")
        value: Scalar = found
        return value

    def end(self, kind: str, cell: Cell) -> Any:
        """phi(+oo) ("plus") or phi(-oo) ("minus"); None where hypotheses exclude the kernel."""
        model = PLUS_KERNEL if kind == "plus" else MINUS_KERNEL
        if kind in self.absent or any(self._excluded(e, model, cell) for e in self.finite):
            return None
        return self.on(model, cell)[0]

    def _excluded(self, e: Any, model: Any, cell: Cell) -> bool:
        """Does a convergent integral of a non-negative function leave a kernel no mass?"""
        def run(kernel: Any) -> tuple[bool, list[Exchange]]:
            i = Interpreter(cell, {self.pair: kernel}, frozenset({self.pair}))
            try:
                return isinstance(i.value(e).x, Infinite), i.exchanges
            except Divergent:
                return True, i.exchanges
        try:
            infinite, here = run(model)
            everywhere = run(finite_kernel(Form.atom(self.z)))[1]
            return infinite and all(
                x.function is not None and nonnegative(x.function, cell)
                and x.frequency == x.frequency.real_part() for x in (*here, *everywhere))
        except NeedSplit as need:
            if self.z in need.form.atoms():
                return False
            raise


@dataclass(frozen=True)
class Piece:
    """phi between two cuts (None: to the end)."""

    left: Form | None
    right: Form | None
    phi: Scalar
    cell: Cell


@dataclass(frozen=True)
class Convex:
    """Obligation: the functional is a convex f-divergence in the case; checked from the start.

    ``low`` and ``high`` bound z where hypotheses exclude all kernels outside.
    """

    base: tuple[Condition, ...]
    functional: Functional
    what: str
    low: Form | None = None
    high: Form | None = None

    def discharge(self, path: tuple[Any, ...]) -> None:
        """Cut, differentiate and compare again."""
        try:
            require_convex(self.functional, Cell(self.base, path), self.low, self.high)
        except NeedSplit as need:
            raise Rejected(f"{self.what}: the sign of {need.form} is open") from None
        except (Unsupported, Undefined) as problem:
            raise Rejected(f"{self.what}: {problem}") from None

    def describe(self) -> str:
        """One line."""
        return f"{self.what}: convex in the likelihood ratio"


def require_convex(functional: Functional, cell: Cell, low: Form | None = None,
                   high: Form | None = None) -> list[Piece]:
    """The pieces of a convex functional; :class:`Unsupported` where convexity is not shown.

    Raises NeedSplit for a sign of the parameters that the cell leaves open.
    """
    found = _pieces(functional, cell, low, high)
    for piece in found:
        if piece.cell.sign_of(_curvature(piece.phi, functional.z)) < 0:
            raise Unsupported("the functional is not convex in the likelihood ratio")
    for left, right in pairwise(found):
        _join(functional, cell, left, right)
    for piece, at, kind in ((found[0], low, "minus"), (found[-1], high, "plus")):
        _closed(functional, cell, piece, at, kind)
    return found


def _pieces(functional: Functional, cell: Cell, low: Form | None, high: Form | None
            ) -> list[Piece]:
    """Cut until phi and its curvature have one form and one sign on every piece."""
    cuts: list[Form] = []
    for _ in range(MAX_CUTS):
        ordered = _ordered(cuts, cell)
        ends = [low, *ordered, high]
        try:
            return [_piece(functional, cell, *span)
                    for span in pairwise(ends)]
        except NeedSplit as need:
            form = need.form.substitute(cell.values)
            if functional.z not in form.atoms():
                raise
            if not isinstance(form, Form):
                raise Unsupported(f"the sign of {form} is not decided by the loss") from None
            cut = _root(form, functional.z)
            inner = (low is None or cell.sign(cut - low) > 0) and (
                high is None or cell.sign(high - cut) > 0)
            if not inner or any(cell.sign(cut - c) == 0 for c in cuts):
                raise Unsupported(f"the sign of {form} is not decided by the loss") from None
            cuts.append(cut)
    raise Unsupported("the kernels' values have too many forms")


def _piece(functional: Functional, cell: Cell, left: Form | None, right: Form | None) -> Piece:
    z = Form.atom(functional.z)
    bounds: list[Constraint] = []
    if left is not None:
        bounds.append((z - left, ">"))
    if right is not None:
        bounds.append((right - z, ">"))
    inside = Cell((*cell.base, *bounds), cell.path)
    value, exchanges = functional.on(finite_kernel(z), inside)
    if isinstance(value, Infinite):
        raise Unsupported("a functional that is +oo on kernels of finite loss")
    _earn(functional, exchanges, inside)
    inside.sign_of(_curvature(value, functional.z))
    return Piece(left, right, value, inside)


def _earn(functional: Functional, exchanges: list[Exchange], cell: Cell) -> None:
    """Integrals pass under the mixture: bounded by the masses, all but one.

    That one must have a non-negative integrand (Tonelli), and be a notion with values in [0, oo]
    or be bounded by what the hypotheses declare finite.
    """
    z = functional.z
    heavy = [x for x in exchanges if not dominated(x, [z], {z: MASSES}, cell)]
    if len(heavy) > 1:
        raise Unsupported("two integrals that may be infinite in one functional")
    for x in heavy:
        if x.frequency != x.frequency.real_part():
            raise Unsupported("an integral at a complex frequency")
        if x.function is not None:
            positive = nonnegative(x.function, cell)
        else:
            positive = isinstance(x.value, Scalar) and cell.sign_of(x.value) >= 0
        if not positive:
            raise Unsupported("a signed integral that the masses do not bound")
        if x.origin not in MAY_BE_INFINITE and not dominated(
                x, [z], {z: [*MASSES, *_rates(functional, cell)]}, cell):
            raise Unsupported("an integral that need not converge")


def _rates(functional: Functional, cell: Cell) -> Rates:
    """Growth in z that the convergent integrals of the hypotheses afford."""
    found: Rates = []
    for e in functional.finite:
        value, exchanges = replace(functional, terms=((1, e),), finite=()).on(
            finite_kernel(Form.atom(functional.z)), cell)
        if isinstance(value, Scalar) and all(x.function is not None and nonnegative(
                x.function, cell) for x in exchanges):
            found.extend(guaranteed(value, functional.z, cell))
    return found


def _join(functional: Functional, cell: Cell, left: Piece, right: Piece) -> None:
    cut = left.right
    assert cut is not None
    here = functional.at(cut, cell)
    values = {functional.z: cut}
    for piece in (left, right):
        if not (piece.phi.substitute(values) - here).substitute(cell.values).is_zero():
            raise Unsupported("the functional jumps in the likelihood ratio")
    slopes = [_derivative(p.phi, functional.z).substitute(values) for p in (left, right)]
    if cell.sign_of(slopes[1] - slopes[0]) < 0:
        raise Unsupported("the functional is not convex: its slope falls")


def _closed(functional: Functional, cell: Cell, piece: Piece, at: Form | None, kind: str) -> None:
    """At an end of the range f may only jump up."""
    if at is not None:
        jump = functional.at(at, cell) - piece.phi.substitute({functional.z: at})
        if cell.sign_of(jump) < 0:
            raise Unsupported("the functional is not convex at an end of the range")
        return
    value = functional.end(kind, cell)
    if value is None or isinstance(value, Infinite):
        return
    limit = limit_of(piece.phi, functional.z, kind, cell)
    if isinstance(limit, Infinite) or cell.sign_of(value - limit) < 0:
        raise Unsupported(f"the functional falls on the kernel at {'+' if kind == 'plus' else '-'}"
                          "oo")


def limit_of(phi: Scalar, z: Any, kind: str, cell: Cell) -> Any:
    """lim phi(z) at z = +oo, or lim e^z phi(z) at z = -oo, of a convex piece (never -oo)."""
    side = 1 if kind == "plus" else -1
    weighted = phi if kind == "plus" else phi * Scalar.exp(Form.atom(z))
    denominators = weighted.polynomial_terms(weighted.den)
    base = {log.slope(z) for _, log, rest, _ in denominators if z not in rest.atoms()}
    if len(base) != 1 or any(z in rest.atoms() for _, _, rest, _ in denominators):
        raise Unsupported("a denominator that depends on the likelihood ratio")
    shift = base.pop()
    divisor = weighted.den
    rates: dict[tuple[Form, int], Scalar] = {}
    for c, log, rest, _ in weighted.polynomial_terms(weighted.num):
        for m, factor in rest.terms.items():
            power = dict(m).get(z, 0)
            if power < 0:
                raise Unsupported("a negative power of the loss")
            plain = Scalar.of(Form({tuple(x for x in m if x[0] != z): factor})) * c
            plain = plain * Scalar.exp(log - log.slope(z) * Form.atom(z))
            key = (log.slope(z) - shift).substitute(cell.values), power
            rates[key] = rates[key] + plain if key in rates else plain
    below = Scalar(weighted.keys, divisor, divisor / divisor)
    below = below * Scalar.exp(-(shift * Form.atom(z)))
    total = Scalar.of(0)
    for (rate, power), weight in rates.items():
        sign = side * cell.sign(rate)
        if (sign > 0 or (sign == 0 and power)) and not weight.substitute(cell.values).is_zero():
            return INFINITE
        if sign == 0:
            total = total + weight / below
    return total.substitute(cell.values)


def _curvature(phi: Scalar, z: Any) -> Scalar:
    first = _derivative(phi, z)
    return first + _derivative(first, z)


def _derivative(x: Scalar, z: Any) -> Scalar:
    """d/dz of a field element, by the quotient rule."""
    num, den = (_polynomial_derivative(x, poly, z) for poly in (x.num, x.den))
    one = x.den / x.den
    top, bottom = Scalar(x.keys, x.num, one), Scalar(x.keys, x.den, one)
    return (num * bottom - top * den) / (bottom * bottom)


def _polynomial_derivative(x: Scalar, poly: Any, z: Any) -> Scalar:
    total = Scalar.of(0)
    for c, log, rest, _ in x.polynomial_terms(poly):
        inner = _form_derivative(rest, z) + rest * _form_derivative(log, z)
        total = total + Scalar.of(inner) * c * Scalar.exp(log)
    return total


def _form_derivative(form: Form, z: Any) -> Form:
    total = Form({})
    for m, c in form.terms.items():
        power = dict(m).get(z, 0)
        if power:
            rest = tuple(x for x in m if x[0] != z)
            total = total + Form({rest: c * power}) * Form.atom(z) ** (power - 1)
    return total


def _ordered(cuts: list[Form], cell: Cell) -> list[Form]:
    """Cuts in increasing order, equal ones once."""
    found: list[Form] = []
    for c in cuts:
        signs = [cell.sign(c - other) for other in found]
        if 0 not in signs:
            found.insert(sum(1 for s in signs if s > 0), c)
    return found


def _root(form: Form, z: Any) -> Form:
    c = form.terms.get(((z, 1),))
    if c is None or any(z in dict(m) for m in form.terms if m != ((z, 1),)):
        raise Unsupported(f"the sign of {form} is not linear in the loss")
    return (form - Form({((z, 1),): c})) * Form.of(-1 / c)


__all__ = ["Convex", "Functional", "Piece", "limit_of", "require_convex"]
