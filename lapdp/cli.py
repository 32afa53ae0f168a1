"""The command line: ``lapdp verify | show | check | ledger | list | mechanisms | ...``.

Nothing heavy is imported before a command needs it.  Exit codes: 2 for bad input, else 1 when
something is refuted (or ill-formed, or self-contradicting) and not recorded so, or differs from its
record, else 3 when something is undecided and not recorded so, else 0.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from lapdp.commands.exits import BAD_INPUT, GOOD, INTERRUPTED
from lapdp.commands.numbers import add_commands, add_digits
from lapdp.commands.reference import add_command as add_reference
from lapdp.commands.sweeping import add_sweep
from lapdp.core.errors import InputError, LapdpError
from lapdp.report.formats import FORMATS

_VERIFY = """examples:
  lapdp verify                               ./proofs if there is one, else the shipped library
  lapdp verify chourasia2024                 one paper
  lapdp verify chourasia2024/eq-20           eq-20 and its members eq-20.1, eq-20.2, ...
  lapdp verify chourasia2024/theorem-3.2     all statements of that theorem
  lapdp verify my_proofs/ --json report.json
  lapdp verify --html pages/                 the ledger as pages: open pages/index.html
  lapdp verify my_proofs/mine.py::eq-1       one statement of a file
  lapdp verify --no-cache                    judge everything anew

Verdicts are kept, keyed by statement, code and versions: an interrupted run resumes.

exit codes: 0 all well; 1 something is refuted and not recorded so, or differs from its record;
  2 bad input; 3 something is undecided"""
_SHOW = """examples:
  lapdp show chourasia2024/eq-30
  lapdp show my_proofs/mine.py::eq-1 --all"""
_LIST = """examples:
  lapdp list
  lapdp list chourasia2024/theorem-3.2"""
_LEDGER = """examples:
  lapdp ledger chourasia2024 --out pages/

Writes ledger.md (every printed item with verdict, scope, method, facts, seconds), errata.md and
errata.tex (item, printed, witness, correction, command).  Exit codes as for lapdp verify."""
_CHECK = """examples:
  lapdp check "L(exp(-a*t), t, s) == 1/(s + a)" --where "re(s) > -a"
  lapdp check "L(exp(-t**2), t, s) == sqrt(pi)*exp(s**2/4)*erfc(s/2)/2" --where "s > 0"
  lapdp check "(x + y)/2 >= sqrt(x*y)" --where "x > 0" "y > 0"
  lapdp check "delta(P1*P2, Q1*Q2)(x + y) <= delta(P1, Q1)(x) + delta(P2, Q2)(y)"
  lapdp check "R(P, Q)(q) <= R(Q, P)(q)" --where "q > 1"
  lapdp check "R(P, Q)(2) <= R(P, Q)(3)" --where "Defined(R(P, Q)(3))"

Where a notion of pairs is called, P, Q, P1, Q1, ... are arbitrary pairs of distributions:
delta(P, Q)(eps), T(P, Q)(a), R(P, Q)(q), E(P, Q)(q), PLD(P, Q), F(PLD(P, Q))(x), f(...)(x),
Pr(PLD(P, Q) > x), Ex(body, PLD(P, Q)), Omega(body), P(S) for an event S, Sup(P(S) - Q(S), S);
P1*P2 is a product and p*P + (1 - p)*Q a mixture; conditions are also ac(P, Q) for P << Q,
NoAtom(PLD(P, Q), x), Defined(...).  Random finite pairs are tried first, and the smallest
counterexample is shown; then the engine judges the statement for every pair.

Decimals are exact: 0.1 is 1/10.  s and q are complex, other names real.

exit codes: 0 proved, certified or tested; 1 refuted or ill-formed; 2 unreadable; 3 undecided"""


_CLOSED = """examples:
  lapdp {name} "randomized_response(0.1, 1e-8)"
  lapdp {name} "laplace(scale=10)**2 * geometric(log(2))" --format latex
  lapdp {name} "laplace(2)" --at 1/2 --format python

Exact, in closed form.  The format sympy is paste-ready after "from sympy import *", mpmath is a
function for mpmath at any precision (python means the same), numpy one of arrays of doubles."""
_MECHANISMS = """examples:
  lapdp mechanisms
  lapdp mechanisms laplace"""
_LAWS = """examples:
  lapdp laws
  lapdp laws "joint convexity"

