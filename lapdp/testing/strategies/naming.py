"""Strategies made of others print as the call that made them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar

from hypothesis import strategies as st

from lapdp.testing.strategies.weights import shown_as

Drawn = TypeVar("Drawn")


def called(function: Callable[..., Any], given: dict[str, Any], strategy: st.SearchStrategy[Drawn]
           ) -> st.SearchStrategy[Drawn]:
    """The strategy, printed as ``function`` with the ``given`` arguments that are no defaults.

    >>> def numbers(*, most=3, even=False):
    ...     return called(numbers, locals(), st.integers(0, most))
    >>> numbers(), numbers(even=True)
    (numbers(), numbers(even=True))
    """
    shown = {name: given[name] for name, parameter in signature(function).parameters.items()
             if parameter.kind is parameter.KEYWORD_ONLY and given[name] != parameter.default}
    plain = [given[name] for name, parameter in signature(function).parameters.items()
             if parameter.kind is not parameter.KEYWORD_ONLY]

    @st.composite
    @shown_as(function.__name__)
    def named(draw: st.DrawFn, *_: Any, **__: Any) -> Drawn:
        return draw(strategy)

    return named(*plain, **shown)


__all__ = ["called"]
