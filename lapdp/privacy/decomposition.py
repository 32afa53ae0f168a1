"""An (eps, delta)-DP pair as a post-processing of randomized response, exactly.

Chourasia et al. 2024, Lemma A.1: with a = e^eps there are distributions A, B, P', Q' with

    P = (1 - delta) (a A + B)/(a + 1) + delta P',     Q = (1 - delta) (a B + A)/(a + 1) + delta Q'.

The construction cuts the pair down to a pure one.  Let m = min(P, a Q) and n = min(Q, a P), outcome
by outcome; their masses are 1 - delta_{P|Q}(eps) and 1 - delta_{Q|P}(eps), and m <= a n, n <= a m.
Say the second mass is the smaller (else exchange the roles); scale n to n' of mass 1 - delta.
Between n'/a and min(m, a n') there is m' of mass 1 - delta, a mixture of the two ends: the lower
end has mass (1 - delta)/a, the upper one at least that of (1 - delta)/n(Omega) m, which is
1 - delta or more.  So

    m' <= P,  n' <= Q,  m' <= a n',  n' <= a m',

A and B are a m' - n' and a n' - m' scaled to mass 1, and P', Q' what is left of P and Q.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair, exact, finite

Masses = tuple[Fraction, ...]


@dataclass(frozen=True)
class Decomposition:
    """Distributions A, B, P', Q' of Lemma A.1, with e^eps and delta."""

    A: Masses
    B: Masses
    P_rest: Masses
    Q_rest: Masses
    odds: Fraction
    delta: Fraction

    @property
    def response(self) -> FinitePair:
        """Randomized response (38): outcomes (0, bot), (0, top), (1, top), (1, bot)."""
        high = (1 - self.delta) * self.odds / (self.odds + 1)
        low = (1 - self.delta) / (self.odds + 1)
        return finite([self.delta, high, low, 0], [0, low, high, self.delta])

    @property
    def channel(self) -> tuple[Masses, ...]:
        """The post-processing (144): its row for each outcome of :attr:`response`."""
        return (self.P_rest, self.A, self.B, self.Q_rest)

    def pair(self) -> FinitePair:
        """Randomized response after the channel: the pair that was decomposed."""
        return self.response.post_process(self.channel)


@fitting
def decompose(pair: FinitePair, odds: Any, delta: Any) -> Decomposition:
    """Lemma A.1 for a finite pair: distributions A, B, P', Q' that simulate it.

    Arguments: ``odds`` = e^eps >= 1 and ``delta`` in [0, 1], exact numbers.  Where delta = 1 any A
    and B do, where delta = 0 any P' and Q'; P and Q are given then.  Raises :class:`InputError`
    for numbers out of range and where the pair is not (eps, delta)-DP in both directions.

    >>> from lapdp.privacy.finite import finite
    >>> coin = finite(["2/3", "1/3"], ["1/2", "1/2"])
    >>> found = decompose(coin, 2, 0)
    >>> found.A, found.B
    ((Fraction(5, 6), Fraction(1, 6)), (Fraction(1, 3), Fraction(2, 3)))
    >>> found.pair() == coin
    True
    """
    if not isinstance(pair, FinitePair):
        raise InputError(f"{str(pair)[:40]} is no finite pair: write it as finite(P, Q)")
    a, d = exact(odds, "odds"), exact(delta, "delta")
    if a < 1:
        raise InputError(f"odds = {a} must be at least 1: it stands for e^eps with eps >= 0")
    if not 0 <= d <= 1:
        raise InputError(f"delta = {d} must be between 0 and 1")
    leaks = pair.hockey_stick(a), pair.reverse().hockey_stick(a)
    if max(leaks) > d:
        raise InputError(f"the pair is not (log({a}), {d})-DP: its profile there is {leaks[0]}, "
                         f"in the other direction {leaks[1]}")
    if d == 1:
        return Decomposition(pair.P, pair.Q, pair.P, pair.Q, a, d)
    if leaks[0] > leaks[1]:
        other = decompose(pair.reverse(), a, d)
        return Decomposition(other.B, other.A, other.Q_rest, other.P_rest, a, d)
    m, n = _pure(pair, a, d, leaks[1])
    if a == 1:
        A = B = tuple(x / (1 - d) for x in m)
    else:
        scale = (1 - d) * (a - 1)
        A = tuple((a * x - y) / scale for x, y in zip(m, n, strict=True))
        B = tuple((a * y - x) / scale for x, y in zip(m, n, strict=True))
    return Decomposition(A, B, _rest(pair.P, m, d), _rest(pair.Q, n, d), a, d)


def _pure(pair: FinitePair, a: Fraction, d: Fraction, leak: Fraction) -> tuple[Masses, Masses]:
    """m' <= P and n' <= Q of mass 1 - delta with likelihood ratios between 1/a and a."""
    m = [min(p, a * q) for p, q in pair.masses]
    n = tuple(min(q, a * p) * (1 - d) / (1 - leak) for p, q in pair.masses)
    low = [y / a for y in n]
    high = [min(x, a * y) for x, y in zip(m, n, strict=True)]
    room = sum(high) - sum(low)
    weight = (1 - d - sum(low)) / room if room else Fraction(0)
    return tuple(x + weight * (y - x) for x, y in zip(low, high, strict=True)), n


def _rest(whole: Masses, part: Masses, d: Fraction) -> Masses:
    if not d:
        return whole
    return tuple((x - y) / d for x, y in zip(whole, part, strict=True))


__all__ = ["Decomposition", "decompose"]
