"""Lines that looks of one search share: whatever is known on a line serves the next look, too.

Places that a search looks at lie near each other, and so do their saddles, but not so near that
steps of orders and of periods would always be the same.  A line that has been chosen in this search
is taken again where the integrand on it is hardly larger than at the saddle.

Only choices are shared, and only within one search: what is answered depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

ROOM = 0.7
"""A logarithm that a line of another look may cost."""
LONGER = 1.2
"""By how much a period, or a number of nodes, may be larger than needed."""
MOST = 8
"""Lines of one product that are compared."""


class Search:
    """What has been chosen."""

    def __init__(self) -> None:
        self.orders: dict[Hashable, list[tuple[float, float]]] = {}
        self.sizes: dict[Hashable, list[float]] = {}
        self.served: dict[Hashable, list[Any]] = {}
        """Tables of hits that answered looks before, by the product: the last one last."""
        self.cuts: dict[Hashable, list[Any]] = {}
        """What is kept where rare huge losses are apart, by the product."""
        self.noisy: dict[Hashable, dict[float, Any]] = {}
        """How fine, and how much noise, served the last look with noise, by the product and the
        order of its line."""

    def near(self, key: Hashable, least: float) -> float:
        """A number that has been chosen for this and is at least so large, but not much larger;
        else the number itself, which is chosen."""
        known = self.sizes.setdefault(key, [])
        for size in known:
            if least <= size <= LONGER * least:
                return size
        known.append(least)
        return least


_searches: ContextVar[Search | None] = ContextVar("searches", default=None)


@contextmanager
def one_search() -> Iterator[None]:
    """All that is asked meanwhile is one search: that of the outermost one.

    >>> with one_search():
    ...     search = current()
    ...     with one_search():
    ...         print(current() is search)
    True
    >>> current() is None
    True
    """
    if _searches.get() is not None:
        yield
        return
    before = _searches.set(Search())
    try:
        yield
    finally:
        _searches.reset(before)


def current() -> Search | None:
    """The search that is under way."""
    return _searches.get()


__all__ = ["MOST", "ROOM", "Search", "current", "one_search"]
