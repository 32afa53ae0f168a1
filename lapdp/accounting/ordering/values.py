"""Certified values of profiles at exact points."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.balls.decimals import Enclosure, certified, fraction_ball
from lapdp.balls.smooth import Compiled
from lapdp.calculus.enclose import sign_of_number
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.privacy.comparison import written_profile
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair

_DIGITS = (15, 40, 120, 400, 1500)


def profile_at(pair: Pair, t: Fraction, digits: int) -> Enclosure:
    """The profile at a rational point, to ``digits`` relative digits.

    >>> from lapdp import gaussian
    >>> round(float(profile_at(gaussian(1), Fraction(0), 10)), 10)
    0.3829249225
    """
    if isinstance(pair, FinitePair):
        return _finite_at(pair, t, digits)
    x = sp.Symbol("t", real=True)
    at = sp.Rational(t.numerator, t.denominator)
    value = sp.sympify(formula_at(written_profile(pair, x), t)).xreplace({x: at})
    if value.is_Rational:
        return Enclosure(Fraction(int(value.p), int(value.q)), Fraction(0))
    f = Compiled(value, x)
    return certified(lambda bits: f.ball(flint.arb(0)), digits)


def formula_at(pieces: list[tuple[Form | None, Any]], t: Fraction) -> Any:
    """The formula of a profile on the piece that holds a point; at a breakpoint either does."""
    for upper, formula in pieces[:-1]:
        if upper is not None and sign_of_number(upper - Form.of(t)) >= 0:
            return formula
    return pieces[-1][1]


def _finite_at(pair: FinitePair, t: Fraction, digits: int) -> Enclosure:
    """The sum of the positive parts of P - e^t Q."""
    if t == 0:
        return Enclosure(pair.hockey_stick(1), Fraction(0))

    def total(bits: int) -> Any:
        alpha = fraction_ball(t).exp()
        return sum(((fraction_ball(p) - alpha * fraction_ball(q)).max(flint.arb(0))
                    for p, q in pair.masses), flint.arb(0))

    return certified(total, digits)


def separated(compute: Callable[[int], tuple[Enclosure, Any]]) -> tuple[Enclosure, Any]:
    """Two values, to as many digits as it takes to tell them apart; else :class:`Unsupported`."""
    for digits in _DIGITS:
        a, b = compute(digits)
        if a.compare(b):
            return a, b
    raise Unsupported(f"two values agree to {_DIGITS[-1]} digits")


__all__ = ["formula_at", "profile_at", "separated"]
