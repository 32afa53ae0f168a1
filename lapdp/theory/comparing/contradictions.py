"""Contradictions between papers: what one prints of an object and another one denies.

Two true statements never contradict each other.  So only what is not proved is put before the
statements of the other papers, the proved ones first and of those the simplest; the first that
differs from it, at an exact witness, is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from lapdp.theory.comparing.comparison import Comparison, questions
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.statement import Statement

Record = Mapping[str, Any]
Judge = Callable[[Sequence[Statement]], Sequence[Record]]
HOLD = ("proved", "derived")


@dataclass(frozen=True)
class Contradiction:
    """Two statements that differ: about what, where, and what is known of each."""

    first: Statement
    second: Statement
    about: str
    verdicts: tuple[str, str]
    witness: Mapping[str, Any]
    """Empty where both say the same sentence, under different hypotheses."""

    def record(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"about": self.about, "witness": dict(self.witness), "statements": [
            {"id": s.id, "printed": s.printed, "encoded": s.encoded, "verdict": v}
            for s, v in zip((self.first, self.second), self.verdicts, strict=True)]}


@dataclass(frozen=True)
class Search:
    """What was found, how many questions were asked, and which of them showed no difference."""

    found: tuple[Contradiction, ...]
    asked: int
    no_difference: tuple[str, ...]


def contradictions(statements: Sequence[Statement], verdicts: Mapping[str, str], judge: Judge,
                   most: int = 3) -> Search:
    """Search the contradictions between the papers of ``statements``.

    ``verdicts`` gives the verdict of each by id, ``judge`` judges the questions; each doubted
    statement is put before at most ``most`` statements of every other paper.  Repairs are nothing
    that a paper says, and are left out.
    """
    papers: dict[str, list[Statement]] = {}
    for s in statements:
        if s.repairs is None and verdicts.get(s.id) != "ill-formed":
            papers.setdefault(s.paper, []).append(s)
    for own in papers.values():
        own.sort(key=lambda s: (verdicts.get(s.id) not in HOLD, len(s.where), len(str(s.claim))))
    rows: list[list[Comparison]] = []
    for paper, own in papers.items():
        doubted = [s for s in own if verdicts.get(s.id) not in HOLD]
        for other, theirs in papers.items():
            # two doubted statements are compared once
            left_out = set() if other > paper else {s.id for s in theirs
                                                    if verdicts.get(s.id) not in HOLD}
            if other != paper:
                rows += questions(doubted, [s for s in theirs if s.id not in left_out], most)
    search = _Rounds(verdicts, judge)
    for column in zip_longest(*rows):
        search.ask([c for c in column if c is not None])
    found = [*search.found.values(), *_same_sentence(papers, verdicts)]
    return Search(tuple(found), search.asked, tuple(search.no_difference))


class _Rounds:
    """One question of each doubted statement at a time: what differs once is asked no more."""

    def __init__(self, verdicts: Mapping[str, str], judge: Judge) -> None:
        self.verdicts, self.judge, self.asked = verdicts, judge, 0
        self.found: dict[tuple[str, str], Contradiction] = {}
        self.no_difference: list[str] = []

    def ask(self, asked: Sequence[Comparison]) -> None:
        left = [c for c in asked if (c.first.id, c.second.paper) not in self.found]
        self.asked += len(left)
        for c, told in zip(left, self.judge([c.question for c in left]), strict=True):
            if told["verdict"] == "refuted" and _both_have_values(told["witness"]):
                verdicts = (self.verdicts[c.first.id], self.verdicts[c.second.id])
                self.found.setdefault((c.first.id, c.second.paper), Contradiction(
                    c.first, c.second, str(c.about), verdicts, told["witness"]))
            else:
                self.no_difference.append(c.question.id)


def _both_have_values(witness: Mapping[str, Any]) -> bool:
    """Where one side has no value the two papers may mean different things by it."""
    return not any(str(witness[side]).startswith("undefined") for side in ("lhs", "rhs"))


def _same_sentence(papers: Mapping[str, Sequence[Statement]], verdicts: Mapping[str, str]
                   ) -> Iterator[Contradiction]:
    """One claim in two papers, true under the hypotheses of one, false under those of the other."""
    seen: dict[str, list[Statement]] = {}
    for s in (s for own in papers.values() for s in own):
        seen.setdefault(fingerprint([s.claim]), []).append(s)
    for said in seen.values():
        for k, first in enumerate(said):
            for second in said[k + 1:]:
                both = (verdicts.get(first.id, ""), verdicts.get(second.id, ""))
                if first.paper != second.paper and "refuted" in both and (
                        both[0] in HOLD or both[1] in HOLD):
                    yield Contradiction(first, second, "the same sentence", both, {})


__all__ = ["Contradiction", "Search", "contradictions"]
