"""Channels of special kinds: deterministic maps, and kernels that keep the order of outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from lapdp.testing.strategies.bounds import positive

Channel = tuple[tuple[Fraction, ...], ...]


def maps(n_in: int, *, max_out: int = 4) -> st.SearchStrategy[Channel]:
    """Deterministic channels: each of ``n_in`` outcomes goes to one of at most ``max_out``.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes that are no integers >= 1.

    >>> from hypothesis import find
    >>> find(maps(2), lambda channel: channel[0] != channel[1])
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    positive(n_in, "n_in")
    positive(max_out, "max_out")
    return st.tuples(*[st.integers(0, max_out - 1)] * n_in).map(lambda to: _mixed([(1, to)]))


def monotone_channels(n_in: int, *, max_out: int = 4, max_parts: int = 3, max_weight: int = 12
                      ) -> st.SearchStrategy[Channel]:
    """Channels whose rows increase in stochastic order: Pr[j or more | i] grows with i.

    If P lies below Q in stochastic order, so do the outputs.  Coupled by its quantiles, every such
    channel is a mixture of increasing maps, and so they are drawn: ``max_parts`` at most.

    Raises ``hypothesis.errors.InvalidArgument`` for bounds that are no integers >= 1.

    >>> from hypothesis import find
    >>> find(monotone_channels(2), lambda channel: 0 < channel[1][0] < 1)
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)))
    """
    for name, bound in (("n_in", n_in), ("max_out", max_out), ("max_parts", max_parts),
                        ("max_weight", max_weight)):
        positive(bound, name)
    increasing = st.tuples(*[st.integers(0, max_out - 1)] * n_in).map(sorted)
    return st.lists(st.tuples(st.integers(1, max_weight), increasing),
                    min_size=1, max_size=max_parts).map(_mixed)


def _mixed(parts: Sequence[tuple[int, Sequence[int]]]) -> Channel:
    """The mixture of maps with these weights."""
    total = sum(weight for weight, _ in parts)
    outputs = 1 + max(max(to) for _, to in parts)
    return tuple(
        tuple(Fraction(sum(weight for weight, to in parts if to[i] == j), total)
              for j in range(outputs))
        for i in range(len(parts[0][1])))


__all__ = ["maps", "monotone_channels"]
