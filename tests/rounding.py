"""First-order rounding error analysis of a SymPy expression, written once more in mpmath.

``Rounding(x, value)(e)`` gives the value of ``e`` and how many units of rounding a straightforward
evaluation in floating point may lose: every operation and every constant contributes one unit of
its own size, multiplied by the slopes of what follows.
"""

from __future__ import annotations

import sympy as sp
from mpmath import mp
from mpmath.libmp import to_rational

from lapdp.balls.lattice import NormalTail

SLOPES = {
    sp.exp: mp.exp, sp.log: lambda x: 1 / x, sp.Abs: lambda x: 1, sp.re: lambda x: 1,
    sp.erf: lambda x: 2 * mp.exp(-x * x) / mp.sqrt(mp.pi),
    sp.erfc: lambda x: -2 * mp.exp(-x * x) / mp.sqrt(mp.pi),
    sp.erfinv: lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(mp.erfinv(x) ** 2),
}
VALUES = {sp.exp: mp.exp, sp.log: mp.log, sp.Abs: abs, sp.re: mp.re, sp.erf: mp.erf,
          sp.erfc: mp.erfc, sp.erfinv: mp.erfinv}


def exact(x):
    """A number of mpmath as a rational one of SymPy."""
    real, imag = (sp.Rational(*to_rational(part._mpf_)) for part in (mp.re(x), mp.im(x)))
    return real + sp.I * imag


class Rounding:
    """Values with error bounds at one point."""

    def __init__(self, values):
        self.values = values

    def __call__(self, e):
        """(value, units of rounding, absolute)."""
        if e.is_Symbol:
            return self.values[e], mp.mpf(0)
        if e.is_number:
            value = mp.mpmathify(sp.N(e, mp.dps + 5))
            return value, abs(value)
        if e.is_Add:
            parts = [self(a) for a in e.args]
            return mp.fsum(v for v, _ in parts), mp.fsum(2 * abs(v) + err for v, err in parts)
        if e.is_Mul:
            parts = [self(a) for a in e.args]
            value = mp.fprod(v for v, _ in parts)
            slopes = [mp.fprod(v for j, (v, _) in enumerate(parts) if j != i) * err
                      for i, (_, err) in enumerate(parts)]
            return value, len(parts) * abs(value) + mp.fsum(map(abs, slopes))
        if isinstance(e, sp.Piecewise):
            return self(next(f for f, c in e.args if self.holds(c)))
        if isinstance(e, sp.LambertW):
            x, err = self(e.args[0])
            w = mp.re(mp.lambertw(x, int(e.args[1]) if len(e.args) > 1 else 0))
            return w, abs(w) + abs(w / (x * (1 + w))) * err if w != -1 else mp.inf
        if e.is_Pow and not isinstance(e, sp.exp):
            (base, err), (power, _) = self(e.base), self(e.exp)
            value = base**power
            slope = abs(power * base ** (power - 1)) if base else mp.inf
            return value, 2 * abs(value) + (slope * err if err else 0)
        if isinstance(e, NormalTail):
            (start, err), (variance, _) = map(self, e.args)
            value = mp.mpmathify(sp.N(NormalTail(*(exact(x) for x in (start, variance))), mp.dps))
            return value, abs(value) * (30 + abs(start) ** 2 / variance + abs(start) * err)
        if isinstance(e, (sp.floor, sp.ceiling)):
            near = mp.floor if isinstance(e, sp.floor) else mp.ceil
            return near(self(e.args[0])[0]), mp.mpf(0)
        kind = next(k for k in VALUES if isinstance(e, k))
        x, err = self(e.args[0])
        value, slope = VALUES[kind](x), abs(SLOPES[kind](x))
        # a slope of 0 wins: erfc is flat at oo
        return value, abs(value) * 2 + (slope * err if slope and err else 0)

    def holds(self, c):
        """A condition at the point."""
        if c in (sp.true, sp.false):
            return bool(c)
        if isinstance(c, (sp.And, sp.Or)):
            return (all if isinstance(c, sp.And) else any)(self.holds(a) for a in c.args)
        (a, _), (b, _) = self(c.lhs), self(c.rhs)
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b,
                "!=": a != b}[c.rel_op]
