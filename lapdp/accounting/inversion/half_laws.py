"""The atoms of one loss in doubles, the rarest first, and small ones taken together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
import numpy as np
import sympy as sp

from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

PRECISION, MOST_ATOMS, LEAST = 256, 400, 1e-290
"""Bits of balls; atoms of one release; masses of doubles."""
ORDERS, SELDOM = 48, 1e-3
"""Orders of bounds that are tried; so often an atom is not counted on."""
PARTS, TERMS = 64, 10
"""Of a table of e^x, and of a series."""


@dataclass(frozen=True, eq=False)
class Atoms:
    """Losses and masses of a release, the rarest first, what is taken together last, and how many
    of it there are."""

    losses: Any
    masses: Any
    copies: int
    balls: list[tuple[Any, Any]]
    """(loss, mass)."""
    rest: float
    """At most the mass of all others."""

    @cached_property
    def tails(self) -> list[float]:
        """At least the masses of all from one on."""
        return [(1 + 1e-12) * float(x) for x in np.cumsum(self.masses[::-1])[::-1]]

    def likely(self, copies: int) -> float:
        """About the logarithm of the number of sums of so many copies: a choice."""
        many = len(self.masses)
        return min(math.lgamma(copies + many) - math.lgamma(copies + 1) - math.lgamma(many),
                   sum(math.log1p(4 * math.sqrt(copies * p)) for p in self.masses.tolist()[:-1]
                       if copies * p > SELDOM))


@dataclass(frozen=True, eq=False)
class Faint:
    """Losses that are taken together: their ratio R over that of all of them."""

    copies: int
    variance: Any
    """Of R under Q."""
    orders: list[float]
    moments: tuple[list[float], list[float]]
    """Bounds of the logarithms of E_Q[R^-s] and of E_P[R^s]."""


def atoms(spectrum: Any, copies: int, bits: int) -> Atoms:
    """Those of a spectrum, rare ones left out that have less than 2^-bits of all mass together.

    >>> from lapdp import poisson, discrete_gaussian
    >>> from lapdp.accounting.moments.releases import releases
    >>> (s, k), = releases(poisson(discrete_gaussian(1), "1/2", direction="add")**3).parts
    >>> found = atoms(s, k, 40)
    >>> found.copies, round(float(found.masses.sum()), 9), found.rest < 1e-11
    (3, 1.0, True)
    """
    with workprec(PRECISION + bits):
        if isinstance(spectrum, ExactSpectrum):
            if not spectrum.is_atomic:
                raise Unsupported("losses are no atoms")
            pairs = [(enclose(at, {}).real, enclose(orders[0], {}).real)
                     for at, orders in spectrum.loss.impulses.items()]
            rest = flint.arb(0)
        elif isinstance(spectrum, MixedThetaSpectrum | ThetaSpectrum):
            if isinstance(spectrum, ThetaSpectrum):
                spectrum = MixedThetaSpectrum(Number(sp.Integer(1)), Number(sp.Integer(0)),
                                              spectrum.variance, spectrum.shift)
            line = spectrum.line(flint.arb(1), 0.0, bits)
            pairs = [(loss, mass) for mass, loss in line.nodes.pairs]
            rest = line.left_out
        else:
            raise Unsupported("losses are no atoms")
        if len(pairs) > MOST_ATOMS:
            raise Unsupported(f"a release has {len(pairs)} atoms, more than {MOST_ATOMS}")
        few = [x for x in pairs if not x[1] > LEAST]
        rest += sum((mass for _, mass in few), flint.arb(0))
        kept = sorted((x for x in pairs if x[1] > LEAST), key=lambda pair: float(pair[1]))
        return _of(kept, copies, float(rest.upper()) * (1 + 1e-9))


def _of(pairs: list[tuple[Any, Any]], copies: int, rest: float) -> Atoms:
    return Atoms(np.array([float(x) for x, _ in pairs]), np.array([float(p) for _, p in pairs]),
                 copies, pairs, rest)


def lumped(row: Atoms, cut: float) -> tuple[Atoms, Faint | None]:
    """Losses up to a size taken together; none where that would be one loss."""
    together = [pair for pair in row.balls if abs(float(pair[0])) <= cut]
    if len(together) < 2:
        return row, None
    spend(12 * ORDERS * len(together))
    with workprec(PRECISION):
        p = sum((mass for _, mass in together), flint.arb(0))
        q = sum((mass * (-loss).exp() for loss, mass in together), flint.arb(0))
        loss = (p / q).log()
        gaps = [(z - loss, mass / p) for z, mass in together]
        # under Q, whose masses are those of P over R
        variance = sum((mass * (-g).exp() * g.expm1() ** 2 for g, mass in gaps), flint.arb(0))
        orders: list[float] = []
        below: list[float] = []
        above: list[float] = []
        for j in range(ORDERS):
            s = 2.0 ** (j - 4) / max(cut, 1e-200) / 64
            orders.append(s)
            for logs, sign in ((below, -1), (above, 1)):
                size = sum((mass * ((flint.arb(s) * g).exp() if sign > 0 else (
                    (flint.arb(-s - 1)) * g).exp()) for g, mass in gaps), flint.arb(0))
                log = size.log().upper()
                logs.append(float(log) + 1e-300 if log.is_finite() else math.inf)
        rest = [pair for pair in row.balls if abs(float(pair[0])) > cut]
        return _of([*rest, (loss, p)], row.copies, row.rest), Faint(
            row.copies, variance.upper(), orders, (below, above))


def less_one(x: Any) -> Any:
    """e^x - 1: within 4 units of e^x and 2 of 1, and within 4 of |x| where that is below 1/128.

    No elementary function of doubles is used: a table from balls, and a series.

    >>> less_one(np.array([0.0, 1e-9, -1.0])).round(12).tolist()
    [0.0, 1e-09, -0.632120558829]
    """
    if not float(abs(x).max(initial=0.0)) < 600:
        raise Unsupported("losses are too large for doubles")
    whole = np.floor(PARTS * x + 0.5)
    rest = x - whole / PARTS
    series = np.full(len(x), 1 / math.factorial(TERMS))
    for i in range(TERMS - 1, 0, -1):
        series = 1 / math.factorial(i) + rest * series
    small = rest * series
    low, high = int(whole.min(initial=0.0)), int(whole.max(initial=0.0))
    once = flint.arb(flint.fmpq(1, PARTS))
    with workprec(PRECISION):
        table = np.array([float((once * n).exp()) for n in range(low, high + 1)])
        less = np.array([float((once * n).expm1()) for n in range(low, high + 1)])
    at = whole.astype(int) - low
    return less[at] + table[at] * small


__all__ = ["Atoms", "Faint", "atoms", "less_one", "lumped"]
