"""Are there distributions on a finite space with given linear equations?  An exact program.

Numbers x >= 0, one for each outcome and each distribution that is claimed to exist, must satisfy
the equations outcome by outcome, and each distribution has mass 1.  By the lemma of Farkas they do
not exist exactly where a combination of the equations has coefficients >= 0 and a value < 0; only
such a combination, multiplied out in fractions, counts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lapdp.core.errors import Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite
from lapdp.proving.farkas import combination as weights_of
from lapdp.theory import language as lang
from lapdp.theory.points import points_of

Row = dict[Any, Fraction]


def infeasible(trial: Any, claim: lang.ExistsDistributions) -> str:
    """Why no such distributions exist at an instance; "" where there are some.

    Raises :class:`Unsupported` for other than linear equations with rational numbers.
    """
    equations = _equations(trial, claim)
    columns = sorted({x for row, _ in equations for x in row}, key=str)
    targets = {k: value for k, (_, value) in enumerate(equations)}
    by_column = [{k: row[x] for k, (row, _) in enumerate(equations) if x in row} for x in columns]
    if weights_of(by_column, [False] * len(columns), targets) is not None:
        return ""
    # the other side of Farkas: multipliers y, slacks s >= 0, y A - s = 0 and y b = -1
    rows: list[Row] = [{**row, None: value} if value else dict(row) for row, value in equations]
    slacks: list[Row] = [{x: Fraction(-1)} for x in columns]
    free = [True] * len(rows) + [False] * len(slacks)
    found = weights_of([*rows, *slacks], free, {None: Fraction(-1)})
    if found is None or not _certified(rows, found[:len(rows)], columns):
        raise Unsupported("neither distributions nor a contradiction is found")
    return "a combination of the equations is negative, with coefficients that are not"


def _certified(rows: list[Row], multipliers: list[Fraction], columns: list[Any]) -> bool:
    def total(x: Any) -> Fraction:
        return sum((y * row.get(x, 0) for y, row in zip(multipliers, rows, strict=True)),
                   Fraction(0))
    return total(None) < 0 and all(total(x) >= 0 for x in columns)


def _equations(trial: Any, claim: lang.ExistsDistributions) -> list[tuple[Row, Fraction]]:
    """For each outcome and equation, and for each distribution: coefficients and value."""
    from lapdp.theory.methods.mixtures import combination

    made, equations = set(claim.made), []
    for form in claim.claims:
        if not isinstance(form, lang.SameMeasure):
            raise Unsupported("the existence of distributions with more than linear equations")
        gap = combination(trial.fill(form.lhs - form.rhs))
        equations.append({d: _fraction(trial.value(c)) for d, c in gap.items()})
    given = {d for gap in equations for d in gap if d not in made}
    spaces = {id(d.pair): d.pair for d in given}
    if len(spaces) != 1:
        raise Unsupported("the existence of distributions beside those of one pair")
    (identity,) = spaces.values()
    points = points_of(trial.interpreter, identity)
    found: list[tuple[Row, Fraction]] = []
    for gap in equations:
        for k, point in enumerate(points):
            row = {(d.name, k): c for d, c in gap.items() if d in made and c}
            known = sum((c * _fraction(_mass(point, identity, d)) for d, c in gap.items()
                         if d not in made), Fraction(0))
            found.append((row, -known))
    for d in claim.made:
        found.append(({(d.name, k): Fraction(1) for k in range(len(points))}, Fraction(1)))
    return found


def _mass(point: Any, identity: Any, d: pn.Distribution) -> Any:
    masses = point.masses(identity) if len(identity.names) == 2 else point.parts[identity]
    return masses[d.side]


def _fraction(x: Any) -> Fraction:
    form = None if isinstance(x, Infinite) else x.as_form()
    value = None if form is None else form.constant()
    if value is None:
        raise Unsupported("the existence of distributions with other than rational numbers")
    return Fraction(value)


__all__ = ["infeasible"]
