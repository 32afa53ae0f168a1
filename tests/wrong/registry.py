"""What a file of wrong things holds: two lists, WRONG and RIGHT; every file here is found.

A wrong thing names the laws that must see it, and those that must not: a loose bound is valid, and
fails tightness alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from lapdp.privacy.finite import FinitePair

Checks = Sequence[Any] | Callable[[], Sequence[Any]]
"""LawChecks, or what makes them: a callable keeps the import of a file light."""


class _Laws:
    """The laws that a thing is put under."""

    name: str
    checks: Checks

    @cached_property
    def laws(self) -> dict[str, Any]:
        """The laws by name."""
        found = list(self.checks() if callable(self.checks) else self.checks)
        laws = {check.name: check for check in found}
        assert len(laws) == len(found), f"{self.name}: two laws of one name"
        return laws


@dataclass(frozen=True)
class Wrong(_Laws):
    """A wrong thing: every law of ``fails`` must fail, none of ``holds`` may.

    Its name begins with its kind, as in "profile: no mass at infinity".
    """

    name: str
    says: str
    """What is wrong."""
    checks: Checks
    fails: frozenset[str] | set[str]
    holds: frozenset[str] | set[str] = frozenset()

    def __post_init__(self) -> None:
        assert self.fails, f"{self.name}: which law sees it?"
        assert not self.fails & self.holds, self.name


@dataclass(frozen=True)
class Right(_Laws):
    """A right thing: no law of it may fail."""

    name: str
    checks: Checks


def files() -> list[Any]:
    """The modules beside this one that hold things."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    modules = [import_module(f"tests.wrong.{name}") for name in names
               if name not in ("__init__", "registry") and not name.startswith("test_")]
    return [module for module in modules if hasattr(module, "WRONG") or hasattr(module, "RIGHT")]


def wrong() -> list[Wrong]:
    """All that is wrong."""
    return [thing for module in files() for thing in getattr(module, "WRONG", ())]


def right() -> list[Right]:
    """All that is right."""
    return [thing for module in files() for thing in getattr(module, "RIGHT", ())]


def outcomes(case: Any) -> Iterator[int]:
    """The numbers of outcomes of the finite pairs and the distributions in a case."""
    if isinstance(case, FinitePair):
        yield len(case.masses)
    elif isinstance(case, (list, tuple)):
        for part in case:
            yield from outcomes(part)
    elif isinstance(case, dict):
        yield len(case)
    elif dataclasses.is_dataclass(case):
        for field in dataclasses.fields(case):
            yield from outcomes(getattr(case, field.name))


__all__ = ["Right", "Wrong", "files", "outcomes", "right", "wrong"]
