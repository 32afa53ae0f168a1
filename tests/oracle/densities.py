"""Pairs of densities on R by quadrature: (log p, log q, kinks) with an increasing likelihood.

``kinks`` are the points where a density or the sign of p - alpha q may change its formula.
"""

from __future__ import annotations

from itertools import pairwise

from mpmath import mp


class DensityPair:
    """Densities given by their logs; ``support`` is an interval, ``kinks`` split it."""

    def __init__(self, log_p, log_q, kinks=(), support=(-mp.inf, mp.inf)):
        self.log_p, self.log_q = log_p, log_q
        self.kinks, self.support = [mp.mpf(k) for k in kinks], support

    def _integrate(self, body, extra=()):
        low, high = self.support
        inner = sorted({k for k in (*self.kinks, *extra) if low < k < high})
        inner = inner or [mp.mpf(0) if low < 0 < high else low + 1]
        ends = [low, *inner, high]
        pieces = []
        for a, b in pairwise(ends):
            grid = [a]
            if mp.isinf(a) and not mp.isinf(b):
                grid += [b - 2**k for k in (6, 4, 2, 0)]
            if mp.isinf(b):
                grid += [a + 2**k for k in (0, 2, 4, 6)]
            pieces.append(mp.quad(body, [*grid, b]))
        return mp.fsum(pieces)

    def profile(self, eps, crossings):
        """delta(eps), the integral of max(0, p - e^eps q), split where p = e^eps q."""
        def body(x):
            return max(mp.mpf(0), mp.exp(self.log_p(x)) - mp.exp(eps + self.log_q(x)))

        return self._integrate(body, crossings)

    def moment(self, q):
        """E_q, the integral of p^q q^(1-q); the caller keeps q where it converges."""
        def body(x):
            return mp.exp(q * self.log_p(x) + (1 - q) * self.log_q(x))

        return self._integrate(body)


def gaussian(sigma, shift):
    """P = N(0, sigma^2), Q = N(shift, sigma^2), and the crossing of p and e^eps q."""
    sigma, shift = mp.mpf(sigma), mp.mpf(shift)

    def log_density(centre):
        return lambda x: -((x - centre) / sigma) ** 2 / 2 - mp.log(sigma * mp.sqrt(2 * mp.pi))

    pair = DensityPair(log_density(mp.mpf(0)), log_density(shift), (0, shift))
    return pair, lambda eps: [shift / 2 - eps * sigma**2 / shift]


def laplace(scale, shift):
    """P = Laplace(0, scale), Q = Laplace(shift, scale), shift > 0."""
    scale, shift = mp.mpf(scale), mp.mpf(shift)

    def log_density(centre):
        return lambda x: -abs(x - centre) / scale - mp.log(2 * scale)

    pair = DensityPair(log_density(mp.mpf(0)), log_density(shift), (0, shift))
    return pair, lambda eps: [(shift - scale * eps) / 2] if abs(eps) < shift / scale else []


def exponential(rate_p, rate_q):
    """P = Exp(rate_p), Q = Exp(rate_q), different rates."""
    rate_p, rate_q = mp.mpf(rate_p), mp.mpf(rate_q)
    pair = DensityPair(lambda x: mp.log(rate_p) - rate_p * x, lambda x: mp.log(rate_q) - rate_q * x,
                       (), (mp.mpf(0), mp.inf))
    return pair, lambda eps: [(mp.log(rate_p / rate_q) - eps) / (rate_p - rate_q)]
