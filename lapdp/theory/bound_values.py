"""Where a bound real variable runs, read from its conditions and from what it is declared to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported


@dataclass(frozen=True)
class Run:
    """The reals from ``start`` to ``stop``, None for no end; an end may be no value itself."""

    sign: Callable[[Any], int]
    start: Any = None
    stop: Any = None
    has_start: bool = True
    has_stop: bool = True

    def beginning(self, at: Any, closed: bool) -> Run:
        """Those that are above ``at`` too, or also at it."""
        order = 1 if self.start is None else self.sign(at - self.start)
        if order < 0:
            return self
        return Run(self.sign, at, self.stop, closed and (order > 0 or self.has_start),
                   self.has_stop)

    def ending(self, at: Any, closed: bool) -> Run:
        """Those that are below ``at`` too, or also at it."""
        order = -1 if self.stop is None else self.sign(at - self.stop)
        if order > 0:
            return self
        return Run(self.sign, self.start, at, self.has_start,
                   closed and (order < 0 or self.has_stop))

    def contains(self, at: Any) -> bool:
        """Is this a value of the variable?"""
        behind = 1 if self.start is None else self.sign(at - self.start)
        before = 1 if self.stop is None else self.sign(self.stop - at)
        return (behind > 0 or (behind == 0 and self.has_start)) and (
            before > 0 or (before == 0 and self.has_stop))

    def inside(self, at: Any) -> bool:
        """Is this a value between the ends?"""
        return (self.start is None or self.sign(at - self.start) > 0) and (
            self.stop is None or self.sign(self.stop - at) > 0)

    @property
    def empty(self) -> bool:
        """Is there no value at all?  A single one is none of an open range: it is refused."""
        if self.start is None or self.stop is None:
            return False
        order = self.sign(self.stop - self.start)
        if order == 0 and self.has_start and self.has_stop:
            raise Unsupported("a bound variable with one value")
        return order <= 0


def run_of(t: Any, where: Iterable[Any], form: Callable[[Any], Any],
           sign: Callable[[Any], int]) -> Run:
    """Where ``t`` runs: conditions that compare it with what does not depend on it are read."""
    found = Run(sign)
    if t.is_nonnegative:
        found = found.beginning(form(sp.Integer(0)), not t.is_positive)
    elif t.is_positive is not None or t.is_nonpositive is not None:
        raise Unsupported(f"a bound variable that is declared as {t} is")
    for condition in where:
        if not isinstance(condition, (sp.Ge, sp.Gt, sp.Le, sp.Lt)) or t not in condition.args:
            raise Unsupported("a condition on a bound variable")
        turned = condition.rhs == t
        end = condition.lhs if turned else condition.rhs
        if t in end.free_symbols:
            raise Unsupported("a condition on a bound variable")
        closed = isinstance(condition, (sp.Ge, sp.Le))
        below = isinstance(condition, (sp.Ge, sp.Gt)) != turned
        found = (found.beginning if below else found.ending)(form(end), closed)
    return found


__all__ = ["Run", "run_of"]
