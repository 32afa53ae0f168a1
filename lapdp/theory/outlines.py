"""Outlines of statements: what a run has to know of those whose proof files its workers execute.

A worker that has executed a proof file tells of each statement its names, what is on record of it,
and the digests under which it is found again.  The sentence itself stays in the worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lapdp.theory.statement import Statement


class Stated(Protocol):
    """What a statement and its outline have in common; see
    :class:`~lapdp.theory.statement.Statement`."""

    @property
    def id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def paper(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def equations(self) -> tuple[int, ...]: ...
    @property
    def expected(self) -> str | None: ...
    @property
    def cited(self) -> str: ...
    @property
    def repaired_by(self) -> str | None: ...
    @property
    def repairs(self) -> str | None: ...


@dataclass(frozen=True)
class Outline:
    """A statement without its sentence; fields as those of the statement.

    ``identity`` is the digest of all that a judge sees, empty where it cannot be told what that is;
    ``key`` that under which its verdict is kept, None where it is not.
    """

    id: str
    source: str
    paper: str
    label: str
    equations: tuple[int, ...]
    expected: str | None
    cited: str
    repaired_by: str | None
    repairs: str | None
    identity: str
    key: str | None


def outlines(statements: Iterable[Statement], options: dict[str, Any]) -> list[Outline]:
    """The outlines of statements, for a run with these options of its judge.

    >>> from lapdp.theory.language import Eq
    >>> from lapdp.theory.statement import Statement
    >>> (one,) = outlines([Statement("paper/eq-1", Eq(1, 1))], {"digits": 30})
    >>> one.paper, one.label, len(one.identity), len(one.key)
    ('paper', 'eq-1', 64, 64)
    """
    from lapdp.theory.cache import key_of
    from lapdp.theory.fingerprint import identity

    shared = [f.name for f in fields(Outline) if f.name not in ("identity", "key")]
    return [
        Outline(
            **{name: getattr(s, name) for name in shared},
            identity=identity(s),
            key=key_of(s, options),
        )
        for s in statements
    ]


__all__ = ["Outline", "Stated", "outlines"]
