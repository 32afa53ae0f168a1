"""Random enclosures against references that share no code with them: closed forms and exact sums.

    python -m tests.campaigns.references [--queries 10000] [--seed 0] [--limit 5] [--rest]

A query is about a mechanism whose profile is known otherwise: Gaussians in any number, a Laplace
mechanism or two, one of these on a Poisson sample (delta of a mixture is that of the mechanism at
another point), responses, sampled responses and geometric noise in any number by sums of binomial
masses, two sampled Gaussians by an integral, pairs of a few outcomes by sums of Fractions, discrete
Gaussians by sums over the whole numbers, and any of the continuous ones beside such finite pairs,
by a sum over the outcomes of these; the rest of the catalogue by its densities, in
:mod:`tests.campaigns.catalogue_references`; and products of up to five, however they are written,
in :mod:`tests.campaigns.product_references`. The references are numbers of mpmath with sixty digits
more than are asked for, or Fractions. delta is asked for at an eps; epsilon at a level, where the
reference must lie on either side at the two ends of the enclosure. A *miss* is an enclosure without
the number, *wide* one that has not the digits that were asked for, a *fault* an exception that is
no refusal. The command ends with exit code 1 when there is one of these.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count, islice, pairwise
from typing import Any

import mpmath as mp
import sympy as sp

import lapdp
from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import _methods
from lapdp.core.errors import LapdpError, Unsupported
from tests.campaigns.containment import Late, limited
from tests.campaigns.tallies import by_method, said, tally

HELD, MISS, WIDE, REFUSED, LATE, FAULT = "held", "miss", "wide", "refused", "late", "fault"
BAD = (MISS, WIDE, FAULT)
STOPS = (Late, LapdpError, ArithmeticError, AssertionError, AttributeError, LookupError,
         RecursionError, TypeError, ValueError)
SPARE, TOLD = 60, 500
MOST_WAYS, NO_MORE = 16, "no more methods"
FAR = 30
"""Deviations in a sum over whole numbers beyond the place from which on losses exceed eps: those
farther out are below 1e-195 of it."""

Profile = Callable[[Any], Any]
"""delta at a number of mpmath, at its working precision."""
Case = tuple[Any, Profile, str]
"""A pair, its profile, and the family."""
INTEGRALS, GOOD, FEW = "two sampled gaussians", 24, 13
"""A family whose references have so many digits, of numbers about 1; digits asked for there."""


# references -------------------------------------------------------------------------------------


def number(x: Any) -> Any:
    """A Fraction, or a power of one that SymPy holds, at the working precision."""
    if isinstance(x, Fraction):
        return mp.mpf(x.numerator) / x.denominator
    return mp.mpmathify(sp.N(x, mp.mp.dps)) if isinstance(x, sp.Basic) else mp.mpf(x)


def normal(kappa: Fraction) -> Profile:
    """Losses N(kappa, 2 kappa): two tails."""
    def at(t: Any) -> Any:
        k = number(kappa)
        root = 2 * mp.sqrt(k)
        return (mp.erfc((t - k) / root) - mp.exp(t) * mp.erfc((t + k) / root)) / 2
    return at


def laplace(scale: Fraction) -> Profile:
    """By the distance at which both densities are in the ratio e^t."""
    def at(t: Any) -> Any:
        end = 1 / number(scale)
        if t >= end:
            return mp.mpf(0)
        return -mp.expm1((t - end) / 2) if t > -end else -mp.expm1(t)
    return at


def two_laplaces(first: Fraction, second: Fraction) -> Profile:
    """The profile of the second, integrated over the loss z of the first, which has two atoms and
    the density e^((z - a)/2)/4 between them: by the antiderivatives where z > t + b, so that the
    profile is 1 - e^(t - z), and where it is 1 - e^((t - z - b)/2)."""
    def at(t: Any) -> Any:
        a, b, other = 1 / number(first), 1 / number(second), laplace(second)
        found = other(t - a) / 2 + mp.exp(-a) * other(t + a) / 2
        low, high = (min(max(x, -a), a) for x in (t - b, t + b))

        def above(z: Any) -> Any:
            return (mp.exp((z - a) / 2) + mp.exp(t - (z + a) / 2)) / 2

        def between(z: Any) -> Any:
            return mp.exp((z - a) / 2) / 2 - z * mp.exp((t - a - b) / 2) / 4

        return found + above(a) - above(high) + between(high) - between(low)
    return at


def removed(rate: Fraction, whole: Profile) -> Profile:
    """((1 - q) Q + q P, Q): q delta at log((e^t - 1 + q)/q)."""
    def at(t: Any) -> Any:
        q = number(rate)
        odds = (mp.expm1(t) + q) / q
        return q * whole(mp.log(odds)) if odds > 0 else -mp.expm1(t)
    return at


def two_sampled(sigma: Fraction, rate: Fraction) -> Profile:
    """Two of ((1 - q) Q + q P, Q) with normal P and Q: the profile of one over the loss of another,
    by tanh-sinh rules, which see how flat that is where the other one has no need of its loss."""
    def at(t: Any) -> Any:
        s, q, one = 1 / number(sigma), number(rate), removed(rate, normal(1 / (2 * sigma**2)))

        def part(x: Any) -> Any:
            odds = 1 - q + q * mp.exp(s * x - s * s / 2)
            return mp.npdf(x) * odds * one(t - mp.log(odds))

        ends = [mp.mpf(j) for j in range(-15, 20, 3)]
        edge = (mp.exp(t) / (1 - q) - 1 + q) / q
        if edge > 0:
            ends = sorted([*ends, min(max((mp.log(edge) + s * s / 2) / s, ends[0]), ends[-1])])
        return mp.quad(part, ends, maxdegree=6)
    return at


def added(rate: Fraction, whole: Profile) -> Profile:
    """(Q, (1 - q) Q + q P) of a pair as its reversed one: s delta at log(e^t q/s), s = 1 - e^t (1 -
    q)."""
    def at(t: Any) -> Any:
        q = number(rate)
        left = 1 - mp.exp(t) * (1 - q)
        return left * whole(t + mp.log(q / left)) if left > 0 else mp.mpf(0)
    return at


def binomial(copies: int, high: Fraction, low: Fraction) -> Profile:
    """Copies of two outcomes, one of which has the masses ``high`` under P and ``low`` under Q."""
    def at(t: Any) -> Any:
        p, q = number(high), number(low)
        up, down = mp.log(p / q), mp.log((1 - p) / (1 - q))
        mass, other, total = (1 - p) ** copies, (1 - q) ** copies, mp.mpf(0)
        scale = mp.exp(t)
        for y in range(copies + 1):
            if y * up + (copies - y) * down > t:
                total += mass - scale * other
            mass *= p / (1 - p) * (copies - y) / (y + 1)
            other *= q / (1 - q) * (copies - y) / (y + 1)
        return total
    return at


def outcomes(masses: list[tuple[Fraction, Fraction]], copies: int) -> dict[Fraction, Fraction]:
    """P-masses of copies by the ratio of both masses."""
    sums = {Fraction(1): Fraction(1)}
    for _ in range(copies):
        more: dict[Fraction, Fraction] = {}
        for ratio, mass in sums.items():
            for p, q in masses:
                more[ratio * p / q] = more.get(ratio * p / q, Fraction(0)) + mass * p
        sums = more
    return sums


def beside(sums: dict[Fraction, Fraction], other: Profile | None) -> Profile:
    """Finite outcomes with what is beside them, or alone."""
    def at(t: Any) -> Any:
        total = mp.mpf(0)
        for ratio, mass in sums.items():
            here = t - mp.log(number(ratio))
            gain = (-mp.expm1(here) if here < 0 else 0) if other is None else other(here)
            total += number(mass) * gain
        return total
    return at


def discrete(sigma: int) -> Profile:
    """Masses over the whole numbers."""
    def at(t: Any) -> Any:
        reach = int(abs(t) * sigma**2) + FAR * sigma
        places = range(-reach, reach + 1)
        masses = [mp.exp(-mp.mpf(n * n) / (2 * sigma**2)) for n in places]
        scale = mp.exp(t)
        gaps = (p - scale * q for q, p in pairwise(masses))
        one = sum((gap for gap in gaps if gap > 0), mp.mpf(0)) / sum(masses)
        back = (p - scale * q for p, q in pairwise(masses))
        assert abs(one - sum((x for x in back if x > 0), mp.mpf(0)) / sum(masses)) < 1e-25
        return one
    return at


# cases ------------------------------------------------------------------------------------------


def fraction(draw: random.Random, *choices: str) -> Fraction:
    """One of these, times a number near 1 that nobody has asked about."""
    return Fraction(draw.choice(choices)) * Fraction(draw.randrange(900, 1100), 1000)


def rational(x: Any) -> Any:
    """For SymPy."""
    return x if isinstance(x, sp.Basic) else sp.Rational(x.numerator, x.denominator)


def gaussians(draw: random.Random) -> Case:
    """One to three unlike ones, in any number."""
    pair, kappa = None, Fraction(0)
    for _ in range(draw.choice((1, 1, 2, 3))):
        sigma, copies = fraction(draw, "1/2", "1", "5", "100"), draw.choice((1, 3, 100, 10**6))
        one = lapdp.gaussian(sigma) ** copies
        pair = one if pair is None else pair * one
        kappa += copies / (2 * sigma**2)
    return pair, normal(kappa), "gaussians"


def laplaces(draw: random.Random) -> Case:
    """One or two."""
    first, second = fraction(draw, "1/2", "1", "4"), fraction(draw, "1/2", "1", "4", "20")
    if draw.random() < 0.7:
        return lapdp.laplace(first), laplace(first), "laplace"
    return lapdp.laplace(first) * lapdp.laplace(second), two_laplaces(first, second), "two laplaces"


def sampled(draw: random.Random) -> Case:
    """One on a Poisson sample."""
    rate, name = fraction(draw, "1/2", "1/10", "1/100", "1/10000"), "sampled "
    if draw.random() < 0.7:
        sigma = fraction(draw, "1/2", "1", "5")
        pair, whole, name = lapdp.gaussian(sigma), normal(1 / (2 * sigma**2)), name + "gaussian"
    else:
        scale = fraction(draw, "1/2", "1", "5")
        pair, whole, name = lapdp.laplace(scale), laplace(scale), name + "laplace"
    if draw.random() < 0.5:
        return lapdp.poisson(pair, rate, direction="remove"), removed(rate, whole), name
    return lapdp.poisson(pair, rate, direction="add"), added(rate, whole), name


def twice(draw: random.Random) -> Case:
    """Two of one Gaussian on a Poisson sample."""
    sigma, rate = fraction(draw, "1/2", "1", "4"), fraction(draw, "1/2", "1/10", "1/100")
    pair = lapdp.poisson(lapdp.gaussian(sigma), rate, direction="remove")
    return pair**2, two_sampled(sigma, rate), INTEGRALS


def responses(draw: random.Random) -> Case:
    """Responses and geometric noise with rational odds, sampled or not, in any number."""
    odds, copies = 1 + fraction(draw, "1/10", "1/2", "2"), draw.choice((1, 2, 7, 40, 300, 2000))
    eps, p = sp.log(rational(odds)), odds / (1 + odds)
    one = draw.choice((lapdp.randomized_response, lapdp.geometric))(eps)
    if draw.random() < 0.5:
        return one**copies, binomial(copies, p, 1 - p), "responses"
    rate = fraction(draw, "1/2", "1/10", "1/1000")
    more = rate * p + (1 - rate) * (1 - p)
    if draw.random() < 0.5:
        return (lapdp.poisson(lapdp.randomized_response(eps), rate, direction="remove") ** copies,
                binomial(copies, more, 1 - p), "sampled responses")
    return (lapdp.poisson(lapdp.randomized_response(eps), rate, direction="add") ** copies,
            binomial(copies, p, 1 - more), "sampled responses")


def masses(draw: random.Random) -> list[tuple[Fraction, Fraction]]:
    """Two or three outcomes."""
    size = draw.choice((2, 2, 3))
    a, b = ([draw.randrange(1, 30) for _ in range(size)] for _ in range(2))
    return [(Fraction(x, sum(a)), Fraction(y, sum(b))) for x, y in zip(a, b, strict=True)]


def finite(draw: random.Random) -> Case:
    """Copies of a few outcomes, or of two such pairs."""
    pair, sums = _finite(draw, (1, 2, 5, 9))
    if draw.random() < 0.3:
        other, more = _finite(draw, (1, 2, 3))
        joint: dict[Fraction, Fraction] = {}
        for x, p in sums.items():
            for y, q in more.items():
                joint[x * y] = joint.get(x * y, Fraction(0)) + p * q
        return pair * other, beside(joint, None), "two finite pairs"
    return pair, beside(sums, None), "finite pairs"


def _finite(draw: random.Random, counts: tuple[int, ...]) -> tuple[Any, dict[Fraction, Fraction]]:
    rows, copies = masses(draw), draw.choice(counts)
    pair = lapdp.finite([p for p, _ in rows], [q for _, q in rows])
    return pair**copies, outcomes(rows, copies)


def mixed(draw: random.Random) -> Case:
    """A continuous one beside finite outcomes."""
    pair, profile, name = draw.choice((gaussians, gaussians, laplaces, sampled))(draw)
    other, sums = _finite(draw, (1, 2, 3))
    return pair * other, beside(sums, profile), f"{name} beside outcomes"


def many_beside(draw: random.Random) -> Case:
    """A continuous one beside many responses: a lattice, with places by binomial masses."""
    pair, profile, name = draw.choice((gaussians, laplaces, sampled, sampled))(draw)
    odds, copies = 1 + fraction(draw, "1/1000", "1/100", "1/10", "1"), draw.choice((20, 80, 300))
    p, one = odds / (1 + odds), lapdp.randomized_response(sp.log(rational(odds)))

    def at(t: Any) -> Any:
        high, log, total = number(p), mp.log(number(odds)), mp.mpf(0)
        mass = (1 - high) ** copies
        for y in range(copies + 1):
            total += mass * profile(t - (2 * y - copies) * log)
            mass *= high / (1 - high) * (copies - y) / (y + 1)
        return total

    return one**copies * pair, at, f"{name} beside many responses"


def discrete_gaussians(draw: random.Random) -> Case:
    """One."""
    sigma = draw.choice((1, 2, 5, 10, 20))
    return lapdp.discrete_gaussian(sigma), discrete(sigma), "discrete gaussian"


FAMILIES = (*(gaussians, laplaces, sampled, sampled, responses, responses, finite, mixed, mixed,
              mixed, many_beside, discrete_gaussians) * 10, twice)


# queries ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One query and what became of it."""

    family: str
    query: str
    outcome: str
    method: str = ""
    cpu: float = 0.0
    detail: str = ""


