"""The shipped library, loaded once in a process: three seconds that every test shares."""

from __future__ import annotations

from functools import cache

from lapdp.theory.library import shipped_library
from lapdp.theory.loading import load
from lapdp.theory.statement import Statement


@cache
def library() -> tuple[Statement, ...]:
    """All statements, in library order."""
    return tuple(load(shipped_library()))


@cache
def by_id() -> dict[str, Statement]:
    """The same under their ids."""
    return {s.id: s for s in library()}


def of_paper(paper: str) -> list[Statement]:
    """Those of one paper, or of the shelf of laws."""
    return [s for s in library() if s.paper == paper]
