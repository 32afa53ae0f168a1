"""Claims made of claims, at one instance: quantifiers, implications, conjunctions.

What is claimed for all values is asked at many, those where something happens among them: it fails
for certain at one, and holds as far as it was asked.  Existence is seen at one value, and denied
where a part that does not depend on the value has none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise, product
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.elementary import OpenConvention, real
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.instances import expressions
from lapdp.numeric.models import OUTCOMES, spoken_of
from lapdp.numeric.notions import TEST_VALUES
from lapdp.numeric.outcome import Outcome
from lapdp.privacy.nodes import Event
from lapdp.privacy.nodes import Outcome as Letter
from lapdp.privacy.tradeoff_nodes import RandomizedTest

Holds = Callable[[Any, Evaluator], Outcome]

MOST_VALUES = 48
"""Values, or tuples of values, at which a quantifier is asked."""
MOST_EVENTS = 64
MOST_MET = 24
"""Tuples more, of values that the instance has already given to a free letter."""
_REALS = tuple(mp.mpf(x) for x in ("0", "1", "-1", "0.5", "2", "-0.5", "-2", "0.125", "3.5", "-3.5",
                                   "12", "-12"))
_COMPLEX = (0, 1, 2, "0.5", -1, 1j, 0.5 + 1j, 2 - 3j)


def values_for(symbol: Any, form: Any, ev: Evaluator) -> list[Any]:
    """Values that a bound letter takes: all of them where they are few, else the telling ones."""
    if isinstance(symbol, Letter):
        return [mp.mpf(k) for k in range(OUTCOMES)]
    if isinstance(symbol, Event):
        return list(range(2 ** min(_size(form, ev), 6)))
    if isinstance(symbol, RandomizedTest):
        return _tests(_size(form, ev))
    if symbol.is_integer:
        return [x for x in map(mp.mpf, (0, 1, 2, 3, 4, -1, -2)) if allowed(symbol, x)]
    if not symbol.is_extended_real:
        return [mp.mpmathify(x) for x in _COMPLEX]
    return [x for x in _telling(ev) if allowed(symbol, x)]


def allowed(symbol: Any, value: Any) -> bool:
    """May the letter have this value, by its assumptions?"""
    x = value
    signs = {"positive": x > 0, "negative": x < 0, "nonnegative": x >= 0, "nonpositive": x <= 0,
             "nonzero": x != 0, "zero": x == 0}
    return all(getattr(symbol, f"is_{name}") is not True or holds for name, holds in signs.items())


def _telling(ev: Evaluator) -> list[Any]:
    """Losses of the drawn pairs and what lies between them, values of other letters, the usual."""
    losses = {z for p in ev.instance.pairs.values() for z in p.breaks}
    losses |= {z for pool in ev.instance.pools.values() for p in pool
               for z in getattr(p, "breaks", ())}
    losses |= {-z for z in losses}
    ordered = sorted(losses)[:16]
    between = [(a + b) / 2 for a, b in pairwise(ordered)]
    others = [v for s, v in ev.instance.values.items()
              if s.is_extended_real and mp.im(v) == 0 and not mp.isinf(v)]
    found: list[Any] = []
    for x in (*_REALS[:3], *ordered[:8], *others, *between[:8], *_REALS[3:]):
        if x not in found:
            found.append(+mp.mpf(x))
    return found


def _size(form: Any, ev: Evaluator) -> int:
    """Outcomes of the largest space that a form speaks of."""
    spaces = {which for e in expressions(form) for which in spoken_of(sp.sympify(e))}
    if not spaces:
        raise Unsupported("an event or a test of no space")
    found = [ev.models.space(which, ev.instance.values) for which in spaces]
    if any(space.parts for space in found):
        raise Unsupported("all events of a continuous space")
    return max(len(space.outcomes) for space in found)


def _tests(size: int) -> list[int]:
    """Constant tests, those that accept one outcome or a tail of them, and some others."""
    top = TEST_VALUES - 1
    digits = [[d] * size for d in range(TEST_VALUES)]
    digits += [[top * (k == j) for k in range(size)] for j in range(size)]
    digits += [[top * (k <= j) for k in range(size)] for j in range(size)]
    rng = random.Random(size)
    digits += [[rng.randint(0, top) for _ in range(size)] for _ in range(8)]
    return [sum(d * TEST_VALUES**k for k, d in enumerate(row)) for row in digits]


def at_values(over: Iterable[Any], form: Any, ev: Evaluator) -> Iterator[Evaluator]:
    """Evaluators with the letters of ``over`` at telling values."""
    letters = list(over)
    choices = [values_for(s, form, ev) for s in letters]
    most = MOST_EVENTS if any(isinstance(s, Event) for s in letters) else MOST_VALUES
    tuples: Iterable[Any] = product(*choices)
    count = 1
    for c in choices:
        count *= len(c)
    if count > most:
        rng = random.Random(count)
        met = [_met(s, c, ev) for s, c in zip(letters, choices, strict=True)]
        drawn = [tuple(rng.choice(c) for c in choices) for _ in range(most)]
        tuples, most = chain(islice(product(*met), MOST_MET), drawn), most + MOST_MET
    for chosen in islice(tuples, most):
        yield ev.at_values(dict(zip(letters, chosen, strict=True)))


def _met(letter: Any, choices: list[Any], ev: Evaluator) -> list[Any]:
    """The choices that a free letter has as its value: a conclusion is usually drawn from these.

    All choices where the letter counts, or where no free letter has one of them.
    """
    if letter.is_integer or not letter.is_extended_real:
        return choices
    taken = {+mp.mpf(v) for s, v in ev.instance.values.items()
             if s.is_extended_real and mp.im(v) == 0 and not mp.isinf(v)}
    return [x for x in choices if x in taken] or choices


# -- forms ----------------------------------------------------------------------------------------


def for_all(holds: Holds, over: Iterable[Any], claim: Any, where: Iterable[Any], ev: Evaluator
            ) -> Outcome:
    """Does a claim hold at all values?  False at one, else true as far as it was asked."""
    over, where = tuple(over), tuple(where)
    if not over and not where:
        return holds(claim, ev)
    seen, digits, unclear = 0, 99, ""
    for there in at_values(over, (claim, *where), ev):
        if not all(supposed(holds, h, there) for h in where):
            continue
        found = holds(claim, there)
        if found.holds is False:
            at = ", ".join(f"{s} = {_text(there.instance.values[s])}" for s in over)
            return replace(found, why=f"{found.why} at {at}".strip())
        if found.holds is None:
            unclear = found.why
        else:
            seen, digits = seen + 1, min(digits, found.digits)
    if unclear:
        return Outcome(None, why=unclear)
    return Outcome(True, digits=digits, sampled=bool(over))


def supposed(holds: Holds, form: Any, ev: Evaluator) -> bool:
    """Is a hypothesis met?  Unsupported where that is unclear."""
    found = holds(form, ev)
    if found.holds is None:
        raise Unsupported(found.why)
    return found.holds


def all_of(holds: Holds, claims: Iterable[Any], ev: Evaluator) -> Outcome:
    """A conjunction."""
    found = []
    for claim in claims:
        found.append(holds(claim, ev))
        if found[-1].holds is False:
            return found[-1]
    open_ones = [o for o in found if o.holds is None]
    if open_ones:
        return open_ones[0]
    return Outcome(True, digits=min(o.digits for o in found), sampled=any(o.sampled for o in found))


def implies(holds: Holds, claim: Any, ev: Evaluator) -> Outcome:
    """The conclusion, where the hypothesis holds for all values."""
    premise = for_all(holds, claim.over, claim.hypothesis, (), ev)
    if premise.holds is None:
        return premise
    if not premise.holds:
        return Outcome(True)
    free = {s for e in expressions(claim.conclusion) for s in sp.sympify(e).free_symbols}
    over = tuple(s for s in claim.over if s in free)
    return for_all(holds, over, claim.conclusion, (), ev)


def iff(holds: Holds, claim: Any, ev: Evaluator) -> Outcome:
    """Two sides that hold alike; a variable belongs to the side in which it occurs."""
    sides = []
    for side in (claim.first, claim.second):
        free = {s for e in expressions(side) for s in sp.sympify(e).free_symbols}
        sides.append(for_all(holds, [s for s in claim.over if s in free], side, (), ev))
    if any(o.holds is None for o in sides):
        return Outcome(None, why=next(o.why for o in sides if o.holds is None))
    first, second = (bool(o.holds) for o in sides)
    if first == second:
        return Outcome(True, sampled=any(o.sampled for o in sides))
    if any(o.holds and o.sampled for o in sides):
        return Outcome(None, why="one side fails, the other holds as far as it was asked")
    return Outcome(False, str(first).lower(), str(second).lower(), why="one side holds only")


def implies_on(holds: Holds, claim: Any, ev: Evaluator) -> Outcome:
    """The conclusion, where the hypothesis holds at levels all over [lower, upper]."""
    low, high = (real(ev.value(sp.sympify(e))) for e in (claim.lower, claim.upper))
    for x in levels(low, high):
        if not supposed(holds, claim.hypothesis, ev.at_values({claim.t: x})):
            return Outcome(True)
    return holds(claim.conclusion, ev)


def levels(low: Any, high: Any) -> list[Any]:
    """Points of [low, high], the ends among them; of [low, oo) without the end."""
    if mp.isinf(high):
        return [low + mp.mpf(x) for x in ("0", "0.125", "0.5", "1", "2", "4.5", "10", "30")]
    shares = (0, 0.0625, 0.125, 0.25, 0.3125, 0.5, 0.625, 0.75, 0.9375, 1)
    return [low + (high - low) * mp.mpf(x) for x in shares]


def exists(holds: Holds, claim: Any, ev: Evaluator) -> Outcome:
    """A value with the claim; none where a part that it does not change has no value."""
    unclear = ""
    for there in at_values((claim.symbol,), (claim.claim, *claim.where), ev):
        if not all(supposed(holds, h, there) for h in claim.where):
            continue
        found = holds(claim.claim, there)
        if found.holds:
            value = there.instance.values[claim.symbol]
            return Outcome(True, f"{claim.symbol} = {_text(value)}")
        unclear = found.why if found.holds is None else unclear
    nothing = without_value(claim.claim, {claim.symbol}, ev)
    if nothing:
        return Outcome(False, "no value", f"some {claim.symbol}", why=nothing)
    return Outcome(None, why=unclear or "no witness among the values asked")


def without_value(form: Any, over: set[Any], ev: Evaluator) -> str:
    """Which part of a relation, free of the letters ``over``, has no value; empty if none."""
    if not isinstance(form, sp.core.relational.Relational):
        return ""
    open_ones = list(form.args)
    while open_ones:
        e = open_ones.pop()
        if not e.free_symbols & over:
            try:
                ev.value(e)
            except OpenConvention:
                continue
            except Undefined as stop:
                return f"{e} has no value: {stop}"
        elif isinstance(e, (sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.Max, sp.Min, sp.Abs)):
            open_ones += e.args
    return ""


def exists_events(holds: Holds, claim: Any, ev: Evaluator) -> Outcome:
    """Events with all claims: all sets of outcomes are tried where they are few."""
    size = _size(claim.claims, ev)
    if size * len(claim.made) > 8:
        raise Unsupported("events of a large space")
    unclear = ""
    for chosen in product(range(2**size), repeat=len(claim.made)):
        there = ev.at_values(dict(zip(claim.made, chosen, strict=True)))
        found = all_of(holds, claim.claims, there)
        if found.holds:
            return Outcome(True, sampled=found.sampled)
        unclear = found.why if found.holds is None else unclear
    if unclear:
        return Outcome(None, why=unclear)
    return Outcome(False, "no event", "some events", why="all sets of outcomes were tried")


# -- shapes ---------------------------------------------------------------------------------------


def shape(claim: Any, ev: Evaluator) -> Outcome:
    """Convex, or not increasing, at points of the interval; continuous functions are not asked."""
    low, high = (real(ev.value(sp.sympify(e))) for e in (claim.lower, claim.upper))
    expr = sp.sympify(claim.expr)
    points = levels(low, high)
    if high < low:
        return Outcome(True)
    values = []
    for x in points:
        try:
            values.append(real(ev.value(expr, {**ev.instance.values, claim.t: x})))
        except OpenConvention as stop:
            return Outcome(None, why=str(stop))
        except Undefined as stop:
            return Outcome(False, f"undefined at {_text(x)}", "a value", why=str(stop))
    slack = mp.mpf(10) ** -(ev.instance.digits - 8) * (1 + max(map(abs, values)))
    rows = list(zip(points, values, strict=True))
    if type(claim).__name__ == "NonincreasingOn":
        for (x, a), (y, b) in pairwise(rows):
            if b > a + slack:
                return Outcome(False, _text(b), _text(a), why=f"from {_text(x)} to {_text(y)}")
        return Outcome(True, sampled=True)
    for (x, a), (y, b), (z, c) in zip(rows, rows[1:], rows[2:], strict=False):
        if x < y < z and b > a + (c - a) * (y - x) / (z - x) + slack:
            return Outcome(False, _text(b), "a chord", why=f"above the chord at {_text(y)}")
    return Outcome(True, sampled=True)


def _text(value: Any) -> str:
    return str(value) if isinstance(value, int) else mp.nstr(value, 12)


__all__ = ["all_of", "allowed", "exists", "exists_events", "for_all", "iff", "implies",
           "implies_on", "levels", "shape", "supposed", "values_for"]
