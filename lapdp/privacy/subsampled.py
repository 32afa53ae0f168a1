"""Subsampling: the mechanism on a random part of the database."""

from __future__ import annotations

from typing import Any

from lapdp.core.errors import InputError
from lapdp.privacy.overlapping import overlapping_mixtures
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter


def poisson(pair: Any, rate: Any, direction: str) -> Pair:
    """The pair after Poisson subsampling with add/remove neighbours, Chourasia et al., (66).

    ``pair`` is (P, Q): the mechanism on a sample that holds the record, and on one that does not.
    Each record is kept with probability ``rate``, in [0, 1].  ``direction`` has no default:
    ``"remove"`` gives (rate P + (1 - rate) Q, Q), ``"add"`` gives (Q, rate P + (1 - rate) Q).

    Raises :class:`InputError` for a float or a rate out of range, and for another direction.

    >>> from lapdp import finite
    >>> poisson(finite(["3/4", "1/4"], ["1/4", "3/4"]), "1/2", direction="remove")
    finite(["1/2", "1/2"], ["1/4", "3/4"])
    >>> from lapdp import laplace
    >>> poisson(laplace(1), "0.1", direction="remove").profile(0)
    (-1 + exp(1/2))*exp(-1/2)/10
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if direction not in ("remove", "add"):
        raise InputError(f"direction = {str(direction)[:40]} must be a word: 'remove' or 'add'")
    weight = exact_parameter("rate", rate)
    if weight.is_negative or (1 - weight).is_negative:
        raise InputError(f"rate = {weight} must be between 0 and 1")
    found = overlapping_mixtures(pair, weight, 0)
    return found if direction == "remove" else found.reverse()


__all__ = ["poisson"]
