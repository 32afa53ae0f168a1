"""``lapdp verify`` and ``ledger``: commands that judge many statements."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
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
from lapdp.commands.exits import GOOD, exit_code
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

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
Kept derivations are replayed and witnesses evaluated again; other verdicts on record beside the
proof files are told as recorded.  Verdicts of what has no record are kept, keyed by statement, code
and versions: an interrupted run resumes."""
VERIFY_EXITS = ("0 all well; 1 something is refuted and not recorded so, or differs from its "
                 "record; 2 bad input; 3 something is undecided")
EARLY = 2
"""How many workers start before it is known how much there is to judge."""
SEARCHING = "lapdp.theory.engine:judge_and_search"
SEARCHING_FAR = f"{SEARCHING}_far"
_LEDGER = "lapdp ledger chourasia2024 --out pages/"
_LEDGER_NOTES = """
Writes ledger.md (every printed item with verdict, scope, method, facts, seconds), errata.md and
errata.tex (what stands, findings in order of weight, misprints, conventions).  Pages to look at are
written by lapdp verify --html"""
_ERRATA = "lapdp errata chourasia2024 --format latex --out errata.tex"
_ERRATA_NOTES = """
First what stands, then findings in order of weight (a wrong result, a missing hypothesis, a wrong
step), each with the sentence as printed, a counterexample, what holds instead and which other
lines inherit it; then misprints; conventions are listed and not counted.  Of a paper of the library
what falls is judged, without the numeric column; what stands is on record and judged anew by the
library's tests, or here with --anew."""
_ERRATA_EXITS = "0 the sheet is written; 2 bad input"
FORMATS = ("markdown", "latex", "html")
ERRATA_MARK = "Errata: "
"""Stands at the beginning of a sheet in each format: what lacks it is not replaced."""


def add(commands: Commands) -> None:
    """The commands that judge."""
    made = commands.add("judge", "verify", verify, "judge statements and print a table of verdicts",
                        examples=_VERIFY, notes=_VERIFY_NOTES, exits=VERIFY_EXITS)
    made.add_argument("targets", nargs="*", metavar="TARGET",
                      help="id, beginning of ids, group, file or folder, file.py::label")
    made.add_argument("--search", action="store_true",
                      help="find everything anew: derivations, arguments, witnesses; takes long, "
                           "and no cache.  Unless with --keep or --no-cache, what was sought in "
                           "vain on record is sought briefly, and numbers on record stand")
    made.add_argument("--keep", action="store_true",
                      help="with --search: write what is found beside the proof files")
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

    made = commands.add("judge", "errata", errata, "the errata of a paper, for its author",
                        examples=_ERRATA, notes=_ERRATA_NOTES, exits=_ERRATA_EXITS)
    made.add_argument("paper", metavar="PAPER", help="a paper of ./proofs or of the library")
    made.add_argument("--format", choices=FORMATS, default="markdown",
                      help="what is written (default markdown)")
    made.add_argument("--out", metavar="F", help="a file (default: printed)")
    made.add_argument("--anew", action="store_true", help="judge what stands, too; takes minutes")
    add_amount(made, "nothing but the sheet", "the table of verdicts")
    add_judging(made, numeric=False)
    add_many(made)


