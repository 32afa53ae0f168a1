"""Linear reasoning over real forms: are these constraints contradictory?

Each monomial of a form counts as a variable of its own, so what is proved here holds a fortiori.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import gcd, lcm
from typing import Any

import flint
import sympy as sp

from lapdp.calculus.form import Form, Monomial, monomial_key
from lapdp.core.precision import workprec

Constraint = tuple[Form, str]
"""``form rel 0`` with rel one of ``>``, ``>=``, ``=``."""
Row = tuple[tuple[tuple[Monomial, Fraction], ...], bool]
_WholeRow = dict[Monomial, int]
MOST_ROWS = 4000


@lru_cache(maxsize=4096)
def log_bounds(atom: Any) -> tuple[Fraction, Fraction]:
    """Rational bounds of log(prime) or pi, proved by ball arithmetic."""
    with workprec(192):
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


def infeasible(rows: Iterable[Row]) -> bool:
    """Fourier-Motzkin elimination: do the rows have no common solution?"""
    system = _distinct((_whole(dict(row)), strict) for row, strict in rows)
    while system is not None:
        if not system or len(system) > MOST_ROWS:
            return False
        counts: dict[Monomial, list[int]] = {}
        for row, _ in system:
            for m, c in row.items():
                counts.setdefault(m, [0, 0])[c > 0] += 1
        counts.pop((), None)
        # the variable whose elimination makes the fewest rows
        m = min(counts, key=lambda v: (counts[v][0] * counts[v][1], monomial_key(v)))
        ups = [x for x in system if x[0].get(m, 0) > 0]
        downs = [x for x in system if x[0].get(m, 0) < 0]
        rest = [x for x in system if m not in x[0]]
        system = _distinct(chain(rest, (
            (_combined(up, down, m), strict_up or strict_down)
            for up, strict_up in ups for down, strict_down in downs)))
    return True


def _distinct(rows: Iterable[tuple[_WholeRow, bool]]) -> list[tuple[_WholeRow, bool]] | None:
    """The rows, each once, without those that say a truth on numbers; None if one says a falsity.
    """
    found: dict[frozenset[tuple[Monomial, int]], tuple[_WholeRow, bool]] = {}
    for row, strict in rows:
        if not row or (len(row) == 1 and () in row):
            value = row.get((), 0)
            if value < 0 or (strict and value == 0):
                return None
            continue
        key = frozenset(row.items())
        if strict or key not in found:
            found[key] = row, strict
    return list(found.values())


def _combined(up: _WholeRow, down: _WholeRow, m: Monomial) -> _WholeRow:
    """The sum of two rows, times positive numbers, in which the monomial cancels."""
    a, b = up[m], -down[m]
    row = {k: c * b for k, c in up.items() if k != m}
    for k, c in down.items():
        if k != m:
            row[k] = row.get(k, 0) + c * a
    return _primitive({k: c for k, c in row.items() if c})


def _whole(row: dict[Monomial, Fraction]) -> _WholeRow:
    """The row times a positive number, with whole coefficients that have no common divisor."""
    scale = lcm(*(c.denominator for c in row.values()))
    return _primitive({m: c.numerator * (scale // c.denominator) for m, c in row.items() if c})


def _primitive(row: _WholeRow) -> _WholeRow:
    common = gcd(*row.values())
    return row if common <= 1 else {m: c // common for m, c in row.items()}
