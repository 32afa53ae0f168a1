"""Accountants with the mistakes that accountants have had, and their right siblings."""

from __future__ import annotations

import cmath
import math
from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from lapdp.testing.conformance.accountant import accountant_laws
from tests.wrong.accounting import (
    INFINITE,
    STEP,
    convolved,
    delta,
    epsilon,
    gridded,
    losses,
    mean,
    odds,
    on_grid,
    profile,
    self_composed,
    up,
)
from tests.wrong.practice.accountants import halves_small, orders_off_by_one
from tests.wrong.registry import Right, Wrong

VALID, VALID_EPSILON = {"valid delta"}, {"valid epsilon"}
WHOLE = 16
"""Points of a circular grid, from -1 to 1."""


def exactly(**how: Any) -> Any:
    """Asked at logs of rational numbers; claims to be the truth unless it says otherwise."""
    return partial(accountant_laws, doubles=False, **{"claims": "exact", **how})


def wrong(name: str, says: str, how: Any, fails: set[str], holds: set[str] = frozenset()) -> Wrong:
    return Wrong(f"accountant: {name}", says, how, fails, holds)


# -- compositions ----------------------------------------------------------------------------------


def sum_of_profiles(pairs: Any, eps: Any) -> Any:
    return sum(delta([pair], eps) for pair in pairs)


def largest_profile(pairs: Any, eps: Any) -> Any:
    return max(delta([pair], eps) for pair in pairs)


def product_of_profiles(pairs: Any, eps: Any) -> Any:
    return math.prod(delta([pair], eps) for pair in pairs)


def sum_at_one_delta(pairs: Any, target: Any) -> Any:
    return sum(epsilon([pair], target) for pair in pairs)


def sum_at_shared_delta(pairs: Any, target: Any) -> Any:
    return sum(epsilon([pair], target / len(pairs)) for pair in pairs)


def first_pair_again(pairs: Any, eps: Any) -> Any:
    return delta([pairs[0]] * len(pairs), eps)


def without_infinite(pair: Any) -> Counter[Any]:
    return Counter({z: mass for z, mass in losses(pair).items() if z is not INFINITE})


def infinite_lost(pairs: Any, eps: Any) -> Any:
    return profile(convolved(pairs, without_infinite), odds(eps))


def infinite_lost_in_epsilon(pairs: Any, target: Any) -> Any:
    found = epsilon(pairs, target)
    if found != sp.oo:
        return found
    finite = [z for z in convolved(pairs) if z is not INFINITE and z > 1]
    return sp.log(sp.Rational(*max(finite, default=Fraction(1)).as_integer_ratio()))


def infinite_added(pairs: Any, eps: Any) -> Any:
    """Pr[Z = oo] of a product is 1 - (1 - a)(1 - b): the sum bounds it."""
    finite = convolved(pairs, without_infinite)
    return profile(finite, odds(eps)) + sum(losses(pair)[INFINITE] for pair in pairs)


def truncated(pairs: Any, eps: Any) -> Any:
    """Far losses are left out; they should count as infinite."""
    found = convolved(pairs)
    return profile(Counter({z: m for z, m in found.items() if z is None or z < 4}), odds(eps))


# -- one pair --------------------------------------------------------------------------------------


def midpoint(pair: Any, eps: Any) -> Any:
    """Both distribution functions take half of an atom, but the second is left at its limit."""
    alpha, found = odds(eps), losses(pair)
    above = sum(m for z, m in found.items() if z is INFINITE or z > alpha)
    above += found.get(alpha, Fraction(0)) / 2
    return above - alpha * sum(m / z for z, m in found.items() if z is not INFINITE and z > alpha)


def tail(pair: Any, eps: Any) -> Any:
    return sum(m for z, m in losses(pair).items() if z is INFINITE or z > odds(eps))


def reversed_pair(pair: Any, eps: Any) -> Any:
    return delta([pair.reverse()], eps)


def symmetrised(pair: Any, eps: Any) -> Any:
    return max(delta([pair], eps), delta([pair.reverse()], eps))


def mirrored(pair: Any, eps: Any) -> Any:
    return delta([pair], abs(eps))


def no_positive_part(pair: Any, eps: Any) -> Any:
    return sum(p - odds(eps) * q for p, q in pair.masses)


def odds_for_eps(pair: Any, target: Any) -> Any:
    """1 - e^-eps is called eps."""
    found = epsilon([pair], target)
    return found if found == sp.oo else 1 - sp.exp(-found)


