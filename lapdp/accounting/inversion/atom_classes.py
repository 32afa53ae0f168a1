"""Products whose losses are all atoms."""

from __future__ import annotations

from functools import lru_cache

from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum


@lru_cache(maxsize=64)
def reaches(factors: Factors) -> bool:
    """Are all losses atoms, not all of them on one lattice, and those on none told one by one?"""
    groups, others = lattice.grouped(factors)
    return (len(groups) > 1 or bool(others)) and all(isinstance(s, MixedThetaSpectrum) or (
        isinstance(s, ExactSpectrum) and s.is_atomic) for s, _ in others)


__all__ = ["reaches"]
