"""Rare huge losses apart: what they add to delta has a closed form, nearly.

Each release keeps a share psi(l) of its losses l and drops the others: psi falls from 1 to 0 around
a place.  With Z the sum, f(Z) = max(0, 1 - e^(eps - Z)), and p, q the P-mass and the Q-mass of what
all releases keep,

    delta(eps) = E[f(Z); all kept] + (1 - p) - e^eps (1 - q) + R,
    R = E[max(0, e^(eps - Z) - 1); some dropped] >= 0,

and R is at most e^eps (1 - q).  Let r_s be what the moment of the kept lacks of that of all at s.
As max(0, x - 1) <= x^(1 - s) for s <= 0, R is at most e^((1 - s) eps) r_s there; as f(Z) is at most
e^((s - 1) (Z - eps)) for s >= 1, dropped losses add between 0 and e^((1 - s) eps) r_s in all.  So
what lies beyond a place that the other losses hardly reach back across costs nothing; and the
integrand of what is kept has its saddle where delta is made, not where huge losses rule the
moments.

Subsampled Gaussians keep psi under a smooth window (:mod:`lapdp.accounting.moments.windowed`),
subsampled discrete Gaussians all places up to one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, ClassVar

import flint
import numpy as np

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.hit_columns import Column, log_falls, log_sum
from lapdp.accounting.inversion.machine_lines import Listed
from lapdp.accounting.inversion.saddle import exponent, right_of_one
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum, Sizes
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.mixed_theta import MOST_NODES, MixedThetaLine, MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.accounting.moments.window_bounds import Integrand, Window
from lapdp.accounting.moments.windowed import WindowedLine, many
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS, LINE_BITS, WIDE, ROOM = 60, 128, 256, 8.0
"""Of moments; a logarithm between what counts and what does not."""
WIDTHS, GRID, LEFT, BEYOND = (0.125, 0.25, 0.0625), 1 / 16, -12.0, 9.0
"""Of windows; the step of choices, where they begin, and how far they see beyond a place."""
GAIN, STEPS, RAREST, FAR, NEARER = 3.0, 1.15, 1000.0, 10.0, 3
"""A logarithm for which losses are dropped; from one probability of theirs to the
next, and the last one; what a logarithm of R counts for where it is too large; steps between two of
these probabilities."""
ORDERS, SHARES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0), (0.125, 0.25, 0.5, 1.0)
"""Of bounds up to 0, and from 1 on, over the order of the line."""
CELL, LIKELY = 1 / 16, 2
MOST_PLACES = 1e6
"""Of a window, for choices."""
MOST_ORDER, LARGEST, FARTHEST, HIGHEST, STEEPEST = 1e15, 700.0, 100.0, 100.0, 5000.0


@dataclass(frozen=True)
class Bounded:
    """A line that only knows a bound of the moment at its real order."""

    most: Any

    def decay(self, height: Any) -> Any:
        """That holds at all heights."""
        return self.most


class _Kept(ABC):
    """What both kinds of cuts have in common, as factors."""

    lower: ClassVar[float] = -math.inf
    largest: ClassVar[None] = None
    poles: ClassVar[tuple[float, ...]] = ()

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self._log_size)

    def log_moment(self, order: float) -> float:
        """log of the moment of what is kept, nearly; infinite where it ends too early."""
        return self._sizes[order]

    def finite_mass(self) -> Any:
        """What is kept of P."""
        return 1 - self.dropped(1)

    @abstractmethod
    def _log_size(self, order: float) -> float: ...

    @abstractmethod
    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0)."""


