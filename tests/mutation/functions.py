"""Expressions of the statement language as functions and measures of one real variable."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.calculus import nodes as calculus
from lapdp.privacy import nodes as privacy
from tests.oracle import reals, transforms
from tests.oracle.convolution import convolve, primitive
from tests.oracle.reals import Unclear, Undefined, add, compare, is_infinite, mul, num
from tests.oracle.signals import Signal


class Functions:
    """:meth:`signal`, for a walker that has an ``instance``, ``scalar`` and ``bound``."""

    def signal(self, e, t):
        """``e`` as a function or measure in the real variable ``t``."""
        key = (e, t, tuple(self.bound.items()))
        if key not in self._signals:
            self._signals[key] = self._build(e, t)
        return self._signals[key]

    def _build(self, e, t):
        if t not in e.free_symbols:
            return Signal.constant(self._finite(e))
        if e == t:
            return Signal.variable()
        for kind, method in _SIGNALS.items():
            if isinstance(e, kind):
                return method(self, e, t)
        raise Unclear(f"the oracle has no signal for {type(e).__name__}")

    def _finite(self, e):
        value = self.scalar(e)
        if is_infinite(value):
            raise Undefined("an infinite function")
        return value

    def affine(self, e, t):
        """(c, d) with e = c t + d."""
        if e == t:
            return Fraction(1), Fraction(0)
        if t not in e.free_symbols:
            return Fraction(0), self.scalar(e)
        if isinstance(e, sp.Add):
            parts = [self.affine(a, t) for a in e.args]
            c = d = Fraction(0)
            for a, b in parts:
                c, d = add(c, a), add(d, b)
            return c, d
        if isinstance(e, sp.Mul):
            factor, inner = Fraction(1), None
            for a in e.args:
                if t not in a.free_symbols:
                    factor = mul(factor, self.scalar(a))
                elif inner is None:
                    inner = self.affine(a, t)
                else:
                    raise Unclear("an argument that is not affine")
            return mul(factor, inner[0]), mul(factor, inner[1])
        raise Unclear("an argument that is not affine")

    def _moved(self, signal, argument, t):
        c, d = self.affine(argument, t)
        if c == 0:
            return Signal.constant(signal.value(d))
        if mp.im(num(c)) or mp.im(num(d)):
            raise Undefined("a function of a complex variable")
        return signal.compose(c, d)

    def _signal_sum(self, e, t):
        total = Signal()
        for a in e.args:
            total = total + self.signal(a, t)
        return total

    def _signal_product(self, e, t):
        total = self.signal(e.args[0], t)
        for a in e.args[1:]:
            total = total * self.signal(a, t)
        return total

    def _signal_power(self, e, t):
        if not e.exp.is_Integer or e.exp < 0:
            raise Unclear("a power that is no exponential polynomial")
        total = Signal.constant(Fraction(1))
        for _ in range(int(e.exp)):
            total = total * self.signal(e.base, t)
        return total

    def _signal_exp(self, e, t):
        c, d = self.affine(e.args[0], t)
        return Signal.exponential(c).scaled(reals.exp(d))

    def _signal_profile(self, e, t):
        masses = self.instance.oriented(*e.args[:2])
        return self._moved(transforms.profile_signal(*masses), e.args[2], t)

    def _signal_cdf(self, e, t):
        masses = self.instance.oriented(*e.args[0].args)
        return self._moved(transforms.cdf_signal(*masses, strict=e.args[2] == 1), e.args[1], t)

    def _signal_density(self, e, t):
        masses = self.instance.oriented(*e.args[0].args)
        return self._moved(transforms.density_signal(*masses), e.args[1], t)

    def _signal_probability(self, e, t):
        relation = str(e.args[1])
        if relation == "==":
            raise Unclear("the probability of a point as a function")
        masses = self.instance.oriented(*e.args[0].args)
        below = transforms.cdf_signal(*masses, strict=relation in ("<", ">="))
        whole = Signal.constant(Fraction(1))
        return self._moved(below if relation[0] == "<" else whole - below, e.args[2], t)

    def _signal_impulse(self, e, t):
        order = int(e.args[1]) if len(e.args) > 1 else 0
        return self._moved(Signal.impulse(Fraction(0), Fraction(1), order), e.args[0], t)

    def _signal_applied(self, e, t):
        return self._moved(self._function(e), e.args[0], t)

    def _signal_relation(self, relation, t):
        if relation in (sp.true, sp.false):
            return Signal.constant(Fraction(int(relation is sp.true)))
        if isinstance(relation, sp.And):
            total = Signal.constant(Fraction(1))
            for part in relation.args:
                total = total * self._signal_relation(part, t)
            return total
        if t not in relation.free_symbols:
            return Signal.constant(Fraction(int(self.holds(relation))))
        if not isinstance(relation, Relational):
            raise Unclear("a condition that is no relation")
        difference = relation.lhs - relation.rhs
        if relation.rel_op in ("<", "<="):
            difference = -difference
        if relation.rel_op in ("==", "!="):
            raise Unclear("the indicator of a point")
        at = Fraction(int("=" in relation.rel_op))
        return self._moved(Signal.step(Fraction(0), at), difference, t)

    def _signal_indicator(self, e, t):
        return self._signal_relation(e.args[0], t)

    def _signal_piecewise(self, e, t):
        rest, total = Signal.constant(Fraction(1)), Signal()
        for value, condition in e.args:
            case = rest * self._signal_relation(condition, t)
            total = total + case * self.signal(value, t)
            rest = rest - case
        return total

    def _signal_absolute(self, e, t):
        slopes = [{(1, Fraction(0)): Fraction(c)} for c in (-1, 1)]
        return self._moved(Signal([Fraction(0)], slopes), e.args[0], t)

    def _signal_extreme(self, e, t):
        """Max or Min of two functions whose difference is c + d e^(a t), or c + d t."""
        if len(e.args) > 2:
            raise Unclear("an extreme of three functions")
        f, g = (self.signal(a, t) for a in e.args)
        gap = f - g
        if gap.breaks or gap.impulses:
            raise Unclear("an extreme of functions with breakpoints")
        terms = sorted(gap.pieces[0].items(), key=lambda item: item[0][1] != 0)
        if len(terms) == 2 and terms[0][0] == (0, 0) and terms[1][0][0] == 0:
            (_, c), ((_, a), d) = terms
            ratio = reals.neg(mul(c, reals.inverse(d)))
            at = None
            if compare(ratio, Fraction(0)) > 0:
                at = mul(reals.log(ratio), reals.inverse(a))
        elif set(gap.pieces[0]) <= {(0, Fraction(0)), (1, Fraction(0))} and len(terms) == 2:
            at = reals.neg(mul(gap.pieces[0][0, Fraction(0)],
                               reals.inverse(gap.pieces[0][1, Fraction(0)])))
        elif terms and terms[0][0] == (1, Fraction(0)) and len(terms) == 1:
            at = Fraction(0)
        elif len(terms) <= 1 and all(n == 0 for (n, _), _ in terms):
            at = None
        else:
            raise Unclear("an extreme of such functions")
        probe = Fraction(0) if at is None else add(at, Fraction(1))
        f_wins = compare(gap.value(probe), Fraction(0)) > 0
        if not isinstance(e, sp.Max):
            f_wins = not f_wins
        above = Signal.constant(Fraction(1)) if at is None else Signal.step(at)
        high, low = (f, g) if f_wins else (g, f)
        return high * above + low * (Signal.constant(Fraction(1)) - above)

    def _signal_derivative(self, e, t):
        g, u, n = e.args
        _same_variable(u, t)
        if not n.is_Integer or n < 0:
            raise Unclear("a derivative of such an order")
        signal = self.signal(g, t)
        for _ in range(int(n)):
            signal = signal.derivative()
        return signal

    def _signal_convolution(self, e, t):
        g, h, u, lower = e.args
        _same_variable(u, t)
        return convolve(self.signal(g, t), self.signal(h, t), self.scalar(lower))

    def _signal_mass(self, e, t):
        g, u, c = e.args
        slope, _ = self.affine(c, t)
        if slope == 0 or t in g.free_symbols - {u}:
            raise Unclear("the impulse of a function that changes, or at a fixed point")
        return Signal()  # at almost every point a measure has no mass

    def _signal_primitive(self, e, t):
        g, u, lower = e.args
        _same_variable(u, t)
        return primitive(self.signal(g, t), self.scalar(lower))



def _same_variable(u, t):
    if u != t:
        raise Unclear("a function of another variable")


_SIGNALS = {
    sp.Add: Functions._signal_sum,
    sp.Mul: Functions._signal_product,
    sp.Pow: Functions._signal_power,
    sp.exp: Functions._signal_exp,
    sp.Piecewise: Functions._signal_piecewise,
    sp.Abs: Functions._signal_absolute,
    (sp.Max, sp.Min): Functions._signal_extreme,
    AppliedUndef: Functions._signal_applied,
    sp.DiracDelta: Functions._signal_impulse,
    calculus.Indicator: Functions._signal_indicator,
    calculus.GeneralizedDerivative: Functions._signal_derivative,
    calculus.Convolution: Functions._signal_convolution,
    calculus.Primitive: Functions._signal_primitive,
    calculus.Impulse: Functions._signal_mass,
    privacy.Profile: Functions._signal_profile,
    privacy.LossCDF: Functions._signal_cdf,
    privacy.LossDensity: Functions._signal_density,
    privacy.Probability: Functions._signal_probability,
    (privacy.Measure, privacy.IntegralOverSpace): lambda w, e, t: w.signal_over_space(e, t),
}
