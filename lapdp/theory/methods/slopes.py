"""Rules from which the sign of a function follows: a value at an end and a derivative, and alike.

Each rule is a way: goals that together imply the one at hand.  They are searched by
:mod:`lapdp.theory.methods.descent`, which says why they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.balls import enclosure
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.domains import Chart, Domain
from lapdp.theory.methods.expansions import Expander
from lapdp.theory.methods.tower import Tower, plain

MULTIPLIERS = 4
TROUBLE = (Undefined, Unsupported, NeedSplit, InputError)
"""What stops a way: others may be open."""
_GRID = 10
RECIPROCAL, LAST = "1/", 1000
"""Begins the name of a reciprocal; the place of that rule, after all others."""

Goal = tuple[Any, Domain, bool]
"""An expression that is to be shown >= 0 (or > 0: True) on a domain."""


@dataclass(frozen=True)
class Way:
    """A goal follows from others."""

    text: str
    goals: tuple[Goal, ...]
    key: tuple[Any, int] = (None, 0)
    """The variable, and the place of the rule among those for it."""


Plan = Mapping[Goal, tuple[Any, int]]
"""The ways by which goals were reached."""


def ways_to(symbols: list[Any], x: Scalar, domain: Domain, strict: bool,
          given: tuple[Any, int] | None) -> Iterator[Way]:
    """Every rule along every variable; only the one that is given, if one is."""
    kinds: list[tuple[tuple[Any, int], Iterator[Way]]] = []
    beside = plain(x).free_symbols | set(symbols)
    for v in symbols:
        charts = list(domain.charts(v, beside))
        found = [*(_from_end(chart, x, strict) for chart in charts),
                 *(_from_infinity(v, side, x, domain, strict) for side in (1, -1)),
                 *(_between_ends(chart, x, strict) for chart in charts if chart.rising)]
        kinds += [((v, k), ways) for k, ways in enumerate(found)]
    if len(symbols) == 1:
        kinds.append(((symbols[0], len(kinds)), _in_parts(symbols[0], plain(x), domain, strict)))
    kinds += [((v, LAST), _by_reciprocal(v, x, domain, strict)) for v in symbols]
    for key, ways in sorted(kinds, key=lambda kind: kind[0][1]):
        if given in (None, key):
            try:
                yield from (replace(way, key=key) for way in ways)
            except TROUBLE:
                continue


def _in_chart(chart: Chart, x: Scalar) -> tuple[Scalar, Tower]:
    tower = Tower(chart.inside.cell())
    image = plain(x).xreplace({chart.variable: chart.image})
    return tower.reduce(tower.scalar(image)), tower


def _from_end(chart: Chart, x: Scalar, strict: bool) -> Iterator[Way]:
    """f >= f(end), away from which f increases."""
    w, inside = chart.coordinate, chart.inside
    y, tower = _in_chart(chart, x)
    closure = inside.closed_chart(w, chart.closure).cell()
    for f in _multiples(y, w, tower):
        if not smooth(f.xreplace({w: chart.closure}), closure):
            continue
        first, slope = f.xreplace({w: sp.S.Zero}), sp.diff(f, w)
        for of_first, of_slope in _strictness(strict, bool(w.is_positive)):
            yield Way(f"{f}: its value at {chart.variable} = {chart.at}, and its derivative",
                      ((first, chart.edge, of_first), (slope, inside, of_slope)))


def _between_ends(chart: Chart, x: Scalar, strict: bool) -> Iterator[Way]:
    """A concave f lies above its chord: f >= 0 where it is at both ends."""
    w, inside = chart.coordinate, chart.inside
    top = next((c.at for c in inside.charts(w) if not c.rising), None)
    if top is None:
        return
    y, tower = _in_chart(chart, x)
    closure = inside.closed_chart(w, chart.closure).closed_along(chart.closure).cell()
    of_bend = strict and bool(w.is_positive) and inside.open_above(w)
    for f in _multiples(y, w, tower):
        bend = -sp.diff(f, w, 2)
        if plausible(bend, inside) and smooth(f.xreplace({w: chart.closure}), closure):
            ends = [(f.xreplace({w: c}), chart.edge, strict and not of_bend)
                    for c in (sp.S.Zero, top)]
            yield Way(f"{f}: its values at both ends of {chart.variable}, and f''",
                      ((bend, inside, of_bend), *ends))


def _from_infinity(v: Any, side: int, x: Scalar, domain: Domain, strict: bool) -> Iterator[Way]:
    """f > lim f at +oo, to which f decreases (and alike at -oo)."""
    found, edge = domain.ends(v), domain.without(v)
    if found is None or edge is None or found[1 if side > 0 else 0]:
        return
    tower = Tower(domain.cell())
    for f in _multiples(x, v, tower):
        slope = -side * sp.diff(f, v)
        try:
            fits = plausible(slope, domain) and smooth(f, tower.cell)
            limit = _limit(f, v, side, domain) if fits else None
        except TROUBLE:
            continue
        if limit is not None:
            yield Way(f"{f}: its limit as {v} tends to {side * sp.oo}, and its derivative",
                      ((limit, edge, False), (slope, domain, strict)))


def _by_reciprocal(v: Any, x: Scalar, domain: Domain, strict: bool) -> Iterator[Way]:
    """In w = 1/v for v > 0, where that makes arguments of functions polynomials: erf(1/v) has a
    value at w = 0, and its derivative in w no negative powers."""
    found, rest = domain.ends(v), domain.without(v)
    if found is None or rest is None or found[1] or v.name.startswith(RECIPROCAL) or not (
            v.is_positive or found[0]) or any(e.form for e in found[0]):
        return
    if any(e.closed for e in found[0]) and not v.is_positive:
        return
    f, w = plain(x), sp.Symbol(RECIPROCAL + v.name, positive=True)
    inner = [e.args[0] for e in f.atoms(sp.Function) if e.has(v)]
    if inner and not all(e.is_polynomial(v) for e in inner) and all(
            e.xreplace({v: 1 / w}).is_polynomial(w) for e in inner):
        yield Way(f"{f}: in {w}", ((f.xreplace({v: 1 / w}), rest, strict),))


def _in_parts(v: Any, f: Any, domain: Domain, strict: bool) -> Iterator[Way]:
    """On either side of a neighbourhood of the minimum, and on that: each part for itself.

    The place of the minimum is a guess; the parts cover the domain wherever it is.
    """
    found = _lowest(f, v, domain)
    if found is not None:
        below, above = (Form.of(c - v) for c in found)
        parts = [((below, ">="),), ((-below, ">="), (above, ">=")), ((-above, ">="),)]
        yield Way(f"{f}: for {v} below {found[0]}, above {found[1]} and between",
                  tuple((f, Domain((*domain.conditions, *part)), strict) for part in parts))


def _lowest(f: Any, v: Any, domain: Domain) -> tuple[Any, Any] | None:
    """Rational numbers on either side of an inner minimum, by plain search."""
    ends = domain.ends(v)
    lows, highs = ([e.form.to_sympy() for e in side] for side in ends or ([], []))
    if not lows or any(e.free_symbols for e in (*lows, *highs)):
        return None
    lo = max(float(e) for e in lows)
    hi = min((float(e) for e in highs), default=lo + 2.0**_GRID)

    def at(x: float) -> float:
        point = sp.Rational(Fraction(x).numerator, Fraction(x).denominator)
        return float(enclosure(f, {v: point}, digits=15).real.mid())

    grid = [lo + (hi - lo) * 2.0**-k for k in range(2 * _GRID, 0, -1)]
    k = min(range(len(grid)), key=lambda j: at(grid[j]))
    if k in (0, len(grid) - 1):
        return None
    a, b = grid[k - 1], grid[k + 1]
    while b - a > (a - lo) / 32:
        third = (b - a) / 3
        a, b = (a + third, b) if at(a + third) > at(b - third) else (a, b - third)
    wide = b - a
    return tuple(sp.Rational(Fraction(x).limit_denominator(10**4)) for x in (a - wide, b + wide))


def smooth(f: Any, cell: Cell) -> bool:
    """Is ``f`` proved differentiable in the cell?"""
    try:
        require(Tower(cell), f, smooth=True)
    except TROUBLE:
        return False
    return True


def _strictness(strict: bool, opened: bool) -> tuple[tuple[bool, bool], ...]:
    """What f(end) and f' must satisfy, strictly or not, for the sign of f that is wanted."""
    if not strict:
        return ((False, False),)
    return ((False, True), (True, False)) if opened else ((True, False),)


