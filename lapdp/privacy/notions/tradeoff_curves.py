"""The trade-off function of a pair in closed form, by the lemma of Neyman and Pearson.

The best tests of P against Q decide for Q where the loss Z = log(P/Q) is small: outcomes that only
Q has come first, then losses in increasing order.  An atom of the loss gives a straight piece of
slope -e^-z; a density gives a curved one (:mod:`lapdp.privacy.notions.tradeoff_pieces`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy as sp

from lapdp.calculus.exact import ZERO, Exact, Terms
from lapdp.calculus.export import by_cases, ordered, pieces
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.model import Model
from lapdp.privacy.notions.tradeoff_pieces import beyond, curved, straight

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

ONE = Form.of(1)


class Step(NamedTuple):
    """Losses that the tests pass at once, with what they gain in level and lose in error."""

    at: Form | None
    """The loss of an atom; for a density the lower end, None for -oo."""
    gained: Scalar
    lost: Scalar
    terms: Terms | None = None
    """The density; None for an atom."""
    is_last: bool = False
    """Does a density reach to +oo?"""


def checked_level(a: Any) -> Any:
    """A number in [0, 1], or :class:`InputError`."""
    if a.is_number and not sp.true == sp.And(a >= 0, a <= 1):
        raise InputError(f"a level must lie in [0, 1], not at {a}")
    return a


def tradeoff(pair: Pair, a: Any) -> Any:
    """f_{P|Q}, equation (11), at a symbol or an exact level."""
    x = a if a.is_Symbol and a not in pair.free_symbols else sp.Dummy("a", real=True)
    checked_level(a)
    found = by_cases(pair.constraints(), lambda cell: _curve(pair.model_in(cell), x, cell))
    return found if x is a else found.subs(x, a)


def parametrised(pair: Pair, t: Any) -> tuple[Any, Any]:
    """(Pr_P[Z < t], Pr_Q[Z >= t]), the point of the curve with a tangent of slope -e^-t.

    Both are continuous from the left in t.  Without a model they come from the profile delta and
    the loss Z' of the reversed pair: Pr_Q[Z >= t] = Pr[Z' <= -t], and delta(t) is
    1 - Pr_P[Z < t] - e^t Pr_Q[Z >= t].
    """
    x = sp.Dummy("t", real=True)

    def curve(of: Callable[[Model, Cell], Exact]) -> Any:
        return by_cases(pair.constraints(), lambda cell: _from_the_left(
            of(pair.model_in(cell), cell), x, cell))

    try:
        level = curve(lambda model, cell: model.cdf(cell))
        error = curve(lambda model, cell: model.reverse().cdf(cell).reflect())
    except Unsupported:
        error = pair.loss.dual.cdf(-t)
        if pair.loss.atoms == ():
            return pair.loss.cdf(t), error
        return 1 - pair.profile(t) - sp.exp(t) * error, error
    return level.subs(x, t), error.subs(x, t)


def _from_the_left(f: Exact, t: Any, cell: Cell) -> Any:
    parts = pieces(f, t, cell)
    cases = [(part.expression, sp.Le(t, part.upper)) for part in parts[:-1]]
    last = parts[-1].expression
    return sp.Piecewise(*cases, (last, True), evaluate=False) if cases else last


def steps(model: Model, cell: Cell) -> Iterator[Step]:
    """Atoms and stretches of density in increasing order of the loss.

    Raises :class:`Unsupported` for a loss that is no measure.
    """
    if model.atoms is not None:
        for group in ordered({atom.z for atom in model.atoms}, cell):
            gained = lost = Scalar.of(0)
            for atom in model.atoms:
                if atom.z in group:
                    gained, lost = gained + atom.a, lost + atom.b
            yield Step(group[0], gained, lost)
        return
    loss = model.loss.merged(cell)
    points = loss.breakpoints(cell)
    for here, after in pairwise([None, *points, None]):
        orders = loss.impulses.get(here, {}) if here is not None else {}
        if any(orders.get(k) for k in orders if k):
            raise Unsupported("a derivative of an impulse in a loss")
        mass = orders.get(0)
        if here is not None and mass is not None and not mass.is_zero():
            yield Step(here, mass, mass * Scalar.exp(-here))
        behind = [] if here is None else points[:points.index(here) + 1]
        terms = {k: c for k, c in loss.piece(behind).items() if not c.is_zero()}
        if terms:
            whole = Exact(terms)
            part = whole if here is None else whole.after(here, cell)
            part = part if after is None else part.before(after, cell)
            yield Step(here, bilateral(part, ZERO, cell), bilateral(part, ONE, cell), terms,
                       after is None)


def _curve(model: Model, a: Any, cell: Cell) -> Any:
    if model.atoms is None and any(n > 1 for terms in model.loss.jumps.values() for _, n in terms):
        # the piece before or after such a jump holds z^n e^(c z)
        raise beyond()
    level, missed, cases = Scalar.of(0), 1 - model.q_infinite, []
    for step in steps(model, cell):
        if step.terms is None:
            assert step.at is not None
            formula = straight(a, level, missed, step.at)
        else:
            formula = curved(step.terms, step.at, a, level, missed, cell)
            if step.at is None and formula.has(sp.LambertW):
                # only a limit where the loss tends to -oo
                cases.append((missed.to_sympy(), sp.Le(a, level.to_sympy())))
        level, missed = level + step.gained, missed - step.lost
        within = sp.Lt if step.is_last else sp.Le
        cases.append((formula, within(a, level.to_sympy())))
    # past all finite losses Q is detected with certainty
    return sp.Piecewise(*cases, (sp.Integer(0), True), evaluate=False) if cases else sp.Integer(0)


__all__ = ["Step", "checked_level", "parametrised", "steps", "tradeoff"]
