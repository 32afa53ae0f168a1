"""The rule on the windows of a lattice in double precision, rounding bounded.

Beside many losses on a lattice only the nodes near multiples of a turn T count, as in
:mod:`lapdp.accounting.inversion.windows`, whose bounds of all others hold here too.  The
moments of the others there are products of two matrices, as on a whole grid
(:mod:`lapdp.accounting.moments.doubled`).  Rare huge losses are cut off by windows of their own, or
told apart from usual ones, as in :mod:`lapdp.accounting.inversion.hits`; where they are, the
moment is that of what has a hit, which decays on a few windows of the lattice.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import mul
from typing import Any, cast

import flint
import numpy as np

from lapdp.accounting.inversion import hits, near_places, same_lines
from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import unfold
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.hits_machine import Lines, products
from lapdp.accounting.inversion.machine import MOST_LOST, over_kernel, planned, tree
from lapdp.accounting.inversion.machine_lines import Seeded
from lapdp.accounting.inversion.near_places import NearPlaces
from lapdp.accounting.inversion.saddle import Saddle
from lapdp.accounting.inversion.window_parts import Parts, on_lattice, ways
from lapdp.accounting.moments.doubled import (
    DOUBLE,
    SAFE,
    Format,
    Heights,
    bits_for,
    sizes,
    turns,
    wider,
)
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.rings import OnLattice
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS = 256
"""Of eps and of what it is multiplied by."""
MOST_ANGLES, MOST_NODES, MOST_CELLS, MODEST = 20_000, 1_500_000, 250_000_000, 40_000_000
"""On either side of a turn; nodes in all; terms of moments at all of them, and what takes little
time."""
FEW, FEW_NODES = 4, 100_000
"""So many times fewer nodes than there are on a whole grid are worth it, where they are not few."""
LESS, MORE = 8, 8
"""So many times fewer nodes of a whole grid are far less; bits of a rule that serves again."""
EVERY, TURNED = 10**15, 30
"""Nodes of a whole grid, not all of which are worked out; units that a turn by eps is off."""


def reaches(factors: Factors) -> bool:
    """Is there a lattice with subsampled Gaussians beside it, and nothing that has a density of
    another kind?"""
    return any(isinstance(s, MixedNormalSpectrum) for s, _ in factors.parts) and all(
        isinstance(s, MixedNormalSpectrum | ThetaSpectrum) or (
            isinstance(s, ExactSpectrum) and s.is_atomic)
        for s, _ in factors.parts) and bool(ways(factors))


def modestly(factors: Factors, eps: Any, digits: int) -> Any:
    """The same as :func:`delta`; :class:`Unsupported` where it takes longer than a few tenths of a
    second."""
    return delta(factors, eps, digits, MODEST)


def delta(factors: Factors, eps: Any, digits: int, most: int = MOST_CELLS) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them,
    by at most so many terms of moments.

    Raises :class:`Unsupported` where no part of the losses lies on a lattice, where nodes between
    its windows count, and where doubles do not reach.
    """
    known = [here for here in ways(factors) if here.smooth.parts]
    if not known or not reaches(factors):
        raise Unsupported("no part of the losses lies on a lattice, beside subsampled Gaussians")
    enough = math.floor(digits / math.log10(2)) + 2
    search = same_lines.current()
    kept = [] if search is None else search.served.setdefault((factors, NearPlaces), [])
    found: Any = None
    for way, table in reversed(kept):
        with suppress(Unsupported):
            found = _value(way, table, eps)
            if found.rel_accuracy_bits() >= enough:
                return found
    found = None
    problem = Unsupported("no line is found")
    plans = _plans(factors, eps, digits, enough)
    for here, way in _between_places(factors, known, eps, enough, plans):
        with suppress(Unsupported):
            table = _table(here, way.known, way.chosen.gamma, way.chosen.period, way.nodes,
                           (enough + MORE) * LOG2, most)
            found = _value(way, table, eps)
            if found.rel_accuracy_bits() >= enough:
                kept.append((way, table))
                return found
    for way in plans:
        for here in known:
            try:
                table = _table(here, way.known, way.chosen.gamma, way.chosen.period, way.nodes,
                               enough * LOG2, most)
            except Unsupported as refusal:
                problem = refusal
                continue
            found = _value(way, table, eps)
            if found.rel_accuracy_bits() >= enough:
                return found
    if found is None:
        raise problem
    return found


