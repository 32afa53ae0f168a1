"""Rare subsampled Gaussians against recursions that share no code with the windows of their hits.

    python -m tests.campaigns.rare [--queries 500] [--seed 0] [--limit 20]

One to twelve of poisson(gaussian(sigma), q, direction="remove") at eps > 0, or as many of "add" at
eps < 0 by the reversal law; each query goes to the two routes by hits themselves, whatever the
planner would choose, and a third of them to `delta` and `epsilon` as well.  References:

- one release: the closed form, with sixty digits more than are asked for;
- more: D_k(t) = E[z D_(k-1)(t - log z)] over a standard normal n with the likelihood ratio z, by
  Gauss-Legendre rules between the preimages of the ends of panels on which log D_(k-1) is held as a
  polynomial, in doubles.  All numbers are >= 0, so about fourteen digits are right however small
  delta is, unless panels are too long: two sets of them must agree;
- two, now and then: an integral of the closed form, with twenty-four digits after the point.

A *miss* is an enclosure without the number, *apart* two enclosures of one number that do not meet,
*wide* one without the digits that were asked for, a *fault* an exception that is no refusal.  The
command ends with exit code 1 when there is one of these.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath as mp
import numpy as np

import lapdp
from lapdp.accounting import delta_rules
from lapdp.accounting.inversion import contour, hits
from lapdp.accounting.moments.releases import releases
from tests.campaigns.containment import limited
from tests.campaigns.references import (
    FAULT,
    HELD,
    MISS,
    REFUSED,
    STOPS,
    WIDE,
    normal,
    number,
    rational,
    removed,
    stopped,
    two_sampled,
)
from tests.campaigns.tallies import rows, said

APART = "apart"
BAD, TOLD = (MISS, APART, WIDE, FAULT), 50
SLACK, FAIR = 5e-12, 1e-7
"""Relative, of a recursion at best; one that is worse than the second is no reference."""
PANELS = (0.7, 1.0)
FARTHEST, LAST, SURE = 40.0, 36.0, 24.0
"""Normal places: of no loss, the last of a rule, and that of the largest eps that is asked."""
TOP = Fraction(9)
LEAST_RATE = Fraction(1, 500)
"""For the integral."""

# references -------------------------------------------------------------------------------------


class Recursion:
    """delta of one, two, ... of ((1 - q) Q + q P, Q), in doubles."""

    def __init__(self, sigma: float, rate: float, copies: int, top: float, fine: float
                 ) -> None:
        """At eps up to ``top``; ``fine`` makes panels shorter."""
        self.root, self.rate, self.lowest = 1 / sigma, rate, math.log1p(-rate)
        self.x, self.w = np.polynomial.legendre.leggauss(16)
        self.nodes = np.cos(np.pi * (2 * np.arange(18) + 1) / 36)[::-1]
        # sums of losses all next to 0 lie between these
        self.top = top + 1.01 * copies * -self.lowest
        self.fine, self.laws = fine, []
        for k in range(1, copies + 1):
            cuts = self.panels(k)
            halves, middles = np.diff(cuts) / 2, (cuts[1:] + cuts[:-1]) / 2
            t = (middles[:, None] + halves[:, None] * self.nodes).ravel()
            values = np.array([self.step(k - 1, x) for x in t])
            logs = np.log(values).reshape(len(halves), -1)
            self.laws.append((cuts, np.polynomial.chebyshev.chebfit(self.nodes, logs.T, 17)))

    def panels(self, k: int) -> Any:
        """Ends: graded towards the least of all sums, fine where usual sums lie."""
        least, fine = k * self.lowest, self.fine
        usual = self.rate * math.sqrt(math.expm1(min(self.root**2, 4.0)) * k) / 2 / fine
        found, width = [least], 1e-4 * self.rate / fine
        ratio = 1 + 0.5 / fine
        while found[-1] < self.top:
            beyond = found[-1] > least + 2 * k * self.rate + 16 * usual
            width = min(width * ratio, 0.4 / fine, 1.0 if beyond else usual)
            found.append(found[-1] + width)
        return np.array(found)

    def place(self, losses: Any) -> Any:
        """n at which log z is a number."""
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = 1 + np.expm1(losses) / self.rate
            return np.where(odds > 0, np.log(odds) / self.root + self.root / 2, -FARTHEST)

    def step(self, k: int, t: float) -> float:
        """delta of k + 1 at t, from that of k."""
        least = k * self.lowest
        if t <= least + self.lowest:
            return -math.expm1(t)
        ends = np.arange(-12.0, LAST, 0.5 / self.fine)
        edge = float(self.place(t - least))
        ends = np.append(ends, edge)
        if k:
            inner = self.laws[k - 1][0]
            ends = np.append(ends, self.place(t - inner))
        ends = np.unique(ends[(ends >= -12) & (ends <= LAST)])
        if not k:
            ends = ends[ends >= edge]
            if len(ends) < 2:
                ends = edge + np.arange(0, 8, 0.25)
        halves, middles = np.diff(ends) / 2, (ends[1:] + ends[:-1]) / 2
        n = (middles[:, None] + halves[:, None] * self.x).ravel()
        weights = (halves[:, None] * self.w).ravel() * np.exp(-n * n / 2) / math.sqrt(2 * math.pi)
        more = self.rate * np.expm1(self.root * n - self.root**2 / 2)
        if not k:
            scale = math.expm1(t) + self.rate
            return float((weights * scale * np.expm1(self.root * (n - edge))).sum())
        return float((weights * (1 + more) * self.law(k, t - np.log1p(more))).sum())

    def law(self, k: int, s: Any) -> Any:
        """delta of k at many places."""
        cuts, rows = self.laws[k - 1]
        j = np.clip(np.searchsorted(cuts, s) - 1, 0, len(cuts) - 2)
        x = (2 * s - cuts[j] - cuts[j + 1]) / (cuts[j + 1] - cuts[j])
        back = ahead = np.zeros_like(s)
        for row in rows[:0:-1]:
            back, ahead = ahead, 2 * x * ahead - back + row[j]
        found = np.exp(np.where(s < cuts[0], 0.0, x * ahead - back + rows[0][j]))
        return np.where(s < cuts[0], -np.expm1(np.minimum(s, 0.0)), found)


@lru_cache(maxsize=2)
def recursions(sigma: Fraction, rate: Fraction, copies: int, top: float) -> list[Recursion]:
    """Two of them, unlike."""
    return [Recursion(float(sigma), float(rate), copies, top, fine) for fine in PANELS]


@dataclass(frozen=True)
class Case:
    """So many of one release."""

    sigma: Fraction
    rate: Fraction
    copies: int
    most: int = 12
    """Copies for which recursions are kept."""

    @property
    def top(self) -> Fraction:
        """The largest eps that is asked: beyond, delta is no double."""
        root = 1 / float(self.sigma)
        loss = math.log1p(float(self.rate) * math.expm1(root * (SURE - root / 2)))
        return min(TOP, Fraction(round(loss, 4)))

    def pair(self) -> Any:
        """The releases."""
        one = lapdp.poisson(lapdp.gaussian(self.sigma), self.rate, direction="remove")
        return one**self.copies if self.copies > 1 else one

    def reference(self, t: Any, digits: int, precisely: bool = False) -> tuple[Any, Any]:
        """delta at t > 0 and about how far it may be off: infinitely where rules do not reach."""
        if self.copies == 1:
            with mp.workdps(digits + 60):
                found = removed(self.rate, normal(1 / (2 * self.sigma**2)))(number(t))
            return found, abs(found) * mp.mpf(10) ** -(digits + 20)
        if self.copies == 2 and precisely:
            with mp.workdps(36):
                found = two_sampled(self.sigma, self.rate)(number(t))
            return found, mp.mpf(10) ** -24
        if t > self.top * Fraction(101, 100):
            return mp.mpf(0), mp.inf
        one, two = (r.step(self.copies - 1, float(t)) for r in recursions(
            self.sigma, self.rate, self.most, float(self.top)))
        # of delta itself, and of a double that is not quite t
        return mp.mpf(two), 2 * abs(one - two) + two * SLACK * (1 + float(t))


# queries ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One query and what became of it."""

    query: str
    route: str
    outcome: str
    cpu: float
    detail: str = ""


