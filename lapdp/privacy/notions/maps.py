"""The maps between the notions of one pair, in the exact class and in one case of the parameters.

A notion is held by what it says and no more: a profile is a function of all real t; a loss is the
measure of its finite values with the masses at both infinities; a moment is the function G of s
with E_q = G(1 - q), from which a line tells on which side of each pole the measure lies.

Every pair has E_q < oo for 0 < q < 1.  There delta - 1 has the transform E_(1-s)/(s (s-1)), masses
at infinity or not: delta - 1 is of the order of e^t at -oo and bounded at oo.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.rational import transform_parts
from lapdp.calculus.transform import bilateral, collected, invert
from lapdp.core.errors import InputError
from lapdp.privacy.model import Model

ONE = Form.of(1)
S = sp.Dummy("s", complex=True)
"""The variable of transforms; the order is q = 1 - s."""
INSIDE = Form.of(Fraction(1, 2))
"""Re s on a line that lies in the strip of every pair."""


class Losses(NamedTuple):
    """The finite losses as a measure, Pr[Z = oo] and the mass of Q where P has none."""

    finite: Exact
    p_infinite: Scalar
    q_infinite: Scalar

    @staticmethod
    def of(model: Model) -> Losses:
        """The loss of a pair."""
        return Losses(model.loss, model.p_infinite, model.q_infinite)


def loss_of_profile(profile: Exact, cell: Cell) -> Losses:
    """delta'' - delta', with delta(oo) at oo and the limit of e^-t (delta(t) - 1 + e^t) at -oo.

    Raises :class:`InputError` where delta has another limit than 1 at -oo, or a remainder that is
    not of the order of e^t, where it has no limit at oo, and where it jumps.

    >>> found = loss_of_profile(Exact.term(1) - Exact.term(1, 1) - Exact.step(0, 1)
    ...                         + Exact.step(0, 1, 1), Cell())
    >>> found.finite, found.p_infinite, found.q_infinite
    (Exact(1*delta^(0)(t - 0)), 0, 0)
    """
    profile = profile.merged(cell)
    for at, terms in profile.jumps.items():
        height = Scalar.of(0)
        for (_, n), c in terms.items():
            height = height + (c if n == 0 else 0)
        if not cell.vanishes(height):
            raise InputError(f"the profile is not continuous: it jumps by {height} at t = {at}")
    if profile.impulses:
        raise InputError("the profile holds an impulse: it is no function")
    left = {k: c for k, c in collected(profile.germ, cell).items() if not cell.vanishes(c)}
    start, slope = left.pop((ZERO, 0), Scalar.of(0)), left.pop((ONE, 0), Scalar.of(0))
    for a, _ in left:
        if cell.sign(a.real_part()) <= 0:
            raise InputError("the profile has no limit at t = -oo")
    if not cell.vanishes(start - 1):
        raise InputError(f"the profile tends to {start} as t -> -oo, not to 1")
    if any(cell.sign(a.real_part() - ONE) <= 0 for a, _ in left):
        raise InputError("1 - delta(t) is not of the order of e^t as t -> -oo")
    right = {k: c for k, c in collected(profile.tail(), cell).items() if not cell.vanishes(c)}
    end = right.pop((ZERO, 0), Scalar.of(0))
    if any(cell.sign(a.real_part()) >= 0 for a, _ in right):
        raise InputError("the profile has no limit as t -> oo")
    slopes = profile.derivative()
    return Losses(slopes.derivative() - slopes, end, 1 + slope)


def profile_of_loss(losses: Losses, cell: Cell) -> Exact:
    """E[max(0, 1 - e^(t-Z))]: the convolution with a hinge, and Pr[Z = oo]."""
    return Model(losses.finite, losses.p_infinite, losses.q_infinite).profile(cell)


def moment_of_loss(losses: Losses, cell: Cell) -> Scalar:
    """The bilateral transform of the finite losses, as a field element in s."""
    return transform(losses.finite)


def loss_of_moment(G: Scalar, cell: Cell, line: Form = INSIDE) -> Losses:
    """The measure, by residues, and at infinity what it lacks to mass 1 under P and under Q."""
    finite = measure_of_moment(G, cell, line)
    return Losses(finite, 1 - bilateral(finite, ZERO, cell), 1 - bilateral(finite, ONE, cell))


def measure_of_moment(G: Scalar, cell: Cell, line: Form) -> Exact:
    """Residues: poles left of the line Re s = ``line`` make what lies right of a breakpoint."""
    jumps, impulses, _ = transform_parts(G, S, cell)
    if any(k for orders in impulses.values() for k in orders):
        raise InputError("E_q grows like a power of q: it is no moment")
    return invert(jumps, impulses, line, cell)


def moment_of_profile(profile: Exact, cell: Cell) -> Scalar:
    """s (s - 1) times the transform of delta - 1 on 0 < Re s < 1, after equation (27)."""
    s = Scalar.of(Form.atom(S))
    return s * (s - 1) * transform(profile - Exact.term(1))


def profile_of_moment(G: Scalar, cell: Cell) -> Exact:
    """1 plus the inverse of G/(s (s-1)) on a line in 0 < Re s < 1, after equation (37)."""
    s = Scalar.of(Form.atom(S))
    jumps, impulses, _ = transform_parts(G / (s * (s - 1)), S, cell)
    return Exact.term(1) + invert(jumps, impulses, INSIDE, cell)


def reversed_profile(profile: Exact, cell: Cell) -> Exact:
    """1 - e^t + e^t delta(-t), equation (7)."""
    return Exact.term(1) - Exact.term(1, ONE) + profile.reflect().tilt(ONE)


def reversed_loss(losses: Losses, cell: Cell) -> Losses:
    """f_Z'(z) = e^z f_Z(-z), equation (19); the masses at infinity change places."""
    return Losses(losses.finite.reflect().tilt(ONE), losses.q_infinite, losses.p_infinite)


def reversed_moment(G: Scalar, cell: Cell) -> Scalar:
    """E_q(Q||P) = E_(1-q)(P||Q), equation (9): s -> 1 - s."""
    return G.substitute({S: ONE - Form.atom(S)})


def transform(f: Exact) -> Scalar:
    """The bilateral transform of an element of the exact class, where it converges."""
    s = Form.atom(S)
    total = Scalar.of(0)
    for at, terms in f.jumps.items():
        part = Scalar.of(0)
        for (a, n), c in terms.items():
            part = part + c / Scalar.of(s - a) ** (n + 1)
        total = total + part * Scalar.exp(-(at * s))
    for at, orders in f.impulses.items():
        for k, c in orders.items():
            total = total + c * Scalar.of(s**k) * Scalar.exp(-(at * s))
    return total


def same(a: Any, b: Any, cell: Cell) -> bool:
    """Are two curves equal all over the case?  ``True`` is a proof."""
    if isinstance(a, Losses):
        return (a.finite.equals(b.finite, cell) and cell.vanishes(a.p_infinite - b.p_infinite)
                and cell.vanishes(a.q_infinite - b.q_infinite))
    return a.equals(b, cell) if isinstance(a, Exact) else cell.vanishes(a - b)


__all__ = ["INSIDE", "Losses", "S", "loss_of_moment", "loss_of_profile", "measure_of_moment",
           "moment_of_loss", "moment_of_profile", "profile_of_loss", "profile_of_moment",
           "reversed_loss", "reversed_moment", "reversed_profile", "same", "transform"]
