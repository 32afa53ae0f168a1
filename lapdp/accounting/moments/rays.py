"""Moments at all complex orders of a subsampled Gaussian, along rays.

For (w P + (1 - w) Q, Q), 0 < w < 1, with a normal loss of (P, Q), the loss is log(1 - w) + X with
X = log(1 + r e^l) > 0, r = w/(1 - w) and l normal under Q, of mean -kappa and variance 2 kappa.
Turned round, l = X + log(1 - e^-X) - log r is analytic where Re X > 0, so that with X = e^(t + ia),

    H_q = E_Q[e^(q X)] = integral of e^(q X - (l + kappa)^2/(4 kappa)) X/(1 - e^-X) dt
          / sqrt(4 pi kappa)

for every |a| < pi/4 (Cauchy: at both ends the integrand falls faster than any power).  With a > 0
and q far up the plane the factor e^(q X) does not turn but fall, which is why the work for one
moment does not grow with the order.

The trapezoidal rule of step h on the ray a errs by at most (S(a + b) + S(a - b))/(e^(2 pi b/h) - 1)
(Trefethen and Weideman 2014, Theorem 5.1), S(a) the integral of the size of the integrand.  S is
bounded on cells between two tails:

* X/(1 - e^-X) = 1 + X/2 + rest, |rest| <= |X|^2/10 for |X| <= 1 (Bernoulli numbers), so that
  log((e^X - 1)/X), whose derivative is (X/(1 - e^-X) - 1)/X, is at most |X| there.
* For t below T, e^T <= 1: with A = -(T + shift) - e^T > 0, shift = kappa - log r, the real part of
  l + kappa is at most -(A + T - t), its imaginary part at most |a| + e^T.
* For t above T, e^T cos a >= 1: log(1 - e^-X) is at most e^(-Re X)/(1 - e^(-Re X)).

Sharp to many digits is S itself by a trapezoidal rule: with a branch F of the logarithm of the
integrand, its size is exp((F(t + ia) + conj F(t - ia))/2), which is analytic in t, and on the line
Im t = b of size at most sqrt(|f(t + i(a + b))| |f(t + i(a - b))|).  So by Cauchy's inequality the
rule errs by at most 2 sqrt(S(a + b) S(a - b))/(e^(2 pi b/h) - 1).
"""

from __future__ import annotations

import cmath
import math
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.moments.ray_cells import Cell, above, columns, part, summed
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

ROUGH = 96
"""Working precision of bounds."""
FINE, ASIDE, WIDEST = 1 / 32, 0.25, 0.5
"""The step of the rule for sizes, how far beside its ray they are bounded, its largest angle."""
COARSE = 4
"""The stride of bounds that are multiplied by a small number."""
MOST_EXPONENT = 1e4
"""Up to it exponents in doubles are exact to far below :data:`SLACK`."""
SLACK = 1e-10
MOST_CELLS = 3000
CHUNK = 24

@dataclass(frozen=True)
class Ray:
    """A rule on one ray: nodes step * j, first <= j <= last, error proved by the rays beside."""

    angle: float
    beside: float
    step: float
    first: int
    last: int


