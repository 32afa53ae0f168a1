"""Convolutions and running integrals of signals, piece by piece."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from mpmath import mp

from tests.oracle import polynomials as ep
from tests.oracle.reals import Unclear, Undefined, add, compare, is_infinite, mul, neg, sub
from tests.oracle.signals import Signal, between, sorted_points


def convolve(g, h, lower=-mp.inf):
    """(g * h)(t): integral of g(tau) h(t - tau); ``lower=0``: over (0, t), 0 for t < 0."""
    if not is_infinite(lower):
        g, h = g.restricted(Fraction(0), mp.inf), h.restricted(Fraction(0), mp.inf)
    total = _convolve_functions(g, h)
    for impulses, function in ((g.impulses, h), (h.impulses, g)):
        bare = Signal(function.breaks, function.pieces, function.values)
        for x, parts in impulses.items():
            for m, v in parts.items():
                moved = bare
                for _ in range(m):
                    moved = moved.derivative()
                total = total + moved.compose(Fraction(1), neg(x)).scaled(v)
    for x, parts in g.impulses.items():
        for y, more in h.impulses.items():
            for m, v in parts.items():
                for n, w in more.items():
                    total = total + Signal.impulse(add(x, y), mul(v, w), m + n)
    return total


def _convolve_functions(g, h):
    breaks = sorted_points([add(x, y) for x in g.breaks for y in h.breaks])
    pieces = []
    g_ends = [-mp.inf, *g.breaks, mp.inf]
    h_ends = [-mp.inf, *h.breaks, mp.inf]
    for probe in between(breaks):
        total = {}
        for i, f in enumerate(g.pieces):
            for j, k in enumerate(h.pieces):
                if f and k:
                    part = _overlap(f, k, g_ends[i:i + 2], h_ends[j:j + 2], probe)
                    total = ep.poly_add(total, part)
        pieces.append(total)
    return Signal(breaks, pieces)


def _overlap(f, k, g_range, h_range, probe):
    """Integral of f(tau) k(t - tau) over tau in g_range, t - tau in h_range; t near probe."""
    moving_low = sub(probe, h_range[1]) if not is_infinite(h_range[1]) else -mp.inf
    moving_high = sub(probe, h_range[0]) if not is_infinite(h_range[0]) else mp.inf
    low_moves = compare(moving_low, g_range[0]) > 0
    high_moves = compare(moving_high, g_range[1]) < 0
    low = moving_low if low_moves else g_range[0]
    high = moving_high if high_moves else g_range[1]
    if compare(low, high) >= 0:
        return {}
    # k(t - tau) as polynomial in tau with coefficients in t: group by (t-power, t-exponent)
    by_t = {}
    for (n, a), c in k.items():
        for p in range(n + 1):
            in_tau = {(p, neg(a)): mul(c, Fraction((-1) ** p * comb(n, p)))}
            key = (n - p, a)
            by_t[key] = ep.poly_add(by_t.get(key, {}), in_tau)
    total = {}
    for (n, a), in_tau in by_t.items():
        integrand = ep.poly_mul(f, in_tau)
        primitive = ep.antiderivative(integrand)
        for end, moves, fixed, side in (
            (low, low_moves, h_range[1], -1), (high, high_moves, h_range[0], 1)
        ):
            if is_infinite(end):
                if ep.integral_to_infinity(integrand, side)[0] != "finite":
                    raise Undefined("a divergent convolution")
                continue
            here = (ep.affine(primitive, Fraction(1), neg(fixed)) if moves
                    else ep.constant(ep.value(primitive, end)))
            part = ep.poly_mul(ep.scale(here, Fraction(side)), {(n, a): Fraction(1)})
            total = ep.poly_add(total, part)
    return total


def primitive(signal, lower=-mp.inf):
    """t -> integral over (lower, t], and minus that over (t, lower] below ``lower``.

    So an impulse at ``lower`` is dropped to the right of it, and still shows as a jump there.
    """
    if any(m for parts in signal.impulses.values() for m in parts if m > 0):
        raise Unclear("a running integral of a derivative of an impulse")
    step, zero = Signal.step(Fraction(0), at=Fraction(1)), Fraction(0)
    if is_infinite(lower):
        return convolve(signal, step)
    below = signal.restricted(-mp.inf, lower)
    for x, parts in signal.impulses.items():
        if compare(x, lower) == 0:
            below = below + Signal.impulse(x, parts[0])
    mirrored = convolve(below.compose(Fraction(-1), zero), Signal.step(zero))
    return convolve(signal.restricted(lower, mp.inf), step) - mirrored.compose(Fraction(-1), zero)
