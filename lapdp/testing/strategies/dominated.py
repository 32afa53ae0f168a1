"""Couples of finite pairs: one dominates the other, or their profiles cross.

A pair dominates another when its profile lies nowhere below.  By Blackwell's theorem the finite
pairs that (P, Q) dominates are its post-processings, so channels reach all of them; the other ways
to draw a couple are channels, too, that a random matrix would rarely hit.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.finite import FinitePair
from lapdp.testing.strategies.bounds import among, ordered, positive
from lapdp.testing.strategies.differences import Couple, couple_of, published, through
from lapdp.testing.strategies.finite import channels, finite_pairs
from lapdp.testing.strategies.kernels import maps
from lapdp.testing.strategies.naming import called
from lapdp.testing.strategies.operations import mixtures
from lapdp.testing.strategies.weights import between

WAYS = ("channel", "map", "leak", "split", "product", "mixture")

_LEAST = {"leak": 2, "split": 2, "product": 4, "mixture": 4}
"""Outcomes of the larger pair; products and mixtures of less than two by two are trivial."""


def dominated_pairs(*, strict: bool = False, ways: tuple[str, ...] = WAYS, max_size: int = 4,
                    max_weight: int = 12) -> st.SearchStrategy[Couple]:
    """Couples ``(smaller, larger)`` of finite pairs: the second dominates the first.

    ``larger`` has at most ``max_size`` outcomes.  ``ways`` names how the couple is made:

    - ``"channel"``, ``"map"``: smaller = larger after a stochastic matrix, or a deterministic map;
    - ``"leak"``, ``"split"``: one outcome is told apart further, mass goes to infinite losses, or
      the outcome becomes two;
    - ``"product"``: a factor and the product;
    - ``"mixture"``: a mixture whose index is hidden, and the same one with its index published.

    With ``strict`` the two profiles differ somewhere (they always agree at eps = -oo).  Raises
    ``hypothesis.errors.InvalidArgument`` for sizes and ways without meaning.

    >>> from hypothesis import find
    >>> find(dominated_pairs(strict=True), lambda couple: True)
    (finite([1], [1]), finite([0, 1], [1, 0]))
    """
    given = locals()
    positive(max_size, "max_size")
    positive(max_weight, "max_weight")
    if not ways or any(way not in WAYS for way in ways):
        raise InvalidArgument(f"ways={ways!r} must name some of {', '.join(WAYS)}")
    if strict and max_size < 2:
        raise InvalidArgument("strict=True needs max_size >= 2")
    reached = [way for way in WAYS if way in ways and max_size >= _LEAST.get(way, 1)]
    if not reached:
        least = min(_LEAST[way] for way in ways)
        raise InvalidArgument(f"ways={ways!r} need max_size >= {least}")
    found = st.one_of([_made(way, max_size, max_weight) for way in reached])
    return called(dominated_pairs, given, found.filter(_differ) if strict else found)


def _differ(couple: Couple) -> bool:
    return couple[0].merge() != couple[1].merge()


def _made(way: str, max_size: int, max_weight: int) -> st.SearchStrategy[Couple]:
    larger = finite_pairs(max_size=max_size, max_weight=max_weight)
    if way == "channel":
        return larger.flatmap(lambda pair: channels(
            len(pair.masses), max_weight=max_weight).map(lambda c: (pair.post_process(c), pair)))
    if way == "map":
        return larger.flatmap(lambda pair: maps(len(pair.masses)).map(
            lambda c: (pair.post_process(c), pair)))
    if way in ("leak", "split"):
        small = finite_pairs(max_size=max_size - 1, max_weight=max_weight)
        part = st.integers(1, max_weight)
        share = st.builds(lambda a, b: Fraction(a, a + b), part, part) | st.just(Fraction(1))
        return st.builds(_split, small, st.integers(0, max_size - 2), share,
                         share if way == "split" else st.just(Fraction(0)), st.booleans())
    half = isqrt(max_size)
    if way == "product":
        factor = finite_pairs(max_size=half, max_weight=max_weight)
        more = finite_pairs(min_size=2, max_size=half, max_weight=max_weight)
        return st.builds(lambda pair, other: (pair, pair * other), factor, more)
    return mixtures(index="hidden", min_parts=half, max_parts=half, min_size=half, max_size=half,
                    max_weight=max_weight).map(lambda case: (case.mixed, published(case.parts)))


def _split(pair: FinitePair, place: int, more: Fraction, less: Fraction, turned: bool
           ) -> Couple:
    """The share ``more`` of one mass of an outcome, and ``less`` of the other one, become a new
    outcome."""
    place %= len(pair.masses)
    p, q = pair.masses[place]
    a, b = (less * p, more * q) if turned else (more * p, less * q)
    return pair, FinitePair((*pair.masses[:place], (p - a, q - b), *pair.masses[place + 1:],
                             (a, b)))


def unordered_pairs(*, absolutely_continuous: str | None = None, max_size: int = 4,
                    max_weight: int = 12) -> st.SearchStrategy[Couple]:
    """Couples of finite pairs whose profiles cross: neither dominates the other.

    ``absolutely_continuous`` is ``None``, or ``"both"`` for pairs without infinite losses.  Some
    couples are two independent pairs of at most ``max_size`` outcomes; others, of one outcome or
    two more, are made from the difference of their profiles, so that it may be small or change its
    sign often.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes and words without meaning.

    >>> from hypothesis import find
    >>> from lapdp import dominates
    >>> first, second = find(unordered_pairs(), lambda couple: True)
    >>> bool(dominates(first, second)), bool(dominates(second, first))
    (False, False)
    """
    given = locals()
    positive(max_weight, "max_weight")
    among(absolutely_continuous, (None, "both"), "absolutely_continuous")
    ordered(2, max_size, "size")
    pair = finite_pairs(min_size=2, max_size=max_size, max_weight=max_weight,
                        absolutely_continuous=absolutely_continuous)
    free = st.tuples(pair, pair)
    made = _by_difference(absolutely_continuous == "both", max_size)
    return called(unordered_pairs, given, (free | made).filter(cross))


@st.composite
def _by_difference(draw: st.DrawFn, same_infinite: bool, max_size: int) -> Couple:
    """The difference vanishes at both ends where the masses at infinite losses are the same."""
    up, down = draw(between(1, 3)), -draw(between(1, 3))
    inner = [up, down, *draw(st.lists(between(-3, 3), max_size=max(0, max_size - 3)))]
    ends = [0, 0] if same_infinite else [draw(between(-3, 3)), draw(between(-3, 3))]
    points, alpha = [], Fraction(1)
    for height in (ends[0], *inner, ends[1]):
        points.append((alpha, Fraction(height)))
        alpha *= 1 + Fraction(draw(between(1, 6)), draw(between(1, 3)))
    return couple_of(through(points))


def cross(couple: Couple) -> bool:
    """Is each of the two profiles somewhere above the other?"""
    first, second = couple
    return not first.profile_dominates(second) and not second.profile_dominates(first)


__all__ = ["WAYS", "cross", "dominated_pairs", "unordered_pairs"]
