"""What a user hands over, looked at once: functions of so many arguments, strategies of pairs."""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
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


_RUNS = 16
"""Calls after which a sampler with randomness of its own shows it."""


def strange_randomness(call: Callable[[Any], Any]) -> str:
    """Where a sampler draws from, if the same generator gives it other outcomes; else empty.

    >>> strange_randomness(lambda rng: rng.random())
    ''
    >>> strange_randomness(lambda rng: random.random())
    "Python's global generator, random.random() and the like"
    """
    numpy = sys.modules.get("numpy")
    states: list[tuple[str, Callable[[], Any]]] = [
        ("Python's global generator, random.random() and the like", random.getstate)]
    if numpy is not None:
        states.append(("NumPy's global generator, numpy.random.normal() and the like",
                       lambda: repr(numpy.random.get_state(legacy=False))))
    before = [state() for _, state in states]
    first, second = ([repr(call(source)) for _ in range(_RUNS)]
                     for source in (random.Random("twice"), random.Random("twice")))
    if first == second:
        return ""
    moved = [name for (name, state), old in zip(states, before, strict=True) if state() != old]
    return moved[0] if moved else "a generator of its own, or keeps something between calls"


COUPLES = 4
"""Couples that are drawn where each costs many samples."""
_TRIES = 40


def drawn_couples(strategy: st.SearchStrategy[Any], seed: int) -> list[Any]:
    """A few different couples of different datasets, the same ones for a seed, the simplest first.

    Raises :class:`InputError` for a strategy of other things, or of equal datasets alone.

    >>> from lapdp.testing.strategies import neighbours
    >>> drawn_couples(neighbours([0, 1], max_size=1), 0)
    [((0,), (1,)), ((1,), (0,))]
    """
    found: dict[str, Any] = {}

    @seeded(seed)
    @settings(max_examples=_TRIES, database=None, deadline=None, phases=(Phase.generate,),
              suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet)
    @given(strategy)
    def collect(couple: Any) -> None:
        if not isinstance(couple, (tuple, list)) or len(couple) != 2:
            raise InputError(f"neighbours= has drawn {str(couple)[:40]}, which is no couple of "
                             "datasets: write neighbours([0, 1])")
        if repr(couple[0]) != repr(couple[1]):
            found.setdefault(repr(couple), couple)

    collect()
    if not found:
        raise InputError("neighbours= has drawn couples of equal datasets only, whose outcomes "
                         "refute nothing")
    return list(found.values())[:COUPLES]


__all__ = ["copied", "drawn_couples", "misfit", "pairs_from", "strange_randomness"]
