"""Finite pairs with exact masses, channels, and values of e^eps.

Masses are integer weights normalised to Fractions and drawn outcome by outcome, so that failures
shrink to few outcomes and small weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn

from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair, exact
from lapdp.testing.strategies.bounds import among, ordered, positive
from lapdp.testing.strategies.lattices import draw_lattice
from lapdp.testing.strategies.naming import called
from lapdp.testing.strategies.weights import (
    Row,
    between,
    draw_rows,
    mirrored,
    normalised,
    now_and_then,
    shown_as,
    with_mass,
)

_ZEROS = {None: (True, True), "forward": (True, False), "backward": (False, True),
          "both": (False, False), "neither": (True, True)}
"""May P, may Q be 0 where the other is not?"""


def finite_pairs(
    *,
    min_size: int = 1,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    symmetric: bool | None = None,
    lattice: Any = None,
    max_weight: int = 12,
) -> st.SearchStrategy[FinitePair]:
    """Pairs (P, Q) of distributions on ``min_size`` to ``max_size`` outcomes, masses exact.

    ``absolutely_continuous`` is ``None`` for every pair, ``"forward"`` for P << Q,
    ``"backward"`` for Q << P, ``"both"``, or ``"neither"`` for pairs where each has mass that
    the other has not: atoms at both infinities.  ``symmetric=True`` draws pairs whose loss is that
    of the reversed pair, ``False`` the others.  Masses are integer weights up to ``max_weight``,
    normalised; no outcome is null under both.

    With ``lattice=b``, an exact number above 1, every finite loss is a multiple of log b; so are
    the masses w b^n, made to sum to 1 by what lies at infinite losses or by one more outcome.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes, weights or names without meaning, and
    where no pair is as asked.

    >>> from hypothesis import find
    >>> find(finite_pairs(absolutely_continuous="forward"), lambda pair: pair.P != pair.Q)
    finite([0, 1], ["1/2", "1/2"])
    >>> find(finite_pairs(lattice=3, absolutely_continuous="both"), lambda pair: pair.P != pair.Q)
    finite(["3/4", "1/4"], ["1/4", "3/4"])
    """
    ordered(min_size, max_size, "size")
    positive(max_weight, "max_weight")
    among(absolutely_continuous, tuple(_ZEROS), "absolutely_continuous")
    if absolutely_continuous == "neither" and max_size < 2:
        raise InvalidArgument("absolutely_continuous='neither' needs max_size >= 2")
    among(symmetric, (None, True, False), "symmetric")
    if symmetric is False:
        neither = absolutely_continuous == "neither"
        if max_size < 2 + neither:
            raise InvalidArgument(f"symmetric=False needs max_size >= {2 + neither}")
        if lattice is None and max_weight < 2 and absolutely_continuous in ("both", "neither"):
            raise InvalidArgument("symmetric=False needs max_weight >= 2")
    found = _finite_pairs(
        min_size=min_size, max_size=max_size, absolutely_continuous=absolutely_continuous,
        symmetric=symmetric, lattice=None if lattice is None else _base(lattice),
        max_weight=max_weight)
    return found if symmetric is not False else found.filter(_is_asymmetric)


@st.composite
@shown_as("finite_pairs")
def _finite_pairs(draw: DrawFn, *, min_size: int = 1, max_size: int = 4,
                  absolutely_continuous: str | None = None, symmetric: bool | None = None,
                  lattice: Fraction | None = None, max_weight: int = 12) -> FinitePair:
    if lattice is not None:
        return FinitePair(draw_lattice(draw, lattice, min_size, max_size, absolutely_continuous,
                                       bool(symmetric), max_weight))
    if symmetric and absolutely_continuous in ("forward", "backward"):
        absolutely_continuous = "both"
    elif symmetric is None and max_size > 1 and absolutely_continuous in (None, "both") and (
            now_and_then(draw)):
        # most mechanisms are symmetric; of few outcomes, for no failure shrinks out of this branch
        symmetric, max_size = True, max(min_size, min(max_size, 3))
    zero_p, zero_q = _ZEROS[absolutely_continuous]
    rows: list[Row] = []
    if absolutely_continuous == "neither":
        alone = between(1, max_weight)
        rows = [(0, draw(alone))] if symmetric else [(0, draw(alone)), (draw(alone), 0)]
    held = len(rows)
    rows += draw_rows(draw, max(0, min_size - held), max_size - held, zero_p, zero_q, max_weight)
    return FinitePair(normalised(mirrored(rows, max_size) if symmetric else with_mass(rows)))


def _base(value: Any) -> Fraction:
    try:
        base = exact(value, "lattice")
    except InputError as problem:
        raise InvalidArgument(str(problem)) from None
    if base <= 1:
        raise InvalidArgument(f"lattice={value!r} must be above 1: losses are multiples of its log")
    return base


def _is_asymmetric(pair: FinitePair) -> bool:
    return pair.merge() != pair.reverse().merge()


def channels(
    n_in: int, *, min_out: int = 1, max_out: int = 4, max_weight: int = 12
) -> st.SearchStrategy[tuple[tuple[Fraction, ...], ...]]:
    """Stochastic matrices with ``n_in`` rows, for ``FinitePair.post_process``; entries exact.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes or weights without meaning.

    >>> from hypothesis import find
    >>> find(channels(2, min_out=2), lambda channel: channel[0] != channel[1])
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    given = locals()
    ordered(n_in, n_in, "in")
    ordered(min_out, max_out, "out")
    positive(max_weight, "max_weight")
    column = st.tuples(*[st.integers(0, max_weight)] * n_in)
    columns = st.lists(column, min_size=min_out, max_size=max_out).filter(_all_have_mass)
    return called(channels, given, columns.map(_stochastic))


def _all_have_mass(columns: Sequence[tuple[int, ...]]) -> bool:
    return all(sum(row) > 0 for row in zip(*columns, strict=True))


def _stochastic(columns: Sequence[tuple[int, ...]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(w, sum(row)) for w in row) for row in zip(*columns, strict=True))


def alphas(*, max_value: int = 12) -> st.SearchStrategy[Fraction]:
    """Positive Fractions for e^eps; below and above 1 alike, so that every sign of eps occurs.

    >>> from hypothesis import find
    >>> find(alphas(), lambda alpha: alpha < 1)
    Fraction(1, 2)
    """
    given = locals()
    positive(max_value, "max_value")
    part = st.integers(1, max_value)
    return called(alphas, given, st.builds(Fraction, part, part))


__all__ = ["alphas", "channels", "finite_pairs"]
