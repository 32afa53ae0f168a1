"""The search for a derivation of a statement, as the tests of its steps ask for it."""

from __future__ import annotations

from lapdp.core.checked import accept
from lapdp.kernel import Bank
from lapdp.proving.search import derive
from lapdp.theory.checking import check_statement
from lapdp.theory.sentences import elaborate
from lapdp.theory.statement import Statement


def of_statement(statement, steps):
    """Lines or None, the reason, and the digest of the sentence."""
    bank = Bank()
    sentence = elaborate(statement, bank)
    return *derive(bank, sentence.goal, steps), bank.digest(sentence.goal)


def of_texts(texts, steps):
    """The same of a formula and its hypotheses as text."""
    return of_statement(check_statement(texts[0], texts[1:]), steps)


def of_form(form, where, steps):
    """The same of a claim and its hypotheses."""
    return of_statement(Statement("t/x", form, where=tuple(where)), steps)


def assert_derived(found):
    """What a search found is a derivation that the kernel accepts."""
    lines, why, digest = found
    assert lines is not None, why
    assert accept(lines, digest)


def assert_not_derived(found):
    """A search found nothing, and says why."""
    lines, why, _ = found
    assert lines is None
    assert why
