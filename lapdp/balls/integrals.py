"""Rigorous integrals over finite and infinite intervals, and Laplace transforms at a point.

A finite piece goes to ``acb.integral``; an endpoint where the integrand has no finite ball and an
infinite end are both moved to an infinite end with exponential decay, cut at T, and closed by a
proved bound of the tail (:mod:`lapdp.balls.envelope`).  A divergent integral has no such bound, so
it is refused: a number is never given for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from flint import acb, arb, ctx

from lapdp.balls.bounds import Bounds
from lapdp.balls.compiler import compile_balls, exact_ball, expression
from lapdp.balls.elementary import NAN
from lapdp.balls.envelope import TooEarly, tail
from lapdp.balls.evaluate import GUARD, bits_of
from lapdp.balls.kinks import before, between, impulses, pieces
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

_LAST_T = 2**40
_ORDERS = 4
_EFFORT = 300


def integrate(expr: Any, t: Any, a: Any = -sp.oo, b: Any = sp.oo, digits: int = 30,
              values: Mapping[Any, Any] | None = None) -> Any:
    """A ball that contains the Lebesgue integral of ``expr`` over (a, b).

    ``a`` and ``b`` are exact reals or +-oo, ``values`` exact numbers for the other symbols.
    Impulses (``DiracDelta`` of an affine argument) strictly inside count, at the ends not.  The
    radius is below 10^-digits relative to the value where that can be reached.  Raises
    :class:`Unsupported` when convergence is not proved or the integrand is outside the class.

    >>> t = sp.Symbol("t")
    >>> integrate(sp.exp(-t**2), t, digits=20).real.str(15, radius=False)
    '1.77245385090552'
    >>> integrate(1 / t, t, 0, 1)
    Traceback (most recent call last):
    lapdp.balls.envelope.NoDecay: no exponential decay can be proved
    """
    x = sp.Dummy("t", real=True)
    known = {s: v for s, v in (values or {}).items() if s != t}
    for v in known.values():
        if isinstance(v, (float, acb, arb)):
            raise InputError("the parameters of an integral must be exact numbers")
    exact = {s: expression(v) for s, v in known.items()}
    f = expression(expr).xreplace({t: x}).xreplace(exact)
    lo, hi = (expression(v).xreplace(exact) for v in (a, b))
    loose = (f.free_symbols | lo.free_symbols | hi.free_symbols) - {x}
    if loose:
        raise InputError(f"the symbol {sorted(map(str, loose))[0]} has no value")
    if lo == hi:
        return acb(0)
    if before(hi, lo):
        f, lo, hi = -f, hi, lo
    # SymPy has already used what it was told of t: Abs(t) of a positive t is t
    if (t.is_nonnegative and before(lo, sp.S.Zero)) or (
            t.is_nonpositive and before(sp.S.Zero, hi)) or t.is_integer or t.is_real is False:
        raise InputError(f"the assumptions of the symbol {t} contradict the path of integration")
    goal = bits_of(digits)
    scale = 0
    for _ in range(3):
        with workprec(goal + GUARD):
            total = _Quadrature(goal + scale).whole(f, x, lo, hi)
            small = _magnitude(total) if total.is_finite() else 0
            if total.rel_accuracy_bits() >= goal or small <= scale + 8:
                break
            scale = small
    if not total.is_finite():
        raise Unsupported("the integral has no finite ball")
    return total


def one_sided(expr: Any, t: Any, s: Any, digits: int = 30,
              values: Mapping[Any, Any] | None = None) -> Any:
    """L{expr}(s): the integral of expr exp(-s t) over (0, oo), an impulse at 0 not counted.

    >>> t = sp.Symbol("t")
    >>> one_sided(sp.sin(t), t, 2, digits=20).real.str(15, radius=False)
    '0.200000000000000'
    """
    return integrate(expression(expr) * sp.exp(-expression(s) * t), t, 0, sp.oo, digits, values)


def bilateral(expr: Any, t: Any, s: Any, digits: int = 30,
              values: Mapping[Any, Any] | None = None) -> Any:
    """B{expr}(s): the integral of expr exp(-s t) over the line.

    >>> t = sp.Symbol("t")
    >>> bilateral(sp.exp(-abs(t)), t, 0, digits=20).real.str(15, radius=False)
    '2.00000000000000'
    """
    kernel = sp.exp(-expression(s) * t)
    return integrate(expression(expr) * kernel, t, -sp.oo, sp.oo, digits, values)


def _magnitude(z: Any) -> int:
    """-log2 of the largest modulus in the ball, rounded up, at least 0."""
    mantissa, exponent = abs(z).upper().man_exp()
    return 0 if mantissa == 0 else max(0, -int(exponent) - int(mantissa).bit_length() + 1)


class _Quadrature:
    """Absolute accuracy 2^-goal, at the precision of the moment plus what the goal needs."""

    def __init__(self, goal: int) -> None:
        self.goal = goal
        self.tolerance = arb(2) ** (-goal - 12)

    def whole(self, f: Any, t: Any, lo: Any, hi: Any) -> Any:
        smooth, masses = impulses(f, t)
        total = acb(0)
        for c, weight in masses:
            if before(lo, c) and before(c, hi):
                total += self.impulse(weight, t, c)
        for g, a, b in pieces(smooth, t, lo, hi):
            total += self.piece(g, t, a, b)
        return total

    def impulse(self, weight: Any, t: Any, c: Any) -> Any:
        if len(pieces(weight, t, c - 1, c + 1)) > 1 and any(
                b == c for _, _, b in pieces(weight, t, c - 1, c + 1)):
            raise Unsupported("an impulse at a kink or jump of its factor")
        return exact_ball(weight.xreplace({t: c}))

    def piece(self, g: Any, t: Any, lo: Any, hi: Any) -> Any:
        """Integral of g, free of affine kinks, over (lo, hi); real where g is visibly real."""
        z = self.any_piece(g, t, lo, hi)
        right = not before(lo, sp.S.Zero)
        return acb(z.real) if compile_balls(g, {}, {t: right}).real else z

    def any_piece(self, g: Any, t: Any, lo: Any, hi: Any) -> Any:
        if g == 0:
            return acb(0)
        if lo == -sp.oo and hi == sp.oo:
            return self.piece(g, t, lo, sp.S.Zero) + self.piece(g, t, sp.S.Zero, hi)
        if lo == -sp.oo:
            return self.piece(g.xreplace({t: -t}), t, -hi, sp.oo)
        if hi == sp.oo:
            if self.singular(g, t, lo):
                return self.piece(g, t, lo, lo + 1) + self.piece(g, t, lo + 1, hi)
            return self.half_line(g, t, lo)
        bad_lo, bad_hi = self.singular(g, t, lo), self.singular(g, t, hi)
        if not (bad_lo or bad_hi):
            return self.finite(g, t, lo, hi)
        middle = lo + 1 if before(lo + 1, hi) and not bad_hi else between(lo, hi)
        mirrored = g.xreplace({t: -t})
        left = (self.from_singular if bad_lo else self.finite)(g, t, lo, middle)
        return left + (self.from_singular(mirrored, t, -hi, -middle) if bad_hi
                       else self.finite(g, t, middle, hi))

    def singular(self, g: Any, t: Any, at: Any, analytic: bool = True) -> bool:
        """Is g not visibly holomorphic (without ``analytic``: not visibly finite) at a point?"""
        try:
            code = compile_balls(g, {}, {t: False})
            return not code.run({t: exact_ball(at)}, analytic).is_finite()
        except Undefined:
            return True

    def finite(self, g: Any, t: Any, lo: Any, hi: Any) -> Any:
        """Integral over a compact interval on which g has finite balls near the path."""
        a, b = exact_ball(lo), exact_ball(hi)
        code = compile_balls(g, {}, {t: bool(a.real >= 0)})
        if not code.moving:
            return code.constant() * (b - a)

        def f(x: Any, analytic: bool) -> Any:
            try:
                return code.run({t: x}, analytic)
            except Undefined:
                return NAN

        return self.contour(f, a, b)

    def contour(self, f: Any, a: Any, b: Any) -> Any:
        with workprec(max(ctx.prec, self.goal + GUARD)):
            return acb.integral(f, a, b, rel_tol=arb(2) ** (-ctx.prec + 10),
                                abs_tol=self.tolerance, eval_limit=_EFFORT * ctx.prec)

    def from_singular(self, g: Any, t: Any, lo: Any, hi: Any) -> Any:
        """Integral over (lo, hi) when g has no finite ball at lo."""
        x = sp.Dummy("x", positive=True)
        h = hi - lo
        shifted = g.xreplace({t: lo + x})
        found = self.removable(shifted, x, h)
        if found is not None:
            return found
        v = sp.Dummy("v", positive=True)
        try:
            return self.half_line(shifted.xreplace({x: h * sp.exp(-v)}) * h * sp.exp(-v), v,
                                  sp.S.Zero, mapped=True)
        except Unsupported:
            found = self.removable(2 * x * shifted.xreplace({x: x**2}), x, sp.sqrt(h))
            if found is None and self.singular(g, t, lo, analytic=False):
                raise
            return self.finite(g, t, lo, hi) if found is None else found

    def removable(self, g: Any, x: Any, h: Any) -> Any | None:
        """Integral over (0, h) of g = N/x^k, N holomorphic on |x| <= 2h with a zero of order k.

        Then g extends to the disc, and by Cauchy's formula the integral is
        -1/(2 pi i) times that of g(w) log(1 - h/w) over the circle |w| = 2h.  None if g is not so.
        """
        disc = acb(arb(0, 1), arb(0, 1)) * (2 * exact_ball(h).real)
        for k in range(1, _ORDERS + 1):
            numerator = sp.expand(g * x**k)
            try:
                code = compile_balls(numerator, {}, {x: False})
                if not code.run({x: disc}, True).is_finite():
                    continue
                if all(sp.diff(numerator, x, j).xreplace({x: sp.S.Zero}) == 0 for j in range(k)):
                    break
                return None
            except (Undefined, Unsupported):
                continue
        else:
            return None
        radius = 2 * exact_ball(h)

        def f(angle: Any, analytic: bool) -> Any:
            w = radius * angle.exp_pi_i()
            z = 1 - exact_ball(h) / w
            # dw = pi i w d(angle)
            return code.run({x: w}, analytic) / w ** (k - 1) * z.log(analytic=analytic)

        return -self.contour(f, acb(0), acb(2)) / 2

    def half_line(self, g: Any, t: Any, lo: Any, mapped: bool = False) -> Any:
        """Integral over (lo, oo) by a cut at T and a proved bound of the rest."""
        positive = sp.Dummy("t", positive=True)
        try:
            T, rest = self.cut(g.xreplace({t: positive}), positive, lo)
        except TooEarly:
            raise
        except Unsupported as error:
            if mapped:
                raise
            return self.slow(g, t, lo, error)
        return self.finite(g, t, lo, sp.Integer(T)) + acb(arb(0, rest), arb(0, rest))

    def cut(self, g: Any, t: Any, lo: Any) -> tuple[int, Any]:
        """T > lo and a bound of the integral of |g| over (T, oo) below the tolerance."""
        T = 2
        while not before(lo, sp.Integer(T)):
            T *= 2
        reason = TooEarly("no bound of the tail is small enough")
        last = None
        while T <= _LAST_T:
            try:
                rest = tail(Bounds(t, T).terms(g), T)
                if rest < self.tolerance:
                    break
                last = T
            except TooEarly as error:
                reason = error
            T *= 2
        else:
            raise reason
        middle = 3 * T // 4
        if last == T // 2 and T > 4:
            closer = tail(Bounds(t, middle).terms(g), middle)
            if closer < self.tolerance:
                return middle, closer
        return T, rest

    def slow(self, g: Any, t: Any, lo: Any, reason: Unsupported) -> Any:
        """The same beyond 1 with t = exp(v) or t = v^2, for decay slower than exp(-c t)."""
        start = lo if before(sp.S.One, lo) else sp.S.One
        v = sp.Dummy("v", positive=True)
        near = self.finite(g, t, lo, start) if start != lo else acb(0)
        powers = g.xreplace({t: start * sp.exp(v)}) * start * sp.exp(v)
        try:
            return near + self.half_line(powers, v, sp.S.Zero, mapped=True)
        except Unsupported:
            pass
        roots = g.xreplace({t: v**2}) * 2 * v
        try:
            return near + self.half_line(roots, v, sp.sqrt(start), mapped=True)
        except Unsupported:
            raise reason from None
