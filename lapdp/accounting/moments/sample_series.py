"""Moments of a sample in the direction "add" as power series in their order.

For (P, (1 - r) P + r Q), v = 1 - r, with a normal loss l = sqrt(2 kappa) n - kappa of (P, Q) and
the loss L = -log(v + r e^-l),

    E[e^(q L + x (L - m))] = mean of e^(l + (q - 1) L + x (L - m)) over normal n

on panels with Gauss-Legendre rules, where v + r e^-l has no zero as its real part is positive.  The
integrand's logarithm is concave at x = 0 for q >= 1, so beyond the panels it is at most its value
there over its slope s; and |L - m|^j/j! is at most the sum of e^(h (L - m)) and e^(h (m - L)) over
h^j, for any h up to q - 1: both have the same form.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.panel_series import add_panel
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

LENGTH, TURN, MOST_PANELS = 1.5, 0.6, 200
"""Of a panel, in widths of the integrand, and in losses, as its ellipse is twice as wide."""


@lru_cache(maxsize=32)
def series(s: MixedNormalSpectrum, order: float, terms: int, bits: int, reach: float
           ) -> tuple[Any, list[Any]]:
    """m, and the coefficients; what is left out is small beside sums of losses up to ``reach``."""
    v, kappa = s.doubles[1], s.doubles[2]
    if not (s.doubles[0] == 1 and 0 < v < 1 and order > 1):
        raise Unsupported("this is no sample that is added, or no order above 1")
    root, p = math.sqrt(2 * kappa), order - 1
    peak = s.peak(order)
    rare = (1 - v) * math.exp(min(kappa - root * peak, 700.0))
    bent = 1 + p * root * root * rare * v / (v + rare) ** 2
    h = min(p, terms / reach)
    # of all that is beyond
    goal = (bits + 16) * LOG2 + sum(max(0.0, math.log(j / (h * reach))) for j in range(1, terms))
    low, high = _end(s, p, peak, goal, -1), _end(s, p, peak, goal, 1)
    length = min(LENGTH / math.sqrt(bent), TURN / root)
    count = math.ceil((high - low) / length)
    if count > MOST_PANELS:
        raise Unsupported("the moments of a sample need too many panels")
    with workprec(bits + 64 + int(p).bit_length() + 2 * terms):
        m = flint.arb(-math.log(v + rare))
        one = _Numbers(s)
        sums, errors = [flint.arb(0)] * terms, [flint.arb(0)] * terms
        start, half = flint.arb(low), (flint.arb(high) - low) / (2 * count)
        def integrand(n: Any) -> tuple[Any, Any]:
            ell, loss = one.at(n)
            return ell + (order - 1) * loss, loss

        accuracy = goal - one.log_size(order, peak), reach, flint.ctx.prec
        for i in range(count):
            add_panel((integrand, integrand), (start + (2 * i + 1) * half, half), m, accuracy,
                      sums, errors)
        tail = sum((one.beyond(order + side * h, (flint.arb(low), flint.arb(high)))
                    * (-side * h * m).exp() for side in (-1, 1)), flint.arb(0))
        return m, [x + flint.arb(0, (off + tail / flint.arb(h) ** j).upper())
                   for j, (x, off) in enumerate(zip(sums, errors, strict=True))]


def _end(s: MixedNormalSpectrum, p: float, peak: float, goal: float, side: int) -> float:
    """Where the integrand has fallen by e^-goal, for this order and those up to p from it: a
    choice."""
    _, v, kappa = s.doubles
    root = math.sqrt(2 * kappa)

    def log(n: float) -> float:
        return root * n - n * n / 2 - p * math.log(v + (1 - v) * math.exp(min(
            kappa - root * n, 700.0)))

    n, step, least = peak, 0.25 * side, log(peak) - goal - 8
    while log(n) > least:
        n += step
        step *= 1.1
    return n + side


class _Numbers:
    """In balls, at the working precision."""

    def __init__(self, s: MixedNormalSpectrum) -> None:
        self.v, self.kappa = s.second.ball(), s.kappa.ball()
        self.root = (2 * self.kappa).sqrt()

    def at(self, n: Any) -> tuple[Any, Any]:
        """l and L."""
        ell = self.root * n - self.kappa
        inner = self.v + (1 - self.v) * (-ell).exp()
        if isinstance(inner, flint.acb) and not inner.real > 0:
            raise Unsupported("the moments of a sample are not seen to be analytic")
        return ell, -inner.log()

    def log_size(self, order: float, n: float) -> float:
        """The logarithm of the integrand at a place."""
        ell, loss = self.at(flint.arb(n))
        return float(ell + (order - 1) * loss - flint.arb(n) ** 2 / 2)

    def beyond(self, order: float, ends: tuple[Any, Any]) -> Any:
        """At least the integral on both sides of the panels at x = 0."""
        total = flint.arb(0)
        for side, n in zip((-1, 1), ends, strict=True):
            ell, loss = self.at(n)
            share = 1 - self.v * loss.exp()
            slope = self.root * (1 + (order - 1) * share) - n
            if not -side * slope > 0:
                raise Unsupported("the panels of a sample end too early")
            total += (ell + (order - 1) * loss - n * n / 2).exp() / (-side * slope)
        return (total / (2 * flint.arb.pi()).sqrt()).upper()


__all__ = ["series"]
