"""Exit codes: what a script can tell from a run without reading it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

GOOD, BAD, BAD_INPUT, OPEN, INTERRUPTED = 0, 1, 2, 3, 130


def exit_code(results: Sequence[dict[str, Any]]) -> int:
    """The exit code of a verification.

    >>> exit_code([{"verdict": "refuted", "expected": "refuted"}])
    0
    >>> exit_code([{"verdict": "undecided"}, {"verdict": "proved", "expected": "refuted"}])
    1
    """
    from lapdp.report.text import is_bad, is_open

    if any(map(is_bad, results)):
        return BAD
    return OPEN if any(map(is_open, results)) else GOOD
