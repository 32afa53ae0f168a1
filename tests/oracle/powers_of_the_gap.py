"""delta(eps) of Laplace mechanisms, sampled ones and responses as power series below the top loss.

Let s be the largest loss less the loss, under P.  One release has an atom at s = 0, a density f,
analytic for |s| < R, on (0, S), and an atom at S.  Where s^n/n! is written v^(n+1), convolution is
multiplication, so the law of k releases is (A + f - T f_S + B T)^k, if T is a shift by S and f_S
the series of the same density about S, and

    delta(top - gap) = the sum over shifts T of (v^2/(1 + v) times the series) at gap - T,

for 1 - e^-x, the excess of a loss that is x above eps, is v^2/(1 + v).  It holds for gap < R.
Nothing is shared with lapdp but the numbers of FLINT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

BITS = 600


def ball(x: Fraction) -> Any:
    """A ball around a fraction, at the working precision."""
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


@dataclass(frozen=True)
class Part:
    """So many Laplace mechanisms of a scale on Poisson samples, or responses where the rate is 0.

    ``way`` is "remove" for (w P + (1 - w) Q, Q) and "add" for (Q, w P + (1 - w) Q); a response
    has its eps in ``scale``.
    """

    scale: Fraction
    rate: Fraction
    way: str
    copies: int

    def ends(self) -> tuple[Any, Any, Any]:
        """The largest loss, S and R."""
        if not self.rate:
            return ball(self.scale), 2 * ball(self.scale), flint.arb(10) ** 9
        q, c = ball(self.rate), 1 / ball(self.scale)
        high, low = 1 + q * c.expm1(), 1 + q * (-c).expm1()
        span = (high / low).log()
        if self.rate == 1:
            return c, span, flint.arb(10) ** 9
        if self.way == "remove":
            return high.log(), span, (high / (1 - q)).log()
        return -low.log(), span, (low / (1 - q)).log()

    def atoms(self) -> tuple[Any, Any]:
        """The P-masses of the largest loss and of the smallest one."""
        if not self.rate:
            odds = ball(self.scale).exp()
            return odds / (1 + odds), 1 / (1 + odds)
        q, c = ball(self.rate), 1 / ball(self.scale)
        # of Q at l = c and at l = -c
        at = (-c).exp() / 2, flint.arb(1) / 2
        if self.way == "remove":
            return (1 + q * c.expm1()) * at[0], (1 + q * (-c).expm1()) * at[1]
        return at[1], at[0]

    def density(self, start: Any, terms: int) -> list[Any]:
        """n! times the coefficients of f about a place: z^2/(z - 1 + q) or z/(z - 1 + q) times that
        of l under Q, e^(-l/2 - c/2)/4, where z = 1 - q + q e^l is its largest value times e^-s, or
        its least times e^s."""
        if not self.rate:
            return [flint.arb(0)] * terms
        q, c = ball(self.rate), 1 / ball(self.scale)
        removed = self.way == "remove"
        sign = -1 if removed else 1
        z = (1 + q * (c if removed else -c).expm1()) * (sign * start).exp()
        cap, flint.ctx.cap = flint.ctx.cap, terms
        try:
            whole = z * flint.arb_series([0, sign], terms).exp()
            rest = (whole - 1 + q) / q
            # e^(-l/2) = rest^(-1/2)
            found = whole / q / (rest * rest.sqrt()) * (-c / 2).exp() / 4
            if removed:
                found = found * whole
            series = [found[n] for n in range(terms)]
        finally:
            flint.ctx.cap = cap
        size = flint.arb(1)
        for n in range(terms):
            size *= max(n, 1)
            series[n] *= size
        return series


def largest(parts: Sequence[Part]) -> Any:
    """The largest loss of all."""
    return sum((p.copies * p.ends()[0] for p in parts), flint.arb(0))


def reach(parts: Sequence[Part]) -> Any:
    """The gap up to which the series converge."""
    found = parts[0].ends()[2]
    for p in parts[1:]:
        found = found.min(p.ends()[2])
    return found


def below_the_top(parts: Sequence[Part], gap: Any, terms: int) -> Any:
    """delta at ``gap`` below the largest loss, to what so many terms give."""
    laws: list[tuple[Any, Any]] = [(flint.arb(0), flint.arb_poly([1]))]

    def times(x: list[tuple[Any, Any]], y: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        found: dict[str, tuple[Any, Any]] = {}
        for a, one in x:
            for b, other in y:
                if a + b > gap:
                    continue
                poly = flint.arb_poly((one * other).coeffs()[:terms])
                name = (a + b).str(60, radius=False)
                found[name] = (a + b, found[name][1] + poly) if name in found else (a + b, poly)
        return list(found.values())

    for p in parts:
        _, span, _ = p.ends()
        top, least = p.atoms()
        near = flint.arb_poly([top, *p.density(flint.arb(0), terms - 1)])
        one = [(flint.arb(0), near)]
        if not span > gap:
            far = p.density(span, terms - 1)
            one.append((span, flint.arb_poly([least, *(-x for x in far)])))
        power, many = one, p.copies
        while many:
            if many & 1:
                laws = times(laws, power)
            many >>= 1
            if many:
                power = times(power, power)
    total = flint.arb(0)
    kernel = flint.arb_poly([0, 0, *((-1) ** n for n in range(terms - 2))])
    for shift, poly in laws:
        x, found, power = gap - shift, flint.arb(0), flint.arb(1)
        for n, c in enumerate((poly * kernel).coeffs()[1:terms]):
            power = power * x / n if n else power
            found += c * power
        total += found
    return total
