"""Hypothesis strategies: exact pairs, mechanisms of the catalogue, channels, and queries to them.

Needs the extra ``testing``.  What is drawn is exact, and shrinks to few parts and small numbers.
"""

from __future__ import annotations

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
from lapdp.testing.strategies.queries import copies, deltas, epsilons
from lapdp.testing.strategies.releases import queries, releases
from lapdp.testing.strategies.renyi_curves import RenyiCurve, renyi_curves

del _hypothesis

__all__ = ["RenyiCurve", "alphas", "chains", "channels", "copies", "datasets", "deltas", "epsilons",
           "families", "finite_pairs", "laws", "loss_distributions", "mechanisms", "neighbours",
           "profiles", "queries", "releases", "renyi_curves", "tradeoff_functions"]
