"""Certified comparisons of mechanisms: dominance, Renyi dominance, calibration."""

from __future__ import annotations

from lapdp.accounting.calibration import Calibration, greatest, least
from lapdp.accounting.ordering.profiles import Crossing, Dominance, Failure, crossings, dominates
from lapdp.accounting.ordering.renyi import RenyiDominance, renyi_dominates

__all__ = ["Calibration", "Crossing", "Dominance", "Failure", "RenyiDominance", "crossings",
           "dominates", "greatest", "least", "renyi_dominates"]
