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

What a release keeps is in :mod:`lapdp.accounting.inversion.cut_spectra`.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.cut_spectra import BITS, LARGEST, Cut, cut
from lapdp.accounting.inversion.hit_columns import log_sum
from lapdp.accounting.inversion.saddle import exponent, right_of_one
from lapdp.accounting.inversion.same_lines import MOST, current
from lapdp.accounting.moments.factors import Factors, kept
from lapdp.accounting.moments.lines import NormalSpectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

WIDE, WIDTHS = 256, (0.125, 0.25, 0.0625)
"""Bits of what is dropped; widths of windows."""
UNITS = 8
"""That a rule with noise is off at least."""
GAIN, SAME, STEPS, RAREST, STRIDE, FAR, NEARER = 3.0, 2.0, 1.15, 1000.0, 4, 10.0, 3
"""A logarithm for which losses are dropped, and one for which a search changes its cut; from one
probability of theirs to the next, the last one, and how many are passed over at first; what a
logarithm of R counts for where it is too large; steps between two of these probabilities."""
ORDERS, SHARES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0), (0.125, 0.25, 0.5, 1.0)
"""Of bounds up to 0, and from 1 on, over the order of the line."""
LIKELY = 2
"""Of these, those that are worked out."""


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
        # in steps: what is known of them serves other places, too
        order = 2.0 ** (round(2 * math.log2(self.order)) / 2)
        above = [1 + share * order for share in (0.0, *SHARES)]
        below = [-share * order for share in ORDERS]
        return ([s for s in above if s < self.whole.upper],
                [s for s in below if s > self.whole.lower])

    @property
    def log_most(self) -> float:
        """About the logarithm of the most that what is kept may add: Chernoff's bound."""
        s = self.order
        return self.size + s * math.log1p(-1 / s) + math.log(s)

    def log_rounded(self, unit: float) -> float:
        """About the logarithm of what is rounded off on the best line at least: the integrand
        without 1/(q (q - 1)) is rounded, on a line about as wide as a share of the order."""
        return self.size + math.log(UNITS * unit * self.order)

    def log_off(self, eps: float) -> float:
        """About the logarithm of what is not known of dropped losses."""
        above, below = self._orders
        lost = eps + self._log_dropped(0.0)
        hidden = lost + _log_infinite(self.others) if below else math.inf
        return min(lost, *(self._log_off(eps, s) for s in above), *(
            float(np.logaddexp(self._log_off(eps, s), hidden)) for s in below))

    def _log_off(self, eps: float, s: float) -> float:
        """By the bound of an order."""
        return (1 - s) * eps + self.whole.log_moment(s) + self._log_dropped(s)

    def _likely(self, eps: float, orders: list[float]) -> list[float]:
        """Those whose bounds are likely to be the least ones."""
        return sorted(orders, key=lambda s: self._log_off(eps, s))[:LIKELY]

    def _log_dropped(self, order: float) -> float:
        return log_sum(np.array([math.log(k) + one.log_dropped(order) for one, k in self.cuts]))

    def beside(self, eps: Any) -> tuple[Any, Any]:
        """What dropped losses add: at least, and how much more at most."""
        with workprec(WIDE):
            # however rare they are, with all digits
            dropped = [-sum((k * (-one.dropped(member)).log1p() for one, k in self.cuts),
                            flint.arb(0)).expm1() for member in (0, 1)]
            others = Factors(self.others).finite_mass()
            gone, lost = others * dropped[1], eps.exp() * dropped[0]
            above, below = self._orders
            # what infinite losses of the others under Q take away from ``lost``, at most
            hidden = lost * _infinite(self.others) if below else flint.arb(0)
            whole, rest = gone.upper(), lost.upper()
            for s in self._likely(float(eps), above[1:]):
                with suppress(Unsupported):
                    whole = whole.min(self._off(eps, s))
            for s in self._likely(float(eps), below):
                with suppress(Unsupported):
                    rest = rest.min(self._off(eps, s) + hidden)
            found = gone - lost
            rest = (found.upper() - found.lower() + rest).upper()
            return (found.lower(), rest) if rest < whole else (flint.arb(0), whole)

    def _off(self, eps: Any, s: float) -> Any:
        """prod M^k - prod (M - r)^k is at most sum k r prod M^k, as M >= 1: z^s is convex, and the
        mean of z is 1."""
        less = sum((k * _most_dropped(one, s) for one, k in self.cuts), flint.arb(0))
        return (((1 - flint.arb(s)) * eps).exp() * _most(self.whole, s) * less).upper()


