"""What the five notions of a pair have in common: each is a view of one pair (P, Q)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair


@dataclass(frozen=True)
class Notion:
    """One notion of a pair; subclasses are called with a point or a variable."""

    pair: Pair
    name: ClassVar[str]
    """What the pair calls it: ``pair.profile``."""
    letter: ClassVar[str]
    """Its variable where none is given."""

    @property
    def free_symbols(self) -> set[Any]:
        """The parameters."""
        return self.pair.free_symbols

    def __repr__(self) -> str:
        shown = repr(self.pair)
        return f"({shown}).{self.name}" if "*" in shown else f"{shown}.{self.name}"


__all__ = ["Notion"]
