"""The bounds that strategies are given, refused where they have no meaning."""

from __future__ import annotations

from typing import Any

from hypothesis.errors import InvalidArgument


def positive(value: Any, name: str) -> None:
    """``InvalidArgument`` unless the value is an integer >= 1.

    >>> positive(0, "max_size")
    Traceback (most recent call last):
    hypothesis.errors.InvalidArgument: max_size=0 must be an integer >= 1
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidArgument(f"{name}={value!r} must be an integer >= 1")


def ordered(least: Any, most: Any, what: str) -> None:
    """``InvalidArgument`` unless 1 <= least <= most, named ``min_`` and ``max_`` of ``what``."""
    for name, value in ((f"min_{what}", least), (f"max_{what}", most)):
        positive(value, name)
    if least > most:
        raise InvalidArgument(f"min_{what}={least} is larger than max_{what}={most}")


def among(value: Any, words: tuple[Any, ...], name: str) -> None:
    """``InvalidArgument`` unless the value is one of the words; ``1`` is not ``True``."""
    if not any(value == word and type(value) is type(word) for word in words):
        raise InvalidArgument(f"{name}={value!r} must be one of {words}")


__all__ = ["among", "ordered", "positive"]
