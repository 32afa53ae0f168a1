"""The command line: ``lapdp verify | show | list | check | facts``.

Nothing heavy is imported before a command needs it.  Exit codes: 2 for bad input, else 1 when
something is refuted (or ill-formed, or self-contradicting) and not recorded so, or differs from its
record, else 3 when something is undecided and not recorded so, else 0.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Self, TextIO

from lapdp.core.errors import InputError, LapdpError

GOOD, BAD, BAD_INPUT, OPEN, INTERRUPTED = 0, 1, 2, 3, 130

_VERIFY = """examples:
  lapdp verify                               ./proofs if there is one, else the shipped library
  lapdp verify chourasia2024                 one paper
  lapdp verify chourasia2024/eq-20           eq-20 and its members eq-20.1, eq-20.2, ...
  lapdp verify chourasia2024/theorem-3.2     all statements of that theorem
  lapdp verify my_proofs/ --json report.json
  lapdp verify my_proofs/mine.py::eq-1       one statement of a file

exit codes: 0 all well; 1 something is refuted and not recorded so, or differs from its record;
  2 bad input; 3 something is undecided"""
_SHOW = """examples:
  lapdp show chourasia2024/eq-30
  lapdp show my_proofs/mine.py::eq-1 --all"""
_LIST = """examples:
  lapdp list
  lapdp list chourasia2024/theorem-3.2"""
_CHECK = """examples:
  lapdp check "L(exp(-a*t), t, s) == 1/(s + a)" --where "re(s) > -a"
  lapdp check "L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2" --where "s > 0"
  lapdp check "(x + y)/2 >= sqrt(x*y)" --where "x > 0" "y > 0"

Decimals are exact: 0.1 is 1/10.  s and q are complex, other names real.

exit codes: 0 proved, certified or tested; 1 refuted or ill-formed; 2 unreadable; 3 undecided"""


class _Parser(argparse.ArgumentParser):
    """Errors are one line, as all bad input."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """Looks the version up only when asked for it."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        from lapdp.report.json_report import version_of

        print(f"lapdp {version_of('lapdp')}")
        raise SystemExit(GOOD)