def _multiples(x: Scalar, v: Any, tower: Tower) -> Iterator[Any]:
    """The numerator of ``x`` times positive factors, so that a derivative may become simpler.

    They are exponentials of its terms: each is positive, so signs stay.
    """
    below = Scalar(x.keys, x.den, x.den / x.den)
    sign = tower.sign(below)
    if not sign:
        raise Undefined("a division by zero")
    y = x * below * sign
    logs: list[Form] = []
    for _, log, _, radical in y.polynomial_terms(y.num):
        own = Form({m: c for m, c in log.terms.items() if any(
            v == a or v in a.free_symbols for a, _ in m)})
        if not radical and own not in logs:
            logs.append(own)
    if Form({}) not in logs:
        logs.append(Form({}))
    for log in sorted(logs, key=lambda f: (bool(f), len(f.terms)))[:MULTIPLIERS]:
        yield plain(tower.reduce(y * Scalar.exp(-log)))


def _limit(f: Any, v: Any, side: int, domain: Domain) -> Any:
    """The limit of f as v tends to side * oo, or None where there is none, or none is seen."""
    t = sp.Dummy("t", positive=True)
    image = Form.atom(t) * Form.of(side)
    rest = [(form, rel) for form, rel in domain.conditions if v not in form.atoms()]
    far = f.xreplace({v: image.to_sympy()})
    tower = Tower(Domain(tuple(rest)).cell())
    total: Any = sp.S.Zero
    for group in Expander(t, tower).expand(far):
        growth = Expander(t, tower).growth(group.phi)
        if growth > 0 or (growth == 0 and group.series.top() > 0):
            return None
        if growth == 0:
            if group.series.cut >= 0:
                return None
            if 0 in group.series.terms:
                total += plain(group.series.terms[0])
    return total


def plausible(f: Any, domain: Domain) -> bool:
    """Is f not provably negative at any of a few points?  (Only to save time.)"""
    wanted = sorted({*f.free_symbols, *(a for form, _ in domain.conditions for a in form.atoms()
                                 if a.is_Symbol)}, key=str)
    for point in domain.points(wanted):
        try:
            if enclosure(f, point, digits=15).real < 0:
                return False
        except (Unsupported, Undefined, InputError):
            continue
    return True


__all__ = ["TROUBLE", "Goal", "Plan", "Way", "plausible", "smooth", "ways_to"]
