"""``lapdp verify``, ``show``, ``check`` and ``ledger``: commands that judge."""

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
    clip,
    whole,
)
from lapdp.commands.exits import BAD, GOOD, OPEN, exit_code
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
Verdicts are kept, keyed by statement, code and versions: an interrupted run resumes."""
_VERIFY_EXITS = ("0 all well; 1 something is refuted and not recorded so, or differs from its "
                 "record; 2 bad input; 3 something is undecided")
_SHOW = """
lapdp show chourasia2024/eq-30
lapdp show proofs/my_bound.py::eq-1 --verbose
"""
_LEDGER = "lapdp ledger chourasia2024 --out pages/"
_LEDGER_NOTES = """
Writes ledger.md (every printed item with verdict, scope, method, facts, seconds), errata.md and
errata.tex (item, printed, witness, correction, command).  Pages to look at are written by
lapdp verify --html"""
_CHECK = """
lapdp check "L(exp(-a*t), t, s) == 1/(s + a)" --where "re(s) > -a"
lapdp check "L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2" --where "s > 0"
lapdp check "(x + y)/2 >= sqrt(x*y)" --where "x > 0" "y > 0"
lapdp check "delta(P1*P2, Q1*Q2)(x + y) <= delta(P1, Q1)(x) + delta(P2, Q2)(y)"
lapdp check "R(P, Q)(q) <= R(Q, P)(q)" --where "q > 1"
lapdp check "delta(P, Q)(x) <= delta(P, Q)(y)" --where "x >= y"
"""
_CHECK_NOTES = """
Where a notion of pairs is called, P, Q, P1, Q1, ... are arbitrary pairs of distributions:
delta(P, Q)(eps), T(P, Q)(a), R(P, Q)(q), E(P, Q)(q), PLD(P, Q), F(PLD(P, Q))(x), f(...)(x),
Pr(PLD(P, Q) > x), Ex(body, PLD(P, Q)), Omega(body), P(S) for an event S, Sup(P(S) - Q(S), S);
P1*P2 is a product and p*P + (1 - p)*Q a mixture; conditions are also ac(P, Q) for P << Q,
NoAtom(PLD(P, Q), x), Defined(...).  Random finite pairs are tried first, and the smallest
counterexample is shown; then the engine judges the statement for every pair.

Decimals are exact: 0.1 is 1/10.  s and q are complex, other names real."""
PAIR_JUDGE = "lapdp.testing.judging:judge"
"""Judges statements about pairs given as text."""
MOST_SHOWN = 20
"""Members of one line that are shown together; more are a table of lapdp verify."""
EVERYTHING = "all steps of the proof, and the statement in LaTeX"


def add(commands: Commands) -> None:
    """The commands that judge."""
    made = commands.add("judge", "verify", verify, "judge statements and print a table of verdicts",
                        examples=_VERIFY, notes=_VERIFY_NOTES, exits=_VERIFY_EXITS)
    made.add_argument("targets", nargs="*", metavar="TARGET",
                      help="id, beginning of ids, group, file or folder, file.py::label")
    made.add_argument("--html", metavar="DIR", help="write pages to look at into the folder DIR")
    made.add_argument("--json", metavar="F", help="write the full report to F (- for stdout)")
    add_amount(made, "the summary line",
               "claim, methods and facts under each row, findings in full")
    _judging(made)
    _many(made)

    made = commands.add("judge", "show", show,
                        "judge one statement and print everything about it", examples=_SHOW,
                        exits=_VERIFY_EXITS.replace("something is ", ""))
    made.add_argument("id", metavar="ID", help="id of a statement, or file.py::label")
    add_amount(made, "the verdict", EVERYTHING, "--all")
    _judging(made)

    made = commands.add(
        "judge", "check", check, "judge one relation given as text", examples=_CHECK,
        notes=_CHECK_NOTES,
        exits="0 proved, certified or tested; 1 refuted or ill-formed; 2 unreadable; 3 undecided")
    made.add_argument("relation", metavar="RELATION",
                      help='"LHS == RHS", also with <=, <, >=, >, !=; before any --where')
    made.add_argument("--where", nargs="+", action="extend", default=[], metavar="COND",
                      help='conditions, such as "s > 0"')
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    made.add_argument("--examples", type=whole, default=200, metavar="N",
                      help="random pairs for a statement about pairs (default 200)")
    add_amount(made, "the verdict", EVERYTHING)
    _judging(made)

    made = commands.add("judge", "ledger", ledger,
                        "judge a paper and write its ledger and errata as files",
                        examples=_LEDGER, notes=_LEDGER_NOTES, exits=_VERIFY_EXITS)
    made.add_argument("paper", metavar="PAPER", help="a paper of ./proofs or of the library")
    made.add_argument("--out", required=True, metavar="DIR",
                      help="a folder; it is made where there is none")
    add_amount(made, "the summary line", "the table of verdicts")
    _judging(made)
    _many(made)


def _judging(parser: argparse.ArgumentParser) -> None:
    add_timeout(parser, "each statement", "it is undecided")
    add_digits(parser, "digits of the numeric column", 30)
    parser.add_argument("--seed", type=whole, default=0, metavar="N",
                        help="seed of the random instances (default 0)")
    parser.add_argument("--no-numeric", action="store_true", help="leave out the numeric column")


def _many(parser: argparse.ArgumentParser) -> None:
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
    report = _judged(statements, arguments)
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
    report = _judged(statements, arguments)
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


def _judged(statements: Sequence[Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The report on statements, with progress and cache."""
    from lapdp.report import json_report
    from lapdp.theory.cache import Cache
    from lapdp.theory.discovery import aggregates
    from lapdp.theory.runner import processors, run

    how, kept, costs = _how(arguments), None, {}
    said = "nothing is kept, as --no-cache asks"
    if not arguments.no_cache:
        kept = Cache(arguments.cache, digits=how["digits"], seed=how["seed"],
                     numeric=how["numeric"])
        costs = {s.id: cost for s in statements if (cost := kept.seconds(s)) is not None}
        said = "these verdicts are kept, the same command goes on from here"
    with Progress(sys.stderr, arguments.quiet, costs=costs, limit=how["timeout"], kept=said,
                  workers=arguments.jobs or processors()) as progress:
        results = run(statements, arguments.jobs, progress=progress.step, cache=kept,
                      begun=progress.begin, **how)
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    return json_report.document(results, composite, digits=how["digits"], seed=how["seed"])


