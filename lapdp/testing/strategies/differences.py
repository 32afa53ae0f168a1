"""Couples of finite pairs with a given difference of profiles.

Over alpha = e^eps the profile of a finite pair is convex and piecewise linear, and at each
likelihood ratio its slope grows by the Q-mass there.  So a signed measure of Q-mass on the ratios
is the difference of two pairs, once its positive part is given to one of them and its negative part
to the other; what is then missing of either sum is mass at infinite losses.  Making both sums 1
scales the profiles and the ratios, which changes no sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair

Couple = tuple[FinitePair, FinitePair]
Row = tuple[Fraction, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def couple_of(difference: Mapping[Fraction, Fraction]) -> Couple:
    """(first, second) where the second has more Q-mass at likelihood ratio s b by t difference[b].

    The factors s, t > 0 make all sums 1.

    >>> couple_of({Fraction(1, 3): Fraction(-3), Fraction(1): Fraction(4), Fraction(3): -ONE})
    (finite(["1/4", "3/4"], ["3/4", "1/4"]), finite([1], [1]))
    """
    rows: tuple[list[Row], list[Row]] = ([], [])
    for ratio, mass in sorted(difference.items()):
        if mass:
            rows[mass > 0].append((ratio * abs(mass), abs(mass)))
    more_p, more_q = sum(b * c for b, c in difference.items()), sum(difference.values())
    if more_p:
        rows[more_p < 0].append((abs(more_p), ZERO))
    if more_q:
        rows[more_q < 0].append((ZERO, abs(more_q)))
    p, q = (sum((row[side] for row in rows[0]), ZERO) for side in (0, 1))
    first, second = (FinitePair(tuple((a / p, b / q) for a, b in part)) for part in rows)
    return first, second


def through(points: Sequence[tuple[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """The difference of two profiles that is piecewise linear through (0, 0) and these (alpha, h).

    After the last point it is constant.

    >>> through([(Fraction(1), Fraction(1)), (Fraction(2), Fraction(0))])
    {Fraction(1, 1): Fraction(-2, 1), Fraction(2, 1): Fraction(1, 1)}
    """
    slopes = [(h - g) / (b - a) for (a, g), (b, h) in pairwise([(ZERO, ZERO), *points])]
    return {alpha: after - before for (alpha, _), before, after in zip(
        points, slopes, [*slopes[1:], ZERO], strict=True)}


def published(parts: Sequence[tuple[int | Fraction, FinitePair]]) -> FinitePair:
    """The mixture with these weights that tells which pair was drawn."""
    total = sum(weight for weight, _ in parts)
    return FinitePair(tuple((p * weight / total, q * weight / total)
                            for weight, pair in parts for p, q in pair.masses))


def diluted(couples: st.SearchStrategy[Couple], common: st.SearchStrategy[FinitePair],
            max_weight: int) -> st.SearchStrategy[Couple]:
    """Couples as they are, or both mixed with one more pair: the differences are scaled."""
    weight = st.integers(1, max_weight)

    def mixed(couple: Couple, more: tuple[FinitePair, int, int] | None) -> Couple:
        if more is None:
            return couple
        pair, one, other = more
        first, second = (published([(one, of), (other, pair)]) for of in couple)
        return first, second

    return st.builds(mixed, couples, st.none() | st.tuples(common, weight, weight))


__all__ = ["Couple", "couple_of", "diluted", "published", "through"]
