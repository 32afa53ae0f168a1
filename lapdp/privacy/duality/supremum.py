"""Pairs whose profile is the largest of several: the worst case over neighbours.

The pointwise maximum of profiles is a profile (convex in e^eps, with the right limits), so a pair
has it (Zhu, Dong, Wang 2021, Lemma 9).  Its trade-off function is the largest convex function
below all of theirs: duality turns a maximum of profiles into a biconjugate of a minimum.  For pairs
of atoms it is a pair of atoms; else only the profile has a closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.atoms import exact_points, pair_of_masses
from lapdp.privacy.duality.lines import largest
from lapdp.privacy.duality.vertices import masses_of_tradeoff, to_profile, to_tradeoff
from lapdp.privacy.model import Model
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.pair import Pair

MOST_ATOMS = 2_000
"""Atoms of a pair whose profiles are compared vertex by vertex."""


@dataclass(frozen=True, repr=False)
class Supremum(Pair):
    """A pair with the largest of several profiles; made by :func:`supremum`."""

    pairs: tuple[Pair, ...]

    def model(self) -> Model:
        """None is known: the losses at which the profiles cross have no closed form."""
        raise Unsupported(f"the loss distribution of {self!r} has no closed form: use its profile, "
                          "or tradeoff.at(level)")

    def profile_value(self, t: Any) -> Any:
        """The largest of the profiles; at a point the one that is seen to be, if balls see it."""
        values = [pair.profile_value(t) for pair in self.pairs]
        if any(value.free_symbols for value in values):
            return sp.Max(*values, evaluate=False)
        try:
            return reduce(lambda x, y: x if sign_of(x - y) >= 0 else y, values)
        except Unsupported:
            return sp.Max(*values, evaluate=False)

    def profile_ball(self, t: Any) -> Any:
        """The larger of the balls, an ``arb``: it contains the largest profile."""
        return reduce(lambda x, y: x.max(y), (pair.profile_ball(t) for pair in self.pairs))

    def reverse(self) -> Pair:
        """That of the reversed pairs: reversal (7) is increasing in the profile."""
        turned = tuple(pair.reverse() for pair in self.pairs)
        return self if set(turned) == set(self.pairs) else Supremum(turned)

    def same_loss(self, other: Pair) -> bool:
        """As for every pair; true where each pair of one has the same loss as one of the other."""
        theirs = other.pairs if isinstance(other, Supremum) else (other,)
        if all(any(_alike(a, b) for b in theirs) for a in self.pairs) and all(
                any(_alike(a, b) for a in self.pairs) for b in theirs):
            return True
        raise Unsupported(f"whether {self!r} and {other!r} have the same loss is not decided")

    def infinite_masses(self, cell: Cell) -> tuple[Scalar, Scalar]:
        """The largest of the limits at oo, and of those of the reversed profiles."""
        found = [pair.infinite_masses(cell) for pair in self.pairs]

        def top(values: list[Scalar]) -> Scalar:
            return reduce(lambda x, y: x if cell.sign_of(x - y) >= 0 else y, values)

        return top([p for p, _ in found]), top([q for _, q in found])

    def constraints(self) -> list[Constraint]:
        """Those of all pairs."""
        return [c for pair in self.pairs for c in pair.constraints()]

    @property
    def free_symbols(self) -> set[Any]:
        """Those of all pairs."""
        return {s for pair in self.pairs for s in pair.free_symbols}

    def substitute(self, values: dict[Any, Any]) -> Pair | None:
        """The pair at given parameter values, None where they are out of range."""
        found = [pair.substitute(values) for pair in self.pairs]
        return None if None in found else supremum(*found)

    def numeric_pair(self, values: dict[Any, Any]) -> tuple[Any, ...]:
        """None is known."""
        raise Unsupported(f"the numeric column has no members of {self!r}")

    def __repr__(self) -> str:
        return f"supremum({', '.join(map(repr, self.pairs))})"


@fitting
def supremum(*pairs: Pair) -> Pair:
    """A pair whose profile is, at every eps, the largest of those of the given pairs.

    For pairs of atoms it is one, with exact masses; for others it answers ``profile`` in closed
    form and the trade-off function at a level by ``tradeoff.at``.  Raises :class:`InputError`
    without pairs.

    >>> from lapdp import finite
    >>> supremum(finite(["1/2", "1/2"], ["1/4", "3/4"]), finite(["3/4", "1/4"], ["1/2", "1/2"]))
    finite(["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"])
    """
    if not pairs or not all(isinstance(pair, Pair) for pair in pairs):
        raise InputError("supremum takes one or more pairs, such as laplace(1)")
    flat = [part for pair in pairs
            for part in (pair.pairs if isinstance(pair, Supremum) else (pair,))]
    kept = tuple(dict.fromkeys(flat))
    if len(kept) == 1:
        return kept[0]
    try:
        return _of_atoms(kept)
    except Unsupported:
        return Supremum(kept)


@fitting
def worst_case(pair: Pair) -> Pair:
    """A pair whose profile is the larger of those of both directions of ``pair``.

    Take it last, of the whole product: the larger profile of a product is at most the profile of
    the product of larger ones (Zhu, Dong, Wang 2021, after Theorem 11).  Raises
    :class:`InputError` for what is no pair, :class:`Unsupported` where profiles cannot be compared.

    >>> from lapdp import exponential, finite, laplace
    >>> coin = finite(["3/4", "1/4"], ["1/2", "1/2"])
    >>> worst_case(coin * coin).profile(0), worst_case(laplace(1))
    (5/16, laplace(1, 1))
    >>> worst_case(exponential(1, 2)).profile(1)
    exp(-1)/4
    """
    if not isinstance(pair, Pair):
        raise InputError(f"{str(pair)[:40]} is no pair: write a mechanism such as laplace(1)")
    return pair if pair.tradeoff.is_symmetric else supremum(pair, pair.reverse())


def _alike(first: Pair, second: Pair) -> bool:
    """Is it seen that two pairs have the same loss?"""
    try:
        return first == second or first.same_loss(second)
    except Unsupported:
        return False


def _of_atoms(pairs: tuple[Pair, ...]) -> Pair:
    curves = [pair.tradeoff.vertices for pair in pairs]
    if sum(map(len, curves)) > MOST_ATOMS:
        raise Unsupported(f"more than {MOST_ATOMS} vertices")
    points, sign = exact_points("vertices", [p for curve in curves for p in curve])
    profiles, start = [], 0
    for curve in curves:
        profiles.append(to_profile(points[start:start + len(curve)], sign))
        start += len(curve)
    top = reduce(lambda first, second: largest(first, second, sign), profiles)
    try:
        return pair_of_masses(masses_of_tradeoff(to_tradeoff(top, sign), sign))
    except InputError as problem:
        raise Unsupported(str(problem)) from None


__all__ = ["Supremum", "supremum", "worst_case"]
