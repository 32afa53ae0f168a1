"""Measures of events and integrals over the space: sums over outcomes, quadrature of densities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.elementary import ACCEPTED, Closure, Env, checked, lookup, order, real
from lapdp.numeric.tails import Number
from lapdp.privacy import nodes as privacy
from lapdp.privacy.events import Difference, Intersection, Outcomes, SetOperation
from lapdp.privacy.pointwise import LossAt, Ratio, Where

Inside = Callable[[Env, int | None], bool]
"""Is an outcome in an event?  Its densities are in the environment; its place, if it has one."""


def loss_at(ev: Any, expr: Any) -> Closure:
    P, Q = expr.args

    def evaluate(env: Env) -> Number:
        p, q = lookup(env, P), lookup(env, Q)
        if p == 0 or q == 0:
            if p == q:
                raise Undefined("log(0/0)")
            return mp.inf if q == 0 else -mp.inf
        return mp.log(p / q)

    return evaluate


def ratio(ev: Any, expr: Any) -> Closure:
    P, Q = expr.args

    def evaluate(env: Env) -> Number:
        p, q = lookup(env, P), lookup(env, Q)
        if q == 0:
            if p == 0:
                raise Undefined("0/0")
            return mp.inf
        return p / q

    return evaluate


def _event(ev: Any, event: Any) -> Inside:
    if isinstance(event, privacy.Complement):
        other = _event(ev, event.args[0])
        return lambda env, k: not other(env, k)
    if isinstance(event, SetOperation):
        first, second = (_event(ev, e) for e in event.args)
        if isinstance(event, Difference):
            return lambda env, k: first(env, k) and not second(env, k)
        if isinstance(event, Intersection):
            return lambda env, k: first(env, k) and second(env, k)
        return lambda env, k: first(env, k) or second(env, k)
    if isinstance(event, Where):
        return _condition(ev, event.args[0])

    def listed(env: Env, k: int | None) -> bool:
        chosen = lookup(env, event)
        if k is None:
            raise Unsupported("an arbitrary event of a continuous space")
        return bool(chosen >> k & 1)

    return listed


def _condition(ev: Any, condition: Any) -> Inside:
    if condition in (sp.true, sp.false):
        return lambda env, k: bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [_condition(ev, c) for c in condition.args]
        join = all if isinstance(condition, sp.And) else any
        return lambda env, k: join(part(env, k) for part in parts)
    if isinstance(condition, sp.Not):
        inner = _condition(ev, condition.args[0])
        return lambda env, k: not inner(env, k)
    sides = [ev.regular(a) for a in condition.args]
    accepted = ACCEPTED[condition.rel_op]

    def holds(env: Env, k: int | None) -> bool:
        x, y = (real(side(env)) for side in sides)
        return order(x, y) in accepted

    return holds



def measure(ev: Any, expr: Any) -> Closure:
    P, event = expr.args
    named = event.args[0] if isinstance(event, privacy.Complement) else event
    if isinstance(named, Outcomes):
        return _named(ev, P, named, named is event)
    return _integral(ev, P, event)


def _named(ev: Any, P: Any, event: Any, inside: bool) -> Closure:
    """The mass of named outcomes, added up row by row."""
    mechanism = P.pair.mechanism
    if getattr(mechanism, "names", None) is None:
        raise Unsupported(f"the outcomes of {P} have no names")

    def evaluate(env: Env) -> Number:
        _, rows = mechanism.numeric_pair(ev.instance.values)
        return mp.fsum(row[P.side] for name, row in zip(mechanism.names, rows, strict=True)
                       if (name in event.names) == inside)

    return evaluate


def over_space(ev: Any, expr: Any) -> Closure:
    return _integral(ev, *expr.args)


def _integral(ev: Any, integrand: Any, event: Any = None) -> Closure:
    body = _integrand(ev, integrand)
    inside = None if event is None else _event(ev, event)
    speaking = [integrand] if event is None else [integrand, event]
    found = {d for e in speaking for d in e.atoms(privacy.Distribution)}
    if len({id(d.pair) for d in found}) != 1:
        raise Unsupported("an integral over the space is about one pair")
    which = next(iter(found)).pair
    ends = {d.side: d for d in found}
    null_side = integrand.side if isinstance(integrand, privacy.Distribution) else None

    def evaluate(env: Env) -> Number:
        pair = ev.models.space(which, env)

        def at(*masses: Number, k: int | None = None) -> Number:
            # an event is not asked at outcomes that are null for the distribution that measures it
            if not any(masses) or (null_side is not None and masses[null_side] == 0):
                return mp.mpf(0)
            here = {**env, **{d: masses[side] for side, d in ends.items()}}
            if inside is not None and not inside(here, k):
                return mp.mpf(0)
            return body(here)

        def kinks() -> list[Number]:
            return [x for e in speaking for x in ev.structure.density_kinks(e, ends, env)]

        atoms = mp.fsum(at(*row, k=k) for k, row in enumerate(pair.masses()))
        if not pair.parts:
            return checked(atoms)
        whole = pair.over_space(at, kinks)
        # masses are counted by their places above
        return checked(whole - mp.fsum(at(*row) for row in pair.masses()) + atoms)

    return evaluate


def _integrand(ev: Any, body: Any) -> Closure:
    """A sum of terms; where the density of a term vanishes nothing counts."""
    terms = []
    for term in sp.Add.make_args(body):
        factors = sp.Mul.make_args(term)
        densities = [x for x in factors if isinstance(x, privacy.Distribution)]
        members = sorted(term.atoms(privacy.Distribution), key=str)
        terms.append((densities, members if term.has(LossAt, Ratio) else [], ev.regular(term)))

    def evaluate(env: Env) -> Number:
        total = mp.mpf(0)
        for densities, members, value in terms:
            if any(lookup(env, d) == 0 for d in densities):
                continue
            if any(lookup(env, d) == 0 for d in members):
                raise Unsupported("an infinite loss under an integral over the space")
            total += value(env)
        return total

    return evaluate
