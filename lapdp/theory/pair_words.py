"""What a pair is made of, in words: the factors of a product, the releases of a composition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from lapdp.privacy.families import (
    Averaged,
    Composed,
    Joint,
    OnUnitInterval,
    Processed,
    symbols_in,
)
from lapdp.privacy.nodes import PairOf

Part = Any
"""Words are a text, the names of a pair a tuple of texts, and all else is a formula."""
Names = Mapping[Any, tuple[str, ...]]


def made_of(pair: PairOf, names: Names) -> list[Part]:
    """What stands behind the name of a pair; nothing where it is arbitrary.

    ``names`` are those that pairs have in place of their own.

    >>> from lapdp import gaussian
    >>> from lapdp.privacy.families import composition
    >>> from lapdp.privacy.nodes import pair, product_pair
    >>> made_of(product_pair(pair("P1", "Q1"), pair("P2", "Q2"))[0].pair, {})
    [' of pairs ', ('P1', 'Q1'), ', ', ('P2', 'Q2')]
    >>> made_of(composition("A", "B", each=pair("P", "Q"))(3)[0].pair, {})
    [' of ', 3, ' copies of ', ('P', 'Q')]
    >>> made_of(composition("A", "B", lambda i: gaussian(2))(3)[0].pair, {})
    [' of ', 3, ' releases', ' of gaussian(2, 1)']
    """
    role = pair.role
    if pair.mechanism is not None:
        return [f" of {pair.mechanism}"]
    if isinstance(role, Composed):
        return _releases(role, names)
    if isinstance(role, OnUnitInterval):
        return [", the first of the distribution function ", role.cdf, " of ", role.x,
                " in [0, 1), the second uniform"]
    if isinstance(role, Averaged):
        return [" of families ", _called(role.family, names)]
    if isinstance(role, Processed):
        return [f", the outputs of a channel {role.channel.name} for inputs of ",
                _called(role.first, names), *_apart(role.first, names)]
    if isinstance(role, Joint):
        return [" of ", _called(role.first, names), *_apart(role.first, names), " and ",
                _called(role.second, names)]
    if not pair.factors:
        return []
    made: list[Part] = [" of pairs "]
    for number, factor in enumerate(pair.factors):
        made += [", "] * (number > 0) + [_called(factor, names), *_apart(factor, names)]
    return made


def _called(pair: PairOf, names: Names) -> tuple[str, ...]:
    return tuple(names.get(pair, pair.names))


def _apart(pair: PairOf, names: Names) -> list[Part]:
    """What a part is made of; products of products are listed for themselves."""
    return [] if pair.factors else made_of(pair, names)


def _releases(role: Composed, names: Names) -> list[Part]:
    """Of how many releases of what a composition is."""
    made = role.composition
    if made.each is not None:
        each = made.each[0].pair
        return [" of ", role.index, " copies of ", _called(each, names), *_apart(each, names)]
    releases: list[Part] = [" of ", role.index, " releases"]
    if made.mechanism is None:
        apart = made.independent
        return [*releases, ", each of any pair" if apart else ", each given the outcomes before it"]
    number = sp.Symbol("i", integer=True, positive=True)
    released = made.mechanism(number)
    which = ", release i" if number in symbols_in(released) else ""
    return [*releases, f"{which} of {released}"]


__all__ = ["Names", "Part", "made_of"]
