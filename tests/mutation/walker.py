"""Values of the statement language at one instance, by the oracle's definitions.

The walker recognises lapdp's nodes and takes nothing else from lapdp: profiles, losses, moments and
transforms are computed from the masses by ``tests.oracle``.  It raises ``Undefined`` where an
expression has no value and ``Unclear`` where the oracle cannot say.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as calculus
from lapdp.calculus import sequences
from lapdp.privacy import inner_loss, pointwise
from lapdp.privacy import nodes as privacy
from tests.mutation import compositions, levels
from tests.mutation.frequency import Frequencies
from tests.mutation.functions import Functions
from tests.mutation.spaces import Spaces
from tests.oracle import finite, inversion, reals
from tests.oracle.reals import Unclear, Undefined, add, compare, is_infinite, mul, num
from tests.oracle.signals import Signal

_CLOSE = 160
"""Digits for values close to a point, where differences cancel."""


class _NoLimit(Undefined):
    """An integrand without a limit at an infinite loss: no convention gives it a value."""


class Walker(Functions, Frequencies, Spaces, levels.Levels):
    """Evaluates at an instance: :meth:`scalar` to a value, :meth:`signal` to a function of t."""

    def __init__(self, instance):
        self.instance = instance
        self.bound: dict[Any, Any] = {}
        self.over_space = False
        self.extended = False  # functions on the space have values in [-oo, oo]
        self._signals: dict[Any, Signal] = {}
        self._curves: dict[Any, Any] = {}

    # values -----------------------------------------------------------------------------------

    def scalar(self, e):
        if e in self.bound:
            return self.bound[e]
        if e in self.instance.symbols:
            return self.instance.symbols[e]
        for kind, method in _SCALARS.items():
            if isinstance(e, kind):
                return method(self, e)
        raise Unclear(f"the oracle does not know {type(e).__name__}")

    def _rational(self, e):
        return Fraction(int(e.p), int(e.q))

    def _constant(self, e):
        if e is sp.oo or e is -sp.oo:
            return mp.inf if e is sp.oo else -mp.inf
        if e is sp.I:
            return mp.mpc(0, 1)
        if e is sp.pi:
            return +mp.pi
        if e is sp.E:
            return +mp.e
        raise Unclear(f"the oracle does not know {e}")

    def _sum(self, e):
        total = Fraction(0)
        for arg in e.args:
            total = add(total, self.scalar(arg))
        return total

    def _product(self, e):
        if self.over_space and self.vanishes(e):
            return Fraction(0)  # nothing is integrated where the density vanishes
        total = Fraction(1)
        for arg in e.args:
            total = mul(total, self.scalar(arg))
        return total

    def _exp(self, e):
        if e.has(pointwise.LossAt):
            return self.exponential_of_losses(e.args[0])
        return reals.exp(self.scalar(e.args[0]))

    def _power(self, e):
        if isinstance(e.base, pointwise.Ratio):
            return self.exponential_of_losses(e.exp * pointwise.LossAt(*e.base.args))
        base, exponent = self.scalar(e.base), self.scalar(e.exp)
        if (self.over_space or self.extended) and base == 0 and mp.im(num(exponent)) == 0 and (
                mp.re(num(exponent)) < 0):
            return mp.inf  # an integrand with values in [0, oo]
        return reals.power(base, exponent)

    def _logarithm(self, e):
        x = self.scalar(e.args[0])
        if (self.over_space or self.extended) and (x == 0 or is_infinite(x)):
            return mp.inf if is_infinite(x) else -mp.inf  # the log ratio of one-sided outcomes
        if x == 0 and e.has(calculus.Node):
            return -mp.inf  # a notion that vanishes
        return reals.log(x)

    def _extreme(self, e):
        values = [self.scalar(a) for a in e.args]
        best = values[0]
        for v in values[1:]:
            try:
                order = compare(v, best)
            except Unclear:
                continue  # equal to working precision: either will do
            if order == (1 if isinstance(e, sp.Max) else -1):
                best = v
        return best

    def _absolute(self, e):
        x = self.scalar(e.args[0])
        if isinstance(x, (Fraction, reals.LogReal)):
            return x if reals.sign(x) >= 0 else reals.neg(x)
        return abs(num(x))

    def _part(self, e):
        x = self.scalar(e.args[0])
        if isinstance(x, (Fraction, reals.LogReal)):
            return Fraction(0) if isinstance(e, sp.im) else x
        if is_infinite(x):
            raise Unclear("a part of an infinite value")
        value = {sp.re: mp.re, sp.im: mp.im, sp.conjugate: mp.conj}[type(e)](num(x))
        if e.args[0].is_Symbol and not isinstance(e, sp.conjugate):
            return Fraction(*reals.ratio(value))  # parameters are drawn as dyadic rationals
        return value

    def _factorial(self, e):
        n = self.scalar(e.args[0])
        if not isinstance(n, Fraction) or n.denominator != 1 or n < 0:
            raise Unclear("the factorial of other than a whole number")
        return Fraction(factorial(int(n)))

    def _special(self, e):
        return {sp.erf: mp.erf, sp.erfc: mp.erfc, sp.gamma: mp.gamma, sp.cos: mp.cos,
                sp.sin: mp.sin, sp.sinh: mp.sinh, sp.cosh: mp.cosh, sp.tanh: mp.tanh}[type(e)](
                    num(self.scalar(e.args[0])))

    def _piecewise(self, e):
        for value, condition in e.args:
            if self.holds(condition):
                return self.scalar(value)
        raise Undefined("no case applies")

    def _applied(self, e):
        return self._function(e).value(self.scalar(e.args[0]))

    def _function(self, e):
        if e.func.__name__ not in self.instance.functions or len(e.args) != 1:
            raise Unclear(f"unknown function {e.func}")
        return self.instance.functions[e.func.__name__]

    def holds(self, relation):
        """Truth of an order relation at exact or well separated values."""
        if relation in (sp.true, sp.false):
            return relation is sp.true
        if isinstance(relation, (sp.And, sp.Or)):
            return (all if isinstance(relation, sp.And) else any)(map(self.holds, relation.args))
        if isinstance(relation, sp.Not):
            return not self.holds(relation.args[0])
        if any(isinstance(a, privacy.Distribution) and b.is_number and b != 0
               for a, b in (relation.args, relation.args[::-1])):
            raise Unclear("a density beside a number depends on the measure it refers to")
        order = compare(self.scalar(relation.lhs), self.scalar(relation.rhs))
        return {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
                "==": order == 0, "!=": order != 0}[relation.rel_op]

    def _impulse_value(self, e):
        if compare(self.scalar(e.args[0]), Fraction(0)) == 0:
            raise Unclear("the value of an impulse at its place")
        return Fraction(0)

    def _indicator(self, e):
        return Fraction(int(self.holds(e.args[0])))

    # notions of privacy -----------------------------------------------------------------------

    def _profile(self, e):
        P, Q = self.instance.oriented(*e.args[:2])
        x = self.scalar(e.args[2])
        if x == mp.inf:
            return sum((p for p, q in zip(P, Q, strict=True) if q == 0), Fraction(0))
        alpha = reals.exp(x)
        if isinstance(alpha, Fraction):
            return finite.hockey_stick(P, Q, alpha)
        if mp.im(alpha):
            raise Undefined("a profile off the real line")
        return sum((max(mp.mpf(0), num(p) - alpha * num(q)) for p, q in zip(P, Q, strict=True)),
                   mp.mpf(0))

    def _losses(self, loss):
        P, Q = self.instance.oriented(*loss.args)
        return [(mp.inf if r == finite.INFINITE else reals.log(r), m)
                for r, m in finite.loss_masses(P, Q).items()]

    def _cdf(self, e):
        loss, x, strict = e.args
        return self._probability_of(loss, "<" if strict == 1 else "<=", x)

    def _probability(self, e):
        return self._probability_of(e.args[0], str(e.args[1]), e.args[2])

    def _probability_of(self, loss, relation, x):
        at, total = self.scalar(x), Fraction(0)
        for z, mass in self._losses(loss):
            order = compare(z, at)
            total += mass if {"<": order < 0, "<=": order <= 0, ">": order > 0,
                              ">=": order >= 0, "==": order == 0}[relation] else 0
        return total

    def _density(self, e):
        at = self.scalar(e.args[1])
        if any(compare(z, at) == 0 for z, _ in self._losses(e.args[0])):
            raise Undefined("the value of a density at an impulse")
        return Fraction(0)

    def _inner(self, e):
        """A mean over the finite losses, divided by their mass."""
        y, before = sp.Dummy("y", real=True), self.bound
        mass, total = Fraction(0), Fraction(0)
        body = e.body(y)
        for z, p in self._losses(e.args[0]):
            if is_infinite(z):
                continue
            self.bound = {**before, y: z}
            try:
                mass, total = add(mass, p), add(total, mul(p, self.scalar(body)))
            finally:
                self.bound = before
        if reals.sign(mass) == 0:
            raise Undefined("no finite loss")
        return mul(total, reals.inverse(mass))

    def _expectation(self, e):
        body, loss = e.args
        total, before = Fraction(0), self.bound
        for z, mass in self._losses(loss):
            self.bound = {**before, loss: z}
            try:
                value = self._exponential_at_infinity(body, loss) if is_infinite(z) else None
                total = add(total, mul(mass, self.scalar(body) if value is None else value))
            except _NoLimit:
                raise
            except Undefined as reason:
                if is_infinite(z):
                    raise Unclear(f"a convention at an infinite loss: {reason}") from None
                raise
            finally:
                self.bound = before
        return total

    def _exponential_at_infinity(self, body, loss):
        """The limit of e^(cZ + d) at Z = oo, c not real; None for other bodies."""
        if not isinstance(body, sp.exp):
            return None
        exponent = sp.expand(body.args[0])
        slope = exponent.coeff(loss, 1)
        if sp.expand(exponent - slope * loss).has(loss):
            return None
        rate = num(self.scalar(slope))
        if not mp.im(rate):
            return None
        if mp.re(rate) < 0:
            return Fraction(0)
        raise _NoLimit(f"e^(({mp.nstr(rate, 5)}) oo)")

    def _moment(self, e):
        P, Q = self.instance.oriented(*e.args[1:])
        return finite.moment(P, Q, self.scalar(e.args[0]), zero_power="unclear")

    def _renyi(self, e):
        order = self.scalar(e.args[0])
        factor = reals.inverse(reals.sub(order, Fraction(1)))
        moment = self._moment(e)
        if moment == 0 and mp.im(num(order)) == 0:
            return mul(factor, -mp.inf)  # disjoint supports
        return mul(factor, reals.log(moment))

    # transforms -------------------------------------------------------------------------------

    def _transform(self, e):
        g, t, s = e.args
        return self.signal(g, t).transform(self.scalar(s), _lower(e))

    def converges(self, e):
        g, t, s = e.args
        return self.signal(g, t).converges(self.scalar(s), _lower(e))

    def _integral(self, e):
        g, t, lower, upper = e.args
        return self.signal(g, t).integral(self.scalar(lower), self.scalar(upper))

    def _impulse(self, e):
        g, t, c = e.args
        at = self.scalar(c)
        parts = [m for x, m in self.signal(g, t).impulses.items() if compare(x, at) == 0]
        return parts[0].get(0, Fraction(0)) if parts else Fraction(0)

    def _limit(self, e):
        g, t, point, side = e.args
        if isinstance(g, privacy.RenyiDivergence) or g.has(sp.log):
            return self._close_to(g, t, self.scalar(point), str(side)[1:])
        signal, at = self.signal(g, t), self.scalar(point)
        if str(side) == "_" and not is_infinite(at):
            left, right = signal.limit(at, -1), signal.limit(at, 1)
            if compare(left, right) != 0:
                raise Undefined("two one-sided limits")
            return left
        return signal.limit(at, -1 if str(side) == "_-" else 1)

    def _close_to(self, g, t, at, side):
        """The value 10^-45 away from a finite point, on each side that is asked for."""
        before, found = self.bound, []
        with mp.workdps(_CLOSE):
            try:
                for sign in (-1, 1):
                    if side != "+-"[(sign + 1) // 2]:
                        self.bound = {**before, t: num(at) + sign * mp.mpf(10) ** -45}
                        found.append(num(self.scalar(g)))
            finally:
                self.bound = before
        # 1/n grows without end where the mean tends to another number than 1
        found = [mp.sign(x) * mp.inf if abs(x) > mp.mpf(10) ** 30 else x for x in found]
        if any(is_infinite(x) for x in found):
            if found[0] != found[-1]:
                raise Undefined("two one-sided limits")
            return found[0]
        if abs(found[0] - found[-1]) > mp.mpf(10) ** -35 * (1 + abs(found[0])):
            raise Undefined("two one-sided limits")
        return found[0]

    def _bromwich(self, e):
        G, s, x, gamma = e.args
        at, line = self.scalar(x), self.scalar(gamma)
        return inversion.invert(self.element(G, s, line), at, line)

    def _function_of(self, e):
        t = e.args[2 if isinstance(e, calculus.Convolution) else 1]
        return self.signal(e, t).value(self.scalar(t))


def _lower(transform):
    return Fraction(0) if isinstance(transform, calculus.OneSided) else -mp.inf


_SCALARS = {
    sp.Rational: Walker._rational,
    (sp.NumberSymbol, sp.core.numbers.ImaginaryUnit, sp.core.numbers.Infinity,
     sp.core.numbers.NegativeInfinity): Walker._constant,
    sp.Add: Walker._sum, sp.Mul: Walker._product, sp.Pow: Walker._power,
    sp.exp: Walker._exp,
    sp.log: Walker._logarithm,
    (sp.Max, sp.Min): Walker._extreme, sp.Abs: Walker._absolute,
    (sp.re, sp.im, sp.conjugate): Walker._part,
    (sp.erf, sp.erfc, sp.gamma, sp.cos, sp.sin, sp.sinh, sp.cosh, sp.tanh): Walker._special,
    sp.factorial: Walker._factorial, sp.Piecewise: Walker._piecewise, AppliedUndef: Walker._applied,
    sp.DiracDelta: Walker._impulse_value, calculus.Indicator: Walker._indicator,
    (calculus.OneSided, calculus.Bilateral): Walker._transform,
    calculus.IntegralOnLine: Walker._integral, calculus.Impulse: Walker._impulse,
    calculus.Limit: Walker._limit, calculus.Bromwich: Walker._bromwich,
    calculus.SymmetricIntegral: Frequencies.symmetric,
    (calculus.GeneralizedDerivative, calculus.Convolution, calculus.Primitive):
        Walker._function_of,
    privacy.Profile: Walker._profile, privacy.LossCDF: Walker._cdf,
    privacy.LossDensity: Walker._density, privacy.Probability: Walker._probability,
    (inner_loss.InnerMean, inner_loss.InnerVariance, inner_loss.InnerMoment): Walker._inner,
    privacy.Expectation: Walker._expectation, privacy.Moment: Walker._moment,
    privacy.RenyiDivergence: Walker._renyi, privacy.SupOverEvents: Walker._supremum,
    privacy.Measure: Walker._measure, privacy.IntegralOverSpace: Walker._over_space,
    sequences.Term: lambda w, e: w.instance.composing.element(e.args[0], w.scalar(e.args[1])),
    sequences.Recursive: compositions.recursive,
    sequences.BinomialMean: compositions.binomial_mean,
    sequences.FiniteSum: compositions.finite_sum,
    privacy.SupOverOutcomes: compositions.supremum,
    pointwise.LossAt: Walker._loss_at, pointwise.Ratio: Walker._ratio,
    **levels.SCALARS,
}
