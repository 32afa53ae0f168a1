"""Adaptive composition through dominance, checked on a tree of finite pairs.

Zhu, Dong, Wang 2022, Theorem 10; Chourasia et al. 2024, (60): if a pair dominates the first release
and one pair dominates the second after every outcome, the product dominates the joint pair.  Only
outcomes that both neighbours have count: after another one the loss is infinite already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.adaptive import adaptive
from lapdp.privacy.finite import FinitePair, finite
from lapdp.privacy.pair import Pair

MAX_RELEASES = 100_000
MAX_LEVELS = 200


@dataclass(frozen=True)
class ComposedBound:
    """A product that dominates a joint pair, or the release that its bound does not dominate.

    It is truthy where the product dominates.
    """

    product: Pair
    """The product of the bounds."""
    joint: FinitePair
    """The pair of all releases together."""
    checked: int
    """Releases compared with their bound."""
    failure: tuple[int, ...] | None = None
    """The outcomes that lead to the release that is not dominated; None where all are."""
    eps_odds: Any = None
    """e^eps at which that release has the larger profile."""

    def __bool__(self) -> bool:
        return self.failure is None

    @property
    def reason(self) -> str:
        """Why the product dominates, or which release forbids it, in one line."""
        if self.failure is None:
            return (f"each of {self.checked} releases lies below the bound of its level, so that "
                    "the product dominates (Zhu, Dong, Wang 2022, Theorem 10)")
        where = f"after the outcomes {list(self.failure)}" if self.failure else "the first one"
        return (f"release {len(self.failure) + 1}, {where}, is not dominated by its bound: its "
                f"profile is larger at e^eps = {self.eps_odds}")


@fitting
def composed_bound(tree: Any, bounds: Sequence[Any]) -> ComposedBound:
    """Does the product of ``bounds`` dominate the releases of ``tree``, by their levels?

    ``tree`` is a finite pair, the last release, or ``(pair, [tree, ...])`` with what follows each
    outcome; all branches are as long as ``bounds``, a list of finite pairs.  Every release after
    outcomes that both neighbours have is compared with the bound of its level, exactly.  Raises
    :class:`InputError` for a tree of another shape.

    >>> strong, weak = finite(["2/3", "1/3"], ["1/3", "2/3"]), finite([1], [1])
    >>> found = composed_bound((strong, [strong, weak]), [strong, strong])
    >>> bool(found), found.product.hockey_stick(1), found.joint.hockey_stick(1)
    (True, Fraction(1, 3), Fraction(1, 3))
    >>> print(composed_bound((weak, [strong]), [weak, weak]).reason)
    release 2, after the outcomes [0], is not dominated by its bound: its profile is larger at \
e^eps = 1
    """
    if not isinstance(bounds, Sequence) or not bounds:
        raise InputError("give one bound for each release, in a list")
    limits = [_finite(bound, "a bound") for bound in bounds]
    if len(limits) > MAX_LEVELS:
        raise InputError(f"{len(limits)} levels of releases; at most {MAX_LEVELS}")
    count = _Count()
    failure = _failure(tree, limits, (), count)
    product = limits[0]
    joint = _joint(tree)
    for bound in limits[1:]:
        product = _finite(product * bound, "the product")
    if failure is None:
        return ComposedBound(product, joint, count.releases)
    return ComposedBound(product, joint, count.releases, *failure)


@dataclass
class _Count:
    releases: int = 0


def _failure(tree: Any, bounds: list[FinitePair], path: tuple[int, ...], count: _Count
             ) -> tuple[tuple[int, ...], Any] | None:
    pair, branches = _node(tree)
    if bool(branches) != (len(bounds) > 1):
        raise InputError(f"the branch after the outcomes {list(path)} is not as long as the list "
                         "of bounds")
    count.releases += 1
    if count.releases > MAX_RELEASES:
        raise InputError(f"the tree has more than {MAX_RELEASES} releases")
    if not bounds[0].profile_dominates(pair):
        return path, _witness(bounds[0], pair)
    for i, branch in enumerate(branches):
        if all(pair.masses[i]):
            found = _failure(branch, bounds[1:], (*path, i), count)
            if found is not None:
                return found
    return None


def _witness(bound: FinitePair, pair: FinitePair) -> Any:
    """An e^eps at which the bound lies below: a breakpoint, or one place beyond all of them."""
    cuts = sorted({*bound.breakpoints(), *pair.breakpoints()})
    return next(a for a in (*cuts, cuts[-1] + 1 if cuts else 1)
                if bound.hockey_stick(a) < pair.hockey_stick(a))


def _node(tree: Any) -> tuple[FinitePair, tuple[Any, ...]]:
    if isinstance(tree, Pair):
        return _finite(tree, "a release"), ()
    if isinstance(tree, str) or not isinstance(tree, Sequence) or len(tree) != 2:
        raise InputError(f"{str(tree)[:40]} must be a finite pair or (pair, [what follows each "
                         "outcome])")
    pair, branches = _finite(tree[0], "a release"), tree[1]
    if isinstance(branches, (str, Pair)) or not isinstance(branches, Sequence) or len(
            branches) != len(pair.masses):
        raise InputError(f"{pair!r} needs one branch for each of its {len(pair.masses)} outcomes")
    return pair, tuple(branches)


def _joint(tree: Any) -> FinitePair:
    pair, branches = _node(tree)
    if not branches:
        return pair
    return _finite(adaptive(pair, [_joint(branch) if all(masses) else finite([1], [1])
                                   for masses, branch in zip(pair.masses, branches, strict=True)]),
                   "the joint pair")


def _finite(pair: Any, name: str) -> FinitePair:
    if not isinstance(pair, FinitePair):
        raise InputError(f"{name} must be a finite pair, not {str(pair)[:40]}")
    return pair


__all__ = ["ComposedBound", "composed_bound"]
