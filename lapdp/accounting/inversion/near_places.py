"""delta of rare subsampled Gaussians beside a lattice: usual losses that reach few places of it.

As in :mod:`lapdp.accounting.inversion.hits` a release has a usual loss, next to 0, or a hit.  Let
the usual losses add up to no less than -a and to no more than b, with the P-mass U_1, the Q-mass
U_0, and the profile delta'(t), which is 0 for t >= b and U_1 - e^t U_0 for t <= -a.  With P and Q
the masses of the lattice at all places beyond one next to eps, they add

    U_1 P - e^eps U_0 Q + the sum of p_j (delta'(t_j) - (U_1 - e^t_j U_0 if j is one of these))

over the places z_j near eps, t_j = eps - z_j between -a and b, and between 0 and these where a or
b is below 0.  P - e^t Q is the profile of the
lattice alone at any t between two places: two of its values tell P and Q.  Usual losses are told
apart once more, and again: those that do not reach t have such a profile, too, and that of all
others is an integral on their scale, far below that of the lattice, where few nodes do.  All that
has a hit is an inversion integral whose moments decay as those of hits, on few windows of the
lattice.  Few atoms of other lattices shift eps.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import Any

import flint

from lapdp.accounting.inversion import hit_windows, hits, lattice
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.lattice_masses import masses_on
from lapdp.accounting.inversion.lattice_places import circle
from lapdp.accounting.inversion.saddle import Saddle, height, saddle
from lapdp.accounting.inversion.window_parts import Parts, on_lattice
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.window_bounds import Integrand, Window, weight_of
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

WIDTH, STEP, LOWEST, PLACES = 0.125, 1 / 16, -4.0, (4.0, 1.0, 0.25)
"""Of windows; of where usual losses end, and the least of it; steps of the lattice that they may
add up to, where hits are farther off."""
LONGER, SCALE, FEWEST, MOST_NEAR = 1.01, 24.0, 24, 60_000_000
"""A period over what usual losses reach, and over what those of the next scale do; bits at least;
terms of their moments."""
LOST, ROUGH, MOST_ATOMS, MORE, SPARE = 8.0, 128, 24, 6, 24
"""A logarithm by which what is left out is smaller than the accuracy asked for; bits of a choice;
atoms of other lattices; bits more for what is beside them, and for masses
of places that may be small on the line."""


@dataclass(frozen=True)
class NearPlaces(hits.Prepared):
    """The rule for all that has a hit, with the lattice beside it."""

    here: Parts | None = None
    wanted: int = 0
    """Bits of the answer; those of the rule are fewer where hits are rare."""
    near: hits.Prepared | None = None
    """For usual losses."""

    def delta(self, eps: Any, total: Any) -> Any:
        """From the sum of the rule."""
        return self.share(eps, total) + self.usual(eps) + flint.arb(0).union(self.known.left_out)

    def usual(self, eps: Any) -> Any:
        """What usual losses alone contribute."""
        assert self.here is not None
        return sum((mass * self._beside(self.here.on, eps - place) for place, mass in atoms(
            self.here.returning, flint.ctx.prec)), flint.arb(0))

    def _beside(self, on: Factors, eps: Any) -> Any:
        """The same by one lattice."""
        offset, gap = (enclose(x, {}).real for x in on_lattice(on))
        last = _whole(((eps - offset) / gap).mid().floor())
        top = on.largest()
        end = math.inf if top is None else _whole(((
            enclose(top, {}).real - offset) / gap + flint.arb("0.5")).mid().floor())
        one, other = masses(self.known, self.wanted)
        found = flint.arb(0)
        if last < end:
            p, q = self._beyond(on, offset + gap * last, gap)
            found += one * p - eps.exp() * other * q
        low, high = reach(self.known)
        # also the places next to eps that losses of one sign alone do not reach
        below, above = ((eps - x - offset) / gap for x in (
            high.max(flint.arb(0)), -low.max(flint.arb(0))))
        first, final = _whole(below.lower().ceil()), _whole(above.upper().floor())
        if end < final:
            final = int(end)
        if first > final:
            return found
        sizes = self._masses(on, (first, final), float(offset), float(gap))
        for k, size in zip(range(first, final + 1), sizes, strict=True):
            t = eps - offset - gap * k
            value = self._profile(t, self.near, (low, high), (one, other))
            if k > last:
                value -= one - t.exp() * other
            found += size * value
        return found

    def _beyond(self, on: Factors, place: Any, gap: Any) -> tuple[Any, Any]:
        """The masses of the lattice at all places beyond one."""
        bits = self.wanted + 4 + max(0, math.ceil(-math.log2(float(gap))))
        a, b = place + gap / 3, place + gap * 2 / 3
        one, two = (lattice.delta(on, x, bits) for x in (a, b))
        q = (one - two) / (b.exp() - a.exp())
        return one + a.exp() * q, q

    def _masses(self, on: Factors, places: tuple[int, int], offset: float, gap: float
                ) -> tuple[Any, ...]:
        """Those of places, from the first to the last of some."""
        gamma = self.chosen.gamma
        line = circle(on, gamma, (offset + gap * places[0], offset + gap * places[1]),
                      (self.wanted + SPARE) * LOG2, gap)
        return masses_on((on, *on_lattice(on)), (gamma, *line), (
            places[0], places[1] - places[0] + 1), 32 * -(-(self.wanted + SPARE) // 32),
            flint.ctx.prec)

    def _profile(self, t: Any, ready: hits.Prepared | None, ends: tuple[Any, Any],
                 whole: tuple[Any, Any]) -> Any:
        """The profile of usual losses between -a and b, of so much mass, at a place.  Of the rule
        with a period L above a + b all aliases are known: at t + nL it is 0, at t - nL U_1 - e^(t -
        nL) U_0."""
        (low, high), (one, other) = ends, whole
        if t > high:
            return flint.arb(0)
        if -t > low:
            return one - t.exp() * other
        if ready is None:
            # they are told apart, but rarely matter: no rule was found for them
            raise Unsupported("there is no rule for the smallest of usual losses near a place")
        found = flint.arb(0)
        if ready.known.splits:
            less = masses(ready.known, self.wanted)
            found += self._profile(t, ready.alone, reach(ready.known), less)
            one, other = one - less[0], other - less[1]
        table = _table(ready)
        period, order = 2 * flint.arb.pi() / flint.arb(table.step), flint.arb(ready.chosen.gamma)
        if not (t + period > high and t - period < -low):
            raise Unsupported("the period is too short for usual losses")
        first, second = ((-x * period).exp() for x in (order - 1, order))
        return found + table.total(t) - (one * first / (1 - first)
                                         - other * t.exp() * second / (1 - second))


def _table(ready: hits.Prepared) -> Any:
    """In doubles."""
    machine = import_module("lapdp.accounting.inversion.hits_machine")
    return machine._table(ready.known, ready.chosen.gamma, ready.chosen.period, ready.nodes)


def _whole(x: Any) -> int:
    return int(x.unique_fmpz())


def usual_losses(known: Hits) -> Hits:
    """The releases that have any, without a hit."""
    rows = [(part, window.usual) for part, window in zip(known.parts, known.windows, strict=True)
            if window is not None and window.usual is not None]
    return Hits(tuple(part for part, _ in rows), tuple(window for _, window in rows), known.goal)


def reach(known: Hits) -> tuple[Any, Any]:
    """How far below 0 and beyond it usual losses add up."""
    return _reach(usual_losses(known))


def _reach(known: Hits) -> tuple[Any, Any]:
    """The same for all under windows."""
    low, high = flint.arb(0), flint.arb(0)
    for (s, k), window in zip(known.parts, known.windows, strict=True):
        if window is not None:
            assert isinstance(s, MixedNormalSpectrum)
            one = Integrand(s, window, flint.arb(1), 0.0)
            least = -k * (1 - one.weight).log()
            most = k * one.log_z(flint.arb(window.end))
            low, high = (low + most, high + least) if one.added else (low + least, high + most)
    return low, high


@lru_cache(maxsize=32)
def masses(known: Hits, bits: int) -> tuple[Any, Any]:
    """The P-mass and the Q-mass of usual losses of all releases."""
    found, more = [], known.count.bit_length()
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


@lru_cache(maxsize=32)
def atoms(factors: Factors, precision: int) -> list[tuple[Any, Any]]:
    """The losses of releases with few of them, and their P-masses."""
    with workprec(precision):
        found = [(flint.arb(0), flint.arb(1))]
        for s, k in factors.parts:
            if not isinstance(s, ExactSpectrum):
                raise Unsupported("losses on other lattices are many")
            one = s.line(flint.arb(1), 0.0, precision).atoms
            # of a billion copies the power has a billion bits
            if len(one) > 1 and len(found) * len(one) ** min(k, MOST_ATOMS) > MOST_ATOMS:
                raise Unsupported("losses on other lattices are many")
            for _ in range(k):
                found = [(place + more, mass * flint.acb(share).real)
                         for place, mass in found for more, share in one]
        return found


# -- choices --------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def prepared(factors: Factors, here: Parts, near: float, bits: int) -> NearPlaces:
    """For about so many bits at a place."""
    if here.pieces.parts or not all(
            isinstance(s, MixedNormalSpectrum) and s.is_sample for s, _ in here.smooth.parts):
        raise Unsupported("beside a lattice there are others than rare subsampled Gaussians")
    size, goal = saddle(factors, near, bits * LOG2).size, bits * LOG2
    gap = float(enclose(on_lattice(here.on)[1], {}).real)
    atoms(here.returning, ROUGH)
    last = {part: hit_windows._window(*part, goal, goal - size + LOST, WIDTH)
            for part in here.smooth.parts}
    known: Hits | None = None
    for places in PLACES:
        with suppress(Unsupported, ArithmeticError):
            known = Hits(factors.parts, tuple(_told_apart(
                last[part], part, places * gap / len(last), goal) if part in last else None
                for part in factors.parts), goal)
            break
    if known is None:
        raise Unsupported("most usual losses reach places of the lattice")
    ready = hits.Prepared._on_line(known, near, *hit_windows.least(known, near), bits, size)
    return NearPlaces(known, ready.chosen, ready.nodes, ready.bits, here=here, wanted=bits,
                      near=_near(usual_losses(known), bits + MORE))


def _told_apart(last: Window, part: tuple[Any, int], room: float, goal: float) -> Window:
    """A window without the usual losses that add up to so much."""
    s, k = part
    w, kappa = weight_of(s), s.doubles[2]
    # from the least loss, log(1 - w), on
    end = (math.log((1 - w) * math.expm1(room / k) / w) + kappa) / math.sqrt(2 * kappa)
    end = STEP * math.floor(end / STEP)
    low = Window(end - hit_windows.fall(last.width, goal), last.width, end)
    if not LOWEST < end < last.place:
        raise Unsupported("usual losses are no less than hits, or hardly any")
    return replace(last, usual=low)


def _near(known: Hits, bits: int) -> hits.Prepared:
    """A rule for losses under windows that are short of places of a lattice, and one for those on
    a smaller scale, until the smallest one is left."""
    with workprec(ROUGH):
        period = float(sum(_reach(known), flint.arb(0))) * LONGER
    goal, alone = bits * LOG2, None
    with suppress(Unsupported, ArithmeticError, ValueError):
        known = Hits(known.parts, tuple(
            _told_apart(window, part, period / SCALE / len(known.parts), goal)
            for part, window in zip(known.parts, known.windows, strict=True)
            if window is not None), goal)
        alone = _near(usual_losses(known), max(FEWEST, bits - math.floor(math.log2(SCALE))))
    gamma = 1 + 2 / period
    line = Saddle(gamma, period, gamma, gamma, 2 / period, known.log_moment(gamma))
    nodes = math.ceil(height(known, line, goal) * period / (2 * math.pi)) + 2
    found = hits.Prepared(known, line, nodes, bits, alone)
    if found.terms > MOST_NEAR:
        raise Unsupported("usual losses near places of a lattice need too many terms of moments")
    return found


__all__ = ["NearPlaces", "atoms", "masses", "prepared", "reach"]
