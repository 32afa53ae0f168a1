"""Pairs, products and events by the names that they have in text: ``P``, ``Q2``, ``S``."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from lapdp.core.errors import InputError
from lapdp.privacy import nodes as pn
from lapdp.theory.guards import clip

MAX_FACTORS = 6
"""Factors of one product of distributions."""
MEMBER = re.compile(r"[PQ][0-9]{0,3}")
"""Names of distributions: ``P3`` and ``Q3`` are one pair."""


class Pairs:
    """The pairs, products and events that the texts of one statement speak of."""

    def __init__(self) -> None:
        self._pairs: dict[str, tuple[Any, Any]] = {}
        self._products: dict[tuple[str, ...], tuple[Any, Any]] = {}
        self.events: set[str] = set()

    def member(self, name: str) -> Any:
        """The distribution of a name such as ``P`` or ``Q2``."""
        number = name[1:]
        if number not in self._pairs:
            self._pairs[number] = pn.pair(f"P{number}", f"Q{number}")
        return self._pairs[number]["PQ".index(name[0])]

    def product(self, first: Any, second: Any) -> tuple[Any, Any]:
        """The members of the product that two monomials in distributions write."""
        sides = [_factors(e) for e in (first, second)]
        for reverse in (False, True):
            P, Q = sides[::-1] if reverse else sides
            if all(d.side == 0 for d in P) and all(d.side == 1 for d in Q) and (
                    [d.pair for d in P] == [d.pair for d in Q]):
                key = tuple(d.name for d in P)
                if key not in self._products:
                    names = ("*".join(key), "*".join(d.name for d in Q))
                    self._products[key] = pn.product_pair(
                        *((self.member(d.name), self.member(f"Q{d.name[1:]}")) for d in P),
                        names=names)
                made = self._products[key]
                return made[::-1] if reverse else made
        raise InputError(f"{clip(str(first))} and {clip(str(second))} are no product of pairs: "
                         "write the factors of both in one direction, such as "
                         "delta(P1*P2, Q1*Q2)(eps)")


def _factors(e: Any) -> list[Any]:
    """The distributions of a monomial, sorted by name."""
    powers = sp.sympify(e).as_powers_dict()
    if not all(isinstance(d, pn.Distribution) and k.is_Integer and k > 0
               for d, k in powers.items()):
        raise InputError(f"{clip(str(e))} is no product of distributions: products of mixtures are "
                         "written in Python")
    if sum(powers.values()) > MAX_FACTORS:
        raise InputError(f"{clip(str(e))} has more than {MAX_FACTORS} factors")
    found = [d for d, k in powers.items() for _ in range(int(k))]
    return sorted(found, key=lambda d: str(d.name))


__all__ = ["MAX_FACTORS", "MEMBER", "Pairs"]