def add_judging(parser: argparse.ArgumentParser, numeric: bool = True) -> None:
    """Options of every command that judges; without ``numeric`` there are no numbers to speak of.
    """
    add_timeout(parser, "each statement", "it is undecided")
    add_digits(parser, "digits of the numeric column", 30)
    parser.add_argument("--seed", type=whole, default=0, metavar="N",
                        help="seed of the random instances (default 0)")
    if numeric:
        parser.add_argument("--no-numeric", action="store_true",
                            help="leave out the numeric column")
    else:
        parser.set_defaults(no_numeric=True)


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
    from lapdp.theory.discovery import Catalogue, not_of_the_library
    from lapdp.theory.runner import processors, starting

    if arguments.keep and not arguments.search:
        raise InputError("--keep writes what --search finds: give both")
    to_stdout = arguments.json == "-"
    if arguments.json and not to_stdout:
        json_report.check_writable(arguments.json, json_report.REPORT)
    if arguments.html:
        from lapdp.report.site import check_site_folder

        check_site_folder(arguments.html)
    _check_options(arguments)
    catalogue = Catalogue()
    formulas = bool(arguments.json or arguments.html or arguments.verbose)
    files = [] if arguments.targets or formulas or arguments.search else catalogue.unread()
    # workers load the engine while the proof files are read here; one is enough for what is named
    workers = 1 if arguments.targets else min(EARLY, arguments.jobs or processors())
    with contextlib.ExitStack() as stack:
        arguments.shared = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="lapdp-")) if arguments.search else ""
        early = stack.enter_context(starting(**how_judged(arguments), workers=workers))
        statements: Sequence[Any] = [] if files else catalogue.select(arguments.targets)
        report = judged(statements, arguments, early=early, formulas=formulas, files=files)
        statements = statements or report.pop("outlines")
    results = report["statements"]
    # what was judged is told first: a disk that is full then costs no verdict
    if to_stdout:
        sys.stdout.write(json_report.dumps(report))
    else:
        if not arguments.quiet:
            _print_tables(report, arguments.verbose)
            if not catalogue.given and (own := not_of_the_library(statements, catalogue)):
                print(f"of {', '.join(own)}, not of the library")
        print(text.summary(results, report["aggregates"]))
        if not arguments.search and any(
                r["verdict"] == "undecided" and not r["expected"] for r in results):
            print("undecided: --search looks for derivations too, and --keep keeps them")
    if arguments.json and not to_stdout:
        json_report.write(arguments.json, report, json_report.REPORT)
    if arguments.html:
        written = _write_pages(statements, report, arguments)
        if not to_stdout:
            print(f"pages: {Path(arguments.html) / 'index.html'} ({written})")
    if sys.stdout.isatty() and results and not arguments.quiet and not to_stdout:
        print(_closer(statements, results, arguments))
    return exit_code(results)


def _write_pages(statements: Sequence[Any], report: dict[str, Any], arguments: argparse.Namespace
                 ) -> Any:
    from lapdp.report.html.sides import all_sides
    from lapdp.report.site import site, write_site

    return write_site(arguments.html, site(statements, report, targets=arguments.targets,
                                           plots=all_sides(statements, report["statements"])))


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
    from lapdp.report.pages import MARKS, pages
    from lapdp.theory.discovery import discover

    folder = Path(arguments.out)
    json_report.make_folder(folder)
    for name, mark in MARKS.items():
        json_report.check_writable(folder / name, mark)
    _check_options(arguments)
    statements = discover([arguments.paper])
    report = judged(statements, arguments)
    if arguments.verbose:
        _print_tables(report, verbose=False)
    print(text.summary(report["statements"], report["aggregates"]))
    for name, content in pages(arguments.paper, statements, report).items():
        json_report.write_text(folder / name, content, MARKS[name])
        if not arguments.quiet:
            print(f"wrote {folder / name}")
    return exit_code(report["statements"])


def errata(arguments: argparse.Namespace) -> int:
    """Print the errata of a paper, or write them into a file."""
    from lapdp.report import json_report
    from lapdp.report.errata import markdown
    from lapdp.report.errata_latex import latex
    from lapdp.report.errata_page import html
    from lapdp.report.pages import sheet
    from lapdp.report.terminal import plain
    from lapdp.report.text import drifted
    from lapdp.theory.discovery import discover

    _check_options(arguments)
    if arguments.out:
        json_report.check_writable(arguments.out, ERRATA_MARK)
    statements = discover([arguments.paper])
    known = {} if arguments.anew else on_record(statements)
    report = judged([s for s in statements if s.id not in known], arguments)
    if arguments.verbose:
        _print_tables(report, verbose=False)
    found = {r["id"]: r for r in report["statements"]} | known
    made = sheet(arguments.paper, statements, [found[s.id] for s in statements])
    content = plain({"markdown": markdown, "latex": latex, "html": html}[arguments.format](made))
    if arguments.out:
        json_report.write_text(Path(arguments.out), content, ERRATA_MARK)
        if not arguments.quiet:
            print(f"wrote {arguments.out}: {len(report['statements'])} statements judged"
                  + (f", {len(known)} that stand are on record" if known else ""))
    else:
        print(content, end="")
    for other in (r for r in report["statements"] if r["expected"] and drifted(r)):
        print(f"lapdp: {other['id']} is {other['verdict']}, on record {other['expected']}: "
              f"{other['reason']}", file=sys.stderr)
    return GOOD


