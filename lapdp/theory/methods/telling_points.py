"""Points at which a false relation between numbers gives itself away.

Along one real symbol, the others fixed, a relation between piecewise smooth sides can change its
truth only at the borders of its hypotheses, where a maximum, an absolute value or a root has its
kink, where the sides meet, and where they come closest.  Points drawn at random meet none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb
from mpmath import mp
from sympy.core.function import Application
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

from lapdp.balls import enclosure
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.theory.methods.instances import in_domain

_GRID = sorted({sign * m * sp.Integer(10) ** k for k in range(-9, 13) for m in (1, 2, 5)
                for sign in (1, -1)} | {sp.S.Zero} | {
                    sign * sp.Integer(10) ** k for k in (-50, 50) for sign in (1, -1)})
WAVES = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc)
_TURNS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 4 * 10**15 + 1, 4 * 10**15 - 1)
_FAR = (sp.Integer(10) ** 20, sp.Integer(10) ** 100)
_GROWING = (sp.gamma, sp.loggamma, sp.factorial, sp.binomial)
"""Functions, beside powers with a letter in the exponent, of which far values are too long."""
_TOWERS = (*(sp.exp(m * 10 ** k) for k in range(3) for m in (1, 2, 5)), sp.exp(400))
"""Where a logarithm is a number of any size."""
_HIGH = (sp.exp(sp.exp(9)), sp.exp(sp.exp(14)), sp.exp(sp.exp(20)))
_BY_DIGITS = (sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.Abs, sp.Max, sp.Min, sp.sign)
"""SymPy computes all digits of what these functions make of the highest towers."""
_STEPS = tuple(sp.Rational(1, 10 ** k) for k in (1, 3, 6, 12, 30))
_DIGITS = 30
_CLOSEST = 4
_SECTION = 1 - sp.Rational("0.61803398874989484820458683436564")
_SECTIONS = 140


def marks(claim: Any, where: Sequence[Any], s: Any, base: Mapping[Any, Any]) -> list[Any]:
    """Exact values of s: ends of its range, borders of hypotheses, kinks; midpoints; near them.

    >>> x = sp.Symbol("x", real=True)
    >>> sp.Rational(-1, 200) in marks(sp.Eq(sp.Abs(x), x), [x > sp.Rational(-1, 100)], x, {})
    True
    """
    others = {k: v for k, v in base.items() if k != s}
    exact = corners(claim, where, s, others)
    between = [(a + b) / 2 for a, b in pairwise(exact)]
    near = [v + sign * step * (abs(v) or 1) for v in exact for step in _STEPS for sign in (1, -1)]
    return list(dict.fromkeys(exact + between + near + waves(claim, s, others) + _far(claim, s)))


def corners(claim: Any, where: Sequence[Any], s: Any, others: Mapping[Any, Any]) -> list[Any]:
    """Where hypotheses end, kinks are, and arguments, bases and denominators vanish; 0; numbers.

    >>> x = sp.Symbol("x", real=True)
    >>> corners(sp.Le(sp.exp(-(x - 7)**2), x), [], x, {})
    [0, 7]
    """
    gaps = [gap for c in where if isinstance(c, Relational) for gap in _signed(c.lhs - c.rhs)]
    inner = sorted(claim.atoms(Relational) - {claim}, key=sp.default_sort_key)
    gaps += [s - v for c in (claim, *inner) for v in _meeting(c, s, others)]
    for e in sorted(claim.atoms(Application, sp.Pow), key=sp.default_sort_key):
        if isinstance(e, (sp.Max, sp.Min)):
            gaps += [a - b for a, b in pairwise(e.args)]
        elif isinstance(e, sp.Piecewise):
            gaps += [c.lhs - c.rhs for c in e.atoms(Relational)]
        elif not isinstance(e, BooleanFunction):
            gaps += [*e.args[:1], *(sp.Add(*sp.Add.make_args(e.args[0])[1:]),) * e.args[0].is_Add]
    found = {sp.S.Zero}
    for gap in dict.fromkeys(gaps):
        here = sp.expand(gap.xreplace(others))
        if here.free_symbols == {s} and here.is_polynomial(s):
            # a cubic gives away where it turns
            here = here.diff(s) if sp.degree(here, s) == 3 else here
            if sp.degree(here, s) <= 2:
                found |= {r for r in sp.roots(here, s) if r.is_real}
    return sorted(found, key=lambda v: (float(v), sp.default_sort_key(v)))


def _signed(gap: Any) -> list[Any]:
    """A gap with each absolute value as its argument, and as the negative of it."""
    moduli = gap.atoms(sp.Abs)
    return [gap.xreplace({e: sign * e.args[0] for e in moduli})
            for sign in ((1, -1) if moduli else (1,))]


def _meeting(claim: Any, s: Any, others: Mapping[Any, Any]) -> list[Any]:
    """Where a side that holds s once equals the other side, by inverse functions."""
    a, b = (side.xreplace(others) for side in claim.args)
    found = [_inverse(e, value, s) for e, value in ((a, b), (b, a)) if not value.free_symbols]
    return [v for v in found if v is not None and v.is_real]


def _inverse(e: Any, value: Any, s: Any) -> Any:
    """A number at which e is ``value``; None where none is seen."""
    inside = [a for a in e.args if a.free_symbols]
    if e == s or len(inside) != 1:
        return value if e == s else None
    rest = [a for a in e.args if not a.free_symbols]
    if e.is_Add or e.is_Mul:
        inner = value - sp.Add(*rest) if e.is_Add else value / sp.Mul(*rest)
    elif isinstance(e, sp.log):
        inner = sp.exp(value)
    elif isinstance(e, sp.exp) and value.is_positive:
        inner = sp.log(value)
    elif isinstance(e, (sp.sin, sp.cos)) and (1 - value**2).is_nonnegative:
        inner = sp.asin(value) if isinstance(e, sp.sin) else sp.acos(value)
    elif e.is_Pow and e.exp.is_Rational and value.is_positive:
        inner = value ** (1 / e.exp)
    else:
        return None
    return _inverse(inside[0], inner, s)


def waves(claim: Any, s: Any, others: Mapping[Any, Any]) -> list[Any]:
    """Where sines and cosines are -1, 0 or 1: arguments that are linear in s, at multiples of pi/2.
    There their quotients have their poles.

    >>> x = sp.Symbol("x", real=True)
    >>> waves(sp.Lt(sp.sin(2*x), 1), x, {})[:3]
    [0, pi/4, -pi/4]
    """
    found: dict[Any, None] = {}
    for e in sorted(claim.atoms(*WAVES), key=sp.default_sort_key):
        argument = e.args[0].xreplace(others)
        slope = sp.diff(argument, s)
        if argument.free_symbols == {s} and slope.is_number and slope != 0:
            start = argument.xreplace({s: sp.S.Zero})
            for k in _TURNS:
                found[(k * sp.pi / 2 - start) / slope] = None
    return list(found)


def _far(claim: Any, s: Any) -> list[Any]:
    """Far out and near 0; where logarithms of logarithms grow at last, where powers do."""
    growing = any(e.args[-1].has(s) for e in claim.atoms(sp.Pow, *_GROWING))
    if s.is_integer:
        return [sp.Integer(10) ** k for k in ((1, 2, 3) if growing else (1, 2, 3, 6))]
    if growing:
        return []
    towers = _TOWERS if claim.atoms(sp.log) else ()
    far = (*_FAR, *towers, *(_HIGH if towers and not claim.atoms(*_BY_DIGITS) else ()))
    return [v for e in far for v in (e, -e, 1 / e)]


def closest(claim: Any, where: Sequence[Any], s: Any, base: Mapping[Any, Any]
            ) -> Iterator[tuple[Any, bool]]:
    """Where the sides come closest along s: values, each with "a decimal at which they meet".

    They meet where the gap is 20 digits smaller than on both sides of the value.

    A value that looks like a number of the field (a rational, a root of one, a multiple of pi, a
    logarithm or an exponential of a rational) is given exactly as well, since only there can a
    strict relation be seen to fail.

    >>> x = sp.Symbol("x", real=True)
    >>> sp.sqrt(2) in [v for v, meet in closest(sp.Ne(x**2, 2), [], x, {}) if not meet]
    True
    """
    others = {k: v for k, v in base.items() if k != s}
    gap = (claim.lhs - claim.rhs).xreplace(others)
    if gap.free_symbols != {s}:
        return
    grid = []
    for v in _GRID:
        value = _value(gap, s, v) if in_domain({**others, s: v}, where) else None
        if value is not None:
            grid.append((v, value))
    found = []
    for (a, left), (c, middle), (b, right) in zip(grid, grid[1:], grid[2:], strict=False):
        if abs(middle) <= min(abs(left), abs(right)):
            found.append((abs(middle), min(abs(left), abs(right)), _nearest(gap, s, a, c, b)))
    for (a, left), (b, right) in pairwise(grid):
        if left * right < 0:
            least = min(abs(left), abs(right))
            found.append((least, least, _crossing(gap, s, a, b, left)))
    small = sorted(found, key=lambda one: one[0])[:_CLOSEST]
    near = sorted(found, key=lambda one: abs(one[2]))[:_CLOSEST]
    for v, beside in {v: beside for _, beside, v in near + small}.items():
        if s.is_integer:
            yield from ((sp.Integer(n), False) for n in (sp.floor(v), sp.ceiling(v)))
            continue
        yield from ((known, False) for known in known_numbers(v))
        value = _value(gap, s, v)
        yield v, value is not None and abs(value) < beside * arb("1e-20")


def _value(gap: Any, s: Any, v: Any) -> Any:
    """The gap at v, or None where it has no real value."""
    try:
        ball = enclosure(gap, {s: v}, _DIGITS)
    except (Undefined, Unsupported, InputError):
        return None
    if not ball.is_finite() or not ball.imag.contains(0):
        return None
    return ball.real.mid()


def _nearest(gap: Any, s: Any, a: Any, c: Any, b: Any) -> Any:
    """The least absolute gap between a and b by golden sections, each of which looks at one place
    more; c where it has no value."""
    low, high = a, b
    left, right = _short(low + _SECTION * (high - low)), _short(high - _SECTION * (high - low))
    at_left, at_right = (_value(gap, s, v) for v in (left, right))
    for _ in range(_SECTIONS):
        if at_left is None or at_right is None:
            return c
        if high - low < sp.Rational(1, 10 ** 24) or not left < right:
            break
        if abs(at_left) < abs(at_right):
            high, right, at_right = right, left, at_left
            left = _short(low + _SECTION * (high - low))
            at_left = _value(gap, s, left)
        else:
            low, left, at_left = left, right, at_right
            right = _short(high - _SECTION * (high - low))
            at_right = _value(gap, s, right)
    return _short((low + high) / 2)


def _crossing(gap: Any, s: Any, a: Any, b: Any, left: Any) -> Any:
    """A change of sign between a and b by bisection."""
    for _ in range(110):
        middle = _short((a + b) / 2)
        value = _value(gap, s, middle)
        if value is None:
            break
        a, b = (middle, b) if value * left > 0 else (a, middle)
    return _short((a + b) / 2)


def _short(v: Any) -> Any:
    """A decimal with 32 places near v."""
    # whole numbers: SymPy takes milliseconds to round a fraction
    return sp.Rational((2 * v.p * 10 ** 32 + v.q) // (2 * v.q), 10 ** 32)


def known_numbers(v: Any) -> list[Any]:
    """Exact numbers that agree with v to 10 digits."""
    with mp.workdps(40):
        x = mp.mpf(v.p) / v.q
        forms = [(x, lambda r: r), (x * abs(x), lambda r: sp.sign(r) * sp.sqrt(abs(r))),
                 (x / mp.pi, lambda r: r * sp.pi), (mp.exp(x) if abs(x) < 50 else x, sp.log),
                 (mp.log(x) if x > 0 else x, sp.exp)]
        found = []
        for number, back in forms:
            r = sp.Rational(str(mp.nstr(number, 30))).limit_denominator(1000)
            if r and abs(mp.mpf(r.p) / r.q - number) < mp.mpf(10) ** -10 * max(1, abs(number)):
                known = back(r)
                if known.is_real and abs(mp.mpf(sp.N(known, 30)) - x) < mp.mpf(10) ** -9 * max(
                        1, abs(x)) and known not in found:
                    found.append(known)
        if abs(x) < mp.mpf(10) ** -10:
            found.append(sp.S.Zero)
        return found


__all__ = ["WAVES", "closest", "corners", "known_numbers", "marks", "waves"]
