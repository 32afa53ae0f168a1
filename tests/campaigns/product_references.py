"""More references for :mod:`tests.campaigns.references`: products of up to five, however written.

All factors but one have outcomes that can be listed: responses, geometric noise, staircases, k-ary
responses, discrete Gaussians, finite pairs with and without infinite losses; reversed, or on a
Poisson sample, which changes the masses alone.  Their joint masses are products, with the binomial
and multinomial numbers of many copies.  The one that is left has any profile of the other
references, taken at the eps less the loss of each outcome.
Factors come in any order, again in the other direction, equal ones apart, in powers of powers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import mpmath as mp
import sympy as sp

import lapdp
from tests.campaigns import catalogue_references as others
from tests.campaigns import references
from tests.campaigns.references import Profile, fraction, number, rational
from tests.campaigns.rewriting import arranged

MOST = 1500
"""Outcomes of a product, of one kind each."""
WIDE = 30
"""Deviations of a discrete Gaussian beyond which masses are below 1e-195."""
Row = tuple[Any, Any]
Rows = Callable[[], list[Row]]
"""Masses under P and Q at the working precision."""


@dataclass(frozen=True)
class Listed:
    """A release by its outcomes."""

    pair: Any
    rows: Rows
    losses: tuple[Any, ...] = ()
    """Some, exactly; the largest finite one is among them, if any is."""
    masses: tuple[tuple[Fraction, Fraction], ...] = ()
    """Those that are rational."""
    places: tuple[int, ...] = ()
    """Of the outcomes on a lattice."""

    def reversed(self) -> Listed:
        """(Q, P)."""
        return Listed(self.pair.reverse(), lambda: [(q, p) for p, q in self.rows()],
                      tuple(-x for x in self.losses), tuple((q, p) for p, q in self.masses),
                      self.places)

    def sampled(self, rate: Fraction, direction: str) -> Listed:
        """((1 - w) Q + w P, Q), or that reversed."""
        pair = lapdp.poisson(self.pair, rational(rate), direction=direction)
        add = direction == "add"

        def mixed(rows: Any, w: Any) -> list[Row]:
            found = [((1 - w) * q + w * p, q) for p, q in rows]
            return [(q, p) for p, q in found] if add else found

        w, sign = rational(rate), -1 if add else 1
        return Listed(pair, lambda: mixed(self.rows(), number(rate)),
                      tuple(sign * sp.log(1 - w + w * sp.exp(x)) for x in self.losses),
                      tuple(mixed(self.masses, rate)))


def multiplied(rows: list[Row], more: list[Row]) -> list[Row]:
    """Of two independent releases."""
    return [(p * x, q * y) for p, q in rows for x, y in more]


def many(rows: list[Row], copies: int) -> list[Row]:
    """By how often each outcome occurs, in copies of so many releases."""
    if len(rows) == 1:
        return [(rows[0][0] ** copies, rows[0][1] ** copies)]
    (p, q), rest = rows[0], rows[1:]
    found, ways = [], 1
    for n in range(copies + 1):
        found += [(ways * p**n * x, ways * q**n * y) for x, y in (
            many(rest, copies - n) if n < copies else [(1, 1)])]
        ways = ways * (copies - n) // (n + 1)
    return found


def on_lattice(rows: list[Row], places: tuple[int, ...], copies: int) -> list[Row]:
    """The same, outcomes of equal losses together."""
    def joined(one: dict[int, Row], other: dict[int, Row]) -> dict[int, Row]:
        found: dict[int, Row] = {}
        for (n, (p, q)), (m, (x, y)) in product(one.items(), other.items()):
            old = found.get(n + m, (0, 0))
            found[n + m] = old[0] + p * x, old[1] + q * y
        return found

    single, found = dict(zip(places, rows, strict=True)), {0: (mp.mpf(1), mp.mpf(1))}
    for bit in f"{copies:b}":
        found = joined(found, found)
        if bit == "1":
            found = joined(found, single)
    return list(found.values())


def joint(parts: list[tuple[Listed, int]], other: Profile | None) -> Profile:
    """The profile of all of them."""
    kept: dict[int, list[Row]] = {}

    def at(t: Any) -> Any:
        if mp.mp.prec not in kept:
            rows: list[Row] = [(mp.mpf(1), mp.mpf(1))]
            for part, copies in parts:
                rows = multiplied(rows, on_lattice(part.rows(), part.places, copies)
                                  if part.places else many(part.rows(), copies))
            kept[mp.mp.prec] = rows
        scale = mp.exp(t)
        if other is None:
            return sum((max(p - scale * q, 0) for p, q in kept[mp.mp.prec]), mp.mpf(0))
        return sum((p * other(t - mp.log(p / q)) if q else p
                    for p, q in kept[mp.mp.prec] if p), mp.mpf(0))
    return at


# listed -----------------------------------------------------------------------------------------


def responses(draw: random.Random) -> Listed:
    """Responses, with infinite losses now and then."""
    eps, lost = fraction(draw, "1/10", "1/2", "2"), draw.choice((Fraction(0), Fraction(1, 50)))

    def rows() -> list[Row]:
        e = mp.exp(number(eps))
        high, low, d = (1 - number(lost)) * e / (1 + e), (1 - number(lost)) / (1 + e), number(lost)
        return [(high, low), (low, high), *([(d, mp.mpf(0)), (mp.mpf(0), d)] if lost else [])]

    make = draw.choice((lapdp.randomized_response, lapdp.approximate_dp))
    return Listed(make(rational(eps), rational(lost)), rows, (rational(eps), -rational(eps)))


def geometric(draw: random.Random) -> Listed:
    """Geometric noise at a distance of up to three."""
    eps, far = draw.choice((Fraction(1, 2), fraction(draw, "1/10", "1"))), draw.choice((1, 1, 2, 3))

    def rows() -> list[Row]:
        r = mp.exp(-number(eps))
        top, side = (1 - r) / (1 + r), 1 / (1 + r)
        between = [(top * r**x, top * r ** (far - x)) for x in range(1, far)]
        return [(side, side * r**far), *between, (side * r**far, side)]

    return Listed(lapdp.geometric(rational(eps), far), rows,
                  tuple(rational(eps) * (far - 2 * x) for x in range(far + 1)),
                  places=tuple(range(far + 1)))


def kary(draw: random.Random) -> Listed:
    """One of a few answers."""
    k, odds = draw.choice((2, 3, 7)), 1 + fraction(draw, "1/10", "1", "5")
    other = 1 / (odds + k - 1)
    masses = [(odds * other, other), (other, odds * other), ((k - 2) * other, (k - 2) * other)]
    masses = masses[:2 if k == 2 else 3]
    eps = sp.log(rational(odds))
    return Listed(lapdp.kary_response(k, eps), _exactly(masses), (eps, -eps), tuple(masses),
                  (1, -1, 0)[:len(masses)])


def staircase(draw: random.Random) -> Listed:
    """Its steps anywhere."""
    eps, step = fraction(draw, "1/10", "1"), Fraction(draw.randrange(11), 10)

    def rows() -> list[Row]:
        fall, g = mp.exp(-number(eps)), number(step)
        top = (1 - fall) / (2 * (g + fall * (1 - g)))
        # left of both centres or beside that of P, right of both or beside that of Q, between
        edge, height = min(g, 1 - g) * top, top if g > mp.mpf(1) / 2 else top * fall
        high, middle = mp.mpf(1) / 2 + edge, abs(1 - 2 * g) * height
        return [(high, high * fall), (high * fall, high), (middle, middle)]

    return Listed(lapdp.staircase(rational(eps), rational(step)), rows,
                  (rational(eps), -rational(eps)), places=(1, -1, 0))


def finite(draw: random.Random) -> Listed:
    """Two to four outcomes, some of which one side never shows."""
    size, least = draw.choice((2, 2, 3, 4)), draw.choice((0, 1, 1))
    while True:
        a, b = ([draw.randrange(least, 12) for _ in range(size)] for _ in range(2))
        if any(x * y for x, y in zip(a, b, strict=True)):
            break
    masses = [(Fraction(x, sum(a)), Fraction(y, sum(b))) for x, y in zip(a, b, strict=True)]
    losses = tuple(sp.log(rational(p / q)) for p, q in masses if p * q)
    pair = lapdp.finite([p for p, _ in masses], [q for _, q in masses])
    return Listed(pair, _exactly(masses), losses, tuple(masses))


def discrete(draw: random.Random) -> Listed:
    """Discrete Gaussians at a distance of one or two."""
    sigma, far = draw.choice((Fraction(1, 2), Fraction(1), Fraction(3, 2))), draw.choice((1, 2))
    end = int(WIDE * sigma) + 3

    def rows() -> list[Row]:
        def size(n: int) -> Any:
            return mp.exp(-mp.mpf(n * n) / (2 * number(sigma) ** 2))

        whole = sum(map(size, range(-2 * end, 2 * end + 1)))
        return [(size(n) / whole, size(n - far) / whole) for n in range(-end, end + far + 1)]

    d = rational(far / sigma**2)
    return Listed(lapdp.discrete_gaussian(rational(sigma), far), rows, (
        d * far / 2, -d * far / 2, -d * (far + 2) / 2))


def _exactly(masses: list[tuple[Fraction, Fraction]]) -> Rows:
    return lambda: [(number(p), number(q)) for p, q in masses]


LISTED = (responses, geometric, kary, staircase, finite, finite, discrete)


def listed(draw: random.Random) -> Listed:
    """One of these, as it is, reversed or sampled, which may be done again."""
    found = draw.choice(LISTED)(draw)
    if draw.random() < 0.3:
        found = found.sampled(fraction(draw, "1/2", "1/10", "1/1000"),
                              draw.choice(("add", "remove")))
    return found.reversed() if draw.random() < 0.2 else found


# cases ------------------------------------------------------------------------------------------


def products(draw: random.Random) -> Any:
    """One to five, of which one may have a density."""
    continuous = draw.random() < 0.5
    families = (references.gaussians, references.laplaces, references.sampled, others.logistics,
                others.truncations, others.exponential_laws, others.mixtures, others.samples)
    parts: list[tuple[Listed, int]] = []
    for _ in range(draw.choice((1, 2, 2, 3, 4))):
        part = listed(draw)
        parts.append((part, draw.choice((1, 1, 2, 3, 6, 12, 40, 150))))
    if draw.random() < 0.5:
        part, copies = draw.choice(parts)
        parts.append((draw.choice((part, part.reversed())), draw.choice((1, 2, copies))))
    while prod(_size(part, copies) for part, copies in parts) > MOST // (4 if continuous else 1):
        j = max(range(len(parts)), key=lambda j: _size(*parts[j]))
        part, copies = parts.pop(j)
        if copies > 1:
            parts.append((part, copies // 2))
    written = [(part.pair, copies) for part, copies in parts]
    other, name = None, "listed"
    if continuous or not parts:
        pair, other, name = draw.choice(families)(draw)
        written.append((pair, 1))
    sums = [sp.Add(*(draw.choice(part.losses) * draw.randrange(copies + 1)
                     for part, copies in parts if part.losses)) for _ in range(3)]
    ends = [sp.Add(*(copies * sp.Max(*part.losses) for part, copies in parts if part.losses))]
    return (arranged(draw, written), joint(parts, other), f"products: {name}",
            Special(tuple(sums + ends), _levels(draw, parts) if other is None else ()))


@dataclass(frozen=True)
class Special:
    """Places where something happens: eps, and levels."""

    points: tuple[Any, ...]
    levels: tuple[Fraction, ...]


def _size(part: Listed, copies: int) -> int:
    if part.places:
        return (max(part.places) - min(part.places)) * copies + 1
    with mp.workdps(15):
        kinds = len(part.rows())
    return int(sp.binomial(copies + kinds - 1, kinds - 1))


def _levels(draw: random.Random, parts: list[tuple[Listed, int]]) -> tuple[Fraction, ...]:
    """delta at losses of rational pairs, 0 and the mass of infinite losses."""
    if not all(part.masses for part, _ in parts):
        return ()
    rows: list[Row] = [(Fraction(1), Fraction(1))]
    for part, copies in parts:
        rows = multiplied(rows, many(list(part.masses), copies))
    ratios = [draw.choice([p / q for p, q in rows if p * q]) for _ in range(3)]
    found = [sum((max(p - x * q, Fraction(0)) for p, q in rows), Fraction(0)) for x in ratios]
    lost = sum((p for p, q in rows if not q), Fraction(0))
    return (Fraction(0), lost, *found)


FAMILIES = (products,)
