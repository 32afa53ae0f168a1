"""The hockey-stick integral of few continuous losses, their densities being piecewise polynomials.

The transform of a polynomial p on [a, b] is e^(-a s) R_a - e^(-b s) R_b, R_c the sum of p^(i)(c)
v^(i+1) at v = 1/s.  So the law of a sum of losses has a polynomial in v for each sum of
breakpoints, and v^i at c stands for (z - c)^(i-1)/(i - 1)! on z > c, or for its negative on z < c,
as all of them cancel beyond the last breakpoint.  With h = |t - c|, against max(0, 1 - e^(t - z))
these give the sums over n > i of

    (-1)^(n+1) h^n/n!   from the right,   and h^n/n!   from the left, against max(0, e^(t - z) - 1).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import flint

from lapdp.accounting.moments.approximants import Approximant
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_SUMS = 3_000
"""Sums of breakpoints."""
ENOUGH, MOST_LOCAL, SPARE = 20, 60, 24
"""Values at each of them after which polynomials between them are worth their work; so many of
them at most; bits more than are needed."""


@dataclass(frozen=True)
class Continuous:
    """A continuous part of a law: breakpoints, and approximants between some of them."""

    places: tuple[Any, ...]
    parts: tuple[tuple[int, int, Approximant], ...]
    """(lower breakpoint, upper breakpoint, density)."""
    atoms: tuple[tuple[int, Any], ...] = ()
    """(breakpoint, mass), where the law is whole."""

    @property
    def share(self) -> Any:
        """A bound of the relative error of the density."""
        found = flint.arb(0)
        for _, _, part in self.parts:
            found = found.max(part.share)
        return found.upper()

    @property
    def degree(self) -> int:
        """The largest degree of a density, and 1."""
        return max((len(part.coefficients) for _, _, part in self.parts), default=1)

    def transform(self) -> list[Any]:
        """For each breakpoint the polynomial in v = 1/s."""
        found = [flint.arb_poly([])] * len(self.places)
        for low, high, part in self.parts:
            ends = self.places[low], self.places[high]
            found[low] += flint.arb_poly([0, *part.derivatives(-1, *ends)])
            found[high] -= flint.arb_poly([0, *part.derivatives(1, *ends)])
        for place, mass in self.atoms:
            found[place] += flint.arb_poly([mass])
        return found


Counts = tuple[int, ...]


class Sums:
    """The laws of sums of 0, 1, ... losses of one continuous part."""

    def __init__(self, part: Continuous) -> None:
        self.part = part
        self.once = part.transform()
        self.laws: list[dict[Counts, Any]] = [
            {(0,) * len(part.places): flint.arb_poly([1])}]

    def law(self, draws: int) -> dict[Counts, Any]:
        """A polynomial for each sum of breakpoints, by how often each of them occurs."""
        while len(self.laws) <= draws:
            spend(13 * len(self.once) * sum(len(p) for p in self.laws[-1].values()))
            found: dict[Counts, Any] = {}
            for counts, p in self.laws[-1].items():
                for j, q in enumerate(self.once):
                    key = (*counts[:j], counts[j] + 1, *counts[j + 1:])
                    found[key] = found[key] + p * q if key in found else p * q
            if len(found) > MOST_SUMS:
                raise Unsupported(f"{draws} losses have {len(found)} sums of breakpoints, more "
                                  f"than {MOST_SUMS}")
            self.laws.append(found)
        return self.laws[draws]

    def spread(self, draws: int) -> tuple[Any, Any]:
        """The least and the largest sum."""
        return self.part.places[0] * draws, self.part.places[-1] * draws

    def place(self, counts: Counts) -> Any:
        """The sum of breakpoints."""
        return sum((n * c for n, c in zip(counts, self.part.places, strict=True)), flint.arb(0))


class Integrals:
    """The two integrals of one law, a polynomial for each breakpoint, for every t.

    With C_n the sum of its first coefficients, c_0 to c_n, a polynomial at c contributes -S(t - c)
    from the right and S(t - c) from the left, S(x) the sum of C_(n-1) x^n/n! over n >= 1; c_0 is
    the mass of an atom.  So for all t one polynomial is evaluated at each breakpoint; ``precision``
    is that of the law, on which its last terms depend.

    >>> ends = [(flint.arb(0), flint.arb_poly([0, 1])), (flint.arb(1), flint.arb_poly([0, -1]))]
    >>> found = Integrals(ends, 64)  # a density of 1 on [0, 1]
    >>> x = found.from_right(flint.arb("1/2"))  # the integral of 1 - e^-x up to 1/2
    >>> x.overlaps(flint.arb("-1/2").exp() - flint.arb("1/2")), x.rad() < 1e-15
    (True, True)
    """

    def __init__(self, law: Sequence[tuple[Any, Any]], precision: int, bits: int = 0) -> None:
        self.law, self.precision = law, precision
        self.spent, self.local = 0, {side: Local(self, side, bits) for side in (-1, 1)
                                     } if bits and len(law) <= MOST_LOCAL else {}
        """Polynomials evaluated; short ones between breakpoints, where so many bits will do."""
        places = [float(place) for place, _ in law]
        self.reach = max(1.0, 1.001 * (max(places) - min(places)))
        """|t - c| for which the polynomials are; they are made anew for others."""
        self._series: dict[int, tuple[Any, int, Any]] = {}
        self._lengths: dict[int, int] = {}

    @cached_property
    def size(self) -> int:
        """Bits of all polynomials, nearly."""
        return sum(self._length(p) + len(p) for _, p in self.law) * (self.precision + 512) * (
            3 if self.local else 1)

    def from_right(self, t: Any) -> Any:
        """Against max(0, 1 - e^(t - z))."""
        return -self._sum(t, -1)

    def from_left(self, t: Any) -> Any:
        """Against max(0, e^(t - z) - 1)."""
        return self._sum(t, 1)

    def _sum(self, t: Any, side: int) -> Any:
        if self.spent > ENOUGH * len(self.law) and self.local:
            short = self.local[side].at(t)
            if short is not None:
                return short
        found = flint.arb(0)
        for i, (place, _) in enumerate(self.law):
            h = _positive(side * (t - place))
            if h is not None:
                self.spent += 1
                found += self._at(i, side * h)
        return found

    def _at(self, i: int, x: Any) -> Any:
        """S, its terms beyond the polynomial by |C| |x|^n/n! e^|x| for the first of them."""
        away = abs(x).upper()
        if away > self.reach:
            self.reach = 2 * float(away)
            self._series, self._lengths = {}, {}
        series, beyond, rest = self.series(i)
        return series(x) + flint.arb(0, (rest * away**beyond * away.exp()).upper())

    def series(self, i: int) -> tuple[Any, int, Any]:
        """S of one breakpoint, the next n, and |C|/n! there."""
        if i not in self._series:
            self._series[i] = self._made(self.law[i][1])
        return self._series[i]

    def _made(self, p: Any) -> tuple[Any, int, Any]:
        """The polynomial, the next n, and |C|/n! there."""
        coefficients, last = p.coeffs(), self._length(p) - 1
        total = coefficients[0] if coefficients else flint.arb(0)
        found, factorial = [flint.arb(0), total], flint.fmpz(1)
        for n in range(2, last + 1):
            if n - 1 < len(coefficients):
                total += coefficients[n - 1]
            factorial *= n
            found.append(total / factorial)
        return flint.arb_poly(found), last + 1, abs(total) / (factorial * (last + 1))

    def _length(self, p: Any) -> int:
        """Terms after which all others are negligible beside the first one whose C is the last."""
        degree = max(p.degree(), 1)
        if degree not in self._lengths:
            n, fall = degree + 2, -self.reach / math.log(2)
            while fall < self.precision:
                n += 1
                fall += math.log2(n / self.reach)
            self._lengths[degree] = n
        return self._lengths[degree]


class Local:
    """A short polynomial for each interval between neighbouring breakpoints, from one side.

    Lemma.  Let c_i, i in J, be the breakpoints on one side of t, m any number and S_i = A_i + B_i
    with the polynomial A_i and |B_i(x)| <= |C_i| |x|^n/n! e^|x|, n = n_i.  Then the sum of the
    S_i(t - c_i) is P(t - m) + B, P the sum of all A_i(x + m - c_i) and |B| at most the sum of
    |C_i| r^n/n! e^r, if all |t - c_i| <= r.  With P = sum a_k x^k, |t - m| <= w, and any subset of
    its terms left out, these add at most the sum of their |a_k| w^k.
    Proof.  The first is Taylor's formula, which for polynomials is an identity, the bounds of the
    B_i rising with |x|; the second is the triangle inequality.

    P for one breakpoint more is that of those before, at another m, and one A.  So numbers cancel
    once for an interval, not for every t.  What is left out, and m, the order of the breakpoints
    and w, are choices: that t lies where a polynomial serves is seen in balls.
    """

    def __init__(self, law: Integrals, side: int, bits: int) -> None:
        self.law, self.side, self.bits = law, side, bits
        self.order: list[int] = []
        self.sums: list[tuple[Any, Any]] = []
        """By how many breakpoints: P, m."""
        self.short: dict[int, tuple[Any, Any, float]] = {}
        self.reach = 0.0

    def at(self, t: Any) -> Any | None:
        """The sum, within about 2^-bits of it; None where that is not reached."""
        if self.reach != self.law.reach:
            self._start()
        j = bisect_left(self.floats, self.side * float(t))
        if not 0 < j < len(self.order):
            return None
        here = self.side * t
        # those before lie on the side, all others do not, and none is too far
        if not (self.last[j - 1] < here < self.next[j]
                and here - self.least <= self.far[j]):
            return None
        poly, m, w = self.after(j)
        x = t - m
        if not abs(x) <= w:
            return None
        with workprec(self.bits + 2 * SPARE):
            found = poly(x)
        return found if found.rel_accuracy_bits() >= self.bits else None

    def after(self, j: int) -> tuple[Any, Any, float]:
        """Beyond the first j breakpoints: a polynomial in t - m, m, and a bound of |t - m|."""
        if self.reach != self.law.reach:
            self._start()
        if j not in self.short:
            self.short[j] = self._made(j)
        return self.short[j]

    def _start(self) -> None:
        """For the reach of the law."""
        self.reach, self.sums, self.short = self.law.reach, [], {}
        places = [self.side * place for place, _ in self.law.law]
        self.order = sorted(range(len(places)), key=lambda i: float(places[i]))
        there = [places[i] for i in self.order]
        self.floats = [float(x) for x in there]
        self.last = list(accumulate((x.upper() for x in there), flint.arb.max))
        self.next = list(accumulate((x.lower() for x in reversed(there)), flint.arb.min))[::-1]
        self.least = self.next[0]
        self.far = [1.001 * (x - self.floats[0]) for x in self.floats]
        """r by how many breakpoints lie on the side."""

    def _made(self, j: int) -> tuple[Any, Any, float]:
        """That of the first j breakpoints."""
        while len(self.sums) < j:
            n = len(self.sums)
            m = self.side * flint.arb((self.floats[n] + self.floats[n + 1]) / 2)
            i = self.order[n]
            whole = self.law.series(i)[0](flint.arb_poly([m - self.law.law[i][0], 1]))
            if n:
                before, other = self.sums[-1]
                whole += before(flint.arb_poly([m - other, 1]))
            self.sums.append((whole, m))
        whole, m = self.sums[j - 1]
        far = flint.arb(self.far[j])
        off = sum((rest * far**beyond for _, beyond, rest in map(
            self.law.series, self.order[:j])), flint.arb(0)) * far.exp()
        w = 0.501 * (self.floats[j] - self.floats[j - 1])
        sizes, power, width = [], flint.arb(1), flint.arb(w)
        for a in whole.coeffs():
            sizes.append((abs(a) * power).upper())
            power *= width
        goal = max(sizes) * flint.arb(2) ** -(self.bits + SPARE)
        left, kept = off.upper(), len(sizes)
        while kept > 1 and (more := (left + sizes[kept - 1]).upper()) < goal:
            left, kept = more, kept - 1
        with workprec(self.bits + 2 * SPARE):
            # rounded, with what that takes in the radius
            short = [+a for a in whole.coeffs()[:kept]]
        short[0] += flint.arb(0, left.upper())
        return flint.arb_poly(short), m, w


def _positive(h: Any) -> Any | None:
    """max(h, 0); None where it is 0."""
    return h.max(flint.arb(0)) if h.upper() > 0 else None


__all__ = ["Continuous", "Integrals", "Local", "Sums"]
