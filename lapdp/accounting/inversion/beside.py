"""delta of a product whose factors lie on a lattice in part: a sum over places of the lattice.

With p_k the probability of the loss z_k under the factors on a lattice and delta' the profile of
all others, delta(eps) is the sum of p_k delta'(eps - z_k).  By the reversal law delta'(t) is the
sum of max(0, 1 - e^t) and g(t), which is delta'(t) for t >= 0 and e^t times that of the reversed
pair at -t for t < 0, so

    delta(eps) = delta of the lattice alone + sum_k p_k g(eps - z_k),

where all terms are positive.  Places far from eps add little, which
:mod:`lapdp.accounting.inversion.lattice_places` bounds.
"""

from __future__ import annotations

import math
from contextlib import suppress
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import direct, few, lattice, rare, shared, terms
from lapdp.accounting.inversion.lattice_masses import masses
from lapdp.accounting.inversion.lattice_parts import Parts, parts
from lapdp.accounting.inversion.lattice_places import (
    FEW_PLACES,
    MOST_PLACES,
    Window,
    place_of,
)
from lapdp.accounting.inversion.lattice_places import window as places
from lapdp.accounting.inversion.one_circle import OneCircle
from lapdp.accounting.inversion.saddle import WORTH
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

FEWEST_PLACES, SMALL = 6, 16
"""So few places are a short sum beside any releases; few are one beside more releases on the
lattice than so many."""
QUERY = 100
"""What a query of its own costs, as compared with a formula."""
FEW_CORNERS, MANY_CORNERS, MOST_CORNERS = 600, 40, 1000
"""Places at which short sums over corners come first; from which on one circle for all is tried
first, and from which on nothing else."""
MOST_NESTED = 50_000
"""Places of two lattices where each one of the first is a query of its own."""
MORE = 8
"""Bits to which one line is asked again."""
SLACK = 4
"""Bits more than the digits need are asked for."""
LONG, FEW_RARE = 60, 30
"""Places that take longer than a rule in doubles for all; rare losses beside many places."""
MANY = 4
"""Places from which on one line for all of them is tried first."""
FARTHER, NO_GAIN = (1.03125, 1.0625, 1.125, 1.25, 1.5, 2.0), 0.7
"""Orders that are tried where that of the window is nearer to 1; a gain that is none."""
FAR, TRIED, FEWEST_BITS = tuple(1 + 2.0 ** (j / 2) for j in range(-4, 24)), 3, 16
"""Orders for the places on one side; so many of them are compared by their nodes; bits of their
rules at least."""


def is_short(pair: Pair, eps: Any, most: int = FEW_PLACES) -> bool:
    """Is this sum short, and are most of the releases on the lattice?"""
    found = _first_window(pair, eps)
    if found is None:
        return False
    part, window = found
    return bool(part.on.count > max(SMALL, part.forward.count)
                and window.last - window.first < most)


def is_quick(pair: Pair, eps: Any) -> bool:
    """Is hardly a place worked out?"""
    found = _first_window(pair, eps)
    return found is not None and found[1].last - found[1].first < FEWEST_PLACES


def is_shared(pair: Pair, eps: Any) -> bool:
    """Are all others few rare huge losses, so that one table may serve all places?"""
    found = _first_window(pair, eps)
    return found is not None and rare.is_rare(found[0].forward) and (
        found[0].forward.count <= FEW_RARE
        and found[1].last - found[1].first < terms.MOST_ROWS)


def is_long(pair: Pair, eps: Any) -> bool:
    """Are many places worked out, or does no window say how many?"""
    found = _first_window(pair, eps)
    return found is None or found[1].last - found[1].first > LONG


def has_formula(pair: Pair, eps: Any) -> bool:
    """Is there a formula for all that is beside the lattice, or a short sum at few places?"""
    found = _first_window(pair, eps)
    if found is None or direct.profile(found[0].forward, found[0].others) is None:
        return False
    return (found[1].last - found[1].first < FEW_CORNERS
            or not direct.has_corners(found[0].forward))


@lru_cache(maxsize=64)
def _first_window(pair: Pair, eps: Any) -> tuple[Parts, Window] | None:
    """That of the way that costs least, to few bits."""
    with workprec(terms.LOOK_BITS):
        point = float(exact_ball(eps).real)
    ways = []
    for found in parts(pair):
        with suppress(Unsupported):
            ways.append((found, places(found, releases(pair), point,
                                         terms.LOOK_BITS * LOG2 / 4)))
    return min(ways, key=_cost, default=None)


