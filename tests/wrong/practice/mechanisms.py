"""Tables of masses and pairs, with what is claimed of them."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from hypothesis import strategies as st

from lapdp import gaussian, kary_response, laplace, poisson, randomized_response, truncated_laplace
from lapdp.testing.strategies import neighbours
from tests.wrong.practice.calls import mechanism

BIT = neighbours(max_size=1)
COUNTED = neighbours(relation="add/remove", max_size=3)
TWO = Fraction(1, 2)
HALVES = 2 * sp.log(2)


def normalised(weights):
    return {key: Fraction(w) / sum(weights.values()) for key, w in weights.items()}


# -- wrong ---------------------------------------------------------------------------------------

def exponential(data):
    """e^(eps u), where u moves up for one answer and down for another; eps = log 2."""
    return normalised({v: Fraction(2) ** data.count(v) for v in (0, 1)})


def tails_cut(data):
    """Geometric noise on -3..3, renormalised."""
    return normalised({sum(data) + k: TWO ** abs(k) for k in range(-3, 4)})


def two_zeros(data):
    """Mass at 0 from both signs."""
    masses = {}
    for sign in (1, -1):
        for k in range(6):
            key = min(6, max(-2, sum(data) + sign * k))
            masses[key] = masses.get(key, 0) + TWO ** (k + 2)
    return normalised(masses)


def clamped_by_dropping(data):
    """Answers outside 0..3 are drawn again."""
    return normalised({k: TWO ** abs(k - sum(data)) for k in range(4)})


def binomial(data):
    """Binomial noise of 6 fair coins, for (log 3, 0)."""
    return {sum(data) + k: Fraction(comb(6, k), 64) for k in range(7)}


def size_kept(data):
    return {(len(data), answer): TWO for answer in (0, 1)}


def rounded(data):
    """Probabilities to two digits, the rest to the first."""
    exactly = normalised({k: TWO ** abs(k - sum(data)) for k in range(8)})
    masses = {k: round(p, 2) for k, p in exactly.items()}
    masses[0] += 1 - sum(masses.values())
    return masses


def shuffled(data):
    """Answers of each record, of which the sum is shown: claimed to halve eps at any number."""
    masses = {0: Fraction(1)}
    for record in data:
        yes = Fraction(1 + record, 3)
        masses = {n: masses.get(n, 0) * (1 - yes) + masses.get(n - 1, 0) * yes
                  for n in range(len(masses) + 1)}
    return masses


def shown_too_soon(data):
    """A group is shown with probability delta 2^n, which is 2 delta for the first record."""
    shown = min(Fraction(1), Fraction(sum(data) > 0, 100) * TWO**-sum(data))
    return {"nothing": 1 - shown, "group": shown}


WRONG = [
    mechanism("exponential mechanism without the 2", "one utility falls, another rises",
              exponential, neighbours=neighbours(max_size=2), guarantee=sp.log(2)),
    mechanism("tails cut", "answers that one dataset alone reaches", tails_cut, neighbours=BIT,
              guarantee=sp.log(2)),
    mechanism("two zeros", "mass at 0 counted twice", two_zeros, neighbours=BIT,
              guarantee=sp.log(2)),
    mechanism("redrawn", "the scale of what is left depends on the data", clamped_by_dropping,
              neighbours=neighbours(max_size=3), guarantee=sp.log(2)),
    mechanism("binomial noise", "ends of the noise", binomial, neighbours=BIT,
              guarantee=sp.log(3)),
    mechanism("size published", "replace-one sold as add-remove", size_kept, neighbours=COUNTED,
              guarantee=1),
    mechanism("rounded", "the ratio of rounded probabilities", rounded,
              neighbours=neighbours(max_size=3), guarantee=2 * sp.log(2)),
    mechanism("classical gaussian at eps = 10", "sigma = sqrt(2 log(1.25/delta))/eps needs eps < 1",
              gaussian("0.48448"), guarantee=(10, "1e-5")),
    mechanism("wrong direction of a sample", "q delta(eps) at the eps of no sample",
              poisson(laplace(1), "1/2", direction="remove"),
              profile=lambda t: laplace(1).profile(t) / 2),
    mechanism("delta lost in composition", "two leaks, one counted",
              randomized_response(sp.log(2), "1/100"), guarantee=(sp.log(2), "1/100"),
              composed=lambda k: (k * sp.log(2), Fraction(1, 100))),
    mechanism("sums of answers", "one record alone is not hidden among others", shuffled,
              neighbours=neighbours(max_size=3), guarantee=sp.log(2) / 2),
    mechanism("shown too soon", "the first record has twice delta", shown_too_soon,
              neighbours=neighbours(max_size=3), guarantee=(sp.log(2), "1/100")),
    mechanism("half of delta for a sample", "eps of the other direction",
              poisson(gaussian(1), "1/2", direction="add"), guarantee=(2, "1/1000")),
    mechanism("truncated noise, pure", "cut tails have delta > 0", truncated_laplace(1, 8),
              guarantee=1),
]

# -- right ---------------------------------------------------------------------------------------


def log_odds(odds):
    return sp.log(odds)


def clamped(data):
    """Answers outside 0..3 become its ends."""
    masses = {0: Fraction(0), 3: Fraction(0)}
    for k in range(4):
        masses[k] = Fraction(1, 3) * TWO ** abs(k - sum(data))
    masses[0] += Fraction(1, 3) * TWO ** sum(data)
    masses[3] += Fraction(1, 3) * TWO ** (3 - sum(data))
    return masses


RIGHT = [
    mechanism("exponential mechanism", "twice the exponent", exponential,
              neighbours=neighbours(max_size=2), guarantee=HALVES),
    mechanism("clamped", "the ends take the tails", clamped, neighbours=neighbours(max_size=3),
              guarantee=sp.log(2)),
    mechanism("laplace", "sensitivity over scale", laplace(2), guarantee=sp.Rational(1, 2)),
    mechanism("response", "odds e", randomized_response(1), guarantee=1, tight=True),
    mechanism("gaussian", "as Balle and Wang compute it", gaussian(1), guarantee=("4.4", "1e-5")),
    mechanism("response of many", "k answers", kary_response(5, 1), guarantee=1),
    mechanism("sampled response", "log(1 + q(e^eps - 1))",
              poisson(randomized_response(sp.log(3)), "1/2", direction="remove"),
              guarantee=sp.log(2)),
    mechanism("response of a parameter", "odds e^eps",
              lambda data, odds: {data[0]: Fraction(odds, odds + 1),
                                  1 - data[0]: Fraction(1, odds + 1)},
              over={"odds": st.integers(2, 5)}, neighbours=BIT,
              guarantee=log_odds),
]
