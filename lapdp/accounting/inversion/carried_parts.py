"""Which releases are wide ones, and how long the rule for draws from their pieces is.

See :mod:`lapdp.accounting.inversion.carried`.  Of the moments of releases on a lattice of step g
the size is periodic: where the period of the rule is T g, T even, let S be the sum of |phi| over
all of its T angles.  From the nodes beyond M + 1/2 of these turns on, where all other moments are
at most B, their sum is at most

    B S (g/2 pi)^2/M,   and with (pi^2)/2 in place of 1/M for M = 0,

for |q (q - 1)| >= u^2, and 1/(m - 1/2)^2 is at most the integral of 1/x^2 from m - 1 to m.
"""

from __future__ import annotations

import heapq
import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import Any, cast

import flint

from lapdp.accounting.inversion import few, lattice
from lapdp.accounting.inversion.atom_sums import pieced
from lapdp.accounting.inversion.saddle import Saddle, in_steps
from lapdp.accounting.inversion.split import _pieces, _share, without_atoms
from lapdp.accounting.inversion.window_parts import _spread, on_lattice
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.accounting.moments.rings import OnLattice
from lapdp.calculus.enclose import enclose
from lapdp.core.precision import workprec
from lapdp.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from lapdp.privacy.operations import factors as factors_of
from lapdp.privacy.pair import Pair

MOST_SUMS, MOST_NODES = 20_000, 1_000_000
"""Sums of atoms; nodes of the rule."""
GROWTH, FEWEST_STEPS, MOST_STEPS = 1.2, -8, 120
"""Of the heights that are tried."""
ROUGH, TINY = 64, 1e-300
ARCS, ENOUGH = 400, 4.0
"""Parts of a turn whose moments are bounded, at most; what the largest one adds."""
ROUNDED = 1 + 1e-9
"""Covers that steps and heights are doubles."""


@dataclass(frozen=True)
class Rule:
    """How many nodes there are, the period, and the turns T of the angles of a lattice, and of
    these M, where the bound of what is left out rests on that; chosen in doubles."""

    nodes: int
    period: float
    turn: int = 0
    windows: int = 0


