"""Does a claim hold at one instance?  True, False, or None when the instance says nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric import quantifiers
from lapdp.numeric.elementary import OpenConvention
from lapdp.numeric.evaluate import Evaluator
from lapdp.numeric.generalized import PiecewiseCallable, converges, one_sided
from lapdp.numeric.models import spoken_of
from lapdp.numeric.outcome import Outcome
from lapdp.numeric.quantifiers import allowed
from lapdp.numeric.tails import Number
from lapdp.privacy.nodes import Distribution
from lapdp.privacy.pointwise import LossAt, Ratio

_SLACK = 8
"""Digits that may be lost between the working precision and an agreement."""
_ROOM = 6
"""Sides of a strict hypothesis differ before this digit: nothing converges near a boundary."""
_DERIVATIVE = "GeneralizedDerivative"
_SINGULAR = {"LossDensity", _DERIVATIVE, "DiracDelta", "Convolution", "Primitive"}
"""Nodes that may have impulses."""


def holds(claim: Any, ev: Evaluator) -> Outcome:
    """The outcome of ``claim`` at the instance of ``ev``.

    >>> from lapdp.numeric.instances import Instance
    >>> x = sp.Symbol("x", real=True)
    >>> with mp.workdps(30):
    ...     ev = Evaluator(Instance({x: mp.mpf(2)}, 15))
    ...     holds(sp.Le(x, 1, evaluate=False), ev).holds
    False
    """
    if isinstance(claim, Relational):
        return _relation(claim, ev)
    name = type(claim).__name__
    if name not in _FORMS:
        return Outcome(None, why=f"the numeric column has no reading of {name}")
    return _FORMS[name](claim, ev)


# -- relations ----------------------------------------------------------------------------------


def bare(e: Any) -> bool:
    """Does an expression speak of densities at an outcome, outside of all notions?"""
    if isinstance(e, (Distribution, LossAt, Ratio)):
        return True
    return not isinstance(e, Node) and any(map(bare, e.args))


def _everywhere(claim: Any, ev: Evaluator) -> Outcome:
    """A relation between functions on a space, at every outcome that is not null."""
    spaces = {which for e in claim.args for which in spoken_of(e)}
    if len(spaces) != 1:
        raise Unsupported("functions on several spaces")
    (which,) = spaces
    space = ev.models.space(which, ev.instance.values)
    if space.parts:
        raise Unsupported("all outcomes of a continuous space")
    found = Outcome(True)
    members = sorted({d for e in claim.args for d in e.atoms(Distribution)}, key=lambda d: d.side)
    for row in space.masses():
        if all(row[d.side] == 0 for d in members):
            continue
        env = {d: row[d.side] for d in members}
        found = _compared(claim, ev.at_values(env))
        if not found.holds:
            return found
    return found


def _side(expr: Any, ev: Evaluator) -> tuple[Number | None, str]:
    try:
        value = ev.value(expr)
    except OpenConvention as stop:
        raise Unsupported(f"a value by convention: {stop}") from None
    except Undefined as stop:
        return None, f"undefined ({stop})"
    if mp.isnan(value):
        return None, "undefined"
    return value, mp.nstr(value, 25)


def _relation(claim: Any, ev: Evaluator) -> Outcome:
    ev.tick()
    if any(bare(e) for e in claim.args):
        return _everywhere(claim, ev)
    if isinstance(claim, sp.Eq):
        variable = _singular_variable(claim, ev)
        if variable is not None:
            return _same_measures(claim, variable, ev)
    return _compared(claim, ev)


def _compared(claim: Any, ev: Evaluator) -> Outcome:
    (a, lhs), (b, rhs) = _side(claim.lhs, ev), _side(claim.rhs, ev)
    if a is None or b is None:
        why = "neither side is defined" if a is None and b is None else "one side is undefined"
        return Outcome(False, lhs, rhs, why=why)
    inverted = ev.digits < _SLACK + 5
    digits = agreement(a, b, mp.mpf(1) if inverted else None)
    goal = ev.digits - 2 if inverted else ev.digits - _SLACK
    equal = digits >= goal
    if isinstance(claim, sp.Eq):
        return Outcome(equal, lhs, rhs, digits if equal else 99)
    if isinstance(claim, sp.Ne):
        return Outcome(not equal, lhs, rhs)
    if mp.im(a) != 0 or mp.im(b) != 0:
        return Outcome(False, lhs, rhs, why="an order between complex numbers")
    below = mp.re(a) < mp.re(b) if claim.rel_op in ("<", "<=") else mp.re(a) > mp.re(b)
    if claim.rel_op in ("<=", ">="):
        return Outcome(bool(below or equal), lhs, rhs)
    if equal and a != b:
        return Outcome(None, lhs, rhs, why="too close to tell a strict order")
    return Outcome(bool(below), lhs, rhs)


def agreement(a: Number, b: Number, least: Number | None = None) -> int:
    """Number of common digits of two values, relative to the larger, or to ``least``."""
    if mp.isinf(a) or mp.isinf(b):
        return 99 if a == b else 0
    difference = abs(a - b)
    if difference == 0:
        return 99
    scale = max(abs(a), abs(b), mp.mpf(10) ** -(mp.dps // 2) if least is None else least)
    return max(0, int(-mp.log10(difference / scale)))


def _singular_variable(claim: Any, ev: Evaluator) -> Any | None:
    """A free real variable in which a side has impulses: the equality is one of measures.

    A variable in which a derivative is taken is the first choice, then one that occurs on both
    sides; where an impulse is written at it, the equality is one of measures even if all masses
    vanish.
    """
    sides = (claim.lhs, claim.rhs)
    derived = {x.args[1] for side in sides for x in sp.preorder_traversal(side)
               if type(x).__name__ == _DERIVATIVE}
    written = {s for side in sides for x in side.atoms(sp.DiracDelta) for s in x.free_symbols}
    values = ev.instance.values
    for t in sorted(derived & written & set(values), key=str):
        return t
    for t in sorted(values, key=lambda t: (t not in derived, sum(
            t not in side.free_symbols for side in sides))):
        others = {k: v for k, v in values.items() if k != t}
        if t.is_extended_real and t in claim.free_symbols and any(
                _may_be_singular(side, t) and ev.impulses.of(side, t, others) for side in sides):
            return t
    return None


def _may_be_singular(expr: Any, t: Any) -> bool:
    return any(type(x).__name__ in _SINGULAR or isinstance(x, sp.core.function.AppliedUndef)
               for x in sp.preorder_traversal(expr) if t in x.free_symbols)


def _same_measures(claim: Any, t: Any, ev: Evaluator) -> Outcome:
    f, g = ev.function(claim.lhs, t), ev.function(claim.rhs, t)
    goal = ev.instance.digits - _SLACK
    near = mp.mpf(10) ** -goal
    left, right = list(f.impulses), list(g.impulses)
    for i in left[:]:
        match = next((j for j in right if j.order == i.order and abs(j.at - i.at) < near
                      and agreement(i.mass, j.mass) >= goal), None)
        if match is not None:
            left.remove(i)
            right.remove(match)
    lhs, rhs = (", ".join(f"{mp.nstr(i.mass, 12)} at {t} = {mp.nstr(i.at, 12)}" for i in h.impulses)
            or "no impulse" for h in (f, g))
    if left or right:
        return Outcome(False, lhs, rhs, why="impulses differ")
    worst = 99
    for x in _between([*f.breaks, *g.breaks]):
        a, b = f(x), g(x)
        digits = agreement(a, b)
        if digits < goal and abs(a - b) > near:
            return Outcome(False, mp.nstr(a, 25), mp.nstr(b, 25), why=f"at {t} = {mp.nstr(x, 12)}")
        worst = min(worst, digits if abs(a - b) > 0 else 99)
    return Outcome(True, lhs, rhs, digits=max(worst, goal))


def _between(breaks: list[Number]) -> list[Number]:
    cuts = sorted(breaks) or [mp.mpf(0)]
    inner = [(a + 2 * b) / 3 for a, b in pairwise(cuts) if b - a > mp.mpf(10) ** -10]
    return [cuts[0] - mp.mpf("0.7"), *inner, cuts[-1] + mp.mpf("0.9")]


# -- other forms --------------------------------------------------------------------------------


def _converges(claim: Any, ev: Evaluator) -> Outcome:
    g, t, s = claim.node.args
    one_sided_node = type(claim.node).__name__ == "OneSided"
    try:
        answer = converges(ev.function(g, t), ev.value(s), mp.mpf(0) if one_sided_node else -mp.inf,
                           mp.inf)
    except Undefined as stop:
        return Outcome(False, why=str(stop))
    return Outcome(answer, "converges" if answer else "diverges", "converges")


def _diverges(claim: Any, ev: Evaluator) -> Outcome:
    inner = _converges(claim, ev)
    return Outcome(not inner.holds, inner.lhs or "undefined", "diverges")


def _defined(claim: Any, ev: Evaluator) -> Outcome:
    value, text = _side(sp.sympify(claim.expr), ev)
    return Outcome(value is not None and not mp.isinf(value), text, "a finite value")


def _continuous(claim: Any, ev: Evaluator) -> Outcome:
    f: PiecewiseCallable = ev.function(sp.sympify(claim.expr), claim.t)
    impulses = [i for i in f.impulses if allowed(claim.t, i.at)]
    if impulses:
        return Outcome(False, f"an impulse at {mp.nstr(impulses[0].at, 12)}", "continuous")
    for b in f.breaks:
        # a positive variable does not see what happens at 0
        if not allowed(claim.t, b):
            continue
        left, value, right = one_sided(f, b, -1), f(b), one_sided(f, b, 1)
        size = mp.mpf(10) ** -(ev.instance.digits - _SLACK) * (1 + abs(value))
        if abs(left - value) > size or abs(right - value) > size:
            text = f"{mp.nstr(left, 12)}, {mp.nstr(value, 12)}, {mp.nstr(right, 12)}"
            return Outcome(False, text, f"continuous at {mp.nstr(b, 12)}")
    return Outcome(True)


def _continuous_measure(claim: Any, ev: Evaluator, both: bool) -> Outcome:
    pair = ev.pair(claim.P, claim.Q)
    forward = all(q > 0 for p, q in pair.outcomes if p > 0)
    backward = all(p > 0 for p, q in pair.outcomes if q > 0)
    return Outcome(forward or (backward and not both))


def _no_atom(claim: Any, ev: Evaluator) -> Outcome:
    mass = ev.pair(*claim.Z.args).mass_at(mp.re(ev.value(sp.sympify(claim.x))))
    return Outcome(bool(mass == 0), mp.nstr(mass, 12), "0")


def _same_measure(claim: Any, ev: Evaluator) -> Outcome:
    return _everywhere(sp.Eq(claim.lhs, claim.rhs, evaluate=False), ev)


def _continuous_on(claim: Any, ev: Evaluator) -> Outcome:
    """No jump inside, and none at an end from inside."""
    f: PiecewiseCallable = ev.function(claim.expr, claim.t)
    low, high = (mp.re(ev.value(sp.sympify(e))) for e in (claim.lower, claim.upper))
    if any(low <= i.at <= high for i in f.impulses):
        return Outcome(False, "an impulse", "continuous")
    for b in (low, *f.breaks, high):
        if not low <= b <= high or mp.isinf(b):
            continue
        value = f(b)
        size = mp.mpf(10) ** -(ev.instance.digits - _SLACK) * (1 + abs(value))
        for side, inside in ((-1, b > low), (1, b < high)):
            if inside and abs(one_sided(f, b, side) - value) > size:
                return Outcome(False, mp.nstr(value, 12), f"continuous at {mp.nstr(b, 12)}")
    return Outcome(True)


_POWERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Rates are read at these powers of 2, over several decades."""
_RISES, _RESTS = 0.02, 0.001
"""Growth of the logarithm of a ratio with each doubling that shows, and that does not matter."""


