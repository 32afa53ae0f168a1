"""The profile as a sum over its breakpoints: the short form of the profile of a product."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any, NamedTuple

import flint
import sympy as sp

from lapdp.calculus.collected import Collected, Stratum
from lapdp.calculus.export import ordered
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.privacy.model import Model
from lapdp.privacy.products import sum_of_losses


class Summand(NamedTuple):
    """What one breakpoint adds to the profile: ``before`` it, and ``after`` it."""

    breakpoint: Any
    before: Any
    after: Any


def summands(model: Model, t: Any, cell: Cell) -> tuple[Summand, ...]:
    """Summands in increasing order of their breakpoints; the mass at infinity is left out."""
    loss = model.loss
    if not isinstance(loss, Collected):
        loss = sum_of_losses([(loss, 1)], cell)
    if not isinstance(loss, Collected):
        raise Unsupported("a sum over breakpoints needs losses with rational exponents")
    whole = loss.against_hinge()
    by_place = {stratum.at: stratum for stratum in whole.strata}
    found = []
    for group in ordered(by_place, cell):
        for at in group:
            sides = [_expression(whole, by_place[at], t, passed) for passed in (False, True)]
            found.append(Summand(at.to_sympy(), *sides))
    return tuple(found)


def _expression(whole: Collected, stratum: Stratum, t: Any, passed: bool) -> Any:
    gap = t - stratum.at.to_sympy()
    parts = []
    for powers, fractions in stratum.parts.items():
        terms = []
        for a, p in fractions.items():
            if a is None or passed == (a in whole.left):
                continue
            sign = 1 if passed else -1
            polynomial = sp.Add(*(
                sp.Rational(sign * int(c.p), int(c.q) * factorial(n)) * gap**n
                for n, c in enumerate(p.coeffs()[1:]) if c))
            terms.append(polynomial * sp.exp(_rational(a) * gap))
        if terms:
            common = whole.element([(powers, flint.fmpq(1))]) * whole.factor
            parts.append(sp.Mul(common.to_sympy(), sp.Add(*terms)))
    return sp.Add(*parts)


def _rational(a: Fraction) -> Any:
    return sp.Rational(a.numerator, a.denominator)


__all__ = ["Summand", "summands"]
