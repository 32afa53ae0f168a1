"""Polynomials with the certificate of where they come from.

An :class:`Item` is a polynomial together with parts, each a cofactor and a list of facts: it equals
the sum of cofactor times the product of the facts' gaps, and so is >= 0, > 0 or = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lapdp.kernel import Refused
from lapdp.kernel.polynomials import (
    IMAGINARY,
    MOST_BITS,
    MOST_MONOMIALS,
    Monomial,
    Number,
    Polynomial,
    Power,
    Reader,
    plus,
)
from lapdp.kernel.polynomials import times as of_kernel
from lapdp.proving.derivation import Derivation

ONE: Polynomial = {(): 1}
SHORT = 1 << 62
REMEMBERED = 1 << 16


class Item(NamedTuple):
    """A polynomial that is known to be ``kind``: eq (= 0), le (>= 0) or lt (> 0)."""

    kind: str
    f: Polynomial
    parts: tuple[tuple[Polynomial, tuple[int, ...]], ...]


def times(f: Polynomial, g: Polynomial) -> Polynomial:
    """f g, as the kernel has it; products of monomials are remembered."""
    if len(f) == 1 and f == ONE:
        return g
    if len(g) == 1 and g == ONE:
        return f
    if len(f) * len(g) > MOST_MONOMIALS:
        raise Refused("too many monomials")
    found: Polynomial = {}
    for m, a in f.items():
        for n, c in g.items():
            product, sign = _product(m, n) if m and n else (m or n, 1)
            found[product] = found.get(product, 0) + sign * a * c
    for c in found.values():
        if (type(c) is not int or not -SHORT < c < SHORT) and max(
                c.numerator.bit_length(), c.denominator.bit_length()) > MOST_BITS:
            raise Refused("a coefficient is too long")
    return {m: c for m, c in found.items() if c}


@lru_cache(maxsize=REMEMBERED)
def _product(m: Monomial, n: Monomial) -> tuple[Monomial, int]:
    ((product, sign),) = of_kernel({m: 1}, {n: 1}).items()
    return product, int(sign)


def multiply(p: Item, q: Item) -> Item:
    """The product of two items."""
    kind = "eq" if "eq" in (p.kind, q.kind) else "lt" if p.kind == q.kind == "lt" else "le"
    parts = tuple((times(c, d), (*i, *j)) for c, i in p.parts for d, j in q.parts)
    return Item(kind, times(p.f, q.f), parts)


def scaled(p: Item, c: Polynomial) -> Item:
    """An equation times any polynomial."""
    return Item(p.kind, times(p.f, c), tuple((times(c, d), i) for d, i in p.parts))


def combined(pairs: Sequence[tuple[Number, Item]]) -> tuple[tuple[Polynomial, tuple[int, ...]],
                                                               ...]:
    """The parts of a linear combination."""
    found: dict[tuple[int, ...], Polynomial] = {}
    for w, item in pairs:
        if w:
            for c, used in item.parts:
                found[used] = plus(found.get(used, {}), c, w)
    return tuple((c, used) for used, c in found.items() if c)


@lru_cache(maxsize=REMEMBERED)
def whole_quotient(m: Monomial, n: Monomial) -> Monomial | None:
    """m / n where n divides m."""
    powers: dict[int, Power] = dict(m)
    for x, e in n:
        powers[x] = powers.get(x, 0) - e
        if powers[x] < 0:
            return None
    return tuple(sorted((x, e) for x, e in powers.items() if e))


class Terms:
    """Polynomials back as terms."""

    def __init__(self, d: Derivation) -> None:
        self.d, self.reader = d, Reader(d.b)
        self._written: dict[tuple[Monomial, Number, str], int] = {}

    def sort(self, f: Polynomial) -> str:
        """C where a complex atom occurs."""
        return "C" if any(self._complex(a) for m in f for a, _ in m) else "R"

    def _complex(self, number: int) -> bool:
        symbol, argument = self.reader.atoms[number]
        if symbol in ("i", "clog"):
            return True
        if symbol == "":
            return self.d.b.sorts[int(str(argument))] == "C"
        if symbol == "exp":
            return any(self._complex(a) for a, _ in argument)  # type: ignore[attr-defined]
        if symbol == "inv":
            return self.sort(dict(argument)) == "C"  # type: ignore[call-overload]
        return False

    def complex_beside(self, m: Monomial) -> bool:
        """Is a factor complex beside the imaginary unit?"""
        return any(a != IMAGINARY and self._complex(a) for a, _ in m)

    def term(self, f: Polynomial, sort: str = "") -> int:
        """A term that reads as f."""
        d = self.d
        sort = sort or self.sort(f)
        found: int | None = None
        for m, c in sorted(f.items()):
            t = self._written.get((m, c, sort))
            if t is None:
                t = self._written[m, c, sort] = self._monomial(m, c, sort)
            found = t if found is None else d.mk("add", found, t)
        return d.like(0, sort) if found is None else found

    def _monomial(self, m: Monomial, c: Number, sort: str) -> int:
        d = self.d
        found = d.like(c, sort) if c != 1 or not m else None
        exponent: dict[str, Polynomial] = {"R": {}, "C": {}}
        factors: list[int] = []
        for number, e in m:
            symbol, argument = self.reader.atoms[number]
            if symbol == "exp":
                kind = "C" if self._complex(number) else "R"
                part: Polynomial = {argument: e}  # type: ignore[dict-item]
                exponent[kind] = plus(exponent[kind], part)
                continue
            factors += [self._atom(number)] * int(e)
        factors += [d.mk("exp", self.term(f, kind)) for kind, f in exponent.items() if f]
        for t in factors:
            placed = d.mk("cx", t) if d.b.sorts[t] != sort else t
            found = placed if found is None else d.mk("mul", found, placed)
        assert found is not None
        return found

    def _atom(self, number: int) -> int:
        symbol, argument = self.reader.atoms[number]
        if symbol == "i":
            return self.d.mk("i")
        if symbol == "":
            return int(str(argument))
        inner: Polynomial = dict(argument)  # type: ignore[call-overload]
        return self.d.mk(symbol, self.term(inner, "C" if symbol == "clog" else ""))

    def symbol(self, number: int) -> str:
        """The symbol of an atom."""
        return self.reader.atoms[number][0]

    def argument(self, number: int) -> Polynomial:
        """The argument of a function atom."""
        symbol, argument = self.reader.atoms[number]
        if symbol == "exp":
            return {argument: 1}  # type: ignore[dict-item]
        found: Polynomial = dict(argument)  # type: ignore[call-overload]
        return found

    def argument_of(self, rate: Polynomial, atom: int, degree: int = 1) -> Polynomial:
        """rate t^degree."""
        return times(rate, {((atom, degree),): 1})

    def exponential_part(self, m: Monomial) -> Monomial:
        """The exponential factors of a monomial."""
        return tuple((a, e) for a, e in m if self.symbol(a) == "exp")

    def mentions(self, number: int, other: int) -> bool:
        """Does an atom contain another one?"""
        if number == other:
            return True
        symbol, argument = self.reader.atoms[number]
        if symbol in ("i", ""):
            return symbol == "" and self._inside(int(str(argument)), other)
        return any(self.mentions(a, other) for m in self.argument(number) for a, _ in m)

    def _inside(self, t: int, other: int) -> bool:
        symbol, argument = self.reader.atoms[other]
        return symbol == "" and int(str(argument)) in self.d.subterms(t)
