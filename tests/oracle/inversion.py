"""Inversion integrals of transforms of signals, by residues.

An element stands for a sum of c e^(-b s) (s - p)^(-m), a dict {(b, p, m): c}; m <= 0 is a power of
s (p is 0 then).  The transform of a signal on a line is one; so are sums and products of elements.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

from mpmath import mp

from tests.oracle.polynomials import integer_power
from tests.oracle.reals import (
    Unclear,
    Undefined,
    add,
    compare,
    exp,
    inverse,
    is_infinite,
    mul,
    neg,
    num,
    sub,
)

ZERO, ONE = Fraction(0), Fraction(1)


def collect(items):
    total = {}
    for key, c in items:
        total[key] = add(total[key], c) if key in total else c
    return {key: c for key, c in total.items() if c != 0}


def constant(c):
    return collect([((ZERO, ZERO, 0), c)])


def exponential(c, d):
    """e^(c s + d)."""
    return {(neg(c), ZERO, 0): exp(d)}


def linear(c, d):
    """c s + d."""
    return collect([((ZERO, ZERO, -1), c), ((ZERO, ZERO, 0), d)])


def reciprocal(c, d):
    """1 / (c s + d)."""
    if c == 0:
        return constant(inverse(d))
    return {(ZERO, mul(neg(d), inverse(c)), 1): inverse(c)}


def plus(x, y):
    return collect([*x.items(), *y.items()])


def times(x, y):
    return collect(
        ((add(b, e), pole, order), mul(mul(c, d), share))
        for (b, p, m), c in x.items()
        for (e, q, n), d in y.items()
        for (pole, order), share in _fractions(p, m, q, n)
    )


def _fractions(p, m, q, n):
    """(s - p)^(-m) (s - q)^(-n) in partial fractions."""
    if m <= 0 < n:
        p, m, q, n = q, n, p, m
    if n == 0 or (n <= 0 and m <= 0):
        return [((p if m > 0 else ZERO, m + n), ONE)]
    if n < 0:  # s (s - p)^(-m) = (s - p)^(1 - m) + p (s - p)^(-m)
        rest = _fractions(p, m - 1, ZERO, n + 1) if m > 1 else [((ZERO, n + 1), ONE)]
        return [*rest, *((k, mul(p, c)) for k, c in _fractions(p, m, ZERO, n + 1))]
    if p == q:
        return [((p, m + n), ONE)]
    share = inverse(sub(p, q))
    first = _fractions(p, m, q, n - 1) if n > 1 else [((p, m), ONE)]
    second = _fractions(p, m - 1, q, n) if m > 1 else [((q, n), ONE)]
    return [*((k, mul(share, c)) for k, c in first),
            *((k, mul(neg(share), c)) for k, c in second)]


def substituted(x, c, d):
    """The element at c s + d."""
    total = {}
    for (b, p, m), v in x.items():
        factor = mul(v, exp(neg(mul(b, d))))
        if m > 0:
            pole = mul(sub(p, d), inverse(c))
            part = {(mul(b, c), pole, m): mul(factor, integer_power(inverse(c), m))}
        else:
            part = {
                (mul(b, c), ZERO, -k): mul(factor, mul(Fraction(comb(-m, k)), mul(
                    integer_power(c, k), integer_power(d, -m - k))))
                for k in range(-m + 1)
            }
        total = plus(total, part)
    return total


def transform(signal, at, lower=-mp.inf):
    """The transform of a signal as an element, on the line through ``at``."""
    if not signal.converges(at, lower):
        raise Undefined("a transform that diverges on the line of inversion")
    items = []
    inner = [b for b in signal.breaks if compare(lower, b) < 0]
    pieces = signal.pieces[len(signal.breaks) - len(inner):]
    for (u, v), piece in zip(pairwise([lower, *inner, mp.inf]), pieces, strict=True):
        for (n, a), c in piece.items():
            for t, side in ((u, ONE), (v, -ONE)):
                for k in range(n + 1) if not is_infinite(t) else ():
                    height = mul(mul(c, exp(mul(a, t))), integer_power(t, n - k))
                    ways = Fraction(factorial(n), factorial(n - k))
                    items.append(((t, a, k + 1), mul(mul(side, ways), height)))
    for x, parts in signal.impulses.items():
        if compare(lower, x) < 0:
            items += [((x, ZERO, -m), v) for m, v in parts.items()]
    return collect(items)


def invert(x, at, gamma):
    """Principal value of (1/2 pi i) the integral of e^(s at) x(s) ds on Re s = gamma."""
    total = ZERO
    for (b, p, m), c in x.items():
        y = sub(at, b)
        place = compare(y, ZERO)
        if m <= 0:
            raise Undefined("an inversion integral that does not converge")
        side = compare(gamma, mp.re(num(p)) if mp.im(num(p)) else p)
        if side == 0:
            raise Unclear("a pole on the line of inversion, removable or not")
        if place == 0:
            weight = Fraction(side, 2) if m == 1 else ZERO
        elif place == side:
            weight = mul(mul(Fraction(side, factorial(m - 1)), integer_power(y, m - 1)),
                         exp(mul(p, y)))
        else:
            weight = ZERO
        total = add(total, mul(c, weight))
    return total
