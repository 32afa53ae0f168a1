"""Products of transforms as products of polynomials.

With X = e^(-m s/N) for each monomial m of the breakpoints, u = 1/(s - a) for each pole and the
generators of the coefficient field, a transform of the exact class is a Laurent polynomial.  So a
product of any number of them is one product of polynomials, whose terms are collected on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice
from math import lcm, log2
from typing import Any

import flint

from lapdp.calculus.collected import Collected, Stratum
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Key, Scalar, _lift, _union
from lapdp.calculus.form import Form, Monomial
from lapdp.calculus.ordering import Cell
from lapdp.calculus.partial_fractions import Parts, of_products
from lapdp.calculus.sums import common_denominator, rationalised
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

MAX_TERMS = 1_500_000
"""Terms of a collected transform."""
MAX_BITS = 1_000_000_000
"""Size of all coefficients of a product: they are held a few times over."""
_AT_ONCE = 4_000_000
"""Products of terms that are formed without a look at how many of them coincide."""
_BITS_AT_ONCE = 250_000_000
"""Size of all coefficients of these."""


def rational_poles(f: Exact, cell: Cell) -> set[Fraction] | None:
    """The poles of the transform if all are rational and no impulse is a derivative, else None."""
    found = {a.substitute(cell.values).constant() for terms in (f.germ, *f.jumps.values())
             for a, _ in terms}
    if None in found or any(any(orders) for orders in f.impulses.values()):
        return None
    return {a for a in found if a is not None}


def collect(factors: Sequence[tuple[Exact, int]], cell: Cell) -> Collected:
    """The convolution of powers of measures that converge absolutely on 0 <= Re s <= 1.

    All poles must be rational (:func:`rational_poles`).  Raises :class:`Unsupported` where the
    product has more than ``MAX_TERMS`` terms.
    """
    ring = _Ring.of([f for f, _ in factors], cell)
    parts = [(ring.polynomial(f, cell), count) for f, count in factors]
    powers = [(_power(ring, p, count), p.poled) for p, count in parts]
    # terms coincide most among factors of one kind: these are multiplied first
    groups = [[p for p, poled in powers if poled is kind] for kind in (True, False)]
    bits = sum(count * _bits(p.polynomial) for p, count in parts)
    products = [_product(ring, sorted(group, key=len), bits) for group in groups if group]
    whole = _product(ring, products, bits)
    origin = Form({})
    for p, count in parts:
        origin = origin + p.origin * Form.of(count)
    scale = tuple((p.denominator, -count) for p, count in parts)
    left = frozenset(a for a in ring.poles if a > 1)
    inside = frozenset(a for a in ring.poles if 0 <= a <= 1)
    return Collected(ring.keys, ring.strata(whole, origin), scale, left, inside)


@dataclass(frozen=True)
class _Factor:
    """denominator^-1 e^(-origin s) polynomial."""

    polynomial: Any
    origin: Form
    denominator: Scalar
    poled: bool


@dataclass(frozen=True)
class _Ring:
    """Variables in this order: breakpoints, generators of the field, poles."""

    places: tuple[tuple[Monomial, int], ...]
    keys: tuple[Key, ...]
    poles: tuple[Fraction, ...]

    @staticmethod
    def of(measures: Sequence[Exact], cell: Cell) -> _Ring:
        """The variables that these transforms need."""
        steps: dict[Monomial, int] = {}
        keys: tuple[Key, ...] = ()
        poles: set[Fraction] = set()
        for f in measures:
            for at in (*f.jumps, *f.impulses):
                for m, c in at.terms.items():
                    steps[m] = lcm(steps.get(m, 1), c.denominator)
            for x in _coefficients(f):
                if x.keys != keys:
                    keys = _union(keys, x.keys)
            poles |= rational_poles(f, cell) or set()
        if len({key[:2] for key in keys if key[0] in "er"}) < sum(key[0] in "er" for key in keys):
            # roots of one number stand apart: a multiple of coefficients may have a third one
            for f in measures:
                scale = _scale(f)
                for x in _coefficients(f):
                    keys = _union(keys, (rationalised(x) * scale).keys)
        return _Ring(tuple(steps.items()), keys, tuple(sorted(poles)))

    def context(self) -> Any:
        """The polynomials in these variables."""
        count = len(self.places) + len(self.keys) + len(self.poles)
        return flint.fmpz_mpoly_ctx.get([f"y{j}" for j in range(count)], flint.Ordering.lex)

    def place(self, at: Form) -> tuple[int, ...]:
        """The breakpoint as exponents, which may be negative."""
        found = (at.terms.get(m, Fraction(0)) * step for m, step in self.places)
        return tuple(int(x) for x in found)

    def polynomial(self, f: Exact, cell: Cell) -> _Factor:
        """The transform of one factor."""
        scale = _scale(f)
        places = {at: self.place(at) for at in (*f.jumps, *f.impulses)}
        # a loss that is infinite with certainty has no place
        lowest = tuple(min(x) for x in zip(*places.values(), strict=True)) or (
            0,) * len(self.places)
        none = (0,) * len(self.poles)
        terms: dict[tuple[int, ...], int] = {}
        poled = False

        def add(at: Form, powers: tuple[int, ...], coefficient: Scalar) -> None:
            moved = tuple(x - low for x, low in zip(places[at], lowest, strict=True))
            whole = rationalised(coefficient) * scale
            if not whole.den.is_one():
                raise Unsupported(f"the denominators of {coefficient} and others have roots that "
                                  "are not cleared")
            lifted = _lift(whole.keys, whole.num, self.keys) if whole.keys != self.keys \
                else whole.num
            for exponents, c in lifted.to_dict().items():
                key = (*moved, *(int(e) for e in exponents), *powers)
                terms[key] = terms.get(key, 0) + int(c)

        for at, orders in f.impulses.items():
            for c in orders.values():
                add(at, none, c)
        for at, found in f.jumps.items():
            for (a, n), c in found.items():
                j = self.poles.index(a.substitute(cell.values).constant() or Fraction(0))
                add(at, (*none[:j], n + 1, *none[j + 1:]), c)
                poled = True
        origin = Form({m: Fraction(low, step)
                       for (m, step), low in zip(self.places, lowest, strict=True)})
        return _Factor(self.context().from_dict(terms), origin, scale, poled)

    def reduced(self, polynomial: Any) -> Any:
        """Powers of radicals below their order, i^2 = -1."""
        gens = self.context().gens()[len(self.places):]
        for key, x in zip(self.keys, gens, strict=False):
            if key[0] in "ir":
                polynomial %= x**2 + 1 if key[0] == "i" else x ** int(key[2]) - int(key[1])
        return polynomial

    def strata(self, polynomial: Any, origin: Form) -> tuple[Stratum, ...]:
        """The terms by breakpoint; the order lex keeps equal breakpoints together."""
        spend(40 * len(polynomial))
        first, second = len(self.places), len(self.places) + len(self.keys)
        terms = zip(polynomial.monoms(), polynomial.coeffs(), strict=True)
        found = []
        for place, same in groupby(terms, key=lambda term: term[0][:first]):
            at = origin + Form({m: Fraction(int(e), step) for (m, step), e in
                                zip(self.places, place, strict=True)})
            by_monomial: dict[tuple[int, ...], Parts] = {}
            for powers, group in groupby(same, key=lambda term: term[0][first:second]):
                by_monomial[tuple(int(e) for e in powers)] = of_products(
                    ((e[second:], c) for e, c in group), self.poles)
            found.append(Stratum(at, by_monomial))
        return tuple(found)


def _scale(f: Exact) -> Scalar:
    """What clears the denominators of all coefficients."""
    # (3 + r)/(1 + r) is r = sqrt(3), but no polynomial has this quotient
    return common_denominator([rationalised(x) for x in _coefficients(f)])


def _coefficients(f: Exact) -> list[Scalar]:
    jumps = [c for terms in f.jumps.values() for c in terms.values()]
    return jumps + [c for orders in f.impulses.values() for c in orders.values()]


def _power(ring: _Ring, factor: _Factor, count: int) -> Any:
    p = factor.polynomial
    probes = [p]
    while len(probes) < 4 and 1 << len(probes) <= count:
        size = _bits(probes[-1])
        probes.append(_times(ring, probes[-1], probes[-1], 2 * size))
        _refuse_beyond(len(probes[-1]), 2 * size)
    if len(probes) > 1:
        # the number of terms grows like (k + 1)^d: points of a lattice in a polytope
        low, high = (1 << len(probes) - 2) + 1, (1 << len(probes) - 1) + 1
        dimension = log2(len(probes[-1]) / len(probes[-2])) / log2(high / low)
        size = len(probes[-1]) * ((count + 1) / high) ** dimension
        _refuse_beyond(size, count * _bits(p))
        spend(size / 3)
    return ring.reduced(p**count)


def _bits(p: Any) -> float:
    """log2 of the sum of the absolute values of the coefficients: it adds up in products."""
    return log2(max(1, sum(abs(int(c)) for c in p.coeffs())))


def _product(ring: _Ring, factors: Sequence[Any], bits: float) -> Any:
    total = factors[0]
    for p in factors[1:]:
        total = _times(ring, total, p, bits)
        _refuse_beyond(len(total), bits)
    return total


def _times(ring: _Ring, p: Any, q: Any, bits: float) -> Any:
    """The product, refused before more of it is held than may be; ``bits`` bound those of a
    coefficient."""
    if len(p) < len(q):
        p, q = q, p
    spend(len(p) * len(q) / 10)
    width = max(1, int(min(_AT_ONCE, _BITS_AT_ONCE / max(1.0, bits))) // max(1, len(p)))
    if len(q) <= width:
        return ring.reduced(p * q)
    terms, total = q.terms(), ring.context().from_dict({})
    while rows := dict(islice(terms, width)):
        part = p * ring.context().from_dict(rows)
        # the first part tells how many of its terms coincide
        likely = 0.0 if total else len(part) / len(rows) * len(q) / 16
        total = ring.reduced(total + part)
        size = max(likely, len(total))
        if _excess(size, bits):
            del total, part     # a refusal that is kept holds what its frame holds
            _refuse_beyond(size, bits)
    return total


def _refuse_beyond(terms: float, bits: float = 0) -> None:
    if problem := _excess(terms, bits):
        raise Unsupported(f"the closed form of the product has about {terms:.0f} terms{problem}")


def _excess(terms: float, bits: float) -> str:
    """What so many terms of so many bits exceed, if anything."""
    if terms > MAX_TERMS:
        return f", more than {MAX_TERMS}"
    if terms * bits > MAX_BITS:
        return f" of up to {bits:.0f} bits, more than {MAX_BITS} bits"
    return ""


__all__ = ["MAX_TERMS", "collect", "rational_poles"]
