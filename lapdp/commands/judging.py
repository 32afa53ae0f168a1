"""``lapdp verify`` and ``ledger``: commands that judge many statements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lapdp.commands.declaring import (
    Commands,
    add_amount,
    add_digits,
    add_timeout,
    whole,
)
from lapdp.commands.exits import exit_code
from lapdp.commands.progress import Progress

_VERIFY = """
lapdp verify                               # ./proofs if there is one, else the shipped library
lapdp verify chourasia2024                 # one paper
lapdp verify chourasia2024/eq-20           # eq-20 and its members eq-20.1, eq-20.2, ...
lapdp verify chourasia2024/theorem-3.2     # all statements of that theorem
lapdp verify proofs/ --json report.json
lapdp verify proofs/ --html pages/         # the ledger as pages: open pages/index.html
lapdp verify proofs/my_bound.py::eq-1      # one statement of a file
lapdp verify proofs/ --no-cache            # judge everything anew
"""
_VERIFY_NOTES = """
Verdicts are kept, keyed by statement, code and versions: an interrupted run resumes."""
VERIFY_EXITS = ("0 all well; 1 something is refuted and not recorded so, or differs from its "
                 "record; 2 bad input; 3 something is undecided")
_LEDGER = "lapdp ledger chourasia2024 --out pages/"
_LEDGER_NOTES = """
Writes ledger.md (every printed item with verdict, scope, method, facts, seconds), errata.md and
errata.tex (item, printed, witness, correction, command).  Pages to look at are written by
lapdp verify --html"""


def add(commands: Commands) -> None:
    """The commands that judge."""
    made = commands.add("judge", "verify", verify, "judge statements and print a table of verdicts",
                        examples=_VERIFY, notes=_VERIFY_NOTES, exits=VERIFY_EXITS)
    made.add_argument("targets", nargs="*", metavar="TARGET",
                      help="id, beginning of ids, group, file or folder, file.py::label")
    made.add_argument("--html", metavar="DIR", help="write pages to look at into the folder DIR")
    made.add_argument("--json", metavar="F", help="write the full report to F (- for stdout)")
    add_amount(made, "the summary line",
               "claim, methods and facts under each row, findings in full")
    add_judging(made)
    add_many(made)

    made = commands.add("judge", "ledger", ledger,
                        "judge a paper and write its ledger and errata as files",
                        examples=_LEDGER, notes=_LEDGER_NOTES, exits=VERIFY_EXITS)
    made.add_argument("paper", metavar="PAPER", help="a paper of ./proofs or of the library")
    made.add_argument("--out", required=True, metavar="DIR",
                      help="a folder; it is made where there is none")
    add_amount(made, "the summary line", "the table of verdicts")
    add_judging(made)
    add_many(made)


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Options of every command that judges."""
    add_timeout(parser, "each statement", "it is undecided")
    add_digits(parser, "digits of the numeric column", 30)
    parser.add_argument("--seed", type=whole, default=0, metavar="N",
                        help="seed of the random instances (default 0)")
    parser.add_argument("--no-numeric", action="store_true", help="leave out the numeric column")


def add_many(parser: argparse.ArgumentParser) -> None:
    """How many at a time, and what is kept."""
    parser.add_argument("--jobs", type=whole, metavar="N",
                        help="processes at a time (default: one a processor)")
    parser.add_argument("--cache", metavar="DIR",
                        help="where verdicts are kept (default: $LAPDP_CACHE, else the user's "
                             "folder for caches)")
    parser.add_argument("--no-cache", action="store_true", help="judge everything anew")


