"""Moments on vertical lines of overlapping mixtures of two normal distributions.

For (w P + (1 - w) Q, v P + (1 - v) Q), 0 <= v <= w <= 1, with a normal loss of (P, Q), E_q is the
mean over a standard normal n of z1^q z2^(1-q), z1 = 1 - w + w e^l, z2 = 1 - v + v e^l and l =
sqrt(2 kappa) n - kappa.  It is computed by the trapezoidal rule, whose error is proved as follows.

Let b = sqrt(2 kappa) Im n lie in [-pi/2, pi/2].  Then |z| lies between z(Re n) cos(b/2) and
z(Re n), since |x + y e^(ib)|^2 = (x + y)^2 - 2 x y (1 - cos b) and 4 x y <= (x + y)^2; arg z has
the sign of b, |arg z| <= |b|, and |arg z1| >= |arg z2|.  So on the line Im n = y the integrand is
at most c z1^g z2^(1-g) e^(|u| |b|) e^(y^2/2) phi at Re n, c = cos(b/2)^-max(-g, g - 1, 0), and
the rule of step h errs by at most 2 c E_g e^(y^2/2 + |u b|)/(e^(2 pi y/h) - 1) (Trefethen and
Weideman 2014, Theorem 5.1).

For v = 0 and g >= 0 the integrand is z1^q alone.  For |b| < pi, z1 is not 0, |z1| <= z1(Re n),
and arg z1, which lies between 0 and b, has the sign of b: all of this holds up to there with c = 1.

For w = 1 > v > 0 and g >= 1 there is a better bound.  With r = (1/v - 1) e^-l the integrand is
v^(1-g) e^l (1 + r)^(1-g), and |1 + r e^(-ib)| >= 1 + r cos b: on the line it is at most cos b times
the one at l - log cos b, that is at n + a, a = -log(cos b)/sqrt(2 kappa).  So its integral is at
most that of phi(n - a) times the integrand without phi, which is at most e^(n0 a) E_g from the
n <= n0, and v^(1-g) Q(n0 - a - sqrt(2 kappa)) from all others, Q the tail of a normal law; and E_g
is at least the integrand without phi at n1 times Q(n1), for it grows with n.  Nodes left out need
no such factor: |z2| >= v e^l at every b, on the right.  On the left, x = (1 - v) e^-l, |z2|/e^l is
at least v + x cos b and at least x + v cos b: either makes the integrand no larger than a function
whose logarithm is concave, with a slope s at the last node that is taken, where it rises, so that
all nodes beyond add no more than its value there over s.

For u >= 0 the rule may be moved up to the nodes n + iy.  Then the integrand falls with u on the
lines Im n = 0 and 2y between which it lies, and the rule errs by at most E_g (1 + c e^(2 y^2))/
(e^(2 pi y/h) - 1), c that of 2y, at every height: no height makes its step shorter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeGuard

import flint

from lapdp.accounting.moments.lines import LOG2, Number, Sizes
from lapdp.accounting.moments.mixed_bounds import bounds
from lapdp.accounting.moments.mixed_choice import (
    Rule,
    farthest,
    log_left,
    loss,
    lost,
    rule,
    shifts,
    turns,
)
from lapdp.accounting.moments.mixed_coarse import Coarse
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

NODE, TAIL = 4, 8
"""Steps for a node, and for the tail of a normal law."""
MOST_WIDTH = 10_000
"""Standard deviations that the coarse rule may span; orders beyond are not chosen."""
MOST_HALVES = 24
STRIDES, ROOM, TRIALS = (4.0, 2.0, 1.0, 0.5, 0.25), 5.0, 24
"""Of sums that bound decays: steps at once, how much less their ripple is, and lines tried."""

@dataclass(frozen=True)
class MixedNormalSpectrum:
    """The moments of the two mixtures, for every order."""

    first: Number
    second: Number
    kappa: Number
    lower: float = -math.inf
    upper: float = math.inf
    poles: tuple[float, ...] = ()

    @property
    def largest(self) -> Form | None:
        """The losses stay below log(w/v)."""
        w, v = self.first.exact, self.second.exact
        if w == v:
            return Form({})
        return log_form(to_scalar(w / v)) if v != 0 else None

    @cached_property
    def is_sample(self) -> bool:
        """One of (w P + (1 - w) Q, Q), or of (P, (1 - w) P + w Q), 0 < w < 1?"""
        w, v, _ = self.doubles
        return bool((self.second.exact == 0 and 0 < w < 1) or (self.first.exact == 1 and 0 < v < 1))

    @cached_property
    def doubles(self) -> tuple[float, float, float]:
        """The weights and kappa, for choices only."""
        return float(self.first), float(self.second), float(self.kappa)

    def log_moment(self, order: float) -> float:
        """By a coarse rule in doubles."""
        return self._sizes[order]

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(lambda order: self.log_mean(order, 0.0, 0.0))

    def log_usual_moment(self, order: float, log_size: float) -> float:
        """log of the moment without the losses that less than e^log_size of all releases reach,
        for (w P + (1 - w) Q, Q): rare huge losses are most of a moment, but nothing of delta."""
        if self.doubles[1]:
            return self.log_moment(order)
        root = math.sqrt(2 * self.doubles[2])
        last = root + math.sqrt(max(2.0, 2 * (math.log(self.doubles[0] or 1.0) - log_size)))
        if last > MOST_WIDTH / 2:
            return self.log_moment(order)
        ends = -max(9.0, last), last
        found, whole = self._coarse.log_sums(order, 0.0, (0.0,), *ends)[0], self._coarse.log_mass(
            *ends)
        # usual losses have the mass of Q beyond as well: of very many releases it is not to be
        # missed
        return found - whole

    def log_between(self, order: float, low: float, high: float) -> float:
        """log of the moment of what lies between two deviations."""
        return self._coarse.log_sums(order, 0.0, (0.0,), low, high)[0]

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of :meth:`MixedNormalLine.decay` by a coarse rule in doubles."""
        return min(self.log_means(gamma, height, shifts(self.doubles[2])))

    def log_mean(self, order: float, height: float, y: float) -> float:
        """log of the mean of |z1^q z2^(1-q)| on the line Im n = y, with the factor e^(y^2/2)."""
        return self.log_means(order, height, (y,))[0]

    def log_means(self, order: float, height: float, lines: Sequence[float]) -> list[float]:
        """The same on several lines."""
        low, high = self._reach(order)
        if high - low > MOST_WIDTH:
            return [math.inf] * len(lines)
        found = self._coarse.log_sums(order, height, tuple(lines), low, high)
        return [x + y * y / 2 for x, y in zip(found, lines, strict=True)]

    def _reach(self, order: float) -> tuple[float, float]:
        """What the mean at an order is taken over."""
        w, v, kappa = self.doubles
        root = math.sqrt(2 * kappa)
        if w != 1 or not v > 0 or order < 1:
            return -9 - abs(order) * root, 9 + abs(order) * root
        place = self.peak(order)
        return min(place - 9, 0.0), place + 9

    def peak(self, order: float) -> float:
        """Where the integrand is largest for w = 1, at an order from 1 on: log z1 + (q - 1)
        log(z1/z2) is concave and rises."""
        _, v, kappa = self.doubles
        root = math.sqrt(2 * kappa)
        # on a scale of logarithms: orders may be huge
        low, high = root, max(abs(order), 1.0) * root
        for _ in range(MOST_HALVES):
            middle = math.sqrt(low * high)
            rare = (1 - v) * math.exp(min(kappa - root * middle, 700.0))
            rises = root * (1 + (order - 1) * rare / (v + rare)) > middle
            low, high = (middle, high) if rises else (low, middle)
        return high

    @cached_property
    def _coarse(self) -> Coarse:
        return Coarse(*self.doubles)

    def finite_mass(self) -> Any:
        """Normal distributions have the same null sets."""
        return flint.arb(1)

    def terms(self, gamma: float, height: float, bits: int, fall: float = 0.0) -> int:
        """The nodes of the inner rule."""
        return self._rule(gamma, height, bits, fall).nodes

    def line(self, gamma: Any, height: float, bits: int, fall: float = 0.0) -> MixedNormalLine:
        """Nodes, weights and logarithms for heights up to the one given."""
        chosen = self._rule(float(gamma), height, bits, fall)
        if isinstance(gamma, flint.arb) and gamma.is_exact() and gamma == float(gamma):
            return _line(self, float(gamma), chosen, flint.ctx.prec)
        return MixedNormalLine(self, gamma, chosen)

    def _rule(self, gamma: float, height: float, bits: int, fall: float) -> Rule:
        return rule(self.doubles, self.log_moment(gamma), gamma, height, bits * LOG2 + 3, fall)


