"""Pairs given by the law of their privacy loss."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.reading import Stretch, cut
from lapdp.calculus.transform import bilateral
from lapdp.privacy.mechanisms.law import Law
from lapdp.testing.strategies.bounds import positive


def laws(*, max_size: int = 3, max_denominator: int = 3) -> st.SearchStrategy[Law]:
    """Pairs given by their privacy loss: mixtures of atoms and of pieces w (z - l)^n e^(a z).

    Pieces lie between rational ends that may coincide, or reach to oo or -oo where that has finite
    masses; mass at infinite losses occurs on either side, on both, and on none.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes without meaning.

    >>> from hypothesis import find
    >>> find(laws(), lambda pair: pair.loss.pieces and pair.is_absolutely_continuous)
    law(density=Piecewise((0, z < 0), (exp(-z), True)))
    """
    positive(max_size, "max_size")
    positive(max_denominator, "max_denominator")
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


__all__ = ["laws"]
