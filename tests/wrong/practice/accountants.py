"""Accountants: the certified number, then one mistake.  Doubles go in and come out."""

from __future__ import annotations

import math
import random
import struct
from functools import cache

from tests.wrong.practice.calls import above, accountant, bound, exact, normal


@cache
def true_delta(pair, eps, copies=1):
    return min(1.0, above((pair ** copies).delta(exact(eps))))


@cache
def true_epsilon(pair, delta, copies=1):
    return above((pair ** copies).epsilon(exact(delta)))


# -- wrong ---------------------------------------------------------------------------------------

def halves_small(pair, eps):
    found = true_delta(pair, eps)
    return found / 2 if found < 1e-3 else found


def halves_tiny(pair, eps):
    found = true_delta(pair, eps)
    return found / 2 if found < 1e-11 else found


def rounded_in_doubles(pair, eps):
    """A difference of two probabilities, each right to sixteen digits of 1, and no less than 0."""
    return max(0.0, (1 + true_delta(pair, eps)) - 1)


def tails_cut(pair, eps):
    """No more than ten standard deviations, or so: what is left is 0."""
    found = true_delta(pair, eps)
    return found if found > 1e-10 else 0.0


def other_direction(pair, eps):
    return true_delta(pair.reverse(), eps)


def one_copy_less(pair, eps, copies=1):
    return true_delta(pair, eps, max(1, copies - 1))


def delta_twice(pair, eps):
    return min(1.0, 2 * true_delta(pair, eps))


def eps_clipped(pair, eps):
    return true_delta(pair, max(eps, 0.0))


def scaled(pair, eps, copies=1):
    """Copies as one release of sqrt(k) times the eps."""
    return true_delta(pair, eps / math.sqrt(copies))


def delta_of_one(pair, eps, copies=1):
    """k releases leak k times as often, at the same eps."""
    return min(1.0, copies * true_delta(pair, eps))


def floor_of_losses(pair, eps):
    """Losses are rounded down to a grid; finite pairs only."""
    below = [(0.05 * math.floor(math.log(p / q) / 0.05) if q else math.inf, p)
             for p, q in pair.masses if p]
    return sum(float(p) * max(0.0, 1 - math.exp(eps - z)) for z, p in below) * (1 + 1e-9)


def normal_losses(pair, eps, copies=1):
    """The sum of losses as normal, by the central limit theorem; finite pairs only."""
    losses = [(math.log(p / q), float(p)) for p, q in pair.masses if p and q]
    infinite = float(sum(p for p, q in pair.masses if not q))
    mean = sum(z * p for z, p in losses)
    variance = copies * (sum(z * z * p for z, p in losses) - mean**2)
    width, gap = math.sqrt(max(variance, 1e-300)), eps - copies * mean
    finite = normal(-gap / width) - math.exp(min(gap + variance / 2, 700)) * normal(
        -gap / width - width)
    return min(1.0, 1 - (1 - infinite)**copies + max(0.0, finite))


def in_logarithms(pair, eps):
    """log(delta) on a grid of width 1/4, straight between: delta is convex, not its logarithm."""
    left = math.floor(4 * eps) / 4
    a, b = true_delta(pair, left), true_delta(pair, left + 0.25)
    share = 4 * (eps - left)
    return a ** (1 - share) * b**share if b > 0 else a


def by_samples(pair, eps):
    """The mean of (1 - e^(eps - Z))+ over 2,000 losses; finite pairs only."""
    rows = [(float(p), float(q)) for p, q in pair.masses]
    drawn = random.Random(0).choices(rows, [p for p, _ in rows], k=2000)
    return sum(max(0.0, 1 - math.exp(eps) * q / p) for p, q in drawn) / 2000


def in_single_precision(pair, eps):
    return struct.unpack("f", struct.pack("f", true_delta(pair, eps)))[0]


def first_for_all(pairs, eps):
    """Releases of several kinds as so many of the first."""
    return true_delta(pairs[0], eps, len(pairs))


