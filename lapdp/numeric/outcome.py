"""What one instance says of a claim."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Whether a claim holds, with both values as text and the digits that agree.

    ``holds`` is None where the instance says nothing; ``sampled`` where it holds as far as the
    values of a quantifier were asked.
    """

    holds: bool | None
    lhs: str = ""
    rhs: str = ""
    digits: int = 99
    why: str = ""
    sampled: bool = False
