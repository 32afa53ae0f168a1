"""Means of functions of a normal deviation as power series: panels with Gauss-Legendre rules.

Where e^w(n) phi(n) and L(n) are analytic in the ellipse of a panel, the integrals of e^w (L - m)^j
phi/j! over it are sums over the nodes of a rule, as far off as the largest values on the ellipse
say, where |L - m| is at most so much.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

ELLIPSE, ARCS, NODES = 8.0, 24, 8
"""Of panels: how far they are analytic, and how that is seen; their nodes are multiples of this."""

Integrand = Callable[[Any], tuple[Any, Any]]
"""w and L at n; :class:`Unsupported` where they are not seen to be analytic."""


def add_panel(at: tuple[Integrand, Integrand], place: tuple[Any, Any], middle: Any,
              accuracy: tuple[float, float, int], sums: list[Any], errors: list[Any]) -> None:
    """Adds the integrals over a panel of a middle and a half width, and bounds of their errors.

    Both integrands are the same, the first to be bounded.  ``middle`` is m; ``accuracy`` is (goal,
    reach, bits): errors are about e^-goal, those of coefficients beside powers of the reach, and
    bits those of bounds.
    """
    (bounded, integrand), (start, half), (goal, reach, bits) = at, place, accuracy
    rho, terms = flint.arb(ELLIPSE), len(sums)
    normal = 1 / (2 * flint.arb.pi()).sqrt()
    size = spread = flint.arb(0)
    with workprec(bits):
        for arc in legendre.arcs(rho, ARCS):
            n = start + half * arc
            log, loss = bounded(n)
            here = (log - n * n / 2).exp() * normal
            size, spread = size.max(abs(here).upper()), spread.max(abs(loss - middle).upper())
    if not (size.is_finite() and spread.is_finite()):
        raise Unsupported("moments are not seen to be analytic")
    over = float(size.log()) if size > 0 else -goal
    over += terms * math.log(max(1.0, float(spread) / reach))
    count = NODES * -(-legendre.nodes_for(max(8.0, goal + over), ELLIPSE) // NODES)
    error = legendre.error(count, rho, size * half)
    for j in range(terms):
        errors[j] = errors[j] + error
        error = error * spread / (j + 1)
    for x, weight in legendre.rule(count):
        n = start + half * x
        log, loss = integrand(n)
        term, step = weight * half * normal * (log - n * n / 2).exp(), loss - middle
        for j in range(terms):
            sums[j] = sums[j] + term
            term = term * step / (j + 1)


def moments_about(series: Any, shift: Any, terms: int) -> list[Any]:
    """E[w (s + shift)^j] for j below ``terms`` from the power series of E[w e^(x s)], within
    :func:`lapdp.core.precision.workterms` of as many terms.

    >>> from lapdp.core.precision import workterms
    >>> with workterms(3):
    ...     print(moments_about(flint.arb_series([1, 2, 3], 3), flint.arb(-2), 3))
    [1.00000000000000, 0, 2.00000000000000]
    """
    total = series * flint.arb_series([0, shift], terms).exp()
    factorial, found = flint.arb(1), []
    for j in range(terms):
        factorial *= max(j, 1)
        found.append(total[j] * factorial)
    return found


__all__ = ["add_panel", "moments_about"]