@dataclass(frozen=True)
class Plan:
    """What is under windows, a line, and nodes of a whole grid."""

    known: Hits
    chosen: Saddle
    nodes: int
    ready: hits.Prepared | None = None


def _plans(factors: Factors, eps: Any, digits: int, enough: int) -> list[Plan]:
    """The line of all losses, where that loses little, or those with huge losses apart."""
    found = []
    with suppress(Unsupported, ArithmeticError):
        chosen, size, _, _, count = planned(factors, float(eps), digits, EVERY)
        if chosen.size - size < MOST_LOST:
            found.append(Plan(Hits(factors.parts, (None,) * len(factors.parts), 0.0), chosen,
                              count))
    if hits.is_rare(factors) and eps > 0:
        with suppress(Unsupported, ArithmeticError):
            found += [Plan(ready.known, ready.chosen, ready.nodes + 1, ready)
                      for ready in hits.Prepared.ways(factors, eps, enough + 4, EVERY)[:1]]
    return found


def _between_places(factors: Factors, known: list[Parts], eps: Any, enough: int, plans: list[Plan]
                    ) -> list[tuple[Parts, Plan]]:
    """Rules where usual losses reach no place, and that takes far less work than others do."""
    most = min((way.nodes for way in plans), default=EVERY) / LESS
    found: list[tuple[Parts, Plan]] = []
    for here in known if most > FEW_NODES else []:
        with suppress(Unsupported, ArithmeticError, ValueError):
            ready = near_places.prepared(factors, here, float(eps), enough + MORE)
            if ready.nodes < most:
                found.append((here, Plan(ready.known, ready.chosen, ready.nodes + 1, ready)))
    return found


def _value(way: Plan, table: Table, eps: Any) -> Any:
    with workprec(BITS):
        chosen = replace(way.chosen, period=table.period)
        total = table.total(eps)
        if way.ready is None:
            return unfold(way.known, eps, chosen, total)
        return replace(way.ready, chosen=chosen).delta(eps, total)


@dataclass(frozen=True, eq=False)
class Block:
    """E_q/(q (q - 1)) over the size of the table at some nodes, and bounds of the errors."""

    heights: Heights
    values: Any
    errors: Any
    form: Format


@dataclass(frozen=True, eq=False)
class Table:
    """All nodes that count, for every eps."""

    gamma: float
    step: Any
    blocks: list[Block]
    start: Any
    """What eps is turned by less."""
    size: Any
    rest: Any
    """A bound of the sum over all other nodes, divided by ``size``."""

    @property
    def period(self) -> float:
        """Of the rule, or somewhat less: that bounds the aliases as well."""
        return float((2 * flint.arb.pi() / self.step).lower()) * (1 - 2.0**-50)

    def total(self, eps: Any) -> Any:
        """The rule at one eps."""
        step, total, error = self.step, flint.arb(0), 0.0
        turn = -step * (eps - self.start)
        for block in self.blocks:
            heights, form = block.heights, block.form
            far, near, first = (flint.acb(0, turn * n).exp() for n in (
                heights.turn, 1, heights.first))
            rows = turns(far, len(heights.rows), form) * form.near(first)
            turned = np.outer(rows, turns(near, heights.width, form)).ravel()
            terms = (block.values.real * turned.real - block.values.imag * turned.imag)
            value = tree(terms)
            passes = TURNED + 2 * math.ceil(math.log2(len(terms) + 1))
            error += SAFE * float(np.sum(block.errors + form.unit * passes * sizes(
                block.values)))
            total += flint.arb(float(value)) + flint.arb(float(value - float(value)))
        size = ((1 - flint.arb(self.gamma)) * eps).exp() * self.size
        return size * step / flint.arb.pi() * (total + flint.arb(0, error) + flint.arb(
            0, self.rest))


