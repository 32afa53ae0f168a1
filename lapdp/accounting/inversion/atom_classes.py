"""Products whose losses are all atoms."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum


def is_atomic(spectrum: Any) -> bool:
    """Are all losses of a kind that is known to be of atoms alone?"""
    return isinstance(spectrum, MixedThetaSpectrum | ThetaSpectrum) or (
        isinstance(spectrum, ExactSpectrum) and spectrum.is_atomic)


def are_apart(factors: Factors) -> bool:
    """Are all losses atoms, those of one kind on no lattice?  No line sees the moments decay."""
    return all(is_atomic(s) for s, _ in factors.parts) and any(
        getattr(s, "lattice", None) is None for s, _ in factors.parts)


@lru_cache(maxsize=64)
def reaches(factors: Factors) -> bool:
    """Are all losses atoms, not all of them on one lattice, and those on none told one by one?"""
    groups, others = lattice.grouped(factors)
    return (len(groups) > 1 or bool(others)) and all(
        is_atomic(s) and not isinstance(s, ThetaSpectrum) for s, _ in others)


__all__ = ["are_apart", "is_atomic", "reaches"]
