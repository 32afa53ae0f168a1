"""Moments on vertical lines of overlapping mixtures of two normal distributions.

For (w P + (1 - w) Q, v P + (1 - v) Q), 0 <= v <= w <= 1, with a normal loss of (P, Q), E_q is the
mean over a standard normal n of z1^q z2^(1-q), z1 = 1 - w + w e^l, z2 = 1 - v + v e^l and l =
sqrt(2 kappa) n - kappa.  It is computed by the trapezoidal rule, whose error is proved as follows.

Let b = sqrt(2 kappa) Im n lie in [-pi/2, pi/2].  Then |z| lies between z(Re n)/sqrt(2) and
z(Re n), since cos b >= 0; arg z has the sign of b, |arg z| <= |b|, and |arg z1| >= |arg z2|.  So on
the line Im n = y the integrand is at most c z1^g z2^(1-g) e^(|u| |b|) e^(y^2/2) phi at Re n, where
c = sqrt(2)^max(-g, g - 1, 0), and the rule of step h errs by at most 2 c E_g e^(y^2/2 + |u b|)
/(e^(2 pi y/h) - 1) (Trefethen and Weideman 2014, Theorem 5.1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2, Number
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.form import Form
from lapdp.calculus.logs import log_form
from lapdp.core.errors import Unsupported

MOST_NODES = 200_000
MOST_WIDTH = 10_000
"""Standard deviations that the coarse rule may span; orders beyond are not chosen."""


@dataclass(frozen=True)
class MixedNormalSpectrum:
    """The moments of the two mixtures, for every order."""

    first: Number
    second: Number
    kappa: Number
    lower: float = -math.inf
    upper: float = math.inf

    @property
    def largest(self) -> Form | None:
        """The losses stay below log(w/v)."""
        w, v = self.first.exact, self.second.exact
        if w == v:
            return Form({})
        return log_form(to_scalar(w / v)) if v != 0 else None

    def log_moment(self, order: float) -> float:
        """By a coarse rule in doubles."""
        return _log_mean(self, order, 0.0, 0.0)

    def log_decay(self, gamma: float, height: float) -> float:
        """The bound of :meth:`MixedNormalLine.decay` by a coarse rule in doubles."""
        return min(_log_mean(self, gamma, height, y) for y in shifts(float(self.kappa)))

    def finite_mass(self) -> Any:
        """Normal distributions have the same null sets."""
        return flint.arb(1)

    def terms(self, gamma: float, height: float, bits: int) -> int:
        """The nodes of the inner rule."""
        chosen = rule(self, gamma, height, bits * LOG2 + 3)
        return chosen.last - chosen.first + 1

    def line(self, gamma: Any, height: float, bits: int) -> MixedNormalLine:
        """Nodes, weights and logarithms for heights up to the one given."""
        return MixedNormalLine(self, gamma, height, bits)


def shifts(kappa: float) -> list[float]:
    """The y among which the bound of the decay takes the best."""
    most = math.pi / 4 / math.sqrt(2 * kappa)
    return [most * share for share in (1 / 64, 1 / 16, 1 / 4, 1 / 2, 1.0)]


@dataclass(frozen=True)
class Rule:
    """Nodes step * j for first <= j <= last, analytic up to |Im n| <= width."""

    step: float
    first: int
    last: int
    width: float


def rule(spectrum: MixedNormalSpectrum, gamma: float, height: float, goal: float) -> Rule:
    """A rule whose error is about e^-goal, relative to E_gamma."""
    root = math.sqrt(2 * float(spectrum.kappa))
    most = math.pi / 2 / root * (1 - 2.0**-40)
    goal += max(-gamma, gamma - 1, 0.0)

    def step(y: float) -> float:
        return 2 * math.pi * y / (goal + y * y / 2 + height * root * y)

    width = max((most * k / 64 for k in range(1, 65)), key=step)
    # a power of 2: nodes are exact numbers
    h = 2.0 ** math.floor(math.log2(step(width)))
    lost = 0.0
    for weight, power in ((spectrum.first, gamma), (spectrum.second, 1 - gamma)):
        share = float(weight)
        if power > 0:
            lost += power * (1 - math.log(max(share, 1 - share)))
        elif share < 1:
            lost -= power * -math.log1p(-share)
    tilt = max(abs(gamma), abs(1 - gamma)) * root
    reach = tilt + math.sqrt(2 * (goal + lost) + tilt * tilt) + 2
    found = Rule(h, -math.ceil(reach / h), math.ceil(reach / h), width)
    if found.last - found.first > MOST_NODES:
        raise Unsupported(f"the moments need {found.last - found.first} nodes: too many")
    return found


class MixedNormalLine(NodalLine):
    """The rule in balls, with its proved error."""

    def __init__(self, spectrum: MixedNormalSpectrum, gamma: Any, height: float, bits: int
                 ) -> None:
        self.spectrum = spectrum
        self.gamma, self.kappa = gamma, spectrum.kappa.ball()
        self.weights = (spectrum.first.ball(), spectrum.second.ball())
        self.exponents = (gamma, 1 - gamma)
        self.root = (2 * self.kappa).sqrt()
        chosen = rule(spectrum, float(gamma), height, bits * LOG2 + 3)
        self.step, self.first, self.last = flint.arb(chosen.step), chosen.first, chosen.last
        self.width = flint.arb(chosen.width)
        if not self.width * self.root < flint.arb.pi() / 2:
            raise Unsupported("the strip of the inner rule is too wide")
        lowest = max(-float(gamma), float(gamma) - 1, 0.0)
        self.slack = (flint.arb(2).log() / 2 * lowest * (1 + flint.arb(2) ** -30)).exp()
        normal = self.step / (2 * flint.arb.pi()).sqrt()
        nodes: list[tuple[Any, Any]] = []
        for j in range(self.first, self.last + 1):
            n = self.step * j
            logs = self._logs((self.root * n - self.kappa).exp())
            size = sum(p * log for p, log in zip(self.exponents, logs, strict=True))
            # the size is part of the weight: only the turn is left for each height
            nodes.append((normal * (size - n * n / 2).exp(), logs[0] - logs[1]))
        self.nodes = Nodes(nodes)
        self.cut = self._beyond()
        middle = self.nodes.total() + flint.arb(0, self.cut)
        share = self.ripple = 2 * self.slack * (self.width * self.width / 2).exp() / (
            (2 * flint.arb.pi() * self.width / self.step).exp() - 1)
        if not share < 1:
            raise Unsupported("the step of the inner rule is too large")
        self.mean = (middle / (1 - share)).upper()

    def _logs(self, ratio: Any) -> tuple[Any, Any]:
        """log z1 and log z2 where e^l is ``ratio``."""
        first, second = ((1 - w + w * ratio).log() for w in self.weights)
        return first, second

    def _beyond(self) -> Any:
        """The nodes left out: sums over n < first and n > last.

        z^p <= 2^p ((1-w)^p + w^p e^(p l)) for p >= 0; for p < 0, z^p <= (1-w)^p, or e^(p l) at w =
        1.  So the integrand is at most a sum of c e^(d l) phi = c' phi(n - d sqrt(2 kappa)), and a
        sum of falling terms is at most an integral from the last node taken.
        """
        terms: list[tuple[Any, Any]] = [(flint.arb(1), flint.arb(0))]
        for w, p in zip(self.weights, self.exponents, strict=True):
            if p >= 0:
                two = flint.arb(2) ** p
                powers = [(two * _power(1 - w, p), flint.arb(0)), (two * _power(w, p), p)]
            elif w < 1:
                powers = [((1 - w) ** p, flint.arb(0))]
            elif w == 1:
                powers = [(flint.arb(1), p)]
            else:
                raise Unsupported("a weight is not seen to be 1, nor below 1")
            terms = [(c * x, d + y) for c, d in terms for x, y in powers]
        total = flint.arb(0)
        for c, d in terms:
            shift = d * self.root
            below, above = -self.step * self.first + shift, self.step * self.last - shift
            if not (below > 1 and above > 1):
                raise Unsupported("the inner sum is cut too early")
            size = c * (d * (d - 1) * self.kappa).exp()
            total += size * (_right_tail(below) + _right_tail(above))
        return total.upper()

    def error(self, u: Any) -> Any:
        """The nodes left out, and ripples that grow with the height."""
        return self.cut + self.mean * self.ripple * (abs(u) * self.root * self.width).exp()

    def decay(self, height: Any) -> Any:
        """By the shift n -> n + iy: |E| <= e^(y^2/2) times the mean of |z1^q z2^(1-q)| there, which
        falls as u grows, since arg z1 >= arg z2; the best of a few y, chosen in doubles."""
        if not height > 0:
            return self.mean
        gamma, top = float(self.gamma), float(height)
        best = min(shifts(float(self.spectrum.kappa)),
                   key=lambda y: _log_mean(self.spectrum, gamma, top, y))
        with flint.ctx.workprec(64):
            return min(self.mean, self._shifted(flint.arb(best), height))

    def _shifted(self, y: Any, height: Any) -> Any:
        """An upper bound of e^(y^2/2) E |z1^q z2^(1-q)| at n + iy, q = gamma + i height.

        With F(n) = q log z1 + (1 - q) log z2 the integrand exp((F(n + iy) + conj F(n - iy))/2) phi
        is analytic in n.  arg z1 - arg z2 does not fall as b grows, so that on Im n = s, with
        sqrt(2 kappa) (|s| + y) <= pi/2, it is at most c z1^g z2^(1-g) phi e^(s^2/2).
        """
        total = flint.arb(0)
        turn = flint.acb(0, self.root * y).exp()
        for j in range(self.first, self.last + 1):
            n = self.step * j
            one, two = self._logs((self.root * n - self.kappa).exp() * turn)
            size = self.exponents[0] * one.real + self.exponents[1] * two.real
            total += (size - height * (one.imag - two.imag) - n * n / 2).exp()
        total = total * self.step / (2 * flint.arb.pi()).sqrt() + self.slack * self.cut
        rest = flint.arb.pi() / 2 / self.root * (1 - flint.arb(2) ** -40) - y
        ripple = 2 * self.slack * (rest * rest / 2).exp() / (
            (2 * flint.arb.pi() * rest / self.step).exp() - 1)
        return ((y * y / 2).exp() * (total + self.mean * ripple)).upper()


def _power(x: Any, p: Any) -> Any:
    """x^p for p >= 0 and a ball of numbers >= 0, the power of the upper end."""
    top = x.upper()
    return flint.arb(0) if not top > 0 and p > 0 else top**p


def _right_tail(x: Any) -> Any:
    return (x / flint.arb(2).sqrt()).erfc() / 2


def _log_mean(spectrum: MixedNormalSpectrum, order: float, height: float, y: float) -> float:
    """log of the mean of |z1^q z2^(1-q)| on the line Im n = y, with the factor e^(y^2/2)."""
    w, v, kappa = (float(x) for x in (spectrum.first, spectrum.second, spectrum.kappa))
    root = math.sqrt(2 * kappa)
    tilt = order * root
    low, high = min(-9.0, tilt - 9, -tilt - 9), max(9.0, tilt + 9)
    if high - low > MOST_WIDTH:
        return math.inf
    steps = int((high - low) * 5)
    turn = complex(math.cos(root * y), math.sin(root * y))
    logs = []
    for j in range(steps + 1):
        n = low + (high - low) * j / steps
        ell = root * n - kappa
        size = angle = 0.0
        for share, power, sign in ((w, order, 1), (v, 1 - order, -1)):
            if share == 1:
                log, arg = ell, root * y
            elif ell > 300:
                log, arg = (math.log(share) + ell, root * y) if share else (0.0, 0.0)
            else:
                z = 1 - share + share * math.exp(ell) * turn
                log, arg = math.log(abs(z)), math.atan2(z.imag, z.real)
            size, angle = size + power * log, angle + sign * arg
        logs.append(size - height * angle - n * n / 2)
    top = max(logs)
    total = sum(math.exp(x - top) for x in logs) * (high - low) / steps
    return top + math.log(total / math.sqrt(2 * math.pi)) + y * y / 2


__all__ = ["MixedNormalLine", "MixedNormalSpectrum", "Rule", "rule", "shifts"]
