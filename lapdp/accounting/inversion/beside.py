"""delta of a product whose factors lie on a lattice in part: a sum over places of the lattice.

With p_k the probability of the loss z_k under the factors on a lattice and delta' the profile of
all others, delta(eps) is the sum of p_k delta'(eps - z_k).  By the reversal law delta'(t) is the
sum of max(0, 1 - e^t) and g(t), which is delta'(t) for t >= 0 and e^t times that of the reversed
pair at -t for t < 0, so

    delta(eps) = delta of the lattice alone + sum_k p_k g(eps - z_k),

where all terms are positive.  Far from eps g is small: with E' the moments of the others it is at
most e^((1 - q) t) E'_q for every order q > 1 and every q < 0, whence for the places below a and an
order r <= q, or those above a and r >= q,

    sum p_k g(eps - z_k) <= e^((1-q) eps + (q-r) a) E'_q E_r.

Where the losses of the others are bounded, g is 0 beyond the largest ones of both directions.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, cast

import flint

from lapdp.accounting.inversion import direct, few, lattice, rare, residues, shared
from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import LEAST, moment_bound
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.rings import OnLattice
from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.operations import factors as factors_of
from lapdp.privacy.pair import Pair

MOST_PLACES, MOST_SHORT, MOST_DIRECT = 300, 500, 2000
"""Places of the lattice at which the profile of the others is worked out: by queries of its own, by
short sums over corners, or by a formula."""
FEW_PLACES, FEWEST_PLACES, SMALL = 24, 6, 16
"""So few places are a short sum, beside more releases on the lattice than so many; so few are one
beside any."""
MANY = 4
"""Places from which on one line for all of them is tried first."""
FEWEST, MOST_OVER, LOWEST = 7, 20.0, -1e18
"""Bits of a term at least; by how much, as a logarithm, a bound may exceed the answer; of 0."""
LOOK_BITS = 200
ORDERS = [2.0 ** (j / 2) for j in range(-24, 41)]
"""Distances of orders that are tried for the ends of a window."""

Profile = Callable[[Pair, Any, int], Any]


@dataclass(frozen=True)
class Parts:
    """A pair as the product of what lies on a lattice and of the others."""

    on: Factors
    offset: Form
    step: Form
    others: Pair
    forward: Factors
    ends: tuple[Form | None, Form | None]
    """The largest finite loss of the others, and of the reversed pair."""
    range: tuple[Form | None, Form | None]
    """The same for what lies on the lattice."""

    @property
    def sides(self) -> tuple[Factors, Factors]:
        """The others, and those of the reversed pair."""
        return self.forward, releases(self.others.reverse())


@lru_cache(maxsize=64)
def parts(pair: Pair) -> tuple[Parts, ...]:
    """The product in several ways: the most releases that share a lattice first; then each factor
    with few places."""
    on: list[Pair] = []
    others: list[Pair] = []
    powers = [(factor**count, count) for factor, count in sorted(
        factors_of(pair), key=lambda part: -part[1])]
    for power, _ in powers:
        together = lattice.lattice(releases(_product([*on, power])))
        (on if together is not None else others).append(power)
    if not on or not others:
        return ()
    found = [_parts(on, others)]
    for j, (power, _) in enumerate(powers):
        rest = [other for i, (other, _) in enumerate(powers) if i != j]
        if [power] != on and lattice.lattice(releases(power)) is not None:
            alone = _parts([power], rest)
            if None not in alone.range:
                found.append(alone)
    return tuple(found)


def _parts(on: list[Pair], others: list[Pair]) -> Parts:
    here, rest = _product(on), _product(others)
    forward, place = releases(here), lattice.lattice(releases(here))
    assert place is not None
    return Parts(forward, *place, rest, releases(rest), _ends(rest), _ends(here))


def _ends(pair: Pair) -> tuple[Form | None, Form | None]:
    """The largest finite loss, and that of the reversed pair."""
    return releases(pair).largest(), releases(pair.reverse()).largest()


def _product(pairs: list[Pair]) -> Pair:
    return reduce(operator.mul, pairs)


def is_short(pair: Pair, eps: Any, most: int = FEW_PLACES) -> bool:
    """Is this sum short, and are most of the releases on the lattice?"""
    found = _first_window(pair, eps)
    if found is None:
        return False
    part, window = found
    return bool(part.on.count > max(SMALL, part.forward.count)
                and window.last - window.first < most)


def is_quick(pair: Pair, eps: Any) -> bool:
    """Is there a formula for all that is beside the lattice, or is hardly a place worked out?"""
    found = _first_window(pair, eps)
    return found is not None and (direct.profile(found[0].forward) is not None
                                  or found[1].last - found[1].first < FEWEST_PLACES)


def _first_window(pair: Pair, eps: Any) -> tuple[Parts, Window] | None:
    """That of the way with the fewest places, to few bits."""
    with workprec(LOOK_BITS):
        point = float(exact_ball(eps).real)
    ways = []
    for found in parts(pair):
        with suppress(Unsupported):
            ways.append((found, _window(found, releases(pair), point, LOOK_BITS * LOG2 / 4)))
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
                ways.append((found, _window(found, releases(pair), float(point),
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
    known = direct.profile(found.forward), direct.profile(releases(backward))
    if known[0] is not None and known[1] is not None:
        return total + _direct(found, window, eps, bits, (known[0], known[1]))
    rows = []
    for k in range(window.first, window.last + 1):
        t = eps - (found.offset + found.step * Form.of(k)).to_sympy()
        size = _mass(found, window, k, bits + 8)
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
    for likely, _, t, size in rows:
        small = _negligible(found.forward, t, size, total, bits)
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
    over = found.forward.log_moment(line) + found.on.log_moment(line) + (1 - line) * float(place)
    more = bits + 4 + max(0, math.ceil((over - window.size) / LOG2))
    profile = shared.profile(found.forward, line, (float(points[-1][1]), float(points[0][1])),
                             8 * -(-more // 8))
    for k, t in points:
        size, value = _mass(found, window, k, more + 8), profile(t)
        if not t >= 0:
            # what is beyond delta of the lattice alone, which is continuous at 0
            value += t.expm1() if t < 0 else t.expm1().union(flint.arb(0))
        total += size * value
    return total


def _direct(found: Parts, window: Window, eps: Any, bits: int,
            known: tuple[direct.Profile, direct.Profile]) -> Any:
    """The terms by formulas, in balls."""
    total = flint.arb(0)
    for k in range(window.first, window.last + 1):
        def place(k: int = k) -> Any:
            return exact_ball(eps).real - _place(found, k)

        t, size = place(), _mass(found, window, k, bits + 8)
        if t > 0:
            total += size * known[0](place, bits)
        elif t < 0:
            total += size * t.exp() * known[1](lambda: -place(), bits)
        else:
            # at 0, as far as balls tell: delta falls there by at most |t|
            total += size * (known[0](lambda: flint.arb(0), bits)
                             + flint.arb(0, abs(t).upper()))
    return total


def _likely(found: Parts, window: Window, t: float, size: Any) -> float:
    """About a bound of the logarithm of a term; a choice."""
    if not size > 0:
        return LOWEST
    order = window.low if t > 0 else window.high
    bound = (1 - order) * t + found.forward.log_moment(order)
    return float(size.log()) + min(t, 0.0, bound if math.isfinite(bound) else 0.0)


def _negligible(factors: Factors, t: Any, size: Any, total: Any, bits: int) -> Any:
    """All numbers from 0 to a bound of a term, where that is next to nothing beside the others."""
    if not total > 0:
        return None
    point = exact_ball(t).real
    near = float(point)
    most = float((total / size.upper()).lower().log()) - (bits + 16) * LOG2
    for order in (1 + x if near > 0 else -x for x in ORDERS):
        if factors.lower < order < factors.upper and (
                (1 - order) * near + factors.log_moment(order) < most - 1):
            bound = size * ((1 - flint.arb(order)) * point).exp() * moment_bound(factors, order)
            if bound.is_finite():
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


@dataclass(frozen=True)
class Window:
    """The places from ``first`` to ``last`` are worked out, and what all others add is bounded."""

    gamma: float
    first: int
    last: int
    low: float
    """An order above gamma, for the places below the window."""
    high: float
    """An order below gamma, for those above it."""
    nodes: int
    """Of the sum that gives their probabilities."""
    left: float
    right: float
    """Orders on either side of gamma, for its aliases."""
    size: float
    """About the logarithm of the answer."""
    ends: tuple[bool, bool]
    """Is g 0 at all places below the window, or above it, or are there none?"""
    rare: tuple[float | None, float | None]
    """The level of the bound of g there without rare huge losses, where that is the better one."""

    def rest(self, found: Parts, eps: Any) -> Any:
        """All numbers from 0 to the bound of what the other places add."""
        known = [end or level is not None for end, level in zip(self.ends, self.rare, strict=True)]
        if not ((known[0] or _place(found, self.first) <= eps)
                and (known[1] or eps <= _place(found, self.last))):
            raise Unsupported("eps is not seen to lie between the places that are worked out")
        self._prove_ends(found, eps)
        if not (self.gamma <= self.low > 1 and self.gamma >= self.high < 0):
            raise Unsupported("the orders chosen in doubles are not on both sides of the line")
        total = flint.arb(0)
        for order, k, ends, level, side in (
                (self.low, self.first, self.ends[0], self.rare[0], -1),
                (self.high, self.last, self.ends[1], self.rare[1], 1)):
            if ends:
                continue
            if level is not None:
                # g falls on either side of 0
                away = side * (_place(found, k + side) - eps)
                if not away > 0:
                    raise Unsupported("eps is not seen to lie between the places left out")
                total += rare.bound(found.sides[side > 0], away, level)
                continue
            q, end = flint.arb(order), _place(found, k)
            total += (((1 - q) * eps + (q - flint.arb(self.gamma)) * end).exp()
                      * moment_bound(found.forward, order) * moment_bound(found.on, self.gamma))
        return flint.arb(0).union(total.upper())

    def _prove_ends(self, found: Parts, eps: Any) -> None:
        """All losses of the others lie between what is left to the next places, or there are no
        places there."""
        for ends, places, (low, high), sign in (
                (self.ends[0], _place(found, self.first - 1), (found.range[1], found.ends[0]), -1),
                (self.ends[1], _place(found, self.last + 1), (found.range[0], found.ends[1]), 1)):
            none = low is not None and sign * places > enclose(low, {}).real
            if ends and not none and (high is None or not sign * (places - eps) >= enclose(
                    high, {}).real):
                raise Unsupported("the ends of the losses beside a lattice are not told apart")


def _place(found: Parts, k: int) -> Any:
    return (enclose(found.offset, {}) + enclose(found.step, {}) * k).real


def _window(found: Parts, whole: Factors, eps: float, goal: float) -> Window:
    """Chosen in doubles."""
    line = saddle(whole, eps, goal)
    if line.size < LEAST:
        raise Unsupported("too small for sums over a lattice")
    gamma, on = line.gamma, found.on
    here = on.log_moment(gamma)
    offset, step = (float(enclose(x, {}).real) for x in (found.offset, found.step))

    def end(order: float) -> float:
        """Where the bound of what lies beyond is small."""
        return ((line.size - goal - (1 - order) * eps - found.forward.log_moment(order) - here)
                / (order - gamma))

    up = [q for q in (max(1.0, gamma) + x for x in ORDERS) if q < found.forward.upper]
    down = [q for q in (min(0.0, gamma) - x for x in ORDERS) if q > found.forward.lower]
    try:
        low, high = _least_order(up, end, -step), _least_order(down, end, step)
        first = math.floor((min(eps, end(low)) - offset) / step - 1e-9)
        last = math.ceil((max(eps, end(high)) - offset) / step + 1e-9)
    except (ValueError, ArithmeticError):
        raise Unsupported("no places of the lattice are found near eps in doubles") from None
    tops = [math.inf if x is None else float(enclose(x, {}).real) for x in found.ends]
    # one place more: its comparison with the largest loss is clear
    nearest = [math.floor((eps - tops[0] - offset) / step) - 1 if tops[0] < math.inf else first,
               math.ceil((eps + tops[1] - offset) / step) + 1 if tops[1] < math.inf else last]
    # places that there are
    top, bottom = (math.inf if x is None else float(enclose(x, {}).real) for x in found.range)
    if bottom < math.inf:
        nearest[0] = max(nearest[0], round((-bottom - offset) / step))
    if top < math.inf:
        nearest[1] = min(nearest[1], round((top - offset) / step))
    ends_here = nearest[0] > first, nearest[1] < last
    first, last = max(first, nearest[0]), min(last, nearest[1])
    first, last, levels = _without_rare(found, eps, (offset, step), (first, last),
                                        (ends_here, line.size - goal - 4))
    direct_here = direct.profile(found.forward) is not None
    if direct_here and max(top, bottom) < math.inf and top + bottom < FEW_PLACES * step:
        # all of them: the answer may be far below what is seen of its size on any line
        first, last = round((-bottom - offset) / step), round((top - offset) / step)
        ends_here = True, True
    if first > last and None in levels:
        raise Unsupported("no places of the lattice lie near eps")
    most = MOST_DIRECT if direct_here else MOST_PLACES
    if last - first >= most and residues.is_short(found.forward):
        most = MOST_SHORT
    if last - first >= most:
        raise Unsupported(f"{last - first + 1} places of the lattice lie near eps, more than "
                          f"{most}")
    # aliases of the probabilities: a normal law has them at sqrt(2 goal) deviations
    h = 1e-3 * min(abs(gamma), abs(gamma - 1))
    curve = (on.log_moment(gamma + h) + on.log_moment(gamma - h) - 2 * here) / h**2
    reach = math.sqrt(2 * goal / max(curve, 1e-12))
    span = goal + 6 + math.log(max(1.0, math.sqrt(abs(curve)) / step))
    sides = (offset + first * step, offset + last * step)

    def period(order: float) -> float:
        gap = order - gamma
        return (on.log_moment(order) - here - gap * (sides[0] if gap > 0 else sides[1]) + span
                ) / abs(gap)

    tried = [reach * 2.0 ** (j / 2) for j in range(-8, 9)]
    right = min((gamma + x for x in tried), key=period)
    left = min((gamma - x for x in tried), key=period)
    nodes = math.ceil(max(period(left), period(right)) / step) + 2
    return Window(gamma, first, last, low, high, nodes, left, right, line.size, ends_here,
                  levels)


def _without_rare(found: Parts, eps: float, places: tuple[float, float], window: tuple[int, int],
                  known: tuple[tuple[bool, bool], float]
                  ) -> tuple[int, int, tuple[float | None, float | None]]:
    """The window where rare huge losses are bounded apart, and the levels of these bounds;
    there may be no place so near."""
    (offset, step), (first, last), (ends, size) = places, window, known
    levels: list[float | None] = [None, None]
    level = 8 * math.floor(size / 8)
    for i, side in enumerate(found.sides):
        if ends[i] or not rare.is_rare(side):
            continue
        far = rare.reach(side, level)
        near = [math.ceil((eps - far - offset) / step), math.floor((eps + far - offset) / step)]
        if near[0] > first if i == 0 else near[1] < last:
            levels[i] = level
            first, last = (near[0], last) if i == 0 else (first, near[1])
    return first, last, (levels[0], levels[1])


def _least_order(orders: list[float], end: Callable[[float], float], step: float) -> float:
    """The nearest order whose end is within a step of the best one: large ones cost much."""
    ends = [x if math.isfinite(x) else math.copysign(math.inf, step) for x in map(end, orders)]
    best = min(ends) if step > 0 else max(ends)
    return next(q for q, x in zip(orders, ends, strict=True) if abs(x - best) <= abs(step))


# -- probabilities of places -------------------------------------------------------------------


def _mass(found: Parts, window: Window, k: int, bits: int) -> Any:
    """The probability under P of place k: with the weights w_n = p_n e^((gamma - 1) z_n) the sum of
    E at N nodes around the circle is N times the sum of w_(k + j N) over all whole j."""
    size, lowest, terms, rest = _nodes(found.on, found.step, window.gamma, window.nodes,
                                       32 * -(-bits // 32))
    total, n = flint.arb(0, rest.upper()), window.nodes
    for j, value in terms:
        sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * (j * (k - lowest) % n), n))
        total += (value.real * cosine + value.imag * sine) * (1 if j == 0 or 2 * j == n else 2)
    place, gamma = _place(found, k), flint.arb(window.gamma)
    period = enclose(found.step, {}).real * n
    alias = flint.arb(0)
    for order in (window.left, window.right):
        # w_n <= e^((gamma - r) z_n) E_r, at the places a period and more away
        gap = abs(flint.arb(order) - gamma)
        fall = (-gap * period).exp()
        alias += (((gamma - flint.arb(order)) * place).exp() * moment_bound(found.on, order)
                  * fall / (1 - fall))
    return (total * size / n - flint.arb(0).union(alias.upper())) * ((1 - gamma) * place).exp()


@lru_cache(maxsize=32)
def _nodes(on: Factors, step: Form, gamma: float, nodes: int, bits: int
           ) -> tuple[Any, int, list[tuple[int, Any]], Any]:
    """E_gamma, the first place, the product of phi^k at the nodes that count, a bound of others."""
    with workprec(bits + on.count.bit_length() + 40):
        rings = [(cast(OnLattice, s).ring(flint.arb(gamma), step), k) for s, k in on.parts]
        places, rest = live(rings, nodes, (bits + 10) * LOG2)
        size = flint.arb(1)
        for ring, k in rings:
            size *= ring.size ** k
        terms = []
        for j in places:
            value = flint.acb(1)
            for ring, k in rings:
                value *= ring.at(j, nodes) ** k
            terms.append((j, value))
    return size, sum(k * ring.lowest for ring, k in rings), terms, rest


__all__ = ["delta", "is_quick", "is_short", "parts"]