def drawn(draw: random.Random) -> Case:
    """Small rates, few copies, small and large deviations."""
    def near(*choices: str) -> Fraction:
        return Fraction(draw.choice(choices)) * Fraction(draw.randrange(900, 1100), 1000)

    most = draw.choice((1, 2, 5, 12))
    return Case(near("1/2", "1", "1", "2", "5", "10"), near(
        "1/10", "1/100", "1/1000", "1/10000", "1/1000000"), most, most)


def case(draw: random.Random, limit: float) -> Iterator[Entry]:
    """The queries about one mechanism."""
    one = drawn(draw)
    for copies in sorted({1, one.copies, draw.randint(1, one.copies)}):
        for _ in range(2):
            t = min(one.top, Fraction(draw.choice((100, 400, 1000, 1000, 2500, 8000))
                                      * draw.randrange(900, 1100), 1000000))
            digits = draw.randrange(3, 14), draw.randrange(8, 36)
            yield from asked(Case(one.sigma, one.rate, copies, one.most), t, digits,
                             draw.random() < 0.3, draw.random() < 0.2, limit)


def asked(here: Case, t: Fraction, digits: tuple[int, int], whole: bool, precisely: bool,
          limit: float) -> Iterator[Entry]:
    """By both routes; of the digits the second ones are for balls."""
    few, many = digits
    pair, point = here.pair(), rational(t)
    forward = releases(pair)
    routes: list[tuple[str, int, Any]] = [
        ("hits in doubles", few, delta_rules.in_doubles(pair, forward, point, "hits_machine")),
        ("hits", few, delta_rules.integral(pair, forward, point, hits.delta)),
        ("hits, many digits", many, delta_rules.integral(pair, forward, point, hits.delta))]
    if whole:
        routes += [("contour", many, delta_rules.integral(pair, forward, point, contour.delta)),
                   ("delta", few, lambda n: pair.delta(point, digits=n).enclosure),
                   ("add", few, lambda n: _added(here, point, n))]
    start = time.process_time()
    there, slack = here.reference(t, many, precisely and here.rate > LEAST_RATE)
    seen: list[tuple[str, Any]] = []
    spent = time.process_time() - start
    yield Entry(f"{pair!r} at {t}", "reference", HELD, spent)
    if not slack <= there * FAIR:
        yield Entry(f"{pair!r} at {t}", "reference", REFUSED, spent, f"{slack / there}")
        there = None
    for route, n, compute in routes:
        start, outcome, detail = time.process_time(), FAULT, ""
        try:
            with limited(limit):
                found = compute(n)
            with mp.workdps(many + 60):
                outcome = judged(found, 0 if route == "add" else n, there, slack)
            detail = f"{found} against {there}" if outcome != HELD else ""
            apart = [name for name, other in seen if found.lower > other.upper
                     or found.upper < other.lower]
            if outcome == HELD and apart:
                outcome, detail = APART, f"{found} against {seen}"
            seen.append((route, found))
        except STOPS as problem:
            outcome, detail = stopped(problem)
        yield Entry(f"{pair!r} at {t}, {n} digits", route, outcome,
                    time.process_time() - start, detail)
    if whole and there is not None:
        yield _level(here, t, there, slack, few, limit)


