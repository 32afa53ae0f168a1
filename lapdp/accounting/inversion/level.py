"""Where delta has a given size, nearly, by the saddle point approximation in doubles.

With phi(g) = log E_g - log(g (g - 1)) the saddle for eps = phi'(g) is g, and delta(eps) is about
e^(phi - (g - 1) eps)/sqrt(2 pi phi'') (1 + phi''''/(8 phi''^2) - 5 phi'''^2/(24 phi''^3)), which
falls as g grows.  Losses of subsampled Gaussians that are too rare to be seen in delta are left
out: far out the moments are theirs.  A choice: nothing is proved here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from lapdp.accounting.inversion.saddle import right_of_one
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, has_hits
from lapdp.calculus.enclose import enclose

STEPS = 60
CLOSE, ENDLESS = 2e-3, 1e9
ROUNDS, BEYOND = 8, 5.0
FEW_HITS, MANY_HITS, LEAST, FARTHEST, HALVES = 0.1, 1e4, 1e-12, 600.0, 40
"""Huge losses that are expected at most, or where several may be likely; between which losses one
that decides is sought, and how often that is halved."""
MOST_LOG, MOST_ORDER = 1e9, 1e60
"""Of moments at the largest loss, whose logarithms doubles hold to some places; of others, which go
on as a power does."""
SMALL_LOSS, SEEN, SELDOM_HIT = 0.5, 1e-3, 0.1
"""The kappa below which the variance of a loss is that of usual ones; their part of delta from
which on one huge loss is no longer what decides; the part of one huge loss that does not."""
NEAR_ONE, SELDOM, LITTLE = 1 / 8, 0.02, 0.1
"""Of orders, for the spread of other losses; rates up to which usual losses are nearly normal; of
the variance of others, what is left out."""
SUMS = [j / 2 for j in range(-6, 19)]
"""Deviations of the usual losses at which it is looked at."""


def level(factors: Factors, log_size: float) -> tuple[float, float] | None:
    """(eps, slope of log delta there), nearly, where log delta is ``log_size``; None where doubles
    fail."""
    most = math.log(factors.upper - 1) - 0.1 if math.isfinite(factors.upper) else 40.0
    t, low, high, before = min(0.0, most - 0.6), -40.0, most, -math.inf
    for _ in range(STEPS):
        gap = math.exp(t)
        here, first, second, third, correction = _expansion(factors, gap, log_size)
        if not (math.isfinite(first) and second > 0 and first > before):
            # where log E rises so steeply that differences do not see it
            high, t = t, max((low + t) / 2, t - 1)
            if high - low > CLOSE:
                continue
            t = low
            here, first, second, third, correction = _expansion(factors, math.exp(t), log_size)
            gap = math.exp(t)
        size = here - gap * first - math.log(2 * math.pi * second) / 2 + correction
        low, high, before = (t, high, first) if size > log_size else (low, t, before)
        step = (size - log_size) / (gap * gap * second)
        if abs(step) < CLOSE or high - low < CLOSE:
            # the derivative of what is above, but for that of the last factor
            slope = min(-gap / 2, -gap - third / (2 * second**2))
            return first + (log_size - size) / slope, slope
        # Newton's step, kept inside what is known: log E may bend sharply
        t = t + max(-2.0, min(2.0, step))
        if not low < t < high:
            t = (low + high) / 2 if high - low < 4 else low + 2 if t <= low else high - 2
    return None


def end_level(factors: Factors, log_size: float) -> tuple[float, float] | None:
    """(gap, slope of log delta there), nearly, where delta so far below the largest loss z has the
    size, as the chance of z - Z is about that of a gamma distribution: a power law next to z.

    With M(t) = E e^(-t (z - Z)) of the power n = -t M'(t)/M(t), Pr[z - Z < y] is about
    M(t) (t y)^n/Gamma(n + 1), whose integral up to y is sought, t = (n + 1)/y.
    """
    largest = factors.largest()
    if largest is None:
        return None
    z = float(enclose(largest, {}).real)

    most = MOST_LOG / max(abs(z), 1.0)

    def log_moment(t: float) -> float:
        return factors.log_moment(1 + t) - t * z

    def look(t: float) -> tuple[float, float]:
        """The gap and log delta."""
        here, step = min(t, most), 1 + SEEN
        power = max(0.0, (log_moment(here / step) - log_moment(here * step)) / (2 * math.log(step)))
        gap = (power + 1) / t
        return gap, (log_moment(here) - power * math.log(t / here) + power * math.log(power + 1)
                     + math.log(gap) - math.lgamma(power + 2))

    low, high = 0.0, math.log(MOST_ORDER)
    for _ in range(HALVES):
        middle = (low + high) / 2
        low, high = (middle, high) if look(math.exp(middle))[1] > log_size else (low, middle)
    gap, size = look(math.exp(low))
    return (gap, -math.exp(low)) if abs(size - log_size) < 1 and math.isfinite(gap) else None


def one_hit_level(factors: Factors, log_size: float, most_hits: float = FEW_HITS
                  ) -> tuple[float, float] | None:
    """The same where one huge loss of a rare subsampled Gaussian is what delta is made of, beside a
    sum of usual losses and of others, which is nearly normal; None where several are likely, where
    the sum alone is a part of delta that is seen, or doubles fail."""
    rare = [(*s.doubles, k) for s, k in factors.parts if has_hits(s)]
    many = sum(k * w for w, _, _, k in rare)
    if not rare or many > most_hits or (many > FEW_HITS and max(w for w, *_ in rare) > SELDOM):
        return None
    most = max(kappa for _, _, kappa, _ in rare)
    rest = Factors(tuple(part for part in factors.parts if not has_hits(part[0])))
    (mean, other), end = _spread(rest), rest.largest()
    usual = sum(k * w * w * math.expm1(min(2 * kappa, 700.0)) * _below_hits(w, kappa)
                for w, _, kappa, k in rare)
    if not usual + other < math.inf:
        return None
    # where there are larger ones their moment is not that of usual losses
    deviation, seen = math.sqrt(usual + other), math.sqrt(other + (
        usual if most < SMALL_LOSS else 0.0))
    # what is not rare may have a largest loss
    bound = float(enclose(end, {}).real) if end is not None and usual < other * LITTLE else math.inf

    def alone(x: float) -> float:
        """delta of the sum."""
        return _normal_excess(x - mean, seen) if seen and x < bound else 0.0

    def hit(x: float) -> float:
        """That of one of them."""
        places = ((x - min(mean + j * deviation, bound), math.exp(-j * j / 2)) for j in SUMS)
        return (SUMS[1] - SUMS[0]) / math.sqrt(2 * math.pi) * sum(
            weight * k * _one_release(w, kappa, t) for t, weight in places
            for w, _, kappa, k in rare)

    def look(x: float) -> float | None:
        size = alone(x) + hit(x)
        return math.log(size) - log_size if size > 0 else None

    low, high = math.log(LEAST), math.log(FARTHEST)
    for _ in range(HALVES):
        middle = (low + high) / 2
        here = look(math.exp(middle))
        low, high = (middle, high) if here is not None and here > 0 else (low, middle)
    x = math.exp(low)
    size = math.exp(log_size)
    usually = most < SMALL_LOSS and alone(x) > SEEN * size
    # two of them, where both are large
    twice = sum(math.comb(k, 2) * w * w * _above(x - mean - 2 * (kappa + math.log(w)),
                                                 2 * math.sqrt(kappa)) for w, _, kappa, k in rare)
    if x < 2 * LEAST or usually or hit(x) < SELDOM_HIT * size or twice > size:
        # the saddle of usual losses says where, and that to four places
        return None
    one, two = look(x), look(x * (1 + CLOSE))
    if one is None or two is None or not abs(one) < 1:
        return None
    return x, (two - one) / (x * CLOSE)


def _below_hits(w: float, kappa: float) -> float:
    """Of the mean of w^2 e^(2 X), X = N(-kappa, 2 kappa), the part where w e^X is below 1: other
    losses are as large as a hit."""
    return 1 - _above(-math.log(w) - 3 * kappa, math.sqrt(2 * kappa))


def _above(x: float, deviation: float) -> float:
    """Pr[Z > x] for a normal Z about 0."""
    return math.erfc(x / deviation / math.sqrt(2)) / 2


def _spread(factors: Factors) -> tuple[float, float]:
    """Mean and variance under P, nearly."""
    if not factors.parts:
        return 0.0, 0.0
    low, here, high = (factors.log_moment(1 + x) for x in (-NEAR_ONE, 0.0, NEAR_ONE))
    return (high - low) / (2 * NEAR_ONE), max(0.0, (high - 2 * here + low) / NEAR_ONE**2)


def _normal_excess(x: float, deviation: float) -> float:
    """The mean of max(0, Z - x), nearly delta at a small x, for a normal Z about 0."""
    u = x / deviation
    return deviation * (math.exp(-u * u / 2) / math.sqrt(2 * math.pi)
                        - u * math.erfc(u / math.sqrt(2)) / 2)


def _one_release(w: float, kappa: float, t: float) -> float:
    """delta of one release (w P + (1 - w) Q, Q); its usual losses, below 0, are left out."""
    return w * _normal_delta(kappa, math.log1p(math.expm1(t) / w))[1] if t > 0 else 0.0


def likely_size(factors: Factors, eps: float, most: float, start: float = 1.0) -> float:
    """log delta, nearly, where e^most is the size of the integrand at its saddle, about ``start``
    from 1."""
    def size_without(rare: float, gap: float) -> tuple[float, float]:
        """The size if losses that so few releases reach are left out, and where the saddle is."""
        def size(g: float) -> float:
            return (1 - g) * eps + _log_moment(factors, g, rare - BEYOND) - math.log(g * (g - 1))

        # of losses that do not reach eps the size falls without end
        gap, curvature = right_of_one(size, end, gap)
        here = size(1 + gap) - math.log(2 * math.pi * max(1.0, curvature)) / 2
        return (min(here, most) if math.isfinite(here) else most), gap

    end = min(factors.upper - 1, ENDLESS / eps if eps > 0 else math.inf)
    found, gap = size_without(most, min(start, end / 2))
    low, high = min(max(found, 8 * most - 100), most), most
    # the size rises as more is left in, for a smaller one: where both agree
    for _ in range(ROUNDS):
        if high - low < 1:
            break
        middle = (low + high) / 2
        found, gap = size_without(middle, gap)
        low, high = (middle, min(high, found)) if found > middle else (max(low, found), middle)
    return low


def normal_level(kappa: float, size: float) -> tuple[float, float] | None:
    """The same for a loss N(kappa, 2 kappa) and delta itself: Newton's method on the closed form,
    near to the last places; None where doubles fail."""
    def look(x: float) -> tuple[float, float] | None:
        _, here, fall = _normal_delta(kappa, x)
        return (math.log(here / size), -fall / here) if here > 0 and fall > 0 else None

    # the closed form cancels a little
    return _solved(look, kappa, (0.0, kappa + 80 * math.sqrt(kappa)), rising=False, exact=1e-11,
                   middle=lambda low, high: (low + high) / 2, steps=STEPS)


def normal_strength(eps: float, size: float) -> tuple[float, float]:
    """The kappa at which delta of N(kappa, 2 kappa) is ``size`` at an eps, and the derivative of
    log delta by kappa there, near to the last places; ArithmeticError where doubles fail."""
    def look(x: float) -> tuple[float, float] | None:
        a, here, _ = _normal_delta(x, eps)
        # the derivative of delta by kappa is that of its normal density
        return (math.log(here / size), math.exp(-a * a) / (2 * math.sqrt(math.pi * x)) / here
                ) if here > 0 else None

    found = _solved(look, eps / 4 + 0.1, (1e-12, 1e6), rising=True, exact=1e-12,
                    middle=lambda low, high: math.sqrt(low * high), steps=4 * STEPS)
    if found is None:
        raise ArithmeticError("no kappa is found")
    return found


def _normal_delta(kappa: float, eps: float) -> tuple[float, float, float]:
    """a, delta and its second term for a loss N(kappa, 2 kappa), where delta = erfc(a)/2 - term."""
    root = math.sqrt(kappa)
    a = (eps - kappa) / (2 * root)
    fall = math.exp(min(eps, 700.0)) * math.erfc(a + root) / 2
    return a, math.erfc(a) / 2 - fall, fall


def _solved(look: Callable[[float], tuple[float, float] | None], x: float,
            ends: tuple[float, float], *, rising: bool, exact: float,
            middle: Callable[[float, float], float], steps: int) -> tuple[float, float] | None:
    """The zero of log delta - log size between two ends, and the derivative there, by Newton's
    steps; ``look`` gives both, None where delta is not seen, being too small."""
    low, high = ends
    for _ in range(steps):
        seen = look(x)
        above = seen is not None and seen[0] > 0
        low, high = (low, x) if above == rising else (x, high)
        if seen is not None:
            gap, slope = seen
            step = -gap / slope
            if abs(step) < exact * x:
                return x + step, slope
            x += step
        if not low < x < high:
            x = middle(low, high)
    return None


def _log_moment(factors: Factors, order: float, log_size: float) -> float:
    return sum(k * (s.log_usual_moment(order, log_size - math.log(k))
                    if isinstance(s, MixedNormalSpectrum) else s.log_moment(order))
               for s, k in factors.parts)


def _expansion(factors: Factors, gap: float, log_size: float
               ) -> tuple[float, float, float, float, float]:
    """phi, phi', phi'', phi''' and the log of the correction at 1 + gap."""
    h, order = gap / 16, 1 + gap
    a, b, c, d, e = (_log_moment(factors, order + j * h, log_size) for j in (-2, -1, 0, 1, 2))
    # the logarithms have their derivatives in closed form, differences are for log E
    first = (8 * (d - b) - (e - a)) / (12 * h) - 1 / order - 1 / gap
    second = (16 * (d + b) - (e + a) - 30 * c) / (12 * h * h) + order**-2 + gap**-2
    third = (e - a - 2 * (d - b)) / (2 * h**3) - 2 * order**-3 - 2 * gap**-3
    fourth = (e + a - 4 * (d + b) + 6 * c) / h**4 + 6 * order**-4 + 6 * gap**-4
    correction = fourth / (8 * second**2) - 5 * third**2 / (24 * second**3) if second > 0 else 0.0
    return (c - math.log(order * gap), first, second, third,
            math.log1p(correction) if abs(correction) < 0.5 else 0.0)


__all__ = ["MANY_HITS", "level", "likely_size", "normal_level", "normal_strength",
           "one_hit_level"]
