"""A statement as the kernel has it: its sentence, and its kept derivation as a proof to read."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from lapdp.kernel import Bank, Theorem, domain, read_lines
from lapdp.kernel.printing import text
from lapdp.theory.derivations import replayed
from lapdp.theory.statement import Statement

WIDTH = 100


def as_the_kernel_has_it(statement: Statement) -> str:
    """The sentence of a statement, and the steps of its derivation where one is kept.

    The sentence proved says: where the hypotheses have a meaning and hold, ``meaning`` and the
    claim hold.  Each step: its number, the rule, the steps it uses, what it takes as given, and the
    theorem.

    >>> from lapdp.theory import Le, positives
    >>> x = positives("x")
    >>> print(as_the_kernel_has_it(Statement("paper/eq-1", Le(0, 1 / x))))
      suppose:     (0 < x)
      claim:       (0 <= inv(x))
      meaning:     not((x = 0))
      derivation:  none is kept
    """
    from lapdp.theory.sentences import NotSaid, elaborate

    bank = Bank()
    try:
        sentence = elaborate(statement, bank)
    except NotSaid as problem:
        return _entry("sentence", f"none: {problem}")
    lines = [_entry("define", text(bank, x)) for x in sentence.definitions]
    lines += [_entry("suppose", text(bank, h)) for h in sentence.hypotheses]
    lines.append(_entry("claim", text(bank, sentence.claim)))
    condition = domain(bank, sentence.claim)
    if condition is not None:
        lines.append(_entry("meaning", text(bank, condition)))
    lines += [_entry("note", note) for note in sentence.notes]
    checked = replayed(statement)
    if checked is None:
        return "\n".join([*lines, _entry("derivation", "none is kept")])
    rules = ", ".join(f"{name} {count}" for name, count in checked.rules.items())
    return "\n".join([*lines, _entry("derivation", f"{checked.steps} steps: {rules}"),
                      *steps(checked.lines)])


def steps(lines: Sequence[str]) -> list[str]:
    """A derivation that the kernel accepts, a step a line; a hypothesis is named by its number.

    >>> print("\\n".join(steps(['["t","v","A","F"]', '["p","hyp",0,[],[]]',
    ...     '["t","imp",0,0]', '["p","disch",1,[0],[]]'])))
      given 1:     A
      step 1:      hyp [1]: A
      step 2:      disch 1: (A -> A)
    """
    checker = read_lines(lines)
    bank = checker.bank
    rows = [row for row in map(json.loads, lines) if row[0] == "p"]
    names: dict[int, int] = {}
    for theorem in checker.theorems:
        for h in sorted(theorem.hyps):
            names.setdefault(h, len(names) + 1)
    found = [_entry(f"given {n}", text(bank, h)) for h, n in names.items()]
    for number, (row, theorem) in enumerate(zip(rows, checker.theorems, strict=True), 1):
        found.append(_entry(f"step {number}", _step(row, theorem, bank, names)))
    return found


def _step(row: Sequence[Any], theorem: Theorem, bank: Bank, names: dict[int, int]) -> str:
    words = [str(row[1])]
    if row[1] in ("law", "limit", "integral", "ftc") and row[4]:
        words.append(f"({row[4][0]})")
    if row[3]:
        words.append(", ".join(str(i + 1) for i in row[3]))
    if theorem.hyps:
        words.append(f"[{', '.join(map(str, sorted(names[h] for h in theorem.hyps)))}]")
    return f"{' '.join(words)}: {text(bank, theorem.claim)}"


def _entry(name: str, value: str) -> str:
    return textwrap.fill(value, WIDTH, initial_indent=f"  {name}: ".ljust(15),
                         subsequent_indent=" " * 15,
                         break_long_words=False, break_on_hyphens=False)
