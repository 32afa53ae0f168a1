"""Point guarantees (eps, delta) and the worst pair that satisfies them.

A pair is (eps, delta)-DP if its profile H over x = e^eps satisfies H(e^eps) <= delta.  Profiles are
the convex, non-increasing functions with H(0) = 1 and H(x) >= 1 - x.  So the largest one below a
finite set of points is their lower convex hull with (0, 1), constant after the last vertex; it is
at least 1 - x because the points are, and every pair that satisfies the guarantees has a profile
nowhere above it.  A guarantee for the reversed pair is one for the pair itself, at -eps, by
equation (7): delta_{Q|P}(eps) <= d  if and only if  delta_{P|Q}(-eps) <= 1 - (1 - d) e^-eps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.duality.atoms import exact_points, pair_of_masses
from lapdp.privacy.duality.lines import hull, value_at
from lapdp.privacy.duality.vertices import masses_of_tradeoff, to_tradeoff
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter


@dataclass(frozen=True)
class WorstProfile:
    """The largest profile under some guarantees, as that of a pair of atoms."""

    pair: Pair
    """A pair that satisfies all guarantees, and whose profile is nowhere below another's."""
    redundant: tuple[tuple[Any, Any], ...]
    """The guarantees (eps, delta) that follow strictly from the others."""

    def __call__(self, t: Any = None) -> Any:
        """The largest delta(t)."""
        return self.pair.profile(t)


@fitting
def worst_profile(guarantees: Iterable[Any], both_directions: bool = False) -> WorstProfile:
    """The largest profile with delta(eps) <= delta for all ``guarantees``, a list of (eps, delta).

    ``eps`` is an exact number made of rationals, logs and symbols, ``delta`` one in [0, 1].  With
    ``both_directions`` the guarantees hold for the reversed pair, too; one guarantee then gives
    randomized response, (38).
    Raises :class:`InputError` for a guarantee that no pair satisfies: delta < 1 - e^eps.

    >>> import sympy as sp
    >>> worst = worst_profile([(sp.log(3), "1/10"), (0, "1/2"), (sp.log(2), "2/5")])
    >>> worst.pair, worst.redundant
    (finite([0, "3/10", "3/5", "1/10"], ["1/2", "3/10", "1/5", 0]), ((log(2), 2/5),))
    >>> worst_profile([(sp.log(3), "1/10")], both_directions=True).pair
    finite([0, "9/40", "27/40", "1/10"], ["1/10", "27/40", "9/40", 0])
    >>> worst_profile([(sp.log("1/2"), "1/10")])
    Traceback (most recent call last):
    lapdp.core.errors.InputError: no pair has delta(-log(2)) <= 1/10: it is at least 1 - e^eps = 1/2
    """
    read = _read(guarantees)
    given = [(sp.exp(eps), delta) for eps, delta in read]
    reversed_ones = [(1 / x, 1 - (1 - d) / x) for x, d in given] if both_directions else []
    points, sign = exact_points("guarantees", [*given, *reversed_ones])
    for (eps, delta), (x, d) in zip(read, points, strict=False):
        if sign(d) < 0 or sign(1 - d) < 0:
            raise InputError(f"delta = {delta} must be between 0 and 1")
        if sign(d - 1 + x) < 0:
            raise InputError(f"no pair has delta({eps}) <= {delta}: it is at least 1 - e^eps = "
                             f"{1 - x}")
    vertices = hull(points, sign)
    above = tuple(g for g, (x, d) in zip(read, points, strict=False)
                  if sign(d - value_at(vertices, x, sign)) > 0)
    masses = masses_of_tradeoff(to_tradeoff(vertices, sign), sign)
    return WorstProfile(pair_of_masses(masses), above)


def _read(guarantees: Iterable[Any]) -> list[tuple[Any, Any]]:
    if isinstance(guarantees, str) or not isinstance(guarantees, Iterable):
        raise InputError("guarantees must be a list of pairs (eps, delta)")
    found: list[tuple[Any, Any]] = []
    for k, guarantee in enumerate(guarantees):
        if not isinstance(guarantee, (tuple, list, sp.Tuple)) or len(guarantee) != 2:
            raise InputError(f"guarantees[{k}] must be a pair (eps, delta)")
        eps, delta = guarantee
        found.append((exact_parameter("eps", eps), exact_parameter("delta", delta)))
    if not found:
        raise InputError("give at least one guarantee (eps, delta)")
    return found


__all__ = ["WorstProfile", "worst_profile"]
