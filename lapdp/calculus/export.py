"""Exact objects as SymPy expressions: pieces between breakpoints, Dirac parts, cases of parameters.

A cell orders the breakpoints.  Where it knows only c <= d both orders of reading agree: the piece
between them may be empty.  Where it knows nothing, :func:`by_cases` splits the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp
from sympy.printing.str import StrPrinter

from lapdp.calculus.collected import Collected
from lapdp.calculus.exact import Exact, Terms, _absolute, _put
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Unsupported

MAX_CASES = 24
"""Cases of the parameters that one answer may distinguish."""


class Piece(NamedTuple):
    """An expression on the open interval (lower, upper); the ends may be -oo and oo."""

    lower: Any
    upper: Any
    expression: Any


def compare(a: Form, b: Form, cell: Cell) -> int:
    """1 where a >= b holds all over the cell, -1 where a <= b does, 0 where they are equal.

    Raises :class:`NeedSplit` where the cell leaves the order open.

    >>> eps = sp.Symbol("eps", real=True)
    >>> compare(Form.of(eps), Form.of(-eps), Cell([(Form.of(eps), ">=")]))
    1
    """
    gap = (a - b).substitute(cell.values)
    if not gap:
        return 0
    try:
        return cell.sign(gap)
    except NeedSplit:
        for side in (1, -1):
            if cell.entails(gap * Form.of(side), ">="):
                return side
        raise


def ordered(points: Iterable[Form], cell: Cell) -> list[list[Form]]:
    """Points in increasing order, in groups that the cell identifies."""
    found: list[list[Form]] = []
    def order(a: Form, b: Form) -> int:
        return compare(a, b, cell)

    for point in sorted(points, key=cmp_to_key(order)):
        if found and compare(found[-1][0], point, cell) == 0:
            found[-1].append(point)
        else:
            found.append([point])
    return found


def terms_to_sympy(terms: Terms, t: Any) -> Any:
    """The sum of c t^n e^(a t).

    >>> terms_to_sympy(Exact.term(3, 2, 1).germ, sp.Symbol("t"))
    3*t*exp(2*t)
    """
    return sp.Add(*(c.to_sympy() * t**n * sp.exp(sp.expand(a.to_sympy() * t))
                    for (a, n), c in terms.items()))


def pieces(f: Exact, t: Any, cell: Cell) -> list[Piece]:
    """The function part of ``f`` between its breakpoints, from left to right; equal ones joined."""
    total = dict(f.germ)
    found = [Piece(-sp.oo, sp.oo, terms_to_sympy(total, t))]
    for group in ordered(f.jumps, cell):
        for at in group:
            for key, c in _absolute(f.jumps[at], at).items():
                _put(total, key, c)
        expression = terms_to_sympy(total, t)
        lower, _, last = found[-1]
        if expression != last:
            point = group[0].to_sympy()
            found[-1:] = [Piece(lower, point, last), Piece(point, sp.oo, expression)]
    return found


def function_to_sympy(f: Exact, t: Any, cell: Cell) -> Any:
    """The function part as a Piecewise in ``t``, right-continuous at its breakpoints.

    >>> t = sp.Symbol("t", real=True)
    >>> function_to_sympy(Exact.step(1, 2) - Exact.step(3, 2), t, Cell())
    Piecewise((0, t < 1), (2, t < 3), (0, True))
    """
    return piecewise(pieces(f, t, cell), t)


def piecewise(parts: list[Piece], t: Any) -> Any:
    """Adjacent pieces from -oo to oo as one expression; equal neighbours are joined."""
    last = parts[-1].expression
    cases = [(p.expression, sp.Lt(t, p.upper)) for p, after in pairwise(parts)
             if p.expression != after.expression]
    # unevaluated: SymPy would look for orders of breakpoints by itself
    return sp.Piecewise(*cases, (last, True), evaluate=False) if cases else last


def exact_to_sympy(f: Exact, t: Any, cell: Cell) -> Any:
    """The whole object: a Piecewise plus Dirac parts.

    >>> exact_to_sympy(Exact.impulse(1, 2) + Exact.term(1), sp.Symbol("t", real=True), Cell())
    2*DiracDelta(t - 1) + 1
    """
    impulses = [c.to_sympy() * sp.DiracDelta(*((t - at.to_sympy(), k) if k else
                                               (t - at.to_sympy(),)))
                for at, orders in f.impulses.items() for k, c in orders.items()]
    return sp.Add(function_to_sympy(f, t, cell), *impulses)


def continuous_value(f: Exact, point: Form, cell: Cell) -> Scalar:
    """Value at a point of a function that is continuous there; only weak orders are asked."""
    if isinstance(f, Collected):
        return f.value(point, lambda c: compare(c, point, cell) < 0, cell)
    total = Scalar.of(0)
    behind = [c for c in f.jumps if compare(c, point, cell) < 0]
    for (a, n), c in f.piece(behind).items():
        total = total + c * Scalar.of(point**n) * Scalar.exp(a * point)
    return total.substitute(cell.values)


def by_cases(constraints: Iterable[Constraint], build: Callable[[Cell], Any]) -> Any:
    """``build(cell)`` over all parameters: one expression, or a Piecewise over their cases.

    Raises what ``build`` raises, and :class:`Unsupported` when the cases do not come to an end.

    >>> x = sp.Symbol("x", real=True)
    >>> by_cases([], lambda cell: sp.Integer(cell.sign(Form.of(x))))
    Piecewise((0, Eq(x, 0)), (1, x > 0), (-1, True))
    """
    leaves: list[tuple[Any, Any]] = []
    _collect(Cell(constraints), {}, build, leaves)
    if not leaves:
        raise Unsupported("no values of the parameters satisfy their constraints")
    joined = [leaves[0]]
    for value, condition in leaves[1:]:
        if value == joined[-1][0]:
            joined[-1] = (value, sp.Or(joined[-1][1], condition))
        else:
            joined.append((value, condition))
    if len(joined) == 1:
        return joined[0][0]
    return sp.Piecewise(*joined[:-1], (joined[-1][0], True), evaluate=False)


def _collect(cell: Cell, path: dict[Any, Any], build: Callable[[Cell], Any],
             leaves: list[tuple[Any, Any]], depth: int = 0) -> None:
    if cell.is_empty():
        return
    # a form may be asked again where its sign, once known, is not recognised in another shape
    if len(leaves) >= MAX_CASES or depth > 2 * MAX_CASES:
        raise Unsupported(f"more than {MAX_CASES} cases of the parameters: give some of them "
                          "numbers, or assumptions such as positive=True")
    try:
        leaves.append((build(cell), sp.And(*path.values())))
        return
    except NeedSplit as need:
        form = need.form
    shown = form.to_sympy()
    if not isinstance(form, Form) or cell.entails(form, ">=") or cell.entails(-form, ">="):
        answers = {"<": sp.Lt(shown, 0), "=": sp.Eq(shown, 0), ">": sp.Gt(shown, 0)}
        for _, answer, part in cell.split(form):
            _collect(part, {**path, shown: answers[answer]}, build, leaves, depth + 1)
        return
    # a weak inequality often does: both formulas hold where the breakpoints meet
    for half, condition in (((form, ">="), sp.Ge(shown, 0)), ((-form, ">"), sp.Lt(shown, 0))):
        _collect(Cell((*cell.base, half), cell.path), {**path, shown: condition}, build, leaves,
                 depth + 1)


class _PasteReady(StrPrinter):
    """A quotient of two whole numbers would be a float in Python."""

    def _print_Rational(self, expr: Any) -> str:
        return str(expr.p) if expr.q == 1 else f"Rational({expr.p}, {expr.q})"


def paste_ready(e: Any) -> str:
    """An expression as Python reads it after ``from sympy import *``, exactly.

    >>> paste_ready(sp.Rational(1, 3) + sp.log(2)/4)
    'log(2)/4 + Rational(1, 3)'
    """
    return str(_PasteReady().doprint(e))


def single_case(constraints: Iterable[Constraint], build: Callable[[Cell], Any], what: str) -> Any:
    """``build(cell)`` where no case distinction is wanted: a region, a truth value.

    Raises :class:`Unsupported`, naming the sign that is open.
    """
    try:
        return build(Cell(constraints))
    except NeedSplit as need:
        raise Unsupported(f"{what} depends on the sign of {need.form}: give the parameters "
                          "numbers, or assumptions such as positive=True") from None


__all__ = ["Piece", "by_cases", "compare", "continuous_value", "exact_to_sympy",
           "function_to_sympy", "ordered", "paste_ready", "pieces", "piecewise",
           "single_case", "terms_to_sympy"]
