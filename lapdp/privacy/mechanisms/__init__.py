"""Mechanisms, one file each: a dominating pair (P, Q) in one direction.

A file bears the name of the function that makes its pair and ends with its ``CARD``; it is found by
being here, and imported when its card is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from lapdp.privacy.mechanism import Card


class _Cards(Mapping[str, Card]):
    """The cards by name; an entry imports its file."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Card:
        if name not in self._names:
            raise KeyError(name)
        card: Card = import_module(f"{__name__}.{name}").CARD
        return card

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


CARDS: Mapping[str, Card] = _Cards(tuple(sorted(
    found.stem for found in Path(__file__).parent.glob("[!_]*.py"))))
"""The cards of all mechanisms, by name."""


class _Package(ModuleType):
    """The package's name for a mechanism is its maker; importing its file would set the file."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in CARDS:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in CARDS:
        raise AttributeError(f"no mechanism is called {name!r}")
    return CARDS[name].make
