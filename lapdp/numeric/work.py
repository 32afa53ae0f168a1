"""What an answer may cost, in evaluations: the same on a busy machine and on an idle one."""

from __future__ import annotations

from lapdp.core.errors import InputError, Unsupported


class Exhausted(Unsupported):
    """The work that was allowed is done."""


class Work:
    """A meter that is passed along: ``spend`` counts, and stops when all is spent.

    Inside ``limited`` no more than a share of the rest is spent on one question.

    >>> meter = Work(3)
    >>> meter.spend(2)
    >>> meter.left
    1
    """

    def __init__(self, limit: float = float("inf")) -> None:
        if not limit > 0:
            raise InputError("the work of a numeric column is a positive number")
        self.limit = self.left = limit

    def spend(self, cost: float = 1) -> None:
        """Count some work; raises :class:`Exhausted` where it is more than what is left."""
        self.left -= cost
        if self.left < 0:
            raise Exhausted("the work allowed to the numeric column is done")

    def share(self, most: float) -> Share:
        """A part of what is left, for one question."""
        return Share(self, most)


class Share(Work):
    """A part of a meter: what it spends, the whole spends too."""

    def __init__(self, whole: Work, most: float) -> None:
        super().__init__(most)
        self.whole = whole

    def spend(self, cost: float = 1) -> None:
        """Count some work here and in the whole; this part ends with :class:`Unsupported`."""
        self.whole.spend(cost)
        self.left -= cost
        if self.left < 0:
            raise Unsupported("an instance that takes too many evaluations")


__all__ = ["Exhausted", "Share", "Work"]