def _cost(way: tuple[Parts, Window]) -> int:
    """In places with a formula; a choice."""
    places = way[1].last - way[1].first + 1
    return places if terms.formulas(way[0].others) is not None else QUERY * places


def _refuse_nested(others: Pair, rows: list[terms.Sized]) -> None:
    """:class:`Unsupported` where each query would be a sum over many places of another lattice."""
    inner = _first_window(others, abs(rows[0].term.exact())) if len(rows) >= MANY else None
    if inner is not None:
        many = (inner[1].last - inner[1].first + 1) * len(rows)
        if many > MOST_NESTED:
            raise Unsupported(f"{len(rows)} places of a lattice, and beside each of them those of "
                              f"another one, are {many}, more than {MOST_NESTED}")


def delta(pair: Pair, eps: Any, bits: int, profile: terms.Profile) -> Any:
    """A ball around delta(eps) of the finite losses, eps >= 0 exact.

    ``profile(pair, t, bits)`` is a ball around the profile of the others to so many relative bits.
    Raises :class:`Unsupported` where there is no lattice, or many of its places lie near eps.
    """
    with workprec(bits + 64):
        point = exact_ball(eps).real
        ways: list[tuple[Parts, Window]] = []
        problems = [] if parts(pair) else [
            Unsupported("no part of the losses lies on a lattice, beside others")]
        for found in parts(pair):
            try:
                ways.append((found, places(found, releases(pair), float(point),
                                            (bits + 4) * LOG2)))
            except Unsupported as problem:
                problems.append(problem)
        for found, window in sorted(ways, key=_cost):
            try:
                return _sum(found, window, eps, bits, profile)
            except Unsupported as problem:
                problems.append(problem)
    raise problems[0]


def _sum(found: Parts, window: Window, eps: Any, bits: int, profile: terms.Profile) -> Any:
    """The sum over the places of one window."""
    backward, point = found.others.reverse(), exact_ball(eps).real
    if not all((1 - side.finite_mass()).is_zero() for side in (found.forward, releases(backward))):
        raise Unsupported("losses beside those on the lattice may be infinite")
    total, largest = window.rest(found, point), found.on.largest()
    if largest is None or terms.sign(eps - largest.to_sympy()) < 0:
        total += lattice.delta(found.on, point, bits + 8)
    known = terms.formulas(found.others)
    corners = known is not None and direct.has_corners(found.forward)
    if corners and window.last - window.first > MANY_CORNERS:
        whole = _whole(found, window, eps, bits, total)
        if whole is not None:
            return whole
        if window.last - window.first >= MOST_CORNERS:
            raise Unsupported(f"no circle for more than {MOST_CORNERS} places is found")
    row = [_term(found, eps, k, mass) for k, mass in enumerate(
        masses(found, window, bits + 8 + 8 * math.ceil(window.over / LOG2 / 8)), window.first)]
    if known is not None:
        return total + terms.by_formulas(row, found.others, known, bits, profile)
    orders = window.low, window.high
    rows = terms.sized(row, found.forward, orders)
    if not rows:
        return total
    if len(rows) >= MANY:
        whole = _whole(found, window, eps, bits, total)
        if whole is not None:
            return whole
    if len(rows) > MOST_PLACES and not any(map(rare.is_bounded, found.sides)):
        raise Unsupported(f"{len(rows)} places of the lattice lie near eps, more than "
                          f"{MOST_PLACES}, and no line serves all of them")
    _refuse_nested(found.others, rows)
    return terms.by_queries(rows, found.others, orders, window.size, total, bits, profile)


def _whole(found: Parts, window: Window, eps: Any, bits: int, total: Any) -> Any | None:
    """With all terms by one rule, or by one for the places on either side of eps, where that is
    sharp enough."""
    for rule in (_by_one_line, _by_sides):
        with suppress(Unsupported):
            whole = total + rule(found, window, eps, bits)
            lack = bits - whole.rel_accuracy_bits()
            if SLACK < lack < bits:
                # the answer is smaller than was thought, or doubles have fewer bits than that
                whole = total + rule(found, window, eps, bits + min(lack + 2, MORE))
            if whole.rel_accuracy_bits() >= bits - SLACK:
                return whole
    return None


def _term(found: Parts, eps: Any, k: int, mass: Any) -> terms.Term:
    return terms.Term(lambda: eps - (found.offset + found.step * Form.of(k)).to_sympy(),
                      lambda: exact_ball(eps).real - place_of(found, k),
                      mass)


