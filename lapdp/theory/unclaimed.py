"""What to do where something else than a claim is handed over: one line for whoever wrote it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.theory.language import FORMS, SEVERAL, expressions

KINDS = "use Eq, Le, Converges, Implies, ..."


def not_a_claim(form: Any) -> str:
    """Why this is none, and what to write.

    >>> not_a_claim(sp.Symbol("x") == sp.Symbol("y"))
    'False is not a claim: Python has compared both sides; write Eq(left, right), Le(left, right)'
    >>> not_a_claim(3)
    '3 is not a claim; use Eq, Le, Converges, Implies, ...'
    """
    if isinstance(form, (bool, sp.logic.boolalg.BooleanAtom)):
        return (f"{form} is not a claim: Python has compared both sides; write Eq(left, right), "
                "Le(left, right)")
    if isinstance(form, sp.And):
        return f"{form} {SEVERAL}"
    if form is NotImplemented:
        return ("a notion without its argument has no value to compare; write delta(P, Q)(eps), "
                "R(q, P, Q)")
    if isinstance(form, sp.Expr) and not form.is_number:
        return f"{form} is not a claim; say what holds of it, as in Le({form}, 1)"
    return f"{form!r} is not a claim; {KINDS}"


def rounded_number(form: Any) -> Any:
    """A decimal of Python in a claim, which is rounded: proofs need to know what is meant; or None.

    >>> from lapdp.theory import *
    >>> x = reals("x")
    >>> rounded_number(Le(x, 0.1)), rounded_number(Le(x, sp.Rational("0.1")))
    (0.100000000000000, None)
    """
    if not isinstance(form, FORMS):
        return None
    floats = {f for e in expressions(form) for f in sp.sympify(e).atoms(sp.Float)}
    return min(floats, default=None)


__all__ = ["KINDS", "not_a_claim", "rounded_number"]
