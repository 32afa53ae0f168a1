"""Certified comparisons of mechanisms: dominance, Renyi dominance, calibration."""

from __future__ import annotations

from lapdp.accounting.dominance import Crossing, Dominance, Failure, crossings, dominates

__all__ = ["Crossing", "Dominance", "Failure", "crossings", "dominates"]
