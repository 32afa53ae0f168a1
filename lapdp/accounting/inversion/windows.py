"""delta of losses on a lattice of many places beside others: the inversion integral on windows.

Moments of losses on a lattice of step h are periodic up to a turn, with the period 2 pi/h. Of many
releases they have fallen everywhere but near 2 pi m/h, so that of the rule of
:mod:`lapdp.accounting.inversion.contour` with the period N h only the nodes n = m N + j are worked
out at which |phi(2 pi j/N)| counts.  Let W be the moments of the others, without those of their
atoms alone if nothing else makes them decay: what these contribute is a sum of lattice sums.  With
R the sum of |phi| over the angles left out, S that over all, and |W| <= B at heights from 2 pi (M +
1/2)/h on, the nodes left out add, beside the factor E_gamma of the lattice, at most

    R |W_gamma| (1/|gamma (gamma - 1)| + (h/2 pi)^2 pi^2/2) + S B (h/2 pi)^2/M,

for |q (q - 1)| >= u^2, and 1/(m - 1/2)^2 is at most the integral of 1/x^2 from m - 1 to m.  Where
some of the others lie on lattices too, only few windows count
(:mod:`lapdp.accounting.inversion.returns`), and 1/M is what these contribute.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import mul
from typing import Any, cast

import flint

from lapdp.accounting.inversion import lattices, same_lines, window_atoms
from lapdp.accounting.inversion.atom_sums import refuse_many
from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import LEAST, below, moment_bound, unfold
from lapdp.accounting.inversion.returns import Returns, all_windows, returns
from lapdp.accounting.inversion.saddle import Saddle, saddle
from lapdp.accounting.inversion.split import without_atoms
from lapdp.accounting.inversion.window_parts import Parts, on_lattice, parts, ways
from lapdp.accounting.inversion.wrapped import Plan
from lapdp.accounting.moments.exact import ExactLine
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.nodal import NodalLine, Nodes, around
from lapdp.accounting.moments.piecewise import PiecewiseLine, PiecewiseSpectrum
from lapdp.accounting.moments.rings import OnLattice
from lapdp.accounting.moments.upward import UpwardLine
from lapdp.calculus.enclose import enclose
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_WINDOWS, MOST_NODES, MOST_TERMS, LONG = 800, 60_000, 1_500, 20_000
"""Nodes of the rule on a line from which on this one may be shorter: the last."""
FEW_TERMS, FEWEST_BITS = 100, 24
"""Terms of a moment on the line of losses from which on it is taken up the plane, and its bits."""
QUICK, MOST_FALL, MODEST = (12, 2_000), 0.5, (MOST_WINDOWS, 40_000)
"""Windows and nodes that take little time; of the goal, what moments have to fall by there; what
takes less than a second."""
MOST_CELLS = 30_000_000
"""Terms of all moments: more than a second."""
SPARE, MORE = 40, 12
"""Bits for rounding; bits of a table that serves again."""
NO_DECAY = "beside a lattice the moments do not decay in {} windows"


def quickly(factors: Factors, eps: Any, bits: int) -> Any:
    """The same as :func:`delta`; :class:`Unsupported` where it needs more than a few windows."""
    here, goal = parts(factors), bits * LOG2
    if here is not None and not here.apart and not here.together:
        gamma, gap = saddle(factors, float(eps), goal).gamma, float(
            enclose(on_lattice(here.on)[1], {}).real)
        height = 2 * math.pi * (QUICK[0] + 0.5) / gap
        fall = here.smooth.log_moment(gamma) - here.smooth.log_decay(gamma, height)
        if fall < goal * MOST_FALL:
            raise Unsupported("what lies beside the lattice does not decay in a few windows")
    return delta(factors, eps, bits, QUICK)


def modestly(factors: Factors, eps: Any, bits: int) -> Any:
    """The same; :class:`Unsupported` where it needs more than some thousand nodes."""
    return delta(factors, eps, bits, MODEST)


def delta(factors: Factors, eps: Any, bits: int, most: tuple[int, int] | None = None) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits, by at most so many
    windows and nodes.

    ``eps`` is a ball of many more bits.  Raises :class:`Unsupported` where no part of the losses
    lies on a lattice, and where the others do not decay soon enough.
    """
    known, problems = ways(factors), []
    if not known:
        raise Unsupported("no part of the losses lies on a lattice, beside others")
    found: Any = None
    for here in known:
        try:
            found = _by(here, eps, bits, most or (MOST_WINDOWS, MOST_NODES))
        except Unsupported as problem:
            problems.append(problem)
            continue
        if found.is_finite():
            return found
    if found is None:
        raise problems[0]
    return found


