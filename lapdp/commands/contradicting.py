"""``lapdp contradictions``: what papers say of one object, and where they differ."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapdp.commands.declaring import Commands, add_amount
from lapdp.commands.exits import GOOD
from lapdp.commands.judging import add_judging, add_many, judged
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.theory.comparing import Search
    from lapdp.theory.comparing.recorded import Answer
    from lapdp.theory.runner import Judging

_EXAMPLES = """
lapdp contradictions                                     # between all papers that are found
lapdp contradictions zhu2021 sommer2020
lapdp contradictions proofs/ chourasia2024/theorem-4.2   # mine against theirs
"""
_NOTES = """
What is not proved is put before the statements of the other papers about the same object; where
they differ, the smallest witness is shown.  Verdicts and answers of the library are taken from its
record, with --no-cache they are found anew.  Steps of proofs are asked with --steps."""
PROVED = "proved"
JUDGE = "lapdp.theory.comparing.differences:differ"


def add(commands: Commands) -> None:
    """The command ``contradictions``."""
    made = commands.add("judge", "contradictions", run,
                        "find where papers contradict each other", examples=_EXAMPLES,
                        notes=_NOTES, exits="0 the search is done; 2 bad input")
    made.add_argument("papers", nargs="*", metavar="TARGET",
                      help="papers, files or folders of two papers or more (default: the library)")
    made.add_argument("--steps", action="store_true", help="steps of proofs too")
    made.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_amount(made, "the summary line", "the questions that show no difference")
    add_judging(made)
    add_many(made)


def run(arguments: argparse.Namespace) -> int:
    """What is on record of the library as it stands, or what a search finds."""
    from lapdp.theory.comparing.recorded import outcome
    from lapdp.theory.discovery import Catalogue

    shipped = not (arguments.papers or arguments.steps or arguments.no_cache)
    told = outcome() if shipped and Catalogue().has_nothing_beside() else None
    told = told or _searched(arguments)
    found, silent = told["contradictions"], told["no_difference"]
    if arguments.json:
        print(json.dumps(told, indent=2))
        return GOOD
    if not arguments.quiet:
        sys.stdout.write("".join(map(_told, found)))
    if arguments.verbose and silent:
        print("no difference seen:", *silent, sep="\n  ")
    print(f"{', '.join(told['papers'])}: {len(found)} contradictions; {told['asked']} questions, "
          f"{len(silent)} of them without a difference")
    return GOOD


def _searched(arguments: argparse.Namespace) -> dict[str, Any]:
    """Judge what has no verdict on record, then ask the questions between the papers."""
    from lapdp.theory.comparing import contradictions
    from lapdp.theory.comparing.recorded import recorded
    from lapdp.theory.discovery import discover
    from lapdp.theory.runner import Judging

    statements = [s for s in discover(arguments.papers)
                  if s.repairs is None and (arguments.steps or s.kind != "step")]
    if not arguments.papers:
        statements = of_papers(statements)
    papers = sorted({s.paper for s in statements})
    if len(papers) < 2:
        left_out = "" if arguments.steps else ", steps of proofs left out,"
        named = papers[0] if papers else "nothing"
        raise InputError(f"{named} alone{left_out} contradicts nobody: name two papers or more, as "
                         "in lapdp contradictions zhu2021 sommer2020")
    verdicts = {} if arguments.no_cache else on_record(statements)
    open_ones = [s for s in statements if s.id not in verdicts]
    if open_ones:
        verdicts |= {r["id"]: r["verdict"] for r in judged(open_ones, arguments)["statements"]}
    answers = {} if arguments.no_cache else recorded()
    # one process for all rounds: a question takes less than to start another
    with Judging(arguments.timeout, judge=JUDGE, numeric=False) as judging:
        search = contradictions(statements, verdicts,
                                lambda asked: _differences(asked, judging, arguments, answers))
    return as_data(papers, search)


def as_data(papers: Sequence[str], search: Search) -> dict[str, Any]:
    """What was found, as ``--json`` prints it."""
    return {"papers": list(papers), "asked": search.asked,
            "contradictions": [c.record() for c in search.found],
            "no_difference": list(search.no_difference)}


def of_papers(statements: Sequence[Any]) -> list[Any]:
    """Without shelves that belong to no paper: those with no list of printed items, if any has."""
    listed = {s.paper for s in statements
              if (Path(s.source).parent / "items.json").is_file()}
    return [s for s in statements if not listed or s.paper in listed]


def on_record(statements: Sequence[Any]) -> dict[str, str]:
    """Verdicts of the shipped library, which its tests judge anew: proved, unless it says else."""
    from lapdp.theory.library import shipped_library

    shelf = shipped_library()
    return {s.id: s.expected or PROVED for s in statements
            if Path(s.source).resolve().is_relative_to(shelf)}


def _differences(asked: Sequence[Any], judging: Judging, arguments: argparse.Namespace,
                 answers: Mapping[str, Answer]) -> list[dict[str, Any]]:
    """Where questions are false: on record, or found in a process that can be killed."""
    from lapdp.theory.comparing.recorded import told as as_told
    from lapdp.theory.runner import sendable

    told = []
    with Progress(sys.stderr, arguments.quiet, limit=arguments.timeout) as progress:
        for done, question in enumerate(asked, 1):
            if answers and question.hash in answers:
                told.append(as_told(answers[question.hash]))
                continue
            progress.begin(question.id)
            told.append(judging.judge(question) if sendable(question)
                        else {"verdict": "undecided"})
            progress.step(done, len(asked), question.id, told[-1]["verdict"])
    return told


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
