"""Mechanisms, one file each: a dominating pair (P, Q) in one direction."""

from __future__ import annotations

from lapdp.privacy.mechanisms.base import Mechanism
from lapdp.privacy.mechanisms.densities import densities
from lapdp.privacy.mechanisms.exponential import exponential
from lapdp.privacy.mechanisms.gaussian import gaussian
from lapdp.privacy.mechanisms.geometric import geometric
from lapdp.privacy.mechanisms.laplace import laplace
from lapdp.privacy.mechanisms.outcomes import outcomes
from lapdp.privacy.mechanisms.randomized_response import randomized_response
from lapdp.privacy.mechanisms.staircase import staircase
from lapdp.privacy.mechanisms.truncated_laplace import truncated_laplace

__all__ = ["Mechanism", "densities", "exponential", "gaussian", "geometric", "laplace", "outcomes",
           "randomized_response", "staircase", "truncated_laplace"]
