"""Profiles, trade-off functions and bounds, as code in doubles has them."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import sympy as sp

from lapdp import gaussian, laplace
from tests.wrong.practice.calls import bound, normal, profile, tradeoff

STANDARD = NormalDist()


def delta_of_gaussian(eps):
    """Balle and Wang 2018, of sigma = 1."""
    return normal(0.5 - eps) - math.exp(eps) * normal(-0.5 - eps)


def delta_of_laplace(eps):
    if eps > 1:
        return 0.0
    return -math.expm1((eps - 1) / 2) if eps > -1 else -math.expm1(eps)


def chord(f, low, high, steps):
    """f at the ends of a grid's steps, straight between."""
    points = [low + (high - low) * i / steps for i in range(steps + 1)]

    def between(x):
        i = min(steps - 1, max(0, int((x - low) / (high - low) * steps)))
        a, b = points[i], points[i + 1]
        return f(a) + (f(b) - f(a)) * (x - a) / (b - a)
    return between


# -- wrong ---------------------------------------------------------------------------------------

def next_point(eps):
    """On a grid of width 1/10, rounded up: the profile falls."""
    return delta_of_gaussian(math.ceil(eps * 10) / 10)


def tail_of_textbook(eps):
    """delta = 1.25 e^(-eps^2/2), for all eps."""
    return min(1.0, 1.25 * math.exp(-eps**2 / 2))


def clipped(eps):
    return delta_of_gaussian(max(eps, 0.0))


def laplace_cut(eps):
    """0 from a little below the largest loss."""
    return delta_of_laplace(eps) if eps < 0.999 else 0.0


def one_tail(eps):
    """P(Z > eps), the second term forgotten, is an upper bound only."""
    return normal(0.5 - eps)


def tradeoff_of_gaussian(a):
    if a in (0, 1):
        return 1.0 - a
    return STANDARD.cdf(-STANDARD.inv_cdf(a) - 1)


def wrong_sign(a):
    return 1.0 - a if a in (0, 1) else STANDARD.cdf(1 - STANDARD.inv_cdf(a))


def variance_for_sigma(eps):
    """sigma = 2, handed over as the variance."""
    return normal(1 / 4 - 2 * eps) - math.exp(eps) * normal(-1 / 4 - 2 * eps)


def without_drift(guarantees, delta):
    """Advanced composition that forgets k eps (e^eps - 1)."""
    slack = delta - sum(d for _, d in guarantees)
    if slack <= 0:
        return math.inf
    return math.sqrt(2 * math.log(1 / slack) * sum(e * e for e, _ in guarantees))


def pinsker(pair, eps):
    """sqrt(KL/4), for sqrt(KL/2)."""
    return math.sqrt(sum(p * (math.log(p / q) if q else math.inf) for p, q in pair.masses if p) / 4)


CHORDS = chord(tradeoff_of_gaussian, 0.0, 1.0, 20)


WRONG = [
    profile("rounded up on a grid", "a falling function", next_point, pair=gaussian(1),
            accuracy=1e-6, absolute=1e-15),
    profile("textbook tail", "derived for eps < 1 only", tail_of_textbook, pair=gaussian(1),
            claims="upper bound", accuracy=1e-6),
    profile("eps clipped at 0", "delta(-eps) is larger", clipped, pair=gaussian(1), accuracy=1e-6,
            absolute=1e-15),
    profile("tail cut", "eps near the largest loss", laplace_cut, pair=laplace(1), accuracy=1e-6,
            absolute=1e-15),
    profile("one tail", "the second term forgotten", one_tail, pair=gaussian(1), accuracy=1e-6,
            absolute=1e-15),
    profile("variance for sigma", "sigma^2 = 2", variance_for_sigma, pair=gaussian(sp.sqrt(2)),
            claims="upper bound", accuracy=1e-6, absolute=1e-12),
    tradeoff("chords", "a convex function lies below its chords", CHORDS, pair=gaussian(1),
             at="float", accuracy=1e-9),
    tradeoff("wrong sign", "the shift has the other sign", wrong_sign, pair=gaussian(1),
             at="float", accuracy=1e-6),
    bound("amplified by q eps", "log(1 + q(e^eps - 1))",
          lambda eps, delta, rate: (eps * rate, delta * rate), of="amplification"),
    bound("k releases as the worst one", "losses add up", lambda guarantees, _: (
        max(e for e, _ in guarantees), sum(d for _, d in guarantees)), of="composition"),
    bound("advanced without the drift", "k eps (e^eps - 1)", without_drift, of="composition"),
    bound("divided by the order", "log(1/delta) is divided by q - 1", lambda bounds, delta: min(
        r + math.log(1 / delta) / q for q, r in bounds), of="conversion"),
    bound("groups, linearly", "delta grows like e^((k-1) eps)",
          lambda eps, delta, k: (k * eps, min(1, k * delta)), of="group"),
    bound("half of Pinsker", "KL/4 under the root", pinsker, of="delta"),
    bound("zcdp without the root", "rho + log(1/delta)",
          lambda rho, delta: rho + math.log(1 / delta) / 2, of="zcdp"),
]

# -- right ---------------------------------------------------------------------------------------

RIGHT = [
    profile("gaussian", "Balle and Wang 2018", delta_of_gaussian, pair=gaussian(1), accuracy=1e-9,
            absolute=1e-15),
    profile("laplace", "closed form", delta_of_laplace, pair=laplace(1), accuracy=1e-9,
            absolute=1e-15),
    profile("one tail, as a bound", "an upper bound", one_tail, pair=gaussian(1),
            claims="upper bound", accuracy=1e-9, absolute=1e-12),
    profile("of every finite pair", "the definition",
            lambda pair, alpha: sum(max(0, p - alpha * q) for p, q in pair.masses), at="alpha"),
    tradeoff("gaussian", "Dong, Roth, Su 2022", tradeoff_of_gaussian, pair=gaussian(1), at="float",
             accuracy=1e-6, absolute=1e-12),
    bound("amplification", "log(1 + q(e^eps - 1))",
          lambda eps, delta, rate: (math.log1p(rate * math.expm1(eps)) * (1 + 1e-12) + 1e-300,
                                    delta * rate * (1 + 1e-12)), of="amplification"),
    bound("zcdp", "Bun and Steinke 2016, Proposition 1.3",
          lambda rho, delta: (rho + 2 * math.sqrt(rho * math.log(1 / delta))) * (1 + 1e-12),
          of="zcdp"),
    bound("basic composition", "sums", lambda guarantees, _: (
        sum(Fraction(e) for e, _ in guarantees), min(1, sum(Fraction(d) for _, d in guarantees))),
        of="composition"),
]