@cache
def families(rest: bool = False) -> tuple[Callable[[random.Random], Case], ...]:
    """Those here, and the rest of the catalogue, whose references are made of these; or only
    that."""
    from tests.campaigns.catalogue_references import FAMILIES as OTHERS
    from tests.campaigns.product_references import products

    return OTHERS if rest else FAMILIES + OTHERS * 8 + (products,) * 120


def case(draw: random.Random, limit: float, rest: bool = False) -> Iterator[Entry]:
    """The queries about one mechanism: delta and epsilon to some digits, some deltas in doubles,
    delta of products now and then by each method that offers itself."""
    pair, profile, family, *special = draw.choice(families(rest))(draw)
    points, levels = (special[0].points, special[0].levels) if special else ((), ())
    integral = family.startswith(INTEGRALS)
    for wants in ("delta", "epsilon", "deltas", *(("delta", "epsilon") if special else ())):
        if integral and wants == "epsilon":
            continue
        digits = draw.randrange(4, FEW) if integral else draw.choice(
            (2, 20, 50, *(draw.randrange(4, 25) for _ in range(5))))
        point = Fraction(round(draw.choice((0, 0.1, 1, 1, 5, 5)) * draw.gauss(0.5, 1), 3))
        level = draw.choice((Fraction(1, 10 ** draw.randrange(1, 20)) * draw.randrange(1, 10),
                             *[1 - Fraction(1, 10 ** draw.randrange(1, 5))] * (
                                 draw.random() < 0.2), *levels))
        at = level if wants == "epsilon" else draw.choice(
            (point.limit_denominator(1000), *(points if wants == "delta" else ())))
        yield entry(pair, profile, family, (wants, at, digits), limit)
    if special and draw.random() < 0.3:
        at, digits = draw.choice(points), draw.choice((6, 10, 13, 20))
        for j in range(MOST_WAYS):
            found = entry(pair, profile, family, (f"way {j}", at, digits), limit)
            if found.detail == NO_MORE:
                break
            # that a method does not serve is no news where others are asked
            if found.outcome != REFUSED:
                yield found


