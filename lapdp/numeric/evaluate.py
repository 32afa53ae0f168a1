"""Values of statement expressions at one instance, by the defining sums and integrals.

An :class:`Evaluator` turns a SymPy tree into closures over an environment (values of symbols).
Nodes that integrate first collect breakpoints and impulses of what they integrate
(:mod:`lapdp.numeric.structure`), so that no quadrature runs across a kink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp
from mpmath import mp
from sympy.core.function import AppliedUndef

from lapdp.calculus import nodes as calculus
from lapdp.core.errors import Undefined
from lapdp.numeric import elementary, extrema, notions, operators
from lapdp.numeric.elementary import Closure, Env, real
from lapdp.numeric.generalized import PiecewiseCallable
from lapdp.numeric.impulses import Impulses
from lapdp.numeric.instances import Instance
from lapdp.numeric.models import Models, spoken_of
from lapdp.numeric.pairs import Pair
from lapdp.numeric.structure import Structure
from lapdp.numeric.tails import Number
from lapdp.numeric.work import Work
from lapdp.privacy import nodes as privacy

_ANOTHER = 12
"""What another evaluator counts, in evaluations: trees are compiled anew."""


class Evaluator:
    """Evaluates expressions at one :class:`lapdp.numeric.instances.Instance`.

    >>> from lapdp.numeric.instances import Instance
    >>> t, s = sp.symbols("t s")
    >>> with mp.workdps(30):
    ...     ev = Evaluator(Instance({s: mp.mpf(3)}, 20))
    ...     mp.nstr(ev.value(calculus.L(sp.exp(-t), t, s)), 15)
    '0.25'
    """

    def __init__(self, instance: Instance, work: Work | None = None) -> None:
        self.instance, self.work = instance, work or Work()
        self.digits = instance.digits
        self.models = Models(self)
        self.structure = Structure(self)
        self.impulses = Impulses(self, self.structure)
        self._closures: dict[Any, Closure] = {}
        self._functions: dict[Any, PiecewiseCallable] = {}

    # -- public ---------------------------------------------------------------------------------

    def value(self, expr: Any, env: Env | None = None) -> Number:
        """The value of ``expr``; raises Undefined (no value) or Unsupported (cannot tell)."""
        return self.regular(expr)(dict(self.instance.values) if env is None else env)

    def function(self, expr: Any, t: Any, env: Env | None = None) -> PiecewiseCallable:
        """``expr`` as a generalised function of the symbol ``t``, other symbols from ``env``."""
        env = dict(self.instance.values) if env is None else env
        fixed = tuple((x, env[x]) for x in self._free(expr) if x in env and x != t)
        key = (expr, t, fixed, mp.prec)
        if key not in self._functions:
            if len(self._functions) > 512:
                self._functions.clear()
            local = dict(fixed)
            own = operators.OWN_VARIABLE.get(type(expr))
            if own is not None and expr.args[own] == t:
                made = operators.own_function(self, expr, local)
            else:
                closure = self.regular(expr)
                made = PiecewiseCallable(
                    self.at(closure, t, local),
                    self.structure.breaks(expr, t, local),
                    self.impulses.of(expr, t, local),
                    exact=not (expr.has(*_COSTLY) or any(
                        p.parts for p in self.instance.pairs.values())),
                )
            self._functions[key] = made
        return self._functions[key]

    def pair(self, first: Any, second: Any, env: Env | None = None) -> Pair:
        """The numeric pair of two distributions, in that order, its letters from ``env``."""
        return self.models.pair(first, second, self.instance.values if env is None else env)

    def at_values(self, values: Env) -> Evaluator:
        """An evaluator of the same instance with some values added or changed."""
        self.tick(_ANOTHER)
        return Evaluator(replace(self.instance, values={**self.instance.values, **values}),
                         self.work)

    def tick(self, cost: float = 1) -> None:
        """Count the work done; it stops when what was allowed is spent."""
        self.work.spend(cost)

    # -- closures -------------------------------------------------------------------------------

    def regular(self, expr: Any) -> Closure:
        """The closure of the regular part of ``expr`` (impulses left out)."""
        if expr not in self._closures:
            self._closures[expr] = self._compile(expr)
        return self._closures[expr]

    def at(self, closure: Closure, t: Any, local: Env) -> Callable[[Any], Any]:
        def value(x: Number) -> Number:
            self.tick()
            inner = dict(local)
            inner[t] = x
            return closure(inner)

        return value

    def _free(self, expr: Any) -> list[Any]:
        key = ("free", expr)
        if key not in self._closures:
            free = sorted(expr.free_symbols | expr.atoms(privacy.Loss) | {
                s for which in spoken_of(expr) for s in self.models.letters(which)}, key=str)
            self._closures[key] = lambda env: free
        return self._closures[key]({})  # type: ignore[no-any-return]

    def _compile(self, expr: Any) -> Closure:
        number = elementary.constant(expr)
        if number is not None:
            return number
        if isinstance(expr, (sp.Symbol, privacy.Loss)):
            return lambda env: elementary.lookup(env, expr)
        for kind, build in _BUILDERS.items():
            if isinstance(expr, kind):
                return build(self, expr)
        return elementary.call(expr, [self.regular(a) for a in expr.args])

    def _sum(self, expr: Any) -> Closure:
        return elementary.add([self.regular(a) for a in expr.args])

    def _product(self, expr: Any) -> Closure:
        return elementary.multiply([self.regular(a) for a in expr.args])

    def _power(self, expr: Any) -> Closure:
        density = bool(expr.base.atoms(privacy.Distribution)) and expr.base.is_nonnegative
        base = self.regular(expr.base) if expr.exp.is_integer else self._below(expr.base)
        return elementary.power(base, self.regular(expr.exp), bool(density))

    def _log(self, expr: Any) -> Closure:
        return elementary.call(expr, [self._below(a) for a in expr.args])

    def _below(self, expr: Any) -> Closure:
        """What stands below a root or a logarithm."""
        if not expr.is_Add:
            return self.regular(expr)
        return elementary.without_noise(self.regular(expr), [self.regular(a) for a in expr.args])

    def _piecewise(self, expr: Any) -> Closure:
        cases = [(self.regular(e), elementary.condition(c, self.regular)) for e, c in expr.args]

        def evaluate(env: Env) -> Number:
            for value, holds in cases:
                if holds(env):
                    return value(env)
            raise Undefined("no case of a piecewise expression applies")

        return evaluate

    def _indicator(self, expr: Any) -> Closure:
        holds = elementary.condition(expr.args[0], self.regular)
        return lambda env: mp.mpf(1 if holds(env) else 0)

    def _impulse_function(self, expr: Any) -> Closure:
        return lambda env: mp.mpf(0)

    def _unknown(self, expr: Any) -> Closure:
        arg = self.regular(expr.args[0])
        g = self.instance.functions[expr.func.__name__]
        return lambda env: g(real(arg(env), "an arbitrary function"))


_COSTLY = (calculus.OneSided, calculus.Bilateral, calculus.IntegralOnLine, calculus.Bromwich,
           calculus.SymmetricIntegral, calculus.Convolution, calculus.Primitive)
"""Nodes whose every value is an integral."""

_BUILDERS: dict[Any, Callable[[Evaluator, Any], Closure]] = {
    sp.Add: Evaluator._sum,
    sp.Mul: Evaluator._product,
    sp.Pow: Evaluator._power,
    sp.log: Evaluator._log,
    sp.Piecewise: Evaluator._piecewise,
    sp.DiracDelta: Evaluator._impulse_function,
    AppliedUndef: Evaluator._unknown,
    calculus.Indicator: Evaluator._indicator,
    **operators.BUILDERS,
    **notions.BUILDERS,
    **extrema.BUILDERS,
}
