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
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

CELL = 1 / 16
"""Of n, on which the integrand is bounded where its decay is."""
ROUGH = 64
LINES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12, 0.08, 0.05, 0.03, 0.015, 0.007, 0.003, 0.001)
"""Shifts among which a bound of the decay takes the best, as shares of the widest."""
HIGHEST, FARTHEST = 2.0, 11.0
"""Of the line of nodes, and of those that bound the decay: times the root of v."""
LEFT = 9.0
MOST_NODES = 12_000


@dataclass(frozen=True)
class Window:
    """Where it falls, how fast, and where it ends."""

    place: float
    width: float
    end: float
    usual: Window | None = None
    """That of the usual losses, just as steep, if they are told apart."""

    @property
    def low(self) -> float | None:
        """Where that falls."""
        return None if self.usual is None else self.usual.place

    @property
    def spread(self) -> float:
        """v."""
        return 1 + 2 / self.width**2


class WindowedLine(NodalLine):
    """The moments under a window, without those of the usual losses if it tells them apart."""

    def __init__(self, spectrum: MixedNormalSpectrum, window: Window, gamma: Any, goal: float,
                 size: float) -> None:
        """The sums may err by e^-``goal`` of W_g, nearly; ``size`` is about log W_g."""
        self.window, self.gamma = window, gamma
        self.weight, self.kappa = spectrum.first.ball(), spectrum.kappa.ball()
        self.root = (2 * self.kappa).sqrt()
        self.s = flint.arb(window.width)
        self.spread = 1 + 2 / self.s**2
        widest = math.pi / 2 / float(self.root) * (1 - 2.0**-30)
        # a higher line has fewer nodes, but their sum cancels by e^(v y^2/2)
        y = min(HIGHEST / math.sqrt(window.spread), widest)
        self.y = flint.arb(y)
        step = 2 * math.pi * y / (goal + LOG2 + 2 * window.spread * y * y)
        self.last = math.ceil(window.end / step - 0.5)
        self.end = flint.arb(window.end)
        self.step = self.end / (self.last + flint.arb("0.5"))
        if not (self.y > 0 and self.step > 0 and 2 * self.y * self.root < flint.arb.pi()):
            raise Unsupported("the strip of the windowed rule is too wide")
        self.first = self._cut(size - goal - window.spread * y * y / 2)
        if self.last - self.first > MOST_NODES:
            raise Unsupported("the windowed rule needs too many nodes")
        self.start = self.step * self.first
        self.nodes = Nodes(self._node(j) for j in range(self.first, self.last + 1))
        top = 2 * self.spread * self.y**2
        ripple = (1 + top.exp()) / ((2 * flint.arb.pi() * self.y / self.step).exp() - 1)
        here = (self.spread * self.y**2 / 2).exp()
        there = (top - 2 * flint.arb.pi() * self.y / self.step).exp()
        off = here * self._left_out() + 3 * self.y * self.edge(self.end) * here.max(there)
        # of W_g without what lies beyond the end of the usual losses
        more = self._more()
        if not (ripple < 1 and more < 1):
            raise Unsupported("the step of the windowed rule is too large")
        mean = (abs(self.nodes.total()) + off) / (1 - ripple)
        self.beyond = more / (1 - more) * mean
        self.off = (off + mean * ripple + self.beyond).upper()

    def total(self) -> Any:
        """W_g."""
        return self.nodes.total().real + flint.arb(0, self.off)

    def error(self, u: Any) -> Any:
        """The same at every height u >= 0."""
        return self.off

    # -- the integrand --------------------------------------------------------------------------

    def log_z(self, n: Any) -> Any:
        """log z."""
        return (1 - self.weight + self.weight * (self.root * n - self.kappa).exp()).log()

    def falls(self, n: Any, place: float) -> Any:
        """S_c."""
        return ((n - place) / self.s).erfc() / 2

    def _psi(self, n: Any) -> Any:
        """The window, or its difference from that of the usual losses."""
        low, high = self.window.low, self.window.place
        if low is None:
            return self.falls(n, high)
        if n.real > (low + high) / 2:
            return self.falls(n, high) - self.falls(n, low)
        return self.rises(n, low) - self.rises(n, high)

    def rises(self, n: Any, place: float) -> Any:
        """1 - S_c."""
        return ((place - n) / self.s).erfc() / 2

    def edge(self, n: Any) -> Any:
        """At least the integrand at a real n and q = g."""
        return self.falls(n, self.window.place) * _phi(n) * (self.gamma * self.log_z(n)).exp()

    def _cut(self, least: float) -> int:
        """A node left of all that count, where the integrand is below e^``least``: a choice."""
        w, root, kappa = float(self.weight), float(self.root), float(self.kappa)
        h, gamma, low = float(self.step), float(self.gamma), self.window.low
        j = min(math.floor((self.window.place if low is None else low) / h), 0 if low is None else
                MOST_NODES) - 1
        while j > -MOST_NODES:
            n = h * j
            size = gamma * math.log1p(w * math.expm1(root * n - kappa)) - n * n / 2
            falls = True
            if low is not None:
                size -= ((low - n) / self.window.width) ** 2
                # to the left of it by a half a node
                falls = 2 * (low - n) / self.window.width**2 - n > LOG2 / h
            if size < least and falls:
                break
            j -= 1
        return j

    def _node(self, j: int) -> tuple[Any, Any]:
        n = flint.acb(self.step * j, self.y)
        log = self.log_z(n)
        size = self.step * (self.gamma * log - n * n / 2).exp() / (2 * flint.arb.pi()).sqrt()
        return size * self._psi(n), log

    def _slope(self) -> Any:
        """A slope that log(phi e^(-((c - n)/s)^2)) has at least left of the first node."""
        low = self.window.low
        found = 2 * (low - self.start) / self.s**2 - self.start
        if not (found > 0 and self.start < low):
            raise Unsupported("the windowed rule is cut too early")
        return found

    def _before(self) -> Any:
        """A bound of the integrand at the first node where usual losses are told apart, which falls
        to the left by the slope: erfc(x) <= e^(-x^2) for x >= 0."""
        gap = (self.window.low - self.start) / self.s
        return (-gap * gap).exp() / 2 * _phi(self.start) * self._power()

    def _power(self) -> Any:
        """z^g at the first node, the largest to the left of it."""
        return (self.gamma * self.log_z(self.start)).exp()

    def _left_out(self) -> Any:
        """A bound of the sum over all nodes before the first one, on the real line."""
        if self.window.low is not None:
            return self._before() * self.step / ((self._slope() * self.step).exp() - 1)
        return self._left()

    def _left(self) -> Any:
        """A bound of the integral to the left of the first node, on the real line."""
        if self.window.low is not None:
            return self._before() / self._slope()
        if not self.start < 0:
            raise Unsupported("the windowed rule is cut too early")
        return right_tail(-self.start) * self._power()

    def _more(self) -> Any:
        """r."""
        usual = self.window.usual
        if usual is None:
            return flint.arb(0)
        return self.falls(usual.end, usual.place) / self.falls(usual.end, self.window.place)

    # -- decay ----------------------------------------------------------------------------------

    @cached_property
    def _cells(self) -> list[tuple[Any, Any]]:
        """(left end, bound of the integral over the cell)."""
        low, found = self.window.low, []
        # an exact number: cells meet
        place = flint.arb(math.floor(float(self.start) * 64 - 1) / 64)
        while not place >= self.end:
            after = place + CELL
            near = place if place > 0 else after if after < 0 else flint.arb(0)
            psi = flint.arb.min(self.falls(place, self.window.place), flint.arb(1))
            if low is not None:
                psi = flint.arb.min(psi, self.rises(after, low))
            found.append((place, (CELL * psi * _phi(near) * (
                self.gamma * self.log_z(after)).exp()).upper()))
            place = after
        return found

    def decay(self, height: Any) -> Any:
        """At least |W| at all heights from one on."""
        with workprec(ROUGH):
            widest = flint.arb(widest_shift(self.window, float(self.root)))
            return min((self._shifted(widest * share, height) for share in LINES),
                       key=float).upper()

    def _shifted(self, y: Any, height: Any) -> Any:
        """By the shift n -> n + iy."""
        if not self.root * y < flint.arb.pi():
            raise Unsupported("the shift is too wide")
        turn = flint.acb(0, self.root * y).exp()
        total = y * self.edge(self.end) + self._left()
        for place, size in self._cells:
            z = 1 - self.weight + self.weight * (self.root * place - self.kappa).exp() * turn
            total += size * (-height * z.arg().lower()).exp()
        return (self.spread * y * y / 2).exp() * total + self.beyond


