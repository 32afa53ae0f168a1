"""Laws of finite pairs in Fractions: profiles are piecewise linear in alpha = e^t."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from lapdp.core.errors import Unsupported
from lapdp.privacy.finite import FinitePair, finite
from lapdp.privacy.pair import Pair

PARTNER = finite(["3/5", "3/10", "1/10", 0], ["3/10", "3/5", 0, "1/10"])


def _finite(pair: Pair) -> FinitePair:
    if not isinstance(pair, FinitePair):
        raise Unsupported("no finite pair of rational masses")
    return pair


def _alphas(*pairs: FinitePair) -> list[Fraction]:
    """Points that decide: the breakpoints, their middles, two before and one beyond all."""
    cuts = sorted({a for p in pairs for a in p.breakpoints() if a})
    cuts = [*(c / k for c in (cuts or [Fraction(1)])[:1] for k in (4, 2)), *cuts]
    cuts.append(cuts[-1] + 1)
    return sorted({*cuts, *((a + b) / 2 for a, b in pairwise(cuts))})


def _first(found: Iterable[str]) -> str:
    return next(iter(found), "")


def limits(pair: Pair) -> str:
    """The line before the first breakpoint at alpha = 0, and the value beyond the last."""
    p = _finite(pair)
    for direction in (p, p.reverse()):
        alphas = _alphas(direction)
        lost = sum((a for a, b in direction.masses if not b), Fraction(0))
        first = alphas[0]
        start = 2 * direction.hockey_stick(first / 2) - direction.hockey_stick(first)
        if start != 1:
            return f"delta(-oo) = {start}"
        if direction.hockey_stick(alphas[-1]) != lost:
            return f"delta(oo) = {direction.hockey_stick(alphas[-1])}, Pr[Z = oo] = {lost}"
    return ""


def convexity(pair: Pair) -> str:
    """Slopes between neighbouring points rise and are <= 0."""
    p = _finite(pair)
    alphas = _alphas(p)
    slopes = [(p.hockey_stick(b) - p.hockey_stick(a)) / (b - a) for a, b in pairwise(alphas)]
    rising = all(a <= b for a, b in pairwise(slopes)) and slopes[-1] <= 0
    return "" if rising else f"the slopes in alpha are {', '.join(map(str, slopes))}"


def bounds(pair: Pair) -> str:
    """At every point that decides."""
    p = _finite(pair)
    return _first(f"the profile is {p.hockey_stick(a)} at alpha = {a}" for a in _alphas(p)
                  if not max(Fraction(0), 1 - a) <= p.hockey_stick(a) <= 1)


def reversal(pair: Pair) -> str:
    """At the breakpoints of both directions."""
    p = _finite(pair)
    backward = _finite(p.reverse())
    return _first(f"(7) fails at alpha = {a}" for a in _alphas(p, backward) if
                  backward.hockey_stick(a) != 1 - a + a * p.hockey_stick(1 / a))


def composition(pair: Pair) -> str:
    """The mean of the second profile over the outcomes of the first pair."""
    p = _finite(pair)
    product = _finite(p * PARTNER)

    def mean(alpha: Fraction) -> Fraction:
        # a loss of oo leaves delta(-oo) = 1
        return sum((a * (PARTNER.hockey_stick(alpha * b / a) if b else 1)
                    for a, b in p.masses if a), Fraction(0))

    return _first(f"(47) fails at alpha = {a}" for a in _alphas(product)
                  if product.hockey_stick(a) != mean(a))


def moments(pair: Pair) -> str:
    """At the whole orders where both moments are finite."""
    p = _finite(pair)
    orders = [q for q in (-2, -1, 0, 1, 2, 3) if isinstance(p.moment(q), Fraction)]
    other = finite(["2/3", "1/3"], ["1/3", "2/3"])
    return _first(f"E_q fails at q = {q}" for q in orders
                  if (p * other).moment(q) != p.moment(q) * other.moment(q))


def dominance(pair: Pair) -> str:
    """At the breakpoints of both profiles."""
    p = _finite(pair)
    product = _finite(p * PARTNER)
    return "" if product.profile_dominates(p) else "the product does not dominate the factor"


def data_processing(pair: Pair) -> str:
    """Two outcomes joined, for all couples; and a noisy channel."""
    p = _finite(pair)
    size = len(p.masses)
    views = [[[Fraction(j == (k if i == m else i)) for j in range(size)] for i in range(size)]
             for k in range(size) for m in range(k + 1, size)]
    views.append([[Fraction(1 + (i * j) % 3, 1) / sum(1 + (i * k) % 3 for k in range(3))
                   for j in range(3)] for i in range(size)])
    return _first(f"a view has a larger profile: {view}" for view in views
                  if not p.profile_dominates(p.post_process(view)))


__all__ = ["bounds", "composition", "convexity", "data_processing", "dominance", "limits",
           "moments", "reversal"]