def verify(arguments: argparse.Namespace) -> int:
    """Judge what the targets name; a table or JSON."""
    from lapdp.report import json_report, text
    from lapdp.theory.discovery import discover

    to_stdout = arguments.json == "-"
    if arguments.json and not to_stdout:
        json_report.check_writable(arguments.json)
    if arguments.html:
        from lapdp.report.site import check_site_folder

        check_site_folder(arguments.html)
    _check_options(arguments)
    statements = discover(arguments.targets)
    report = judged(statements, arguments)
    results = report["statements"]
    if arguments.html:
        from lapdp.report.html.sides import all_sides
        from lapdp.report.site import site, write_site

        write_site(arguments.html, site(statements, report, targets=arguments.targets,
                                        plots=all_sides(statements, results)))
    if to_stdout:
        sys.stdout.write(json_report.dumps(report))
        return exit_code(results)
    if arguments.json:
        json_report.write(arguments.json, report)
    if not arguments.quiet:
        _print_tables(report, arguments.verbose)
    print(text.summary(results, report["aggregates"]))
    if arguments.html:
        print(f"pages: {Path(arguments.html) / 'index.html'}")
    if sys.stdout.isatty() and results and not arguments.quiet:
        print(_closer(statements, results, arguments))
    return exit_code(results)


def _print_tables(report: dict[str, Any], verbose: bool) -> None:
    from lapdp.report import text
    from lapdp.report.terminal import colours_wanted

    colour = colours_wanted(sys.stdout)
    print(text.table(report["statements"], colour=colour, verbose=verbose))
    if report["aggregates"]:
        print("\n" + text.aggregate_table(report["aggregates"], colour=colour))
    print()


def _closer(statements: Sequence[Any], results: Sequence[dict[str, Any]],
            arguments: argparse.Namespace) -> str:
    """Where to look next: at what is false or open first."""
    from lapdp.theory.loading import short

    rank = {"refuted": 0, "ill-formed": 1, "undecided": 2}
    first = min(results, key=lambda r: rank.get(r["verdict"], 3))
    source = next(Path(s.source) for s in statements if s.id == first["id"])
    given = any(Path(target.partition("::")[0]).exists() for target in arguments.targets)
    name = f"{short(source)}::{first['id']}" if given else first["id"]
    line = f"look closer: lapdp show {name}"
    return line if arguments.html else f"{line}, or all as pages: add --html DIR"


def ledger(arguments: argparse.Namespace) -> int:
    """Write the ledger of a paper and its sheet of errata into a folder."""
    from lapdp.report import json_report, text
    from lapdp.report.pages import pages
    from lapdp.theory.discovery import discover

    folder = Path(arguments.out)
    json_report.make_folder(folder)
    _check_options(arguments)
    statements = discover([arguments.paper])
    report = judged(statements, arguments)
    if arguments.verbose:
        _print_tables(report, verbose=False)
    for name, content in pages(arguments.paper, statements, report).items():
        json_report.write_text(folder / name, content)
        if not arguments.quiet:
            print(f"wrote {folder / name}")
    print(text.summary(report["statements"], report["aggregates"]))
    return exit_code(report["statements"])


def _check_options(arguments: argparse.Namespace) -> None:
    from lapdp.theory.runner import check_options

    check_options(arguments.jobs, arguments.timeout, arguments.digits, arguments.seed)


def judged(statements: Sequence[Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The report on statements, with progress and cache."""
    from lapdp.report import json_report
    from lapdp.theory.cache import Cache
    from lapdp.theory.discovery import aggregates
    from lapdp.theory.runner import processors, run

    asked, kept, costs = how(arguments), None, {}
    said = "nothing is kept, as --no-cache asks"
    if not arguments.no_cache:
        kept = Cache(arguments.cache, digits=asked["digits"], seed=asked["seed"],
                     numeric=asked["numeric"])
        costs = {s.id: cost for s in statements if (cost := kept.seconds(s)) is not None}
        said = "these verdicts are kept, the same command goes on from here"
    with Progress(sys.stderr, arguments.quiet, costs=costs, limit=asked["timeout"], kept=said,
                  workers=arguments.jobs or processors()) as progress:
        results = run(statements, arguments.jobs, progress=progress.step, cache=kept,
                      begun=progress.begin, **asked)
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    return json_report.document(results, composite, digits=asked["digits"], seed=asked["seed"])


def how(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options, as the runner takes them."""
    return {"timeout": arguments.timeout, "digits": arguments.digits, "seed": arguments.seed,
            "numeric": not arguments.no_numeric}
