"""Certified numbers, and what they decide: dominance, calibration, budgets, audits."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lapdp.accounting.budgets import Copies, most_copies
    from lapdp.accounting.calibration import Calibration, greatest, least
    from lapdp.accounting.ordering.profiles import (
        Crossing,
        Dominance,
        Failure,
        crossings,
        dominates,
    )
    from lapdp.accounting.ordering.renyi import RenyiDominance, renyi_dominates

_HOMES = {
    "budgets": ("Copies", "most_copies"),
    "calibration": ("Calibration", "greatest", "least"),
    "ordering.profiles": ("Crossing", "Dominance", "Failure", "crossings", "dominates"),
    "ordering.renyi": ("RenyiDominance", "renyi_dominates"),
}

__all__ = ["Calibration", "Copies", "Crossing", "Dominance", "Failure", "RenyiDominance",
           "crossings", "dominates", "greatest", "least", "most_copies", "renyi_dominates"]


def __getattr__(name: str) -> Any:
    # a number is answered without what compares and calibrates
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
