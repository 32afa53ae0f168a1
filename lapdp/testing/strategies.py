"""Hypothesis strategies for exact pairs, finite ones and laws of the loss, channels and orders.

Needs the extra ``testing``.  Masses are integer weights normalised to Fractions and drawn outcome
by outcome, so that failures shrink to few outcomes and small weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

try:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "lapdp.testing.strategies needs hypothesis: pip install 'lapdp[testing]'",
        name="hypothesis",
    ) from missing

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.reading import Stretch, cut
from lapdp.calculus.transform import bilateral
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.mechanisms.law import Law

_CONTINUITY = (None, "forward", "backward", "both", "neither")


def _positive(value: Any, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidArgument(f"{name}={value!r} must be an integer >= 1")


def _sizes(min_size: Any, max_size: Any, what: str) -> None:
    for name, value in ((f"min_{what}", min_size), (f"max_{what}", max_size)):
        _positive(value, name)
    if min_size > max_size:
        raise InvalidArgument(f"min_{what}={min_size} is larger than max_{what}={max_size}")


def _normalised(weights: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(w, sum(weights)) for w in weights)


def _pair(rows: Sequence[tuple[int, int]]) -> FinitePair:
    P, Q = (_normalised(column) for column in zip(*rows, strict=True))
    return FinitePair(tuple(zip(P, Q, strict=True)))


def finite_pairs(
    *,
    min_size: int = 1,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    max_weight: int = 12,
) -> st.SearchStrategy[FinitePair]:
    """Pairs (P, Q) of distributions on ``min_size`` to ``max_size`` outcomes, masses exact.

    ``absolutely_continuous`` is ``None`` for every pair, ``"forward"`` for P << Q,
    ``"backward"`` for Q << P, ``"both"``, or ``"neither"`` for pairs where each has mass that
    the other has not.  Masses are integer weights up to ``max_weight``, normalised; no outcome is
    null under both.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes, weights or names without meaning.

    >>> from hypothesis import find
    >>> find(finite_pairs(absolutely_continuous="forward"), lambda pair: pair.P != pair.Q)
    finite([0, 1], ["1/2", "1/2"])
    """
    _sizes(min_size, max_size, "size")
    _positive(max_weight, "max_weight")
    if absolutely_continuous not in _CONTINUITY:
        raise InvalidArgument(
            f"absolutely_continuous={absolutely_continuous!r} must be one of {_CONTINUITY}"
        )
    if absolutely_continuous == "neither" and max_size < 2:
        raise InvalidArgument("absolutely_continuous='neither' needs max_size >= 2")
    least_p = 1 if absolutely_continuous in ("backward", "both") else 0
    least_q = 1 if absolutely_continuous in ("forward", "both") else 0
    row = st.tuples(st.integers(least_p, max_weight), st.integers(least_q, max_weight))
    rows = st.lists(row.filter(any), min_size=min_size, max_size=max_size)
    if absolutely_continuous == "neither":
        alone = st.integers(1, max_weight)
        others = st.lists(row.filter(any), min_size=max(0, min_size - 2), max_size=max_size - 2)
        rows = st.builds(lambda p, q, more: [(0, q), (p, 0), *more], alone, alone, others)
    return rows.filter(_all_have_mass).map(_pair)


def _all_have_mass(rows: Sequence[tuple[int, ...]]) -> bool:
    return all(sum(column) > 0 for column in zip(*rows, strict=True))


def channels(
    n_in: int, *, min_out: int = 1, max_out: int = 4, max_weight: int = 12
) -> st.SearchStrategy[tuple[tuple[Fraction, ...], ...]]:
    """Stochastic matrices with ``n_in`` rows, for ``FinitePair.post_process``; entries exact.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes or weights without meaning.

    >>> from hypothesis import find
    >>> find(channels(2, min_out=2), lambda channel: channel[0] != channel[1])
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    _sizes(n_in, n_in, "in")
    _sizes(min_out, max_out, "out")
    _positive(max_weight, "max_weight")
    column = st.tuples(*[st.integers(0, max_weight)] * n_in)
    columns = st.lists(column, min_size=min_out, max_size=max_out).filter(_all_have_mass)
    return columns.map(lambda drawn: tuple(map(_normalised, zip(*drawn, strict=True))))


def laws(*, max_size: int = 3, max_denominator: int = 3) -> st.SearchStrategy[Law]:
    """Pairs given by their privacy loss: mixtures of atoms and of pieces w (z - l)^n e^(a z).

    Pieces lie between rational ends that may coincide, or reach to oo or -oo where that has finite
    masses; mass at infinite losses occurs on either side, on both, and on none.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes without meaning.

    >>> from hypothesis import find
    >>> find(laws(), lambda pair: pair.loss.pieces and pair.is_absolutely_continuous)
    law(density=Piecewise((0, z < 0), (exp(-z), True)))
    """
    _positive(max_size, "max_size")
    _positive(max_denominator, "max_denominator")
    end = st.builds(Fraction, st.integers(-2, 2), st.integers(1, max_denominator))
    rate, power = st.sampled_from((0, 1, -1, Fraction(1, 2), 2)), st.integers(0, 1)
    atom = end.map(lambda at: Exact.impulse(Form.of(at)))
    inner = st.builds(_bump, end, st.builds(Fraction, st.integers(1, 3), st.just(2)), rate, power)
    right = st.builds(lambda at, a: Exact.step(at, 1, a), end, st.sampled_from((-1, -2)))
    left = st.builds(lambda at, a: Exact.term(1, a).before(Form.of(at), Cell()), end,
                     st.sampled_from((2, Fraction(3, 2))))
    parts = st.lists(st.tuples(st.one_of(right, atom, inner, left), st.integers(1, 4)),
                     min_size=1, max_size=max_size)
    return st.builds(_law, parts, st.booleans())


def _bump(low: Fraction, width: Fraction, rate: Any, power: int) -> Exact:
    terms = (Exact.term(1, rate, power) if not power else
             Exact.term(1, rate, 1) - Exact.term(low, rate)).germ
    return cut(terms, Stretch(Form.of(low), Form.of(low + width), ()), Cell())


def _law(parts: Sequence[tuple[Exact, int]], full: bool) -> Law:
    """Scaled down until both masses are at most 1; to 1 on the heavier side if ``full``."""
    cell, total = Cell(), Exact()
    for part, weight in parts:
        total = total + part.scale(Scalar.of(weight) / bilateral(part, ZERO, cell))
    p, q = (bilateral(total, Form.of(s), cell) for s in (0, 1))
    whole = p + q
    if full:
        whole = p if cell.sign_of(p - q) >= 0 else q
    finite = total.scale(1 / whole)
    return Law.of(finite, 1 - p / whole)


def alphas(*, max_value: int = 12) -> st.SearchStrategy[Fraction]:
    """Positive Fractions for e^eps; below and above 1 alike, so that every sign of eps occurs.

    >>> from hypothesis import find
    >>> find(alphas(), lambda alpha: alpha < 1)
    Fraction(1, 2)
    """
    _positive(max_value, "max_value")
    part = st.integers(1, max_value)
    return st.builds(Fraction, part, part)
