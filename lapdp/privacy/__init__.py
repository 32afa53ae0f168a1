"""Pairs of distributions and the notions of privacy on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def catalogue() -> dict[str, Callable[..., Any]]:
    """The mechanisms and operations that formulas may name, for
    :func:`lapdp.theory.parse.parse_mechanism`.

    >>> from lapdp.theory.parse import parse_mechanism
    >>> parse_mechanism("laplace(scale=0.5)**2*reverse(exponential(1, 2))", catalogue())
    laplace(1/2, 1)**2*reverse(exponential(1, 2))
    """
    from lapdp.privacy.adaptive import adaptive, mixture
    from lapdp.privacy.channels import coarsen
    from lapdp.privacy.mechanisms import CARDS
    from lapdp.privacy.operations import reverse
    from lapdp.privacy.overlapping import overlapping_mixtures
    from lapdp.privacy.subsampled import poisson, subset
    from lapdp.privacy.symmetrized import symmetrized

    makers = {name: card.make for name, card in CARDS.items() if card.in_formulas}
    operations: tuple[Callable[..., Any], ...] = (
        adaptive, coarsen, mixture, overlapping_mixtures, poisson, reverse, subset,
        symmetrized)
    return {**makers, **{make.__name__: make for make in operations}}
