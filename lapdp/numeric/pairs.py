"""Numeric pairs (P, Q): outcomes with exact masses, parts with densities; notions by definition.

The loss log(P/Q) of a part is strictly monotone; where a density pair has a constant loss, or one
of the two densities vanishes, the part is an atom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from mpmath import mp

from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.numeric.parts import Part, exact, number
from lapdp.numeric.quadrature import integrate
from lapdp.numeric.tails import Number

_INTEGRAL = 300
"""What an integral over a part counts, in evaluations."""
WIDEST = 1024
"""Losses beyond which no threshold is sought."""

Outcome = tuple[Fraction, Fraction]


class Pair:
    """One pair (P, Q) with its privacy notions, each evaluated by its definition.

    >>> coin = Pair([(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))])
    >>> mp.nstr(coin.profile(mp.mpf(0)), 5)
    '0.5'
    """

    def __init__(self, atoms: Iterable[tuple[Any, Any]], parts: Iterable[Part] = ()) -> None:
        self.outcomes: list[Outcome] = [
            (exact(p), exact(q)) for p, q in atoms if p != 0 or q != 0
        ]
        self.parts = tuple(parts)
        self.tick: Callable[[int], None] = lambda cost: None
        self.snap = mp.mpf(10) ** -(mp.dps - 8)
        self._at: dict[int, list[tuple[Number, Number]]] = {}
        self._seen: dict[Any, Number] = {}

    @cached_property
    def reverse(self) -> Pair:
        """The pair (Q, P)."""
        return Pair([(q, p) for p, q in self.outcomes], [part.reverse() for part in self.parts])

    def masses(self) -> list[tuple[Number, Number]]:
        """Masses of the outcomes at the current precision."""
        if mp.prec not in self._at:
            self._at[mp.prec] = [(number(p), number(q)) for p, q in self.outcomes]
        return self._at[mp.prec]

    @cached_property
    def losses(self) -> list[tuple[Number, Fraction]]:
        """Atoms (z, P-mass) of the loss, equal ratios merged, z = +oo where Q has no mass."""
        merged: dict[Any, Fraction] = {}
        for p, q in self.outcomes:
            if p:
                ratio = p / q if q else None
                merged[ratio] = merged.get(ratio, Fraction(0)) + p
        return [
            (mp.inf if r is None else mp.log(r.numerator) - mp.log(r.denominator), m)
            for r, m in merged.items()
        ]

    @cached_property
    def breaks(self) -> list[Number]:
        """Finite values of the loss at which profile or distribution function are not smooth."""
        found = {z for z, _ in self.losses if not mp.isinf(z)}
        for part in self.parts:
            found |= {z for z in (part.low, part.high) if not mp.isinf(z)}
        return sorted(found)

    def profile(self, eps: Number) -> Number:
        """Sum and integral of max(0, P - e^eps Q), equation (6)."""
        x = mp.exp(eps)
        zero = mp.mpf(0)
        total = zero
        for p, q in self.masses():
            total += max(zero, p if q == 0 else p - x * q)
        for part in self.parts:
            where = part.above(eps)
            if where is not None:
                key = ("both", id(part), where, mp.prec)
                first, second = self._once(key, partial(part.both, *where))
                total += first - x * second
        return total

    def cdf(self, x: Number, strict: bool = False) -> Number:
        """Pr[Z <= x], or Pr[Z < x]."""
        total = Fraction(0)
        for z, mass in self.losses:
            near = self._same(z, x)
            if (near and not strict) or (not near and z < x):
                total += mass
        result = number(total)
        for part in self.parts:
            where = part.below(x)
            if where is not None:
                result += self._once(("one", id(part), where, mp.prec),
                                     partial(part.mass, 0, *where))
        return result

    def trade_off(self, level: Number) -> Number:
        """Least 1 - E_Q[phi] with E_P[phi] <= level: the greatest of e^-x (1 - level - delta(x)),
        which is where Pr[Z <= x] passes the level (Neyman and Pearson).

        >>> half = density(lambda x: mp.mpf(1), lambda x: x + 0.5, (0, 1))
        >>> mp.nstr(half.trade_off(mp.mpf("0.75")), 8)    # reject above 1/4
        '0.15625'
        """
        if level == 0:
            return 1 - self.reverse.mass_at(mp.inf)
        x = self._passed(level)
        return max(mp.mpf(0), (1 - level - self.profile(x)) * mp.exp(-x))

    def _passed(self, level: Number) -> Number:
        """Where Pr[Z <= x] passes a level: at an atom, or by chords and halves in turn, near enough
        for a tangent, whose error is of second order."""
        low, high = mp.mpf(-1), mp.mpf(1)
        while self.cdf(low) > level and low > -WIDEST:
            low *= 2
        while self.cdf(high) < level and high < WIDEST:
            high *= 2
        for z in self.breaks:
            if self.cdf(z, strict=True) <= level <= self.cdf(z):
                return z
            if low < z < high:
                low, high = (z, high) if self.cdf(z) < level else (low, z)
        ends = [self.cdf(low) - level, self.cdf(high, strict=True) - level]
        for k in range(2 * mp.prec):
            chord = k % 3 and ends[0] < 0 < ends[1]
            x = low + (high - low) * (ends[0] / (ends[0] - ends[1]) if chord else mp.mpf(1) / 2)
            gap = self.cdf(x) - level
            if abs(gap) < mp.ldexp(1, -mp.prec // 2):
                return x
            if gap < 0:
                low, ends[0] = x, gap
            else:
                high, ends[1] = x, gap
        return high

    def mass_at(self, x: Number) -> Number:
        """Pr[Z = x]."""
        return number(sum((m for z, m in self.losses if self._same(z, x)), Fraction(0)))

    def _same(self, z: Number, x: Number) -> bool:
        """Is a loss the point asked for?  Up to rounding: a point may be computed as -(-z)."""
        if mp.isinf(z) or mp.isinf(x):
            return bool(z == x)
        return bool(abs(z - x) <= self.snap * (1 + abs(z)))

    def density(self, x: Number) -> Number:
        """The regular part of the density of Z at ``x``."""
        total = mp.mpf(0)
        for part in self.parts:
            if part.low < x < part.high:
                y = part.at(x)
                total += part.p(y) / abs(mp.diff(part.loss, y))
        return total

    def moment(self, q: Number) -> Number:
        """Sum and integral of P^q Q^(1-q), equation (8), with limits where a mass vanishes."""
        total = mp.mpf(0)
        for a, b in self.masses():
            if a and b:
                total += mp.exp(q * mp.log(a) + (1 - q) * mp.log(b))
            else:
                total += _power(a, q) * _power(b, 1 - q)
        for part in self.parts:
            def power(x: Number, part: Part = part) -> Number:
                return mp.exp(q * mp.log(part.p(x)) + (1 - q) * mp.log(part.q(x)))

            total += part.integral(power, [])
        if mp.isnan(total):
            raise Undefined("the moment has no value at this order")
        return total

    def expectation(self, body: Callable[[Number], Number], kinks: Callable[[], list[Number]]
                    ) -> Number:
        """Expectation under P of ``body`` of the loss; it is not smooth at ``kinks``."""
        total = mp.mpf(0)
        for z, mass in self.losses:
            total += number(mass) * body(z)
        for part in self.parts:
            def weighted(x: Number, part: Part = part) -> Number:
                return body(part.loss(x)) * part.p(x)

            total += part.integral(weighted, kinks())
        if mp.isnan(total):
            raise Undefined("the expectation has no value")
        return total

    def over_space(self, body: Callable[[Number, Number], Number],
                   kinks: Callable[[], list[Number]]) -> Number:
        """Sum and integral over the space of ``body(p, q)``, not smooth at losses ``kinks``."""
        total = mp.mpf(0)
        for p, q in self.masses():
            total += body(p, q)
        for part in self.parts:
            def there(x: Number, part: Part = part) -> Number:
                return body(part.p(x), part.q(x))

            total += part.integral(there, kinks())
        return total

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if len(self._seen) > 20000:
            self._seen.clear()
        if key not in self._seen:
            self.tick(_INTEGRAL)
            self._seen[key] = make()
        return self._seen[key]

    def mixed(self, rows: list[list[Number]]) -> Pair:
        """The pair of two mixtures of P and Q, weights row by row.

        Raises :class:`Undefined` where a weight is negative or a row does not sum to 1.
        """
        (a, b), (c, d) = ([exact(w) for w in row] for row in rows)
        near = Fraction(1, 10**20)
        if min(a, b, c, d) < 0 or abs(a + b - 1) > near or abs(c + d - 1) > near:
            raise Undefined("a mixture whose weights make no distribution")
        atoms = [(a * p + b * q, c * p + d * q) for p, q in self.outcomes]
        if a * d == b * c:
            # equal members: the loss is 0
            return Pair([(Fraction(1), Fraction(1))])
        weights = [number(w) for w in (a, b, c, d)]
        parts = []
        for part in self.parts:
            def first(x: Number, part: Part = part) -> Number:
                return weights[0] * part.p(x) + weights[1] * part.q(x)

            def second(x: Number, part: Part = part) -> Number:
                return weights[2] * part.p(x) + weights[3] * part.q(x)

            parts.append(Part(first, second, part.lower, part.upper))
        return Pair(atoms, parts)

    def times(self, other: Pair) -> Pair:
        """The product of two independent pairs; at most one may have densities."""
        if self.parts and other.parts:
            raise Unsupported("the numeric column has no product of two density pairs")
        atoms = [(p * a, q * b) for p, q in self.outcomes for a, b in other.outcomes]
        dense, finite = (self, other) if self.parts else (other, self)
        parts = []
        for part in dense.parts:
            for a, b in finite.masses():
                if a and b:
                    parts.append(Part(lambda x, f=part.p, a=a: a * f(x),
                                      lambda x, f=part.q, b=b: b * f(x), part.lower, part.upper))
                else:
                    atoms.append((exact(a * integrate(part.p, part.lower, part.upper)),
                                  exact(b * integrate(part.q, part.lower, part.upper))))
        return Pair(atoms, parts)


def _power(mass: Number, q: Number) -> Number:
    """mass ** q, with the limit at mass 0: 0, 1 or oo, undefined where it oscillates."""
    if mass != 0:
        return mp.power(mass, q)
    if q == 0:
        return mp.mpf(1)
    if mp.re(q) > 0:
        return mp.mpf(0)
    if mp.im(q) == 0:
        return mp.inf
    raise Undefined("a power of a vanishing mass has no limit at this complex order")


def finite(atoms: Iterable[tuple[Any, Any]]) -> Pair:
    """A pair with finitely many outcomes; rounded masses are brought to sum 1 exactly."""
    rows = [[exact(p), exact(q)] for p, q in atoms]
    if any(m < 0 for row in rows for m in row):
        raise InputError("the masses of a pair must not be negative")
    for side in (0, 1):
        largest = max(rows, key=lambda row: row[side])
        largest[side] += 1 - sum(row[side] for row in rows)
    return Pair([(p, q) for p, q in rows])


def density(p: Any, q: Any, support: tuple[Any, Any], kinks: Iterable[Any] = ()) -> Pair:
    """A pair with densities on ``support``, smooth between ``kinks`` and of monotone loss there.

    >>> e = density(lambda x: mp.exp(-x), lambda x: 2 * mp.exp(-2 * x), (0, mp.inf))
    >>> mp.nstr(e.profile(mp.mpf(0)), 5)
    '0.25'
    """
    lower, upper = mp.mpf(support[0]), mp.mpf(support[1])
    cuts = [lower, *sorted(mp.mpf(k) for k in kinks if lower < k < upper), upper]
    atoms, parts = [], []
    for a, b in pairwise(cuts):
        if _constant(p, q, a, b):
            atoms.append((exact(integrate(p, a, b)), exact(integrate(q, a, b))))
        else:
            parts.append(Part(p, q, a, b))
    if not parts:
        return finite(atoms)
    return Pair(atoms, parts)


def _constant(p: Any, q: Any, a: Number, b: Number) -> bool:
    left = a if not mp.isinf(a) else (b - 3 if not mp.isinf(b) else mp.mpf(-1))
    right = b if not mp.isinf(b) else left + 3
    x, y = left + (right - left) * mp.mpf("0.3"), left + (right - left) * mp.mpf("0.8")
    if p(x) == 0 or q(x) == 0:
        return True
    return bool(abs(p(x) * q(y) - p(y) * q(x)) <= mp.mpf(10) ** (8 - mp.dps) * p(x) * q(y))
