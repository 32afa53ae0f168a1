"""Letters, bound variables and side conditions while one statement is turned into a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sympy as sp

from lapdp.kernel.domain import conj, domain
from lapdp.kernel.terms import Bank
from lapdp.privacy.nodes import Event, Outcome

TRANSLATED = frozenset({
    "real", "positive", "nonnegative", "negative", "nonpositive", "nonzero", "integer", "complex",
    "commutative", "finite", "extended_real", "extended_positive", "extended_nonnegative",
    "extended_negative", "extended_nonpositive", "extended_nonzero", "hermitian", "zero",
    "infinite", "imaginary", "rational", "algebraic", "irrational", "transcendental", "noninteger"})
"""Assumptions that are said by the sorts and by :meth:`Scope.assumed`, or follow from them."""
REQUESTED = frozenset({"real", "positive", "nonnegative", "negative", "nonpositive", "nonzero",
                       "integer", "complex", "commutative", "finite"})


class NotSaid(Exception):
    """The kernel's language does not say this, or not yet; the message is the reason."""


class Scope:
    """Terms for the free letters and bound variables of one statement.

    ``conditions`` are what the relation being read needs besides itself: weights of a mixture that
    are weights, masses that must vanish for a value to be finite.
    """

    def __init__(self, bank: Bank) -> None:
        self.b = bank
        self.bound: dict[Any, int] = {}
        self.letters: dict[Any, int] = {}
        self.taken: set[str] = set()
        self.conditions: list[int] = []
        self.notes: set[str] = set()
        self.claiming = True
        """Is what is read claimed?  A hypothesis must not be read more strictly than it is meant.
        """
        self.finite_meant = False
        self.masses: dict[int, list[tuple[Any, Any]]] = {}
        """Symbols for the masses of pairs that are finite ones."""
        self.given: list[int] = []
        """What the letters of means are, as hypotheses."""
        self.limits: set[int] = set()
        """Conditions without which a value is +oo, not undefined."""
        self.finite_ones: set[Any] = set()
        """What a hypothesis before says to be finite."""
        self.ends: dict[Any, str] = {}
        self.depth = self.base = 0
        self.named: list[int] = []
        """Letters for the limits in the relation that is being read, which began at depth ``base``.
        """
        self.fixed: set[Any] = set()
        """Letters of which the hypotheses speak."""
        self.definitions: list[int] = []
        """What defines letters for recursions, each before the letters that speak of it."""
        self.before: list[Callable[[int], int]] = []
        """The element before, at a point, for each recursion that is being read."""
        self.tops: tuple[Any, ...] = ()
        """The relations that the statement claims, each for all values of its free letters."""

    # -- letters ------------------------------------------------------------------------------

    def letter(self, key: Any, name: str, sort: str) -> int:
        """The free letter of an object; different objects never share a name."""
        if key not in self.letters:
            unique, n = name, 1
            while unique in self.taken or not unique or unique.startswith("%"):
                n += 1
                unique = f"{name}#{n}"
            self.taken.add(unique)
            self.letters[key] = self.b.letter(unique, sort)
        return self.letters[key]

    def assumed(self, symbol: Any, value: int) -> list[int]:
        """What the assumptions of a symbol say of its value, as formulas."""
        asked = {k for k, v in symbol._assumptions_orig.items() if v} if hasattr(
            symbol, "_assumptions_orig") else {k for k, v in symbol.assumptions0.items() if v}
        denied = [k for k, v in getattr(symbol, "_assumptions_orig", {}).items() if v is False]
        if asked - (REQUESTED if hasattr(symbol, "_assumptions_orig") else TRANSLATED) or denied:
            raise NotSaid(f"the assumptions of {symbol}")
        make, zero = self.b.make, self.b.number(0)
        if sort_of(symbol) == "C":
            if symbol.is_zero is False:
                raise NotSaid(f"the assumptions of {symbol}")
            return []
        found: list[int] = []
        if symbol.is_integer:
            if symbol.is_nonnegative is not True:
                raise NotSaid("whole numbers of any sign")
            found.append(make("nat", value))
            if symbol.is_positive:
                found.append(make("le", self.b.number(1), value))
        elif symbol.is_positive:
            found.append(make("lt", zero, value))
        elif symbol.is_negative:
            found.append(make("lt", value, zero))
        elif symbol.is_nonnegative:
            found.append(make("le", zero, value))
        elif symbol.is_nonpositive:
            found.append(make("le", value, zero))
        elif symbol.is_zero is False:
            found.append(make("not", make("eq", value, zero)))
        return found

    # -- binders ------------------------------------------------------------------------------

    def bind(self, symbol: str, sort: str, build: Callable[[int], int]) -> int:
        """``symbol x. build(x)``."""
        return self.b.make(symbol, self.under(sort, build))

    def under(self, sort: str, build: Callable[[int], int]) -> int:
        """``build(x)`` as the body of a binder; a condition met inside is asked of every x."""
        name, before = f"%{self.depth}", len(self.conditions)
        self.depth += 1
        body = build(self.b.letter(name, sort))
        self.depth -= 1
        for i in range(before, len(self.conditions)):
            if (name, sort) in self.b.letters[self.conditions[i]]:
                self.stricter("a condition for every value of a bound variable")
                self.conditions[i] = self.b.make(
                    f"all{sort}", self.b.abstract(self.conditions[i], name, sort))
        return self.b.abstract(body, name, sort)

    @contextmanager
    def where(self, values: dict[Any, int]) -> Iterator[None]:
        """Bound variables stand for terms inside the block."""
        before = self.bound
        self.bound = {**before, **values}
        try:
            yield
        finally:
            self.bound = before

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """Inside the block formulas are hypotheses, or both hypotheses and claims."""
        before, self.claiming = self.claiming, False
        try:
            yield
        finally:
            self.claiming = before

    # -- conditions ---------------------------------------------------------------------------

    def stricter(self, why: str) -> None:
        """The sentence claims more than the statement: never where something is supposed."""
        if not self.claiming:
            raise NotSaid(f"in a hypothesis: {why}")
        self.notes.add(why)

    def unlimited(self, why: str) -> None:
        """A value may be +oo or have none; the sentence asks that it is finite."""
        if not self.finite_meant:
            self.stricter(why)

    @contextmanager
    def finitely(self) -> Iterator[None]:
        """Inside the block an infinite value makes what is read false."""
        before, self.finite_meant = self.finite_meant, True
        try:
            yield
        finally:
            self.finite_meant = before

    def demand(self, condition: int, limit: bool = False) -> None:
        """A side condition of the relation that is being read; without a ``limit`` a value is +oo.
        """
        if limit:
            self.limits.add(condition)
        if condition not in self.conditions:
            self.conditions.append(condition)

    def atomic(self, build: Callable[[], int]) -> int:
        """A relation with its side conditions in front: there are limits of which all holds."""
        before = self.conditions, self.named, self.base
        self.conditions, self.named, self.base = [], [], self.depth
        relation = build()
        found = self.every(*self.conditions, relation)
        for x in reversed(self.named):
            _, name, sort = map(str, self.b.rows[x])
            found = self.b.make(f"ex{sort}", self.b.abstract(found, name, sort))
        self.conditions, self.named, self.base = before
        return found

    def limit(self, *builds: Callable[[int], int]) -> int:
        """The one limit of all that is built at u, as u tends to +oo: a letter of the relation that
        is being read.  What has no value before some u has a limit all the same."""
        if self.depth != self.base:
            raise NotSaid("a limit inside of an integral")
        make, bound = self.b.make, self.b.bound
        bodies = [self.under("R", build) for build in builds]
        self.taken.add(f"%limit{len(self.taken)}")
        x = self.b.letter(f"%limit{len(self.taken)}", self.b.sorts[bodies[0]])
        for body in bodies:
            fact = make("tends", body, x)
            if domain(self.b, body) is not None:
                nothing = self.b.number(0)
                late = make("if", make("lt", bound(1, "R"), bound(0, "R")), self.b.deepen(body),
                            make("cx", nothing) if self.b.sorts[x] == "C" else nothing)
                fact = make("exR", self.meant(make("tends", late, x)))
            self.demand(fact)
        self.named.append(x)
        return x

    def every(self, *formulas: int | None) -> int:
        """The conjunction; None stands for what is true."""
        found = conj(self.b, *formulas)
        return self.truth() if found is None else found

    def truth(self) -> int:
        """A true formula."""
        return self.b.make("not", self.b.make("false"))

    def meant(self, formula: int) -> int:
        """The formula has a meaning and holds."""
        return self.every(domain(self.b, formula), formula)

    def imply(self, premise: int, conclusion: int) -> int:
        """Where the premise has a meaning and holds, so does the conclusion."""
        return self.b.make("imp", self.meant(premise), conclusion)


def sort_of(symbol: Any) -> str:
    """S for events, O for outcomes, R for symbols that are real, C for all others."""
    if isinstance(symbol, (Event, Outcome)):
        return "S" if isinstance(symbol, Event) else "O"
    return "R" if symbol.is_real else "C"


def sort_key(e: Any) -> Any:
    """An order of the arguments of sums and products that is the same in every run."""
    return sp.default_sort_key(e)
