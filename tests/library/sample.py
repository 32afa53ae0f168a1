"""Statements of the three papers drawn at random, to be judged afresh against the print.

    python -m tests.library.sample [--commit DIGEST] [--count N]

Ids are sorted by the SHA-256 of the digest of a commit (that of HEAD) and the id, so that nobody
chooses them and anybody can draw them again.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from lapdp.theory.fidelity import severity_of
from lapdp.theory.statement import Statement
from tests.library.unread import UNREAD
from tests.shelf import of_paper


def sample(statements: Iterable[Statement], commit: str, count: int) -> list[Statement]:
    """The first ``count`` statements in the order that the digest of the commit gives them."""
    def place(s: Statement) -> str:
        return hashlib.sha256(f"{commit}{s.id}".encode()).hexdigest()
    return sorted(statements, key=place)[:count]


def main() -> None:
    """Print each statement beside the line that it quotes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commit")
    parser.add_argument("--count", type=int, default=60)
    given = parser.parse_args()
    commit = given.commit or subprocess.run(
        ["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True,
        cwd=Path(__file__).parent).stdout.strip()
    print(commit)
    everything = [s for paper in UNREAD for s in of_paper(paper)]
    for number, s in enumerate(sample(everything, commit, given.count), 1):
        print(f"\n{number}. {s.id} ({s.kind}, {s.fidelity}, {s.expected or 'holds'}, "
              f"{severity_of(s)})",
              f"printed: {s.printed}", f"mended:  {s.corrected}", f"checked: {s.claim}",
              f"where:   {list(s.where)}", f"note:    {s.note}", sep="\n   ")


if __name__ == "__main__":
    main()
