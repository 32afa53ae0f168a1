"""delta of releases whose losses have atoms and continuous parts: the few continuous draws apart.

With A and D the moments of the atoms and of the rest, E^k is the sum of C(k, j) A^(k-j) D^j.  Along
a vertical line A does not decay, and D like 1/u.  So what j <= J draws from the continuous part
contribute is computed on the line of losses, from polynomial approximants of the density and all
sums of atoms; what is left decays like u^-(J+1), beside the 1/u^2 of the inversion integral, and is
a measure of its own, to which the rule applies as it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.contour import Table, unfold
from lapdp.accounting.inversion.few import few
from lapdp.accounting.inversion.saddle import Saddle, saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported

MOST_DRAWS = 10
MOST_NODES = 4_000
ENOUGH = 300
"""Nodes of a rule for which no more draws are taken apart."""


def splits(factors: Factors) -> bool:
    """Are all factors of atoms and pieces?"""
    return all(isinstance(s, PiecewiseSpectrum) for s, _ in factors.parts)


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where too many sums or nodes are needed.
    """
    bits = 16 * -(-bits // 16)
    chosen = None if factors.count <= MOST_DRAWS // 2 else saddle(factors, float(eps), bits * LOG2)
    draws, nodes = _choice(factors, chosen, bits)
    found = few(factors, draws, eps, bits)
    if draws < factors.count and chosen is not None:
        rest = _Rest(factors.parts, draws)
        table = _table(rest, chosen.gamma, chosen.period, nodes, bits)
        with flint.ctx.workprec(table.precision):
            found += unfold(rest, eps, chosen, table.total(eps))
    return found


@dataclass(frozen=True, eq=False)
class _Rest(Factors):
    """The releases with more than a number of draws from the continuous parts."""

    draws: int = 0

    def finite_mass(self) -> Any:
        """The probability of that, all losses being finite."""
        masses = []
        for s, k in self.parts:
            atoms = sum((atom.balls()[1] for atom in s.atoms), flint.arb(0))
            masses.append((atoms, s.finite_mass() - atoms, k))
        return _beyond(masses, self.draws)


def _beyond(moments: Sequence[tuple[Any, Any, int]], draws: int) -> Any:
    """The sum over more than so many draws of the product of C(k, j) A^(k-j) D^j."""
    whole, few = None, None
    for a, d, k in moments:
        power, row = (a + d) ** k, [math.comb(k, j) * a ** (k - j) * d**j
                                    for j in range(min(k, draws) + 1)]
        whole = power if whole is None else whole * power
        few = row if few is None else [
            sum(few[i] * row[j - i] for i in range(len(few)) if 0 <= j - i < len(row))
            for j in range(min(draws, len(few) + len(row) - 2) + 1)]
    assert whole is not None and few is not None
    return whole - sum(few)


# -- choices ----------------------------------------------------------------------------------


def _choice(factors: Factors, chosen: Saddle | None, bits: int) -> tuple[int, int]:
    """How many draws are taken apart, and the nodes for the rest."""
    if chosen is None:
        return factors.count, 0
    bounded = all(None not in piece.breakpoints for s, _ in factors.parts for piece in s.pieces)
    best: tuple[int, int] | None = None
    for draws in range(min(factors.count, MOST_DRAWS if bounded else 0) + 1):
        if draws == factors.count:
            return draws, 0
        top = _height(factors, chosen, draws, bits * LOG2)
        nodes = math.ceil(min(top * chosen.period / (2 * math.pi), 1e9))
        if best is None or nodes < 0.7 * best[1]:
            best = draws, nodes
        if nodes < ENOUGH:
            break
    assert best is not None
    if best[1] > MOST_NODES:
        raise Unsupported(f"with {best[0]} draws from the continuous part apart the rule needs "
                          f"{best[1]} nodes, more than {MOST_NODES}")
    return best[0], math.ceil(2 ** (math.ceil(8 * math.log2(best[1])) / 8))


def _height(factors: Factors, chosen: Saddle, draws: int, goal: float) -> float:
    """Where the bound of the rest has fallen by e^-goal, nearly."""
    top, whole = chosen.width, factors.log_moment(chosen.gamma)
    while top < 1e9 * chosen.width:
        if math.log(max(1e-300, _rough(factors, chosen.gamma, draws, top))) - whole < -goal - 2:
            break
        top *= 1.3
    return top


def _rough(factors: Factors, gamma: float, draws: int, height: float) -> float:
    with flint.ctx.workprec(64):
        found = _bound(factors, gamma, draws, height)
        return float(found) if found < 1e300 else math.inf


def _bound(factors: Factors, gamma: float, draws: int, height: float) -> Any:
    """A bound of the rest at gamma + iu for all u >= height."""
    decays = [(s.decay(gamma), k) for s, k in factors.parts]
    return _tail([(d.atoms, d.pieces(height), k) for d, k in decays], draws).upper()


def _tail(moments: Sequence[tuple[Any, Any, int]], draws: int) -> Any:
    """The same sum for A, D >= 0, without a difference: its first terms and a bound of all others.
    """
    rows = []
    for a, d, k in moments:
        last = min(k, 4 * draws + 40)
        row = [math.comb(k, j) * a ** (k - j) * d**j for j in range(last + 1)]
        if last < k:
            # C(k, j) <= C(k, n) C(k - n, j - n) for j >= n
            row.append(math.comb(k, last + 1) * d ** (last + 1) * (a + d) ** (k - last - 1))
        rows.append(row)
    total = rows[0]
    for row in rows[1:]:
        total = [sum((total[i] * row[j - i] for i in range(len(total)) if 0 <= j - i < len(row)),
                     flint.arb(0)) for j in range(len(total) + len(row) - 1)]
    return sum(total[draws + 1:], flint.arb(0))


# -- the contour ------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _table(rest: _Rest, gamma: float, period: float, nodes: int, bits: int) -> Table:
    inner = bits + rest.count.bit_length() + 6
    precision = inner + 16 + int(abs(gamma)).bit_length()
    top = 2 * math.pi / period * nodes
    rest.refuse_many_terms(nodes, gamma, top, inner)
    with flint.ctx.workprec(precision):
        abscissa = flint.arb(gamma)
        step = 2 * flint.arb.pi() / flint.arb(period)
        grids = [(*s.line(abscissa, top, inner).parts(step, nodes), k) for s, k in rest.parts]
        values = []
        for j in range(nodes + 1):
            q = flint.acb(abscissa, step * j)
            value = _beyond([(a[j], d[j], k) for a, d, k in grids], rest.draws) / (q * (q - 1))
            values.append(value if j else value / 2)
        low = math.nextafter(float((step * nodes).lower()), 0.0)
        bound = _bound(rest, gamma, rest.draws, low) / (flint.arb.pi() * step * nodes)
        width = math.isqrt(nodes) + 1
        values += [flint.acb(0)] * (-len(values) % width)
        return Table(abscissa, step, flint.acb_mat(len(values) // width, width, values), bound,
                     precision)


__all__ = ["delta", "splits"]
