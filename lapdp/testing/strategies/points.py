"""What mechanisms are asked: points eps, levels delta, numbers of copies; exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.testing.strategies.bounds import ordered


def magnitudes(least: int, most: int) -> st.SearchStrategy[Fraction]:
    """Decimals of three digits from 10^least to nearly 10^(most + 1), even on a logarithmic scale.

    They shrink to 1, or to the power of 10 that is nearest to it.

    >>> from hypothesis import find
    >>> find(magnitudes(-3, 2), lambda x: x < 1)
    Fraction(1, 10)
    """
    return st.builds(lambda part, power: Fraction(100 + part, 100) * Fraction(10) ** power,
                     st.integers(0, 899), st.integers(least, most))


def epsilons(*, doubles: bool = False, max_exponent: int = 2, negative: bool = True
             ) -> st.SearchStrategy[Any]:
    """Points eps of a profile: 0, numbers of both signs from 1e-6 to 10^(max_exponent + 1).

    They are Fractions, decimals and thirds of them, or with ``doubles`` Python floats for queries
    by arrays.  Raises ``hypothesis.errors.InvalidArgument`` for an exponent below -5 or above 300.

    >>> from hypothesis import find
    >>> find(epsilons(), lambda eps: eps < 0), type(find(epsilons(doubles=True), lambda _: True))
    (Fraction(-1, 1), <class 'float'>)
    """
    _exponent(max_exponent, "max_exponent", -5, 300)
    size = magnitudes(-6, max_exponent)
    part = size | st.builds(lambda x, n: x / n, size, st.sampled_from((3, 7)))
    if doubles:
        part = size.map(float) | st.floats(1e-6, 10.0 ** max_exponent)
    signed = st.builds(lambda x, minus: -x if minus else x, part,
                       st.booleans() if negative else st.just(False))
    return st.just(0.0 if doubles else Fraction(0)) | signed


def deltas(*, min_exponent: int = -300, doubles: bool = False) -> st.SearchStrategy[Any]:
    """Levels delta in [0, 1]: both ends, and decimals down to 10^min_exponent, log-uniformly.

    Raises ``hypothesis.errors.InvalidArgument`` for an exponent above -1, or for doubles below
    -300.

    >>> from hypothesis import find
    >>> find(deltas(), lambda delta: 0 < delta < Fraction(1, 1000))
    Fraction(1, 10000)
    """
    _exponent(min_exponent, "min_exponent", -300 if doubles else -10**6, -1)
    found = st.sampled_from((Fraction(1), Fraction(0))) | magnitudes(min_exponent, -1)
    return found.map(float) if doubles else found


def copies(*, max_copies: int = 1000, min_copies: int = 1) -> st.SearchStrategy[int]:
    """Numbers of copies, log-uniformly.

    Raises ``hypothesis.errors.InvalidArgument`` for bounds that are no integers >= 1 in order.

    >>> from hypothesis import find
    >>> find(copies(max_copies=10**9), lambda k: k > 1000)
    1024
    """
    ordered(min_copies, max_copies, "copies")
    low, high = min_copies.bit_length() - 1, max_copies.bit_length() - 1

    def between(power: int, more: int) -> int:
        return min(max(min_copies, (1 << power) + more % (1 << power)), max_copies)

    return st.builds(between, st.integers(low, high), st.integers(0, (1 << high) - 1))


def _exponent(value: Any, name: str, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidArgument(f"{name}={value!r} must be an integer between {least} and {most}")


__all__ = ["copies", "deltas", "epsilons", "magnitudes"]
