"""Exchange of integral and mixture: earned by domination, or by non-negativity.

A statement about every pair is checked on kernels; the transform of a mixture is the mixture of
the transforms only where Fubini or Tonelli apply.  A term is *dominated* when the absolute integral
on the kernel k(z) grows, as z tends to +-oo, no faster than a mass (rates 0 and -1) or a transform
that a hypothesis declares convergent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.theory.interpret import Exchange

Rates = list[Form]


def growth(x: Scalar, variable: Any) -> Rates:
    """Exponential rates in ``variable`` of the terms of a field element."""
    denominator = {_rate(log, variable) for _, log, _, _ in x.polynomial_terms(x.den)}
    if len(denominator) != 1:
        raise Unsupported("a denominator that depends on the likelihood ratio")
    base = denominator.pop()
    return [_rate(log, variable) - base for _, log, _, _ in x.polynomial_terms(x.num)]


def _rate(log: Form, variable: Any) -> Form:
    rate: dict[Any, Any] = {}
    for m, c in log.real_part().terms.items():
        power = dict(m).get(variable, 0)
        if power == 1:
            rate[tuple(x for x in m if x[0] != variable)] = c
        elif power:
            raise Unsupported("an exponent that is not linear in the likelihood ratio")
    return Form(rate)


def absolute_rates(exchange: Exchange, variable: Any, cell: Cell) -> Rates:
    """Rates that bound the absolute integral, term by term and end by end of each piece."""
    if exchange.function is None:
        sizes = exchange.value if isinstance(exchange.value, tuple) else (exchange.value,)
        return [r for x in sizes if isinstance(x, Scalar) for r in growth(x, variable)]
    f: Exact = exchange.function
    s = exchange.frequency
    rates: Rates = []
    points = f.breakpoints(cell)
    ends: list[tuple[list[Form], Form]] = []
    for k, c in enumerate(points):
        behind = points[:k]
        ends += [(behind, c), (points[: k + 1], c)]
    for behind, c in ends:
        for (a, n), coefficient in f.piece([p for p in f.jumps
                                            if any(cell.sign(p - b) == 0 for b in behind)]).items():
            if n and variable in c.atoms():
                raise Unsupported("a polynomial factor in a domination argument")
            rates += _shifted(coefficient, (a - s) * c, variable)
    for c, orders in f.impulses.items():
        for coefficient in orders.values():
            rates += _shifted(coefficient, -(s * c), variable)
    return rates


def _shifted(coefficient: Scalar, log: Form, variable: Any) -> Rates:
    extra = _rate(log, variable)
    return [r + extra for r in growth(coefficient, variable)]


def bounded_side(variable: Any, cell: Cell, side: int) -> bool:
    """Is the variable bounded on that side by a constraint of the cell?"""
    if variable in cell.values:
        return True
    for form, rel in cell.constraints:
        c = form.terms.get(((variable, 1),))
        if c is None or any(variable in dict(m) and m != ((variable, 1),) for m in form.terms):
            continue
        if rel == "=" or (c < 0) == (side > 0):
            return True
    return False


def dominated(exchange: Exchange, variables: Iterable[Any], available: dict[Any, Rates],
              cell: Cell) -> bool:
    """Is the absolute integral bounded by the available rates in each variable, at each end?"""
    for variable in variables:
        allowed = available[variable]
        for rate in absolute_rates(exchange, variable, cell):
            for side in (1, -1):
                if bounded_side(variable, cell, side):
                    continue
                gaps = [(h - rate) * Form.of(side) for h in allowed]
                if not any(not g or cell.entails(g, ">=") for g in gaps):
                    return False
    return True


def nonnegative(f: Exact, cell: Cell) -> bool:
    """Is an exact function without negative impulses >= 0 on every piece?

    Decided piece by piece at a generic point; True only when the cell proves it.
    """
    import sympy as sp

    t = sp.Dummy("t", real=True)
    point = Form.atom(t)
    points = f.breakpoints(cell)
    for k in range(len(points) + 1):
        constraints = list(cell.constraints)
        if k:
            constraints.append((point - points[k - 1], ">"))
        if k < len(points):
            constraints.append((points[k] - point, ">"))
        inside = Cell(constraints)
        behind = [p for p in f.jumps if any(cell.sign(p - b) == 0 for b in points[:k])]
        total = Scalar.of(0)
        for (a, n), c in f.piece(behind).items():
            total = total + c * Scalar.of(point**n) * Scalar.exp(a * point)
        if inside.sign_of(total.substitute(cell.values)) < 0:
            return False
    return all(k == 0 and cell.sign_of(c) >= 0
               for orders in f.impulses.values() for k, c in orders.items())
