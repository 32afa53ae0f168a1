"""What ``st.from_type`` draws for a class of lapdp; see :mod:`lapdp.testing.registration`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from lapdp.privacy.notions.characteristic import Characteristic
from lapdp.privacy.notions.moment import Moment, RenyiDivergence
from lapdp.privacy.pair import Pair
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.losses import laws
from lapdp.testing.strategies.mechanisms import mechanisms
from lapdp.testing.strategies.notions import loss_distributions, profiles, tradeoff_functions
from lapdp.testing.strategies.renyi_curves import renyi_curves
from lapdp.testing.strategies.tables import neighbouring_mechanisms


def _pairs() -> st.SearchStrategy[Pair]:
    return finite_pairs() | mechanisms()


def _moments() -> st.SearchStrategy[Moment]:
    return finite_pairs().map(Moment)


def _divergences() -> st.SearchStrategy[RenyiDivergence]:
    return finite_pairs().map(RenyiDivergence)


def _characteristics() -> st.SearchStrategy[Characteristic]:
    return finite_pairs().map(Characteristic)


STRATEGIES: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
    "Characteristic": _characteristics,
    "FinitePair": finite_pairs,
    "Law": laws,
    "LossDistribution": loss_distributions,
    "MechanismTable": neighbouring_mechanisms,
    "Moment": _moments,
    "Pair": _pairs,
    "PrivacyProfile": profiles,
    "RenyiCurve": renyi_curves,
    "RenyiDivergence": _divergences,
    "TradeOff": tradeoff_functions,
}

__all__ = ["STRATEGIES"]