def _big_o(claim: Any, ev: Evaluator) -> Outcome:
    expr, bound = sp.sympify(claim.expr), sp.sympify(claim.bound)
    sizes: list[tuple[int, Number]] = []
    for k in _POWERS:
        env = {**ev.instance.values, claim.t: (1 if claim.point == sp.oo else -1) * mp.mpf(2) ** k}
        with mp.workdps(mp.dps + 15):
            try:
                top, bottom = abs(ev.value(expr, env)), abs(ev.value(bound, env))
            except Undefined as stop:
                if k < _POWERS[-3]:
                    continue
                return Outcome(None, why=f"far out: {stop}")
        if bottom == 0 and top != 0:
            return Outcome(False, mp.nstr(top, 5), "0", why=f"the bound is 0 at 2^{k}")
        sizes.append((k, top / bottom if bottom != 0 else mp.mpf(0)))
    if sizes[-1][1] == 0:
        return Outcome(True, "0", "a bounded ratio")
    text = ", ".join(mp.nstr(r, 5) for _, r in sizes)
    late = sizes[-4:]
    slopes = [mp.log(b / a) / (n - m) for (m, a), (n, b) in pairwise(late) if a != 0 and b != 0]
    if len(slopes) == 3 and all(x > _RISES for x in slopes):
        return Outcome(False, text, "a bounded ratio")
    if len(slopes) == 3 and all(x <= _RESTS for x in slopes[1:]):
        return Outcome(True, text, "a bounded ratio", sampled=True)
    return Outcome(None, text, why="the growth of the ratio is unclear")


