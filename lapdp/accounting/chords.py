"""What convexity says of a crossing beside the places that have been looked at.

Let f be convex and nonincreasing in u = e^x, as a privacy profile is: the mean of max(0, P - u Q),
and the mass at infinite loss.  Let T > 0 be a level, l_i <= f(u_i) <= h_i for i = 1, 2 with
u_1 < u_2, and c the least place with f <= T there and to the right of it.

Lemma.  (a) If h_1 > T >= h_2, then c <= u_1 + (u_2 - u_1) (h_1 - T)/(h_1 - h_2).
(b) If l_2 > T and h_1 > l_2, then c >= u_2 + (u_2 - u_1) (l_2 - T)/(h_1 - l_2).
(c) If T > l_1 > h_2 and u = u_1 - (u_2 - u_1) (T - l_1)/(l_1 - h_2) > 0, then c >= u.

Proof.  (a) Between the two f is at most the chord through (u_1, h_1) and (u_2, h_2), which is T at
the place.  (b) For v = u_2 + r (u_2 - u_1) with r >= 0 convexity gives
f(v) >= (1 + r) f(u_2) - r f(u_1) >= l_2 - r (h_1 - l_2), more than T for each r below
(l_2 - T)/(h_1 - l_2); so f > T left of the place, for f does not rise.  (c) Likewise
f(u_1 - r (u_2 - u_1)) >= (1 + r) l_1 - r h_2, more than T for each r above
(T - l_1)/(l_1 - h_2); so f > T left of the place.

Values are in units of the level, T = 1.  With w = e^(x - x_1) - 1, a change of scale and origin
that keeps f convex, nothing cancels where places are next to each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from lapdp.balls.decimals import fraction_ball
from lapdp.core.precision import workprec

MOST_APART = 1000
"""Places further from each other are not joined."""
SPARE_BITS = 64

Seen = tuple[Fraction, Fraction, Fraction]
"""x, and a lower and an upper bound of f(e^x)/T."""


def between(seen: Iterable[Seen], digits: int) -> tuple[Fraction | None, Fraction | None]:
    """The best lower and upper bounds of the logarithm of c by two places each, None where there
    are none; rounded outward with more than so many digits.

    >>> one, two = Fraction(1), Fraction(2)
    >>> low, high = between([(0 * one, two, two), (one, one / 2, one / 2)], 10)
    >>> low is None, 0.76 < high < 0.77
    (True, True)
    """
    lows, highs = [], []
    bits = 4 * digits + SPARE_BITS
    with workprec(bits):
        for one, other in combinations(sorted(seen), 2):
            if not one[0] < other[0] < one[0] + MOST_APART:
                continue
            (x, l1, h1), (_, l2, h2) = one, other
            width = fraction_ball(other[0] - x).expm1()
            if h1 > 1 >= h2:
                highs.append(x + _end(width * fraction_ball((h1 - 1) / (h1 - h2)), 1))
            if l2 > 1 and h1 > l2:
                lows.append(x + _end(width * fraction_ball(1 + (l2 - 1) / (h1 - l2)), -1))
            if 1 > l1 > h2:
                step = -width * fraction_ball((1 - l1) / (l1 - h2))
                if step > -1:
                    lows.append(x + _end(step, -1))
    return max(lows, default=None), min(highs, default=None)


def agree(seen: Iterable[Seen], digits: int) -> bool:
    """May some function that is convex and does not rise lie within all the bounds?  If not, one of
    them is wrong.

    >>> x = [Fraction(k) for k in range(3)]
    >>> agree([(x[0], x[1], x[1]), (x[1], x[1], x[1]), (x[2], x[0], x[1])], 10)
    True
    >>> agree([(x[0], x[1], x[1]), (x[1], x[1], x[1]), (x[2], x[0], x[1] / 2)], 10)
    False
    """
    places = sorted(seen)
    with workprec(4 * digits + SPARE_BITS):
        for (x, _, h1), (y, l2, _), (z, _, h3) in zip(places, places[1:], places[2:], strict=False):
            if x < y < z:
                # the one between the others lies at most on their chord
                share = fraction_ball(y - x).expm1() / fraction_ball(z - x).expm1()
                if fraction_ball(l2 - h1) > fraction_ball(h3 - h1) * share:
                    return False
    return all(y[1] <= x[2] for x, y in pairwise(places) if x[0] < y[0])


def _end(w: Any, side: int) -> Fraction:
    """log(1 + w), rounded up or down."""
    log = w.log1p()
    end = (log.upper() if side > 0 else log.lower()).fmpq()
    return Fraction(int(end.p), int(end.q))


__all__ = ["Seen", "agree", "between"]
