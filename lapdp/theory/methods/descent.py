"""Signs of explicit functions of several real parameters, by monotonicity from an end.

Let f be differentiable in v on a domain whose sections along v are intervals, continuous up to one
end c of the section (c may depend on the other parameters), and suppose f' has one sign, away from
the end.  Then f >= f(c) throughout, and > where f' is strict (mean value theorem).  The same holds
for an end at infinity with the limit of f in place of f(c).  So the sign of f follows from those of
f(c), with one parameter less, and of f'; both are settled in the same way, after factors of known
sign have been taken off.  What depends on one parameter only may be settled by balls.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.balls import BoxProof, enclosure, prove_sign, prove_sign_halfline
from lapdp.balls import sign as ball_sign
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.theory.methods.definedness import require
from lapdp.theory.methods.domains import Chart, Domain
from lapdp.theory.methods.expansions import Expander
from lapdp.theory.methods.tower import Tower, plain

DEPTHS = (1, 3, 6)
"""Derivatives and ends taken one inside the other: few first."""
GOALS = 40
"""Signs that are looked at before giving up."""
MULTIPLIERS = 4
SECONDS = 4.0
"""Of processor time: a search that takes longer is given up."""
TERMS = 24
"""Of a numerator: longer ones are given up."""
_BOXES = 400
_DIGITS = 30
_NEAR = 8
_GRID = 10
_TROUBLE = (Undefined, Unsupported, NeedSplit, InputError)


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


class Ways:
    """Ways that are worked out when they are asked for, and kept."""

    def __init__(self, ways: Iterator[Way]) -> None:
        self._kept: list[Way] = []
        self._rest = ways

    def __iter__(self) -> Iterator[Way]:
        k = 0
        while True:
            if k == len(self._kept):
                way = next(self._rest, None)
                if way is None:
                    return
                self._kept.append(way)
            yield self._kept[k]
            k += 1


class Prover:
    """Proves ``e >= 0`` or ``e > 0`` on a domain; ``route`` says how, line by line.

    The expression must be defined on the whole domain: that is the caller's business, as is the
    meaning of its symbols, all of them real.

    >>> x = sp.Symbol("x", positive=True)
    >>> Prover().proves(x - sp.tanh(x), Domain(()), strict=True)
    True
    >>> Prover().proves(sp.tanh(x) - x / 2, Domain(()), strict=False)
    False
    """

    def __init__(self, plan: Plan | None = None, goals: int = GOALS) -> None:
        self._given = plan
        self.plan: dict[Goal, tuple[Any, int]] = {}
        self.left = goals
        self._deadline = time.process_time() + SECONDS
        self.route: list[str] = []
        self._reached: set[Goal] = set()
        self._missed: dict[Goal, int] = {}
        self._ways: dict[Goal, Ways | bool] = {}

    def proves(self, e: Any, domain: Domain, strict: bool) -> bool:
        """Is the sign proved?  False says nothing."""
        return any(self._reaches((e, domain, strict), depth) for depth in DEPTHS)

    def _reaches(self, goal: Goal, depth: int) -> bool:
        """Is the goal proved with at most ``depth`` steps one inside the other?"""
        if goal in self._reached:
            return True
        if self._missed.get(goal, -1) >= depth:
            return False
        self._missed[goal] = depth  # nor does a goal help to prove itself
        ways = self._ways_to(goal)
        if isinstance(ways, Ways):
            found = next((way for way in ways if all(
                self._reaches(part, depth - 1) for part in way.goals)), None) if depth else None
            if found is None:
                return False
            self.route.append(found.text)
            self.plan[goal] = found.key
        elif not ways:
            self._missed[goal] = DEPTHS[-1]
            return False
        self._reached.add(goal)
        return True

    def _ways_to(self, goal: Goal) -> Ways | bool:
        """True if the goal is plain, False if it is hopeless, else what it follows from."""
        if goal not in self._ways:
            self.left -= 1
            try:
                spent = self.left < 0 or time.process_time() > self._deadline
                self._ways[goal] = not spent and self._look(*goal)
            except _TROUBLE:
                self._ways[goal] = False
        return self._ways[goal]

    def _look(self, e: Any, domain: Domain, strict: bool) -> Ways | bool:
        if not _plausible(e, domain):
            return False
        if not e.free_symbols and ball_sign(e) == 1:
            return True
        tower = Tower(domain.cell())
        x = tower.reduce(tower.scalar(e))
        if x.is_zero():
            return not strict
        if len(x.num.to_dict()) > TERMS:
            return False
        rest = self._core(x, tower, strict)
        if rest is None:
            return True
        core = plain(rest)
        symbols = sorted(core.free_symbols, key=str)
        if not symbols:
            return ball_sign(core) == 1
        try:
            if self._by_balls(core, domain, symbols):
                return True
        except _TROUBLE:
            pass
        given = self._given.get((e, domain, strict)) if self._given is not None else None
        if self._given is not None and given is None:
            return False
        return Ways(_ways(symbols, rest, domain, strict, given))

    def _core(self, x: Scalar, tower: Tower, strict: bool) -> Scalar | None:
        """``x`` without factors of known sign; None if its sign is known, Unsupported if wrong.

        A factor that may vanish only takes part in a weak sign, and one whose power is even too.
        """
        sign, parts = x.factors()
        unknown = Scalar.of(1)
        known = True
        for factor, k in parts:
            try:
                s = tower.sign(factor)
                if s == 0:
                    if strict:
                        raise Unsupported("0 is not positive")
                    return None
                sign *= s**k
            except (NeedSplit, Unsupported):
                if k % 2 == 0 and not strict and not self._divides(factor, x):
                    continue
                unknown, known = unknown * factor**k, False
        if not known:
            return unknown * sign
        if sign < 0:
            raise Unsupported("the sign is the other one")
        return None

    @staticmethod
    def _divides(factor: Scalar, x: Scalar) -> bool:
        """Does the factor belong to the denominator?"""
        return not (x.den * factor.den).gcd(factor.num).is_one() if x.keys == factor.keys else True

    # -- one parameter --------------------------------------------------------------------------

    def _by_balls(self, f: Any, domain: Domain, symbols: list[Any]) -> bool:
        """Branch and bound for a function of one parameter, its zero at an open end included."""
        if len(symbols) != 1:
            return False
        v = symbols[0]
        own = Domain(tuple((form, rel) for form, rel in domain.conditions
                           if form.atoms() & {v}))
        found = own.ends(v)
        if found is None or any(e.form.to_sympy().free_symbols for side in found for e in side):
            return False
        lows, highs = ([e.form.to_sympy() for e in side] for side in found)
        if not lows:
            return False
        lo, hi = _outermost(lows, 1), _outermost(highs, -1) if highs else sp.oo
        if lo is None or hi is None or (hi != sp.oo and ball_sign(hi - lo) != 1):
            return False
        closed = all(e.closed for e in found[0] if e.form.to_sympy() == lo)
        if not closed and _vanishes_at(f, v, lo):
            # f(lo) = 0, f' > 0 on [lo, a], f > 0 from a on
            wide = sp.S.One if hi == sp.oo else hi - lo
            x = sp.Dummy(v.name, real=True)
            if not _smooth(f.xreplace({v: x}), Domain(((Form.of(x - lo), ">="),)).cell()):
                return False
            slope = sp.diff(f, v)
            for k in range(_NEAR):
                a = lo + wide / 2**k
                if self._positive(slope, v, lo, a):
                    return a == hi or self._positive(f, v, a, hi)
            return False
        return self._positive(f, v, lo, hi)

    def _positive(self, f: Any, v: Any, lo: Any, hi: Any) -> bool:
        free = sp.Dummy(v.name, real=True)
        f = f.xreplace({v: free})
        if hi == sp.oo:
            proof = prove_sign_halfline(f, ">", free, lo, _BOXES, _DIGITS)
        else:
            proof = prove_sign(f, ">", {free: (lo, hi)}, _BOXES, _DIGITS)
        return isinstance(proof, BoxProof)


# -- monotonicity -----------------------------------------------------------------------------


def _ways(symbols: list[Any], x: Scalar, domain: Domain, strict: bool,
          given: tuple[Any, int] | None) -> Iterator[Way]:
    """Every rule along every variable; only the one that is given, if one is."""
    kinds: list[tuple[tuple[Any, int], Iterator[Way]]] = []
    for v in symbols:
        charts = list(domain.charts(v))
        found = [*(_from_end(chart, x, strict) for chart in charts),
                 *(_from_infinity(v, side, x, domain, strict) for side in (1, -1)),
                 *(_between_ends(chart, x, strict) for chart in charts if chart.rising)]
        kinds += [((v, k), ways) for k, ways in enumerate(found)]
    if len(symbols) == 1:
        kinds.append(((symbols[0], len(kinds)), _in_parts(symbols[0], plain(x), domain, strict)))
    for key, ways in sorted(kinds, key=lambda kind: kind[0][1]):
        if given in (None, key):
            try:
                yield from (replace(way, key=key) for way in ways)
            except _TROUBLE:
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
        if not _smooth(f.xreplace({w: chart.closure}), closure):
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
        if _plausible(bend, inside) and _smooth(f.xreplace({w: chart.closure}), closure):
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
            fits = _plausible(slope, domain) and _smooth(f, tower.cell)
            limit = _limit(f, v, side, domain) if fits else None
        except _TROUBLE:
            continue
        if limit is not None:
            yield Way(f"{f}: its limit as {v} tends to {side * sp.oo}, and its derivative",
                      ((limit, edge, False), (slope, domain, strict)))


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


def _smooth(f: Any, cell: Cell) -> bool:
    """Is ``f`` proved differentiable in the cell?"""
    try:
        require(Tower(cell), f, smooth=True)
    except _TROUBLE:
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


def _plausible(f: Any, domain: Domain) -> bool:
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


def _outermost(values: list[Any], side: int) -> Any:
    best = values[0]
    for other in values[1:]:
        sign = ball_sign(other - best)
        if sign is None:
            return None
        if sign == side:
            best = other
    return best


def _vanishes_at(f: Any, v: Any, c: Any) -> bool:
    try:
        tower = Tower(Domain(()).cell())
        at = f.xreplace({v: c})
        require(tower, at)
        return tower.reduce(tower.scalar(at)).is_zero()
    except _TROUBLE:
        return False


__all__ = ["Prover"]
