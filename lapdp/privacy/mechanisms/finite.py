"""Any pair on finitely many outcomes, by its masses: see :mod:`lapdp.privacy.finite`."""

from __future__ import annotations

from lapdp.privacy.finite import finite
from lapdp.privacy.mechanism import Card

CARD = Card(
    make=finite,
    says="two lists of masses on the same outcomes; each sums to 1",
    source="Dwork and Roth 2014, on mechanisms with finitely many outputs",
    direction="P and Q as they are given",
    dominating="itself, and every post-processing of it; for a mechanism, take neighbours whose "
               "pair dominates the others",
    pitfall="Nothing: it passes on what `lapdp.privacy.finite` makes.",
    examples=((["1/3", "2/3"], ["2/3", "1/3"]), (["1/2", "1/2", 0], ["1/4", "1/4", "1/2"]),
              (["1/2", "1/2", 0], [0, "1/2", "1/2"]), ([1, 0], [0, 1]), ([1], [1])),
)

__all__ = ["CARD", "finite"]
