"""Queries as values: a pair or its text, what is asked of it, where, and to how many digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lapdp.accounting.answers import Answer
from lapdp.core.errors import InputError
from lapdp.privacy.pair import Pair

NOTIONS = ("delta", "epsilon", "moment", "renyi", "tradeoff")


@dataclass(frozen=True)
class Query:
    """One certified number: ``Query(gaussian(1), "delta", 1, digits=30)``.

    ``pair`` and ``at`` may be texts of the language of the command line: such queries travel in
    few bytes and are read where they are answered.

    >>> print(Query("laplace(1)**100", "delta", "1/2"))
    delta(laplace(1)**100, 1/2)
    >>> round(float(Query.of("epsilon(laplace(1)**100, 1e-6, digits=5)").answer()), 2)
    71.55
    """

    pair: Pair | str
    notion: str
    at: Any
    digits: int | None = None
    """None: as many of the usual ones as are reached."""

    def __post_init__(self) -> None:
        if not isinstance(self.pair, (Pair, str)):
            raise InputError(f"{str(self.pair)[:40]} is no pair: write a mechanism, or its text")
        if self.notion not in NOTIONS:
            raise InputError(f"{str(self.notion)[:40]!r} is none of {', '.join(NOTIONS)}")

    @staticmethod
    def of(given: Any) -> Query:
        """A query, the tuple of its parts, or its text; else :class:`InputError`."""
        if isinstance(given, Query):
            return given
        if isinstance(given, str):
            return _read(given)
        if isinstance(given, (tuple, list)) and len(given) in (3, 4):
            return Query(*given)
        raise InputError(f"{str(given)[:60]} is no query: write (pair, \"delta\", eps, digits), or "
                         'a text such as "delta(gaussian(1), 1)"')

    def answer(self) -> Answer:
        """The number; raises as the method of the pair does."""
        given = {} if self.digits is None else {"digits": self.digits}
        return _asked(self.notion)(self._pair(), self._place(), **given)

    def _pair(self) -> Any:
        if isinstance(self.pair, Pair):
            return self.pair
        from lapdp.privacy import catalogue
        from lapdp.theory.parse import parse_mechanism

        found = parse_mechanism(self.pair, catalogue())
        if not isinstance(found, Pair):
            raise InputError(f"{self.pair[:60]} is no mechanism")
        return found

    def _place(self) -> Any:
        if not isinstance(self.at, str):
            return self.at
        from lapdp.theory.parse import parse_expression

        return parse_expression(self.at)

    def __str__(self) -> str:
        more = "" if self.digits is None else f", digits={self.digits}"
        return f"{self.notion}({self.pair}, {self.at}{more})"


def _read(text: str) -> Query:
    from lapdp.theory.parse import parse_call

    name, given, named = parse_call(text)
    if len(given) not in (2, 3) or set(named) - {"digits"} or (len(given) == 3 and named):
        raise InputError(f"cannot read {text[:60]}: write delta(mechanism, eps), or "
                         "delta(mechanism, eps, digits=30)")
    digits = given[2] if len(given) == 3 else named.get("digits")
    if digits is not None and not digits.isdecimal():
        raise InputError(f"digits = {digits[:40]} must be a whole number")
    return Query(given[0], name, given[1], None if digits is None else int(digits))


def _asked(notion: str) -> Callable[..., Answer]:
    from lapdp.accounting import notions
    from lapdp.accounting.delta import delta
    from lapdp.accounting.epsilon import epsilon

    found: dict[str, Callable[..., Answer]] = {
        "delta": delta, "epsilon": epsilon, "moment": notions.moment, "renyi": notions.renyi,
        "tradeoff": notions.tradeoff}
    return found[notion]


__all__ = ["NOTIONS", "Query"]
