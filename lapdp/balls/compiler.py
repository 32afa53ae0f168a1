"""Compile a SymPy expression to a closure on balls, with realness tracked along the way.

Realness is structural, never numeric: it says that the value is real whenever the moving symbols
are.  Kinks and jumps (Abs, Max, Piecewise, ...) are continued off the real axis only where their
arguments are real in this sense; elsewhere they answer a non-finite ball in analytic mode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq, fmpz

from lapdp.balls import elementary as el
from lapdp.balls import functions as fn
from lapdp.balls.conditions import truth_of
from lapdp.calculus.form import Named
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import InputError, Undefined, Unsupported

_BINARY = 2

Point = Mapping[Any, Any]
Run = Callable[[Point, bool], Any]

_CONSTANTS: dict[Any, Callable[[], Any]] = {
    sp.pi: lambda: acb(arb.pi()), sp.E: lambda: acb(arb.const_e()), sp.I: lambda: acb(0, 1),
    sp.EulerGamma: lambda: acb(arb.const_euler()), sp.Catalan: lambda: acb(arb.const_catalan()),
    sp.GoldenRatio: lambda: acb((1 + arb(5).sqrt()) / 2),
}
_REAL_OPS = (
    sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tan, sp.tanh, sp.sec, sp.sech, sp.cot, sp.csc, sp.coth,
    sp.csch, sp.atan, sp.asinh, sp.erf, sp.erfc, sp.erfi, sp.erf2, sp.erfinv, sp.gamma, sp.Si,
    sp.Shi, sp.fresnels, sp.fresnelc, sp.sinc, sp.exp, sp.factorial,
)
_REAL_IF_POSITIVE = (
    sp.log, sp.besselj, sp.bessely, sp.besseli, sp.besselk, sp.uppergamma, sp.lowergamma,
    sp.expint, sp.loggamma, sp.Ci, sp.Chi,
)
_NONNEGATIVE = (sp.exp, sp.cosh, sp.sech, sp.erfc)


@dataclass(frozen=True)
class Code:
    """A compiled expression: ``run(point, analytic)``; ``moving`` if it depends on the point.

    ``real`` and ``nonneg`` hold for every real point of the domain, by structure.
    """

    run: Run
    moving: bool
    real: bool
    nonneg: bool

    def constant(self) -> Any:
        """The ball of an expression without moving symbols."""
        return self.run({}, False)


def expression(value: Any) -> Any:
    """``value`` as a SymPy object; text is refused, for SymPy would run it."""
    try:
        return sp.sympify(value, strict=True)
    except sp.SympifyError:
        raise InputError(f"{value!r} is no exact number or SymPy expression") from None


def exact_ball(value: Any) -> Any:
    """The ball of an exact number or ball; a float is an :class:`InputError`."""
    if isinstance(value, (acb, arb)):
        return acb(value)
    if isinstance(value, sp.Rational):
        return acb(arb(fmpq(int(value.p), int(value.q))))
    return compile_balls(expression(value), {}).constant()


def compile_balls(expr: Any, known: Mapping[Any, Any], moving: Mapping[Any, bool] | None = None
                  ) -> Code:
    """Compile ``expr`` at the precision of the moment.

    ``known`` maps symbols to ``acb``; ``moving`` maps the others to True if they range over
    non-negative reals only, False if over all reals.  Subexpressions without moving symbols are
    evaluated once.  Raises :class:`Unsupported` (naming the node), :class:`Undefined`,
    :class:`InputError` (a float, a symbol without a value).

    >>> x = sp.Symbol("x")
    >>> compile_balls(x**2 - x**2/2, {x: acb(2)}).constant()
    2.00000000000000
    """
    return _Compiler(known, moving or {}).build(expr)


def _fixed(value: Any) -> Code:
    real = bool(value.imag.is_zero())
    return Code(lambda point, analytic: value, False, real, real and bool(value.real >= 0))


class _Compiler:
    def __init__(self, known: Mapping[Any, Any], moving: Mapping[Any, bool]) -> None:
        self.known, self.moving = known, moving

    def build(self, e: Any) -> Code:
        if isinstance(e, sp.Symbol):
            return self._symbol(e)
        if isinstance(e, Named):
            return _fixed(e.ball())
        if isinstance(e, sp.Integer):
            return _fixed(acb(arb(fmpz(int(e)))))
        if isinstance(e, sp.Rational):
            return _fixed(acb(arb(fmpq(int(e.p), int(e.q)))))
        if isinstance(e, sp.Float):
            raise InputError(f"{e} is a float: write an exact number such as Rational(1, 10)")
        if e in _CONSTANTS:
            return _fixed(_CONSTANTS[e]())
        if e in (sp.oo, -sp.oo, sp.zoo, sp.nan):
            raise Undefined(f"{e} is not a number")
        if isinstance(e, sp.Add):
            return self._fold(e, el.add)
        if isinstance(e, sp.Mul):
            return self._fold(e, el.multiply)
        if isinstance(e, sp.Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, sp.exp):
            return self._power(sp.E, e.args[0])
        if type(e) in _SPECIAL:
            return _SPECIAL[type(e)](self, e)
        if type(e) in fn.OPS and not (isinstance(e, sp.zeta) and len(e.args) > 1):
            return self._function(e)
        raise Unsupported(f"no balls for {type(e).__name__}")

    def _symbol(self, e: Any) -> Code:
        if e in self.known:
            return _fixed(self.known[e])
        if e in self.moving:
            return Code(lambda point, analytic: point[e], True, True, self.moving[e])
        raise InputError(f"the symbol {e} has no value")

    def _apply(self, op: el.Op, parts: list[Code], real: bool, nonneg: bool) -> Code:
        if not any(p.moving for p in parts):
            value = op(False, *(p.constant() for p in parts))
            code = _fixed(value)
            return Code(code.run, False, real or code.real, nonneg or code.nonneg)
        runs = [p.run for p in parts]
        if len(runs) == 1:
            only = runs[0]
            return Code(lambda p, a: op(a, only(p, a)), True, real, nonneg)
        if len(runs) == _BINARY:
            left, right = runs
            return Code(lambda p, a: op(a, left(p, a), right(p, a)), True, real, nonneg)
        return Code(lambda p, a: op(a, *(r(p, a) for r in runs)), True, real, nonneg)

    def _fold(self, e: Any, op: el.Op) -> Code:
        """A sum or product; real and non-negative terms give real and non-negative ones."""
        parts = [self.build(a) for a in e.args]
        fixed = [p for p in parts if not p.moving]
        if len(fixed) > 1:
            head = self._together(op, fixed)
            parts = [head, *(p for p in parts if p.moving)]
        return self._together(op, parts) if len(parts) > 1 else parts[0]

    def _together(self, op: el.Op, parts: list[Code]) -> Code:
        return self._apply(op, parts, all(p.real for p in parts), all(p.nonneg for p in parts))

    def _power(self, base: Any, exponent: Any) -> Code:
        if base == sp.E:
            x = self.build(exponent)
            return self._apply(fn.OPS[sp.exp], [x], x.real, x.real)
        b = self.build(base)
        if isinstance(exponent, sp.Integer):
            n = int(exponent)
            return self._apply(lambda a, z: el.integer_power(a, z, n), [b], b.real,
                               b.nonneg or (b.real and n % 2 == 0))
        if isinstance(exponent, sp.Rational) and exponent.q == 2:
            n, root = int(exponent.p), fn.sqrt_on_reals if b.real else el.sqrt
            return self._apply(lambda a, z: el.integer_power(a, root(a, z), n), [b], b.nonneg,
                               b.nonneg)
        w = self.build(exponent)
        real = b.nonneg and w.real
        op = fn.power_on_reals if b.real and not w.moving else el.power
        return self._apply(op, [b, w], real, real)

    def _function(self, e: Any) -> Code:
        parts = [self.build(a) for a in e.args]
        real = all(p.real for p in parts)
        nonneg = real and isinstance(e, _NONNEGATIVE)
        op = fn.OPS[type(e)]
        if real:
            op = {sp.Ei: fn.ei_on_reals, sp.log: fn.log_on_reals}.get(type(e), op)
        if isinstance(e, _REAL_IF_POSITIVE):
            real = real and parts[-1].nonneg
        elif not isinstance(e, (*_REAL_OPS, sp.Ei)):
            real = False
        return self._apply(op, parts, real, nonneg)

    def _real_op(self, op: el.Op, parts: list[Code], nonneg: bool, what: str) -> Code:
        """A kink or jump: real arguments only."""
        if all(p.real for p in parts):
            return self._apply(op, parts, True, nonneg)
        if any(p.moving for p in parts):
            raise Unsupported(f"{what} of an argument that is not visibly real")

        def decided(analytic: bool, *z: Any) -> Any:
            if not all(x.imag.contains(0) for x in z):
                raise Undefined(f"{what} of a number that is not real")
            return el.NAN

        return self._apply(decided, parts, False, False)

    def _abs(self, e: Any) -> Code:
        x = self.build(e.args[0])
        if x.real:
            return x if x.nonneg else self._apply(el.absolute, [x], True, True)
        return self._apply(lambda a, z: el.NAN if a else acb(abs(z)), [x], True, True)

    def _sign(self, e: Any) -> Code:
        return self._real_op(el.signum, [self.build(e.args[0])], False, "sign")

    def _heaviside(self, e: Any) -> Code:
        parts = [self.build(a) for a in e.args]
        return self._real_op(el.heaviside, parts, True, "Heaviside")

    def _max(self, e: Any) -> Code:
        parts = [self.build(a) for a in e.args]
        return self._real_op(el.maximum, parts, any(p.nonneg for p in parts), "Max")

    def _min(self, e: Any) -> Code:
        parts = [self.build(a) for a in e.args]
        return self._real_op(el.minimum, parts, all(p.nonneg for p in parts), "Min")

    def _re(self, e: Any) -> Code:
        return self._part(e, lambda z: acb(z.real), lambda x: x)

    def _im(self, e: Any) -> Code:
        return self._part(e, lambda z: acb(z.imag), lambda x: _fixed(acb(0)))

    def _conjugate(self, e: Any) -> Code:
        code = self._part(e, lambda z: z.conjugate(), lambda x: x)
        return code if code.moving else _fixed(code.constant())

    def _part(self, e: Any, op: Callable[[Any], Any], if_real: Callable[[Code], Code]) -> Code:
        x = self.build(e.args[0])
        if x.real:
            return if_real(x)
        real = not isinstance(e, sp.conjugate)
        return self._apply(lambda a, z: el.NAN if a else op(z), [x], real, False)

    def _indicator(self, e: Any) -> Code:
        return self._branches([(sp.Integer(1), e.args[0]), (sp.Integer(0), sp.true)])

    def _piecewise(self, e: Any) -> Code:
        return self._branches([(v, c) for v, c in e.args])

    def _branches(self, pairs: list[tuple[Any, Any]]) -> Code:
        branches = [(self._lazy(v), truth_of(c, self.build)) for v, c in pairs]
        symbols = set().union(*(v.free_symbols | c.free_symbols for v, c in pairs))

        def run(point: Point, analytic: bool) -> Any:
            found: list[Any] = []
            for value, truth in branches:
                holds = truth(point, analytic)
                if holds is False:
                    continue
                found.append(value)
                if holds:
                    break
            else:
                found.append(None)
            if len(found) == 1:
                if found[0] is None:
                    raise Undefined("no piece of a Piecewise applies")
                return found[0].run(point, analytic)
            if analytic or None in found:
                return el.NAN
            try:
                balls = [v.run(point, analytic) for v in found]
            except Undefined:
                return el.NAN
            hull = balls[0]
            for ball in balls[1:]:
                hull = hull.union(ball)
            return hull

        moving = any(s in self.moving for s in symbols)
        real = all(v.real for v, _ in branches)
        nonneg = all(v.nonneg for v, _ in branches)
        return Code(run, True, real, nonneg) if moving else _fixed(run({}, False))

    def _lazy(self, e: Any) -> Code:
        """A branch: what is undefined in it matters only where the branch applies."""
        try:
            return self.build(e)
        except Undefined as error:
            message = str(error)

            def fail(point: Point, analytic: bool) -> Any:
                raise Undefined(message)

            return Code(fail, False, True, True)


_SPECIAL: dict[type, Callable[[_Compiler, Any], Code]] = {
    sp.Piecewise: _Compiler._piecewise, Indicator: _Compiler._indicator, sp.Abs: _Compiler._abs,
    sp.sign: _Compiler._sign, sp.Heaviside: _Compiler._heaviside, sp.Max: _Compiler._max,
    sp.Min: _Compiler._min, sp.re: _Compiler._re, sp.im: _Compiler._im,
    sp.conjugate: _Compiler._conjugate,
}