@lru_cache(maxsize=4)
def _table(here: Parts, known: Hits, gamma: float, period: float, nodes: int, goal: float,
           most: int) -> Table:
    on = here.on
    gap = enclose(on_lattice(on)[1], {}).real
    # even: half of a turn is where the next window begins
    turn = 2 * math.ceil(period / float(gap) / 2 + 1)
    with workprec(bits_for(2 * math.pi / float(gap)) + on.count.bit_length() + turn.bit_length()):
        offset, gap = (enclose(x, {}).real for x in on_lattice(on))
        rings = [(cast(OnLattice, s).ring(flint.arb(gamma), on_lattice(on)[1]), k)
                 for s, k in on.parts]
        kept, missing = live(rings, turn, goal + 10, MOST_ANGLES)
        # as many windows as all nodes take
        windows = max(0, math.ceil((nodes * 2 * math.pi / period) * float(gap) / (
            2 * math.pi) - 0.5))
        reach = max(kept)
        count = (reach + 1) + windows * (2 * reach + 1)
        if len(kept) * FEW > turn and count > FEW_NODES:
            raise Unsupported("nodes between the windows of the lattice count")
        if count > MOST_NODES:
            raise Unsupported(f"{count} nodes count on the windows, more than {MOST_NODES}")
        lesser = [(part, window) for part, window in zip(known.parts, known.windows, strict=True)
                  if part not in on.parts]
        others = Hits(tuple(part for part, _ in lesser), tuple(window for _, window in lesser),
                      known.goal)
        step = 2 * flint.arb.pi() / (gap * turn)
        made = Lines.of(others, gamma, step, turn * windows + turn // 2 + 1, 1)
        terms = sum(len(line.high) for line in made.lines if isinstance(line, Seeded))
        if terms * count > most:
            raise Unsupported(f"the moments on the windows need {terms * count} terms")
        phis = _phis(rings, kept, turn)
        every = missing + sum((2 * abs(phi) for phi in phis.values()), flint.arb(0))
        share = (gap / (2 * flint.arb.pi())) ** 2
        measure, second = 1 / abs(flint.arb(gamma) * (gamma - 1)), flint.arb.pi() ** 2 / 2
        rest = missing * made.whole / made.size * (measure + share * second)
        rest += every * made.beyond * share * (1 / flint.arb(windows) if windows else second)
        size = reduce(mul, (ring.size ** k for ring, k in rings), made.size)
        start = offset + gap * sum(k * ring.lowest for ring, k in rings)
        form = wider() or DOUBLE
        first = Heights.run(0, turn, 1, reach + 1)
        blocks = [_block(others, made, first, phis, (gamma, step), form)]
        if windows:
            blocks.append(_block(others, made, Heights.run(
                turn - reach, turn, windows, 2 * reach + 1), phis, (gamma, step), DOUBLE))
        return Table(gamma, step, blocks, start, size, rest.upper())


def _phis(rings: list[tuple[Any, int]], kept: list[int], turn: int) -> dict[int, Any]:
    """phi at the angles that count, half of it at half of a turn, where one window ends and the
    next one begins."""
    return {j: reduce(mul, (ring.at(j, turn) ** k for ring, k in rings), flint.acb(1))
            / (2 if 2 * j == turn else 1) for j in kept}


def _block(others: Hits, made: Lines, heights: Heights, phis: dict[int, Any],
           line: tuple[float, Any], form: Format) -> Block:
    gamma, step = line
    first = not heights.first
    grid = heights.width if first else heights
    d, off = products(others, made.lines, made.ratio, step, grid, form)
    # angles that do not count are left out, here too
    phi = [phis.get(abs(j), flint.acb(0)) for j in range(
        0 if first else -(heights.width // 2), heights.width if first else heights.width // 2 + 1)]
    if not first:
        phi = [x.conjugate() if j < heights.width // 2 else x for j, x in enumerate(phi)]
    value = np.array([form.near(x) for x in phi], dtype=form.complex)
    slip = np.array([float((x.real.rad() + x.imag.rad()).upper()) for x in phi])
    value, slip = np.tile(value, len(heights.rows)), np.tile(slip, len(heights.rows))
    slip = slip + 2 * form.unit * sizes(value)
    u = heights.numbers.astype(d.real.dtype) * form.near(flint.acb(step)).real
    if first:
        d[0], off[0] = d[0] / 2, off[0] / 2
    both = d * value
    # two more units, as the step is rounded, too
    error = SAFE * (off * (sizes(value) + slip) + sizes(d) * slip + 6 * form.unit * sizes(both))
    return Block(heights, *over_kernel(both, error, u, gamma, form), form)


__all__ = ["BITS", "delta", "reaches"]
