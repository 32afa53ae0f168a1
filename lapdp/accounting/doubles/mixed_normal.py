"""Overlapping mixtures of two normal distributions on a vertical line, in doubles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lapdp.accounting.doubles.bounded import LIBRARY, UNIT, Bounded, tree_sum
from lapdp.accounting.doubles.mixed_rule import (
    LARGE,
    SAFE,
    MixedNormal,
    log_cut,
    nodes_of,
    numbers_of,
    ripple_of,
    sizes_of,
)
from lapdp.accounting.doubles.tilted import logs_of
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.errors import Unsupported

MOST_CELLS = 20_000_000


def tilt(spectrum: MixedNormalSpectrum, gamma: float, height: float, goal: float, size: float
         ) -> MixedTilt:
    """The law tilted to gamma; ``height`` is about as high as it will be asked for."""
    return MixedTilt(numbers_of(spectrum), gamma, height, goal, size)


class MixedTilt:
    """Weights and losses at the nodes of a rule, E_gamma divided out."""

    def __init__(self, numbers: MixedNormal, gamma: float, height: float, goal: float, size: float
                 ) -> None:
        self.numbers, self.gamma, self.goal = numbers, gamma, goal
        self.height = height
        nodes = self.nodes = nodes_of(numbers, gamma, height, goal, size)
        sizes = sizes_of(nodes, gamma, log_cut(numbers, gamma, float(nodes.n[0]),
                                               float(nodes.n[-1])))
        self.log_mean, self.step, self.width = sizes.log_mean, nodes.step, nodes.width
        # what is far below the rounding of the rest is left out, and counted
        kept = sizes.shares > 2.0**-70 / len(sizes.shares)
        self.shares, self.errors = sizes.shares[kept], sizes.errors[kept]
        self.lost = SAFE * float(sizes.shares[~kept].sum()) + sizes.lost
        loss = nodes.loss[kept]
        self.centre = float(self.shares @ loss.value)
        self.place = loss - self.centre
        self.shifted = _Shifted(numbers, nodes.n[kept], self.shares, gamma, nodes.step, self.lost,
                                SAFE * (float(self.errors.max()) + 8 * UNIT * len(self.shares)))

    def decay(self, height: float) -> float:
        """A bound of log |phi(u)| for |u| >= ``height``."""
        return self.shifted.bound(height)

    def logs(self, heights: Any) -> tuple[Any, Any]:
        """log phi at increasing heights >= 0, and relative errors of phi."""
        if float(heights[-1]) > 1.2 * self.height:
            finer = MixedTilt(self.numbers, self.gamma, float(heights[-1]), self.goal,
                              float(self.log_mean.value))
            # the centre is a choice, and stays
            finer.place, finer.centre = finer.place + (finer.centre - self.centre), self.centre
            return finer.logs(heights)
        shares, place = self.shares, self.place
        block = math.isqrt(len(heights) - 1) + 1
        if 2 * block * len(shares) > MOST_CELLS:
            raise Unsupported("the moments need too many terms in doubles")
        # u = c + a with c at the start of a block: e^(iux) - 1 is made of e^(icx) - 1 and
        # e^(iax) - 1, which are found to relative accuracy
        (one, sine_one), (two, sine_two) = (_circle(np.outer(u, place.value))
                                            for u in (heights[::block], heights[:block]))
        (left, depth), (right, _), (up, _), (down, _) = (
            tree_sum(shares * x) for x in (one, two, sine_one, sine_two))
        one, sine_one = shares * one, shares * sine_one
        real = (one @ two.T - sine_one @ sine_two.T) + left[:, None] + right
        imag = (one @ sine_two.T + sine_one @ two.T) + up[:, None] + down
        # sum of shares |e^(icx) - 1| |e^(iax) - 1| by Cauchy's inequality: |e^(ix) - 1|^2 is
        # -2 Re (e^(ix) - 1)
        cross = 2 * np.sqrt(np.outer(np.abs(left), np.abs(right)))
        # each node turns by an angle that is wrong by u place.error and its rounding
        slope = float(shares @ (place.error + np.abs(place.value) * (
            self.errors + 4 * LIBRARY + (4 * depth + 24) * UNIT)))
        ripple = ripple_of(self.gamma, self.width, self.step,
                         float(heights[-1]) * self.numbers.root.upper)
        count = len(heights)
        rest = (real + 1j * imag).ravel()[:count]
        rounding = 2 * (len(shares) + 8) * UNIT * cross.ravel()[:count]
        return logs_of(rest, SAFE * (slope * heights + rounding + 2.1 * (ripple + self.lost)))

    def log_mean_at(self, order: float, most: float, size: float) -> Bounded:
        """log E at another order, about ``size``, with an error of about ``most``."""
        n = self.nodes.n
        try:
            found = sizes_of(self.nodes, order, log_cut(self.numbers, order, float(n[0]),
                                                        float(n[-1])))
        except Unsupported:
            found = None
        if found is None or not found.lost < most:
            nodes = nodes_of(self.numbers, order, 0.0, 5 - math.log(most), size)
            found = sizes_of(nodes, order, log_cut(self.numbers, order, float(nodes.n[0]),
                                                   float(nodes.n[-1])))
        return found.log_mean


def _circle(turn: Any) -> tuple[Any, Any]:
    """e^(ix) - 1, real and imaginary part."""
    half = np.sin(turn / 2)
    return -2 * half * half, np.sin(turn)


class _Shifted:
    """The bound of :meth:`MixedNormalLine._shifted`, for a few shifts, relative to E_gamma.

    With the posterior weight p = w e^l/z of P, |z| shrinks by the factor sqrt(1 - 4 p (1 - p)
    sin^2(b/2)) when n goes to n + iy, b = sqrt(2 kappa) y, and arg z = atan2(p sin b, 1 - p +
    p cos b).
    """

    def __init__(self, numbers: MixedNormal, n: Any, shares: Any, gamma: float, step: float,
                 lost: float, rounding: float) -> None:
        self.numbers, self.shares, self.gamma = numbers, shares, gamma
        # E_gamma is the sum of the weights but for a share of ``lost``
        self.step, self.lost, self.rounding = step, lost, rounding + 2 * lost
        ell = numbers.root * n - numbers.kappa
        self.first, self.second = (_posterior(x, rest, ell.value) for x, rest in (
            (numbers.w, numbers.rest_w), (numbers.v, numbers.rest_v)))
        # relative errors of the posteriors, and of angles and logs made of them
        self.slip = SAFE * (4 * ell.error.max() + 128 * UNIT)
        self.slope = float(shares @ (self.first - self.second)) * numbers.root.value

    def bound(self, height: float) -> float:
        """A bound of log |phi(u)| for |u| >= ``height``."""
        cap = self.numbers.widest / 2
        likely = height * self.slope
        shifts = np.array([y for y in (likely / 2, likely, 2 * likely, cap, cap / 2, cap / 4,
                                       cap / 16) if 0 < y <= cap])
        if not len(shifts):
            return 0.0
        b = shifts[:, None] * self.numbers.root.value
        (one, angle), (two, other) = (_turned(p, b) for p in (self.first, self.second))
        gamma, slack = self.gamma, max(-self.gamma, self.gamma - 1, 0.0) * LOG2 / 2
        exponent = gamma * one + (1 - gamma) * two - height * (angle - other)
        exponent += (abs(gamma) + abs(1 - gamma) + height) * self.slip * b
        inside = np.exp(exponent) @ self.shares
        rest = np.minimum(self.numbers.widest - shifts, 2 * math.pi / self.step)
        fall = 2 * math.pi * rest / self.step
        ripple = 2 * np.exp(slack + rest * rest / 2 - fall) / -np.expm1(-fall)
        whole = inside + SAFE * (np.exp(slack) * self.lost + ripple)
        bound = shifts * shifts / 2 + np.log(whole) + self.rounding
        return min(0.0, float(bound.min()))


def _posterior(share: Bounded, rest: Bounded, ell: Any) -> Any:
    if share.value == 0:
        return np.zeros_like(ell)
    return 1 / (1 + rest.value / share.value * np.exp(np.minimum(-ell, LARGE)))


def _turned(p: Any, b: Any) -> tuple[Any, Any]:
    """log of the factor by which |z| shrinks, and arg z."""
    s = np.sin(b / 2)
    return (np.log1p(-4 * p * (1 - p) * s * s) / 2,
            np.arctan2(p * np.sin(b), 1 - 2 * p * s * s))


__all__ = ["MixedTilt", "tilt"]
