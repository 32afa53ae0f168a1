"""Laws of finite pairs in Fractions: profiles are piecewise linear in alpha = e^t."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from lapdp.core.errors import Unsupported
from lapdp.privacy.finite import FinitePair, finite
from lapdp.privacy.pair import Pair

PARTNER = finite(["3/5", "3/10", "1/10", 0], ["3/10", "3/5", 0, "1/10"])
COIN = finite(["2/3", "1/3"], ["1/3", "2/3"])


def as_finite(pair: Pair) -> FinitePair:
    """The pair itself; Unsupported for others."""
    if not isinstance(pair, FinitePair):
        raise Unsupported("no finite pair of rational masses")
    return pair


def places(*pairs: FinitePair) -> list[Fraction]:
    """Points that decide: the breakpoints, their middles, two before and one beyond all."""
    cuts = sorted({a for p in pairs for a in p.breakpoints() if a})
    cuts = [*(c / k for c in (cuts or [Fraction(1)])[:1] for k in (4, 2)), *cuts]
    cuts.append(cuts[-1] + 1)
    return sorted({*cuts, *((a + b) / 2 for a, b in pairwise(cuts))})


def first(found: Iterable[str]) -> str:
    """The first violation."""
    return next(iter(found), "")


def limits(pair: Pair) -> str:
    """The line before the first breakpoint at alpha = 0, and the value beyond the last."""
    p = as_finite(pair)
    for direction in (p, p.reverse()):
        alphas = places(direction)
        lost = sum((a for a, b in direction.masses if not b), Fraction(0))
        near = alphas[0]
        start = 2 * direction.hockey_stick(near / 2) - direction.hockey_stick(near)
        if start != 1:
            return f"delta(-oo) = {start}"
        if direction.hockey_stick(alphas[-1]) != lost:
            return f"delta(oo) = {direction.hockey_stick(alphas[-1])}, Pr[Z = oo] = {lost}"
    return ""


def convexity(pair: Pair) -> str:
    """Slopes between neighbouring points rise and are <= 0."""
    p = as_finite(pair)
    alphas = places(p)
    slopes = [(p.hockey_stick(b) - p.hockey_stick(a)) / (b - a) for a, b in pairwise(alphas)]
    rising = all(a <= b for a, b in pairwise(slopes)) and slopes[-1] <= 0
    return "" if rising else f"the slopes in alpha are {', '.join(map(str, slopes))}"


def bounds(pair: Pair) -> str:
    """At every point that decides."""
    p = as_finite(pair)
    return first(f"the profile is {p.hockey_stick(a)} at alpha = {a}" for a in places(p)
                  if not max(Fraction(0), 1 - a) <= p.hockey_stick(a) <= 1)


def reversal(pair: Pair) -> str:
    """At the breakpoints of both directions."""
    p = as_finite(pair)
    backward = as_finite(p.reverse())
    return first(f"(7) fails at alpha = {a}" for a in places(p, backward) if
                  backward.hockey_stick(a) != 1 - a + a * p.hockey_stick(1 / a))


def loss(pair: Pair) -> str:
    """In alpha, the slope of the profile jumps at a ratio r by its Q-mass, Pr[Z = log r] / r."""
    p = as_finite(pair)
    alphas = places(p)
    slopes = [(p.hockey_stick(b) - p.hockey_stick(a)) / (b - a) for a, b in pairwise(alphas)]
    jumps = {a: a * (after - before) for a, (before, after) in zip(alphas[1:], pairwise(slopes),
                                                                   strict=False)}
    masses = {r: m for r, m in p.loss_masses() if r is not None}
    return first(f"the loss has mass {masses.get(a, 0)} where the profile bends by {jump}, at "
                 f"alpha = {a}" for a, jump in jumps.items() if jump != masses.get(a, 0))


def dual_loss(pair: Pair) -> str:
    """Pr[Z' = -z] = e^-z Pr[Z = z] at every finite loss."""
    p = as_finite(pair)
    masses, dual = ({r: m for r, m in x.loss_masses() if r is not None}
                    for x in (p, as_finite(p.reverse())))
    wanted = {1 / r: m / r for r, m in masses.items()}
    return "" if dual == wanted else "the masses of the loss of (Q, P) are others"


def composition(pair: Pair, other: Pair | None = None) -> str:
    """The mean of the second profile over the outcomes of the first pair."""
    p, second = as_finite(pair), as_finite(PARTNER if other is None else other)
    product = as_finite(p * second)

    def mean(alpha: Fraction) -> Fraction:
        # a loss of oo leaves delta(-oo) = 1
        return sum((a * (second.hockey_stick(alpha * b / a) if b else 1)
                    for a, b in p.masses if a), Fraction(0))

    return first(f"(47) fails at alpha = {a}" for a in places(product)
                  if product.hockey_stick(a) != mean(a))


def moments(pair: Pair, other: Pair | None = None) -> str:
    """At whole orders, oo included: none of them is 0 outside [0, 1]."""
    p, second = as_finite(pair), as_finite(COIN if other is None else other)
    return first(f"E_q fails at q = {q}" for q in (-2, -1, 0, 1, 2, 3)
                 if (p * second).moment(q) != p.moment(q) * second.moment(q))


def dominance(pair: Pair, other: Pair | None = None) -> str:
    """At the breakpoints of both profiles."""
    p = as_finite(pair)
    product = as_finite(p * (PARTNER if other is None else other))
    return "" if product.profile_dominates(p) else "the product does not dominate the factor"


def data_processing(pair: Pair) -> str:
    """Two outcomes joined, for all couples; and a noisy channel."""
    p = as_finite(pair)
    size = len(p.masses)
    views = [[[Fraction(j == (k if i == m else i)) for j in range(size)] for i in range(size)]
             for k in range(size) for m in range(k + 1, size)]
    views.append([[Fraction(1 + (i * j) % 3, 1) / sum(1 + (i * k) % 3 for k in range(3))
                   for j in range(3)] for i in range(size)])
    return first(f"a view has a larger profile: {view}" for view in views
                  if not p.profile_dominates(p.post_process(view)))


__all__ = ["PARTNER", "as_finite", "bounds", "composition", "convexity", "data_processing",
           "dominance", "dual_loss", "first", "limits", "loss", "moments", "places", "reversal"]
