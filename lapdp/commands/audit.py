"""``lapdp audit ACCOUNTANT``: the answers of an accountant held against certified values."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lapdp.commands.exits import BAD, GOOD, OPEN
from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.accounting.audit import Adapter, Audit

LIMIT, QUICK_LIMIT = 60.0, 10.0
"""Seconds for a call, in the whole grid and in a quick look."""


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
    with Progress(sys.stderr, quiet=False) as progress:
        found = [(adapter, _audited(adapter, arguments, timeout, progress)) for adapter in chosen]
    report = audits.document(found, missing, quick=arguments.quick, timeout=timeout)
    if arguments.json and not to_stdout:
        json_report.write(arguments.json, report)
    if arguments.html:
        json_report.write_text(Path(arguments.html) / "index.html", page(report))
        json_report.write(Path(arguments.html) / "audit.json", report)
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
    from lapdp.theory.runner import check_time_limit

    if arguments.timeout is not None:
        check_time_limit(arguments.timeout)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise InputError("--jobs must be at least 1")
    if arguments.json and arguments.json != "-":
        json_report.check_writable(arguments.json)
    if arguments.html:
        folder = Path(arguments.html)
        if not folder.exists():
            json_report.check_folder(folder.parent)
            folder.mkdir()
        json_report.check_folder(folder)


def _audited(adapter: Adapter, arguments: argparse.Namespace, timeout: float, progress: Progress
             ) -> Audit:
    from lapdp.accounting.audit import audit

    def step(done: int, total: int, name: str, verdict: str) -> None:
        progress.step(done, total, f"{adapter.name} {name}", verdict)

    # one call at a time by default: seconds are a part of the report
    return audit(adapter, quick=arguments.quick, row=arguments.row, jobs=arguments.jobs or 1,
                 timeout=timeout, progress=step)


def _show(report: dict[str, Any], arguments: argparse.Namespace) -> None:
    from lapdp.report import audits

    if arguments.row:
        print("\n\n".join(audits.full(row) for row in report["rows"]))
        return
    faults = audits.faults(report)
    print(audits.summary(report))
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
