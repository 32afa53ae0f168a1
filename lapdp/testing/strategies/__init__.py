"""Hypothesis strategies: exact pairs, mechanisms of the catalogue, channels, and queries to them.

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
from lapdp.testing.strategies.finite import alphas, channels, finite_pairs
from lapdp.testing.strategies.losses import laws
from lapdp.testing.strategies.mechanisms import families, mechanisms
from lapdp.testing.strategies.notions import loss_distributions, profiles, tradeoff_functions
from lapdp.testing.strategies.points import copies, deltas, epsilons
from lapdp.testing.strategies.renyi_curves import RenyiCurve, renyi_curves

if TYPE_CHECKING:
    from lapdp.testing.strategies.accountants import queries, releases

del _hypothesis

__all__ = ["RenyiCurve", "alphas", "chains", "channels", "copies", "datasets", "deltas", "epsilons",
           "families", "finite_pairs", "laws", "loss_distributions", "mechanisms", "neighbours",
           "profiles", "queries", "releases", "renyi_curves", "tradeoff_functions"]


def __getattr__(name: str) -> Any:
    # they need the accountants, which take longer to load than all the rest
    if name in ("queries", "releases"):
        from lapdp.testing.strategies import accountants as home

        return getattr(home, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
