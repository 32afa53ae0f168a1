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

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import flint

from lapdp.accounting.moments.ray_cells import (
    Cell,
    above,
    columns,
    exponentials,
    part,
    summed,
)
from lapdp.accounting.moments.ray_places import Places, covering
from lapdp.core.effort import spend
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

@dataclass(frozen=True)
class Ray:
    """A rule on one ray: nodes step * j, first <= j <= last, error proved by the rays beside."""

    angle: float
    beside: float
    step: float
    first: int
    last: int


class Powers(NamedTuple):
    """A matrix of X^n/n! at the nodes from ``first`` to before ``last``."""

    first: int
    last: int
    counts: dict[int, int]
    matrix: Any


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
    _powers: dict[Ray, Powers] = field(default_factory=dict)
    _sizes: dict[float, tuple[int, list[tuple[float, float]], Any]] = field(default_factory=dict)
    _cells: dict[tuple[float, float, float], Cell] = field(default_factory=dict)
    _tables: dict[tuple[float, int], tuple[list[float], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        w, kappa = self.balls
        self.shift = kappa - (w / (1 - w)).log()
        self._places = Places(self.kappa,
                              self.kappa - math.log(self.weight / (1 - self.weight)))

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

    def powers(self, ray: Ray, counts: dict[int, int], room: Callable[[int], int]) -> Powers:
        """The matrix of X^n/n!, a row for each of the nodes between some: n below its count, or
        more; zeros for others.  If it is made anew, for as many as ``room`` says."""
        known = self._powers.get(ray)
        if known is None or any(count > known.counts.get(j, 0) for j, count in counts.items()):
            old = known.counts if known else {}
            wanted = {j: max(room(counts.get(j, 1)), old.get(j, 0)) for j in {*old, *counts}}
            first, last, width = min(wanted), max(wanted) + 1, max(wanted.values())
            none, rows, nodes = flint.acb(0), [], self.nodes(ray)
            spend(sum(wanted.values()))
            for j in range(first, last):
                row, x = [flint.acb(1)], nodes[j][0]
                for n in range(1, wanted.get(j, 1)):
                    row.append(row[-1] * x / n)
                rows.append(row + [none] * (width - len(row)))
            known = self._powers[ray] = Powers(first, last, wanted, flint.acb_mat(rows))
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
            low, high, cells = self._cells_between(angle, stride, *self.ends(
                complex(float(q.real), float(q.imag)), angle, 40.0))
            # Re X > 0, and Im X has the sign of the angle
            total = summed(cells, math.nextafter(float(q.real), math.inf),
                           math.nextafter(float(q.imag), -math.copysign(math.inf, angle)))
            total /= (4 * flint.arb.pi() * self.balls[1]).sqrt()
            return (total + self._left(q, angle, flint.arb(low))
                    + self._right(q, angle, flint.arb(high))).upper()

    def fine_size(self, s: float, angle: float) -> Any:
        """A sharp bound of the same where Re(q e^(ia)) is s, for 0 <= angle <= ``WIDEST``."""
        with workprec(ROUGH):
            q, aside = flint.acb(0, -angle).exp() * flint.arb(s), flint.arb(ASIDE)
            low, high = (math.floor(t / FINE) for t in self.ends(complex(
                float(q.real), float(q.imag)), angle, 40.0))
            if not abs(s) * math.exp(high * FINE) < MOST_EXPONENT:
                raise Unsupported("a size is too large for doubles")
            total = exponentials(self._log_sizes(angle, low, high), s)
            beside = self.size(q, angle + ASIDE, COARSE) * self.size(q, angle - ASIDE, COARSE)
            ripple = 2 * beside.sqrt() / ((2 * flint.arb.pi() * aside / FINE).exp() - 1)
            return (total * FINE * (1 + SLACK) + ripple
                    + self._left(q, angle, flint.arb(low * FINE))
                    + self._right(q, angle, flint.arb(high * FINE))).upper()

    def _log_sizes(self, angle: float, low: int, high: int) -> Any:
        """|X| and the logarithm of the integrand's size at q = 0, divided by sqrt(4 pi kappa), at
        the multiples of the step from one to another, as a table."""
        start, rows, table = self._sizes.get(angle, (low, [], None))
        if table is None or low < start or high >= start + len(rows):
            below = [self._log_size(angle, j) for j in range(low, start)]
            rows = below + rows + [self._log_size(angle, j)
                                   for j in range(start + len(rows), high + 1)]
            start = min(low, start)
            table = columns(rows)
            self._sizes[angle] = start, rows, table
        return part(table, low - start, high + 1 - start)

    def _log_size(self, angle: float, j: int) -> tuple[float, float]:
        kappa, t = self.balls[1], j * FINE
        _, place, slope = self._place(flint.arb(t), angle)
        size = abs(slope).log() - (place * place).real / (4 * kappa)
        size -= (4 * flint.arb.pi() * kappa).log() / 2
        return math.exp(t), float(size.upper())

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
        spend(12)
        x = flint.acb(t, angle).exp()
        if abs(x) < 1:
            half = (x / 2).sinh()
            place = x / 2 + flint.acb(t, angle) + (2 * half / x).log() + self.shift
            return x, place, x * (x / 2).exp() / (2 * half)
        rest = 1 - (-x).exp()
        return x, x + rest.log() + self.shift, x / rest

    def ends(self, q: complex, angle: float, fall: float) -> tuple[float, float]:
        """Where a rule for an order may be cut: the integrand has fallen by e^-fall from its
        largest."""
        return self._places.between(q, angle, fall)

    def _cells_between(self, angle: float, stride: int, low: float, high: float
                       ) -> tuple[float, float, Any]:
        """Two places, at these or beyond, and the cells between them."""
        known, table = self._tables.get((angle, stride), ([], None))
        if not (known and known[0] <= low and high <= known[-1]):
            known = self._places.beyond(angle, low, high, stride)
            table = columns([self._cell(angle, a, b) for a, b in pairwise(known)])
            self._tables[angle, stride] = known, table
        first, last = covering(known, low, high)
        return known[first], known[last], part(table, first, last)

    def _cell(self, angle: float, low: float, high: float) -> Cell:
        """What bounds the integral of the size of the integrand from low to high, by the mean
        value theorem."""
        known = self._cells.get((angle, low, high))
        if known is None:
            spend(12)
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


def _corner(q: Any, angle: float) -> Any:
    """The order in a rectangle at which |e^(qX)| is largest on a ray, everywhere: Re X > 0, and
    Im X has the sign of the angle."""
    return flint.acb(q.real.upper(), q.imag.lower() if angle >= 0 else q.imag.upper())


__all__ = ["Ray", "Rays"]