def entry(pair: Any, profile: Profile, family: str, query: tuple[str, Fraction, int], limit: float
          ) -> Entry:
    """A query."""
    start, (wants, at, digits) = time.process_time(), query
    outcome, method, detail = FAULT, "", ""
    text = f"{wants} of {pair!r} at {at}, {digits} digits"
    try:
        with limited(limit):
            if wants == "deltas":
                # the double itself is the point
                at = Fraction(float(at))
                batch = pair.deltas([float(at)])
                found, digits = batch[0], 0 if batch.wide[0] else 9
            elif wants.startswith("way"):
                found = way(pair, rational(at), digits, int(wants[3:]))
                wants = "delta"
            else:
                found = getattr(pair, wants)(rational(at), digits=digits)
        method = found.method
        spare = GOOD if family.startswith(INTEGRALS) else digits + SPARE
        with mp.workdps(spare + 12):
            outcome = judged(found, profile, wants, at, (digits, spare))
        detail = "" if outcome == HELD else f"{found}"
    except STOPS as problem:
        outcome, detail = stopped(problem)
    return Entry(family, text, outcome, method, time.process_time() - start, detail)


def way(pair: Any, eps: Any, digits: int, j: int) -> Answer:
    """delta by the method that offers itself after ``j`` others, whatever those would do."""
    for name, compute in islice(_methods(pair, eps, digits), j, None):
        return Answer(compute(digits), name, 0.0)
    raise Unsupported(NO_MORE)


