"""Channels of special kinds: deterministic maps, and kernels that keep the order of outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from lapdp.testing.strategies.bounds import positive
from lapdp.testing.strategies.naming import called
from lapdp.testing.strategies.weights import between

Channel = tuple[tuple[Fraction, ...], ...]


def maps(n_in: int, *, max_out: int = 4) -> st.SearchStrategy[Channel]:
    """Deterministic channels: each of ``n_in`` outcomes goes to one of at most ``max_out``.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes that are no integers >= 1.

    >>> from hypothesis import find
    >>> find(maps(2), lambda channel: channel[0] != channel[1])
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    given = locals()
    positive(n_in, "n_in")
    positive(max_out, "max_out")
    return called(maps, given, _mixtures(n_in, max_out, 1, 1, False))


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
    given = locals()
    for name, bound in (("n_in", n_in), ("max_out", max_out), ("max_parts", max_parts),
                        ("max_weight", max_weight)):
        positive(bound, name)
    return called(monotone_channels, given,
                  _mixtures(n_in, max_out, max_parts, max_weight, True))


@st.composite
def _mixtures(draw: st.DrawFn, n_in: int, max_out: int, max_parts: int, max_weight: int,
              increasing: bool) -> Channel:
    """The channels themselves are printed, not how they are mixed."""
    to = st.tuples(*[between(0, max_out - 1)] * n_in)
    drawn = draw(st.lists(st.tuples(between(1, max_weight), to), min_size=1, max_size=max_parts))
    return _mixed([(weight, sorted(to) if increasing else to) for weight, to in drawn])


def _mixed(parts: Sequence[tuple[int, Sequence[int]]]) -> Channel:
    """The mixture of maps with these weights."""
    total = sum(weight for weight, _ in parts)
    outputs = 1 + max(max(to) for _, to in parts)
    return tuple(
        tuple(Fraction(sum(weight for weight, to in parts if to[i] == j), total)
              for j in range(outputs))
        for i in range(len(parts[0][1])))


__all__ = ["maps", "monotone_channels"]
