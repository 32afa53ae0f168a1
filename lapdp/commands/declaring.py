"""How commands declare themselves: parsers beside their code, in words that all of them share."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from lapdp.core.errors import InputError

Run = Callable[[argparse.Namespace], int]

PLAINER = {"expected one argument": "a value is missing",
           "expected at least one argument": "a value is missing",
           "not allowed with argument": "does not go with",
           "--eps/--epsilon": "--eps"}
"""What argparse says, in words of this project."""
MANY = 12
"""More names than these are not told in an error."""
JOBS = {
    "judge": "judge statements",
    "generate": "closed forms and certified numbers of mechanisms",
    "test": "test code",
    "look up": "look up",
}
"""What people come for; each command belongs to one of these."""
ELSEWHERE = {
    ("delta", "--delta"): "lapdp epsilon gives eps for a delta",
    **{("training", name): "the noise is --sigma" for name in (
        "--noise", "--noise-multiplier", "--noise_multiplier")},
    ("epsilon", "--eps"): "lapdp delta gives delta at an eps",
    **{("renyi", name): "the order is --at" for name in ("--alpha", "--order", "--q")},
    **{("moment", name): "the order is --at" for name in ("--alpha", "--order", "--q")},
    **{("profile", name): "the point is --at" for name in ("--eps", "--t")},
    **{("tradeoff", name): "the level is --at" for name in ("--alpha", "--a")},
}
"""Options that people look for in a command, and what it has instead."""


class Once(argparse.Action):
    """An option with one value: the last of two would be taken without a word."""

    _filled: argparse.Namespace | None = None

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: Any, option_string: str | None = None) -> None:
        """The value."""
        if option_string is not None and self._filled is namespace:
            parser.error(f"{option_string} is given twice")
        self._filled = namespace
        setattr(namespace, self.dest, values)


class Joined(argparse.Action):
    """An option that may be given again: values, joined by commas, as one list is written.

    >>> made = argparse.ArgumentParser()
    >>> _ = made.add_argument("--eps", action=Joined)
    >>> made.parse_args(["--eps", "1", "--eps", "2,3"]).eps
    '1,2,3'
    """

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace,
                 values: Any, option_string: str | None = None) -> None:
        """One more of them."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, values if before is None else f"{before},{values}")


