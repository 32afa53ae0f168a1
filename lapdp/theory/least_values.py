"""Numbers that hypotheses determine at an instance: no free choice tells as much.

A bound d of a hypothesis such as A(S) <= e^eps B(S) + d for all events S, R_q <= rho, or
R_u <= rho u for all u > 1, is the more telling the less it is, and so is an eps that all losses are
at most; the least value that meets all hypotheses is computed.  A letter that an equation gives by
others is solved for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.nodes import Node
from lapdp.calculus.ordering import NeedSplit
from lapdp.core.errors import IllFormed, InputError, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Model
from lapdp.theory import language as lang
from lapdp.theory.all_orders import Divergences, bound_of, in_doubles, order_of

NO_VALUE = (Unsupported, Undefined, InputError, IllFormed, NeedSplit)
Bounds = tuple[Any, ...]
"""Hypotheses that bound one letter from below; a relation e <= 0 says that it is at least e."""


def determined(where: Any, letters: Iterable[Any]) -> dict[Any, Any]:
    """The last letter of each linear equation between parameters, by the others.

    >>> a, b = sp.symbols("a b", real=True)
    >>> determined([sp.Eq(a + 2*b, 1)], [a, b])
    {b: 1/2 - a/2}
    """
    found: dict[Any, Any] = {}
    for form in where:
        if not isinstance(form, sp.Eq) or form.atoms(Node) or form.atoms(pn.Distribution):
            continue
        gap = sp.expand(form.lhs - form.rhs)
        for s in reversed(list(letters)):
            rate = gap.coeff(s, 1)
            rest = sp.expand(gap - rate * s)
            if rate.is_Rational and rate != 0 and not rest.has(s) and s not in found and (
                    not s.is_integer) and not rest.free_symbols & set(found):
                found[s] = sp.expand(-rest / rate)
                break
    return found


def bounded_letters(where: Any, letters: Iterable[Any]) -> dict[Any, Bounds]:
    """The letters that hypotheses bound from below by notions of distributions, each after those
    that its bounds speak of, and the bounds.

    >>> d, x = sp.symbols("d x", real=True)
    >>> A, B, C = pn.distributions("A B C")
    >>> bounded_letters([sp.Le(x, d), sp.Le(pn.delta(A, B)(0), x)], [d, x])
    {x: (SupOverEvents(A(S) - B(S), S) <= 0,)}
    """
    found = {s: bounds for s in letters if (bounds := tuple(
        b for form in where if (b := _bound(form, s)) is not None))}
    needed = {s: {x for b in bounds for e in lang.expressions(b) for x in e.free_symbols}
              & set(found) - {s} for s, bounds in found.items()}
    ordered: dict[Any, Bounds] = {}
    while ready := [s for s in found if s not in ordered and needed[s] <= set(ordered)]:
        ordered.update({s: found[s] for s in ready})
    return ordered


def _bound(form: Any, s: Any) -> Any:
    """The bound of a letter that a hypothesis is, if it is one."""
    if _pure(form, s) is not None or _at_all_orders(form, s) is not None:
        return form
    if not isinstance(form, (lang.ForAll, sp.Le, sp.Ge)):
        return None
    inner = form.claim if isinstance(form, lang.ForAll) and not form.where else form
    if not isinstance(inner, (sp.Le, sp.Ge)):
        return None
    low, high = (inner.lhs, inner.rhs) if isinstance(inner, sp.Le) else (inner.rhs, inner.lhs)
    over = set(form.over) if isinstance(form, lang.ForAll) else set()
    if not all(isinstance(x, (pn.Event, pn.Outcome)) for x in over) or len(
            {type(x) for x in over}) > 1:
        return None
    if s in low.free_symbols or sp.diff(high, s) != 1 or not low.has(Node):
        return None
    rest = low - high.subs(s, 0)
    if over and isinstance(next(iter(over)), pn.Outcome):
        for x in form.over:
            rest = pn.SupOverOutcomes(rest, x)
        return lang.Le(rest, 0)
    return lang.ForAll(form.over, lang.Le(rest, 0)) if over else lang.Le(rest, 0)


def _pure(form: Any, s: Any) -> tuple[Any, Any] | None:
    """The two distributions no loss of which is above the letter, as a hypothesis says."""
    if not isinstance(form, (sp.Eq, sp.Le)) or form.rhs != 0:
        return None
    node = form.lhs
    if isinstance(node, pn.Profile) and node.args[2] == s:
        return node.args[0], node.args[1]
    if not isinstance(node, pn.SupOverEvents):
        return None
    body, event = node.args
    measures = sorted(body.atoms(pn.Measure), key=str)
    for first in measures:
        for second in measures:
            if sp.expand(body - first + sp.exp(s) * second) == 0 and (
                    first.args[1] == second.args[1] == event):
                return first.args[0], second.args[0]
    return None


def _at_all_orders(form: Any, s: Any) -> Any:
    """A bound of the divergence at all orders that grows with the letter: what it is without the
    letter, and its rate."""
    bound = bound_of(form)
    if bound is None or s in bound.least.free_symbols:
        return None
    rates = [sp.expand(e).coeff(s, 1) for e in (bound.constant, bound.slope)]
    rest = [sp.expand(e - r * s) for e, r in zip((bound.constant, bound.slope), rates, strict=True)]
    if any(r.is_nonnegative is not True for r in rates) or rates == [0, 0] or any(
            e.has(s) for e in rest):
        return None
    return bound, rest, rates


def least_values(instance: Any, bounds: Mapping[Any, Bounds],
                 equations: Mapping[Any, Any] = MappingProxyType({})) -> Any:
    """The instance with the least values of these letters, and those that equations give; None
    where one has none."""
    from lapdp.theory.instances import allowed

    made = instance
    waiting = {**bounds, **equations}
    for s in [*bounds, *equations]:
        if _speaks_of(waiting[s], set(equations) - {s}):
            return None
        try:
            value = _value(made, s, waiting[s])
        except NO_VALUE:
            return None
        if value is None or not allowed(s, value):
            return None
        made = replace(made, values={**made.values, s: value})
    return made


def _speaks_of(bounds: Any, letters: set[Any]) -> bool:
    forms = bounds if isinstance(bounds, tuple) else (lang.Defined(bounds),)
    return any(letters & e.free_symbols for b in forms for e in lang.expressions(b))


def _value(instance: Any, s: Any, bounds: Any) -> Any:
    from lapdp.theory.witness import Trial

    trial = Trial(instance)
    if not isinstance(bounds, tuple):
        return sp.sympify(bounds).xreplace(instance.values)
    best = None
    for form in bounds:
        value = _least(trial, form, s)
        if value is None:
            return None
        if best is None or trial.cell.sign_of(value - best) > 0:
            best = value
    if best is None:
        return None
    found = best.to_sympy()
    power = sp.exp(found)  # log(3/2) for log(3) - log(2)
    return sp.log(power) if power.is_Rational else found


def _least(trial: Any, form: Any, s: Any) -> Scalar | None:
    """The least value of a letter that one hypothesis allows."""
    from lapdp.theory.methods.implications import for_all_events

    pure, orders = _pure(form, s), _at_all_orders(form, s)
    if pure is not None:
        return _largest_loss(trial, *pure)
    if orders is not None:
        bound, rest, rates = orders
        numbers = [trial.value(e) for e in (*rest, *rates)]
        if not all(isinstance(x, Scalar) for x in numbers):
            return None
        a, b, r, t = in_doubles(numbers)
        least = order_of(trial.value(bound.least))
        found = Divergences(trial.model(bound.first, bound.second)).least(least, (a, b), (r, t))
        return None if found is None else Scalar.of(found)
    form = for_all_events(form.claim, form.over) if isinstance(form, lang.ForAll) else form
    value = trial.value(form.lhs - form.rhs)
    return value if isinstance(value, Scalar) else None


def _largest_loss(trial: Any, first: Any, second: Any) -> Scalar | None:
    model: Model = trial.model(first, second)
    if model.atoms is None or trial.cell.nonzero(model.p_infinite):
        return None
    best = None
    for _, _, z in model.atoms:
        if best is None or trial.cell.sign(z - best) > 0:
            best = z
    return None if best is None else Scalar.of(best)


__all__ = ["Bounds", "bounded_letters", "determined", "least_values"]
