"""Bounds of the Renyi divergence of a finite pair at every order beyond a number, decided exactly.

R_u(P||Q) does not decrease in u, and no order exceeds the largest loss (van Erven and Harremoes
2014, theorems 3 and 6).  So R_u <= a + b u, b >= 0, holds for all u > c as soon as

    R_v <= a + b w  at neighbours w < v of finitely many nodes c = w_0 < ... < w_n,  and
    largest loss <= a + b w_n:

between two nodes R_u <= R_v <= a + b w <= a + b u, and beyond the last the largest loss is below.
Doubles propose the nodes, balls decide at each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb, fmpq

from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workdps
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Model
from lapdp.theory import language as lang

MOST_NODES = 200
FARTHEST = 1e6
DIGITS = 30
NEAR = Fraction(1, 64)
"""How far, relatively, a number above the least bound may lie."""
SEEN = tuple(math.exp(k / 8) - 0.98 for k in range(0, 56))
"""Distances from the least order at which doubles look for the largest quotient."""


@dataclass(frozen=True)
class Bound:
    """R_u(first||second) <= constant + slope u for every real u > least, or >= where it is so."""

    first: Any
    second: Any
    least: Any
    constant: Any
    slope: Any


def bound_of(form: Any) -> Bound | None:
    """What a hypothesis for all orders says, if it is one.

    >>> (P, Q), u = pn.pair(), sp.Symbol("u", real=True)
    >>> said = lang.ForAll((u,), lang.Le(pn.RenyiDivergence(u, P, Q), 2*u), (lang.Gt(u, 1),))
    >>> bound_of(said)
    Bound(first=P, second=Q, least=1, constant=0, slope=2)
    """
    if not isinstance(form, lang.ForAll) or len(form.over) != 1 or len(form.where) != 1:
        return None
    (u,), (range_,), relation = form.over, form.where, form.claim
    if not isinstance(relation, (sp.Le, sp.Ge)) or not isinstance(
            range_, (sp.Gt, sp.Lt)) or u.is_integer or not u.is_real:
        return None
    node, above = (relation.lhs, relation.rhs) if isinstance(relation, sp.Le) else (
        relation.rhs, relation.lhs)
    order, least = (range_.lhs, range_.rhs) if isinstance(range_, sp.Gt) else (
        range_.rhs, range_.lhs)
    above = sp.expand(above)
    slope = above.coeff(u, 1)
    constant = sp.expand(above - slope * u)
    if not isinstance(node, pn.RenyiDivergence) or order != u or node.args[0] != u or u in {
            *node.args[1].free_symbols, *node.args[2].free_symbols, *least.free_symbols,
            *slope.free_symbols, *constant.free_symbols}:
        return None
    return Bound(node.args[1], node.args[2], least, constant, slope)


class Divergences:
    """The divergences of a finite pair, in balls and in doubles."""

    def __init__(self, model: Model) -> None:
        if model.atoms is None:
            raise Unsupported("all orders of a pair that is not finite")
        self.endless = not model.p_infinite.is_zero()
        self.losses = [z for _, _, z in model.atoms]
        with workdps(DIGITS):
            self.parts = [(enclose(a, {}).real, enclose(z, {}).real) for a, _, z in model.atoms]
        self.rough = [(float(a), float(z)) for a, z in self.parts]
        self.same = not any(self.losses) and model.q_infinite.is_zero()

    def at(self, order: Fraction) -> arb:
        """R of an order > 1, in a ball."""
        less = arb(fmpq(order.numerator, order.denominator)) - 1
        return sum((a * (less * z).exp() for a, z in self.parts), arb(0)).log() / less

    def near(self, order: float) -> float:
        """The same in doubles, and the mean loss at order 1."""
        if order - 1 < 1e-9:
            return sum(a * z for a, z in self.rough)
        top = max(z for _, z in self.rough)
        total = sum(a * math.exp((order - 1) * (z - top)) for a, z in self.rough)
        return top + math.log(total) / (order - 1)

    def below(self, least: Fraction, constant: Scalar, slope: Scalar) -> bool:
        """Is R_u <= constant + slope u for all u > least >= 1?

        Raises :class:`Unsupported` where neither this nor its contrary is shown.
        """
        with workdps(DIGITS):
            a, b = (enclose(x, {}).real for x in (constant, slope))
            if self.endless:
                return False  # +oo at each order > 1
            if not b >= 0:
                raise Unsupported("a bound that decreases in the order")
            if self.same:
                if a + b * _ball(least) >= 0:
                    return True
            else:
                nodes = self._nodes(least, float(a), float(b))
                last = a + b * _ball(nodes[-1])
                steps = pairwise(nodes)
                if all(z <= last or (slope.is_zero() and (Scalar.of(loss) - constant).is_zero())
                       for (_, z), loss in zip(self.parts, self.losses, strict=True)) and all(
                           self.at(v) <= a + b * _ball(w) for w, v in steps):
                    return True
            for order in (least + Fraction(x) for x in SEEN):
                if self.at(order) > a + b * _ball(order):
                    return False
        raise Unsupported("balls do not decide a bound for all orders")

    def _nodes(self, least: Fraction, a: float, b: float) -> list[Fraction]:
        """Each as far from the one before as doubles allow."""
        found, top = [least], max(z for _, z in self.rough)
        while len(found) < MOST_NODES and a + b * float(found[-1]) < top * (1 + 1e-12):
            here = a + b * float(found[-1])
            low, high = float(found[-1]), FARTHEST
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if self.near(middle) < here * (1 - 1e-12) else (
                    low, middle)
            if Fraction(low) <= found[-1]:
                break
            found.append(Fraction(low))
        return found

    def least(self, order: Fraction, given: tuple[float, float], rate: tuple[float, float]
              ) -> Fraction | None:
        """A number c, hardly above the least, such that R_u <= a + b u + c (r + s u) for all u
        beyond the order, with (a, b) and (r, s) in doubles; to be checked.  None where no c is
        seen to do, as where r + s u vanishes."""
        orders = [float(order), *(float(order) + x for x in SEEN)]
        if self.endless or not min(rate[0] + rate[1] * u for u in orders) > 0:
            return None
        if self.same:
            return Fraction(0)
        worst = max((self.near(u) - given[0] - given[1] * u) / (rate[0] + rate[1] * u)
                    for u in orders)
        if not worst > 0:
            return Fraction(0)
        unit = Fraction(2) ** (math.frexp(worst)[1] - 8)
        return unit * math.ceil(Fraction(worst) * (1 + NEAR) / unit)


def _ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def order_of(x: Any) -> Fraction:
    """The number beyond which the orders lie, as a fraction >= 1."""
    form = x.as_form() if isinstance(x, Scalar) else None
    value = None if form is None else form.constant()
    if value is None or value < 1:
        raise Unsupported("orders beyond a number that is no fraction >= 1")
    return Fraction(value)


def in_doubles(values: Sequence[Scalar]) -> tuple[float, ...]:
    """Numbers in doubles."""
    with workdps(DIGITS):
        return tuple(float(enclose(x, {}).real) for x in values)


__all__ = ["Bound", "Divergences", "bound_of", "in_doubles", "order_of"]
