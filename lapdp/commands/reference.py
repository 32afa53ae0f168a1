"""``lapdp reference``: the published table of values, printed, filtered, computed anew."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.commands.exits import BAD, GOOD
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
    made.add_argument("--check", action="store_true", help="compute the values anew and compare")


def run(arguments: argparse.Namespace) -> int:
    """Print the rows, or compute them anew."""
    from lapdp.accounting.reference.table import of_family, read, written

    rows = read()
    if arguments.family is not None:
        rows = of_family(rows, arguments.family)
    if arguments.check:
        return _check(rows)
    text = _listing(rows) if arguments.format == "text" else written(rows, arguments.format)
    if arguments.out is None:
        print(text, end="")
        return GOOD
    try:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        raise InputError(f"cannot write {arguments.out}: {problem.strerror}") from None
    return GOOD


def _listing(rows: Sequence[Row]) -> str:
    from lapdp.report.text import listing

    shown = [(row.query.text(), row.query.direction, row.query.asked, row.query.at, row.value)
             for row in rows]
    return listing(shown, ("mechanism", "direction", "asked", "at", "value")) + "\n"


def _check(rows: Sequence[Row]) -> int:
    from lapdp.accounting.reference.table import DIGITS, computed

    wrong = 0
    for row in rows:
        found = computed(row.query)
        if not row.agrees(found):
            wrong += 1
            print(f"differs: {row.query.command(DIGITS)}\n  published {row.value} +/- {row.radius}"
                  f"\n  computed  {found.value} +/- {found.radius}")
    print(f"{len(rows)} values computed anew, {wrong} differ" if wrong else
          f"{len(rows)} values computed anew, all as published")
    return BAD if wrong else GOOD
