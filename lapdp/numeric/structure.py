"""Where an expression has kinks: read off the tree, never guessed from values.

The one exception is a kink whose argument is not affine, such as max(0, 1 - exp(eps - t)): its
zeros are looked for by changes of sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import combinations
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as calculus
from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric import elementary
from lapdp.numeric.extrema import levels_of_kinks
from lapdp.numeric.generalized import merge_points
from lapdp.numeric.instances import MARKERS
from lapdp.numeric.planes import Affine, Plane, combine, eliminate, level, solved, substitute
from lapdp.numeric.quadrature import sign_changes
from lapdp.numeric.tails import Number
from lapdp.privacy import nodes as privacy
from lapdp.privacy import tradeoff_nodes as tests
from lapdp.privacy.events import SetOperation
from lapdp.privacy.pointwise import LossAt, Ratio, Where

Env = dict[Any, Any]

_KINKED = (sp.Heaviside, sp.sign, sp.Abs, sp.DiracDelta)
_BINDERS = (calculus.OneSided, calculus.Bilateral, calculus.IntegralOnLine)
_SMOOTH = (privacy.Moment, privacy.RenyiDivergence, privacy.Measure)
_AT_LOSS = (privacy.Profile, privacy.LossCDF, privacy.LossDensity, privacy.Probability)


class Structure:
    """Breakpoints of expressions, for one evaluator."""

    def __init__(self, evaluator: Any) -> None:
        self.ev = evaluator

    def breaks(self, expr: Any, t: Any, env: Env) -> tuple[Number, ...]:
        """Points at which ``expr``, as a function of ``t``, is not smooth."""
        local = {k: v for k, v in env.items() if k != t}
        points = [p.only(t) for p in self.planes(expr, local)]
        return merge_points(x for x in points if x is not None)

    # -- affine arguments -----------------------------------------------------------------------

    def unknowns(self, expr: Any, env: Env) -> set[Any]:
        """Symbols and loss variables without a value."""
        found = {x for x in expr.free_symbols
                 if not isinstance(x, (privacy.Distribution, privacy.Event))
                 and x.name not in MARKERS}
        return {x for x in found | expr.atoms(privacy.Loss) if x not in env}

    def affine(self, expr: Any, env: Env) -> Affine | None:
        """``expr`` as an affine form of its unknowns, None if it is not affine."""
        unknown = self.unknowns(expr, env)
        if not unknown:
            return {}, elementary.real(self.ev.value(expr, env))
        if expr in unknown:
            return {expr: mp.mpf(1)}, mp.mpf(0)
        if isinstance(expr, sp.Add):
            total: Affine = ({}, mp.mpf(0))
            for a in expr.args:
                form = self.affine(a, env)
                if form is None:
                    return None
                total = combine(total, form, mp.mpf(1))
            return total
        if isinstance(expr, sp.Mul):
            moving = [a for a in expr.args if self.unknowns(a, env)]
            if len(moving) != 1:
                return None
            form = self.affine(moving[0], env)
            if form is None:
                return None
            factor = mp.mpf(1)
            for a in expr.args:
                if a is not moving[0]:
                    factor = factor * elementary.real(self.ev.value(a, env))
            return combine(({}, mp.mpf(0)), form, factor)
        return None

    def _levels(self, arg: Any, values: Iterable[Number], env: Env) -> list[Plane]:
        form = self.affine(arg, env)
        if form is not None:
            return [level(form, v) for v in values] if form[0] else []
        unknown = self.unknowns(arg, env)
        if len(unknown) != 1:
            raise Unsupported("a kink in two variables that is not affine")
        x = unknown.pop()
        closure = self.ev.regular(arg)

        def at(v: Number, u: Number) -> Number:
            try:
                return elementary.real(closure({**env, x: u})) - v
            except Undefined:
                return mp.nan

        return [Plane({x: mp.mpf(1)}, r)
                for v in values for r in sign_changes(partial(at, v))]

    # -- planes ---------------------------------------------------------------------------------

    def planes(self, expr: Any, env: Env) -> list[Plane]:
        """Planes in the unknowns off which ``expr`` is smooth."""
        if not isinstance(expr, sp.Basic) or not self.unknowns(expr, env):
            return []
        if isinstance(expr, _AT_LOSS):
            return self._at_loss(expr, env)
        if isinstance(expr, _BINDERS):
            return self._bound(expr, env)
        if isinstance(expr, (calculus.GeneralizedDerivative, calculus.Primitive,
                             calculus.Convolution)):
            return self._own(expr, env)
        if isinstance(expr, (calculus.Limit, calculus.Impulse)):
            g, t, c = expr.args[:3]
            inner = self.planes(g, {k: v for k, v in env.items() if k != t})
            form = self.affine(c, env)
            if form is None:
                raise Unsupported("a limit at a point that is not affine in the variable")
            moved = [substitute(p, t, form) for p in inner]
            return [p for p in moved if p is not None]
        if isinstance(expr, privacy.Expectation):
            return self._expectation(expr, env)
        if isinstance(expr, privacy.Measure) and self.unknowns(expr.args[1], env):
            raise Unsupported("an event that moves under an integral")
        if isinstance(expr, _SMOOTH):
            return []
        if isinstance(expr, (tests.TradeOff, tests.InfOverReals, tests.Envelope)):
            return self._of_levels(expr, env)
        if isinstance(expr, (calculus.Bromwich, calculus.SymmetricIntegral, privacy.SupOverEvents,
                             privacy.IntegralOverSpace, tests.SupOverReals, tests.InfOverTests,
                             sp.floor, sp.ceiling)):
            raise Unsupported(f"kinks of {type(expr).__name__} are not known")
        found = [p for a in expr.args for p in self.planes(a, env)]
        return found + self._kinks(expr, env)

    def _kinks(self, expr: Any, env: Env) -> list[Plane]:
        zero = [mp.mpf(0)]
        if isinstance(expr, AppliedUndef):
            g = self.ev.instance.functions[expr.func.__name__]
            return self._levels(expr.args[0], [*g.breaks, *(i.at for i in g.impulses)], env)
        if isinstance(expr, _KINKED):
            return self._levels(expr.args[0], zero, env)
        if isinstance(expr, (sp.Max, sp.Min)):
            return [p for a, b in combinations(expr.args, 2) for p in
                    self._levels(a - b, zero, env)]
        if isinstance(expr, sp.core.relational.Relational):
            return self._levels(expr.lhs - expr.rhs, zero, env)
        return []

    def _at_loss(self, expr: Any, env: Env) -> list[Plane]:
        if isinstance(expr, privacy.Profile):
            first, second, arg = expr.args
        else:
            (first, second), arg = expr.args[0].args, expr.args[-1]
            if isinstance(expr, privacy.LossCDF):
                arg = expr.args[1]
        return self._levels(arg, self.ev.pair(first, second, env).breaks, env)

    def _of_levels(self, expr: Any, env: Env) -> list[Plane]:
        """Of trade-off functions, their inverses and envelopes, as functions of a level."""
        if isinstance(expr, tests.TradeOff):
            first, second, at = expr.args
            return self._levels(at, levels_of_kinks(self.ev.pair(first, second, env)), env)
        if isinstance(expr, tests.Envelope):
            body, t, at = expr.args
            if not self.unknowns(at, env):
                return []
            return self._levels(at, self.breaks(body, t, env), env)
        body, x, low, high, curve, at = expr.args
        inner = {k: v for k, v in env.items() if k != x}
        if body != x or self.unknowns(curve, inner) - {x} or x in at.free_symbols:
            raise Unsupported("kinks of an infimum in its bound")
        ends = [elementary.real(self.ev.value(e, env)) for e in (low, high)]
        f = self.ev.regular(curve)
        places = [*ends, *(b for b in self.breaks(curve, x, inner) if ends[0] < b < ends[1])]
        return self._levels(at, [elementary.real(f({**inner, x: b})) for b in places], env)

    def _bound(self, expr: Any, env: Env) -> list[Plane]:
        g, u = expr.args[:2]
        inner = self.planes(g, {k: v for k, v in env.items() if k != u})
        limits: list[Affine] = []
        if isinstance(expr, calculus.OneSided):
            limits.append(({}, mp.mpf(0)))
        elif isinstance(expr, calculus.IntegralOnLine):
            for end in expr.args[2:]:
                if end not in (sp.oo, -sp.oo):
                    form = self.affine(end, env)
                    if form is None:
                        raise Unsupported("a limit of integration that is not affine")
                    limits.append(form)
        return eliminate(inner, u, limits)

    def _own(self, expr: Any, env: Env) -> list[Plane]:
        if isinstance(expr, calculus.Convolution):
            g, h, t, lower = expr.args
        else:
            g, t = expr.args[:2]
            h, lower = None, expr.args[2] if isinstance(expr, calculus.Primitive) else -sp.oo
        local = {k: v for k, v in env.items() if k != t}
        found = self.planes(g, local)
        if lower != -sp.oo:
            form = self.affine(lower, local)
            if form is None:
                raise Unsupported("a limit of integration that is not affine")
            found = [*found, combine_plane(t, form)]
        if h is not None:
            other = self.planes(h, local)
            if lower != -sp.oo:
                other = [*other, combine_plane(t, ({}, mp.mpf(0)))]
            free = [p for p in [*found, *other] if t not in p.coefficients]
            sums = [combine(solved(a, t), solved(b, t), mp.mpf(1)) for a in found for b in other
                    if t in a.coefficients and t in b.coefficients]
            found = free + [combine_plane(t, s) for s in sums]
        if t in env:
            moved = [substitute(p, t, ({}, env[t])) for p in found]
            found = [p for p in moved if p is not None]
        return found

    def _expectation(self, expr: Any, env: Env) -> list[Plane]:
        body, z = expr.args
        pair = self.ev.pair(*z.args, env)
        found = [p for value, _ in pair.losses if not mp.isinf(value)
                 for p in self.planes(body, {**env, z: value})]
        if pair.parts:
            limits: list[Affine] = [({}, b) for b in pair.breaks]
            found += eliminate(self.planes(body, {k: v for k, v in env.items() if k != z}), z,
                               limits)
        return found

    def density_kinks(self, body: Any, ends: dict[int, Any], env: Env) -> list[Number]:
        """Losses at which an expression homogeneous in the two densities has a kink."""
        z = sp.Dummy("z", real=True)
        densities = {d: sp.exp(z) if side == 0 else sp.Integer(1) for side, d in ends.items()}
        losses = {x: z if x.args[0].side == 0 else -z for x in body.atoms(LossAt, Ratio)}
        at = {x: w if isinstance(x, LossAt) else sp.exp(w) for x, w in losses.items()}
        if isinstance(body, (privacy.Complement, SetOperation)):
            return [x for part in body.args for x in self.density_kinks(part, ends, env)]
        if isinstance(body, Where):
            body = body.args[0]
        return list(self.breaks(body.xreplace(at).xreplace(densities), z, env))


def combine_plane(t: Any, form: Affine) -> Plane:
    """The plane t = form."""
    return Plane({t: mp.mpf(1), **{x: -c for x, c in form[0].items()}}, form[1])
