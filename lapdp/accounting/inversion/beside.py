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
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import flint

from lapdp.accounting.inversion import direct, few, lattice, rare, shared
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.lattice_masses import mass
from lapdp.accounting.inversion.lattice_parts import Parts, parts
from lapdp.accounting.inversion.lattice_places import FEW_PLACES, ORDERS, Window, place_of
from lapdp.accounting.inversion.lattice_places import window as places
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

FEWEST_PLACES, SMALL = 6, 16
"""So few places are a short sum beside any releases; few are one beside more releases on the
lattice than so many."""
FEW_CORNERS = 400
"""Places at which short sums over corners come first."""
MANY, MANY_LOOKS = 4, 40
"""Places from which on one line for all of them is tried first, and from which on no closer look is
taken at how large each term is."""
FEWEST, MOST_OVER, LOWEST = 7, 20.0, -1e18
"""Bits of a term at least; by how much, as a logarithm, a bound may exceed the answer; of 0."""
LOOK_BITS = 200

Profile = Callable[[Pair, Any, int], Any]


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


def has_formula(pair: Pair, eps: Any) -> bool:
    """Is there a formula for all that is beside the lattice, or a short sum at few places?"""
    found = _first_window(pair, eps)
    if found is None or direct.profile(found[0].forward, found[0].others) is None:
        return False
    return (found[1].last - found[1].first < FEW_CORNERS
            or not direct.has_corners(found[0].forward))


def _first_window(pair: Pair, eps: Any) -> tuple[Parts, Window] | None:
    """That of the way with the fewest places, to few bits."""
    with workprec(LOOK_BITS):
        point = float(exact_ball(eps).real)
    ways = []
    for found in parts(pair):
        with suppress(Unsupported):
            ways.append((found, places(found, releases(pair), point, LOOK_BITS * LOG2 / 4)))
    return min(ways, key=lambda way: way[1].last - way[1].first, default=None)


def delta(pair: Pair, eps: Any, bits: int, profile: Profile) -> Any:
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
        # the fewest places first
        for found, window in sorted(ways, key=lambda way: way[1].last - way[1].first):
            try:
                return _sum(found, window, eps, bits, profile)
            except Unsupported as problem:
                problems.append(problem)
    raise problems[0]


def _sum(found: Parts, window: Window, eps: Any, bits: int, profile: Profile) -> Any:
    """The sum over the places of one window."""
    backward, point = found.others.reverse(), exact_ball(eps).real
    if not all((1 - side.finite_mass()).is_zero() for side in (found.forward, releases(backward))):
        raise Unsupported("losses beside those on the lattice may be infinite")
    total, largest = window.rest(found, point), found.on.largest()
    if largest is None or _sign(eps - largest.to_sympy()) < 0:
        total += lattice.delta(found.on, point, bits + 8)
    known = (direct.profile(found.forward, found.others),
             direct.profile(releases(backward), backward))
    if known[0] is not None and known[1] is not None:
        return total + _direct(found, window, eps, bits, (known[0], known[1]), profile)
    rows = []
    for k in range(window.first, window.last + 1):
        t = eps - (found.offset + found.step * Form.of(k)).to_sympy()
        size = mass(found, window, k, bits + 8)
        rows.append((_likely(found, window, float(exact_ball(t).real), size), k, t, size))
    if not rows:
        return total
    rows.sort(key=lambda row: -row[0])
    goal = max(window.size, rows[0][0] - MOST_OVER)
    if len(rows) >= MANY:
        with suppress(Unsupported):
            whole = total + _by_one_line(found, window, eps, bits)
            if whole.rel_accuracy_bits() >= bits:
                return whole
    if len(rows) < MANY_LOOKS and any(map(rare.is_rare, found.sides)):
        # hits rule the bounds by moments: most terms may be far smaller
        rows = [(_less_likely(found, window, likely, t), k, t, size) for likely, k, t, size in rows]
        rows.sort(key=lambda row: -row[0])
        goal = min(goal, rows[0][0])
    if total > 0:
        # no term is to be sharper than what the lattice adds alone
        goal = max(goal, float(total.lower().log()))
    for likely, _, t, size in rows:
        small = _negligible(found, t, size, total, bits)
        # terms are positive: each as sharp as the sum, or as little of it
        lack = (goal - likely) / LOG2 - math.log2(len(rows)) - 2
        wanted = max(FEWEST, bits - 3 - max(0, math.floor(min(lack, bits))))
        if small is not None:
            total += small
        elif _sign(t) >= 0:
            total += size * profile(found.others, t, wanted)
        else:
            total += size * exact_ball(t).real.exp() * profile(backward, -t, wanted)
    return total


