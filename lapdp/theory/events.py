"""Events of a space: which outcomes are inside, also as a function of a real variable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.convert import logarithm
from lapdp.calculus.field import Scalar
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.events import Difference, Intersection, Outcomes, SetOperation, Union
from lapdp.privacy.families import Processed
from lapdp.privacy.model import Infinite
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.privacy.tradeoff_nodes import InfOverTests, Mean
from lapdp.theory import language as lang
from lapdp.theory.extended import compare, holds, times
from lapdp.theory.homogeneity import POINTWISE, require_homogeneous
from lapdp.theory.points import Point, holds_at, loss_at, space_of, value_at

if TYPE_CHECKING:
    from lapdp.theory.interpret import Interpreter


def contains(i: Interpreter, event: Any, point: Point) -> bool:
    """Is the outcome in the event?"""
    if isinstance(event, pn.Complement):
        return not contains(i, event.args[0], point)
    if isinstance(event, SetOperation):
        return _combined(event, *(contains(i, e, point) for e in event.args))
    if isinstance(event, Where):
        return holds_at(i, event.args[0], point)
    if event not in i.events:
        raise Unsupported(f"it is open which outcomes are in {event}")
    known = i.events[event]
    return known if isinstance(known, bool) else point.place in known


def _combined(event: Any, first: bool, second: bool) -> bool:
    """Is an outcome in a union, an intersection or a difference of two events?"""
    return {Union: first or second, Intersection: first and second,
            Difference: first and not second}[type(event)]


def require_event(event: Any, identity: Any) -> None:
    """An event must be one of the space of this pair, cut out by relations that make sense."""
    if isinstance(event, (pn.Complement, SetOperation)):
        for part in event.args:
            require_event(part, identity)
    elif isinstance(event, Where):
        condition = event.args[0]
        if condition.has(*POINTWISE):
            atoms = {id(a) for a in identity.atoms()}
            speaking = (d.pair for d in condition.free_symbols if isinstance(d, pn.Distribution))
            if any(id(a) not in atoms for p in speaking for a in p.atoms()):
                raise IllFormed(f"{event} is no event of the space of {identity}")
        require_homogeneous(condition, identity.atoms())
    elif not isinstance(event, pn.Event):
        raise IllFormed(f"{event} is not an event")


def _leaves(event: Any) -> list[Any]:
    """What the complements and set operations of an event are made of."""
    if isinstance(event, (pn.Complement, SetOperation)):
        return [x for part in event.args for x in _leaves(part)]
    return [event]


def require_one_space(distributions: Any) -> None:
    """Outputs of a channel lie on another space than its inputs."""
    spaces = {id(d.pair.role.channel if isinstance(d.pair.role, Processed) else d.pair): d
              for d in distributions}
    if len(spaces) > 1 and any(isinstance(d.pair.role, Processed) for d in spaces.values()):
        said = " and ".join(sorted(map(str, spaces.values())))
        raise IllFormed(f"{said} lie on different spaces, for the outputs of a channel are no "
                        "outcomes of its inputs: no event, and no equality of measures, is of both")


def require_events(nodes: Any) -> None:
    """Every event belongs to one space, wherever it occurs."""
    spaces: dict[Any, Any] = {}
    for node in nodes:
        if isinstance(node, pn.Measure):
            identity, event = node.args[0].pair, node.args[1]
        elif isinstance(node, pn.IntegralOverSpace) and len(node.args) > 1:
            identity, event = space_of(node.args[0]), node.args[1]
        else:
            continue
        cut = {d for x in event.atoms(Where) for d in x.atoms(pn.Distribution)}
        require_one_space(cut | node.args[0].atoms(pn.Distribution))
        if identity.mechanism is None and any(isinstance(x, Outcomes) for x in _leaves(event)):
            raise IllFormed(f"the outcomes of {identity} have no names")
        for letter in event.atoms(pn.Event):
            if spaces.setdefault(letter, identity) is not identity:
                raise IllFormed(f"{letter} is an event of two spaces")


def with_events_for_tests(statement: Any) -> Any:
    """The statement of the tests that are 1 on an event and 0 elsewhere, with the event in place of
    the test: an instance that refutes it refutes the statement.

    That is so of a free test.  Where a form may bind one, "for all tests" supposed would become
    less, and nothing is changed; the tests of an infimum are its own.
    """
    forms = (statement.claim, *statement.where)
    inside = [tuple(map(sp.sympify, lang.expressions(form))) for form in forms]
    relations = [isinstance(form, sp.core.relational.Relational) for form in forms]
    if any(e.has(Mean) for known, found in zip(relations, inside, strict=True) if not known
           for e in found):
        return statement
    every = [e for found in inside for e in found]
    bound = {x.args[1] for e in every for x in e.atoms(InfOverTests)}
    events = {m: pn.Measure(m.args[0], pn.Event(m.args[1].name))
              for e in every for m in e.atoms(Mean) if m.args[1] not in bound}
    if not events:
        return statement
    claim, *where = (
        form.func(*(e.xreplace(events) for e in found), evaluate=False) if known else form
        for form, known, found in zip(forms, relations, inside, strict=True))
    return replace(statement, claim=claim, where=tuple(where))


# -- functions of a real variable ----------------------------------------------------------------


def condition_in(i: Interpreter, event: Any, t: Any, point: Point) -> Any:
    """The condition on ``t`` under which an outcome is in an event that depends on ``t``."""
    if t not in event.free_symbols:
        return sp.true if contains(i, event, point) else sp.false
    if isinstance(event, pn.Complement):
        return sp.Not(condition_in(i, event.args[0], t, point))
    if isinstance(event, SetOperation):
        first, second = (condition_in(i, e, t, point) for e in event.args)
        return {Union: sp.Or(first, second), Intersection: sp.And(first, second),
                Difference: sp.And(first, sp.Not(second))}[type(event)]
    return _condition(i, event.args[0], t, point)


def _condition(i: Interpreter, condition: Any, t: Any, point: Point) -> Any:
    if t not in condition.free_symbols:
        return sp.true if holds_at(i, condition, point) else sp.false
    if isinstance(condition, (sp.And, sp.Or, sp.Not)):
        return condition.func(*(_condition(i, c, t, point) for c in condition.args))
    sides = [_side(i, a, t, point) for a in condition.args]
    if any(isinstance(s, Infinite) for s in sides):
        order = compare(i, *(s if isinstance(s, Infinite) else Scalar.of(0) for s in sides))
        return sp.true if holds(condition, order) else sp.false
    return condition.func(*sides, evaluate=False)


def _side(i: Interpreter, e: Any, t: Any, point: Point) -> Any:
    """One side of a relation at an outcome, as an expression in ``t`` or as an infinity.

    Sides with densities are compared through their logarithms.
    """
    if e.has(pn.Distribution) and not e.has(LossAt, Ratio):
        densities = sp.Mul(*(x for x in sp.Mul.make_args(e) if x.has(pn.Distribution)))
        rest = e / densities
        mass = value_at(i, densities, point)
        if not (isinstance(rest, sp.exp) or (rest.is_Rational and rest > 0)):
            raise Unsupported(f"the event of {e}, as a function of {t}")
        if isinstance(mass, Infinite) or mass.is_zero():
            return Infinite(1 if isinstance(mass, Infinite) else -1)
        return sp.log(rest) + logarithm(mass).to_sympy() if rest.is_Rational else (
            rest.args[0] + logarithm(mass).to_sympy())
    total, ends = sp.Integer(0), set()
    for term in sp.Add.make_args(sp.expand(e)):
        losses = [x for x in sp.Mul.make_args(term) if isinstance(x, LossAt)]
        if not losses:
            if term.has(*POINTWISE):
                raise Unsupported(f"the event of {e}, as a function of {t}")
            total = total + term
            continue
        factor = term / losses[0]
        if len(losses) > 1 or factor.has(*POINTWISE) or t in factor.free_symbols:
            raise Unsupported(f"the event of {e}, as a function of {t}")
        loss = loss_at(i, losses[0].args, point)
        if isinstance(loss, Infinite):
            ends.add(times(i, i.scalar(factor), loss))
        else:
            total = total + factor * loss.to_sympy()
    if len(ends) > 1:
        raise Undefined("oo - oo")
    return ends.pop() if ends else total


def body_in(i: Interpreter, e: Any, point: Point) -> Any:
    """A function on the space at an outcome, as an expression in its other variables."""
    values: dict[Any, Any] = {}
    for x in e.atoms(LossAt, Ratio):
        value = value_at(i, x, point)
        if isinstance(value, Infinite):
            raise Unsupported(f"{x} is infinite under an integral in another variable")
        values[x] = value.to_sympy()
    e = e.xreplace(values)
    masses = {d: value_at(i, d, point) for d in e.atoms(pn.Distribution)}
    found = {d: m.to_sympy() for d, m in masses.items() if isinstance(m, Scalar)}
    return e.xreplace(found)


__all__ = ["body_in", "condition_in", "contains", "require_event", "require_events",
           "with_events_for_tests"]
