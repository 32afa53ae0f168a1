"""The integrand of a windowed subsampled Gaussian, and bounds of its integrals.

With the names of :mod:`lapdp.accounting.moments.windowed`: psi is an indicator smoothed by a
normal density, and so is 1 - psi, hence at most e^(y^2/s^2) times as large on the line Im n = y as
at Re n.

The rule of step h with real nodes up to B - h/2 is an integral around the strip |Im n| < r, sqrt(2
kappa) r < pi, up to B.  It errs by at most

    2 W_g e^(v r^2/2)/(e^(2 pi r/h) - 1) + 2 r f(B) max(1, e^(v r^2/2 - 2 pi r/h)),

as half of the cotangent, beside what it is far off, is at most e^(-2 pi t/h) where Re n = B.

On the line Im n = y, with K = e^(y^2/s^2) |psi| is at most K psi
and at most 1 + K (1 - psi) at Re n, hence at most A(psi) = psi (1 + (2K + 2) (1 - psi)), whether
psi is more than a half or less: only where the window falls does it matter. So

    |W_q| <= e^(y^2/2) * integral of A(psi) phi |z(n + iy)|^g e^(-u arg z(n + iy)) over n < B

and the way from B + iy to B, y f(B) e^(v y^2/2), which falls as u grows. Powers of many releases
need it next to W_g to many places: with |z|^2 = z(n + iy) z(n - iy) and likewise arg z it is
analytic, and since arg z grows with Im n, at Im n = r it is at most e^(r^2/2 + 2 r^2/s^2) (2K + 3)
f(Re n) if sqrt(2 kappa) (y + r) < pi.  The rule above errs by 2K + 3 times as much, with
1 + 4/s^2 in place of v.

A sample in the direction "add", the pair (Q, w P + (1 - w) Q), has at q the mean of psi z^(1-q), so
that g may be below 0: there z^g is largest on the left, where z is 1 - w, and |z| is at least z(Re
n) cos(b/2), b = sqrt(2 kappa) Im n.  What is bounded by |z| <= z(Re n) above is larger by
cos(b/2)^g, b that of the widest line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.core.errors import Unsupported

ROUGH, NEXT, SHORT, TURNED = 64, 8, 0.25, 1.0
"""Bits of bounds; nodes after which it is looked whether any count further on; of n times their
length, how short cells are; a logarithm that lines may cost on which |z|^g is larger."""
LINES = tuple(0.75**j for j in range(44))
"""Shifts among which a bound of the decay takes the best, as shares of the widest."""
FARTHEST = 11.0
"""Of the lines that bound the decay."""


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


def is_added(spectrum: MixedNormalSpectrum) -> bool:
    """Is it (Q, w P + (1 - w) Q), not the other way round?"""
    return bool(spectrum.second.exact != 0)


def weight_of(spectrum: MixedNormalSpectrum) -> float:
    """w, in doubles."""
    w, v, _ = spectrum.doubles
    return 1 - v if is_added(spectrum) else w


class Integrand:
    """psi z^q phi at an order g, for a window or what it tells apart."""

    def __init__(self, spectrum: MixedNormalSpectrum, window: Window, gamma: Any, size: float
                 ) -> None:
        """``size`` is about log W_g."""
        self.added = is_added(spectrum)
        self.window, self.gamma, self.size = window, 1 - gamma if self.added else gamma, size
        self.weight = 1 - spectrum.second.ball() if self.added else spectrum.first.ball()
        self.kappa = spectrum.kappa.ball()
        self.root = (2 * self.kappa).sqrt()
        self.s = flint.arb(window.width)
        self.spread = 1 + 2 / self.s**2
        self.end = flint.arb(window.end)

    def log_z(self, n: Any) -> Any:
        """log z."""
        return (1 - self.weight + self.weight * (self.root * n - self.kappa).exp()).log()

    def falls(self, n: Any, place: float) -> Any:
        """S_c."""
        return ((n - place) / self.s).erfc() / 2

    def psi(self, n: Any) -> Any:
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
        return self.falls(n, self.window.place) * phi(n) * (self.gamma * self.log_z(n)).exp()

    def slope(self, place: Any) -> Any:
        """A slope that log(phi e^(-((c - n)/s)^2)) has at least left of a place."""
        low = self.window.low
        found = 2 * (low - place) / self.s**2 - place
        if not (found > 0 and place < low):
            raise Unsupported("the windowed rule is cut too early")
        return found

    def before(self, place: Any) -> Any:
        """A bound of the integrand at a place where usual losses are told apart, which falls to
        the left by the slope: erfc(x) <= e^(-x^2) for x >= 0."""
        gap = (self.window.low - place) / self.s
        return (-gap * gap).exp() / 2 * phi(place) * self.power(place)

    def power(self, place: Any) -> Any:
        """The largest z^g to the left of a place."""
        log = self.log_z(place) if self.gamma >= 0 else (1 - self.weight).log()
        return (self.gamma * log).exp()

    def turned(self, y: Any) -> Any:
        """By how much |z|^g may be larger on the line Im n = y than at Re n."""
        if self.gamma >= 0:
            return flint.arb(1)
        turn = self.root * y
        found, other = (turn / 2).cos() ** self.gamma, 1 - self.share * (1 - turn.cos())
        return found.min(other ** self.gamma) if other > 0 else found

    @property
    def share(self) -> Any:
        """That of w e^l in z at the end of the window: the largest."""
        size = self.weight * (self.root * self.end - self.kappa).exp()
        return size / (1 - self.weight + size)

    def widest(self) -> float:
        """A y at which that is hardly much."""
        if self.gamma >= 0:
            return math.inf
        least = math.exp(TURNED / min(float(self.gamma), -TURNED))
        turn = max(2 * math.acos(least), math.acos(max(-1.0, 1 - (1 - least) / float(self.share))))
        return min(turn, 0.99 * math.pi) / float(self.root)

    def left(self, place: Any) -> Any:
        """A bound of the integral to the left of a place, on the real line."""
        if self.window.low is not None:
            return self.before(place) / self.slope(place)
        if not place < 0:
            raise Unsupported("the windowed rule is cut too early")
        return right_tail(-place) * self.power(place)

    def more(self) -> Any:
        """r."""
        usual = self.window.usual
        if usual is None:
            return flint.arb(0)
        return self.falls(usual.end, usual.place) / self.falls(usual.end, self.window.place)

    # -- bounds ---------------------------------------------------------------------------------

    def upper(self, goal: float) -> Any:
        """At least W_g, nearer than e^-``goal`` of it."""
        total, ripple = self._rule(
            goal, self.spread, 0.99 * math.pi / float(self.root), lambda n, inside, _: inside * (
                self.gamma * self.log_z(n) - n * n / 2).exp())
        if not (ripple < 1 and self.more() < 1):
            raise Unsupported("the step of the windowed rule is too large")
        mean = total / (1 - ripple)
        return (mean + self.missing(mean)).upper()

    def over(self, low: float, high: float, goal: float) -> Any:
        """At least the integral from one place above 0 to another, by what is largest in cells:
        short ones where these are not below e^-``goal`` of W_g."""
        total, least, cells = flint.arb(0), flint.arb(self.size - goal).exp(), [(low, high)]
        while cells:
            a, b = cells.pop()
            start = flint.arb(a)
            # z^g is largest at one of the ends
            here = (b - a) * self.falls(start, self.window.place) * phi(start) * (
                self.gamma * self.log_z(start if self.gamma < 0 else flint.arb(b))).exp()
            if here < least or (b - a) * a < SHORT:
                total += here
            else:
                cells += [(a, (a + b) / 2), ((a + b) / 2, b)]
        return total

    def missing(self, mean: Any) -> Any:
        """A bound of what an integral up to B lacks of W, where it is at most ``mean``."""
        return self.more() / (1 - self.more()) * mean

    def shifted(self, y: Any, height: Any, goal: float, mean: Any) -> Any:
        """At least |W| at all heights from one on, by the shift n -> n + iy, to about e^-``goal``
        of W_g, which is at most ``mean``."""
        if not 0 < self.root * y < flint.arb.pi():
            raise Unsupported("the shift is too wide")
        most = self.most(y)
        turn = flint.acb(0, self.root * y).exp()

        def term(n: Any, inside: Any, outside: Any) -> Any:
            z = 1 - self.weight + self.weight * (self.root * n - self.kappa).exp() * turn
            log = z.log()
            return inside * (1 + (most - 1) * outside) * (
                self.gamma * log.real - height * log.imag - n * n / 2).exp()

        room = math.pi / float(self.root) - float(y)
        total, ripple = self._rule(goal + 2 * float(most.log()), 2 * self.spread - 1, 0.99 * room,
                                   term, most, y)
        return (y * y / 2).exp() * (total + ripple * most * mean) + (
            y * self.edge(self.end) * (self.spread * y * y / 2).exp() * self.turned(y))

    def most(self, y: Any) -> Any:
        """2K + 3."""
        return 2 * (y * y / self.s**2).exp() + 3

    def _rule(self, goal: float, curve: Any, room: float, term: Callable[[Any, Any, Any], Any],
              most: Any = 1, above: Any = 0) -> tuple[Any, Any]:
        """At least the rule and what the end of the window adds, and the ripple, a share: terms
        are at most ``most`` integrands, and analytic up to ``above`` less than the integrand."""
        strip = flint.arb(min(math.sqrt(2 * goal / float(curve)), room, self.widest()))
        if not (strip + above) * self.root < flint.arb.pi():
            raise Unsupported("the strip of a bound is too wide")
        turned = self.turned(strip + above)
        fall = goal + float(strip) ** 2 * float(curve) / 2 + float(turned.log())
        j = last_node(self.window.end, 2 * math.pi * float(strip) / fall)
        step = self.end / (j + flint.arb("0.5"))
        if not step > 0:
            raise Unsupported("a window ends at 0, where no step fits")
        total, least = flint.arb(0), flint.arb(self.size - goal).exp()
        before, flat = self._before(goal)
        while True:
            n = step * j
            total += term(n, *(flat if n < before else self.shares(n)))
            if not j % NEXT and self._ends(n) and self.left(n) < least:
                break
            j -= 1
        total *= step / (2 * flint.arb.pi()).sqrt()
        far, kernel = (strip**2 * curve / 2).exp(), 2 * flint.arb.pi() * strip / step
        edge = 2 * strip * self.edge(self.end) * flint.arb(1).max(far * (-kernel).exp())
        # nodes to the left of all add no more than the integral of what bounds them
        return (total + most * turned * (self.left(n) + edge),
                2 * turned * far / (kernel.exp() - 1))

    def _before(self, goal: float) -> tuple[float, tuple[Any, Any]]:
        """A place before which 1 - psi is below e^-``goal``, nearly, with at least both shares."""
        window = self.window
        place = window.place - math.sqrt(goal + 1) * window.width
        if window.low is not None or not math.isfinite(place):
            return -math.inf, (flint.arb(1), flint.arb(1))
        return place, (flint.arb(1), self.rises(flint.arb(place), window.place))

    def _ends(self, n: Any) -> bool:
        """Is what lies to the left of a place bounded?"""
        low = self.window.low
        return bool(n < 0 if low is None else n < low and 2 * (low - n) / self.s**2 > n)

    def shares(self, n: Any) -> tuple[Any, Any]:
        """psi and 1 - psi at a real place."""
        low, high = self.window.low, self.window.place
        inside, outside = self.psi(flint.acb(n)), self.rises(n, high)
        return inside.real, outside if low is None else outside + self.falls(n, low)


class Below(Integrand):
    """The usual losses below a place, where next to nothing of W lies beyond: psi is 1, nearly.

    The integral up to there of z^q phi lacks the integral of psi z^g phi beyond, at most, and has
    1 - psi, which rises, too much.  Its integrand has no window to be bounded.
    """

    def __init__(self, whole: Integrand, place: float, goal: float) -> None:
        """What lies beyond is bounded in cells where it is above e^-``goal`` of W_g."""
        self.__dict__.update(whole.__dict__)
        self.whole, self.goal = whole, goal
        self.window = Window(math.inf, math.inf, place)
        self.spread, self.end = flint.arb(1), flint.arb(place)

    def falls(self, n: Any, place: float) -> Any:
        """1."""
        return flint.arb(1)

    def psi(self, n: Any) -> Any:
        """1."""
        return flint.arb(1)

    def shares(self, n: Any) -> tuple[Any, Any]:
        """psi is 1."""
        return flint.arb(1), flint.arb(0)

    def most(self, y: Any) -> Any:
        """1."""
        return flint.arb(1)

    def missing(self, mean: Any) -> Any:
        """What lies beyond the place, and what the window takes off before it."""
        place, full = self.window.end, self.whole.window
        return self.whole.over(place, full.end, self.goal) + mean * self.whole.rises(
            self.end, full.place)


def last_node(end: float, step: float) -> int:
    """The number of the last node, half a step left of an end, by steps of at most so much.

    >>> [last_node(end, 1.0) for end in (-1.2, -0.3, 0.3, 2.0)]
    [-2, -1, 0, 2]
    """
    # away from 0
    return (math.ceil if end > 0 else math.floor)(end / step - 0.5)


def widest_shift(root: float) -> float:
    """The widest shift that bounds a decay: its rule needs room beyond."""
    return min(FARTHEST, 0.75 * math.pi / root)


def lost(spectrum: MixedNormalSpectrum, window: Window) -> Any:
    """The P-mass outside the window: 1 - S_c is the distribution of c plus s/sqrt(2) times a normal
    variable, and B leaves out a tail."""
    # P is normal where the sample is added
    w = flint.arb(0) if is_added(spectrum) else spectrum.first.ball()
    root = (2 * spectrum.kappa.ball()).sqrt()
    wide = (1 + flint.arb(window.width) ** 2 / 2).sqrt()
    total = flint.arb(0)
    for share, mean in ((w, root), (1 - w, flint.arb(0))):
        total += share * (right_tail((window.place - mean) / wide) + right_tail(window.end - mean))
    return total


def phi(n: Any) -> Any:
    """The normal density."""
    return (-n * n / 2).exp() / (2 * flint.arb.pi()).sqrt()


__all__ = ["FARTHEST", "LINES", "ROUGH", "Below", "Integrand", "Window", "is_added",
           "last_node", "lost", "phi", "weight_of", "widest_shift"]
