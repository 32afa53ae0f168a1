"""Wrong trade-off functions, each beside what it is mistaken for; levels are Fractions, all exact.

A guarantee is a lower bound of f_{P|Q}: what lies above it is invalid, what lies below is loose.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import chain, combinations

import sympy as sp

from lapdp import finite
from lapdp.privacy.tradeoff import trade_off
from lapdp.testing.conformance.tradeoff import tradeoff_laws
from tests.wrong.registry import Right, Wrong

VALID, TIGHT = frozenset({"validity"}), frozenset({"tightness"})
LOOSE = {"fails": TIGHT, "holds": VALID}
COIN = finite(["3/4", "1/4"], ["1/2", "1/2"])


def exact(pair, a):
    return trade_off(pair.masses)(a)


def delta(pair, alpha):
    return sum(max(0, p - alpha * q) for p, q in pair.masses)


def laws(f, **how):
    return partial(tradeoff_laws, f, **how)


def along(masses, a):
    """The error where outcomes are chosen for Q in this order, up to the level a."""
    error = Fraction(1)
    for p, q in masses:
        share = min(Fraction(1), a / p) if p else 1
        error -= share * q
        a -= share * p
    return error


# -- direction ----------------------------------------------------------------------------------

def other_direction(pair, a):
    return exact(pair.reverse(), a)


def smaller(pair, a):
    return min(exact(pair, a), exact(pair.reverse(), a))


def larger(pair, a):
    return max(exact(pair, a), exact(pair.reverse(), a))


def power(pair, a):
    return 1 - exact(pair, a)


def eps_at_least_0(pair, a):
    """From the larger delta of both directions at eps >= 0, as (eps, delta) guarantees are."""
    back = pair.reverse()
    lines = [Fraction(0)]
    for alpha in (Fraction(1), *(r for p in (pair, back) for r in p.breakpoints() if r > 1)):
        most = max(delta(pair, alpha), delta(back, alpha))
        lines += [1 - most - alpha * a, (1 - most - a) / alpha]
    return max(lines)


# -- masses where the other side has none -------------------------------------------------------

def one_at_zero(pair, a):
    return exact(pair, a) if a else Fraction(1)


def no_free_errors(pair, a):
    """Outcomes without P-mass left out."""
    return trade_off([(p, q) for p, q in pair.masses if p])(a)


def common(pair, a):
    return along(sorted(((p, q) for p, q in pair.masses if p and q), key=lambda m: m[0] / m[1]), a)


def divides(pair, a):
    return along(sorted(pair.masses, key=lambda m: m[0] / m[1]), a)


# -- tests --------------------------------------------------------------------------------------

def not_randomised(pair, a):
    """The best set of outcomes."""
    n = range(len(pair.masses))
    return min(1 - sum(pair.Q[i] for i in event)
               for event in chain.from_iterable(combinations(n, k) for k in range(len(n) + 1))
               if sum(pair.P[i] for i in event) <= a)


def greedy(pair, a):
    """Whole outcomes by the ratio, as many as fit."""
    error = Fraction(1)
    for p, q in sorted((m for m in pair.masses if m[1]), key=lambda m: m[0] / m[1]):
        if p > a:
            break
        a, error = a - p, error - q
    return error


def worst_tests(pair, a):
    return along(sorted((m for m in pair.masses if any(m)), key=lambda m: -m[0] / sum(m)), a)


def as_given(pair, a):
    return along(pair.masses, a)


# -- grids --------------------------------------------------------------------------------------

def chords(pair, a):
    """Straight lines between multiples of 1/4."""
    low = min(Fraction(math.floor(4 * a), 4), Fraction(3, 4))
    left, right = exact(pair, low), exact(pair, low + Fraction(1, 4))
    return left + (right - left) * 4 * (a - low)


def steps(pair, a, up):
    return exact(pair, Fraction((math.floor if up else math.ceil)(8 * a), 8))


def tangents(pair, a):
    """A few of them."""
    return max(Fraction(0), *((1 - delta(pair, alpha) - a) / alpha
                              for alpha in (Fraction(1, 2), Fraction(1), Fraction(2))))


def rounded_down(pair, a):
    return Fraction(math.floor(exact(pair, a) * 1000), 1000)


def smoothed(pair, a):
    """A little mass for every outcome."""
    whole = 1 + len(pair.masses) * Fraction(1, 100)
    return trade_off([((p + Fraction(1, 100)) / whole, (q + Fraction(1, 100)) / whole)
                      for p, q in pair.masses])(a)


def less_than_nothing(pair, a):
    return exact(pair, a) - Fraction(1, 100)


# -- two releases -------------------------------------------------------------------------------

def product(first, second, a):
    return trade_off((first * second).masses)(a)


def product_of_values(first, second, a):
    return exact(first, a) * exact(second, a)


def worse_of_two(first, second, a):
    return min(exact(first, a), exact(second, a))


def nothing(first, second, a):
    return 0


def no_inverse(a):
    return 1 - exact(COIN, 1 - a)


WRONG = [
    Wrong("tradeoff: other direction", "f_{Q|P}", laws(other_direction), VALID | TIGHT,
          {"range", "monotone", "convex", "reversal"}),
    Wrong("tradeoff: symmetrised", "the smaller of both directions", laws(smaller, profile=delta),
          TIGHT | {"convex", "duality"}, VALID | {"duality attained"}),
    Wrong("tradeoff: larger of both directions", "both must hold", laws(larger, profile=delta),
          VALID | {"duality attained"}, TIGHT | {"duality", "convex"}),
    Wrong("tradeoff: from eps >= 0", "symmetric for the asymmetric", laws(eps_at_least_0), **LOOSE),
    Wrong("tradeoff: power", "1 - f", laws(power), {"range", "monotone"}),
    Wrong("tradeoff: f(0) = 1 forced", "no outcome tells for sure", laws(one_at_zero),
          VALID, TIGHT | {"monotone"}),
    Wrong("tradeoff: without outcomes of P-mass 0", "no outcome tells for sure",
          laws(no_free_errors), VALID | {"data processing"}),
    Wrong("tradeoff: common outcomes", "absolute continuity both ways assumed", laws(common),
          VALID | {"range"}),
    Wrong("tradeoff: divides by Q", "P/Q where Q has no mass", laws(divides),
          VALID | {"null outcome"}),
    Wrong("tradeoff: tests that are not randomised", "above the curve between vertices",
          laws(not_randomised), VALID | {"convex", "splitting"}, {"monotone", "permutation"}),
    Wrong("tradeoff: whole outcomes", "by the ratio, as many as fit", laws(greedy),
          VALID | {"convex", "splitting", "reversal"}, TIGHT),
    Wrong("tradeoff: worst tests", "by decreasing P/Q", laws(worst_tests), VALID | {"convex"}),
    Wrong("tradeoff: tests in the order given", "the order of outcomes is trusted",
          laws(as_given), VALID | {"permutation", "data processing"}, TIGHT),
    Wrong("tradeoff: chords", "between multiples of 1/4", laws(chords), VALID,
          TIGHT | {"convex", "monotone", "range"}),
    Wrong("tradeoff: steps above", "the value at the level before", laws(partial(steps, up=True)),
          VALID | {"range", "convex"}, TIGHT | {"monotone"}),
    Wrong("tradeoff: steps below", "the value at the next level: valid, no trade-off function",
          laws(partial(steps, up=False)), TIGHT | {"convex", "reversal"}, VALID | {"monotone"}),
    Wrong("tradeoff: few tangents", "valid, a trade-off function, not this one", laws(tangents),
          TIGHT, VALID | {"convex", "range"}),
    Wrong("tradeoff: rounded down", "to three places", laws(rounded_down), TIGHT | {"convex"},
          VALID),
    Wrong("tradeoff: smoothed", "mass for every outcome", laws(smoothed),
          {"splitting", "null outcome"}),
    Wrong("tradeoff: below 0", "a bound, not the function", laws(less_than_nothing),
          TIGHT | {"range"}, VALID),
    Wrong("tradeoff: values multiplied", "no product of pairs",
          laws(exact, compose=product_of_values), {"composition tightness"}),
    Wrong("tradeoff: composition for free", "the worse of two", laws(exact, compose=worse_of_two),
          {"composition validity"}, {"composition tightness"}),
    Wrong("tradeoff: composition by giving up", "f = 0", laws(exact, compose=nothing),
          {"composition tightness"}, {"composition validity"}),
    Wrong("tradeoff: not convex", "1 - a^2", laws(lambda a: 1 - a * a), {"range"}),
    Wrong("tradeoff: concave below 1 - a", "sqrt-free: a parabola",
          laws(lambda a: (1 - a) * (1 + a) / 2), {"convex"}, {"range", "monotone"}),
    Wrong("tradeoff: mirrored for inverted", "1 - f(1 - a) is no inverse",
          laws(lambda a: exact(COIN, a), reverse=no_inverse), {"reversal"}),
    Wrong("tradeoff: a lower bound that is none", "above the curve",
          laws(lambda a: (1 - a) * Fraction(9, 10), pair=COIN, claims="lower bound"), VALID),
    Wrong("tradeoff: a lower bound above 1 - a", "whatever the pair",
          laws(lambda a: 1 - a * a, claims="lower bound"), {"range"}),
    Wrong("tradeoff: wrong profile beside it", "of the other direction",
          laws(exact, profile=lambda pair, alpha: delta(pair.reverse(), alpha)),
          {"duality", "duality attained"}, VALID),
]


def by_programming(pair, a):
    """The vertices of the set of all tests, and chords between them."""
    n = range(len(pair.masses))
    points = [(sum(pair.P[i] for i in event), 1 - sum(pair.Q[i] for i in event))
              for event in chain.from_iterable(combinations(n, k) for k in range(len(n) + 1))]
    return min(y0 + (y1 - y0) * (a - x0) / (x1 - x0) if x0 != x1 else min(y0, y1)
               for x0, y0 in points for x1, y1 in points if x0 <= a <= x1)


def laplace_tradeoff(a):
    """Of Laplace noise of scale 1 and its shift by 1."""
    if a < sp.exp(-1) / 2:
        return 1 - sp.E * a
    return sp.exp(-1) / (4 * a) if a <= sp.Rational(1, 2) else sp.exp(-1) * (1 - a)


def double(pair, a):
    return float(exact(pair, Fraction(a)))


RIGHT = [
    Right("tradeoff: Neyman and Pearson", laws(exact, compose=product, profile=delta)),
    Right("tradeoff: all tests", laws(by_programming)),
    Right("tradeoff: doubles", laws(double, at="float", accuracy=1e-12, absolute=1e-15)),
    Right("tradeoff: Laplace is its own inverse", laws(laplace_tradeoff,
                                                       reverse=laplace_tradeoff)),
    Right("tradeoff: few tangents as a bound", laws(tangents, claims="lower bound")),
]
