"""Moments of a subsampled Gaussian at many neighbouring orders, as one polynomial.

The rule for H at an order is a sum of weights times e^(q X) over the nodes of a ray.  At q + d it
is the sum of weight e^(q X) e^(d X), where e^(d X) is cut off after as many terms as its node
needs, or later: the remainder after n terms is at most |d X|^n/n! e^|d X|.  The coefficients are a
product of the matrix of X^n/n!, the same for all orders, with the vector of weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import flint

from lapdp.accounting.moments.rays import Ray, Rays
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

DEGREES = (1, 4, 8, 12, 16, 24, 32, 40, 52, 64)
LOGS = {n: math.lgamma(n + 1) for n in DEGREES}
TERM, POWER = 5.0, 0.05
"""Microseconds for the weight of a node, and for one of its powers."""
ROOM = 2
"""Steps among the degrees."""
SAFE = 1 + 1e-6
"""Covers the rounding of doubles in the bound of what is left out."""


def values(rays: Rays, orders: Sequence[Any], ray: Ray, most: float
           ) -> tuple[list[tuple[Any, float]], float]:
    """The rule at some orders next to each other, each with a bound of what is left out, about
    ``most``, and what that costs in microseconds, nearly.

    Where one polynomial for all of them needs many terms, it is one for each half of them.
    """
    middle = flint.acb(orders[len(orders) // 2].mid())
    reach = math.nextafter(max(float(abs(q - middle).upper()) for q in orders), math.inf)
    found = _near(rays, middle, reach, ray, most)
    if found is not None:
        polynomial, rest, cost = found
        return [(polynomial(q - middle), rest) for q in orders], cost
    half = len(orders) // 2
    if not half:
        raise Unsupported("an order is not known well enough")
    (first, one), (second, other) = (values(rays, part, ray, most) for part in (
        orders[:half], orders[half:]))
    return first + second, one + other


def _near(rays: Rays, q: Any, reach: float, ray: Ray, most: float
          ) -> tuple[Any, float, float] | None:
    """The rule at all orders q + d, |d| <= ``reach``: a polynomial in d, a bound of what it leaves
    out, about ``most``, and its cost; None where many terms are too few."""
    nodes, middle = rays.nodes(ray), complex(float(q.real), float(q.imag))
    goal, lost, work = math.log(most / len(nodes)), 0.0, 0
    counts: dict[int, int] = {}
    for j, (place, size, log) in enumerate(rays.doubles(ray)):
        moved = reach * size
        top = (middle * place).real + log + moved
        if top < goal:
            lost += math.exp(max(-700.0, top))
            continue
        each = math.log(moved) if moved > 0 else -math.inf
        for degree in DEGREES:
            rest = top + degree * each - LOGS[degree]
            if rest < goal:
                break
        else:
            return None
        lost, work = lost + math.exp(max(-700.0, rest)), work + degree
        counts[j] = degree
    if not counts:
        return flint.acb_poly([]), SAFE * lost, 0.0
    known = rays.powers(ray, counts, _room)
    spend(8 * len(counts) + sum(known.counts.values()) / 10)
    terms = [flint.acb(0)] * (known.last - known.first)
    for j in counts:
        x, weight = nodes[j]
        terms[j - known.first] = weight * (q * x).exp()
    sums = flint.acb_mat(1, len(terms), terms) * known.matrix
    return flint.acb_poly(sums.entries()), SAFE * lost, TERM * len(counts) + POWER * work


def _room(degree: int) -> int:
    """Some more powers: the next orders are farther away from each other."""
    return DEGREES[min(DEGREES.index(degree) + ROOM, len(DEGREES) - 1)]


__all__ = ["values"]
