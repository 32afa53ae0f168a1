"""lapdp: statements of differential privacy, proved for every pair or refuted by a witness.

Public names are imported when first used, so that ``import lapdp`` costs next to nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Characteristic": "lapdp.privacy.notions",
    "FourierAccountant": "lapdp.accounting.fourier",
    "LossDistribution": "lapdp.privacy.notions",
    "Moment": "lapdp.privacy.notions",
    "PrivacyProfile": "lapdp.privacy.notions",
    "TradeOff": "lapdp.privacy.notions",
    "adaptive": "lapdp.privacy.adaptive",
    "coarsen": "lapdp.privacy.channels",
    "composed_bound": "lapdp.privacy.composed_bounds",
    "concentrated_to_delta": "lapdp.accounting.conversions",
    "concentrated_to_epsilon": "lapdp.accounting.conversions",
    "crossings": "lapdp.accounting",
    "decompose": "lapdp.privacy.decomposition",
    "dominates": "lapdp.accounting",
    "dominating_atoms": "lapdp.privacy.duality.atoms_above",
    "dominating_pair": "lapdp.privacy.duality.unit_interval",
    "greatest": "lapdp.accounting",
    "implied_profile": "lapdp.privacy.duality.implied",
    "least": "lapdp.accounting",
    "markov_adp": "lapdp.accounting.conversions",
    "mechanism_table": "lapdp.privacy.mechanism_table",
    "mixture": "lapdp.privacy.adaptive",
    "most_copies": "lapdp.accounting",
    "overlapping_mixtures": "lapdp.privacy.overlapping",
    "point_guarantees": "lapdp.privacy.point_guarantees",
    "poisson": "lapdp.privacy.subsampled",
    "renyi_dominates": "lapdp.accounting",
    "renyi_to_delta": "lapdp.accounting.conversions",
    "renyi_to_epsilon": "lapdp.accounting.conversions",
    "reverse": "lapdp.privacy.operations",
    "show": "lapdp.report.cards",
    "subset": "lapdp.privacy.subsampled",
    "supremum": "lapdp.privacy.duality.supremum",
    "sweep": "lapdp.accounting.sweeps",
    "symmetrized": "lapdp.privacy.symmetrized",
    "training": "lapdp.accounting.training",
    "verify": "lapdp.theory.engine",
    "worst_case": "lapdp.privacy.duality.supremum",
    "worst_profile": "lapdp.privacy.duality.guarantees",
}


def _mechanisms() -> set[str]:
    """The files of the catalogue; each bears the name of the function that makes its pair."""
    files = os.listdir(f"{__path__[0]}/privacy/mechanisms")
    return {name.removesuffix(".py") for name in files
            if name.endswith(".py") and not name.startswith("_")}


__all__ = sorted({*_HOMES, *_mechanisms()})  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in __all__:
        return import_module("lapdp.privacy.mechanisms").CARDS[name].make
    from difflib import get_close_matches

    near = get_close_matches(name, __all__, n=1)
    raise AttributeError(f"module 'lapdp' has no attribute {name!r}"
                         + (f": did you mean {near[0]}?" if near else ""))


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
