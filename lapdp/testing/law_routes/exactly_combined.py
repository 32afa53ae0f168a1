"""Laws of conversions, products, samples and mixtures of finite pairs, in Fractions.

Profiles are piecewise linear in alpha = e^eps, so that the breakpoints of all profiles of a law,
and points between them, decide it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp

from lapdp.privacy.adaptive import adaptive, mixture
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.privacy.subsampled import poisson
from lapdp.testing.law_routes.exactly import PARTNER, as_finite, first, places

ORDERS = (-2, -1, 0, 1, 2, 3)
RATE = Fraction(1, 4)
ZERO, ONE = Fraction(0), Fraction(1)


def through_loss(pair: Pair) -> str:
    """The profile from the masses of the loss."""
    p = as_finite(pair)

    def mean(alpha: Fraction) -> Fraction:
        return sum((m if r is None else max(ZERO, 1 - alpha / r) * m for r, m in p.loss_masses()),
                   ZERO)

    return first(f"the mean over the loss is {mean(a)} and the profile {p.hockey_stick(a)} at "
                 f"alpha = {a}" for a in places(p) if mean(a) != p.hockey_stick(a))


def through_tradeoff(pair: Pair) -> str:
    """The profile as the conjugate of the trade-off function: its vertices decide."""
    p = as_finite(pair)
    vertices = _vertices(p)

    def conjugate(alpha: Fraction) -> Fraction:
        return max(1 - x - alpha * y for x, y in vertices)

    return first(f"duality gives {conjugate(a)} and the profile is {p.hockey_stick(a)} at alpha = "
                 f"{a}" for a in places(p) if conjugate(a) != p.hockey_stick(a))


def from_profile(pair: Pair) -> str:
    """E_2 - 1 is twice the area between the profile and (1 - alpha)+ over alpha > 0."""
    p = as_finite(pair)
    ends = sorted({ZERO, ONE, *p.breakpoints()})
    above = [p.hockey_stick(a) - max(ZERO, 1 - a) if a else ZERO for a in ends]
    area = sum(((b - a) * (u + v) / 2 for (a, b), (u, v) in zip(pairwise(ends), pairwise(above),
                                                                strict=True)), ZERO)
    wanted = 1 + 2 * area if p.absolutely_continuous else sp.oo
    return "" if p.moment(2) == wanted else f"the profile gives {wanted} and E_2 is {p.moment(2)}"


def inverse(pair: Pair) -> str:
    """f_{Q|P}(y) is the least level x with f_{P|Q}(x) <= y."""
    p = as_finite(pair)
    vertices, backward = _vertices(p), p.reverse().tradeoff
    heights = sorted({ZERO, ONE, *(y for _, y in vertices)})
    heights += [(a + b) / 2 for a, b in pairwise(heights)]
    return first(f"the error {y} is reached from level {_reached(vertices, y)} on, and "
                 f"f_(Q|P)({y}) = {backward(y)}" for y in heights
                 if _reached(vertices, y) != _fraction(backward(y)))


def moments_reversed(pair: Pair) -> str:
    """E_q(P||Q) = E_(1-q)(Q||P) at whole orders, oo included."""
    p = as_finite(pair)
    backward = as_finite(p.reverse())
    return first(f"E_q fails at q = {q}" for q in ORDERS if p.moment(q) != backward.moment(1 - q))


def commutes(pair: Pair, other: Pair | None = None) -> str:
    """Both orders of the factors."""
    p, o = _both(pair, other)
    one, two = as_finite(p * o), as_finite(o * p)
    return _same(one, two, "the factors in the other order have another profile")


def associates(pair: Pair, other: Pair | None = None, third: Pair | None = None) -> str:
    """Both bracketings."""
    p, o = _both(pair, other)
    r = as_finite(third or PARTNER.reverse())
    return _same(as_finite(as_finite(p * o) * r), as_finite(p * as_finite(o * r)),
                 "other brackets give another profile")


def tensor(pair: Pair, other: Pair | None = None) -> str:
    """The trade-off function of the product by duality; below that of the factor."""
    p, o = _both(pair, other)
    product = as_finite(p * o)
    cuts = product.breakpoints()
    levels = [Fraction(k, 8) for k in range(9)]

    def dual(x: Fraction) -> Fraction:
        return max([ZERO, *((1 - x - product.hockey_stick(a)) / a for a in cuts)])

    found = {x: _fraction(product.tradeoff(x)) for x in levels}
    return first(f"f({x}) = {y} for the product, {dual(x)} by duality, {p.tradeoff(x)} for a factor"
                 for x, y in found.items() if y != dual(x) or y > _fraction(p.tradeoff(x)))


def adaptive_composition(pair: Pair, other: Pair | None = None) -> str:
    """Second releases that are the other pair or a view of it, chosen by the first outcome."""
    p, o = _both(pair, other)
    views = [o, _joined(o)]
    then = [views[k % 2] for k in range(len(p.masses))]
    joint, product = as_finite(adaptive(p, then)), as_finite(p * o)

    def mean(alpha: Fraction) -> Fraction:
        return sum((a * (second.hockey_stick(alpha * b / a) if b else ONE)
                    for (a, b), second in zip(p.masses, then, strict=True) if a), ZERO)

    if not product.profile_dominates(joint):
        return "the product with the dominating pair does not dominate the adaptive releases"
    return first(f"the mean over the first outcomes is {mean(a)} and the profile "
                 f"{joint.hockey_stick(a)} at alpha = {a}" for a in places(joint)
                 if mean(a) != joint.hockey_stick(a))


def dominance_kept(pair: Pair, other: Pair | None = None) -> str:
    """A view of the pair, in a product with another pair."""
    p, o = _both(pair, other)
    kept = as_finite(p * o).profile_dominates(as_finite(_joined(p) * o))
    return "" if kept else "the product with a view of the pair is not dominated"


def renyi_dominance(pair: Pair) -> str:
    """The moments of a view at whole orders outside [0, 1]."""
    p = as_finite(pair)
    view = _joined(p)
    return first(f"E_q of a view is larger at q = {q}" for q in ORDERS
                 if not 0 <= q <= 1 and not view.moment(q) <= p.moment(q))


def remove(pair: Pair, rate: Fraction = RATE) -> str:
    """delta(1 + rate (alpha - 1)) of the sample is rate delta(alpha), and 1 - alpha below."""
    p = as_finite(pair)
    sample = as_finite(poisson(p, rate, direction="remove"))

    def claimed(alpha: Fraction) -> Fraction:
        inside = (alpha - 1 + rate) / rate if rate else ZERO
        return rate * p.hockey_stick(inside) if inside > 0 else max(ZERO, 1 - alpha)

    at = sorted({*places(sample), *(1 + rate * (a - 1) for a in places(p))} - {ZERO})
    return first(f"the profile of the sample is {sample.hockey_stick(a)} at alpha = {a}, and not "
                 f"{claimed(a)}" for a in at if sample.hockey_stick(a) != claimed(a))


def add(pair: Pair, rate: Fraction = RATE) -> str:
    """The profile for addition from that for removal by (7); it vanishes from 1/(1 - rate) on."""
    p = as_finite(pair)
    one, two = (as_finite(poisson(p, rate, direction=d)) for d in ("remove", "add"))
    if rate < 1 and two.hockey_stick(1 / (1 - rate)):
        return f"the profile for addition is positive at alpha = {1 / (1 - rate)}"
    return first(f"(7) fails between removal and addition at alpha = {a}" for a in places(one, two)
                 if two.hockey_stick(a) != 1 - a + a * one.hockey_stick(1 / a))


def joint_convexity(pair: Pair, other: Pair | None = None, rate: Fraction = RATE) -> str:
    """A hidden choice between two pairs on the same outcomes."""
    p, o = (_padded(x, max(len(y.masses) for y in _both(pair, other))) for x in _both(pair, other))
    mixed = as_finite(mixture([(rate, p), (1 - rate, o)], index="hidden"))
    return first(f"the profile of the mixture exceeds the mean at alpha = {a}"
                 for a in places(mixed, p, o) if mixed.hockey_stick(a)
                 > rate * p.hockey_stick(a) + (1 - rate) * o.hockey_stick(a))


def _both(pair: Pair, other: Pair | None) -> tuple[FinitePair, FinitePair]:
    return as_finite(pair), as_finite(PARTNER if other is None else other)


def _same(one: FinitePair, two: FinitePair, why: str) -> str:
    return first(f"{why} at alpha = {a}" for a in places(one, two)
                 if one.hockey_stick(a) != two.hockey_stick(a))


def _joined(p: FinitePair) -> FinitePair:
    """The view in which the first outcome and the last look alike."""
    last = len(p.masses) - 1
    return p.post_process([[int(j == i % max(last, 1)) for j in range(max(last, 1))]
                           for i in range(last + 1)])


def _padded(p: FinitePair, size: int) -> FinitePair:
    return FinitePair(p.masses + ((ZERO, ZERO),) * (size - len(p.masses)))


def _vertices(p: FinitePair) -> list[tuple[Fraction, Fraction]]:
    return [(_fraction(x), _fraction(y)) for x, y in p.tradeoff.vertices]


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def _reached(vertices: Sequence[tuple[Fraction, Fraction]], y: Fraction) -> Fraction:
    """The least level at which a falling piecewise linear function is at most y."""
    before = vertices[0]
    for x, height in vertices:
        if height <= y:
            if (x, height) == before:
                return x
            return x - (y - height) * (x - before[0]) / (before[1] - height)
        before = (x, height)
    return ONE


__all__ = ["adaptive_composition", "add", "associates", "commutes", "dominance_kept",
           "from_profile", "inverse", "joint_convexity", "moments_reversed", "remove",
           "renyi_dominance", "tensor", "through_loss", "through_tradeoff"]
