"""The rule of :mod:`lapdp.accounting.inversion.contour` in double precision, rounding bounded.

For few digits of few subsampled Gaussians, whose moments hardly fall along a line.  Moments at the
nodes, their powers and their sum are computed in doubles (:mod:`lapdp.accounting.moments.doubled`)
with bounds of what each operation rounds off.  At the first nodes, where the integrand may be far
larger than delta, they are numbers of 64 bits, where the machine has them, or balls, as is all that
the rule leaves out.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.contour import Table as BallTable
from lapdp.accounting.inversion.contour import in_rows, summands, unfold
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.machine_factors import INNER_BITS, moments_of
from lapdp.accounting.inversion.machine_lines import Moments
from lapdp.accounting.inversion.machine_parts import Ended
from lapdp.accounting.inversion.saddle import (
    Saddle,
    exponent,
    finer,
    height,
    in_steps,
    saddle,
    shortest,
)
from lapdp.accounting.moments.doubled import (
    BITS,
    DOUBLE,
    SAFE,
    Format,
    bits_for,
    joined,
    powered,
    sizes,
    turns,
    wider,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 1_000_000
MANY, NEARER = 2_000, ((0.65, 0.45),)
"""Nodes from which on lines nearer to 1 are tried, at these shares of the distance."""
HEADS = (128, 512)
"""Nodes in balls, where neither doubles nor longer numbers are sharp enough."""
LOOK = 150
"""Steps of a sum beside those of its nodes."""
LEAST_HEAD, MOST_HEAD = 32, 4096
"""Nodes in longer numbers."""
SPARE, TOGETHER, ADDED = 2, 1 << 13, 8
"""Bits beyond those of the answer; heights at once; numbers that are added one after another."""
SEEN_BITS = 4
"""Of a number from which on it says how many longer numbers are needed."""
GOAL, MARGIN = 44, 2.5
"""Bits of the answer to which aliases and the nodes left out are taken, at most, and beyond the
digits."""
MOST_LOST, MANY_CELLS, MANY_TERMS = 10.0, 30_000_000, 3_000
"""Logarithm of what may cancel where an answer is likely; terms at all nodes, and at one, that do
not take long."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where doubles do not reach.
    """
    chosen, size, first_bits, bits, count = planned(factors, float(eps), digits)
    table = _table(factors, chosen.gamma, chosen.period, count)
    with workprec(BITS):
        chosen = replace(chosen, period=2 * flint.arb.pi() / flint.arb(table.step))
        enough = digits / math.log10(2) + 1

        def good(ball: Any) -> bool:
            return bool(ball.rel_accuracy_bits() > enough)

        # as many longer numbers as a delta of the size that is seen needs, or of the likely one
        share, long, more = 2 ** -(enough + SPARE), -1, 0
        while more > long:
            long = more
            found = unfold(factors, eps, chosen, table.total(eps, long=long))
            if good(found):
                return found
            seen = found.rel_accuracy_bits() > SEEN_BITS or bits == first_bits
            more = table.head_for(float(found.mid()) if seen else math.exp(size), float(eps),
                                  share if seen else share / 2)
        for head in HEADS:
            if good(found):
                break
            # balls take long: not where doubles are off by more farther out
            if table.serves(head, float(found.mid()) if seen else math.exp(size), float(eps),
                            2 * share):
                found = unfold(factors, eps, chosen, table.total(eps, head))
        return found


def promises(factors: Factors, eps: float, digits: int) -> bool:
    """Is it likely to answer, and soon?  A choice."""
    with suppress(Unsupported, ArithmeticError):
        chosen, size, _, _, count = planned(factors, eps, digits)
        if chosen.size - size > MOST_LOST:
            return False
        top = 2 * math.pi / chosen.period * count
        terms = sum(s.terms(chosen.gamma, top, INNER_BITS) for s, _ in factors.parts)
        return count * terms < MANY_CELLS and terms < MANY_TERMS
    return False


def planned(factors: Factors, eps: float, digits: int, most: int = MOST_NODES
            ) -> tuple[Saddle, float, int, int, int]:
    """A line, about the logarithm of delta, bits of the answer and of the rule, and its nodes."""
    bits = min(GOAL, 4 * math.ceil((digits / math.log10(2) + MARGIN) / 4))
    first_bits = bits
    chosen = saddle(factors, eps, bits * LOG2)
    size = chosen.size
    if chosen.gamma > 1:
        # where rare losses are huge, delta is far smaller than the integrand on any line
        size = likely_size(factors, eps, chosen.size)
        more = 4 * math.ceil((chosen.size - size) / LOG2 / 4)
        if more > 0:
            bits += more
            chosen = finer(factors, eps, chosen, bits * LOG2)
    count = _count(factors, chosen, bits * LOG2)
    if count > MANY and chosen.gamma > 1:
        # rare losses make a shorter period worth some digits that cancel
        on_line, first = exponent(factors, eps), chosen.gamma
        chosen = shortest(factors, eps, first - 1, chosen.size, bits * LOG2, NEARER, [chosen])
        count = _count(factors, chosen, bits * LOG2 + max(
            0.0, on_line(chosen.gamma) - on_line(first)))
    if count > most:
        raise Unsupported(f"the rule needs {count} nodes in doubles, more than {most}")
    return chosen, size, first_bits, bits, count


def _count(factors: Factors, chosen: Saddle, goal: float) -> int:
    """Nodes of the rule, in steps."""
    top = height(factors, chosen, goal)
    return in_steps(top * chosen.period / (2 * math.pi)) + 1


@dataclass(frozen=True, eq=False)
class Table:
    """E_q/(q (q - 1)) at gamma + i step j, divided by ``size``, for every eps."""

    gamma: float
    step: float
    rows: Rows
    size: Any
    rest: Any
    """A bound of the sum over all further nodes, as in the table of balls, divided by ``size``."""
    lines: list[Moments]
    most_head: int = MOST_HEAD
    heads: dict[int, BallTable] = field(default_factory=dict)
    longer: dict[int, Rows] = field(default_factory=dict)

    def total(self, eps: Any, head: int = 0, long: int = 0) -> Any:
        """The rule at one eps, with so many nodes in balls, or in longer numbers."""
        count, step = len(self.rows.values), flint.arb(self.step)
        spend(LOOK + count / 8)
        turn, head = flint.acb(0, -step * eps).exp(), min(head, count)
        value, error = self.rows.total(turn, head or long)
        if long:
            first, off = self._long(long).total(turn, 0)
            value, error = value + first, error + off
        size = ((1 - flint.arb(self.gamma)) * eps).exp()
        found = size * self.size * ((value + flint.arb(0, error)) * step / flint.arb.pi()
                                    + flint.arb(0, self.rest.upper()))
        return found + self._head(head).total(eps) if head else found

    def head_for(self, delta: float, eps: float, share: float) -> int:
        """Nodes in longer numbers after which doubles are off by no more than that share of delta;
        0 where the machine has none, or too many would be needed.  A choice."""
        goal = self._goal(delta, eps, share)
        if wider() is None or goal is None or self._beyond[0] <= goal:
            return 0
        head = LEAST_HEAD
        while head < len(self._beyond) and self._beyond[head] > goal:
            head += head // 2
        return min(head, len(self._beyond)) if head <= self.most_head else 0

    def serves(self, head: int, delta: float, eps: float, share: float) -> bool:
        """Are doubles beyond so many nodes off by no more than that share of delta?  A choice."""
        goal = self._goal(delta, eps, share)
        return head >= len(self._beyond) or goal is None or bool(self._beyond[head] <= goal)

    @cached_property
    def _beyond(self) -> Any:
        """Bounds of the errors of all nodes from one on."""
        return np.cumsum(self.rows.slips[::-1])[::-1]

    def _goal(self, delta: float, eps: float, share: float) -> float | None:
        """What the sum may be off for that share of delta; None where doubles do not tell."""
        log = (1 - self.gamma) * eps + float(self.size.log())
        if not delta > 0 or not abs(log) < 700:
            return None
        return share * delta * math.pi / self.step * math.exp(-log)

    def _long(self, count: int) -> Rows:
        """The first nodes in longer numbers."""
        if count not in self.longer:
            form = wider()
            assert form is not None
            with workprec(BITS):
                self.longer[count] = _rows(self.lines, self.gamma, self.step, count, form)
        return self.longer[count]

    def _head(self, head: int) -> BallTable:
        if head not in self.heads:
            gamma, step = flint.arb(self.gamma), flint.arb(self.step)
            lines = [(known.up_to(self.step, head) if isinstance(known, Ended) else known.line,
                      known.copies) for known in self.lines]
            self.heads[head] = BallTable(gamma, step, in_rows(summands(
                lines, gamma, step, head - 1)), flint.arb(0), BITS)
        return self.heads[head]


@dataclass(frozen=True, eq=False)
class Rows:
    """E_q/(q (q - 1)) at the first nodes, divided by E_gamma, and bounds of the errors."""

    values: Any
    errors: Any
    form: Format

    @cached_property
    def slips(self) -> Any:
        """Bounds of all errors of the terms in their sum."""
        passes = 12 + 2 * math.ceil(math.log2(len(self.values) + 1))
        return self.errors + self.form.unit * passes * sizes(self.values)

    def total(self, turn: Any, first: int) -> tuple[Any, float]:
        """The sum over the nodes from ``first`` on times powers of ``turn``, and its error."""
        count = len(self.values)
        if first >= count:
            return flint.arb(0), 0.0
        turned, values = turns(turn, count, self.form)[first:], self.values[first:]
        terms = values.real * turned.real - values.imag * turned.imag
        if not first:
            terms[0] /= 2
        value = tree(terms)
        ball = flint.arb(float(value)) + flint.arb(float(value - float(value)))
        return ball, SAFE * float(np.sum(self.slips[first:]))


def tree(terms: Any) -> Any:
    """The sum, each number going through log2 of their number roundings."""
    while len(terms) > 1:
        half = len(terms) // 2
        folded = terms[:half] + terms[half:2 * half]
        terms = np.append(folded, terms[-1]) if len(terms) % 2 else folded
    return terms[0]


def running(x: Any) -> Any:
    """Sums of the first n numbers, n from 0 on; see :func:`roundings`.

    >>> running(np.arange(1.0, 21.0))[[0, 1, 10, 20]].tolist()
    [0.0, 1.0, 55.0, 210.0]
    """
    if len(x) <= ADDED:
        return np.concatenate([[0.0], np.cumsum(x)])
    rows = -(-len(x) // ADDED)
    table = np.zeros((rows, ADDED))
    table.ravel()[:len(x)] = x
    table = np.cumsum(table, axis=1)
    table += running(table[:, -1])[:rows, None]
    return np.concatenate([[0.0], table.ravel()[:len(x)]])


def roundings(count: int) -> int:
    """That each number goes through in running sums of so many."""
    return (math.ceil(math.log(count + 1, ADDED)) + 1) * (ADDED + 1)


@lru_cache(maxsize=16)
def _table(factors: Factors, gamma: float, period: float, count: int) -> Table:
    step = 2 * math.pi / period
    top = step * (count - 1)
    lines = []
    with workprec(bits_for(step)):
        size = flint.arb(1)
        rest = 1 / (flint.arb.pi() * flint.arb(step) * (count - 1))
        for spectrum, k in factors.parts:
            moments = moments_of(spectrum, k, gamma, top, step, count)
            lines.append(moments)
            size *= moments.mean ** k
            rest *= (moments.line.decay(flint.arb(step) * (count - 1)) / moments.mean) ** k
        return Table(gamma, step, _rows(lines, gamma, step, count, DOUBLE), size, rest, lines)


def _rows(lines: list[Moments], gamma: float, step: float, count: int, form: Format) -> Rows:
    known = [(line.moments(step, count, form), line.copies) for line in lines]
    values, errors = np.empty(count, dtype=form.complex), np.empty(count)
    # as many at once as caches hold
    for first in range(0, count, TOGETHER):
        part = slice(first, min(first + TOGETHER, count))
        whole: tuple[Any, Any] | None = None
        for (less, off), copies in known:
            found = powered(less[part], off[part], copies, form.unit)
            whole = found if whole is None else joined(*whole, *found, form.unit)
        assert whole is not None
        less, off = whole
        real = less.real.dtype.type
        # products of such numbers: no double may be among them that was rounded before
        u = real(step) * np.arange(part.start, part.stop, dtype=real)
        values[part], errors[part] = over_kernel(1 + less, off, u, gamma, form)
    return Rows(values, errors, form)


def over_kernel(x: Any, off: Any, u: Any, gamma: float, form: Format) -> tuple[Any, Any]:
    """Numbers over q (q - 1) at heights u, and bounds of their errors."""
    spend(len(u) / 4)
    kernel = 1 / poles(gamma, u)
    return x * kernel, SAFE * sizes(kernel) * (off + 24 * form.unit * sizes(x))


def poles(gamma: float, u: Any) -> Any:
    """q (q - 1) at gamma + iu, in the format of the heights."""
    g = u.dtype.type(gamma)
    return (g * (g - 1) - u * u) + 1j * u * (2 * g - 1)


__all__ = ["BITS", "delta", "over_kernel", "planned", "poles", "promises",
           "roundings", "running", "tree"]
