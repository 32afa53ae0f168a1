"""Subsampling: the mechanism on a random part of the database."""

from __future__ import annotations

from typing import Any

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.overlapping import overlapping_mixtures
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter
from lapdp.privacy.symmetrized import symmetrized


@fitting
def poisson(pair: Any, rate: Any, direction: str = "") -> Pair:
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
    if isinstance(rate, Pair) and not isinstance(pair, Pair):
        raise InputError("the mechanism comes first: "
                         f'poisson({rate!r}, "{str(pair)[:40]}", direction="remove")')
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if not direction:
        raise InputError("direction= is missing: 'remove' or 'add', the way in which neighbours "
                         "differ")
    if direction not in ("remove", "add"):
        raise InputError(f"direction = {str(direction)[:40]} must be a word: 'remove' or 'add'")
    weight = exact_parameter("rate", rate)
    if weight.is_negative or (1 - weight).is_negative:
        raise InputError(f"rate = {weight} must be between 0 and 1")
    found = overlapping_mixtures(pair, weight, 0)
    return found if direction == "remove" else found.reverse()


@fitting
def subset(pair: Any, size: Any, population: Any, neighbours: str) -> Pair:
    """The pair after sampling without replacement: ``size`` of ``population`` records.

    ``pair`` dominates the mechanism on samples of ``size`` records, of which one may be *replaced*;
    since that relation is symmetric, (P, Q) and (Q, P) both do.  Every set of ``size`` records is
    drawn with the same probability, so a given one is drawn with rate = size/population.

    ``neighbours`` has no default:  ``"replace"``: two databases of ``population`` records, one of
    which is replaced.  ``"remove"``: from ``population`` records to one record less, ``"add"``:
    the way back; sampling takes ``size`` records from either.  The result dominates, Zhu, Dong,
    Wang 2022, Theorem 11 (2) and Proposition 30:

    - remove: (rate P + (1 - rate) Q, Q);  add: that pair reversed;
    - replace: the profile of the first at eps >= 0, mirrored below (``symmetrized``).

    Raises :class:`InputError` for sizes that do not fit, :class:`Undefined` where a pair for
    ``"replace"`` is too far from having the same profile in both directions.

    >>> from lapdp import finite
    >>> coin = finite(["2/3", "1/3"], ["1/3", "2/3"])
    >>> subset(coin, 1, 2, neighbours="remove")
    finite(["1/2", "1/2"], ["1/3", "2/3"])
    >>> subset(coin, 1, 2, neighbours="replace")
    finite(["1/2", "1/3", "1/6"], ["1/3", "1/2", "1/6"])
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    if neighbours not in ("replace", "remove", "add"):
        raise InputError(f"neighbours = {str(neighbours)[:40]} must be a word: 'replace', 'remove' "
                         "or 'add'")
    m, n = exact_parameter("size", size), exact_parameter("population", population)
    for name, x, least in (("size", m, 0), ("population", n, 1)):
        if not x.is_Integer or x < least:
            raise InputError(f"{name} = {x} must be a whole number, at least {least}; for a rate "
                             "with parameters write overlapping_mixtures(m, rate, 0)")
    least = n - m if neighbours == "replace" else n - 1 - m
    if least.is_negative:
        raise InputError(f"size = {m} is too large: {n} records, or one less, must hold the sample")
    removed = overlapping_mixtures(pair, m / n, 0)
    if neighbours == "replace":
        return symmetrized(removed)
    return removed if neighbours == "remove" else removed.reverse()


__all__ = ["poisson", "subset"]
