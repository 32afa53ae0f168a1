"""delta of rare subsampled Gaussians beside a lattice: usual losses that reach no place of it.

As in :mod:`lapdp.accounting.inversion.hits` a release has a usual loss, next to 0, or a hit.  Let
the usual losses add up to no less than -a and to no more than b, with the P-mass U_1 and the
Q-mass U_0, and let no place of the lattice lie between eps - b and eps + a.  Beside usual losses
alone a place beyond eps is one beyond eps, so that they add

    U_1 P - e^eps U_0 Q = U_1 delta + (U_1 - U_0) e^eps Q,

where P and Q are the masses of the lattice beyond eps, and delta = P - e^eps Q its own profile: two
of its values between the same places tell Q.  All that has a hit is an inversion integral whose
moments decay as those of hits, on few windows of the lattice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import hit_windows, hits, lattice
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.inversion.window_parts import Parts, on_lattice
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.window_bounds import Window, weight_of
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

WIDTH, SHARE, STEP = 0.125, 0.75, 1 / 16
"""Of windows; of the way to the next places that usual losses may reach; of where they end."""
LOST, ROUGH = 8.0, 128
"""A logarithm by which what is left out is smaller than the accuracy asked for; bits
of a choice."""

NONE = Factors(())


@dataclass(frozen=True)
class NearPlaces(hits.Prepared):
    """The rule for all that has a hit, with the lattice beside it."""

    on: Factors = NONE
    wanted: int = 0
    """Bits of the answer; those of the rule are fewer where hits are rare."""

    def delta(self, eps: Any, total: Any) -> Any:
        """From the sum of the rule."""
        return self.share(eps, total) + self.usual(eps) + flint.arb(0).union(self.known.left_out)

    def usual(self, eps: Any) -> Any:
        """What usual losses alone contribute; :class:`Unsupported` where a place is in reach."""
        below, above = ways(self.on, eps)
        low, high = reach(self.known)
        if not (below > high and above > low):
            raise Unsupported("usual losses reach a place of the lattice")
        top = self.on.largest()
        if top is not None and enclose(top, {}).real < eps:
            return flint.arb(0)
        one, other = masses(self.known, self.wanted)
        alone = lattice.delta(self.on, eps, self.wanted)
        # between the same places
        x = above / 2 if above > below else -below / 2
        odds = (alone - lattice.delta(self.on, eps + x, self.wanted)) / x.expm1()
        return one * alone + (one - other) * odds


def ways(on: Factors, eps: Any) -> tuple[Any, Any]:
    """From eps down to the next place of a lattice, and up to the next one."""
    offset, gap = (enclose(x, {}).real for x in on_lattice(on))
    place = (eps - offset) / gap
    below = place - place.floor()
    return below * gap, (1 - below) * gap


def reach(known: Hits) -> tuple[Any, Any]:
    """How far below 0 and beyond it usual losses add up."""
    low, high = flint.arb(0), flint.arb(0)
    for j, ((_, k), window) in enumerate(zip(known.parts, known.windows, strict=True)):
        if window is not None and window.usual is not None:
            one = known.integrands(j, 1.0, 1.0)[0]
            assert one is not None
            least = -k * (1 - one.weight).log()
            most = k * one.log_z(flint.arb(window.usual.end)).max(flint.arb(0))
            low, high = (low + most, high + least) if one.added else (low + least, high + most)
    return low, high


@lru_cache(maxsize=32)
def masses(known: Hits, bits: int) -> tuple[Any, Any]:
    """The P-mass and the Q-mass of usual losses of all releases."""
    found = []
    more = known.count.bit_length()
    with workprec(bits + more + 32):
        for order in (1.0, 0.0):
            total = flint.arb(1)
            for j, ((_, k), window) in enumerate(zip(known.parts, known.windows, strict=True)):
                if window is not None:
                    line, _ = known.lines(j, order, bits + more)
                    assert line is not None
                    total *= line.total() ** k
            found.append(total)
    return found[0], found[1]


@lru_cache(maxsize=16)
def prepared(factors: Factors, here: Parts, near: float, bits: int) -> NearPlaces:
    """For about so many bits at a place."""
    if here.lattices or here.pieces.parts or not all(
            isinstance(s, MixedNormalSpectrum) and s.is_sample for s, _ in here.smooth.parts):
        raise Unsupported("beside a lattice there are others than rare subsampled Gaussians")
    size = saddle(factors, near, bits * LOG2).size
    with workprec(ROUGH):
        room = SHARE * float(min(ways(here.on, flint.arb(near)), key=float)) / len(
            here.smooth.parts)
    known = _windows(factors, here, (bits * LOG2, size), room)
    ready = hits.Prepared._on_line(known, near, *hit_windows.least(known, near), bits, size)
    return NearPlaces(known, ready.chosen, ready.nodes, ready.bits, on=here.on, wanted=bits)


def _windows(factors: Factors, here: Parts, sizes: tuple[float, float], room: float) -> Hits:
    goal, size = sizes
    windows: list[Window | None] = []
    for s, k in factors.parts:
        if (s, k) in here.on.parts:
            windows.append(None)
            continue
        assert isinstance(s, MixedNormalSpectrum)
        last = hit_windows._window(s, k, goal, goal - size + LOST, WIDTH)
        w, kappa = weight_of(s), s.doubles[2]
        end = (math.log1p(math.expm1(room / k) / w) + kappa) / math.sqrt(2 * kappa)
        end = STEP * math.floor(end / STEP)
        low = Window(end - hit_windows.fall(last.width, goal), last.width, end)
        if not low.end < last.place:
            raise Unsupported("usual losses reach as far as hits")
        windows.append(replace(last, usual=low))
    return Hits(factors.parts, tuple(windows), goal)


__all__ = ["NearPlaces", "masses", "prepared", "reach", "ways"]