def widest_shift(window: Window, root: float) -> float:
    """The widest shift that bounds a decay."""
    return min(FARTHEST / math.sqrt(window.spread), math.pi / root * (1 - 2.0**-20))


def many(window: Window, goal: float) -> int:
    """About how many nodes there are, with those of the usual losses."""
    step = 2 * math.pi * HIGHEST / math.sqrt(window.spread) / (goal + 2 * HIGHEST**2)
    usual = window.usual
    return math.ceil((window.end + LEFT if usual is None else usual.end + LEFT + window.end
                      - usual.place) / step)


def lost(spectrum: MixedNormalSpectrum, window: Window) -> Any:
    """The P-mass outside the window: 1 - S_c is the distribution of c plus s/sqrt(2) times a normal
    variable, and B leaves out a tail."""
    w, root = spectrum.first.ball(), (2 * spectrum.kappa.ball()).sqrt()
    wide = (1 + flint.arb(window.width) ** 2 / 2).sqrt()
    total = flint.arb(0)
    for share, mean in ((w, root), (1 - w, flint.arb(0))):
        total += share * (right_tail((window.place - mean) / wide) + right_tail(window.end - mean))
    return total


def _phi(n: Any) -> Any:
    return (-n * n / 2).exp() / (2 * flint.arb.pi()).sqrt()


__all__ = ["LINES", "MOST_NODES", "Window", "WindowedLine", "lost", "many", "widest_shift"]
