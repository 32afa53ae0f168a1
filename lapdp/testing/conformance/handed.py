"""What a user hands over, looked at once: functions of so many arguments, strategies of pairs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.privacy.pair import Pair


def misfit(function: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """Why a function cannot be called so; empty where it can, or where it does not tell.

    >>> misfit(lambda pair, eps: 0, 1)
    "missing a required argument: 'eps'"
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*arguments, **named)
    except TypeError as problem:
        return str(problem)
    return ""


def pairs_from(over: Any) -> st.SearchStrategy[Any]:
    """A strategy that gives pairs without symbols; :class:`InputError` for another."""
    if not isinstance(over, st.SearchStrategy):
        raise InputError(f"over={str(over)[:40]} is no strategy: write finite_pairs()")
    return over.map(_a_pair)


def _a_pair(drawn: Any) -> Pair:
    if not isinstance(drawn, Pair):
        raise InputError(f"over= has drawn {str(drawn)[:40]}, which is no pair: write "
                         "finite_pairs(), or a strategy of mechanisms such as laplace(1)")
    if drawn.free_symbols:
        raise InputError(f"over= has drawn {drawn!r}, which has symbols: draw numbers for them")
    return drawn


def copied(data: Any) -> Any:
    """A dataset that a function may change: what can be changed is copied."""
    try:
        hash(data)
    except TypeError:
        return deepcopy(data)
    return data


__all__ = ["copied", "misfit", "pairs_from"]
