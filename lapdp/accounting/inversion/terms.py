"""A sum of masses times the profile of other releases: which of its terms count, and how sharp.

All terms are positive, so each is worked out as sharply as the sum is to be, or as little of it as
it is; a term of which Chernoff's bound, or one without rare huge losses, says that it is next to
nothing beside the others is not worked out at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.inversion import direct, hits, rare
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.hit_places import FEWEST as FEWEST_SHARED
from lapdp.accounting.inversion.hit_places import hit_places
from lapdp.accounting.inversion.lattice_places import ORDERS
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

MANY_LOOKS = 40
"""Terms from which on no closer look is taken at how large each is."""
FEWEST, MOST_OVER, LOWEST = 7, 20.0, -1e18
"""Bits of a term at least; by how much, as a logarithm, a bound may exceed the answer; of 0."""
MOST_ROWS, MOST_ASKED = 300, 2
"""More terms than the first are worked out only where no more than the second need queries."""
FEW_RESTS = 2
"""Terms that are bounded where no table serves may be such a part of what is left to be off."""
ROW = 300
"""Steps of a term, beside those of a query of its own."""
LOOK_BITS, POINT_BITS, SURE = 200, 1_000, 10
"""Of places, and below the accuracy of the whole: a thousand terms may be so small."""

Profile = Callable[[Pair, Any, int], Any]
Formulas = tuple[direct.Profile, direct.Profile]


@dataclass(frozen=True)
class Term:
    """One place: eps less its loss, exactly and as a ball of the precision of the moment, and the
    probability of the loss."""

    exact: Callable[[], Any]
    ball: Callable[[], Any]
    size: Any


def formulas(others: Pair) -> Formulas | None:
    """Those of both directions, where there are some."""
    backward = others.reverse()
    known = (direct.profile(releases(others), others),
             direct.profile(releases(backward), backward))
    return None if known[0] is None or known[1] is None else (known[0], known[1])


def by_formulas(terms: Iterable[Term], others: Pair, known: Formulas, bits: int, profile: Profile
                ) -> Any:
    """Their sum in balls, without what the losses of the terms add alone; by a query where a
    formula does not reach."""
    total, pairs, corners = flint.arb(0), (others, others.reverse()), direct.has_corners(
        releases(others))
    for term in terms:
        t = term.ball()
        if not (t > 0 or t < 0):
            # at 0, as far as balls tell: delta falls there by at most |t|
            total += term.size * (known[0](lambda: flint.arb(0), bits)
                                  + flint.arb(0, abs(t).upper()))
            continue
        side = bool(t < 0)

        def place(term: Term = term, sign: int = -1 if side else 1) -> Any:
            return sign * term.ball()

        try:
            value = known[side](place, bits)
        except Unsupported:
            if not corners:
                raise
            value = profile(pairs[side], _turned(term, side), bits)
        total += term.size * (t.exp() * value if side else value)
    return total


@dataclass(frozen=True)
class Sized:
    """A term, and about a bound of its logarithm."""

    likely: float
    term: Term

    @property
    def point(self) -> Any:
        """eps less the loss, in a ball of many bits."""
        with workprec(POINT_BITS):
            ball = self.term.ball()
            return ball if ball.rel_accuracy_bits() > LOOK_BITS else exact_ball(
                self.term.exact()).real


def sized(terms: Iterable[Term], factors: Factors, orders: tuple[float, float]) -> list[Sized]:
    """The largest ones first; by orders for places below eps and for those above it."""
    found = [Sized(_likely(factors, orders, float(term.ball()), term.size), term)
             for term in terms]
    return sorted(found, key=lambda row: -row.likely)


def by_queries(rows: Sequence[Sized], others: Pair, orders: tuple[float, float], size: float,
               total: Any, bits: int, profile: Profile) -> Any:
    """What is known of the sum, with the terms by queries of their own; ``size`` is about the
    logarithm of the answer."""
    backward = others.reverse()
    sides, goal = (releases(others), releases(backward)), max(size, rows[0].likely - MOST_OVER)
    if len(rows) < MANY_LOOKS and any(map(rare.is_bounded, sides)):
        # hits rule the bounds by moments: most terms may be far smaller
        rows = sorted((Sized(_less_likely(sides, orders, row), row.term) for row in rows),
                      key=lambda row: -row.likely)
        goal = min(goal, rows[0].likely)
    if total > 0:
        # no term is to be sharper than what is known already
        goal = max(goal, float(total.lower().log()))
    # terms are positive: each as sharp as the sum, or as little of it
    lacks = [(goal - row.likely) / LOG2 - math.log2(len(rows)) - 2 for row in rows]
    many = [len(rows) >= FEWEST_SHARED and hits.is_rare(side) for side in sides]
    asked = 0
    for row, lack in zip(rows, lacks, strict=True):
        size, point = row.term.size, row.point
        spend(ROW)
        small = negligible(sides, point, size, total, bits)
        wanted = max(FEWEST, bits - 3 - max(0, math.floor(min(lack, bits))))
        if small is not None:
            total += small
            continue
        order = sign(row.term.exact()) if point.contains(0) else 1 if point > 0 else -1
        side = order < 0
        weight, found = size * point.exp() if side else size, None
        if many[side] and order:
            known, place = hit_places(sides[side]), abs(point)
            # what the term may be off, or be, for the sum of all
            little = (total.lower() * flint.arb(2) ** -(bits + 2) / len(rows)
                      if total > 0 else flint.arb(0))
            most = (weight * known.most(place)).upper()
            if most < little:
                total += flint.arb(0).union(most)
                continue
            if little > 0 and known.rules:
                wanted = max(FEWEST, min(bits - 3, math.ceil(
                    float((most / little).log()) / LOG2)))
            found = known.at(place, wanted, little / weight)
            if found is None:
                small = _rest(sides[side], place, weight, most, (
                    total.lower() * flint.arb(2) ** (4 - bits) - total.rad()) / FEW_RESTS)
                if small is not None:
                    total += small
                    continue
        if found is None:
            asked += 1
            if asked > MOST_ASKED and len(rows) > MOST_ROWS:
                raise Unsupported(f"of {len(rows)} places more than {MOST_ASKED} need queries of "
                                  "their own")
            found = profile(backward if side else others,
                            _turned(row.term, side) if order else sp.Integer(0), wanted)
        total += weight * found
    return total


def _turned(term: Term, side: bool) -> Any:
    """Its place, exactly, for one of two sides: SymPy takes long to say which one that is."""
    place = term.exact()
    return -place if side else place


def _rest(side: Factors, t: Any, weight: Any, most: Any, room: Any) -> Any:
    """All numbers from 0 to a bound of a term, where that is less than what is left to be off."""
    if not room > 0:
        return None
    if most > room and rare.is_bounded(side):
        # a sample moves no more than its rate
        most = most.min(weight * rare.rates(side)).min(
            weight * rare.bound(side, t, float((room / weight).log())))
    return flint.arb(0).union(most.upper()) if most < room else None


def _likely(factors: Factors, orders: tuple[float, float], t: float, size: Any) -> float:
    """About a bound of the logarithm of a term; a choice."""
    if not size > 0:
        return LOWEST
    return float(size.log()) + min(t, 0.0, _chernoff(factors, orders, t))


def _chernoff(factors: Factors, orders: tuple[float, float], t: float) -> float:
    order = orders[0] if t > 0 else orders[1]
    bound = (1 - order) * t + factors.log_moment(order)
    return bound if math.isfinite(bound) else 0.0


def _less_likely(sides: tuple[Factors, Factors], orders: tuple[float, float], row: Sized) -> float:
    """The same where hits too rare to matter are left out; a choice."""
    place = float(row.term.ball())
    side = sides[place < 0]
    if not place or row.likely == LOWEST or not rare.is_bounded(side):
        return row.likely
    with suppress(Unsupported, ArithmeticError):
        near = abs(place)
        size = likely_size(side, near, saddle(side, near, LOOK_BITS * LOG2).size)
        return (row.likely - min(place, 0.0, _chernoff(sides[0], orders, place))
                + min(place, 0.0) + min(0.0, size))
    return row.likely


def negligible(sides: tuple[Factors, Factors], point: Any, size: Any, total: Any, bits: int
               ) -> Any:
    """All numbers from 0 to a bound of a term, where that is next to nothing beside the others."""
    if not total > 0:
        return None
    factors, near = sides[0], float(point)
    known = float(total.lower().log())
    most = known - float(size.upper().log()) - (bits + 16) * LOG2
    for order in (1 + x if near > 0 else -x for x in ORDERS):
        if factors.lower < order < factors.upper and (
                (1 - order) * near + factors.log_moment(order) < most - 1):
            bound = size * ((1 - flint.arb(order)) * point).exp() * moment_bound(factors, order)
            if bound.is_finite():
                return flint.arb(0).union(bound.upper())
    side = sides[near < 0]
    if not rare.is_bounded(side):
        return None
    # delta is at most the total variation, and a sample moves no more than its rate
    bound = size * point.exp().min(flint.arb(1)) * rare.rates(side)
    if float(bound.log()) < known - (bits + SURE) * LOG2:
        return flint.arb(0).union(bound.upper())
    if near and rare.reach(side, level := 8 * math.floor(
            most / 8)) < abs(near):
        bound = size * rare.bound(side, abs(point), level)
        if float(bound.log()) < known - bits * LOG2:
            return flint.arb(0).union(bound.upper())
    return None


def sign(t: Any) -> int:
    """Of an exact number; :class:`Unsupported` where it is open."""
    with workprec(LOOK_BITS):
        ball = exact_ball(t).real
    if not ball.contains(0):
        return 1 if ball > 0 else -1
    if to_form(t):
        raise Unsupported("whether eps lies on the lattice is open")
    return 0


__all__ = ["LOOK_BITS", "Formulas", "Profile", "Sized", "Term", "by_formulas", "by_queries",
           "formulas", "negligible", "sign", "sized"]
