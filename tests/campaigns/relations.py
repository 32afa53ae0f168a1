"""Random queries, rewritten: numbers that are the same, or in order, whatever they are.

    python -m tests.campaigns.relations [--mechanisms 300] [--seed 0] [--limit 4] [--end 60]

No reference is needed for this.  A mechanism is drawn as in the campaign of natural queries, with
others of the catalogue and factors of one kind in both directions, and asked in several ways:

- written otherwise: factors in any order, equal ones apart, powers of powers, another mechanism
  that has the same loss, a release that says nothing beside it, a rate of 1, an index that is
  published;
- reversed: delta(eps) is 1 - e^eps + e^eps times that of (Q, P) at -eps;
- ordered: with one factor left out, less noise, a larger rate or eps; delta falls with eps, by no
  more than e^eps rises, and is convex in e^eps; of two factors it is at most the sum of those at
  two eps that sum to eps;
- found again: at the two ends of an enclosure of epsilon delta lies on either side of the level.

The first side of each is asked by every method that offers itself, each for itself.  A *conflict*
are two enclosures that no numbers in such a relation can lie in, a *fault* is an exception that is
no refusal.  Each mechanism has a process of its own, which ends after ``--end`` seconds of CPU
time.  The command ends with exit code 1 where there is a conflict or a fault.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.accounting.delta import Tried, _methods, delta
from lapdp.balls.compiler import exact_ball
from lapdp.core.precision import workprec
from tests.campaigns.children import child
from tests.campaigns.containment import limited
from tests.campaigns.references import FAULT, HELD, LATE, STOPS, stopped
from tests.campaigns.rewriting import arranged, drawn, less, places, rewritten
from tests.campaigns.tallies import by_method, said, tally

CONFLICT = "conflict"
BAD = (CONFLICT, FAULT)
BITS, MEMORY, TOLD = 1500, 3 << 30, 50
DIGITS = (2, 6, 10, 10, 10, 13, 20, 50)
LEVELS = ("0.999", "1/2", "1e-1", "1e-3", "1e-6", "1e-9", "1e-15", "1e-30")
SPARE = 25
"""Digits more where two numbers cancel."""

Ask = tuple[Any, Any, int]
"""A pair, an exact eps and digits."""


@dataclass(frozen=True)
class Claim:
    """A relation between the deltas of some queries: their gap is 0, or at most that."""

    name: str
    asks: tuple[Ask, ...]
    gap: Callable[..., Any]
    """Of a ball for each query."""
    ordered: bool = False

    def denied(self, balls: Iterable[Any]) -> bool:
        """Are there no such numbers in the balls?"""
        with workprec(BITS):
            gap = self.gap(*balls)
            return bool(gap > 0 or (gap < 0 and not self.ordered))


@dataclass(frozen=True)
class Entry:
    """One relation, by one method of its first side."""

    claim: str
    query: str
    outcome: str
    method: str = ""
    detail: str = ""


# relations --------------------------------------------------------------------------------------


def claims(draw: random.Random, parts: list[tuple[Any, int]]) -> Iterator[Claim]:
    """Relations about the product of these, at one eps."""
    digits, more = draw.choice(DIGITS), draw.choice(DIGITS)
    pair, eps = arranged(draw, parts), draw.choice(places(draw, parts))
    one = pair, eps, digits
    same = draw.choice(("written otherwise", "another mechanism", "written otherwise"))
    other = rewritten(draw, parts) if same == "another mechanism" else parts
    yield Claim(same, (one, (arranged(draw, other), eps, more)), lambda x, y: x - y)
    kind = draw.choice(("reversed", "left out", "falls", "convex", "two steps", "less"))
    if kind == "reversed":
        back = [(p.reverse(), k) for p, k in parts]
        yield Claim(kind, (one, (arranged(draw, back), -eps, digits + SPARE)),
                    lambda x, y: x - 1 + _exp(eps) * (1 - y))
    elif kind == "left out" and sum(k for _, k in parts) > 1:
        j = draw.randrange(len(parts))
        base, count = parts[j]
        rest = [*parts[:j], *([(base, draw.randrange(1, count))] if count > 1 else []),
                *parts[j + 1:]]
        yield Claim(kind, (one, (arranged(draw, rest), eps, more)), lambda x, y: y - x, True)
    elif kind == "falls":
        further = eps + draw.choice((sp.Rational(1, 10**6), sp.Rational(1, 3), 1))
        far = arranged(draw, parts), further, more
        yield Claim(kind, (one, far), lambda x, y: y - x, True)
        yield Claim("falls no faster than e^eps rises", (one, far), lambda x, y: (
            x - y - _exp(further) + _exp(eps)), True)
    elif kind == "convex":
        step = draw.choice((sp.Rational(1, 10**4), sp.Rational(1, 7), 2))
        near, far = eps - step, eps + step
        yield Claim(kind, (one, (pair, near, digits + SPARE), (pair, far, digits + SPARE)),
                    lambda x, y, z: x * (_exp(far) - _exp(near)) - (
                        y * (_exp(far) - _exp(eps)) + z * (_exp(eps) - _exp(near))), True)
    elif kind == "two steps" and len(parts) > 1:
        cut = draw.randrange(1, len(parts))
        first = eps * draw.choice((sp.Rational(1, 2), sp.Rational(1, 10), 0, 1))
        yield Claim(kind, (one, (arranged(draw, parts[:cut]), first, more),
                           (arranged(draw, parts[cut:]), eps - first, more)),
                    lambda x, y, z: x - y - z, True)
    elif kind == "less":
        j = draw.randrange(len(parts))
        weaker = less(draw, parts[j][0])
        if weaker is not None:
            there = [*parts[:j], (weaker, parts[j][1]), *parts[j + 1:]]
            yield Claim(kind, (one, (arranged(draw, there), eps, more)), lambda x, y: y - x, True)


def found_again(draw: random.Random, parts: list[tuple[Any, int]], limit: float
                ) -> Iterator[Claim]:
    """delta at the ends of an enclosure of epsilon; of the product written otherwise."""
    level, digits = sp.Rational(draw.choice(LEVELS)), draw.choice(DIGITS)
    with limited(limit):
        answer = arranged(draw, parts).epsilon(level, digits=digits)
    pair = arranged(draw, parts)
    if answer.is_infinite:
        yield Claim("infinite epsilon", ((pair, sp.Integer(1000), digits),),
                    lambda x: exact_ball(level).real - x, True)
        return
    ends = [sp.Rational(x.numerator, x.denominator) for x in (answer.lower, answer.upper)]
    enough = max(digits + SPARE, 30)
    if ends[0] > 0:
        yield Claim("delta below epsilon", ((pair, ends[0], enough),),
                    lambda x: exact_ball(level).real - x, True)
    yield Claim("delta above epsilon", ((pair, max(ends[1], sp.Integer(0)), enough),),
                lambda x: x - exact_ball(level).real, True)


def _exp(x: Any) -> Any:
    return exact_ball(x).real.exp()


# answers ----------------------------------------------------------------------------------------


def judged(claim: Claim, limit: float, every: bool) -> Iterator[Entry]:
    """The relation by each method of its first side, or by the one that comes first."""
    text = "; ".join(f"{pair!r} at {eps}, {digits} digits" for pair, eps, digits in claim.asks)
    others = []
    for ask in claim.asks[1:]:
        name, found, outcome = _asked(lambda ask=ask: _default(*ask), limit)
        if outcome != HELD:
            yield Entry(claim.name, text, outcome, name, found)
            return
        others.append(found)
    pair, eps, digits = claim.asks[0]
    ways: list[tuple[str, Callable[[], Any]]] = [("", lambda: _default(pair, eps, digits))]
    if every:
        try:
            # a generator: what it asks on the way takes time, too
            with limited(limit):
                ways += [(name, lambda by=by: by(digits)) for name, by in _methods(
                    pair, eps, digits, Tried())]
        except STOPS as problem:
            outcome, why = stopped(problem)
            if outcome == FAULT:
                yield Entry(claim.name, text, outcome, "methods", why)
    for name, ask in ways:
        _, found, outcome = _asked(ask, limit)
        detail = found if outcome != HELD else ""
        if outcome == HELD and claim.denied([x.ball() for x in (found, *others)]):
            outcome, detail = CONFLICT, " | ".join(map(str, (found, *others)))
        yield Entry(claim.name, text, outcome, name or "default", detail)


def _default(pair: Any, eps: Any, digits: int) -> Any:
    return delta(pair, eps, digits).enclosure


def _asked(compute: Callable[[], Any], limit: float) -> tuple[str, Any, str]:
    """Nothing, the enclosure, and that it is one; else what became of it."""
    try:
        with limited(limit), workprec(BITS):
            return "", compute(), HELD
    except (*STOPS, MemoryError) as problem:
        outcome, why = stopped(problem)
        return "other side", why, outcome


def mechanism(draw: random.Random, limit: float) -> Iterator[Entry]:
    """All that is asked about one."""
    parts = drawn(draw)
    every = draw.random() < 0.5
    for claim in claims(draw, parts):
        yield from judged(claim, limit, every)
    if draw.random() < 0.4:
        try:
            for claim in found_again(draw, parts, limit):
                yield from judged(claim, limit, False)
        except STOPS as problem:
            outcome, why = stopped(problem)
            yield Entry("epsilon", repr(parts), outcome, "", why)


def apart(seed: int, limit: float, end: float) -> list[Entry]:
    """The entries of one mechanism, from a process of its own."""
    ended = child(lambda: mechanism(random.Random(seed), limit), end, MEMORY)
    found: list[Entry] = ended.items
    if ended.status:
        # the same draws say what was asked
        what = repr(drawn(random.Random(seed)))
        outcome = LATE if ended.by in (signal.SIGPROF, signal.SIGKILL) else FAULT
        found.append(Entry("process", what, outcome, "", f"status {ended.status}"))
    return found


def entries(mechanisms: int, seed: int, limit: float, end: float) -> Iterator[Entry]:
    """Each mechanism with a seed of its own."""
    for j in range(mechanisms):
        yield from apart(seed * 1_000_003 + j, limit, end)


def summary(found: list[Entry]) -> str:
    """Counts by outcome, relation and method, and what is bad."""
    lines = [said(e.outcome for e in found),
             *tally(found, relation=lambda e: e.claim, method=by_method)]
    lines += [f"{e.outcome}: {e.claim} by {e.method}: {e.query}: {e.detail}" for e in found
              if e.outcome in BAD]
    return "\n".join(lines)


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mechanisms", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=4.0)
    parser.add_argument("--end", type=float, default=60.0)
    chosen = parser.parse_args()
    found: list[Entry] = []
    for each in entries(chosen.mechanisms, chosen.seed, chosen.limit, chosen.end):
        found.append(each)
        if each.outcome in BAD:
            print(f"{each.outcome}: {each.claim} by {each.method}: {each.query}: {each.detail}",
                  flush=True)
    print(summary(found))
    return 1 if any(e.outcome in BAD for e in found) else 0


if __name__ == "__main__":
    sys.exit(main())
