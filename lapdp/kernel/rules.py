"""What a rule is: a function that refuses, or returns the hypotheses of its conclusion."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from lapdp.kernel.terms import Bank, Refused, whole


class Theorem(NamedTuple):
    """``hyps |- claim``, sentences by number; ``facts`` are the named facts below it.

    Made by :class:`lapdp.kernel.checker.Checker` only."""

    hyps: frozenset[int]
    claim: int
    facts: frozenset[str] = frozenset()


Rule = Callable[[Bank, int, list[Theorem], list[object]], frozenset[int]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Enter a rule into the table, under its name."""
    RULES[function.__name__] = function
    return function


def require(condition: bool, why: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(why)


def shape(b: Bank, t: int, symbol: str) -> tuple[int, ...]:
    """The children of a term with that symbol; refuses another one."""
    require(b.rows[t][0] == symbol, f"{symbol} expected, {b.rows[t][0]} found")
    return b.children(t)


def numbers(b: Bank, data: list[object], n: int) -> list[int]:
    """The data as n terms of the bank."""
    require(len(data) == n, f"{n} terms expected")
    found = [x for x in data if isinstance(x, int) and whole(x) and 0 <= x < len(b.rows)]
    require(len(found) == n, "no term")
    return found
