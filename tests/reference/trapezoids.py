"""Equation (37) by trapezoids in mpmath, on a line away from the saddle; errors are not proved.

    delta(eps) = 1/(2 pi i) integral of e^(-s eps) E[e^(s Z)]/(s (s + 1)) ds,   Re s = line > 0
"""

from functools import lru_cache

import mpmath as mp

from tests.reference.lines import affine_moment


def sampled_normal_moments(sigma, rate, side, points):
    """E[e^(s Z)] of one subsampled Gaussian at equally spaced points s, by trapezoids over x.

    Remove: the mean of m^(1 + s) under N(0, sigma^2), m = 1 - rate + rate e^((2 x - 1)/(2
    sigma^2)).  Add: that of m^-s.
    """
    line, step = points[0], points[1] - points[0]
    lift = mp.re(line) + 1 if side == "remove" else mp.mpf(0)
    reach = mp.sqrt(2 * mp.mp.dps * mp.log(10)) + 2
    # m has its zeros at height pi sigma over the real line
    gap = mp.mpf(2) * mp.pi * min(mp.pi * sigma, 4) / (
        mp.mp.dps * mp.log(10) + 8 + mp.pi * abs(mp.im(points[-1])))
    values, twists = [], []
    for n in range(-int(reach / gap), int((reach + lift / sigma) / gap) + 1):
        y = n * gap
        m = mp.log(1 - rate + rate * mp.exp((2 * y / sigma - 1 / sigma**2) / 2))
        power = (1 + line) * m if side == "remove" else -line * m
        values.append(gap * mp.exp(power - y * y / 2) / mp.sqrt(2 * mp.pi))
        twists.append(mp.exp(step * m if side == "remove" else -step * m))
    found = []
    for _ in points:
        found.append(mp.fsum(values))
        values = [v * t for v, t in zip(values, twists, strict=True)]
    return found


def sampled_laplace_moments(scale, rate, side, points):
    """E[e^(s Z)] of one subsampled Laplace at equally spaced points: the two outer stretches, where
    the loss is constant, and Gauss-Legendre nodes between the centres."""
    fall = mp.exp(-1 / scale)
    # (mass under the Laplace distribution around 1, ratio of the two)
    parts = [(fall / 2, 1 / fall), (mp.mpf(1) / 2, fall)]
    parts += [(weight * mp.exp((x - 1) / scale) / (2 * scale), mp.exp((1 - 2 * x) / scale))
              for x, weight in gauss_legendre(mp.mp.dps)]
    line, step = points[0], points[1] - points[0]
    values, twists = [], []
    for mass, ratio in parts:
        m = mp.log(1 - rate + rate * ratio)
        values.append(mass * mp.exp((1 + line) * m if side == "remove" else -line * m))
        twists.append(mp.exp(step * m if side == "remove" else -step * m))
    found = []
    for _ in points:
        found.append(mp.fsum(values))
        values = [v * t for v, t in zip(values, twists, strict=True)]
    return found


def gauss_legendre(n):
    """Nodes and weights on (0, 1): zeros of the Legendre polynomial by Newton's method."""
    found = []
    for i in range(1, n + 1):
        x = mp.cos(mp.pi * (4 * i - 1) / (4 * n + 2))
        for _ in range(mp.mp.dps.bit_length() + 2):
            before, here = mp.mpf(1), x
            for j in range(2, n + 1):
                before, here = here, ((2 * j - 1) * x * here - (j - 1) * before) / j
            slope = n * (x * here - before) / (x * x - 1)
            x -= here / slope
        found.append(((1 - x) / 2, 1 / ((1 - x * x) * slope**2)))
    return found


class Inversion:
    """The integral for one product, its moments tabulated on one line for many eps."""

    def __init__(self, moments, line, step, count):
        self.points = [mp.mpc(line, n * step) for n in range(count)]
        self.step = step
        self.moments = moments(self.points)

    def __call__(self, eps):
        parts = [mp.re(mp.exp(-s * eps) * e / (s * (s + 1)))
                 for s, e in zip(self.points, self.moments, strict=True)]
        return self.step / mp.pi * (mp.fsum(parts) - parts[0] / 2)


@lru_cache(maxsize=8)
def sampled(family, size, rate, side, k, spread, digits):
    """k subsampled Gaussians or Laplaces of scale ``size``, whose loss deviates by ``spread``."""
    moments = {"gaussian": sampled_normal_moments, "laplace": sampled_laplace_moments}[family]
    with mp.workdps(digits):
        # away from the saddle of any one query, in the middle of theirs
        line = mp.mpf(17) / 7 / max(spread, mp.mpf(1) / 2)
        need = digits * mp.log(10)
        step = min(2 * mp.pi * line / need, 2 * mp.pi / (10 * spread + need / line))
        height = mp.sqrt(2 * need) / spread + 3
        return Inversion(lambda points: [m**k for m in moments(size, rate, side, points)],
                         line, step, int(height / step) + 1)


@lru_cache(maxsize=8)
def smoothed(square, family, parameters, k, digits):
    """A Gaussian of squared distance ``square`` with k affine losses."""
    with mp.workdps(digits):
        line, need = mp.mpf(11) / 7, digits * mp.log(10)
        step = 2 * mp.pi * line / (need + 40)
        height = mp.sqrt(2 * need / square) + 3

        def moments(points):
            return [mp.exp(square * s * (s + 1) / 2)
                    * affine_moment(family, dict(parameters), s) ** k for s in points]

        return Inversion(moments, line, step, int(height / step) + 1)
