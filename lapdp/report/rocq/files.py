"""Derivations as Rocq files over the library of this package."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from lapdp.core.errors import InputError
from lapdp.kernel import Refused, read_lines
from lapdp.report.rocq.analysis import Rules
from lapdp.report.rocq.words import NotPrinted

LIBRARY = tuple(Path(__file__).parent / "library" / f"{name}.v"
                for name in ("Assumptions", "Rules", "Numbers"))
"""The library, in the order in which it compiles."""
PREFIX = "Lapdp"
"""The name of the library in Rocq."""


def module(identifier: str) -> str:
    """The name of the file and of the theorem of a statement.

    >>> module("chourasia2024/eq-7.1")
    'chourasia2024_eq_7_1'
    """
    return re.sub(r"\W", "_", identifier)


def printed(identifier: str, lines: Sequence[str]) -> str:
    """The Rocq file of a derivation: every step a lemma, then the theorem and what it assumes.

    The kernel checks the lines first: ``Refused`` where they are no derivation, or one that ends
    under hypotheses.  :class:`NotPrinted` names what the library has no words for.

    >>> file = printed("mine/eq-1", ['["t","v","A","F"]', '["p","hyp",0,[],[]]', '["t","imp",0,0]',
    ...     '["p","disch",1,[0],[]]'])
    >>> "Theorem mine_eq_1 (A : Prop) : (A -> A)." in file
    True
    """
    checker = read_lines(lines)
    if not checker.theorems or checker.theorems[-1].hyps:
        raise Refused("no theorem, or one under hypotheses")
    steps = Rules(checker, lines)
    last = len(checker.theorems) - 1
    try:
        lemmas = [steps.lemma(i) for i in range(last + 1)]
    except Refused as problem:  # of a term that the printer makes: the lines are accepted
        raise NotPrinted(str(problem)) from None
    numbers = any(rule == "ball" or data[:1] == ["pi"] for rule, _, data in steps.rows)
    name = module(identifier)
    return "\n".join([
        f"(* {identifier.replace('*', '')}: {last + 1} steps of the kernel. *)",
        f"From {PREFIX} Require Import Rules{' Numbers' if numbers else ''}.",
        "Open Scope R_scope.", "", *lemmas, "",
        f"Theorem {name}{steps.parameters(last)} : {steps.claim(last)}.",
        f"Proof. exact {steps.call(last, last)}. Qed.", f"Print Assumptions {name}.", ""])


def write(folder: Path, derivations: dict[str, Sequence[str]]) -> dict[str, str]:
    """Write the library, and a file for each derivation, by id; why those left out are.

    ``_CoqProject`` names all files for ``coq_makefile``.  Raises :class:`InputError` where the
    folder cannot be written, ``Refused`` for lines that are no derivation.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     print(write(Path(place), {}), sorted(p.name for p in Path(place).iterdir()))
    {} ['Assumptions.v', 'Numbers.v', 'Rules.v', '_CoqProject']
    """
    left_out: dict[str, str] = {}
    names = [path.name for path in LIBRARY]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in LIBRARY:
            shutil.copyfile(path, folder / path.name)
        for identifier, lines in derivations.items():
            try:
                text = printed(identifier, lines)
            except NotPrinted as problem:
                left_out[identifier] = str(problem)
                continue
            names.append(f"{module(identifier)}.v")
            (folder / names[-1]).write_text(text, encoding="utf-8")
        project = "\n".join([f"-R . {PREFIX}", *names, ""])
        (folder / "_CoqProject").write_text(project, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"cannot write {folder}: {problem.strerror or problem}") from None
    return left_out
