"""A product as what lies on a lattice and what lies beside it, in several ways."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import lru_cache, reduce

from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.form import Form
from lapdp.privacy.operations import factors as factors_of
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
    """The product in several ways: the most releases that share a lattice first; then each factor
    alone."""
    on: list[Pair] = []
    others: list[Pair] = []
    powers = [(factor**count, count) for factor, count in sorted(
        factors_of(pair), key=lambda part: -part[1])]
    for power, _ in powers:
        together = lattice.lattice(releases(_product([*on, power])))
        (on if together is not None else others).append(power)
    if not on or not others:
        return ()
    found = [_parts(on, others)]
    for j, (power, _) in enumerate(powers):
        rest = [other for i, (other, _) in enumerate(powers) if i != j]
        if [power] != on and lattice.lattice(releases(power)) is not None:
            found.append(_parts([power], rest))
    return tuple(found)


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
