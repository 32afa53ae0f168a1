"""Wrong privacy profiles, each beside what it is mistaken for; ``alpha`` is e^eps, all exact."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import chain, combinations

import numpy as np
import sympy as sp

from lapdp import finite, gaussian
from lapdp.testing.conformance.profile import profile_laws
from lapdp.testing.strategies import finite_pairs
from tests.wrong.registry import Right, Wrong

VALID, TIGHT = frozenset({"validity"}), frozenset({"tightness"})
LOOSE = {"fails": TIGHT, "holds": VALID}
HALF = Fraction(1, 2)
COIN = finite(["3/4", "1/4"], ["1/2", "1/2"])


def delta(pair, alpha):
    return sum(max(0, p - alpha * q) for p, q in pair.masses)


def laws(f, **how):
    return partial(profile_laws, f, **{"at": "alpha", **how})


# -- masses where the other side has none -------------------------------------------------------

def no_infinite_loss(pair, alpha):
    return sum(max(0, p - alpha * q) for p, q in pair.masses if q)


def renormalised(pair, alpha):
    """Outcomes without mass on both sides left out, and the rest made a distribution."""
    kept = [(p, q) for p, q in pair.masses if p and q]
    P, Q = (sum(side) for side in zip(*kept, strict=True)) if kept else (1, 1)
    return sum(max(0, p / P - alpha * q / Q) for p, q in kept)


def divides(pair, alpha):
    return sum(q * max(0, p / q - alpha) for p, q in pair.masses)


# -- direction and sign -------------------------------------------------------------------------

def other_direction(pair, alpha):
    return delta(pair.reverse(), alpha)


def both_directions(pair, alpha):
    return max(delta(pair, alpha), delta(pair.reverse(), alpha))


def mean_of_directions(pair, alpha):
    return (delta(pair, alpha) + delta(pair.reverse(), alpha)) * HALF


def mirrored(pair, alpha):
    return delta(pair, max(alpha, 1 / alpha))


def constant_below_zero(pair, alpha):
    return delta(pair, max(alpha, 1))


def zero_below_zero(pair, alpha):
    return delta(pair, alpha) if alpha >= 1 else 0


def one_below_zero(pair, alpha):
    return delta(pair, alpha) if alpha >= 1 else 1


def sign_of_the_exponent(pair, alpha):
    """E[(1 - e^(Z - eps))_+] instead of E[(1 - e^(eps - Z))_+]."""
    return sum(p * max(0, 1 - p / (alpha * q)) for p, q in pair.masses if q)


def mean_under_q(pair, alpha):
    return sum(q * max(0, 1 - alpha * q / p) for p, q in pair.masses if p)


def without_the_factor(pair, alpha):
    """Pr[Z > eps]."""
    return sum(p for p, q in pair.masses if p > alpha * q)


def distance_from_alpha(pair, alpha):
    """Half of the sum of |P - alpha Q|, which is delta at eps = 0 only."""
    return sum(abs(p - alpha * q) for p, q in pair.masses) * HALF


# -- atoms --------------------------------------------------------------------------------------

def as_printed(pair, alpha):
    """1 - F(eps) - e^eps F'(-eps), where F' counts the atom that 1 - F leaves out."""
    return (sum(p for p, q in pair.masses if p > alpha * q)
            - alpha * sum(q for p, q in pair.masses if p >= alpha * q))


def midpoint(pair, alpha):
    """Half of the atom, on one side only."""
    return as_printed(pair, alpha) + alpha * sum(
        q for p, q in pair.masses if p == alpha * q) * HALF


# -- grids --------------------------------------------------------------------------------------

def rounded(pair, alpha, up):
    return Fraction((math.ceil if up else math.floor)(delta(pair, alpha) * 1000), 1000)


def losses_on_a_grid(pair, alpha, up):
    """Ratios moved to a power of 2, P-masses kept."""
    total = Fraction(0)
    for p, q in pair.masses:
        if p and q:
            power = Fraction(1)
            while power < p / q:
                power *= 2
            while power >= 2 * p / q:
                power /= 2
            # now p/q <= power < 2 p/q
            ratio = power if up or power == p / q else power / 2
            total += p * max(0, 1 - alpha / ratio)
        elif p:
            total += p
    return total


def linear_in_eps(pair, eps):
    """True at multiples of 1/2, on a straight line in eps between them."""
    low = math.floor(2 * eps) / 2
    a, b = (float(delta(pair, Fraction(math.exp(x)))) for x in (low, low + 0.5))
    return a + (b - a) * 2 * (eps - low)


def linear_in_alpha(pair, alpha):
    """The chord over whole numbers: above the profile, as it is convex."""
    low = math.floor(alpha)
    a, b = (delta(pair, x) for x in (low, low + 1))
    return a + (b - a) * (alpha - low)


# -- outcomes -----------------------------------------------------------------------------------

def one_outcome(pair, alpha):
    return max(0, *(p - alpha * q for p, q in pair.masses))


def sorted_input(pair, alpha):
    """Stops at the first outcome without gain, as if they came by decreasing ratio."""
    total = Fraction(0)
    for p, q in pair.masses:
        if p <= alpha * q:
            break
        total += p - alpha * q
    return total


def smoothed(pair, alpha):
    """A little mass for every outcome, so that no ratio is infinite."""
    n, more = len(pair.masses), Fraction(1, 100)
    return sum(max(0, p + more - alpha * (q + more)) for p, q in pair.masses) / (1 + n * more)


def uniform(pair, alpha):
    """Every outcome weighs the same."""
    return Fraction(sum(p > alpha * q for p, q in pair.masses), len(pair.masses))


def none(pair, alpha):
    return delta(pair, alpha) if delta(pair, alpha) else None


def not_a_number(pair, alpha):
    return delta(pair, alpha) or math.nan


# -- two releases, and functions of one pair ----------------------------------------------------

def product(first, second, alpha):
    return delta(first * second, alpha)


def sum_of_deltas(first, second, alpha):
    return min(1, delta(first, alpha) + delta(second, alpha))


def nothing_gained(first, second, alpha):
    return max(delta(first, alpha), delta(second, alpha))


def always(first, second, alpha):
    return 1


def gauss(eps, mean=1.0):
    def phi(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    return phi(mean / 2 - eps / mean) - math.exp(eps) * phi(-mean / 2 - eps / mean)


ROUNDED = {"at": "eps", "accuracy": 1e-9, "absolute": 1e-12}
NEGATIVE = frozenset({"range", "validity", "reversal"})

WRONG = [
    Wrong("profile: no mass at infinity", "losses of oo are left out",
          laws(no_infinite_loss), VALID | {"range", "reversal", "data processing"}),
    Wrong("profile: absolute continuity assumed, and made", "common outcomes, renormalised",
          laws(renormalised), VALID),
    Wrong("profile: divides by Q", "1/0 where Q has no mass", laws(divides),
          {"validity", "null outcome", "reversal"}),
    Wrong("profile: other direction", "delta_{Q|P}", laws(other_direction), VALID | TIGHT,
          {"range", "monotone", "convex", "reversal"}),
    Wrong("profile: symmetrised", "the larger of both directions", laws(both_directions), **LOOSE),
    Wrong("profile: mean of directions", "a mixture of two profiles is a profile, not this one",
          laws(mean_of_directions), VALID | TIGHT, {"convex", "monotone", "range"}),
    Wrong("profile: mirrored", "delta(|eps|)", laws(mirrored), NEGATIVE),
    Wrong("profile: mirrored, asked for eps >= 0", "right there", laws(both_directions,
          negative=False), **LOOSE),
    Wrong("profile: constant below eps = 0", "delta(max(eps, 0))", laws(constant_below_zero),
          NEGATIVE),
    Wrong("profile: 0 below eps = 0", "no guarantee is no 0", laws(zero_below_zero),
          NEGATIVE | {"monotone", "convex"}),
    Wrong("profile: 1 below eps = 0", "valid, no profile", laws(one_below_zero),
          TIGHT | {"reversal", "convex"}, VALID),
    Wrong("profile: sign of the exponent", "1 - e^(Z - eps)", laws(sign_of_the_exponent),
          VALID | {"range"}),
    Wrong("profile: mean under Q", "the loss is drawn from P", laws(mean_under_q), VALID),
    Wrong("profile: without e^eps Q", "Pr[Z > eps] is a bound", laws(without_the_factor),
          TIGHT | {"convex", "reversal"}, VALID | {"range"}),
    Wrong("profile: total variation of P and alpha Q", "off by (1 - alpha)/2",
          laws(distance_from_alpha), TIGHT | {"range", "monotone"}),
    Wrong("profile: atom on one side", "equation (30) as printed", laws(as_printed),
          VALID | {"monotone", "convex", "range"}, TIGHT),
    Wrong("profile: midpoint at atoms", "half of it on one side", laws(midpoint),
          VALID | {"convex", "range"}),
    Wrong("profile: rounded down", "to three places", laws(partial(rounded, up=False)),
          VALID | {"convex"}, TIGHT),
    Wrong("profile: rounded up", "valid, not convex", laws(partial(rounded, up=True)),
          TIGHT | {"convex"}, VALID),
    Wrong("profile: losses rounded down", "optimistic", laws(partial(losses_on_a_grid, up=False)),
          VALID, TIGHT),
    Wrong("profile: losses rounded up", "pessimistic: valid, above 1 - e^eps by mass moved",
          laws(partial(losses_on_a_grid, up=True)), **LOOSE),
    Wrong("profile: straight in eps", "convex in e^eps, not between points in eps",
          laws(linear_in_eps, **ROUNDED), VALID),
    Wrong("profile: straight in e^eps", "chords of a convex function", laws(linear_in_alpha),
          TIGHT, VALID | {"convex", "monotone", "range"}),
    Wrong("profile: one outcome", "the best event of one outcome", laws(one_outcome),
          VALID | {"splitting", "data processing"}, {"permutation"}),
    Wrong("profile: sorted input", "the order of outcomes is trusted", laws(sorted_input),
          VALID | {"permutation"}),
    Wrong("profile: smoothed", "mass for every outcome", laws(smoothed),
          VALID | {"splitting", "null outcome"}),
    Wrong("profile: uniform", "outcomes counted", laws(uniform),
          VALID | {"null outcome", "splitting"}),
    Wrong("profile: None instead of 0", "no number", laws(none), VALID | {"range"}),
    Wrong("profile: NaN instead of 0", "no number", laws(not_a_number), VALID | {"range"}),
    Wrong("profile: deltas added", "one eps for two releases", laws(delta, compose=sum_of_deltas),
          {"composition validity"}, VALID),
    Wrong("profile: composition for free", "the worse of two", laws(delta, compose=nothing_gained),
          {"composition validity"}, {"composition tightness"}),
    Wrong("profile: composition by giving up", "delta = 1", laws(delta, compose=always),
          {"composition tightness"}, {"composition validity"}),
    Wrong("profile: not convex", "1 - alpha^2", laws(lambda alpha: max(0, 1 - alpha * alpha)),
          {"convex"}, {"range", "monotone"}),
    Wrong("profile: increasing", "1 - 1/alpha", laws(lambda alpha: max(0, 1 - 1 / alpha)),
          {"range", "monotone"}),
    Wrong("profile: the function of (Q, P) with a sign", "e^eps delta(-eps) - 1 + e^eps",
          laws(lambda alpha: delta(COIN, alpha),
               reverse=lambda alpha: alpha * delta(COIN, 1 / alpha) - 1 + alpha), {"reversal"}),
    Wrong("profile: half of a guarantee", "an upper bound that is none",
          laws(lambda alpha: delta(COIN, alpha) / 2, pair=COIN, claims="upper bound"), VALID),
    Wrong("profile: an upper bound below 1 - e^eps", "whatever the pair",
          laws(lambda alpha: 0, claims="upper bound"), {"range"}),
    Wrong("profile: Gaussian without the shift", "Phi at -eps/mu on both sides",
          laws(lambda eps: max(0.0, gauss(eps) - 0.01), pair=gaussian(1), **ROUNDED), VALID, TIGHT),
]


def events(pair, alpha):
    """By the definition: over all events."""
    n = range(len(pair.masses))
    return max(sum(pair.P[i] - alpha * pair.Q[i] for i in event)
               for event in chain.from_iterable(combinations(n, k) for k in range(len(n) + 1)))


def by_distribution_functions(pair, alpha):
    """Equation (30) as repaired."""
    return (sum(p for p, q in pair.masses if p > alpha * q)
            - alpha * sum(q for p, q in pair.masses if p > alpha * q))


def by_numpy(pair, eps):
    return np.maximum(0, np.array(pair.P, float) - np.exp(eps) * np.array(pair.Q, float)).sum()


def by_sympy(pair, eps):
    return sum(sp.Max(0, sp.Rational(p) - sp.exp(eps) * sp.Rational(q)) for p, q in pair.masses)


def laplace_profile(eps):
    if eps >= 1:
        return sp.Integer(0)
    return 1 - sp.exp((eps - 1) / 2) if eps >= -1 else 1 - sp.exp(eps)


RIGHT = [
    Right("profile: hockey stick", laws(delta, compose=product)),
    Right("profile: of this package", laws(lambda pair, alpha: pair.hockey_stick(alpha))),
    Right("profile: all events", laws(events)),
    Right("profile: distribution functions", laws(by_distribution_functions)),
    Right("profile: NumPy", laws(by_numpy, at="eps", accuracy=1e-12, absolute=1e-14)),
    Right("profile: SymPy", laws(by_sympy, at="exact", over=finite_pairs(max_size=2))),
    Right("profile: Laplace in SymPy", laws(laplace_profile, at="exact",
                                            reverse=laplace_profile)),
    Right("profile: Gauss", laws(gauss, at="eps", accuracy=1e-11, absolute=1e-14,
                                 reverse=gauss)),
    Right("profile: Pr[Z > eps] as a bound", laws(without_the_factor, claims="upper bound",
                                                  negative=False)),
]
