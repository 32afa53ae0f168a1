"""A derivation as a Rocq file over the library of this package."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from lapdp.kernel import read_lines
from lapdp.report.rocq.rules import Steps

LIBRARY = tuple(Path(__file__).parent / "library" / f"{name}.v"
                for name in ("Assumptions", "Rules", "Numbers"))
"""The library, in the order in which it compiles."""


def module(identifier: str) -> str:
    """The name of the file and of the theorem of a statement.

    >>> module("chourasia2024/eq-7.1")
    'chourasia2024_eq_7_1'
    """
    return re.sub(r"\W", "_", identifier)


def printed(identifier: str, lines: Sequence[str]) -> str:
    """The Rocq file of a derivation: every step a lemma, then the theorem and what it assumes.

    The kernel checks the lines first, and raises ``Refused`` where they are no derivation;
    :class:`NotPrinted` names a rule or symbol that the library has no words for.
    """
    checker = read_lines(lines)
    steps = Steps(checker, lines)
    last = len(checker.theorems) - 1
    claim = steps.words.text(checker.theorems[last].claim)
    lemmas = [steps.lemma(i) for i in range(last + 1)]
    numbers = " Numbers" if any(row[0] == "ball" or row[2][:1] == ["pi"] for row in steps.rows) else ""
    name = module(identifier)
    return "\n".join([
        f"(* {identifier}: a derivation of {last + 1} steps. *)",
        f"From Lapdp Require Import Rules{numbers}.", "Open Scope R_scope.", "", *lemmas, "",
        f"Theorem {name}{steps.parameters(last)} : {claim}.",
        f"Proof. exact {steps.call(last, last)}. Qed.", f"Print Assumptions {name}.", ""])
