"""Profiles and loss distributions of finite pairs as signals, and their transforms two ways.

Closed: elementary integrals of exponential polynomials between breakpoints (``Signal.transform``).
Quadrature: ``mpmath.quad`` of the pointwise definition, split at the breakpoints, impulses added.
Conventions: the one-sided transform starts at 0+ and drops an atom at the cut; integrals are over
finite reals, so f_Z leaves the mass at +oo out, while 1 - F_Z counts it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from mpmath import mp

from tests.oracle.finite import INFINITE, loss_masses, probability
from tests.oracle.reals import Undefined, is_infinite, log, num
from tests.oracle.signals import Signal

FARTHEST = 4000
"""Where quadrature gives up waiting for an integrand to decay."""


def density_signal(P, Q):
    """f_Z: an impulse at log r for each finite ratio r."""
    return Signal(impulses={
        log(r): {0: mass} for r, mass in loss_masses(P, Q).items() if r != INFINITE
    })


def cdf_signal(P, Q, strict=False):
    """F_Z(t) = Pr[Z <= t], or Pr[Z < t]."""
    ratios = sorted(r for r in loss_masses(P, Q) if r != INFINITE)
    heights = [Fraction(0), *(probability(P, Q, "<=", r) for r in ratios)]
    pieces = [{(0, Fraction(0)): h} if h else {} for h in heights]
    at = {log(r): probability(P, Q, "<" if strict else "<=", r) for r in ratios}
    return Signal([log(r) for r in ratios], pieces, at)


def profile_signal(P, Q):
    """delta(t): on each interval the P-mass above minus e^t times the Q-mass above."""
    ratios = sorted({p / q for p, q in zip(P, Q, strict=True) if p and q})
    pieces = []
    for i in range(len(ratios) + 1):
        above = ratios[i:]
        outcomes = [(p, q) for p, q in zip(P, Q, strict=True)
                    if p and (q == 0 or p / q in above)]
        up = sum((p for p, _ in outcomes), Fraction(0))
        down = sum((q for _, q in outcomes), Fraction(0))
        pieces.append({(0, Fraction(e)): c for e, c in ((0, up), (1, -down)) if c})
    return Signal([log(r) for r in ratios], pieces)


def impulses_above(P, Q, alpha):
    """L{f_Z(t + eps)}(0): the mass of finite losses strictly above eps = log alpha."""
    return sum((m for r, m in loss_masses(P, Q).items() if r != INFINITE and r > alpha),
               Fraction(0))


def one_sided(signal, s):
    """L{g}(s) from 0+: closed form, oo where it diverges with one sign, else Undefined."""
    return signal.transform(s, Fraction(0))


def two_sided(signal, s):
    """B{g}(s): closed form, oo where it diverges with one sign, else Undefined."""
    return signal.transform(s)


def quadrature(function, breaks, s, impulses=(), lower=-mp.inf):
    """Integral of e^(-s t) g(t) over (lower, oo) from values of g and (place, mass) impulses.

    Infinite ends are cut where |e^(-s t) g(t)| falls below the precision; growth is Undefined.
    """
    cuts = sorted(num(b) for b in breaks if num(b) > lower)
    s = num(s)

    def integrand(t):
        return mp.exp(-s * t) * function(t)

    first = cuts[0] if cuts else mp.mpf(0)
    last = cuts[-1] if cuts else max(mp.mpf(0), lower)
    left = [lower] if not is_infinite(lower) else [_cut(integrand, first - 1, -1)]
    ends = [*left, *cuts, _cut(integrand, last + 1, 1)]
    total = mp.fsum(
        mp.quad(integrand, mp.linspace(a, b, 2 + int(abs(b - a) / 4)))
        for a, b in pairwise(ends) if b > a
    )
    return total + sum(m * mp.exp(-s * num(x)) for x, m in impulses if num(x) > lower)


def _cut(integrand, start, side):
    small = mp.mpf(10) ** -(mp.dps + 5)
    step = mp.mpf(1)
    while step < FARTHEST:
        probes = [start + side * step * (1 + mp.mpf(k) / 7) for k in range(4)]
        if all(abs(integrand(x)) < small for x in probes):
            return start + side * step
        step *= 2
    raise Undefined("the integrand does not decay: a divergent integral")


def profile_at(P, Q, t):
    """delta(t) at an mpmath number t."""
    alpha = mp.exp(t)
    return sum((max(mp.mpf(0), num(p) - alpha * num(q)) for p, q in zip(P, Q, strict=True)),
               mp.mpf(0))


def survival_at(P, Q, t):
    """1 - F_Z(t) at an mpmath number t that is no breakpoint."""
    return sum((num(m) for r, m in loss_masses(P, Q).items()
                if r == INFINITE or mp.log(num(r)) > t), mp.mpf(0))

