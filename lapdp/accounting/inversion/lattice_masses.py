"""Probabilities of the places of a lattice under many releases, by a sum around the circle."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import flint

from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.lattice_parts import Parts
from lapdp.accounting.inversion.lattice_places import Window, spacing
from lapdp.accounting.inversion.turned import Turned
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.rings import OnLattice
from lapdp.calculus.form import Form
from lapdp.core.precision import workprec


def mass(found: Parts, window: Window, k: int, bits: int) -> Any:
    """The probability under P of place k: with the weights w_n = p_n e^((gamma - 1) z_n) the sum of
    E at N nodes around the circle is N times the sum of w_(k + j N) over all whole j."""
    return mass_on((found.on, found.offset, found.step),
                   (window.gamma, window.nodes, window.left, window.right), k, bits,
                   flint.ctx.prec)


@lru_cache(maxsize=4096)
def mass_on(law: tuple[Factors, Form, Form], line: tuple[float, int, float, float], k: int,
            bits: int, precision: int) -> Any:
    """The same by all that it depends on: (releases, offset, step), and (gamma, N, two orders)."""
    (on, offset, step), (gamma, n, left, right) = law, line
    size, lowest, sums, rest = _nodes(on, step, gamma, n, 32 * -(-bits // 32))
    total = sums.at(k - lowest)[0].real + flint.arb(0, rest.upper())
    (start, gap_of_places), order = spacing(offset, step, precision), flint.arb(gamma)
    place, period = start + gap_of_places * k, gap_of_places * n
    alias = flint.arb(0)
    for r in (left, right):
        # w_n <= e^((gamma - r) z_n) E_r, at the places a period and more away
        fall = (-abs(flint.arb(r) - order) * period).exp()
        alias += ((order - flint.arb(r)) * place).exp() * moment_bound(on, r) * fall / (1 - fall)
    return (total * size / n - flint.arb(0).union(alias.upper())) * ((1 - order) * place).exp()


@lru_cache(maxsize=32)
def _nodes(on: Factors, step: Form, gamma: float, nodes: int, bits: int
           ) -> tuple[Any, int, Turned, Any]:
    """E_gamma, the first place, sums of the product of phi^k at the nodes that count, a bound of
    the others."""
    with workprec(bits + on.count.bit_length() + 40):
        rings = [(cast(OnLattice, s).ring(flint.arb(gamma), step), k) for s, k in on.parts]
        places, rest = live(rings, nodes, (bits + 10) * LOG2)
        size = flint.arb(1)
        for ring, k in rings:
            size *= ring.size ** k
        terms = []
        for j in places:
            # j and N - j give conjugate terms
            value = flint.acb(1 if j == 0 or 2 * j == nodes else 2)
            for ring, k in rings:
                value *= ring.at(j, nodes) ** k
            terms.append((j, [value]))
        sums = Turned(terms, nodes)
    return size, sum(k * ring.lowest for ring, k in rings), sums, rest


__all__ = ["mass", "mass_on"]