The statements behind a law are judged by lapdp show and lapdp verify laws."""
_NEW = """examples:
  lapdp new theorem my-bound
  lapdp new test my-mechanism"""
NOTIONS = {
    "profile": "print the privacy profile delta(t) of a mechanism",
    "loss": "print the privacy loss distribution of a mechanism",
    "moment": "print the moment E(q) of a mechanism",
    "renyi": "print the Renyi divergence R(q) of a mechanism",
    "tradeoff": "print the trade-off function f(a) of a mechanism",
    "characteristic": "print the characteristic function of the loss of a mechanism",
}
NUMBERS = {"moment": "q", "renyi": "q", "tradeoff": "a"}
"""Notions whose command gives certified numbers too, with their variables."""


_DOMINATES = """examples:
  lapdp dominates "randomized_response(1)" "laplace(1)"
  lapdp dominates "gaussian(1)" "randomized_response(1)" --digits 50

exit codes: 0 proved; 1 refuted, with every crossing and a point; 2 bad input; 3 undecided"""

_AUDIT = """examples:
  lapdp audit --list                         the accountants and what their methods claim
  lapdp audit google --quick                 some thirty questions
  lapdp audit all --html out/ --json audit.json
  lapdp audit google --list                  the rows
  lapdp audit google --row dots-1e-4/gaussian-1-x1/epsilon@1e-05

Each answer is held against a certified value. --html writes index.html and audit.json.

