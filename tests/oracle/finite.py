"""Finite pairs by the definitions: P and Q are tuples of Fractions on the same outcomes.

``alpha`` stands for e^eps, so that every hockey-stick quantity is exact.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, combinations, product

from mpmath import mp

from tests.oracle.reals import Unclear, Undefined, add, mul, num, power

INFINITE = "oo"
"""The likelihood ratio of an outcome that Q never shows."""


def hockey_stick(P, Q, alpha):
    """Integral form of (6): sum of max(0, P - alpha Q)."""
    return sum((max(Fraction(0), p - alpha * q) for p, q in zip(P, Q, strict=True)), Fraction(0))


def subsets(n):
    """All events of an n-point space, as tuples of indices."""
    return chain.from_iterable(combinations(range(n), k) for k in range(n + 1))


def measure(P, S):
    return sum((P[i] for i in S), Fraction(0))


def hockey_stick_by_events(P, Q, alpha):
    """Supremum form of (6), over all 2^n events."""
    return max(measure(P, S) - alpha * measure(Q, S) for S in subsets(len(P)))


def loss_masses(P, Q):
    """Distribution of the likelihood ratio under P: {P/Q or 'oo': mass}, null outcomes left out."""
    found = {}
    for p, q in zip(P, Q, strict=True):
        if p > 0:
            ratio = p / q if q else INFINITE
            found[ratio] = found.get(ratio, Fraction(0)) + p
    return found


def reverse(P, Q):
    return Q, P


def probability(P, Q, relation, r):
    """Pr[Z rel log r] for Z = log P/Q under P; an infinite loss exceeds every r."""
    total = Fraction(0)
    for ratio, mass in loss_masses(P, Q).items():
        order = 1 if ratio == INFINITE else (ratio > r) - (ratio < r)
        holds = {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
                 "==": order == 0}[relation]
        total += mass if holds else 0
    return total


def moment(P, Q, q, zero_power="one"):
    """E_q, the sum of P^q Q^(1-q).

    Outcomes null under both count 0.  At real q an outcome with Q = 0 < P counts oo for q > 1,
    0 for q < 1, and P^1 0^0 at q = 1, where 0^0 is 1 or, with ``zero_power='unclear'``, refused;
    alike for P = 0 < Q at q < 0, q > 0, q = 0.  Complex q: Undefined where the sum diverges.
    """
    total = Fraction(0)
    for p, q_mass in zip(P, Q, strict=True):
        if p == 0 and q_mass == 0:
            continue
        if p > 0 and q_mass > 0:
            term = _term(p, q_mass, q)
        else:
            order = (num(q) - 1) if q_mass == 0 else -num(q)  # the null mass is raised to -order
            if order == 0:
                if zero_power != "one":
                    raise Unclear("0^0 in a moment")
                term = p + q_mass
            elif mp.re(order) > 0:
                if mp.im(order):
                    raise Undefined("a divergent moment of complex order")
                return mp.inf
            elif mp.re(order) == 0:
                raise Unclear("0 to an imaginary power in a moment")
            else:
                term = Fraction(0)
        total = add(total, term)
    return total


def _term(p, q_mass, q):
    if isinstance(q, (int, Fraction)) and Fraction(q).denominator == 1:
        return p ** int(q) * q_mass ** (1 - int(q))
    return mul(q_mass, power(p / q_mass, q))


def product_pair(first, second):
    """(P1 x P2, Q1 x Q2)."""
    (P1, Q1), (P2, Q2) = first, second
    return (tuple(a * b for a, b in product(P1, P2)), tuple(a * b for a, b in product(Q1, Q2)))


def repeated(P, Q, times):
    """The ``times``-fold product, outcomes of one likelihood ratio added up after each factor."""
    found = {Fraction(1): (Fraction(1), Fraction(1))}
    for _ in range(times):
        merged = {}
        for (a, b), (p, q) in product(found.values(), zip(P, Q, strict=True)):
            x, y = a * p, b * q
            if x or y:
                ratio = x / y if y else INFINITE
                old = merged.get(ratio, (Fraction(0), Fraction(0)))
                merged[ratio] = (old[0] + x, old[1] + y)
        found = merged
    return tuple(zip(*found.values(), strict=True))


def post_process(P, Q, channel):
    """Push both members through a stochastic matrix: channel[i][j] = Pr[j | i]."""
    columns = range(len(channel[0]))
    return tuple(
        tuple(sum((m * row[j] for m, row in zip(M, channel, strict=True)), Fraction(0))
              for j in columns)
        for M in (P, Q)
    )


def trade_off(P, Q, level):
    """f_{P|Q}(level) of (11): least 1 - E_Q[phi] over tests with E_P[phi] <= level.

    Neyman-Pearson: reject greedily by the ratio Q/P, splitting one outcome.
    """
    budget, detected = level, Fraction(0)
    rejectable = [(p, q) for p, q in zip(P, Q, strict=True) if q > 0]
    for p, q in sorted(rejectable, key=lambda pq: pq[0] / pq[1]):
        share = Fraction(1) if p <= budget else budget / p
        detected += share * q
        budget -= share * p
    return 1 - detected


def trade_off_by_duality(P, Q, level):
    """The same as max over alpha > 0 of (1 - delta(alpha) - level) / alpha, and 0.

    The maximum of a piecewise linear function of 1/alpha sits at a breakpoint or at an end.
    """
    ratios = {p / q for p, q in zip(P, Q, strict=True) if p > 0 and q > 0}
    null = sum((q for p, q in zip(P, Q, strict=True) if p == 0), Fraction(0))
    at_zero = 1 - null if level == 0 else Fraction(0)
    candidates = [(1 - hockey_stick(P, Q, r) - level) / r for r in ratios]
    return max([Fraction(0), at_zero, *candidates])


def dominates(larger, smaller, above=Fraction(0)):
    """Is the profile of ``larger`` nowhere below that of ``smaller``, for all alpha > ``above``?

    Both are piecewise linear in alpha, 1 at alpha -> 0 and constant after the last breakpoint, so
    the end, the breakpoints of both and one point beyond decide.
    """
    cuts = {p / q for P, Q in (larger, smaller) for p, q in zip(P, Q, strict=True) if p and q}
    cuts = {a for a in cuts if a > above} | ({above} - {0})
    beyond = max(cuts, default=Fraction(1)) + 1
    return all(hockey_stick(*larger, a) >= hockey_stick(*smaller, a) for a in [*cuts, beyond])


def randomized_response(odds, leak):
    """The pair of (38): M(0) and M(1), with odds = e^eps >= 1 and 0 <= leak <= 1."""
    high, low = (1 - leak) * odds / (1 + odds), (1 - leak) / (1 + odds)
    return (leak, high, low, Fraction(0)), (Fraction(0), low, high, leak)


def zero_order(P, Q):
    """A complex order at which E_q of a pair with two full outcomes vanishes, or None."""
    rows = [row for row in zip(P, Q, strict=True) if any(row)]
    if len(rows) != 2 or not all(map(all, rows)) or rows[0][0] == rows[0][1]:
        return None
    P, Q = zip(*rows, strict=True)
    r, s = (num(p / q) for p, q in zip(P, Q, strict=True))
    return (mp.log(num(Q[1] / Q[0])) + mp.pi * 1j) / mp.log(r / s)


def random_pair(rng: random.Random, size=None, continuity="any"):
    """A random pair with small weights; ``continuity``: any, forward, backward, both."""
    size = size or rng.choice((1, 2, 2, 3, 3, 4))
    while True:
        P = [rng.choice((0, 1, 1, 2, 3, 4)) for _ in range(size)]
        Q = [rng.choice((0, 1, 1, 2, 3, 4)) for _ in range(size)]
        for i in range(size):
            if continuity in ("forward", "both") and P[i] and not Q[i]:
                Q[i] = 1
            if continuity in ("backward", "both") and Q[i] and not P[i]:
                P[i] = 1
        if sum(P) and sum(Q):
            break
    return (tuple(Fraction(w, sum(P)) for w in P), tuple(Fraction(w, sum(Q)) for w in Q))
