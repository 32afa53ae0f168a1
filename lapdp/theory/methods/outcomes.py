"""Claims about every outcome, one kernel at a time.

An outcome of a pair has densities c (1, e^-z), c (1, 0) or c (0, 1); a claim about functions of the
likelihood ratio that holds at the three kernels holds at every outcome where P and Q do not both
vanish.  Nothing is integrated and nothing needs to be linear.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Condition
from lapdp.core.errors import Unsupported
from lapdp.privacy.model import Infinite
from lapdp.theory.interpret import Interpreter
from lapdp.theory.obligations import Fails, HasSign, Vanishes
from lapdp.theory.pointwise_claims import sides_at

RELATIONS = {sp.Ge: (1, ">="), sp.Gt: (1, ">"), sp.Le: (-1, ">="), sp.Lt: (-1, ">")}
"""Sign of the difference, and its relation to 0."""


def at_every_outcome(i: Interpreter, base: tuple[Condition, ...], claim: Any, kernels: str
                     ) -> tuple[Any, ...]:
    """Obligations of a claim about every outcome of the kernels in the interpreter's case."""
    what = f"{kernels}, at an outcome"
    obligations: list[Any] = []
    for _, sides, problem in sides_at(i, claim):
        if problem:
            return (Fails(problem),)
        x, y = sides
        if isinstance(x, Scalar) and isinstance(y, Scalar):
            obligations.append(_compared(i, base, claim, x - y, what))
            continue
        ends = [v.sign if isinstance(v, Infinite) else 0 for v in sides]
        order = (ends[0] > ends[1]) - (ends[0] < ends[1])
        obligations.append(_compared(i, base, claim, Scalar.of(order), what))
    return tuple(obligations)


def _compared(i: Interpreter, base: tuple[Condition, ...], claim: Any, gap: Scalar, what: str
              ) -> Any:
    """The obligation that the gap between the sides stands in the claimed relation to 0."""
    if isinstance(claim, sp.Eq):
        if i.cell.vanishes(gap):
            return Vanishes(base, gap, what)
        if i.cell.sign_of(gap) == 0:
            return HasSign(base, gap, "=", what)
        return Fails("the two sides differ at an outcome", gap, i.cell.sign_of(gap))
    if type(claim) not in RELATIONS:
        raise Unsupported(f"{type(claim).__name__} at every outcome")
    sign, relation = RELATIONS[type(claim)]
    found = i.cell.sign_of(gap * sign)
    if found > 0 or (found == 0 and relation == ">="):
        return HasSign(base, gap * sign, relation, what)
    return Fails("the relation fails at an outcome", gap, found)


__all__ = ["RELATIONS", "at_every_outcome"]
