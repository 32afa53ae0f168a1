"""The rule of :mod:`lapdp.accounting.inversion.contour` in double precision, rounding bounded.

For few digits of few subsampled Gaussians, whose moments hardly fall along a line.  Moments at the
nodes, their powers and their sum are computed in doubles (:mod:`lapdp.accounting.moments.doubled`)
with bounds of what each operation rounds off.  At the first nodes, where the integrand may be far
larger than delta, they are balls, as is all that the rule leaves out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.contour import Table as BallTable
from lapdp.accounting.inversion.contour import in_rows, summands, unfold
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import height, saddle
from lapdp.accounting.moments.doubled import (
    BITS,
    SAFE,
    UNIT,
    joined,
    powered,
    summed,
    turns,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, MOST_CELLS = 150_000, 100_000_000
HEADS = (0, 128, 512)
"""Nodes in balls: more where the sum is not sharp enough."""
INNER_BITS = 58
GOAL = 44
"""Bits of the answer to which aliases and the nodes left out are taken."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where doubles do not reach.
    """
    bits = GOAL
    chosen = saddle(factors, float(eps), bits * LOG2)
    if chosen.gamma > 1:
        # where rare losses are huge, delta is far smaller than the integrand on any line
        size = likely_size(factors, float(eps), chosen.size)
        more = 4 * math.ceil((chosen.size - size) / LOG2 / 4)
        if more > 0:
            bits += more
            chosen = saddle(factors, float(eps), bits * LOG2)
    top = height(factors, chosen, bits * LOG2)
    count = math.ceil(2 ** (math.ceil(8 * math.log2(top * chosen.period / (2 * math.pi))) / 8)) + 1
    if count > MOST_NODES:
        raise Unsupported(f"the rule needs {count} nodes in doubles, more than {MOST_NODES}")
    table = _table(factors, chosen.gamma, chosen.period, count)
    with workprec(BITS):
        chosen = replace(chosen, period=2 * flint.arb.pi() / flint.arb(table.step))
        for head in HEADS:
            found = unfold(factors, eps, chosen, table.total(eps, head))
            if found.rel_accuracy_bits() > digits / math.log10(2) + 1 or head >= count:
                break
        return found


@dataclass(frozen=True, eq=False)
class Table:
    """E_q/(q (q - 1)) at gamma + i step j, divided by ``size``, for every eps."""

    gamma: float
    step: float
    values: Any
    errors: Any
    size: Any
    rest: Any
    """A bound of the sum over all further nodes, as in the table of balls, divided by ``size``."""
    lines: list[tuple[Any, int]]
    heads: dict[int, BallTable] = field(default_factory=dict)

    def total(self, eps: Any, head: int) -> Any:
        """The rule at one eps, with so many nodes in balls."""
        count = len(self.values)
        step = flint.arb(self.step)
        turn = turns(flint.acb(0, -step * eps).exp(), count)[head:]
        values, errors = self.values[head:], self.errors[head:]
        terms = values.real * turn.real - values.imag * turn.imag
        if not head:
            terms[0] /= 2
        slips = UNIT * (12 + 2 * math.ceil(math.log2(count + 1)))
        error = SAFE * float(np.sum(errors) + slips * np.sum(np.abs(values)))
        value = _tree(terms) if len(terms) else 0.0
        size = ((1 - flint.arb(self.gamma)) * eps).exp()
        found = size * self.size * (flint.arb(value, error) * step / flint.arb.pi()
                                    + flint.arb(0, self.rest.upper()))
        return found + self._head(min(head, count)).total(eps) if head else found

    def _head(self, head: int) -> BallTable:
        if head not in self.heads:
            gamma, step = flint.arb(self.gamma), flint.arb(self.step)
            self.heads[head] = BallTable(gamma, step, in_rows(summands(
                self.lines, gamma, step, head - 1)), flint.arb(0), BITS)
        return self.heads[head]


def _tree(terms: Any) -> float:
    """The sum, each number going through log2 of their number roundings."""
    while len(terms) > 1:
        half = len(terms) // 2
        folded = terms[:half] + terms[half:2 * half]
        terms = np.append(folded, terms[-1]) if len(terms) % 2 else folded
    return float(terms[0])


@lru_cache(maxsize=16)
def _table(factors: Factors, gamma: float, period: float, count: int) -> Table:
    step = 2 * math.pi / period
    top = step * (count - 1)
    less, errors = np.zeros(count, dtype=complex), np.zeros(count)
    lines = []
    with workprec(BITS):
        size = flint.arb(1)
        rest = 1 / (flint.arb.pi() * flint.arb(step) * (count - 1))
        for spectrum, k in factors.parts:
            line: Any = spectrum.line(flint.arb(gamma), top, INNER_BITS)
            if count * len(line.nodes) > MOST_CELLS:
                raise Unsupported("the moments need too many terms in doubles")
            lines.append((line, k))
            mean, found, off = _moments(line, step, count)
            size *= mean ** k
            rest *= (line.decay(flint.arb(step) * (count - 1)) / mean) ** k
            found, off = powered(found, off, k)
            less, errors = joined(less, errors, found, off)
    u = step * np.arange(count)
    kernel = 1 / ((gamma * (gamma - 1) - u * u) + 1j * u * (2 * gamma - 1))
    values = 1 + less
    errors = SAFE * np.abs(kernel) * (errors + 24 * UNIT * np.abs(values))
    return Table(gamma, step, values * kernel, errors, size, rest, lines)


def _moments(line: Any, step: float, count: int) -> tuple[Any, Any, Any]:
    """E_gamma, E_(gamma + i step j)/E_gamma - 1, and bounds of the errors.

    |E_q| <= E_gamma: what a bound of the error exceeds that by is no news.
    """
    mean = (line.nodes.total().real + flint.arb(0, (line.left_out + line.mean * line.ripple)))
    weights, sizes, numbers = [], [], []
    for weight, log in line.nodes.pairs:
        w = flint.acb(weight / mean)
        weights.append(complex(float(w.real), float(w.imag)))
        sizes.append(float(abs(w).upper()))
        numbers.append((flint.acb(log) * flint.acb(0, step)).exp())
    found = summed(np.array(weights), np.array(sizes) * (1 + 4 * UNIT), numbers, count)
    # at both heights
    less = 2 * float((line.left_out / mean).upper())
    ripple = 2 * float((line.ripple * line.mean / mean).upper())
    if line.shift.is_zero():
        grows = float((line.root * line.width * flint.arb(step) * count).upper())
        ripple = ripple * np.exp(np.arange(count) * (grows / count)) if grows < 600 else np.inf
    return mean, found.less, np.minimum(SAFE * (found.error + less + ripple),
                                        SAFE * (np.abs(1 + found.less) + 1))


__all__ = ["BITS", "delta"]
