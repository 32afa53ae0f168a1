"""Pairs, products and events by the names that they have in text: ``P``, ``Q2``, ``S``.

Where a notion is asked of other couples, such as ``delta(P1, P3)`` or ``delta(A, B)``, all names
that notions are asked of are distributions on one space.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

from lapdp.core.errors import InputError
from lapdp.privacy import nodes as pn
from lapdp.theory.guards import clip

MAX_FACTORS = 6
"""Factors of one product of distributions."""
MEMBER = re.compile(r"[PQ][0-9]{0,3}")
"""Names of distributions: ``P3`` and ``Q3`` are one pair."""
_NAME = re.compile(r"[A-Z][0-9]{0,3}")
"""Names that distributions on one space may have."""


class Pairs:
    """The pairs, products and events that the texts of one statement speak of."""

    def __init__(self, one_space: tuple[str, ...] = ()) -> None:
        made: tuple[Any, ...] = ()
        if one_space:
            made = (pn.pair if len(one_space) == 2 else pn.distributions)(*one_space)
        self.named: dict[str, Any] = dict(zip(one_space, made, strict=True))
        """Distributions on one space, by name."""
        self._pairs: dict[str, tuple[Any, Any]] = {}
        self._products: dict[tuple[str, ...], tuple[Any, Any]] = {}
        self._mechanisms: dict[Any, tuple[Any, Any]] = {}
        self.events: set[str] = set()

    def is_member(self, name: str | None) -> bool:
        """Does a name stand for a distribution?"""
        return name is not None and (name in self.named or bool(MEMBER.fullmatch(name)))

    def member(self, name: str) -> Any:
        """The distribution of a name such as ``P`` or ``Q2``."""
        if name in self.named:
            return self.named[name]
        number = name[1:]
        if number not in self._pairs:
            self._pairs[number] = pn.pair(f"P{number}", f"Q{number}")
        return self._pairs[number]["PQ".index(name[0])]

    def letters(self) -> set[Any]:
        """The letters of mechanisms, whose parameters are real numbers; the mechanisms are
        forgotten, for the same texts are read once more with real letters."""
        found = {s for made in self._mechanisms for s in made.free_symbols}
        self._mechanisms.clear()
        return found

    def mechanism(self, made: Any) -> tuple[Any, Any]:
        """The two distributions of a mechanism: M and N, M2 and N2, ... or other free letters."""
        if made not in self._mechanisms:
            number = str(len(self._mechanisms) + 1) if self._mechanisms else ""
            taken = {name[0] for name in self.named}
            letters = next(pair for pair in ("MN", "VW", "XY") if not taken & set(pair))
            self._mechanisms[made] = pn.mechanism_pair(made, *(x + number for x in letters))
        return self._mechanisms[made]

    def product(self, first: Any, second: Any, said: str) -> tuple[Any, Any]:
        """The members of the product that two monomials in distributions write; ``said`` is how."""
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
        raise InputError(f"{said} are no product of pairs: write the factors of both in one "
                         "direction, such as delta(P1*P2, Q1*Q2)(eps)")


def of_one_space(trees: Iterable[ast.expr], notions: Iterable[str]) -> tuple[str, ...]:
    """The names that notions are asked of, unless all couples are pairs such as P2, Q2.

    >>> read = lambda text: of_one_space([ast.parse(text, mode="eval").body], ["delta"])
    >>> read("delta(P1, P3)(0) <= delta(P1, P2)(0) + delta(P2, P3)(0)"), read("delta(Q, P)(0) <= x")
    (('P1', 'P2', 'P3'), ())
    """
    known, names, several = set(notions), set(), False
    for node in (n for tree in trees for n in ast.walk(tree)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                and node.func.id in known):
            continue
        # R(q, P, Q) has its order first
        found = [{n.id for n in ast.walk(a) if isinstance(n, ast.Name) and _NAME.fullmatch(n.id)}
                 for a in node.args[-2:]]
        names |= set().union(*found)
        plain = [a.id for a in node.args[-2:] if isinstance(a, ast.Name) and a.id in names]
        # P beside Q1 is a slip of the pen
        several |= any(not MEMBER.fullmatch(name) for name in set().union(*found)) or (
            len(set(plain)) == 2 and len({name[0] for name in plain}) == 1)
    return tuple(sorted(names)) if several and len(names) > 1 else ()


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


__all__ = ["MAX_FACTORS", "MEMBER", "Pairs", "of_one_space"]
