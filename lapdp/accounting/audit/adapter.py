"""What an accountant looks like to the audit."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, Protocol, runtime_checkable

from lapdp.accounting.audit.claims import Claim
from lapdp.accounting.audit.queries import Query


class Refused(Exception):
    """Raise this in an adapter where the accountant says that it cannot answer."""


@runtime_checkable
class Method(Protocol):
    """One way to ask an accountant: a function with fixed settings, and what it claims."""

    name: str
    claim: Claim
    settings: Mapping[str, Any]

    def reaches(self, query: Query) -> bool:
        """Has the accountant a call for this query?"""

    def answer(self, query: Query) -> Any:
        """Its answer: a number, or for an interval the ends, an estimate perhaps between them.

        Whatever it raises is recorded.
        """

    def code(self, query: Query) -> str:
        """Python that makes the call, for people to run."""


@runtime_checkable
class Adapter(Protocol):
    """An accountant: its name, its distribution on the package index, its methods."""

    name: str
    distribution: str
    methods: Sequence[Method]


@dataclass(frozen=True)
class Package:
    """An accountant that is a Python package."""

    name: str
    distribution: str
    methods: tuple[Script, ...]

    @property
    def version(self) -> str | None:
        """The installed version, None if the package is missing."""
        return installed(self.distribution)


@dataclass(frozen=True)
class Script:
    """A method whose calls are short pieces of Python: what a row shows is what was run.

    ``write(query)`` gives lines that leave the answer in ``answer``, or None where the package has
    no such call.  ``imports`` are run before the clock starts.  A ``secondary`` method is asked the
    core of the grid only, and nothing in a quick audit.
    """

    name: str
    claim: Claim
    imports: str
    write: Callable[[Query], Sequence[str] | None]
    settings: Mapping[str, Any] = field(default_factory=dict)
    secondary: bool = False

    def reaches(self, query: Query) -> bool:
        """Has the package a call for this query?"""
        return self.write(query) is not None

    def code(self, query: Query) -> str:
        """The call, complete."""
        return "\n".join([*self.imports.splitlines(), *(self.write(query) or ())])

    def prepare(self) -> dict[str, Any]:
        """Run the imports; the names they bind."""
        names: dict[str, Any] = {}
        exec(compile(self.imports, "<audit>", "exec"), names)
        return names

    def answer(self, query: Query) -> Any:
        """Run the call."""
        names = self.prepare()
        exec(compile(ast.parse("\n".join(self.write(query) or ())), "<audit>", "exec"), names)
        return names["answer"]


def installed(distribution: str) -> str | None:
    """The installed version of a distribution.

    >>> installed("no-such-distribution") is None
    True
    """
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def numbers(answer: Any) -> tuple[float, ...]:
    """The doubles in an answer; raises TypeError for what is no real number.

    >>> numbers((0.1, 0.2)), numbers(1)
    ((0.1, 0.2), (1.0,))
    """
    parts: Iterable[Any] = answer if isinstance(answer, (tuple, list)) else (answer,)
    found = []
    for part in parts:
        value = float(part)
        # a wider type would be rounded, and the comparison would not be exact
        if not math.isnan(value) and value != part:
            raise TypeError(f"{part!r} is no double")
        found.append(value)
    return tuple(found)


__all__ = ["Adapter", "Method", "Package", "Refused", "Script", "installed", "numbers"]
