"""More references for :mod:`tests.campaigns.references`: the rest of the catalogue, from densities.

Each profile is written from the definition of its mechanism: by the place at which two densities
are in the ratio e^t and two distribution functions there, by masses of a few outcomes in any
number, or by laws of mixtures; numbers of mpmath at its working precision.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import mpmath as mp
import sympy as sp

import lapdp
from tests.campaigns.references import (
    Case,
    Profile,
    added,
    fraction,
    laplace,
    masses,
    normal,
    number,
    rational,
    removed,
)

Rows = Callable[[], list[tuple[Any, Any]]]
"""Masses under P and Q at the working precision."""


# profiles ---------------------------------------------------------------------------------------


def mirrored(one: Profile) -> Profile:
    """The profile at t >= 0, the same in both directions: E_Q[max(0, 1 - e^t p/q)] is 1 - e^t +
    e^t delta(-t)."""
    return lambda t: one(t) if t >= 0 else -mp.expm1(t) + mp.exp(t) * one(-t)


def logistic(eps: Fraction) -> Profile:
    """Logistic laws at 0 and at eps: (1 + e^(x - eps)) e^(eps/2) = e^(t/2) (1 + e^x) at the cut."""
    def at(t: Any) -> Any:
        e = number(eps)
        if t >= e:
            return mp.mpf(0)
        if t <= -e:
            return -mp.expm1(t)
        y = (mp.exp(e / 2) - mp.exp(t / 2)) / (mp.exp(t / 2) - mp.exp(-e / 2))
        return y / (1 + y) - mp.exp(t) * y / (mp.exp(e) + y)
    return at


def truncated(shift: Fraction, bound: Fraction) -> Profile:
    """Laplace noise of scale 1 on [-bound, bound] at 0 and at a shift of at most that."""
    def at(t: Any) -> Any:
        a, b = number(shift), number(bound)
        whole = 2 * -mp.expm1(-b)

        def below(x: Any) -> Any:
            if x <= -b:
                return mp.mpf(0)
            return (mp.exp(x) - mp.exp(-b)) / whole if x <= 0 else 1 - below(-x)

        if t >= a:
            # beyond all losses there is what P has alone
            return below(a - b)
        x = b if t <= -a else (a - t) / 2
        return below(x) - mp.exp(t) * below(x - a)
    return at


def exponentials(a: Fraction, b: Fraction) -> Profile:
    """Rates a of P and b of Q: the ratio of the densities rises with x where a < b, else falls."""
    def at(t: Any) -> Any:
        p, q, scale = number(a), number(b), mp.exp(t)
        x = max((t - mp.log(p / q)) / (q - p), mp.mpf(0))
        if a < b:
            return mp.exp(-p * x) - scale * mp.exp(-q * x)
        return -mp.expm1(-p * x) + scale * mp.expm1(-q * x)
    return at


def counted(rows: Rows, copies: int) -> Profile:
    """Copies of up to four outcomes, by how often each occurs; a Q-mass may be 0."""
    def at(t: Any) -> Any:
        found, scale = mp.mpf(0), mp.exp(t)
        given = rows()

        def add(left: int, j: int, p: Any, q: Any) -> None:
            nonlocal found
            if j == len(given) - 1:
                found += max(p * given[j][0] ** left - scale * q * given[j][1] ** left, mp.mpf(0))
                return
            for n in range(left + 1):
                ways = comb(left, n)
                add(left - n, j + 1, p * ways * given[j][0] ** n, q * ways * given[j][1] ** n)

        add(copies, 0, mp.mpf(1), mp.mpf(1))
        return found
    return at


def overlapping(w: Fraction, v: Fraction, one: Profile) -> Profile:
    """w P + (1 - w) Q against v P + (1 - v) Q, w > v: E_Q[max(0, x p/q - y)]."""
    def at(t: Any) -> Any:
        high, low, scale = number(w), number(v), mp.exp(t)
        x, y = high - scale * low, scale * (1 - low) - (1 - high)
        if x <= 0:
            return mp.mpf(0)
        return x * one(mp.log(y / x)) if y > 0 else x - y
    return at


# cases ------------------------------------------------------------------------------------------


def logistics(draw: random.Random) -> Case:
    """The exponential mechanism, sampled or not."""
    eps = fraction(draw, "1/100", "1/2", "1", "3")
    return _sampled(draw, lapdp.exponential_mechanism(rational(eps)), logistic(eps),
                    "exponential mechanism")


def truncations(draw: random.Random) -> Case:
    """Truncated Laplace noise, sampled or not."""
    scale, bound = fraction(draw, "1/2", "1", "4"), fraction(draw, "3/2", "3", "10")
    pair = lapdp.truncated_laplace(rational(scale), rational(bound))
    return _sampled(draw, pair, truncated(1 / scale, bound / scale), "truncated laplace")


def exponential_laws(draw: random.Random) -> Case:
    """Two exponential distributions."""
    a = fraction(draw, "1/2", "1", "3")
    b = a * draw.choice((Fraction(4, 3), Fraction(3, 2), 2, 3, 6))
    pair = lapdp.exponential(rational(a), rational(b))
    if draw.random() < 0.5:
        return pair, exponentials(a, b), "exponential"
    return pair.reverse(), exponentials(b, a), "exponential reversed"


def staircases(draw: random.Random) -> Case:
    """Staircase noise, its steps where they are best, in any number."""
    eps, copies = fraction(draw, "1/10", "1", "3"), draw.choice((1, 2, 5, 12))

    def rows() -> list[tuple[Any, Any]]:
        fall = mp.exp(-number(eps))
        step = 1 / (1 + mp.exp(number(eps) / 2))
        top = (1 - fall) / (2 * (step + fall * (1 - step)))
        # left of both centres, right of both, and on [0, 1] with steps at g and 1 - g, g < 1/2
        return [(mp.mpf(1) / 2, fall / 2), (fall / 2, mp.mpf(1) / 2),
                (top * step, top * step * fall), (top * step * fall, top * step),
                (top * fall * (1 - 2 * step), top * fall * (1 - 2 * step))]

    return (lapdp.staircase(rational(eps)) ** copies, counted(lambda: _joined(rows()), copies),
            "staircase")


def kary(draw: random.Random) -> Case:
    """Responses among k answers with rational odds, in any number."""
    k, odds, copies = draw.choice((2, 3, 10, 50)), 1 + fraction(draw, "1/10", "1", "5"), (
        draw.choice((1, 2, 5, 12)))

    def rows() -> list[tuple[Any, Any]]:
        e = number(odds)
        other = 1 / (e + k - 1)
        return [(e * other, other), (other, e * other), ((k - 2) * other, (k - 2) * other)]

    return (lapdp.kary_response(k, sp.log(rational(odds))) ** copies, counted(rows, copies),
            "kary response")


def guarantees(draw: random.Random) -> Case:
    """All that is known is (eps, delta), in any number."""
    eps, lost = fraction(draw, "1/10", "1"), fraction(draw, "1/10", "1/1000", "1/1000000")
    copies = draw.choice((1, 2, 5, 12))

    def rows() -> list[tuple[Any, Any]]:
        e, d = mp.exp(number(eps)), number(lost)
        rest = (1 - d) / (1 + e)
        return [(d, mp.mpf(0)), (mp.mpf(0), d), (e * rest, rest), (rest, e * rest)]

    pair = lapdp.approximate_dp(rational(eps), rational(lost))
    return pair**copies, counted(rows, copies), "approximate dp"


def mixtures(draw: random.Random) -> Case:
    """A published coin, adaptive releases, or overlapping mixtures of a simple pair."""
    (pair, one), (other, two) = _simple(draw), _simple(draw)
    kind = draw.choice(("mixture", "adaptive", "overlapping mixtures"))
    if kind == "mixture":
        w = fraction(draw, "1/10", "1/2")
        return (lapdp.mixture([(rational(w), pair), (rational(1 - w), other)], index="published"),
                lambda t: number(w) * one(t) + number(1 - w) * two(t), kind)
    if kind == "adaptive":
        rows = masses(draw)[:2]
        rows[1] = (1 - rows[0][0], 1 - rows[0][1])
        first = lapdp.finite([p for p, _ in rows], [q for _, q in rows])
        return (lapdp.adaptive(first, [pair, other]), lambda t: sum(
            number(p) * profile(t - mp.log(number(p / q)))
            for (p, q), profile in zip(rows, (one, two), strict=True)), kind)
    v = fraction(draw, "1/10", "1/100")
    w = v + fraction(draw, "1/10", "1/2")
    return lapdp.overlapping_mixtures(pair, rational(w), rational(v)), overlapping(w, v, one), kind


def samples(draw: random.Random) -> Case:
    """Samples without replacement, and pairs that are made symmetric."""
    (pair, one), size = _simple(draw), draw.choice((1, 10, 30))
    rate = Fraction(size, 100)
    kind = draw.choice(("remove", "add", "replace", "symmetrized"))
    if kind == "symmetrized":
        return (lapdp.symmetrized(lapdp.poisson(pair, rational(rate), direction="remove")),
                mirrored(removed(rate, one)), kind)
    profile = {"remove": removed(rate, one), "add": added(rate, one),
               "replace": mirrored(removed(rate, one))}[kind]
    return lapdp.subset(pair, size, 100, neighbours=kind), profile, "subset"


def coarse(draw: random.Random) -> Case:
    """Laplace noise of which only an interval of the loss is told."""
    scale = fraction(draw, "1/2", "1", "4")
    end = 1 / scale
    cuts = sorted({end * Fraction(draw.randrange(-9, 10), 10) for _ in range(3)})

    def at(t: Any) -> Any:
        # P and Q of a loss above z: the noise lies left of (end - z)/2
        above = [(mp.mpf(1), mp.mpf(1)), *((1 - mp.exp(-number(end - z) / 2) / 2,
                                            mp.exp(-number(end + z) / 2) / 2) for z in cuts),
                 (mp.mpf(0), mp.mpf(0))]
        gaps = [(p - x) - mp.exp(t) * (q - y)
                for (p, q), (x, y) in pairwise(above)]
        return sum((gap for gap in gaps if gap > 0), mp.mpf(0))

    return lapdp.coarsen(lapdp.laplace(rational(scale)), [rational(z) for z in cuts]), at, "coarsen"


def _joined(rows: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Three outcomes from those of staircase noise: two have each of the losses eps and -eps."""
    (a, b), (c, d), (e, f), (g, h), rest = rows
    return [(a + e, b + f), (c + g, d + h), rest]


def _simple(draw: random.Random) -> tuple[Any, Profile]:
    """A Laplace or a Gaussian pair."""
    if draw.random() < 0.5:
        scale = fraction(draw, "1/2", "1", "5")
        return lapdp.laplace(rational(scale)), laplace(scale)
    sigma = fraction(draw, "1/2", "1", "5")
    return lapdp.gaussian(rational(sigma)), normal(1 / (2 * sigma**2))


def _sampled(draw: random.Random, pair: Any, one: Profile, name: str) -> Case:
    """As it is, reversed, which is the same for these, or on a Poisson sample."""
    kind, rate = draw.choice(("whole", "remove", "add")), fraction(draw, "1/2", "1/10", "1/1000")
    if kind == "whole":
        return draw.choice((pair, pair.reverse())), one, name
    profile = removed(rate, one) if kind == "remove" else added(rate, one)
    return lapdp.poisson(pair, rational(rate), direction=kind), profile, f"sampled {name}"


FAMILIES = (logistics, truncations, exponential_laws, staircases, kary, guarantees, mixtures,
            samples, coarse)
