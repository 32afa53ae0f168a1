"""Probabilities of the places of a lattice under many releases, by a sum around the circle."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import flint

from lapdp.accounting.inversion.circle import live
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.lattice_parts import Parts
from lapdp.accounting.inversion.lattice_places import Window, spacing
from lapdp.accounting.inversion.turned import Turned, row
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.rings import OnLattice
from lapdp.calculus.form import Form
from lapdp.core.precision import workprec


def masses(found: Parts, window: Window, bits: int) -> list[Any]:
    """The probabilities under P of all places of the window: with the weights w_n = p_n e^((gamma -
    1) z_n) the sum of E at N nodes around the circle is N times the sum of w_(k + j N) over all
    whole j."""
    return list(masses_on((found.on, found.offset, found.step),
                          (window.gamma, window.nodes, window.left, window.right),
                          (window.first, window.last - window.first + 1), 32 * -(-bits // 32),
                          flint.ctx.prec))


@lru_cache(maxsize=4096)
def mass_on(law: tuple[Factors, Form, Form], line: tuple[float, int, float, float], k: int,
            bits: int, precision: int) -> Any:
    """That of place k by all that it depends on: (releases, offset, step), and (gamma, N, two
    orders)."""
    (on, _, step), (gamma, n, _, _) = law, line
    _, lowest, _, sums, _ = _nodes(on, step, gamma, n, 32 * -(-bits // 32))
    return _corrected(law, line, k, [sums.at(k - lowest)[0].real], bits, precision)[0]


@lru_cache(maxsize=16)
def masses_on(law: tuple[Factors, Form, Form], line: tuple[float, int, float, float],
         places: tuple[int, int], bits: int, precision: int) -> tuple[Any, ...]:
    """The same for a number of places from one on."""
    (on, _, step), (gamma, n, _, _), (first, count) = law, line, places
    _, lowest, terms, sums, _ = _nodes(on, step, gamma, n, bits)
    start = first - lowest
    # beside many nodes few places are worked out one by one
    totals = row(terms, n, start, count) if len(terms) <= count else [
        sums.at(k)[0].real for k in range(start, start + count)]
    return tuple(_corrected(law, line, first, totals, bits, precision))


def _corrected(law: tuple[Factors, Form, Form], line: tuple[float, int, float, float], first: int,
               totals: list[Any], bits: int, precision: int) -> list[Any]:
    """The probabilities from the sums at places one after another: without nodes that are left out
    and without aliases."""
    (on, offset, step), (gamma, n, left, right) = law, line
    size, _, _, _, rest = _nodes(on, step, gamma, n, 32 * -(-bits // 32))
    (start, gap_of_places), order = spacing(offset, step, precision), flint.arb(gamma)
    period, around = gap_of_places * n, flint.arb(0, rest.upper())
    aliases = []
    for r in (left, right):
        # w_n <= e^((gamma - r) z_n) E_r, at the places a period and more away
        fall = (-abs(flint.arb(r) - order) * period).exp()
        aliases.append((order - flint.arb(r), moment_bound(on, r) * fall / (1 - fall)))
    found = []
    for k, total in enumerate(totals, first):
        place = start + gap_of_places * k
        alias = sum(((rate * place).exp() * bound for rate, bound in aliases), flint.arb(0))
        found.append(((total + around) * size / n - flint.arb(0).union(alias.upper()))
                     * ((1 - order) * place).exp())
    return found


@lru_cache(maxsize=32)
def _nodes(on: Factors, step: Form, gamma: float, nodes: int, bits: int
           ) -> tuple[Any, int, list[tuple[int, Any]], Turned, Any]:
    """E_gamma, the first place, the product of phi^k at the nodes that count, sums of these, a
    bound of the others."""
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
            terms.append((j, value))
        sums = Turned([(j, [value]) for j, value in terms], nodes)
    return size, sum(k * ring.lowest for ring, k in rings), terms, sums, rest


__all__ = ["mass_on", "masses", "masses_on"]