exit codes: 0 no fault; 1 a bound on the wrong side of the certified value, or nonsense; 2 bad
  input, or the package is missing; 3 for some rows there is no certified value"""


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

    verify = command("verify", _late("judging", "verify"),
                     "judge statements and print a table of verdicts", _VERIFY)
    verify.add_argument("targets", nargs="*", metavar="TARGET",
                        help="id, beginning of ids, group, file or folder, file.py::label")
    verify.add_argument("--html", metavar="DIR", help="write pages to look at into the folder DIR")
    verify.add_argument("--json", metavar="F", help="write the full report to F (- for stdout)")
    verify.add_argument("--quiet", action="store_true", help="print the summary line only")
    verify.add_argument("--verbose", action="store_true",
                        help="print claim, methods and facts under each row, findings in full")
    _judging(verify)
    _many(verify)

    ledger = command("ledger", _late("judging", "ledger"),
                     "judge a paper and write its ledger and errata as pages", _LEDGER)
    ledger.add_argument("paper", metavar="PAPER", help="a paper of ./proofs or of the library")
    ledger.add_argument("--out", required=True, metavar="DIR", help="an existing folder")
    _judging(ledger)
    _many(ledger)

    show = command("show", _late("judging", "show"),
                   "judge one statement and print everything about it", _SHOW)
    show.add_argument("id", metavar="ID", help="id of a statement, or file.py::label")
    show.add_argument("--all", action="store_true", help="all steps of the proof")
    _judging(show)

    listed = command("list", _late("listing", "statements"),
                     "list statements without judging them", _LIST)
    listed.add_argument("targets", nargs="*", metavar="TARGET", help="as for lapdp verify")

    check = command("check", _late("judging", "check"), "judge one relation given as text", _CHECK)
    check.add_argument("relation", metavar="RELATION",
                       help='"LHS == RHS", also with <=, <, >=, >, !=; before any --where')
    check.add_argument("--where", nargs="+", action="extend", default=[], metavar="COND",
                       help='conditions, such as "s > 0"')
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    check.add_argument("--examples", type=int, default=200, metavar="N",
                       help="random pairs for a statement about pairs (default 200)")
    _judging(check)

    for name, says in NOTIONS.items():
        notion = command(name, _late("closed_forms", "run"), says, _CLOSED.format(name=name))
        notion.add_argument("mechanism", metavar="MECH",
                            help='such as "laplace(scale=10)**3 * randomized_response(0.1)"')
        notion.add_argument("--at", metavar="X", help="one exact point instead of the curve")
        notion.add_argument("--format", choices=FORMATS, default="text",
                            help="how to write the answer (default text)")
        notion.add_argument("--timeout", type=float, default=60.0, metavar="S",
                            help="seconds until giving up (default 60)")
        notion.set_defaults(notion=name)
        if name in NUMBERS:
            add_digits(notion, name, NUMBERS[name])
    add_commands(command, _late("numbers", "run"))
    add_sweep(command, _late("sweeping", "run"))

    for name, says, examples in (
            ("mechanisms", "list the mechanisms, or print the card of one", _MECHANISMS),
            ("laws", "list the laws that pairs are tested with, or tell of one", _LAWS)):
        known = command(name, _late("listing", name), says, examples)
        known.add_argument("name", nargs="?", metavar="NAME", help="the name of one of them")

    _dominance(command("dominates", _late("dominance", "run"),
                       "decide whether one privacy profile is nowhere below another", _DOMINATES))

    _starting(command("new", _no_command, "write a file to start from, which runs as it is", _NEW))

    _auditing(command("audit", _late("audit", "run"),
                      "hold the answers of an accountant against certified values", _AUDIT))

    add_reference(command, _late("reference", "run"))
    command("facts", _late("listing", "facts"),
            "list the facts of analysis that proofs may stand on")
    return top


def _judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S",
                        help="seconds for each statement, then it is undecided (default 60)")
    parser.add_argument("--digits", type=int, default=30, metavar="N",
                        help="digits of the numeric column (default 30)")
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="seed of the random instances (default 0)")
    parser.add_argument("--no-numeric", action="store_true", help="leave out the numeric column")


def _many(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=int, metavar="N",
                        help="processes at a time (default: one a processor)")
    parser.add_argument("--cache", metavar="DIR",
                        help="where verdicts are kept (default: $LAPDP_CACHE, else the user's "
                             "folder for caches)")
    parser.add_argument("--no-cache", action="store_true", help="judge everything anew")


def _dominance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("larger", metavar="LARGER", help='such as "gaussian(1)"')
    parser.add_argument("smaller", metavar="SMALLER", help='such as "randomized_response(1)"')
    parser.add_argument("--digits", type=int, default=30, metavar="N",
                        help="digits of the crossings (default 30)")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S",
                        help="seconds until giving up (default 60)")


def _starting(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(metavar="KIND", title="kinds", required=True)
    statement = kinds.add_parser("theorem", help="proofs/NAME.py: statements with their verdicts")
    statement.add_argument("name", metavar="NAME", help="small letters, such as my-bound")
    statement.set_defaults(run=_late("starting", "theorem"))
    mechanism = kinds.add_parser(
        "test", help="tests/test_NAME.py: laws of a mechanism, a bound and an accountant")
    mechanism.add_argument("name", metavar="NAME", help="small letters, such as my-mechanism")
    mechanism.set_defaults(run=_late("starting", "test"))


def _auditing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("accountant", nargs="?", metavar="ACCOUNTANT",
                        help="google, microsoft, autodp, opendp, fourier, or all")
    parser.add_argument("--html", metavar="DIR", help="write a page and its data into DIR")
    parser.add_argument("--json", metavar="F", help="write the report to F (- for stdout)")
    parser.add_argument("--quick", action="store_true", help="a part of the grid")
    parser.add_argument("--list", action="store_true", help="list accountants, or rows of one")
    parser.add_argument("--row", metavar="ID", help="one row, in full")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes at a time (default 1)")
    parser.add_argument("--timeout", type=float, metavar="S",
                        help="seconds for a call (default 60, or 10 with --quick)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code.  Bad input gives one line on stderr and 2, never a traceback.

    >>> main(["list", "--no-such-option"])
    2
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a letter that the terminal's encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = _parser().parse_args(_joined(sys.argv[1:] if argv is None else argv))
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


def _joined(argv: Sequence[str]) -> list[str]:
    """``--at -log(2)`` as ``--at=-log(2)``: argparse would take the value for an option.

    >>> _joined(["profile", "laplace(1)", "--at", "-1/2"])
    ['profile', 'laplace(1)', '--at=-1/2']
    """
    joined: list[str] = []
    for word in argv:
        negative = word.startswith("-") and not word.startswith("--")
        if joined and joined[-1] in ("--at", "--eps", "--delta") and negative:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _no_command(_: argparse.Namespace) -> int:
    raise InputError("give a command: verify, show, ... (see lapdp --help)")


def _late(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """A command of :mod:`lapdp.commands`, imported when it is given."""
    def run(arguments: argparse.Namespace) -> int:
        return int(getattr(import_module(f"lapdp.commands.{module}"), name)(arguments))
    return run


if __name__ == "__main__":
    raise SystemExit(main())
