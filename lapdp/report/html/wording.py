"""What a block of HTML says of a statement in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lapdp.report.text import RECORDED, is_recorded, numeric_line

Result = Mapping[str, Any]
_KINDS = {"claim": "", "definition": "definition", "step": "step of a proof", "rule": "rule",
          "law": "law", "numeric": "number", "figure": "figure"}


@dataclass(frozen=True)
class Lines:
    """Lines beside the formulas of a statement."""

    name: str
    kind: str
    numeric: str
    recorded: str
    """What stands before the method of a verdict that was not found in this run."""


@dataclass(frozen=True)
class Step:
    """One checked case of a proof: what it is about, in which case, and why it holds there."""

    about: str
    case: str
    rule: str


def step(text: str) -> Step:
    """A line of :attr:`lapdp.core.verdict.Proof.steps` in its parts.

    >>> step("P,Q: k(z) [q < 0]: P,Q: k(z): the two sides agree")
    Step(about='P,Q: k(z)', case='q < 0', rule='the two sides agree')
    """
    found = re.fullmatch(r"(.*?) \[(.*?)\]: (.*)", text, re.DOTALL)
    if found is None:
        return Step("", "", text)
    about, case, rule = found.groups()
    return Step(about, "" if case == "always" else case, rule.removeprefix(f"{about}: "))


def lines(result: Result) -> Lines:
    """The words for a judged statement."""
    return Lines(heading(result), _KINDS[result["kind"]], numeric_line(result),
                 f"{RECORDED}: " if is_recorded(result) else "")


def heading(result: Result) -> str:
    """How a reader names a statement: by the number of its equation, else by its label.

    >>> heading({"label": "eq-47.1", "equations": [47]})
    'Equation (47), 1'
    >>> heading({"label": "theorem-3.6.step-2.repaired", "equations": [45]})
    'Theorem 3.6, step 2, repaired'
    >>> heading({"label": "section-4.1.claim-3", "equations": []})
    'Section 4.1, claim 3'
    """
    label = str(result["label"])
    label = re.sub(r"^eq-(\d+)", r"Equation (\1)", label)
    label = re.sub(r"^([a-z]+)-(?=[A-Z]?\.?\d)", lambda found: found[1].capitalize() + " ", label)
    # dots part names, not numbers: theorem-3.6.step-2
    label = re.sub(r"(?<=\))\.(?=\d)", ", ", label)
    label = re.sub(r"\.(?=[a-z])", ", ", label)
    label = re.sub(r"([a-z])-(?=\d)", r"\1 ", label)
    return label[:1].upper() + label[1:]


__all__ = ["Lines", "Step", "heading", "lines", "step"]
