"""What the atoms of releases beside lattices contribute, for integrals on windows.

Each sum of these atoms shifts the lattice.  Beside one lattice these are sums of lattice sums; with
more of them the atoms of each release are one more lattice of a sum over places of all.
"""

from __future__ import annotations

import math
from typing import Any

import flint

from lapdp.accounting.inversion import lattice, lattices, longest, wrapped
from lapdp.accounting.inversion.atom_sums import atoms_alone, pieced, sums_of_atoms
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.saddle import Saddle, weighed
from lapdp.accounting.inversion.window_parts import Parts
from lapdp.accounting.inversion.wrapped import Plan
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.precision import workprec

SPARE = 40


def delta(here: Parts, eps: Any, bits: int, chosen: Saddle) -> Any:
    """What the atoms of the others contribute, as weighed on the line of the whole."""
    gamma, more = weighed(here, float(eps), bits, chosen)
    # in steps: one line serves many points
    goal = 16 * LOG2 * math.ceil((more + 4) / 16)
    sums = sums_of_atoms(here.pieces, bits + SPARE)
    with workprec(math.ceil(goal / LOG2) + here.count.bit_length() + int(gamma).bit_length()
                  + SPARE):
        order = flint.arb(gamma)
        weights = [mass * ((order - 1) * place).exp() for place, mass in sums]
        size = sum(weights, flint.arb(0))
        if not sums or size.is_zero():
            return flint.arb(0)
        shares = [(place, weight / size) for (place, _), weight in zip(sums, weights, strict=True)]
        total, beyond = longest.delta(here.on, shares, eps, (gamma, chosen.gamma), goal)
        most = ((1 - order) * eps).exp() * moment_bound(here.on, gamma) * beyond
        return size * (total + flint.arb(0).union(most.upper()))


def plan(here: Parts, eps: Any, bits: int, chosen: Saddle) -> Plan | None:
    """The same beside more lattices, the atoms of each release being one more; None where one has
    no atoms.  Raises :class:`Unsupported` where there are too many sums."""
    if not all(s.atoms for s, _ in pieced(here.pieces)):
        return None
    gamma, more = weighed(here, float(eps), bits, chosen)
    laws = lattice.grouped(Factors((*here.on.parts, *here.returning.parts,
                                    *atoms_alone(here.pieces).parts)))[0]
    planned = wrapped.on_line(laws, (gamma, chosen.gamma), more)
    lattices.refuse_many(planned)
    return planned


__all__ = ["delta", "plan"]
