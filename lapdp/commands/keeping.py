"""What ``lapdp verify --search`` does with what it finds, and with what it finds no more."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from lapdp.theory import derivations, kept_verdicts
from lapdp.theory.derivations import REPLAYED, is_kept
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement
from lapdp.theory.task_outcome import Outcome

Judged = tuple[Statement, Outcome]
"""A statement that was judged, and was not stopped."""


def with_kept(statements: Sequence[Any], results: list[dict[str, Any]],
              outcomes: Sequence[Judged], jobs: int | None, asked: Mapping[str, Any]
              ) -> list[dict[str, Any]]:
    """The results of a search; a derivation that it does not find any more stands, and is told of,
    also where the time limit came before: that is of the search, and not of the replay."""
    judged_ones = {s.id for s, _ in outcomes}
    stopped = [s for s in statements if s.id not in judged_ones and is_kept(s)]
    again = run(stopped, jobs, by_record=True,
                **{name: asked[name] for name in ("digits", "seed", "numeric")})
    stands = {r["id"]: r for r in again if r["verdict"] == "proved"}
    results = [stands.get(r["id"], r) for r in results]
    lost = [r["id"] for r in results
            if r["verdict"] == "proved" and r["symbolic"]["method"] == REPLAYED]
    if lost:
        print(f"lapdp: not found anew, the kept derivation stands: {', '.join(lost)}",
              file=sys.stderr)
    return results


def keep(outcomes: Sequence[Judged], asked: Mapping[str, Any]) -> None:
    """Write derivations and verdicts beside the proof files, and drop those of sentences that
    these no longer state."""
    derivations.forget(s for s, _ in outcomes)
    new = [(s, o.result["derivation"]["digest"], o.lines) for s, o in outcomes
           if o.lines and derivations.improves(s, o.lines)]
    files = derivations.keep(new)
    print(f"lapdp: {len(new)} derivations kept in {len(files)} files", file=sys.stderr)
    usual = (asked["digits"], asked["seed"]) == (kept_verdicts.DIGITS, kept_verdicts.SEED)
    kept_verdicts.keep((s, kept_verdicts.told(o.result, numeric=usual)) for s, o in outcomes)


__all__ = ["keep", "with_kept"]