def judged(found: Any, digits: int, there: Any, slack: Any) -> str:
    """Is the number in the enclosure, and is that as sharp as it should be?"""
    if there is not None and not number(found.lower) - slack <= there <= (
            number(found.upper) + slack):
        return MISS
    wide = digits and found.radius > Fraction(11, 10 ** (digits + 1)) * abs(found.middle)
    return WIDE if wide else HELD


def _added(here: Case, point: Any, digits: int) -> Any:
    """delta of "remove" at t from that of "add" at -t: 1 - e^t + e^t delta."""
    one = lapdp.poisson(lapdp.gaussian(here.sigma), here.rate, direction="add")
    pair = (one**here.copies if here.copies > 1 else one)
    return _turned(pair.delta(-point, digits=digits + 40).enclosure, point, digits)


def _turned(back: Any, point: Any, digits: int) -> Any:
    with mp.workdps(digits + 120):
        t = mp.mpf(point.p) / point.q
        low, high = (1 - mp.exp(t) * (1 - number(x)) for x in (back.lower, back.upper))
        return _Ends(Fraction(str(low)), Fraction(str(high)))


@dataclass(frozen=True)
class _Ends:
    lower: Fraction
    upper: Fraction

    @property
    def middle(self) -> Fraction:
        """Half of the sum."""
        return (self.lower + self.upper) / 2

    @property
    def radius(self) -> Fraction:
        """Half of the difference."""
        return (self.upper - self.lower) / 2


def _level(here: Case, t: Fraction, there: Any, slack: Any, digits: int, limit: float) -> Entry:
    """epsilon at a level next to delta at t, where the reference must lie on both sides."""
    start, outcome, detail = time.process_time(), FAULT, ""
    level = Fraction(f"{float(there):.2e}")
    text = f"epsilon of {here.pair()!r} at {float(level)}, {digits} digits"
    try:
        with limited(limit):
            found = here.pair().epsilon(rational(level), digits=digits)
        outcome = HELD
        for end, side in ((found.lower, 1), (found.upper, -1)):
            if end > 0:
                value, off = here.reference(end, digits)
                if side * (value - number(level)) < -off:
                    outcome, detail = MISS, f"{found}: {value} at {float(end)}"
    except STOPS as problem:
        outcome, detail = stopped(problem)
    return Entry(text, "epsilon", outcome, time.process_time() - start, detail)


def entries(queries: int, seed: int, limit: float) -> Iterator[Entry]:
    """Each mechanism with a seed of its own."""
    done, j = 0, 0
    while done < queries:
        for found in case(random.Random(seed * 1_000_003 + j), limit):
            yield found
            done += 1
        j += 1


def summary(found: list[Entry]) -> str:
    """Counts by outcome and route, and what is bad."""
    lines = [said(e.outcome for e in found), f"{sum(e.cpu for e in found):.0f} s of CPU",
             *rows(found, lambda e: e.route)]
    lines += [f"{e.outcome} {e.cpu:.1f} s: {e.route}: {e.query}: {e.detail[:300]}" for e in found
              if e.outcome != HELD]
    return "\n".join(lines)


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=20.0)
    chosen = parser.parse_args()
    found: list[Entry] = []
    for each in entries(chosen.queries, chosen.seed, chosen.limit):
        found.append(each)
        if each.outcome in BAD:
            print(f"{each.outcome}: {each.route}: {each.query}: {each.detail}", flush=True)
        if len(found) % TOLD == 0:
            print(said(e.outcome for e in found), file=sys.stderr, flush=True)
    print(summary(found))
    return 1 if any(e.outcome in BAD for e in found) else 0


if __name__ == "__main__":
    sys.exit(main())
