"""Which equalities are equalities of generalised functions, and in which variable."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.privacy import nodes as pn
from lapdp.theory.curves import convolved

_PLACES: dict[Any, int] = {pn.LossDensity: 1, sp.DiracDelta: 0}
"""Densities and impulses: the position of the argument at which they are taken."""


def bare(e: Any, t: Any, kinds: tuple[Any, ...] = tuple(_PLACES)) -> bool:
    """Does a density, or an impulse, occur at ``t`` outside every integral, or in a convolution?

    >>> t, x = sp.symbols("t x", real=True)
    >>> bare(2 * sp.DiracDelta(t), t), bare(cn.Int(sp.DiracDelta(t), t), t)
    (True, False)
    """
    for kind in kinds:
        if isinstance(e, kind):
            return t in e.args[_PLACES[kind]].free_symbols
    if pn.LossDensity in kinds and of_two_densities(e, t):
        return True
    if isinstance(e, cn.Node) and not isinstance(e, (cn.Indicator, cn.GeneralizedDerivative)):
        return False
    return any(bare(a, t, kinds) for a in e.args)


def of_two_densities(e: Any, t: Any) -> bool:
    """Is an integral the convolution of two loss densities in ``t``: a finite measure (Tonelli)?"""
    if isinstance(e, cn.Convolution) and e.args[2:] == (t, -sp.oo):
        factors, u = e.args[:2], t
    elif isinstance(e, cn.IntegralOnLine) and t in e.free_symbols:
        found = convolved(e, t)
        if found is None:
            return False
        factors, u = found[:2], found[2]
    else:
        return False
    return all(isinstance(x, pn.LossDensity) and x.args[1] == u for x in factors)


def restricted(statement: Any) -> set[Any]:
    """Symbols that relations among the hypotheses, or mechanisms, restrict."""
    found = {s for form in statement.where if isinstance(form, Relational)
             for s in form.free_symbols}
    return found | {s for pair in statement.pairs for atom in pair.atoms()
                    if atom.mechanism is not None for s in getattr(
                        atom.mechanism, "free_symbols", ())}


def density_variable(statement: Any) -> Any:
    """The variable in which an identity of densities, or of impulses, is claimed, or None.

    A generalised function lives on the whole line: of several symbols it is the one that nothing
    restricts.  Where a hypothesis keeps an impulse away from its place, the equality is one of
    values.
    """
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    found = {t for side in (claim.lhs, claim.rhs) for t in side.free_symbols
             if type(t) is sp.Symbol and bare(side, t)}
    if len(found) > 1 or any(side.has(sp.DiracDelta) for side in (claim.lhs, claim.rhs)):
        plain = sp.Symbol("x", real=True).assumptions0
        found = {t for t in found - restricted(statement) if t.assumptions0 == plain}
    return found.pop() if len(found) == 1 else None


def line_variable(statement: Any) -> Any:
    """:func:`density_variable` where it runs over the whole line, else None."""
    t = density_variable(statement)
    return None if t in restricted(statement) else t


__all__ = ["bare", "density_variable", "line_variable", "of_two_densities", "restricted"]
