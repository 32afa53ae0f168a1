"""The answers of ``lapdp contradictions`` for the shipped library: ``proofs/contradictions.json``.

    python -m tests.library.contradicted [--all] [--jobs 2]

Asks the questions that have no answer on record, and forgets answers to questions that are no
longer asked.  ``--all`` asks all of them anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache

from lapdp.commands.contradicting import JUDGE, as_data, of_papers, on_record
from lapdp.theory.comparing import contradictions
from lapdp.theory.comparing.recorded import files_digest, kept, place, recorded, told
from lapdp.theory.runner import run, sendable
from tests.shelf import library


@cache
def doubted():
    """The statements that are compared, with the verdict of each."""
    statements = of_papers([s for s in library() if s.repairs is None and s.kind != "step"])
    return statements, on_record(statements)


def asked(answer):
    """Every question that the command asks, when ``answer(questions)`` answers them."""
    questions = {}

    def judge(those):
        questions.update({q.hash: q for q in those})
        return answer(those)

    statements, verdicts = doubted()
    return questions, contradictions(statements, verdicts, judge)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="ask all anew")
    parser.add_argument("--jobs", type=int, default=None)
    given = parser.parse_args(arguments)
    known = {} if given.all else dict(recorded())

    def answer(those):
        new = [q for q in those if q.hash not in known and sendable(q)]
        results = run(new, jobs=given.jobs, judge=JUDGE, numeric=False, progress=lambda *at: print(
            *at, file=sys.stderr, flush=True))
        known.update({q.hash: kept(r) for q, r in zip(new, results, strict=True)})
        return [told(known.get(q.hash)) for q in those]

    questions, search = asked(answer)
    papers = sorted({s.paper for s in doubted()[0]})
    outcome = as_data(papers, search)
    rows = {digest: known[digest] for digest in sorted(questions) if digest in known}
    place().write_text(json.dumps({"files": files_digest(), "answers": rows, "outcome": outcome},
                                  indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(rows)} answers, {len(search.found)} contradictions")


if __name__ == "__main__":
    sys.exit(main())