def on_record(statements: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Results of the statements of the shipped library that stand, as its tests find them: without
    methods and numbers, which a sheet of errata does not speak of."""
    from lapdp.theory.course import describe
    from lapdp.theory.fidelity import FALSE
    from lapdp.theory.library import shipped_library

    shelf = shipped_library()
    return {s.id: {**describe(s), "verdict": s.expected or "derived", "reason": "", "witness": None}
            for s in statements
            if s.expected not in FALSE and Path(s.source).resolve().is_relative_to(shelf)}


def _check_options(arguments: argparse.Namespace) -> None:
    from lapdp.theory.runner import check_options

    check_options(arguments.jobs, arguments.timeout, arguments.digits, arguments.seed)


def judged(statements: Sequence[Any], arguments: argparse.Namespace, formulas: bool = True,
           early: Any = None, files: Sequence[Path] = ()) -> dict[str, Any]:
    """The report on statements, with progress and cache; ``formulas`` of statements are for those
    who show them, ``early`` are workers that have begun to start.  Of ``files`` the workers find
    out what they state: then ``statements`` are none, and their "outlines" are in the report."""
    from lapdp.report import json_report
    from lapdp.theory.cache import Cache
    from lapdp.theory.discovery import aggregates
    from lapdp.theory.runner import processors, run, run_files

    asked, kept = how_judged(arguments), None
    search, judged_now = getattr(arguments, "search", False), list[Any]()
    if not arguments.no_cache and not search:
        kept = Cache(arguments.cache, digits=asked["digits"], seed=asked["seed"],
                     numeric=asked["numeric"])

    def costs(stated: Sequence[Any]) -> dict[str, float]:
        return {s.id: cost for s in stated
                if kept is not None and (cost := kept.seconds(s)) is not None}

    def said() -> str:
        if kept is None:
            return "nothing is kept, as --no-cache or --search asks"
        return ("these verdicts are kept, the same command goes on from here" if not kept.trouble
                else f"verdicts are not kept: {kept.trouble}")

    with Progress(sys.stderr, arguments.quiet, costs=costs(statements), limit=asked["timeout"],
                  kept=said, workers=arguments.jobs or processors()) as progress:
        if files:
            del asked["shared"]  # of searches, and there is none
            statements, results = run_files(
                files, arguments.jobs, progress=progress.step, cache=kept, begun=progress.begin,
                told=lambda stated: progress.expect(costs(stated)), early=early, **asked)
        else:
            results = run(statements, arguments.jobs, progress=progress.step, cache=kept,
                          begun=progress.begin, formulas=formulas, early=early,
                          found=lambda *found: judged_now.append(found), **asked)
    if search:
        from lapdp.commands.keeping import keep, with_kept

        results = with_kept(statements, results, judged_now, arguments.jobs, asked)
        if arguments.keep:
            keep(judged_now, asked)
    if kept is not None and kept.trouble:
        print(f"lapdp: {said()}", file=sys.stderr)
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    report = json_report.document(results, composite, digits=asked["digits"], seed=asked["seed"])
    return {**report, "outlines": statements} if files else report


def how_judged(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of a judge of many statements, as the runner takes them."""
    search = getattr(arguments, "search", False)
    far = search and (arguments.no_cache or arguments.keep)
    return {**how(arguments), **({"judge": SEARCHING_FAR if far else SEARCHING} if search else {}),
            "by_record": not arguments.no_cache and not search,
            "shared": getattr(arguments, "shared", "")}


def how(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options, as the runner takes them."""
    return {"timeout": arguments.timeout, "digits": arguments.digits, "seed": arguments.seed,
            "numeric": not arguments.no_numeric}
