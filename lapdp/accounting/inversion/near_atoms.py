"""The atoms of the losses of a product next to a place, with their probabilities.

Sums of the atoms of each factor, except that many releases on one lattice are taken by the places
of it.  Where a factor has no atoms, or its atoms are not told, none are found: whoever asks has to
do with some of them.
"""

from __future__ import annotations

import math
from typing import Any

from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.atom_sums import pieced, sums_of_atoms
from lapdp.accounting.inversion.lattice_masses import mass_on
from lapdp.accounting.inversion.lattice_places import circle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NEAR, MOST_SUMS = 64, 2_000
"""Atoms that are told apart, and sums of atoms among which they are sought."""


def near(factors: Factors, eps: Any, reach: Any, gamma: float, bits: int) -> list[tuple[Any, Any]]:
    """(eps less the loss, mass) of atoms no farther than ``reach`` from eps, as far as balls tell.

    Masses are sharp as they are weighed on the line of order ``gamma``.  :class:`Unsupported` where
    there are too many to be told.

    >>> import flint
    >>> from lapdp import laplace, randomized_response
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = near(releases(laplace(2) * randomized_response("1/2")), flint.arb(1),
    ...              flint.arb(2)**-10, 1.5, 30)
    >>> [(float(t), p.str(5, radius=False)) for t, p in found if p > 0]
    [(0.0, '0.31123')]
    """
    on, rest = _apart(factors)
    if on is None:
        return [] if rest is None else [
            (eps - place, mass) for place, mass in _sums(rest, bits)
            if not abs(eps - place) > reach]
    found = lattice.lattice(on)
    assert found is not None
    offset, step = (enclose(x, {}).real for x in found)
    sums = [(offset * 0, offset * 0 + 1)] if rest is None else _sums(rest, bits)
    rows = []
    for place, mass in sums:
        here = (eps - place - offset) / step
        low, high = ((here + side * reach / step) for side in (-1, 1))
        first, last = low.lower().ceil().unique_fmpz(), high.upper().floor().unique_fmpz()
        if first is None or last is None or last - first > MOST_NEAR:
            raise Unsupported("too many places of a lattice lie next to eps")
        rows += [(place, mass, k) for k in range(int(first), int(last) + 1)]
    if len(rows) > MOST_NEAR:
        raise Unsupported("too many atoms lie next to eps")
    if not rows:
        return []
    goal, gap = bits * LOG2, float(step)
    sides = [float(offset) + gap * k for _, _, k in rows]
    line = gamma, *circle(on, gamma, (min(sides), max(sides)), goal, gap)
    with workprec(precision := bits + on.count.bit_length() + 40):
        return [(eps - place - offset - step * k,
                 mass * mass_on((on, *found), line, k, bits, precision))
                for place, mass, k in rows]


def _sums(rest: Factors, bits: int) -> list[tuple[Any, Any]]:
    """(place, mass) of all sums of atoms, where they are few."""
    many = math.prod(math.comb(k + len(s.atoms) - 1, k) for s, k in pieced(rest))
    if many > MOST_SUMS:
        raise Unsupported(f"{many} sums of atoms may lie next to eps, more than {MOST_SUMS}")
    return sums_of_atoms(rest, bits)


def _apart(factors: Factors) -> tuple[Factors | None, Factors | None]:
    """The most releases on a lattice, and atoms and pieces of the others; nothing where some have
    neither."""
    groups, _ = lattice.grouped(factors)
    on = max(groups, key=lambda group: group.count, default=None)
    rest = tuple(part for part in factors.parts if on is None or part not in on.parts)
    if not rest:
        return on, None
    pieces = in_pieces(Factors(rest))
    if pieces is None or not all(s.atoms for s, _ in pieced(pieces)):
        return None, None
    return on, pieces


__all__ = ["near"]