@lru_cache(maxsize=64)
def _infinite(others: tuple[tuple[Any, int], ...]) -> Any:
    """At most the mass of infinite losses under Q."""
    mass = flint.arb(1)
    with workprec(WIDE), suppress(Unsupported):
        for s, k in others:
            if not isinstance(s, NormalSpectrum | ThetaSpectrum | MixedNormalSpectrum
                              | MixedThetaSpectrum):
                mass *= s.line(flint.arb(0), 0.0, BITS).at(flint.arb(0)).real ** k
        return (1 - mass).upper().max(flint.arb(0))
    return flint.arb(1)


def _log_infinite(others: tuple[tuple[Any, int], ...]) -> float:
    found = _infinite(others)
    return float(found.log()) if found > 0 else -math.inf


@lru_cache(maxsize=256)
def _most_dropped(one: Cut, s: float) -> Any:
    return one.most_dropped(flint.arb(s))


@lru_cache(maxsize=256)
def _most(whole: Factors, s: float) -> Any:
    return moment_bound(whole, s)


def apart(factors: Factors, eps: float, goal: float, most: float | None = None) -> Apart | None:
    """The cut for which the integrand is smallest beside what R may be: e^-``goal`` of it, or about
    e^``most`` if that is known; or one of a look before that is hardly worse.  None where none is
    worth while."""
    if not any(_is_sample(s) for s, _ in factors.parts) or not eps > 0:
        return None
    whole = _best(factors, factors, eps)
    # the more is kept the larger it is
    no_gain, order = whole.size - GAIN, whole.order
    found: list[tuple[float, float, Apart]] = []

    def value(here: Apart) -> float:
        off = here.log_off(eps)
        if most is None:
            return float(np.logaddexp(here.size, off + goal))
        return here.size + FAR * max(off - most, 0.0) if off < most + GAIN else math.inf

    def enough(loss: float, width: float = WIDTHS[0]) -> bool:
        """Is so much kept, or no more worth while?"""
        nonlocal order
        parts: Any = tuple((cut(s, loss, width) if _is_sample(s) else s, k)
                           for s, k in factors.parts)
        with suppress(Unsupported, ArithmeticError, ValueError):
            here = _best(kept(parts), factors, eps, order)
            order = here.order
            found.append((value(here), loss, here))
            less = here.size - goal if most is None else most
            return here.size >= no_gain or here.log_off(eps) < less
        return False

    def least() -> tuple[float, float, Apart]:
        return min(found, key=itemgetter(0))

    places = _places(factors)
    # what has to exceed eps alone is told apart from what does not
    places = sorted([*places, eps]) if eps < places[-1] else places
    high = next((i for i in range(0, len(places), STRIDE) if enough(places[i])), len(places))
    low = high - STRIDE
    while high - low > 1:
        middle = (low + high) // 2
        if 0 <= middle < len(places) and not enough(places[middle]):
            low = middle
        else:
            high = middle
    if not found or not least()[0] < no_gain:
        return None
    if most is not None:
        # as little is kept as may be
        far = least()[1]
        near = max((loss for loss in places if loss < far), default=far)
        for _ in range(NEARER):
            between = math.sqrt(near * far)
            enough(between)
            near, far = (near, between) if least()[1] == between else (between, far)
    for width in WIDTHS[1:]:
        enough(least()[1], width)
    size, _, best = least()
    search = current()
    if search is None:
        return best
    known = search.cuts.setdefault(factors, [])
    for parts in known[-MOST:]:
        with suppress(Unsupported, ArithmeticError, ValueError):
            here = _best(parts, factors, eps, best.order)
            if value(here) < size + SAME:
                return here
    known.append(best.factors)
    return best


def _best(kept: Factors, whole: Factors, eps: float, start: float = 2.0) -> Apart:
    size = exponent(kept, eps)
    gap, _ = right_of_one(size, kept.upper - 1, start - 1)
    return Apart(kept, whole, size(1 + gap), 1 + gap)


def _places(factors: Factors) -> list[float]:
    """Losses beyond which there are fewer and fewer."""
    samples = [(s, k) for s, k in factors.parts if _is_sample(s)]
    found, rare = [], 0.5
    while rare < RAREST:
        found.append(max(_loss_at(s, k, rare) for s, k in samples))
        rare = rare * STEPS + 0.5
    return found


__all__ = ["Apart", "apart"]
