"""The privacy profile of a product of pairs with finitely many losses, at one point, in balls.

The losses of a product are sums of losses of its factors; without common multiples their number
doubles with each factor.  Meeting in the middle takes its square root: the factors are split into
two halves, the sums of one are sorted and their masses added up from above, and each sum y of the
other finds the place from which on z + y exceeds the point.  (Tight composition is #P-hard, Murtagh
and Vadhan 2016: some root of an exponential stays.)

Sums are compared as whole multiples of a tiny step.  Losses that are rational combinations of the
same numbers stay so, hence equal sums are merged exactly.  A sum within rounding of the point t may
land on the wrong side; max(0, 1 - e^(t - z)) is continuous, so this costs next to nothing, and that
is added to the radius.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple

import flint

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Monomial
from lapdp.core.errors import Unsupported
from lapdp.privacy.binomial_tails import binomial_profile
from lapdp.privacy.model import Model

MOST_SUMS = 1 << 20
"""Sums of losses in one half: forty different losses without common multiples."""
MOST_PRODUCTS = 1 << 22
"""Products of masses that the copies of one factor may take."""
FEW = 8
"""So many factors are joined one after the other."""
PAIR = 2
GUARD = 64
Law = dict[int, Any]


class Part(NamedTuple):
    """One factor, ``count`` times: P-mass and Q-mass by finite loss."""

    masses: dict[Form, tuple[Scalar, Scalar]]
    count: int

    @staticmethod
    def of(model: Model, count: int) -> Part:
        """The finite losses of a model of atoms."""
        masses: dict[Form, tuple[Scalar, Scalar]] = {}
        for a, b, z in model.atoms or ():
            if not a.is_zero():
                before = masses.get(z, (Scalar.of(0), Scalar.of(0)))
                masses[z] = (before[0] + a, before[1] + b)
        return Part(masses, count)

    def is_symmetric(self) -> bool:
        """Is -z an outcome with the masses of z exchanged, for each loss z?"""
        return all(-z in self.masses and self.masses[-z][0] == b and self.masses[-z][1] == a
                   for z, (a, b) in self.masses.items())

    def sums(self) -> int:
        """At most so many sums of its copies' losses."""
        return comb(self.count + len(self.masses) - 1, self.count)


def profile_ball(factors: Sequence[tuple[Model, int]], t: Any) -> Any:
    """An ``arb`` that contains delta at the exact number ``t``, at the current precision.

    ``factors`` are models of atoms without parameters, with their numbers of copies.  Raises
    :class:`Unsupported`, naming the size, where more than 2^20 sums are needed in a half.
    """
    parts = [Part.of(model, count) for model, count in factors]
    leak = _leak(factors)
    if not all(part.masses for part in parts):
        return leak
    if len(parts) == 1 and len(parts[0].masses) <= PAIR:
        return leak + binomial_profile(parts[0].masses, parts[0].count,
                                       exact_ball(t).real)
    halves, bits = split(parts), flint.ctx.prec
    with flint.ctx.workprec(bits + GUARD):
        return leak + _meet(halves, t, 2 * bits)


def _leak(factors: Iterable[tuple[Model, int]]) -> Any:
    """1 - prod (1 - p)^count."""
    exponent = flint.arb(0)
    for model, count in factors:
        p = enclose(model.p_infinite, {}).real
        if model.p_infinite == Scalar.of(1):
            return flint.arb(1)
        exponent += count * (-p).log1p()
    return -exponent.expm1()


# -- the split ------------------------------------------------------------------------------------


