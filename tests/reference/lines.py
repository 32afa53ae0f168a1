"""Normal, affine and gamma losses: closed forms of another make, residues, and trapezoids."""

from itertools import pairwise
from math import comb

import mpmath as mp

from tests.reference.atoms import fraction

# -- normal losses ------------------------------------------------------------------------------


def above(x):
    """Pr[N(0, 1) > x]."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def normal(square, eps):
    """Two normal distributions of variance 1, sqrt(square) apart."""
    mu = mp.sqrt(square)
    return above(eps / mu - mu / 2) - mp.exp(eps) * above(eps / mu + mu / 2)


def sampled_normal(sigma, rate, side, eps):
    """One subsampled Gaussian of sensitivity 1, from the threshold of the best event."""
    x = mp.exp(eps)
    if side == "remove":
        odds = (x - 1 + rate) / rate
        if odds <= 0:
            return 1 - x
        cut = sigma**2 * mp.log(odds) + mp.mpf(1) / 2
        return (1 - rate - x) * above(cut / sigma) + rate * above((cut - 1) / sigma)
    odds = (1 / x - 1 + rate) / rate
    if odds <= 0:
        return mp.mpf(0)
    cut = sigma**2 * mp.log(odds) + mp.mpf(1) / 2
    low, high = above(-cut / sigma), above((1 - cut) / sigma)
    return low - x * ((1 - rate) * low + rate * high)


# -- affine losses ------------------------------------------------------------------------------


def affine(family, p):
    """(a, up, down, c, lost): P-masses of the losses a and -a, the factor of the moments
    c (e^(s a) - e^(-a - s a))/(2 s + 1) of those between, and the mass of infinite loss."""
    if family == "exponential_mechanism":
        a = fraction(p["eps"])
        return a, mp.mpf(0), mp.mpf(0), 1 / -mp.expm1(-a), mp.mpf(0)
    scale, move = fraction(p["scale"]), fraction(p.get("sensitivity", 1))
    a = move / scale
    if family == "laplace":
        return a, mp.mpf(1) / 2, mp.exp(-a) / 2, mp.mpf(1) / 2, mp.mpf(0)
    end = fraction(p["bound"]) / scale
    unit = 1 / (-2 * mp.expm1(-end))
    return (a, unit * -mp.expm1(a - end), unit * (mp.exp(-a) - mp.exp(-end)), unit,
            unit * (mp.exp(a - end) - mp.exp(-end)))


def affine_moment(family, p, s):
    """E[e^(s Z)] over finite losses."""
    a, up, down, c, _ = affine(family, p)
    return (mp.exp(s * a) * (up + c / (2 * s + 1))
            + mp.exp(-s * a) * (down - c * mp.exp(-a) / (2 * s + 1)))


def residues(family, p, k, eps):
    """delta of k copies: (37) expanded by the binomial theorem; each term closes to the left.

    The term of e^(s X) has poles at s = 0 and -1 and one of high order at -1/2.
    """
    a, up, down, c, lost = affine(family, p)
    minus = c * mp.exp(-a)
    total = mp.mpf(0)
    for j in range(k + 1):
        x = a * (k - 2 * j) - eps
        if x <= 0:
            break
        at_0 = (up + c) ** (k - j) * (down - minus) ** j
        at_1 = -mp.exp(-x) * (up - c) ** (k - j) * (down + minus) ** j
        total += comb(k, j) * (at_0 + at_1 + _at_half(up, c, k - j, down, -minus, j, x))
    return 1 - (1 - lost) ** k + total


def _at_half(up, c, n, down, d, m, x):
    """The residue in u = 2 s + 1 at 0 of -2 e^(x (u - 1)/2)/(1 - u^2) (up + c/u)^n (down + d/u)^m.
    """
    first = [comb(n, i) * c**i * up ** (n - i) for i in range(n + 1)]
    second = [comb(m, i) * d**i * down ** (m - i) for i in range(m + 1)]
    series, powers, term = [], [], mp.mpf(1)
    for i in range(n + m):
        powers.append(term)
        series.append(term + (series[i - 2] if i > 1 else 0))
        term = term * x / (2 * (i + 1))
    whole = mp.mpf(0)
    for i, one in enumerate(first):
        if one:
            whole += one * mp.fsum(two * series[i + l - 1] for l, two in enumerate(second)
                                   if two and i + l)
    return -2 * mp.exp(-x / 2) * whole


# -- gamma losses -------------------------------------------------------------------------------


def gammas(a, b, k, eps, reverse):
    """k pairs of exponential distributions: the sum of the outcomes decides."""
    at = (eps - k * mp.log(a / b)) / (b - a) if not reverse else (k * mp.log(b / a) - eps) / (b - a)
    x = mp.exp(eps)
    if reverse:
        return (_gamma(k, 0, b * at) - x * _gamma(k, 0, a * at)) if at > 0 else mp.mpf(0)
    return (_gamma(k, a * at, mp.inf) - x * _gamma(k, b * at, mp.inf)) if at > 0 else 1 - x


def _gamma(k, low, high):
    """The mass of (low, high) under the gamma distribution of whole shape k: Poisson sums."""
    y = high if high != mp.inf else low
    terms, term = [], mp.exp(-y)
    for i in range(k):
        terms.append(term)
        term = term * y / (i + 1)
    if high == mp.inf:
        return mp.fsum(terms)
    # the other tail, term by term: no cancellation
    rest, i = [], k
    while term > rest[0] * mp.mpf(10) ** -mp.mp.dps if rest else True:
        rest.append(term)
        i += 1
        term = term * y / i
        if i > y and not term:
            break
    return mp.fsum(rest)


# -- one subsampled Laplace by quadrature -------------------------------------------------------


def sampled_laplace(scale, rate, side, eps):
    """The integral of max(0, p - e^eps q), cut at its kinks."""
    def first(y):
        return mp.exp(-abs(y) / scale) / (2 * scale)

    def second(y):
        return first(y - 1)

    def mixed(y):
        return rate * first(y) + (1 - rate) * second(y)

    p, q = (mixed, second) if side == "remove" else (second, mixed)
    x = mp.exp(eps)
    cuts = [mp.mpf(0), mp.mpf(1)]
    odds = ((x - 1 + rate) if side == "remove" else (1 / x - 1 + rate)) / rate
    if odds > 0:
        # the ratio of the two Laplace densities is e^((1 - 2 y)/scale) between the centres
        place = (1 - scale * mp.log(odds)) / 2
        if 0 < place < 1:
            cuts.insert(1, place)
    ends = [-mp.inf, *cuts, mp.inf]
    total = mp.mpf(0)
    for low, high in pairwise(ends):
        inside = (low + high) / 2 if mp.isfinite(low + high) else (
            high - 1 if low == -mp.inf else low + 1)
        if p(inside) > x * q(inside):
            total += mp.quad(lambda y: p(y) - x * q(y), [low, high])
    return total
