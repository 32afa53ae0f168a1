"""What hypotheses say for all values: instances at the numbers at hand, supporting lines.

A hypothesis ``e(v) <= 0`` for all values v that satisfy some conditions may be used at every number
for which the conditions are proved.  A function H that a hypothesis calls convex on an interval has
finite values there; at an inner point u it has a supporting line, H(y) >= H(u) - m (y - u) for all
y of the interval, and m >= 0 where H does not increase.  Values H(u) are numbers like others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.rewriting import plain

MAX_INSTANCES = 100
"""Instances of one hypothesis that are tried."""


class Universal(NamedTuple):
    """e <= 0 for all values of ``over`` with ``conditions``: an expression <= 0 each, or < 0."""

    over: tuple[Any, ...]
    conditions: tuple[tuple[Any, bool], ...]
    """Each with whether it is strict."""
    e: Any

    def at(self, values: tuple[Any, ...]) -> tuple[tuple[tuple[Any, bool], ...], Any]:
        """The conditions and the bound at given values."""
        put = dict(zip(self.over, values, strict=True))

        def change(e: Any) -> Any:
            return sp.expand(sp.sympify(e).xreplace(put))

        return tuple((change(c), strict) for c, strict in self.conditions), change(self.e)


class ConvexCurve(NamedTuple):
    """A function that a hypothesis calls convex on [lower, upper]."""

    name: str
    lower: Any
    upper: Any
    falling: bool

    def domain(self, x: Any) -> list[Any]:
        """Expressions that are <= 0 where x lies in the interval."""
        return [self.lower - x] + ([x - self.upper] if self.upper != sp.oo else [])


def universals_of(where: Iterable[Any], read: Callable[[Any], Any],
                  fresh: Callable[[str], Any]) -> Iterator[Universal]:
    """The hypotheses for all real values, in letters of their own.

    What cannot be read is left out: a proof without a hypothesis is a proof.
    """
    for form in map(plain, where):
        if isinstance(form, lang.NonincreasingOn):
            x, y = fresh("x"), fresh("y")
            low, high = (read(form.expr).xreplace({form.t: v}) for v in (x, y))
            ends = [form.lower - x] + ([y - form.upper] if form.upper != sp.oo else [])
            yield Universal((x, y), tuple((c, False) for c in (*ends, x - y)), high - low)
        if not isinstance(form, lang.ForAll) or not isinstance(form.claim, Relational):
            continue
        # an outcome of a claim stands for any one: there the hypothesis holds
        reals = [s for s in form.over if not isinstance(s, pn.Outcome)]
        if not all(type(s) is sp.Symbol and s.is_real and s.is_integer is None
                   and s.is_negative is s.is_nonpositive for s in reals):
            continue
        own = {s: fresh(s.name) for s in reals}
        if any(not isinstance(h, Relational) or isinstance(h, sp.Ne) for h in form.where):
            continue
        conditions = [(b, isinstance(h, (sp.Lt, sp.Gt))) for h in form.where
                      for b in bounds_of(h)]
        conditions += [(-s, bool(s.is_positive)) for s in reals
                       if s.is_positive or s.is_nonnegative]
        for e in bounds_of(form.claim):
            yield Universal(tuple(own.values()), tuple(
                (read(c).xreplace(own), strict) for c, strict in conditions),
                read(e).xreplace(own))


def bounds_of(form: Any) -> list[Any]:
    """Expressions that a relation says are <= 0; a maximum below something is several."""
    if isinstance(form, sp.Eq):
        return [form.lhs - form.rhs, form.rhs - form.lhs]
    if isinstance(form, (sp.Le, sp.Lt)):
        small, big = form.lhs, form.rhs
    elif isinstance(form, (sp.Ge, sp.Gt)):
        small, big = form.rhs, form.lhs
    else:
        return []
    lows = small.args if isinstance(small, sp.Max) else (small,)
    highs = big.args if isinstance(big, sp.Min) else (big,)
    return [low - high for low in lows for high in highs]


def convex_curves(where: Iterable[Any]) -> dict[str, ConvexCurve]:
    """The arbitrary functions that hypotheses call convex, by name."""
    forms = list(where)
    falling = {(type(h.expr).__name__, h.lower, h.upper) for h in forms
               if isinstance(h, lang.NonincreasingOn) and _is_value_at(h)}
    found: dict[str, ConvexCurve] = {}
    for h in forms:
        if isinstance(h, lang.ConvexOn) and _is_value_at(h):
            name = type(h.expr).__name__
            found[name] = ConvexCurve(name, sp.sympify(h.lower), sp.sympify(h.upper),
                                      (name, h.lower, h.upper) in falling)
    return found


def _is_value_at(form: Any) -> bool:
    return isinstance(form.expr, AppliedUndef) and form.expr.args == (form.t,)


class Values:
    """Values H(u) of arbitrary functions, each a number of its own."""

    def __init__(self) -> None:
        self.symbols: dict[Any, Any] = {}

    def numbers(self, e: Any) -> Any:
        """An expression with a symbol for each value, one for values that are written alike."""
        e = sp.sympify(e)
        swap: dict[Any, Any] = {}
        for x in e.atoms(AppliedUndef):
            key = x.func(*map(sp.expand, x.args))
            swap[x] = self.symbols.setdefault(key, sp.Dummy(f"v{len(self.symbols)}", real=True))
        return e.xreplace(swap)

    def relation(self, form: Any) -> Any:
        """The same for a relation."""
        return form.func(self.numbers(form.lhs), self.numbers(form.rhs), evaluate=False)


def points_of(expressions: Iterable[Any]) -> list[Any]:
    """The arguments of values of functions, each once, in order."""
    found: dict[Any, None] = {}
    for e in expressions:
        for x in sorted(sp.sympify(e).atoms(AppliedUndef), key=str):
            if len(x.args) == 1:
                found[sp.expand(x.args[0])] = None
    return list(found)


def instances(universal: Universal, points: list[Any],
              proved: Callable[[Any, bool], bool]) -> Iterator[Any]:
    """The bounds that a hypothesis gives at tuples of points, nothing with an extremum."""
    if universal.e.has(Node):
        return
    for count, values in enumerate(product(points, repeat=len(universal.over))):
        if count == MAX_INSTANCES:
            return
        conditions, e = universal.at(values)
        if not (e.is_Rational and e <= 0) and all(proved(c, strict) for c, strict in conditions):
            yield e


__all__ = ["ConvexCurve", "Universal", "Values", "bounds_of", "convex_curves", "instances",
           "points_of", "universals_of"]
