"""Bounds on work that hold on every machine: calls of functions are counted, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class TooMuch(BaseException):
    """Passes every ``except Exception`` on its way out."""


@contextmanager
def calls_at_most(limit: int) -> Iterator[list[int]]:
    """What runs inside is ended, and the test fails, after so many calls of functions.

    It holds the number of calls afterwards, in a list of one entry.
    """
    count, before = [0], sys.getprofile()

    def counting(_: FrameType, event: str, __: Any) -> None:
        if event in ("call", "c_call"):
            count[0] += 1
            if count[0] > limit:
                raise TooMuch

    sys.setprofile(counting)
    try:
        yield count
    except TooMuch:
        raise AssertionError(f"more than {limit} calls of functions") from None
    finally:
        sys.setprofile(before)
