"""The five notions of a pair, as objects: ``m.profile``, ``m.loss``, ``m.moment``, ``m.tradeoff``,
``m.characteristic``, and the Renyi divergence ``m.renyi``."""

from __future__ import annotations

from lapdp.privacy.notions.characteristic import Characteristic
from lapdp.privacy.notions.conversion import Conversion
from lapdp.privacy.notions.loss import LossAtom, LossDistribution
from lapdp.privacy.notions.moment import Moment, RenyiDivergence
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.notions.tradeoff import TradeOff

__all__ = ["Characteristic", "Conversion", "LossAtom", "LossDistribution", "Moment",
           "PrivacyProfile", "RenyiDivergence", "TradeOff"]
