"""``lapdp export``: kept derivations for another proof checker."""

from __future__ import annotations

import argparse
from pathlib import Path

from lapdp.commands.declaring import Commands, add_amount
from lapdp.commands.exits import GOOD, OPEN
from lapdp.core.errors import InputError

_EXAMPLES = """
lapdp export chourasia2024/eq-7.3 --rocq --out rocq/
"""
_NOTES = """
The folder gets a small library, a file for each derivation and _CoqProject.  To compile, with
Debian's packages coq, libcoq-coquelicot and libcoq-interval:
  cd rocq/ && coq_makefile -f _CoqProject -o Makefile && make
Each file ends with what its theorem assumes."""


def add(commands: Commands) -> None:
    """The command ``export``."""
    made = commands.add("judge", "export", run, "print kept derivations as Rocq files",
                        examples=_EXAMPLES, notes=_NOTES,
                        exits="0 all are printed; 2 bad input; 3 some are not")
    made.add_argument("ids", nargs="+", metavar="ID",
                      help="ids of statements or papers, files or folders")
    made.add_argument("--rocq", action="store_true", required=True, help="for Rocq, formerly Coq")
    made.add_argument("--out", type=Path, required=True, metavar="DIR",
                      help="write the files into this folder")
    add_amount(made, "what is left out, and why,")


def run(arguments: argparse.Namespace) -> int:
    """Print the kept derivations of statements, each checked anew by the kernel."""
    from lapdp.report.rocq import module, write
    from lapdp.theory.derivations import replayed
    from lapdp.theory.discovery import Catalogue

    found = {s.id: s for s in Catalogue().select(arguments.ids)}
    checked = {name: made for name, s in found.items() if (made := replayed(s)) is not None}
    if not checked:
        raise InputError(f"no derivation is kept of {', '.join(list(found)[:3])}: "
                         "lapdp verify ID --search --keep looks for one")
    missing = dict.fromkeys(found.keys() - checked.keys(), "no derivation is kept")
    missing |= write(arguments.out, {name: c.lines for name, c in checked.items()})
    for name, made in checked.items():
        if name not in missing and not arguments.quiet:
            print(f"{name}: {made.steps} steps, {arguments.out / module(name)}.v")
    for name, why in sorted(missing.items()):
        print(f"{name}: not printed: {why}")
    return OPEN if missing else GOOD
