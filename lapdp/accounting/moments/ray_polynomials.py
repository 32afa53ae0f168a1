"""Moments of a subsampled Gaussian at many neighbouring orders, as one polynomial.

The rule for H at an order is a sum of weights times e^(q X) over the nodes of a ray.  At q + d it
is the sum of weight e^(q X) e^(d X), where e^(d X) is cut off after as many terms as its node
needs: the remainder after n terms is at most |d X|^n/n! e^|d X|.
"""

from __future__ import annotations

import math
from typing import Any

import flint

from lapdp.accounting.moments.rays import Ray, Rays

DEGREES = (1, 2, 4, 6, 8, 12, 16, 24, 32, 40, 52, 64)
LOGS = {n: math.lgamma(n + 1) for n in DEGREES}
SAFE = 1 + 1e-6
"""Covers the rounding of doubles in the bound of what is left out."""


def near(rays: Rays, q: Any, reach: float, ray: Ray, most: float
         ) -> tuple[Any, float, int] | None:
    """The rule at all orders q + d, |d| <= ``reach``: a polynomial in d, a bound of what it leaves
    out, about ``most``, and the terms it took; None where many terms are too few."""
    nodes, middle = rays.nodes(ray), complex(float(q.real), float(q.imag))
    goal, lost, work = math.log(most / len(nodes)), 0.0, 0
    found = [flint.acb(0)] * DEGREES[-1]
    for (x, weight), (place, size, log) in zip(nodes, rays.doubles(ray), strict=True):
        top = (middle * place).real + log + reach * size
        if top < goal:
            lost += math.exp(max(-700.0, top))
            continue
        each = math.log(reach * size)
        for degree in DEGREES:
            rest = top + degree * each - LOGS[degree]
            if rest < goal:
                break
        else:
            return None
        lost, work = lost + math.exp(max(-700.0, rest)), work + degree
        term = weight * (q * x).exp()
        found[0] += term
        for n in range(1, degree):
            term = term * x / n
            found[n] += term
    return flint.acb_poly(found), SAFE * lost, work


def single(rays: Rays, q: Any, ray: Ray, most: float) -> tuple[Any, float]:
    """The rule at one order without the nodes that add next to nothing, and a bound of what they
    add, about ``most`` at the most."""
    nodes, middle = rays.nodes(ray), complex(float(q.real), float(q.imag))
    goal, lost, total = math.log(most / len(nodes)), 0.0, flint.acb(0)
    for (x, weight), (place, _, log) in zip(nodes, rays.doubles(ray), strict=True):
        top = (middle * place).real + log
        if top < goal:
            lost += math.exp(max(-700.0, top))
        else:
            total += weight * (q * x).exp()
    return total, SAFE * lost


__all__ = ["near", "single"]