def show(arguments: argparse.Namespace) -> int:
    """Judge one statement, with its repair, and print everything about it."""
    from lapdp.report import text
    from lapdp.report.terminal import colours_wanted
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.runner import run

    catalogue = Catalogue()
    found = catalogue.select([arguments.id])
    label = arguments.id.rpartition("::")[2]
    exact = [s for s in found if label in (s.id, s.label)] or found
    if len(exact) > MOST_SHOWN:
        raise InputError(f"{clip(arguments.id)} names {len(exact)} statements: show takes one "
                         f"(see lapdp list {arguments.id[:40]})")
    repairs = {s.repaired_by: catalogue.find(s.repaired_by) for s in exact if s.repaired_by}
    wanted = {s.id: s for s in (*exact, *repairs.values()) if s is not None}
    with Progress(sys.stderr, arguments.quiet, limit=arguments.timeout) as progress:
        results = run(list(wanted.values()), progress=progress.step, begun=progress.begin,
                      **_how(arguments))
    judged = {r["id"]: r for r in results}
    for number, statement in enumerate(exact):
        result = judged[statement.id]
        if arguments.quiet:
            print(f"{result['id']}: {text.paint(result['verdict'], colours_wanted(sys.stdout))}")
            continue
        print("\n" * min(number, 1) + text.full(
            result, judged.get(result["repaired_by"]),
            reproduce=_reproduce(catalogue, statement, arguments), **_look(arguments)))
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
    from lapdp.report.terminal import colours_wanted
    from lapdp.theory.parse_pairs import speaks_of_pairs
    from lapdp.theory.runner import check_options, run_check

    how = _how(arguments)
    check_options(1, how["timeout"], how["digits"], how["seed"])
    if arguments.examples < 1:
        raise InputError("examples must be an integer >= 1")
    pairs = speaks_of_pairs([arguments.relation, *arguments.where])
    # a third of the time for random pairs: the engine comes after them
    hints = {"examples": arguments.examples, "seconds": how["timeout"] / 3}
    doing = "random pairs first, then the engine" if pairs else "judging"
    with (Progress(sys.stderr, arguments.quiet, limit=how["timeout"]) as progress,
          progress.waiting(doing)):
        result = run_check(arguments.relation, arguments.where, hints=hints if pairs else {},
                           judge=PAIR_JUDGE if pairs else None, **how)
    if arguments.json:
        sys.stdout.write(json_report.dumps(result))
    elif arguments.quiet:
        print(text.paint(result["verdict"], colours_wanted(sys.stdout)))
    else:
        print(text.full(result, **_look(arguments)))
    return {"proved": GOOD, "certified": GOOD, "tested": GOOD,
            "refuted": BAD, "ill-formed": BAD}.get(result["verdict"], OPEN)


def _look(arguments: argparse.Namespace) -> dict[str, Any]:
    """How a statement is printed: wrapped for a terminal, as it is for files."""
    from lapdp.report.terminal import colours_wanted, width

    return {"every_step": arguments.verbose, "colour": colours_wanted(sys.stdout),
            "columns": width(sys.stdout) if sys.stdout.isatty() else None}


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"timeout": arguments.timeout, "digits": arguments.digits, "seed": arguments.seed,
            "numeric": not arguments.no_numeric}
