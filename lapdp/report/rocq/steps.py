"""The steps of a derivation as lemmas: their letters, hypotheses and premises."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lapdp.kernel import Bank, Checker, Theorem
from lapdp.report.rocq.identities import Identities
from lapdp.report.rocq.words import NotPrinted, Words

TACTIC = "by "
"""Begins a proof that is no term but a tactic."""
Letter = tuple[str, str]


@dataclass(frozen=True)
class Step:
    """A step while it is printed: its number and claim, its premises, by number and as the Rocq
    terms that apply them, and its data."""

    i: int
    goal: int
    premises: list[int]
    calls: list[str]
    data: list[Any]


class Steps:
    """The steps of a derivation that the kernel accepted, as lemmas."""

    def __init__(self, checker: Checker, lines: Sequence[str]) -> None:
        self.b: Bank = checker.bank
        self.theorems: list[Theorem] = checker.theorems
        self.words = Words(self.b)
        self.same = Identities(self.words)
        self.rows: list[tuple[str, list[int], list[Any]]] = []
        terms: list[int] = []
        for row in map(json.loads, lines):
            if row[0] == "t":
                kids = row[2:] if row[1] in ("n", "v", "b") else [terms[a] for a in row[2:]]
                terms.append(self.b.make(row[1], *kids))
            else:
                self.rows.append((row[1], row[3], [
                    x if type(x) is str else [terms[x[0]], x[1]] if type(x) is list else terms[x]
                    for x in row[4]]))

    def lemma(self, i: int) -> str:
        """Step i as a lemma: its letters and hypotheses, its claim, its proof."""
        proof = self._proof(i)
        script = proof[len(TACTIC):] if proof.startswith(TACTIC) else f"exact {proof}"
        return (f"Lemma s_{i + 1}{self.parameters(i)} : {self.claim(i)}.\n"
                f"Proof. {script}. Qed.  (* {self.rows[i][0]} *)")

    def claim(self, i: int) -> str:
        """What step i says."""
        return self.words.text(self.theorems[i].claim)

    def letters(self, i: int) -> list[Letter]:
        """The letters of a at."""
        theorem = self.theorems[i]
        found = self.b.letters[theorem.claim].union(*(self.b.letters[h] for h in theorem.hyps))
        return sorted(found)

    def parameters(self, i: int) -> str:
        """``(x : R) (h_7 : 0 < x)``"""
        found = [f" ({self.words.letter(v)} : {self.words.type(v[1])})" for v in self.letters(i)]
        return "".join([*found, *(f" (h_{h} : {self.words.text(h)})"
                                  for h in sorted(self.theorems[i].hyps))])

    def call(self, j: int, i: int, extra: dict[Letter, str] | None = None,
             hyps: Callable[[int], str] = "h_{}".format) -> str:
        """Step j applied inside step i, whose letters, and more, it sees."""
        scope = {v: self.words.letter(v) for v in self.letters(i)} | (extra or {})
        parts = [self.words.some(v, scope) for v in self.letters(j)]
        return f"({' '.join([f's_{j + 1}', *parts, *map(hyps, sorted(self.theorems[j].hyps))])})"

    def _proof(self, i: int) -> str:
        rule, premises, data = self.rows[i]
        made: Callable[[Step], str] | None = getattr(self, f"_{rule}", None)
        if made is None:
            raise NotPrinted(f"the rule {rule}")
        calls = [] if rule in ("gen", "put", "choose") else [self.call(j, i) for j in premises]
        return made(Step(i, self.theorems[i].claim, premises, calls, data))

    def _claim(self, j: int) -> int:
        return self.theorems[j].claim

    def _kids(self, t: int) -> tuple[int, ...]:
        return self.b.children(t)

    def _head(self, t: int) -> str:
        return str(self.b.rows[t][0])

    def _apply(self, name: str, *parts: str | int) -> str:
        texts = (p if isinstance(p, str) else self.words.text(p) for p in parts)
        return f"({' '.join([name, *texts])})"

    def _function(self, symbol: str, body: int) -> str:
        return self.words.function(symbol, 0, body)
