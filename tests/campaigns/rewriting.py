"""Products of releases, and other ways to write them, for :mod:`tests.campaigns.relations`."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd
from typing import Any

import sympy as sp

import lapdp
from lapdp.privacy import catalogue
from lapdp.theory.parse import parse_mechanism
from tests.campaigns import refusals

Parts = list[tuple[Any, int]]
"""Releases, and how many there are of each."""
FEW = (1, 1, 2, 3, 10, 30)
BUDGETS = ("1/10", "1/2", "1", "2")
POINTS = ("1/10", "1/2", "1", "2", "8", "0", "-1/10", "-1", "-3", "1/1000000", "37/7")
NOTHING = (("1",), ("1/3", "2/3"), ("1/2", "1/4", "1/4"))


def exact(x: Any) -> Any:
    """For SymPy."""
    return sp.Rational(x)


def natural(draw: random.Random) -> tuple[Any, int]:
    """As the campaign of natural queries draws it."""
    text, _, power = refusals.mechanism(draw).partition("**")
    return parse_mechanism(text, catalogue()), int(power or 1)


def seldom(draw: random.Random) -> tuple[Any, int]:
    """What it does not draw."""
    e, s = exact(draw.choice(BUDGETS)), exact(draw.choice(("1/2", "1", "2", "5")))
    p, q = ([draw.randrange(1, 9) for _ in range(3)] for _ in range(2))
    rate = exact(draw.choice(("1/2", "1/10", "1/1000")))
    simple = draw.choice((lapdp.gaussian(s), lapdp.laplace(s), lapdp.randomized_response(e)))
    makers = (
        lambda: lapdp.finite([exact(x) / sum(p) for x in p], [exact(x) / sum(q) for x in q]),
        lambda: lapdp.finite(["1/2", "1/4", "1/4", 0], [0, "1/4", "1/4", "1/2"]),
        lambda: lapdp.kary_response(draw.choice((2, 3, 10)), e),
        lambda: lapdp.randomized_response(e, draw.choice(("1/10", "1/1000"))),
        lambda: lapdp.truncated_laplace(s, draw.choice((2, 5)) * s),
        lambda: lapdp.exponential(1, draw.choice((2, 3))),
        lambda: lapdp.exponential(1, draw.choice(("3/2", 4))).reverse(),
        lambda: lapdp.staircase(e, draw.choice(("1/10", "1/2", "9/10"))),
        lambda: lapdp.laplace(s, 2), lambda: lapdp.gaussian(s, 3),
        lambda: lapdp.geometric(e / 2, 2),
        lambda: lapdp.discrete_gaussian(draw.choice((1, 2)), draw.choice((1, 2, 3))),
        lambda: lapdp.subset(simple, 10, 100, neighbours=draw.choice(
            ("replace", "remove", "add"))),
        lambda: lapdp.poisson(lapdp.geometric(e), rate, direction="remove"),
        lambda: lapdp.poisson(lapdp.exponential_mechanism(e), rate, direction="add"),
        lambda: lapdp.poisson(lapdp.staircase(e), rate, direction="remove"),
        lambda: lapdp.mixture([(rate, simple), (1 - rate, lapdp.laplace(s))], index="published"),
        lambda: lapdp.coarsen(lapdp.laplace(s), [-1 / (2 * s), 0, 1 / (3 * s)]),
        lambda: lapdp.overlapping_mixtures(simple, rate, rate / 3),
        lambda: lapdp.poisson(lapdp.randomized_response(e, "1/100"), rate, direction="add"),
    )
    return draw.choice(makers)(), draw.choice(FEW)


def anywhere(draw: random.Random) -> tuple[Any, int]:
    """As natural ones, with parameters that nobody would choose, and any number of copies."""
    s, e = between(draw, 0.2, 50), between(draw, 0.01, 4)
    simple = draw.choice((lapdp.gaussian(s), lapdp.gaussian(s), lapdp.laplace(s),
                          lapdp.randomized_response(e)))
    makers = (
        lambda: simple, lambda: lapdp.geometric(e), lambda: lapdp.exponential_mechanism(e),
        lambda: lapdp.discrete_gaussian(s if s < 20 else 7), lambda: lapdp.staircase(e),
        *[lambda: lapdp.poisson(simple, between(draw, 1e-7, 0.9), direction=draw.choice(
            ("add", "remove")))] * 6)
    return draw.choice(makers)(), int(between(draw, 1, 10 ** draw.choice((0, 1, 2, 4))))


def alike(draw: random.Random, unit: Any) -> tuple[Any, int]:
    """Losses with corners and atoms at multiples of one number, or next to these."""
    x = unit * exact(draw.choice(("1/3", "1/2", "1", "1", "1", "2", "3")))
    if draw.random() < 0.2:
        x *= 1 + draw.choice((-1, 1)) * exact(10) ** -draw.randrange(2, 40)
    simple = draw.choice((lapdp.laplace(1 / x), lapdp.randomized_response(x)))
    makers = (
        lambda: simple, lambda: lapdp.geometric(x / 2, 2), lambda: lapdp.kary_response(3, x),
        lambda: lapdp.staircase(x), lambda: lapdp.discrete_gaussian(1 / sp.sqrt(x)),
        lambda: lapdp.randomized_response(x, "1/100"), lambda: lapdp.exponential_mechanism(x),
        lambda: lapdp.finite(["2/3", "1/3"], ["1/3", "2/3"]),
        lambda: lapdp.gaussian(between(draw, 0.3, 10)),
        *[lambda: lapdp.poisson(simple, draw.choice(("1/2", "1/10", "1/1000")),
                                direction=draw.choice(("add", "remove")))] * 4)
    return draw.choice(makers)(), draw.choice((*FEW, 100))


def crowded(draw: random.Random) -> tuple[Any, int]:
    """Many losses on a lattice, some of them mostly two steps apart; or a sample beside them."""
    if draw.random() < 0.5:
        noise = draw.choice((lapdp.gaussian, lapdp.gaussian, lapdp.laplace))
        pair = lapdp.poisson(noise(between(draw, 0.4, 20)), between(draw, 1e-6, 0.7),
                             direction=draw.choice(("add", "remove")))
        return pair, int(between(draw, 1, 10 ** draw.choice((0, 1, 2))))
    e = exact(draw.choice(("1/3", "1/2", "1/10")))
    makers = (
        lambda: lapdp.randomized_response(e), lambda: lapdp.kary_response(3, e),
        lambda: lapdp.staircase(e), lambda: lapdp.staircase(e, draw.choice(("9/20", "1/20"))),
        lambda: lapdp.geometric(e, draw.choice((1, 2))), lambda: lapdp.discrete_gaussian(10),
        lambda: lapdp.randomized_response(2 * e), lambda: lapdp.finite(
            ["49/100", "1/50", "49/100"], ["1/3", "1/3", "1/3"]))
    return draw.choice(makers)(), int(between(draw, 10, 1000))


def between(draw: random.Random, low: float, high: float) -> Any:
    """A number with few digits, whose logarithm is uniform."""
    return exact(f"{low * (high / low) ** draw.random():.2g}")


def drawn(draw: random.Random) -> Parts:
    """One to five, some again, or in the other direction."""
    size = draw.choice((1, 1, 2, 2, 3, 3, 4, 5))
    unit = draw.choice((*map(exact, ("1", "1/2", "3/7")), sp.log(2)))
    makers = draw.choice(((natural, natural, natural, seldom), (anywhere,), (natural, anywhere),
                          (lambda d: alike(d, unit),), (crowded,)))
    found = [draw.choice(makers)(draw) for _ in range(size)]
    if draw.random() < 0.4:
        base, count = draw.choice(found)
        again = draw.choice((base, base.reverse()))
        found.append((again, min(draw.choice((1, 2, count)), 10**6)))
    return found


# written otherwise ------------------------------------------------------------------------------


def arranged(draw: random.Random, parts: Parts) -> Any:
    """Their product: in any order, powers in two, powers of powers, in a random tree."""
    pieces: Parts = []
    for base, count in parts:
        if count > 1 and draw.random() < 0.4:
            cut = draw.choice((1, draw.randrange(1, count)))
            pieces += [(base, cut), (base, count - cut)]
        else:
            pieces.append((base, count))
    made = [base**count for base, count in pieces]
    if len(pieces) > 1 and draw.random() < 0.3:
        (a, i), (b, j) = pieces[:2]
        common = gcd(i, j)
        made[:2] = [(a**(i // common) * b**(j // common)) ** common]
    draw.shuffle(made)
    while len(made) > 1:
        j = draw.randrange(len(made) - 1)
        made[j:j + 2] = [made[j] * made[j + 1]]
    return made[0]


def rewritten(draw: random.Random, parts: Parts) -> Parts:
    """One of them by another mechanism with the same loss, or beside one that says nothing."""
    if draw.random() < 0.15:
        masses = draw.choice(NOTHING)
        return [*parts, (lapdp.finite(masses, masses), draw.choice((1, 3)))]
    found = list(parts)
    j = draw.randrange(len(parts))
    found[j:j + 1] = _same(draw, *parts[j])
    return found


def _same(draw: random.Random, base: Any, count: int) -> Parts:
    name = type(base).__name__
    ways: list[Any] = [
        lambda: [(lapdp.poisson(base, 1, direction=draw.choice(("remove", "add"))), count)
                 if base == base.reverse() else (lapdp.poisson(base, 1, direction="remove"),
                                                 count)],
        lambda: [(base.reverse().reverse(), count)]]
    if count < 100:
        ways.append(lambda: [(lapdp.mixture(
            [("1/3", base), ("2/3", base)], index="published"), 1), (base, count - 1)][:count])
    if name == "Gaussian":
        s = base.sigma / base.sensitivity
        ways += [lambda: [(lapdp.gaussian(5 * s / 3), count), (lapdp.gaussian(5 * s / 4), count)],
                 lambda: [(lapdp.gaussian(3 * s, 3), count)],
                 lambda: [(lapdp.gaussian(2 * s), 4 * count)],
                 lambda: [(lapdp.gaussian(s / sp.sqrt(count)), 1)]]
    if name == "Laplace":
        ways.append(lambda: [(lapdp.laplace(7 * base.scale, 7 * base.sensitivity), count)])
    if name == "Geometric" and base.sensitivity == 1:
        ways += [lambda: [(lapdp.randomized_response(base.eps), count)],
                 lambda: [(lapdp.kary_response(2, base.eps), count)]]
    if name == "RandomizedResponse" and base.leak == 0:
        ways += [lambda: [(lapdp.geometric(base.eps), count)],
                 lambda: [(lapdp.kary_response(2, base.eps), count)]]
    if name == "TruncatedLaplace":
        ways.append(lambda: [(lapdp.truncated_laplace(
            2 * base.scale, 2 * base.bound, 2 * base.sensitivity), count)])
    if name == "FinitePair":
        # the first outcome in two, in other order
        (p, q), *rest = base.masses
        rows = [*rest, (p / 3, q / 3), (2 * p / 3, 2 * q / 3)]
        ways.append(lambda: [(lapdp.finite([x for x, _ in rows], [y for _, y in rows]), count)])
    return draw.choice(ways)()


def less(draw: random.Random, base: Any) -> Any:
    """A release that says less in both directions, or None."""
    factor = Fraction(draw.choice((11, 13, 20)), 10)
    name = type(base).__name__
    if name == "Gaussian":
        return lapdp.gaussian(base.sigma * exact(factor), base.sensitivity)
    if name == "Laplace":
        return lapdp.laplace(base.scale * exact(factor), base.sensitivity)
    if name in ("Geometric", "RandomizedResponse", "ExponentialMechanism") and draw.random() < 0.9:
        more = (base.leak,) if name == "RandomizedResponse" else (
            base.sensitivity,) if name == "Geometric" else ()
        return type(base)(base.eps / exact(factor), *more)
    # of what is told only a part
    other = lapdp.finite(["1/2", "1/2"], ["1/2", "1/2"])
    return lapdp.adaptive(other, [base, lapdp.finite([1], [1])])


# places -----------------------------------------------------------------------------------------


def places(draw: random.Random, parts: Parts) -> list[Any]:
    """Some eps: as people ask, 0, negative ones, sums of the eps of responses, ends of the range.
    """
    found = [*(exact(x) for x in POINTS), *(between(draw, 1e-4, 20) for _ in range(5))]
    budgets = [(e, k) for base, k in parts
               if (e := getattr(base, "eps", _top(base))) not in (sp.oo, None)]
    for _ in range(4 if budgets else 0):
        there = sum((draw.randrange(-min(k, 6), min(k, 6) + 1) * e for e, k in budgets),
                    sp.Integer(0))
        found += [there, there + draw.choice((-1, 1)) * exact(10) ** -draw.randrange(3, 40)]
    top = sum((k * _top(base) for base, k in parts), sp.Integer(0))
    if top.is_finite and sum(k for _, k in parts) < 10**4:
        found += [top, top - exact("1/1000"), top * exact("9/10"), top + 1, -top,
                  top - exact(1) / 10**20]
    return found


def _top(base: Any) -> Any:
    """The largest loss of some mechanisms, infinite for the others."""
    name = type(base).__name__
    if name in ("Geometric", "RandomizedResponse", "ExponentialMechanism", "KaryResponse"):
        return base.eps * (base.sensitivity if name == "Geometric" else 1)
    if name == "Laplace":
        return base.sensitivity / base.scale
    if name == "FinitePair" and all(q for p, q in base.masses if p):
        return sp.log(max(p / q for p, q in base.masses if p))
    return sp.oo


__all__ = ["Parts", "arranged", "drawn", "less", "places", "rewritten"]
