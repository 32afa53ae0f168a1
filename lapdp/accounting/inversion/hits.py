"""The inversion integral (37) for rare subsampled Gaussians, apart by usual losses and hits.

Rare releases have a loss next to 0, which no height of a line lets decay soon, or a huge one, a
hit, and hits beyond those that delta is made of rule every moment.  So the density of each release
is put under a smooth window (:mod:`lapdp.accounting.moments.windowed`) that falls where hits get
too rare to matter, which takes from delta at most their probability.  Of what is left, U is the
moment of the usual losses and H that of the hits, and delta is that of all releases with usual
losses alone, which Chernoff's bound says is negligible, and the inversion integral of

    prod (U + H)^k - prod U^k = prod U^k (prod (1 + H/U)^k - 1),

the moment of a measure, which decays as H does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import hit_windows as windows
from lapdp.accounting.inversion.contour import FEW_BITS, Table, in_rows, terms, unfold
from lapdp.accounting.inversion.hit_columns import np
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.saddle import Saddle, height, in_steps, shortest
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.effort import finishing
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_TERMS, SLACK = 10_000_000, 8
"""The second of bits: more are worked out than are asked for."""
ENOUGH, WORTH = 2_000_000, 50_000
"""Terms for which no other width of the windows is tried; what a bit that cancels is worth."""
MAKING, CHEAP, FEW_KINDS, FARTHEST = 800, 2_500_000, 4, 2
"""Terms at further nodes that one at the first node is worth; what takes less than half a second
in all; unlike releases; steps from one scale to the next that is taken."""
MODEST, UNSURE, COST = 1_200_000, 3, 3.5
"""The same for which several scales are not looked at; how many times as much these may take; what
a step is worth."""


def is_rare(factors: Factors, every: bool = False) -> bool:
    """Are there subsampled Gaussians among them whose losses have no bound, or nothing else?"""
    return (all if every else any)(windows.has_hits(s) for s, _ in factors.parts)


@dataclass(frozen=True)
class Prepared:
    """Windows with a line and so many nodes of a rule on it."""

    known: Hits
    chosen: Saddle
    nodes: int
    bits: int
    alone: Prepared | None = None
    """For delta of losses on smaller scales alone, where that is not negligible."""

    @staticmethod
    def of(factors: Factors, eps: Any, bits: int, most: int) -> Prepared:
        """For about ``bits`` bits of the answer, by what takes the least work.

        Raises :class:`Unsupported` where no windows are found that tell usual losses from hits, or
        more than ``most`` terms of moments are needed.
        """
        return Prepared.ways(factors, eps, bits, most)[0]

    @staticmethod
    def ways(factors: Factors, eps: Any, bits: int, most: int) -> list[Prepared]:
        """The same with windows of several widths, the least work first."""
        if np is None:
            raise Unsupported("NumPy is not installed")
        if not is_rare(factors) or not eps > 0:
            raise Unsupported("no releases have rare huge losses")
        tried: list[Prepared] = []
        problem = Unsupported("no windows are found")
        for width in windows.WIDTHS:
            try:
                here = _by(factors, float(eps), 8 * -(-bits // 8), width)
            except Unsupported as found:
                problem = found
                continue
            if here.terms > most:
                problem = Unsupported(f"apart from usual losses the rule needs {here.nodes} nodes "
                                      f"times {here.terms // here.nodes} terms of the moments")
            else:
                tried.append(here)
            if here.terms < ENOUGH or not here.known.splits:
                break
        if not tried:
            raise problem
        return sorted(tried, key=lambda here: here.terms + here.bits * WORTH)

    @staticmethod
    def scales(factors: Factors, eps: Any, bits: int, most: int) -> Prepared:
        """On several scales of losses, each with an integral of its own on its own line: the period
        is as short as the losses of a scale and of all below add up to, and moments have fallen at
        heights that only the smallest losses of the scale rule.

        Raises :class:`Unsupported` as :meth:`of` does.
        """
        if np is None or not eps > 0 or not all(windows.has_hits(s) for s, _ in factors.parts):
            raise Unsupported("not all releases have rare huge losses")
        best = _on_scales(factors, float(eps), 8 * -(-bits // 8))
        if best is None or best.terms > most:
            raise Unsupported("on several scales the losses need too many terms of moments")
        return best

    @staticmethod
    def _chain(known: windows.Scales, eps: float, bits: int, size: float) -> Prepared | None:
        """What takes the least work for the last windows, by what does for all before."""
        best: list[Prepared | None] = []
        for j in range(len(known.rows)):
            ways = []
            # moments of losses on scales far apart hardly fall
            for i in (None, *range(max(0, j - FARTHEST), j)):
                here = known.between(i, j)
                below = None if i is None else best[i]
                if here is None:
                    continue
                if here.splits and here.best_order(eps)[1] < size - (bits - SLACK) * LOG2:
                    # the bound of all below will do
                    below = None
                elif i is not None and below is None:
                    continue
                with suppress(Unsupported, ArithmeticError, ValueError):
                    ways.append(replace(Prepared._on_line(
                        here, eps, *windows.least(here, eps), bits, size), alone=below))
            best.append(min(ways, key=lambda ready: ready.terms, default=None))
        return best[-1]

    @staticmethod
    def _on_line(known: Hits, eps: float, gap: float, whole: float, bits: int, size: float
                 ) -> Prepared:
        """For an accuracy of e^size 2^-bits."""
        # what is next to nothing is to be seen as that
        bits = max(24, bits + 8 * math.ceil((whole - size) / LOG2 / 8))
        chosen = shortest(known, eps, gap, whole, bits * LOG2)
        top = height(known, chosen, bits * LOG2)
        return Prepared(known, chosen, in_steps(
            top * chosen.period / (2 * math.pi)) + 1, bits)

    @property
    def terms(self) -> int:
        """Of the moments at all nodes."""
        return self.nodes * self.known.terms(self.chosen.gamma, self.bits) + (
            self.alone.terms if self.alone else 0)

    @property
    def cost(self) -> int:
        """In terms at further nodes."""
        each = self.known.terms(self.chosen.gamma, self.bits)
        return each * (self.nodes + MAKING) + (self.alone.cost if self.alone else 0)

    def delta(self, eps: Any, total: Any) -> Any:
        """From the sum of the rule."""
        known, found = self.known, self.share(eps, total)
        if self.alone is not None:
            return found + flint.arb(0).union(known.left_out)
        return found + flint.arb(0).union(known.left_out + known.usual_alone(eps))

    def share(self, eps: Any, total: Any) -> Any:
        """What the measure on the line contributes."""
        return unfold(self.known, eps, self.chosen, total, self.known.bound)


@lru_cache(maxsize=16)
def _by(factors: Factors, eps: float, bits: int, width: float) -> Prepared:
    """With windows of a width."""
    known, gap, size, least = windows.chosen(factors, eps, bits * LOG2, width)
    # of the value on the line much may cancel
    bits += 8 * math.ceil((size - least) / LOG2 / 8)
    chosen = shortest(known, eps, gap, size, bits * LOG2)
    top = height(known, chosen, bits * LOG2)
    nodes = in_steps(top * chosen.period / (2 * math.pi)) + 1
    return Prepared(known, chosen, nodes, bits)


@lru_cache(maxsize=16)
def _on_scales(factors: Factors, eps: float, bits: int) -> Prepared | None:
    """What takes the least work on several scales."""
    known, size = windows.scales(factors, eps, bits * LOG2)
    found = [ready for each in known
             if (ready := Prepared._chain(each, eps, bits, size)) is not None]
    return min(found, key=lambda ready: ready.terms, default=None)


def is_cheap(factors: Factors, eps: float) -> bool:
    """Does it take little time to few bits?  A choice."""
    return cost(factors, eps) < CHEAP


@lru_cache(maxsize=64)
def cost(factors: Factors, eps: float) -> float:
    """That on one line to few bits, infinite where none is found: a choice."""
    # of many unlike releases the plan alone takes seconds
    if is_rare(factors) and eps > 0 and len(factors.parts) <= FEW_KINDS:
        with suppress(Unsupported, ArithmeticError):
            return Prepared.of(factors, eps, FEW_BITS, MOST_TERMS).cost
    return math.inf


def is_cheaper(factors: Factors, eps: float) -> bool:
    """Does it take less than the rule on a line of all losses, where that is as sharp as what
    cancels there asks for?  A choice."""
    if is_rare(factors) and eps > 0 and len(factors.parts) <= FEW_KINDS:
        with suppress(Unsupported, ArithmeticError):
            ready = Prepared.of(factors, eps, FEW_BITS, MOST_TERMS)
            return bool(ready.cost * FEW_BITS < terms(factors, eps) * ready.bits)
    return False


def modestly(factors: Factors, eps: Any, bits: int) -> Any:
    """The same as :func:`delta`; :class:`Unsupported` where it takes longer than a second."""
    return delta(factors, eps, bits, ENOUGH)


def delta(factors: Factors, eps: Any, bits: int, most: int = MOST_TERMS) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits, by at most so many
    terms of moments."""
    return rule(factors, eps, bits, most)(eps)


