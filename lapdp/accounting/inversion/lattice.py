"""The privacy profile of many releases whose losses lie on a lattice z0 + h Z.

The moments are periodic up to a factor, so that the inversion integral (37) becomes a finite sum.
With q_j = gamma + 2 pi i j/(N h) and m0 the first lattice point above eps,

    (1/N) sum_j E_{q_j} K(q_j) = sum_n sum_m w(m) p(m + n N) e^((gamma-1) n N h),

where K sums e^((1-q) z) w over the lattice, w = max(0, 1 - e^(eps - z)) for gamma > 1 and
-min(1, e^(eps - z)) for 0 < gamma < 1.  For both it is a difference of geometric series, e^((1-q)
m0)/(1 - a v) - e^(eps - q m0)/(1 - b v) with a = e^((1-gamma) h), b = e^(-gamma h) and v = e^(-2 pi
i j/N).  The terms n != 0 are the aliases, as for the integral with the period L = N h.

Since w has one sign, |K| is largest on the real line: a node counts as much as |E| there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import flint

from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import LEAST, below, enclosed, moment_bound, unfold
from lapdp.accounting.inversion.saddle import Saddle, saddle, shorter
from lapdp.accounting.inversion.turned import Turned
from lapdp.accounting.moments.exact import common_step
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.rings import OnLattice
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_OPEN = 16
"""Lattice points that may lie on either side of eps; with more, a higher precision is asked for."""


@lru_cache(maxsize=64)
def lattice(factors: Factors) -> tuple[Form, Form] | None:
    """(offset, step) of the losses of the whole product; None where they lie on no lattice."""
    parts = [(getattr(s, "lattice", None), k) for s, k in factors.parts]
    offset, steps = Form({}), []
    for found, k in parts:
        if found is None:
            return None
        offset = offset + found[0] * Form.of(k)
        steps.append(found[1])
    step = common_step(steps)
    if step is None:
        return None
    with workprec(200):
        # a negative step makes the same lattice
        return (offset, step) if enclose(step, {}).real > 0 else (offset, -step)


def grouped(factors: Factors) -> tuple[list[Factors], list[Any]]:
    """Parts that share a lattice together, in their order, and those on none."""
    groups: list[Factors] = []
    others: list[Any] = []
    for part in factors.parts:
        if lattice(Factors((part,))) is None:
            others.append(part)
            continue
        for i, group in enumerate(groups):
            joined = Factors((*group.parts, part))
            if lattice(joined) is not None:
                groups[i] = joined
                break
        else:
            groups.append(Factors((part,)))
    return groups, others


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, for losses on a lattice."""
    found = lattice(factors)
    if found is None:
        raise Unsupported("the losses do not lie on a lattice")
    if eps < -(bits + 5) * LOG2:
        # max(0, 1 - e^(eps - Z)) lies between 1 - e^(eps - Z) and 1
        return factors.finite_mass() - flint.arb(0).union(eps.exp().upper())
    chosen = saddle(factors, float(eps), bits * LOG2)
    if chosen.size < LEAST:
        return below(factors, eps, chosen.gamma)
    chosen = shorter(factors, float(eps), chosen, bits * LOG2)
    bits = 32 * -(-bits // 32)
    precision = bits + factors.count.bit_length() + int(abs(chosen.gamma)).bit_length() + 40
    with workprec(precision):
        offset, step = (enclose(x, {}).real for x in found)
        nodes = math.ceil(chosen.period / float(step)) + 1
        table = _table(factors, found[1], chosen.gamma, nodes, bits)
        total = table.total(eps, (eps - offset) / step, offset)
        if chosen.inner < 0:
            return _unfold(factors, eps, chosen, found[1], step * nodes, total)
        # a shorter period bounds the aliases as well
        period = float((step * nodes).lower()) * (1 - 2.0**-50)
        return unfold(factors, eps, replace(chosen, period=period), total)


def _unfold(factors: Factors, eps: Any, chosen: Saddle, step: Form, period: Any, total: Any
            ) -> Any:
    """delta from the sum, whose aliases nearly make geometric series.

    Far right delta is nearly 0, far left nearly M - N e^eps.  What else there is are delta and the
    mean of max(0, e^(eps - Z) - 1), with the bounds E_q e^((1-q) eps) of Chernoff at orders q > 1
    and q < 0.  For gamma < 1 the sum gives delta - M.
    """
    enclosed(chosen.inner < 0 < chosen.gamma < chosen.other and chosen.other > 1)
    gamma = flint.arb(chosen.gamma)
    near, far = (-abs(1 - gamma) * period).exp(), (-gamma * period).exp()
    rest = flint.arb(0)
    for order in (chosen.inner, chosen.other):
        fall = (-abs(order - gamma) * period).exp()
        rest += (((1 - flint.arb(order)) * eps).exp() * moment_bound(factors, order)
                 * fall / (1 - fall))
    mass = factors.finite_mass()
    # the aliases of M are on the left for gamma > 1, those of -M on the right for gamma < 1
    known = eps.exp() * _other_mass(factors, step, flint.ctx.prec) * far / (1 - far) + (
        mass * near / (1 - near) * (-1 if chosen.gamma > 1 else 1))
    return (mass if chosen.gamma < 1 else 0) + total + known - flint.arb(0).union(rest.upper())


@lru_cache(maxsize=64)
def _other_mass(factors: Factors, step: Form, bits: int) -> Any:
    """The Q-mass of the finite losses, E_0."""
    mass = flint.arb(1)
    for s, k in factors.parts:
        mass *= cast(OnLattice, s).ring(flint.arb(0), step).size ** k
    return mass


@dataclass(frozen=True)
class Table:
    """The terms of the sum that do not depend on eps."""

    gamma: Any
    step: Any
    nodes: int
    size: Any
    """E_gamma."""
    lowest: int
    sums: Turned
    """Of prod phi^k at the nodes over 1 - a v, and over 1 - b v."""
    first: tuple[Any, Any]
    """The same at the first node."""
    rest: Any
    """A bound of the sum of prod |phi|^k over all other nodes."""

    def total(self, eps: Any, place: Any, offset: Any) -> Any:
        """The sum at one eps, which is ``place`` steps from the offset."""
        # surely above eps; the points between that may lie above have a weight of about 0
        last = place.upper().floor().unique_fmpz()
        between = last - place.lower().floor().unique_fmpz()
        if between > MOST_OPEN:
            return flint.arb.nan()
        gamma, last = self.gamma, int(last)
        first = offset + self.step * (last + 1)
        odds, turns = (eps - first).exp(), last + 1 - self.lowest
        left, right = self.sums.at(turns)
        total = (left - odds * right).real
        left, right = self.first
        total += flint.arb(0, (self.rest * (left - odds * right).real).upper())
        for m in range(int(between)):
            back = self.step * (m + 1)
            weight = ((gamma - 1) * back).exp() * abs((eps - first + back).expm1())
            total += flint.arb(0, (weight * self.nodes).upper())
        return total * self.size * ((1 - gamma) * first).exp() / self.nodes


@lru_cache(maxsize=32)
def _table(factors: Factors, step: Form, gamma: float, nodes: int, bits: int) -> Table:
    abscissa, gap = flint.arb(gamma), enclose(step, {}).real
    rings = [(cast(OnLattice, s).ring(abscissa, step), k) for s, k in factors.parts]
    places, rest = live(rings, nodes, (bits + 10) * LOG2)
    size = flint.arb(1)
    for ring, k in rings:
        size *= ring.size ** k
    left, right = (1 - abscissa) * gap, -abscissa * gap
    spend(10 * len(places) * (2 + len(rings)))
    terms: list[tuple[int, tuple[Any, Any]]] = []
    for j in places:
        # j and N - j give conjugate terms
        value = flint.acb(1 if j == 0 or 2 * j == nodes else 2)
        for ring, k in rings:
            value *= ring.at(j, nodes) ** k
        # 1 - a v = 1 - a + a (1 - v), and 1 - v = 2 sin(t/2) (sin(t/2) + i cos(t/2))
        sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(j, nodes))
        turned = flint.acb(2 * sine * sine, 2 * sine * cosine)
        terms.append((j, (value / (left.exp() * turned - left.expm1()),
                          value / (right.exp() * turned - right.expm1()))))
    return Table(abscissa, gap, nodes, size, sum(k * ring.lowest for ring, k in rings),
                 Turned(terms, nodes), terms[0][1], rest)


__all__ = ["delta", "grouped", "lattice"]
