"""Bounds as they have been misprinted, misread or pushed too far, and as they should be."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from lapdp.testing.conformance.bound import bound_laws
from tests.wrong.practice.accountants import orders_off_by_one
from tests.wrong.registry import Right, Wrong


def wrong(name: str, says: str, bound: Callable[..., Any], of: Any, fails: str = "valid",
          holds: str = "", **how: Any) -> Wrong:
    return Wrong(f"bound: {name}", says, partial(bound_laws, bound, of=of, **how), {fails},
                 {holds} - {""})


def right(name: str, bound: Callable[..., Any], of: Any, **how: Any) -> Right:
    return Right(f"bound: {name}", partial(bound_laws, bound, of=of, **how))


EXACT: dict[str, Any] = {"doubles": False}


def log_inverse(delta: float) -> float:
    return math.log(1 / delta)


# -- compositions of guarantees --------------------------------------------------------------------


def basic(guarantees: Any, _: Any) -> Any:
    return sum(eps for eps, _ in guarantees), min(1, sum(delta for _, delta in guarantees))


def eps_alone(guarantees: Any, _: Any) -> Any:
    return sum(eps for eps, _ in guarantees)


def delta_alone(guarantees: Any, _: Any) -> Any:
    return max(eps for eps, _ in guarantees), sum(delta for _, delta in guarantees)


def largest_of_both(guarantees: Any, _: Any) -> Any:
    return max(eps for eps, _ in guarantees), max(delta for _, delta in guarantees)


def largest_delta(guarantees: Any, _: Any) -> Any:
    return sum(eps for eps, _ in guarantees), max(delta for _, delta in guarantees)


def advanced(guarantees: Any, slack: float, *, drift: bool = True, two: float = 2.0) -> Any:
    """Dwork, Rothblum, Vadhan 2010, in the form that allows different releases."""
    root = math.sqrt(two * math.fsum(eps**2 for eps, _ in guarantees) * log_inverse(slack))
    mean = math.fsum(eps * math.expm1(eps) for eps, _ in guarantees)
    return root + (mean if drift else 0.0), min(1.0, math.fsum(d for _, d in guarantees) + slack)


def optimal(guarantees: Any, eps: Any, *, leak: bool = True) -> Any:
    """Kairouz, Oh, Viswanath 2015: both answers of each coin, weighed."""
    rows = {Fraction(1): Fraction(1)}
    kept = Fraction(1)
    for each, delta in guarantees:
        odds = Fraction(str(sp.exp(each)))
        kept *= 1 - Fraction(delta)
        grown: dict[Fraction, Fraction] = {}
        for ratio, mass in rows.items():
            for factor, share in ((odds, odds / (1 + odds)), (1 / odds, 1 / (1 + odds))):
                grown[ratio * factor] = grown.get(ratio * factor, Fraction(0)) + mass * share
        rows = grown
    alpha = Fraction(str(sp.exp(eps)))
    finite = sum(mass * max(0, 1 - alpha / ratio) for ratio, mass in rows.items())
    return (1 - kept if leak else 0) + kept * finite


# -- one guarantee ---------------------------------------------------------------------------------


def amplified(eps: Any, delta: Any, rate: Any) -> Any:
    return sp.log(1 + rate * (sp.exp(eps) - 1))


def other_direction(eps: Any, delta: Any, rate: Any) -> Any:
    """What holds for (Q, lambda P + (1 - lambda) Q) alone."""
    return -sp.log(1 - rate * (1 - sp.exp(-eps)))


def group(eps: Any, delta: Any, k: int) -> Any:
    return min(1, delta * sum(sp.exp(eps) ** i for i in range(k)))


def group_textbook(eps: Any, delta: Any, k: int) -> Any:
    return min(1, k * delta * sp.exp(eps) ** (k - 1))


# -- conversions -----------------------------------------------------------------------------------


def converted(least: Callable[[float, float, float], float]) -> Callable[..., float]:
    def bound(bounds: Any, delta: float) -> float:
        return max(0.0, min(least(q, r, delta) for q, r in bounds))

    return bound


def mironov(q: float, r: float, delta: float) -> float:
    return r + log_inverse(delta) / (q - 1)


def canonne(q: float, r: float, delta: float) -> float:
    return r + math.log1p(-1 / q) - math.log(delta * q) / (q - 1)


def balle(q: float, r: float, delta: float) -> float:
    """Balle, Barthe, Gaboardi, Hsu, Sato 2020, Theorem 21."""
    return r + math.log1p(-1 / q) - (math.log(delta) + math.log(q)) / (q - 1)


def concentrated(rho: float, delta: float, factor: float = 2.0) -> float:
    return rho + factor * math.sqrt(rho * log_inverse(delta))


# -- numbers of a pair -----------------------------------------------------------------------------


def variation(pair: Any, eps: Any) -> Any:
    return pair.hockey_stick(1)


def half_of_what_is_small(pair: Any, eps: Any) -> Any:
    delta = pair.hockey_stick(sp.exp(eps))
    return delta if delta > Fraction(1, 1000) else delta / 2


def capped(pair: Any, a: Any) -> Any:
    return 1 - a


def below_one(pair: Any, q: Any) -> Any:
    return 1


def twice_variation(pair: Any, q: Any) -> Any:
    """2 TV^2: Pinsker, which bounds the divergence from below."""
    return 2 * pair.hockey_stick(1) ** 2


WRONG = [
    wrong("orders off by one", "a Renyi bound with e^(-a eps)", orders_off_by_one, "delta",
          "randomized response", "valid"),
    wrong("epsilons added, deltas forgotten", "composition at the delta that is asked for",
          eps_alone, "composition", **EXACT),
    wrong("deltas added, epsilons not", "the largest epsilon", delta_alone, "composition",
          **EXACT),
    wrong("parallel composition of what is sequential", "the largest of both", largest_of_both,
          "composition", **EXACT),
    wrong("epsilons added, the largest delta", "failures do not add up", largest_delta,
          "composition", **EXACT),
    wrong("advanced composition without its mean", "k eps (e^eps - 1) left out",
          partial(advanced, drift=False), "composition", absolute=1e-12),
    wrong("advanced composition with a wrong constant", "log(1/delta) for 2 log(1/delta)",
          partial(advanced, two=0.25), "composition", absolute=1e-12),
    wrong("optimal composition without its leak", "1 - prod(1 - delta_i) left out",
          partial(optimal, leak=False), "composed_delta", **EXACT),
    wrong("basic composition said to be optimal", "it is attained by one release",
          basic, "composition", "tight", "valid", tight=True, **EXACT),
    wrong("rate times epsilon", "the first term of a convex function",
          lambda eps, delta, rate: rate * eps, "amplification", **EXACT),
    wrong("amplified in one direction", "the smaller of the two", other_direction,
          "amplification", **EXACT),
    wrong("delta amplified twice", "rate^2 delta",
          lambda eps, delta, rate: (amplified(eps, delta, rate), delta * rate**2),
          "amplification", **EXACT),
    wrong("groups without e^eps", "k delta", lambda eps, delta, k: k * delta, "group", **EXACT),
    wrong("groups of one exponent less", "k e^((k-2) eps) delta",
          lambda eps, delta, k: min(1, k * delta * sp.exp(eps) ** (k - 2)), "group", **EXACT),
    wrong("the textbook's group privacy said to be tight", "k e^((k-1) eps) delta",
          group_textbook, "group", "tight", "valid", tight=True, **EXACT),
    wrong("Renyi conversion with q for q - 1", "log(1/delta)/q", converted(
        lambda q, r, delta: r + log_inverse(delta) / q), "conversion"),
    wrong("Renyi conversion with a wrong sign", "log(q) added twice is lost twice", converted(
        lambda q, r, delta: r - math.log1p(-1 / q) - 3 * math.log(q) - math.log(delta) / q),
        "conversion"),
    wrong("Renyi conversion without its divergence", "log(1/delta)/(q - 1)", converted(
        lambda q, r, delta: log_inverse(delta) / (q - 1) + math.log1p(-1 / q)), "conversion"),
    wrong("zCDP conversion without its factor", "sqrt(rho log(1/delta))",
          partial(concentrated, factor=1.0), "zcdp"),
    wrong("zCDP conversion without its mean", "2 sqrt(rho log(1/delta))",
          lambda rho, delta: 1.2 * math.sqrt(rho * log_inverse(delta)), "zcdp"),
    wrong("half of the total variation", "TV/2", lambda pair, eps: pair.hockey_stick(1) / 2,
          "delta", **EXACT),
    wrong("half of what is small", "a tail cut off", half_of_what_is_small, "delta",
          "small deltas", **EXACT),
    wrong("Pinsker in the wrong direction", "KL <= 2 TV^2", twice_variation, "renyi", **EXACT),
    wrong("a moment is at most 1", "for q between 0 and 1 alone", below_one, "moment", **EXACT),
    wrong("a trade-off function is at least 1 - a", "it is at most that", capped, "tradeoff",
          side="lower", **EXACT),
    wrong("epsilon is the largest finite loss", "infinite losses forgotten",
          lambda pair, delta: sp.log(max([1, *pair.breakpoints()])), "epsilon", **EXACT),
]

RIGHT = [
    right("basic composition", basic, "composition", **EXACT),
    right("advanced composition", advanced, "composition", absolute=1e-12),
    right("optimal composition", optimal, "composed_delta", tight=True, **EXACT),
    right("amplification by sampling", amplified, "amplification", tight=True, **EXACT),
    right("group privacy, textbook", group_textbook, "group", **EXACT),
    right("group privacy, geometric sum", group, "group", **EXACT),
    right("Renyi conversion of Mironov", converted(mironov), "conversion", absolute=1e-12),
    right("Renyi conversion of Canonne, Kamath and Steinke", converted(canonne), "conversion",
          absolute=1e-12),
    right("Renyi conversion of Balle et al.", converted(balle), "conversion", absolute=1e-12),
    right("zCDP conversion", concentrated, "zcdp"),
    right("total variation, for eps >= 0", lambda pair, eps: max(variation(pair, eps),
                                                                 1 - sp.exp(eps) if eps < 0 else 0,
                                                                 pair.hockey_stick(sp.exp(eps))),
          "delta", **EXACT),
    right("Pinsker", lambda pair, q: 2 * pair.hockey_stick(1) ** 2 if q >= 1 else 0, "renyi",
          side="lower", **EXACT),
    right("a trade-off function is at most 1 - a", capped, "tradeoff", **EXACT),
]
