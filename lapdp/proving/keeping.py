"""Derivations as lines that the kernel reads: only what the last theorem needs, and that once."""

from __future__ import annotations

import json
from typing import Any

from lapdp.proving.derivation import Derivation


def lines_of(d: Derivation, theorem: int) -> list[str]:
    """The derivation of a theorem as JSON lines, terms before the steps that use them.

    >>> d = Derivation()
    >>> i = d.refl(d.num(0))
    >>> lines_of(d, i)
    ['["t","n",0,1]', '["t","eq",0,0]', '["p","refl",1,[],[]]']
    """
    instead = _instead(d)
    theorem = instead[theorem]
    needed: set[int] = set()
    todo = [theorem]
    while todo:
        i = todo.pop()
        if i not in needed:
            needed.add(i)
            todo.extend(instead[p] for p in d.record[i][2])
    lines: list[str] = []
    terms: dict[int, int] = {}
    steps: dict[int, int] = {}

    def term(t: int) -> int:
        """The place of a term among the terms, written before what uses it."""
        if t not in terms:
            row = d.b.rows[t]
            kids = d.kids(t)
            args = [term(a) for a in kids] if kids else list(row[1:])
            lines.append(json.dumps(["t", row[0], *args], separators=(",", ":")))
            terms[t] = len(terms)
        return terms[t]

    def entry(x: Any) -> Any:
        if isinstance(x, str):
            return x
        if isinstance(x, list):
            return [term(x[0]), x[1]]
        return term(x)

    for i in sorted(needed):
        rule, goal, premises, data = d.record[i]
        written = [entry(x) for x in data]
        row = ["p", rule, term(goal), [steps[instead[p]] for p in premises], written]
        lines.append(json.dumps(row, separators=(",", ":")))
        steps[i] = len(steps)
    return lines


def _instead(d: Derivation) -> list[int]:
    """For each step the first one that says the same under no more hypotheses: no rule asks for a
    hypothesis to be there."""
    found: list[int] = []
    alike: dict[int, list[int]] = {}
    for i, theorem in enumerate(d.checker.theorems):
        earlier = alike.setdefault(theorem.claim, [])
        j = next((j for j in earlier if d.theorem(j).hyps <= theorem.hyps), i)
        if j == i:
            earlier.append(i)
        found.append(j)
    return found
