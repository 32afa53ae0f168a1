"""Random queries whose interval in double precision must contain the ball at higher precision.

    python -m tests.campaigns.containment [--queries 10000] [--seed 0] [--kept FILE] [--limit S]
                                          [--part I/N]

Mechanisms are drawn from the whole catalogue: products, powers, subsamples in both directions,
reversals.  Each is asked for delta at four doubles, two of them where delta is of the size of a
level drawn log-uniformly down to 1e-300, and for epsilon at these two levels.  A *miss* is an
interval that does not contain the ball, *silent* one that is wider than 1e-10 of its value and
does not say so, a *conflict* two methods whose balls for one query are disjoint, a *fault* an
exception that is no refusal.  The command ends with exit code 1 when there is one of these.

Blocks of queries are kept in FILE as they are done, one line each: an interrupted run resumes.  The
seed of a block is ``seed`` and its number, so a block can be repeated by itself.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import signal
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from lapdp.accounting.delta import _methods as methods_of_delta
from lapdp.accounting.delta import delta
from lapdp.accounting.doubles.deltas import deltas
from lapdp.accounting.doubles.epsilons import epsilons
from lapdp.accounting.epsilon import epsilon
from lapdp.core.errors import LapdpError, Unsupported
from lapdp.testing import strategies
from tests.campaigns.tallies import by_method, said, tally

BLOCK = 20
"""Mechanisms of a block."""
EACH = 6
"""Queries to a mechanism."""
DIGITS = (25, 50)
"""Of the balls: more where the first neither lies within nor apart."""
WIDE = Fraction(1, 10**10)
HELD, MISS, SILENT, REFUSED, UNREACHED, LATE, FAULT = (
    "contained", "miss", "silent", "refused", "ball refused", "late", "fault")
CONFLICT, AGREE = "conflict", "agree"
BAD = (MISS, SILENT, FAULT, CONFLICT)


class Late(Exception):
    """A query took longer than the limit."""


@dataclass
class Entry:
    """One query with what became of it."""

    mechanism: str
    asked: str
    at: str
    outcome: str
    method: str = ""
    width: float = 0.0
    """Radius over value."""
    wide: bool = False
    detail: str = ""


@dataclass
class Block:
    """The entries of one block."""

    seed: int
    number: int
    entries: list[Entry] = field(default_factory=list)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """:class:`Late` after so many seconds."""
    rang = False

    def ring(*_: Any) -> None:
        nonlocal rang
        rang = True
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    # again and again: an exception is lost where it falls into a callback of the interpreter
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    except SystemError:
        # an exception that fell into a callback of compiled code may come out as this
        if rang:
            raise Late from None
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def pairs() -> st.SearchStrategy[Any]:
    """Single mechanisms, powers to a million copies, products."""
    return st.one_of(
        strategies.mechanisms(max_factors=1, max_copies=1),
        strategies.mechanisms(max_factors=1, max_copies=10**6),
        strategies.mechanisms(max_factors=2, max_copies=1000))


def block(base: int, number: int, limit: float, size: int = BLOCK) -> Block:
    """One block of queries, the same each time."""
    found = Block(base, number)

    @seed(base * 1_000_003 + number)
    @settings(max_examples=size, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @given(pairs(), st.tuples(*[strategies.deltas(doubles=True)] * 2),
           st.tuples(strategies.epsilons(doubles=True),
                     st.sampled_from((0.0, 1.0, -1.0, 2.0, 3.0, 5.0))))
    def ask(pair: Any, levels: tuple[float, float], points: tuple[float, float]) -> None:
        found.entries += entries(pair, levels, points, limit)

    ask()
    return found


def entries(pair: Any, levels: Iterable[float], points: Iterable[float], limit: float
            ) -> Iterator[Entry]:
    """The queries to one mechanism: epsilon at levels, delta at points and where that leads."""
    places = list(points)
    for level in levels:
        entry, answer = _held(pair, "epsilon", level, limit)
        yield entry
        if answer is not None and not answer.is_infinite:
            places.append(float(answer))
    for place in places:
        yield _held(pair, "delta", place, limit)[0]
    yield _compared(pair, places[-1], limit)


def _held(pair: Any, asked: str, at: float, limit: float) -> tuple[Entry, Any]:
    """Is the ball in the interval?"""
    entry = Entry(repr(pair), asked, repr(at), REFUSED)
    batch, exactly = (deltas, delta) if asked == "delta" else (epsilons, epsilon)
    answer = None
    try:
        with limited(limit):
            found = batch(pair, [at])
            answer, entry.wide = found[0], bool(found.wide[0])
            entry.method = answer.method
            entry.outcome = UNREACHED
            for digits in DIGITS:
                ball = exactly(pair, sp.Rational(*at.as_integer_ratio()), digits)
                entry.outcome = _relation(answer, ball)
                if entry.outcome == HELD:
                    break
        entry.detail = "" if entry.outcome == HELD else f"{answer!r} against {ball!r}"
        if not answer.is_infinite and answer.enclosure.radius:
            size = abs(answer.enclosure.middle)
            entry.width = float(answer.enclosure.radius / size) if size else float("inf")
        if entry.outcome == HELD and entry.width > WIDE and not entry.wide:
            entry.outcome = SILENT
    except Late:
        entry.outcome = LATE
    except Unsupported as problem:
        entry.detail = str(problem)
    except (LapdpError, ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError,
            RecursionError, TypeError, ValueError) as problem:
        entry.outcome, entry.detail = FAULT, repr(problem)
    return entry, answer


def _relation(answer: Any, ball: Any) -> str:
    if answer.is_infinite or ball.is_infinite:
        return HELD if answer.is_infinite and ball.is_infinite else MISS
    inner, outer = ball.enclosure, answer.enclosure
    if outer.lower <= inner.lower and inner.upper <= outer.upper:
        return HELD
    # a double that is the number itself has no room for a ball, however narrow
    return MISS if outer.upper < inner.lower or inner.upper < outer.lower else UNREACHED


def _compared(pair: Any, at: float, limit: float) -> Entry:
    """Do the balls of all methods meet?"""
    found: list[tuple[str, Any]] = []
    entry = Entry(repr(pair), "methods", repr(at), UNREACHED)
    try:
        point = sp.Rational(*at.as_integer_ratio())
        for name, compute in methods_of_delta(pair, point, DIGITS[0]):
            try:
                with limited(limit):
                    found.append((name, compute(DIGITS[0])))
            except (Unsupported, Late):
                continue
    except (LapdpError, ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError,
            RecursionError, TypeError, ValueError) as problem:
        entry.outcome, entry.detail = FAULT, repr(problem)
        return entry
    entry.method = " = ".join(name for name, _ in found)
    if len(found) > 1:
        apart = [(a, b) for a, b in itertools.combinations(found, 2)
                 if a[1].compare(b[1]) not in (None, 0)]
        entry.outcome = CONFLICT if apart else AGREE
        entry.detail = str(apart[0]) if apart else ""
    return entry


# over all blocks --------------------------------------------------------------------------------


def family(text: str) -> str:
    """The families that a mechanism is made of."""
    names = sorted(set(re.findall(r"(\w+)\(", text)) & {*strategies.families(), "poisson"})
    return " ".join(names)


def summary(blocks: Iterable[Block], widest: int = 5) -> str:
    """Counts by outcome, family and method, what is bad in full, and the widest intervals."""
    everything = [entry for one in blocks for entry in one.entries]
    lines = [said(e.outcome for e in everything),
             *tally(everything, family=lambda e: family(e.mechanism), method=by_method)]
    lines.append("widest intervals that say nothing:")
    narrow = [e for e in everything if e.outcome == HELD and not e.wide and e.method]
    lines += [f"  {e.width:.1e} {e.asked} {e.at} of {e.mechanism}: {e.method}"
              for e in sorted(narrow, key=lambda e: -e.width)[:widest]]
    lines += [f"{e.outcome}: {e.asked} {e.at} of {e.mechanism}: {e.detail}"
              for e in everything if e.outcome in BAD]
    return "\n".join(lines)


def read(path: Path) -> list[Block]:
    """Blocks that are done."""
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Block(d["seed"], d["number"], [Entry(**e) for e in d["entries"]]) for d in lines]


def main() -> int:
    """Run the blocks that are not done."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--part", default="0/1", help="blocks I, I + N, I + 2 N, ...")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    done = read(chosen.kept) if chosen.kept else []
    known = {one.number for one in done if one.seed == chosen.seed}
    first, step = map(int, chosen.part.split("/"))
    for number in range(first, -(-chosen.queries // (BLOCK * EACH)), step):
        if number in known:
            continue
        one = block(chosen.seed, number, chosen.limit)
        done.append(one)
        if chosen.kept:
            with chosen.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one)) + "\n")
        bad = [e for e in one.entries if e.outcome in BAD]
        print(f"block {number}: {len(one.entries)} queries, {len(bad)} bad", flush=True)
        for e in bad:
            print(f"  {e.outcome}: {e.asked} {e.at} of {e.mechanism}: {e.detail}", flush=True)
    print(summary(done))
    return 1 if any(e.outcome in BAD for one in done for e in one.entries) else 0


if __name__ == "__main__":
    sys.exit(main())
