"""How often what came of queries, as campaigns print it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any


def said(outcomes: Iterable[str]) -> str:
    """The most frequent first.

    >>> said(["held", "late", "held"])
    '2 held, 1 late'
    """
    return ", ".join(f"{n} {what}" for what, n in Counter(outcomes).most_common())


def rows(found: Sequence[Any], key: Callable[[Any], str]) -> list[str]:
    """A line for each kind of entries, which have an ``outcome``."""
    table: dict[str, list[str]] = {}
    for entry in found:
        table.setdefault(key(entry), []).append(entry.outcome)
    return [f"  {name}: {said(outcomes)}" for name, outcomes in sorted(table.items())]


def tally(found: Sequence[Any], **keys: Callable[[Any], str]) -> list[str]:
    """The lines of each division of the entries, under its name."""
    return [line for title, key in keys.items() for line in (f"by {title}:", *rows(found, key))]


def by_method(entry: Any) -> str:
    """The method that answered."""
    return entry.method or "-"
