"""Random natural queries, all in one process and each in one of its own: the same answers?

    python -m tests.campaigns.sessions [--queries 200] [--seed 0] [--end 4]

What one query leaves behind (tables, lines, what was refused) serves the next ones.  It may make an
answer quicker, never another number, nor a refusal.  Queries are drawn as in the campaign of
natural queries, by few mechanisms, so that many have much in common, and asked in random order.
*apart* are answers that exclude each other, *refused* one that was given and one that was not,
*otherwise* unlike enclosures of one number, which are counted.  The command ends with exit code 1
where there is one of the first two, or a failure that is no refusal.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from tests.campaigns import refusals
from tests.campaigns.children import child
from tests.campaigns.containment import Late, limited
from tests.campaigns.refusals import Run, answered, runs
from tests.campaigns.tallies import said

SAME, OTHERWISE, APART, REFUSED, LATE, FAILED = (
    "same", "otherwise", "apart", "refused", "late", "failed")
BAD = (APART, REFUSED, FAILED)
ASIDE = 8
"""Queries with much in common."""


def drawn(draw: random.Random, queries: int) -> list[str]:
    """About few mechanisms, in random order."""
    found: list[str] = []
    while len(found) < queries:
        # of some mechanisms many products
        few = [refusals.mechanism(draw) for _ in range(3)]
        for _ in range(ASIDE):
            pair = "*".join(draw.choice(few) for _ in range(draw.choice((1, 2, 2, 3))))
            digits = draw.choice((6, 10, 10, 20))
            if draw.random() < 0.5:
                at = draw.choice(("1/10", "1/2", "1", "2", "0", "-1", "8"))
                found.append(f"delta({pair}, {at}, digits={digits})")
            else:
                at = draw.choice(("1e-3", "1e-5", "1e-9", "1e-15"))
                found.append(f"epsilon({pair}, {at}, digits={digits})")
    draw.shuffle(found)
    return found[:queries]


def together(texts: list[str], end: float) -> Iterator[Run]:
    """All in one process, which is not this one."""
    def work() -> Iterator[Run]:
        for text in texts:
            try:
                with limited(end):
                    run = answered(text)
            except Late:
                run = Run(text, why="late", cpu=end)
            yield run

    found = child(work).items
    yield from found
    yield from (Run(text, why="crash") for text in texts[len(found):])


def interval(answer: str) -> tuple[Fraction, Fraction]:
    """The ends of a number as it is printed."""
    value, _, radius = answer.partition(" +/- ")
    return Fraction(value) - Fraction(radius or 0), Fraction(value) + Fraction(radius or 0)


def compared(one: Run, other: Run) -> str:
    """What two runs of a query have in common."""
    late = [run for run in (one, other) if run.kind(1e9) == "failed" and (
        run.why == "late" or run.why.startswith("ended"))]
    if late:
        return LATE
    kinds = {one.kind(1e9), other.kind(1e9)}
    if "failed" in kinds:
        return FAILED
    if len(kinds) == 2:
        return REFUSED
    if one.answer == other.answer:
        return SAME
    if "oo" in (one.answer, other.answer):
        return APART
    (a, b), (c, d) = interval(one.answer), interval(other.answer)
    return APART if a > d or c > b else OTHERWISE


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--end", type=float, default=4.0)
    chosen = parser.parse_args()
    texts = drawn(random.Random(chosen.seed), chosen.queries)
    alone = list(runs(texts, chosen.end))
    counts: Counter[str] = Counter()
    for one, other in zip(alone, together(texts, 2 * chosen.end), strict=True):
        outcome = compared(one, other)
        counts[outcome] += 1
        if outcome in BAD:
            print(f"{outcome}: {one.query}: {one.answer or one.why[:200]} alone, "
                  f"{other.answer or other.why[:200]} among others", flush=True)
    print(said(counts.elements()))
    return 1 if any(counts[what] for what in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
