"""Statements, their language, and the engine that judges them.

``from lapdp.theory import *`` gives a proof file all the words it needs.  They are imported when
one of them is asked for: a module in here that needs no SymPy does not wait for it.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lapdp.theory.words import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # a module of this room is no word: whoever imports it needs no other
    module = os.path.isfile(os.path.join(os.path.dirname(__file__), f"{name}.py"))
    if module or (name.startswith("__") and name != "__all__"):
        raise AttributeError(f"module 'lapdp.theory' has no attribute {name!r}")
    return getattr(import_module("lapdp.theory.words"), name)


def __dir__() -> list[str]:
    return sorted(import_module("lapdp.theory.words").__all__)