@lru_cache(maxsize=8)
def _line(spectrum: MixedNormalSpectrum, gamma: float, chosen: Rule, bits: int) -> MixedNormalLine:
    """At the working precision, which is ``bits``: tables one after another ask for the same."""
    return MixedNormalLine(spectrum, flint.arb(gamma), chosen)


class MixedNormalLine(NodalLine):
    """The rule in balls, with its proved error."""

    def __init__(self, spectrum: MixedNormalSpectrum, gamma: Any, chosen: Rule) -> None:
        self.spectrum = spectrum
        self.gamma, self.kappa = gamma, spectrum.kappa.ball()
        self.weights = (spectrum.first.ball(), spectrum.second.ball())
        self.exponents, self.others = (gamma, 1 - gamma), [1 - w for w in self.weights]
        self.root = (2 * self.kappa).sqrt()
        self.step, self.first, self.last = flint.arb(chosen.step), chosen.first, chosen.last
        self.width, self.shift = flint.arb(chosen.width), flint.arb(chosen.shift)
        self.keeps = bool(self.weights[1].is_zero() and gamma >= 0)
        widest = flint.arb.pi() if self.keeps else flint.arb.pi() / 2
        if not (self.width + self.shift) * self.root < widest:
            raise Unsupported("the strip of the inner rule is too wide")
        self.turns = turns(spectrum.doubles, float(gamma)) and gamma >= 1 and self.weights[0] == 1
        self.least = self._least() if self.turns else flint.arb(0)
        self.slack = self._slack(self.width + self.shift)
        normal = self.step / (2 * flint.arb.pi()).sqrt()
        above = self._above(self.shift) if chosen.shift else None
        nodes: list[tuple[Any, Any]] = []
        spend(NODE * (self.last - self.first + 1))
        for j in range(self.first, self.last + 1):
            n = self.step * j
            one, two = self._logs(n, above)
            if above is not None:
                n = flint.acb(n, self.shift)
            size = gamma * one + self.exponents[1] * two
            # the size is part of the weight: only the turn is left for each height
            nodes.append((normal * (size - n * n / 2).exp(), one - two))
        self.nodes = Nodes(nodes)
        self.tails = self._beyond()
        # on the line of the nodes
        self.left_out = self._cut(self.shift) * (self.shift**2 / 2).exp()
        if not self.left_out.is_finite():
            raise Unsupported("the inner sum is cut too early")
        far = self.width + self.shift
        share = self.ripple = (self.slack * (far * far / 2).exp() + (
            1 if chosen.shift else self.slack * (far * far / 2).exp())) / (
            (2 * flint.arb.pi() * self.width / self.step).exp() - 1)
        if not share < 1:
            raise Unsupported("the step of the inner rule is too large")
        middle = abs(self.nodes.total()) + flint.arb(0, self.left_out)
        self.mean = (middle / (1 - share)).upper()

    def _slack(self, y: Any) -> Any:
        """c on the lines |Im n| <= y, or c'."""
        found = self._plain_slack(y)
        if not self.turns:
            return found
        b = self.root * y
        a = -b.cos().log() / self.root
        last = flint.arb(max(0.0, farthest(self.spectrum.doubles, self.whole, float(self.gamma),
                                           float(b))))
        rare = self.weights[1] ** (1 - self.gamma) * right_tail(last - a - self.root)
        other = (last * a).exp() + rare / self.least
        return found.min(other) if other.is_finite() else found

    def _plain_slack(self, y: Any) -> Any:
        """c, at every place."""
        if self.keeps:
            return flint.arb(1)
        lowest = flint.arb.max(flint.arb.max(-self.gamma, self.gamma - 1), flint.arb(0))
        return (-lowest * (self.root * y / 2).cos().log()).exp()

    def _cut(self, y: Any) -> Any:
        """The nodes left out, on the line Im n = y without e^(y^2/2)."""
        if not self.turns:
            return self._plain_slack(y) * self.tails
        n, v, c = self.step * self.first, self.weights[1], (self.root * y).cos().max(flint.arb(0))
        rise = (self.root * n - self.kappa).exp()
        x, best = self.others[1] / rise, flint.arb.pos_inf()
        for near, far in ((v, c * x), (c * v, x)):
            slope = self.root * (1 + (self.gamma - 1) * far / (near + far)) - n
            if slope > 0:
                best = best.min(rise * (near + far) ** (1 - self.gamma) / slope)
        return best * (-n * n / 2).exp() / (2 * flint.arb.pi()).sqrt() + self.tails

    def _least(self) -> Any:
        """A lower bound of E_gamma."""
        place = flint.arb(max(0.0, self.spectrum.peak(float(self.gamma))))
        one, two = self._logs(place)
        size = self.gamma * one + self.exponents[1] * two
        return (size.exp() * right_tail(place)).lower()

    @property
    def whole(self) -> float:
        """log E_gamma, nearly: a choice."""
        return float(self.least.log())

    def _above(self, y: Any) -> tuple[Any, Any]:
        """The imaginary part of the loss l at n + iy, and its turn."""
        return self.root * y, flint.acb(0, self.root * y).exp()

    def _logs(self, n: Any, above: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
        """log z1 and log z2 at a real n, or above it."""
        loss = self.root * n - self.kappa
        ratio = loss.exp() if above is None else loss.exp() * above[1]
        found = []
        for w, rest in zip(self.weights, self.others, strict=True):
            if w.is_zero():
                found.append(w)
            elif rest.is_zero():
                found.append(loss if above is None else flint.acb(loss, above[0]))
            else:
                found.append((rest + w * ratio).log())
        return found[0], found[1]

    def _beyond(self) -> Any:
        """The nodes left out: sums over n < first, where no concave function bounds them, and n >
        last.

        By :func:`lapdp.accounting.moments.mixed_bounds.bounds` the integrand is at most a sum of
        c e^(d l) phi = c' phi(n - d sqrt(2 kappa)), and a sum of falling terms is at most an
        integral from the last node taken.
        """
        total = flint.arb(0)
        for side, last in ((-1, -self.step * self.first), (1, self.step * self.last)):
            for c, d in [] if self.turns and side < 0 else bounds(
                    self.weights, self.exponents, side):
                if c.is_zero():
                    continue
                beyond = last - side * d * self.root
                if not beyond > 1:
                    raise Unsupported("the inner sum is cut too early")
                total += c * (d * (d - 1) * self.kappa).exp() * right_tail(beyond)
        return total.upper()

    def error(self, u: Any) -> Any:
        """The nodes left out, and ripples, which grow with the height if the nodes are real."""
        grows = (abs(u) * self.root * self.width).exp() if self.shift.is_zero() else 1
        return self.left_out + self.mean * self.ripple * grows

    def at(self, u: Any) -> Any:
        """E_(gamma + iu); the bounds of nodes that are moved hold for u >= 0."""
        if self.shift.is_zero() or u >= 0:
            return super().at(u)
        if u <= 0:
            return super().at(-u).conjugate()
        raise Unsupported("the sign of a height is open")

    def decay(self, height: Any) -> Any:
        """By the shift n -> n + iy: |E| <= e^(y^2/2) times the mean of |z1^q z2^(1-q)| there, which
        falls as u grows, since arg z1 >= arg z2; the best of a few y, chosen in doubles."""
        if not height > 0:
            return self.mean
        gamma, top = float(self.gamma), float(height)
        cut = float(self.tails.log()) if self.tails > 0 else -math.inf
        numbers, root = self.spectrum.doubles, float(self.root)
        lines = shifts(numbers[2])

        def left_out(y: float) -> float:
            found = max(cut, log_left(numbers, gamma, float(self.step) * self.first, root * y)
                        ) if self.turns else cut + loss(numbers, gamma, root * y)
            return found + y * y / 2

        best, size = min(zip(lines, self.spectrum.log_means(gamma, top, lines), strict=True),
                         key=lambda row: max(row[1], left_out(row[0])))
        with workprec(64):
            return min(self.mean, self._shifted(flint.arb(best), height, size))

    def _shifted(self, y: Any, height: Any, likely: float) -> Any:
        """An upper bound of e^(y^2/2) E |z1^q z2^(1-q)| at n + iy, q = gamma + i height.

        With F(n) = q log z1 + (1 - q) log z2 the integrand exp((F(n + iy) + conj F(n - iy))/2) phi
        is analytic in n.  arg z1 - arg z2 does not fall as b grows, so that on Im n = s, with
        sqrt(2 kappa) (|s| + y) = b <= pi/2, it is at most c z1^g z2^(1-g) phi e^(s^2/2).  The step
        may be a multiple of that of the nodes, or a part: where the mean is about e^``likely`` its
        ripple is less.  All that is left out lies beyond the nodes of the rule, where terms fall.
        """
        total, above = flint.arb(0), self._above(y)
        stride, rest = self._stride(float(y), likely)
        step = self.step * stride
        for j in range(math.floor(self.first / stride), math.ceil(self.last / stride) + 1):
            n = step * j
            one, two = self._logs(n, above)
            size = self.gamma * one.real + self.exponents[1] * two.real
            total += (size - height * (one.imag - two.imag) - n * n / 2).exp()
        total = total * step / (2 * flint.arb.pi()).sqrt() + self._cut(y)
        if not (rest > 0 and self.root * (rest + y) < flint.arb.pi() / 2):
            raise Unsupported("the strip of the inner rule is too wide")
        ripple = 2 * self._slack(rest + y) * (rest * rest / 2).exp() / (
            (2 * flint.arb.pi() * rest / step).exp() - 1)
        return ((y * y / 2).exp() * (total + self.mean * ripple)).upper()

    def _stride(self, y: float, likely: float) -> tuple[float, Any]:
        """So many steps at once, and s: a choice, for a mean of about e^``likely``, which many
        copies see fall however little it is below E_gamma."""
        fallen = likely - float(self.mean.log())
        room = min(fallen, math.log(max(-math.expm1(fallen), 1e-300))) - y * y / 2 - ROOM
        for stride in STRIDES:
            rest, ripple = self._rest(y, stride)
            if ripple < room:
                break
        return stride, flint.arb(rest)

    def _rest(self, y: float, stride: float) -> tuple[float, float]:
        """The best s for that, nearly, and the logarithm of the ripple, relative to the mean."""
        gamma, step, root = float(self.gamma), float(self.step) * stride, float(self.root)
        most = math.pi / 2 / root * (1 - 2.0**-40) - y
        numbers, whole = self.spectrum.doubles, self.whole if self.turns else 0.0
        ripple, rest = min((lost(numbers, whole, gamma, root * (s + y)) + s * s / 2
                            - 2 * math.pi * s / step + LOG2, s)
                           for s in (most * k / TRIALS for k in range(1, TRIALS + 1)))
        return rest, ripple


def has_hits(s: Any) -> TypeGuard[MixedNormalSpectrum]:
    """Is it a subsampled Gaussian whose losses have no bound?"""
    return (isinstance(s, MixedNormalSpectrum) and s.second.exact == 0
            and 0 < s.doubles[0] < 1)


def right_tail(x: Any) -> Any:
    """The right tail of a normal law."""
    spend(TAIL)
    return (x / flint.arb(2).sqrt()).erfc() / 2


__all__ = ["MixedNormalLine", "MixedNormalSpectrum", "has_hits", "right_tail"]