def rule(factors: Factors, eps: Any, bits: int, most: int) -> Callable[[Any], Any]:
    """delta at any point by what is chosen for one: as right there, and about as sharp nearby."""
    ready = _ready(factors, eps, bits, most)
    scales = [ready]
    while (below := scales[-1].alone) is not None:
        scales.append(below)
    finishing(ready.cost / COST)
    tables = [_table(each.known, each.chosen.gamma, each.chosen.period, each.nodes, each.bits)
              for each in scales]

    def at(point: Any) -> Any:
        with workprec(max(table.precision for table in tables)):
            total = flint.arb(0)
            for each, table in zip(scales, tables, strict=True):
                total += each.share(point, table.total(point))
            return total + flint.arb(0).union(ready.known.left_out + scales[-1].known.usual_alone(
                point))

    return at


def _ready(factors: Factors, eps: Any, bits: int, most: int) -> Prepared:
    """On one line, or on several where that takes long."""
    one, problem = None, Unsupported("no windows are found")
    try:
        one = Prepared.of(factors, eps, bits, most)
    except Unsupported as refusal:
        problem = refusal
    if is_rare(factors, every=True) and not (one and one.cost < MODEST):
        with suppress(Unsupported, ArithmeticError):
            several = Prepared.scales(factors, eps, bits + SLACK, most)
            # on one line for all losses more may cancel than is known
            if one is None or several.cost < one.cost * (1 if one.known.splits else UNSURE):
                return several
    if one is None:
        raise problem
    return one


