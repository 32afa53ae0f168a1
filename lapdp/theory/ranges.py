"""The ranges of parameters of mechanisms: hypotheses that a statement has without writing them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.privacy.parameters import demanded


def ranges(statement: Any) -> list[Relational]:
    """What the mechanisms of a statement demand of their parameters, each relation once, without
    those that hold by the assumptions of the letters or stand among the hypotheses.

    Where a parameter is out of its range there is no pair, and the statement says nothing.  A
    mechanism whose range is not an inequality between polynomials is passed over.

    >>> from lapdp.privacy.mechanisms import laplace
    >>> from lapdp.theory import Ge, Gt, claim, delta, mechanism_pair, reals
    >>> d = reals("d")
    >>> P, Q = mechanism_pair(laplace(1, d))
    >>> ranges(claim("x/eq-1", Ge(delta(P, Q)(0), 0)))
    [d > 0]
    >>> ranges(claim("x/eq-1", Ge(delta(P, Q)(0), 0), where=[Gt(d, 0)]))
    []
    """
    said = list(_ordered(statement.where))
    found: list[Relational] = []
    for identity in statement.pairs:
        for mechanism in (a.mechanism for a in identity.atoms() if a.mechanism is not None):
            for e, strict in demanded(mechanism):
                made = (sp.Gt if strict else sp.Ge)(e, 0, evaluate=False)
                if made not in found and not any(
                        sp.cancel(f / e).is_positive and (s or not strict) for f, s in said):
                    found.append(made)
    return found


def _ordered(forms: Iterable[Any]) -> Iterable[tuple[Any, bool]]:
    """Orders among hypotheses as (f, strict): f > 0, or f >= 0."""
    for form in forms:
        if isinstance(form, (sp.Lt, sp.Le)):
            yield sp.expand(form.rhs - form.lhs), isinstance(form, sp.Lt)
        elif isinstance(form, (sp.Gt, sp.Ge)):
            yield sp.expand(form.lhs - form.rhs), isinstance(form, sp.Gt)


__all__ = ["ranges"]
