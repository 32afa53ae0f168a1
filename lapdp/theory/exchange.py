"""Exchange of integral and mixture: earned by domination, or by non-negativity.

A statement about every pair is checked on kernels; the transform of a mixture is the mixture of
the transforms only where Fubini or Tonelli apply.  A term is *dominated* when the absolute integral
on the kernel k(z) grows, as z tends to +-oo, no faster than a mass (rates 0 and -1) or a transform
that a hypothesis declares convergent.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, LogOf
from lapdp.calculus.ordering import Cell, Condition, NeedSplit
from lapdp.core.errors import Unsupported
from lapdp.theory.interpret import Exchange

Rates = list[tuple[Form, int]]
"""Growth in a variable z: (r, n) stands for |z|^n e^(r z)."""


class UnknownGrowth(Unsupported):
    """No rates are known; what needs them is not shown to be dominated."""


def growth(x: Scalar, variable: Any) -> Rates:
    """Rates in ``variable`` of the terms of a field element."""
    denominator = {_rate(log, variable) for _, log, _, _ in x.polynomial_terms(x.den)}
    if len(denominator) != 1:
        raise Unsupported("a denominator that depends on the likelihood ratio")
    base = denominator.pop()
    return [(_rate(log, variable) - base, _degree(rest, variable))
            for _, log, rest, _ in x.polynomial_terms(x.num)]


def guaranteed(x: Scalar, variable: Any, cell: Cell) -> Rates:
    """Rates that the modulus of a field element really reaches at the ends, nothing cancelling.

    Terms are collected by rate and count where their coefficient differs from 0 all over the cell.
    A sum of oscillating terms, or one with powers of the variable, guarantees nothing; a single
    term with a power does.
    """
    x = x.substitute(cell.values)
    numerator, denominator = x.polynomial_terms(x.num), x.polynomial_terms(x.den)
    base = {_rate(log, variable) for _, log, _, _ in denominator}
    if len(base) == 1 and len(numerator) == 1 and not any(
            variable in rest.atoms() for _, _, rest, _ in denominator):
        return _of_one_term(numerator[0], next(iter(base)), variable, cell)
    if len(base) != 1 or any(variable in rest.atoms() for _, _, rest, _ in numerator):
        return []
    found: dict[Form, Scalar] = {}
    for c, log, rest, _ in numerator:
        rate = _rate(log, variable)
        others = log - rate * Form.atom(variable)
        if variable in others.atoms():
            if len(numerator) > 1:
                return []
            others = Form({})
        term = Scalar.of(rest) * c * Scalar.exp(others)
        found[rate] = found[rate] + term if rate in found else term
    found = {rate: c for rate, c in found.items() if cell.nonzero(c)}
    if any(cell.sign(a - b) == 0 for a, b in combinations(found, 2)):
        return []
    (first,) = base
    return [(rate - first, 0) for rate in found]


def _of_one_term(term: Any, base: Form, variable: Any, cell: Cell) -> Rates:
    """The rate of c z^n e^(log): of its modulus, where c is not 0 anywhere in the cell."""
    c, log, rest, _ = term
    _refuse_logarithms(rest, variable)
    if len(rest.terms) != 1:
        return []
    ((monomial, factor),) = rest.terms.items()
    n = dict(monomial).get(variable, 0)
    others = Form({tuple((a, k) for a, k in monomial if a != variable): factor})
    if n < 0 or n != int(n) or variable in others.atoms() or not cell.nonzero(
            Scalar.of(others) * c):
        return []
    return [(_rate(log, variable) - base, int(n))]


def _degree(form: Form, variable: Any) -> int:
    _refuse_logarithms(form, variable)
    return max((int(dict(m).get(variable, 0)) for m in form.terms), default=0)


def _rate(log: Form, variable: Any) -> Form:
    _refuse_logarithms(log, variable)
    return log.real_part().slope(variable)


def _refuse_logarithms(form: Form, variable: Any) -> None:
    """The growth of log x and of its powers is not read off."""
    if any(isinstance(a, LogOf) and variable in a.argument.parameters()
           for m in form.terms for a, _ in m):
        raise UnknownGrowth("the growth of a logarithm of a mixed likelihood ratio")


def absolute_rates(exchange: Exchange, variable: Any, cell: Cell) -> Rates:
    """Rates that bound the absolute integral, term by term and end by end of each piece.

    On a bounded piece the integral of e^(r t) is bounded by its ends when r differs from 0, and by
    the length of the piece, a polynomial factor, when r = 0.
    """
    if exchange.function is None:
        sizes = exchange.value if isinstance(exchange.value, tuple) else (exchange.value,)
        return [r for x in sizes if isinstance(x, Scalar)
                for r in growth(x.substitute(cell.values), variable)]
    f: Exact = exchange.function
    s = exchange.frequency
    rates: Rates = []
    points = f.breakpoints(cell)
    moving = [variable in c.substitute(cell.values).atoms() for c in points]
    for k in range(len(points) + 1):
        ends = [j for j in (k - 1, k) if 0 <= j < len(points)]
        stretches = len(ends) == 2 and any(moving[j] for j in ends)
        behind = [p for p in f.jumps if any(cell.sign(p - b) == 0 for b in points[:k])]
        for (a, n), coefficient in f.piece(behind).items():
            flat = stretches and cell.sign((a - s).real_part()) == 0
            for j in ends:
                rates += _shifted(coefficient, (a - s) * points[j], variable, cell,
                                  flat + (n if flat or moving[j] else 0))
    for c, orders in f.impulses.items():
        for coefficient in orders.values():
            rates += _shifted(coefficient, -(s * c), variable, cell, 0)
    return rates


def _shifted(coefficient: Scalar, log: Form, variable: Any, cell: Cell, powers: int) -> Rates:
    log = log.substitute(cell.values)
    if any(isinstance(a, LogOf) for m in log.terms for a, _ in m):
        # whole multiples of logarithms are powers of their arguments
        return [(r, n + powers) for r, n in growth(
            coefficient.substitute(cell.values) * Scalar.exp(log), variable)]
    extra = _rate(log, variable)
    return [(r + extra, n + powers)
            for r, n in growth(coefficient.substitute(cell.values), variable)]


def bounded_side(variable: Any, cell: Cell, side: int, others: Iterable[Any] = ()) -> bool:
    """Is the variable bounded on that side by a constraint of the cell, ``others`` left out?"""
    if variable in cell.values:
        return True
    moving = {variable, *others}
    for form, rel in cell.constraints:
        c = form.terms.get(((variable, 1),))
        if c is None or any(moving & {a for a, _ in m} and m != ((variable, 1),)
                            for m in form.terms):
            continue
        if rel == "=" or (c < 0) == (side > 0):
            return True
    return False


def dominated(exchange: Exchange, variables: Iterable[Any], available: dict[Any, Rates],
              cell: Cell) -> bool:
    """Is the absolute integral bounded by the available rates in each variable, at each end?"""
    moving = list(variables)
    for variable in moving:
        allowed = available[variable]
        try:
            rates = absolute_rates(exchange, variable, cell)
        except UnknownGrowth:
            return False
        for rate, n in rates:
            for side in (1, -1):
                if bounded_side(variable, cell, side, moving):
                    continue
                gaps = [((h - rate) * Form.of(side), m >= n) for h, m in allowed]
                if not any((not g and enough) or cell.entails(g, ">=" if enough else ">")
                           for g, enough in gaps):
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
        constraints: list[Condition] = [*cell.constraints, *cell.elements]
        if k:
            constraints.append((point - points[k - 1], ">"))
        if k < len(points):
            constraints.append((points[k] - point, ">"))
        inside = Cell(constraints)
        behind = [p for p in f.jumps if any(cell.sign(p - b) == 0 for b in points[:k])]
        total = Scalar.of(0)
        for (a, n), c in f.piece(behind).items():
            total = total + c * Scalar.of(point**n) * Scalar.exp(a * point)
        try:
            if inside.sign_of(total.substitute(cell.values)) < 0:
                return False
        except NeedSplit as need:
            if t in need.form.atoms():
                # the sign changes inside the piece, or is not seen not to
                return False
            raise
    return all(k == 0 and cell.sign_of(c) >= 0
               for orders in f.impulses.values() for k, c in orders.items())