def _by_one_line(found: Parts, window: Window, eps: Any, bits: int) -> Any:
    """The terms by the rule on one line."""
    points, back = _points(found, window, eps)
    line, over = _line(found, window, list(zip(map(float, points), masses(
        found, window, bits + 8), strict=True)))
    total, more = flint.arb(0), bits + 4 + max(0, math.ceil(over / LOG2))
    profile = shared.profile(found.forward, line, (float(points[-1]), float(points[0])),
                             8 * -(-more // 8), 8 * -(-len(points) // 8))
    values = profile.row(points[0], back, len(points)) if isinstance(profile, OneCircle) else (
        map(profile, points))
    for t, size, value in zip(points, masses(found, window, more + 8), values, strict=True):
        total += size * (value + shared.below_zero(t))
    return total


def _by_sides(found: Parts, window: Window, eps: Any, bits: int) -> Any:
    """The terms by two rules, one for places below eps and, for the reversed pair, one for those
    above it: at orders far from 1 there are short periods for each alone."""
    total, (points, _) = flint.arb(0), _points(found, window, eps)
    known = list(zip(points, masses(found, window, bits + 8), strict=True))
    for side, factors in enumerate(found.sides):
        rows = [(abs(t), size * t.exp()) if side else (t, size)
                for t, size in known if bool(t < 0) == bool(side)]
        if not rows:
            continue
        near = [(float(t), float(size.log())) for t, size in rows if size > 0]
        if not near:
            # no mass is told from 0 there, and g is at most 1
            total += sum((flint.arb(0).union(size.upper()) for _, size in rows), flint.arb(0))
            continue
        ends = min(t for t, _ in near), max(t for t, _ in near)
        line, more = _far_line(factors, window.size, near, ends, bits + 4)
        profile = shared.profile(factors, line, ends, more, 8 * -(-len(rows) // 8))
        for t, size in rows:
            total += size * (profile(t) + shared.below_zero(t))
    return total


def _points(found: Parts, window: Window, eps: Any) -> tuple[list[Any], Any]:
    """eps less each place, and from one to the next."""
    with workprec(few.MOST_BITS):
        place = exact_ball(eps).real
        offset, step = (enclose(x, {}).real for x in (found.offset, found.step))
        # negated here: elsewhere it would be rounded
        return [place - offset - step * k for k in range(window.first, window.last + 1)], -step


def _far_line(factors: Factors, size: float, known: list[tuple[float, float]],
              ends: tuple[float, float], bits: int) -> tuple[float, int]:
    """An order for places of one side, t with the logarithms of their masses, on which the rule is
    short, and the bits that it needs beside an answer of about e^``size``; a choice."""
    ways = []
    for q in FAR:
        over = _over(factors, q, known) - size if q < factors.upper else math.inf
        if math.isfinite(over):
            # in steps: one table serves many points
            more = 4 * math.ceil(max(FEWEST_BITS, bits + over / LOG2) / 4)
            ways.append((math.log(1 / (q - 1)) + WORTH * max(over, 0.0), q, more))
    found = [(shared.nodes(factors, q, ends, more), q, more) for _, q, more in sorted(ways)[:TRIED]]
    if not found:
        raise Unsupported("no line far from 1 is found")
    return min(found)[1:]


def _over(factors: Factors, q: float, known: list[tuple[float, float]]) -> float:
    """The logarithm of the integrands of all places together at an order."""
    logs = [log + (1 - q) * t for t, log in known]
    top = max(logs, default=0.0)
    return (top + math.log(max(1.0, sum(math.exp(x - top) for x in logs)))
            + factors.log_moment(q) - math.log(abs(q * (q - 1))))


def _line(found: Parts, window: Window, places: list[tuple[float, Any]]) -> tuple[float, float]:
    """An order for all places, t with their masses, and by how much, as a logarithm, the integrands
    of all of them together are larger than the answer; choices.

    The order is that of the window; where that is next to 1, on which long periods are needed, and
    the places that are worked out are few of the lattice, one farther from 1.
    """
    known = [(t, float(size.log())) for t, size in places if size > 0]

    def over(q: float) -> float:
        return _over(found.forward, q, known) - window.size

    first = window.gamma
    ways = [(math.log(1 / (q - 1)) + WORTH * over(q), q)
            for q in FARTHER if 1 < first < q < found.forward.upper]
    if ways and min(ways)[0] < math.log(1 / (first - 1)) + WORTH * over(first) - NO_GAIN:
        first = min(ways)[1]
    return first, over(first)


__all__ = ["delta", "has_formula", "is_long", "is_quick", "is_shared", "is_short",
           "parts"]