@dataclass(frozen=True)
class CutNormal(_Kept):
    """(w P + (1 - w) Q, Q), of Gaussians, under a window."""

    whole: MixedNormalSpectrum
    window: Window

    @cached_property
    def _grid(self) -> tuple[Any, Any, Any]:
        """log z, and logs of the masses under Q of what is kept and dropped, in doubles."""
        w, _, kappa = self.whole.doubles
        root, window = math.sqrt(2 * kappa), self.window
        step = min(GRID, window.width / 2)
        if not (window.end + BEYOND - LEFT) / step < MOST_PLACES:
            raise Unsupported("a window far beyond all losses")
        n = np.arange(LEFT, window.end + BEYOND, step)
        log = np.logaddexp(math.log1p(-w), math.log(w) + root * n - kappa)
        base = -n * n / 2 + math.log(step / math.sqrt(2 * math.pi))
        kept = np.where(n < window.end, base + log_falls(n - window.place, window.width), -np.inf)
        dropped = np.where(n < window.end, base + log_falls(window.place - n, window.width), base)
        return log, kept, dropped

    @cached_property
    def _last(self) -> int:
        return int(np.flatnonzero(self._grid[1] > -np.inf)[-1])

    def _log_size(self, order: float) -> float:
        log, kept, _ = self._grid
        spend(20 + len(log) / 50)
        sizes = kept + order * log
        found = log_sum(sizes)
        return found if sizes[self._last] < found - BITS * LOG2 * 5 / 4 - ROOM else math.inf

    def log_dropped(self, order: float) -> float:
        """log of what it lacks of the whole moment, nearly."""
        log, _, dropped = self._grid
        return log_sum(dropped + order * log)

    @cached_property
    def upper(self) -> float:
        """Orders up to it, and somewhat beyond, have windows that do not end too early."""
        low, high = 1.0, MOST_ORDER
        while high > low * (1 + 1 / 64):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.log_moment(middle) < math.inf else (low, middle)
        return 0.8 * low

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """Nodes."""
        return many(self.window, BITS * LOG2)

    def _integrand(self, order: Any) -> Integrand:
        return Integrand(self.whole, self.window, flint.arb(order), self.log_moment(float(order)))

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> Bounded:
        """A bound."""
        return Bounded(self._integrand(gamma).upper(bits * LOG2))

    def listed(self, copies: int, gamma: float, step: Any) -> Listed:
        """On the line of order gamma."""
        line = _windowed(self, gamma)
        return Listed.of(line, copies, step, line.nodes, line.off)

    @cached_property
    def _column(self) -> Column:
        return Column(self.whole, self.window, BITS * LOG2)

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of the line, nearly."""
        return self._column.decay(gamma, height)

    def decay(self, gamma: float, height: Any) -> Any:
        """At least the size of the moment from a height on."""
        return _windowed(self, gamma).decay(height, self._column.shift(gamma, float(height))[1])

    def least(self, gamma: float) -> Any:
        """At most the moment at the real order."""
        return _windowed(self, gamma).total().lower()

    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0): 1 - S_c is the distribution of c and
        s/sqrt(2) times a normal variable; beyond the end nothing is kept."""
        w, root = self.whole.first.ball(), (2 * self.whole.kappa.ball()).sqrt()
        place, width, end = (flint.arb(x) for x in (
            self.window.place, self.window.width, self.window.end))
        wide, left = (1 + width * width / 2).sqrt(), ((end - place) / width).erfc() / 2
        total = flint.arb(0)
        for share, mean in ((w, root), (1 - w, flint.arb(0))) if member else (
                (flint.arb(1), flint.arb(0)),):
            total += share * (right_tail((place - mean) / wide) + flint.arb(0).union(
                left * right_tail(end - mean)))
        return total

    def most_dropped(self, order: Any) -> Any:
        """At least what the moment of an order lacks, s <= 0 or s >= 1: in cells, where z^s is
        largest at an end and 1 - S_c at the right one; z^s <= 2^s ((1 - w)^s + w^s e^(s l)) beyond
        all, for s >= 1."""
        w, kappa = self.whole.first.ball(), self.whole.kappa.ball()
        root, window, rises = (2 * kappa).sqrt(), self.window, order >= 1
        cell = min(CELL, window.width / 4)
        far = window.end + (max(0.0, float(order * root)) if rises else 0.0)
        if not far < FARTHEST:
            raise Unsupported("the order is too large for a bound of what is dropped")

        def power(n: Any) -> Any:
            return (1 - w + w * (root * n - kappa).exp()) ** order

        n = flint.arb(window.place - 8 * window.width)
        total = (power(n) if rises else (1 - w) ** order) * (
            (window.place - n) / window.width).erfc() / 2
        while n < far:
            spend(20)
            more = ((window.place - n - cell) / window.width).erfc() / 2 if (
                n + cell < window.end) else flint.arb(1)
            total += power(n + cell if rises else n) * more * (right_tail(n) - right_tail(n + cell))
            n += cell
        if rises:
            return (total + flint.arb(2) ** order * ((1 - w) ** order * right_tail(n) + (
                w ** order * (kappa * order * (order - 1)).exp() * right_tail(
                    n - order * root)))).upper()
        return (total + power(n) * right_tail(n)).upper()


