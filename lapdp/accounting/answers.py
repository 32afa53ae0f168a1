"""Answers with a proof of their digits: what ``m.delta`` and ``m.epsilon`` return."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lapdp.balls.decimals import Enclosure


@dataclass(frozen=True)
class Answer:
    """A number between ``value - radius`` and ``value + radius``, or infinity."""

    enclosure: Enclosure | None
    """None for infinity."""

    method: str
    seconds: float
    assumes: str = ""
    """What the radius rests on beside ball arithmetic; empty for a proof."""

    @property
    def certified(self) -> bool:
        """Is the radius a proof, without assumptions on floating-point libraries?"""
        return not self.assumes

    @property
    def is_infinite(self) -> bool:
        """Is the answer +oo?"""
        return self.enclosure is None

    def __float__(self) -> float:
        return math.inf if self.enclosure is None else float(self.enclosure)

    def __str__(self) -> str:
        return "oo" if self.enclosure is None else str(self.enclosure)

    def record(self) -> dict[str, Any]:
        """Plain data, numbers as decimal strings."""
        shown = {"value": "oo", "radius": "0"} if self.enclosure is None else (
            self.enclosure.to_json())
        return {**shown, "certified": self.certified, "method": self.method,
                "seconds": round(self.seconds, 6)} | (
                    {"assumes": self.assumes} if self.assumes else {})


__all__ = ["Answer"]
