"""The queries of the table of reference values: mechanisms, points and levels.

Parameters are decimals, so that another project reads them without lapdp.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lapdp.privacy.pair import Pair

DELTA, EPSILON = "delta", "epsilon"
"""What is asked: delta at an eps, or the least eps >= 0 at a delta."""
FORWARD, REVERSE = "forward", "reverse"


@dataclass(frozen=True)
class Release:
    """One mechanism with decimal parameters, subsampled if it has a rate, some copies of it."""

    family: str
    parameters: tuple[tuple[str, Any], ...]
    copies: int = 1
    rate: str = ""
    neighbours: str = ""
    """``remove`` or ``add``, where there is a rate."""

    def text(self) -> str:
        """In the language of the command line.

        >>> print(Release("gaussian", (("sigma", "1"),), 10, "0.01", "add").text())
        poisson(gaussian(sigma=1), rate=0.01, direction="add")**10
        """
        inner = ", ".join(f"{name}={_written(value)}" for name, value in self.parameters)
        one = f"{self.family}({inner})"
        if self.rate:
            one = f'poisson({one}, rate={self.rate}, direction="{self.neighbours}")'
        return one if self.copies == 1 else f"{one}**{self.copies}"

    def record(self) -> dict[str, Any]:
        """Plain data."""
        sampled = {"rate": self.rate, "neighbours": self.neighbours} if self.rate else {}
        parameters = {n: list(v) if isinstance(v, tuple) else v for n, v in self.parameters}
        return {"family": self.family, "parameters": parameters, "copies": self.copies, **sampled}


@dataclass(frozen=True)
class Query:
    """Independent releases, (P, Q) or (Q, P), and delta at eps or eps at delta."""

    releases: tuple[Release, ...]
    direction: str
    asked: str
    at: str

    @property
    def family(self) -> str:
        """That of the releases, or ``product``."""
        return self.releases[0].family if len(self.releases) == 1 else "product"

    def text(self) -> str:
        """The mechanism in the language of the command line; the direction is an option there."""
        return " * ".join(release.text() for release in self.releases)

    def command(self, digits: int) -> str:
        """The command that gives the value.

        >>> rates = (("rate_p", "1"), ("rate_q", "2"))
        >>> print(Query((Release("exponential", rates),), REVERSE, DELTA, "-2").command(40))
        lapdp delta 'exponential(rate_p=1, rate_q=2)' --eps -2 --digits 40 --direction reverse
        """
        place = "--eps" if self.asked == DELTA else "--delta"
        turned = "" if self.direction == FORWARD else f" --direction {self.direction}"
        return f"lapdp {self.asked} '{self.text()}' {place} {self.at} --digits {digits}{turned}"

    def pair(self) -> Pair:
        """The pair that is asked."""
        from lapdp.privacy import catalogue
        from lapdp.theory.parse import parse_mechanism

        found: Pair = parse_mechanism(self.text(), catalogue())
        return found if self.direction == FORWARD else found.reverse()


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{x}"' for x in value) + "]"
    return str(value)


def _one(family: str, copies: int = 1, rate: str = "", neighbours: str = "", **parameters: Any
         ) -> Release:
    return Release(family, tuple(parameters.items()), copies, rate, neighbours)


def queries() -> Iterator[Query]:
    """All queries, in the order of the table; equal ones occur once.

    >>> found = list(queries())
    >>> len(found) >= 300, len(found) == len(set(found))
    (True, True)
    """
    for releases, points, levels in _PLAN:
        for direction in (FORWARD, REVERSE):
            if direction == REVERSE and not _turned(releases):
                continue
            for asked, places in ((DELTA, points), (EPSILON, levels)):
                for at in places.split():
                    yield Query(releases, direction, asked, at)


def _turned(releases: tuple[Release, ...]) -> bool:
    """Is the reversed pair asked as well?  Where it has another profile."""
    return any(r.family in ("exponential", "finite") for r in releases)


def _normal() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    yield (_one("gaussian", sigma="1"),), "-3 -1 0 1 5 20", "0.1 1e-5 1e-10 1e-100 1e-300"
    yield (_one("gaussian", sigma="0.5", sensitivity="2"),), "0 10 40", "0.999 1e-6"
    yield (_one("gaussian", 100, sigma="10"),), "-0.5 0 20", "1e-5 1e-30"
    yield (_one("gaussian", 10**4, sigma="150"),), "0 3", "1e-8"
    yield (_one("gaussian", 10**6, sigma="1000"),), "0 1 30", "1e-5 1e-300"
    yield (_one("gaussian", 10**9, sigma="10000", sensitivity="0.7"),), "5 100", "1e-12"


def _laplaces() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    yield (_one("laplace", scale="1"),), "-2 -0.5 0 0.5 0.999 1 2", "0.25 1e-5 1e-300 0"
    yield (_one("laplace", 2, scale="1"),), "0 1.5 1.9999", "1e-6 1e-30"
    yield (_one("laplace", 5, scale="2", sensitivity="3"),), "-1 0 6 7.4", "1e-5"
    yield (_one("laplace", 10, scale="10"),), "-0.3 0 0.5 0.99", "1e-5 1e-10"
    yield (_one("laplace", 100, scale="10"),), "-1 0 5 9.99", "1e-5 1e-20 1e-60"
    yield (_one("laplace", 300, scale="20"),), "0 8", "1e-5"
    yield (_one("truncated_laplace", scale="1", bound="10"),), "-1 0 0.5 1", "0.1 1e-5 1e-3"
    yield (_one("truncated_laplace", 20, scale="1", bound="30"),), "-2 0 8 20", "1e-5 1e-10 1e-20"
    yield (_one("exponential_mechanism", eps="1"),), "-0.5 0 0.9", "0.01 1e-10"
    yield (_one("exponential_mechanism", 40, eps="0.5"),), "-1 0 6 19", "1e-5 1e-40"


def _responses() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    small = {"eps": "0.1", "delta": "1e-8"}
    yield (_one("randomized_response", eps="1"),), "-2 0 0.5 1 3", "0.1 1e-9 0"
    yield (_one("randomized_response", eps="1", delta="0.01"),), "0 0.5 2", "0.1 0.01 0.001"
    yield (_one("randomized_response", 10, **small),), "-0.5 0 0.5 0.95", "1e-5 1e-7 1e-8"
    yield (_one("randomized_response", 100, **small),), "0 3 9.9", "1e-5 1e-6"
    yield (_one("randomized_response", 1000, **small),), "-5 0 20 30 99.95", "1e-4 1.1e-5 1e-5 1e-6"
    yield (_one("randomized_response", 1000, eps="0.1"),), "30 90", "1e-10 1e-100 1e-300"
    yield (_one("randomized_response", 10**6, eps="0.001"),), "0 2 30", "1e-5 1e-100"
    yield (_one("randomized_response", 10**9, eps="0.00001"),), "1 5", "1e-5 1e-300"
    yield (_one("approximate_dp", 50, eps="0.3", delta="1e-6"),), "0 4", "1e-3 1e-4"
    yield (_one("kary_response", k="10", eps="1"),), "-1 0 0.5", "0.01"
    yield (_one("kary_response", 50, k="10", eps="1"),), "-4 0 7 45", "1e-5 1e-20"
    yield (_one("kary_response", 200, k="1000", eps="2"),), "0 20", "1e-10"


def _steps() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    yield (_one("staircase", eps="1", gamma="0.25"),), "-0.5 0 0.5", "0.1 1e-3"
    yield (_one("staircase", 30, eps="1", gamma="0.4"),), "-3 0 5 29", "1e-5 1e-10"
    yield (_one("geometric", eps="0.1", sensitivity="3"),), "-0.2 0 0.2", "0.01 1e-6"
    yield (_one("geometric", 100, eps="0.1", sensitivity="3"),), "-2 0 4 25", "1e-5 1e-12"
    yield (_one("geometric", 500, eps="0.05"),), "0 3", "1e-8"
    yield (_one("discrete_gaussian", sigma="1"),), "-1 0 1 20", "1e-5 1e-100 1e-300"
    yield (_one("discrete_gaussian", sigma="3", sensitivity="2"),), "0 2", "1e-5"
    yield (_one("discrete_gaussian", 50, sigma="3"),), "-2 0 5 20", "1e-5 1e-30"
    coin: dict[str, Any] = {"P": ("0.5", "0.25", "0.25"), "Q": ("0.25", "0.25", "0.5")}
    yield (_one("finite", **coin),), "-0.5 0 0.5", "0.1 1e-3"
    yield (_one("finite", 30, **coin),), "0 1 12", "1e-5 1e-8"
    lost: dict[str, Any] = {"P": ("0.6", "0.3", "0.1", "0"), "Q": ("0.3", "0.5", "0", "0.2")}
    yield (_one("finite", 12, **lost),), "-1 0 2 8", "0.8 0.72 0.7"


def _exponentials() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    yield (_one("exponential", rate_p="1", rate_q="2"),), "-2 0 1 50", "0.1 1e-20"
    yield (_one("exponential", 30, rate_p="1", rate_q="1.25"),), "-3 0 4 40", "1e-5 1e-100"
    yield (_one("exponential", 1000, rate_p="1", rate_q="1.02"),), "0 2", "1e-10"


def _sampled() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    for side in ("remove", "add"):
        yield (_one("gaussian", 1, "0.01", side, sigma="1"),), "-0.005 0 0.005 0.01", "1e-3 1e-5"
        yield (_one("gaussian", 1000, "0.01", side, sigma="1"),), "-1 0 1 2 4", "1e-5 1e-12"
        yield (_one("gaussian", 100, "0.1", side, sigma="2"),), "0 2", "1e-6"
        yield (_one("gaussian", 10**6, "0.001", side, sigma="1"),), "1 5", "1e-6 1e-30"
        yield (_one("laplace", 1, "0.1", side, scale="1"),), "-0.05 0 0.05 0.09", "0.01"
        yield (_one("laplace", 1000, "0.05", side, scale="1"),), "0 3", "1e-6"
        yield (_one("randomized_response", 50, "0.1", side, eps="1"),), "-0.5 0 1", "1e-5"
        yield (_one("geometric", 20, "0.2", side, eps="1"),), "0 1", "1e-6"


def _products() -> Iterator[tuple[tuple[Release, ...], str, str]]:
    response = _one("randomized_response", 20, eps="0.5", delta="1e-6")
    yield (_one("gaussian", sigma="1"), _one("laplace", scale="1")), "-1 0 2 5", "1e-5 1e-20"
    yield (_one("gaussian", sigma="2"), response), "-1 0 3 9", "1e-3 2e-5 1e-5"
    yield (_one("gaussian", 4, sigma="4"), _one("laplace", 3, scale="2")), "0 2", "1e-8"
    yield (_one("laplace", 4, scale="2"), response), "0 4", "1e-3"


_PLAN = tuple(plan for part in (_normal, _laplaces, _responses, _steps, _exponentials, _sampled,
                                _products) for plan in part())

__all__ = ["DELTA", "EPSILON", "FORWARD", "REVERSE", "Query", "Release", "queries"]
