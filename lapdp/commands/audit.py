"""``lapdp audit ACCOUNTANT``: the answers of an accountant held against certified values."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapdp.commands.declaring import Commands, add_amount, add_timeout, known_name, whole
from lapdp.commands.exits import BAD, GOOD, OPEN
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.accounting.audit import Adapter, Audit

_EXAMPLES = """
lapdp audit --list                         # the accountants and what their methods claim
lapdp audit google --quick                 # some thirty questions
lapdp audit all --html out/ --json audit.json
lapdp audit google --list                  # the rows
lapdp audit google --row dots-1e-4/gaussian-1-x1/epsilon@1e-05
"""
_NOTES = "Each answer is held against a certified value. --html writes index.html and audit.json."
PAGE = "<title>Audit of "
"""What stands at the beginning of a page: one without it is not lapdp's to replace."""
LIMIT, QUICK_LIMIT = 60.0, 10.0
"""Seconds for a call, in the whole grid and in a quick look."""


def add(commands: Commands) -> None:
    """The command ``audit``."""
    made = commands.add(
        "test", "audit", run, "hold the answers of an accountant against certified values",
        examples=_EXAMPLES, notes=_NOTES,
        exits="0 no fault; 1 a bound on the wrong side of the certified value, or nonsense; 2 bad "
              "input, or the package is missing; 3 for some rows there is no certified value")
    made.add_argument("accountant", nargs="?", metavar="ACCOUNTANT",
                      help="google, microsoft, autodp, opendp, fourier, or all")
    made.add_argument("--html", metavar="DIR", help="write a page and its data into DIR")
    made.add_argument("--json", metavar="F", help="write the report to F (- for stdout)")
    made.add_argument("--quick", action="store_true", help="a part of the grid")
    made.add_argument("--list", action="store_true", help="list accountants, or rows of one")
    made.add_argument("--row", metavar="ID", help="one row, in full")
    made.add_argument("--jobs", type=whole, metavar="N", help="processes at a time (default 1)")
    add_amount(made, "the counts", "the faults in full")
    add_timeout(made, "a call", "it has no answer", None, "60, or 10 with --quick")


def run(arguments: argparse.Namespace) -> int:
    """Audit, write the page and the JSON, print counts and faults."""
    from lapdp.report import audits, json_report
    from lapdp.report.audit_page import page

    if not arguments.accountant:
        if not arguments.list:
            raise InputError("name an accountant, or all (see lapdp audit --list)")
        return _list_accountants()
    chosen, missing = _chosen(arguments.accountant)
    if arguments.list:
        return _list_rows(chosen, arguments.quick)
    _check(arguments)
    to_stdout = arguments.json == "-"
    timeout = arguments.timeout or (QUICK_LIMIT if arguments.quick else LIMIT)
    with Progress(sys.stderr, arguments.quiet, limit=timeout, workers=arguments.jobs or 1,
                  kept="nothing is kept of an audit") as progress:
        found = [(adapter, _audited(adapter, arguments, timeout, progress)) for adapter in chosen]
    report = audits.document(found, missing, quick=arguments.quick, timeout=timeout)
    if arguments.json and not to_stdout:
        json_report.write(arguments.json, report, json_report.REPORT)
    if arguments.html:
        json_report.write_text(Path(arguments.html) / "index.html", page(report), PAGE)
        json_report.write(Path(arguments.html) / "audit.json", report, json_report.REPORT)
    if to_stdout:
        sys.stdout.write(json_report.dumps(report))
    else:
        _show(report, arguments)
    return _code(report)


def _chosen(name: str) -> tuple[list[Adapter], list[Adapter]]:
    """The adapters to run, and those whose package is missing."""
    from lapdp.accounting.audit.adapter import installed
    from lapdp.accounting.audit.adapters import adapter, known
    from lapdp.report.audits import install

    known_name(name, [*known(), "all"], "accountant")
    wanted = [adapter(each) for each in (known() if name == "all" else [name])]
    missing = [each for each in wanted if installed(each.distribution) is None]
    if missing == wanted:
        if len(missing) == 1:
            raise InputError(f"{missing[0].distribution} is not installed: {install(missing[0])}")
        raise InputError('no accountant is installed: pip install "lapdp[audit]"')
    for each in missing:
        print(f"lapdp: {each.distribution} is not installed, {each.name} is left out: "
              f"{install(each)}", file=sys.stderr)
    return [each for each in wanted if each not in missing], missing


def _check(arguments: argparse.Namespace) -> None:
    from lapdp.report import json_report
    from lapdp.theory.task_outcome import check_time_limit

    if arguments.timeout is not None:
        check_time_limit(arguments.timeout)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise InputError("--jobs must be at least 1")
    if arguments.json and arguments.json != "-":
        json_report.check_writable(arguments.json, json_report.REPORT)
    if arguments.html:
        json_report.make_folder(arguments.html)
        json_report.check_writable(Path(arguments.html) / "index.html", PAGE)
        json_report.check_writable(Path(arguments.html) / "audit.json", json_report.REPORT)


def _audited(adapter: Adapter, arguments: argparse.Namespace, timeout: float, progress: Progress
             ) -> Audit:
    from lapdp.accounting.audit import audit

    def step(done: int, total: int, name: str, verdict: str) -> None:
        progress.step(done, total, f"{adapter.name} {name}", verdict)

    def begin(name: str) -> None:
        progress.begin(f"{adapter.name} {name}")

    # one call at a time by default: seconds are a part of the report
    return audit(adapter, quick=arguments.quick, row=arguments.row, jobs=arguments.jobs or 1,
                 timeout=timeout, progress=step, begun=begin)


def _show(report: dict[str, Any], arguments: argparse.Namespace) -> None:
    from lapdp.report import audits

    if arguments.row:
        print("\n\n".join(audits.full(row) for row in report["rows"]))
        return
    faults = audits.faults(report)
    print(audits.summary(report))
    if arguments.quiet:
        return
    if arguments.verbose and faults:
        faults = "\n\n".join(audits.full(row) for row in audits.at_fault(report))
    print(f"\n{faults}" if faults else "\nno fault is found")
    if arguments.html:
        print(f"\nwrote {os.path.join(arguments.html, 'index.html')} and audit.json")


def _code(report: dict[str, Any]) -> int:
    from lapdp.accounting.audit.claims import FAULTS

    kinds = {row["verdict"] for row in report["rows"]}
    if kinds & set(FAULTS):
        return BAD
    return OPEN if kinds & {"undecided", "no verdict"} else GOOD


def _list_accountants() -> int:
    from lapdp.accounting.audit.adapter import installed
    from lapdp.accounting.audit.adapters import adapter, known
    from lapdp.report.audits import install

    for name in known():
        found = adapter(name)
        version = installed(found.distribution)
        print(f"{name:10} {found.distribution} {version or f'(missing: {install(found)})'}")
        for method in found.methods:
            print(f"    {method.name:16} {method.claim.kind}, {method.claim.direction}: "
                  f"{method.claim.source}")
    return GOOD


def _list_rows(chosen: list[Adapter], quick: bool) -> int:
    from lapdp.accounting.audit.running import planned, row_id

    for adapter in chosen:
        for method, query in planned(adapter, quick=quick):
            print(f"{adapter.name} {row_id(method, query)}")
    return GOOD
