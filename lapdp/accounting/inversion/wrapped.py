"""Laws of losses on lattices, wrapped around windows: where these lie, and Fourier sums.

See :mod:`lapdp.accounting.inversion.lattices` for what they are for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import flint

from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import LEAST, below, moment_bound
from lapdp.accounting.inversion.saddle import saddle, weighed
from lapdp.accounting.inversion.turned import root
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.rings import OnLattice
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported

FARTHEST = 10**12
"""Places of a window that is not written out."""
ORDERS = [2.0 ** (j / 2) for j in range(-40, 40)]
"""Distances of orders that are tried for the ends of a window, in deviations, which doubles may not
see where many losses are tiny."""
SPARE = 60


@lru_cache(maxsize=64)
def groups(factors: Factors) -> tuple[Factors, ...]:
    """Factors that share a lattice together; none where one of them has no lattice."""
    found, others = lattice.grouped(factors)
    return () if others else tuple(found)


@dataclass(frozen=True)
class Window:
    """Places from ``first`` to ``last``, chosen in doubles, and two orders that prove how little of
    the law lies elsewhere."""

    factors: Factors
    first: int
    last: int
    low: float
    high: float

    @property
    def places(self) -> int:
        return self.last - self.first + 1


@lru_cache(maxsize=64)
def window(factors: Factors, gamma: float, goal: float) -> Window:
    found = lattice.lattice(factors)
    assert found is not None
    offset, step = (float(enclose(x, {}).real) for x in found)
    here, h = factors.log_moment(gamma), 1e-4 * gamma
    curve = (factors.log_moment(gamma + h) + factors.log_moment(gamma - h) - 2 * here) / h**2
    reach = math.sqrt(2 * goal / max(curve, 1e-12))

    def end(order: float) -> float:
        return (factors.log_moment(order) - here + goal) / (order - gamma)

    above = [gamma + reach * x for x in ORDERS if gamma + reach * x < factors.upper]
    under = [gamma - reach * x for x in ORDERS if gamma - reach * x > factors.lower]
    try:
        high = min(above, key=end)
        low = max(under, key=end)
        first = math.floor((end(low) - offset) / step) + 1
        last = math.ceil((end(high) - offset) / step) - 1
    except (ValueError, ArithmeticError):
        raise Unsupported("no window of a lattice is found in doubles") from None
    if not 0 <= last - first < FARTHEST:
        raise Unsupported(f"a lattice has {last - first + 1} places that count, more than "
                          f"{FARTHEST}")
    return Window(factors, first, last, low, high)


@dataclass(frozen=True)
class Plan:
    """Choices in doubles, for a point and so many bits."""

    gamma: float
    """The order by which masses are weighed, 1 at least."""
    line: float
    """The order of the saddle."""
    goal: float
    """What may be left out, as a logarithm."""
    precision: int
    windows: Sequence[Window]
    """One of each lattice, the longest one last."""


def plan(factors: Factors, eps: Any, bits: int) -> Plan | Any:
    """What is chosen; or a ball around delta, where that is next to nothing.

    Raises :class:`Unsupported` where a loss lies on no lattice, or no windows are found.
    """
    laws = groups(factors)
    if len(laws) < 2:
        raise Unsupported("the losses do not lie on several lattices")
    chosen = saddle(factors, float(eps), bits * LOG2)
    if chosen.size < LEAST:
        return below(factors, eps, chosen.gamma)
    gamma, more = weighed(factors, float(eps), bits, chosen)
    return on_line(laws, (gamma, chosen.gamma), more)


def on_line(laws: Sequence[Factors], orders: tuple[float, float], bits: float) -> Plan:
    """By the order of masses and that of the saddle, to so many bits as compared with all masses.
    """
    gamma, count = orders[0], sum(law.count for law in laws)
    # in steps: one law serves many points
    goal = 16 * LOG2 * math.ceil((bits + 4) / 16)
    precision = SPARE + (math.ceil(goal / LOG2) + count.bit_length() + int(gamma).bit_length())
    windows = sorted((window(law, gamma, goal + math.log(len(laws))) for law in laws),
                     key=lambda found: found.places)
    return Plan(gamma, orders[1], goal, precision, windows)


@dataclass(frozen=True)
class Fourier:
    """The Fourier sum of a law that is wrapped around a window of n places: the probability of the
    m-th one is the real part of the sum of c e^(-2 pi i j m/n) over the terms (j, c)."""

    offset: Any
    step: Any
    terms: Sequence[tuple[int, Any]]
    size: Any
    """E_gamma."""
    moved: Any
    """A bound of the sum of all errors of the probabilities."""


def fourier(window: Window, gamma: float, goal: float, most: float) -> Fourier:
    """At the working precision.

    Raises :class:`Unsupported` where places times terms are more than ``most``.
    """
    factors, n = window.factors, window.places
    found = lattice.lattice(factors)
    assert found is not None
    offset, step = (enclose(x, {}).real for x in found)
    rings = [(cast(OnLattice, s).ring(flint.arb(gamma), found[1]), k) for s, k in factors.parts]
    nodes, moved = live(rings, n, goal) if n > 1 else ([0], flint.arb(0))
    if len(nodes) * n > most:
        raise Unsupported(f"{n} places of a lattice need {len(nodes)} terms each, more than "
                          f"{most} together")
    size = flint.arb(1)
    for ring, k in rings:
        size *= ring.size ** k
    # Pr[Z > z] <= e^((gamma - r) z) E_r/E_gamma for r > gamma, and so below
    for order, place in ((window.low, window.first - 1), (window.high, window.last + 1)):
        if not (order < gamma if place < window.first else order > gamma):
            raise Unsupported("the orders chosen in doubles are not on both sides of the line")
        moved += (((gamma - flint.arb(order)) * (offset + step * place)).exp()
                  * moment_bound(factors, order) / size)
    lowest = sum(k * ring.lowest for ring, k in rings)
    terms = []
    for j in nodes:
        value = flint.acb(1 if j == 0 or 2 * j == n else 2) / n
        for ring, k in rings:
            value *= ring.at(j, n) ** k
        terms.append((j, value * root(j * (lowest - window.first), n)))
    return Fourier(offset, step, terms, size, moved.upper())


__all__ = ["Fourier", "Plan", "Window", "fourier", "groups", "on_line", "plan", "window"]
