"""Values of trade-off functions and of extrema over tests and levels, at concrete finite pairs.

On a mixture of kernels they are not linear, so nothing here is a meaning on kernels: a value that
depends on an arbitrary pair is refused.  Under a bound level every expression is an exact piecewise
linear :class:`Curve` on [0, 1].
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.core.errors import IllFormed, Undefined, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.model import Model
from lapdp.privacy.tradeoff import Curve, least_over_tests, trade_off

if TYPE_CHECKING:
    from lapdp.theory.interpret import Graded, Interpreter


def _number(i: Interpreter, e: Any) -> Fraction:
    return _fraction(i.scalar(e))


def _fraction(x: Scalar) -> Fraction:
    form = x.as_form()
    value = None if form is None else form.constant()
    if value is None:
        raise Unsupported("a trade-off function of masses or levels that are no rational numbers")
    return value


def masses_of(i: Interpreter, first: Any, second: Any) -> list[tuple[Fraction, Fraction]]:
    """(P-mass, Q-mass) of every outcome of a concrete finite pair; else :class:`Unsupported`."""
    g = i.model(first, second)
    if g.grade:
        raise Unsupported("a trade-off function is not linear in the pair")
    model: Model = g.x
    if model.atoms is None:
        raise Unsupported("a trade-off function of a pair that is not finite")
    found = [(_fraction(a), _fraction(b)) for a, b, _ in model.atoms]
    return [*found, (_fraction(model.p_infinite), Fraction(0)),
            (Fraction(0), _fraction(model.q_infinite))]


def _graded(value: Fraction) -> Graded:
    from lapdp.theory.interpret import NONE, Graded

    return Graded(NONE, Scalar.of(value))


def trade_off_value(i: Interpreter, e: Any) -> Graded:
    """f_{P|Q} at a level; :class:`Undefined` outside [0, 1]."""
    form = i.scalar(e.args[2]).as_form()
    level = None if form is None else form.constant()
    if level is not None and not 0 <= level <= 1:
        raise Undefined("a level outside [0, 1]")  # whatever the pair is
    return _graded(trade_off(masses_of(i, e.args[0], e.args[1]))(_number(i, e.args[2])))


def inf_over_tests(i: Interpreter, e: Any) -> Graded:
    """Infimum over tests of a body affine in means, under one affine constraint."""
    body, phi, lhs, rhs = e.args
    means = {m for x in (body, lhs, rhs) for m in x.atoms(tn.Mean) if m.args[1] == phi}
    identities = {m.args[0].pair for m in means}
    if len(identities) != 1:
        raise IllFormed(f"the test {phi} must be one on the space of one pair")
    identity = identities.pop()
    first, second = (pn.Distribution(identity.names[k], identity, k) for k in (0, 1))
    outcomes = masses_of(i, first, second)

    def parts(x: Any) -> tuple[Fraction, Fraction, Fraction]:
        x = sp.expand(x)
        rest = x
        weights = [Fraction(0), Fraction(0)]
        for m in means:
            c = x.coeff(m, 1)
            rest = sp.expand(rest - c * m)
            weights[m.args[0].side] += _number(i, c)
        if any(rest.has(m) for m in means):
            raise Unsupported(f"{x} is not affine in the means of {phi}")
        return _number(i, rest), weights[0], weights[1]

    constant, vp, vq = parts(body)
    limit, wp, wq = parts(lhs - rhs)
    return _graded(least_over_tests(
        [(vp * p + vq * q, wp * p + wq * q) for p, q in outcomes], constant, -limit))


def inf_over_reals(i: Interpreter, e: Any) -> Graded:
    """The least level x in [0, 1] with lhs <= rhs."""
    body, x, lower, upper, lhs, rhs = e.args
    _unit_interval(lower, upper)
    if body != x:
        raise Unsupported("the infimum of a function over some of the levels")
    return _graded(curve_of(i, lhs - rhs, x).first_at_most(Fraction(0)))


def sup_over_reals(i: Interpreter, e: Any) -> Graded:
    """The largest value over an interval of levels in [0, 1]."""
    body, x, lower, upper = e.args
    if not (lower.is_Rational and upper.is_Rational and 0 <= lower <= upper <= 1):
        raise Unsupported("an extremum over other reals than levels in [0, 1]")
    curve, first, last = curve_of(i, body, x), Fraction(lower), Fraction(upper)
    inside = (y for level, y in curve.points if first < level < last)
    return _graded(max(curve(first), curve(last), *inside))


def envelope_value(i: Interpreter, e: Any) -> Graded:
    """The biconjugate on [0, 1] at a level."""
    body, t, level = e.args
    return _graded(curve_of(i, body, t).envelope()(_number(i, level)))


def _unit_interval(lower: Any, upper: Any) -> None:
    if (lower, upper) != (0, 1):
        raise Unsupported("an extremum over other reals than the levels in [0, 1]")


def curve_of(i: Interpreter, e: Any, x: Any) -> Curve:
    """The piecewise linear curve on [0, 1] that an expression in the level ``x`` is."""
    e = sp.sympify(e)
    if x not in e.free_symbols:
        return Curve.affine(_number(i, e), Fraction(0))
    if e == x:
        return Curve.affine(Fraction(0), Fraction(1))
    if e.is_Add:
        first, *rest = (curve_of(i, a, x) for a in e.args)
        for other in rest:
            first = first.combine(other, lambda a, b: a + b)
        return first
    if e.is_Mul:
        moving = [a for a in e.args if x in a.free_symbols]
        if len(moving) == 1:
            factor = _number(i, sp.Mul(*(a for a in e.args if a is not moving[0])))
            curve = curve_of(i, moving[0], x)
            return Curve(tuple((level, factor * y) for level, y in curve.points))
        expanded = sp.expand(e)
        if expanded.is_Add:
            return curve_of(i, expanded, x)
    if isinstance(e, sp.Min):
        first, *rest = (curve_of(i, a, x) for a in e.args)
        for other in rest:
            first = first.minimum(other)
        return first
    if isinstance(e, sp.Max):
        return _largest([curve_of(i, a, x) for a in e.args])
    if isinstance(e, pn.SupOverOutcomes):
        return _largest([curve_of(i, e.args[0], x) for _ in i.outcomes({e.args[1]})])
    if isinstance(e, tn.TradeOff) and e.args[2] == x:
        return trade_off(masses_of(i, e.args[0], e.args[1]))
    if isinstance(e, tn.InfOverReals) and e.args[5] == x and e.args[0] == e.args[1]:
        _, level, lower, upper, body, _ = e.args
        _unit_interval(lower, upper)
        if x not in body.free_symbols:
            return _inverted(curve_of(i, body, level))
    if isinstance(e, tn.Envelope) and e.args[2] == x and x not in e.args[0].free_symbols:
        return curve_of(i, e.args[0], e.args[1]).envelope()
    raise Unsupported(f"{e} is not a piecewise linear function of the level {x}")


def _largest(curves: list[Curve]) -> Curve:
    """The pointwise maximum."""
    def negative(c: Curve) -> Curve:
        return Curve(tuple((level, -y) for level, y in c.points))

    first, *rest = map(negative, curves)
    for other in rest:
        first = first.minimum(other)
    return negative(first)


def _inverted(curve: Curve) -> Curve:
    """The left-continuous inverse of a curve, if it is a convex non-increasing one down to 0."""
    values = [y for _, y in curve.points]
    decreasing = all(a >= b for a, b in itertools.pairwise(values))
    if not decreasing or curve.envelope()(Fraction(1, 2)) != curve(Fraction(1, 2)) or (
            curve.envelope().combine(curve, lambda a, b: b - a).maximum() > 0):
        raise Unsupported("the inverse of a curve that is not convex and non-increasing")
    if values[-1] != 0:
        raise Undefined("no level has so small a value")
    if values[0] > 1:
        raise Unsupported("the inverse of a curve that begins above 1")
    return curve.inverted()


def holds_everywhere(i: Interpreter, relation: Any, x: Any) -> bool:
    """Does a weak relation between curves hold at every level x in [0, 1]?"""
    gap = curve_of(i, relation.lhs - relation.rhs, x)
    if isinstance(relation, sp.Le):
        return gap.maximum() <= 0
    if isinstance(relation, sp.Ge):
        return all(y >= 0 for _, y in gap.points)
    if isinstance(relation, sp.Eq):
        return all(y == 0 for _, y in gap.points)
    raise Unsupported(f"{type(relation).__name__} at every level")


__all__ = ["curve_of", "holds_everywhere", "masses_of"]
