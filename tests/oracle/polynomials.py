"""Exponential polynomials: sums of c t^n e^(a t), the pieces that signals are made of.

A polynomial is a dict {(n, a): c} with exact or mpmath a and c; zero coefficients are dropped.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from mpmath import mp

from tests.oracle.reals import Undefined, add, exp, inverse, is_exact, mul, num, power


def _key(n, a):
    if not is_exact(a) and mp.im(a) == 0:
        a = mp.re(a)
    return (n, a)


def collect(items):
    total = {}
    for (n, a), c in items:
        key = _key(n, a)
        total[key] = add(total[key], c) if key in total else c
    return {key: c for key, c in total.items() if c != 0}


def constant(c):
    return {(0, Fraction(0)): c} if c != 0 else {}


def exponential(a):
    return {_key(0, a): Fraction(1)}


def poly_add(f, g):
    return collect([*f.items(), *g.items()])


def scale(f, c):
    return collect((key, mul(c, v)) for key, v in f.items())


def poly_mul(f, g):
    return collect(
        ((n + m, add(a, b)), mul(c, d)) for (n, a), c in f.items() for (m, b), d in g.items()
    )


def integer_power(x, n):
    return power(x, Fraction(n)) if n else Fraction(1)


def affine(f, c, d):
    """f(c t + d)."""
    return collect(
        ((k, mul(a, c)),
         mul(mul(v, exp(mul(a, d))),
             mul(Fraction(comb(n, k)), mul(integer_power(c, k), integer_power(d, n - k)))))
        for (n, a), v in f.items()
        for k in range(n + 1)
    )


def derivative(f):
    return collect(
        item
        for (n, a), c in f.items()
        for item in ([((n, a), mul(a, c))] + ([((n - 1, a), mul(Fraction(n), c))] if n else []))
    )


def antiderivative(f):
    """The antiderivative whose terms are elementary: tends to 0 where all terms decay."""
    found = []
    for (n, a), c in f.items():
        if a == 0:
            found.append(((n + 1, Fraction(0)), mul(c, Fraction(1, n + 1))))
            continue
        for k in range(n + 1):
            factor = Fraction((-1) ** k * factorial(n), factorial(n - k))
            found.append(((n - k, a), mul(mul(c, factor), integer_power(inverse(a), k + 1))))
    return collect(found)


def value(f, x):
    total = Fraction(0)
    for (n, a), c in f.items():
        total = add(total, mul(c, mul(integer_power(x, n), exp(mul(a, x)))))
    return total


def tail(f, side):
    """Limit of f at side * oo: a number, +-oo for real f, or Undefined."""
    growing = {}
    limit = Fraction(0)
    for (n, a), c in f.items():
        rate = side * mp.re(num(a))
        if rate > 0 or (rate == 0 and (n or mp.im(num(a)))):
            growing[(n, a)] = (rate, n, c)
        elif rate == 0:
            limit = add(limit, c)
    if not growing:
        return limit
    if any(mp.im(num(a)) or mp.im(num(c)) for (_, a), (_, _, c) in growing.items()):
        raise Undefined("no limit at infinity")
    rate, n, c = max(growing.values(), key=lambda item: item[:2])
    return mp.inf * mp.sign(num(c)) * (side**n)


def integral_to_infinity(f, side):
    """``('finite', antiderivative)`` or ``('oo', sign)`` or ``('none', 0)`` at side * oo."""
    divergent = {(n, a): c for (n, a), c in f.items() if side * mp.re(num(a)) >= 0}
    if not divergent:
        return "finite", antiderivative(f)
    try:
        leading = tail(poly_mul(divergent, {(1, Fraction(0)): Fraction(1)}), side)
    except Undefined:
        return "none", 0
    # leading is the limit of t f(t): infinite, and of the sign of f times that of t
    return "oo", int(mp.sign(leading)) * side