def _by(here: Parts, eps: Any, bits: int, most: tuple[int, int]) -> Any:
    """With one of the lattices."""
    more, bits = bits, 16 * -(-bits // 16)
    chosen = saddle(here, float(eps), bits * LOG2)
    if chosen.size < LEAST:
        return below(here, eps, chosen.gamma)
    # that there are too many sums is said at once
    planned = window_atoms.plan(here, eps, bits, chosen) if here.apart and here.lattices else None
    if here.apart and not here.lattices:
        refuse_many(here.pieces)
    if here.apart and all(not s.pieces for s, _ in _pieced(here)):
        return _atoms(here, eps, bits, chosen, planned)
    table = _shared(here, eps, chosen, more, most)
    # the nodes are counted before many sums are worked out
    found = flint.arb(0)
    if here.apart:
        found = _atoms(here, eps, bits, chosen, planned)
    with workprec(table.precision):
        # a shorter period bounds the aliases as well
        line = replace(chosen, period=float(table.period.lower()) * (1 - 2.0**-50))
        return found + unfold(here, eps, line, table.total(eps))


def _shared(here: Parts, eps: Any, chosen: Saddle, bits: int, most: tuple[int, int]) -> Table:
    """A table for so many bits: one that the search under way has on this line, or a new one; the
    second on a line for more bits, as digits that cancel in one look do so in the next."""
    search = same_lines.current()
    kept = [] if search is None else search.served.setdefault((here, Table), [])
    known = [(goal, table) for goal, table in kept if table.gamma == chosen.gamma]
    for goal, table in known:
        if goal >= bits and table.period > chosen.period:
            return cast(Table, table)
    gap, ways = float(enclose(on_lattice(here.on)[1], {}).real), [(bits, chosen)]
    if known:
        ample = 16 * -(-(bits + MORE) // 16)
        longer = saddle(here, float(eps), ample * LOG2)
        if longer.gamma == chosen.gamma:
            ways.insert(0, (ample, longer))
    for goal, line in ways:
        with suppress(Unsupported) if goal > bits else nullcontext():
            table = _table(here, line.gamma, math.ceil(line.period / gap) + 1, goal * LOG2,
                           16 * -(-goal // 16), most)
            kept.append((goal, table))
            return table
    raise AssertionError


def _atoms(here: Parts, eps: Any, bits: int, chosen: Saddle, planned: Plan | None) -> Any:
    """What no release with a draw from its pieces contributes: beside more lattices than one by the
    sum that is planned for all of them; nothing where a release has no atoms."""
    if planned is not None:
        return lattices.by_plan(planned, eps)
    return flint.arb(0) if here.lattices else window_atoms.delta(here, eps, bits, chosen)


def _pieced(here: Parts) -> list[tuple[PiecewiseSpectrum, int]]:
    return [(cast(PiecewiseSpectrum, s), k) for s, k in here.pieces.parts]


@dataclass(frozen=True)
class Table:
    """What the nodes that count contribute, for every eps."""

    gamma: Any
    step: Any
    values: tuple[tuple[int, Any], ...]
    """n, and the summand without its turn by eps; the first one halved."""
    rest: Any
    precision: int

    @property
    def period(self) -> Any:
        """Of the rule."""
        return 2 * flint.arb.pi() / self.step

    def total(self, eps: Any) -> Any:
        """The rule at one eps."""
        spend(3 * len(self.values))
        total = flint.arb(0)
        for n, value in self.values:
            sine, cosine = (self.step * n * eps).sin_cos()
            total += value.real * cosine + value.imag * sine
        size = ((1 - self.gamma) * eps).exp() * self.step / flint.arb.pi()
        return size * (total + flint.arb(0, self.rest))


@lru_cache(maxsize=32)
def _table(here: Parts, gamma: float, turn: int, goal: float, bits: int, most: tuple[int, int]
           ) -> Table:
    offset, gap = (enclose(x, {}).real for x in on_lattice(here.on))
    inner = bits + here.count.bit_length() + 6
    precision = inner + SPARE + int(abs(gamma)).bit_length() + turn.bit_length()
    with workprec(precision):
        offset, gap = (enclose(x, {}).real for x in on_lattice(here.on))
        abscissa = flint.arb(gamma)
        rings = [(cast(OnLattice, s).ring(abscissa, on_lattice(here.on)[1]), k)
                 for s, k in here.on.parts]
        kept, missing = live(rings, turn, goal + 10, most[1])
        spend(len(kept) * (4 + 9 * len(rings)))
        phis = {j: reduce(mul, (ring.at(j, turn) ** k for ring, k in rings), flint.acb(1))
                for j in kept}
        every = missing + sum((2 * abs(phi) for phi in phis.values()), flint.arb(0))
        share = (gap / (2 * flint.arb.pi())) ** 2
        others = here.beside
        back = _returns(here, abscissa, max(kept) / flint.arb(turn), goal, float(share), most[0])
        # bounds of pieces take long to make
        turns = float(gap) / (2 * math.pi)
        likely = _least(here, gamma, (back.next(most[0]) - 0.5) / turns) + float(
            (share * back.beyond(most[0])).log())
        if likely > others.log_moment(gamma) - math.log(abs(gamma * (gamma - 1))) - goal:
            raise Unsupported(NO_DECAY.format(most[0]))
        here_size = moment_bound(others, gamma)
        measure = 1 / abs(abscissa * (abscissa - 1))
        windows, beyond = _windows(here, gamma, float(gap), back, lambda count, bound: (
            every * bound * share * back.beyond(count)),
            # beside the nodes of the first window
            float((here_size * measure * every / 2).log()) - goal, min(most[0], len(back.live)))
        second = flint.arb.pi() ** 2 / 2
        left_out = missing * here_size * (measure + share * second)
        left_out += every * here_size * share * second * back.quiet
        size = reduce(mul, (ring.size ** k for ring, k in rings), flint.arb(1))
        start = offset + gap * sum(k * ring.lowest for ring, k in rings)
        step = 2 * flint.arb.pi() / (gap * turn)
        # right of the middle of each window there are as many, before any is written down
        if (few := len(kept) * (1 + len(back.live[:windows]))) > most[1]:
            raise Unsupported(f"{few} nodes count on the windows, more than {most[1]}")
        nodes = sorted({abs(m * turn + side * j) for m in (0, *back.live[:windows])
                        for j in kept for side in (-1, 1)})
        if len(nodes) > most[1]:
            raise Unsupported(f"{len(nodes)} nodes count on the windows, more than {most[1]}")
    spend(len(nodes) * (10 + 9 * len(here.beside.parts)))
    precision += (nodes[-1] // turn).bit_length()
    with workprec(precision):
        values = []
        for n, moment in _others(here, abscissa, step, nodes, inner):
            j = n % turn
            phi = phis[j] if j in phis else phis[turn - j].conjugate()
            q = flint.acb(abscissa, step * n)
            value = size * phi * flint.acb(0, step * n * start).exp() * moment / (q * (q - 1))
            values.append((n, value if n else value / 2))
        return Table(abscissa, step, tuple(values), (size * (left_out + beyond)).upper(),
                     precision)


def _returns(here: Parts, abscissa: Any, reach: Any, goal: float, share: float, most: int
             ) -> Returns:
    """Which windows count beside the other lattices."""
    if not here.lattices:
        return all_windows(most)
    # the nodes beyond the first window are smaller by the share
    gamma = float(abscissa)
    quiet = max(4.0, goal + 6 + math.log(share * abs(gamma * (gamma - 1))))
    step, groups = enclose(on_lattice(here.on)[1], {}).real, []
    for group in here.lattices:
        own = on_lattice(group)[1]
        groups.append(([(cast(OnLattice, s).ring(abscissa, own), k) for s, k in group.parts],
                       enclose(own, {}).real / step))
    return returns(groups, reach, quiet, most)


def _windows(here: Parts, gamma: float, gap: float, back: Returns, size: Any, goal: float,
             most: int) -> tuple[int, Any]:
    """How many windows are worked out on either side of the first, and what the others add."""
    def rest(count: int) -> Any | None:
        """What they add, where it is little enough."""
        height = math.nextafter(2 * math.pi * (back.next(count) - 0.5) / gap, 0.0)
        found = size(count, _bound(here, gamma, height))
        return found if found.is_finite() and float(found.log()) < goal else None

    last = rest(most)
    if last is None:
        raise Unsupported(NO_DECAY.format(most))
    first = rest(0)
    if first is not None:
        return 0, first
    low, high, found = 0, most, last
    # a quarter more windows than are needed do little harm
    while high - low > 1 + low // 4:
        middle = (low + high) // 2
        more = rest(middle)
        if more is None:
            low = middle
        else:
            high, found = middle, more
    return high, found


def _least(here: Parts, gamma: float, height: float) -> float:
    """A logarithm that bounds of |W| hardly fall below: what atoms contribute, or where they are
    summed apart, one draw from where a density ends.  A choice."""
    known = [(s.log_atoms(gamma), s, k) for s, k in _pieced(here)]
    atoms = sum(k * log for log, _, k in known)
    if not here.apart:
        return atoms + here.smooth.log_decay(gamma, height) + here.returning.log_moment(gamma)
    if not math.isfinite(atoms):
        return atoms
    return here.returning.log_moment(gamma) + atoms - math.log(height) + max(
        s.log_jump(gamma) - log + math.log(k) for log, s, k in known)


def _bound(here: Parts, gamma: float, height: float) -> Any:
    """A bound of |W| from a height on."""
    if here.apart:
        return (without_atoms(here.pieces, 0).bound(gamma, height)
                * moment_bound(here.returning, gamma)).upper()
    found = flint.arb(1)
    for s, k in _pieced(here):
        found *= s.decay(gamma).above(height) ** k
    for smooth, k in here.smooth.parts:
        line = smooth.line(flint.arb(gamma), height, 32 + k.bit_length())
        found *= line.decay(flint.arb(height)) ** k
    return (found * moment_bound(here.returning, gamma)).upper()


def _others(here: Parts, abscissa: Any, step: Any, nodes: list[int], bits: int
            ) -> Iterator[tuple[int, Any]]:
    """W at the nodes."""
    runs, left = list(_runs(nodes)), MOST_CELLS
    many, one = len(here.sources.parts), flint.acb(1)
    while runs:
        # one line serves heights up to twice the first one
        first = runs[0][0]
        near = [run for run in runs if run[0] + run[1] <= max(2 * first, sum(runs[0]))]
        runs = runs[len(near):]
        ends = float((step * first).lower()), float((step * sum(near[-1])).upper())
        lines = [(_line(s, abscissa, ends, bits), k) for s, k in here.beside.parts]
        left -= sum(count for _, count in near) * sum(
            len(line.nodes) for line, _ in lines if isinstance(line, NodalLine))
        if left < 0:
            raise Unsupported(f"the moments beside a lattice need more than {MOST_CELLS} terms in "
                              "all")
        for start, count in near:
            moments = [(*_run(line, step, start, count), k) for line, k in lines]
            for i in range(count):
                whole = reduce(mul, ((a[i] + d[i]) ** k for a, d, k in moments[:many]), one)
                if here.apart:
                    whole -= reduce(mul, (a[i] ** k for a, _, k in moments[:many]))
                yield start + i, reduce(mul, ((a[i] + d[i]) ** k for a, d, k in moments[many:]),
                                        whole)


def _line(s: Any, abscissa: Any, heights: tuple[float, float], bits: int) -> Any:
    """The moments of one release between two heights."""
    turns = s.span * heights[1] / 2 if isinstance(s, PiecewiseSpectrum) else 0.0
    if turns > FEW_TERMS and heights[0] > 0:
        # beside 1/(q (q - 1)) fewer bits count far out
        less = 2 * math.log2(heights[0] / max(1.0, abs(float(abscissa))))
        with suppress(Unsupported):
            return UpwardLine(s, abscissa, *heights, max(FEWEST_BITS, bits - max(0, int(less))))
    if turns > MOST_TERMS:
        raise Unsupported(f"the moments beside a lattice need {turns:.0f} terms, more than "
                          f"{MOST_TERMS}")
    return s.line(abscissa, heights[1], bits)


def _runs(nodes: list[int]) -> Iterator[tuple[int, int]]:
    """First and number of nodes one after another."""
    first = last = nodes[0]
    for n in nodes[1:]:
        if n != last + 1:
            yield first, last - first + 1
            first = n
        last = n
    yield first, last - first + 1


def _run(line: Any, step: Any, first: int, count: int) -> tuple[list[Any], list[Any]]:
    """The moments of the atoms, and of the rest, at some nodes one after another."""
    none = [flint.acb(0)] * count
    if isinstance(line, ExactLine):
        heights = [step * (first + i) for i in range(count)]
        return [line.atoms_at(u) for u in heights], [line.pieces_at(u) for u in heights]
    if not isinstance(line, NodalLine):
        return none, [line.at(step * (first + i)) for i in range(count)]
    many = len(line.atoms) if isinstance(line, PiecewiseLine | UpwardLine) else 0
    atoms, rest = (_shifted(pairs, step, first, count) for pairs in (
        line.nodes.pairs[:many], line.nodes.pairs[many:]))
    return atoms, [value + around(line.error(step * (first + i))) for i, value in enumerate(rest)]


def _shifted(pairs: list[tuple[Any, Any]], step: Any, first: int, count: int) -> list[Any]:
    start = step * first
    turned = [(weight * (flint.acb(0, start) * log).exp(), log) for weight, log in pairs]
    return Nodes(turned).grid(step, count - 1)[:count]


__all__ = ["delta", "modestly", "parts", "quickly", "ways"]
