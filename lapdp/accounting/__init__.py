"""Certified numbers, and what they decide: dominance, calibration, budgets, audits."""

from __future__ import annotations

from lapdp.accounting.budgets import Copies, most_copies
from lapdp.accounting.calibration import Calibration, greatest, least
from lapdp.accounting.ordering.profiles import Crossing, Dominance, Failure, crossings, dominates
from lapdp.accounting.ordering.renyi import RenyiDominance, renyi_dominates

__all__ = ["Calibration", "Copies", "Crossing", "Dominance", "Failure", "RenyiDominance",
           "crossings", "dominates", "greatest", "least", "most_copies", "renyi_dominates"]
