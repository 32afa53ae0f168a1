"""Pairs with a rare outcome, much rarer under Q than under P, for claims that convert moments.

A bound of a Renyi divergence says little about an outcome that is rare under both distributions:
its loss is large, and so is what it adds to the moment, while delta is small.  Conversions whose
logarithm is too small fail there, at a small delta, and nowhere among pairs of simple fractions:
of R_2 <= r the wrong delta(r + log(1/d)/2) <= d fails for d < 1/16 only, at P-masses of about
sqrt(d)/2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.privacy.nodes import Moment, RenyiDivergence
from lapdp.theory.language import expressions

_F = Fraction
RARE: tuple[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], ...] = tuple(
    ((p, 1 - p), (q, 1 - q)) for p, q in (
        (_F(1, 16), _F(1, 2**16)), (_F(1, 1024), _F(1, 2**32)), (_F(1, 4), _F(1, 2**40))))
"""The P-mass of the rare outcome is about sqrt(d)/2 for one of the levels below; its Q-mass is so
small that the moments of all usual orders come from it."""
SMALL = (sp.Rational(1, 100), sp.Rational(1, 10**4), sp.Rational(1, 10))
"""Levels delta at which such pairs tell conversions apart."""


def levels(statement: Any) -> frozenset[Any]:
    """Letters between 0 and 1, of a claim that speaks of moments of an arbitrary pair.

    >>> from lapdp.theory import Le, R, claim, delta, pair, reals
    >>> (P, Q), d = pair(), reals("d")
    >>> bound = Le(delta(P, Q)(R(2, P, Q) - sp.log(d)), d)
    >>> levels(claim("x", bound, where=[d > 0, d < 1])), levels(claim("x", bound, where=[d > 0]))
    (frozenset({d}), frozenset())
    """
    from lapdp.theory.instances import within

    forms = (statement.claim, *statement.where)
    if not any(sp.sympify(e).atoms(Moment, RenyiDivergence)
               for form in forms for e in expressions(form)):
        return frozenset()
    return frozenset(s for s in statement.parameters if s.is_real and not s.is_integer and within(
        statement.where, s, (*SMALL, sp.S(-1), sp.S(2))) == SMALL)


__all__ = ["RARE", "SMALL", "levels"]