def _by_one_line(found: Parts, window: Window, eps: Any, bits: int) -> Any:
    """The terms by the rule on the line of the window."""
    with workprec(few.MOST_BITS):
        place = exact_ball(eps).real
        offset, step = (enclose(x, {}).real for x in (found.offset, found.step))
        points = [(k, place - offset - step * k) for k in range(window.first, window.last + 1)]
    line, total = window.gamma, flint.arb(0)
    # the integrand for the whole may be larger than the answer
    over = (found.forward.log_moment(line) + found.on.log_moment(line) + (1 - line) * float(place)
            - math.log(abs(line * (line - 1))))
    more = bits + 4 + max(0, math.ceil((over - window.size) / LOG2))
    profile = shared.profile(found.forward, line, (float(points[-1][1]), float(points[0][1])),
                             8 * -(-more // 8), 8 * -(-len(points) // 8))
    for k, t in points:
        size, value = mass(found, window, k, more + 8), profile(t)
        if not t >= 0:
            # what is beyond delta of the lattice alone, which is continuous at 0
            value += t.expm1() if t < 0 else t.expm1().union(flint.arb(0))
        total += size * value
    return total


def _direct(found: Parts, window: Window, eps: Any, bits: int,
            known: tuple[direct.Profile, direct.Profile], profile: Profile) -> Any:
    """The terms by formulas, in balls; by a query where one does not reach."""
    total, pairs = flint.arb(0), (found.others, found.others.reverse())
    for k in range(window.first, window.last + 1):
        def place(k: int = k, sign: int = 1) -> Any:
            return sign * (exact_ball(eps).real - place_of(found, k))

        t, size = place(), mass(found, window, k, bits + 8)
        if not (t > 0 or t < 0):
            # at 0, as far as balls tell: delta falls there by at most |t|
            total += size * (known[0](lambda: flint.arb(0), bits)
                             + flint.arb(0, abs(t).upper()))
            continue
        side = bool(t < 0)
        try:
            value = known[side](partial(place, k, -1 if side else 1), bits)
        except Unsupported:
            if not direct.has_corners(found.forward):
                raise
            exact = eps - (found.offset + found.step * Form.of(k)).to_sympy()
            value = profile(pairs[side], abs(exact), bits)
        total += size * (t.exp() * value if side else value)
    return total


def _likely(found: Parts, window: Window, t: float, size: Any) -> float:
    """About a bound of the logarithm of a term; a choice."""
    if not size > 0:
        return LOWEST
    order = window.low if t > 0 else window.high
    bound = (1 - order) * t + found.forward.log_moment(order)
    return float(size.log()) + min(t, 0.0, bound if math.isfinite(bound) else 0.0)


def _less_likely(found: Parts, window: Window, likely: float, t: Any) -> float:
    """The same where hits too rare to matter are left out; a choice."""
    place = float(exact_ball(t).real)
    side = found.sides[place < 0]
    if not place or likely == LOWEST or not rare.is_rare(side):
        return likely
    order = window.low if place > 0 else window.high
    bound = (1 - order) * place + found.forward.log_moment(order)
    with suppress(Unsupported, ArithmeticError):
        near = abs(place)
        size = likely_size(side, near, saddle(side, near, LOOK_BITS * LOG2).size)
        return likely - min(place, 0.0, bound if math.isfinite(bound) else 0.0) + min(
            place, 0.0) + min(0.0, size)
    return likely


def _negligible(found: Parts, t: Any, size: Any, total: Any, bits: int) -> Any:
    """All numbers from 0 to a bound of a term, where that is next to nothing beside the others."""
    if not total > 0:
        return None
    factors, point = found.forward, exact_ball(t).real
    near = float(point)
    most = float((total / size.upper()).lower().log()) - (bits + 16) * LOG2
    for order in (1 + x if near > 0 else -x for x in ORDERS):
        if factors.lower < order < factors.upper and (
                (1 - order) * near + factors.log_moment(order) < most - 1):
            bound = size * ((1 - flint.arb(order)) * point).exp() * moment_bound(factors, order)
            if bound.is_finite():
                return flint.arb(0).union(bound.upper())
    side = found.sides[near < 0]
    if near and rare.is_rare(side) and rare.reach(side, level := 8 * math.floor(
            most / 8)) < abs(near):
        bound = size * rare.bound(side, abs(point), level)
        if float(bound.log()) < float(total.lower().log()) - bits * LOG2:
            return flint.arb(0).union(bound.upper())
    return None


def _sign(t: Any) -> int:
    with workprec(LOOK_BITS):
        ball = exact_ball(t).real
    if not ball.contains(0):
        return 1 if ball > 0 else -1
    if to_form(t):
        raise Unsupported("whether eps lies on the lattice is open")
    return 0


__all__ = ["delta", "has_formula", "is_quick", "is_short", "parts"]
