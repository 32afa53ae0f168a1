"""Impulses of an expression as a function of one symbol: read off the tree."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as calculus
from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric import elementary
from lapdp.numeric.elementary import Closure, Env
from lapdp.numeric.generalized import Impulse, merge_impulses, times_smooth
from lapdp.numeric.planes import Affine
from lapdp.numeric.structure import Structure
from lapdp.numeric.tails import Number
from lapdp.privacy import nodes as privacy

_WITHOUT = (
    calculus.OneSided, calculus.Bilateral, calculus.Bromwich, calculus.SymmetricIntegral,
    calculus.Limit, calculus.Impulse,
    privacy.Profile, privacy.LossCDF, privacy.Probability, privacy.Expectation,
)
"""Nodes that are functions in the ordinary sense, whatever stands inside."""


class Impulses:
    """Impulses of expressions, for one evaluator."""

    def __init__(self, evaluator: Any, structure: Structure) -> None:
        self.ev, self.structure = evaluator, structure

    def of(self, expr: Any, t: Any, env: Env) -> tuple[Impulse, ...]:
        """Impulses of ``expr`` as a function of ``t``."""
        return merge_impulses(self._impulses(expr, t, env))

    def _impulses(self, expr: Any, t: Any, env: Env) -> list[Impulse]:
        if t not in expr.free_symbols | expr.atoms(privacy.Loss):
            return []
        if isinstance(expr, sp.Add):
            return [i for a in expr.args for i in self._impulses(a, t, env)]
        if isinstance(expr, sp.Mul):
            return self._product_impulses(expr, t, env)
        if isinstance(expr, sp.Piecewise):
            return self._piecewise_impulses(expr, t, env)
        if isinstance(expr, (privacy.LossDensity, AppliedUndef, sp.DiracDelta)):
            return self._atoms(expr, t, env)
        if isinstance(expr, (calculus.GeneralizedDerivative, calculus.Convolution,
                             calculus.Primitive)):
            own = expr.args[2 if isinstance(expr, calculus.Convolution) else 1]
            return list(self.ev.function(expr, t, env).impulses) if own == t else []
        if isinstance(expr, calculus.IntegralOnLine):
            return self._meetings(expr, t, env)
        if isinstance(expr, _WITHOUT):
            return []
        if any(self._impulses(a, t, env) for a in expr.args if isinstance(a, sp.Expr)):
            raise Undefined("a function of an impulse has no meaning")
        return []

    def _product_impulses(self, expr: Any, t: Any, env: Env) -> list[Impulse]:
        made = []
        for k, factor in enumerate(expr.args):
            for impulse in self._impulses(factor, t, env):
                others = [a for j, a in enumerate(expr.args) if j != k]
                if any(abs(i.at - impulse.at) < mp.mpf(10) ** -(mp.dps - 10)
                       for a in others for i in self._impulses(a, t, env)):
                    raise Undefined("a product of two impulses at one point has no meaning")
                rest = elementary.multiply([self.ev.regular(a) for a in others])

                def factor_at(x: Number, rest: Closure = rest) -> Number:
                    return rest({**env, t: x})

                made += times_smooth(impulse, factor_at)
        return made

    def _piecewise_impulses(self, expr: Any, t: Any, env: Env) -> list[Impulse]:
        made = []
        tests = [elementary.condition(c, self.ev.regular) for _, c in expr.args]
        for k, (branch, _) in enumerate(expr.args):
            for impulse in self._impulses(branch, t, env):
                local = {**env, t: impulse.at}
                if next((j for j, test in enumerate(tests) if test(local)), None) == k:
                    made.append(impulse)
        return made

    def _singular(self, expr: Any, env: Env) -> list[tuple[Number, Number, int]]:
        """(place, mass, order) of the impulses of a node in its own argument."""
        if isinstance(expr, sp.DiracDelta):
            order = int(expr.args[1]) if len(expr.args) > 1 else 0
            return [(mp.mpf(0), mp.mpf(1), order)]
        if isinstance(expr, AppliedUndef):
            g = self.ev.instance.functions[expr.func.__name__]
            return [(i.at, i.mass, i.order) for i in g.impulses]
        if isinstance(expr, privacy.LossDensity):
            pair = self.ev.pair(*expr.args[0].args, env)
            return [(z, mp.mpf(m.numerator) / m.denominator, 0) for z, m in pair.losses
                    if not mp.isinf(z)]
        return []

    def _atoms(self, expr: Any, t: Any, env: Env) -> list[Impulse]:
        arg = expr.args[1] if isinstance(expr, privacy.LossDensity) else expr.args[0]
        singular = self._singular(expr, env)
        if not singular:
            return []
        form = self.structure.affine(arg, {k: v for k, v in env.items() if k != t})
        if form is None or set(form[0]) != {t}:
            raise Unsupported("an impulse at an argument that is not affine")
        a, b = form[0][t], form[1]
        return [Impulse((at - b) / a, mass / (abs(a) * a**order), order)
                for at, mass, order in singular]

    def _meetings(self, expr: Any, t: Any, env: Env) -> list[Impulse]:
        """Impulses of an integral of a product: where impulses of two factors meet, inside of its
        range."""
        g, u, *ends = expr.args
        ranged = [self.ev.regular(x) for x in ends]
        local = {k: v for k, v in env.items() if k not in (t, u)}
        made = []
        for term in sp.Add.make_args(sp.expand_mul(g)):
            factors = sp.Mul.make_args(term)
            for (i, first), (j, second) in combinations(enumerate(factors), 2):
                rest = [self.ev.regular(f) for k, f in enumerate(factors) if k not in (i, j)]
                for a in self._lines(first, local):
                    for b in self._lines(second, local):
                        made += self._meet(a, b, (u, t), rest, local, ranged)
        return made

    def _lines(self, expr: Any, env: Env) -> list[tuple[Affine, Number, Number]]:
        singular = self._singular(expr, env)
        if not singular:
            return []
        arg = expr.args[1] if isinstance(expr, privacy.LossDensity) else expr.args[0]
        form = self.structure.affine(arg, env)
        if form is None or any(order for _, _, order in singular):
            raise Unsupported("an impulse at an argument that is not affine")
        return [(form, at, mass) for at, mass, _ in singular]

    def _meet(self, a: Any, b: Any, unknowns: tuple[Any, Any], rest: list[Any], env: Env,
              ranged: list[Closure]) -> list[Impulse]:
        u, t = unknowns
        (f, at1, m1), (h, at2, m2) = a, b
        zero = mp.mpf(0)
        au, at, bu, bt = f[0].get(u, zero), f[0].get(t, zero), h[0].get(u, zero), h[0].get(t, zero)
        det = au * bt - at * bu
        if det == 0:
            return []
        c, d = at1 - f[1], at2 - h[1]
        place = {u: (c * bt - at * d) / det, t: (au * d - c * bu) / det}
        first, last = (elementary.real(end({**env, **place})) for end in ranged)
        if not min(first, last) < place[u] < max(first, last):
            return []
        mass = m1 * m2 / (abs(det) if first < last else -abs(det))
        for factor in rest:
            mass = mass * factor({**env, **place})
        return [Impulse(place[t], mass)]
