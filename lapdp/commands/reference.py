"""``lapdp reference``: the published table of values, printed, filtered, computed anew."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.commands.declaring import Commands, add_amount
from lapdp.commands.exits import BAD, GOOD
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.accounting.reference import Row

_EXAMPLES = """
lapdp reference                                    # a table
lapdp reference --family laplace --format csv
lapdp reference --format json --out values.json    # all of it, with plain parameters
lapdp reference --check --family exponential       # compute the values anew
"""
_NOTES = """
Each value has 40 digits with a proved radius, and says which second method, sharing no code,
confirmed how many of them.  The same files lie in the package, in lapdp/accounting/reference/."""
FORMATS = ("text", "csv", "json")
MARKS = {"text": "mechanism  ", "csv": "mechanism,family,", "json": '"values": ['}
"""What stands at the beginning of each: a file without it is not lapdp's to replace."""


def add(commands: Commands) -> None:
    """The command ``reference``."""
    made = commands.add(
        "look up", "reference", run, "print a table of certified reference values",
        examples=_EXAMPLES, notes=_NOTES,
        exits="0 done; 1 a value differs (--check); 2 bad input")
    made.add_argument("--family", metavar="F",
                      help="values of one family, a name of lapdp mechanisms, or product")
    made.add_argument("--format", choices=FORMATS, default="text", help="default text")
    made.add_argument("--out", metavar="FILE", help="write to FILE")
    made.add_argument("--check", action="store_true",
                      help="compute the values anew and compare; all of them take minutes")
    add_amount(made, "how many differ, or the values", "radius, method and second method")


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
        return _check(rows, quiet=arguments.quiet)
    if arguments.format != "text":
        text = written(rows, arguments.format)
    elif arguments.quiet:
        text = "".join(f"{row.value}\n" for row in rows)
    else:
        text = _listing(rows, arguments.verbose)
    if arguments.out is None:
        print(text, end="")
        return GOOD
    bare = arguments.quiet and arguments.format == "text"
    mark = text.partition("\n")[0] if bare else MARKS[arguments.format]
    json_report.write_text(arguments.out, text, mark)
    return GOOD


def _listing(rows: Sequence[Row], verbose: bool) -> str:
    from lapdp.report.text import listing

    heads: tuple[str, ...] = ("mechanism", "direction", "asked", "at", "value")
    shown: list[tuple[str, ...]] = [
        (row.query.text(), row.query.direction, row.query.asked, row.query.at, row.value)
        for row in rows]
    if verbose:
        heads += ("radius", "method", "confirmed by")
        shown = [(*cells, row.radius, row.method,
                  f"{row.confirmed_by}, {row.confirmed_digits} digits" if row.confirmed_by else "-")
                 for cells, row in zip(shown, rows, strict=True)]
    return listing(shown, heads) + "\n"


def _check(rows: Sequence[Row], *, quiet: bool = False) -> int:
    from lapdp.accounting.reference.table import DIGITS, computed

    found, wrong = [], 0
    with Progress(sys.stderr, quiet, kept="nothing is kept of a check") as progress:
        for row in rows:
            progress.begin(row.query.text())
            found.append(computed(row.query))
            progress.step(len(found), len(rows), row.query.text(), "")
    for row, anew in zip(rows, found, strict=True):
        if not row.agrees(anew):
            wrong += 1
            if quiet:
                continue
            print(f"differs: {row.query.command(DIGITS)}\n  published {row.value} +/- {row.radius}"
                  f"\n  computed  {anew.value} +/- {anew.radius}")
    print(f"{len(rows)} values computed anew, {wrong} differ" if wrong else
          f"{len(rows)} values computed anew, all as published")
    return BAD if wrong else GOOD
