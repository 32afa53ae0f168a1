"""Verdicts, named facts, errors: what it takes to say ``proved`` or ``derived``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lapdp.core.errors import IllFormed, InputError, LapdpError, Undefined, Unsupported

if TYPE_CHECKING:
    from lapdp.core.facts import Fact
    from lapdp.core.verdict import (
        Certificate,
        Judgement,
        Kind,
        Leaf,
        Numeric,
        Proof,
        Rejected,
        Split,
        Witness,
        seal,
        worst,
    )

__all__ = [
    "Certificate", "Fact", "IllFormed", "InputError", "Judgement", "Kind", "LapdpError", "Leaf",
    "Numeric", "Proof", "Rejected", "Split", "Undefined", "Unsupported", "Witness", "seal", "worst",
]


def __getattr__(name: str) -> Any:
    # every command knows the errors; only what judges knows verdicts
    if name in __all__:
        home = "lapdp.core.facts" if name == "Fact" else "lapdp.core.verdict"
        return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