class Parser(argparse.ArgumentParser):
    """Errors are one line, as all bad input, and name what is nearest."""

    def error(self, message: str) -> NoReturn:
        message = message.removeprefix("argument ")
        for theirs, ours in PLAINER.items():
            message = message.replace(theirs, ours)
        wanted = message.removeprefix("the following arguments are required: ")
        if wanted != message:
            # an option that is misspelt is why another is missing
            self._refuse_unknown()
            message = f"{wanted} {'are' if ', ' in wanted else 'is'} missing"
        raise InputError(f"{message} (see {self.prog} --help)")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.register("action", None, Once)
        self.register("action", "store", Once)

    given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does; what was given is kept for errors."""
        self.given = tuple(args or ())
        return super().parse_known_args(args, namespace)

    def _refuse_unknown(self) -> None:
        options = [name for action in self._actions for name in action.option_strings
                   if name.startswith("--") and name != "--help"]
        for word in (w.partition("=")[0] for w in self.given if w.startswith("--")):
            told = ELSEWHERE.get((self.prog.rpartition(" ")[2], word))
            if not any(name.startswith(word) for name in (*options, "--help")) and (
                    told or get_close_matches(word[:99], options, n=1, cutoff=0.6)):
                raise InputError(f"{clip(word)} is no option of {self.prog}: "
                                 f"{told or hint(word, options)} (see {self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            what = "/".join(action.option_strings) or (action.metavar or action.dest)
            if isinstance(action, argparse._SubParsersAction):
                what = str(what).lower()
            raise InputError(f"{clip(value)} is no {what}: {hint(str(value), action.choices)} "
                             f"(see {self.prog} --help)")


class Commands:
    """The commands of a parser, by job."""

    def __init__(self, top: argparse.ArgumentParser) -> None:
        self._made = top.add_subparsers(
            metavar="COMMAND", title="commands", parser_class=Parser)
        self.by_job: dict[str, list[tuple[str, str]]] = {job: [] for job in JOBS}

    def add(self, job: str, name: str, run: Run | None, says: str, *, examples: str,
            notes: str = "", exits: str = "") -> Parser:
        """A command: what it is for in one sentence, lines to try, what else there is to know.

        ``exits`` tells what each exit code means, where there are more than 0 and 2.
        """
        made = declared(self._made, name, says, examples, notes, exits)
        made.set_defaults(run=run, parser=made)
        self.by_job[job].append((name, says))
        return made

    def overview(self) -> str:
        """All commands by job, a line each."""
        lines = []
        for job, title in JOBS.items():
            lines += [f"{title}:", *(f"  {name:16}{says}" for name, says in self.by_job[job]), ""]
        return "\n".join(lines)


def declared(made: Any, name: str, says: str, examples: str, notes: str = "", exits: str = ""
             ) -> Parser:
    """A parser among ``made``, with its epilog: examples, notes, exit codes."""
    exits = exits or "0 done; 2 bad input, or no answer"
    parts = ["examples:\n" + textwrap.indent(textwrap.dedent(examples).strip(), "  "),
             textwrap.dedent(notes).strip(),
             textwrap.fill(f"exit codes: {exits}", 96, subsequent_indent="  ")]
    parser: Parser = made.add_parser(
        name, help=says, description=says[0].upper() + says[1:] + ".",
        epilog="\n\n".join(filter(None, parts)),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    return parser


def hint(name: str, known: Iterable[str]) -> str:
    """The nearest of the known names, or all of them if they are few.

    >>> hint("verfy", ["verify", "show"]), hint("q", ["verify", "show"])
    ('did you mean verify?', 'there are verify, show')
    >>> hint("joint", ["convexity", "joint convexity"])
    'did you mean joint convexity?'
    """
    known = list(known)
    inside = [each for each in known if len(name) > 2 and name in each]
    near = get_close_matches(name[:99], known, n=1, cutoff=0.6) or inside
    if near:
        return f"did you mean {near[0]}?"
    more = ", ..." if len(known) > MANY else ""
    return f"there are {', '.join(known[:MANY])}{more}"


def clip(value: Any, most: int = 40) -> str:
    """What was typed, quoted, not too long for one line.

    >>> clip("x" * 50, 6)
    "'xxxxxx...'"
    """
    text = str(value)
    return repr(text if len(text) <= most else f"{text[:most]}...")


def known_name(name: str, known: Sequence[str], what: str) -> None:
    """Raise :class:`InputError` for a name that is none of the known ones."""
    if name not in known:
        raise InputError(f"{clip(name)} is no {what}: {hint(name, known)}")


# -- options that many commands share ------------------------------------------------------------

def whole(text: str) -> int:
    """A whole number, as an option takes it."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{clip(text)} is no whole number") from None


def seconds(text: str) -> float:
    """A number of seconds, as an option takes it."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{clip(text)} is no number of seconds") from None


def add_timeout(parser: argparse.ArgumentParser, each: str = "", then: str = "until giving up",
                default: float | None = 60.0, said: str = "60") -> None:
    """``--timeout S``: for each of many things, or for the answer."""
    of = f"seconds for {each}, then {then}" if each else f"seconds {then}"
    parser.add_argument("--timeout", type=seconds, default=default, metavar="S",
                        help=f"{of} (default {said})")


def add_digits(parser: argparse.ArgumentParser, what: str, default: int | None) -> None:
    """``--digits N``."""
    parser.add_argument("--digits", type=whole, default=default, metavar="N",
                        help=what if default is None else f"{what} (default {default})")


def add_amount(parser: argparse.ArgumentParser, quiet: str, verbose: str = "",
               *spellings: str) -> None:
    """``--quiet`` and ``--verbose``: ``quiet`` is all that is printed, ``verbose`` is added."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-q", "--quiet", action="store_true", help=f"print {quiet} only")
    if verbose:
        group.add_argument("-v", "--verbose", *spellings, dest="verbose", action="store_true",
                           help=f"print also {verbose}")


__all__ = ["JOBS", "Commands", "Parser", "Run", "add_amount", "add_digits", "add_timeout", "clip",
           "declared", "hint", "known_name", "seconds", "whole"]
