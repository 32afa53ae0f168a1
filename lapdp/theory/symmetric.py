"""Symmetric integrals over the line: limits of integrals over [-T, T], and principal values.

With s = i u they run along Re s = 0, so that they are 2 pi times an inversion integral at 0; a
simple pole at 0 counts half from either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.exact import ZERO, Exact, Terms
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.rational import transform_parts
from lapdp.calculus.transform import invert, principal_part
from lapdp.core.errors import Undefined, Unsupported
from lapdp.theory.bromwich import NOT_ANALYTIC
from lapdp.theory.exchange import bounded_side

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter

TWO_PI = Scalar.of(Form.atom(sp.pi)) * 2
HALF = Scalar.of(Fraction(1, 2))


def symmetric(i: Interpreter, e: Any) -> Graded:
    """lim of the integral of g(u) over [-T, T], or over h < |u| < T: the mean of the limits at 0
    of the inverted function, times 2 pi."""
    from lapdp.theory.interpret import Graded

    g = _inverted(i, e.args[0], e.args[1], e.principal)
    ends = g.x.limit(ZERO, -1, i.cell) + g.x.limit(ZERO, 1, i.cell)
    return Graded(g.grade, ends * HALF * TWO_PI)


def symmetric_function(i: Interpreter, e: Any, t: Any) -> Graded:
    """A principal value with a factor e^(i u k t), k a number, as a function of ``t``."""
    from lapdp.theory.curves import compose
    from lapdp.theory.interpret import Graded

    body, u, _ = e.args
    if not e.principal:
        raise Unsupported("a symmetric integral as a function of a parameter: write PV")
    slope = sp.S.Zero
    others: list[Any] = []
    for factor in sp.Mul.make_args(body):
        if not isinstance(factor, sp.exp) or t not in factor.free_symbols:
            others.append(factor)
            continue
        exponent = sp.expand(factor.args[0])
        slope += exponent.coeff(t) / (sp.I * u)
        others.append(sp.exp(sp.expand(exponent - exponent.coeff(t) * t)))
    rest = sp.Mul(*others)
    if t in rest.free_symbols or not slope.is_Rational or slope == 0:
        raise Unsupported(f"a principal value that is no Fourier integral in {t}")
    g = _inverted(i, rest, u, True)
    return Graded(g.grade, compose(i, g.x.scale(TWO_PI), slope * t, t))


def _inverted(i: Interpreter, body: Any, u: Any, principal: bool) -> Graded:
    """The inverse along Re s = 0 of G(s) = g(-i s), the mean of those beside a pole at 0."""
    from lapdp.theory.interpret import Exchange, Graded

    if any(u in node.free_symbols for node in body.atoms(*NOT_ANALYTIC)):
        raise Unsupported("a symmetric integral of a function that is not analytic")
    frequency = sp.Dummy(str(u), complex=True)
    # the point 0 has no weight, and G is one formula on both halves of the line
    cell = i.cell.narrowed({sp.re(frequency): ZERO}, (Form.atom(sp.im(frequency)), ">"))
    inner = replace(i, cell=cell, exchanges=[], line=(frequency, ZERO))
    g = inner.value(body.subs(u, -sp.I * frequency))
    on_line = Form.atom(sp.I) * Form.atom(sp.Dummy("w", real=True))
    for x in inner.exchanges:
        value = (x.value.substitute({frequency: on_line}) if isinstance(x.value, Scalar)
                 else x.value)
        i.exchanges.append(replace(x, frequency=on_line, value=value))
    if not isinstance(g.x, Scalar):
        raise Undefined("the integrand is infinite")
    jumps, impulses, _ = transform_parts(g.x, frequency, cell)
    _require_no_impulses(impulses, i.cell)
    poles = principal_part(jumps, ZERO, i.cell)
    if not principal and any(i.cell.nonzero(c) for c in poles.values()):
        raise Undefined("the integral over [-T, T] diverges at 0")
    if any(k > 1 and i.cell.nonzero(c) for k, c in poles.items()):
        raise Undefined("the principal value at a pole of order 2 or more is infinite")
    if g.grade:
        _require_dirichlet(i, g.grade, jumps, principal)
        sizes = tuple(c for terms in jumps.values() for c in terms.values())
        i.exchanges.append(Exchange(g.grade, None, on_line, "inversion", sizes))
    return Graded(g.grade, _mean_of_sides(jumps, i.cell))


def _require_no_impulses(impulses: Mapping[Form, Mapping[int, Scalar]], cell: Cell) -> None:
    """Terms that do not vanish at infinity must cancel: at equal breakpoints they may."""
    left = [(at, k, c) for at, orders in impulses.items() for k, c in orders.items()]
    while left:
        at, k, total = left[0]
        same = [x for x in left[1:] if x[1] == k and cell.sign(x[0] - at) == 0]
        left = [x for x in left[1:] if x not in same]
        for _, _, c in same:
            total = total + c
        if cell.nonzero(total.substitute(cell.values)):
            raise Undefined("the integral over [-T, T] has no limit: no decay at infinity")


def _mean_of_sides(jumps: Mapping[Form, Terms], cell: Cell) -> Exact:
    """The inverse along Re s = 0, poles at 0 taken half as right-sided, half as left-sided."""
    at_zero: dict[Form, Terms] = {}
    others: dict[Form, Terms] = {}
    for at, terms in jumps.items():
        for (a, n), c in terms.items():
            real, imag = a.substitute(cell.values).split_complex()
            here = cell.sign(real) == 0 and cell.sign(imag) == 0
            (at_zero if here else others).setdefault(at, {})[(a, n)] = c
    right = Exact({}, at_zero)
    left = Exact({key: -c for key, c in right.tail().items()}, right.jumps)
    return invert(others, {}, ZERO, cell) + (right + left).scale(HALF)


def _require_dirichlet(i: Interpreter, grade: Any, jumps: Mapping[Form, Terms], principal: bool
                       ) -> None:
    """The partial integrals of a mixture are mixtures of bounded ones: Dirichlet integrals.

    Over [-T, T] the mixture itself must be integrable at 0: unbounded breakpoints move together.
    """
    if any(isinstance(who, str) for who in grade):
        raise Unsupported("a symmetric integral of an arbitrary function")
    if any(a or n for terms in jumps.values() for a, n in terms):
        raise Unsupported("a symmetric integral of a mixture with poles away from 0")
    if principal:
        return
    variables = {x for who in i.kernels for atom in i.models[who].atoms for x in atom.z.atoms()}
    moving = {x for x in variables if not _pinned(x, i.cell, variables) and not all(
        bounded_side(x, i.cell, side, variables) for side in (1, -1))}
    for first, second in pairwise(jumps):
        if moving & (first - second).atoms():
            raise Unsupported("the integral of a mixture over [-T, T] may diverge at 0")


def _pinned(x: Any, cell: Cell, variables: set[Any]) -> bool:
    """Is a variable of kernels, in the cell, a parameter (or a multiple of one, and a constant)?"""
    return any(key not in variables and form.atoms() & variables == {x}
               and set(form.terms) <= {(), ((x, 1),)} for key, form in cell.values.items())