@dataclass(frozen=True, eq=False)
class Carried(Factors):
    """All releases, as wide ones and the others: what draws from the pieces of the wide ones add.

    Beside losses on one lattice those that are few count as wide ones.
    """

    wide: Factors
    """In atoms and pieces."""
    narrow: Factors
    others: Pair
    """The narrow ones."""

    @cached_property
    def on(self) -> Factors:
        """Those of the narrow ones on one lattice that spread over most of its places."""
        def places(group: Factors) -> float:
            return _spread(group) / float(enclose(on_lattice(group)[1], {}).real) ** 2

        return max(lattice.grouped(self.narrow)[0], key=places, default=Factors(()))

    @cached_property
    def loose(self) -> Factors:
        """All other narrow ones."""
        return Factors(tuple(part for part in self.narrow.parts if part not in self.on.parts))

    def finite_mass(self) -> Any:
        """The probability of at least one such draw, all losses being finite."""
        return without_atoms(self.wide, 0).finite_mass() * self.narrow.finite_mass()

    def bound(self, gamma: float, height: float, narrow: Factors | None = None) -> Any:
        """A bound of its moment at gamma + iu for all u >= height; or beside some narrow ones."""
        found = without_atoms(self.wide, 0).bound(gamma, height)
        for s, k in (self.narrow if narrow is None else narrow).parts:
            if isinstance(s, PiecewiseSpectrum):
                found *= s.decay(gamma).above(height) ** k
                continue
            with workprec(ROUGH + k.bit_length()):
                line = s.line(flint.arb(gamma), height, 32 + k.bit_length())
                found *= line.decay(flint.arb(height)) ** k
        return found.upper()

    def rest(self, gamma: float, step: float, rule: Rule) -> Any:
        """A bound of what the nodes left out add to the rule of a step."""
        scale, last = flint.arb(step) / flint.arb.pi(), flint.arb(step) * (rule.nodes - 1)
        height = math.nextafter(float(last.lower()), 0.0)
        if not rule.turn:
            # the sum over j > N of 1/(h j)^2 is at most 1/(h^2 N)
            return (scale * self.bound(gamma, height) / (flint.arb(step) * last)).upper()
        gap = enclose(on_lattice(self.on)[1], {}).real / (2 * flint.arb.pi())
        with workprec(ROUGH + self.on.count.bit_length()):
            size = reduce(operator.mul, (ring.size ** k for ring, k in self._rings(gamma)))
        more = 1 / flint.arb(rule.windows) if rule.windows else flint.arb.pi() ** 2 / 2
        return (scale * self.bound(gamma, height, self.loose) * size * self.around(
            gamma, rule.turn) * gap**2 * more * ROUNDED).upper()

    def _rings(self, gamma: float) -> list[tuple[Any, int]]:
        step = on_lattice(self.on)[1]
        return [(cast(OnLattice, s).ring(flint.arb(gamma), step), k) for s, k in self.on.parts]

    def around(self, gamma: float, turn: int) -> Any:
        """A bound of the sum of prod |phi|^k over T angles, each of them next to its place."""
        return _around(self, gamma, turn)

    def rule(self, line: Saddle, goal: float) -> Rule | None:
        """That with the fewest nodes for which what is left out has fallen by e^-goal beside what
        is left of the kernel, nearly; None where these are too many."""
        found = []
        height = self._height(line, goal)
        nodes = height * line.period / (2 * math.pi) + 1
        if nodes < MOST_NODES:
            # in steps: one table serves many points
            found.append(Rule(in_steps(nodes) + 1, line.period))
        if self.on.parts:
            found += self._on_windows(line, goal)
        return min(found, key=lambda rule: rule.nodes, default=None)

    def _fallen(self, line: Saddle, narrow: Factors, height: float) -> float:
        """By how much, as a logarithm, it has fallen at a height, nearly."""
        decays = [(s.decay(line.gamma), k) for s, k in pieced(self.wide)]
        rows = [(float(d.atoms / d.whole), k) for d, k in decays]
        share = _share(rows, _pieces(self.wide, line.gamma, height), 0)
        return narrow.log_moment(line.gamma) - narrow.log_decay(line.gamma, height) - math.log(
            max(share, TINY))

    def _height(self, line: Saddle, goal: float) -> float:
        """Where it has fallen so far."""
        # the nodes left out have 1/u^2 where those at the saddle have 1/(q (q - 1))
        scale = kernel(line)

        def fallen(j: int) -> bool:
            height = line.width * GROWTH**j
            return self._fallen(line, self.narrow, height) > goal + 2 - math.log(
                max(1.0, scale * height))

        low, high = FEWEST_STEPS, MOST_STEPS
        if not fallen(high):
            return math.inf
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if fallen(middle) else (middle, high)
        return line.width * GROWTH**high

    def _on_windows(self, line: Saddle, goal: float) -> Iterator[Rule]:
        """The first number of turns that do."""
        gap = float(enclose(on_lattice(self.on)[1], {}).real)
        turn = 2 * math.ceil(line.period / gap / 2 + 1)
        if turn > MOST_NODES:
            return
        around = float(self.around(line.gamma, turn).log())
        most, windows = goal + 2 - math.log(kernel(line)), 0
        while (nodes := windows * turn + turn // 2) < MOST_NODES:
            more = math.log(2 * math.pi / (gap * turn) * (gap / (2 * math.pi)) ** 2 * (
                1 / windows if windows else math.pi**2 / 2))
            height = 2 * math.pi * (windows + 0.5) / gap
            if self._fallen(line, self.loose, height) - more - around > most:
                yield Rule(nodes, gap * turn, turn, windows)
                return
            windows += 1 + windows // 3


def kernel(line: Saddle) -> float:
    """About the integral of |1/(q (q - 1))| where the integrand counts."""
    return 1.25 * line.width / abs(line.gamma * (line.gamma - 1))


@lru_cache(maxsize=64)
def _around(here: Carried, gamma: float, turn: int) -> Any:
    with workprec(ROUGH):
        rings = here._rings(gamma)

        def arc(first: int, last: int) -> tuple[float, int, int, Any]:
            """Two arcs together, the larger ones first."""
            fall = sum((k * ring.fall(first - 1, last + 1, turn) for ring, k in rings),
                       flint.arb(0))
            size = (2 * (last - first + 1) * (-fall).exp()).upper()
            return -float(size), first, last, size

        arcs = [arc(1, turn // 2)]
        while len(arcs) < ARCS and -arcs[0][0] > ENOUGH and arcs[0][1] < arcs[0][2]:
            _, first, last, _ = heapq.heappop(arcs)
            middle = (first + last) // 2
            heapq.heappush(arcs, arc(first, middle))
            heapq.heappush(arcs, arc(middle + 1, last))
        return sum((size for *_, size in arcs), flint.arb(1)).upper()


@dataclass(frozen=True)
class _Kind:
    """Copies of one release: as a pair, with their moments, and in atoms and pieces.

    The moments are those of all releases together, and what is known of them is shared.
    """

    pair: Pair
    part: tuple[Any, int]
    taken: tuple[Any, int] | None

    @property
    def span(self) -> float:
        return float(self.taken[0].span) if self.taken is not None else 0.0


def _kinds(pair: Pair) -> list[_Kind]:
    powers: dict[Pair, Pair] = {}
    for factor, count in factors_of(pair):
        single = factor.single if isinstance(factor, DiscreteGaussian) else factor
        powers[single] = powers[single] * factor**count if single in powers else factor**count
    forward = releases(pair)
    whole, found = in_pieces(forward), []
    for i, (power, part) in enumerate(zip(powers.values(), forward.parts, strict=True)):
        taken = whole or in_pieces(Factors((part,)))
        found.append(_Kind(power, part, None if taken is None else taken.parts[
            i if whole is not None else 0]))
    return found


@lru_cache(maxsize=64)
def ways(pair: Pair) -> tuple[Carried, ...]:
    """The releases with the widest pieces apart, first one kind of them, then more.

    >>> from lapdp import laplace, poisson
    >>> found = ways(laplace(1) * poisson(laplace(2), "1/1000", direction="add") ** 50)
    >>> [way.wide.count for way in found]
    [1]
    """
    kinds = _kinds(pair)
    known = [i for i, kind in enumerate(kinds) if kind.taken is not None and few.is_bounded(
        Factors((kind.taken,))) and kind.taken[0].pieces and kind.taken[0].atoms]
    known.sort(key=lambda i: -kinds[i].span)
    found = []
    for count in range(1, len(known) + 1):
        wide = Factors(tuple(cast(Any, kinds[i].taken) for i in known[:count]))
        rest = [kind for i, kind in enumerate(kinds) if i not in known[:count]]
        if not rest or _many(wide) > MOST_SUMS:
            break
        narrow = Factors(tuple(kind.part for kind in rest))
        here = Carried((*wide.parts, *narrow.parts), wide, narrow,
                       reduce(operator.mul, (kind.pair for kind in rest)))
        more = in_pieces(here.loose)
        if here.on.parts and here.loose.parts and more is not None and not any(
                s.pieces for s, _ in pieced(more)):
            # few losses on no lattice, or on another one: all atoms but those of one lattice
            wider = Factors((*wide.parts, *more.parts))
            if _many(wider) <= MOST_SUMS:
                here = Carried((*wider.parts, *here.on.parts), wider, here.on, here.others)
        found.append(here)
    return tuple(found)


def _many(wide: Factors) -> int:
    return math.prod(math.comb(k + len(s.atoms) - 1, k) for s, k in pieced(wide))


__all__ = ["MOST_NODES", "Carried", "Rule", "kernel", "ways"]
