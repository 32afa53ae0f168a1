"""Homogeneity in the densities: what does not depend on the measure that densities refer to."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio

POINTWISE = (pn.Distribution, LossAt, Ratio)
"""What makes an expression a function on the space."""


def degree(e: Any, atom: Any) -> Any:
    """Degree of homogeneity in the densities of one factor; Unsupported if there is none."""
    if isinstance(e, pn.Distribution):
        return sp.Integer(int(any(a is atom for a in e.pair.atoms())))
    if isinstance(e, (LossAt, Ratio)) or not e.has(*POINTWISE):
        return sp.Integer(0)
    if e.is_Mul:
        return sp.expand(sum(degree(a, atom) for a in e.args))
    if e.is_Pow and not e.exp.has(*POINTWISE):
        return sp.expand(degree(e.base, atom) * e.exp)
    if e.is_Add or isinstance(e, (sp.Max, sp.Min)):
        return _common([a for a in e.args if a != 0], atom, e)
    if isinstance(e, sp.Abs):
        return degree(e.args[0], atom)
    if isinstance(e, cn.Indicator):
        require_homogeneous(e.args[0], [atom])
        return sp.Integer(0)
    if isinstance(e, sp.Piecewise):
        for _, condition in e.args:
            require_homogeneous(condition, [atom])
        # infinities keep their value when densities are scaled, as numbers do
        return _common([b for b, _ in e.args if b != 0], atom, e)
    if all(degree(a, atom) == 0 for a in e.args):
        return sp.Integer(0)
    raise Unsupported(f"the integrand {e} is not homogeneous in the densities")


def _common(parts: list[Any], atom: Any, e: Any) -> Any:
    degrees = {degree(a, atom) for a in parts}
    if len(degrees) != 1:
        raise Unsupported(f"{e} is not homogeneous in the densities")
    return degrees.pop()


def require_homogeneous(condition: Any, atoms: Any) -> None:
    """Both sides of every relation must scale alike, else it depends on the base measure."""
    if isinstance(condition, (sp.And, sp.Or, sp.Not)):
        for c in condition.args:
            require_homogeneous(c, atoms)
    elif isinstance(condition, Relational):
        sides = [a for a in condition.args if a != 0]
        for atom in atoms:
            if sides and len({degree(a, atom) for a in sides}) != 1:
                raise IllFormed(f"{condition} compares densities of different degree")
    elif condition not in (sp.true, sp.false):
        raise IllFormed(f"{condition} is not a condition on outcomes")


__all__ = ["POINTWISE", "degree", "require_homogeneous"]
