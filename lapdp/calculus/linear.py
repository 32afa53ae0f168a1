"""Linear reasoning over real forms: are these constraints contradictory?

Each monomial of a form counts as a variable of its own, so what is proved here holds a fortiori.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.form import Form, Monomial, monomial_key

Constraint = tuple[Form, str]
"""``form rel 0`` with rel one of ``>``, ``>=``, ``=``."""
Row = tuple[tuple[tuple[Monomial, Fraction], ...], bool]


@lru_cache(maxsize=4096)
def log_bounds(atom: Any) -> tuple[Fraction, Fraction]:
    """Rational bounds of log(prime) or pi, proved by ball arithmetic."""
    with flint.ctx.workprec(192):
        ball = flint.arb.pi() if atom == sp.pi else flint.arb(int(atom.args[0])).log()
        scale = 2**160
        middle = int((ball * scale).mid().floor().unique_fmpz())
    return Fraction(middle - 2, scale), Fraction(middle + 3, scale)


def rows_of(constraints: Iterable[Constraint]) -> list[Row]:
    """Rows sum c_m m > 0 (strict) or >= 0, one variable a monomial."""
    rows: list[Row] = []
    for form, rel in constraints:
        row = tuple(sorted(form.terms.items(), key=lambda t: monomial_key(t[0])))
        rows.append((row, rel == ">"))
        if rel == "=":
            rows.append((tuple((m, -c) for m, c in row), False))
    return rows


def infeasible(rows: list[Row]) -> bool:
    """Fourier-Motzkin elimination: do the rows have no common solution?"""
    system = [(dict(row), strict) for row, strict in rows]
    while True:
        for row, strict in system:
            if all(m == () for m in row):
                value = row.get((), Fraction(0))
                if value < 0 or (strict and value == 0):
                    return True
        variables = {m for row, _ in system for m in row if m != ()}
        if not variables:
            return False

        m = min(variables, key=partial(_cost, rows=system))
        ups = [x for x in system if x[0].get(m, 0) > 0]
        downs = [x for x in system if x[0].get(m, 0) < 0]
        system = [x for x in system if not x[0].get(m, 0)]
        for up, strict_up in ups:
            for down, strict_down in downs:
                a, b = up[m], -down[m]
                row = {k: up.get(k, Fraction(0)) * b + down.get(k, Fraction(0)) * a
                       for k in set(up) | set(down) if k != m}
                system.append(({k: v for k, v in row.items() if v or k == ()},
                               strict_up or strict_down))
        if len(system) > 4000:
            return False


def _cost(m: Monomial, rows: list[tuple[dict[Monomial, Fraction], bool]]) -> tuple[int, str]:
    """How many rows the elimination of a variable makes."""
    up = sum(1 for row, _ in rows if row.get(m, 0) > 0)
    down = sum(1 for row, _ in rows if row.get(m, 0) < 0)
    return (up * down, monomial_key(m))