def stopped(problem: Exception) -> tuple[str, str]:
    """Outcome and detail of a query without an answer."""
    if isinstance(problem, Late):
        return LATE, ""
    if isinstance(problem, Unsupported):
        return REFUSED, str(problem)
    return FAULT, repr(problem)


def judged(found: Any, profile: Profile, wants: str, at: Fraction, digits: tuple[int, int]) -> str:
    """Is the number in the enclosure, and is that as sharp as it should be?

    The reference has ``digits[1]`` digits after the point of 1, or of e^eps, from which it cancels.
    """
    if found.is_infinite:
        return HELD if wants == "epsilon" and profile(mp.mpf(10) ** 6) > number(at) else MISS
    low, high, slack = number(found.lower), number(found.upper), mp.mpf(10) ** -digits[1]
    if wants == "epsilon":
        level = number(at)
        if low > 0 and profile(low) < level - slack * mp.exp(low):
            return MISS
        if profile(high) > level + slack * mp.exp(high):
            return MISS
    else:
        there, slack = profile(number(at)), slack * mp.exp(max(0, number(at)))
        if not low - slack <= there <= high + slack:
            return MISS
    wide = digits[0] and found.radius > Fraction(11, 10 ** (digits[0] + 1)) * abs(found.value)
    return WIDE if wide else HELD


