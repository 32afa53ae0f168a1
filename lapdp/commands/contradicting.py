"""``lapdp contradictions``: what papers say of one object, and where they differ."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from lapdp.commands.declaring import Commands, add_amount
from lapdp.commands.exits import GOOD
from lapdp.commands.judging import add_judging, add_many, judged
from lapdp.core.errors import InputError

_EXAMPLES = """
lapdp contradictions                                     # between all papers that are found
lapdp contradictions zhu2021 sommer2020
lapdp contradictions proofs/ chourasia2024/theorem-4.2   # mine against theirs
"""
_NOTES = """
What is not proved is put before the statements of the other papers about the same object; where
they differ, the smallest witness is shown.  Steps of proofs are asked with --steps."""


def add(commands: Commands) -> None:
    """The command ``contradictions``."""
    made = commands.add("judge", "contradictions", run,
                        "find where papers contradict each other", examples=_EXAMPLES,
                        notes=_NOTES, exits="0 the search is done; 2 bad input")
    made.add_argument("papers", nargs="*", metavar="TARGET",
                      help="papers, files or folders of two papers or more (default: the library)")
    made.add_argument("--steps", action="store_true", help="steps of proofs too")
    made.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_amount(made, "the summary line", "the questions that no method decides")
    add_judging(made)
    add_many(made)


def run(arguments: argparse.Namespace) -> int:
    """Judge the papers, then the questions between them."""
    from lapdp.theory.comparing import contradictions
    from lapdp.theory.discovery import discover

    statements = [s for s in discover(arguments.papers)
                  if s.repairs is None and (arguments.steps or s.kind != "step")]
    papers = sorted({s.paper for s in statements})
    if len(papers) < 2:
        left_out = "" if arguments.steps else ", steps of proofs left out,"
        named = papers[0] if papers else "nothing"
        raise InputError(f"{named} alone{left_out} contradicts nobody: name two papers or more, as "
                         "in lapdp contradictions zhu2021 sommer2020")

    def judge(asked: Sequence[Any]) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = judged(asked, arguments)["statements"]
        return results

    verdicts = {r["id"]: r["verdict"] for r in judge(statements)}
    search = contradictions(statements, verdicts, judge)
    found = [c.record() for c in search.found]
    if arguments.json:
        print(json.dumps({"papers": papers, "asked": search.asked, "contradictions": found,
                          "undecided": list(search.undecided)}, indent=2))
        return GOOD
    if not arguments.quiet:
        sys.stdout.write("".join(map(_told, found)))
    if arguments.verbose and search.undecided:
        print("no method decides:", *search.undecided, sep="\n  ")
    print(f"{', '.join(papers)}: {len(found)} contradictions; {search.asked} questions, "
          f"{len(search.undecided)} of them undecided")
    return GOOD


def _told(found: dict[str, Any]) -> str:
    """One contradiction: the object, both statements, and where they differ.

    >>> print(_told({"about": "delta(P, Q)(eps)", "witness": {"text": "eps = 0", "lhs": "0",
    ...     "rhs": "1"}, "statements": [
    ...     {"id": "a/eq-1", "verdict": "refuted", "printed": "d=0", "encoded": "d=0"},
    ...     {"id": "b/eq-1", "verdict": "proved", "printed": "", "encoded": "d=1"}]}), end="")
    delta(P, Q)(eps)
      a/eq-1 (refuted): d=0
      b/eq-1 (proved): d=1
      at eps = 0: 0 against 1
    <BLANKLINE>
    """
    lines = [found["about"]]
    lines += [f"  {s['id']} ({s['verdict']}): {s['printed'] or s['encoded']}"
              for s in found["statements"]]
    witness = found["witness"]
    lines.append(f"  at {witness['text']}: {witness['lhs']} against {witness['rhs']}" if witness
                 else "  the same sentence, under other hypotheses")
    return "\n".join(lines) + "\n\n"
