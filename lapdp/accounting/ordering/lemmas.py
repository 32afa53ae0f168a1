"""Dominance that follows from what the pairs are, before any profile is looked at.

Each lemma is a case of one fact: post-processing and the composition of dominated pairs keep the
order of profiles (Chourasia et al. 2024, (42) and Theorem 4.2; Dong, Roth, Su 2022 for shifts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

import sympy as sp

from lapdp.balls import sign
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.linear import Constraint
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.zeros import ball_of, rational
from lapdp.core.errors import Unsupported
from lapdp.privacy.comparison import profile_pieces
from lapdp.privacy.letters import Letters
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.mechanisms.geometric import Geometric
from lapdp.privacy.mechanisms.laplace import Laplace
from lapdp.privacy.mechanisms.randomized_response import RandomizedResponse
from lapdp.privacy.operations import Reversed, factors
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair
from lapdp.privacy.symmetrized import Symmetrized

Strengths = Callable[[Any], tuple[Any, ...]]
FAMILIES: dict[type, tuple[Strengths, str]] = {
    # noise of a larger scale is noise of the smaller one plus independent noise; for a shorter
    # distance: the trade-off function of a shift of a log-concave density falls with the shift
    Gaussian: (lambda m: (m.kappa,), "kappa"),
    Laplace: (lambda m: (m.shift,), "sensitivity/scale"),
    Geometric: (lambda m: (m.eps, sp.Integer(m.sensitivity)), "eps and sensitivity"),
    # a flip more, or a leak less, is post-processing
    RandomizedResponse: (lambda m: (m.eps, m.leak), "eps and delta"),
}
"""Families whose profile grows with each of these numbers."""
SHIFTS: dict[type, Callable[[Any], tuple[Any, Any]]] = {
    Gaussian: lambda m: (m.sensitivity, m.sigma), Laplace: lambda m: (m.sensitivity, m.scale)}
"""Positive distances and scales, with a strength that grows with the first over the second."""


def reason(larger: Pair, smaller: Pair) -> str | None:
    """Why ``larger`` dominates, in words, if a lemma says so; None says nothing.

    >>> from lapdp import gaussian, laplace
    >>> reason(laplace(1) * gaussian(2), gaussian(2))
    'a product dominates its factors'
    """
    if larger == smaller:
        return "the pairs are equal"
    if _is_disjoint(larger):
        return "disjoint supports tell everything"
    if isinstance(larger, Reversed) and isinstance(smaller, Reversed):
        # delta_{Q|P}(t) = 1 - e^t + e^t delta_{P|Q}(-t)
        return reason(larger.pair, smaller.pair)
    if isinstance(larger, Symmetrized) and isinstance(smaller, Symmetrized):
        # either half of the profile is one of these, or its reversal
        return reason(larger.pair, smaller.pair)
    known = _family(larger, smaller) or _mixtures(larger, smaller)
    if known:
        return known
    more, less = (_counted(pair) for pair in (larger, smaller))
    if more is None or less is None:
        return None
    common = more & less
    more, less = more - common, less - common
    if not less:
        return "a product dominates its factors"
    if not common and sum(more.values()) == sum(less.values()) == 1:
        return None
    return _matched(more, less)


def _is_disjoint(pair: Pair) -> bool:
    try:
        return not pair.free_symbols and bool(pair.mass_at_infinity == 1)
    except Unsupported:
        return False


def beyond(larger: Pair, smaller: Pair) -> Fraction | None:
    """A point where the profile of ``larger`` is 0 and that of ``smaller`` is not, if that is seen.

    The losses of the first are bounded, those of a pair with a Gaussian factor are not.

    >>> from lapdp import gaussian, laplace
    >>> beyond(laplace(2), gaussian(1) * laplace(1))
    Fraction(1, 1)
    """
    if not any(isinstance(factor, Gaussian) for factor, _ in factors(smaller)):
        return None
    try:
        upper, last = profile_pieces(Letters().pair(larger).model(), Cell())[-2:]
    except (Unsupported, ValueError):
        return None
    if last[1] or upper[0] is None:
        return None
    return Fraction(ceil(rational(ball_of(upper[0]), 1) + Fraction(1, 8)))


def _counted(pair: Pair) -> Counter[Pair] | None:
    found: Counter[Pair] = Counter()
    for factor, count in factors(pair):
        if not isinstance(count, int):
            return None
        found[factor] += count
    return found


def _matched(more: Counter[Pair], less: Counter[Pair]) -> str | None:
    """Each factor left on the right finds one on the left that dominates it, and none twice."""
    words = set()
    for small in less:
        for big in more:
            found = reason(big, small) if less[small] and more[big] else None
            if found:
                used = min(less[small], more[big])
                more[big] -= used
                less[small] -= used
                words.add(found)
        if less[small]:
            return None
    return f"factor by factor: {'; '.join(sorted(words))}"


def _family(larger: Pair, smaller: Pair) -> str | None:
    if type(larger) is not type(smaller) or type(larger) not in FAMILIES:
        return None
    strengths, names = FAMILIES[type(larger)]
    if type(larger) in SHIFTS:
        (far, narrow), (near, broad) = (SHIFTS[type(larger)](pair) for pair in (larger, smaller))
        # letters often decide without the calculus
        if (far - near).is_nonnegative and (broad - narrow).is_nonnegative:
            return f"the profile of the family grows with {names}"
    cell = _cell(larger, smaller)
    if all(_at_least(a, b, cell) for a, b in zip(strengths(larger), strengths(smaller),
                                                strict=True)):
        return f"the profile of the family grows with {names}"
    return None


def _mixtures(larger: Pair, smaller: Pair) -> str | None:
    """Mixtures of P and Q whose weights lie between those of two others are no better told apart.

    (a A + (1 - a) B, b A + (1 - b) B) with a >= b is the mixture of (A, B), (A, A) and (B, B) with
    weights a - b, b and 1 - a; the profile is convex in the pair, and least for equal members.
    """
    if not isinstance(smaller, OverlappingMixtures):
        return None
    base, first, second = larger, sp.Integer(1), sp.Integer(0)
    if isinstance(larger, OverlappingMixtures):
        base, first, second = larger.pair, larger.first, larger.second
    cell = _cell(larger, smaller)
    if not (_at_least(first, smaller.first, cell) and _at_least(smaller.second, second, cell)):
        return None
    inner = reason(base, smaller.pair)
    return f"mixtures with weights in between; {inner}" if inner else None


def _cell(*pairs: Pair) -> Cell:
    """What the parameters satisfy; ranges that the calculus has no words for are left out."""
    found: list[Constraint] = []
    for pair in pairs:
        try:
            found += pair.constraints()
        except Unsupported:
            continue
    return Cell(found)


def _at_least(a: Any, b: Any, cell: Cell) -> bool:
    """Is a >= b proved for all parameters of the cell?"""
    gap = sp.expand(a - b)
    try:
        if not gap.free_symbols:
            return sign(gap) == 1 or to_scalar(gap).is_zero()
        x = to_scalar(gap)
        form = x.as_form()
        return cell.entails(form, ">=") if form is not None else cell.sign_of(x) >= 0
    except (Unsupported, NeedSplit):
        return False


__all__ = ["FAMILIES", "beyond", "reason"]