def signed_epsilon(pair: Any, target: Any) -> Any:
    """The root of the profile on the whole line."""
    found = epsilon([pair], target)
    return found if found else sp.log(sp.Rational(1, 2))


def steps_of_epsilon(pair: Any, target: Any) -> Any:
    """A table of levels that is read on the wrong side."""
    return epsilon([pair], max(target, Fraction(1, 2))) if target else epsilon([pair], target)


def rising_epsilon(pair: Any, target: Any) -> Any:
    return epsilon([pair], 1 - target)


class Table:
    """epsilon is the next point of a table that is below; delta is exact."""

    def delta(self, pair: Any, eps: Any) -> Any:
        return delta([pair], eps)

    def epsilon(self, pair: Any, target: Any) -> Any:
        found = epsilon([pair], target)
        return found if found == sp.oo else sp.log(sp.floor(sp.exp(found)))


# -- on grids --------------------------------------------------------------------------------------


def around_the_circle(pair: Any, eps: float, copies: int = 1) -> float:
    """A discrete Fourier transform on so few points that the sum of losses wraps around."""
    row = [0.0] * WHOLE
    for z, mass in on_grid(pair, up).items():
        if math.isfinite(z):
            row[int(z) % WHOLE] += mass
    lost = 1 - math.fsum(row)
    waves = [cmath.exp(-2j * cmath.pi * n / WHOLE) for n in range(WHOLE)]
    ahead = [sum(m * waves[n * k % WHOLE] for k, m in enumerate(row)) ** copies
             for n in range(WHOLE)]
    back = [sum(w * waves[-n * k % WHOLE] for k, w in enumerate(ahead)).real / WHOLE
            for n in range(WHOLE)]
    centred = {float(k - WHOLE if k >= WHOLE // 2 else k): mass for k, mass in enumerate(back)}
    return mean(centred, eps) + 1 - (1 - lost) ** copies


def unguarded(pair: Any, eps: float, copies: int = 1) -> float:
    found = {math.log(p / q): float(p) for p, q in pair.masses}
    return mean(self_composed(found, copies), eps, 1.0)


def both_ends(pair: Any, eps: float, copies: int = 1) -> tuple[float, float]:
    """Rounded to the nearest point, give and take half a step once, however many copies."""
    found = self_composed(on_grid(pair, round), copies)
    return mean(found, eps + STEP / 2) - 1e-9, mean(found, eps - STEP / 2) + 1e-9


def honest_ends(pair: Any, eps: float, copies: int = 1) -> tuple[float, float]:
    found = self_composed(on_grid(pair, up), copies)
    return mean(found, eps + STEP * copies) - 1e-6, mean(found, eps) + 1e-9


WRONG = [
    wrong("composition by adding profiles", "delta_i(eps) summed at one eps",
          exactly(delta=sum_of_profiles, claims="upper"), VALID | {"possible delta"}),
    wrong("parallel taken for sequential", "the largest profile of the factors",
          exactly(delta=largest_profile), VALID),
    wrong("profiles multiplied", "independent releases fail independently",
          exactly(delta=product_of_profiles), VALID | {"more releases, delta"}),
    wrong("epsilons added at one delta", "each release takes the whole delta",
          exactly(epsilon=sum_at_one_delta, claims="upper"), VALID_EPSILON),
    wrong("basic composition said to be tight", "a bound, far from the truth",
          exactly(epsilon=sum_at_shared_delta, claims="upper", tight="1/100"),
          {"tight epsilon"}, {"valid epsilon", "infinite losses in epsilon"}),
    wrong("the first factor for all", "a self-composition, asked about different releases",
          exactly(delta=first_pair_again), VALID | {"order, delta"}),
    wrong("the first factor for all, in epsilon", "the same, the other way",
          exactly(epsilon=lambda pairs, target: epsilon([pairs[0]] * len(pairs), target)),
          VALID_EPSILON | {"order, epsilon"}),
    wrong("infinite losses dropped", "mass at infinity is left out of the convolution",
          exactly(delta=infinite_lost, claims="upper"), VALID | {"infinite losses in delta"}),
    wrong("infinite losses are the largest finite one", "epsilon is infinite below the plateau",
          exactly(epsilon=infinite_lost_in_epsilon, claims="upper"),
          VALID_EPSILON | {"infinite losses in epsilon"}),
    wrong("masses at infinity added", "1 - (1 - a)(1 - b) is less than a + b",
          exactly(delta=infinite_added), {"infinite losses in delta"}),
    wrong("truncated tail", "far losses are dropped instead of being infinite",
          exactly(delta=truncated, claims="upper"), VALID | {"infinite losses in delta"}),
    wrong("midpoint at atoms", "half of an atom at eps counts, without its share of Q",
          exactly(delta=midpoint), VALID),
    wrong("tail of the loss for its profile", "Pr[Z > eps]: probabilistic privacy",
          exactly(delta=tail, claims="upper", tight="1/100", negative=False), {"tight delta"},
          {"valid delta", "infinite losses in delta", "monotone delta"}),
    wrong("wrong direction", "delta of (Q, P)", exactly(delta=reversed_pair), VALID),
    wrong("symmetrised", "the worse of both directions, said to be the profile",
          exactly(delta=symmetrised), VALID, {"monotone delta", "possible delta"}),
    wrong("mirrored at 0", "delta(-eps) is not delta(eps)", exactly(delta=mirrored),
          {"valid at negative eps", "monotone delta"}, VALID),
    wrong("no positive part", "1 - e^eps, summed over all outcomes",
          exactly(delta=no_positive_part), VALID | {"possible delta"}),
    wrong("eps for e^eps", "1 - e^-eps in the place of eps",
          exactly(epsilon=odds_for_eps, claims="upper"),
          VALID_EPSILON | {"randomized response, epsilon"}),
    wrong("a negative epsilon", "the root on the whole line", exactly(epsilon=signed_epsilon),
          VALID_EPSILON | {"possible epsilon"}),
    wrong("1 - delta for delta", "epsilon at the complement", exactly(epsilon=rising_epsilon),
          VALID_EPSILON | {"monotone epsilon"}),
    wrong("a product lessens epsilon", "the mean epsilon of the releases",
          exactly(epsilon=lambda pairs, target: sum_at_one_delta(pairs, target) / len(pairs)),
          VALID_EPSILON | {"more releases, epsilon"}),
    wrong("table read below", "epsilon is rounded down to a table",
          lambda: exactly()(Table()), VALID_EPSILON | {"round trip"}, VALID),
    wrong("grid rounded down", "an upper bound on losses that are too small",
          partial(accountant_laws, gridded(math.floor, 1e-9)), VALID),
    wrong("grid rounded to nearest", "a bound on losses that are half a step off",
          partial(accountant_laws, gridded(round, 1e-9)), VALID),
    wrong("wrapped around", "a circular convolution without room",
          partial(accountant_laws, around_the_circle), VALID),
    wrong("a crash where Q has no mass", "log(p/0)", partial(accountant_laws, unguarded),
          {"infinite losses in delta"}),
    wrong("halves small deltas", "those below 1/1000, as no random pair of a few outcomes has them",
          partial(accountant_laws, delta=halves_small, claims="upper"), {"small deltas"}),
    wrong("orders off by one", "a Renyi bound with e^(-a eps), and 1 for what is no list of masses",
          partial(accountant_laws, orders_off_by_one, claims="upper"),
          {"randomized response, delta"}, VALID),
    wrong("an interval that does not grow", "half a step once for all copies",
          partial(accountant_laws, both_ends, claims="interval"), VALID),
    wrong("an estimate of few digits", "a grid said to have twelve digits",
          partial(accountant_laws, gridded(round), claims="estimate", accuracy=1e-12), VALID),
]


class Exact:
    """Both questions, exact."""

    delta, epsilon = staticmethod(delta), staticmethod(epsilon)


RIGHT = [
    Right("accountant: exact convolution", lambda: exactly()(Exact())),
    Right("accountant: one pair, exact", exactly(delta=lambda pair, eps: delta([pair], eps))),
    Right("accountant: basic composition", exactly(epsilon=sum_at_shared_delta, claims="upper")),
    Right("accountant: grid rounded up", partial(
        accountant_laws, gridded(up, 1e-9), tight=("1/2", "3/4"), absolute=1e-12)),
    Right("accountant: grid rounded down, as a lower bound", partial(
        accountant_laws, gridded(lambda x: math.floor(x - 1e-9), -1e-9), claims="lower",
        absolute=1e-12)),
    Right("accountant: both ends of a grid", partial(
        accountant_laws, honest_ends, claims="interval")),
    Right("accountant: an estimate of nine digits", partial(
        accountant_laws, lambda pair, eps, copies=1: mean(self_composed(on_grid(
            pair, lambda z: z, 1.0), copies), eps, 1.0), claims="estimate", absolute=1e-9)),
]
