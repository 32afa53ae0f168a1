"""Certified comparisons of mechanisms: dominance, Renyi dominance, calibration."""

from __future__ import annotations

from lapdp.accounting.calibration import Calibration, greatest, least
from lapdp.accounting.dominance import Crossing, Dominance, Failure, crossings, dominates

__all__ = ["Calibration", "Crossing", "Dominance", "Failure", "crossings", "dominates", "greatest",
           "least"]
