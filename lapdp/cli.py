"""The command line: ``lapdp verify | show | check | ledger | list | mechanisms | ...``.

Nothing heavy is imported before a command needs it.  Exit codes: 2 for bad input, else 1 when
something is refuted (or ill-formed, or self-contradicting) and not recorded so, or differs from its
record, else 3 when something is undecided and not recorded so, else 0; 130 when interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from lapdp.commands.declaring import ELSEWHERE, Commands, Parser, clip, hint
from lapdp.commands.exits import BAD_INPUT, GOOD, INTERRUPTED
from lapdp.core.errors import InputError, LapdpError
from lapdp.core.room import with_room
from lapdp.report.terminal import plain_output

COMMANDS = {
    "judging": ("verify", "ledger", "errata"),
    "showing": ("show", "check"),
    "contradicting": ("contradictions",),
    "closed_forms": ("profile", "loss", "moment", "renyi", "tradeoff", "characteristic"),
    "loss_class": ("class",),
    "numbers": ("delta", "epsilon", "approximate", "probabilistic"),
    "training": ("training",),
    "converting": ("convert",),
    "sweeping": ("sweep",),
    "dominance": ("dominates",),
    "exporting": ("export",),
    "starting": ("new",),
    "audit": ("audit",),
    "listing": ("list", "mechanisms", "laws", "facts"),
    "reference": ("reference",),
}
"""The modules of :mod:`lapdp.commands` and what each declares, in the order of the overview."""
VALUES = ("--at", "--eps", "--delta")
"""Options whose value may begin with a minus."""


class _Top(Parser):
    """The parser of all commands; its help is an overview by job."""

    def __init__(self, modules: Iterable[str]) -> None:
        super().__init__(prog="lapdp", add_help=False)
        self.add_argument("-h", "--help", action="help", help="print this overview and exit")
        self.add_argument("--version", action=_Version, nargs=0,
                          help="print the version and exit")
        self.commands = Commands(self)
        self.set_defaults(run=self._overview, parser=self)
        for module in modules:
            import_module(f"lapdp.commands.{module}").add(self.commands)

    def format_help(self) -> str:
        return f"""usage: lapdp COMMAND ...

Proves or refutes statements about differential privacy, with evidence.

{self.commands.overview()}
Each command explains itself: lapdp verify --help.  To begin: lapdp new theorem my-bound
"""

    def _overview(self, _: argparse.Namespace) -> int:
        print(self.format_help(), end="")
        return GOOD


class _Version(argparse.Action):
    """Looks the version up only when asked for it."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        from lapdp.report.json_report import version_of

        print(f"lapdp {version_of('lapdp')}")
        raise SystemExit(GOOD)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code.  Bad input gives one line on stderr and 2, never a traceback.

    >>> main(["list", "--no-such-option"])
    2
    """
    _open_standard_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a letter that the terminal's encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    with plain_output():
        return _run(sys.argv[1:] if argv is None else argv)


@with_room
def _run(argv: Sequence[str]) -> int:
    try:
        arguments = _parsed(_joined(argv))
        code = int(arguments.run(arguments))
        sys.stdout.flush()
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except LapdpError as problem:
        line = " ".join(str(problem).split())
        print(f"lapdp: {line}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        _silence_stdout()  # the reader has seen enough
        return GOOD
    except OSError as problem:
        # a full disk, a name that no file system takes: nothing that lapdp could mend
        name = f"{clip(problem.filename)}: " if problem.filename else ""
        print(f"lapdp: {name}{problem.strerror or problem}", file=sys.stderr)
        if not name:
            _silence_stdout()
        return BAD_INPUT
    except KeyboardInterrupt as interrupt:
        print(f"lapdp: interrupted{interrupt}", file=sys.stderr)
        return INTERRUPTED
    return code


def _open_standard_streams() -> None:
    """A stream that the caller has closed goes nowhere; its number must not become a file's."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # the lowest free number is taken, which is that of the stream
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, "w" if number else "r"))


def _silence_stdout() -> None:
    """What is not written yet is lost; Python must not complain while it closes stdout."""
    stream = sys.__stdout__
    if stream is not None and getattr(sys.stdout, "stream", sys.stdout) is stream:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def parser() -> Parser:
    """The parser of all commands."""
    return _Top(COMMANDS)


def _parsed(argv: Sequence[str]) -> argparse.Namespace:
    # a command that is named first needs no other
    home = [module for module, names in COMMANDS.items() if argv and argv[0] in names]
    arguments: argparse.Namespace
    arguments, unknown = _Top(home or COMMANDS).parse_known_args(argv)
    if unknown:
        given: argparse.ArgumentParser = arguments.parser
        word = unknown[0].partition("=")[0]
        if not word.startswith("-"):
            several = "several numbers are written 0,1,2" if word[0].isdigit() else (
                "quote what has spaces or signs")
            raise InputError(f"{clip(word)} is one word too many: {several} "
                             f"(see {given.prog} --help)")
        options = [name for action in given._actions for name in action.option_strings
                   if name.startswith("--")]
        told = ELSEWHERE.get((given.prog.rpartition(" ")[2], word))
        options = [name for name in options if name != "--help"]
        raise InputError(f"{clip(word)} is no option of {given.prog}: "
                         f"{told or hint(word, options)} "
                         f"(see {given.prog} --help)")
    return arguments


def _joined(argv: Sequence[str]) -> list[str]:
    """``--at -log(2)`` as ``--at=-log(2)``: argparse would take the value for an option.

    >>> _joined(["profile", "laplace(1)", "--at", "-1/2"])
    ['profile', 'laplace(1)', '--at=-1/2']
    """
    joined: list[str] = []
    for word in argv:
        negative = word.startswith("-") and not word.startswith("--")
        if joined and joined[-1] in VALUES and negative:
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


if __name__ == "__main__":
    raise SystemExit(main())
