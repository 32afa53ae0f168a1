"""The hypotheses of which a proof may take the difference of the sides.

``E + x <= E + y`` says nothing of x and y where E = +oo, and is true there.  Methods subtract the
sides of a hypothesis, and what stands on both goes: so a proof uses it only where every notion that
stands on both sides, and may be +oo, is supposed to be finite.  Witnesses obey all hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Ratio
from lapdp.theory import language as lang
from lapdp.theory.statement import Statement

MAY_BE_INFINITE = (pn.Moment, pn.RenyiDivergence, pn.Expectation, pn.IntegralOverSpace, LossAt,
                   Ratio)


def usable(statement: Statement) -> Statement:
    """The statement without the hypotheses of which a proof may not subtract the sides."""
    kept = tuple(h for h in statement.where if not cancels(h, statement.where))
    return statement if len(kept) == len(statement.where) else replace(statement, where=kept)


def cancels(form: Any, where: Iterable[Any] = ()) -> bool:
    """Does a notion that may be +oo stand on both sides of a relation in the form?

    Not counted are those that ``where`` supposes to have finite values.

    >>> P, Q = pn.pair("P", "Q")
    >>> x, y = lang.reals("x y")
    >>> cancels(lang.Le(pn.E(2, P, Q) + x, pn.E(2, P, Q) + y))
    True
    """
    if isinstance(form, Relational):
        first, second = (sp.sympify(e).atoms(*MAY_BE_INFINITE) for e in form.args)
        return bool((first & second) - {h.expr for h in where if isinstance(h, lang.Defined)})
    parts = getattr(form, "claims", None) or [getattr(form, name) for name in (
        "claim", "hypothesis", "conclusion", "first", "second") if hasattr(form, name)]
    return any(cancels(part, where) for part in parts)


__all__ = ["cancels", "usable"]
