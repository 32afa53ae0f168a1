"""SymPy expressions in one real variable as exponential polynomials between kinks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.exact import ZERO, Exact, Terms, _put
from lapdp.calculus.export import ordered
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import InputError, Unsupported

ONE = Scalar.of(1)


class Stretch(NamedTuple):
    """An open interval between kinks (None: infinite) and the expressions on it."""

    lower: Form | None
    upper: Form | None
    values: tuple[Any, ...]

    def __str__(self) -> str:
        return "({}, {})".format("-oo" if self.lower is None else self.lower,
                                 "oo" if self.upper is None else self.upper)


def stretches(expressions: Iterable[Any], x: Any, lower: Form | None, upper: Form | None, cell: Cell
              ) -> list[Stretch]:
    """The interval (lower, upper) cut where Abs, Piecewise, Max, Min, Heaviside change their case.

    ``x`` is a real symbol.  Raises :class:`Unsupported` for kinks at expressions that are neither
    affine in ``x`` nor sums of two exponentials, :class:`InputError` for an empty interval or a
    Piecewise without value.

    >>> x = sp.Symbol("x", real=True)
    >>> [(str(s), s.values[0]) for s in stretches([sp.Abs(x - 1)], x, None, None, Cell())]
    [('(-oo, 1)', 1 - x), ('(1, oo)', x - 1)]
    """
    whole = [e.rewrite(sp.Piecewise) for e in expressions]
    if lower is not None and upper is not None and cell.sign(upper - lower) <= 0:
        raise InputError("the support runs from its lower end to its upper end")
    roots = set()
    for relation in {r for e in whole for r in e.atoms(Relational) if x in r.free_symbols}:
        root, _, _ = crossing(relation.lhs - relation.rhs, x, cell)
        roots |= set() if root is None else {root}
    kinks = [group[0] for group in ordered(roots, cell)
             if (lower is None or cell.sign(group[0] - lower) > 0)
             and (upper is None or cell.sign(upper - group[0]) > 0)]
    return [Stretch(a, b, tuple(_on(e, x, a, b, cell) for e in whole))
            for a, b in pairwise([lower, *kinks, upper])]


def affine(e: Any, x: Any) -> tuple[Any, Any]:
    """(slope, offset) of an expression affine in ``x``, slope not 0; else :class:`Unsupported`."""
    expanded = sp.expand(e)
    slope = expanded.coeff(x, 1)
    offset = sp.expand(expanded - slope * x)
    if slope == 0 or offset.has(x) or slope.has(x):
        raise Unsupported(f"{_plain(e, x)} is not affine in the variable, as kinks and exponents "
                          "must be")
    return slope, offset


def crossing(gap: Any, x: Any, cell: Cell) -> tuple[Form | None, int, int]:
    """Where an expression changes its sign, and its signs before and after; None: nowhere.

    It is affine in ``x``, or the sum of two exponentials c e^(a x).

    >>> x = sp.Symbol("x", real=True)
    >>> crossing(sp.exp(x) - 2, x, Cell()), crossing(3 - x, x, Cell())
    ((log(2), -1, 1), (3, 1, -1))
    """
    try:
        slope, offset = affine(gap, x)
        rising = cell.sign_of(to_scalar(slope))
        return to_form(-offset / slope), -rising, rising
    except Unsupported:
        terms = exponential_polynomial(gap, x)
        if len(terms) != 2 or any(n for _, n in terms):
            raise
    (a, c), (b, d) = ((rate, c) for (rate, _), c in terms.items())
    if cell.sign(a - b) < 0:
        (a, c), (b, d) = (b, d), (a, c)
    before, after = cell.sign_of(d), cell.sign_of(c)
    if before * after > 0:
        return None, before, after
    return log_form(-d / c) * (a - b).inverse(), before, after


def cut(terms: Terms, part: Stretch, cell: Cell) -> Exact:
    """An exponential polynomial on one open interval, 0 outside."""
    found = Exact(dict(terms))
    if part.lower is not None:
        found = found.after(part.lower, cell)
    return found if part.upper is None else found.before(part.upper, cell)


def function(e: Any, x: Any, cell: Cell) -> Exact:
    """A piecewise exponential polynomial in ``x`` on the whole line; else :class:`Unsupported`.

    >>> x = sp.Symbol("x", real=True)
    >>> function(sp.exp(-sp.Abs(x)), x, Cell()).equals(function(
    ...     sp.Max(sp.exp(x), 0)*sp.Heaviside(-x) + sp.exp(-x)*sp.Heaviside(x), x, Cell()), Cell())
    True
    """
    total = Exact()
    for part in stretches([e], x, None, None, cell):
        total = total + cut(exponential_polynomial(part.values[0], x), part, cell)
    return total.merged(cell)


def measure(e: Any, x: Any, cell: Cell) -> Exact:
    """A function as :func:`function` takes it, with terms c DiracDelta(x - a).

    >>> x = sp.Symbol("x", real=True)
    >>> measure(3*sp.DiracDelta(2*x - 2), x, Cell())
    Exact(3/2*delta^(0)(t - 1))
    """
    total, plain = Exact(), []
    terms = [part for term in sp.Add.make_args(e) for part in sp.Add.make_args(
        sp.expand_mul(term) if term.has(sp.DiracDelta) else term)]
    for term in terms:
        if not term.has(sp.DiracDelta):
            plain.append(term)
            continue
        dirac, *others = (d for d in sp.Mul.make_args(term) if d.has(sp.DiracDelta))
        if others or not isinstance(dirac, sp.DiracDelta) or len(dirac.args) > 1:
            raise Unsupported(f"{_plain(term, x)} is no multiple of DiracDelta(x - a)")
        rest = [d for d in sp.Mul.make_args(term) if d != dirac]
        slope, offset = affine(dirac.args[0], x)
        at = to_form(-offset / slope)
        factor = to_scalar(slope) * cell.sign_of(to_scalar(slope))
        weight = to_scalar(sp.Mul(*rest).subs(x, at.to_sympy())) / factor
        total = total + Exact.impulse(at, weight)
    return total + function(sp.Add(*plain), x, cell)


def _on(e: Any, x: Any, lower: Form | None, upper: Form | None, cell: Cell) -> Any:
    """The expression on one open interval: every case distinction is decided there."""
    if not e.has(sp.Piecewise):
        return e
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            if _holds(condition, x, lower, upper, cell):
                return _on(value, x, lower, upper, cell)
        raise InputError(f"{_plain(e, x)} has no value on {Stretch(lower, upper, ())}")
    return e.func(*(_on(a, x, lower, upper, cell) for a in e.args))


def value_at(e: Any, x: Any, point: Form, cell: Cell) -> Scalar:
    """The value of an expression at one point, its case distinctions decided there.

    >>> x = sp.Symbol("x", real=True)
    >>> value_at(sp.Piecewise((3, sp.Eq(x, 1)), (x, True)), x, Form.of(1), Cell())
    3
    """
    place = point.to_sympy()

    def chosen(part: Any) -> Any:
        if isinstance(part, sp.Piecewise):
            for value, condition in part.args:
                if holds(condition):
                    return chosen(value)
            raise InputError(f"{_plain(e, x)} has no value at {point}")
        if not part.has(sp.Piecewise):
            return part.xreplace({x: place})
        return part.func(*(chosen(a) for a in part.args))

    def holds(condition: Any) -> bool:
        if isinstance(condition, Relational):
            gap = (condition.lhs - condition.rhs).xreplace({x: place})
            sign = cell.sign_of(to_scalar(gap))
            return bool(condition.func(sign, 0))
        if isinstance(condition, (sp.And, sp.Or)):
            found = [holds(c) for c in condition.args]
            return all(found) if isinstance(condition, sp.And) else any(found)
        if isinstance(condition, sp.ITE):
            return holds(condition.args[1 if holds(condition.args[0]) else 2])
        if isinstance(condition, sp.Not):
            return not holds(condition.args[0])
        if condition not in (sp.true, sp.false):
            raise Unsupported(f"the condition {condition} of a Piecewise")
        return bool(condition)

    return to_scalar(chosen(e.rewrite(sp.Piecewise)))


def _plain(e: Any, x: Any) -> Any:
    """The expression as a user wrote it: its variable may be a dummy."""
    return e.subs(x, sp.Symbol(x.name))


def _holds(condition: Any, x: Any, lower: Form | None, upper: Form | None, cell: Cell) -> bool:
    if condition in (sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        found = [_holds(c, x, lower, upper, cell) for c in condition.args]
        return all(found) if isinstance(condition, sp.And) else any(found)
    if isinstance(condition, sp.Not):
        return not _holds(condition.args[0], x, lower, upper, cell)
    if isinstance(condition, sp.ITE):
        chosen = condition.args[1 if _holds(condition.args[0], x, lower, upper, cell) else 2]
        return _holds(chosen, x, lower, upper, cell)
    if not isinstance(condition, Relational):
        raise Unsupported(f"the condition {condition} of a Piecewise")
    if x not in condition.free_symbols:
        sign = cell.sign_of(to_scalar(condition.lhs - condition.rhs))
    else:
        root, before, after = crossing(condition.lhs - condition.rhs, x, cell)
        right = root is None or (lower is not None and cell.sign(lower - root) >= 0)
        if root is not None and not right and (upper is None or cell.sign(root - upper) < 0):
            raise Unsupported(f"the condition {condition} changes inside an interval")
        sign = after if right else before
    return bool({sp.Eq: sign == 0, sp.Ne: sign != 0, sp.Gt: sign > 0, sp.Ge: sign >= 0,
                 sp.Lt: sign < 0, sp.Le: sign <= 0}[condition.func])


def exponential_polynomial(e: Any, x: Any) -> Terms:
    """The terms {(a, n): c} of a sum of c x^n e^(a x); else :class:`Unsupported`.

    >>> x = sp.Symbol("x", real=True)
    >>> exponential_polynomial(3*x*sp.exp(-2*x), x)
    {(-2, 1): 3}
    """
    if x not in e.free_symbols:
        c = to_scalar(e)
        return {} if c.is_zero() else {(ZERO, 0): c}
    if e == x:
        return {(ZERO, 1): ONE}
    if e.is_Add:
        total: Terms = {}
        for a in e.args:
            for key, c in exponential_polynomial(a, x).items():
                _put(total, key, c)
        return total
    if e.is_Mul or (e.is_Pow and e.exp.is_Integer and 0 < e.exp <= 32):
        product: Terms = {(ZERO, 0): ONE}
        for factor in e.args if e.is_Mul else (e.base,) * int(e.exp):
            other = exponential_polynomial(factor, x)
            step: Terms = {}
            for (a, n), c in product.items():
                for (b, m), d in other.items():
                    _put(step, (a + b, n + m), c * d)
            product = step
        return product
    if e.is_Pow and e.exp.is_Integer and e.exp < 0:
        below = list(exponential_polynomial(e.base**-e.exp, x).items())
        if len(below) == 1 and below[0][0][1] == 0:
            ((a, _), c) = below[0]
            return {(-a, 0): 1 / c}
    exponent = e.args[0] if isinstance(e, sp.exp) else (
        e.exp * sp.log(e.base) if e.is_Pow and x not in e.base.free_symbols else None)
    if exponent is None and e.is_Pow and isinstance(e.base, sp.exp):
        exponent = e.exp * e.base.args[0]
    if exponent is None:
        raise Unsupported(f"{_plain(e, x)} is no sum of c x^n e^(a x)")
    slope, offset = affine(exponent, x)
    return {(to_form(slope), 0): Scalar.exp(to_form(offset))}


__all__ = ["Stretch", "affine", "crossing", "cut", "exponential_polynomial", "function", "measure",
           "stretches", "value_at"]
