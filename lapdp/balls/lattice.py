"""Sums of e^(-x^2/(2 v)) over x = s, s + 1, s + 2, ..., with proved tails.

From x to x + 1 the weight falls by the factor e^(-(2x+1)/(2 v)), which falls itself: what is left
of a sum is bounded by a geometric series.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from math import isqrt
from typing import Any

import sympy as sp
from flint import acb, arb, arb_poly, ctx

from lapdp.balls import functions as fn
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import certified
from lapdp.balls.elementary import NAN
from lapdp.core.errors import InputError, Unsupported

MOST, MOST_BITS = 1 << 20, 1 << 27
"""Terms of a sum; bits of all masses that are written down."""


class NormalTail(sp.Function):
    """The sum of e^(-x^2/(2 v)) over x = s, s + 1, s + 2, ... for a real or complex s and v > 0.

    Numbers of any precision are proved; ``doit`` writes the sum out.  (SymPy's own numbers for such
    sums are wrong: 0 for s = -1000, v = 400.)

    >>> NormalTail(-1000, 400).n(10), NormalTail(2, 400).doit()
    (50.13256549, Sum(exp(-(x + 2)**2/800), (x, 0, oo)))
    """

    nargs = 2

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _eval_is_finite(self) -> bool:
        return True

    def doit(self, **hints: Any) -> Any:
        """The sum as SymPy writes it."""
        start, variance = (a.doit(**hints) for a in self.args)
        x = sp.Symbol("x", integer=True)
        if x in start.free_symbols | variance.free_symbols:
            x = sp.Dummy("x", integer=True)
        return sp.Sum(sp.exp(-(x + start) ** 2 / (2 * variance)), (x, 0, sp.oo))

    def _eval_evalf(self, prec: int) -> Any:
        if not all(a.is_number for a in self.args):
            return None
        start, variance = (sp.nsimplify(a, rational=True) if a.has(sp.Float) else a
                           for a in self.args)

        def part(name: str) -> Any:
            found = certified(lambda _: getattr(_sum(start, variance), name), int(prec * 0.302) + 3)
            exact = sp.Rational(found.middle.numerator, found.middle.denominator)
            return sp.Float(exact, precision=prec)

        try:
            return part("real") if start.is_real else part("real") + sp.I * part("imag")
        except (Unsupported, InputError):
            return None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        start, variance = (printer._print(a) for a in self.args)
        power = "" if exp is None else f"^{{{exp}}}"
        return (rf"\left(\sum_{{j=0}}^{{\infty}} e^{{-\left(j + {start}\right)^{{2}} / "
                rf"\left(2 \cdot {variance}\right)}}\right){power}")

    def _mpmathcode(self, printer: Any, *_: Any, **__: Any) -> str:
        """By the theta function: the sum from 0 on is (theta + 1)/2 for whole s."""
        start, variance = (printer._print(a) for a in self.args)
        if not self.args[0].is_integer:
            return (f"mpmath.nsum(lambda _x: mpmath.exp(-(_x + ({start}))**2/(2*({variance}))), "
                    "[0, mpmath.inf])")
        def part(low: str, high: str) -> str:
            return (f"mpmath.fsum(mpmath.exp(-mpmath.mpf(_x)**2/(2*({variance}))) "
                    f"for _x in range({low}, {high}))")

        whole = f"int({start})"
        return (f"((mpmath.jtheta(3, 0, mpmath.exp(-1/(2*mpmath.mpf({variance})))) + 1)/2 "
                f"- {part('0', whole)} + {part(whole, '0')})")


def _sum(start: Any, variance: Any) -> Any:
    v = exact_ball(variance).real
    if start.is_integer and start < 0:
        # by reflection: large negative starts cost nothing
        return 1 + 2 * normal_sum(acb(1), v) - normal_sum(exact_ball(1 - start), v)
    return normal_sum(exact_ball(start), v)


def normal_sum(start: Any, variance: Any, most: int = MOST) -> Any:
    """The sum of e^(-x^2/(2 variance)) from the ball ``start`` on, at the precision of the moment.

    Raises :class:`Unsupported` where it has more than ``most`` terms.
    """
    terms, rest = normal_terms(start, variance, most)
    real = bool(start.imag.is_zero())
    return sum(terms, acb(0)) + acb(arb(0, rest), 0 if real else arb(0, rest))


def normal_terms(start: Any, variance: Any, most: int = MOST) -> tuple[list[Any], Any]:
    """The first terms of the sum, and a bound of the modulus of the others.

    The bound is below 2^-prec times the largest term.

    >>> terms, rest = normal_terms(acb(1), arb(1))
    >>> bool(1 + 2 * sum(terms).real < 2.50663), bool(rest < 1e-15)
    (True, True)
    """
    a = start.real.lower()
    # with n^2 > 2 variance (prec + 10) the term n places after the largest is small enough
    size = 2 * variance.upper() * (ctx.prec + 10)
    if not (bool(variance > 0) and size.is_finite() and bool(size < most**2)
            and start.is_finite() and bool(-a < most)):
        raise Unsupported(f"a sum with more than {most} terms, or of no positive variance")
    count = isqrt(int(size.upper().ceil().unique_fmpz())) + 2
    if a > 0:
        # far out the terms fall at least by e^(-a/variance) each
        count = min(count, int((variance.upper() * (ctx.prec + 10) / a).upper().ceil()
                               .unique_fmpz()) + 2)
    else:
        count += int((-a).ceil().unique_fmpz())
    # the rounding errors of n products of n factors
    with ctx.extraprec(2 * count.bit_length() + 10):
        step = (-1 / variance).exp()
        factor = (-(2 * start + 1) / (2 * variance)).exp()
        term = (-(start**2) / (2 * variance)).exp()
        terms = []
        for _ in range(count):
            terms.append(term)
            term, factor = term * factor, factor * step
        ratio = abs(factor)
        if not ratio < 1:
            raise Unsupported("the terms of a sum do not fall")
        rest = abs(term) / (1 - ratio)
    return terms, rest.upper()


def shifted_normal_profile(variance: Any, shift: int, copies: int, point: Any) -> Any:
    """The privacy profile at ``point`` of the ``copies``-fold product of the normal distribution on
    the whole numbers and the same moved by ``shift``: an ``arb``, at the precision of the moment.

    Not finite where the precision does not tell the threshold up to one whole number.
    """
    # the loss at s exceeds the point for s < c
    c = arb(copies * shift) / 2 - variance * point / shift
    ends = [end.ceil().unique_fmpz() for end in (c.lower(), c.upper())]
    if any(end is None for end in ends) or ends[1] - ends[0] > 1:
        return NAN.real
    if copies > 1 and c < 0 and c * c > 2 * copies * variance * ctx.prec:
        return NAN.real  # masses from 0 on would hide all that lies so far out
    below, at = _tails(variance) if copies == 1 else _masses(variance, copies)
    low, alpha = int(ends[0]), point.exp()
    value = below(low) - alpha * below(low - copies * shift)
    if ends[1] != ends[0]:
        # the whole number low counts if its loss exceeds the point
        value += (at(low) - alpha * at(low - copies * shift)).max(arb(0)).union(arb(0))
    return value


def _tails(variance: Any) -> tuple[Callable[[int], Any], Callable[[int], Any]]:
    """The masses below a whole number, and at it, of one normal distribution: however far out, of
    a sum that begins there."""
    total = 1 + 2 * normal_sum(acb(1), variance).real

    def below(s: int) -> Any:
        part = normal_sum(acb(max(s, 1 - s)), variance).real / total
        return part if s <= 0 else 1 - part

    return below, lambda s: (-arb(s) ** 2 / (2 * variance)).exp() / total


def _masses(variance: Any, copies: int) -> tuple[Callable[[int], Any], Callable[[int], Any]]:
    """The same of a sum of copies: all masses are written down."""
    terms, rest = normal_terms(acb(0), variance, min(MOST, MOST_BITS // ctx.prec) // copies)
    weights, half = [t.real for t in terms], len(terms) - 1
    total = 1 + 2 * sum(weights[1:], arb(0)) + 2 * arb(0).union(rest)
    masses = [w / total for w in (*weights[:0:-1], *weights)]
    found = (arb_poly(masses) ** copies).coeffs()
    masses = [*found, *[arb(0)] * (2 * half * copies + 1 - len(found))]
    # masses[j] belongs to the sum j - half copies; the outcomes left out have this mass at most
    outside = arb(0).union(2 * copies * rest / total)
    sums = [arb(0), *accumulate(masses)]

    def at(s: int) -> Any:
        index = s + half * copies
        return (masses[index] if 0 <= index < len(masses) else arb(0)) + outside

    return lambda s: sums[min(max(s + half * copies, 0), len(masses))] + outside, at


fn.OPS[NormalTail] = lambda analytic, start, variance: normal_sum(start, variance.real)

__all__ = ["MOST", "NormalTail", "normal_sum", "normal_terms", "shifted_normal_profile"]
