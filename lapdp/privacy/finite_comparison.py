"""The sign of a difference of two finite profiles, in Fractions of alpha = e^t."""

from __future__ import annotations

from fractions import Fraction

from lapdp.calculus.exponentials import Exponentials
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, log_of_rational
from lapdp.calculus.sign_patterns import SignPattern
from lapdp.calculus.zeros import Zero, ball_of, rational
from lapdp.privacy.finite import FinitePair

_SHORT = 10**9
"""Logs of ratios of shorter numbers are written out by their primes."""


def finite_signs(first: FinitePair, second: FinitePair) -> SignPattern:
    """Exact: the difference is linear in alpha between breakpoints, and from 0 to the first one a
    multiple of alpha; after the last it is constant.

    >>> from lapdp import finite
    >>> coin = finite(["1/3", "2/3"], ["2/3", "1/3"])
    >>> finite_signs(coin, finite(["1/4", "1/4", "1/2"], ["1/4", "1/2", "1/4"]))
    0 | -0.693147180560 | + | 0.693147180560 | 0
    """
    cuts = sorted({*first.breakpoints(), *second.breakpoints()}) or [Fraction(1)]
    gaps = [first.hockey_stick(a) - second.hockey_stick(a) for a in cuts]
    zeros: list[Zero] = []
    signs = [_sign(gaps[0])]
    for k, (a, gap) in enumerate(zip(cuts, gaps, strict=True)):
        last = k + 1 == len(cuts)
        after = gap if last else gaps[k + 1]
        here = _sign(gap) or _sign(after)
        if not gap and (signs[-1] or here):
            zeros.append(_log_zero(a))
            signs.append(here)
        if gap * after < 0:
            zeros.append(_log_zero(a + (cuts[k + 1] - a) * gap / (gap - after)))
            signs.append(_sign(after))
    return SignPattern(tuple(zeros), tuple(signs))


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def _log_zero(alpha: Fraction) -> Zero:
    if max(alpha.numerator, alpha.denominator) <= _SHORT:
        return Zero(log_of_rational(alpha))
    function = Exponentials({(Form.of(1), 0): Scalar.of(1), (Form({}), 0): Scalar.of(-alpha)})
    near = ball_of(alpha).log()
    return Zero(None, function, rational(near, -1) - 1, rational(near, 1) + 1)


__all__ = ["finite_signs"]