@lru_cache(maxsize=32)
def _windowed(cut: CutNormal, gamma: float) -> WindowedLine:
    with workprec(LINE_BITS):
        return WindowedLine(cut._integrand(gamma), BITS * LOG2)


@dataclass(frozen=True)
class CutTheta(_Kept):
    """(w P + (1 - w) Q, Q), of discrete Gaussians, up to a place."""

    whole: MixedThetaSpectrum
    last: int

    @cached_property
    def upper(self) -> float:
        """Lines of higher orders are not looked at: what is kept does not reach so far."""
        log, _, many = self._grid
        return max(HIGHEST, STEEPEST / max(float(log[many - 1]), 1e-300))

    @cached_property
    def _grid(self) -> tuple[Any, Any, int]:
        """log z, and logs of the masses under Q, in doubles, and how many are kept."""
        w, _, v = self.whole.doubles
        shift = self.whole.shift
        far = math.ceil(12 * math.sqrt(v)) + 2
        if self.last > 2 * MOST_NODES:
            raise Unsupported("too many atoms are kept")
        stride = max(1, math.floor(math.sqrt(v) / 16))
        x = np.arange(self.last - stride * ((self.last + far + shift) // stride),
                      self.last + far + stride, stride)
        loss = (x - shift / 2) * shift / v
        log = np.logaddexp(math.log1p(-w), math.log(w) + loss)
        every = np.arange(-far, far + 1)
        base = -x * x / (2 * v) - math.log(np.exp(-every * every / (2 * v)).sum() / stride)
        return log, base, int((x <= self.last).sum())

    def _log_size(self, order: float) -> float:
        log, base, many = self._grid
        spend(20 + many / 50)
        return log_sum(base[:many] + order * log[:many])

    def log_dropped(self, order: float) -> float:
        """log of what it lacks of the whole moment, nearly."""
        log, base, many = self._grid
        return log_sum(base[many:] + order * log[many:])

    def _first(self, order: float, bits: int) -> int:
        whole = math.log(2 * math.pi * max(self.whole.doubles[2], 0.2)) / 2
        # where z^q is below 1 for an order below 0 it is largest on the left
        found = self.whole._end(order, self.log_moment(order) + whole - (bits + ROOM) * LOG2, -1)
        return min(found, self.last)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """Places that count."""
        return self.last - self._first(gamma, bits) + 1

    def _sum(self, order: Any, bits: int) -> MixedThetaLine:
        first = self._first(float(order), bits)
        if self.last - first >= MOST_NODES:
            raise Unsupported("too many atoms are kept")
        return MixedThetaLine(self.whole, order, first, self.last, (-1,))

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> Bounded:
        """A bound."""
        found = self._sum(flint.arb(gamma), bits)
        return Bounded((found.nodes.total() + found.left_out).upper())

    def listed(self, copies: int, gamma: float, step: Any) -> Listed:
        """On the line of order gamma."""
        line = self._sum(flint.arb(gamma), BITS)
        return Listed.of(line, copies, step, line.nodes, line.left_out)

    def _dropped(self, order: Any) -> Any:
        far = math.ceil(math.sqrt(2 * BITS * self.whole.doubles[2])) + self.whole.shift * (
            1 + max(1, math.ceil(float(order))))
        if not far < MOST_NODES:
            raise Unsupported("too many atoms are dropped")
        line = MixedThetaLine(self.whole, order, self.last + 1, max(self.last, 0) + far, (1,))
        return line.nodes.total() + flint.arb(0).union(line.left_out)

    def dropped(self, member: int) -> Any:
        """The mass that is dropped of P (1) or of Q (0)."""
        return self._dropped(flint.arb(member))

    def most_dropped(self, order: Any) -> Any:
        """At least what the moment of an order lacks."""
        return self._dropped(order).upper()


Cut = CutNormal | CutTheta


@lru_cache(maxsize=64)
def _normal(s: MixedNormalSpectrum, window: Window) -> CutNormal:
    return CutNormal(s, window)


@lru_cache(maxsize=64)
def _theta(s: MixedThetaSpectrum, last: int) -> CutTheta:
    return CutTheta(s, last)


def _cut(s: Any, loss: float, width: float) -> Cut:
    """One that keeps losses up to about so much."""
    w, _, last = s.doubles
    # log z = loss
    far = loss - math.log(w) if loss > LARGEST else math.log(math.expm1(loss) / w + 1)
    if isinstance(s, MixedThetaSpectrum):
        return _theta(s, math.floor(far * last / s.shift + s.shift / 2))
    root = math.sqrt(2 * last)
    # the same for a range of losses
    place = math.floor((far + last) / root / width) * width
    return _normal(s, Window(place, width, place + math.ceil(
        8 * width * math.sqrt(4 * BITS * LOG2)) / 8))


def _is_sample(s: Any) -> bool:
    return (isinstance(s, MixedNormalSpectrum | MixedThetaSpectrum) and s.second.exact == 0
            and 0 < s.doubles[0] < 1)


def _loss_at(s: Any, k: int, rare: float) -> float:
    """About the loss beyond which e^-rare of k releases lie."""
    w, _, last = s.doubles
    size = rare + math.log(k)
    hit = math.sqrt(2 * max(size + math.log(w), 0.0))
    if isinstance(s, MixedThetaSpectrum):
        root = s.shift / math.sqrt(last)
        kappa = root * root / 2
    else:
        root, kappa = math.sqrt(2 * last), last
    loss = root * max(root + hit, math.sqrt(2 * max(size, 0.0))) - kappa
    return loss + math.log(w) if loss > LARGEST else math.log1p(w * math.expm1(loss))


@dataclass(frozen=True)
class Apart:
    """What is kept, of some factors, and what the others are."""

    factors: Factors
    """Of what is kept."""
    whole: Factors
    size: float
    """About the logarithm of the integrand on the best line."""
    order: float

    @cached_property
    def cuts(self) -> list[tuple[Cut, int]]:
        """What is cut."""
        parts: tuple[tuple[Any, int], ...] = self.factors.parts
        return [(s, k) for s, k in parts if isinstance(s, Cut)]

    @property
    def others(self) -> tuple[Any, ...]:
        """What is not."""
        return tuple(part for part in self.factors.parts if not isinstance(part[0], Cut))

    @property
    def _orders(self) -> tuple[list[float], list[float]]:
        """Of bounds, from 1 on and up to 0."""
        above = [1 + share * self.order for share in (0.0, *SHARES)]
        below = [-share * self.order for share in ORDERS]
        return ([s for s in above if s < self.whole.upper],
                [s for s in below if s > self.whole.lower])

    def log_off(self, eps: float) -> float:
        """About the logarithm of what is not known of dropped losses."""
        found = eps + self._log_dropped(0.0)
        for s in (x for orders in self._orders for x in orders):
            found = min(found, self._log_off(eps, s))
        return found

    def _log_off(self, eps: float, s: float) -> float:
        """By the bound of an order."""
        return (1 - s) * eps + self.whole.log_moment(s) + self._log_dropped(s)

    def _likely(self, eps: float, orders: list[float]) -> list[float]:
        """Those whose bounds are likely to be the least ones."""
        return sorted(orders, key=lambda s: self._log_off(eps, s))[:LIKELY]

    def _log_dropped(self, order: float) -> float:
        return log_sum(np.array([math.log(k) + cut.log_dropped(order) for cut, k in self.cuts]))

    def beside(self, eps: Any) -> tuple[Any, Any]:
        """What dropped losses add: at least, and how much more at most."""
        with workprec(WIDE):
            # however rare they are, with all digits
            dropped = [-sum((k * (-cut.dropped(member)).log1p() for cut, k in self.cuts),
                            flint.arb(0)).expm1() for member in (0, 1)]
            others = Factors(self.others).finite_mass()
            gone, lost = others * dropped[1], eps.exp() * dropped[0]
            above, below = self._orders
            whole, rest = gone.upper(), lost.upper()
            for s in self._likely(float(eps), above[1:]):
                with suppress(Unsupported):
                    whole = whole.min(self._off(eps, flint.arb(s)))
            for s in self._likely(float(eps), below):
                with suppress(Unsupported):
                    rest = rest.min(self._off(eps, flint.arb(s)) + self._hidden(lost))
            found = gone - lost
            rest = (found.upper() - found.lower() + rest).upper()
            return (found.lower(), rest) if rest < whole else (flint.arb(0), whole)

    def _off(self, eps: Any, s: Any) -> Any:
        """prod M^k - prod (M - r)^k is at most sum k r prod M^k, as M >= 1: z^s is convex, and the
        mean of z is 1."""
        less = sum((k * cut.most_dropped(s) for cut, k in self.cuts), flint.arb(0))
        return (((1 - s) * eps).exp() * moment_bound(self.whole, float(s)) * less).upper()

    def _hidden(self, lost: Any) -> Any:
        """What infinite losses of the others under Q take away from ``lost``, at most."""
        mass = flint.arb(1)
        for s, k in self.others:
            if not isinstance(s, NormalSpectrum | ThetaSpectrum | MixedNormalSpectrum
                              | MixedThetaSpectrum):
                mass *= s.line(flint.arb(0), 0.0, BITS).at(flint.arb(0)).real ** k
        return (lost * (1 - mass)).upper().max(flint.arb(0))


def apart(factors: Factors, eps: float, goal: float, most: float | None = None) -> Apart | None:
    """The cut for which the integrand is smallest beside what R may be: e^-``goal`` of it, or about
    e^``most`` if that is known.  None where none is worth while."""
    if not any(_is_sample(s) for s, _ in factors.parts) or not eps > 0:
        return None
    whole = _best(factors, factors, eps)
    found: list[tuple[float, float, float, Apart]] = []

    def look(loss: float, width: float) -> bool:
        """Is so much more than enough kept?"""
        parts: Any = tuple((_cut(s, loss, width) if _is_sample(s) else s, k)
                           for s, k in factors.parts)
        with suppress(Unsupported, ArithmeticError, ValueError):
            here = _best(_kept(parts), factors, eps)
            off = here.log_off(eps)
            less = here.size - goal if most is None else most
            found.append((float(np.logaddexp(here.size, off + goal)) if most is None else (
                here.size + FAR * max(off - most, 0.0)), loss, width, here))
            return off < less - GAIN
        return False

    # what has to exceed eps alone is told apart from what does not
    look(eps, WIDTHS[0])
    places = _places(factors)
    for loss in places:
        if look(loss, WIDTHS[0]):
            break
    if found and most is not None:
        # as little is kept as may be
        high = min(found, key=itemgetter(0))[1]
        low = max((loss for loss in places if loss < high), default=high)
        for _ in range(NEARER):
            middle = math.sqrt(low * high)
            look(middle, WIDTHS[0])
            low, high = (low, middle) if min(found, key=itemgetter(0))[1] == middle else (
                middle, high)
    if found:
        for width in WIDTHS[1:]:
            look(min(found, key=itemgetter(0))[1], width)
    best = min(found, key=itemgetter(0), default=None)
    return best[3] if best and best[0] < whole.size - GAIN else None


@lru_cache(maxsize=256)
def _kept(parts: Any) -> Factors:
    """The same for the same cuts: what is known of a line serves other places, too."""
    return Factors(parts)


def _best(kept: Factors, whole: Factors, eps: float) -> Apart:
    size = exponent(kept, eps)
    gap, _ = right_of_one(size, kept.upper - 1)
    return Apart(kept, whole, size(1 + gap), 1 + gap)


def _places(factors: Factors) -> list[float]:
    """Losses beyond which there are fewer and fewer."""
    samples = [(s, k) for s, k in factors.parts if _is_sample(s)]
    found, rare = [], 0.5
    while rare < RAREST:
        found.append(max(_loss_at(s, k, rare) for s, k in samples))
        rare = rare * STEPS + 0.5
    return found


__all__ = ["Apart", "Cut", "apart"]
