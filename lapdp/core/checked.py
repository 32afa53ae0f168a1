"""What the kernel accepted: the only evidence for ``proved``."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import LapdpError
from lapdp.core.precision import alone

if TYPE_CHECKING:
    from lapdp.kernel import Checker

_TOKEN = object()
_BEFORE: list[Checker] = []
"""The checker of the last derivation that was accepted, if any: derivations of one proof file share
terms and steps.  One that is used is taken out, so that nothing goes on with a bank that a refusal
or an alarm left behind."""
_ACCEPTED: dict[str, Checked] = {}
"""What was accepted last for a digest: some sentences of a proof file are stated twice."""
MOST_ROWS = 400_000
"""A bank of more terms is given up, for its memory."""


class NotAccepted(LapdpError):
    """The kernel refused a derivation, or it is one of another sentence."""


class Checked:
    """A sentence of which the kernel accepted a derivation without open hypotheses.

    ``digest`` of the sentence, ``steps``, ``rules`` with the number of their uses, and the named
    ``facts`` it rests on.  Made by :func:`accept` only.
    """

    __slots__ = ("digest", "facts", "lines", "rules", "steps")

    def __init__(self, token: object, digest: str, lines: tuple[str, ...], rules: dict[str, int],
                 facts: tuple[str, ...]) -> None:
        if token is not _TOKEN:
            raise NotAccepted("a Checked is made by lapdp.core.checked.accept only")
        self.digest, self.lines, self.rules, self.facts = digest, lines, rules, facts
        self.steps = sum(rules.values())

    def record(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"digest": self.digest, "steps": self.steps, "rules": self.rules,
                "facts": list(self.facts)}


@alone()
def accept(lines: Sequence[str], digest: str) -> Checked:
    """Check a derivation of the sentence with that digest.

    Raises :class:`NotAccepted` where the kernel refuses a line, the last theorem is another
    sentence, or a hypothesis is left open.

    >>> from lapdp.kernel import Bank
    >>> b = Bank(); zero = b.number(0); same = b.make("eq", zero, zero)
    >>> lines = ['["t","n",0,1]', '["t","eq",0,0]', '["p","refl",1,[],[]]']
    >>> accept(lines, b.digest(same)).steps
    1
    """
    known = _ACCEPTED.get(digest)
    if known is not None and known.lines == tuple(lines):
        return known
    collecting = gc.isenabled()
    # terms and theorems are no garbage: a collector would go through all of them again and again
    gc.disable()
    try:
        _ACCEPTED[digest] = found = _accepted(lines, digest)
        return found
    finally:
        if collecting:
            gc.enable()


def _accepted(lines: Sequence[str], digest: str) -> Checked:
    # the kernel stands on python-flint, which a command that judges nothing need not wait for
    from lapdp.kernel import Refused, read_lines

    try:
        checker = read_lines(lines, _BEFORE.pop() if _BEFORE else None)
    except Refused as problem:
        raise NotAccepted(str(problem)) from None
    if not checker.theorems:
        raise NotAccepted("no theorem")
    last = checker.theorems[-1]
    if last.hyps:
        raise NotAccepted("a hypothesis is left open")
    if checker.bank.digest(last.claim) != digest:
        raise NotAccepted("a derivation of another sentence")
    if len(checker.bank.rows) <= MOST_ROWS:
        _BEFORE.append(checker)
    return Checked(_TOKEN, digest, tuple(lines), dict(sorted(checker.uses.items())),
                   tuple(sorted(last.facts)))
