"""``lapdp reference``: the published table of values, printed, filtered, computed anew."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.commands.exits import BAD, GOOD
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.accounting.reference import Row

_EXAMPLES = """examples:
  lapdp reference                                    a table
  lapdp reference --family laplace --format csv
  lapdp reference --format json --out values.json    all of it, with plain parameters
  lapdp reference --check --family gaussian          compute the values anew

Each value has 40 digits with a proved radius, and says which second method, sharing no code,
confirmed how many of them.  The same files lie in the package, in lapdp/accounting/reference/.

exit code of --check: 1 where a value differs"""
FORMATS = ("text", "csv", "json")


def add_command(command: Callable[..., argparse.ArgumentParser],
                run: Callable[[argparse.Namespace], int]) -> None:
    """The command ``reference``."""
    made = command("reference", run, "print a table of certified reference values", _EXAMPLES)
    made.add_argument("--family", metavar="F",
                      help="values of one family, a name of lapdp mechanisms, or product")
    made.add_argument("--format", choices=FORMATS, default="text", help="default text")
    made.add_argument("--out", metavar="FILE", help="write to FILE")
    made.add_argument("--check", action="store_true",
                      help="compute the values anew and compare; all of them take minutes")


def run(arguments: argparse.Namespace) -> int:
    """Print the rows, or compute them anew."""
    from lapdp.accounting.reference.table import of_family, read, written
    from lapdp.report import json_report

    if arguments.out is not None:
        if arguments.check:
            raise InputError("--check compares and writes no table: leave out --out")
        json_report.check_writable(arguments.out)
    rows = read()
    if arguments.family is not None:
        rows = of_family(rows, arguments.family)
    if arguments.check:
        return _check(rows)
    text = _listing(rows) if arguments.format == "text" else written(rows, arguments.format)
    if arguments.out is None:
        print(text, end="")
        return GOOD
    json_report.write_text(arguments.out, text)
    return GOOD


def _listing(rows: Sequence[Row]) -> str:
    from lapdp.report.text import listing

    shown = [(row.query.text(), row.query.direction, row.query.asked, row.query.at, row.value)
             for row in rows]
    return listing(shown, ("mechanism", "direction", "asked", "at", "value")) + "\n"


def _check(rows: Sequence[Row]) -> int:
    from lapdp.accounting.reference.table import DIGITS, computed

    found, wrong = [], 0
    with Progress(sys.stderr, quiet=False) as progress:
        for row in rows:
            found.append(computed(row.query))
            progress.step(len(found), len(rows), row.query.text(), "")
    for row, anew in zip(rows, found, strict=True):
        if not row.agrees(anew):
            wrong += 1
            print(f"differs: {row.query.command(DIGITS)}\n  published {row.value} +/- {row.radius}"
                  f"\n  computed  {anew.value} +/- {anew.radius}")
    print(f"{len(rows)} values computed anew, {wrong} differ" if wrong else
          f"{len(rows)} values computed anew, all as published")
    return BAD if wrong else GOOD
