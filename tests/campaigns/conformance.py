"""Right things under many examples, and how soon wrong ones are caught.

    python -m tests.campaigns.conformance [--examples 10000] [--kept FILE] [--only WORD]
                                          [--limit SECONDS] [--part I/N]
    python -m tests.campaigns.conformance --wrong [--seeds 20] [--only WORD]

The things are those of tests/wrong.  Without ``--wrong`` every law of every right thing is run on
so many examples: the command ends with exit code 1 when one fails.  With it every wrong thing is
searched with several seeds by all its laws; it prints the examples until the first failure, which
things a single law catches, and which laws catch nothing.

Blocks of examples are kept in FILE as they are done, one line each: an interrupted run resumes.
The seed of a block is its number, so a block can be repeated by itself.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from tests.wrong.registry import Wrong, right, wrong

BLOCK = 500
"""Examples of a block."""
UNTIL = 2000
"""Examples within which a wrong thing is to be caught."""
OTHERS = 200
"""Examples of the laws that need not catch it."""


def blocks(examples: int, only: str) -> Iterator[tuple[str, Any, int, int]]:
    """Thing, law, number of the block, its examples: all things get their first block first."""
    for number in range(-(-examples // BLOCK)):
        for thing in right():
            if only in thing.name:
                for check in thing.laws.values():
                    yield thing.name, check, number, min(BLOCK, examples - number * BLOCK)


def read(path: Path | None) -> dict[tuple[str, str, int, int], dict[str, Any]]:
    """Blocks that are done."""
    if path is None or not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {(d["thing"], d["law"], d["block"], d["asked"]): d for d in lines}


def run_right(chosen: argparse.Namespace) -> int:
    """Run the blocks that are not done; a law that takes longer than the limit stops there."""
    done = read(chosen.kept)
    spent: Counter[tuple[str, str]] = Counter()
    first, step = map(int, chosen.part.split("/"))
    for place, (thing, check, number, size) in enumerate(blocks(chosen.examples, chosen.only)):
        key = (thing, check.name, number, size)
        if place % step != first or key in done or spent[key[:2]] > chosen.limit:
            continue
        start = time.monotonic()
        finding = check.search(size, number)
        seconds = time.monotonic() - start
        spent[key[:2]] += seconds
        done[key] = {"thing": thing, "law": check.name, "block": number, "asked": size,
                     "examples": finding.examples, "undecided": finding.undecided,
                     "seconds": round(seconds, 2), "failure": str(finding.failure or "")}
        if chosen.kept:
            with chosen.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(done[key]) + "\n")
        print(f"{thing}, {check.name}, block {number}: {finding}, {seconds:.1f} s", flush=True)
    print(summary(list(done.values()), chosen.examples))
    return 1 if any(d["failure"] for d in done.values()) else 0


def summary(done: list[dict[str, Any]], examples: int) -> str:
    """Examples by thing and law, and every failure in full."""
    laws: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for d in done:
        laws[d["thing"], d["law"]].update(
            examples=d["examples"], undecided=d["undecided"], asked=d["asked"],
            milliseconds=round(1000 * d["seconds"]), failures=bool(d["failure"]))
    whole = sum(c["asked"] >= examples for c in laws.values())
    lines = [f"{thing}, {law}: {c['examples']} examples, {c['undecided']} undecided, "
             f"{c['milliseconds'] / 1000:.0f} s" for (thing, law), c in sorted(laws.items())]
    lines.append(f"{len(laws)} laws of {len({t for t, _ in laws})} things, {whole} of them with "
                 f"{examples} examples asked; {sum(c['examples'] for c in laws.values())} tried, "
                 f"{sum(c['failures'] for c in laws.values())} failures")
    return "\n".join([*lines, *(d["failure"] for d in done if d["failure"])])


def run_wrong(chosen: argparse.Namespace) -> int:
    """Examples until the first failure by thing, law and seed."""
    things = [thing for thing in wrong() if chosen.only in thing.name]
    catches: dict[str, Counter[str]] = {}
    until: dict[str, list[int]] = defaultdict(list)
    for thing in things:
        catches[thing.name] = Counter({law: 0 for law in thing.laws})
        for seed in range(chosen.seeds):
            found = {law: check.search(UNTIL if law in thing.fails else OTHERS, seed)
                     for law, check in thing.laws.items()
                     if seed == 0 or catches[thing.name][law]}
            caught = {law: f for law, f in found.items() if f.failure is not None}
            catches[thing.name].update(caught.keys())
            until[thing.name].append(min((f.examples for law, f in caught.items()
                                          if law in thing.fails), default=UNTIL))
        counts = until[thing.name]
        print(f"{thing.name}: median {median(counts)}, most {max(counts)}; by "
              f"{', '.join(f'{law} ({n})' for law, n in catches[thing.name].items() if n)}",
              flush=True)
    print(table(things, catches))
    medians = [median(counts) for counts in until.values()]
    print(f"{len(things)} wrong things, {chosen.seeds} seeds: median {median(medians)} examples, "
          f"most {max(medians)}")
    missed = [name for name, counts in until.items() if UNTIL in counts]
    print("\n".join(f"missed with some seed: {name}" for name in missed))
    return 1 if missed else 0


def table(things: list[Wrong], catches: dict[str, Counter[str]]) -> str:
    """By kind and law: how many things it catches, and how many nothing else does."""
    alone: dict[tuple[str, str], list[str]] = defaultdict(list)
    caught: Counter[tuple[str, str]] = Counter()
    for thing in things:
        kind = thing.name.partition(":")[0]
        seen = [law for law, n in catches[thing.name].items() if n]
        caught.update({(kind, law): law in seen for law in thing.laws})
        if len(seen) == 1:
            alone[kind, seen[0]].append(thing.name)
    return "\n".join(f"{kind}, {law}: catches {n}, {len(alone[kind, law])} of them alone"
                     for (kind, law), n in sorted(caught.items()) if kind != "law")


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--only", default="", help="things whose names contain this")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each law")
    parser.add_argument("--part", default="0/1", help="blocks I, I + N, I + 2 N, ...")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--seeds", type=int, default=20)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    return run_wrong(chosen) if chosen.wrong else run_right(chosen)


if __name__ == "__main__":
    sys.exit(main())