def entries(queries: int, seed: int, limit: float, rest: bool = False) -> Iterator[Entry]:
    """Each mechanism with a seed of its own."""
    done = 0
    for j in count():
        for found in case(random.Random(seed * 1_000_003 + j), limit, rest):
            yield found
            done += 1
            if done == queries:
                return


def summary(found: list[Entry]) -> str:
    """Counts by outcome, family and method, and what is bad."""
    lines = [said(e.outcome for e in found), f"{sum(e.cpu for e in found):.0f} s of CPU",
             *tally(found, family=lambda e: e.family, method=by_method)]
    lines += [f"{e.outcome}: {e.query} by {e.method}: {e.detail}" for e in found
              if e.outcome != HELD]
    return "\n".join(lines)


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=5.0)
    parser.add_argument("--rest", action="store_true", help="the rest of the catalogue alone")
    chosen = parser.parse_args()
    found: list[Entry] = []
    for each in entries(chosen.queries, chosen.seed, chosen.limit, chosen.rest):
        found.append(each)
        if len(found) % TOLD == 0:
            held = sum(e.outcome == HELD for e in found)
            print(f"{len(found)} queries, {held} held", file=sys.stderr, flush=True)
    print(summary(found))
    return 1 if any(e.outcome in BAD for e in found) else 0


if __name__ == "__main__":
    sys.exit(main())