@lru_cache(maxsize=32)
def _table(known: Hits, gamma: float, period: float, nodes: int, bits: int) -> Table:
    inner, top = bits + known.count.bit_length() + 6, 2 * math.pi / period * nodes
    # turns cost the bits they have
    precision = inner + 16 + int(gamma + top).bit_length()
    with workprec(precision):
        abscissa, step = flint.arb(gamma), 2 * flint.arb.pi() / flint.arb(period)
        lines: list[tuple[Any, Any]] = [
            (None, s.line(abscissa, top, inner)) if window is None else known.lines(j, gamma, inner)
            for j, ((s, _), window) in enumerate(zip(known.parts, known.windows, strict=True))]
        grids = [[line and line.grid(step, nodes) for line in pair] for pair in lines]
        values = []
        for j in range(nodes + 1):
            q = flint.acb(abscissa, step * j)
            value = gained([(usual and usual[j], hits[j], k) for (usual, hits), (_, k) in zip(
                grids, known.parts, strict=True)]) / (q * (q - 1))
            values.append(value if j else value / 2)
        edge = step * nodes
        rest = gained([(*(known.decays(j, (usual, hits), gamma, edge) if window else (
            None, hits.decay(edge))), k) for j, ((usual, hits), (_, k), window) in enumerate(zip(
                lines, known.parts, known.windows, strict=True))])
        # as in the rule for all releases
        return Table(abscissa, step, in_rows(values), rest / (flint.arb.pi() * edge), precision)


def gained(moments: list[tuple[Any, Any, int]]) -> Any:
    """prod (U + H)^k - prod U^k from (U, H, k), U being None for factors whose losses are not told
    apart; the product where none are.  For bounds of U and H it is one, as it grows with both."""
    usual, log, close = None, None, True
    for u, hits, k in moments:
        power = (hits if u is None else u) ** k
        usual = power if usual is None else usual * power
        if u is not None:
            ratio = hits / u
            close = close and bool(abs(ratio) < 0.5)
            more = k * ratio.log1p()
            log = more if log is None else log + more
    assert usual is not None
    if log is None:
        return usual
    if close:
        return usual * log.expm1()
    whole = None
    for u, hits, k in moments:
        power = (hits if u is None else u + hits) ** k
        whole = power if whole is None else whole * power
    assert whole is not None
    return whole - usual


__all__ = ["Prepared", "cost", "delta", "gained", "is_cheap", "is_cheaper", "is_rare", "modestly",
           "rule"]