_FORMS: dict[str, Callable[[Any, Evaluator], Outcome]] = {
    "Converges": _converges,
    "Diverges": _diverges,
    "Defined": _defined,
    "Continuous": _continuous,
    "AbsolutelyContinuous": lambda c, ev: _continuous_measure(c, ev, True),
    "OneWayContinuous": lambda c, ev: _continuous_measure(c, ev, False),
    "NoAtom": _no_atom,
    "BigO": _big_o,
    "ContinuousOn": _continuous_on,
    "ConvexOn": quantifiers.shape,
    "NonincreasingOn": quantifiers.shape,
    "SameMeasure": _same_measure,
    "AllOf": lambda c, ev: quantifiers.all_of(holds, c.claims, ev),
    "ForAll": lambda c, ev: quantifiers.for_all(holds, c.over, c.claim, c.where, ev),
    "Implies": partial(quantifiers.implies, holds),
    "ImpliesOn": partial(quantifiers.implies_on, holds),
    "Iff": partial(quantifiers.iff, holds),
    "Exists": partial(quantifiers.exists, holds),
    "ExistsEvents": partial(quantifiers.exists_events, holds),
}


def satisfied(hypothesis: Any, ev: Evaluator) -> bool:
    """Is a hypothesis met?  Strict orders and ``!=`` with some room; an undefined side means no."""
    if isinstance(hypothesis, Relational):
        (a, _), (b, _) = _side(hypothesis.lhs, ev), _side(hypothesis.rhs, ev)
        if a is None or b is None:
            return False
        apart = agreement(a, b, mp.mpf(1)) < _ROOM
        if hypothesis.rel_op in ("==", "!="):
            return apart if hypothesis.rel_op == "!=" else agreement(a, b) >= ev.instance.digits
        if mp.im(a) != 0 or mp.im(b) != 0:
            return False
        a, b = mp.re(a), mp.re(b)
        return bool({"<": a < b and apart, "<=": a <= b, ">": a > b and apart,
                     ">=": a >= b}[hypothesis.rel_op])
    outcome = holds(hypothesis, ev)
    if outcome.holds is None:
        raise Unsupported(outcome.why)
    return outcome.holds


def needs_nodes(hypothesis: Any) -> bool:
    """Does checking a hypothesis evaluate privacy or integral nodes?"""
    return not isinstance(hypothesis, Relational) or bool(
        hypothesis.atoms(Node) or hypothesis.atoms(sp.core.function.AppliedUndef))
