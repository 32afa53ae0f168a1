"""What releases with few draws from the continuous parts of their losses contribute to delta.

Each choice of the draws leaves sums of atoms, each of which shifts the law of the continuous sum.
Where this law lies above eps altogether, its P-mass and Q-mass decide; where it lies below it
counts nothing; in between its hockey-stick integral is a sum over breakpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import comb, prod
from typing import Any

import flint

from lapdp.accounting.inversion.atom_sums import (
    Choice,
    Law,
    Ordered,
    laws,
    ordered,
    pieced,
    together,
)
from lapdp.accounting.inversion.draws import Continuous, Integrals, Sums
from lapdp.accounting.moments.approximants import Approximant, approximants, edges
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NEAR = 3_000
"""Values of the laws of continuous sums."""
MOST_TERMS = 15_000
"""Polynomials to be evaluated for these."""
MOST_WORK = 5e11
"""Products of coefficients, times their bits, for these laws: half a minute at most."""
MOST_KEPT = 1 << 30
"""Bits of laws that are kept for the next eps."""
MOST_BITS = 1 << 14
SPARE, MOST_SPARE = 24, 1 << 11
LIKE = 4
"""Bits by which accuracies of neighbouring points differ."""
MOST_PLACES = 20_000
"""Sums of atoms at the precision of laws that are kept for the next eps."""


def is_bounded(factors: Factors) -> bool:
    """Can few draws from the pieces be taken apart?"""
    return all(piece.is_invertible and None not in piece.breakpoints
               for s, _ in pieced(factors) for piece in s.pieces)


def few(factors: Factors, draws: int, eps: Any, bits: int, size: float = 0.0,
        once: bool = False) -> Any:
    """A ball around the share of delta(eps) from at most so many draws, finite losses.

    ``eps`` is a ball of more than ``MOST_BITS`` bits, or exact.  The radius is about 2^-bits times
    the value, or times ``size``.  Raises :class:`Unsupported` where too many sums are needed, and
    where laws cancel, if they are to be worked out ``once``.
    """
    known = _spares(factors, draws, bits)
    spare = known[0]
    while spare <= MOST_SPARE:
        try:
            total = _computed(factors, draws, eps, bits + spare, once)
        except Unsupported:
            if known[0] == SPARE:
                raise
            # no refusal may come of what was asked before
            spare = known[0] = SPARE
            continue
        found = total.rel_accuracy_bits()
        if found >= bits or total.rad() <= size * 2.0**-bits:
            known[0] = spare
            return total
        # losses that differ little from eps cancel in the masses themselves
        spare += min(max(bits - found, SPARE), 2 * spare)
    raise Unsupported(f"the laws of {draws} draws cancel by more than {MOST_SPARE} bits")


def _computed(factors: Factors, draws: int, eps: Any, bits: int, once: bool) -> Any:
    """From masses and densities of so many bits."""
    with workprec(bits):
        found, near = _far(ordered(factors, draws, bits), eps)
    if not near:
        return found
    first = bits + 40 + 40 * draws
    known = _precisions(factors, draws, bits)
    precision, before = first if once else max(first, known.precision), None
    while True:
        with workprec(precision):
            share = _near(laws(factors, bits), near, eps, (factors, draws, bits, precision))
            total = found + share
        radius = total.rad()
        # after a step the masses and the densities limit it, not the polynomials, as it seems
        good = total.rel_accuracy_bits()
        vain = before is not None and bool(2 * radius > before[1])
        if share.rel_accuracy_bits() >= bits - LIKE:
            # as sharp as they are: what cancels are sums that lie across eps and others
            known.limit, known.precision = good, precision
            return total
        if vain and before is not None:
            # and would be at the next point
            known.limit, precision = good, before[0]
        if vain or good >= min(bits - SPARE, known.limit - LIKE) or (before and good > 0):
            known.precision = precision
            if before is not None:
                # what served here will serve at the next point
                known.limit = min(known.limit, good)
            return total
        if once or precision >= MOST_BITS:
            raise Unsupported(f"the laws of {draws} draws cancel to more than {precision} bits")
        lack = float(radius.log()) / LOG2 if radius.is_finite() and radius > 0 else 0.0
        before = precision, radius
        precision = min(max(2 * precision, precision + int(lack) + 2 * bits), MOST_BITS)


@dataclass
class _Served:
    """What served last, for the next point: the laws at a precision are known; the masses and the
    densities may limit the accuracy, in bits, whatever it is."""

    precision: int = 0
    limit: float = float("inf")


@lru_cache(maxsize=256)
def _precisions(factors: Factors, draws: int, bits: int) -> _Served:
    """The same object each time."""
    return _Served()


@lru_cache(maxsize=256)
def _spares(factors: Factors, draws: int, bits: int) -> list[int]:
    """The bits more that served last."""
    return [SPARE]


Question = tuple[Factors, int, int, int]
"""Releases, draws, bits of their laws, and the working precision."""


@dataclass
class _Shelf:
    """Laws of sums of continuous losses by the draws of each factor, for every eps: as many as
    there is room for, those of other questions making way."""

    known: dict[Question, dict[tuple[int, ...], Integrals]] = field(default_factory=dict)
    used: int = 0
    places: dict[tuple[Question, tuple[int, ...], Choice], tuple[Any, Any]] = field(
        default_factory=dict)
    """Of sums of atoms, and their masses."""

    def atoms(self, question: Question, known: Sequence[Law], shares: tuple[int, ...],
              choice: Choice) -> tuple[Any, Any]:
        """Place and mass of one sum, at the working precision of the question."""
        key = question, shares, choice
        if key not in self.places:
            if len(self.places) >= MOST_PLACES:
                self.places.clear()
            self.places[key] = together(known, shares, choice)
        return self.places[key]

    def law(self, question: Question, sums: Sequence[Sums | None], shares: tuple[int, ...]
            ) -> Integrals:
        """That of so many draws."""
        here = self.known[question] = self.known.pop(question, {})
        if shares in here:
            return here[shares]
        law: list[tuple[Any, Any]] = [(flint.arb(0), flint.arb_poly([1]))]
        for source, n in zip(sums, shares, strict=True):
            if source is not None and n:
                law = [(place + source.place(counts), f * g) for place, f in law
                       for counts, g in source.law(n).items()]
        found = Integrals(law, flint.ctx.prec, question[2] + 2 * LIKE)
        while self.used + found.size > MOST_KEPT and (other := next(iter(self.known))) != question:
            self.used -= sum(old.size for old in self.known.pop(other).values())
        if self.used + found.size <= MOST_KEPT:
            self.used += found.size
            here[shares] = found
        return found


@lru_cache(maxsize=1)
def _shelf() -> _Shelf:
    return _Shelf()


@lru_cache(maxsize=32)
def _approximants(spectrum: PiecewiseSpectrum, bits: int) -> list[list[Approximant]]:
    """By piece."""
    with workprec(bits + SPARE):
        return [approximants(piece, bits) for piece in spectrum.pieces]


@lru_cache(maxsize=8)
def _sums(spectrum: PiecewiseSpectrum, bits: int, precision: int) -> Sums:
    """Those of the continuous part, at the precision."""
    return Sums(continuous(spectrum, bits))


def continuous(spectrum: PiecewiseSpectrum, bits: int) -> Continuous:
    """The part of a law that has a density, to so many bits, with its breakpoints at the working
    precision."""
    places: list[Any] = []
    parts: list[tuple[int, int, Approximant]] = []
    last = None
    for piece, found in zip(spectrum.pieces, _approximants(spectrum, bits), strict=True):
        lower, upper = piece.breakpoints
        start, *others = edges(piece)
        if not places or lower != last:
            places.append(start)
        first = len(places) - 1
        places += others
        parts += [(a, b, part) for (a, b), part in zip(
            pairwise(range(first, len(places))), found, strict=True)]
        last = upper
    return Continuous(tuple(places), tuple(parts))


def _far(known: Sequence[Ordered], eps: Any
         ) -> tuple[Any, list[tuple[tuple[int, ...], list[Choice]]]]:
    """The share of all sums that lie above eps, and those that reach across it."""
    total, near = flint.arb(0), []
    for sums in known:
        above, across = sums.at(eps)
        total += above
        if across:
            near.append((sums.shares, across))
    if sum(len(across) for _, across in near) > MOST_NEAR:
        raise Unsupported(f"more than {MOST_NEAR} sums of atoms lie close to eps")
    return total, near


def _near(known: Sequence[Law], near: Sequence[tuple[tuple[int, ...], list[Choice]]], eps: Any,
          question: Question) -> Any:
    """The share of the sums that reach across eps."""
    sums = [_sums(law.spectrum, law.bits, flint.ctx.prec) if law.spectrum.pieces else None
            for law in known]
    terms = sum(len(choices) * prod(
        comb(n + len(s.part.places) - 1, n) for s, n in zip(sums, shares, strict=True) if s and n)
        for shares, choices in near)
    if terms > MOST_TERMS:
        raise Unsupported(f"sums of atoms close to eps take {terms} polynomials, more than "
                          f"{MOST_TERMS}")
    work = sum(work_of(list(zip(sums, shares, strict=True))) for shares, _ in near)
    if work > MOST_WORK:
        raise Unsupported(f"the laws of sums close to eps take {work:.1g} products of bits, more "
                          f"than {MOST_WORK:.1g}")
    total, shelf = flint.arb(0), _shelf()
    for shares, choices in near:
        law = shelf.law(question, sums, shares)
        low = high = flint.arb(0)
        keep = p = q = flint.arb(1)
        for one, source, n in zip(known, sums, shares, strict=True):
            if source is None or not n:
                continue
            ends = source.spread(n)
            low, high = low + ends[0], high + ends[1]
            keep *= (1 - source.part.share) ** n
            p, q = p * one.moments[0] ** n, q * one.moments[1] ** n
        # p lies between 1 - share and 1 + share times the density: so do integrals of what is >= 0
        slack = 1 + flint.arb(0, (1 / keep - 1).upper())
        for choice in choices:
            place, mass = shelf.atoms(question, known, shares, choice)
            t = eps - place
            if t > (low + high) / 2:
                total += mass * law.from_right(t) * slack
            else:
                # of numbers that cancel, only the last is of the approximants
                total += mass * (p - t.exp() * q + law.from_left(t) * slack)
    return total


def work_of(draws: Sequence[tuple[Sums | None, int]]) -> float:
    """Products of coefficients in a law of so many draws of each, times the precision."""
    found, count, length = 0, 1, 1
    for source, n in draws:
        if source is None or not n:
            continue
        places, degree = len(source.part.places), source.part.degree
        found += sum(comb(j + places - 2, j - 1) * places * j for j in range(1, n + 1)) * degree**2
        count *= comb(n + places - 1, n)
        found += count * length * n * degree if length > 1 else 0
        length += n * degree
    return float(found * flint.ctx.prec)


__all__ = ["MOST_BITS", "continuous", "few", "is_bounded", "pieced", "work_of"]