def split(parts: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Two halves with few sums each; losses that are multiples of one number stay together.

    >>> from lapdp import randomized_response
    >>> coins = [Part.of(randomized_response(n).model(), 1) for n in range(1, 200)]
    >>> [len(half) for half in split(coins)]
    [199, 0]
    """
    groups: dict[frozenset[Monomial], list[Part]] = {}
    for part in parts:
        groups.setdefault(frozenset(m for z in part.masses for m in z.terms), []).append(part)
    bundles: list[list[Part]] = []
    for group in groups.values():
        bundles += [group] if sums_of(group) <= MOST_SUMS else [[part] for part in group]
    halves: tuple[list[Part], list[Part]] = ([], [])
    for bundle in sorted(bundles, key=sums_of, reverse=True):
        halves[sums_of(halves[0]) > sums_of(halves[1])].extend(bundle)
    size = max(sums_of(half) for half in halves)
    if size > MOST_SUMS:
        raise Unsupported(
            f"the losses of {sum(p.count for p in parts)} factors have up to 2^"
            f"{sums_of(parts).bit_length() - 1} sums, and half of them 2^{size.bit_length() - 1}, "
            f"more than 2^{MOST_SUMS.bit_length() - 1}: make the losses multiples of a common "
            "step, rounded up for an upper bound")
    return halves


def sums_of(parts: Sequence[Part]) -> int:
    """At most so many different sums: choices, or places of the lattice of all losses."""
    places = 1
    for m in {m for part in parts for z in part.masses for m in z.terms}:
        _, step, reach = lattice(parts, m)
        places *= reach // step + 1
    return min(prod(part.sums() for part in parts), places)


def lattice(parts: Sequence[Part], m: Monomial) -> tuple[int, int, int]:
    """(d, step, reach): d times the coefficients of ``m`` in all sums are whole, lie in an interval
    of length ``reach`` and differ by multiples of ``step``."""
    found = [[z.terms.get(m, Fraction(0)) for z in part.masses] for part in parts]
    d = lcm(*(c.denominator for row in found for c in row))
    step = reach = 0
    for part, row in zip(parts, found, strict=True):
        whole = [int(c * d) for c in row]
        step = gcd(step, *(c - min(whole) for c in whole))
        reach += part.count * (max(whole) - min(whole))
    return d, step or 1, reach


# -- sums as whole numbers ------------------------------------------------------------------------


class Place(NamedTuple):
    """A real number as a whole multiple of the step, and by how many steps it may be off."""

    steps: int
    error: int


class Grid:
    """Losses as whole multiples of 2^-bits; linear over the rationals, up to errors."""

    def __init__(self, parts: Sequence[Part], bits: int) -> None:
        self.bits = bits
        forms = [z for part in parts for z in part.masses]
        self.denominators = {m: lcm(*(z.terms[m].denominator for z in forms if m in z.terms))
                             for m in {m for z in forms for m in z.terms}}
        self.units = {m: self._nearest(Form({m: Fraction(1, d)}))
                      for m, d in self.denominators.items()}
        self.error = sum(part.count * max(self.place(z).error for z in part.masses)
                         for part in parts)

    def _nearest(self, number: Any) -> int:
        with flint.ctx.workprec(2 * self.bits + GUARD):
            ball = enclose(number, {}) if isinstance(number, Form) else exact_ball(number)
            scaled = ball.real * flint.arb(2) ** self.bits
            if not scaled.rad() < 1:
                raise Unsupported(f"{number} is too large to be found to 2^-{self.bits}")
            return int(scaled.mid().floor().unique_fmpz())

    def multiples(self, z: Form) -> dict[Monomial, int]:
        """The coefficients of a loss in the units."""
        return {m: int(c * self.denominators[m]) for m, c in z.terms.items()}

    def place(self, z: Form) -> Place:
        """A loss of one of the factors."""
        found = self.multiples(z)
        return Place(sum(n * self.units[m] for m, n in found.items()),
                     sum(2 * abs(n) for n in found.values()))

    def point(self, t: Any) -> Place:
        """The point: where it is a sum of losses it has the place of that sum."""
        try:
            form = to_form(t)
        except Unsupported:
            form = None
        known = self.denominators
        if form is not None and all(m in known and (c * known[m]).denominator == 1
                                    for m, c in form.terms.items()):
            return self.place(form)
        return Place(self._nearest(t), 2)


def law(parts: Sequence[Part], grid: Grid, side: int) -> Law:
    """The P-masses (side 0) or Q-masses (side 1) of all sums of losses, by their places."""
    monomials = {m for part in parts for z in part.masses for m in z.terms}
    many = len(parts) > FEW or any(p.count > FEW and len(p.masses) > PAIR for p in parts)
    if many and len(monomials) == 1:
        return _on_a_lattice(parts, grid, monomials.pop(), side)
    found: Law = {0: flint.arb(1)}
    for part in parts:
        found = _joined(found, _power(part, grid, side))
    return found


def _power(part: Part, grid: Grid, side: int) -> Law:
    once: Law = {}
    for z, masses in part.masses.items():
        steps = grid.place(z).steps
        mass = enclose(masses[side], {}).real
        once[steps] = once[steps] + mass if steps in once else mass
    if len(once) == PAIR:
        (y, v), (z, w) = once.items()
        n = part.count
        return {j * y + (n - j) * z: flint.arb(comb(n, j)) * v**j * w ** (n - j)
                for j in range(n + 1)}
    if sums_of([part]) * len(once) * part.count > MOST_PRODUCTS:
        raise Unsupported(f"{part.count} copies of a pair with {len(once)} losses have too many "
                          "sums of losses")
    found = once
    for _ in range(part.count - 1):
        found = _joined(found, once)
    return found


def _joined(first: Law, second: Law) -> Law:
    if len(first) < len(second):
        first, second = second, first
    (y, v), *others = second.items()
    found = {z + y: w * v for z, w in first.items()}
    for y, v in others:
        for z, w in first.items():
            place = z + y
            if place in found:
                found[place] += w * v
            else:
                found[place] = w * v
    return found


def _on_a_lattice(parts: Sequence[Part], grid: Grid, m: Monomial, side: int) -> Law:
    """Polynomials in e^(-step s): a product of neighbours, then of neighbours of those."""
    polynomials, lowest, strides = [], 0, []
    rows = [{grid.multiples(z).get(m, 0): masses for z, masses in part.masses.items()}
            for part in parts]
    for row in rows:
        strides += [n - min(row) for n in row]
    stride = gcd(*strides) or 1
    for part, row in zip(parts, rows, strict=True):
        low = min(row)
        coefficients = [flint.arb(0)] * ((max(row) - low) // stride + 1)
        for n, masses in row.items():
            coefficients[(n - low) // stride] = enclose(masses[side], {}).real
        polynomials.append(flint.arb_poly(coefficients) ** part.count)
        lowest += part.count * low
    while len(polynomials) > 1:
        pairs = zip(polynomials[::2], polynomials[1::2], strict=False)
        odd = polynomials[-1:] if len(polynomials) % 2 else []
        polynomials = [p * q for p, q in pairs] + odd
    coefficients = list(polynomials[0])
    return {(lowest + i * stride) * grid.units[m]: w for i, w in enumerate(coefficients)
            if not w.is_zero()}


# -- the meeting ----------------------------------------------------------------------------------


def _meet(halves: tuple[list[Part], list[Part]], t: Any, bits: int) -> Any:
    grid = Grid([*halves[0], *halves[1]], bits)
    point = grid.point(t)
    blur = grid.error + point.error
    laws = [law(half, grid, 0) for half in halves]
    places = [sorted(found) for found in laws]
    masses = [[found[z] for z in keys] for found, keys in zip(laws, places, strict=True)]
    if all(part.is_symmetric() for half in halves for part in half):
        # the Q-mass of z is the P-mass of -z
        duals = [row[::-1] for row in masses]
    else:
        others = [law(half, grid, 1) for half in halves]
        duals = [[found[z] for z in keys] for found, keys in zip(others, places, strict=True)]
    p_above, q_above = _from_above(masses[0]), _from_above(duals[0])
    far = 2 * blur + abs(point.steps) + sum(max(abs(row[0]), abs(row[-1])) for row in places)
    keys = [-2 * far, *places[0], 2 * far]
    start = len(keys) - 1
    total_p = total_q = flint.arb(0)
    near = False
    for z, p, q in zip(places[1], masses[1], duals[1], strict=True):
        level = point.steps - z
        while keys[start - 1] > level:
            start -= 1
        if keys[start] - level <= blur or level - keys[start - 1] <= blur:
            near = True
        total_p += p * p_above[start - 1]
        total_q += q * q_above[start - 1]
    found = total_p - exact_ball(t).real.exp() * total_q
    if near:
        # |1 - e^(t - z)| on the wrong side, times a mass of at most 1
        error = (flint.arb(2 * blur) / flint.arb(2) ** bits).expm1().upper()
        found += flint.arb(0, error)
    return found


def _from_above(masses: list[Any]) -> list[Any]:
    """The sums of all masses from each place on, and from beyond the last."""
    found = list(accumulate(reversed(masses), initial=flint.arb(0)))
    found.reverse()
    return found


__all__ = ["MOST_SUMS", "profile_ball", "split"]
