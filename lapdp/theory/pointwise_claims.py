"""Claims about every outcome: relations between functions on the space, outside all integrals.

``Eq(LossAt(Q, P), -LossAt(P, Q))`` speaks of each outcome at which P and Q do not both vanish.
Both sides must keep their value when all densities are scaled together, so that they are functions
of the likelihood ratio: an outcome of any pair is then one of the kernels, and kernels decide
without any linearity.  Values lie in [-oo, oo].
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed, Undefined
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.theory.extended import Value
from lapdp.theory.homogeneity import degree
from lapdp.theory.interpret import Interpreter
from lapdp.theory.points import Point, points_of, space_of, value_at


def is_pointwise(claim: Any) -> bool:
    """Does a loss or a density stand outside every integral and event of a relation?

    >>> P, Q = pn.pair()
    >>> is_pointwise(sp.Eq(LossAt(P, Q), -LossAt(Q, P), evaluate=False))
    True
    """
    return isinstance(claim, Relational) and any(_bare(e) for e in claim.args)


def _bare(e: Any) -> bool:
    if isinstance(e, (LossAt, Ratio, pn.Distribution)):
        return True
    if isinstance(e, cn.Indicator):
        return any(_bare(a) for a in e.args)
    return not isinstance(e, Node) and any(_bare(a) for a in e.args)


def sides_at(i: Interpreter, claim: Any) -> Iterator[tuple[Point, list[Value | None], str]]:
    """Both sides of a pointwise claim at every outcome; None and the reason where one has no value.

    Raises :class:`IllFormed` for sides that depend on the base measure.
    """
    identity = space_of(sp.Tuple(*claim.args))
    # equal degrees would do for densities alone; values in [-oo, oo] are functions of the ratio
    if any(degree(e, a) != 0 for e in claim.args for a in identity.atoms()):
        raise IllFormed("the sides of a claim about every outcome must be functions of the "
                        "likelihood ratio")
    for point in points_of(i, identity):
        found: list[Value | None] = []
        problems: list[str] = []
        for side, name in zip(claim.args, ("left side", "right side"), strict=True):
            try:
                found.append(value_at(i, side, point))
            except Undefined as problem:
                found.append(None)
                problems.append(f"{name} undefined: {problem}")
        yield point, found, "; ".join(problems)


__all__ = ["is_pointwise", "sides_at"]
