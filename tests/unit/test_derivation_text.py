"""A kept derivation as a proof to read, and the sentence as the kernel has it."""

from __future__ import annotations

import re

from lapdp.report.derivation import as_the_kernel_has_it
from lapdp.theory.derivations import read
from lapdp.theory.library import shipped_library
from tests.shelf import by_id


def kept():
    """The id of a short kept derivation that proves its statement today."""
    from lapdp.theory.derivations import replayed

    found = sorted((len(lines), name) for path in (shipped_library() / "laws").glob("*.derivations")
                   for name, (_, lines) in read(path).items())
    return next(name for _, name in found if name in by_id() and replayed(by_id()[name]))


def test_every_step_of_a_kept_derivation():
    name = kept()
    shown = as_the_kernel_has_it(by_id()[name])
    assert "claim:" in shown
    counted = int(re.search(r"derivation:\s+(\d+) steps", shown)[1])
    numbers = [int(n) for n in re.findall(r"^  step (\d+):", shown, re.MULTILINE)]
    assert numbers == list(range(1, counted + 1))
    last = shown[shown.rindex("  step "):]
    assert "[" not in last.partition(":")[2].partition(":")[0]


def test_a_statement_without_a_sentence_says_why(monkeypatch):
    from lapdp.theory import sentences

    def refuse(statement, bank):
        raise sentences.NotSaid("a sum over all orders")

    monkeypatch.setattr(sentences, "elaborate", refuse)
    shown = as_the_kernel_has_it(next(iter(by_id().values())))
    assert shown == "  sentence:    none: a sum over all orders"
