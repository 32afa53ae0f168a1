"""The installed accountants under the laws of accountants: random questions, shrunk violations.

    python -m tests.campaigns.accountants [NAME ...] [--examples 50] [--seconds 60] [--strict]

Each failing answer is confirmed by a second route, a sum in mpmath over the losses of finite
products, where there is one.  Rounding is forgiven (1e-9 relative, 1e-12 absolute), unless
``--strict``: then a bound that is one unit in the last place too small is a violation, which it is.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import mpmath

from lapdp.accounting.audit import Query
from lapdp.accounting.audit.adapter import installed
from lapdp.accounting.audit.adapters import adapter, known
from lapdp.testing.conformance.accountant import check_accountant
from lapdp.testing.conformance.findings import Report

FORGIVEN = {"accuracy": 1e-9, "absolute": 1e-12}
DIGITS = 40


def masses(release: Any) -> list[tuple[Any, Any]] | None:
    """(loss, mass under P) of one release with finitely many losses."""
    if release.rate is not None or release.mechanism != "approximate_dp":
        return None
    eps, leak = (mpmath.mpf(x) for x in release.parameters)
    high = (1 - leak) / (1 + mpmath.exp(-eps))
    return [(mpmath.inf, leak), (eps, high), (-eps, 1 - leak - high)]


def second_route(query: Query) -> Any:
    """delta by the definition, a sum over all losses of the product; None where they are infinite.

    >>> from lapdp.accounting.audit import Release
    >>> query = Query((Release("approximate_dp", (1.0, 0.25), None, 2),), "delta", 0.0)
    >>> print(mpmath.nstr(second_route(query), 8))
    0.6974409
    """
    with mpmath.workdps(DIGITS):
        total = {mpmath.mpf(0): mpmath.mpf(1)}
        for release in query.releases:
            one = masses(release)
            if one is None or query.wants != "delta":
                return None
            for _ in range(release.copies):
                both: dict[Any, Any] = {}
                for z, p in total.items():
                    for y, r in one:
                        both[z + y] = both.get(z + y, 0) + p * r
                total = both
        eps = mpmath.mpf(query.at)
        return mpmath.fsum(p * (1 if z == mpmath.inf else max(0, 1 - mpmath.exp(eps - z)))
                           for z, p in total.items())


def reports(names: list[str], examples: int, seconds: float, strict: bool, secondary: bool = False
            ) -> Iterator[tuple[str, Report]]:
    """The report of each method of each accountant that is installed."""
    for name in names:
        found = adapter(name)
        if installed(found.distribution) is None:
            print(f"{name}: {found.distribution} is not installed")
            continue
        for method in found.methods:
            if getattr(method, "secondary", False) and not secondary:
                continue
            yield f"{name} {method.name}", check_accountant(
                method, examples=examples, seconds=seconds, on_fail="report", max_copies=16,
                **({} if strict or method.claim.kind == "estimate" else FORGIVEN))


def confirmed(report: Report) -> Iterator[str]:
    """What the second route says of failing answers about delta."""
    for failure in report.failures:
        query = getattr(failure.found, "query", None)
        value = None if query is None else second_route(query)
        if value is not None:
            yield f"  second route: {failure.law}: {mpmath.nstr(value, 15)}"


def main(arguments: list[str] | None = None) -> int:
    """Run and print; 1 where a law fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=known())
    parser.add_argument("--examples", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each law")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--secondary", action="store_true", help="other settings too")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    failed = False
    for title, report in reports(chosen.names or known(), chosen.examples, chosen.seconds,
                                 chosen.strict, chosen.secondary):
        print(f"{title}\n{report}", *confirmed(report), sep="\n", flush=True)
        failed |= not report
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
