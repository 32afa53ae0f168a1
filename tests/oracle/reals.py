"""Exact reals for breakpoints, and arithmetic that stays exact as long as it can.

A value is a Fraction, a :class:`LogReal` (irrational: a rational plus a rational combination of
logs of primes) or an mpmath number.  Equality of the first two is structural and never numerical:
logs of primes are linearly independent over Q, and with 1 too (Lindemann).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mpmath import mp

AMBIGUOUS = 25
"""Inexact reals closer than 10^-25 are not ordered: the oracle says that it does not know."""


class Undefined(Exception):
    """An expression has no value: log 0, 1/0, a divergent transform, a jump read in place."""


class Unclear(Exception):
    """The oracle cannot decide: a convention (0^0), an order below the precision, foreign nodes."""


@dataclass(frozen=True)
class LogReal:
    """``rational`` plus the sum of c log p; at least one c is not 0."""

    rational: Fraction
    logs: tuple[tuple[int, Fraction], ...]


def _make(rational, logs):
    kept = tuple(sorted((p, c) for p, c in logs.items() if c))
    return LogReal(rational, kept) if kept else rational


def _factors(n):
    """Prime factorisation of a positive integer."""
    found, p = {}, 2
    while p * p <= n:
        while n % p == 0:
            found[p] = found.get(p, 0) + 1
            n //= p
        p += 1
    if n > 1:
        found[n] = found.get(n, 0) + 1
    return found


def is_exact(x):
    return isinstance(x, (int, Fraction, LogReal))


def is_infinite(x):
    return not is_exact(x) and bool(mp.isinf(x))


def num(x):
    """The value as an mpmath number."""
    if isinstance(x, LogReal):
        return x.rational + sum(c * mp.log(p) for p, c in x.logs)
    return mp.convert(x)


def _parts(x):
    return (x.rational, dict(x.logs)) if isinstance(x, LogReal) else (Fraction(x), {})


def ratio(x):
    """Numerator and denominator of the dyadic rational that an mpf is."""
    sign_, mantissa, exponent, _ = x._mpf_
    mantissa = -int(mantissa) if sign_ else int(mantissa)
    return (mantissa << exponent, 1) if exponent >= 0 else (mantissa, 1 << -exponent)


def add(x, y):
    if is_exact(x) and is_exact(y):
        (a, logs), (b, more) = _parts(x), _parts(y)
        for p, c in more.items():
            logs[p] = logs.get(p, 0) + c
        return _make(a + b, logs)
    x, y = num(x), num(y)
    total = x + y
    if mp.isnan(total):
        raise Undefined("oo - oo")
    size = abs(x) + abs(y)
    if not mp.isinf(total) and total != 0 and abs(total) < size * mp.mpf(10) ** (-mp.dps * 3 // 4):
        return mp.mpf(0)  # rounding residue of terms that cancel; exact terms never come here
    return total


def neg(x):
    return mul(Fraction(-1), x)


def sub(x, y):
    return add(x, neg(y))


def mul(x, y):
    for a, b in ((x, y), (y, x)):
        if isinstance(a, (int, Fraction)):
            if isinstance(b, LogReal):
                return _make(a * b.rational, {p: a * c for p, c in b.logs})
            if isinstance(b, (int, Fraction)):
                return Fraction(a) * b
            if a == 0 and is_infinite(b):
                raise Undefined("0 times oo")
    for a, b in ((x, y), (y, x)):
        if is_infinite(a) and mp.im(num(b)):
            raise Unclear("a complex multiple of oo")
    product = num(x) * num(y)
    if mp.isnan(product):
        raise Undefined("a product with an undefined or infinite factor")
    return product


def inverse(x):
    if isinstance(x, (int, Fraction)):
        if x == 0:
            raise Undefined("division by 0")
        return 1 / Fraction(x)
    if num(x) == 0:
        raise Undefined("division by 0")
    return 1 / num(x)


def exp(x):
    if isinstance(x, (int, Fraction)) and x == 0:
        return Fraction(1)
    if isinstance(x, LogReal) and x.rational == 0 and all(c.denominator == 1 for _, c in x.logs):
        value = Fraction(1)
        for p, c in x.logs:
            value *= Fraction(p) ** int(c)
        return value
    if x == -mp.inf:
        return Fraction(0)
    if is_infinite(x) and x != mp.inf:
        raise Undefined("exp of a complex infinity")
    return mp.exp(num(x))


def log(x):
    if isinstance(x, (int, Fraction)):
        if x == 0:
            raise Undefined("log 0")
        if x > 0:
            x = Fraction(x)
            logs = {p: Fraction(k) for p, k in _factors(x.numerator).items()}
            for p, k in _factors(x.denominator).items():
                logs[p] = logs.get(p, 0) - k
            return _make(Fraction(0), logs)
    if num(x) == 0:
        raise Undefined("log 0")
    return mp.log(num(x))


def power(x, y):
    """x^y: 0^y is 0 for Re y > 0, undefined for Re y < 0, and a convention at Re y = 0."""
    if isinstance(y, (int, Fraction)) and Fraction(y).denominator == 1 and not is_infinite(x):
        n = int(y)
        if x == 0 and n == 0:
            raise Unclear("0^0")
        base = inverse(x) if n < 0 else x
        value = Fraction(1)
        for _ in range(abs(n)):
            value = mul(value, base)
        return value
    if x == 0:
        re = mp.re(num(y))
        if re == 0:
            raise Unclear("0 to a power with real part 0")
        if re < 0:
            raise Undefined("0 to a power with negative real part")
        return Fraction(0)
    if is_infinite(x):
        if x != mp.inf or mp.im(num(y)) != 0:
            raise Undefined("a complex power of oo")
        if num(y) == 0:
            raise Unclear("oo^0")
        return mp.inf if num(y) > 0 else Fraction(0)
    if is_infinite(y):
        raise Unclear("an infinite exponent")
    return exp(mul(y, log(x)))


def sign(x):
    """-1, 0 or 1 of a real; Unclear when the precision does not tell, Undefined off the line."""
    if isinstance(x, (int, Fraction)):
        return (x > 0) - (x < 0)
    value = num(x)
    if mp.im(value) != 0:
        if abs(mp.im(value)) < mp.mpf(10) ** -AMBIGUOUS:
            raise Unclear("real or not?")
        raise Undefined("an order of complex numbers")
    value = mp.re(value)
    if isinstance(x, LogReal):
        digits = mp.dps
        while abs(value) < mp.mpf(10) ** (10 - digits):
            digits *= 2
            with mp.workdps(digits):
                value = num(x)
        return 1 if value > 0 else -1
    if abs(value) < mp.mpf(10) ** -max(AMBIGUOUS, 5 * mp.dps // 12) and value != 0:
        raise Unclear("a sign below the precision")
    return int(mp.sign(value))


def compare(x, y):
    """sign of x - y, with infinities."""
    if is_infinite(x) or is_infinite(y):
        a, b = num(x), num(y)
        return 0 if a == b else (1 if mp.re(a) > mp.re(b) else -1)
    return sign(sub(x, y))
