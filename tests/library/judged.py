"""The record of which statements have been judged as they stand: ``judged.json``.

    python -m tests.library.judged [--all]

It holds a digest of each statement that was judged and had the verdict that its file records.
``make test`` judges what has no digest there, or another one; the command judges the same, enters
what is as recorded, and ends with exit code 1 where something is not.  ``--all`` begins anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.statement import Statement
from tests.shelf import library

RECORD = Path(__file__).with_name("judged.json")


def digest(statement: Statement) -> str:
    """What is judged, what steers the judge, and what the verdict is compared with."""
    return fingerprint((statement.claim, *statement.where, statement.hints, statement.cited,
                        statement.expected))


def recorded() -> dict[str, str]:
    """Digests by id."""
    found: dict[str, str] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def changed(statements: Iterable[Statement]) -> list[Statement]:
    """What nobody has judged as it stands."""
    known = recorded()
    return [s for s in statements if known.get(s.id) != digest(s)]


def main(arguments: list[str] | None = None) -> int:
    """Judge what has changed and enter it."""
    from tests.library.test_statements import complaints

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="judge everything anew")
    everything = library()
    given = parser.parse_args(arguments)
    waiting = list(everything) if given.all else changed(everything)
    known = {} if given.all else recorded()
    good, failed = {s.id: known[s.id] for s in everything if s.id in known}, 0
    for number, statement in enumerate(waiting):
        wrong = complaints(statement)
        print(f"[{number + 1}/{len(waiting)}] {statement.id}", *wrong, sep="\n  ", flush=True)
        failed += bool(wrong)
        good.pop(statement.id, None)
        if not wrong:
            good[statement.id] = digest(statement)
    RECORD.write_text(json.dumps(good, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
