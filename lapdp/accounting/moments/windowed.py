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

Both psi and 1 - psi are indicators smoothed alike, so with K = e^(y^2/s^2) |psi| is at most K psi
and at most 1 + K (1 - psi) at Re n, hence at most A(psi) = psi (1 + (2K + 2) (1 - psi)), whether
psi is more than a half or less: only where the window falls does it matter. So

    |W_q| <= e^(y^2/2) * integral of A(psi) phi |z(n + iy)|^g e^(-u arg z(n + iy)) over n < B

and the way from B + iy to B, y f(B) e^(v y^2/2), which falls as u grows. Powers of many releases
need it next to W_g to many places: with |z|^2 = z(n + iy) z(n - iy) and likewise arg z it is
analytic, and since arg z grows with Im n, at Im n = r it is at most e^(r^2/2 + 2 r^2/s^2) (2K + 3)
f(Re n) if sqrt(2 kappa) (y + r) < pi.  A rule of step h as above, with real nodes, errs by at most

    2 (2K + 3) (W_g e^(r^2/2 + 2 r^2/s^2)/(e^(2 pi r/h) - 1)
                + r f(B) max(1, e^(r^2/2 + 2 r^2/s^2 - 2 pi r/h))).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

ROUGH = 64
LINES = tuple(0.75**j for j in range(44))
"""Shifts among which a bound of the decay takes the best, as shares of the widest."""
HIGHEST, FARTHEST = 2.0, 11.0
"""Of the line of nodes, times the root of v, and of those that bound the decay."""
LEFT, NEXT = 9.0, 8
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
        self.window, self.gamma, self.goal = window, gamma, goal
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
        self.mean = ((abs(self.nodes.total()) + off) / (1 - ripple)).upper()
        self.beyond = more / (1 - more) * self.mean
        self.off = (off + self.mean * ripple + self.beyond).upper()

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

    def _slope(self, place: Any) -> Any:
        """A slope that log(phi e^(-((c - n)/s)^2)) has at least left of a place."""
        low = self.window.low
        found = 2 * (low - place) / self.s**2 - place
        if not (found > 0 and place < low):
            raise Unsupported("the windowed rule is cut too early")
        return found

    def _before(self, place: Any) -> Any:
        """A bound of the integrand at a place where usual losses are told apart, which falls to
        the left by the slope: erfc(x) <= e^(-x^2) for x >= 0."""
        gap = (self.window.low - place) / self.s
        return (-gap * gap).exp() / 2 * _phi(place) * self._power(place)

    def _power(self, place: Any) -> Any:
        """z^g at a place, the largest to the left of it."""
        return (self.gamma * self.log_z(place)).exp()

    def _left_out(self) -> Any:
        """A bound of the sum over all nodes before the first one, on the real line."""
        if self.window.low is not None:
            slope = self._slope(self.start)
            return self._before(self.start) * self.step / ((slope * self.step).exp() - 1)
        return self._left(self.start)

    def _left(self, place: Any) -> Any:
        """A bound of the integral to the left of a place, on the real line."""
        if self.window.low is not None:
            return self._before(place) / self._slope(place)
        if not place < 0:
            raise Unsupported("the windowed rule is cut too early")
        return right_tail(-place) * self._power(place)

    def _more(self) -> Any:
        """r."""
        usual = self.window.usual
        if usual is None:
            return flint.arb(0)
        return self.falls(usual.end, usual.place) / self.falls(usual.end, self.window.place)

    # -- decay ----------------------------------------------------------------------------------

    def decay(self, height: Any, y: float) -> Any:
        """At least |W| at all heights from one on, by the shift n -> n + iy."""
        with workprec(ROUGH):
            return self._shifted(flint.arb(y), height).upper()

    def _shifted(self, y: Any, height: Any) -> Any:
        if not 0 < self.root * y < flint.arb.pi():
            raise Unsupported("the shift is too wide")
        most = 2 * (y * y / self.s**2).exp() + 3
        turn = flint.acb(0, self.root * y).exp()
        # the strip of this rule: its ripple is to be far below the least that counts
        goal, curve = self.goal + 2 * float(most.log()), float(1 + 4 / self.s**2)
        strip = flint.arb(min(math.sqrt(2 * goal / curve),
                              0.99 * (math.pi / float(self.root) - float(y))))
        if not (y + strip) * self.root < flint.arb.pi():
            raise Unsupported("the strip of a bound of decay is too wide")
        fall = goal + float(strip) ** 2 * curve / 2
        last = math.ceil(self.window.end * fall / (2 * math.pi * float(strip)) - 0.5)
        step = self.end / (last + flint.arb("0.5"))
        total, j, least = flint.arb(0), last, self.mean * (-flint.arb(goal)).exp()
        while True:
            n = step * j
            z = 1 - self.weight + self.weight * (self.root * n - self.kappa).exp() * turn
            inside, outside = self._shares(n)
            log = z.log()
            total += inside * (1 + (most - 1) * outside) * (
                self.gamma * log.real - height * log.imag - n * n / 2).exp()
            # far enough to the left
            if not j % NEXT and n < self.start and self._left(n) < least:
                break
            j -= 1
        total *= step / (2 * flint.arb.pi()).sqrt()
        # nodes to the left of all, where no more than the integral of what bounds them is left
        total += most * self._left(n)
        far, kernel = (strip**2 * flint.arb(curve) / 2).exp(), 2 * flint.arb.pi() * strip / step
        total += 2 * most * (self.mean * far / (kernel.exp() - 1)
                             + strip * self.edge(self.end) * flint.arb(1).max(
                                 far * (-kernel).exp()))
        return (y * y / 2).exp() * total + (
            y * self.edge(self.end) * (self.spread * y * y / 2).exp() + self.beyond)

    def _shares(self, n: Any) -> tuple[Any, Any]:
        """psi and 1 - psi at a real place."""
        low, high = self.window.low, self.window.place
        inside, outside = self._psi(flint.acb(n)), self.rises(n, high)
        return inside.real, outside if low is None else outside + self.falls(n, low)


def widest_shift(window: Window, root: float) -> float:
    """The widest shift that bounds a decay: its rule needs room beyond."""
    return min(FARTHEST, 0.75 * math.pi / root)


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
