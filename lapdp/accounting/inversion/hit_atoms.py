"""delta of rare sampled discrete Gaussians where one huge loss decides: a sum over its atoms.

For (w P + (1 - w) Q, Q) with discrete Gaussian noise x a release is *hit* if x >= c.  Let N be the
number of hits, R the likelihood ratio of all releases and f = max(0, R - e^t), so that delta(t) is
the mean of f under Q.  With p_x the mass of the loss L_x of a release under P, and delta^0 the
profile of all others where none of them is hit,

    delta(t) = sum over releases and x >= c of p_x delta^0(t - L_x) + E[f; N = 0] + E[f; N > 1].

Chernoff's bound at orders q >= 1 with the moments U of losses that are no hits says where delta^0
is next to nothing; below 0 it is 1 - e^s, but for the chance of hits and the mean of
max(0, e^s - R), at most e^((1-q) s) E_q for q <= 0.  At the few x that are left the profile of the
others is asked for, hits and all: all that these add, over all x, is E[f N; N > 1], at most 2 B for
a bound B of E[f max(0, N - 1)].  If the largest loss of a hit is L_x the others have to exceed
t - L_x with N - 1 hits no larger, and as in :mod:`lapdp.accounting.inversion.several_hits`

    B = sum over x of e^((1-q) t) h_x prod U^k S e^S,   S = sum of k h_y/U over L_y <= L_x,

at any order q for each x, h_x being the mass of x under Q times e^(q L_x).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.inversion import hit_beside, hit_windows
from lapdp.accounting.inversion.hit_atom_bounds import ROUGH, Kind, Sums, is_hit
from lapdp.accounting.inversion.hit_sums import Rest, chosen_cuts
from lapdp.accounting.inversion.several_hits import ORDERS
from lapdp.accounting.inversion.terms import Profile
from lapdp.accounting.moments.coarse_atoms import log_mixed
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.given import finite
from lapdp.accounting.moments.lines import LOG2, Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, has_hits
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.operations import factors as factors_of
from lapdp.privacy.pair import Pair

MOST_KINDS, MOST_ASKED, MOST_ATOMS = 3, 24, 20_000
"""Unlike rare releases; atoms at which the profile of the others is asked for; atoms of hits."""
SLOPES = [2.0 ** (j / 2) for j in range(-12, 13)]
"""Orders of bounds, as multiples of the slope."""
FEWEST, SAME = 8, 1e-9
"""Bits of the profile of the others; losses that doubles may not tell apart."""
LESS, TINY = 12.0, 1e-300
"""A logarithm by which delta may be less than it seems; a share that is none."""
ROUNDS, SLACK = 3, 3
"""By what delta seems to be, and then is; bits that may be left out of those that are asked for."""
_asking: ContextVar[bool] = ContextVar("asking", default=False)
"""Is one of the releases known to be hit?"""


def reaches(factors: Factors) -> bool:
    """Are there few kinds of these, and no other rare huge losses?"""
    return 0 < sum(is_hit(s) for s, _ in factors.parts) <= MOST_KINDS and factors.count > 1 and (
        not any(has_hits(s) for s, _ in factors.parts))


def excess(factors: Factors, eps: float) -> float:
    """By how much, a logarithm, the integrand at its saddle is above delta: that of normal noise
    instead."""
    return hit_windows.excess(_twins(factors), eps)


def _twins(factors: Factors) -> Factors:
    """With continuous noise in place of whole numbers, for choices."""
    return Factors(tuple((_twin(s) if is_hit(s) else s, k) for s, k in factors.parts))


@lru_cache(maxsize=64)
def _twin(s: MixedThetaSpectrum) -> MixedNormalSpectrum:
    return MixedNormalSpectrum(s.first, s.second, Number(
        sp.Integer(s.shift) ** 2 / (2 * s.variance.exact)))


def delta(pair: Pair, eps: Any, bits: int, profile: Profile) -> Any:
    """A ball around delta(eps), eps exact, to about so many bits.

    ``profile(pair, t, bits)`` is a ball around the profile of some of the releases to so many
    relative bits.  Raises :class:`Unsupported` where one hit does not decide, or many of its atoms
    count.
    """
    if _asking.get():
        raise Unsupported("of two hits one does not decide")
    factors = releases(pair)
    # nor may Q have mass where P has none: no moment bounds what is below 0 there
    if not reaches(factors) or finite(pair) is not None:
        raise Unsupported("there are no rare huge losses of discrete Gaussians beside finite ones")
    others = Factors(tuple(part for part in factors.parts if not is_hit(part[0])))
    with workprec(bits + 2 * ROUGH):
        point = exact_ball(eps).real
        if not point > 0:
            raise Unsupported("a loss beyond eps need not be huge")
        t = float(point)
        chosen, slopes = chosen_cuts(_twins(factors), others, t, bits)
        if not min(slopes) > 0:
            raise Unsupported("sums reach eps without a huge loss")
        hit_beside._refuse_two(chosen, slopes, others, t, bits)
        kinds = [_kind(s, k, release.cut, release.far) for (s, k), release in zip(
            [(s, k) for s, k in factors.parts if is_hit(s)], chosen, strict=True)]
        found = _Sum(pair, eps, kinds, Rest(tuple(chosen), others), max(slopes), bits, profile)
        asking = _asking.set(True)
        try:
            return found.total()
        finally:
            _asking.reset(asking)


def _kind(s: MixedThetaSpectrum, k: int, cut: float, far: float) -> Kind:
    deviation = math.sqrt(s.doubles[2])
    return Kind(s, k, -math.ceil(far * deviation) - 1, max(
        math.ceil(cut * deviation), s.shift + 1))


@dataclass(frozen=True, eq=False)
class Row:
    """One atom of a hit: its P-mass times the copies, and bounds of the profile of the others
    without hits at eps less its loss."""

    kind: Kind
    atom: int
    weight: Any
    low: Any
    high: Any

    @property
    def open(self) -> Any:
        """What the bounds leave open."""
        return (self.weight * (self.high - self.low)).upper()


class _Sum:
    """What is chosen, and the sum by it."""

    def __init__(self, pair: Pair, eps: Any, kinds: list[Kind], rest: Rest, slope: float,
                 bits: int, profile: Profile) -> None:
        self.pair, self.eps, self.kinds, self.bits = pair, eps, kinds, bits
        self.point = exact_ball(eps).real
        self.sums, self.profile, self.slope = Sums(kinds, rest.others), profile, slope
        self.asked: dict[Row, tuple[int, Any]] = {}
        orders = [side * x * slope for x in SLOPES for side in (-1, 1)]
        # of orders 1 + v for v > 0, and v for v < 0
        self.orders = [v + (v > 0) for v in orders]
        self.logs = [rest.log_moment(order) for order in self.orders]

    def best(self, x: float, side: int) -> tuple[float, float]:
        """(about the logarithm of the least bound, its order) of excesses over x, or below it."""
        return min(((log + (1 - order) * x, order) for order, log in zip(
            self.orders, self.logs, strict=True) if (order > 1) == (side > 0)
            and math.isfinite(log)), default=(math.inf, math.nan))

    def total(self) -> Any:
        """The sum: first by what delta seems to be, then by what it is."""
        size = max(log for kind in self.kinds for log in self._likely(kind)) - LESS
        lasts = [self._last(kind, size) for kind in self.kinds]
        two = self._several(lasts)
        none = self.sums.excess(self.best(float(self.point), 1)[1], self.point)
        beyond = sum((kind.copies * kind.beyond(last + 1) for kind, last in zip(
            self.kinds, lasts, strict=True)), flint.arb(0))
        # delta seems to be e^LESS times as large
        least = flint.arb(size + LESS).exp() * flint.arb(2) ** -self.bits
        if not two + none < least:
            raise Unsupported("more hits than one, or none, are not seen to add next to nothing")
        rows = sorted((row for kind, last in zip(self.kinds, lasts, strict=True)
                       for row in self._rows(kind, last)), key=lambda row: float(
                           row.open.log()) if row.open > 0 else -math.inf)
        ball: Any = None
        whole: Any = None
        for _ in range(ROUNDS):
            # two hits are in what is asked for, once too often, and in what they add alone
            ball = flint.arb(0).union(two + none + beyond) - flint.arb(0).union(2 * two)
            left = least
            for row in rows:
                if row not in self.asked and left > row.open:
                    left -= row.open
                    ball += row.weight * row.low.union(row.high)
                else:
                    ball += row.weight * self._profile(row, whole)
            if ball.rel_accuracy_bits() >= self.bits - SLACK:
                break
            whole = ball.mid()
            if not whole > 0:
                raise Unsupported("one huge loss is not seen")
            least = whole * flint.arb(2) ** -self.bits
        return ball

    def _last(self, kind: Kind, size: float) -> int:
        """The first atom beyond which next to nothing of e^size lies."""
        low, high = kind.cut, 2 * kind.cut
        goal = size - self.bits * LOG2 - LESS - math.log(kind.copies)
        while float(kind.beyond(high).log()) > goal:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if float(kind.beyond(middle).log()) > goal else (low, middle)
        if high - kind.cut > MOST_ATOMS:
            raise Unsupported(f"more than {MOST_ATOMS} atoms of hits may count")
        return high

    def _likely(self, kind: Kind) -> Iterator[float]:
        """About the logarithm of what each atom of a hit adds, up to eps."""
        s = kind.spectrum
        w, _, v = s.doubles
        t, x, loss = float(self.point), kind.cut, 0.0
        while not loss > t:
            ell = s.shift * x / v - s.shift**2 / (2 * v)
            loss = log_mixed(w, ell)
            yield (loss - x * x / (2 * v) - math.log(2 * math.pi * v) / 2 + math.log(kind.copies)
                   + min(0.0, self.best(t - loss, 1)[0]))
            x += 1

    def _rows(self, kind: Kind, last: int) -> Iterator[Row]:
        # chances of hits
        some = sum((one.copies * one.beyond(one.cut) for one in self.kinds), flint.arb(0))
        for atom, loss, mass in kind.hits(last):
            x, weight = self.point - loss, kind.copies * mass * loss.exp()
            if x > 0:
                order = self.best(float(x), 1)[1]
                yield Row(kind, atom, weight, flint.arb(0), self.sums.excess(order, x).min(
                    flint.arb(1)))
            else:
                more = self.sums.excess(self.best(float(x), -1)[1], x) + some * x.exp().max(
                    flint.arb(1))
                yield Row(kind, atom, weight, -x.expm1() - some, (more - x.expm1()).min(
                    flint.arb(1)))

    def _profile(self, row: Row, whole: Any) -> Any:
        """That of the others with hits, to few bits, or to as many as are seen in the whole."""
        known, bits = self.asked.get(row), FEWEST
        if known is not None and whole is not None:
            share = (row.weight * known[1]).upper() / whole
            bits = max(FEWEST, self.bits - SLACK + 2 + math.ceil(math.log2(float(share) + TINY)))
        if known is None or known[0] < bits:
            if known is None and len(self.asked) >= MOST_ASKED:
                raise Unsupported(f"more than {MOST_ASKED} atoms of a hit count")
            # delta falls by no more than e^x rises, and is not far below its bound
            fine = bits + 2 + math.ceil((LESS - float(row.high.log())) / LOG2)
            with workprec(fine + ROUGH):
                place = exact_ball(self.eps).real - row.kind.loss(row.atom)
                near = sp.Rational(int((place.mid() * 2**fine).floor().unique_fmpz()) - 1, 2**fine)
                off = (place.exp() - exact_ball(near).real.exp()).upper().max(flint.arb(0))
            found = self.profile(_without(self.pair, row.kind.spectrum), near, bits)
            known = self.asked[row] = bits, found - flint.arb(0).union(off)
        return known[1]

    def _several(self, lasts: list[int]) -> Any:
        """B."""
        rows = sorted((float(loss), i, loss, mass) for i, (kind, last) in enumerate(zip(
            self.kinds, lasts, strict=True)) for _, loss, mass in kind.hits(last))
        if not sum(kind.copies for kind in self.kinds) > 1:
            return flint.arb(0)
        spend(8 * len(rows) * len(ORDERS))
        best: list[Any] = [flint.arb.pos_inf()] * len(rows)
        with workprec(ROUGH):
            for order in (1.0, *(1 + share * self.slope for share in ORDERS)):
                whole, usual = self.sums.at(order)
                size = ((1 - flint.arb(order)) * self.point).exp() * whole
                seen, waiting = flint.arb(0), list[tuple[int, Any]]()
                for j, (near, i, loss, mass) in enumerate(rows):
                    term = self.kinds[i].copies * mass * (order * loss).exp()
                    seen += term / usual[i]
                    waiting.append((j, term))
                    if j + 1 < len(rows) and rows[j + 1][0] - near < SAME * (1 + abs(near)):
                        continue
                    share = (size * seen * seen.exp()).upper()
                    for place, one in waiting:
                        found = (share * one).upper()
                        best[place] = min(best[place], found)
                    waiting = []
            chance = sum((kind.copies * kind.beyond(kind.cut) for kind in self.kinds), flint.arb(0))
            return (sum(best, flint.arb(0)) + chance * sum((
                kind.copies * kind.beyond(last + 1) for kind, last in zip(
                    self.kinds, lasts, strict=True)), flint.arb(0))).upper()


def _without(pair: Pair, s: MixedThetaSpectrum) -> Pair:
    """One release less."""
    left, gone = list[Pair](), False
    for factor, count in factors_of(pair):
        rest = count
        if not gone and releases(factor).parts == ((s, 1),):
            rest, gone = count - 1, True
        if rest:
            left.append(factor**rest)
    if not gone or not left:
        raise Unsupported("one release alone has a formula")
    return reduce(operator.mul, left)


__all__ = ["delta", "excess", "reaches"]
