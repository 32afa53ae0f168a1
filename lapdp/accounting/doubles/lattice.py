"""The finite sum for losses on a lattice, in doubles: one line serves many queries.

The sum is that of :mod:`lapdp.accounting.inversion.lattice`: nodes u_j = 2 pi j/(N h), and the
kernel e^((1-q) z)/(1 - e^((1-q) h)) - e^(eps - q z)/(1 - e^(-q h)) for the first lattice point z
above eps.  Where the lattice lies is computed in balls, and how far z is from eps rounded once.

|phi|^2 = 1 - 4 sum over m < n of p_m p_n sin((z_n - z_m) u/2)^2; the terms of neighbours on the
lattice alone grow up to the half of the circle, and bound phi beyond a node.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import flint
import numpy as np

from lapdp.accounting.doubles.bounded import LIBRARY, UNIT, Bounded, tree_sum, upper
from lapdp.accounting.doubles.choice import GOAL, Choice
from lapdp.accounting.doubles.exact import ExactTilt
from lapdp.accounting.doubles.line import SAFE, Line, few_bits
from lapdp.accounting.inversion.lattice import lattice
from lapdp.accounting.moments.exact import ExactSpectrum, multiple
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 400_000
FEW = 16
"""Up to so many lattice points may not be told from eps."""
ALL = 256
"""So many nodes are taken without asking which of them count."""


@dataclass(frozen=True, eq=False)
class LatticeLine(Line):
    """A sum over the nodes of half a circle, or of an arc of it."""

    nodes: int
    """N, around the whole circle."""
    above: Any
    """1/(1 - e^((1-q) h)) at the heights."""
    below: Any
    """1/(1 - e^(-q h))."""
    lattice: tuple[Form, Form]

    @property
    def period(self) -> float:
        """N h, from below."""
        _, step = _balls(self.lattice)
        return self.nodes * float(step) * (1 - 8 * UNIT)

    def _inverted(self, eps: Any, copies: Any, counts: Any) -> Bounded:
        """The finite sum, with what eps itself may add if it is a lattice point."""
        gaps, blurs = self._gaps(eps, copies)
        gap = Bounded(gaps.value, 0.0)
        odds = (-gaps).exp()
        real, angle, error = self._exponents([(-1.0, eps), (-1.0, gap.value)], counts)
        error += self.heights * gaps.error[:, None]
        weight = np.exp(real)
        kernel = self.above - odds.value[:, None] * self.below
        terms = weight * (np.cos(angle) * kernel.real - np.sin(angle) * kernel.imag)
        terms[:, 1:] *= 2
        whole = 2 * len(self.heights) > self.nodes
        if whole and self.nodes % 2 == 0:
            terms[:, -1] /= 2
        total, depth = tree_sum(terms)
        # the two parts of the kernel, of 24 roundings and functions each
        sizes = np.abs(self.above) + odds.upper[:, None] * np.abs(self.below)
        weight *= 2 * (sizes * (np.expm1(error) + 24 * LIBRARY + (8 + depth) * UNIT)
                       + odds.error[:, None] * np.abs(self.below))
        rest = blurs * self.nodes
        if not whole:
            # w has one sign, so that the kernel is largest on the real line
            largest = np.abs(kernel[:, 0]) + 32 * LIBRARY * sizes[:, 0]
            rest = rest + SAFE * self.nodes * np.exp(self._beyond(counts)) * largest
        found = Bounded(total, SAFE * (weight.sum(axis=1) + rest))
        size = self._size([(1 - self.gamma, eps), (1 - self.gamma, gap.value)], counts)
        size = Bounded(size.value, size.error + SAFE * size.value * abs(self.gamma - 1)
                       * 2 * gaps.error)
        return found * size * Bounded(1 / self.nodes, UNIT)

    def _gaps(self, eps: Any, copies: Any) -> tuple[Bounded, Any]:
        """How far the next lattice point is from eps, and the weight of points that may be eps."""
        offset, step = _balls(self.lattice)
        found, blurs = [], np.zeros(len(eps))
        with workprec(250):
            for j, (at, count) in enumerate(zip(eps, copies, strict=True)):
                point = flint.arb(float(at))
                place = (point - offset * int(count)) / step
                last = place.upper().floor().unique_fmpz()
                first = offset * int(count) + step * (last + 1)
                found.append(Bounded.of_ball(first - point))
                unsure = int(last - place.lower().floor().unique_fmpz())
                if unsure > FEW:
                    # eps is far out: a search went astray
                    blurs[j] = math.inf
                    continue
                for m in range(unsure):
                    back = step * (m + 1)
                    blurs[j] += upper(((flint.arb(self.gamma) - 1) * back).exp()
                                      * abs((point - first + back).expm1()))
        return Bounded(np.array([float(x.value) for x in found]),
                       np.array([float(x.error) for x in found])), blurs


@lru_cache(maxsize=64)
def _balls(found: tuple[Form, Form]) -> tuple[Any, Any]:
    with workprec(250):
        offset, step = (enclose(x, {}).real for x in found)
    return offset, step


@lru_cache(maxsize=64)
def lattice_of(factors: Factors) -> tuple[Form, Form] | None:
    """(offset, step) where all factors are finitely many atoms on one lattice."""
    if not all(isinstance(s, ExactSpectrum) for s, _ in factors.parts):
        return None
    return lattice(factors)


def lattice_line(factors: Factors, choice: Choice, copies: int) -> LatticeLine:
    """The line of a choice, for about so many copies."""
    found = lattice_of(factors)
    assert found is not None
    _, step = _balls(found)
    # a few more nodes serve more queries
    nodes = math.ceil(choice.period / float(step)) + 1
    nodes += -nodes % 2 ** max(0, nodes.bit_length() - 4)
    if nodes > MOST_NODES:
        raise Unsupported(f"the sum needs {nodes} nodes in doubles, more than {MOST_NODES}")
    return _lattice_line(factors, choice.gamma, nodes,
                         choice.gamma + few_bits(choice.other - choice.gamma),
                         2 ** math.floor(math.log2(copies)))


@lru_cache(maxsize=64)
def _lattice_line(factors: Factors, gamma: float, nodes: int, other: float, copies: int
                  ) -> LatticeLine:
    found = lattice_of(factors)
    assert found is not None
    _, step = _balls(found)
    spectra = [cast(ExactSpectrum, s) for s, _ in factors.parts]
    tilted = tuple(ExactTilt(s, gamma) for s in spectra)
    falls = [_Fall(s, t, found[1]) for s, t in zip(spectra, tilted, strict=True)]
    counts = [copies * k for _, k in factors.parts]
    last, decays = _arc(falls, counts, nodes)
    with np.errstate(all="ignore"):
        turns = 2 * math.pi / nodes * np.arange(last + 1)
        heights = turns / float(step)
        above, below = (_inverse(-p * step, turns) for p in (flint.arb(gamma) - 1,
                                                             flint.arb(gamma)))
        others = tuple(ExactTilt(s, other).log_mean for s in spectra)
        logs = tuple(t.logs(heights) for t in tilted)
    return LatticeLine(factors, gamma, 2 * math.pi / nodes / float(step), heights, tilted, logs,
                       decays, other, others, nodes, above, below, found)


def _inverse(rate: Any, turns: Any) -> Any:
    """1/(1 - e^(a - it))."""
    with workprec(250):
        a, grown = float(rate.expm1()), float(rate.exp())
    half = np.sin(turns / 2)
    # 1 - e^(a - it) = -(e^a - 1) + e^a (1 - e^(-it))
    return 1 / (-a + grown * 2 * half * half + 1j * grown * np.sin(turns))


class _Fall:
    """-log |phi| beyond an angle, by neighbours on the lattice."""

    def __init__(self, spectrum: ExactSpectrum, tilt: ExactTilt, step: Form) -> None:
        assert spectrum.lattice is not None
        self.spread = 0.0
        if abs(multiple(spectrum.lattice[1], step)) == 1:
            shares = {n: float(x) for (n, _), x in zip(
                spectrum._places, tilt.shares.value - tilt.shares.error, strict=True)}
            self.spread = 4 * sum(x * shares.get(n + 1, 0.0) for n, x in shares.items()) / SAFE

    def __call__(self, angle: float) -> float:
        """A bound of log |phi| from this angle on to the half of the circle."""
        return math.log1p(-min(0.999, self.spread * math.sin(angle / 2) ** 2 / SAFE)) / 2


def _arc(falls: list[_Fall], counts: list[int], nodes: int) -> tuple[int, tuple[float, ...]]:
    """The last node taken, and how far each factor has fallen beyond."""
    half = nodes // 2

    def beyond(j: int) -> tuple[float, ...]:
        return tuple(fall(2 * math.pi * j / nodes) for fall in falls)

    def enough(j: int) -> bool:
        return sum(k * d for k, d in zip(counts, beyond(j), strict=True)) < -GOAL - math.log(nodes)

    if nodes <= ALL or not enough(half):
        return half, beyond(half)
    low, high = 0, half
    while high - low > max(1, high // 16):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high, beyond(high)


__all__ = ["LatticeLine", "lattice_line", "lattice_of"]
