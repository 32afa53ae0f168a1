"""Moments of a subsampled Gaussian under a smooth window: without losses too rare to matter.

For (w P + (1 - w) Q, Q) with a normal loss l = sqrt(2 kappa) n - kappa of (P, Q) and z = 1 - w +
w e^l the density of n is multiplied by psi between 0 and 1: by S_c(n) = erfc((n - c)/s)/2 for n < B
and by 0 beyond, or by the difference of two of these.  W_q, the mean of psi z^q, is that of a part
of the pair.  For the usual losses c lies below those that delta is made of, for all of them above.
The difference is S_d - S_c, c < d, but for n > B of the usual losses, where S_c is at most r S_d, r
their quotient at B, as S is log-concave: it adds at most W_g r/(1 - r) there.

On the line Im n = y with sqrt(2 kappa) y < pi, |z| <= z(Re n) and arg z lies between 0 and pi and
grows with Re n.  S_c, and S_d - S_c, are indicators smoothed by a normal density, so |psi| is at
most e^(y^2/s^2) psi(Re n).  With v = 1 + 2/s^2 the integrand f of W_q, q = g + iu, u >= 0 <= y, is
at most e^(v y^2/2) e^(-u arg z) psi z^g phi at Re n.  The trapezoidal rule of step h, with nodes
n + iy up to B - h/2, is an integral of f cot/2i around the strip from Im n = 0 to 2y up to B,
where the cotangent differs from -i above the nodes and i below by at most 2 e^(-2 pi t/h) in size
at a distance t from their line if Re n = B, and by 2/(e^(2 pi y/h) - 1) on the lines.  With the way
from B + iy to B it errs by at most

    W_g (1 + e^(2 v y^2))/(e^(2 pi y/h) - 1) + 3 y f(B) max(e^(v y^2/2), e^(2 v y^2 - 2 pi y/h))

at every height, for v t^2/2 - 2 pi |t - y|/h is convex from t = y on.
"""

from __future__ import annotations

import math
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.accounting.moments.window_bounds import ROUGH, Integrand, Window, last_node
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

HIGHEST, FLAT, LEFT = 2.0, 0.5, 9.0
"""Of the line of nodes, times the root of v, and at most; how far from 0 they begin."""
MOST_NODES = 12_000


class WindowedLine(NodalLine):
    """The moments under a window, without those of the usual losses if it tells them apart."""

    def __init__(self, one: Integrand, goal: float) -> None:
        """The sums may err by e^-``goal`` of W_g, nearly."""
        self.integrand, self.goal, window = one, goal, one.window
        widest = math.pi / 2 / float(one.root) * (1 - 2.0**-30)
        # a higher line has fewer nodes, but their sum cancels by e^(v y^2/2)
        y = min(HIGHEST / math.sqrt(window.spread), FLAT, widest, one.widest() / 2)
        self.y = flint.arb(y)
        step = 2 * math.pi * y / (goal + LOG2 + 2 * window.spread * y * y)
        self.last = last_node(window.end, step)
        self.step = one.end / (self.last + flint.arb("0.5"))
        if not (self.y > 0 and self.step > 0 and 2 * self.y * one.root < flint.arb.pi()):
            raise Unsupported("the strip of the windowed rule is too wide")
        self.first = self._cut(one.size - goal - window.spread * y * y / 2)
        if self.last - self.first > MOST_NODES:
            raise Unsupported("the windowed rule needs too many nodes")
        self.start = self.step * self.first
        self.nodes = Nodes(self._node(j) for j in range(self.first, self.last + 1))
        # on the far side of the strip
        top, turned = 2 * one.spread * self.y**2, one.turned(2 * self.y)
        ripple = (1 + turned * top.exp()) / ((2 * flint.arb.pi() * self.y / self.step).exp() - 1)
        here = turned * (one.spread * self.y**2 / 2).exp()
        there = turned * (top - 2 * flint.arb.pi() * self.y / self.step).exp()
        off = here * self._left_out() + 3 * self.y * one.edge(one.end) * here.max(there)
        if not (ripple < 1 and one.more() < 1):
            raise Unsupported("the step of the windowed rule is too large")
        self.mean = ((abs(self.nodes.total()) + off) / (1 - ripple)).upper()
        self.beyond = one.missing(self.mean)
        self.off = (off + self.mean * ripple + self.beyond).upper()

    def total(self) -> Any:
        """W_g."""
        return self.nodes.total().real + flint.arb(0, self.off)

    def error(self, u: Any) -> Any:
        """The same at every height u >= 0."""
        return self.off

    def _cut(self, least: float) -> int:
        """A node left of all that count, where the integrand is below e^``least``: a choice."""
        one = self.integrand
        w, root, kappa = float(one.weight), float(one.root), float(one.kappa)
        h, gamma, low = float(self.step), float(one.gamma), one.window.low
        # a window may end left of 0
        j = min(-1, self.last) if low is None else min(math.floor(low / h), MOST_NODES) - 1
        while j > -MOST_NODES:
            n = h * j
            log = math.log1p(w * math.expm1(root * n - kappa))
            size = gamma * log - n * n / 2
            # z^g is largest on the left where g < 0
            falls = gamma * root * w * math.exp(root * n - kappa - log) > n
            if low is not None:
                size -= ((low - n) / one.window.width) ** 2
                # to the left of it by a half a node
                falls = 2 * (low - n) / one.window.width**2 - n > LOG2 / h
            if size < least and falls:
                break
            j -= 1
        return j

    def _node(self, j: int) -> tuple[Any, Any]:
        n = flint.acb(self.step * j, self.y)
        spend(60)
        one = self.integrand
        log = one.log_z(n)
        size = self.step * (one.gamma * log - n * n / 2).exp() / (2 * flint.arb.pi()).sqrt()
        size *= one.psi(n)
        # at 1 - q, whose height is below 0
        return (size.conjugate(), -log.conjugate()) if one.added else (size, log)

    def _left_out(self) -> Any:
        """A bound of the sum over all nodes before the first one, on the real line."""
        if self.integrand.window.low is not None:
            slope = self.integrand.slope(self.start)
            return self.integrand.before(self.start) * self.step / ((slope * self.step).exp() - 1)
        return self.integrand.left(self.start)

    def decay(self, height: Any, y: float) -> Any:
        """At least |W| at all heights from one on, by the shift n -> n + iy."""
        with workprec(ROUGH):
            return (self.integrand.shifted(flint.arb(y), height, self.goal, self.mean)
                    + self.beyond).upper()


def many(window: Window, goal: float, cut: float | None = None) -> int:
    """About how many nodes there are, with those of the usual losses, which may end at a place."""
    step = _step(window.spread, goal)
    if window.usual is None:
        return math.ceil((window.end + LEFT) / step)
    usual = (window.usual.end + LEFT) / step if cut is None else (cut + LEFT) / _step(1.0, goal)
    return math.ceil(usual + (window.end - window.usual.place) / step)


def _step(spread: float, goal: float) -> float:
    y = min(HIGHEST / math.sqrt(spread), FLAT)
    return 2 * math.pi * y / (goal + 2 * spread * y * y)


__all__ = ["MOST_NODES", "WindowedLine", "many"]
