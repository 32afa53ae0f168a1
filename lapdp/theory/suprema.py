"""Suprema over reals, of which no exact value is known: no less than the values at points."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.substitution import put_in

PLACES = (sp.S.Zero, sp.S.One, sp.log(2), sp.S.Half, sp.Integer(2), sp.Integer(-1), sp.log(3))


def larger_supremum(trial: Any, claim: Any) -> tuple[str, str, str] | None:
    """What stands on the two sides, and why the claim fails: a side is a supremum, the other
    claimed to be no less, and less at one place already."""
    if not isinstance(claim, (sp.Eq, sp.Le, sp.Lt, sp.Ge, sp.Gt)):
        return None
    turned = isinstance(claim, (sp.Ge, sp.Gt))
    small, big = (claim.rhs, claim.lhs) if turned else (claim.lhs, claim.rhs)
    pairs = [(small, big), (big, small)] if isinstance(claim, sp.Eq) else [(small, big)]
    for side, other in pairs:
        if not isinstance(side, tn.SupOverReals):
            continue
        body, t, lower, upper = side.args
        ends = [x for x in (lower, upper) if x not in (sp.oo, -sp.oo)]
        for x in (*ends, *PLACES):
            try:
                there = put_in(body, {t: x})
                if all((lower == -sp.oo or trial.holds(lang.Le(lower, x)),
                        upper == sp.oo or trial.holds(lang.Le(x, upper)))) and trial.relation(
                            lang.Gt(there, other)):
                    shown = {side: f"at least {trial.show(trial.value(there))}",
                             other: trial.show(trial.value(other))}
                    return (shown[claim.lhs], shown[claim.rhs],
                            f"the supremum is larger, by the value at {t} = {x}")
            except (Unsupported, Undefined):
                continue
    return None


__all__ = ["larger_supremum"]
