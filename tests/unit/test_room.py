"""Calls within each other do not ask the system for memory again and again."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from lapdp.core.room import with_room

CALLS = 1_000
COUNTED = f"""
import resource
from lapdp.core.room import with_room

def leaf(a, b, c, d, e, f):
    return a

def most(depth):
    "The most page faults of {CALLS} calls at one depth, up to this one."
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range({CALLS}):
        leaf(1, 2, 3, 4, 5, 6)
    here = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return max(here, most(depth - 1)) if depth else here

print(most(300), with_room(most)(300))
"""


def test_no_depth_of_calls_maps_memory_at_each_call() -> None:
    ran = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True,
                         check=True, timeout=60)
    without, with_it = map(int, ran.stdout.split())
    # a chunk of the interpreter ends at some depth, where each call maps memory
    assert without >= CALLS
    assert with_it < CALLS // 2


def test_it_answers_raises_and_looks_as_before() -> None:
    def ratio(a: int, b: int = 2, *, c: int = 3) -> float:
        """A ratio."""
        return a / b + c

    roomy = with_room(ratio)
    assert roomy(4) == 5 and roomy(4, b=4, c=0) == 1
    assert inspect.signature(roomy) == inspect.signature(ratio) and roomy.__doc__ == "A ratio."
    with pytest.raises(ZeroDivisionError):
        roomy(1, 0)