def _parser() -> argparse.ArgumentParser:
    top = _Parser(
        prog="lapdp",
        description="Proves or refutes statements about differential privacy, with evidence.",
        epilog="Each command explains itself: lapdp verify --help",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    top.set_defaults(run=_no_command)
    commands = top.add_subparsers(metavar="COMMAND", title="commands")

    def command(name: str, run: Callable[[argparse.Namespace], int], says: str, examples: str = ""
                ) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=says, description=says[0].upper() + says[1:] + ".", epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        made.set_defaults(run=run)
        return made

    verify = command("verify", _verify, "judge statements and print a table of verdicts", _VERIFY)
    verify.add_argument("targets", nargs="*", metavar="TARGET",
                        help="id, beginning of ids, group, file or folder, file.py::label")
    verify.add_argument("--json", metavar="F", help="write the full report to F (- for stdout)")
    verify.add_argument("--jobs", type=int, metavar="N",
                        help="processes at a time (default: one a processor)")
    verify.add_argument("--quiet", action="store_true", help="print the summary line only")
    verify.add_argument("--verbose", action="store_true",
                        help="print claim, methods and facts under each row, findings in full")
    _judging(verify)

    show = command("show", _show, "judge one statement and print everything about it", _SHOW)
    show.add_argument("id", metavar="ID", help="id of a statement, or file.py::label")
    show.add_argument("--all", action="store_true", help="all steps of the proof")
    _judging(show)

    listed = command("list", _list, "list statements without judging them", _LIST)
    listed.add_argument("targets", nargs="*", metavar="TARGET", help="as for lapdp verify")

    check = command("check", _check, "judge one relation given as text", _CHECK)
    check.add_argument("relation", metavar="RELATION",
                       help='"LHS == RHS", also with <=, <, >=, >, !=; before any --where')
    check.add_argument("--where", nargs="+", action="extend", default=[], metavar="COND",
                       help='conditions, such as "s > 0"')
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    _judging(check)

    command("facts", _facts, "list the facts of analysis that proofs may stand on")
    return top


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S",
                        help="seconds for each statement, then it is undecided (default 60)")
    parser.add_argument("--digits", type=int, default=30, metavar="N",
                        help="digits of the numeric column (default 30)")
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="seed of the random instances (default 0)")
    parser.add_argument("--no-numeric", action="store_true", help="leave out the numeric column")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code.  Bad input gives one line on stderr and 2, never a traceback.

    >>> main(["list", "--no-such-option"])
    2
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a letter that the terminal's encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = _parser().parse_args(argv)
        code = int(arguments.run(arguments))
        sys.stdout.flush()
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except LapdpError as problem:
        line = " ".join(str(problem).split())
        print(f"lapdp: {line}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # the reader has seen enough; Python must not complain while it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except KeyboardInterrupt:
        print("lapdp: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code


def _no_command(_: argparse.Namespace) -> int:
    raise InputError("give a command: verify, show, list, check or facts (see lapdp --help)")


def _verify(arguments: argparse.Namespace) -> int:
    from lapdp.report import json_report, text
    from lapdp.theory.discovery import aggregates, discover
    from lapdp.theory.runner import check_options, run

    check_options(arguments.jobs, arguments.timeout, arguments.digits, arguments.seed)
    to_stdout = arguments.json == "-"
    if arguments.json and not to_stdout:
        json_report.check_writable(arguments.json)
    statements = discover(arguments.targets)
    with _Progress(sys.stderr, arguments.quiet) as progress:
        results = run(statements, arguments.jobs, progress=progress.step, **_how(arguments))
    composite = aggregates(statements, {r["id"]: r["verdict"] for r in results})
    report = json_report.document(
        results, composite, digits=arguments.digits, seed=arguments.seed)
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
    return exit_code(results)


def _show(arguments: argparse.Namespace) -> int:
    from lapdp.report import text
    from lapdp.theory.discovery import Catalogue
    from lapdp.theory.runner import run

    catalogue = Catalogue()
    found = catalogue.select([arguments.id])
    label = arguments.id.rpartition("::")[2]
    exact = [s for s in found if label in (s.id, s.label)] or found
    repairs = {s.repaired_by: catalogue.find(s.repaired_by) for s in exact if s.repaired_by}
    wanted = {s.id: s for s in (*exact, *repairs.values()) if s is not None}
    with _Progress(sys.stderr, len(wanted) < 2) as progress:
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
    from pathlib import Path

    from lapdp.theory.loading import short

    given = any(statement in shelf for shelf in catalogue.given.values())
    target = f"{short(Path(statement.source))}::{statement.id}" if given else statement.id
    return (f"lapdp verify {target} --digits {arguments.digits} --seed {arguments.seed}"
            f" --timeout {arguments.timeout:g}{' --no-numeric' if arguments.no_numeric else ''}")


def _list(arguments: argparse.Namespace) -> int:
    from lapdp.report.text import listing
    from lapdp.theory.discovery import discover
    from lapdp.theory.render import text_of

    statements = discover(arguments.targets)
    rows = [(s.id, s.kind, s.group, text_of(s)) for s in statements]
    print(listing(rows, ("id", "kind", "group", "statement")))
    return GOOD


def _facts(_: argparse.Namespace) -> int:
    from lapdp.core.facts import ALL_FACTS
    from lapdp.report.text import listing

    print(listing([(f.name, f.says, f.source) for f in ALL_FACTS], ("fact", "says", "source")))
    return GOOD


def _check(arguments: argparse.Namespace) -> int:
    from lapdp.report import json_report, text
    from lapdp.theory.runner import run_check

    result = run_check(arguments.relation, arguments.where, **_how(arguments))
    if arguments.json:
        sys.stdout.write(json_report.dumps(result))
    else:
        print(text.full(result, colour=text.colours_wanted(sys.stdout)))
    return {"proved": GOOD, "certified": GOOD, "tested": GOOD,
            "refuted": BAD, "ill-formed": BAD}.get(result["verdict"], OPEN)


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"timeout": arguments.timeout, "digits": arguments.digits, "seed": arguments.seed,
            "numeric": not arguments.no_numeric}


def exit_code(results: Sequence[dict[str, Any]]) -> int:
    """The exit code of a verification.

    >>> exit_code([{"verdict": "refuted", "expected": "refuted"}])
    0
    >>> exit_code([{"verdict": "undecided"}, {"verdict": "proved", "expected": "refuted"}])
    1
    """
    from lapdp.report.text import contradicts, drifted

    unrecorded = {r["verdict"] for r in results if not r.get("expected")}
    if unrecorded & {"refuted", "ill-formed"} or any(drifted(r) or contradicts(r) for r in results):
        return BAD
    return OPEN if "undecided" in unrecorded else GOOD


class _Progress:
    """One line on a terminal, rewritten: how many are done, how long it may still take."""

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self.stream = None if quiet or not stream.isatty() else stream
        self.start = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")

    def step(self, done: int, total: int, name: str, verdict: str) -> None:
        """Called by the runner each time a statement is judged."""
        left = (time.monotonic() - self.start) / done * (total - done)
        self._write(f"[{done}/{total}] about {left:.0f} s left   {name} {verdict}")

    def _write(self, line: str) -> None:
        if self.stream is not None:
            self.stream.write("\r\x1b[K" + line[:100])
            self.stream.flush()


if __name__ == "__main__":
    raise SystemExit(main())
