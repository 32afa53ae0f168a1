"""Which method proved which lemma of a refutation: what a replay asks first.

Methods are asked in a fixed order, and those that fail may take a hundred times as long as the one
that does not.  A refutation by proofs at an instance tells which they were; it is kept beside the
proof file as a hint, may be anybody's, and changes nothing but the order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lapdp.core.errors import IllFormed
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.statement import Statement


class Routes:
    """Names of methods by the digests of lemmas: those that are ``told``, and those noted.

    >>> from lapdp.theory import Le, claim, reals
    >>> x = reals("x")
    >>> noted = Routes()
    >>> noted.note(claim("a/one", Le(x, x + 1)), "cells")
    >>> again = Routes(noted.record())
    >>> again.of(claim("a/other", Le(x, x + 1))), again.of(claim("a/one", Le(x, x + 2)))
    ('cells', '')
    """

    def __init__(self, told: Mapping[str, str] | None = None) -> None:
        self._told = dict(told or {})
        self._noted: list[tuple[Statement, str]] = []

    def of(self, lemma: Statement) -> str:
        """The name of the method that is told for a lemma; empty where none is."""
        return self._told.get(_digest(lemma), "") if self._told else ""

    def note(self, lemma: Statement, method: str) -> None:
        """A method proved a lemma."""
        self._noted.append((lemma, method))

    def record(self) -> dict[str, str]:
        """What was noted, as plain data."""
        found = {_digest(lemma): method for lemma, method in self._noted}
        return {digest: method for digest, method in sorted(found.items()) if digest}


def sound(said: Any) -> dict[str, str]:
    """What a record says of routes, if it could be one; else none.

    >>> sound({"12": "cells"}), sound({"12": 3}), sound(None)
    ({'12': 'cells'}, {}, {})
    """
    good = isinstance(said, dict) and all(isinstance(x, str) for x in (*said, *said.values()))
    return said if good else {}


def _digest(lemma: Statement) -> str:
    try:
        return fingerprint([lemma.claim, *lemma.where])
    except IllFormed:
        return ""


__all__ = ["Routes", "sound"]
