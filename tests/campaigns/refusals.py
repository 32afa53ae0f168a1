"""Random natural queries: how many are refused, and how many take longer than two seconds.

    python -m tests.campaigns.refusals [--queries 500] [--seed 0] [--digits 10] [--limit 2]
                                       [--end 10]

Mechanisms of the catalogue with parameters as people choose them, subsampled in both directions at
rates down to 1e-6, powers to 1e9, products of two or three; delta at an eps, or epsilon at a delta
down to 1e-30; to so many digits, or, without ``--digits``, as people ask.  Each runs in a process
of its own with nothing kept from another, so that CPU time, not the clock, counts, whatever else
the machine does; it is ended after ``--end`` seconds of it.  The command prints what was not
answered in time, by family, and the largest memory; it ends with exit code 1 where something failed
that is no refusal.
"""

from __future__ import annotations

import argparse
import importlib
import random
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lapdp.accounting.queries import Query
from lapdp.core.errors import LapdpError
from tests.campaigns.children import child
from tests.campaigns.tallies import said

USUAL = ("gaussian({s})", "laplace({s})", "randomized_response({e})")
RARER = ("discrete_gaussian({n})", "geometric({e})", "exponential_mechanism({e})",
         "staircase({e})", "kary_response({k}, {e})", "truncated_laplace({s}, {b})",
         "approximate_dp({e}, 1/100000)")
OFTEN = 3
"""Times as often each of the usual ones."""
SCALES = ("1/2", "1", "2", "5", "10", "100")
WHOLE, BUDGETS = ("1", "2", "10"), ("1/100", "1/10", "1", "2")
ANSWERS, ENDS = ("3", "7", "20"), ("10", "100")
RATES = ("1/2", "1/10", "1/100", "1/1000", "1/10000", "1/1000000")
USED = ("lapdp.accounting.delta_methods", "lapdp.accounting.epsilon", "lapdp.theory.parse",
        "lapdp.accounting.inversion.machine")
"""Loaded before the first process starts."""


@dataclass(frozen=True)
class Run:
    """What came of one query."""

    query: str
    answer: str = ""
    """The number, or nothing."""
    why: str = ""
    """Why there is none: what the refusal says, or the name of an exception."""
    refused: bool = False
    cpu: float = 0.0
    memory: float = 0.0
    """Seconds and megabytes."""

    def kind(self, limit: float) -> str:
        """answered, late, refused or failed; late is what was ended, or ended after the limit."""
        if self.cpu > limit:
            return "late"
        return "answered" if self.answer else "refused" if self.refused else "failed"


def mechanism(draw: random.Random) -> str:
    """One release, or many of one."""
    sampled = draw.random() < 0.4
    text = draw.choice((*OFTEN * USUAL, *RARER)).format(
        s=draw.choice(SCALES), n=draw.choice(WHOLE), e=draw.choice(BUDGETS),
        k=draw.choice(ANSWERS), b=draw.choice(ENDS))
    if sampled:
        direction = draw.choice(("add", "remove"))
        text = f"poisson({text}, {draw.choice(RATES)}, direction='{direction}')"
    power = draw.choice((1, 1, 2, 3, 10, 30, 100, 1000, 10**4, 10**6, 10**9))
    return text if power == 1 else f"{text}**{power}"


def query(draw: random.Random, digits: int | None = None) -> str:
    """A question about one mechanism, or about a product of two or three."""
    asked = "" if digits is None else f", digits={digits}"
    pair = "*".join(mechanism(draw) for _ in range(draw.choice((1, 1, 1, 2, 2, 3))))
    if draw.random() < 0.4:
        return f"delta({pair}, {draw.choice(('1/10', '1/2', '1', '2', '8'))}{asked})"
    level = draw.choice(("1e-3", "1e-5", "1e-6", "1e-9", "1e-15", "1e-30"))
    return f"epsilon({pair}, {level}{asked})"


def answered(text: str) -> Run:
    """The query, here."""
    start, answer, why, refused = time.process_time(), "", "", False
    try:
        answer = str(Query.of(text).answer())
    except LapdpError as problem:
        why, refused = " ".join(str(problem).split()), True
    except Exception as problem:
        # whatever it is, it is what this campaign looks for
        why = f"{type(problem).__name__}: {problem}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Run(text, answer, why, refused, time.process_time() - start, memory)


def apart(text: str, end: float) -> Run:
    """The query in a process of its own, which ends after so many seconds of CPU time."""
    ended = child(lambda: [answered(text)], end)
    if ended.items:
        run: Run = ended.items[0]
        return run
    if ended.by == signal.SIGPROF:
        return Run(text, why=f"ended after {end:g} s", cpu=end, memory=ended.memory)
    return Run(text, why=f"crash, status {ended.status}", memory=ended.memory)


def runs(texts: Iterable[str], end: float) -> Iterator[Run]:
    """Each query in turn."""
    for name in USED:
        importlib.import_module(name)
    for text in texts:
        yield apart(text, end)


def summary(found: Iterable[Run], limit: float) -> str:
    """Counts, the largest of all, and every query without an answer in time, by family."""
    found = list(found)
    kinds = {run: run.kind(limit) for run in found}
    lines = [said(kinds.values()),
             f"at most {max(run.cpu for run in found):.2f} s and "
             f"{max(run.memory for run in found):.0f} MB"]
    bad = [run for run in found if kinds[run] != "answered"]
    families = {run: " ".join(sorted(set(re.findall(r"(\w+)\(", run.query)) - {
        "delta", "epsilon"})) for run in bad}
    for family, count in Counter(families.values()).most_common():
        lines.append(f"{count} of {family}:")
        lines += [f"  {kinds[run]} {run.cpu:.1f} s: {run.query}: {(run.why or run.answer)[:150]}"
                  for run in bad if families[run] == family]
    return "\n".join(lines)


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--digits", type=int)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--end", type=float, default=10.0)
    chosen = parser.parse_args()
    draw = random.Random(chosen.seed)
    found = list(runs([query(draw, chosen.digits) for _ in range(chosen.queries)], chosen.end))
    print(summary(found, chosen.limit))
    return 1 if any(run.kind(chosen.limit) == "failed" for run in found) else 0


if __name__ == "__main__":
    sys.exit(main())
