"""Events made of others: unions, intersections, differences; sets of named outcomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import sympy as sp
from sympy.core.symbol import Str

from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed
from lapdp.privacy.nodes import Complement, Event
from lapdp.privacy.pointwise import Where


class Outcomes(Node):
    r"""The event of the named outcomes; ``|`` joins two.  ``P(Outcomes("a", "b"))`` is its mass.

    The names are those of a mechanism made by :func:`lapdp.privacy.mechanisms.outcomes`; another
    name makes a statement ill-formed.  Source: Chourasia et al. 2024, the sets S_1, S_2, S_3 in the
    proof of Theorem 3.4.

    >>> Outcomes("b") | Outcomes("a")
    Outcomes(a, b)
    """

    def __new__(cls, *names: Any) -> Any:
        return sp.Expr.__new__(cls, *(Str(n) for n in sorted({str(n) for n in names})))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the event, in order."""
        return tuple(str(a) for a in self.args)

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, Outcomes):
            return NotImplemented
        return Outcomes(*self.names, *other.names)

    def _latex(self, printer: Any) -> str:
        names = (name.replace("_", r"\_") for name in self.names)
        return r"\left\{" + ", ".join(rf"\text{{{name}}}" for name in names) + r"\right\}"

    def _sympystr(self, printer: Any) -> str:
        return f"Outcomes({', '.join(self.names)})"


class SetOperation(Node):
    """An event made of two: args (S, T); of two :class:`Outcomes` it is another such set."""

    sign = ""
    of_sets: ClassVar[Callable[[set[str], set[str]], set[str]]]
    """The same of sets of names."""

    def __new__(cls, first: Any, second: Any) -> Any:
        named = [isinstance(event, Outcomes) for event in (first, second)]
        if all(named):
            return Outcomes(*cls.of_sets(set(first.names), set(second.names)))
        for event in (first, second):
            if isinstance(event, Outcomes):
                raise IllFormed(f"{event} names the outcomes of one mechanism: only other Outcomes "
                                "can be joined with it, met or taken away")
            if not isinstance(event, (Event, Complement, Where, SetOperation)):
                raise IllFormed(f"{event} is not an event")
        return super().__new__(cls, first, second)

    def _latex(self, printer: Any) -> str:
        parts = (printer._print(a) for a in self.args)
        return rf"\left({f' {self.sign} '.join(parts)}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__}({', '.join(printer._print(a) for a in self.args)})"


class Union(SetOperation):
    """The outcomes that are in S, in T or in both.

    >>> S, T = Event("S"), Event("T")
    >>> Union(S, Complement(T))
    Union(S, Complement(T))
    >>> Union(Outcomes("a"), Outcomes("b"))
    Outcomes(a, b)
    """

    sign = r"\cup"
    of_sets = set.union


class Intersection(SetOperation):
    """The outcomes that are in S and in T."""

    sign = r"\cap"
    of_sets = set.intersection


class Difference(SetOperation):
    """The outcomes that are in S and not in T."""

    sign = r"\setminus"
    of_sets = set.difference


__all__ = ["Difference", "Intersection", "Outcomes", "SetOperation", "Union"]
