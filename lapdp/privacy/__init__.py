"""Pairs of distributions and the notions of privacy on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def catalogue() -> dict[str, Callable[..., Any]]:
    """The mechanisms that formulas may name, for :func:`lapdp.theory.parse.parse_mechanism`.

    >>> from lapdp.theory.parse import parse_mechanism
    >>> parse_mechanism("laplace(scale=0.5)**2*reverse(exponential(1, 2))", catalogue())
    laplace(1/2, 1)**2*reverse(exponential(1, 2))
    """
    from lapdp.privacy.finite import finite
    from lapdp.privacy.mechanisms import (
        exponential,
        gaussian,
        geometric,
        laplace,
        randomized_response,
        staircase,
        truncated_laplace,
    )
    from lapdp.privacy.operations import reverse

    makers: tuple[Callable[..., Any], ...] = (
        exponential, finite, gaussian, geometric, laplace, randomized_response, reverse, staircase,
        truncated_laplace)
    return {make.__name__: make for make in makers}
