"""Elementary and special SymPy functions as mpmath callables; undefined values are errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.tails import Number
from lapdp.privacy import nodes as pn

Env = dict[Any, Any]
"""Values of symbols, loss variables, events and densities."""

Closure = Callable[[Env], Any]


def checked(value: Number) -> Number:
    """``value``, refused when it is not a number (oo - oo, 0 * oo)."""
    if mp.isnan(value):
        raise Undefined("an indeterminate form such as oo - oo or 0 * oo")
    return value


def lookup(env: Env, symbol: Any) -> Any:
    """The value of a symbol; a symbol without one cannot be evaluated."""
    try:
        return env[symbol]
    except KeyError as error:
        raise Unsupported(f"{symbol} has no value in the numeric column") from error


def real(value: Number, what: str = "a comparison") -> Number:
    """The real number a value is; complex values are refused."""
    if isinstance(value, mp.mpc):
        if value.imag != 0:
            raise Undefined(f"{what} needs a real number")
        return value.real
    return value


class OpenConvention(Undefined):
    """A value that some fields of mathematics have and others have not: log 0, R_1."""


def _log(x: Number) -> Number:
    if x == 0:
        raise OpenConvention("log of 0")
    return mp.log(x)


def _exp(x: Number) -> Number:
    if isinstance(x, mp.mpc) and mp.isinf(x.real):
        if x.real < 0:
            return mp.mpf(0)
        if x.imag != 0:
            raise Undefined("exp at a complex infinity")
        return mp.inf
    return mp.exp(x)


def _heaviside(x: Number, middle: Number = None) -> Number:
    if real(x) == 0:
        return mp.mpf(1) / 2 if middle is None else middle
    return mp.mpf(1 if real(x) > 0 else 0)


_FUNCTIONS: Mapping[Any, Callable[..., Any]] = {
    sp.exp: _exp, sp.log: _log, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan, sp.cot: mp.cot,
    sp.sec: mp.sec, sp.csc: mp.csc, sp.coth: mp.coth, sp.sech: mp.sech, sp.csch: mp.csch,
    sp.sinh: mp.sinh, sp.cosh: mp.cosh, sp.tanh: mp.tanh, sp.asin: mp.asin,
    sp.acos: mp.acos, sp.atan: mp.atan, sp.asinh: mp.asinh, sp.acosh: mp.acosh, sp.atanh: mp.atanh,
    sp.erf: mp.erf, sp.erfc: mp.erfc,
    sp.gamma: mp.gamma, sp.loggamma: mp.loggamma, sp.factorial: mp.factorial,
    sp.binomial: mp.binomial, sp.lowergamma: lambda a, x: mp.gammainc(a, 0, x),
    sp.uppergamma: mp.gammainc, sp.Ei: mp.ei, sp.E1: mp.e1, sp.expint: mp.expint,
    sp.Si: mp.si, sp.Ci: mp.ci, sp.besselj: mp.besselj, sp.bessely: mp.bessely,
    sp.besseli: mp.besseli, sp.besselk: mp.besselk, sp.re: mp.re, sp.im: mp.im, sp.Abs: abs,
    sp.conjugate: mp.conj, sp.arg: mp.arg, sp.zeta: mp.zeta, sp.polygamma: mp.polygamma,
    sp.sign: mp.sign, sp.Heaviside: _heaviside,
    sp.floor: mp.floor, sp.ceiling: mp.ceil, sp.erfinv: mp.erfinv,
    sp.Max: lambda *a: max(real(x, "Max") for x in a),
    sp.Min: lambda *a: min(real(x, "Min") for x in a),
}

_CONSTANTS: Mapping[Any, Callable[[], Any]] = {
    sp.pi: lambda: +mp.pi, sp.E: lambda: +mp.e, sp.I: lambda: mp.mpc(0, 1), sp.oo: lambda: mp.inf,
    -sp.oo: lambda: -mp.inf, sp.EulerGamma: lambda: +mp.euler, sp.GoldenRatio: lambda: +mp.phi,
}


def constant(expr: Any) -> Closure | None:
    """A closure for a number, re-evaluated when the precision changes; None if it is none."""
    if expr in _CONSTANTS:
        return lambda env: _CONSTANTS[expr]()
    if isinstance(expr, sp.Integer):
        whole = mp.mpf(int(expr))
        return lambda env: whole
    if isinstance(expr, sp.Rational):
        p, q = int(expr.p), int(expr.q)
        return lambda env: mp.mpf(p) / q
    if isinstance(expr, sp.Float):
        return lambda env: mp.mpf(expr._mpf_)
    if expr in (sp.zoo, sp.nan):
        raise Undefined(f"{expr} is no value")
    return None


def call(expr: Any, args: list[Closure]) -> Closure:
    """A closure for a known function of its arguments."""
    try:
        f = _FUNCTIONS[expr.func]
    except KeyError as error:
        word = str(expr).partition("(")[0]
        raise Unsupported(f"the numeric column does not know the function {word}") from error

    def evaluate(env: Env) -> Number:
        given = [a(env) for a in args]
        try:
            return checked(f(*given))
        except (ZeroDivisionError, ValueError) as error:
            raise Undefined(f"{expr.func.__name__} has a pole") from error

    return evaluate


def add(args: list[Closure]) -> Closure:
    """A sum; oo - oo is refused."""
    def evaluate(env: Env) -> Number:
        total = args[0](env)
        for a in args[1:]:
            total = total + a(env)
        return checked(total)

    return evaluate


def multiply(args: list[Closure]) -> Closure:
    """A product; 0 * oo is refused."""
    def evaluate(env: Env) -> Number:
        total = args[0](env)
        for a in args[1:]:
            total = total * a(env)
        return checked(total)

    return evaluate


def without_noise(value: Closure, terms: list[Closure]) -> Closure:
    """A sum below a root or a logarithm: what is negative by rounding alone is 0.

    The root of -1e-46 would be 1e-23 i, which no rounding explains any more.

    >>> with mp.workdps(30):
    ...     tiny = mp.mpf(10) ** -30
    ...     root = without_noise(lambda env: -tiny, [lambda env: mp.mpf(1), lambda env: -1 - tiny])
    ...     root({})
    mpf('0.0')
    """
    def evaluate(env: Env) -> Number:
        found = value(env)
        if isinstance(found, mp.mpc) or not -mp.inf < found < 0:
            return found
        size = max(abs(t(env)) for t in terms)
        return mp.mpf(0) if -found <= size * mp.mpf(10) ** (ROUNDING - mp.dps) else found

    return evaluate


def power(base: Closure, exponent: Closure, nonnegative: bool) -> Closure:
    """A power, principal branch; 0 to a negative power is oo if the base is ``nonnegative``."""
    def evaluate(env: Env) -> Number:
        b, e = base(env), exponent(env)
        if b == 0:
            if e == 0:
                return mp.mpf(1)
            if mp.re(e) > 0:
                return mp.mpf(0)
            if nonnegative and mp.im(e) == 0:
                return mp.inf
            raise Undefined("a division by 0")
        if mp.isinf(b) and not isinstance(b, mp.mpc) and b > 0 and mp.re(e) < 0:
            return mp.mpf(0)
        return checked(mp.power(b, e))

    return evaluate


def condition(expr: Any, compile_: Callable[[Any], Closure]) -> Closure:
    """A closure for a relation or a Boolean combination of relations.

    Means, moments and Renyi divergences in it are finite: at +oo they have no order here.
    """
    if expr in (sp.true, sp.false):
        truth = bool(expr)
        return lambda env: truth
    if isinstance(expr, (sp.And, sp.Or, sp.Not)):
        parts = [condition(a, compile_) for a in expr.args]
        if isinstance(expr, sp.Not):
            return lambda env: not parts[0](env)
        join = all if isinstance(expr, sp.And) else any
        return lambda env: join(p(env) for p in parts)
    lhs, rhs = compile_(expr.lhs), compile_(expr.rhs)
    accepted = ACCEPTED[expr.rel_op]
    if expr.rel_op in ("==", "!="):
        return lambda env: bool(lhs(env) == rhs(env)) is (expr.rel_op == "==")

    whole = expr.has(*_OF_PAIRS) and not any(side in (sp.oo, -sp.oo) for side in expr.args)

    def ordered(env: Env) -> bool:
        x, y = real(lhs(env)), real(rhs(env))
        if whole and (mp.isinf(x) or mp.isinf(y)):
            raise Undefined(f"{expr}: a condition compares finite numbers")
        # what differs by rounding alone is equal; jumps are looked at from a little further off
        return order(x, y, mp.dps - ROUNDING) in accepted

    return ordered


_OF_PAIRS = (pn.Expectation, pn.Moment, pn.RenyiDivergence)
ROUNDING = 5
"""Last digits that rounding may take."""
ACCEPTED: Mapping[str, tuple[int, ...]] = {
    "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0), "==": (0,), "!=": (-1, 1)}
"""By relation: which orders of its sides fulfil it."""


def order(x: Number, y: Number, digits: int | None = None) -> int:
    """Which of two values is larger; those that agree to so many digits, half of them
    where nothing is said, count as equal, since places of atoms are drawn on purpose."""
    if x == y:
        return 0
    if not (mp.isinf(x) or mp.isinf(y)) and (
            abs(x - y) <= mp.mpf(10) ** -(digits or mp.dps // 2) * max(abs(x), abs(y))):
        return 0
    return 1 if x > y else -1
