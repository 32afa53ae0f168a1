"""Hypothesis strategies: exact pairs, couples of them, mechanisms, channels, and queries to them.

Needs the extra ``testing``.  What is drawn is exact, and shrinks to few parts and small numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'lapdp.testing.strategies needs hypothesis: pip install "lapdp[testing]"',
        name="hypothesis",
    ) from missing

from lapdp.testing.strategies.datasets import chains, datasets, neighbours
from lapdp.testing.strategies.dominated import dominated_pairs, unordered_pairs
from lapdp.testing.strategies.finite import alphas, channels, finite_pairs
from lapdp.testing.strategies.kernels import maps, monotone_channels
from lapdp.testing.strategies.losses import laws
from lapdp.testing.strategies.mechanisms import families, mechanisms
from lapdp.testing.strategies.notions import loss_distributions, profiles, tradeoff_functions
from lapdp.testing.strategies.operations import (
    adaptive_pairs,
    mixtures,
    products,
    subsampled_pairs,
)
from lapdp.testing.strategies.points import copies, deltas, epsilons
from lapdp.testing.strategies.renyi_curves import RenyiCurve, renyi_curves
from lapdp.testing.strategies.renyi_ordered import renyi_ordered_pairs
from lapdp.testing.strategies.tables import neighbouring_mechanisms

if TYPE_CHECKING:
    from lapdp.testing.strategies.accountants import queries, releases

del _hypothesis

__all__ = ["RenyiCurve", "adaptive_pairs", "alphas", "chains", "channels", "copies", "datasets",
           "deltas", "dominated_pairs", "epsilons", "families", "finite_pairs", "laws",
           "loss_distributions", "maps", "mechanisms", "mixtures", "monotone_channels",
           "neighbouring_mechanisms", "neighbours", "products", "profiles", "queries", "releases",
           "renyi_curves", "renyi_ordered_pairs", "subsampled_pairs", "tradeoff_functions",
           "unordered_pairs"]


def __getattr__(name: str) -> Any:
    # they need the accountants, which take longer to load than all the rest
    if name in ("queries", "releases"):
        from lapdp.testing.strategies import accountants as home

        return getattr(home, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