def orders_off_by_one(pair, eps):
    """min E_a e^(-a eps), where e^(-(a - 1) eps) is a bound; no answer for masses without Q."""
    masses = getattr(pair, "masses", None)
    if masses is None or any(p and not q for p, q in masses):
        return 1.0
    return min(1.0, *(math.exp(-a * eps) * float(sum(p**a / q**(a - 1) for p, q in masses if p))
                      * (1 + 1e-12) for a in (2, 4, 8, 16, 32)))


class Cached:
    """Remembers answers by eps and the number of copies, not by the pair."""

    def __init__(self):
        self.known = {}

    def delta(self, pair, eps, copies=1):
        if (eps, copies) not in self.known:
            self.known[eps, copies] = true_delta(pair, eps, copies)
        return self.known[eps, copies]


class TwoDigits:
    """Rounds eps to two digits after the point."""

    def delta(self, pair, eps):
        return true_delta(pair, eps)

    def epsilon(self, pair, delta):
        return round(true_epsilon(pair, delta), 2)


class LowerEnd:
    """Bisection in eps that gives back its lower end."""

    def delta(self, pair, eps):
        return true_delta(pair, eps)

    def epsilon(self, pair, delta):
        low, high = 0.0, 64.0
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (middle, high) if true_delta(pair, middle) > delta else (low, middle)
        return low


class Clipped:
    """No eps above ten."""

    def delta(self, pair, eps, copies=1):
        return true_delta(pair, eps, copies)

    def epsilon(self, pair, delta, copies=1):
        return min(10.0, true_epsilon(pair, delta, copies))


WRONG = [
    accountant("halves small deltas", "below 1/1000", halves_small),
    accountant("halves tiny deltas", "below 1e-11", halves_tiny),
    accountant("rounded in doubles", "1 - (1 - delta)", rounded_in_doubles),
    accountant("tails cut", "0 below 1e-10", tails_cut),
    accountant("other direction", "(Q, P) for (P, Q)", other_direction),
    accountant("a copy less", "off by one", one_copy_less),
    accountant("delta twice", "added by both passes", delta_twice, claims="exact", accuracy=1e-9),
    accountant("eps clipped at 0", "delta(-eps) is larger", eps_clipped),
    accountant("root of copies", "eps / sqrt(k)", scaled),
    accountant("delta times k", "the eps of one release", delta_of_one),
    accountant("losses rounded down", "a grid of width 1/20", floor_of_losses),
    accountant("lower end of a bisection", "eps too small", LowerEnd()),
    accountant("eps clipped at ten", "eps too small", Clipped()),
    accountant("normal losses", "no bound: the tails are others", normal_losses),
    accountant("straight in logarithms", "below, where log(delta) is concave", in_logarithms),
    accountant("by samples", "an estimate, sold as a bound", by_samples),
    accountant("single precision", "rounded to the nearest", in_single_precision),
    accountant("the first for all", "other releases leak more", first_for_all),
    accountant("a cache without the pair", "answers of another pair", Cached()),
    accountant("orders off by one", "a Renyi bound with e^(-a eps)", orders_off_by_one),
    bound("orders off by one", "the same as a bound", orders_off_by_one, of="delta"),
    accountant("two digits of eps", "rounded to the nearest", TwoDigits()),
]

# -- right ---------------------------------------------------------------------------------------


class Both:
    def delta(self, pair, eps, copies=1):
        return true_delta(pair, eps, copies)

    def epsilon(self, pair, delta, copies=1):
        return true_epsilon(pair, delta, copies)


def delta_alone(pair, eps):
    return true_delta(pair, eps)


class UpperEnd(LowerEnd):
    def epsilon(self, pair, delta):
        return true_epsilon(pair, delta) + 1e-3


RIGHT = [
    accountant("delta", "certified", delta_alone),
    accountant("delta of copies", "certified", true_delta),
    accountant("both", "certified", Both()),
    accountant("exact", "certified", Both(), claims="exact", accuracy=1e-9),
    accountant("upper end", "a little more", UpperEnd()),
    accountant("one", "no claim is safer", lambda pair, eps: 1.0),
]
