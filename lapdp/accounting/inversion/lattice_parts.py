"""A product as what lies on a lattice and what lies beside it, in several ways."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import lru_cache, reduce

from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.form import Form
from lapdp.privacy.operations import counted
from lapdp.privacy.pair import Pair


@dataclass(frozen=True)
class Parts:
    """A pair as the product of what lies on a lattice and of the others."""

    on: Factors
    offset: Form
    step: Form
    others: Pair
    forward: Factors
    ends: tuple[Form | None, Form | None]
    """The largest finite loss of the others, and of the reversed pair."""
    range: tuple[Form | None, Form | None]
    """The same for what lies on the lattice."""

    @property
    def sides(self) -> tuple[Factors, Factors]:
        """The others, and those of the reversed pair."""
        return self.forward, releases(self.others.reverse())


@lru_cache(maxsize=64)
def parts(pair: Pair) -> tuple[Parts, ...]:
    """The product in several ways: the most releases that share a lattice first, and those that
    share another one; then each factor with few places of those that share one."""
    powers = [factor**count for factor, count in sorted(
        counted(pair).items(), key=lambda part: -part[1])]
    # by their places: powers of unlike factors may be equal
    groups: list[list[int]] = []
    for i, power in enumerate(powers):
        if lattice.lattice(releases(power)) is None:
            continue
        for group in groups:
            joined = _product([powers[j] for j in (*group, i)])
            if lattice.lattice(releases(joined)) is not None:
                group.append(i)
                break
        else:
            groups.append([i])
    if not groups or len(groups[0]) == len(powers):
        return ()
    alone = [[i] for group in groups if len(group) > 1 for i in group]
    found = [_parts([powers[i] for i in on], [power for i, power in enumerate(powers)
                                              if i not in on]) for on in (*groups, *alone)]
    return tuple(found[:len(groups)] + [way for way in found[len(groups):]
                                        if None not in way.range])


def _parts(on: list[Pair], others: list[Pair]) -> Parts:
    here, rest = _product(on), _product(others)
    forward, place = releases(here), lattice.lattice(releases(here))
    assert place is not None
    return Parts(forward, *place, rest, releases(rest), _ends(rest), _ends(here))


def _ends(pair: Pair) -> tuple[Form | None, Form | None]:
    """The largest finite loss, and that of the reversed pair."""
    return releases(pair).largest(), releases(pair.reverse()).largest()


def _product(pairs: list[Pair]) -> Pair:
    return reduce(operator.mul, pairs)


__all__ = ["Parts", "parts"]
