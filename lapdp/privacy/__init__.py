"""Pairs of distributions and the notions of privacy on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

OPERATIONS = {
    "adaptive": "lapdp.privacy.adaptive",
    "coarsen": "lapdp.privacy.channels",
    "mixture": "lapdp.privacy.adaptive",
    "overlapping_mixtures": "lapdp.privacy.overlapping",
    "poisson": "lapdp.privacy.subsampled",
    "reverse": "lapdp.privacy.operations",
    "subset": "lapdp.privacy.subsampled",
    "symmetrized": "lapdp.privacy.symmetrized",
}
"""Where what makes pairs of pairs lies; a formula imports what it names."""


class _Catalogue(Mapping[str, Callable[..., Any]]):
    """Makers by name, each imported when a formula names it."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        from lapdp.privacy.mechanisms import CARDS

        if name in OPERATIONS:
            made: Callable[..., Any] = getattr(import_module(OPERATIONS[name]), name)
            return made
        if CARDS[name].in_formulas:
            return CARDS[name].make
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        from lapdp.privacy.mechanisms import CARDS

        yield from (name for name, card in CARDS.items() if card.in_formulas)
        yield from OPERATIONS

    def __len__(self) -> int:
        return sum(1 for _ in self)


def catalogue() -> Mapping[str, Callable[..., Any]]:
    """The mechanisms and operations that formulas may name, for
    :func:`lapdp.theory.parse.parse_mechanism`.

    >>> from lapdp.theory.parse import parse_mechanism
    >>> parse_mechanism("laplace(scale=0.5)**2*reverse(exponential(1, 2))", catalogue())
    laplace(1/2, 1)**2*reverse(exponential(1, 2))
    """
    return _Catalogue()
