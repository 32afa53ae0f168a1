"""Suprema over events, measures of events and integrals over the sample space."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.events import Outcomes
from lapdp.privacy.mechanisms.outcomes import NamedOutcomes
from lapdp.privacy.model import INFINITE, Infinite, Model
from lapdp.theory.events import body_in, condition_in, contains, require_event
from lapdp.theory.extended import Value
from lapdp.theory.homogeneity import degree
from lapdp.theory.points import Point, members, points_of, space_of, value_at
from lapdp.theory.several import Rows

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


def _grade(i: Interpreter, identity: Any) -> frozenset[Any]:
    if isinstance(i.models.get(identity), Rows):
        return frozenset()  # concrete masses
    return i.model(*members(identity)).grade


def supremum(i: Interpreter, e: Any) -> Graded:
    """Sup over events of an expression linear in P(S), Q(S): outcome by outcome (Hahn)."""
    from lapdp.theory.interpret import Graded

    body, event = e.args
    identity = space_of(e)
    total = Scalar.of(0)
    for point in points_of(i, identity):
        values = [_measure_sum(replace(i, events={**i.events, event: inside}), body, identity,
                               point) for inside in (True, False)]
        total = total + (values[0] if i.cell.sign_of(values[0] - values[1]) >= 0 else values[1])
    return Graded(_grade(i, identity), total)


def _measure_sum(i: Interpreter, body: Any, identity: Any, point: Point) -> Scalar:
    """What an outcome adds to the body: every term must carry one measure."""
    total = Scalar.of(0)
    for term in sp.Add.make_args(sp.expand(body)):
        measures = [x for x in sp.Mul.make_args(term) if isinstance(x, pn.Measure)]
        if len(measures) != 1:
            raise Unsupported("a supremum needs a combination of P(S), Q(S)")
        distribution, where = measures[0].args
        if distribution.pair is not identity:
            raise IllFormed("a supremum over the events of one space")
        require_event(where, identity)
        if contains(i, where, point):
            mass = value_at(i, distribution, point)
            assert isinstance(mass, Scalar)
            total = total + i.scalar(term / measures[0]) * mass
    return total


def measure(i: Interpreter, e: Any) -> Graded:
    """P(S): the P-mass of the outcomes in S."""
    from lapdp.theory.interpret import Graded

    distribution, event = e.args
    if event.has(Outcomes):
        return _of_named(i, distribution, event)
    identity = _measured(distribution, event)
    total = Scalar.of(0)
    for point in points_of(i, identity):
        if not point.is_null([distribution]) and contains(i, event, point):
            mass = value_at(i, distribution, point)
            assert isinstance(mass, Scalar)
            total = total + mass
    return Graded(_grade(i, identity), total)


def _of_named(i: Interpreter, distribution: Any, event: Any) -> Graded:
    """P(S) for a set of named outcomes of a concrete pair, or for its complement."""
    from lapdp.theory.interpret import NONE, Graded

    inner = event.args[0] if isinstance(event, pn.Complement) else event
    if not isinstance(inner, Outcomes):
        raise IllFormed(f"{inner} is no event")
    model = i.models.get(distribution.pair)
    named = model.outcomes if isinstance(model, Model) else None
    mechanism = distribution.pair.mechanism
    if named is None and isinstance(mechanism, NamedOutcomes):
        # the parameters may decide in which case the model is: the masses are the same in all
        named = mechanism.model_in(i.cell).outcomes
    if named is None:
        raise IllFormed(f"the outcomes of {distribution} have no names")
    unknown = [n for n in inner.names if n not in named]
    if unknown:
        raise IllFormed(f"{distribution} has no outcome {unknown[0]}")
    total = Scalar.of(0)
    for name, masses in named.items():
        if (name in inner.names) == (inner is event):
            total = total + masses[distribution.side]
    return Graded(NONE, total)


def _measured(distribution: Any, event: Any) -> Any:
    if not isinstance(distribution, pn.Distribution):
        raise IllFormed(f"{distribution} is not a distribution")
    require_event(event, distribution.pair)
    return distribution.pair


def _integrated(e: Any) -> tuple[Any, Any, Any]:
    """Space, body and event (or None) of an integral over the space."""
    body, event = (*e.args, None)[:2]
    identity = space_of(body)
    for atom in identity.atoms():
        if degree(body, atom) != 1:
            raise IllFormed("the integrand must be homogeneous of degree 1 in the densities")
    if event is not None:
        require_event(event, identity)
    return identity, body, event


def integral_over_space(i: Interpreter, e: Any) -> Graded:
    """Integral of a body that is homogeneous of degree 1 in the densities P, Q."""
    from lapdp.theory.interpret import Exchange, Graded

    identity, body, event = _integrated(e)
    grade = _grade(i, identity)
    densities = body.atoms(pn.Distribution)
    parts: list[Value] = []
    moving = False
    for point in points_of(i, identity):
        # several distributions have masses alone, and those are given
        moving = moving or any(len(a.names) == 2 and part[2] is not None
                               for a, part in point.parts.items())
        if not point.is_null(densities) and (event is None or contains(i, event, point)):
            parts.append(value_at(i, body, point))
    ends = {x.sign for x in parts if isinstance(x, Infinite)}
    if -1 in ends:
        raise Undefined("oo - oo, or -oo")
    values = [x for x in parts if isinstance(x, Scalar)]
    total: Any = INFINITE if ends else sum(values, Scalar.of(0))
    if grade and moving:
        # the outcomes of a couple of kernels must be integrable one by one
        sizes = tuple(values) if len(values) > 1 and not ends else total
        i.exchanges.append(Exchange(grade, None, ZERO, "integral over the space", sizes))
    return Graded(grade, total)


# -- functions of a real variable ----------------------------------------------------------------


def measure_in(i: Interpreter, e: Any, t: Any) -> Graded:
    """P(S(t)) as a function of ``t``."""
    distribution, event = e.args
    return _in_variable(i, _measured(distribution, event), distribution, event, t)


def integral_in(i: Interpreter, e: Any, t: Any) -> Graded:
    """An integral over the space whose body or event depends on ``t``, as a function of ``t``."""
    identity, body, event = _integrated(e)
    return _in_variable(i, identity, body, event, t)


def _in_variable(i: Interpreter, identity: Any, body: Any, event: Any, t: Any) -> Graded:
    from lapdp.theory.curves import restrict
    from lapdp.theory.interpret import Exchange, Graded

    densities = body.atoms(pn.Distribution)
    total = Exact()
    grade, sizes = _grade(i, identity), []
    for point in points_of(i, identity):
        if point.is_null(densities):
            continue
        condition = sp.true if event is None else condition_in(i, event, t, point)
        if condition == sp.false:
            continue
        if t in body.free_symbols:
            if grade:
                raise Unsupported("a body that moves, integrated over the space of any pair")
            f: Exact = i.function(body_in(i, body, point), t).x
        else:
            value = value_at(i, body, point)
            if isinstance(value, Infinite):
                raise Undefined("an infinite constant under an integral")
            f = Exact.term(value)
            sizes.append(value)
        total = total + restrict(i, f, condition, t)
    if grade and sizes:
        # for almost every t the integral must be finite, before anything is done with it
        i.exchanges.append(Exchange(grade, None, ZERO, "integral over a moving event",
                                    tuple(sizes)))
    return Graded(grade, total)

