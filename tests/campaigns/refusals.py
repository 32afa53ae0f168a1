"""Random natural queries: how many are refused, and how many take longer than two seconds.

    python -m tests.campaigns.refusals [--queries 500] [--seed 0] [--limit 2]

Mechanisms of the catalogue with parameters as people choose them, subsampled in both directions at
rates down to 1e-6, powers to 1e9, products of two or three; delta at an eps, or epsilon at a delta
down to 1e-30.  Each runs in a process that is ended after the limit.  The command prints what was
not answered, by family; it ends with exit code 1 where something failed that is no refusal.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable

from lapdp.accounting.sweeps import Row, sweep

NOISE = ("gaussian({s})", "laplace({s})", "discrete_gaussian({n})", "geometric({e})",
         "randomized_response({e})", "exponential_mechanism({e})", "staircase({e})")
SAMPLED = ("gaussian({s})", "laplace({s})", "randomized_response({e})")
SCALES = ("1/2", "1", "2", "5", "10", "100")
WHOLE, BUDGETS = ("1", "2", "10"), ("1/100", "1/10", "1", "2")
RATES = ("1/2", "1/10", "1/100", "1/1000", "1/10000", "1/1000000")


def mechanism(draw: random.Random) -> str:
    """One release, or many of one."""
    sampled = draw.random() < 0.4
    text = draw.choice(SAMPLED if sampled else NOISE).format(
        s=draw.choice(SCALES), n=draw.choice(WHOLE), e=draw.choice(BUDGETS))
    if sampled:
        direction = draw.choice(("add", "remove"))
        text = f"poisson({text}, {draw.choice(RATES)}, direction='{direction}')"
    power = draw.choice((1, 1, 2, 3, 10, 30, 100, 1000, 10**4, 10**6, 10**9))
    return text if power == 1 else f"{text}**{power}"


def query(draw: random.Random) -> str:
    """A question about one mechanism, or about a product of two or three."""
    pair = "*".join(mechanism(draw) for _ in range(draw.choice((1, 1, 1, 2, 2, 3))))
    if draw.random() < 0.4:
        return f"delta({pair}, {draw.choice(('1/10', '1/2', '1', '2', '8'))}, digits=10)"
    level = draw.choice(("1e-3", "1e-5", "1e-6", "1e-9", "1e-15", "1e-30"))
    return f"epsilon({pair}, {level}, digits=10)"


def kind(row: Row) -> str:
    """answered, refused, late or failed."""
    if row.answer is not None:
        return "answered"
    if "limit" in row.refusal:
        return "late"
    return "failed" if re.search(r"\w+Error\b|crash|signal", row.refusal) else "refused"


def summary(rows: Iterable[Row]) -> str:
    """Counts, and every query without an answer with its reason, by family."""
    rows = list(rows)
    lines = [", ".join(f"{n} {what}" for what, n in Counter(map(kind, rows)).most_common())]
    bad = [row for row in rows if row.answer is None]
    families = {row: " ".join(sorted(set(re.findall(r"(\w+)\(", str(row.query))) - {
        "delta", "epsilon"})) for row in bad}
    for family, count in Counter(families.values()).most_common():
        lines.append(f"{count} of {family}:")
        lines += [f"  {kind(row)}: {row.query}: {row.refusal[:150]}" for row in bad
                  if families[row] == family]
    return "\n".join(lines)


def main() -> int:
    """Ask, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=2.0)
    chosen = parser.parse_args()
    draw = random.Random(chosen.seed)
    rows = sweep([query(draw) for _ in range(chosen.queries)], timeout=chosen.limit)
    print(summary(rows))
    return 1 if any(kind(row) == "failed" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
