"""Overlapping mixtures of two normal distributions: the rule for their moments, in doubles.

The rule, its ripple and its cut are those that :mod:`lapdp.accounting.moments.mixed_normal` proves.
Here the loss log(z1/z2) = log1p((w - v)(e^l - 1)/z2) is computed without cancellation, and E_q - 1
as the P-mean of e^((q-1) loss) - 1, so that nothing is lost where one release leaks little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from lapdp.accounting.doubles.bounded import UNIT, Bounded, where
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 4_000
LARGE = 600.0
"""e to it is a double."""
SAFE = 1 + 1e-9
"""Covers the rounding of bounds."""


@dataclass(frozen=True, eq=False)
class MixedNormal:
    """The numbers of a spectrum as doubles."""

    w: Bounded
    v: Bounded
    rest_w: Bounded
    rest_v: Bounded
    gap: Bounded
    """w - v."""
    kappa: Bounded
    root: Bounded
    """sqrt(2 kappa)."""

    @staticmethod
    def of(spectrum: MixedNormalSpectrum) -> MixedNormal:
        """Each number rounded once, from balls."""
        with workprec(160):
            w, v, kappa = (x.ball() for x in (spectrum.first, spectrum.second, spectrum.kappa))
            return MixedNormal(*(Bounded.of_ball(x) for x in (
                w, v, 1 - w, 1 - v, w - v, kappa, (2 * kappa).sqrt())))

    def loss(self, n: Any) -> tuple[Bounded, Bounded]:
        """log z1 and log(z1/z2) at an array of exact numbers."""
        ell = self.root * n - self.kappa
        one, two = (_log_mean_of_two(x, rest, ell)
                    for x, rest in ((self.w, self.rest_w), (self.v, self.rest_v)))
        far = np.abs(ell.value) > LARGE
        near = Bounded(np.where(far, 0.0, ell.value), ell.error)
        growth = near.expm1()
        ratio = self.gap * growth / (self.rest_v + self.v * near.exp())
        # a ratio near -1 is the case of small z1: the difference loses nothing there
        plain = far | (ratio.value < -0.5)
        small = Bounded(np.where(plain, 0.0, ratio.value), ratio.error).log1p()
        return one, where(plain, one - two, small)

    @cached_property
    def widest(self) -> float:
        """Below pi/2/root: the half-width of the strip in which the integrand is bounded."""
        return math.pi / 2 / float(self.root.value) * (1 - 2.0**-40)


def _log_mean_of_two(share: Bounded, rest: Bounded, ell: Bounded) -> Bounded:
    """log(1 - w + w e^l)."""
    if share.value == 0 or rest.value == 0:
        return Bounded.exact(0 * ell.value) if share.value == 0 else ell
    far = ell.value > LARGE
    near = Bounded(np.where(far, 0.0, ell.value), ell.error)
    change = share * near.expm1()
    # where next to nothing is left of 1 the sum of both parts is sharper
    low = change.value < -0.5
    direct = where(low, (rest + share * near.exp()).log(),
                   Bounded(np.where(low, 0.0, change.value), change.error).log1p())
    if not far.any():
        return direct
    # the other part of the mean is below e^-600 / w
    size = math.exp(-LARGE) / share.value
    return where(far, ell + share.log() + Bounded(0.0, size), direct)


Terms = list[tuple[float, float]]
"""(log c, d): the integrand is at most the sum of c e^(d l) phi."""


def _majorants(numbers: MixedNormal, gamma: float) -> Terms:
    """As :meth:`MixedNormalLine._beyond`; logarithms rounded upwards."""
    terms: Terms = [(0.0, 0.0)]
    for w, rest, p in ((numbers.w, numbers.rest_w, gamma), (numbers.v, numbers.rest_v, 1 - gamma)):
        if p >= 0:
            powers = [(p * (LOG2 + math.log(x.value)), d) for x, d in ((rest, 0.0), (w, p))
                      if x.value > 0]
        else:
            powers = [(p * math.log(rest.value), 0.0)] if rest.value > 0 else [(0.0, p)]
        terms = [(c + x + 1e-9 + 1e-12 * abs(x), d + e) for c, d in terms for x, e in powers]
    return terms


@dataclass(frozen=True, eq=False)
class Nodes:
    """A rule for one line: log z1 phi and the losses at its nodes, and what it leaves out."""

    step: float
    width: float
    base: Bounded
    """log of step z1 phi."""
    loss: Bounded
    n: Any
    log_mass_cut: float
    """A bound of log of what is left out at order 1."""


def nodes_of(numbers: MixedNormal, gamma: float, height: float, goal: float, size: float) -> Nodes:
    """``size`` is about log E_gamma; the errors of the rule are about e^-goal E_gamma."""
    kappa, root = float(numbers.kappa.value), float(numbers.root.value)
    slack = max(-gamma, gamma - 1, 0.0) * LOG2 / 2

    def finest(y: float) -> float:
        return 2 * math.pi * y / (goal + slack + y * y / 2 + height * root * y)

    width = max((numbers.widest * k / 16 for k in range(1, 17)), key=finest)
    h = _short(finest(width))
    here, mass = _majorants(numbers, gamma), _majorants(numbers, 1.0)
    first = last = 0.0
    for terms, level in ((here, size), (mass, 0.0)):
        for c, d in terms:
            reach = math.sqrt(max(2.0, 2 * (goal + c + d * (d - 1) * kappa - level + 2))) + 0.1
            first, last = max(first, reach - d * root), max(last, reach + d * root)
    low, high = -math.ceil(first / h), math.ceil(last / h)
    if high - low >= MOST_NODES:
        raise Unsupported(f"the moments need {high - low + 1} nodes in doubles: too many")
    n = h * np.arange(low, high + 1)
    one, loss = numbers.loss(n)
    squares = n * n / 2
    scale = Bounded(math.log(h / math.sqrt(2 * math.pi)), 64 * UNIT)
    base = one - Bounded(squares, 2 * UNIT * squares) + scale
    cut = log_cut(numbers, 1.0, float(n[0]), float(n[-1]))
    return Nodes(h, width, base, loss, n, cut)


def log_cut(numbers: MixedNormal, gamma: float, low: float, high: float) -> float:
    """A bound of log of the integrand at all nodes beyond two, times the step.

    A sum of falling terms is at most the integral, and Pr[N > x] <= e^(-x^2/2)/2.
    """
    kappa, root = float(numbers.kappa.value), float(numbers.root.value)
    found = -math.inf
    for c, d in _majorants(numbers, gamma):
        for x in (d * root - low, high - d * root):
            if not x > 1:
                raise Unsupported("the inner sum is cut too early")
            log = c + d * (d - 1) * kappa - x * x / 2
            found = float(np.logaddexp(found, log + 1e-9 + 1e-12 * (abs(log) + x * x)))
    return found


def _short(x: float) -> float:
    """A number just below x of 12 bits: its whole multiples are exact in doubles."""
    mantissa, power = math.frexp(x)
    return math.ldexp(math.floor(mantissa * 4096), power - 12)


def ripple_of(gamma: float, width: float, step: float, turn: float) -> float:
    """The error of the rule as a share of E_gamma; ``turn`` is |u| sqrt(2 kappa)."""
    slack, fall = max(-gamma, gamma - 1, 0.0) * LOG2 / 2, 2 * math.pi * width / step
    size = slack + width * width / 2 + turn * width - fall - math.log(-math.expm1(-fall))
    return SAFE * 2 * math.exp(min(size, LARGE))


@dataclass(frozen=True, eq=False)
class Sizes:
    """E_gamma by a rule, and the shares of its nodes."""

    log_mean: Bounded
    shares: Any
    """Weights over their sum."""
    errors: Any
    """Relative errors of the shares."""
    lost: float
    """Ripple and cut at height 0, as a share of E_gamma."""


def sizes_of(nodes: Nodes, gamma: float, log_cut: float) -> Sizes:
    """E_gamma by the P-weights of the nodes; ``log_cut`` is that of gamma."""
    tilt = nodes.loss * _difference(gamma, 1.0)
    exponent = nodes.base + tilt
    top = float(exponent.value.max())
    weights = (exponent - top).exp()
    total = weights.sum()
    ripple = ripple_of(gamma, nodes.width, nodes.step, 0.0)
    lost = SAFE * (ripple + math.exp(min(log_cut - top, 700.0)) / total.value)
    if not lost < 0.01:
        raise Unsupported("the inner rule is too coarse")
    found = total.log() + top
    found = Bounded(found.value, found.error + 1.1 * lost)
    if top < LARGE and float(tilt.value.max()) < LARGE:
        # E_1 = 1: the rule need only see by how much E_gamma differs from it
        gain = (nodes.base.exp() * tilt.expm1()).sum()
        error = gain.error + SAFE * (
            1.02 * ripple * (1 + gain.value) + ripple_of(1.0, nodes.width, nodes.step, 0.0)
            + math.exp(min(log_cut, 700.0)) + math.exp(min(nodes.log_mass_cut, 700.0)))
        by_gain = Bounded(gain.value, error).log1p()
        if by_gain.error < found.error:
            found = by_gain
    shares = weights.value / total.value
    errors = weights.error / np.maximum(weights.value, 1e-300) + total.error / total.value
    return Sizes(found, shares, SAFE * errors + 4 * UNIT, lost)


def _difference(x: float, y: float) -> Bounded:
    return Bounded.exact(x) - y


@lru_cache(maxsize=16)
def numbers_of(spectrum: MixedNormalSpectrum) -> MixedNormal:
    """The numbers of a spectrum, kept."""
    return MixedNormal.of(spectrum)


__all__ = ["LARGE", "SAFE", "MixedNormal", "Nodes", "Sizes", "log_cut", "nodes_of", "numbers_of",
           "ripple_of", "sizes_of"]
