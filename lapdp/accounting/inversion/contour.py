"""The privacy profile of many releases by the inversion integral, Chourasia et al. 2024, (37).

Let E_q be the product of the moments of all factors, finite losses only, and M, N the P-mass and
Q-mass that they hold.  On a vertical line Re q = gamma the trapezoidal rule of step h gives

    (h/2 pi) sum_j e^((1-q_j) eps) E_{q_j}/(q_j (q_j - 1)) = sum_n g(eps + n L) e^((gamma-1) n L),

L = 2 pi/h, by Poisson's summation formula, where g is delta for gamma > 1, delta - M for 0 < gamma
< 1 and delta - M + N e^eps for gamma < 0 (finite losses only): the residues at q = 1 and q = 0.  So
the error of the rule is the sum over n != 0, of one sign, and is bounded by Chernoff's bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import bent
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import Saddle, finer, height, in_steps, saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.nodal import powers
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 200_000
MUCH = 5_000_000
"""Terms of moments from which on a bent contour is tried first."""
FEW = 3_000
"""Releases up to which it may take less time."""
SPEED = 10
"""Terms of moments in a microsecond, about."""
QUICK, FEW_BITS = 30_000, 48
"""Terms of moments that take no time, to so many bits."""
FAR, FAR_SHARE = 30.0, 4 / 3
"""A logarithm that cancels, from which on so much more of it does."""
LEAST = -(2.0**22)
"""Logarithms of numbers below which only an upper bound is given: nobody writes them out."""


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses: E_P[max(0, 1 - e^(eps - Z)); Z finite].

    ``eps`` is a real ball; the radius is about 2^-bits times the value.
    Raises :class:`Unsupported` where no factor's moments decay.
    """
    # in steps: one table serves many points and numbers of digits
    bits = 16 * -(-bits // 16)
    bends = bent.reaches(factors)
    chosen, more = _line(factors, float(eps), bits, bends)
    if chosen.size < LEAST:
        return below(factors, eps, chosen.gamma)
    try:
        nodes, work = _nodes(factors, chosen, more)
    except Unsupported as problem:
        if not bends:
            raise
        try:
            return bent.delta(factors, eps, bits)
        except Unsupported as other:
            raise Unsupported(f"{problem}; on a bent contour {other}") from None
    if work > MUCH and factors.count <= FEW and bends:
        with suppress(Unsupported):
            return bent.delta(factors, eps, bits, min(bent.MOST_WORK, work // SPEED))
    bits = more
    try:
        table = _table(factors, chosen.gamma, chosen.period, nodes, bits)
        with workprec(table.precision):
            return unfold(factors, eps, chosen, table.total(eps))
    except Unsupported:
        # next to the largest loss orders are too large for the rules of moments on a line
        if not bends:
            raise
        return bent.delta(factors, eps, bits)


def is_quick(factors: Factors, eps: float) -> bool:
    """Does the rule take few terms of moments to few bits?  A choice."""
    with suppress(Unsupported):
        chosen = saddle(factors, eps, FEW_BITS * LOG2)
        return chosen.size < LEAST or _nodes(factors, chosen, FEW_BITS)[1] < QUICK
    return False


def is_long(factors: Factors, eps: float, most: int = MOST_NODES) -> bool:
    """Does the rule take many terms of moments even to few bits, or more nodes than so many?  A
    choice."""
    with suppress(Unsupported, ArithmeticError):
        chosen, bits = _line(factors, eps, FEW_BITS, True)
        if chosen.size < LEAST:
            return False
        nodes, work = _nodes(factors, chosen, bits)
        return work > MUCH or nodes > most
    return True


def terms(factors: Factors, eps: float) -> int:
    """About how many terms of moments the rule takes to few bits."""
    return _nodes(factors, *_line(factors, eps, FEW_BITS, True))[1]


def _line(factors: Factors, eps: float, bits: int, bends: bool) -> tuple[Saddle, int]:
    """A line, and the bits of its rule: where rare losses are huge, and contours may bend, delta is
    far smaller than the integrand on any line."""
    chosen = saddle(factors, eps, bits * LOG2)
    if not bends or chosen.gamma <= 1 or chosen.size < LEAST:
        return chosen, bits
    lost = chosen.size - likely_size(factors, eps, chosen.size)
    # far below the size delta is less than likely: hits that decide are left in
    more = bits + 16 * math.floor(lost * (FAR_SHARE if lost > FAR else 1) / LOG2 / 16 + 0.5)
    return (finer(factors, eps, chosen, more * LOG2) if more > bits else chosen), more


def _nodes(factors: Factors, chosen: Saddle, bits: int) -> tuple[int, int]:
    """(nodes of the rule, terms of all moments there); :class:`Unsupported` where too many."""
    top = height(factors, chosen, bits * LOG2)
    nodes = in_steps(top * chosen.period / (2 * math.pi))
    if nodes > MOST_NODES:
        raise Unsupported(f"the rule needs {nodes} nodes, more than {MOST_NODES}")
    return nodes, _work(factors, chosen.gamma, chosen.period, nodes, bits)


@lru_cache(maxsize=64)
def _work(factors: Factors, gamma: float, period: float, nodes: int, bits: int) -> int:
    top = 2 * math.pi / period * nodes
    return factors.work(nodes, gamma, top, bits + factors.count.bit_length() + 6,
                        factors.falls(gamma, top, bits * LOG2))


@dataclass(frozen=True)
class Table:
    """E_q/(q (q - 1)) at the nodes gamma + i step j of a rule, for every eps."""

    gamma: Any
    step: Any
    values: Any
    """A matrix of them, row by row; the first has half the weight, those beyond the last are 0."""
    rest: Any
    """A bound of the sum over all further nodes, without the factor e^((1 - gamma) eps)."""
    precision: int

    def total(self, eps: Any) -> Any:
        """The rule at one eps: e^((1 - gamma) eps) times a polynomial in e^(-i step eps)."""
        rows, width = self.values.nrows(), self.values.ncols()
        short = powers(flint.acb(0, -self.step * eps).exp(), width)
        sums = self.values * flint.acb_mat([[x] for x in short[:width]])
        found = flint.acb_mat([powers(short[width], rows - 1)]) * sums
        size = ((1 - self.gamma) * eps).exp()
        return size * (found[0, 0].real * self.step / flint.arb.pi()
                       + flint.arb(0, self.rest.upper()))


@lru_cache(maxsize=32)
def _table(factors: Factors, gamma: float, period: float, nodes: int, bits: int) -> Table:
    inner = bits + factors.count.bit_length() + 6
    precision = inner + 16 + int(abs(gamma)).bit_length()
    top = 2 * math.pi / period * nodes
    falls = factors.falls(gamma, top, bits * LOG2)
    with workprec(precision):
        abscissa = flint.arb(gamma)
        step = 2 * flint.arb.pi() / flint.arb(period)
        lines = [(s.line(abscissa, top, inner, fall), k)
                 for (s, k), fall in zip(factors.parts, falls, strict=True)]
        values = summands(lines, abscissa, step, nodes)
        # |q (q - 1)| >= u^2, and the sum over j > N of 1/(h j)^2 is at most 1/(h^2 N)
        rest = 1 / (flint.arb.pi() * step * nodes)
        for line, k in lines:
            rest *= line.decay(step * nodes) ** k
        return Table(abscissa, step, in_rows(values), rest, precision)


def summands(lines: list[tuple[Any, int]], abscissa: Any, step: Any, nodes: int) -> list[Any]:
    """E_q/(q (q - 1)) at the nodes, half of it at the first one; lines with numbers of copies."""
    spend(6 * nodes * (2 + len(lines)))
    values = []
    for j, moments in enumerate(zip(*(line.grid(step, nodes) for line, _ in lines), strict=True)):
        q = flint.acb(abscissa, step * j)
        value = 1 / (q * (q - 1))
        for moment, (_, k) in zip(moments, lines, strict=True):
            value *= moment ** k
        values.append(value if j else value / 2)
    return values


def in_rows(values: list[Any]) -> Any:
    """A matrix about as wide as it is high, with zeros at its end."""
    width = math.isqrt(len(values) - 1) + 1
    values = values + [flint.acb(0)] * (-len(values) % width)
    return flint.acb_mat(len(values) // width, width, values)


def unfold(factors: Factors, eps: Any, chosen: Saddle, total: Any,
           bound: Callable[[float], Any] | None = None) -> Any:
    """delta from the sum of the rule: residues added, aliases taken off; ``bound`` is one of the
    moment at a real order, where it is not that of the factors."""
    bound = bound or (lambda order: moment_bound(factors, order))
    gamma, period = flint.arb(chosen.gamma), flint.arb(chosen.period)
    if 0 < chosen.gamma < 1:
        right = (-(1 - gamma) * period).exp()
        left = (-gamma * period).exp()
        alias = right / (1 - right) + eps.exp() * left / (1 - left)
        return factors.finite_mass() + total + _between(flint.arb(0), alias)
    enclosed(1 <= chosen.inner < chosen.gamma < chosen.other)
    alias = flint.arb(0)
    for order in (chosen.inner, chosen.other):
        # Chernoff's bound of Pr[Z > eps + n L], which is no smaller than delta there
        size = ((1 - order) * eps).exp() * bound(order) if order != 1 else 1
        fall = (-abs(order - gamma) * period).exp()
        alias += size * fall / (1 - fall)
    return total - _between(flint.arb(0), alias)


def enclosed(orders: bool) -> None:
    """Chernoff's bounds need orders on the right sides of the line: doubles may have lost them."""
    if not orders:
        raise Unsupported("the orders chosen in doubles are not on both sides of the line")


def below(factors: Factors, eps: Any, order: float) -> Any:
    """A ball around delta of the finite losses by Chernoff's bound: for an order above 1, all
    numbers from 0 to it; between 0 and 1, where it is one of the mean of min(1, e^(eps - Z)), which
    is their mass less delta, all from so much less to the mass."""
    enclosed(order > 0 and order != 1)
    with workprec(flint.ctx.prec + factors.count.bit_length()):
        bound = ((1 - flint.arb(order)) * eps).exp() * moment_bound(factors, order)
    near = _between(flint.arb(0), bound)
    return near if order > 1 else factors.finite_mass() - near


@lru_cache(maxsize=256)
def moment_bound(factors: Factors, order: float) -> Any:
    """An upper bound of E at a real order."""
    size = flint.arb(1)
    more = factors.count.bit_length()
    with workprec(64 + more):
        for s, k in factors.parts:
            # the bounds of pieces on a line know E there: no rules of the line are needed
            size *= (s.decay(order).above(0.0) if isinstance(s, PiecewiseSpectrum) else s.line(
                flint.arb(order), 0.0, 20 + more).decay(flint.arb(0))) ** k
    return size.upper()


def _between(low: Any, high: Any) -> Any:
    """A ball around all numbers from one to the other."""
    return low.union(high)


__all__ = ["Table", "below", "delta", "enclosed", "in_rows", "is_long", "is_quick", "moment_bound",
           "summands", "terms", "unfold"]
