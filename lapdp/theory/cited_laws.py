"""Statements that a law of the library says, perhaps in other letters: its derivation is cited.

Read are the derivations kept for the shelf ``laws``, as they lie beside its files; no proof file is
executed.  Whatever they hold, only what the kernel accepts for the statement counts.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lapdp.core.checked import Checked, NotAccepted, accept
from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.errors import InputError
from lapdp.kernel import Bank
from lapdp.theory.derivations import SUFFIX, read
from lapdp.theory.library import shipped_library
from lapdp.theory.statement import Statement

if TYPE_CHECKING:
    from lapdp.proving.citing import Sentence

SHELF = "laws"
LONG, SHARE = 60.0, 10
"""Seconds of a statement at most, and the share of them that a look at the laws may take."""


def cited_law(statement: Statement, seconds: float = LONG) -> tuple[str, Checked] | None:
    """The id of a law that gives the statement, and what the kernel accepted; None: there is none,
    or it is not found in a tenth of ``seconds``, of the processor.

    >>> from lapdp.theory import Ge, Le, R, claim, pair, reals
    >>> (A, B), (x, y) = pair("A", "B"), reals("x y")
    >>> cited_law(claim("order", Le(R(x, A, B), R(y, A, B)), where=[x > 1, x <= y]))[0]
    'laws/divergences.renyi-order'
    >>> cited_law(claim("turned", Ge(R(x, A, B), R(y, A, B)), where=[x > 1, x <= y])) is None
    True
    """
    try:
        with time_limit(min(seconds, LONG) / SHARE, processor=True):
            return _cited(statement)
    except TimeUp:
        return None


def _cited(statement: Statement) -> tuple[str, Checked] | None:
    from lapdp.proving.citing import cited
    from lapdp.theory.sentences import NotSaid, elaborate

    try:
        bank = Bank()
        goal = elaborate(statement, bank).goal
        for place in sorted((shipped_library() / SHELF).glob(f"*{SUFFIX}")):
            for name, lines, sentence in _laws(place, place.stat().st_mtime_ns):
                found = cited(bank, goal, lines, sentence)
                if found is not None:
                    return name, accept(found, bank.digest(goal))
    except (InputError, NotAccepted, NotSaid):
        pass
    return None


@lru_cache(maxsize=64)
def _laws(place: Path, _: int) -> list[tuple[str, list[str], Sentence]]:
    """What a file keeps, with the sentences, which are looked at for each statement."""
    from lapdp.proving.citing import sentence_of

    return [(name, lines, sentence_of(lines)) for name, (_, lines) in read(place).items()]


__all__ = ["cited_law"]
