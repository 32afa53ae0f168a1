"""What a claim speaks of, for the choice of methods."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import Any

import sympy as sp

from lapdp.privacy import nodes as pn
from lapdp.privacy.families import Averaged, OnUnitInterval, Processed, parts_of
from lapdp.privacy.mixtures import is_mixture
from lapdp.theory import language as lang
from lapdp.theory.meaning import distributions
from lapdp.theory.statement import Statement


def is_composed(statement: Statement) -> bool:
    """Does the claim speak of a composition?  Kernels take its pairs for independent ones."""
    return any(part.role is not None for p in statement.pairs for a in p.atoms()
               for part in parts_of(a))


def is_of_suprema(statement: Statement) -> bool:
    """Does the claim compare two profiles, one of mixtures, or suprema over events?"""
    claim = statement.claim
    if not isinstance(claim, sp.core.relational.Relational):
        return False
    sides = (claim.lhs, claim.rhs)
    return all(isinstance(e, (pn.Profile, pn.SupOverEvents)) for e in sides) and any(
        isinstance(e, pn.SupOverEvents) or is_mixture(*e.args[:2]) for e in sides)


def is_averaged(statement: Statement) -> bool:
    """Does the claim speak of averages?  Kernels would take them for arbitrary pairs."""
    return any(isinstance(p.role, Averaged) for p in lang.pairs_of(statement.claim))


def is_through_channels(statement: Statement) -> bool:
    """Does the statement speak of outputs of channels, or as of a pair of two of several
    distributions?  Methods would take them for arbitrary pairs: that is left to derivations."""
    return any(isinstance(part.role, Processed) for p in statement.pairs
               for a in p.atoms() for part in parts_of(a)) or any(
                   pn.of_several(*two) for two in _spoken_of(statement))


def is_made_of_functions(statement: Statement) -> bool:
    """Does the claim speak of pairs on [0, 1]?  Their distribution functions must be such."""
    return any(isinstance(p.role, OnUnitInterval) for p in lang.pairs_of(statement.claim))


def has_crooked_cells(statement: Statement) -> bool:
    """Is a density under a maximum multiplied by a product of parameters, its own or one that a
    hypothesis makes it?  Cells then have no linear borders."""
    def degree(e: Any) -> int:
        rest = sp.Mul(*(x for x in sp.Mul.make_args(e) if not isinstance(x, pn.Distribution)))
        return int(sp.total_degree(rest)) if rest.is_polynomial() and rest.free_symbols else 0

    if not isinstance(statement.claim, sp.core.relational.Relational):
        return False
    weights = [degree(term) for e in lang.expressions(statement.claim)
               for node in sp.sympify(e).atoms(pn.IntegralOverSpace)
               for x in node.atoms(sp.Max) for a in x.args
               for term in sp.Add.make_args(sp.expand(a))]
    bent = any(degree(term) > 1 for h in statement.where if isinstance(h, sp.Eq)
               for e in h.args for term in sp.Add.make_args(sp.expand(e)))
    return any(n > 1 for n in weights) or (bent and any(weights))


def is_of_mixtures(statement: Statement) -> bool:
    """Does it speak of a notion of mixtures?"""
    return any(starmap(is_mixture, _spoken_of(statement)))


def _spoken_of(statement: Statement) -> Iterator[Any]:
    """The two distributions of each notion in a statement."""
    for form in (statement.claim, *statement.where):
        if isinstance(form, (lang.AbsolutelyContinuous, lang.OneWayContinuous)):
            yield form.P, form.Q
        for e in lang.expressions(form):
            for node in sp.preorder_traversal(sp.sympify(e)):
                yield from distributions(node)


__all__ = ["has_crooked_cells", "is_averaged", "is_composed", "is_made_of_functions",
           "is_of_mixtures", "is_of_suprema", "is_through_channels"]
