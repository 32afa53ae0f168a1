"""Products with subsampled Gaussians, sorted by the side on which (37) falls off exponentially.

The loss of a subsampled Gaussian is bounded on one side: it is end + X or end - X with X > 0, and
its moment e^(q end) H_q or e^((q-1) end) H_(1-q), see :mod:`lapdp.accounting.moments.rays`.  Atoms
and the ends of pieces of all other factors have places z and moments sum of R(q) e^((q-1) z),
with rational R.  So the integrand of (37) is a sum of terms

    e^(-q x + c) R(q) * product of H over the subsampled Gaussians,   x = eps - ends - z,

each of which falls to the right or to the left, as the sign of x says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MOST_TERMS = 2000


@dataclass(frozen=True)
class OneSided:
    """Copies of a subsampled Gaussian: weight w and kappa of the mixture (w P + (1 - w) Q, Q)."""

    weight: Any
    kappa: Number
    mirrored: bool
    """Is the pair (Q, w P + (1 - w) Q)?  Then its moment is H_(1-q)."""
    count: int

    def end(self) -> Any:
        """The bound of its loss, from below, or from above if mirrored."""
        end = (1 - Number(self.weight).ball()).log()
        return -end if self.mirrored else end


@dataclass(frozen=True)
class Place:
    """R(q) = mass + sum of c/(1 - q - a)^(n + 1) at a place."""

    at: Form
    mass: Any
    terms: tuple[tuple[Any, Any, int], ...]

    def value(self, q: Any) -> Any:
        """R."""
        found = flint.acb(self.mass)
        for a, c, n in self.terms:
            found += c / (1 - q - a) ** (n + 1)
        return found

    def beyond(self, height: Any) -> Any:
        """A bound of |R| at all q whose imaginary part is at least ``height``."""
        found = abs(self.mass)
        for a, c, n in self.terms:
            gap = height - abs(a.imag)
            if not gap > 0:
                raise Unsupported("the contour is cut too near a pole")
            found += abs(c) / gap ** (n + 1)
        return found


@dataclass(frozen=True)
class Term:
    """weight * product of R^power * e^(-q x + c); the masses of mere atoms, and in how many ways
    they occur, are in the weight."""

    weight: Any
    powers: tuple[tuple[Place, int], ...]
    x: Any
    c: Any

    def mirrored(self) -> Term:
        """The same as a function of 1 - q, places aside."""
        return Term(self.weight, self.powers, -self.x, self.c - self.x)


def one_sided(factors: Factors) -> list[OneSided]:
    """The subsampled Gaussians; :class:`Unsupported` without, and with other losses that have
    neither atoms nor pieces."""
    found = []
    for s, k in factors.parts:
        if isinstance(s, ExactSpectrum):
            continue
        if not isinstance(s, MixedNormalSpectrum):
            raise Unsupported("contours bend for subsampled Gaussians, atoms and pieces only")
        w, v = s.first.exact, s.second.exact
        if v == 0 and w != 1:
            found.append(OneSided(w, s.kappa, False, k))
        elif w == 1 and v != 0:
            found.append(OneSided(1 - v, s.kappa, True, k))
        else:
            raise Unsupported("contours bend for mixtures with one of the members only")
    if not found:
        raise Unsupported("contours bend for subsampled Gaussians only")
    return found


def poles(factors: Factors) -> list[float]:
    """The poles of the integrand's terms; :class:`Unsupported` where they are not real."""
    found = {0.0, 1.0}
    for s, _ in factors.parts:
        if isinstance(s, ExactSpectrum):
            places = [enclose(a, {}) for terms in s.loss.jumps.values() for a, _ in terms]
            if not all(a.imag.is_zero() for a in places):
                raise Unsupported("the pieces of a loss turn")
            found |= {1 - float(a.real) for a in places}
    return sorted(found)


def terms(factors: Factors, eps: Any) -> list[Term]:
    """All terms, places combined; constants at the working precision of the moment."""
    x, c = eps, eps
    for part in one_sided(factors):
        x -= part.count * part.end()
        c -= part.count * part.end() * (1 if part.mirrored else 0)
    return [Term(weight, powers, x - moved, c - moved)
            for weight, powers, moved in _combined(factors, flint.ctx.prec)]


def likely(factors: Factors, known: list[Term]) -> list[Any]:
    """At least what each of the terms adds to delta if it is of atoms alone, whichever poles the
    contour encloses; infinite for one with pieces.

    With the probability p of the atoms and t = eps - z, the integral on any line is p times the
    profile of the subsampled Gaussians at t, less 1 on the left of 1, and e^t more on the left of
    0: none is larger than max(1, e^t).
    """
    ends = sum((part.count * part.end() for part in one_sided(factors)), flint.arb(0))
    return [flint.arb.pos_inf() if term.powers else (
        term.weight * (term.x + ends).exp().max(flint.arb(1))).upper() for term in known]


Combined = tuple[Any, tuple[tuple[Place, int], ...], Any]


@lru_cache(maxsize=8)
def _combined(factors: Factors, precision: int) -> list[Combined]:
    """The weight of each combination of places, those with pieces, and the sum of all; at one
    working precision."""
    found: list[Combined] = [(flint.arb(1), (), flint.arb(0))]
    for s, k in factors.parts:
        if not isinstance(s, ExactSpectrum):
            continue
        known = _places(s)
        if len(found) * math.comb(k + len(known) - 1, k) > MOST_TERMS:
            raise Unsupported(f"the atoms and pieces combine in more than {MOST_TERMS} ways")
        at = [enclose(place.at, {}).real for place in known]
        found = [_times(one, split, known, at) for one in found
                 for split in _splits(k, len(known))]
    return found


def _times(one: Combined, split: tuple[int, ...], known: list[Place], at: list[Any]) -> Combined:
    (weight, powers, moved), left = one, sum(split)
    for count, place, x in zip(split, known, at, strict=True):
        weight, left = weight * math.comb(left, count), left - count
        if not place.terms:
            weight *= place.mass ** count
        moved += count * x
    return weight, powers + tuple((place, count) for place, count in zip(
        known, split, strict=True) if count and place.terms), moved


def _splits(whole: int, parts: int) -> list[tuple[int, ...]]:
    """All ways to write a whole number as an ordered sum."""
    if parts == 1:
        return [(whole,)]
    return [(j, *rest) for j in range(whole + 1) for rest in _splits(whole - j, parts - 1)]


def _places(spectrum: ExactSpectrum) -> list[Place]:
    loss = spectrum.loss
    if loss.germ:
        raise Unsupported("the losses reach to -oo")
    found = []
    for at in dict.fromkeys([*loss.jumps, *loss.impulses]):
        mass = loss.impulses.get(at)
        found.append(Place(at, flint.arb(0) if mass is None else enclose(mass[0], {}).real, tuple(
            (enclose(a, {}), enclose(c, {}), n) for (a, n), c in loss.jumps.get(at, {}).items())))
    return found


__all__ = ["OneSided", "Place", "Term", "likely", "one_sided", "poles", "terms"]
