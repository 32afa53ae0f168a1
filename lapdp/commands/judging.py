"""``lapdp verify``, ``show``, ``check`` and ``ledger``: commands that judge."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lapdp.commands.exits import BAD, GOOD, OPEN, exit_code
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

PAIR_JUDGE = "lapdp.testing.judging:judge"
"""Judges statements about pairs given as text."""


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
    report = _judged(statements, arguments, arguments.quiet)
    results, composite = report["statements"], report["aggregates"]
    if arguments.html:
        from lapdp.report.site import site, write_site

        write_site(arguments.html, site(statements, report, targets=arguments.targets))
    if to_stdout:
        sys.stdout.write(json_report.dumps(report))
        return exit_code(results)
    if arguments.json:
        json_report.write(arguments.json, report)
    colour = text.colours_wanted(sys.stdout)
    if not arguments.quiet:
        print(text.table(results, colour=colour, verbose=arguments.verbose))
        if composite:
            print("\n" + text.aggregate_table(composite, colour=colour))
        print()
    print(text.summary(results, composite))
    if arguments.html:
        print(f"pages: {Path(arguments.html) / 'index.html'}")
    return exit_code(results)


def ledger(arguments: argparse.Namespace) -> int:
    """Write the ledger of a paper and its sheet of errata into a folder."""
    from lapdp.report import json_report
    from lapdp.report.pages import pages
    from lapdp.theory.discovery import discover

    folder = Path(arguments.out)
    json_report.check_folder(folder)
    _check_options(arguments)
    statements = discover([arguments.paper])
    report = _judged(statements, arguments, quiet=False)
    for name, content in pages(arguments.paper, statements, report).items():
        json_report.write_text(folder / name, content)
        print(f"wrote {folder / name}")
    return exit_code(report["statements"])


def _check_options(arguments: argparse.Namespace) -> None:
    from lapdp.theory.runner import check_options

    check_options(arguments.jobs, arguments.timeout, arguments.digits, arguments.seed)


def _judged(statements: Sequence[Any], arguments: argparse.Namespace, quiet: bool
            ) -> dict[str, Any]:
    """The report on statements, with progress and cache."""
    from lapdp.report import json_report
    from lapdp.theory.cache import Cache
    from lapdp.theory.discovery import aggregates
    from lapdp.theory.runner import run

    how = _how(arguments)
    kept = None
    if not arguments.no_cache:
        kept = Cache(arguments.cache, digits=how["digits"], seed=how["seed"],
                     numeric=how["numeric"])
    with Progress(sys.stderr, quiet) as progress:
        results = run(statements, arguments.jobs, progress=progress.step, cache=kept, **how)
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    return json_report.document(results, composite, digits=how["digits"], seed=how["seed"])


def show(arguments: argparse.Namespace) -> int:
    """Judge one statement, with its repair, and print everything about it."""
    from lapdp.report import text
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.runner import run

    catalogue = Catalogue()
    found = catalogue.select([arguments.id])
    label = arguments.id.rpartition("::")[2]
    exact = [s for s in found if label in (s.id, s.label)] or found
    repairs = {s.repaired_by: catalogue.find(s.repaired_by) for s in exact if s.repaired_by}
    wanted = {s.id: s for s in (*exact, *repairs.values()) if s is not None}
    with Progress(sys.stderr, len(wanted) < 2) as progress:
        results = run(list(wanted.values()), progress=progress.step, **_how(arguments))
    judged = {r["id"]: r for r in results}
    for number, statement in enumerate(exact):
        result = judged[statement.id]
        print("\n" * min(number, 1) + text.full(
            result, judged.get(result["repaired_by"]), every_step=arguments.all,
            reproduce=_reproduce(catalogue, statement, arguments),
            colour=text.colours_wanted(sys.stdout)))
    return exit_code([judged[s.id] for s in exact])


def _reproduce(catalogue: Any, statement: Any, arguments: argparse.Namespace) -> str:
    from lapdp.theory.loading import short

    given = any(statement in shelf for shelf in catalogue.given.values())
    target = f"{short(Path(statement.source))}::{statement.id}" if given else statement.id
    return (f"lapdp verify {target} --no-cache --digits {arguments.digits} --seed {arguments.seed}"
            f" --timeout {arguments.timeout:g}{' --no-numeric' if arguments.no_numeric else ''}")


def check(arguments: argparse.Namespace) -> int:
    """Judge one relation given as text."""
    from lapdp.report import json_report, text
    from lapdp.theory.parse_pairs import speaks_of_pairs
    from lapdp.theory.runner import check_options, run_check

    how = _how(arguments)
    check_options(1, how["timeout"], how["digits"], how["seed"])
    if arguments.examples < 1:
        raise InputError("examples must be an integer >= 1")
    pairs = speaks_of_pairs([arguments.relation, *arguments.where])
    # a third of the time for random pairs: the engine comes after them
    hints = {"examples": arguments.examples, "seconds": how["timeout"] / 3}
    result = run_check(arguments.relation, arguments.where, hints=hints if pairs else {},
                       judge=PAIR_JUDGE if pairs else None, **how)
    if arguments.json:
        sys.stdout.write(json_report.dumps(result))
    else:
        print(text.full(result, colour=text.colours_wanted(sys.stdout)))
    return {"proved": GOOD, "certified": GOOD, "tested": GOOD,
            "refuted": BAD, "ill-formed": BAD}.get(result["verdict"], OPEN)


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"timeout": arguments.timeout, "digits": arguments.digits, "seed": arguments.seed,
            "numeric": not arguments.no_numeric}
