"""Facts that are looked for once."""

from __future__ import annotations

from collections.abc import Callable

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound


class Once:
    """What makes facts of other facts, each once; not on the way to others of the kind."""

    def __init__(self) -> None:
        self.busy = False
        self._made: dict[tuple[object, ...], list[int]] = {}

    def once(self, key: tuple[object, ...], make: Callable[[], list[int]]) -> list[int]:
        """What is found, the first time; nothing where a step of it is not."""
        if key not in self._made:
            self.busy = True
            try:
                self._made[key] = make()
            except (NotFound, NeedSplit):
                self._made[key] = []
            finally:
                self.busy = False
        return self._made[key]


__all__ = ["Once"]
