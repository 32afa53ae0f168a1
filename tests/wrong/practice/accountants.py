"""Accountants: the certified number, then one mistake.  Doubles go in and come out."""

from __future__ import annotations

import math
from functools import cache

from tests.wrong.practice.calls import above, accountant, exact


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
