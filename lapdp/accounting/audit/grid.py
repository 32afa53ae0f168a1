"""The questions of an audit: mechanisms, compositions, eps from 0 on, delta down to 1e-100."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lapdp.accounting.audit.queries import Query, Release, asked

ORDINARY, SMALL, MINUTE, TINY = 1e-5, 1e-10, 1e-12, 1e-30
LEAST = 1e-100


@dataclass(frozen=True)
class Composition:
    """Releases, the eps and delta they are asked about, and whether they belong to the core."""

    releases: tuple[Release, ...]
    eps: tuple[float, ...]
    delta: tuple[float, ...] = (ORDINARY, SMALL, MINUTE, TINY)
    core: bool = False


def _one(mechanism: str, *parameters: float, copies: int = 1, rate: float | None = None
         ) -> tuple[Release, ...]:
    return (Release(mechanism, parameters, rate, copies),)


COMPOSITIONS = (
    # single releases, from little noise to much
    Composition(_one("gaussian", 1.0), (0.0, 1.0, 20.0),
                (1e-3, ORDINARY, SMALL, MINUTE, TINY, LEAST), core=True),
    Composition(_one("gaussian", 0.5), (0.0, 8.0)),
    Composition(_one("gaussian", 5.0), (0.0, 0.125, 2.0)),
    Composition(_one("gaussian", 50.0), (0.0, 0.0625), (ORDINARY, TINY)),
    Composition(_one("laplace", 1.0), (0.0, 0.5, 1.0), (1e-3, ORDINARY, TINY), True),
    Composition(_one("laplace", 8.0), (0.0, 0.0625), (ORDINARY,)),
    Composition(_one("geometric", 1.0), (0.0, 0.5), (ORDINARY,)),
    Composition(_one("discrete_gaussian", 1.0), (0.0, 1.0, 8.0)),
    Composition(_one("approximate_dp", 1.0, 2.0**-20), (0.0, 0.5, 1.0), (ORDINARY, 1e-7), True),
    # compositions
    Composition(_one("gaussian", 10.0, copies=100), (0.0, 1.0, 20.0), core=True),
    Composition(_one("gaussian", 10.0, copies=1000), (2.0, 30.0)),
    Composition(_one("gaussian", 50.0, copies=10000), (1.0, 15.0)),
    Composition(_one("laplace", 8.0, copies=10), (0.5, 1.125), core=True),
    Composition(_one("laplace", 8.0, copies=100), (1.0, 8.0), core=True),
    Composition(_one("laplace", 128.0, copies=10000), (1.0, 10.0)),
    Composition(_one("geometric", 0.125, copies=100), (1.0, 10.0)),
    Composition(_one("discrete_gaussian", 3.0, copies=10), (1.0, 8.0)),
    Composition(_one("discrete_gaussian", 10.0, copies=100), (1.0, 8.0)),
    Composition(_one("approximate_dp", 0.1, 0.0, copies=10), (0.0, 0.5), core=True),
    Composition(_one("approximate_dp", 0.125, 2.0**-27, copies=100), (1.0, 6.0), (ORDINARY, 1e-7),
                True),
    Composition(_one("approximate_dp", 0.1, 1e-8, copies=1000), (1.0, 30.0), (ORDINARY, SMALL)),
    Composition(_one("approximate_dp", 1.0, 0.0, copies=100), (10.0, 50.0)),
    # Poisson subsampling, where the two directions differ
    Composition(_one("gaussian", 1.0, rate=0.01), (0.0, 0.5, 2.0), (ORDINARY, TINY)),
    Composition(_one("gaussian", 1.0, rate=0.01, copies=1000), (0.0, 1.0, 4.0), core=True),
    Composition(_one("gaussian", 1.0, rate=0.01, copies=10000), (4.0, 8.0)),
    Composition(_one("gaussian", 0.75, rate=0.001, copies=10000), (0.5, 2.0)),
    Composition(_one("gaussian", 5.0, rate=0.1, copies=100), (0.25, 2.0), (ORDINARY, SMALL)),
    Composition(_one("gaussian", 2.0, rate=0.5, copies=10), (1.0, 4.0), (ORDINARY, SMALL)),
    Composition(_one("laplace", 1.0, rate=0.01), (0.0, 0.005), (ORDINARY,)),
    Composition(_one("laplace", 1.0, rate=0.01, copies=1000), (0.5, 2.0), (ORDINARY, SMALL)),
    # several mechanisms together
    Composition((*_one("gaussian", 10.0, copies=10), *_one("laplace", 8.0, copies=10)),
                (0.5, 3.0), core=True),
    Composition((*_one("gaussian", 5.0, copies=20),
                 *_one("approximate_dp", 0.125, 2.0**-27, copies=10)), (1.0,), (ORDINARY,)),
    Composition((*_one("gaussian", 1.0, rate=0.01, copies=100), *_one("gaussian", 4.0)),
                (0.5, 2.0), (ORDINARY, SMALL)),
)
QUICK = (
    Composition(_one("gaussian", 1.0), (20.0,), (ORDINARY, LEAST)),
    Composition(_one("laplace", 8.0, copies=100), (8.0,), (ORDINARY,)),
    Composition(_one("approximate_dp", 0.125, 2.0**-27, copies=100), (6.0,), (ORDINARY,)),
    Composition((*_one("gaussian", 10.0, copies=10), *_one("laplace", 8.0, copies=10)), (3.0,),
                (ORDINARY,)),
    Composition(_one("gaussian", 1.0, rate=0.01, copies=1000), (4.0,), ()),
)


@cache
def grid(part: str = "full") -> tuple[Query, ...]:
    """The questions of the whole grid, or of its "core", or of a "quick" look.

    >>> len(grid("quick")) < len(grid("core")) < len(grid())
    True
    """
    chosen = QUICK if part == "quick" else tuple(
        one for one in COMPOSITIONS if one.core or part == "full")
    return tuple(query for one in chosen
                 for query in asked(one.releases, eps=one.eps, delta=one.delta))


__all__ = ["COMPOSITIONS", "QUICK", "Composition", "grid"]