@dataclass
class Rays:
    """H_q and bounds of it, at the working precision of the moment of creation."""

    weight: float
    kappa: float
    """Doubles, for choices."""
    balls: tuple[Any, Any]
    """The same as balls."""
    _known: dict[tuple[float, float, int], tuple[Any, Any]] = field(default_factory=dict)
    _nodes: dict[Ray, list[tuple[Any, Any]]] = field(default_factory=dict)
    _doubles: dict[Ray, list[tuple[complex, float, float]]] = field(default_factory=dict)
    _sizes: dict[tuple[float, int], tuple[float, float]] = field(default_factory=dict)
    _cells: dict[tuple[float, float, float], Cell] = field(default_factory=dict)
    _tables: dict[float, tuple[list[float], Any]] = field(default_factory=dict)
    _rough: dict[tuple[float, int], list[tuple[float, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        w, kappa = self.balls
        self.shift = kappa - (w / (1 - w)).log()
        self.rough_shift = self.kappa - math.log(self.weight / (1 - self.weight))

    # -- proved ----------------------------------------------------------------------------------

    def moment(self, q: Any, ray: Ray) -> Any:
        """The rule for H_q, without its error."""
        total = flint.acb(0)
        for x, weight in self.nodes(ray):
            total += weight * (q * x).exp()
        return total

    def nodes(self, ray: Ray) -> list[tuple[Any, Any]]:
        """Places and weights of a rule."""
        known = self._nodes.get(ray)
        if known is None:
            known = self._nodes[ray] = [self._node(ray.angle, ray.step, j)
                                        for j in range(ray.first, ray.last + 1)]
        return known

    def doubles(self, ray: Ray) -> list[tuple[complex, float, float]]:
        """X nearly, and at least |X| and the logarithm of the weight's size, at the nodes."""
        known = self._doubles.get(ray)
        if known is None:
            known = self._doubles[ray] = [
                (complex(float(x.real), float(x.imag)), float(abs(x).upper()),
                 float(abs(weight).log().upper())) for x, weight in self.nodes(ray)]
        return known

    def tails(self, q: Any, ray: Ray) -> Any:
        """A bound of what a rule leaves out, at one order."""
        low, high = flint.arb(ray.step) * ray.first, flint.arb(ray.step) * ray.last
        return self._left(q, ray.angle, low) + self._right(q, ray.angle, high)

    def size(self, q: Any, angle: float, stride: int = 1) -> Any:
        """A bound of the integral of the size of the integrand, hence of |H_q|, for all orders in a
        ball; from larger cells for a larger ``stride``.

        For 0 <= angle it holds at all q with a smaller real and a larger imaginary part too: Re X
        and Im X are positive.
        """
        with workprec(ROUGH):
            q = _corner(q, angle)
            places, _ = self._window(complex(float(q.real), float(q.imag)), angle, 40.0)
            # Re X > 0, and Im X has the sign of the angle
            total = summed(self._cells_between(angle, places, stride),
                           math.nextafter(float(q.real), math.inf),
                           math.nextafter(float(q.imag), -math.copysign(math.inf, angle)))
            total /= (4 * flint.arb.pi() * self.balls[1]).sqrt()
            return (total + self._left(q, angle, flint.arb(places[0]))
                    + self._right(q, angle, flint.arb(places[-1]))).upper()

    def fine_size(self, s: float, angle: float) -> Any:
        """A sharp bound of the same where Re(q e^(ia)) is s, for 0 <= angle <= ``WIDEST``."""
        with workprec(ROUGH):
            q, aside = flint.acb(0, -angle).exp() * flint.arb(s), flint.arb(ASIDE)
            low, high = (math.floor(t / FINE) for t in self.ends(complex(
                float(q.real), float(q.imag)), angle, 40.0))
            total = 0.0
            for j in range(low, high + 1):
                place, size = self._log_size(angle, j)
                if not abs(s * place) < MOST_EXPONENT:
                    raise Unsupported("a size is too large for doubles")
                total += math.exp(s * place + size)
            beside = self.size(q, angle + ASIDE, COARSE) * self.size(q, angle - ASIDE, COARSE)
            ripple = 2 * beside.sqrt() / ((2 * flint.arb.pi() * aside / FINE).exp() - 1)
            return (flint.arb(total * FINE) * (1 + SLACK) + ripple
                    + self._left(q, angle, flint.arb(low * FINE))
                    + self._right(q, angle, flint.arb(high * FINE))).upper()

    def _log_size(self, angle: float, j: int) -> tuple[float, float]:
        """|X| and the logarithm of the integrand's size at q = 0, divided by sqrt(4 pi kappa)."""
        found = self._sizes.get((angle, j))
        if found is None:
            kappa, t = self.balls[1], j * FINE
            _, place, slope = self._place(flint.arb(t), angle)
            size = abs(slope).log() - (place * place).real / (4 * kappa)
            size -= (4 * flint.arb.pi() * kappa).log() / 2
            found = self._sizes[angle, j] = (math.exp(t), float(size.upper()))
        return found

    def _node(self, angle: float, step: float, j: int) -> tuple[Any, Any]:
        found = self._known.get((angle, step, j))
        if found is None:
            kappa = self.balls[1]
            x, place, slope = self._place(flint.arb(step) * j, angle)
            size = (-place * place / (4 * kappa)).exp() / (4 * flint.arb.pi() * kappa).sqrt()
            found = self._known[angle, step, j] = (x, size * slope * step)
        return found

    def _place(self, t: Any, angle: float) -> tuple[Any, Any, Any]:
        """X, l + kappa and its derivative X/(1 - e^-X) at t."""
        x = flint.acb(t, angle).exp()
        if abs(x) < 1:
            half = (x / 2).sinh()
            place = x / 2 + flint.acb(t, angle) + (2 * half / x).log() + self.shift
            return x, place, x * (x / 2).exp() / (2 * half)
        rest = 1 - (-x).exp()
        return x, x + rest.log() + self.shift, x / rest

    def _cells_between(self, angle: float, places: list[float], stride: int) -> Any:
        """The cells between some of the places, which are neighbours."""
        first, last = places[0], places[-1]
        if stride > 1:
            return columns([self._cell(angle, low, high)
                            for low, high in pairwise([*places[:-1:stride], last])])
        known, table = self._tables.get(angle, ([], None))
        if not (known and known[0] <= first and last <= known[-1]):
            left, right = ([t for t, *_ in self._rough[angle, side]] for side in (-1, 1))
            known = left[::-1] + right
            table = columns([self._cell(angle, a, b) for a, b in pairwise(known)])
            self._tables[angle] = known, table
        return part(table, bisect_left(known, first), bisect_left(known, last))

    def _cell(self, angle: float, low: float, high: float) -> Cell:
        """What bounds the integral of the size of the integrand from low to high, by the mean
        value theorem."""
        known = self._cells.get((angle, low, high))
        if known is None:
            kappa = self.balls[1]
            half, middle = flint.arb(high - low) / 2, flint.arb((low + high) / 2)
            x, place, slope = self._place(middle, angle)
            around = flint.arb(0, half.upper())
            box = flint.acb(middle + around, angle).exp()
            if abs(box) < 1:
                rest = flint.arb(0, (abs(box) * abs(box) / 10).upper())
                steep = 1 + box / 2 + flint.acb(rest, rest)
            else:
                steep = box / (1 - (-box).exp())
            # the logarithm of X/(1 - e^-X) has the derivative 1 + X - X/(1 - e^-X)
            change = 1 + box - steep - (place + steep * around) * steep / (2 * kappa)
            size = (2 * half * abs(slope)).log() - (place * place).real / (4 * kappa)
            moved = [x * half for x in (box.real, box.imag, change.real)]
            known = self._cells[angle, low, high] = (
                float(x.real), float(x.imag), above(size), *(float(x.mid()) for x in moved),
                *(above(abs(x - float(x.mid()))) for x in moved))
        return known

    def _left(self, q: Any, angle: float, t: Any) -> Any:
        """A bound of the integral below t, and of a rule's nodes there."""
        kappa, top = self.balls[1], t.exp()
        far = -(t + self.shift) - top
        if not (far > 0 and top <= 1):
            raise Unsupported("the sum over a ray is cut too early")
        turn = (q * flint.acb(0, angle).exp()).real
        grows = top * flint.arb.max(turn, flint.arb(0))
        aside = abs(flint.arb(angle)) + top
        size = (aside * aside / (4 * kappa) + grows).exp() * (1 + top)
        return size * (far / (2 * kappa.sqrt())).erfc() / 2

    def _right(self, q: Any, angle: float, t: Any) -> Any:
        """A bound of the integral above t, and of a rule's nodes there."""
        kappa, rho = self.balls[1], t.exp()
        turn = flint.acb(0, angle).exp()
        decay = (-rho * turn.real).exp()
        flat = flint.arb(2) * angle
        a = flat.cos() / (4 * kappa)
        b = (q * turn).real - self.shift * turn.real / (2 * kappa)
        if not (rho * turn.real >= 1 and a > 0 and 2 * a * rho > b
                and 2 * a * rho * rho > b * rho + 1):
            raise Unsupported("the sum over a ray is cut too early")
        off = decay / (1 - decay)
        spare = 2 * off * (rho + abs(self.shift)) + off * off - self.shift * self.shift
        size = (spare / (4 * kappa) - a * rho * rho + b * rho).exp() / (2 * a * rho - b)
        return size / (1 - decay) / (4 * flint.arb.pi() * kappa).sqrt()

    # -- chosen in doubles -----------------------------------------------------------------------

    def ends(self, q: complex, angle: float, fall: float) -> tuple[float, float]:
        """Where a rule for an order may be cut: the integrand has fallen by e^-fall from its
        largest."""
        places = self._window(q, angle, fall)[0]
        return places[0], places[-1]

    def _window(self, q: complex, angle: float, fall: float) -> tuple[list[float], list[float]]:
        """Places, and logarithms of the integrand's size, between tails that have fallen by e^-fall
        and where the bounds of tails hold."""
        turn = cmath.exp(1j * angle)
        a = math.cos(2 * angle) / (4 * self.kappa)
        b = (q * turn).real - self.rough_shift * turn.real / (2 * self.kappa)
        # beyond it the bound of the right tail holds, and falls
        edge = math.log(max(1.2 / turn.real, 1.2 * (b + math.sqrt(b * b + 16 * a)) / (4 * a),
                            1.2 / a**0.5))
        if math.exp(min(edge, 99.0)) > MOST_CELLS / 2 * math.sqrt(self.kappa):
            raise Unsupported("the moments need too many cells")
        real, imag = q.real, q.imag
        best, found = -math.inf, []
        for side in (1, -1):
            places: list[float] = []
            heights: list[float] = []
            ends = False
            while not ends:
                part = self._points(angle, side, len(places))
                places += [t for t, *_ in part]
                heights += [real * x - imag * y + z for _, x, y, z in part]
                best = max(best, *heights[-CHUNK:])
                t, falls = places[-1], heights[-1] < min(best - fall, heights[-2])
                ends = falls and (t > edge if side > 0 else self._is_left(t))
            found.append((places, heights))
        (right, above), (left, below) = found
        places, heights = left[::-1] + right, below[::-1] + above
        first, last = 0, len(places) - 1
        while heights[last - 1] < best - fall and places[last - 1] > edge:
            last -= 1
        while heights[first + 1] < best - fall and self._is_left(places[first + 1]) and (
                heights[first + 1] < heights[first + 2]):
            first += 1
        return places[first:last + 1], heights[first:last + 1]

    def _is_left(self, t: float) -> bool:
        """Does the bound of the left tail hold?"""
        return t < -0.2 and -(t + self.rough_shift) - math.exp(t) > 0.1

    def _points(self, angle: float, side: int, start: int) -> list[tuple[float, ...]]:
        """(t, Re X, Im X, log of the size at q = 0) for some t, outwards from 0 on one side."""
        known = self._rough.setdefault((angle, side), [])
        if start + CHUNK > MOST_CELLS:
            raise Unsupported("the moments need too many cells")
        while len(known) < start + CHUNK:
            if known:
                t = known[-1][0]
            else:
                t = -self._width(0.0) if side < 0 else 0.0
                t -= side * self._width(t)
            t += side * self._width(t)
            x, place, slope = self._near(complex(t, angle))
            size = math.log(abs(slope)) - (place * place).real / (4 * self.kappa)
            known.append((t, x.real, x.imag, size))
        return known[start:start + CHUNK]

    def _width(self, t: float) -> float:
        """About half the width of a peak of the integrand at t, whatever the order."""
        x, place, slope = self._near(complex(t, 0.0))
        bend = place * slope * (x.real - slope) + slope * slope
        bend = (abs(bend) + abs(place)) / (2 * self.kappa)
        return float(2.0 ** math.floor(math.log2(min(0.25, 0.7 / math.sqrt(abs(bend) + 1e-9)))))

    def _near(self, t: complex) -> tuple[complex, complex, complex]:
        """X, l + kappa, X/(1 - e^-X) in doubles."""
        x = cmath.exp(t)
        if abs(x) < 1e-4:
            return x, t + x / 2 + self.rough_shift, 1 + x / 2
        rest = 1 - cmath.exp(-x)
        return x, x + cmath.log(rest) + self.rough_shift, x / rest


def _corner(q: Any, angle: float) -> Any:
    """The order in a rectangle at which |e^(qX)| is largest on a ray, everywhere: Re X > 0, and
    Im X has the sign of the angle."""
    return flint.acb(q.real.upper(), q.imag.lower() if angle >= 0 else q.imag.upper())


__all__ = ["Ray", "Rays"]
