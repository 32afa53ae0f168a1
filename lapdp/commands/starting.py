"""``lapdp new``: files to start from, which run as they are."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from lapdp.commands.exits import GOOD
from lapdp.core.errors import InputError

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")

_THEOREM = '''"""{title}: what is claimed, and where it is printed."""

import sympy as sp

from lapdp.theory import *

# Letters: an arbitrary pair of distributions, real numbers.  A free letter means "for all".
P, Q = pair("P", "Q")
eps, t = reals("eps t")

with theorem("{name}/theorem-1", "{title}"):
    # One statement for each displayed line, as it is printed.  This one is true for every pair:
    # the engine proves it from what the notions mean.
    claim(
        "eq-1",
        Le(delta(P, Q)(t), delta(P, Q)(eps)),
        where=Ge(t, eps),
        printed=r"\\delta(t)\\le\\delta(\\varepsilon)\\text{{ for }}t\\ge\\varepsilon",
    )

    # This one is false as printed: the witness that `lapdp verify` finds says why.  `expected`
    # records the verdict, and `repaired_by` names the corrected statement beside it.
    claim(
        "eq-2",
        Eq(delta(Q, P)(eps), delta(P, Q)(eps)),
        expected="refuted",
        repaired_by="{name}/eq-2.repaired",
    )
    repair(
        "eq-2.repaired",
        "eq-2",
        Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)),
    )

# Hypotheses go into `where=[...]`, such as `ac(P, Q)` for P << Q.  A mechanism in place of P, Q:
# P, Q = mechanism_pair(laplace(b), "P", "Q") with b = positives("b").  Write sp.Rational(1, 10) or
# "0.1" in a mechanism, never the float 0.1.
'''


def theorem(arguments: argparse.Namespace) -> int:
    """Write proofs/NAME.py, which holds three statements and their verdicts."""
    name = arguments.name
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} is no name: write small letters and digits, such as my-bound")
    file = Path("proofs") / f"{name.replace('-', '_')}.py"
    title = name.replace("-", " ").replace("_", " ").capitalize()
    _write(file, _THEOREM.format(name=name, title=title))
    print(f"wrote {file}\njudge it:   lapdp verify {file}\nas a test:  pytest {file}")
    return GOOD


def _write(file: Path, content: str) -> None:
    """A new file, its folder with it; what is there already stays."""
    if file.exists():
        raise InputError(f"{file} is there already: take another name, or remove it")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as opened:
            opened.write(content)
    except OSError as problem:
        raise InputError(f"{file} cannot be written: {problem.strerror}") from None


__all__ = ["theorem"]
