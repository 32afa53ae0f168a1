"""Notions given by themselves: from an expression to the pair that has it, checked.

The maps of :mod:`lapdp.privacy.notions.maps` lead to a privacy loss; :class:`Law` checks that it is
one.  At the end the notion of that pair, by the map that leads back, is what was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from lapdp.calculus.convert import to_form, to_scalar
from lapdp.calculus.exact import ZERO
from lapdp.calculus.export import continuous_value
from lapdp.calculus.form import Form
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit, explore
from lapdp.calculus.reading import function, stretches, value_at
from lapdp.calculus.region import Region
from lapdp.calculus.transform import Divergent, bilateral, region
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.mechanisms.law import Law
from lapdp.privacy.model import Infinite, Model
from lapdp.privacy.notions import maps
from lapdp.privacy.notions.maps import ONE, Losses, S
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import constraints_of, exact_parameter

MAX_TIES = 8
"""Parameters that may coincide at the edge of their range."""


def from_profile(expression: Any, t: Any, where: Sequence[Any]) -> Law:
    """The pair with a given privacy profile."""
    x = t if getattr(t, "is_real", False) else sp.Dummy(str(t)[:40], real=True)
    e = _expression("the profile", expression, t).subs(t, x)
    constraints = constraints_of(where, t)

    def build(cell: Cell) -> Losses:
        profile = function(e, x, cell)
        found = maps.loss_of_profile(profile, cell)
        for part in stretches([e], x, None, None, cell)[1:]:
            at = part.lower or ZERO
            value = value_at(e, x, at, cell)
            if not cell.vanishes(value - continuous_value(profile, at, cell)):
                raise InputError(f"the profile is not continuous: it is {value} at t = {at}")
        for mass, text in ((found.p_infinite, "the profile tends to {} < 0 as t -> oo"),
                           (found.q_infinite, "the profile falls below 1 - e^t as t -> -oo: "
                                              "e^-t (delta - 1 + e^t) tends to {}")):
            if not mass.parameters() and cell.sign_of(mass) < 0:
                raise InputError(text.format(mass))
        return found

    def back(found: Losses, cell: Cell) -> bool:
        return maps.same(maps.profile_of_loss(found, cell), function(e, x, cell), cell)

    return _pair(build, back, constraints, "no privacy profile, which is convex in e^t")


def from_moment(expression: Any, q: Any, strip: Sequence[Any], where: Sequence[Any]) -> Pair:
    """The pair with a given moment E_q on a strip a < Re q < b."""
    e = _expression("E_q", expression, q)
    found = _strip(strip)
    normal = _normal(e, q, 1 - S)
    if normal is not None:
        return normal
    return _from_transform(e, q, 1 - S, found, where, "no moment of a pair")


def from_characteristic(expression: Any, u: Any, where: Sequence[Any]) -> Pair:
    """The pair with a given characteristic function of its loss; P << Q."""
    e = _expression("the characteristic function", expression, u)
    normal = _normal(e, u, sp.I * S)
    if normal is not None:
        return normal
    made = _from_transform(e, u, sp.I * S, None, where, "no characteristic function of a loss")
    if not made.stated.p_infinite.is_zero():
        raise InputError(f"phi(0) = {1 - made.stated.p_infinite}, not 1: the characteristic "
                         "function exists where P has no mass outside Q")
    return made


def _normal(e: Any, variable: Any, image: Any) -> Pair | None:
    """The Gaussian pair of E_(1-s) = e^(kappa s (s - 1)), kappa > 0."""
    from lapdp.privacy.mechanisms.gaussian import gaussian

    if not isinstance(e, sp.exp):
        return None
    exponent = sp.expand(e.args[0].subs(variable, image))
    kappa = exponent.coeff(S, 2)
    if kappa.is_positive is not True or sp.expand(exponent - kappa * S * (S - 1)) != 0:
        return None
    return gaussian(1, sp.sqrt(2 * kappa))


def _from_transform(e: Any, variable: Any, image: Any, strip: Region | None, where: Sequence[Any],
                    what: str) -> Law:
    """From G(s), the expression with ``image`` for its variable; without a strip, on Re s = 0."""
    formula, points = _formula(e, variable)
    for part in formula.atoms(sp.re, sp.im, sp.conjugate, sp.Abs, sp.arg, sp.sign):
        if part.has(variable):
            raise Unsupported(f"{part} in a transform: write it as an analytic function of "
                              f"{variable}")
    if formula.has(TrigonometricFunction, HyperbolicFunction):
        formula = formula.rewrite(sp.exp)
    G = to_scalar(formula.subs(variable, image))
    poles = [(to_form(point), to_form(sp.solve(image - point, S)[0])) for point in points]

    def build(cell: Cell) -> Losses:
        line = ZERO if strip is None else ONE - _middle(strip)
        try:
            finite = maps.measure_of_moment(G, cell, line)
        except Undefined as problem:
            raise InputError(f"{what}: {problem}") from None
        holds = region(finite, cell).reflect().shift(ONE)
        if strip is None and not holds.contains(ONE, cell):
            raise InputError(f"the integral of e^(iuz) diverges: E_q exists for {_orders(holds)}")
        if strip is not None:
            inside = holds.intersect(strip, cell)
            if (inside.lower, inside.upper) != (strip.lower, strip.upper):
                raise InputError(f"E_q has a pole in the strip {_orders(strip)}: what it is in the "
                                 f"middle of it exists for {_orders(holds)}")
        masses = []
        for s, q in ((ZERO, 1), (ONE, 0)):
            try:
                masses.append(bilateral(finite, s, cell))
            except Divergent:
                raise InputError(f"{what}: E_{q} would be infinite") from None
        found = Losses(finite, 1 - masses[0], 1 - masses[1])
        if strip is not None:
            _check_edges(strip, found, cell)
        return found

    def back(found: Losses, cell: Cell) -> bool:
        for point, pole in poles:
            value = value_at(e, variable, point, cell)
            # E_0 = E_1 = 1 by 0^0 = 1, where they are edges of the strip, too
            known = Model(*found).moment(ONE - pole, cell)
            if isinstance(known, Infinite) or not cell.vanishes(known - value):
                raise InputError(f"{what}: not continuous, it is {value} at {variable} = {point}")
        return maps.same(maps.moment_of_loss(found, cell), G, cell)

    return _pair(build, back, constraints_of(where, variable), what)


def _check_edges(strip: Region, found: Losses, cell: Cell) -> None:
    """Where E_q is finite beyond q = 1, P has no mass outside Q; beyond q = 0, Q none outside P."""
    beyond = strip.upper is None or cell.sign(strip.upper - ONE) > 0
    before = strip.lower is None or cell.sign(strip.lower) < 0
    for reached, mass, q in ((beyond, found.p_infinite, 1), (before, found.q_infinite, 0)):
        if reached and not cell.vanishes(mass):
            raise InputError(f"E_{q} = {1 - mass}, not 1, though the strip {_orders(strip)} "
                             f"reaches beyond q = {q}")


def _pair(build: Callable[[Cell], Losses], back: Callable[[Losses, Cell], bool],
          constraints: list[Constraint], what: str) -> Law:
    """The pair whose loss ``build`` finds, in general position of the parameters if need be; in all
    cases it is a loss and ``back`` says that it leads back to what was given."""
    found = _in_general_position(Cell(constraints), build)
    try:
        made = Law.of(found.finite, found.p_infinite, constraints)
    except InputError as problem:
        raise InputError(f"{what}: {problem}") from None

    def leaf(cell: Cell) -> tuple[Any, ...]:
        if not back(found, cell):
            raise Unsupported(f"where {cell} the notion is another formula: restrict the "
                              "parameters with where=[...]")
        return ()

    explore(constraints, leaf)
    return made


def _in_general_position(cell: Cell, build: Callable[[Cell], Losses], depth: int = 0) -> Losses:
    try:
        return build(cell)
    except NeedSplit as need:
        cases = [part for _, answer, part in cell.split(need.form)
                 if answer != "=" and not part.is_empty()]
        if depth > MAX_TIES or len(cases) != 1:
            raise Unsupported(f"the pair depends on the sign of {need.form}: give it in "
                              "where=[...]") from None
        return _in_general_position(cases[0], build, depth + 1)


def _formula(e: Any, variable: Any) -> tuple[Any, set[Any]]:
    """The expression off single points, and those points: removable poles."""
    if not e.has(sp.Piecewise):
        return e, set()
    if not isinstance(e, sp.Piecewise):
        parts = [_formula(a, variable) for a in e.args]
        return e.func(*(part for part, _ in parts)), {x for _, found in parts for x in found}
    points: set[Any] = set()
    for value, condition in e.args:
        if isinstance(condition, sp.Eq) and variable in condition.free_symbols:
            points |= set(sp.solve(condition, variable))
        elif condition == sp.true:
            formula, more = _formula(value, variable)
            return formula, points | more
        else:
            raise Unsupported(f"the case {condition} of a transform: give one case at a time")
    raise InputError(f"{e} is not defined everywhere")


def _expression(name: str, e: Any, variable: Any) -> Any:
    if not isinstance(variable, sp.Symbol):
        raise InputError(f"{str(variable)[:40]} is not a symbol: name the variable")
    return exact_parameter(name, e, real=False)


def _strip(strip: Sequence[Any]) -> Region:
    if not isinstance(strip, (tuple, list, sp.Tuple)) or len(strip) != 2:
        raise InputError("strip must be a pair such as (0, 1)")
    lower, upper = (None if end in (sp.oo, -sp.oo) else to_form(exact_parameter("strip", end))
                    for end in strip)
    try:
        turned = lower is not None and upper is not None and Cell().sign(upper - lower) <= 0
    except NeedSplit:
        raise Unsupported(f"whether {strip[0]} < {strip[1]} depends on the parameters: give the "
                          "strip by numbers") from None
    if strip[0] == sp.oo or strip[1] == -sp.oo or turned:
        raise InputError("the strip runs from its lower end to its upper end")
    return Region(lower, upper)


def _middle(strip: Region) -> Form:
    if strip.lower is not None and strip.upper is not None:
        return (strip.lower + strip.upper) * Form.of(Fraction(1, 2))
    if strip.lower is not None:
        return strip.lower + ONE
    return maps.INSIDE if strip.upper is None else strip.upper - ONE


def _orders(strip: Region) -> str:
    return str(strip).replace("Re s", "Re q").replace("all s", "all q").replace("no s", "no q")


__all__ = ["from_characteristic", "from_moment", "from_profile"]
