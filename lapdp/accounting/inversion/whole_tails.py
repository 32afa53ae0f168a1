"""Tails of discrete Gaussian noise, and its profile.

Noise x of variance parameter v has the mass e^(-x^2/(2 v))/theta_3(0).  Let T(m) be that of all x
>= m; T(m) = 1 - T(1 - m).  With the shift d the loss x d/v - d^2/(2 v) rises with x, so

    delta(t) = T(m - d) - e^t T(m),   m the least whole number with a loss above t,

and at a number whose loss is t it does not matter whether it counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.theta import all_masses
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_TERMS, TERM = 100_000, 1.0
"""Of one sum, and steps for each."""


class Tails:
    """T at a precision; what has been summed up serves other places."""

    def __init__(self, variance: Any) -> None:
        self.variance = variance
        self.whole = all_masses(variance)
        self.known: dict[int, Any] = {}

    def at(self, m: int) -> Any:
        """T(m), with a small relative error for m > 0.

        From x > 0 on each mass is at most e^(-x/v) times the one before it.
        """
        if m <= 0:
            return 1 - self.at(1 - m)
        if m in self.known:
            return self.known[m]
        double = 2 * self.variance
        mass, step = (-flint.arb(m) ** 2 / double).exp(), (-flint.arb(2 * m + 1) / double).exp()
        turn, total, x = (-1 / self.variance).exp(), flint.arb(0), m
        while x not in self.known:
            if x - m >= MOST_TERMS:
                raise Unsupported(f"a tail of discrete noise has more than {MOST_TERMS} terms")
            spend(TERM)
            total += mass
            mass, step, x = mass * step, step * turn, x + 1
            rest = (mass / (1 - step)).upper()
            if rest < total * flint.arb(2) ** -flint.ctx.prec:
                total = (total + flint.arb(0).union(rest)) / self.whole
                break
        else:
            total = total / self.whole + self.known[x]
        self.known[m] = total
        return total


@lru_cache(maxsize=32)
def _tails(variance: Number, bits: int) -> Tails:
    with workprec(bits):
        return Tails(variance.ball())


def profile(variance: Number, shift: int, t: Any) -> Any:
    """delta at a ball, at the working precision; not finite where balls do not tell m.

    >>> import sympy as sp
    >>> print(profile(Number(sp.Integer(1)), 1, flint.arb(0)).str(10, radius=False))
    0.3989422783
    """
    v = variance.ball()
    place = t * v / shift + flint.arb(shift) / 2
    if not place.is_finite():
        return flint.arb.nan()
    first, last = (int(x.floor().unique_fmpz()) + 1 for x in (place.lower(), place.upper()))
    if last - first > 1:
        return flint.arb.nan()
    tails, found = _tails(variance, flint.ctx.prec), None
    for m in range(first, last + 1):
        value = tails.at(m - shift) - t.exp() * tails.at(m)
        found = value if found is None else found.union(value)
    return found


__all__ = ["Tails", "profile"]
