"""Mechanisms, one file each: a dominating pair (P, Q) in one direction.

A file bears the name of the function that makes its pair and ends with its ``CARD``; it is found by
being here.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from lapdp.privacy.mechanism import Card

CARDS: dict[str, Card] = {
    name: import_module(f"{__name__}.{name}").CARD
    for name in sorted(found.name for found in iter_modules(__path__))}
"""The cards of all mechanisms, by name."""

# the package's name for a mechanism is its maker, no longer the file that was just imported
globals().update({name: card.make for name, card in CARDS.items()})


def __getattr__(name: str) -> Any:
    raise AttributeError(f"no mechanism is called {name!r}")
