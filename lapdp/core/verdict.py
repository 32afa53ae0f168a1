"""Verdicts, and the doors to ``proved`` and ``derived``.

``proved`` needs a :class:`~lapdp.core.checked.Checked`: the kernel accepted a derivation of exactly
the statement.  ``derived`` needs an argument of the engine, a :class:`Proof`: a tree of cases.  Its
inner nodes are questions with a finite list of answers (is z below, at or above eps?), and the tree
must answer each; its leaves carry obligations.  :func:`seal` walks the tree, checks that every
answer has its branch, discharges every obligation *again*, and only then makes a :class:`Proof`.
Nothing else in the package constructs one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from lapdp.core.checked import Checked
from lapdp.core.errors import LapdpError
from lapdp.core.facts import Fact


class Kind(StrEnum):
    """The eight verdicts, best first; never collapsed."""

    PROVED = "proved"
    DERIVED = "derived"
    CERTIFIED = "certified"
    TESTED = "tested"
    ADMITTED = "admitted"
    UNDECIDED = "undecided"
    ILL_FORMED = "ill-formed"
    REFUTED = "refuted"


HOLDS = frozenset({Kind.PROVED, Kind.DERIVED})
"""Verdicts that say: true in the whole stated domain."""


def worst(kinds: list[Kind]) -> Kind:
    """The verdict of an aggregate: that of its worst member.

    >>> worst([Kind.PROVED, Kind.REFUTED, Kind.TESTED])
    <Kind.REFUTED: 'refuted'>
    """
    order = list(Kind)
    return max(kinds, key=order.index)


class Rejected(LapdpError):
    """A certificate does not prove what it claims."""


class Question(Protocol):
    """A case distinction with finitely many answers that cover everything."""

    def answers(self) -> tuple[str, ...]:
        """All possible answers."""


@dataclass(frozen=True)
class Leaf:
    """A case with what must be checked in it."""

    obligations: tuple[Any, ...]


@dataclass(frozen=True)
class Split:
    """A case distinction: one subtree for each answer."""

    question: Any
    branches: Mapping[str, Split | Leaf]


@dataclass(frozen=True)
class Certificate:
    """Evidence offered to the core: case trees (one a kernel, say), method and facts."""

    method: str
    trees: tuple[tuple[str, Split | Leaf], ...]
    facts: tuple[Fact, ...] = ()


_TOKEN = object()


class Proof:
    """A sealed argument of the engine.  Only :func:`seal` makes one; it earns ``derived``."""

    __slots__ = ("cells", "facts", "method", "steps")

    def __init__(self, token: object, method: str, facts: tuple[Fact, ...], cells: int,
                 steps: tuple[str, ...]) -> None:
        if token is not _TOKEN:
            raise Rejected("a Proof is made by lapdp.core.verdict.seal only")
        self.method, self.facts, self.cells, self.steps = method, facts, cells, steps


def seal(certificate: Certificate) -> Proof:
    """Check a certificate and make a proof of it.

    Raises :class:`Rejected` when a case is missing, a leaf is empty or an obligation fails.
    """
    if not certificate.trees:
        raise Rejected("an empty certificate proves nothing")
    steps: list[str] = []
    cells = sum(_walk(tree, (), name, steps) for name, tree in certificate.trees)
    return Proof(_TOKEN, certificate.method, tuple(sorted(set(certificate.facts))), cells,
                 tuple(steps))


def check_tree(tree: Split | Leaf, path: tuple[tuple[Any, str], ...], name: str) -> int:
    """Discharge a tree of cases that stands below ``path``; the number of its leaves."""
    return _walk(tree, path, name, [])


def _walk(node: Split | Leaf, path: tuple[tuple[Any, str], ...], name: str, steps: list[str]
          ) -> int:
    if isinstance(node, Leaf):
        if not node.obligations:
            raise Rejected(f"{name}: a case without obligations")
        where = ", ".join(f"{question} {answer} 0" for question, answer in path) or "always"
        for obligation in node.obligations:
            obligation.discharge(path)
            steps.append(f"{name} [{where}]: {obligation.describe()}")
        return 1
    missing = set(node.question.answers()) ^ set(node.branches)
    if missing:
        raise Rejected(f"{name}: cases not covered: {sorted(missing)}")
    if not node.branches:
        raise Rejected(f"{name}: a question without answers")
    return sum(
        _walk(branch, (*path, (node.question, answer)), name, steps)
        for answer, branch in sorted(node.branches.items())
    )


@dataclass(frozen=True)
class Witness:
    """An exact counterexample: paste-ready text, parameter values, both sides."""

    text: str
    values: Mapping[str, str]
    lhs: str
    rhs: str
    why: str = ""


@dataclass(frozen=True)
class Numeric:
    """The numeric column: an independent evaluation at random instances."""

    method: str
    digits: int = 0
    instances: int = 0
    agrees: bool | None = None
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """What the engine says of one statement."""

    kind: Kind
    method: str
    reason: str = ""
    proof: Proof | None = None
    checked: Checked | None = None
    witness: Witness | None = None
    holds_under: str = ""
    scope: str = ""
    """``exact`` or ``sufficient``: is ``holds_under`` also necessary?"""
    tried: tuple[str, ...] = ()
    numeric: Numeric | None = None
    seconds: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.kind is Kind.PROVED) != isinstance(self.checked, Checked):
            raise Rejected("proved needs a derivation that the kernel accepted")
        if self.kind is Kind.DERIVED and not isinstance(self.proof, Proof):
            raise Rejected("derived needs a sealed argument")
        if self.proof is not None and self.kind not in HOLDS:
            raise Rejected("only what is proved or derived has an argument")
        if self.kind is Kind.REFUTED and self.witness is None:
            raise Rejected("refuted needs a witness")

    def admitted(self, citation: str) -> Judgement:
        """The same, taken on the word of a publication where nothing was decided.

        >>> Judgement(Kind.UNDECIDED, "none").admitted("Shevtsova 2011, Theorem 1").kind
        <Kind.ADMITTED: 'admitted'>
        """
        if not citation or self.kind is not Kind.UNDECIDED:
            return self
        return replace(self, kind=Kind.ADMITTED, method="citation", reason=citation)

    def record(self) -> dict[str, Any]:
        """Plain data for JSON and for the trip between processes."""
        facts = [f.name for f in self.proof.facts] if self.proof else []
        if self.checked is not None:
            facts = list(self.checked.facts)
        return {
            "verdict": str(self.kind),
            "reason": self.reason,
            "symbolic": {
                "method": self.method,
                "facts": facts,
                "cells": self.proof.cells if self.proof else 0,
                "steps": list(self.proof.steps) if self.proof else [],
                "tried": list(self.tried),
                "seconds": round(self.seconds, 4),
            },
            "checked": "none" if self.checked is None else "kernel",
            "believed": [self.method] if self.kind is Kind.DERIVED else [],
            "derivation": None if self.checked is None else self.checked.record(),
            "numeric": None if self.numeric is None else dict(vars(self.numeric)),
            "holds_under": self.holds_under,
            "scope": self.scope,
            "witness": None if self.witness is None else {
                "text": self.witness.text, "values": dict(self.witness.values),
                "lhs": self.witness.lhs, "rhs": self.witness.rhs, "why": self.witness.why,
            },
            **self.extra,
        }
